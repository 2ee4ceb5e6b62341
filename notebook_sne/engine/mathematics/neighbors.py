"""Distances of new objects to fitted ones, and the nearest of these.

A search that forms distances by inner products, |x|^2 + |z|^2 - 2 x.z, is fast, but it rounds, and the rounding depends
on the other objects of the same call. So it only proposes candidates, and exact distances, summed from differences,
decide. With c = (n_features + 4) eps, its error for a new object x and a fitted one z is

.. math:: c (|x| + |z|)^2

at most. If the n-th nearest candidate is nearer than the farthest one by more than twice as much, no fitted object was
missed. Otherwise all fitted objects are searched. Either way, and also with equal distances, the result is that of a
search through all.
"""

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows
from notebook_sne.engine.mathematics.distances import all_pairs
from notebook_sne.engine.mathematics.selection import nth_smallest

__all__ = ["nearest_fitted", "squares_between"]


def squares_between(X, Z):
    """Return the squared distances D_ij, shape (n, N), of X, shape (n, n_features), to Z, shape (N, n_features)."""
    D = np.empty((len(X), len(Z)))
    all_pairs(len(X), _plain(X), _plain(Z), D)
    return D


def nearest_fitted(X, Z, candidates, n):
    """Return the n nearest fitted objects of each new object, int64 of shape (R, n), and their squared distances.

    X, shape (R, n_features), are the new objects, whose squares are finite, and Z, shape (N, n_features), the fitted
    ones, both measured from a point among these. `candidates`, int of shape (R, K), are the fitted objects that seem
    nearest to each new one, K > n, or K = N. Neighbors are in rising order of their indices; of equal distances, the
    first are taken.
    """
    neighbors, D = np.empty((len(X), n), np.int64), np.empty((len(X), n))
    error = 4.0 * (X.shape[1] + 4) * np.finfo(np.float64).eps  # 2 c, and as much again
    norms = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    listed = np.sort(np.require(candidates, np.int64, ["C", "W"]), axis=1)
    _nearest(len(X), _plain(X), _plain(Z), listed, error, float(norms.max()), neighbors, D)
    return neighbors, D


def _plain(X):
    """Return X in the layout of the kernels, copied only if needed."""
    return np.require(X, np.float64, ["C", "W"])


@njit(**FAST_SERIAL)
def _squares(x, Z, listed):
    d = np.empty(listed.shape[0])
    for k in range(listed.shape[0]):
        z = Z[listed[k]]
        total = 0.0
        for a in range(x.shape[0]):
            t = x[a] - z[a]
            total += t * t
        d[k] = total
    return d


@by_rows
@njit(**FAST_BY_ROWS)
def _nearest(first, last, X, Z, candidates, error, farthest, neighbors, D):
    n = neighbors.shape[1]
    for i in range(first, last):
        listed = candidates[i]
        d = _squares(X[i], Z, listed)
        nth = nth_smallest(d, n)
        widest = square = 0.0
        for k in range(d.shape[0]):
            widest = max(widest, d[k])
        for k in range(X.shape[1]):
            square += X[i, k] * X[i, k]
        reach = np.sqrt(square) + farthest
        if not (widest - nth > error * reach * reach or listed.shape[0] == Z.shape[0]):
            listed = np.arange(Z.shape[0])
            d = _squares(X[i], Z, listed)
            nth = nth_smallest(d, n)
        ties = n
        for k in range(d.shape[0]):
            ties -= d[k] < nth
        place = 0
        for k in range(d.shape[0]):
            if place < n and (d[k] < nth or (d[k] == nth and ties > 0)):
                ties -= d[k] == nth
                neighbors[i, place], D[i, place] = listed[k], d[k]
                place += 1
