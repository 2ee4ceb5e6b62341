"""UMAP's repulsion over all pairs in the plane, each pair once and by a table: a page has one thread and no mesh.

A power and a logarithm for each pair, as `umap_pairs` has them, take fifty times as long as a pair of t-SNE. Here K is
a polynomial of degree 5 in each 64th of an octave of d + delta, which has the value, the slope and the curvature of K
at both of its ends, and the force is the slope of this polynomial: both err by less than 1e-11 of themselves. Pairs
beyond the last octave, if any, are computed as they are.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import log_of
from notebook_sne.engine.portable.sums import WHOLE
from notebook_sne.engine.sums.umap_pairs import SOFTENING, pair_at, power_of

__all__ = ["logarithms_over_all"]

_PARTS, _SHIFT = 64, 52 - 6  # of an octave; bits of a float64 below those that tell them
_LOWEST, _MOST = -10, 34  # binary exponent of the least d + delta, which is delta, and octaves: 4,000 map units


@njit(**WHOLE)
def _derivatives(far, a, b, found):
    """Write K and its first two derivatives at d + delta."""
    power = power_of(far, a, b)
    slope = -b / (far * (1.0 + power))
    found[0], found[1] = log_of(1.0 + 1.0 / power), slope
    found[2] = -slope / far * (1.0 + b * power / (1.0 + power))


@njit(**WHOLE)
def _table(n_octaves, a, b):
    """Return the polynomials by the distance from the beginning of their part, shape (n_octaves * 64, 6)."""
    table, here, there = np.empty((n_octaves * _PARTS, 6)), np.empty(3), np.empty(3)
    for octave in range(n_octaves):
        unit = 2.0 ** (_LOWEST + octave)
        h = unit / _PARTS
        _derivatives(unit, a, b, here)
        for part in range(_PARTS):
            _derivatives(unit + h * (part + 1.0), a, b, there)
            row = table[octave * _PARTS + part]
            # What is left of value, slope and curvature at the end, in units of h.
            value = there[0] - here[0] - h * (here[1] + 0.5 * h * here[2])
            slope = h * (there[1] - here[1] - h * here[2])
            curvature = h * h * (there[2] - here[2])
            row[0], row[1], row[2] = here[0], here[1], 0.5 * here[2]
            row[3] = (10.0 * value - 4.0 * slope + 0.5 * curvature) / (h * h * h)
            row[4] = (-15.0 * value + 7.0 * slope - curvature) / (h * h * h * h)
            row[5] = (6.0 * value - 3.0 * slope + 0.5 * curvature) / (h * h * h * h * h)
            here[:] = there
    return table


@njit(**WHOLE)
def logarithms_over_all(Y, weights, a, b, values, forces):
    """Write the sums of UMAP's repulsion, as `umap_sums.logarithmic_sums` has them."""
    N, widest = Y.shape[0], 0.0
    for k in range(2):
        low = high = Y[0, k]
        for i in range(N):
            low, high = min(low, Y[i, k]), max(high, Y[i, k])
        widest += (high - low) * (high - low)
    n_octaves = _MOST
    if widest < 2.0 ** (_LOWEST + _MOST - 1):
        n_octaves = int(math.log(widest + SOFTENING) / math.log(2.0) - _LOWEST) + 2
    table = _table(n_octaves, a, b)
    first, n = np.float64(2.0**_LOWEST).view(np.int64) >> _SHIFT, table.shape[0]
    for i in range(N):
        values[i] = forces[i, 0] = forces[i, 1] = 0.0
    for i in range(N):
        x, y, w, value, force_x, force_y = Y[i, 0], Y[i, 1], weights[i], 0.0, 0.0, 0.0
        for j in range(i):
            dx, dy = x - Y[j, 0], y - Y[j, 1]
            far = dx * dx + dy * dy + SOFTENING
            bits = np.float64(far).view(np.int64) >> _SHIFT
            place = bits - first
            if 0 <= place < n:
                t = far - np.int64(bits << _SHIFT).view(np.float64)
                c = table[place]
                K = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))))
                slope = -(c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * 5.0 * c[5]))))
            else:
                K, slope = pair_at(dx * dx + dy * dy, a, b, SOFTENING)
            both = w + weights[j]
            K, slope = both * K, both * slope
            value += K
            force_x += slope * dx
            force_y += slope * dy
            values[j] += K
            forces[j, 0] -= slope * dx
            forces[j, 1] -= slope * dy
        values[i] += value
        forces[i, 0] += force_x
        forces[i, 1] += force_y
