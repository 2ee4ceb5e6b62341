"""The plan of a page that computes: what it holds is what the run has, and what it cannot do it says."""

import itertools
import json
import re

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.browser.pages.packing import pack_objects, pack_probabilities
from notebook_sne.browser.pages.plan import MOST_OBJECTS, plan_of
from notebook_sne.browser.pages.recipes import KEPT, recipe_of, schedule_of, why_not
from notebook_sne.engine.mathematics.distances import unit_spread
from notebook_sne.engine.runs.recording.standing import standing_in
from notebook_sne.models import family
from tests.tables import in_one_test

X = np.random.default_rng(0).normal(size=(40, 5))
COMPUTED = [name for name in family.members() if not why_not(family.class_of(name)())]


def stood(model, objects=X, steps=3, **turned):
    """Return where a run stands after some updates."""
    with ns.Run(model, objects) as run:
        run.set(**turned)
        run.steps(steps)
        return run._worker.standing(), run.recording


def unpacked(facts, arrays):
    """Return the objects in units of their spread, as a page makes them of the bytes."""
    kind = {"uint8": "u1", "uint16": "<u2", "float32": "<f4", "float64": "<f8"}[facts["type"]]
    X = np.frombuffer(arrays["X"], kind)
    X = np.frombuffer(arrays["X_table"], "<f8")[X] if arrays["X_table"] else X.astype(np.float64)
    return (X.reshape(facts["shape"]) / facts["first"] - np.frombuffer(arrays["X_middle"], "<f8")) / facts["last"]


rng = np.random.default_rng(1)


@pytest.mark.parametrize(
    ("objects", "kind"),
    [
        (rng.integers(0, 17, (60, 8)) / 16, "uint8"),
        (rng.integers(-300, 300, (400, 8)).astype(float), "uint16"),
        (rng.normal(size=(60, 8)).astype(np.float32), "float32"),
        (rng.normal(size=(60, 8)) * 1e-3 + 50, "float64"),
        (rng.normal(size=(60, 8)) * 1e130, "float64"),
        (np.vstack([rng.normal(size=(60, 8)), np.full((1, 8), 1e12)]), "float64"),
    ],
    ids=["few", "some", "single", "offset", "huge", "one far"],
)
def test_packed_objects_lose_nothing(objects, kind):
    facts, arrays = pack_objects(objects)
    assert facts["type"] == kind
    np.testing.assert_array_equal(unpacked(facts, arrays), unit_spread(objects))
    json.dumps(facts, allow_nan=False)


def test_packed_probabilities_are_those_of_p_in_single_precision():
    P, _ = ns.affinities.keep_large(ns.affinities.conditional(X, 10))
    facts, arrays = pack_probabilities(P)
    assert facts == {"shape": [40, 40], "type": "uint16"}
    counts = np.frombuffer(arrays["P_counts"], "<u4")
    np.testing.assert_array_equal(np.concatenate([[0], np.cumsum(counts)]), P.indptr)
    np.testing.assert_array_equal(np.frombuffer(arrays["P_columns"], "<u2"), P.indices)
    np.testing.assert_array_equal(np.frombuffer(arrays["P_values"], "<f4"), P.data.astype("<f4"))


def test_what_a_page_does_not_compute_says_so():
    assert {"SNE", "SymmetricSNE", "UNISNE", "TSNE", "ElasticEmbedding", "UMAP"} <= set(COMPUTED)
    lacking = set(family.members()) - set(COMPUTED)
    assert {"NegTSNE", "InfoNCTSNE"} <= lacking
    for name in lacking:
        model = family.class_of(name)()
        assert why_not(model) == f"only Python computes {family.listed(name).label}"


@pytest.mark.parametrize("name", COMPUTED)
def test_the_rules_of_phases_are_those_of_the_models(name):
    model = family.class_of(name)()
    recipe = plan_of(X, stood(family.class_of(name)(perplexity=5, random_state=0))[0]).facts["present"]
    values = {"exaggeration": (1, 12), "jitter": (0, 0.1), "background": (0, 0.2)}
    for chosen in itertools.product(*values.values()):
        knobs = {"background": 0.0, "exaggeration": 1.0, **dict(zip(values, chosen, strict=True))}
        holds = {"above": lambda a, b: a > b, "not": lambda a, b: a != b}
        named = (rule[3] for rule in recipe["phases"] if holds[rule[1]](knobs[rule[0]], rule[2]))
        assert next(named, recipe["rest"]) == model._phase(knobs)


