"""Squared distances between objects, from differences.

.. math:: D_ij = |x_i - x_j|^2 = sum_k (x_ik - x_jk)^2

The shortcut by inner products, x_i.x_i + x_j.x_j - 2 x_i.x_j, loses all digits if two objects are close together and
both far from the origin. These are the pairs on which neighbor probabilities depend.
"""

import math

import numpy as np

from notebook_sne.engine.checks.arguments import list_objects
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows
from notebook_sne.engine.mathematics.selection import nth_smallest

__all__ = ["FAR", "all_pairs", "far_objects", "middle_of", "nearest_among", "nearest_of_all", "smallest"]
__all__ += ["squared_distance", "squared_distances", "squares_of_pairs", "unit_spread"]

# Objects that far out, in units of how far out half of the others are, would draw the mean away from all others, which
# would then lose so many digits.
FAR = 1e8
_FARTHEST = 1e140  # the square of its inverse is still a number with all its digits
_SAMPLE = 1000


def unit_spread(X):
    """Return X as float64, measured from its middle, and in units of its largest deviation.

    All results from ratios of distances stay the same, and values far from the origin, very large or very small don't
    overflow, underflow or lose their digits to a common offset. A ValueError names objects so far away that the
    distances between the others would lose all digits.
    """
    far = far_objects(X, _FARTHEST)
    if len(far):
        raise ValueError(
            f"{list_objects(far)} must lie within {_FARTHEST:g} times the spread of the others, whose distances are "
            "lost beside that in double precision; leave out what is so far, or correct it"
        )
    X = np.array(X, dtype=np.float64, order="C")
    X /= max(1.0, _largest(X) * 1e-100)
    X -= middle_of(X)
    X /= _largest(X)
    return X


def middle_of(X):
    """Return the origin for objects X, shape (n_features,): their mean, or the median if a few are very far away.

    The median is that of about a thousand objects: it only has to lie among them.
    """
    middle, typical, largest = _deviations(X)
    if largest > FAR * typical > 0.0:
        return middle
    # The mean of a column of one number rounds, and of 1e200 that may be more than all that the other columns hold.
    return np.clip(X.mean(axis=0), X.min(axis=0), X.max(axis=0))


def far_objects(X, times):
    """Return the objects of X, shape (F,), that are `times` as far from the median as half of the others."""
    scale = max(1.0, _largest(X) * 1e-100)
    middle, typical, largest = _deviations(X, scale)
    if not largest > times * typical > 0.0:
        return np.empty(0, np.int64)
    return np.flatnonzero(np.abs(np.asarray(X, np.float64) / scale - middle).max(axis=1) > times * typical)


