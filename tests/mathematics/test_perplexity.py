import numpy as np
import pytest

from notebook_sne.mathematics.distances import squared_distances
from notebook_sne.mathematics.perplexity import one_sigma, probabilities_at_perplexity


def entropy_bits(P):
    return -np.sum(P * np.log2(np.where(P > 0, P, 1)), axis=-1)


def objects(n_objects=60, n_features=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, n_features))


def test_squared_distances_are_those_of_the_formula():
    X = objects()
    D = squared_distances(X)
    assert np.all(np.isinf(np.diag(D)))
    np.fill_diagonal(D, 0)
    np.testing.assert_allclose(D, np.square(X[:, None] - X[None]).sum(-1), rtol=1e-13)


def test_distances_far_from_the_origin_keep_their_digits():
    X = objects(5) + 1e7
    exact = np.square(X[:, None] - X[None]).sum(-1)
    D = squared_distances(X)
    np.fill_diagonal(D, 0)
    np.testing.assert_allclose(D, exact, rtol=1e-13)


@pytest.mark.parametrize("perplexity", [1.001, 2.0, 15.0, 50.0, 58.9])
@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_every_row_reaches_the_perplexity(perplexity, scale):
    P, precisions = probabilities_at_perplexity(squared_distances(objects()) * scale, perplexity)
    assert np.isfinite(precisions).all()
    assert np.abs(entropy_bits(P) - np.log2(perplexity)).max() < 1e-5
    np.testing.assert_allclose(P.sum(1), 1, rtol=1e-12)
    assert not P.diagonal().any()


@pytest.mark.parametrize("perplexity", [11.25, 11.3])
def test_the_search_does_not_jump_to_and_fro(perplexity):
    # A few near objects, then many at all distances: here Newton's steps alone end in a cycle of two.
    D = np.concatenate([np.linspace(0, 6, 8), 4 + 100 * np.linspace(0, 1, 100) ** 2])[None]
    P, _ = probabilities_at_perplexity(D, perplexity)
    np.testing.assert_allclose(entropy_bits(P), np.log2(perplexity), atol=1e-5)


def test_the_precision_is_that_of_the_probabilities():
    D = squared_distances(objects())
    P, b = probabilities_at_perplexity(D, 10.0)
    Q = np.exp(-b[:, None] * D)
    np.testing.assert_allclose(P, Q / Q.sum(1, keepdims=True), atol=1e-12)


def test_a_far_object_still_reaches_the_perplexity():
    X = objects()
    X[0] = 1e6
    P, _ = probabilities_at_perplexity(squared_distances(X), 5.0)
    assert np.abs(entropy_bits(P) - np.log2(5)).max() < 1e-5


def test_the_order_of_the_neighbours_does_not_matter():
    D = squared_distances(objects())[:, ::-1]
    P, _ = probabilities_at_perplexity(D, 8.0)
    Q, _ = probabilities_at_perplexity(D[:, ::-1], 8.0)
    np.testing.assert_allclose(P[:, ::-1], Q, atol=1e-9)


def test_ties_that_exceed_the_perplexity_are_reported():
    D = np.full((4, 6), 2.0)
    D[0] = [1, 1, 1, 2, 3, 4]
    D[1] = [1, 2, 3, 4, 5, 6]
    _, precisions = probabilities_at_perplexity(D, 2.0)
    assert np.isnan(precisions).tolist() == [True, False, True, True]


def test_one_sigma_reaches_the_entropy_of_the_whole():
    D = squared_distances(objects())
    P, precision = one_sigma(D, 12.0)
    assert entropy_bits(P.ravel()) == pytest.approx(np.log2(60 * 12), abs=1e-5)
    np.testing.assert_allclose(P, P.T, atol=1e-15)
    Q = np.exp(-precision * D)
    np.testing.assert_allclose(P, Q / Q.sum(), atol=1e-12)
