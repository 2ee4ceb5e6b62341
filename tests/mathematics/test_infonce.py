"""InfoNCE averaged over its draws: against draws, its limits, a mesh, and hard cases.

That its cost is the integral and its gradient that of the cost, at many m, is in `tests/models/test_costs.py`.
"""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import infonce, tsne
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.sums.layouts import mesh_is_near, neighbors_on_a_map


def setting(n_objects=12, spread=1.0, n_components=2):
    P = random_p(n_objects, joint=True)
    Y = spread * np.random.default_rng(1).normal(size=(n_objects, n_components))
    return P, tsne.attractive_pairs(sparse.csr_array(P)), Y


@pytest.mark.parametrize("n_negatives", [2, 20])
def test_the_cost_is_the_mean_over_draws(n_negatives):
    P, pairs, Y = setting(spread=2.0)
    rng, w = np.random.default_rng(0), 1 / (1 + reference.squared(Y))
    others = ~np.eye(12, dtype=bool)
    drawn = rng.choice(w[others], size=(40_000, n_negatives)).sum(axis=1)
    losses = np.array([P[others] @ np.log1p(s / w[others]) for s in drawn])
    # Four standard errors of the mean: a mean field is 40 of them above with 2 pairs, and 11 with 20.
    error = 4 * losses.std() / np.sqrt(len(losses))
    assert abs(infonce.cost_and_gradient(pairs, Y, n_negatives).cost - losses.mean()) < error


def test_many_pairs_give_the_gradient_of_tsne():
    _, pairs, Y = setting()
    there = tsne.cost_and_gradient(pairs, Y).gradient
    for n_negatives, error in ((1e3, 2e-2), (1e6, 2e-5)):
        here = infonce.cost_and_gradient(pairs, Y, n_negatives).gradient
        assert np.linalg.norm(here - there) < error * np.linalg.norm(there)


def test_a_line_can_have_a_mesh():
    Y, P = neighbors_on_a_map(400)
    pairs, line = tsne.attractive_pairs(P), np.ascontiguousarray(Y[:, :1])
    mesh_is_near(partial(infonce.cost_and_gradient, pairs, line, 5.0), 1e-3)


def test_coincident_objects_have_a_finite_cost_and_no_gradient():
    _, pairs, Y = setting()
    here = infonce.cost_and_gradient(pairs, np.zeros_like(Y), 5.0)
    assert here.cost == pytest.approx(np.log(6.0), rel=1e-8)  # one of six that are alike
    np.testing.assert_allclose(here.gradient, 0, atol=1e-12)


def test_an_isolated_object_costs_what_the_formula_says():
    P, pairs, Y = setting()
    Y[3] += 4000.0
    here = infonce.cost_and_gradient(pairs, Y, 5.0)
    assert here.cost == pytest.approx(reference.infonce(P, Y, 5.0), rel=1e-7)
    assert np.isfinite(here.gradient).all()


@pytest.mark.compiled
def test_a_mesh_of_a_map_that_is_still_a_point_knows_that_all_pairs_are_alike():
    Y, P = neighbors_on_a_map(400)
    pairs = tsne.attractive_pairs(P)
    for m in (5.0, 500.0):
        here, exact = (infonce.cost_and_gradient(pairs, 1e-4 * Y, m, always=always) for always in (True, False))
        assert here.cost == pytest.approx(exact.cost, rel=1e-7) and exact.cost == pytest.approx(np.log1p(m), rel=1e-4)
