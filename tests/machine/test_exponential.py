import numpy as np
import pytest
from numba import njit

from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.simd import count_in, eight, load, put

each_type = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@njit
def _exps(d, out):
    for i in range(d.shape[0]):
        out[i] = exp_minus(d[i])


@njit
def _exps_of_vectors(d, out):
    for k in range(0, len(d), count_in(d)):
        put(out, k, exp_minus(load(d, k)))


@njit
def _logs(x, out):
    for i in range(x.shape[0]):
        out[i] = log_of(x[i])


@njit
def _logs_of_vectors(x, out):
    for k in range(0, len(x), count_in(x)):
        put(out, k, log_of(load(x, k)))


@njit
def _logs_of_eight(x, out):
    for k in range(0, len(x), 8):
        put(out, k, log_of(eight(x, k)))


# One number after the other, as many as the processor takes at once, or eight.
each_exp = pytest.mark.parametrize("kernel", [_exps, _exps_of_vectors])
each_log = pytest.mark.parametrize("kernel", [_logs, _logs_of_vectors, _logs_of_eight])


def found(kernel, x):
    out = np.empty_like(x)
    kernel(x, out)
    return out.astype(np.float64)


@each_exp
def test_single_precision_exp_is_within_four_ten_millionths(kernel):
    d = np.linspace(0, 60, 200_000).astype(np.float32)
    relative = np.abs(found(kernel, d) / np.exp(-d.astype(np.float64)) - 1)
    # 7.5e-8 of the polynomial, the rest from rounding d / log 2, which grows with d.
    assert relative[d < 1].max() < 4e-7
    assert relative.max() < 6e-6


@each_exp
def test_double_precision_exp_is_the_librarys_to_twelve_digits(kernel):
    d = np.linspace(0, 600, 100_000)
    assert np.abs(found(kernel, d) / np.exp(-d) - 1).max() < 1e-12


@each_exp
@pytest.mark.parametrize(("dtype", "bits"), [(np.float32, -100), (np.float64, -1000)])
def test_far_pairs_stay_normal_numbers(kernel, dtype, bits):
    out = found(kernel, np.repeat([1e4, 1e30], 64 // dtype().itemsize).astype(dtype))
    assert np.all(out >= np.finfo(dtype).tiny)
    np.testing.assert_allclose(np.log2(out), bits, atol=1e-4)


def test_exp_of_zero_is_one():
    np.testing.assert_allclose(found(_exps, np.zeros(1, np.float32)), 1, rtol=1e-7)
    np.testing.assert_allclose(found(_exps, np.zeros(1)), 1, rtol=1e-15)


@each_log
@each_type
def test_log_is_right_to_its_own_rounding(kernel, dtype):
    most, (relative, absolute) = (1e37, (2e-7, 2e-7)) if dtype is np.float32 else (1e300, (1e-13, 2e-16))
    x = np.concatenate([np.geomspace(1 / most, most, 10_000), np.linspace(0.5, 2.5, 10_000)]).astype(dtype)
    np.testing.assert_allclose(found(kernel, x), np.log(x.astype(np.float64)), rtol=relative, atol=absolute)


@each_type
def test_the_plain_twins_say_the_same_as_the_compiled_functions(dtype):
    for d in (0.0, 0.3, 7.0, 80.0, 1e5):
        twin = exp_minus(dtype(d))
        here = found(_exps, np.array([d], dtype))[0]
        np.testing.assert_allclose(here, twin, rtol=2e-6 if dtype is np.float32 else 1e-12)
