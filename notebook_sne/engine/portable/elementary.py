"""exp, log and powers without a library, so that every browser computes the same bits.

In Python, compiled code calls the functions of the system; a page would call those of the browser, which differ in
their last bits. The build replaces them by these functions. Their relative error is below 1e-14; that of a power x^y
grows with the size of y log x.
"""

import math

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of

__all__ = ["exp", "log", "power"]

_FLAGS = {"error_model": "numpy", "cache": True, "forceinline": False}
_LEAST_NORMAL, _54_BITS = 2.0**-1022, 54.0 * math.log(2.0)
_LOWEST, _HIGHEST = -693.0, 709.0  # beyond, exp is 0 (below 2^-1000) or infinite


@njit(**_FLAGS)
def exp(x):
    """Return exp(x) of a float64."""
    if x != x:
        return x
    if x > _HIGHEST:
        return math.inf
    if x < _LOWEST:
        return 0.0
    if x <= 0.0:
        return exp_minus(-x)
    half = 1.0 / exp_minus(0.5 * x)
    return half * half


@njit(**_FLAGS)
def log(x):
    """Return log(x) of a float64."""
    if x != x or x == math.inf:
        return x
    if x <= 0.0:
        return -math.inf if x == 0.0 else math.nan
    if x < _LEAST_NORMAL:
        return log_of(x * 2.0**54) - _54_BITS
    return log_of(x)


@njit(**_FLAGS)
def power(x, y):
    """Return x**y of float64, x not negative."""
    if y == 0.0 or x == 1.0:
        return 1.0
    return exp(y * log(x))
