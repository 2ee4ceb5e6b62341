"""exp(-d) and log(x), fast enough to stand in the inner loop over all pairs.

The LLVM that comes with Numba has no vector form of either, so a loop that calls them runs one number at a time.
Both become vector instructions once they are written without branches or calls:

.. math::

    exp(-d) = 2^k 2^f,   k + f = -d / log 2          (a polynomial gives the second; k is added to the exponent bits)
    log x = k log 2 + log m,   x = 2^k m             (k is read from the exponent bits)
    log m = 2 artanh((m - 1) / (m + 1))              (a short series)

Sums over all pairs use exp in single precision: its relative error is below 4e-7 for d < 1 and grows with d, as
rounding d / log 2 does, to 6e-6 at d = 60, where exp(-d) is 1e-26. The error of a logarithm in single precision is
below 2e-7, of it or of 1. Costs and checks use both in double precision (1e-12). Both also take many numbers at a time
(`simd`); these are the two modules with compiler tricks. Where compilation is switched off, the plain twins,
`exp_minus` and `log_of` themselves, run.
"""

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_SERIAL
from notebook_sne.engine.machine.simd import Vector, larger, machine_type

__all__ = ["exp_minus", "log_of"]

# The smallest exp returned is 2^-100, about 8e-31, in single precision. Below the least normal number (2^-126) each
# product costs a processor some hundred cycles more, which made a whole gradient 21 times slower; 26 bits
# are left for the factors that a kernel multiplies by. In double precision it is 2^-1000.
_FLOOR = np.float32(-100.0)
_FLOOR_DOUBLE = -1000.0

_LOG_2 = math.log(2.0)
_BITS = -1.0 / _LOG_2
_BITS_SINGLE = np.float32(_BITS)
_LOG_2_SINGLE, _ONE = np.float32(_LOG_2), np.float32(1.0)

# 2^f on [-1, 0]: least largest relative error (7.5e-8) among polynomials of degree 5, by reweighted least squares.
_C0, _C1, _C2, _C3, _C4, _C5 = (
    np.float32(c) for c in (0.999999925, 0.693142253, 0.240172189, 0.0552797226, 0.00918861171, 0.000938788329)
)
# 2^f on [-1/2, 1/2]: the Taylor series, whose first neglected term is below 1e-14.
_TAYLOR = tuple(math.log(2.0) ** k / math.factorial(k) for k in range(11, -1, -1))
# artanh(s) = s + s^3/3 + s^5/5 + ... for |s| <= 3 - 2 sqrt(2); the first neglected term is below 1e-15.
_ARTANH = tuple(2.0 / k for k in range(19, 0, -2))
_ARTANH_SINGLE = tuple(np.float32(c) for c in _ARTANH[-5:])  # the first neglected term is below 1e-9


def exp_minus(d):
    """Return exp(-d) for d >= 0, a float32 or float64; never less than 2^-100, or 2^-1000 in double precision."""
    if np.result_type(d) == np.float32:
        return np.exp2(larger(d * _BITS_SINGLE, _FLOOR))
    return np.exp2(larger(d * _BITS, _FLOOR_DOUBLE))


def log_of(x):
    """Return log(x) for a positive, normal float32 or float64."""
    return np.log(x)


# What is below takes a number, or several as `Vector`.


def _like(kind, element):
    """Return the type of as many elements as there are in kind."""
    return Vector(element, kind.count) if isinstance(kind, Vector) else element


def _constant(kind, value):
    """Return an LLVM constant of this type, the same in all lanes."""
    return ir.Constant(machine_type(kind), [value] * kind.count if isinstance(kind, Vector) else value)


def _whole(kind):
    """Return the integer type that has the bits of a real type, and at which bit its exponent begins."""
    single = getattr(kind, "dtype", kind) == types.float32
    return (_like(kind, types.int32), 23) if single else (_like(kind, types.int64), 52)


@intrinsic
def _toward_zero(context, t):
    """Float -> int32, one vector instruction."""
    whole = _like(t, types.int32)
    return whole(t), lambda context, builder, signature, arguments: builder.fptosi(arguments[0], machine_type(whole))


@intrinsic
def _real(context, k, like):
    """Int32 -> the type of `like`."""
    return like(k, like), lambda context, builder, signature, arguments: builder.sitofp(
        arguments[0], machine_type(like)
    )


def _exponent_changed(how):
    """Return an intrinsic of (m, k) that does this to the exponent bits of m: "add" k, or "sub"."""

    def changed(context, m, k):
        whole, digits = _whole(m)

        def generate(context, builder, signature, arguments):
            bits = builder.bitcast(arguments[0], machine_type(whole))
            k = arguments[1] if digits == 23 else builder.sext(arguments[1], machine_type(whole))
            shifted = builder.shl(k, _constant(whole, digits))
            return builder.bitcast(getattr(builder, how)(bits, shifted), machine_type(m))

        return m(m, _like(m, types.int32)), generate

    return intrinsic(changed)


_times_power_of_two = _exponent_changed("add")  # m * 2**k
_mantissa = _exponent_changed("sub")  # m / 2**k


@intrinsic
def _exponent(context, x):
    """The int32 k for which x = 2**k m with m in [sqrt(1/2), sqrt(2))."""
    whole, digits = _whole(x)
    half = np.float32(math.sqrt(0.5)).view(np.int32) if digits == 23 else np.float64(math.sqrt(0.5)).view(np.int64)

    def generate(context, builder, signature, arguments):
        bits = builder.bitcast(arguments[0], machine_type(whole))
        k = builder.ashr(builder.sub(bits, _constant(whole, int(half))), _constant(whole, digits))
        return k if digits == 23 else builder.trunc(k, machine_type(_like(x, types.int32)))

    return _like(x, types.int32)(x), generate


@njit(**FAST_SERIAL)
def _exp_single(d):
    t = larger(d * _BITS_SINGLE, _FLOOR)
    k = _toward_zero(t)
    f = t - _real(k, t)
    return _times_power_of_two(_C0 + f * (_C1 + f * (_C2 + f * (_C3 + f * (_C4 + f * _C5)))), k)


@njit(**FAST_SERIAL)
def _exp_double(d):
    t = larger(d * _BITS, _FLOOR_DOUBLE)
    k = _toward_zero(t - 0.5)
    f = t - _real(k, t)
    p = f * _TAYLOR[0] + _TAYLOR[1]
    for c in _TAYLOR[2:]:
        p = p * f + c
    return _times_power_of_two(p, k)


@njit(**FAST_SERIAL)
def _log_double(x):
    k = _exponent(x)
    m = _mantissa(x, k)
    s = (m - 1.0) / (m + 1.0)
    p = (s * s) * _ARTANH[0] + _ARTANH[1]
    for c in _ARTANH[2:]:
        p = p * (s * s) + c
    return _real(k, x) * _LOG_2 + s * p


@njit(**FAST_SERIAL)
def _log_single(x):
    k = _exponent(x)
    m = _mantissa(x, k)
    s = (m - _ONE) / (m + _ONE)
    p = (s * s) * _ARTANH_SINGLE[0] + _ARTANH_SINGLE[1]
    for c in _ARTANH_SINGLE[2:]:
        p = p * (s * s) + c
    return _real(k, x) * _LOG_2_SINGLE + s * p


@overload(exp_minus)
def _compiled_exp(d):
    if getattr(d, "dtype", d) == types.float32:
        return lambda d: _exp_single(d)
    return lambda d: _exp_double(d)


@overload(log_of)
def _compiled_log(x):
    if getattr(x, "dtype", x) == types.float32:
        return lambda x: _log_single(x)
    return lambda x: _log_double(x)
