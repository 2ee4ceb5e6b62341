"""The stored pairs of a sparse P: all that P has to say to a map.

Attraction, and the part of the cost that depends on P, concern only pairs with p > 0. They are held as the three
arrays of a compressed sparse row matrix, in double precision. With the strength s_ij of a pair, P or P + P.T, the three
kernels ask for these sums of energy and force:

.. math::

    sum_ij s_ij d_ij,             sum_j s_ij (y_i - y_j)                    (the Gaussian, whose -log K is d)
    sum_ij s_ij log(1 + d_ij),    sum_j s_ij (y_i - y_j) / (1 + d_ij)       (Student's t)
    -sum_ij s_ij log q_ij,        sum_j s_ij r_ij (y_i - y_j)               (the Gaussian with a background)
"""

from typing import NamedTuple

import numpy as np
from numba import njit, prange
from scipy import sparse

from notebook_sne.mathematics.exponential import exp_minus, log_of
from notebook_sne.mathematics.parallel import FAST, FAST_SERIAL, exclusive

__all__ = ["StoredPairs", "gaussian_pull", "store", "student_pull", "uniform_background_pull"]


class StoredPairs(NamedTuple):
    """A symmetric sparse matrix of pair strengths, and the part of the cost that no map can change.

    Attributes
    ----------
    pointers : ndarray of int64, shape (N + 1,)
        Row i occupies places pointers[i] to pointers[i + 1].
    columns : ndarray of int32, shape (n_pairs,)
        The objects j of the stored pairs, row by row.
    strengths : ndarray of float64, shape (n_pairs,)
        s_ij in the same places.
    negentropy : float
        sum p log p in nats, over the entries of P.
    """

    pointers: np.ndarray
    columns: np.ndarray
    strengths: np.ndarray
    negentropy: float


def store(S, P):
    """Return the symmetric strengths S, a sparse matrix, as stored pairs with the negentropy of P."""
    S = sparse.csr_array(S)
    S.sum_duplicates()
    p = sparse.csr_array(P).data
    p = p[p > 0]
    return StoredPairs(
        S.indptr.astype(np.int64), S.indices.astype(np.int32), S.data.astype(np.float64), float(np.sum(p * np.log(p)))
    )


def gaussian_pull(pairs, Y):
    """Return sum_ij s_ij d_ij and the forces sum_j s_ij (y_i - y_j), shape (N, d).

    `pairs` are the stored pairs, Y has shape (N, d).
    """
    return _pull(pairs, Y, _GAUSSIAN, 0.0, 0.0)[:2]


def student_pull(pairs, Y):
    """Return sum_ij s_ij log(1 + d_ij) and the forces sum_j s_ij (y_i - y_j) / (1 + d_ij), shape (N, d).

    `pairs` are the stored pairs, Y has shape (N, d).
    """
    return _pull(pairs, Y, _STUDENT, 0.0, 0.0)[:2]


def uniform_background_pull(pairs, Y, background, log_z):
    """Return three sums of UNI-SNE over the stored pairs, at a background b > 0.  [Cook2007, Eq. 9]

    .. math::

        q_ij = (1 - b) e_ij / Z + b / (N (N - 1)),   r_ij = (1 - b) e_ij / (Z q_ij)

    They are -sum_ij s_ij log q_ij; the forces sum_j s_ij r_ij (y_i - y_j), shape (N, d); and R = sum_ij s_ij r_ij.
    `pairs` are the stored pairs, Y has shape (N, d), `background` is b and `log_z` the logarithm of Z.
    """
    N = len(Y)
    return _pull(pairs, Y, _UNIFORM, np.log1p(-background) - log_z, background / (N * (N - 1.0)))


def _pull(pairs, Y, kind, offset, uniform):
    N, d = Y.shape
    points = np.ascontiguousarray(Y.T, dtype=np.float64).copy()
    energy, share, forces = np.empty(N), np.empty(N), np.empty((N, d))
    _rows(pairs.pointers, pairs.columns, pairs.strengths, points, kind, offset, uniform, energy, share, forces)
    return energy.sum(), forces, share.sum()


_GAUSSIAN, _STUDENT, _UNIFORM = 0, 1, 2


@njit(**FAST_SERIAL)
def _row(columns, strengths, points, i, kind, offset, uniform, force):
    """Return the energy and the share r of row i, and write its force, shape (d,)."""
    n_dimensions, n = points.shape[0], columns.shape[0]
    # Differences are kept for the force: to fetch scattered points is what takes the time here.
    differences = np.empty((n_dimensions, n))
    d = np.zeros(n)
    for a in range(n_dimensions):
        x, xi, t = points[a], points[a, i], differences[a]
        for k in range(n):
            t[k] = xi - x[columns[k]]
            d[k] += t[k] * t[k]
    energy = share = 0.0
    if kind == _GAUSSIAN:
        for k in range(n):
            energy += strengths[k] * d[k]
            d[k] = strengths[k]
    elif kind == _STUDENT:
        for k in range(n):
            energy += strengths[k] * log_of(1.0 + d[k])
            d[k] = strengths[k] / (1.0 + d[k])
    else:
        for k in range(n):
            # e / Z may overflow only where the pair dominates Z, so the exponent is at most 0 up to rounding.
            near = exp_minus(max(d[k] - offset, 0.0))
            q = near + uniform
            energy -= strengths[k] * log_of(q)
            d[k] = strengths[k] * near / q
            share += d[k]
    for a in range(n_dimensions):
        t = differences[a]
        f = 0.0
        for k in range(n):
            f += d[k] * t[k]
        force[a] = f
    return energy, share


@exclusive
@njit(**FAST)
def _rows(pointers, columns, strengths, points, kind, offset, uniform, energy, share, forces):
    for i in prange(points.shape[1]):
        start, stop = pointers[i], pointers[i + 1]
        energy[i], share[i] = _row(
            columns[start:stop], strengths[start:stop], points, i, kind, offset, uniform, forces[i]
        )
