"""The graph that local methods rest on: each object linked to its nearest neighbors, and whether it hangs together."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from notebook_sne.affinities.fuzzy import check_n_neighbors
from notebook_sne.baselines.dissimilarities import checked
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Array, Ints, Matrix
from notebook_sne.engine.checks.numbers import check_given, list_objects
from notebook_sne.engine.fitting.inputs import refuse_pairs

__all__ = ["connected_graph", "graph_parts"]

_PARTS_NAMED = 3


def graph_parts(X: Matrix, n_neighbors: int, *, input: str = "vectors") -> Ints:
    """Return the part of the neighbor graph that each object is in.

    Isomap, LLE, Laplacian eigenmaps and MVU need a graph in one part, and refuse another one: of objects that no path
    joins they know nothing. Two objects are linked where one of them is among the `n_neighbors` nearest of the other.

    Parameters
    ----------
    X : array-like
        The objects, shape (N, n_features), or their distances, shape (N, N).
    n_neighbors : int
        How many nearest neighbors of each object, at least 1. With N or more, it is N - 1, with a warning.
    input : {"vectors", "distances"}, default="vectors"
        What X is.

    Returns
    -------
    parts : ndarray of int, shape (N,)
        The number of its part, from 0 for the largest; all are 0 where the graph is connected.

    Raises
    ------
    ValueError
        If X breaks the rules of `input`, or `n_neighbors` its own.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> clusters = ns.datasets.load_clusters([10, 20], widths=1)
    >>> parts = ns.baselines.graph_parts(clusters.X, 4)
    >>> int((parts == 0).sum())
    20
    """
    X = checked(check_given("X", X, 2), input)
    if input == "vectors":
        refuse_pairs(X)
    n_neighbors = check_n_neighbors(check_count("n_neighbors", n_neighbors, 1), len(X), least=1)
    return _parts(_nearest(X, n_neighbors, input))


def connected_graph(X: Array, n_neighbors: Any, input: str, usual: int) -> tuple[sparse.csr_array, int]:
    """Return the graph of nearest neighbors, ones at [i, j] where j is one of those of i, and how many each has.

    "auto" is `usual`. If the graph has several parts, a ValueError names the first objects of the smaller ones.
    """
    n_neighbors = check_n_neighbors(n_neighbors, len(X), usual, 1)
    graph = _nearest(X, n_neighbors, input)
    parts = _parts(graph)
    n_parts = int(parts.max()) + 1
    if n_parts > 1:
        smaller = [list_objects(np.flatnonzero(parts == k)) for k in range(1, min(n_parts, _PARTS_NAMED + 1))]
        more = f", and {n_parts - 1 - _PARTS_NAMED} more" if n_parts - 1 > _PARTS_NAMED else ""
        raise ValueError(
            f"the graph of the n_neighbors = {n_neighbors} nearest neighbors must be connected, but it has {n_parts} "
            f"parts: beside the largest, of {(parts == 0).sum()} objects, there are {'; '.join(smaller)}{more}; raise "
            "n_neighbors, or leave these objects out, as X[baselines.graph_parts(X, n_neighbors) == 0] does"
        )
    return graph, n_neighbors


def _nearest(X: Array, n_neighbors: int, input: str) -> sparse.csr_array:
    from sklearn.neighbors import NearestNeighbors

    metric = "precomputed" if input == "distances" else "euclidean"
    return sparse.csr_array(NearestNeighbors(n_neighbors=n_neighbors, metric=metric).fit(X).kneighbors_graph())


def _parts(graph: sparse.csr_array) -> Ints:
    from scipy.sparse.csgraph import connected_components

    n_parts, parts = connected_components(graph, directed=False)
    order = np.argsort(-np.bincount(parts), kind="stable")
    rank = np.empty(n_parts, np.int64)
    rank[order] = np.arange(n_parts)
    return rank[parts]
