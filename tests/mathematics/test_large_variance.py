"""The large-variance limit of SNE: its equations, what it is the limit of, and how it differs from stress."""

import numpy as np
import pytest

from notebook_sne.engine.mathematics import large_variance
from tests import reference


def setting(n_objects=12, n_features=5, n_components=2, seed=0):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n_objects, n_features)), rng.standard_normal((n_objects, n_components))
    return reference.squared(X), Y


def plain_mismatch(D, Y):
    """[Hinton2002, Eq. 10-12], one object after the other."""
    N, d = len(Y), reference.squared(Y)
    total = 0.0
    for i in range(N):
        others = np.arange(N) != i
        G, g = (-np.log(np.exp(-row[i, others]).sum() / (N - 1)) for row in (D, d))
        total += np.square((D[i, others] - G) - (d[i, others] - g)).sum()
    return total


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_the_cost_is_the_mismatch_of_the_paper(scale):
    D, Y = setting()
    found = large_variance.cost_and_gradient(scale * D, Y)
    np.testing.assert_allclose(found.cost, plain_mismatch(scale * D, Y) / (2 * (len(Y) - 1)), rtol=1e-12)


@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_its_gradient_is_that_of_central_differences(n_components):
    D, Y = setting(n_components=n_components)
    D = D + np.random.default_rng(1).random(D.shape)  # need not be symmetric
    gradient = large_variance.cost_and_gradient(D, Y).gradient
    numeric = reference.central_difference(lambda Y: large_variance.cost_and_gradient(D, Y).cost, Y)
    assert np.linalg.norm(gradient - numeric) < 1e-6 * np.linalg.norm(numeric)


def test_the_cost_and_the_gradient_of_sne_tend_to_it_as_the_gaussians_grow():
    D, Y = setting()
    off, errors = ~np.eye(len(Y), dtype=bool), []
    for scale in (1e-1, 1e-2, 1e-3):
        P = np.where(off, np.exp(-np.where(off, scale * D, 0.0)), 0.0)
        cost, gradient = reference.sne(P / P.sum(axis=1, keepdims=True), np.sqrt(scale) * Y)
        limit = large_variance.cost_and_gradient(scale * D, np.sqrt(scale) * Y)
        slope = np.linalg.norm(gradient - limit.gradient) / np.linalg.norm(gradient)
        errors.append((abs(cost / limit.cost - 1), slope))
    errors = np.array(errors)
    assert (errors[-1] < 0.02).all()
    assert (errors[1:] < 0.2 * errors[:-1]).all()  # ten times wider Gaussians, a tenth of the error


def test_objects_of_a_plane_are_their_own_best_map():
    _, Y = setting()
    found = large_variance.cost_and_gradient(reference.squared(Y), Y)
    assert found.cost < 1e-25 and np.abs(found.gradient).max() < 1e-12


def test_unlike_stress_it_lets_an_object_be_equally_farther_from_all_others():
    D, Y = setting()
    farther = D + np.arange(len(D))[:, None]
    np.testing.assert_allclose(
        large_variance.cost_and_gradient(farther, Y).cost, large_variance.cost_and_gradient(D, Y).cost, rtol=1e-12
    )
    off, d = ~np.eye(len(D), dtype=bool), reference.squared(Y)
    stress, other = (np.square(np.sqrt(A[off]) - np.sqrt(d[off])).sum() for A in (D, farther))
    assert other > 2 * stress


def test_distances_that_are_small_or_far_make_no_zero_or_infinite_choice():
    D, Y = setting()
    assert np.isfinite(large_variance.cost_and_gradient(1e4 * D, 30 * Y).cost)
