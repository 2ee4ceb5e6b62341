"""Several perplexities at once: their P beside plain NumPy, what a model makes of it, and what is refused."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.browser.widgets.answers import knob_controls
from notebook_sne.browser.widgets.scores import refusals
from notebook_sne.engine.fitting import inputs, out_of_sample
from notebook_sne.models import MODELS, family
from tests import reference
from tests.tables import in_one_test

X = np.random.default_rng(0).normal(size=(60, 4))
D = np.sqrt(np.square(X[:, None] - X[None]).sum(-1))
WAYS = ([12, 3], "multiscale")
POWERS = [2.0, 4.0, 8.0, 16.0]  # 30 is N / 2


def mean(squares, scales):
    return np.mean([reference.conditional(squares, one) for one in scales], axis=0)


def among(k, objects=X):
    """Squared distances to the k nearest, infinite to all others."""
    squares = reference.squared(objects)
    squares[squares > np.sort(squares, axis=1)[:, k - 1 : k]] = np.inf
    return squares


@pytest.mark.sampled(5)
@pytest.mark.parametrize("perplexity", WAYS)
def test_p_is_the_mean_of_normalized_rows(perplexity):
    wanted = mean(reference.squared(X), POWERS if perplexity == "multiscale" else perplexity)
    np.testing.assert_allclose(affinities.conditional(X, perplexity), wanted, atol=1e-7)
    np.testing.assert_allclose(affinities.from_distances(D, perplexity), wanted, atol=1e-7)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("perplexity", WAYS)
def test_neighbors_hold_the_scales_that_they_have_room_for(perplexity):
    scales = [2.0, 4.0, 8.0] if perplexity == "multiscale" else perplexity  # up to a third of the 36
    wanted = mean(among(36), scales)
    found = affinities.conditional(X, perplexity, neighbors=36)
    assert isinstance(found, sparse.csr_array)
    np.testing.assert_allclose(found.toarray(), wanted, atol=1e-7)
    nearest = np.argsort(D, axis=1)[:, :37]
    found = affinities.from_neighbors(nearest, np.take_along_axis(D, nearest, axis=1), perplexity)
    np.testing.assert_allclose(found.toarray(), wanted, atol=1e-7)
    model = ns.SNE(perplexity=perplexity, input="neighbors", max_iter=1, random_state=0, progress=False)
    graph = (nearest, np.take_along_axis(D, nearest, axis=1))
    np.testing.assert_allclose(model.fit(graph).affinities_.toarray(), wanted, atol=5e-6)


def test_neither_order_nor_kind_of_list_matters_and_one_is_a_number():
    given = [affinities.conditional(X, one) for one in ([3, 12], (12, 3), np.array([12.0, 3.0]))]
    assert np.array_equal(given[0], given[1]) and np.array_equal(given[0], given[2])
    assert np.array_equal(affinities.conditional(X, [12]), affinities.conditional(X, 12))


def test_distances_of_very_different_sizes_are_measured_at_each_scale():
    """At one unit for all scales, the squares of the smallest distances would be 0, and their objects the same."""
    line = np.concatenate([np.arange(6.0) * 1e-160, 1.0 + np.arange(30.0)])
    far = np.abs(line[:, None] - line)
    with pytest.warns(UserWarning, match="1 object has more nearest neighbors"):  # number 6, from far away
        P, near, wide = (affinities.from_distances(far, one) for one in ([2, 8], 2, 8))
    np.testing.assert_allclose(P[0, 1:6], (near + wide)[0, 1:6] / 2)
    assert near[0, 1] > near[0, 2] > near[0, 5]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("perplexity", WAYS)
@pytest.mark.parametrize("name", MODELS)
def test_each_model_takes_several(name, perplexity):
    kind = family.class_of(name)
    model = kind(perplexity=perplexity, max_iter=2, random_state=0, progress=False)
    assert clone(model).get_params()["perplexity"] == perplexity
    fitted = model.fit(X)
    P = mean(reference.squared(X), POWERS if perplexity == "multiscale" else perplexity)
    wanted = P if model._convention == "conditional" else (P + P.T) / (2 * len(X))
    np.testing.assert_allclose(fitted.affinities_.toarray(), wanted, atol=5e-6)
    assert fitted.state_.knobs["perplexity"] == (16.0 if perplexity == "multiscale" else 12.0)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.state_.Y, fitted.state_.Y) and again.perplexity == perplexity


@pytest.mark.parametrize("input", ["vectors", "distances", "neighbors"])
@pytest.mark.parametrize("perplexity", WAYS)
def test_new_objects_choose_at_all_scales(perplexity, input, monkeypatch):
    """A fitted object that comes again has the row of a new one: from all fitted objects, itself among them."""
    seen = []
    monkeypatch.setattr(ns.TSNE, "_places", lambda self, P, knobs: seen.append(P) or np.zeros((P.shape[0], 2)))
    new = np.random.default_rng(1).normal(size=(5, 4))
    to_new = np.sqrt(np.square(new[:, None] - X[None]).sum(-1))
    given, asked = {
        "vectors": (X, new), "distances": (D, to_new),
        "neighbors": ((np.argsort(D)[:, :60], np.sort(D)[:, :60]), (np.argsort(to_new), np.sort(to_new))),
    }[input]  # fmt: skip
    model = ns.TSNE(perplexity=perplexity, input=input, max_iter=1, random_state=0, progress=False).fit(given)
    model.transform(asked)
    wanted = mean(np.square(to_new), POWERS if perplexity == "multiscale" else perplexity)
    np.testing.assert_allclose(sparse.vstack(seen).toarray(), wanted, atol=5e-6)


def test_new_objects_among_many_and_sparse_ones(monkeypatch):
    monkeypatch.setattr(out_of_sample, "MOST_SEARCHED_OBJECTS", 50)
    seen = []
    monkeypatch.setattr(ns.TSNE, "_places", lambda self, P, knobs: seen.append(P) or np.zeros((P.shape[0], 2)))
    for objects in (X, sparse.csr_array(X)):
        model = ns.TSNE(perplexity=[3, 12], max_iter=1, random_state=0, progress=False, init="random").fit(objects)
        model.transform(objects[:4])
        assert (np.diff(seen[-1].indptr) <= 36).all() and np.diff(seen[-1].indptr).max() > 9


@pytest.mark.slow
def test_many_objects_are_searched_for_three_times_the_largest(monkeypatch):
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 50)
    P = inputs.target(X, "vectors", [3, 12], "conditional").P
    np.testing.assert_allclose(P.toarray(), mean(among(36), [3, 12]), atol=5e-6)
    monkeypatch.setattr(inputs, "_MOST_ENTRIES", 60 * 30)  # room for 30 neighbors each
    monkeypatch.setattr(inputs, "_LEAST_NEIGHBORS", 6)
    P = inputs.target(X, "vectors", "multiscale", "conditional").P
    np.testing.assert_allclose(P.toarray(), mean(among(24), [2, 4, 8]), atol=5e-6)
    assert inputs.largest_scale(X, "vectors", "multiscale") == 8
    monkeypatch.setattr(inputs, "_MOST_ENTRIES", 1)
    assert inputs.largest_scale(X, "vectors", "multiscale") == 2


def test_seventy_thousand_objects_go_up_to_64_and_a_million_to_32():
    class Many:
        def __init__(self, n):
            self.shape = (n, 2)

    found = {n: inputs.largest_scale(Many(n), "vectors", "multiscale") for n in (2000, 3000, 70_000, 1_000_000)}
    assert found == {2000: 512, 3000: 512, 70_000: 64, 1_000_000: 32}
    assert inputs.largest_scale(Many(1_000_000), "distances", "multiscale") == 2**18


@pytest.mark.slow
def test_the_knob_is_the_largest_and_takes_the_others_along():
    model, knobs = ns.SNE(perplexity=[12, 3], random_state=0), ns.Knobs()
    states = model.iterate(X, knobs=knobs)
    assert next(states).knobs["perplexity"] == 12
    knobs.set(perplexity=24)
    assert next(states).knobs["perplexity"] == 24
    np.testing.assert_allclose(states._problem._made.target.P.toarray(), mean(reference.squared(X), [6, 24]), atol=5e-6)
    knobs.set(perplexity=4)
    with pytest.raises(ValueError, match=r"perplexity must be above 4 while there are 2 of them, \[3.0, 12.0\].*got 4"):
        next(states)
    knobs.release()
    assert next(states).knobs["perplexity"] == 12


def test_the_control_of_the_knob_begins_where_the_least_scale_does():
    for perplexity, least, closed in (([12, 3], 4, False), ("multiscale", 2, True), (12, 1, False)):
        state = next(ns.SNE(perplexity=perplexity, random_state=0).iterate(X))
        (knob,) = [each for each in knob_controls(state, len(X)) if each["name"] == "perplexity"]
        assert (knob["least"], knob["closed"], knob["most"]) == (least, closed, 59)
        assert knob["low"] >= least and ("largest of several" in knob["what"]) == (perplexity != 12)


@pytest.mark.slow
def test_of_multiscale_the_knob_is_how_far_the_powers_go():
    knobs = ns.Knobs(perplexity=9)
    states = ns.SNE(perplexity="multiscale", random_state=0).iterate(X, knobs=knobs)
    next(states), next(states)
    np.testing.assert_allclose(
        states._problem._made.target.P.toarray(), mean(reference.squared(X), [2, 4, 8]), atol=5e-6
    )
    knobs.set(perplexity=1.5)
    with pytest.raises(ValueError, match=r"perplexity must be 2 or more while it is 'multiscale'.*got 1.5; raise it"):
        next(states)


@pytest.mark.parametrize("perplexity", WAYS)
def test_a_run_goes_on_bit_for_bit_and_from_one_kind_of_scales_to_another(perplexity):
    model = ns.SNE(perplexity=perplexity, random_state=0)
    states = model.iterate(X)
    film = [next(states) for _ in range(6)]
    again = model.iterate(X, start=film[3])
    next(again)
    assert np.array_equal(next(again).Y, film[4].Y)
    other = ns.SNE(perplexity=2.5, random_state=0).iterate(X, start=film[3])
    assert next(other).knobs["perplexity"] == 2.5  # the largest of other scales says nothing of one
    back = model.iterate(X, start=next(other))
    assert next(back).knobs["perplexity"] == film[0].knobs["perplexity"]


@pytest.mark.parametrize("perplexity", [(12, 3), "multiscale"])
def test_a_saved_recording_keeps_the_scales(tmp_path, perplexity):
    with ns.Run(ns.SNE(perplexity=list(perplexity) if perplexity == (12, 3) else perplexity, random_state=0), X) as run:
        run.steps(3)
        run.recording.save(tmp_path / "run.npz")
        last = run.state
    loaded = ns.Recording.load(tmp_path / "run.npz")
    assert loaded.chapters[0].parameters["perplexity"] == perplexity
    state = loaded.state_at(3)
    assert state.memory["scales"] == last.memory["scales"]
    model = ns.SNE(**loaded.chapters[0].parameters)
    there, here = model.iterate(X, start=state), model.iterate(X, start=last)
    next(there), next(here)
    assert np.array_equal(next(there).Y, next(here).Y)
    assert refusals(ns.TSNE(), state)["perturbation"] == "of one perplexity only"


def test_a_successor_keeps_the_scales():
    assert family.successor(ns.SNE(perplexity=[3, 12]), "TSNE").perplexity == [3, 12]


@pytest.mark.slow
def test_networks_and_quality_take_several():
    model = ns.networks.ParametricMap(model=ns.SNE(perplexity=[3, 12]), hidden=(5,), max_iter=2, random_state=0)
    fitted = model.fit(X)
    np.testing.assert_allclose(fitted.affinities_.toarray(), mean(reference.squared(X), [3, 12]), atol=5e-6)
    P = affinities.joint(mean(reference.squared(X), [3, 12]))
    Y = X[:, :2]
    wanted = ns.quality.kl_divergence(Y, P, kernel="student")
    assert ns.quality.kl_divergence(Y, X=X, perplexity=[3, 12], kernel="student") == pytest.approx(wanted, rel=1e-4)


@in_one_test(
    ("perplexity", "error", "words"),
    [
        ([], ValueError, r"perplexity must hold at least one number, got \[\]; give"),
        ([3, 3.0], ValueError, "perplexity must hold different numbers, got 3 twice; each scale counts once: leave"),
        ([3, 59], ValueError, "perplexity must be below N - 1 = 59, got 59; lower it"),
        ([3, 0.5], ValueError, r"perplexity\[1\] must satisfy 1 < perplexity\[1\].*got 0.5"),
        ([3, np.nan], ValueError, r"perplexity\[1\] must satisfy"),
        ([3, "4"], TypeError, r"perplexity\[1\] must be a number, got '4'"),
        ([3, [4]], TypeError, r"perplexity\[1\] must be a number, got \[4\]"),
        ([3, True], TypeError, r"perplexity\[1\] must be a number, got True"),
        ([3, None], TypeError, r"perplexity\[1\] must be a number, got None"),
        (np.ones((2, 2)), ValueError, r"perplexity must be a flat list of numbers, got one of shape \(2, 2\)"),
        ("all", TypeError, "perplexity must be a number, a list of numbers, 'auto' or 'multiscale', got 'all'"),
        ([3, ns.Steps(9, 4, at=2)], TypeError, "only one perplexity can be a schedule.*can be turned"),
        ({3, 12}, TypeError, r"number, or several as a list, got .*; write list\(\.\.\.\) around it"),
        (range(3, 9), TypeError, r"as a list, got range\(3, 9\); write list"),
    ],
)
def test_what_is_refused(perplexity, error, words):
    for call in (
        lambda: ns.TSNE(perplexity=perplexity).fit(X),
        lambda: ns.AspectMaps(perplexity=perplexity).fit(X),
        lambda: ns.TSNE(perplexity=perplexity, input="distances").fit(D),
        lambda: affinities.conditional(X, perplexity),
        lambda: affinities.conditional(X, perplexity, neighbors=20),
        lambda: affinities.from_distances(D, perplexity),
    ):
        with pytest.raises(error, match=words):
            call()


def test_too_few_objects_or_neighbors_for_multiscale():
    with pytest.raises(ValueError, match=r"begins at 2, and must have 4 objects or more, got 3 objects; give"):
        ns.SNE(perplexity="multiscale").fit(X[:3])
    with pytest.raises(ValueError, match="6 neighbors of each or more, got 60 objects and 5 neighbors"):
        affinities.conditional(X, "multiscale", neighbors=5)
    assert affinities.conditional(X[:4], "multiscale").shape == (4, 4)
    with pytest.raises(ValueError, match="neighbors must be above the perplexity, 12"):
        affinities.conditional(X, [3, 12], neighbors=12)


def test_a_given_p_has_no_scales():
    P = affinities.conditional(X, 12)
    model = ns.SNE(perplexity=[3, 12], input="probabilities", max_iter=1, random_state=0).fit(P)
    assert "perplexity" not in model.state_.knobs and "scales" not in model.state_.memory


def test_the_largest_is_warned_of_but_not_that_of_multiscale(recwarn):
    ns.SNE(perplexity="multiscale", max_iter=1, random_state=0).fit(X)
    affinities.conditional(X, "multiscale")
    assert not recwarn.list
    with pytest.warns(UserWarning, match="perplexity 30 is above a third of the 60 objects"):
        ns.SNE(perplexity=[3, 30], max_iter=1, random_state=0).fit(X)


def test_ties_are_those_of_the_least_scale():
    doubled = np.repeat(X[:15], 4, axis=0)  # each has three others in its place
    with pytest.warns(UserWarning, match="60 objects have more nearest neighbors at one distance than perplexity 2 "):
        affinities.conditional(doubled, [12, 2])
    with pytest.warns(UserWarning, match="60 objects have more nearest neighbors at one distance than perplexity 2 "):
        assert ns.SNE(perplexity="multiscale", max_iter=1, random_state=0).fit(doubled).n_tied_ == 60


def test_names_of_other_packages_lead_to_the_list():
    with pytest.raises(TypeError, match="did you mean perplexity"):
        ns.TSNE(perplexities=[10, 100])
