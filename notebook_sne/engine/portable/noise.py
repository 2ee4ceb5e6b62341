"""NumPy's stream of normal numbers: those of ``default_rng(seeds).standard_normal(n)``, one by one.

The seeds are hashed to 256 bits (`numpy.random.SeedSequence`), which start the generator PCG64 [O'Neill 2014]; the
ziggurat turns its 64-bit numbers into normal ones [Marsaglia & Tsang 2000]. So a page has the same jitter as Python.
"""

import math

import numpy as np
from numba.np.random import _constants as ziggurat

from notebook_sne.engine.machine.compiled import njit

__all__ = ["add_noise"]

_FLAGS = {"error_model": "numpy", "cache": True, "forceinline": False}

_POOL = 4
_INIT_A, _MULT_A, _INIT_B, _MULT_B = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = 0xCA01F9DD, 0x4973F715
_HALF = 0xFFFFFFFF

_U = np.uint64
_LOW, _32, _11, _8, _1, _58, _63, _64 = _U(_HALF), _U(32), _U(11), _U(8), _U(1), _U(58), _U(63), _U(64)
_BYTE, _FRACTION = _U(0xFF), _U(0x000FFFFFFFFFFFFF)
_FACTOR_HIGH, _FACTOR_LOW = _U(0x2360ED051FC65DA4), _U(0x4385DF649FCCF645)

_WIDTHS, _LIMITS, _HEIGHTS = ziggurat.wi_double, ziggurat.ki_double, ziggurat.fi_double
_TAIL = float(ziggurat.ziggurat_nor_r)


@njit(**_FLAGS)
def _hashed(value, constant):
    value = (value ^ constant) & _HALF
    constant = (constant * _MULT_A) & _HALF
    value = (value * constant) & _HALF
    return value ^ (value >> 16), constant


@njit(**_FLAGS)
def _mixed(x, y):
    z = ((_MIX_LEFT * x & _HALF) - (_MIX_RIGHT * y & _HALF)) & _HALF
    return z ^ (z >> 16)


@njit(**_FLAGS)
def _seed(seeds, state):
    """Write the first state of PCG64: its high and low half, then those of the increment."""
    pool = np.zeros(_POOL, np.int64)
    constant = np.int64(_INIT_A)
    for k in range(_POOL):
        pool[k], constant = _hashed(seeds[k] if k < seeds.shape[0] else np.int64(0), constant)
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                word, constant = _hashed(pool[source], constant)
                pool[target] = _mixed(pool[target], word)
    words = np.empty(2 * _POOL, np.int64)
    constant = np.int64(_INIT_B)
    for k in range(2 * _POOL):
        word = pool[k % _POOL] ^ constant
        constant = (constant * _MULT_B) & _HALF
        word = (word * constant) & _HALF
        words[k] = word ^ (word >> 16)
    high, low, more_high, more_low = (
        _U(words[0]) | _U(words[1]) << _32,
        _U(words[2]) | _U(words[3]) << _32,
        _U(words[4]) | _U(words[5]) << _32,
        _U(words[6]) | _U(words[7]) << _32,
    )
    state[0] = state[1] = _U(0)
    state[2], state[3] = (more_high << _1) | (more_low >> _63), (more_low << _1) | _1
    _step(state)
    _add(state, high, low)
    _step(state)


@njit(**_FLAGS)
def _add(state, high, low):
    total = state[1] + low
    state[0] += high + (_1 if total < low else _U(0))
    state[1] = total


@njit(**_FLAGS)
def _step(state):
    """Multiply a number of 128 bits by the generator's factor and add the increment."""
    high, low = state[0], state[1]
    a, b, c, d = low & _LOW, low >> _32, _FACTOR_LOW & _LOW, _FACTOR_LOW >> _32
    middle = b * c + (a * c >> _32)
    other = a * d + (middle & _LOW)
    carried = b * d + (middle >> _32) + (other >> _32)
    state[0] = carried + high * _FACTOR_LOW + low * _FACTOR_HIGH
    state[1] = low * _FACTOR_LOW
    _add(state, state[2], state[3])


@njit(**_FLAGS)
def _bits(state):
    _step(state)
    x, turn = state[0] ^ state[1], state[0] >> _58
    return (x >> turn) | (x << ((_64 - turn) & _63))


@njit(**_FLAGS)
def _share(state):
    return np.float64(_bits(state) >> _11) * 2.0**-53


@njit(**_FLAGS)
def _normal(state):
    while True:
        r = _bits(state)
        strip, r = np.int64(r & _BYTE), r >> _8
        negative, size = (r & _1) != _U(0), (r >> _1) & _FRACTION
        x = np.float64(size) * _WIDTHS[strip]
        if negative:
            x = -x
        if size < _LIMITS[strip]:
            return x
        if strip == 0:
            while True:  # 1 minus a share has no rounding
                more = -math.log(1.0 - _share(state)) / _TAIL
                depth = -math.log(1.0 - _share(state))
                if depth + depth > more * more:
                    return -(_TAIL + more) if (size >> _8) & _1 != _U(0) else _TAIL + more
        elif (_HEIGHTS[strip - 1] - _HEIGHTS[strip]) * _share(state) + _HEIGHTS[strip] < math.exp(-0.5 * x * x):
            return x


@njit(**_FLAGS)
def add_noise(seeds, sd, theta):
    """Add ``sd * default_rng(seeds).standard_normal(theta.shape)`` to theta, shape (N, 2).

    Seeds are up to four int64 below 2**32.
    """
    state = np.empty(4, np.uint64)
    _seed(seeds, state)
    for i in range(theta.shape[0]):
        for a in range(2):
            theta[i, a] += sd * _normal(state)
