"""Squared distances between objects, from differences.

.. math:: D_ij = |x_i - x_j|^2 = sum_k (x_ik - x_jk)^2

The shortcut by inner products, x_i.x_i + x_j.x_j - 2 x_i.x_j, loses all digits where two objects are close and both far
from the origin, and these are the pairs that neighbour probabilities are about.
"""

import numpy as np
from numba import njit, prange

from notebook_sne.mathematics.parallel import FAST, FAST_SERIAL, exclusive

__all__ = ["squared_distances", "squared_distances_to", "unit_spread"]


def unit_spread(X):
    """Return X as float64, measured from its mean and in units of its largest deviation.

    What follows from ratios of distances stays as it is, and nothing far from the origin, very large or very small
    overflows, underflows or loses its digits to a common offset.
    """
    X = np.array(X, dtype=np.float64, order="C")
    X /= max(1.0, np.abs(X).max() * 1e-100)
    X -= X.mean(axis=0)
    return X / np.abs(X).max()


def squared_distances(X):
    """Return the squared distances D_ij, shape (N, N), from X, shape (N, n_features); the diagonal is infinite.

    No object is its own neighbour, and an infinite distance says so to every later step.
    """
    X = np.array(X, dtype=np.float64, order="C")
    D = np.empty((len(X), len(X)))
    _all_pairs(X, D)
    np.fill_diagonal(D, np.inf)
    return D


def squared_distances_to(X, neighbours):
    """Return the squared distances D_ij, shape (N, K), from X to the objects j in row i of neighbours, shape (N, K)."""
    D = np.empty(neighbours.shape)
    _listed_pairs(np.array(X, dtype=np.float64, order="C"), np.array(neighbours, dtype=np.int64, order="C"), D)
    return D


@njit(**FAST_SERIAL)
def _square(a, b):
    d = 0.0
    for k in range(a.shape[0]):
        t = a[k] - b[k]
        d += t * t
    return d


@exclusive
@njit(**FAST)
def _all_pairs(X, D):
    for i in prange(X.shape[0]):
        for j in range(X.shape[0]):
            D[i, j] = _square(X[i], X[j])


@exclusive
@njit(**FAST)
def _listed_pairs(X, neighbours, D):
    for i in prange(X.shape[0]):
        for k in range(neighbours.shape[1]):
            D[i, k] = _square(X[i], X[neighbours[i, k]])
