"""Sums over the stored pairs of P under the kernel of UMAP, w = 1 / (1 + a d^b) of squared distances d.

.. math:: sum_ij s_ij log(1 + a d_ij^b),     sum_j s_ij a b d_ij^(b-1) / (1 + a d_ij^b) (y_i - y_j)

The strengths s are those of `stored_pairs`. With b below 1 the second factor has no bound as two objects meet, while
the force itself goes to 0 if b is above 1/2: objects at one place don't pull each other.

Logarithm and power take most of the time. Rows are short, so they are taken for many rows at once, from one array of
squared distances without gaps, where loops become vector instructions.
"""

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import log_of
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.machine.simd import larger
from notebook_sne.engine.sums.stored_pairs import share_out
from notebook_sne.engine.sums.umap_pairs import LEAST, power_of

__all__ = ["power_pull", "power_rows"]

_TOGETHER = 64  # rows


def power_pull(pairs, Y, a, b):
    """Return sum_ij s_ij log(1 + a d_ij^b), and the forces above, shape (N, d).

    `pairs` are stored pairs, Y has shape (N, d), `a` and `b` are above 0.
    """
    arguments = share_out(pairs)
    energy, forces = np.empty(len(arguments[3]) - 1), np.empty(Y.shape)
    power_rows(*arguments, np.ascontiguousarray(Y, dtype=np.float64), float(a), float(b), energy, forces)
    return energy.sum() + 0.0 * forces.sum(), forces


@njit(**FAST_SERIAL)
def _squares(pointers, columns, points, first, last, d):
    """Write the squared distances of the pairs of some rows, one after the other."""
    start = pointers[first]
    for i in range(first, last):
        for k in range(pointers[i], pointers[i + 1]):
            square = 0.0
            for c in range(points.shape[1]):
                t = points[i, c] - points[columns[k], c]
                square += t * t
            d[k - start] = square


@njit(**FAST_SERIAL)
def _slopes(strengths, a, b, d):
    """Return the energy of pairs at squared distances d, and write s a b d^(b-1) / (1 + a d^b) in their place."""
    energy = 0.0
    for k in range(d.shape[0]):
        square = larger(d[k], LEAST)
        power = power_of(square, a, b)
        energy += strengths[k] * log_of(1.0 + power)
        d[k] = strengths[k] * b * power / (square * (1.0 + power))
    return energy


@exclusive
@njit(**FAST)
def power_rows(pointers, columns, strengths, blocks, points, a, b, energy, forces):
    """Write the energy of each block of rows, and the forces on each row, shape (N, d)."""
    for block in prange(blocks.shape[0] - 1):
        total = 0.0
        for first in range(blocks[block], blocks[block + 1], _TOGETHER):
            last = min(first + _TOGETHER, blocks[block + 1])
            start, stop = pointers[first], pointers[last]
            slopes = np.empty(stop - start)
            _squares(pointers, columns, points, first, last, slopes)
            total += _slopes(strengths[start:stop], a, b, slopes)
            for i in range(first, last):
                for c in range(points.shape[1]):
                    force = 0.0
                    for k in range(pointers[i], pointers[i + 1]):
                        force += slopes[k - start] * (points[i, c] - points[columns[k], c])
                    forces[i, c] = force
        energy[block] = total
