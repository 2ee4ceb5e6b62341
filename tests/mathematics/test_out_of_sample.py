"""New objects among fixed ones, against the formula in plain NumPy and a descent from everywhere."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize

from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.mathematics import out_of_sample
from notebook_sne.engine.mathematics.neighbors import nearest_fitted, squares_between
from tests import reference
from tests.tables import in_one_test

KINDS = {"gaussian": {}, "background": {"background": 0.2}, "student": {"student": True}}
each_kind = pytest.mark.parametrize("kind", KINDS)


def setting(n_new=5, n_fitted=25, n_components=2, spread=2.0, seed=0):
    rng = np.random.default_rng(seed)
    P = rng.random((n_new, n_fitted)) * (rng.random((n_new, n_fitted)) < 0.4)
    P[:, 0] += 0.1  # no empty row
    P /= P.sum(1, keepdims=True)
    Y, at = (spread * rng.normal(size=(n, n_components)) for n in (n_fitted, n_new))
    return P, Y, at


def evaluate(P, Y, at, **options):
    return out_of_sample.cost_and_gradient(sparse.csr_array(P), Y, at, **options)


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("spread", [1e-3, 2.0, 30.0])
def test_double_precision_is_the_formula(kind, n_components, spread):
    P, Y, at = setting(n_components=n_components, spread=spread)
    costs, gradients, _ = evaluate(P, Y, at, dtype=np.float64, **KINDS[kind])
    for i, (p, y) in enumerate(zip(P, at, strict=True)):
        cost, gradient = reference.out_of_sample(p, Y, y, **KINDS[kind])
        assert costs[i] == pytest.approx(cost, rel=1e-10, abs=1e-12)
        np.testing.assert_allclose(gradients[i], gradient, rtol=1e-8, atol=1e-10 * spread)


@pytest.mark.plain
@each_kind
@in_one_test("n_components", [1, 2, 3])
def test_gradient_and_curvature_are_those_of_central_differences(kind, n_components):
    P, Y, at = setting(n_components=n_components)
    _, gradients, curvatures = evaluate(P, Y, at, dtype=np.float64, **KINDS[kind])
    for i, y in enumerate(at):
        numeric = reference.central_difference(
            lambda y, i=i: reference.out_of_sample(P[i], Y, y, **KINDS[kind])[0], y.copy()
        )
        assert np.linalg.norm(gradients[i] - numeric) < 1e-6 * np.linalg.norm(numeric)
        for a in range(n_components):
            slope = reference.central_difference(
                lambda y, i=i, a=a: reference.out_of_sample(P[i], Y, y, **KINDS[kind])[1][a], y.copy()
            )
            assert np.linalg.norm(curvatures[i, a] - slope) < 1e-6 * np.linalg.norm(curvatures[i])


@pytest.mark.plain
@each_kind
@in_one_test("n_components", [1, 2, 3])
def test_single_precision_errs_by_a_hundred_thousandth(kind, n_components):
    P, Y, at = setting(n_components=n_components, n_fitted=60)
    for one, two in zip(
        evaluate(P, Y, at, **KINDS[kind]), evaluate(P, Y, at, dtype=np.float64, **KINDS[kind]), strict=True
    ):
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-5 * np.abs(two).max())


def plausible(n_new, n_fitted=60, seed=0):
    """Rows of P as they are: each new object lies somewhere, and chooses what is near."""
    rng = np.random.default_rng(seed)
    Y = np.concatenate([rng.normal(size=(n_fitted // 3, 2)) + 8 * np.eye(3)[k, :2] for k in range(3)])
    true = Y[rng.integers(len(Y), size=n_new)] + 0.3 * rng.normal(size=(n_new, 2))
    P = np.exp(-squares_between(true, Y)) * rng.random((n_new, len(Y)))
    return P / P.sum(1, keepdims=True), Y


def least_cost(p, Y, kind):
    def there(y):
        return reference.out_of_sample(p, Y, y, **KINDS[kind])

    return min(minimize(there, start, jac=True, method="BFGS").fun for start in Y[::5])


@each_kind
def test_a_place_is_where_the_cost_is_least(kind):
    P, Y = plausible(8)
    found, costs = out_of_sample.places(sparse.csr_array(P), Y, **KINDS[kind])
    for p, y, cost in zip(P, found, costs, strict=True):
        there, gradient = reference.out_of_sample(p, Y, y, **KINDS[kind])
        assert cost == pytest.approx(there, rel=1e-5, abs=1e-6)
        assert np.linalg.norm(gradient) < 2e-3  # a step from which less than 1e-7 nats are expected is not taken
        assert cost < least_cost(p, Y, kind) + 1e-5


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["background", "student"])
def test_an_object_of_two_clusters_lies_in_the_least_minimum(kind, seed):
    P, Y = plausible(60, seed=seed)
    P = 0.6 * P[:30] + 0.4 * P[30:]
    costs = out_of_sample.places(sparse.csr_array(P), Y, **KINDS[kind])[1]
    best = [least_cost(p, Y, kind) for p in P]
    # With one descent, from the best of five neighbors, one of the 30 of a seed lay elsewhere, 0.09 nats above.
    assert np.max(costs - best) < 1e-3


def test_without_a_background_the_means_of_the_map_under_p_and_q_are_the_same():
    P, Y = plausible(8)
    found, _ = out_of_sample.places(sparse.csr_array(P), Y)
    Q = np.exp(-squares_between(found, Y))
    Q /= Q.sum(1, keepdims=True)
    np.testing.assert_allclose(Q @ Y, P @ Y, atol=1e-3)


def test_two_clusters_that_are_chosen_alike_have_the_object_between_them():
    # In SNE, which pays dearly for a neighbor that is far; along a kink, as log z changes sides.
    rng = np.random.default_rng(0)
    half = rng.normal(size=(20, 2))
    Y = np.concatenate([half + np.array([20, 0]), half * [-1, 1] - [20, 0]])
    P = np.full((1, 40), 1 / 40)
    found, _ = out_of_sample.places(sparse.csr_array(P), Y)
    assert abs(found[0, 0]) < 0.05


@pytest.mark.plain
def test_what_the_descent_begins_with_is_not_the_end():
    P, Y = plausible(8)
    means = P @ Y
    for options in KINDS.values():
        costs = out_of_sample.places(sparse.csr_array(P), Y, **options)[1]
        assert (costs < evaluate(P, Y, means, **options)[0] - 1e-4).all()


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("spread", [0.3, 3.0, 30.0])
def test_no_place_costs_more_than_those_where_the_descent_may_begin(kind, spread):
    P, Y, _ = setting(n_new=40, spread=spread)
    costs = out_of_sample.places(sparse.csr_array(P), Y, dtype=np.float64, **KINDS[kind])[1]
    beginnings = [P @ Y] + ([] if kind == "gaussian" else [Y[np.argsort(-P, axis=1)[:, k]] for k in range(5)])
    for at in beginnings:
        assert (costs <= evaluate(P, Y, at, dtype=np.float64, **KINDS[kind])[0]).all()


@each_kind
def test_an_object_is_placed_as_if_alone_to_the_bit(kind):
    P, Y = plausible(9)
    P[P < 1e-3] = 0
    P = sparse.csr_array(P)
    together, costs = out_of_sample.places(P, Y, **KINDS[kind])
    with threads(1):
        for i in range(9):
            alone, cost = out_of_sample.places(P[[i]], Y, **KINDS[kind])
            assert np.array_equal(alone[0], together[i])
            assert cost[0] == costs[i]


@each_kind
def test_moving_and_mirroring_the_map_moves_and_mirrors_the_places(kind):
    P, Y = plausible(6)
    P = sparse.csr_array(P)
    found, _ = out_of_sample.places(P, Y, **KINDS[kind])
    moved, _ = out_of_sample.places(P, Y * [1, -1] + [3, 100], **KINDS[kind])
    np.testing.assert_allclose(moved, found * [1, -1] + [3, 100], atol=2e-3)


@each_kind
def test_a_choice_of_one_object_alone_ends_and_is_finite(kind):
    # At the rim of the map the Gaussian cost falls for ever, toward 0; how little is left to gain ends the descent.
    _, Y = plausible(1)
    P = sparse.csr_array(np.eye(60)[np.argmax(Y[:, 0])][None])
    found, costs = out_of_sample.places(P, Y, **KINDS[kind])
    assert np.isfinite(found).all()
    # Squares of some hundred in single precision are off by 1e-5, and so is what is left of the cost.
    assert -1e-4 < costs[0] < (1e-3 if kind == "gaussian" else 2.5)
    assert np.linalg.norm(found[0] - Y[np.argmax(Y[:, 0])]) < 30


@each_kind
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid")  # which NumPy tells of without compilation
@in_one_test("far", [1e2, 1e6, 1e15, 1e25])
def test_a_map_that_has_gone_astray_gives_finite_places(kind, far):
    P, Y = plausible(4)
    P[:, 7] = 0.1
    Y[7] = far
    found, costs = out_of_sample.places(sparse.csr_array(P), Y, **KINDS[kind])
    assert np.isfinite(found).all()
    assert not np.isnan(costs).any()


@pytest.mark.slow
@pytest.mark.compiled
def test_many_dimensions_cross_the_blocks_of_the_sums():
    P, Y, at = setting(n_new=2, n_fitted=1100, n_components=3)
    costs, gradients, _ = evaluate(P, Y, at, student=True)
    for i in range(2):
        cost, gradient = reference.out_of_sample(P[i], Y, at[i], student=True)
        assert costs[i] == pytest.approx(cost, rel=1e-5)
        np.testing.assert_allclose(gradients[i], gradient, atol=1e-5)


def test_zeros_that_are_stored_change_nothing():
    P, Y, _ = setting()
    stored = sparse.csr_array((P.ravel(), np.tile(np.arange(25), 5), np.arange(0, 126, 25)), shape=P.shape)
    assert stored.nnz == P.size
    for options in KINDS.values():
        one, two = (
            out_of_sample.places(stored, Y, **options)[0],
            out_of_sample.places(sparse.csr_array(P), Y, **options)[0],
        )
        np.testing.assert_allclose(one, two, atol=1e-3)


# ---- the nearest fitted objects ----


def test_distances_between_are_those_of_differences():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(4, 3)), rng.normal(size=(7, 3))
    np.testing.assert_allclose(squares_between(X, Z), np.square(X[:, None] - Z[None]).sum(-1), rtol=1e-14)


def test_the_nearest_are_found_whatever_is_proposed():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(6, 3)), rng.normal(size=(40, 3))
    D = squares_between(X, Z)
    order = np.argsort(D, axis=1, kind="stable")
    wanted = np.sort(order[:, :5], axis=1)
    for candidates in (order[:, :9], order[:, 8::-1], np.broadcast_to(np.arange(40), (6, 40))):
        neighbors, squares = nearest_fitted(X, Z, candidates, 5)
        assert np.array_equal(neighbors, wanted)
        np.testing.assert_allclose(squares, np.take_along_axis(D, wanted, axis=1), rtol=1e-14)


def test_of_equal_distances_the_first_are_taken_even_if_others_are_proposed():
    Z = np.repeat(np.eye(3), 10, axis=0)
    neighbors, squares = nearest_fitted(np.zeros((1, 3)), Z, np.arange(20, 29)[None], 4)
    assert neighbors.tolist() == [[0, 1, 2, 3]]
    assert squares.tolist() == [[1.0] * 4]
