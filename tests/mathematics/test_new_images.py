"""The images of a new object among fitted ones: their cost, its gradient and its least place, by plain formulas."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import images, new_images, sne
from notebook_sne.engine.mathematics.mixing import log_proportions
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.tables import in_one_test


def setting(M, N=20, d=2, seed=0, spread=1.0, **options):
    rng = np.random.default_rng(seed)
    points, W = spread * rng.normal(size=(M, N + 1, d)), rng.normal(size=(M, N + 1))
    J, p = np.sort(rng.choice(N, 6, replace=False)), rng.dirichlet(np.ones(6))
    one = new_images.NewObject(J, p, points.copy(), log_proportions(W), free=True, **options)
    return one, J, p, points, W


@pytest.mark.plain
@in_one_test("M", [1, 2, 3])
@in_one_test("spread", [0.1, 1.0, 12.0])  # at the last, no place is near to any other
def test_the_cost_is_that_of_the_row_of_an_object_that_nobody_chooses(M, spread):
    one, J, p, points, W = setting(M, spread=spread)
    P = np.zeros((points.shape[1],) * 2)
    P[-1, J] = p
    cost, _, _ = one.cost_and_gradient(points[:, -1], W[:, -1])
    assert cost == pytest.approx(reference.images(P, points, W), rel=1e-9)


@pytest.mark.plain
@pytest.mark.parametrize("M", [1, 2, 3])
@pytest.mark.parametrize("pull", [0.0, 0.4])
def test_the_gradient_is_that_of_the_cost(M, pull):
    one, _, _, points, W = setting(M, pull=pull, reach=0.7)
    at, weights = points[:, -1], W[:, -1]
    _, places, proportions = one.cost_and_gradient(at, weights)
    by_place = reference.central_difference(lambda Y: one.cost_and_gradient(Y, weights)[0], at)
    by_weight = reference.central_difference(lambda V: one.cost_and_gradient(at, V)[0], weights)
    np.testing.assert_allclose(places, by_place, atol=1e-7)
    np.testing.assert_allclose(proportions, by_weight, atol=1e-7)


@pytest.mark.slow
def test_ends_are_mostly_as_low_as_the_best_of_many_random_starts():
    gaps = []
    for seed in range(10):
        one, *_ = setting(2, seed=seed, spread=2.0)
        rng = np.random.default_rng(seed)
        tried = min(one.descend(3.0 * rng.normal(size=(2, 2)))[0] for _ in range(20))
        gaps.append(min(one.descend(start)[0] for start in one.starts()) - tried)
    assert np.mean(np.array(gaps) < 0.05) >= 0.8


@pytest.mark.parametrize("exaggeration", [0.25, 4.0])
def test_exaggeration_counts_what_two_objects_have_in_common(exaggeration):
    rng = np.random.default_rng(1)
    P = random_p(12, joint=False)
    Y, W = rng.normal(size=(2, 12, 2)), rng.normal(size=(2, 12))
    pairs = images.attractive_pairs(P)
    here = images.cost_and_gradient(pairs, Y, W, exaggeration=exaggeration, dtype=np.float64)
    logs, common = log_proportions(W), np.zeros((12, 12))
    for b in range(2):
        for c in range(2):
            squares = np.square(Y[b][:, None] - Y[c][None]).sum(axis=2)
            common += np.exp(logs[b][:, None] + logs[c][None] - squares)
    attraction = -np.sum(P * np.log(common))
    assert here.cost == pytest.approx(reference.images(P, Y, W), rel=1e-9)
    assert here.objective - here.cost == pytest.approx((exaggeration - 1) * attraction, rel=1e-9)


def test_exaggeration_of_one_image_is_that_of_sne():
    P, Y = random_p(12, joint=False), np.random.default_rng(1).normal(size=(12, 2))
    here = images.cost_and_gradient(images.attractive_pairs(P), Y[None], np.zeros((1, 12)), exaggeration=4.0)
    there = sne.cost_and_gradient(sne.attractive_pairs(sparse.csr_array(P)), Y, exaggeration=4.0)
    assert here.objective == pytest.approx(there.objective, rel=1e-6)
    np.testing.assert_allclose(here.maps[0], there.gradient.reshape(12, 2), atol=1e-4)
