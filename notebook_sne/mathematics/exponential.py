"""exp(-d) and log(x), fast enough to stand in the inner loop over all pairs.

The LLVM that comes with Numba has no vector form of either, so a loop that calls them runs one number at a time.
Both become vector instructions once they are written without branches or calls:

.. math::

    exp(-d) = 2^k 2^f,   k + f = -d / log 2          (a polynomial gives the second; k is added to the exponent bits)
    log x = k log 2 + log m,   x = 2^k m             (k is read from the exponent bits)
    log m = 2 artanh((m - 1) / (m + 1))              (a short series)

Sums over all pairs use exp in single precision: its relative error is below 4e-7 for d < 1 and grows with d, as
rounding d / log 2 does, to 6e-6 at d = 60, where exp(-d) is 1e-26. Costs and checks use both in double precision
(1e-12). This is the one module with compiler tricks. Where compilation is switched off, the plain twins, `exp_minus`
and `log_of` themselves, run.
"""

import math

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload

from notebook_sne.mathematics.parallel import FAST_SERIAL

__all__ = ["exp_minus", "log_of"]

# The smallest exp returned is 2^-100, about 8e-31, in single precision. Below the least normal number (2^-126) each
# product costs a processor some hundred cycles more, which made a whole gradient 21 times slower; 26 bits
# are left for the factors that a kernel multiplies by. In double precision it is 2^-1000.
_FLOOR = np.float32(-100.0)
_FLOOR_DOUBLE = -1000.0

_BITS = -1.0 / math.log(2.0)
_BITS_SINGLE = np.float32(_BITS)

# 2^f on [-1, 0]: least largest relative error (7.5e-8) among polynomials of degree 5, by reweighted least squares.
_C0, _C1, _C2, _C3, _C4, _C5 = (
    np.float32(c) for c in (0.999999925, 0.693142253, 0.240172189, 0.0552797226, 0.00918861171, 0.000938788329)
)
# 2^f on [-1/2, 1/2]: the Taylor series, whose first neglected term is below 1e-14.
_TAYLOR = tuple(math.log(2.0) ** k / math.factorial(k) for k in range(11, -1, -1))
# artanh(s) = s + s^3/3 + s^5/5 + ... for |s| <= 3 - 2 sqrt(2); the first neglected term is below 1e-15.
_ARTANH = tuple(2.0 / k for k in range(19, 0, -2))


def exp_minus(d):
    """Return exp(-d) for d >= 0, a float32 or float64; never less than 2^-100, or 2^-1000 in double precision."""
    if isinstance(d, np.float32):
        return np.exp2(max(d * _BITS_SINGLE, _FLOOR))
    return np.exp2(max(d * _BITS, _FLOOR_DOUBLE))


def log_of(x):
    """Return log(x) for a positive, normal float64."""
    return np.log(x)


_INT32, _INT64, _FLOAT, _DOUBLE = ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.DoubleType()


@intrinsic
def _toward_zero(context, t):
    """Float -> int32, one vector instruction."""

    def generate(context, builder, signature, arguments):
        return builder.fptosi(arguments[0], _INT32)

    return types.int32(t), generate


@intrinsic
def _times_power_of_two(context, m, k):
    """M * 2**k, by adding k to the exponent bits of m."""
    whole, real, digits = (_INT32, _FLOAT, 23) if m == types.float32 else (_INT64, _DOUBLE, 52)

    def generate(context, builder, signature, arguments):
        bits = builder.bitcast(arguments[0], whole)
        k = builder.sext(arguments[1], whole) if whole is _INT64 else arguments[1]
        return builder.bitcast(builder.add(bits, builder.shl(k, ir.Constant(whole, digits))), real)

    return m(m, types.int32), generate


@intrinsic
def _exponent(context, x):
    """The int32 k for which x = 2**k m with m in [sqrt(1/2), sqrt(2))."""
    lowest = int(np.float64(math.sqrt(0.5)).view(np.int64))

    def generate(context, builder, signature, arguments):
        bits = builder.bitcast(arguments[0], _INT64)
        k = builder.ashr(builder.sub(bits, ir.Constant(_INT64, lowest)), ir.Constant(_INT64, 52))
        return builder.trunc(k, _INT32)

    return types.int32(types.float64), generate


@njit(**FAST_SERIAL)
def _exp_single(d):
    t = max(d * _BITS_SINGLE, _FLOOR)
    k = _toward_zero(t)
    f = t - np.float32(k)
    return _times_power_of_two(_C0 + f * (_C1 + f * (_C2 + f * (_C3 + f * (_C4 + f * _C5)))), k)


@njit(**FAST_SERIAL)
def _exp_double(d):
    t = max(d * _BITS, _FLOOR_DOUBLE)
    k = _toward_zero(t - 0.5)
    f = t - k
    p = 0.0
    for c in _TAYLOR:
        p = p * f + c
    return _times_power_of_two(p, k)


@njit(**FAST_SERIAL)
def _log_double(x):
    k = _exponent(x)
    m = _times_power_of_two(x, -k)
    s = (m - 1.0) / (m + 1.0)
    p = 0.0
    for c in _ARTANH:
        p = p * (s * s) + c
    return k * math.log(2.0) + s * p


@overload(exp_minus)
def _compiled_exp(d):
    if d == types.float32:
        return lambda d: _exp_single(d)
    return lambda d: _exp_double(d)


@overload(log_of)
def _compiled_log(x):
    return lambda x: _log_double(x)
