"""Aspect maps whose objects share one place: proportions alone, which sort the objects as spectral clustering does."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from sklearn.cluster import SpectralClustering
from sklearn.metrics import adjusted_rand_score

import notebook_sne as ns
from notebook_sne.engine.fitting.problem import Problem
from tests import reference


def planted(seed=0, sizes=(15, 20, 25), inside=0.6, outside=0.1):
    """Return a random graph whose groups are tied more within than among each other, and the groups."""
    rng, groups = np.random.default_rng(seed), np.repeat(np.arange(len(sizes)), sizes)
    ties = np.triu(rng.random((len(groups),) * 2) < np.where(groups[:, None] == groups, inside, outside), 1)
    return (ties + ties.T).astype(float), groups


TIES, GROUPS = planted()
P = TIES / TIES.sum(axis=1, keepdims=True)


def together(**options):
    shared = {"n_maps": 3, "locations": "equal", "input": "probabilities", "n_jobs": 1, "progress": False}
    return ns.AspectMaps(**{**shared, "random_state": 0, **options})


@pytest.mark.sampled(4)
@pytest.mark.parametrize("normalization", ["conditional", "joint"])
@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs"])
def test_they_sort_planted_groups_as_spectral_clustering_does(normalization, optimizer):
    model = together(normalization=normalization, optimizer=optimizer, n_restarts=3).fit(P)
    spectral = SpectralClustering(3, affinity="precomputed", random_state=0).fit(TIES).labels_
    assert adjusted_rand_score(GROUPS, spectral) > 0.8
    assert adjusted_rand_score(GROUPS, model.mixing_.argmax(axis=0)) > 0.8
    assert not model.maps_.any()  # exactly in one place, after all updates
    assert set(model.state_.knobs) <= {"learning_rate", "momentum"}


@pytest.mark.parametrize("normalization", ["conditional", "joint"])
def test_the_cost_is_that_of_products_of_proportions(normalization):
    joint = normalization == "joint"
    state = list(islice(together(normalization=normalization).iterate(P), 30))[-1]
    S = state.mixing.T @ state.mixing
    np.fill_diagonal(S, 0.0)
    Q = S / (S.sum() if joint else S.sum(axis=1, keepdims=True))
    target = (P + P.T) / (2 * len(P)) if joint else P
    there = target > 0
    assert state.cost == pytest.approx((target[there] * np.log(target[there] / Q[there])).sum(), rel=1e-6)
    assert state.objective == state.cost


@pytest.mark.parametrize("normalization", ["conditional", "joint"])
def test_the_gradient_is_that_of_central_differences_and_moves_no_point(normalization):
    problem = Problem(together(normalization=normalization), P)
    evaluate = problem.evaluation({})
    M, N, d = problem.layout.shape
    W = 0.5 * np.random.default_rng(1).standard_normal((M, N))
    gradient = evaluate(problem.layout.join(np.zeros((M, N, d)), W)).gradient
    assert not gradient[: M * N * d].any()

    def cost(weights):  # in double precision, from the formula
        mixing = np.exp(weights - weights.max(axis=0))
        mixing /= mixing.sum(axis=0)
        S = mixing.T @ mixing
        np.fill_diagonal(S, 0.0)
        joint = normalization == "joint"
        target = (P + P.T) / (2 * N) if joint else P
        log_z = np.log(S.sum()) if joint else np.log(S.sum(axis=1, keepdims=True))
        there = target > 0
        return -(target * (np.log(np.where(there, S, 1.0)) - log_z))[there].sum()

    numeric = reference.central_difference(cost, W)
    assert np.linalg.norm(gradient[M * N * d :].reshape(M, N) - numeric) < 1e-5 * np.linalg.norm(numeric)


def test_a_resumed_run_is_the_run_that_never_stopped():
    whole = list(islice(together().iterate(P), 40))
    again = list(islice(together().iterate(P, start=whole[15]), 25))
    assert again[-1].cost == whole[-1].cost
    np.testing.assert_array_equal(again[-1].mixing, whole[-1].mixing)


@pytest.mark.slow
def test_new_objects_join_the_groups_that_their_ties_are_in():
    model = together(n_restarts=3).fit(P)
    placed = model.place(P[::5]).mixing.argmax(axis=0)
    assert (placed == model.mixing_[:, ::5].argmax(axis=0)).mean() > 0.7


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ({"jitter": 0.1}, "jitter must be left out with locations='equal'.*got 0.1"),
        ({"jitter": ns.Steps(0.1, 0, at=5)}, "jitter must be left out"),
        ({"mixing": "equal"}, "mixing must be left out with locations='equal'.*got 'equal'"),
        ({"mixing": np.full((3, 60), 1 / 3)}, "mixing must be left out"),
        ({"extra_dimensions": 2}, "extra_dimensions must be left out"),
        ({"init": np.zeros((3, 60, 2))}, "init must be left out"),
        ({"locations": "one"}, "locations must be one of"),
    ],
)
def test_what_would_move_objects_or_leaves_nothing_to_find_is_refused(options, given):
    with pytest.raises(ValueError, match=given):
        together(**options).fit(P)


def test_a_start_whose_objects_stand_apart_is_refused():
    state = next(together(locations="free").iterate(P))
    with pytest.raises(ValueError, match="locations must be 'free' for a start whose objects stand at different"):
        together().iterate(P, start=state)
    run = together().iterate(P)
    with pytest.raises(ValueError, match="locations must be 'free'"):
        run.resume(replace(next(run), Y=np.ones((3, 60, 2)) * np.arange(60)[:, None]))
