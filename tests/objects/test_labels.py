"""Labels are read in one way: as classes in their natural order, or as values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import notebook_sne as ns
from notebook_sne.engine.objects.labels import (
    LOOKS,
    MOST_CLASSES,
    MOST_NAMED,
    UNLABELED,
    legend_of,
    read_labels,
    sort_classes,
)
from notebook_sne.views.palette import color, marker
from tests import calls
from tests.standins import Drifting
from tests.tables import in_one_test

TWELVE = [f"class {i}" for i in range(1, 13)]


@in_one_test(
    ("labels", "names"),
    [
        (TWELVE[::-1], TWELVE),
        ([10, 9, 2, 1, -3], ["-3", "1", "2", "9", "10"]),
        (np.array([10, 9, 2], dtype=object), ["2", "9", "10"]),
        (["10", "9", "2"], ["2", "9", "10"]),
        ([2, "a", 10], ["2", "10", "a"]),
        ([True, "a", 3], ["3", "True", "a"]),
        ([True, False], ["False", "True"]),
        (["v1.10", "v1.9", "v1.9b"], ["v1.9", "v1.9b", "v1.10"]),
        (["b", "a", "B", ""], ["", "B", "a", "b"]),
        (["7" * 5000, "8" * 4999], ["8" * 4999, "7" * 5000]),  # more digits than Python makes a number of
        ([b"x2", b"x10"], ["x2", "x10"]),
        (np.array(["2021", "2020"], dtype="M8[Y]"), ["2020", "2021"]),
        (pd.Categorical(["low", "high"], categories=["low", "high"]), ["low", "high"]),
    ],
)
def test_classes_come_in_their_natural_order(labels, names):
    told = read_labels(labels, len(labels))
    assert told.class_names == tuple(names) and told.values is None
    assert told.texts == [str(label.decode() if isinstance(label, bytes) else label) for label in labels]
    assert [str(name) for name in sort_classes(labels)[0]] == names


def test_every_view_has_the_classes_in_one_order():
    labels = (TWELVE * 2)[::-1]
    figure = ns.views.map_points(calls.Y, labels=labels)
    assert [item.label.value for item in figure.legend[0].items] == TWELVE
    picture = ns.views.svg(calls.Y, labels)
    assert [picture.index(f">{name}<") for name in TWELVE] == sorted(picture.index(f">{name}<") for name in TWELVE)
    assert ns.replay(calls.FILM, labels=labels).class_names == TWELVE
    table = ns.quality.knn_confusion(calls.Y, labels)
    assert list(table.index) == list(table.columns) == TWELVE
    assert "labels class 1..class 12" in repr(ns.datasets.Dataset(title="t", X=calls.X, labels=labels))


def test_the_draw_of_a_sample_does_not_change_with_the_order_of_classes():
    data = ns.datasets.Dataset(title="t", X=np.arange(24)[:, None], labels=TWELVE * 2)
    generator = np.random.default_rng(5)
    drawn = {name: generator.permutation([i, i + 12])[0] for name, i in sorted((n, i) for i, n in enumerate(TWELVE))}
    assert data.sample(1, random_state=5).X[:, 0].tolist() == sorted(drawn.values())


@pytest.mark.parametrize("labels", [[0.5, 1.5], np.float32([0.5, 1.5]), [None, 0.5], pd.array([0.5, None], "Float64")])
def test_floats_are_values(labels):
    told = read_labels(labels, 2)
    assert told.classes is None and told.values.dtype == np.float64 and told.class_names == ()


# NumPy cuts zero characters off the end of a text.
TEXTS = st.text(max_size=3).filter(lambda text: not text.endswith("\0"))


@pytest.mark.slow
@given(st.lists(st.one_of(st.none(), st.integers(-5, 5), TEXTS), min_size=1, max_size=20))
def test_every_object_is_of_its_own_class_or_of_none(labels):
    told = read_labels(labels, len(labels))
    for label, k, text in zip(labels, told.classes, told.texts, strict=True):
        assert (k == UNLABELED) == (label is None)
        assert text == ("unlabeled" if label is None else str(label))
    groups = told.groups()
    assert sorted(i for group in groups for i in group.rows) == list(range(len(labels)))
    assert [group.k for group in groups if group.k != UNLABELED] == list(range(len(told.class_names)))


@pytest.mark.slow
@pytest.mark.parametrize("draw", [ns.views.svg, lambda Y, labels: ns.views.map_points(Y, labels=labels)])
def test_figures_take_as_many_classes_as_two_bytes_tell_apart_beside_none(draw):
    n = MOST_CLASSES
    Y, labels = np.zeros((n + 1, 2)), np.arange(n + 1)
    for refuses in (draw, read_labels, lambda Y, labels: ns.Recording().describe(labels=labels)):
        with pytest.raises(ValueError, match="labels must fall into at most 65,535 classes, got 65536; give names="):
            refuses(*((labels, n + 1) if refuses is read_labels else (Y, labels)))
    told = read_labels(labels[:n], n)
    assert [group.rows.tolist() for group in told.groups()[-2:]] == [[n - 2], [n - 1]]
    draw(np.random.default_rng(0).normal(size=(600, 2)), [f"class {i}" for i in range(600)])


def test_of_many_classes_those_that_look_alike_are_drawn_together_and_a_legend_names_none():
    labels = read_labels([*range(1000), None], 1001)
    few = labels.few()
    assert read_labels(range(256), 256).few().class_names[-1] == "255"
    assert few.classes[:256].tolist() == list(range(256)) and few.classes[-1] == UNLABELED
    for k, joined in zip(labels.classes[256:1000], few.classes[256:1000], strict=True):
        assert (color(k), marker(k), MOST_NAMED <= joined < MOST_NAMED + LOOKS) == (color(joined), marker(joined), True)
    told = legend_of(few.groups(), 1000)
    assert [group.text for group in told] == ["unlabeled (1)"]
    assert [group.text for group in legend_of(read_labels([*"ba"], 2).groups(), 2)] == ["a", "b"]


@pytest.mark.parametrize("name", ["views.map_points", "views.svg", "watch", "replay", "quality.knn_error"])
def test_labels_must_be_one_for_each_object(name):
    error = calls.spoilt(name, "labels", ["a"])
    assert "labels must hold one entry for each of the 24 objects, got 1; give as many" in str(error)


@pytest.mark.parametrize("order", [["low", "mid", "high"], ["high", "none", "low", "mid"], [3, 1, 2]])
def test_categories_keep_their_order_in_views_and_files(order, tmp_path):
    column = pd.Series(pd.Categorical([order[-1], order[0], order[-2], order[-1]], categories=order))
    labels = read_labels(column, 4)
    classes = [str(one) for one in order if one in set(column)]
    assert list(labels.class_names) == classes
    assert labels.texts == [str(one) for one in column]
    with ns.Run(Drifting(), np.zeros((5, 2))) as run:
        run.steps(1)
    kept = pd.Series(pd.Categorical([*column, None], categories=order))
    recording = run.recording.describe(labels=kept, label_colors={classes[0]: "#112233"})
    for one in (recording, ns.Recording.load(recording.save(tmp_path / "kept.npz"))):
        view = ns.replay(one)
        assert (view.class_names, view.class_colors[0]) == (classes, "#112233")
        assert [*one.labels[:4]] == [*column] and pd.isna(one.labels[4]) and pd.isna(view.objects()["label"][4])
        assert one._repr_html_().index(classes[0]) < one._repr_html_().index(classes[-1])


def test_categories_of_a_cut_of_floats_and_in_a_dataset_come_in_their_order():
    bins = pd.cut(pd.Series(np.linspace(0, 59, 60)), 4)
    assert list(read_labels(bins, 60).class_names) == [str(one) for one in bins.cat.categories]
    doses = pd.Series([10.0, 0.5, None, 2.0]).astype("category")
    assert read_labels(doses, 4).texts == ["10.0", "0.5", "unlabeled", "2.0"]
    assert read_labels(doses, 4).class_names == ("0.5", "2.0", "10.0")
    sizes = pd.Categorical(["mid", "high", None, "low"], categories=["low", "mid", "high"])
    data = ns.datasets.Dataset(title="four", X=np.eye(4), labels=sizes)
    assert read_labels(data.labels, 4).class_names == ("low", "mid", "high")
    assert read_labels(data.select([1, 3]).labels, 2).class_names == ("low", "high")
