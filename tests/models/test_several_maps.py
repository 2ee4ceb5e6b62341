"""What the models with several maps promise beyond those with one."""

import pickle
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import notebook_sne as ns
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.tables import in_one_test

MODELS = {
    "aspect maps": lambda **options: ns.AspectMaps(n_maps=3, **options),
    "joint aspect maps": lambda **options: ns.AspectMaps(n_maps=3, normalization="joint", penalty=0.01, **options),
    "multiple maps t-SNE": lambda **options: ns.MultipleMapsTSNE(n_maps=3, **options),
    "images": lambda **options: ns.MixtureSNE(n_images=3, pull=0.02, **options),
}
each_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def p(n_objects=30, seed=0):
    return random_p(n_objects, False, seed, density=0.2)


def quick(make, **options):
    return make(**{"input": "probabilities", "random_state": 0, "max_iter": 40, "progress": False, **options})


def states(model, P, n, **options):
    return list(islice(model.iterate(P, **options), n + 1))


def same(one, two):
    arrays = np.array_equal(one.Y, two.Y) and np.array_equal(one.mixing, two.mixing)
    return arrays and (one.objective, one.iteration) == (two.objective, two.iteration)


@each_model
def test_results_have_their_shapes_and_the_cost_is_that_of_the_formula(make):
    fitted = quick(make).fit(p())
    assert fitted.maps_.shape == (3, 30, 2) and fitted.mixing_.shape == (3, 30)
    np.testing.assert_allclose(fitted.mixing_.sum(axis=0), 1)
    P, W = fitted.affinities_.toarray(), np.log(fitted.mixing_)
    if isinstance(fitted, ns.MixtureSNE):
        cost = reference.images(P, fitted.maps_, W)
    else:
        joint = not np.isclose(P.sum(), 30)
        cost = reference.aspects(P, fitted.maps_, W, joint=joint, student=fitted._kernel == "student")[0]
    assert fitted.cost_ == pytest.approx(cost, rel=1e-6)
    assert fitted.cost_ < fitted.trace_.cost[0]


@each_model
def test_cost_and_penalties_are_told_apart(make):
    fitted = quick(make).fit(p())
    np.testing.assert_allclose(fitted.trace_.penalties, fitted.trace_.objective - fitted.trace_.cost)
    assert np.all(fitted.trace_.penalties >= 0)


@pytest.mark.sampled(4)
@each_model
@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs", "conjugate"])
def test_a_run_resumed_from_any_state_is_the_run_that_never_stopped(make, optimizer):
    options = {"jitter": 0.01} if optimizer == "momentum" else {}
    model = quick(make, optimizer=optimizer, **options)
    film = states(model, p(), 12)
    for state in (film[0], film[5], pickle.loads(pickle.dumps(film[9]))):
        rest = states(model, p(), 12 - state.iteration, start=state)
        assert all(same(one, two) for one, two in zip(film[state.iteration :], rest, strict=True))


