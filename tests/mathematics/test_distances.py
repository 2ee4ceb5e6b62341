"""The nearest objects are the nearest, or it is said that one may have been missed."""

import numpy as np
import pytest

from notebook_sne.engine.mathematics.distances import nearest_among, nearest_of_all, squared_distances, unit_spread


def objects(n_objects=60, n_features=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, n_features))


def first_of(D, n):
    """The n smallest of each row, the first of equals, in rising order of their indices."""
    order = np.argsort(D, axis=1, kind="stable")[:, :n]
    indices = np.sort(order, axis=1)
    return indices, np.take_along_axis(D, indices, axis=1)


def test_the_nearest_of_all_are_those_of_the_formula():
    X = np.round(objects())  # with many equal distances
    rows = np.array([3, 59, 0])
    indices, expected = first_of(squared_distances(X)[rows], 9)
    neighbors, D = nearest_of_all(X, rows, 9)
    np.testing.assert_array_equal(neighbors, indices)
    np.testing.assert_allclose(D, expected, rtol=1e-13)


def test_the_nearest_among_candidates_pass_over_the_object_itself():
    X = objects()
    rows = np.arange(60)
    candidates = np.hstack([rows[:, None], np.argsort(squared_distances(X), axis=1)[:, :19]])
    neighbors, D, sure = nearest_among(X, rows, candidates, 9)
    indices, expected = first_of(squared_distances(X), 9)
    np.testing.assert_array_equal(neighbors, indices)
    np.testing.assert_allclose(D, expected, rtol=1e-13)
    assert sure.all()


def test_it_is_not_sure_where_the_search_could_not_tell():
    # Inner products of numbers near 1 lose what is below 1e-16, and these distances are 1e-20.
    X = unit_spread(np.concatenate([1e-10 * objects(), 1 + 1e-10 * objects(seed=1)]))
    candidates = np.argsort(squared_distances(X), axis=1)[:, :20]
    assert not nearest_among(X, np.arange(120), candidates, 9)[2].any()
    # All others are all that there can be.
    everyone = np.argsort(squared_distances(X), axis=1)
    assert nearest_among(X, np.arange(120), everyone, 9)[2].all()


def test_equals_beyond_the_last_candidate_do_not_make_it_unsure():
    X = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    candidates = np.argsort(squared_distances(X), axis=1, kind="stable")[:, :11]
    _, D, sure = nearest_among(X, np.arange(64), candidates, 10)
    assert sure.all()
    np.testing.assert_allclose(np.sort(D), np.sort(squared_distances(X))[:, :10], rtol=1e-13)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_unit_spread_has_a_zero_mean_and_a_largest_deviation_of_one(scale):
    X = unit_spread((objects() + 3) * scale)
    assert np.abs(X).max() == 1
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-15)


@pytest.mark.parametrize("far", [1e9, 1e20, 1e100, 1e139, 1e300])
def test_a_very_far_object_costs_the_others_no_digits(far):
    X = objects(61) * (1e-130 * far if far > 1e200 else 1.0)
    expected = squared_distances(X / np.abs(X).max())
    X[7] = far
    D = squared_distances(unit_spread(X))
    others = np.arange(61) != 7
    D, expected = D[others][:, others], expected[others][:, others]
    off = ~np.eye(60, dtype=bool)
    np.testing.assert_allclose(D[off] / D[0, 1], expected[off] / expected[0, 1], rtol=1e-6 if far == 1e9 else 1e-9)


def test_what_is_too_far_is_named():
    X = objects(61)
    X[7, 2], X[9, 0] = 1e150, -1e308
    with pytest.raises(ValueError, match=r"objects 7, 9 must lie within 1e\+140 times the spread"):
        unit_spread(X)


def test_other_objects_are_measured_from_their_mean():
    for X in (objects(), objects() + 1e6, np.concatenate([objects(), 1e6 * objects(5)])):
        expected = X - X.mean(axis=0)
        np.testing.assert_array_equal(unit_spread(X), expected / np.abs(expected).max())
