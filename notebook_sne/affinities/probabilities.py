"""P of data that have been checked: what `affinities` offers to users, for models, which check by themselves.

Where more neighbors than the perplexity asks for are nearest, all at one distance, their objects are tied: that is
returned here beside P, and the caller warns of it.

Longer than 300 lines because every input, one perplexity or several, and what is warned of meet here.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.affinities.nearest import Approximate
from notebook_sne.affinities.neighbor_graphs import as_lists, check_lists, few_neighbors, nearest_entries
from notebook_sne.engine.checks.arguments import (
    LEAST_OBJECTS,
    check_count,
    check_dense_size,
    check_distances,
    check_number,
    check_vectors,
    list_objects,
)
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.checks.rounding import rounding_of
from notebook_sne.engine.checks.scales import MULTISCALE, Scales, check_scales, given_scales, largest_of, least_of
from notebook_sne.engine.machine.allocation import room_for

__all__ = [
    "asymmetry",
    "at_perplexity",
    "average",
    "conditional_and_ties",
    "drop_small",
    "from_distances_and_ties",
    "from_neighbor_graph_and_ties",
    "from_neighbors_and_ties",
    "may_be_pairs",
    "over_scales",
    "warn",
    "warn_of_distances",
    "warn_of_perplexity",
    "warn_of_ties",
]


_ROWS = 32_768  # of P that are looked at together
_SQUARE_ROWS = 256  # of a square matrix that are compared with its columns at a time


def conditional_and_ties(
    X: Any, perplexity: Any, neighbors: int | None = None, approximate: Approximate | None = None
) -> tuple[Floats | sparse.csr_array, Ints]:
    """Return what `conditional` does, and which objects are tied, without a warning.

    With `approximate`, some neighbors may be missed, and it is told how many were.
    """
    from notebook_sne.affinities.nearest import nearest_neighbors
    from notebook_sne.engine.mathematics.distances import squared_distances, unit_spread
    from notebook_sne.engine.mathematics.perplexity import equal_share

    X = check_vectors(X, may_be_sparse=True)
    N = X.shape[0]
    neighbors = None if neighbors is None else check_count("neighbors", neighbors, 1)
    perplexity = check_scales(perplexity, N, neighbors)
    if neighbors is None:
        check_dense_size(N)
        if sparse.issparse(X):
            from notebook_sne.affinities.sparse_distances import in_units, squares_between

            X = in_units(X)
            D = squares_between(X, X)
            np.fill_diagonal(D, np.inf)
            return at_perplexity(D, perplexity, equal_share(X))
        return at_perplexity(squared_distances(unit_spread(X)), perplexity, equal_share(X))
    if not (largest := largest_of(perplexity)) < neighbors < N:
        raise ValueError(
            f"neighbors must be above the perplexity, {largest:g}, and below N = {N}, got {neighbors}; "
            f"three times the perplexity is usual"
        )
    indices, data, tied = room_for((N, neighbors), np.int32), room_for((N, neighbors), np.float64), []
    if sparse.issparse(X):
        from notebook_sne.affinities.sparse_distances import in_units as unit_spread
    for rows, nearest, D in nearest_neighbors(unit_spread(X), neighbors, equal_share(X), approximate):
        indices[rows] = nearest
        data[rows], ties = at_perplexity(D, perplexity, equal_share(X))
        tied.append(rows[ties])
    kind = np.int32 if data.size < 2**31 else np.int64  # the type of the pointers is that which the indices get
    pointers = np.arange(0, data.size + 1, neighbors, dtype=kind)
    P = sparse.csr_array((data.ravel(), indices.ravel(), pointers), shape=(N, N))
    P.eliminate_zeros()
    return P, np.sort(np.concatenate(tied))


def from_distances_and_ties(D: ArrayLike, perplexity: Any) -> tuple[Floats, Ints]:
    """Return what `from_distances` does, and which objects are tied, without a warning."""
    from notebook_sne.engine.mathematics.perplexity import equal_share, squares_in_units

    D = check_distances(D)
    if perplexity is None:
        squares = np.square(D)
        np.fill_diagonal(squares, np.inf)
        P = np.exp(squares.min(axis=1, keepdims=True) - squares)
        return P / P.sum(axis=1, keepdims=True), np.empty(0, np.int64)
    perplexity = check_scales(perplexity, len(D))
    largest = D.max()  # at a given perplexity P does not depend on the unit
    np.fill_diagonal(D, np.inf)
    equal = equal_share(D)
    return over_scales(perplexity, lambda one: at_perplexity(squares_in_units(D, largest, one), one, equal))


def from_neighbors_and_ties(indices: ArrayLike, distances: ArrayLike, perplexity: Any) -> tuple[sparse.csr_array, Ints]:
    """Return what `from_neighbors` does, and which objects are tied, without a warning."""
    from notebook_sne.engine.mathematics.perplexity import equal_share

    if given_scales(perplexity) is None:
        perplexity = check_number("perplexity", perplexity, 1.0, closed=False)
    neighbors, D = check_lists(indices, distances)
    N = len(D)
    D[(neighbors < 0) | (neighbors == np.arange(N)[:, None])] = np.inf
    return _among(*nearest_entries(neighbors, D), perplexity, equal_share(np.asarray(distances)))


def from_neighbor_graph_and_ties(graph: sparse.csr_array, perplexity: Any) -> tuple[sparse.csr_array, Ints]:
    """Return P of distances to neighbors, CSR as `neighbor_graphs` checks it, and which objects are tied."""
    from notebook_sne.engine.mathematics.perplexity import equal_share

    if given_scales(perplexity) is None:
        perplexity = check_scales(perplexity, graph.shape[0])
    with np.errstate(over="ignore"):  # what single precision has no room for has not been rounded to it
        single = graph.data.astype(np.float32)
    # Numbers of single precision have been rounded to it.
    equal = equal_share(single if np.array_equal(single, graph.data) else graph.data)
    return _among(*as_lists(graph), perplexity, equal)


def _among(neighbors: Ints, D: Floats, perplexity: Any, equal: Any) -> tuple[sparse.csr_array, Ints]:
    """Return P among neighbors at distances D, infinite where there is none, and which objects are tied."""
    from notebook_sne.engine.mathematics.perplexity import squares_in_units

    N = len(D)
    there = D < np.inf
    n_neighbors = there.sum(axis=1)
    if given_scales(perplexity) is not None:
        perplexity = check_scales(perplexity, N, int(n_neighbors.min()))
    few = np.flatnonzero(n_neighbors <= (most := largest_of(perplexity)))
    if len(few):
        raise few_neighbors(most, int(n_neighbors[few[0]]), few)
    largest = D[there].max() or 1.0  # at a given perplexity P does not depend on the unit
    data, tied = over_scales(perplexity, lambda one: at_perplexity(squares_in_units(D, largest, one), one, equal))
    pointers = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    P = sparse.csr_array((data[there], neighbors[there], pointers), shape=(N, N))
    P.eliminate_zeros()
    return P, tied


def average(P: Any) -> Any:
    """Return the joint P of a conditional one that has been checked, dense or CSR; the rows of that are sorted."""
    if sparse.issparse(P):
        from notebook_sne.engine.sums.symmetric import with_transpose

        J = with_transpose(P)
        J.data /= 2 * P.shape[0]
        return J
    J = P + P.T
    J /= 2 * P.shape[0]
    return J


def drop_small(P: sparse.csr_array, threshold: float = 1e-6, *, whole: bool = False) -> tuple[sparse.csr_array, float]:
    """Do what `keep_large` says to a P that has been checked, a CSR array of its own: it is changed."""
    N = P.shape[0]
    # Below 1 / N, the largest entry of a row always stays.
    threshold = check_number("threshold", threshold, 0.0, 1.0 / N)
    totals = P.sum(axis=1)
    for rows, places in _parts(P):
        floor = np.repeat(totals[rows], np.diff(P.indptr[rows.start : rows.stop + 1]))
        if whole:
            floor = np.minimum(floor, totals[P.indices[places]])
        floor *= threshold
        some = P.data[places]
        some[some < floor] = 0.0
    P.eliminate_zeros()
    kept = P.sum(axis=1)
    scale = np.full(N, 1 / kept.sum()) if whole else 1 / kept
    for rows, places in _parts(P):
        P.data[places] *= np.repeat(scale[rows], np.diff(P.indptr[rows.start : rows.stop + 1]))
    return P, max(0.0, float(1 - kept.sum() / totals.sum()))


def _parts(P: sparse.csr_array) -> Iterator[tuple[slice, slice]]:
    """Yield rows of P and the places of their entries, some at a time: arrays as large as P would double its room."""
    N = P.shape[0]
    for first in range(0, N, _ROWS):
        rows = slice(first, min(first + _ROWS, N))
        yield rows, slice(P.indptr[rows.start], P.indptr[rows.stop])


def over_scales(perplexity: Scales, found: Callable[[float], tuple[Floats, Ints]]) -> tuple[Floats, Ints]:
    """Return the mean over several perplexities of what `found` gives at each, and which rows are tied at any.

    p_{j|i} = (1 / L) sum_h p_{j|i} at perplexity k_h [deBodt2018], which is [Lee2015] in the data.
    """
    if not isinstance(perplexity, tuple):
        return found(perplexity)
    P, ties = found(perplexity[0])
    for one in perplexity[1:]:
        more, tied = found(one)
        P += more
        ties = np.union1d(ties, tied)
    P /= len(perplexity)
    return P, ties


def at_perplexity(D: Floats, perplexity: Scales, equal: Any) -> tuple[Floats, Ints]:
    """Return the probabilities at a perplexity or at several, and which rows of D, squared distances, are tied."""
    from notebook_sne.engine.mathematics.perplexity import probabilities_at_perplexity

    if isinstance(perplexity, tuple):
        return over_scales(perplexity, lambda one: at_perplexity(D, one, equal))
    P, precisions = probabilities_at_perplexity(D, perplexity, equal)
    if np.isnan(precisions).any():  # no row may be empty without a word
        raise ValueError(f"perplexity {perplexity:g} must be below the number of neighbors of each object; lower it")
    return P, np.flatnonzero(np.isinf(precisions))


def warn_of_ties(tied: Sequence[int] | Ints, perplexity: Any, new: str = "") -> None:
    """Warn of the objects `tied`, if there are any; of new objects `new` says "new ".

    Of several perplexities the least is named: at it, objects are tied first.
    """
    if not len(tied):
        return
    given = given_scales(perplexity)
    perplexity = perplexity if given is None else 2.0 if given == MULTISCALE else least_of(given)
    has = "object has" if len(tied) == 1 else "objects have"
    warn(
        f"{len(tied)} {new}{has} more nearest neighbors at one distance than perplexity {perplexity:g} asks for, as "
        f"among duplicates, or from very far away ({new}{list_objects(tied)}): these neighbors share the mass evenly, "
        "however many they are; to avoid it, leave such objects out, or raise the perplexity"
    )


def warn_of_perplexity(perplexity: Any, n_objects: int) -> None:
    """Warn of a perplexity above a third of the objects: a P has weight on some three times as many neighbors.

    "multiscale", whose largest is to be N / 2, has smaller ones beside it.
    """
    if (given := given_scales(perplexity)) == MULTISCALE:
        return
    perplexity = perplexity if given is None else largest_of(given)
    if 3 * perplexity > n_objects:
        lower = f"lower it to {n_objects / 3:.3g} or less, or " if n_objects > LEAST_OBJECTS else ""
        warn(
            f"perplexity {perplexity:g} is above a third of the {n_objects} objects: most of them then count as "
            f"neighbors of each other, and a map shows few neighborhoods; {lower}give more objects"
        )


def asymmetry(P: Any) -> float:
    """Return by how much the two entries of a pair differ at most, as a share of the largest entry."""
    return float(abs(P - P.T).max() / abs(P).max())


def may_be_pairs(X: Any) -> bool:
    """Tell whether numbers may be of pairs: dense and square, finite, none negative and the diagonal zero."""
    if sparse.issparse(X) or len(X) < LEAST_OBJECTS or X.shape[0] != X.shape[1] or not 0 < X.max() < np.inf:
        return False
    slack = rounding_of(X) * X.max()
    return bool(X.min() >= -slack and np.abs(np.diagonal(X)).max() <= slack)


def warn_of_distances(X: Any, way: str) -> None:
    """Warn of vectors that look like distances: square, symmetric, none negative and each object 0 from itself."""
    if not may_be_pairs(X):
        return
    slack = rounding_of(X) * X.max()
    blocks = (slice(start, start + _SQUARE_ROWS) for start in range(0, len(X), _SQUARE_ROWS))
    if all(np.abs(X[rows] - X[:, rows].T).max() <= slack for rows in blocks):
        warn(
            f"X is square and symmetric, has a zero diagonal and no negative entry, as distances of {len(X)} objects "
            f"have, and is read as {len(X)} vectors; if it holds distances, {way}, if weights of a graph, give "
            "affinities.from_graph(X) with input='probabilities'"
        )


def warn(text: str) -> None:
    """Warn at the line of the user that led here, so that each such line has its own warning.

    In the thread of a run there is none, and a line of Python's own module of threads would tell the user nothing.
    """
    frame, level = sys._getframe(), 1
    inside = ("notebook_sne", "sklearn")  # which wraps fit_transform and transform
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        frame, level = frame.f_back, level + 1
    if frame.f_globals.get("__name__") == "threading":
        warnings.warn_explicit(text, UserWarning, "notebook_sne", 0)
    else:
        warnings.warn(text, UserWarning, stacklevel=level)
