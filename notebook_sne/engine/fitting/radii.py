"""Local radii in the data: how far from an object its neighbors lie, by the distances that P was made of.

.. math:: R_i = log(sum_j p_ij D_ij / sum_j p_ij)

The sum runs over the stored pairs of a joint P. D are squared distances in any unit, which adds a constant to all R.
"""

from typing import Any

import numpy as np
from scipy import sparse

from notebook_sne.affinities import sparse_distances
from notebook_sne.engine.fitting.inputs import measured
from notebook_sne.engine.mathematics.distances import squares_of_pairs, unit_spread

__all__ = ["log_radii"]

_PAIRS = 1 << 16  # of sparse vectors whose differences are held at a time


def log_radii(X: Any, input: str, metric: str, P: sparse.csr_array) -> np.ndarray:
    """Return R, shape (N,), read-only; NaN of an object whose neighbors all lie where it lies, or that has none.

    X is as `check_input` returns it, vectors, distances or neighbors, `input` says which; P is joint.
    """
    X, input = measured(X, input, metric)
    rows = np.repeat(np.arange(P.shape[0]), np.diff(P.indptr))
    D = _squares(X, input, P, rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        R = np.log(np.bincount(rows, P.data * D, P.shape[0]) / np.bincount(rows, P.data, P.shape[0]))
    R[~np.isfinite(R)] = np.nan
    R.flags.writeable = False
    return R


def _squares(X: Any, input: str, P: sparse.csr_array, rows: np.ndarray) -> np.ndarray:
    """Return D of the stored pairs of P, shape (n_pairs,), in some unit."""
    columns = P.indices
    if input == "vectors" and not sparse.issparse(X):
        return squares_of_pairs(unit_spread(X), rows, columns)
    if input == "vectors":
        X, D = sparse_distances.in_units(X), np.empty(len(rows))
        for first in range(0, len(rows), _PAIRS):
            some = slice(first, first + _PAIRS)
            D[some] = (X[rows[some]] - X[columns[some]]).power(2).sum(axis=1)
        return D
    if input == "distances":
        D = X[rows, columns]
    else:
        found = _stored(X, rows, columns)
        found = np.where(found >= 0, found, _stored(X, columns, rows))  # one of two is enough to have a pair in P
        D = X.data[found]
    return np.square(D / (D.max() or 1.0))


def _stored(X: sparse.csr_array, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return where in `X.data` these entries are, -1 of one that is not stored; a stored zero is."""
    places = sparse.csr_array((np.arange(1, X.nnz + 1), X.indices, X.indptr), shape=X.shape)
    return np.asarray(places[rows, columns], np.int64) - 1