def _deviations(X, scale=1.0):
    """Return a median of X / scale, and how far from it half of the objects off it lie, or 0, and the farthest."""
    sample = np.asarray(X[:: max(1, len(X) // _SAMPLE)], np.float64) / scale
    middle = np.median(sample, axis=0)
    away = np.abs(sample - middle).max(axis=1)
    away = away[away > 0.0]
    largest = max((X.max(axis=0) / scale - middle).max(), (middle - X.min(axis=0) / scale).max())
    return middle, np.median(away) if len(away) else 0.0, largest


def _largest(X):
    return max(X.max(), -X.min())  # of absolute values, without a copy of X


def squared_distances(X):
    """Return the squared distances D_ij, shape (N, N), from X, shape (N, n_features); the diagonal is infinite.

    No object is its own neighbor, and the infinite distance tells this to every later step.
    """
    X = np.array(X, dtype=np.float64, order="C")
    D = np.empty((len(X), len(X)))
    all_pairs(len(X), X, X, D)
    np.fill_diagonal(D, np.inf)
    return D


def squares_of_pairs(X, rows, columns):
    """Return the squared distances between objects `rows` and `columns` of X, shape (n_pairs,)."""
    D = np.empty(len(rows))
    _listed(len(rows), X, _index(rows), _index(columns), D)
    return D


def nearest_among(X, rows, candidates, n):
    """Return the n nearest of the listed objects for each object of `rows`, and whether they are the nearest of all.

    Candidates come from a search that forms distances by inner products. For a pair of objects (i, j), it errs by c
    (|x_i| + |x_j|)^2 at most, with c = (n_features + 4) eps, and returns those that seem nearest. Let d be the largest
    distance of a candidate of i. An object beyond |x_i| + sqrt(d) from the origin is farther than d. Any other object
    that is no candidate is farther than d - 2 c (2 |x_i| + sqrt(d))^2. If the n-th nearest candidate is nearer than
    that, no object was missed. If both differ by less than a millionth of the distance, a missed object is as near as
    the one that was found.

    X, shape (N, n_features), has the objects in float64, measured from a point among them; `rows`, shape (R,), are the
    objects i to find neighbors for; `candidates`, shape (R, K), K > n, the objects j that seem nearest, where i itself
    is skipped. Neighbors, int32 of shape (R, n), are in rising order of their indices; of equal distances, the first
    are taken. Their squared distances have the same shape. The last result, bool of shape (R,), tells whether no nearer
    object was missed.
    """
    neighbors, D = np.empty((len(rows), n), np.int32), np.empty((len(rows), n))
    sure = np.empty(len(rows), np.bool_)
    error = 4.0 * (X.shape[1] + 4) * np.finfo(np.float64).eps  # 2 c, and as much again
    _select(len(rows), X, _index(rows), np.sort(_index(candidates), axis=1), error, neighbors, D, sure)
    return neighbors, D, sure


def nearest_of_all(X, rows, n):
    """Return neighbors and squared distances as `nearest_among` does, among all other objects; exact, and slow."""
    neighbors, D = np.empty((len(rows), n), np.int32), np.empty((len(rows), n))
    _select_of_all(len(rows), X, _index(rows), neighbors, D)
    return neighbors, D


def _index(A):
    return np.require(A, np.int64, ["C", "W"])


@njit(**FAST_SERIAL)
def squared_distance(a, b):
    """Return |a - b|^2 of two vectors."""
    d = 0.0
    for k in range(a.shape[0]):
        t = a[k] - b[k]
        d += t * t
    return d


@by_rows
@njit(**FAST_BY_ROWS)
def _listed(first, last, X, rows, columns, D):
    for k in range(first, last):
        D[k] = squared_distance(X[rows[k]], X[columns[k]])


@by_rows
@njit(**FAST_BY_ROWS)
def all_pairs(first, last, X, Z, D):
    """Write the squared distances of X[first:last] to Z, both with n_features columns, into these rows of D, (n, N)."""
    for i in range(first, last):
        for j in range(Z.shape[0]):
            D[i, j] = squared_distance(X[i], Z[j])


@njit(**FAST_SERIAL)
def smallest(d, listed, neighbors, D):
    """Write the smallest of the distances d into D, as many as it has room for, and return the largest of these.

    They are in the order of the objects `listed`, which are written into `neighbors`; of equal distances, the first are
    taken.
    """
    n = neighbors.shape[0]
    last = nth_smallest(d, n)
    ties = n
    for k in range(d.shape[0]):
        ties -= d[k] < last
    place = 0
    for k in range(d.shape[0]):
        if d[k] < last or (d[k] == last and ties > 0):
            ties -= d[k] == last
            neighbors[place], D[place] = listed[k], d[k]
            place += 1
    return last


@by_rows
@njit(**FAST_BY_ROWS)
def _select(first, last, X, rows, candidates, error, neighbors, D, sure):
    for r in range(first, last):
        i = rows[r]
        d, listed = np.empty(candidates.shape[1]), np.empty(candidates.shape[1], np.int64)
        n, farthest = 0, 0.0
        for j in candidates[r]:
            if j != i:
                listed[n], d[n] = j, squared_distance(X[i], X[j])
                farthest = max(farthest, d[n])
                n += 1
        nth = smallest(d[:n], listed[:n], neighbors[r], D[r])
        square = 0.0
        for k in range(X.shape[1]):
            square += X[i, k] * X[i, k]
        unsure = error * (2.0 * math.sqrt(square) + math.sqrt(farthest)) ** 2
        sure[r] = nth < farthest - unsure or unsure < 1e-6 * nth or n == X.shape[0] - 1


@by_rows
@njit(**FAST_BY_ROWS)
def _select_of_all(first, last, X, rows, neighbors, D):
    N = X.shape[0]
    for r in range(first, last):
        i = rows[r]
        d, listed = np.empty(N - 1), np.empty(N - 1, np.int64)
        for k in range(N - 1):
            listed[k] = k + (k >= i)
            d[k] = squared_distance(X[i], X[listed[k]])
        smallest(d, listed, neighbors[r], D[r])