@pytest.mark.parametrize("name", COMPUTED)
def test_what_a_model_keeps_that_takes_over_from_its_own_kind(name):
    kind = family.class_of(name)
    asked = kind()._going_on(kind())
    alone = kind()._going_on(None)
    assert set(KEPT.get(name, "").split()) == {knob for knob in asked if knob not in alone or knob == "background"}


def test_a_function_is_written_as_its_first_values():
    function = {"kind": "function", "ends": 2, "last": 1 / 3, "values": [[0, 1.0], [1, 0.5]]}
    assert schedule_of(lambda t: 1 / (1 + t), 2) == function and schedule_of(3, 9) == 3.0


def test_a_plan_says_where_the_run_stands():
    standing, _ = stood(ns.TSNE(perplexity=5, random_state=0, max_iter=60), momentum=0.3)
    plan = plan_of(X, standing)
    facts, state = plan.facts, standing.state
    at = facts["at"]
    assert (at["iteration"], at["cost"], at["objective"]) == (3, state.cost, state.objective)
    assert (facts["done"], facts["limit"], facts["plays"], facts["turned"]) == (3, 60, False, {"momentum": 0.3})
    assert facts["chapters"][0][0] == 0 and facts["chapters"][0][1]["id"] == "TSNE"
    for name, value in {"Y": state.Y[0], "velocity": state.memory["own"]["velocity"]}.items():
        np.testing.assert_array_equal(np.frombuffer(plan.arrays[name]), np.ravel(value))
    starts = np.frombuffer(plan.arrays["starts"]).reshape(-1, 40, 2)
    first = next(iter(standing.origin.iterate(X))).Y[0]
    np.testing.assert_array_equal(starts[facts["origin"]["start"]], first)
    paper = next(iter(family.recipe(standing.model, "SNE", 40).iterate(X))).Y[0]
    np.testing.assert_array_equal(starts[facts["presets"]["SNE"]["start"]], paper)
    assert len(starts) == 2
    json.dumps(facts, allow_nan=False)


def test_the_models_that_may_follow_are_those_of_the_player_and_others_say_why_not():
    plan = plan_of(X, stood(ns.SNE(perplexity=5, random_state=0))[0])
    assert set(plan.facts["successors"]) == set(COMPUTED)
    assert set(plan.facts["presets"]) == {name for name in family.members() if family.listed(name).source}
    cannot = {choice["id"]: choice["cannot"] for choice in plan.choices if "cannot" in choice}
    assert set(cannot) == set(family.relatives(ns.SNE())) - set(COMPUTED)
    assert all(why.startswith("Only Python computes ") for why in cannot.values())


class Own(ns.SNE):
    """A model of somebody's own."""


@in_one_test(
    ("model", "why"),
    [
        (ns.MixtureSNE(perplexity=5), "only Python computes mixture of images"),
        (ns.AspectMaps(perplexity=5, n_maps=3, mixing="equal"), "proportions .* has mixing='equal'"),
        (ns.AspectMaps(perplexity=5, n_maps=2, mixing=np.full((2, 40), 0.5)), "has mixing=an array"),
        (ns.AspectMaps(perplexity=5, n_maps=3, locations="equal"), "has locations='equal'"),
        (Own(perplexity=5), "only Python computes Own"),
        (ns.SNE(perplexity=5, n_components=3), "n_components=3"),
        (ns.SNE(perplexity=5, extra_dimensions=1), "extra_dimensions"),
        (ns.SNE(perplexity=5, optimizer="lbfgs"), "optimizer='lbfgs'"),
        (ns.SNE(perplexity=5, jitter=ns.Annealed(1.0, 0.1)), "two passes"),
        (ns.SNE(perplexity=5, sums="mesh"), "sums='mesh'"),
    ],
)
def test_what_a_page_cannot_compute_is_refused_in_words(model, why):
    assert re.search(why, why_not(model))
    with pytest.raises(ValueError, match=r"live=True needs a model that a page can compute, but .*leave live out"):
        plan_of(X, stood(model, steps=1)[0])


