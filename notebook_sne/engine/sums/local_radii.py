"""Sums over the stored pairs K of P, whatever p is, that tell how dense the map is around an object.

.. math::

    sum_{j in K_i} w_ij,   sum_{j in K_i} w_ij d_ij,   sum_{j in K_i} (h_i + h_j) w_ij^2 (y_i - y_j)

    w_ij = 1 / (1 + d_ij)

d are squared distances in the map. The last sum is the gradient, up to a factor, of what depends on the first
two; h_i is how much i counts in it.
"""

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST, exclusive
from notebook_sne.engine.sums.stored_pairs import share_out

__all__ = ["near_and_away", "radial_forces"]


def near_and_away(pairs, Y):
    """Return the first two sums, shape (N,) each, at Y, shape (N, d)."""
    near, away = np.empty(len(Y)), np.empty(len(Y))
    _sums(*share_out(pairs), np.ascontiguousarray(Y, dtype=np.float64), near, away)
    return near, away


def radial_forces(pairs, Y, h):
    """Return the last sum, shape (N, d), at Y and h, shape (N,)."""
    forces = np.empty(Y.shape)
    _forces(*share_out(pairs), np.ascontiguousarray(Y, dtype=np.float64), h, forces)
    return forces


# Without the freedom of `FAST`, with which these short sums had other bits in code for one thread, or from disk. Left
# out, fastmath would be that of the caller.
_IN_ORDER = {"fastmath": False, "error_model": "numpy", "cache": True}


@njit(**_IN_ORDER)
def _row(columns, points, i):
    """Return the first two sums of row i."""
    near = away = 0.0
    for k in range(columns.shape[0]):
        d = 0.0
        for c in range(points.shape[1]):
            t = points[i, c] - points[columns[k], c]
            d += t * t
        w = 1.0 / (1.0 + d)
        near += w
        away += w * d
    return near, away


@exclusive
@njit(**FAST)
def _sums(pointers, columns, strengths, blocks, points, near, away):
    for block in prange(blocks.shape[0] - 1):
        for i in range(blocks[block], blocks[block + 1]):
            near[i], away[i] = _row(columns[pointers[i] : pointers[i + 1]], points, i)


@exclusive
@njit(**FAST)
def _forces(pointers, columns, strengths, blocks, points, h, forces):
    for block in prange(blocks.shape[0] - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for c in range(points.shape[1]):
                forces[i, c] = 0.0
            for k in range(pointers[i], pointers[i + 1]):
                j, d = columns[k], 0.0
                for c in range(points.shape[1]):
                    t = points[i, c] - points[j, c]
                    d += t * t
                f = (h[i] + h[j]) / ((1.0 + d) * (1.0 + d))
                for c in range(points.shape[1]):
                    forces[i, c] += f * (points[i, c] - points[j, c])
