"""Neighbors from other searches, and graphs: from the results of searches and libraries to rows of P.

A search returns for each object the indices of its neighbors and their distances. scikit-learn's transformers and
single-cell tools keep these as a sparse matrix: an entry that isn't stored is no neighbor, and a stored 0 is one at
distance 0. A graph has weights, larger for nearer objects, and may have nodes without a tie.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.engine.checks.arguments import LEAST_OBJECTS, check_counts
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.checks.numbers import WrongTypeError, as_floats, check_given, is_sparse, list_objects, show
from notebook_sne.engine.checks.rounding import rounding_of, zero_if_rounded

__all__ = [
    "Graph",
    "as_graph",
    "as_lists",
    "check_lists",
    "check_neighbor_graph",
    "check_new_neighbors",
    "few_neighbors",
    "nearest_entries",
]

_HOW = "a sparse matrix of distances, shape (N, N), or a pair (indices, distances), both of shape (N, K)"


class Graph(NamedTuple):
    """The result of `affinities.from_graph`."""

    P: sparse.csr_array  # shape (N, N): the probabilities, conditional or joint
    nodes: list[Any]  # what the objects, rows of P, are called in the graph
    isolated: list[Any]  # the nodes that no edge leads from: set aside, or, with a joint P, kept


def check_lists(indices: ArrayLike, distances: ArrayLike, n_objects: int | None = None) -> tuple[Ints, Floats]:
    """Return neighbors, -1 where there is none, and their distances, both checked; these are new and may be changed.

    Both, shape (n, K), are given as to `affinities.from_neighbors`. `n_objects` is how many objects the neighbors are
    among; left out, as many as there are rows.
    """
    given = {"indices": check_given("indices", indices, 2), "distances": check_given("distances", distances, 2)}
    for name, A in given.items():
        if is_sparse(A):
            raise WrongTypeError(f"{name} must be a dense array, shape (N, K), got a {type(A).__name__}")
    J, D = np.asarray(given["indices"]), as_floats("distances", given["distances"])
    rounding = rounding_of(given["distances"])
    if J.dtype.kind not in "iu":
        raise WrongTypeError(f"indices must be whole numbers, got numbers of type {J.dtype}; give indices.astype(int)")
    if J.shape != D.shape:
        raise ValueError(f"indices and distances must have the same shape, got {J.shape} and {D.shape}")
    D[J != -1] = zero_if_rounded(D[J != -1], rounding)
    N = len(J) if n_objects is None else n_objects
    if N < LEAST_OBJECTS:
        raise ValueError(f"indices must hold at least {LEAST_OBJECTS} objects, got {N}; give more objects")
    for name, A, bad, rule in (
        ("indices", J, (J < -1) | (J >= N), f"be from 0 to N - 1 = {N - 1}, or -1 for none"),
        ("distances", D, (J != -1) & ~((D >= 0) & (D < np.inf)), "be finite and not negative, but for index -1"),
    ):
        if bad.any():
            i, k = (int(place) for place in np.argwhere(bad)[0])
            way = "numpy.maximum(distances, 0) corrects what was rounded" if A[i, k] < 0 and A is D else "correct them"
            raise ValueError(
                f"{name} must {rule}, but {name}[{i}, {k}] is {A[i, k]:g} ({bad.sum()} such entries); {way}"
            )
    return J.astype(np.int64), D


def few_neighbors(perplexity: float, most: int, objects: Ints) -> ValueError:
    """Return the error that says that some objects have too few neighbors for a perplexity."""
    return ValueError(
        f"perplexity must be below the number of neighbors of each object, got {perplexity:g}, but the distances "
        f"to {most} others are given for {list_objects(objects)}; lower it, as perplexity='auto' does where all "
        "objects have so few, or search for more neighbors: at least "
        f"{math.floor(perplexity) + 1} others of each object, better {math.ceil(3 * perplexity)}"
    )


def check_neighbor_graph(X: Any, name: str = "X") -> sparse.csr_array:
    """Return distances of neighbors as a CSR array of float64, shape (N, N), without those of objects to themselves.

    X, called `name` in an error, is a sparse matrix of distances, shape (N, N), where a stored 0 is one, too; or a
    tuple of indices and distances, shape (N, K).
    """
    if isinstance(X, tuple):
        _check_pair(X, name)
        graph = _from_lists(*check_lists(*X))
    else:
        graph = _check_sparse(X, name)
        if graph.shape[0] != graph.shape[1]:
            raise ValueError(f"{name} must be square, shape (N, N), got shape {graph.shape}; each row is an object")
        if graph.shape[0] < LEAST_OBJECTS:
            raise ValueError(
                f"{name} must hold at least {LEAST_OBJECTS} objects, got n_samples = {graph.shape[0]}; "
                "give more objects"
            )
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    others = rows != graph.indices
    pointers = np.concatenate([[0], np.cumsum(np.bincount(rows[others], minlength=graph.shape[0]))])
    graph = sparse.csr_array((graph.data[others], graph.indices[others], pointers), shape=graph.shape)
    without = np.flatnonzero(np.diff(graph.indptr) == 0)
    if len(without):
        raise ValueError(
            f"{name} must hold a neighbor of each object, but has none of {list_objects(without)}; "
            "search for their neighbors, or leave them out"
        )
    if not graph.data.any():
        raise ValueError(f"{name} must not be constant: all distances are 0; there is nothing to map")
    return graph


def check_new_neighbors(X: Any, n_objects: int, name: str = "X") -> tuple[Ints, Floats]:
    """Return which fitted objects are the neighbors of new ones and their distances, shape (n, K); -1 for none."""
    if isinstance(X, tuple):
        _check_pair(X, name)
        graph = _from_lists(*check_lists(X[0], X[1], n_objects), n_objects)
    else:
        graph = _check_sparse(X, name)
    if graph.shape[1] != n_objects or not graph.shape[0]:
        raise ValueError(
            f"{name} must hold the distances of new objects to those of the {n_objects} fitted ones that are near, "
            f"shape (n, N) with N = {n_objects} and n at least 1, got shape {graph.shape}"
        )
    return as_lists(graph)


def as_lists(graph: sparse.csr_array) -> tuple[Ints, Floats]:
    """Return columns and values of a CSR array, row by row, shape (n, K); -1 and infinity where a row has fewer."""
    counts = np.diff(graph.indptr)
    there = np.arange(counts.max(initial=1)) < counts[:, None]
    indices, distances = np.full(there.shape, -1, np.int64), np.full(there.shape, np.inf)
    indices[there], distances[there] = graph.indices, graph.data
    return indices, distances


def as_graph(G: Any, weight: str | None = "weight", name: str = "G") -> tuple[sparse.csr_array, list[Any]]:
    """Return the weights of a graph, CSR of shape (N, N) without loops, and what its nodes are called.

    G, called `name` in an error, is a graph of networkx, or its weights, an array or sparse matrix of shape (N, N).
    `weight` is which attribute of an edge of networkx is its weight, 1 where it isn't there; None for 1 everywhere.
    """
    if any(base.__module__.partition(".")[0] == "networkx" for base in type(G).__mro__) and hasattr(G, "adjacency"):
        import networkx

        nodes = list(G.nodes)
        if len(nodes) < LEAST_OBJECTS:
            raise ValueError(f"{name} must have at least {LEAST_OBJECTS} nodes, got {len(nodes)}; give more")
        try:
            if weight is not None:  # networkx reads texts as numbers
                check_given("weights", [found for *_, found in G.edges(data=weight, default=1)])
            A = networkx.to_scipy_sparse_array(G, nodelist=nodes, weight=weight, dtype=np.float64, format="csr")
        except (TypeError, ValueError) as error:
            raise WrongTypeError(
                f"{name} must have edges whose {weight!r} is a number: {error}; name another attribute by weight=, or "
                "None for none"
            ) from None
    else:
        A, nodes = check_given(name, G, 2), []
    A = sparse.csr_array(A, dtype=np.float64, copy=True)
    A.sum_duplicates()
    if A.shape[0] == A.shape[1]:
        rows = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
        A.data[rows == A.indices] = 0.0  # a loop tells nothing of who is near whom
        A.eliminate_zeros()
    return check_counts(A, name, may_be_empty=True), nodes or list(range(A.shape[0]))


def _check_pair(X: tuple[Any, ...], name: str) -> None:
    if len(X) != 2:
        raise ValueError(f"{name} must be {_HOW}, got a tuple of {len(X)}")


def _check_sparse(X: Any, name: str) -> sparse.csr_array:
    """Return distances, checked but for their shape, as a CSR array in rising order of columns."""
    if not is_sparse(X):
        raise WrongTypeError(
            f"{name} must be {_HOW}, with input='neighbors', got {show(X)}; a dense matrix of all distances is "
            "input='distances'"
        )
    X = check_given(name, X)
    if X.format == "coo":  # its conversion adds up what stands in one place
        places = X.row.astype(np.int64) * X.shape[1] + X.col
        twice = len(np.unique(places)) < len(places)
    graph = sparse.csr_array(X, dtype=np.float64, copy=True)
    graph.sort_indices()
    same = graph.indices[1:] == graph.indices[:-1]
    ends = graph.indptr[1:-1] - 1
    same[ends[(ends >= 0) & (ends < len(same))]] = False  # the last of one row, the first of the next
    if same.any() or (X.format == "coo" and twice):
        row = int(np.searchsorted(graph.indptr, np.flatnonzero(same)[0], side="right") - 1) if same.any() else None
        of = "" if row is None else f", but lists one of object {row} twice"
        raise ValueError(
            f"{name} must list each neighbor of an object once{of}, got the same place more than once; keep the "
            "nearest entry, as affinities.from_neighbors(indices, distances, perplexity) does"
        )
    graph.data = zero_if_rounded(graph.data, rounding_of(X))
    bad = ~((graph.data >= 0) & (graph.data < np.inf))
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(graph.indptr, at, side="right") - 1)
        raise ValueError(
            f"{name} must hold distances, finite and not negative, but {name}[{row}, {graph.indices[at]}] is "
            f"{graph.data[at]:g} ({bad.sum()} such entries); correct them, or leave these entries out"
        )
    return graph


def _from_lists(indices: Ints, distances: Floats, n_objects: int | None = None) -> sparse.csr_array:
    """Return a CSR array of distances, in rising order of columns, of each neighbor the nearest entry."""
    indices, D = nearest_entries(indices, np.where(indices < 0, np.inf, distances))
    there = D < np.inf
    pointers = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    shape = (len(D), len(D) if n_objects is None else n_objects)
    return sparse.csr_array((D[there], indices[there], pointers), shape=shape)


def nearest_entries(indices: Ints, D: Floats) -> tuple[Ints, Floats]:
    """Return lists of neighbors in rising order of these, and D, infinite for all entries of one but the nearest."""
    order = np.lexsort((D, indices), axis=1)  # so that of several entries of a neighbor, the nearest is the first
    indices, D = np.take_along_axis(indices, order, axis=1), np.take_along_axis(D, order, axis=1)
    D[:, 1:][indices[:, 1:] == indices[:, :-1]] = np.inf
    return indices, D