def test_too_many_objects_are_refused():
    standing, _ = stood(ns.SNE(perplexity=5, random_state=0))
    many = np.random.default_rng(0).normal(size=(MOST_OBJECTS + 1, 2))
    with pytest.raises(ValueError, match=r"at most 5,000 objects, .* got 5,001; take a part of them"):
        plan_of(many, standing)


def test_a_page_of_many_objects_holds_the_present_p_as_well(monkeypatch):
    standing, _ = stood(ns.TSNE(perplexity=5, random_state=0, least_p=1e-3))
    assert "made" not in plan_of(X, standing).facts
    monkeypatch.setattr("notebook_sne.browser.pages.plan._SLOW", 40 * 40 * 5 - 1)
    plan = plan_of(X, standing)
    made = plan.facts["made"]
    assert (made["convention"], made["perplexity"], made["least_p"]) == ("conditional", 5.0, 1e-3)
    P, _ = ns.affinities.keep_large(ns.affinities.conditional(X, 5), 1e-3)
    np.testing.assert_array_equal(np.frombuffer(plan.arrays["P_values"], "<f4"), P.data.astype("<f4"))
    assert plan.facts["objects"]["shape"] == [40, 5] and "X" in plan.arrays


def test_p_alone_holds_the_perplexity():
    standing, _ = stood(ns.TSNE(perplexity=5, random_state=0))
    plan = plan_of(X, standing, "P")
    assert "X" not in plan.arrays and plan.facts["objects"]["convention"] == "conditional"
    recipes = [*plan.facts["successors"].values(), *plan.facts["presets"].values(), plan.facts["origin"]]
    assert {recipe["schedules"]["perplexity"] for recipe in recipes} == {5.0}
    assert set(plan.facts["fixed"]) == {"perplexity", "least_p"}
    with pytest.raises(ValueError, match="data must be one of"):
        plan_of(X, standing, "Y")


def test_a_page_of_umap_says_how_many_neighbors_its_graph_has():
    standing, _ = stood(ns.UMAP(n_neighbors=7, random_state=0))
    facts = plan_of(X, standing).facts
    assert facts["present"]["n_neighbors"] == facts["successors"]["UMAP"]["n_neighbors"] == 7
    assert facts["successors"]["TSNE"]["schedules"]["perplexity"] == facts["perplexity"] == 13.0
    made = facts["made"]  # as Python found it: of equally near objects, a page might find others
    assert (facts["data"], made["convention"], made["perplexity"]) == ("X", "joint", None)
    assert facts["presets"]["TSNE"]["n_neighbors"] is None and "perplexity" not in facts["present"]["schedules"]
    other = plan_of(X, stood(ns.UMAP(perplexity=5, random_state=0))[0]).facts
    assert other["present"]["n_neighbors"] is None and other["present"]["schedules"]["perplexity"] == 5.0
    json.dumps(facts, allow_nan=False)


def test_a_page_that_holds_the_graph_of_umap_alone_makes_no_other_p():
    standing, _ = stood(ns.UMAP(n_neighbors=7, random_state=0))
    plan = plan_of(X, standing, "P")
    assert plan.facts["objects"]["convention"] == "joint" and list(plan.facts["successors"]) == ["UMAP"]
    assert not plan.facts["presets"] and plan.facts["successors"]["UMAP"]["n_neighbors"] == 7
    cannot = {choice["id"]: choice["cannot"] for choice in plan.choices if "cannot" in choice}
    assert cannot["TSNE"].startswith("This page holds P alone, not the objects")
    np.testing.assert_allclose(np.frombuffer(plan.arrays["P_values"], "<f4"), ns.affinities.umap(X, 7).data, rtol=1e-6)
    with ns.Run(ns.UMAP(n_neighbors=7, random_state=0), X) as run:
        run.steps(2)
        run.switch(family.successor(run.model, "TSNE", 40))
        run.steps(2)
        standing = run._worker.standing()
    assert plan_of(X, standing).facts["origin"]["n_neighbors"] == 7
    with pytest.raises(
        ValueError, match=r"a model to restart with .* holds P alone, .*; begin a run with TSNE, or leave"
    ):
        plan_of(X, standing, "P")