def test_a_run_with_extra_dimensions_can_be_resumed_in_and_after_them():
    model = quick(MODELS["aspect maps"], extra_dimensions=2, max_iter=24)
    film = states(model, p(), 24)
    dimensions = [state.Y.shape[2] for state in film]
    assert dimensions[0] == 4 and dimensions[-1] == 2 and sorted(dimensions, reverse=True) == dimensions
    last_deep = dimensions.index(2) - 1
    for t in (3, last_deep, last_deep + 1, 20):
        rest = states(model, p(), 24 - t, start=film[t])
        assert all(same(one, two) for one, two in zip(film[t:], rest, strict=True))
    assert {state.phase for state in film} == {"descent", "flattening"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
def test_two_maps_come_back_from_one_p(seed):
    data = ns.datasets.load_two_maps(60, 0.5, random_state=seed)
    model = ns.AspectMaps(
        n_maps=2, penalty=0.0, mixing="equal", extra_dimensions=4, optimizer="lbfgs", n_restarts=20, max_iter=600,
        input="probabilities", random_state=seed, progress=False,
    ).fit(data.P)  # fmt: skip
    distances = [[ns.quality.procrustes_disparity(true, found) for found in model.maps_] for true in data.maps]
    assert min(max(distances[0][0], distances[1][1]), max(distances[0][1], distances[1][0])) < 0.01
    assert len(model.restarts_) < 20  # nothing is left to gain once the cost is next to nothing


def test_the_best_restart_is_kept_and_all_are_reported():
    fitted = quick(MODELS["aspect maps"], n_restarts=3).fit(p())
    assert len(fitted.restarts_) == 3 and fitted.restarts_.objective.nunique() == 3
    assert fitted.objective_ == fitted.restarts_.objective.min()
    assert fitted.restarts_.kept.sum() == 1
    first = quick(MODELS["aspect maps"]).fit(p())
    assert first.objective_ == fitted.restarts_.objective[0]


@pytest.mark.parametrize("make", [MODELS["aspect maps"], MODELS["images"]])
def test_fixed_proportions_stay(make):
    equal = quick(make, mixing="equal").fit(p())
    np.testing.assert_array_equal(equal.mixing_, np.full((3, 30), 1 / 3))
    given = np.random.default_rng(0).dirichlet([1, 1, 1], size=30).T
    np.testing.assert_array_equal(quick(make, mixing=given).fit(p()).mixing_, given)


@each_model
def test_more_threads_give_the_same_bits(make):
    one, two = (states(quick(make, n_jobs=n), p(), 10)[-1] for n in (1, 2))
    assert same(one, two)


def test_sparse_dense_and_vector_input_are_taken():
    make = MODELS["aspect maps"]
    dense, stored = quick(make).fit(p()), quick(make).fit(sparse.csr_array(p()))
    assert dense.objective_ == stored.objective_
    X = np.random.default_rng(0).normal(size=(30, 4))
    assert np.isfinite(quick(make, input="vectors", perplexity=5).fit(X).cost_)


def test_disconnected_words_and_a_word_that_nobody_gives_are_mapped():
    P = np.zeros((12, 12))
    P[:6, :6], P[6:, 6:] = (1 - np.eye(6)) / 5, (1 - np.eye(6)) / 5
    P[:, 3] = 0  # an empty column
    P /= P.sum(axis=1, keepdims=True)
    fitted = quick(MODELS["aspect maps"], max_iter=200).fit(P)
    assert np.isfinite(fitted.maps_).all() and fitted.cost_ < fitted.trace_.cost[0]


def test_an_edited_state_gives_its_positions_and_proportions():
    model = quick(MODELS["aspect maps"])
    state = states(model, p(), 10)[-1]
    mixing = state.mixing.copy()
    mixing[0, 4] = 0
    mixing /= mixing.sum(axis=0)
    begun = states(model, p(), 5, start=replace(state, mixing=mixing, model="edited", memory={}))
    np.testing.assert_allclose(begun[0].mixing, mixing, atol=1e-12)
    assert begun[-1].mixing[0, 4] < 1e-20  # what was taken out does not come back by itself


def test_the_penalty_is_a_knob():
    knobs = ns.Knobs()
    run = quick(MODELS["aspect maps"]).iterate(p(), knobs=knobs)
    next(run)
    knobs.set(penalty=5.0)
    state = next(run)
    assert state.knobs["penalty"] == 5.0
    assert state.objective - state.cost == pytest.approx(2.5 * np.sum(state.Y**2), rel=1e-6)


@each_model
def test_parameters_are_kept_as_given(make):
    model = make(mixing="equal", n_restarts=2)
    assert clone(model).get_params() == model.get_params()


def test_images_start_together_and_the_simplified_form_is_the_papers():
    start = states(quick(MODELS["images"]), p(), 0)[0].Y
    assert np.ptp(start, axis=0).max() < 2 * np.ptp(start[0], axis=0).max()
    model = ns.MixtureSNE.simplified(perplexity=5)
    assert (model.mixing, model.pull, model.reach, model.perplexity) == ("equal", 0.025, 0.05, 5)
    assert [model.jitter(t) for t in (0, 899, 900)] == [0.05, 0.05, 0.0]


def test_held_images_unfold_as_sne_and_part_when_they_are_let_go():
    centers, rng = np.repeat(6 * np.eye(3), 12, axis=0), np.random.default_rng(0)
    X, options = centers + rng.normal(size=centers.shape), {"input": "vectors", "perplexity": 5, "max_iter": 200}
    film = states(quick(ns.MixtureSNE.simplified, held=True, **options), X, 150)
    # Half the rate, as each of two images has half of the gradient.
    options.update(init=film[0].Y.mean(axis=0), momentum=0.0, learning_rate=0.05)
    alone = states(quick(ns.SNE, **options), X, 120)
    separation = [np.linalg.norm(state.Y[0] - state.Y[1], axis=1).max() for state in film]
    assert max(separation[:121]) < 1e-4 and separation[150] > 0.1
    # The same sums in single precision, in another order.
    assert film[120].cost == pytest.approx(alone[120].cost, rel=1e-5) and film[120].cost < 0.5 * film[0].cost
    assert [film[t].knobs["pull"] for t in (0, 120, 121)] == [4 * 0.05, 4 * 0.05, 0.025]
    assert [film[t].knobs["jitter"] for t in (0, 120, 121)] == [0.0, 0.0, 0.05]


def test_what_is_changed_in_the_simplified_form_holds_once_the_images_are_let_go():
    model = ns.MixtureSNE.simplified(held=True, pull=0.1, reach=0.2, max_iter=200)
    assert [model.pull(t) for t in (0, 119, 120)] == [0.8, 0.8, 0.1]
    assert [model.jitter(t) for t in (0, 119, 120, 179, 180)] == [0.0, 0.0, 0.05, 0.05, 0.0]
    given = ns.Steps(1.0, 0.5, at=3)
    assert ns.MixtureSNE.simplified(held=True, pull=given).pull is given
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("still", [{"jitter": 0.0}, {"optimizer": "lbfgs"}])
def test_images_that_nothing_would_part_are_not_held(still):
    with pytest.raises(ValueError, match="reach must satisfy 0 < reach"):
        quick(ns.MixtureSNE, pull=0.1, reach=0.0).fit(p())
    with pytest.raises(ValueError, match="held must be False without jitter"):
        ns.MixtureSNE.simplified(held=True, **still)
    assert ns.MixtureSNE.simplified(**still).pull == 0.025


@in_one_test(
    ("options", "message"),
    [
        ({"n_maps": 31}, r"n_maps must be at most the number of objects, 30, got 31"),
        ({"n_maps": 0}, "n_maps must be at least 1, got 0"),
        ({"n_restarts": 0}, "n_restarts must be at least 1"),
        ({"extra_dimensions": -1}, "extra_dimensions must be at least 0"),
        ({"mixing": "half"}, "mixing must be one of 'free', 'equal'"),
        ({"mixing": np.full((3, 30), 0.5)}, "mixing must sum to 1 over the maps"),
        ({"mixing": np.ones((2, 30))}, r"mixing must have shape \(M, N\) = \(3, 30\)"),
        ({"normalization": "rows"}, "normalization must be one of"),
        ({"penalty": -1.0}, "penalty must satisfy"),
        ({"init": "pca"}, "init must be one of 'auto', 'random'"),
        ({"init": np.zeros((30, 2))}, r"init must have shape \(M, N, n_components\)"),
        ({"init": np.zeros((3, 30, 2))}, r"init\[0\] must not put all objects into one place"),
        ({"input": "joint"}, "input='joint' does not fit this model|must sum to 1"),
        ({"init": "communities", "mixing": "equal"}, "needs mixing='free'.*got mixing='equal'; use init='random'"),
        ({"init": "communities", "locations": "equal"}, "init must be left out with locations='equal'"),
    ],
)
def test_errors_name_the_argument_and_the_way_out(options, message):
    with pytest.raises(ValueError, match=message):
        quick(ns.AspectMaps, **{"n_maps": 3, **options}).fit(p())


def test_a_p_that_is_taken_for_vectors_is_refused():
    with pytest.raises(ValueError, match="X looks like a P"):
        ns.AspectMaps(n_maps=3).fit(p())
    with pytest.raises(TypeError, match="sparse matrix; if it is a P, say input='probabilities'"):
        ns.AspectMaps(n_maps=3).fit(sparse.csr_array(p()))


@pytest.mark.parametrize("n_restarts", [1, 2])
def test_a_fit_whose_restarts_all_diverge_says_so(n_restarts):
    model = quick(MODELS["aspect maps"], learning_rate=1e300, jitter=1.0, n_restarts=n_restarts)
    with pytest.raises(ns.DivergedError):
        model.fit(p())
    assert model.restarts_.diverged.all() and np.isfinite(model.maps_).all()


def test_a_word_with_an_empty_row_is_named():
    P = p()
    P[7] = 0
    with pytest.raises(ValueError, match=r"\b7\b"):
        quick(MODELS["aspect maps"]).fit(P)


def test_the_recipes_of_several_maps_are_what_is_printed():
    words, hybrids = ns.AspectMaps.paper(), ns.MixtureSNE.paper()
    assert (words.n_maps, words.penalty, words.optimizer, words.normalization) == (50, 0.48, "conjugate", "conditional")
    assert (hybrids.perplexity, hybrids.jitter, hybrids.pull, hybrids.reach) == (10, 0.05, 0.025, 0.05)
    assert (hybrids.n_images, hybrids.mixing) == (2, "equal")


def groups(n_groups=3, size=10):
    """Return a P of groups that are tied among themselves, and faintly to all others."""
    P = np.kron(np.eye(n_groups), np.ones((size, size))) + 0.01
    np.fill_diagonal(P, 0)
    return P / P.sum(axis=1, keepdims=True)


ASPECTS = {name: make for name, make in MODELS.items() if name != "images"}


@pytest.mark.parametrize("init", ["communities", "overlapping"])
@pytest.mark.parametrize("make", ASPECTS.values(), ids=ASPECTS)
def test_each_map_may_begin_with_a_community(make, init):
    P = groups()
    state = next(quick(make, init=init).iterate(P))
    assert sorted(np.bincount(state.mixing.argmax(axis=0)).tolist()) == [10, 10, 10]
    assert len({tuple(part) for part in state.mixing.argmax(axis=0).reshape(3, 10)}) == 3
    np.testing.assert_allclose(state.mixing.max(axis=0), 0.8)
    fitted = quick(make, init=init).fit(P)
    assert fitted.objective_ < state.objective


def test_by_default_an_object_between_two_groups_begins_in_two_maps():
    P = np.zeros((17, 17))
    P[:8, :8] = P[8:16, 8:16] = P[16] = P[:, 16] = 1.0
    np.fill_diagonal(P, 0.0)
    P /= P.sum(axis=1, keepdims=True)
    model = ns.AspectMaps(n_maps=2, input="probabilities", random_state=0, max_iter=60)
    start = next(model.iterate(P))
    assert same(start, next(ns.AspectMaps(**{**model.get_params(), "init": "overlapping"}).iterate(P)))
    assert start.mixing[:, 16].min() > 0.4 and start.mixing[:, :16].max(axis=0).min() > 0.8
    assert model.fit(P).mixing_[:, 16].min() > 0.1
    alone = next(ns.AspectMaps(**{**model.get_params(), "init": "communities"}).iterate(P))
    assert alone.mixing[:, 16].min() < 0.2


def test_communities_are_the_same_for_a_seed_and_on_any_thread_and_others_for_a_restart():
    P = p(120)

    def start(seed, jobs):
        model = ns.AspectMaps(n_maps=8, init="communities", input="probabilities", random_state=seed, n_jobs=jobs)
        return next(model.iterate(P))

    starts = [start(0, 1), start(0, 2), start(1, 1)]
    assert same(starts[0], starts[1]) and not np.array_equal(starts[0].mixing, starts[2].mixing)
    fitted = quick(MODELS["aspect maps"], init="communities", n_restarts=3).fit(P)
    assert fitted.restarts_.objective.nunique() == 3


def test_true_maps_cost_nothing_and_not_less():
    """In single precision the sum comes out at -1e-6 nats; the objective, which the optimizer needs, stays as it is."""
    for seed in range(3):
        true = ns.datasets.load_two_maps(n_objects=40, sd=0.7, random_state=seed)
        options = {"mixing": "equal", "penalty": 0, "input": "probabilities", "copy_moves": 0, "random_state": 0}
        state = next(ns.AspectMaps(n_maps=2, init=np.stack(true.maps), **options).iterate(true.P))
        assert -1e-5 < state.objective < 0 and str(state.cost) == "0.0"
