"""What is known of objects is given by the name of a column of what they came in."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from notebook_sne.engine.objects.named import facts_by_name

N = 24
X = np.random.default_rng(0).normal(size=(N, 2))
TABLE = pd.DataFrame({"a": X[:, 0], "kind": ["u", "v"] * 12, "b": X[:, 1], "year": range(N)})
NONE = {"labels": None, "values": None, "names": None, "columns": None, "label_colors": None}
cells = type("AnnData", (), {"__module__": "anndata._core.anndata", "shape": (N, 2), "__len__": lambda self: N})()
cells.X, cells.obs, cells.obsm, cells.obsp = X, TABLE[["kind", "year"]], {}, {}
HOLDERS = {
    "a table": (TABLE, "X"),
    "cells": (cells, "X.obs"),
    "a Dataset": (ns.datasets.Dataset(title="", citation="", X=X, columns=TABLE[["kind", "year"]]), "X.columns"),
    "a mapping": (SimpleNamespace(X=X, labels=None, columns=dict(TABLE[["kind", "year"]].items())), "X.columns"),
}


@pytest.mark.parametrize("kind", HOLDERS)
def test_names_stand_for_entries(kind):
    found, facts = facts_by_name(HOLDERS[kind][0], **{**NONE, "labels": "kind", "values": "year", "columns": ["year"]})
    assert list(facts["labels"]) == list(TABLE["kind"]) and list(facts["values"]) == list(range(N))
    assert list(facts["columns"]) == ["year"] and list(facts["columns"]["year"]) == list(range(N))
    if kind == "a table":
        assert list(found.columns) == ["a", "b"]
    else:
        assert found is HOLDERS[kind][0]
    assert facts["names"] is None


@pytest.mark.parametrize("kind", HOLDERS)
def test_a_name_that_is_not_there_says_which_are(kind):
    given, where = HOLDERS[kind]
    with pytest.raises(ValueError, match=f"labels must name a column of {where}, .*'year', got 'knd'; .*'kind'"):
        facts_by_name(given, **{**NONE, "labels": "knd"})
    with pytest.raises(ValueError, match=f"columns must name a column of {where}, .*, got 'source'; give one of these"):
        facts_by_name(given, **{**NONE, "columns": ["year", "source"]})


def test_what_is_no_name_is_left_as_it_is():
    given = {**NONE, "labels": list("ab"), "values": [1.0], "columns": {"year": [1]}, "label_colors": {"a": "red"}}
    found, facts = facts_by_name(TABLE, **given)
    assert found is TABLE and facts == given
    assert facts_by_name(X, **NONE) == (X, NONE)


def test_a_name_needs_something_that_has_columns():
    with pytest.raises(ValueError, match=r"labels must hold one entry .*, or name a column where .*, got 'kind'"):
        facts_by_name(X, **{**NONE, "labels": "kind"})
    with pytest.raises(
        TypeError, match=r"columns must be a table or a list of names, got 'year'; write columns=\['year'\]"
    ):
        facts_by_name(TABLE, **{**NONE, "columns": "year"})


@pytest.mark.parametrize("names", [("year",), np.array(["year"]), TABLE.columns[TABLE.columns == "year"]])
def test_names_of_columns_may_come_in_any_list(names):
    found, facts = facts_by_name(TABLE, **{**NONE, "labels": "kind", "columns": names})
    assert [*facts["columns"]] == ["year"] and "year" not in found
    with pytest.raises(TypeError, match="columns must be a table or a list of names, got 3 among them"):
        facts_by_name(TABLE, **{**NONE, "columns": ["year", 3]})


def test_views_take_names():
    model = ns.TSNE(perplexity=2, max_iter=2, random_state=0)
    player = ns.watch(model, TABLE, labels="kind", values="year", columns=["year"], autoplay=False)
    assert player.run.X.shape == (N, 2)
    assert player.class_names == ["u", "v"] and [column["name"] for column in player.object_columns] == ["year"]
    player.close()
    comparison = ns.compare({"a": model, "b": ns.SNE(perplexity=2)}, TABLE, labels="kind", names="year", autoplay=False)
    assert comparison["b"].class_names == ["u", "v"] and comparison["b"].names[3] == "3"
    comparison.close()
    with ns.Run(model, cells) as run:
        player = ns.Player(run, labels="kind")
        assert player.class_names == ["u", "v"]
    table = ns.sweep(ns.TSNE(max_iter=2), TABLE, {"perplexity": [2]}, seeds=[0], labels="kind", progress=False)
    assert table.knn_error.notna().all()


def test_texts_among_the_vectors_are_refused_with_the_way_out():
    told = r"X\['kind'\] must be numbers, got text; .*X\.drop\(columns=\['kind'\]\) has the numbers alone"
    with pytest.raises(TypeError, match=told):
        ns.TSNE().fit(TABLE)
    with pytest.raises(TypeError, match=told):
        ns.watch(ns.TSNE(), TABLE, columns=["year"])
    assert ns.TSNE(perplexity=2, max_iter=2).fit(TABLE.drop(columns=["kind"])).embedding_.shape == (N, 2)


def _indexed(n=6):
    index = [f"i{k}" for k in range(n)]
    X = pd.DataFrame(np.eye(n), index=index).rename(columns=str)
    return X, pd.Series([f"class {k}" for k in range(n)], index=index)


@pytest.mark.parametrize("key", ["labels", "values", "names", "columns"])
def test_facts_with_the_index_of_the_objects_in_another_order_are_put_in_theirs(key):
    X, fact = _indexed()
    for given in (fact, pd.DataFrame({"a": fact}), {"a": fact})[slice(1, 3) if key == "columns" else slice(0, 1)]:
        shuffled = given[::-1] if not isinstance(given, dict) else {"a": fact[::-1]}
        _, facts = facts_by_name(X, **{key: shuffled})
        found = facts[key] if key != "columns" else facts[key]["a"]
        assert list(found) == list(fact)
        _, facts = facts_by_name(X, **{key: fact.reset_index(drop=True)} if key != "columns" else {key: None})
        assert facts[key] is None or list(facts[key]) == list(fact)  # an index that only counts


def _asked_of_a_player(X, ask, **facts):
    player = ns.watch(ns.TSNE(perplexity=2, max_iter=2, random_state=0), X, autoplay=False, **facts)
    try:
        return ask(player)
    finally:
        player.discard()


def _classes(kinds):
    return kinds.str[-1].astype(int) % 3


@pytest.mark.parametrize(
    "entrance",
    {
        "svg": lambda X, kinds: str(ns.views.svg(X.iloc[:, :2], _classes(kinds).astype(str), names=kinds)),
        "regions": lambda X, kinds: str(ns.views.svg(X.iloc[:, :2], names=kinds, regions=2)),
        "map_points": lambda X, kinds: [
            [*renderer.data_source.data["object"]]
            for renderer in ns.views.map_points(X.iloc[:, :2], labels=_classes(kinds)).renderers
        ],
        "knn_confusion": lambda X, kinds: ns.quality.knn_confusion(X, _classes(kinds), k=2).to_numpy().tolist(),
        "class_recall": lambda X, kinds: ns.quality.class_recall(X, X.to_numpy()[::-1], _classes(kinds), k=1),
        "LDA": lambda X, kinds: ns.baselines.LDA(labels=_classes(kinds)).fit_transform(X).tolist(),
        "NCA": lambda X, kinds: next(ns.baselines.NCA(labels=_classes(kinds)).iterate(X)).cost,
        "importance": lambda X, kinds: _asked_of_a_player(
            X, lambda player: bytes(player.importance), names=kinds, importance=kinds.str[-1].astype(int)
        ),
        "a mask": lambda X, kinds: _asked_of_a_player(
            X, lambda player: player.select(kinds == "class 2").index.tolist(), labels=kinds
        ),
        "regions of a view": lambda X, kinds: _asked_of_a_player(
            X, lambda player: player.regions(_classes(kinds))["objects"].map(list).tolist()
        ),
    }.items(),
    ids=lambda entrance: entrance[0],
)
def test_an_index_counts_wherever_facts_are_given(entrance):
    X, kinds = _indexed(9)
    X = X + np.random.default_rng(0).normal(size=(9, 9))
    _, asked = entrance
    assert asked(X, kinds[::-1]) == asked(X, kinds)
    with pytest.raises(ValueError, match="must have the index of X"):
        asked(X, kinds.rename({"i3": "j"}))


def test_facts_of_other_objects_are_refused():
    X, fact = _indexed()
    with pytest.raises(ValueError, match=r"labels must have the index of X, .* 'j'"):
        facts_by_name(X, labels=fact.rename({"i3": "j"}))
    with pytest.raises(ValueError, match="labels must have the index of X"):
        facts_by_name(X, labels=fact.rename({"i3": "i2"}))
