"""The loss of UMAP without sampling: against umap-learn's steps, its kernel, its limits and hard cases.

That its cost is the formula's and its gradient that of the cost, at many settings, is in `tests/models/test_costs.py`.
"""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import umap
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.sums.layouts import mesh_is_near, neighbors_on_a_map

A, B, M = 1.6, 0.9, 5.0


def setting(n_objects=12, spread=1.0, n_components=2):
    P = random_p(n_objects, joint=True)
    Y = spread * np.random.default_rng(1).normal(size=(n_objects, n_components))
    return P, umap.attractive_pairs(sparse.csr_array(P)), Y


def test_the_gradient_is_the_mean_step_of_umap_learn():
    # Its sampling, step by step: an edge is drawn as often as it weighs and moves both ends; then m objects at random
    # push its first end. All degrees are equal here, as otherwise these steps are the gradient of no loss.
    rng, N = np.random.default_rng(0), 8
    mu = np.zeros((N, N))
    for i in range(N):
        for step, weight in ((1, 1.0), (2, 0.4)):
            mu[i, (i + step) % N] = mu[(i + step) % N, i] = weight
    Y = rng.normal(size=(N, 2))
    heads, tails = np.nonzero(mu)
    total, drawn = np.zeros((N, 2)), 60_000
    chosen = rng.choice(len(heads), size=drawn, p=mu[heads, tails] / mu.sum())
    i, j = heads[chosen], tails[chosen]
    apart = Y[i] - Y[j]
    d = np.square(apart).sum(axis=1, keepdims=True)
    pull = -2 * A * B * d ** (B - 1) / (1 + A * d**B) * apart
    np.add.at(total, i, pull)
    np.add.at(total, j, -pull)
    for _ in range(int(M)):
        k = rng.integers(N, size=drawn)
        apart = Y[i] - Y[k]
        d = np.square(apart).sum(axis=1, keepdims=True)
        np.add.at(total, i, np.where(k[:, None] != i[:, None], 2 * B / ((1e-3 + d) * (1 + A * d**B)) * apart, 0.0))
    P = mu / mu.sum()
    here = umap.cost_and_gradient(umap.attractive_pairs(sparse.csr_array(P)), Y, A, B, M).gradient
    # 60,000 draws leave about one percent; twice the repulsion, as summing all terms would give, is 40 % off.
    assert np.linalg.norm(here + total / drawn) < 0.03 * np.linalg.norm(here)


@pytest.mark.parametrize(
    ("min_dist", "spread"), [(0.0, 1.0), (0.1, 1.0), (0.5, 1.0), (1.0, 1.0), (0.1, 0.3), (2.0, 5.0)]
)
def test_the_kernel_is_fitted_to_min_dist_and_spread(min_dist, spread):
    a, b = umap.kernel_of(min_dist, spread)
    assert (a, b) == pytest.approx(reference.umap_kernel(min_dist, spread), rel=1e-7)


def test_the_reference_has_the_gradient_of_its_cost():
    P, _, Y = setting(8)
    _, gradient = reference.umap_with_gradient(P, Y, A, B, M)
    numeric = reference.central_difference(lambda Y: reference.umap(P, Y, A, B, M), Y)
    np.testing.assert_allclose(gradient, numeric, atol=1e-7 * np.abs(numeric).max())


def test_the_usual_kernel_is_that_of_umap_learn():
    assert umap.kernel_of(0.1, 1.0) == pytest.approx((1.5769, 0.8951), abs=1e-4)  # its find_ab_params


def test_a_min_dist_above_the_spread_is_refused():
    with pytest.raises(ValueError, match=r"min_dist must be at most spread, got min_dist=2 and spread=1; lower"):
        umap.kernel_of(2.0, 1.0)


def test_the_least_cost_of_an_even_map_is_that_of_its_best_distance():
    N = 4  # corners of a tetrahedron, all at one distance
    P, Y = (1 - np.eye(N)) / (N * (N - 1)), np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]])
    pairs = umap.attractive_pairs(sparse.csr_array(P))
    costs = [umap.cost_and_gradient(pairs, s * Y, A, B, M * N / (N - 1)).cost for s in np.geomspace(0.1, 2.0, 400)]
    assert min(costs) == pytest.approx(umap.least_even_cost(A, B, M), rel=1e-3)


@pytest.mark.compiled
@pytest.mark.parametrize("spread", [1e-6, 1e-3])
def test_a_mesh_holds_a_map_that_is_still_a_point(spread):
    Y, P = neighbors_on_a_map(800)
    Y *= spread / np.abs(Y).max()
    pairs = umap.attractive_pairs(P)
    mesh_is_near(partial(umap.cost_and_gradient, pairs, Y, A, B, M), 2e-2)


def test_coincident_objects_have_a_finite_cost_and_no_gradient():
    _, pairs, Y = setting()
    here = umap.cost_and_gradient(pairs, np.zeros_like(Y), A, B, M)
    assert here.cost == pytest.approx(M / 2 * 11 / 12 * np.log1p(1 / (A * 1e-3**B)), rel=1e-9)
    np.testing.assert_allclose(here.gradient, 0, atol=1e-12)


@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_a_new_object_is_placed_where_its_loss_is_least(n_components):
    P, _, Y = setting(30, spread=3.0, n_components=n_components)
    degrees, row = P.sum(axis=1), np.where(np.arange(30) < 3, [1.0, 0.5, 0.2] + [0.0] * 27, 0.0)
    (place,) = umap.places(sparse.csr_array(row[None]), Y, degrees, A, B, M)

    def loss(y):
        d, p = np.square(Y - y).sum(axis=1), row / row.sum()
        push = M / 2 * (1 / 30 + degrees) / (2 * 30) * 30 * np.log1p(1 / (A * (d + 1e-3) ** B))
        return p @ np.log1p(A * d**B) + push.sum()

    around = place + 0.05 * np.random.default_rng(0).normal(size=(200, n_components))
    assert min(map(loss, around)) > loss(place) - 1e-6
    assert loss(place) < min(loss(y) for y in Y + 0.1)
