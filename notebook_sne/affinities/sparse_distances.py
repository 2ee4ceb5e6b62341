"""Squared distances between the rows of sparse matrices, such as tf-idf or counts, from differences.

.. math:: D_ij = sum_k (x_ik - x_jk)^2

Only the features that one of two objects has take part in the sum, which goes along both rows at once. Nothing becomes
dense but the distances. The functions are those of `mathematics.distances` and `mathematics.neighbors`, for CSR arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from notebook_sne.engine.checks.arrays import Array, Floats, Ints
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows

__all__ = ["in_units", "nearest_among", "nearest_of_all", "squares_between"]

_ROWS = 64  # objects whose distances to all others are held at a time


def in_units(X: Any) -> sparse.csr_array:
    """Return X as CSR of float64 in units of its largest entry, so that no square overflows or is lost."""
    X = sparse.csr_array(X, dtype=np.float64, copy=True)
    X.sum_duplicates()
    X.data /= np.abs(X.data).max(initial=0.0) or 1.0
    return X


def squares_between(X: sparse.csr_array, Z: sparse.csr_array) -> Floats:
    """Return the squared distances D_ij, shape (n, N), of the rows of X to those of Z."""
    D = np.empty((X.shape[0], Z.shape[0]))
    _all_pairs(X.shape[0], *_parts(X), *_parts(Z), D)
    return D


def nearest_among(X: sparse.csr_array, rows: Ints, candidates: Ints, n: int) -> tuple[Ints, Floats, Array]:
    """Return the n nearest candidates of each of `rows`, in rising order, their squares, and who is sure of them.

    As `mathematics.distances.nearest_among`, whose bound holds with the entries of a row in the place of features.
    """
    listed = np.sort(np.asarray(candidates, np.int64), axis=1)
    D = np.empty(listed.shape)
    _listed_pairs(len(rows), *_parts(X), np.asarray(rows, np.int64), listed, D)
    D[listed == np.asarray(rows)[:, None]] = np.inf
    farthest = np.where(np.isinf(D), 0.0, D).max(axis=1)
    neighbors, squares = _smallest(listed, D, n)
    entries = int(np.diff(X.indptr).max(initial=1))
    norms = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())[rows]
    unsure = 4.0 * (entries + 4) * np.finfo(np.float64).eps * (2.0 * norms + np.sqrt(farthest)) ** 2
    nth = squares.max(axis=1)
    sure = (nth < farthest - unsure) | (unsure < 1e-6 * nth) | (listed.shape[1] >= X.shape[0])
    return neighbors, squares, sure


def nearest_of_all(X: sparse.csr_array, rows: Ints, n: int) -> tuple[Ints, Floats]:
    """Return the same from the distances to all other objects; exact, and slow."""
    neighbors, squares = np.empty((len(rows), n), np.int32), np.empty((len(rows), n))
    for first in range(0, len(rows), _ROWS):
        part = rows[first : first + _ROWS]
        D = squares_between(X[part], X)
        D[np.arange(len(part)), part] = np.inf
        everyone = np.broadcast_to(np.arange(X.shape[0]), D.shape)
        neighbors[first : first + _ROWS], squares[first : first + _ROWS] = _smallest(everyone, D, n)
    return neighbors, squares


def _smallest(listed: Ints, D: Floats, n: int) -> tuple[Ints, Floats]:
    """Return the listed objects at the n smallest distances of each row, of equal ones the first, in rising order."""
    best = np.sort(np.argsort(D, axis=1, kind="stable")[:, :n], axis=1)
    return np.take_along_axis(listed, best, axis=1).astype(np.int32), np.take_along_axis(D, best, axis=1)


def _parts(X: sparse.csr_array) -> tuple[Array, Array, Array]:
    """Return indices, values and pointers, of the types that kernels are compiled for."""
    return (
        np.require(X.indices, np.int64, ["C", "W"]),
        np.require(X.data, np.float64, ["C", "W"]),
        np.require(X.indptr, np.int64, ["C", "W"]),
    )


@njit(**FAST_SERIAL)
def _square(a, x, first_a, last_a, b, z, first_b, last_b):
    """Return the squared distance of two sparse rows, whose columns are in rising order."""
    i, j, total = first_a, first_b, 0.0
    while i < last_a and j < last_b:
        if a[i] == b[j]:
            t = x[i] - z[j]
            i += 1
            j += 1
        elif a[i] < b[j]:
            t = x[i]
            i += 1
        else:
            t = z[j]
            j += 1
        total += t * t
    while i < last_a:
        total += x[i] * x[i]
        i += 1
    while j < last_b:
        total += z[j] * z[j]
        j += 1
    return total


@by_rows
@njit(**FAST_BY_ROWS)
def _all_pairs(first, last, a, x, starts, b, z, begins, D):
    for i in range(first, last):
        for j in range(D.shape[1]):
            D[i, j] = _square(a, x, starts[i], starts[i + 1], b, z, begins[j], begins[j + 1])


@by_rows
@njit(**FAST_BY_ROWS)
def _listed_pairs(first, last, a, x, starts, rows, listed, D):
    for r in range(first, last):
        i = rows[r]
        for k in range(listed.shape[1]):
            j = listed[r, k]
            D[r, k] = _square(a, x, starts[i], starts[i + 1], a, x, starts[j], starts[j + 1])