def test_a_p_that_was_given_is_what_a_page_holds():
    P = ns.affinities.conditional(X, 5)
    standing, _ = stood(ns.SymmetricSNE(input="probabilities", random_state=0), P)
    plan = plan_of(P, standing)
    assert plan.facts["objects"]["convention"] == "conditional" and "SNE" in plan.facts["successors"]
    assert "perplexity" not in plan.facts["present"]["schedules"]
    with pytest.raises(ValueError, match=r"data must be 'P' here, .* got 'X' with input='probabilities'"):
        plan_of(P, standing, "X")
    J = ns.affinities.joint(P)
    plan = plan_of(J, stood(ns.TSNE(input="joint", random_state=0), J)[0])
    assert plan.facts["objects"]["convention"] == "joint" and "SNE" not in plan.facts["successors"]


OTHERS = [np.abs(X), np.abs(X[:, None] - X).sum(axis=2), sparse.csr_array(np.abs(X))]


@in_one_test(("objects", "settings"), zip(OTHERS, ({"metric": "manhattan"}, {"input": "distances"}, {}), strict=True))
def test_of_other_data_a_page_holds_p(objects, settings):
    standing, _ = stood(ns.SNE(perplexity=5, random_state=0, **settings), objects)
    plan = plan_of(objects, standing)
    assert plan.facts["data"] == "P" and "holds P alone" in plan.facts["fixed"]["perplexity"]
    with pytest.raises(ValueError, match="data must be 'P' here"):
        plan_of(objects, standing, "X")


def test_a_recording_stands_where_its_run_did(tmp_path):
    model = ns.UNISNE(perplexity=5, random_state=0, max_iter=20)
    standing, recording = stood(model, steps=7, jitter=0.01)
    known = plan_of(X, standing).facts
    assert plan_of(X, standing_in(recording)).facts == known
    again = type(recording).load(recording.save(tmp_path / "run.npz"))
    loaded = plan_of(X, standing_in(again)).facts
    assert (loaded["present"], loaded["turned"], loaded["done"]) == (known["present"], known["turned"], 7)
    assert loaded["at"]["iteration"] == 7


def test_a_recording_that_does_not_know_its_models_says_so(tmp_path):
    _, recording = stood(ns.SNE(perplexity=5, random_state=0, jitter=ns.Decay(0.1, 3)))
    again = type(recording).load(recording.save(tmp_path / "run.npz"))
    with pytest.raises(ValueError, match="its file does not hold its jitter; write the page from the run"):
        standing_in(again)
    with pytest.raises(ValueError, match="nothing is recorded yet"):
        standing_in(type(recording)())


def test_a_run_without_a_map_has_no_plan_and_a_refused_model_no_recipe():
    from notebook_sne.engine.fitting.problem import Problem

    with ns.Run(ns.SNE(perplexity=5), X) as run, pytest.raises(ValueError, match="this one has none yet"):
        run._worker.standing()
    with pytest.raises(ValueError, match="live=True needs a model"):
        recipe_of(Problem(ns.SNE(perplexity=5, optimizer="lbfgs"), X))


def test_a_page_knows_several_perplexities_and_their_knob():
    standing, _ = stood(ns.SNE(perplexity=[3, 12], random_state=0))
    plan = plan_of(X, standing)
    assert plan.facts["present"]["scales"] == [3.0, 12.0] and plan.facts["present"]["schedules"]["perplexity"] == 12.0
    assert all(other["scales"] == [3.0, 12.0] for other in plan.facts["successors"].values())
    assert {other["scales"] for other in plan.facts["presets"].values()} == {None}
    knob = plan.facts["knobs"]["perplexity"]
    assert (knob["least"], knob["closed"]) == (4.0, False) and "largest of several" in knob["what"]
    held = plan_of(X, standing, data="P")
    assert (
        held.arrays["P_values"]
        == pack_probabilities(ns.SNE(perplexity=[3, 12], max_iter=1).fit(X).affinities_)[1]["P_values"]
    )
    powers = plan_of(X, stood(ns.SNE(perplexity="multiscale", random_state=0))[0]).facts
    assert powers["present"]["scales"] == "multiscale" and powers["knobs"]["perplexity"]["least"] == 2
