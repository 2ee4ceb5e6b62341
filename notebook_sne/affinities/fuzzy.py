"""The graph of UMAP: weights of the nearest neighbors that fall off smoothly, and their fuzzy union.

.. math::

    A_ij = exp(-max(0, r_ij - rho_i) / sigma_i),     sum_j A_ij = log2(k),     mu_ij = A_ij + A_ji - A_ij A_ji

r_ij are distances, not squared, to the k - 1 nearest objects; an object itself counts as its first neighbor. rho_i is
the distance to the nearest neighbor at another place, whose weight is 1. [McInnes2018, algorithm 3]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from notebook_sne.affinities.nearest import Approximate, nearest_neighbors
from notebook_sne.affinities.neighbor_graphs import as_lists
from notebook_sne.affinities.probabilities import warn
from notebook_sne.engine.checks.arguments import check_count, list_objects
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.checks.numbers import is_sparse
from notebook_sne.engine.mathematics.smooth_neighbors import LEAST_SIGMA, smooth_rows

__all__ = ["LEAST_NEIGHBORS", "SmoothNeighbors", "check_n_neighbors", "fuzzy_union", "neighbors_of"]
__all__ += ["of_distances", "of_graph"]
__all__ += ["of_vectors", "smooth_weights"]

AUTO, USUAL_NEIGHBORS = "auto", 15
LEAST_NEIGHBORS = 3
"""The fewest neighbors, an object itself included: with two, every object would have a single one of weight 1."""


def check_n_neighbors(
    n_neighbors: Any, n_objects: int, usual: int = USUAL_NEIGHBORS, least: int = LEAST_NEIGHBORS, graph: Any = None
) -> int:
    """Return `n_neighbors` as an int below N, or `least` if that is more; by default as UMAP counts, itself included.

    "auto" is `usual`. A larger number than there can be is lowered, with a warning, and "auto" to what each object has
    in a `graph`, CSR.
    """
    n = neighbors_of(n_neighbors, n_objects, usual, least)
    wanted = usual if n_neighbors == AUTO else n_neighbors
    if graph is not None and (there := max(int(np.diff(graph.indptr).min()) + 1, least)) < n:
        warn(
            f"n_neighbors is {there}, as an object of this graph has {there - 1} neighbors, and not {wanted}; set "
            "n_neighbors, or search for more"
        )
        return there
    if n < wanted:
        warn(
            f"n_neighbors is {n} with these {n_objects} objects, as it must be below their number, and not {wanted}; "
            "lower it, or give more objects"
        )
    return n


def neighbors_of(n_neighbors: Any, n_objects: int, usual: int = USUAL_NEIGHBORS, least: int = LEAST_NEIGHBORS) -> int:
    """Return what `check_n_neighbors` does, without a warning."""
    auto = isinstance(n_neighbors, str) and n_neighbors == AUTO
    return min(usual if auto else check_count("n_neighbors", n_neighbors, least), max(n_objects - 1, least))


@dataclass(frozen=True, slots=True)
class SmoothNeighbors:
    """The weights of new objects: k fitted neighbors, the nearest at less than 1, as an object itself isn't there."""

    n_neighbors: int
    auto: bool = False  # whether fewer will do, where fewer are given

    def for_counts(self, counts: Ints) -> SmoothNeighbors:
        """Return this for objects of which so many neighbors are given each, which must be `n_neighbors` or more."""
        few = np.flatnonzero(counts < (LEAST_NEIGHBORS if self.auto else self.n_neighbors))
        if len(few):
            raise ValueError(
                f"n_neighbors must be at most the number of neighbors of each new object, got {self.n_neighbors} with "
                f"{counts[few[0]]} neighbors of {list_objects(few)}; lower it, or search for more"
            )
        return SmoothNeighbors(min(self.n_neighbors, int(counts.min(initial=self.n_neighbors))))

    def weights(self, R: Floats) -> Floats:
        """Return the weights of fitted objects at distances R, shape (n, K), infinite where there is none."""
        k = min(self.n_neighbors, R.shape[1])
        farthest = np.partition(R, k - 1, axis=1)[:, k - 1 : k]
        return smooth_weights(np.where(R <= farthest, R, np.inf), np.log2(self.n_neighbors), np.zeros(len(R)))


