import numpy as np
import pytest
from numba import njit

from notebook_sne.engine.machine.simd import (
    aligned,
    count_in,
    eight,
    fetch,
    in_type_of,
    larger,
    largest,
    load,
    put,
    smaller,
    spread,
    total,
)

each_type = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@njit
def _arithmetic(a, b, out):
    for k in range(0, len(a), count_in(a)):
        v, w = load(a, k), load(b, k)
        put(out, k, (v + w) * v - w / v + spread(a[0]))


@njit
def _with_numbers(a, x, out):
    for k in range(0, len(a), count_in(a)):
        v = load(a, k)
        put(out, k, x - v * x + x / (x + v))


@njit
def _limits(a, b, x, out):
    for k in range(0, len(a), count_in(a)):
        put(out, k, smaller(larger(load(a, k), load(b, k)), x))


@njit
def _one_number(a):
    v = load(a, 0)
    return largest(v), total(v)


@njit
def _eight_differences(a, b, k, out):
    numbers = eight(a, k)
    put(out, 0, numbers - in_type_of(eight(b, k), numbers))


@njit
def _fetched(points, columns, k, x, y):
    v, w = fetch(points, columns, k)
    put(x, 0, v)
    put(y, 0, w)


@pytest.mark.slow
@each_type
def test_operators_are_those_of_numbers(dtype):
    a, b = np.random.default_rng(0).uniform(1, 2, size=(2, 48)).astype(dtype)
    tolerance = 8 * np.finfo(dtype).eps
    out, x = np.empty_like(a), dtype(1.5)
    _arithmetic(a, b, out)
    np.testing.assert_allclose(out, (a + b) * a - b / a + a[0], rtol=tolerance)
    _with_numbers(a, x, out)
    np.testing.assert_allclose(out, x - a * x + x / (x + a), rtol=tolerance, atol=tolerance)
    _limits(a, b, x, out)
    np.testing.assert_array_equal(out, np.minimum(np.maximum(a, b), x))


@each_type
def test_eight_numbers_from_any_place_and_doubles_in_their_type(dtype):
    a, b = np.random.default_rng(0).normal(size=(2, 20))
    a, out = a.astype(dtype), np.empty(8, dtype)
    for k in range(13):
        _eight_differences(a, b, k, out)
        np.testing.assert_array_equal(out, a[k : k + 8] - b[k : k + 8].astype(dtype))


@each_type
def test_one_number_of_many(dtype):
    a = np.arange(64 // dtype().itemsize, dtype=dtype)[::-1].copy()
    assert _one_number(a) == (len(a) - 1, len(a) * (len(a) - 1) / 2)


def test_points_are_fetched_by_name():
    points = np.arange(40.0).reshape(20, 2)
    columns = np.array([3, 19, 0, 7, 7, 1, 18, 2, 5, 11], dtype=np.int32)
    x, y = np.empty((2, 8))
    for k in (0, 2):
        _fetched(points, columns, k, x, y)
        np.testing.assert_array_equal(x, points[columns[k : k + 8], 0])
        np.testing.assert_array_equal(y, points[columns[k : k + 8], 1])


@each_type
def test_an_aligned_array_begins_with_a_line(dtype):
    for size in (1, 17, 64):
        a = aligned(size, dtype)
        assert a.shape == (size,) and a.dtype == dtype and a.ctypes.data % 64 == 0
