"""Sums over the stored pairs of P under the kernel of UMAP, w = 1 / (1 + a d^b) of squared distances d.

.. math:: sum_ij s_ij log(1 + a d_ij^b),     sum_j s_ij a b d_ij^(b-1) / (1 + a d_ij^b) (y_i - y_j)

The strengths s are those of `stored_pairs`. With b below 1 the second factor has no bound as two objects meet, while
the force itself goes to 0 if b is above 1/2: objects at one place do not pull each other.
"""

import numpy as np
from numba import prange

from notebook_sne.machine.compiled import njit
from notebook_sne.machine.exponential import log_of
from notebook_sne.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.sums.stored_pairs import share_out
from notebook_sne.sums.umap_sums import power_of

__all__ = ["power_pull"]

_LEAST = 1e-200  # squared distance: below it, two objects are in one place


def power_pull(pairs, Y, a, b):
    """Return sum_ij s_ij log(1 + a d_ij^b), and the forces above, shape (N, d).

    `pairs` are stored pairs, Y has shape (N, d), `a` and `b` are above 0.
    """
    energy, forces = np.empty(len(Y)), np.empty(Y.shape)
    _rows(*share_out(pairs), np.ascontiguousarray(Y, dtype=np.float64), float(a), float(b), energy, forces)
    return energy.sum() + 0.0 * forces.sum(), forces


@njit(**FAST_SERIAL)
def _row(columns, strengths, points, i, a, b, force):
    """Return the energy of row i, and write its force, shape (d,)."""
    energy = 0.0
    for k in range(columns.shape[0]):
        j = columns[k]
        d = 0.0
        for c in range(force.shape[0]):
            t = points[i, c] - points[j, c]
            d += t * t
        if d > _LEAST:
            power = power_of(d, a, b)
            energy += strengths[k] * log_of(1.0 + power)
            slope = strengths[k] * b * power / (d * (1.0 + power))
            for c in range(force.shape[0]):
                force[c] += slope * (points[i, c] - points[j, c])
    return energy


@exclusive
@njit(**FAST)
def _rows(pointers, columns, strengths, blocks, points, a, b, energy, forces):
    for block in prange(blocks.shape[0] - 1):
        for i in range(blocks[block], blocks[block + 1]):
            first, last = pointers[i], pointers[i + 1]
            forces[i] = 0.0
            energy[i] = _row(columns[first:last], strengths[first:last], points, i, a, b, forces[i])
