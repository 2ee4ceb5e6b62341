import numpy as np
import pytest

from notebook_sne.engine.mathematics.distances import squared_distances, unit_spread
from notebook_sne.engine.mathematics.perplexity import one_sigma, probabilities_at_perplexity, squares_in_units
from tests import reference
from tests.tables import in_one_test


def entropy_bits(P):
    return -np.sum(P * np.log2(np.where(P > 0, P, 1)), axis=-1)


def objects(n_objects=60, n_features=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, n_features))


@in_one_test("origin", [0.0, 1e7])
def test_squared_distances_are_those_of_the_formula_and_keep_their_digits(origin):
    X = objects() + origin
    D = squared_distances(X)
    assert np.all(np.isinf(np.diag(D)))
    np.fill_diagonal(D, 0)
    np.testing.assert_allclose(D, np.square(X[:, None] - X[None]).sum(-1), rtol=1e-13)


@in_one_test("perplexity", [1.001, 2.0, 15.0, 50.0, 58.9])
@in_one_test("scale", [1e-20, 1.0, 1e20])
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


def test_the_bits_do_not_depend_on_where_memory_is_free():
    rng = np.random.default_rng(0)
    for n in (9, 12, 14):
        D, found = rng.random((4, n)), set()
        for _ in range(200):
            _held = [np.empty(size) for size in rng.integers(1, 40, 60)][::2]
            found.add(probabilities_at_perplexity(D.copy(), 3.0)[0].tobytes())
        assert len(found) == 1, f"{n} distances"


def test_the_order_of_the_neighbors_does_not_matter():
    D = squared_distances(objects())[:, ::-1]
    P, Q = (probabilities_at_perplexity(one, 8.0)[0] for one in (D, D[:, ::-1]))
    np.testing.assert_allclose(P[:, ::-1], Q, atol=1e-9)


def test_more_nearest_neighbors_than_the_perplexity_share_the_mass_evenly():
    D = np.full((5, 6), 2.0)
    D[0] = [1, 1, 1, 2, 3, 4]
    D[1] = [1, 2, 3, 4, 5, 6]
    D[2] = [0, np.inf, 0, 0, 1e-30, 5]
    D[4] = [1, 1, 2, 3, 4, 5]  # as many as the perplexity: a narrow Gaussian reaches it
    P, precisions = probabilities_at_perplexity(D, 2.0)
    assert np.isinf(precisions).tolist() == [True, False, True, True, False]
    np.testing.assert_array_equal(P[0], [1 / 3, 1 / 3, 1 / 3, 0, 0, 0])
    np.testing.assert_array_equal(P[2], [1 / 3, 0, 1 / 3, 1 / 3, 0, 0])
    np.testing.assert_array_equal(P[3], np.full(6, 1 / 6))
    np.testing.assert_allclose(P[4], [0.5, 0.5, 0, 0, 0, 0], atol=1e-8)


def test_it_is_the_limit_of_narrow_gaussians():
    D = squared_distances(np.round(objects(200, 2)))
    P, precisions = probabilities_at_perplexity(D, 5.0)
    tied = np.isinf(precisions)
    assert 20 < tied.sum() < 200
    narrow = np.exp(-1e4 * (D - D.min(axis=1, keepdims=True)))
    np.testing.assert_allclose(P[tied], (narrow / narrow.sum(axis=1, keepdims=True))[tied], rtol=1e-12)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("perplexity", [2.0, 5.0, 30.0, 100.0])
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_every_row_is_that_of_the_reference_with_and_without_ties(decimals, perplexity):
    D = squared_distances(np.round(objects(150, 2), decimals))
    P, _ = probabilities_at_perplexity(D, perplexity)
    np.testing.assert_allclose(P, reference.conditional(D, perplexity), atol=1e-6)


def test_what_rounding_leaves_of_equal_distances_is_equal():
    # One place among nine tells any two kinds apart, but the places lie at different distances from the mean.
    X = np.repeat(np.eye(9), 1 + np.arange(9), axis=0)
    D = squared_distances(unit_spread(X))[0]
    assert len(np.unique(D[1:])) > 1
    P, precisions = probabilities_at_perplexity(D[None], 30.0)
    assert np.isinf(precisions).all()
    np.testing.assert_array_equal(P[0], np.r_[0, np.full(44, 1 / 44)])


def test_no_span_of_distances_is_too_wide():
    near = squared_distances(objects(40))[:, :40] / 10
    expected, _ = probabilities_at_perplexity(near, 8.0)
    for far in (1e150, 1e250, 1e300):
        D = np.concatenate([near, np.full((40, 1), far)], axis=1)
        P, precisions = probabilities_at_perplexity(D, 8.0)
        assert np.isfinite(precisions).all()
        np.testing.assert_allclose(P, np.pad(expected, ((0, 0), (0, 1))), atol=1e-7)


def test_squares_of_distances_do_not_become_those_of_identical_objects():
    near = np.sqrt(squared_distances(objects(40)))
    expected, _ = probabilities_at_perplexity(near**2, 8.0)
    D = np.concatenate([near, np.full((40, 1), 1.0)], axis=1)
    D[:, :-1] *= 1e-250
    squares = squares_in_units(D, 1.0, 8.0)
    P, precisions = probabilities_at_perplexity(squares, 8.0)
    assert np.isfinite(precisions).all()
    np.testing.assert_allclose(P[:, :-1], expected, atol=1e-7)
    assert not P[:, -1].any()


def test_too_few_neighbors_have_no_answer():
    D = np.array([[1.0, 2.0, np.inf, np.inf], [np.inf] * 4])
    assert np.isnan(probabilities_at_perplexity(D, 3.0)[1]).all()


def test_one_sigma_shares_the_mass_among_the_nearest_pairs():
    X = np.concatenate([np.zeros((20, 4)), objects(10)])
    P, precision = one_sigma(squared_distances(X), 5.0)  # 380 pairs, and 150 are asked for
    assert np.isinf(precision)
    expected = np.zeros((30, 30))
    expected[:20, :20] = (1 - np.eye(20)) / 380
    np.testing.assert_array_equal(P, expected)


def test_one_sigma_reaches_the_entropy_of_the_whole():
    D = squared_distances(objects())
    P, precision = one_sigma(D, 12.0)
    assert entropy_bits(P.ravel()) == pytest.approx(np.log2(60 * 12), abs=1e-5)
    np.testing.assert_allclose(P, P.T, atol=1e-15)
    Q = np.exp(-precision * D)
    np.testing.assert_allclose(P, Q / Q.sum(), atol=1e-12)


@in_one_test("seed", range(60))
def test_distances_of_any_spread_reach_the_perplexity(seed):
    random = np.random.default_rng(seed)
    D = 10.0 ** random.uniform(-150, 150, (12, 12))  # as many steps of the entropy, each flat, as neighbors
    perplexity = random.uniform(1.05, 10.95)
    P, precisions = probabilities_at_perplexity(D, perplexity)
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(entropy_bits(P), np.log2(perplexity), atol=1e-5)
    assert np.isfinite(precisions).all()
