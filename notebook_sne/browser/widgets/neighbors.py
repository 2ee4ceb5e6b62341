"""The nearest objects in the data: those that a map should keep near."""

import numpy as np
from scipy import sparse

from notebook_sne.affinities.metrics import DIRECTIONS, distances_by, unit_vectors
from notebook_sne.affinities.neighbor_graphs import check_neighbor_graph
from notebook_sne.affinities.sparse_distances import squares_between

__all__ = ["all_nearest", "distances_from", "nearest"]

_BLOCK = 256  # objects at a time: their differences stay in the cache


def nearest(X, input: str, i: int, n: int = 8, metric: str = "euclidean") -> np.ndarray:
    """Return the nearest objects of object i, nearest first; with probabilities, the most probable.

    X is what a model was given, as its `input` names it: "vectors", measured by the metric, "distances", "neighbors",
    "probabilities", "joint" or "triples". n is at most N - 1; there are fewer where fewer have any probability.
    """
    if input in ("vectors", "distances"):
        return _first(distances_from(X, input, i, metric), i, n)
    X, input = _related(X, input, metric)
    if sparse.issparse(X):
        return _most_probable(sparse.csr_array(X), i, n)
    row = np.asarray(X)[i]
    found = _first(-row.astype(np.float64), i, n)
    return found[row[found] > 0]


def distances_from(X, input, i, metric="euclidean"):
    """Return the distances in the data of all objects from object i, shape (N,); parameters as of `nearest`."""
    if input == "distances":
        return np.asarray(X)[i].astype(np.float64)
    if metric not in ("euclidean", "l2", *DIRECTIONS):
        return distances_by(metric, X[i : i + 1], X)[0]
    X, _ = _related(X, input, metric)
    if sparse.issparse(X):
        X = sparse.csr_array(X)
        return np.sqrt(squares_between(X[[i]], X)[0])
    X = np.asarray(X)
    here, far = X[i].astype(np.float64), np.empty(len(X))
    for k in range(0, len(X), _BLOCK):  # in double precision: bytes would wrap around
        apart = X[k : k + _BLOCK] - here
        far[k : k + _BLOCK] = np.einsum("ij,ij->i", apart, apart)
    return np.sqrt(far)


def all_nearest(X, input, n=8, metric="euclidean"):
    """Return the nearest objects of every object, nearest first, as uint32, shape (N, n).

    An object with fewer neighbors of any probability has its last one repeated; one with none has itself.
    """
    X, input = _related(X, input, metric)
    if input == "vectors" and metric not in ("euclidean", "l2", *DIRECTIONS):
        X, input = distances_by(metric, X), "distances"
    if input == "vectors":
        from sklearn.neighbors import NearestNeighbors

        from notebook_sne.engine.machine.parallel import limited

        X = X if sparse.issparse(X) else np.asarray(X)
        n = min(n, X.shape[0] - 1)
        with limited():
            return NearestNeighbors(n_neighbors=n).fit(X).kneighbors(return_distance=False).astype(np.uint32)
    X = sparse.csr_array(X) if sparse.issparse(X) else np.asarray(X)
    n = min(n, X.shape[0] - 1)
    rows = np.empty((X.shape[0], n), np.uint32)
    for i in range(len(rows)):
        near = _most_probable(X, i, n) if sparse.issparse(X) else nearest(X, input, i, n)
        rows[i] = np.pad(near, (0, n - len(near)), mode="edge") if len(near) else i
    return rows


def _related(X, input, metric):
    """Return what neighbors are read from: of triples, how many there are of two objects."""
    if input == "vectors" and metric in DIRECTIONS:
        return unit_vectors(X, metric), input
    if input == "neighbors":  # the nearer, the more probable
        X = check_neighbor_graph(X).copy()
        X.data = 1.0 / (1.0 + X.data / (X.data.max() or 1.0))
    if input == "triples":
        counts = X.counts + X.counts.T
        return counts - sparse.diags_array(
            counts.diagonal()
        ), "probabilities"  # a fact may lead from an object to itself
    return X, input


def _most_probable(P, i, n):
    """Return the most probable columns of row i of a CSR matrix."""
    row = slice(P.indptr[i], P.indptr[i + 1])
    columns, p = P.indices[row], P.data[row]
    order = np.argsort(-p, kind="stable")[:n]
    return columns[order][p[order] > 0]


def _first(far, i, n):
    far[i] = np.inf
    n = min(n, len(far) - 1)
    found = np.argpartition(far, n - 1)[:n]
    return found[np.argsort(far[found], kind="stable")]
