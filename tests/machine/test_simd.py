import numpy as np
import pytest
from numba import njit

from notebook_sne.engine.machine.exponential import exp_minus, log_of
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
def _exps(d, out):
    for k in range(0, len(d), count_in(d)):
        put(out, k, exp_minus(load(d, k)))


@njit
def _logs(x, out):
    for k in range(0, len(x), count_in(x)):
        put(out, k, log_of(load(x, k)))


@njit
def _eight_differences(a, b, k, out):
    numbers = eight(a, k)
    put(out, 0, numbers - in_type_of(eight(b, k), numbers))


@njit
def _eight_logs(x, out):
    for k in range(0, len(x), 8):
        put(out, k, log_of(eight(x, k)))


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
def test_logs_of_eight_numbers(dtype):
    x = np.concatenate([np.geomspace(1e-30, 1e30, 80), np.linspace(0.5, 2.5, 80)]).astype(dtype)
    out = np.empty_like(x)
    _eight_logs(x, out)
    precise = 1e-13 if dtype is np.float64 else 2e-7
    np.testing.assert_allclose(out, np.log(x.astype(np.float64)), rtol=precise, atol=precise)


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


def test_exp_and_log_are_those_of_numbers():
    d = np.linspace(0, 600, 80_000)
    out = np.empty_like(d)
    _exps(d, out)
    np.testing.assert_allclose(out, np.exp(-d), rtol=1e-12)
    d = np.linspace(0, 60, 80_000).astype(np.float32)
    out = np.empty_like(d)
    _exps(d, out)
    # As in test_exponential: what rounding d / log 2 costs.
    np.testing.assert_allclose(out, np.exp(-d.astype(float)), rtol=6e-6)
    np.testing.assert_allclose(out[d < 1], np.exp(-d[d < 1].astype(float)), rtol=4e-7)
    x = np.concatenate([np.geomspace(1e-300, 1e300, 8000), np.linspace(0.5, 2.5, 8000)])
    out = np.empty_like(x)
    _logs(x, out)
    np.testing.assert_allclose(out, np.log(x), rtol=1e-13, atol=2e-16)


@pytest.mark.parametrize(("dtype", "bits"), [(np.float32, -100), (np.float64, -1000)])
def test_far_pairs_stay_normal_numbers(dtype, bits):
    out = np.empty(64 // dtype().itemsize, dtype)
    _exps(np.full_like(out, 1e30), out)
    np.testing.assert_allclose(np.log2(out.astype(float)), bits, atol=1e-4)


@each_type
def test_an_aligned_array_begins_with_a_line(dtype):
    for size in (1, 17, 64):
        a = aligned(size, dtype)
        assert a.shape == (size,) and a.dtype == dtype and a.ctypes.data % 64 == 0
