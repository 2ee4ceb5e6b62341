import numpy as np
import pytest
from numba import njit

from notebook_sne.engine.machine.exponential import exp_minus, log_of


@njit
def _exps(d, out):
    for i in range(d.shape[0]):
        out[i] = exp_minus(d[i])


@njit
def _logs(x, out):
    for i in range(x.shape[0]):
        out[i] = log_of(x[i])


def exps(d):
    out = np.empty_like(d)
    _exps(d, out)
    return out


def test_single_precision_exp_is_within_four_ten_millionths():
    d = np.linspace(0, 60, 200_001).astype(np.float32)
    relative = np.abs(exps(d).astype(np.float64) / np.exp(-d.astype(np.float64)) - 1)
    # 7.5e-8 of the polynomial, the rest from rounding d / log 2, which grows with d.
    assert relative[d < 1].max() < 4e-7
    assert relative.max() < 6e-6


def test_double_precision_exp_is_the_librarys_to_twelve_digits():
    d = np.linspace(0, 600, 100_001)
    assert np.abs(exps(d) / np.exp(-d) - 1).max() < 1e-12


@pytest.mark.parametrize(("dtype", "bits"), [(np.float32, -100), (np.float64, -1000)])
def test_far_pairs_stay_normal_numbers(dtype, bits):
    out = exps(np.array([1e4, 1e30], dtype))
    assert np.all(out >= np.finfo(dtype).tiny)
    np.testing.assert_allclose(np.log2(out.astype(np.float64)), bits, atol=1e-4)


def test_exp_of_zero_is_one():
    np.testing.assert_allclose(exps(np.zeros(1, np.float32)), 1, rtol=1e-7)
    np.testing.assert_allclose(exps(np.zeros(1)), 1, rtol=1e-15)


def test_log_is_the_librarys():
    x = np.concatenate([np.geomspace(1e-300, 1e300, 10_001), np.linspace(0.5, 2.5, 10_001)])
    out = np.empty_like(x)
    _logs(x, out)
    np.testing.assert_allclose(out, np.log(x), rtol=1e-13, atol=2e-16)


def test_single_precision_log_is_right_to_its_own_rounding():
    x = np.concatenate([np.geomspace(1e-37, 1e37, 10_001), np.linspace(0.5, 2.5, 10_001)]).astype(np.float32)
    out = np.empty_like(x)
    _logs(x, out)
    np.testing.assert_allclose(out, np.log(x.astype(np.float64)), rtol=2e-7, atol=2e-7)


def test_the_plain_twins_say_the_same_as_the_compiled_functions():
    for d in (0.0, 0.3, 7.0, 80.0, 1e5):
        for dtype in (np.float32, np.float64):
            twin = exp_minus(dtype(d))
            np.testing.assert_allclose(exps(np.array([d], dtype))[0], twin, rtol=2e-6 if dtype is np.float32 else 1e-12)
