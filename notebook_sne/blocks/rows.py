"""Some rows of an array that need not fit into memory: an array, one on disk, or a Dask array."""

import hashlib
from typing import Any

import numpy as np

from notebook_sne.checks.arrays import Array, Ints
from notebook_sne.checks.numbers import is_sparse, show

__all__ = ["DIGEST", "Rows", "digest_of"]

DIGEST = 16  # bytes


class Rows:
    """The rows of X, shape (N, n_features), read only where they are asked for.

    X is an array, one mapped from a file, a Dask array, whose rows the client computes, or anything else that has a
    shape and gives rows by slices. A TypeError or ValueError says that it has no two dimensions of known sizes.
    """

    def __init__(self, X: Any, client: Any = None) -> None:
        if is_sparse(X):
            raise TypeError(
                f"X must be a dense array, got {show(X)}; reduce it to fewer dimensions first, as by TruncatedSVD"
            )
        if not hasattr(X, "shape") or not hasattr(X, "__getitem__") or hasattr(X, "iloc"):
            X = np.asarray(X)
        shape = tuple(X.shape)
        if len(shape) != 2:
            raise ValueError(f"X must have two dimensions, objects and features, got shape {shape}; reshape it")
        if any(n != n for n in shape):
            raise ValueError(
                f"X must have a known number of rows, got shape {shape}; call X.compute_chunk_sizes() first"
            )
        self.shape, self._X, self._client = (int(shape[0]), int(shape[1])), X, client
        self._is_dask = hasattr(X, "__dask_graph__")
        self.are_futures = self._is_dask and client is not None

    def chosen(self, which: Ints) -> Array:
        """Return the rows of these numbers, rising, as an array."""
        found = self._X[which]
        if self._is_dask:
            found = self._client.compute(found).result() if self._client is not None else found.compute()
        return np.array(found)

    def block(self, start: int, stop: int) -> Any:
        """Return rows start to stop as an array; of a Dask array with a client, a future of them."""
        found = self._X[start:stop]
        if not self._is_dask:
            return np.array(found)
        return self._client.compute(found) if self.are_futures else found.compute()

    def whole(self) -> Array:
        """Return all rows in memory."""
        return np.asarray(self._X.compute() if self._is_dask else self._X)


def digest_of(rows: Any) -> bytes:
    """Return what tells an array from others: a digest of its type, shape and bytes."""
    rows = np.ascontiguousarray(rows)
    if rows.dtype.hasobject:
        rows = rows.astype(np.float64)  # as models read it; its own bytes would be addresses
    digest = hashlib.blake2b(f"{rows.dtype.str} {rows.shape}".encode(), digest_size=DIGEST)
    digest.update(rows.reshape(-1).view(np.uint8).data)
    return digest.digest()
