"""The nearest objects in the data: what a map has to keep."""

import numpy as np
from scipy import sparse

__all__ = ["all_nearest", "nearest"]


def nearest(X, input, i, n=8):
    """Return the nearest objects of object i, nearest first; with probabilities, the most probable.

    Parameters
    ----------
    X : array, or sparse matrix
        What a model was given, as its `input` names it.
    input : str
        "vectors", "distances", "probabilities" or "joint".
    i : int
        The object.
    n : int
        How many, at most N - 1; fewer where fewer have any probability.

    Returns
    -------
    indices : ndarray of int
    """
    if input == "vectors":
        X = np.asarray(X)
        return _first(np.square(X - X[i], dtype=np.float64).sum(axis=1), i, n)
    row = X[[i]].toarray()[0] if sparse.issparse(X) else np.asarray(X[i])
    if input == "distances":
        return _first(row.astype(np.float64), i, n)
    found = _first(-row.astype(np.float64), i, n)
    return found[row[found] > 0]


def all_nearest(X, input, n=8):
    """Return the nearest objects of every object, nearest first, as uint32, shape (N, n)."""
    n_objects = X.shape[0] if hasattr(X, "shape") else len(X)
    n = min(n, n_objects - 1)
    if input == "vectors":
        from sklearn.neighbors import NearestNeighbors

        return NearestNeighbors(n_neighbors=n).fit(np.asarray(X)).kneighbors(return_distance=False).astype(np.uint32)
    X = sparse.csr_array(X) if sparse.issparse(X) else np.asarray(X)
    rows = np.empty((n_objects, n), np.uint32)
    for i in range(n_objects):
        row = X[[i]].toarray()[0] if sparse.issparse(X) else X[i]
        rows[i] = _first(row.astype(np.float64) if input == "distances" else -row.astype(np.float64), i, n)
    return rows


def _first(far, i, n):
    far[i] = np.inf
    n = min(n, len(far) - 1)
    found = np.argpartition(far, n - 1)[:n]
    return found[np.argsort(far[found], kind="stable")]
