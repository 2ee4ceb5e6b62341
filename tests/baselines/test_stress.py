"""Stress and its gradient against the formulas, and maps whose right answer is known."""

import numpy as np
import pytest
from scipy.spatial import procrustes

import notebook_sne as ns
from notebook_sne.baselines.stress import (
    StressedPairs,
    collapsed_stress,
    curvature,
    shares,
    stress_and_gradient,
    stress_forces,
)
from tests import reference

KINDS = ("equal", "sammon", "weighted")
each_kind = pytest.mark.parametrize("kind", KINDS)
each_method = pytest.mark.parametrize("method", [ns.baselines.MetricMDS, ns.baselines.Sammon])


def setting(kind, n_objects=10, n_components=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_objects, 4))
    D = np.sqrt(np.square(X[:, None] - X).sum(axis=2))
    w = rng.random((n_objects, n_objects))
    w = (w + w.T) * (1 - np.eye(n_objects))
    pairs = StressedPairs(
        D, w if kind == "weighted" else np.empty((0, 0)), kind == "sammon", D.sum() / 2 if kind == "sammon" else 1.0
    )
    return pairs, rng.normal(size=(n_objects, n_components))


def plain(pairs, Y):
    """Stress as the formula has it, pair by pair."""
    cost = 0.0
    for i in range(len(Y)):
        for j in range(i):
            w = 1 / pairs.D[i, j] if pairs.sammon else pairs.weights[i, j] if pairs.weights.size else 1.0
            cost += w * (pairs.D[i, j] - np.linalg.norm(Y[i] - Y[j])) ** 2
    return cost / pairs.scale


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_stress_is_the_formula_and_its_gradient_that_of_central_differences(kind, n_components):
    pairs, Y = setting(kind, n_components=n_components)
    here = stress_and_gradient(pairs, Y)
    assert here.cost == here.objective == pytest.approx(plain(pairs, Y), rel=1e-12)
    numeric = reference.central_difference(lambda Y: stress_and_gradient(pairs, Y).cost, Y)
    assert np.linalg.norm(here.gradient - numeric) < 1e-6 * np.linalg.norm(numeric)
    np.testing.assert_allclose(shares(pairs, Y).sum(), here.cost, rtol=1e-12)


@each_kind
def test_pull_and_push_add_up_to_the_gradient(kind):
    pairs, Y = setting(kind)
    Y[4] = Y[2]
    gradient = stress_and_gradient(pairs, Y).gradient
    for i in (0, 2, 7):
        f = stress_forces(pairs, Y, i)
        force = ((f.pull - f.push)[:, None] * (Y - Y[i])).sum(axis=0)
        np.testing.assert_allclose(force, -gradient[i], atol=1e-12 * np.abs(gradient).max())
        assert (f.pull >= 0).all() and (f.push >= 0).all() and f.pull[i] == f.push[i] == f.p[i] == f.q[i] == 0


@each_kind
def test_moving_and_turning_a_map_changes_no_stress(kind):
    pairs, Y = setting(kind)
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(2, 2)))
    assert stress_and_gradient(pairs, Y @ turn + 3).cost == pytest.approx(stress_and_gradient(pairs, Y).cost, rel=1e-11)


@each_kind
def test_coincident_map_points_have_a_finite_stress_and_no_force_on_each_other(kind):
    pairs, Y = setting(kind)
    here = stress_and_gradient(pairs, np.zeros_like(Y))
    assert here.cost == pytest.approx(collapsed_stress(pairs))
    assert np.all(here.gradient == 0)
    Y[3] = Y[5]
    assert np.isfinite(stress_and_gradient(pairs, Y).gradient).all()


def test_an_infinite_place_shows_in_the_stress():
    pairs, Y = setting("equal")
    Y[2, 0] = np.inf
    assert not np.isfinite(stress_and_gradient(pairs, Y).cost)


