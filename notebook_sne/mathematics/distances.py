"""Squared distances between objects, from differences.

.. math:: D_ij = |x_i - x_j|^2 = sum_k (x_ik - x_jk)^2

The shortcut by inner products, x_i.x_i + x_j.x_j - 2 x_i.x_j, loses all digits where two objects are close and both far
from the origin, and these are the pairs that neighbour probabilities are about.
"""

import math

import numpy as np
from numba import prange

from notebook_sne.mathematics.compiled import njit
from notebook_sne.mathematics.parallel import FAST, FAST_SERIAL, exclusive

__all__ = ["nearest_among", "nearest_of_all", "squared_distances", "unit_spread"]


def unit_spread(X):
    """Return X as float64, measured from its mean and in units of its largest deviation.

    What follows from ratios of distances stays as it is, and nothing far from the origin, very large or very small
    overflows, underflows or loses its digits to a common offset.
    """
    X = np.array(X, dtype=np.float64, order="C")
    X /= max(1.0, _largest(X) * 1e-100)
    X -= X.mean(axis=0)
    X /= _largest(X)
    return X


def _largest(X):
    return max(X.max(), -X.min())  # of absolute values, without a copy of X


def squared_distances(X):
    """Return the squared distances D_ij, shape (N, N), from X, shape (N, n_features); the diagonal is infinite.

    No object is its own neighbour, and an infinite distance says so to every later step.
    """
    X = np.array(X, dtype=np.float64, order="C")
    D = np.empty((len(X), len(X)))
    _all_pairs(X, D)
    np.fill_diagonal(D, np.inf)
    return D


def nearest_among(X, rows, candidates, n):
    """Return the n nearest of the listed objects for each object of `rows`, and whether they are the nearest of all.

    Candidates come from a search that forms distances by inner products and so may err, for a pair of objects (i, j),
    by c (|x_i| + |x_j|)^2 at most, with c = (n_features + 4) eps. It returns what seems nearest to it. With d the
    largest distance of a candidate of i, an object beyond |x_i| + sqrt(d) from the origin is further than d, and
    another one is further than d - 2 c (2 |x_i| + sqrt(d))^2, or it would have been a candidate. If the n-th nearest
    candidate is nearer than that, no object was missed. If both differ by less than a millionth of the distance, what
    may have been missed is as near as what was found.

    Parameters
    ----------
    X : ndarray of float64, shape (N, n_features)
        The objects, measured from somewhere amidst them.
    rows : ndarray of int, shape (R,)
        The objects i whose neighbours are asked for.
    candidates : ndarray of int, shape (R, K)
        The objects j that seem nearest, K > n; where i is among them, it is passed over.
    n : int
        How many are wanted.

    Returns
    -------
    neighbours : ndarray of int32, shape (R, n)
        In rising order of their indices; of equal distances the first.
    D : ndarray of float64, shape (R, n)
        Their squared distances.
    sure : ndarray of bool, shape (R,)
        Whether no nearer object was missed.
    """
    neighbours, D = np.empty((len(rows), n), np.int32), np.empty((len(rows), n))
    sure = np.empty(len(rows), np.bool_)
    error = 4.0 * (X.shape[1] + 4) * np.finfo(np.float64).eps  # 2 c, and as much again
    _select(X, _index(rows), _index(candidates), error, neighbours, D, sure)
    return neighbours, D, sure


def nearest_of_all(X, rows, n):
    """Return the same from the distances to all other objects; exact, and slow.

    Parameters
    ----------
    X, rows, n
        As for `nearest_among`.

    Returns
    -------
    neighbours, D : ndarray, shape (R, n)
        As there.
    """
    neighbours, D = np.empty((len(rows), n), np.int32), np.empty((len(rows), n))
    _select_of_all(X, _index(rows), neighbours, D)
    return neighbours, D


def _index(A):
    return np.require(A, np.int64, ["C", "W"])


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


@njit(**FAST_SERIAL)
def _smallest(d, listed, neighbours, D):
    """Write the smallest of the distances d, as many as there is room for, in the order of the list; return the last.

    Of equal distances those that stand first are taken.
    """
    n = neighbours.shape[0]
    last = np.partition(d, n - 1)[n - 1]
    ties = n
    for k in range(d.shape[0]):
        ties -= d[k] < last
    place = 0
    for k in range(d.shape[0]):
        if d[k] < last or (d[k] == last and ties > 0):
            ties -= d[k] == last
            neighbours[place], D[place] = listed[k], d[k]
            place += 1
    return last


@exclusive
@njit(**FAST)
def _select(X, rows, candidates, error, neighbours, D, sure):
    for r in prange(rows.shape[0]):
        i = rows[r]
        listed = np.sort(candidates[r])
        listed = listed[listed != i]
        d = np.empty(listed.shape[0])
        for k in range(listed.shape[0]):
            d[k] = _square(X[i], X[listed[k]])
        last, farthest = _smallest(d, listed, neighbours[r], D[r]), d.max()
        square = 0.0
        for k in range(X.shape[1]):
            square += X[i, k] * X[i, k]
        unsure = error * (2.0 * math.sqrt(square) + math.sqrt(farthest)) ** 2
        sure[r] = last < farthest - unsure or unsure < 1e-6 * last or listed.shape[0] == X.shape[0] - 1


@exclusive
@njit(**FAST)
def _select_of_all(X, rows, neighbours, D):
    N = X.shape[0]
    for r in prange(rows.shape[0]):
        i = rows[r]
        d, listed = np.empty(N - 1), np.empty(N - 1, np.int64)
        for k in range(N - 1):
            listed[k] = k + (k >= i)
            d[k] = _square(X[i], X[listed[k]])
        _smallest(d, listed, neighbours[r], D[r])