def smooth_weights(R: Floats, total: float, rho: Floats | None = None) -> Floats:
    """Return the weights A of neighbors at distances R, shape (N, K), infinite where there is none.

    Rows sum to `total`, log2(k), where some width sigma makes them; else sigma is as small as it may be. `rho`, shape
    (N,), is the distance up to which weights are 1, by default that of the nearest neighbor at another place.
    """
    there = R < np.inf
    distances = np.where(there, R, 0.0)
    if rho is None:
        rho = np.where(R > 0.0, R, np.inf).min(axis=1)
        rho = np.where(rho < np.inf, rho, 0.0)  # all neighbors are at the place of the object itself
    counts = np.maximum(there.sum(axis=1), 1)
    means = distances.sum(axis=1) / counts
    overall = float(distances.sum() / max(there.sum(), 1))
    least = LEAST_SIGMA * np.where(rho > 0.0, means, overall)
    A = np.empty(R.shape)
    smooth_rows(len(R), np.ascontiguousarray(R), rho, float(total), least, A)
    return A


def fuzzy_union(indices: Ints, A: Floats) -> sparse.csr_array:
    """Return mu, CSR of shape (N, N) and symmetric, from the weights A of neighbors `indices`, both of shape (N, K)."""
    N, K = A.shape
    directed = sparse.csr_array((A.ravel(), indices.ravel(), np.arange(0, N * K + 1, K)), shape=(N, N))
    directed.sum_duplicates()
    directed.eliminate_zeros()
    back = sparse.csr_array(directed.T)
    union = sparse.csr_array(directed + back - directed.multiply(back))
    union.sort_indices()
    return union


def of_vectors(X: Any, n_neighbors: int, wanted: float = 1.0) -> tuple[sparse.csr_array, float]:
    """Return mu of checked objects X, shape (N, n_features), and the recall of the search for neighbors.

    `wanted` is the share of the true neighbors to be found.
    """
    from notebook_sne.engine.mathematics.distances import unit_spread
    from notebook_sne.engine.mathematics.perplexity import equal_share

    approximate = Approximate(wanted) if wanted < 1.0 and not is_sparse(X) else None
    if is_sparse(X):
        from notebook_sne.affinities.sparse_distances import in_units as unit_spread
    N = X.shape[0]
    indices, R = np.empty((N, n_neighbors - 1), np.int32), np.empty((N, n_neighbors - 1))
    for rows, nearest, D in nearest_neighbors(unit_spread(X), n_neighbors - 1, equal_share(X), approximate):
        indices[rows], R[rows] = nearest, np.sqrt(D)
    mu = fuzzy_union(indices, smooth_weights(R, np.log2(n_neighbors)))
    return mu, 1.0 if approximate is None else approximate.recall


def of_distances(D: Floats, n_neighbors: int) -> sparse.csr_array:
    """Return mu of checked distances, shape (N, N), not squared; j may be nearer to i than i is to j."""
    D = np.array(D, dtype=np.float64)
    np.fill_diagonal(D, np.inf)
    indices = np.argsort(D, axis=1, kind="stable")[:, : n_neighbors - 1].astype(np.int32)
    R = np.take_along_axis(D, indices.astype(np.int64), axis=1)
    return fuzzy_union(indices, smooth_weights(R, np.log2(n_neighbors)))


def of_graph(graph: sparse.csr_array, n_neighbors: int) -> sparse.csr_array:
    """Return mu of a checked graph of distances to neighbors, CSR; each object needs `n_neighbors` - 1 or more."""
    indices, R = as_lists(graph)
    few = np.flatnonzero((R < np.inf).sum(axis=1) < n_neighbors - 1)
    if len(few):
        raise ValueError(
            f"n_neighbors must be at most 1 more than the neighbors of each object, got {n_neighbors} with "
            f"{int((R[few[0]] < np.inf).sum())} neighbors of {list_objects(few)}; lower it, or search for more"
        )
    order = np.argsort(R, axis=1, kind="stable")[:, : n_neighbors - 1]
    indices, R = np.take_along_axis(indices, order, axis=1), np.take_along_axis(R, order, axis=1)
    return fuzzy_union(indices, smooth_weights(R, np.log2(n_neighbors)))
