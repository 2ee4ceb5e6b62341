"""The nearest neighbors that the measures count, exactly, and what they check of their arguments.

Of objects at the same distance the one with the lower number is the nearer, so that a map gives the same number on
every machine and with any number of threads.
"""

import numpy as np

from notebook_sne.engine.checks.arguments import check_count, check_vectors

__all__ = ["check_k", "check_pair", "neighbors"]

# The fast search forms squared distances as |x|^2 - 2xy + |y|^2 and so errs by some 1e-16 |x|^2. Whatever lies closer
# than this to a tie is decided anew by plain differences.
_TIE = 1e-12
# Objects that are decided anew at a time.
_CHUNK = 256


def check_pair(A, B, a, b):
    """Return two arrays of the same objects, called a and b, as checked vectors."""
    A, B = check_vectors(A, a), check_vectors(B, b)
    if len(A) != len(B):
        raise ValueError(
            f"{a} and {b} must hold the same objects, got {len(A)} and {len(B)}; give one row for each object in both"
        )
    return A, B


def check_k(k, highest, rule):
    """Return k as an int from 1 to `highest`; `rule` is what it must be below."""
    k = check_count("k", k, 1)
    if k > highest:
        raise ValueError(f"k must be below {rule}, so at most {highest}, got {k}; lower it, or give more objects")
    return k


def neighbors(X, k):
    """Return the numbers of the k nearest other objects of each object, shape (N, k), in no particular order."""
    from sklearn.neighbors import NearestNeighbors

    from notebook_sne.engine.machine.parallel import limited

    N = len(X)
    X = np.asarray(X, dtype=np.float64)
    if k == N - 1:
        everyone = np.broadcast_to(np.arange(N), (N, N))
        return everyone[~np.eye(N, dtype=bool)].reshape(N, k)
    centered = X - X.mean(axis=0)  # keeps |x|^2, and with it the rounding of the fast search, small
    with limited():
        distances, nearest = NearestNeighbors(n_neighbors=k + 1).fit(centered).kneighbors()
    squared = distances**2
    room = _TIE * (centered**2).sum(axis=1).max()
    doubtful = np.flatnonzero(squared[:, k] - squared[:, k - 1] <= room)
    nearest = nearest[:, :k]
    for begin in range(0, len(doubtful), _CHUNK):
        rows = doubtful[begin : begin + _CHUNK]
        nearest[rows] = _nearest_by_differences(X, rows, k)
    return nearest


def _nearest_by_differences(X, rows, k):
    """Return the k nearest others of some objects, shape (len(rows), k), lower numbers first where distances agree."""
    from scipy.spatial.distance import cdist

    D = cdist(X[rows], X, "sqeuclidean")
    D[np.arange(len(rows)), rows] = np.inf
    return np.argsort(D, axis=1, kind="stable")[:, :k]