@each_kind
def test_a_step_of_the_longest_safe_length_never_raises_the_stress(kind):
    pairs, Y = setting(kind, n_objects=15)
    rate, costs = 1 / curvature(pairs), []
    for _ in range(60):
        here = stress_and_gradient(pairs, Y)
        costs.append(here.cost)
        Y = Y - rate * here.gradient
    assert np.all(np.diff(costs) <= 1e-12 * costs[0])
    assert costs[-1] < costs[0]


def test_plain_descent_on_raw_stress_is_smacof():
    pairs, Y = setting("equal")
    Y -= Y.mean(axis=0)
    d = np.sqrt(reference.squared(Y))  # infinite on the diagonal
    B = -pairs.D / d
    np.fill_diagonal(B, -B.sum(axis=1))
    guttman = B @ Y / len(Y)
    step = Y - stress_and_gradient(pairs, Y).gradient / curvature(pairs)
    np.testing.assert_allclose(step - step.mean(axis=0), guttman, atol=1e-12)


@pytest.mark.sampled(4)
@each_method
@pytest.mark.parametrize("init", ["auto", "random", "classical"])
@pytest.mark.parametrize("input", ["vectors", "distances"])
def test_points_of_a_plane_are_recovered(method, init, input):
    flat = np.random.default_rng(2).normal(size=(40, 2)) * [30, 10]
    X = flat @ np.random.default_rng(3).normal(size=(2, 5)) if input == "vectors" else flat
    D = np.sqrt(np.square(X[:, None] - X).sum(axis=2))
    # From a start at random some runs end in a local minimum: the best of a few does not.
    fits = [
        method(init=init, input=input, random_state=seed, max_iter=200).fit(X if input == "vectors" else D)
        for seed in range(4 if init == "random" else 1)
    ]
    fitted = min(fits, key=lambda fit: fit.cost_)
    # X is linear in the plane's points, but not a turn of them: those of the same distances are its components.
    points = X - X.mean(axis=0)
    points = (lambda U, s: U[:, :2] * s[:2])(*np.linalg.svd(points, full_matrices=False)[:2])
    assert procrustes(points, fitted.embedding_)[2] < 1e-12  # the square of 1e-6
    size = np.linalg.norm(fitted.embedding_ - fitted.embedding_.mean(axis=0))
    assert np.isclose(size, np.linalg.norm(points), rtol=1e-6)  # and in the unit of the data


def test_weights_of_zero_leave_out_what_is_not_known():
    X = np.random.default_rng(2).normal(size=(30, 2))
    D = np.sqrt(np.square(X[:, None] - X).sum(axis=2))
    known = np.random.default_rng(4).random(D.shape) < 0.6
    known = np.triu(known, 1) | np.triu(known, 1).T
    model = ns.baselines.MetricMDS(weights=known.astype(float), input="distances", init=X + 0.1, random_state=0)
    wrong = np.where(known, D, 50.0)
    np.fill_diagonal(wrong, 0.0)
    assert procrustes(X, model.fit(wrong).embedding_)[2] < 1e-12


def test_metric_mds_takes_identical_objects_and_puts_them_together():
    X = np.random.default_rng(2).normal(size=(20, 2))
    X[7] = X[3]
    Y = ns.baselines.MetricMDS(random_state=0).fit_transform(X)
    assert np.linalg.norm(Y[7] - Y[3]) < 1e-6


def test_sammon_refuses_identical_objects_by_name():
    X = np.random.default_rng(2).normal(size=(20, 2))
    X[7] = X[11] = X[3]
    with pytest.raises(ValueError, match=r"objects 3 and 7 is 0: objects 3, 7.*11.*np.unique.*MetricMDS"):
        ns.baselines.Sammon().iterate(X)


@pytest.mark.slow
def test_the_lowest_stress_is_not_above_that_of_scikit_learn():
    from sklearn.manifold import smacof

    X = ns.datasets.load_digits().X[:150]
    ours = ns.baselines.MetricMDS(random_state=0).fit(X)
    start = ns.baselines.MetricMDS(max_iter=1, random_state=0).fit(X).embedding_
    _, theirs = smacof(ours.dissimilarities_, init=start, n_init=1, max_iter=1000, eps=1e-9, normalized_stress=False)
    assert ours.cost_ < 1.01 * theirs
