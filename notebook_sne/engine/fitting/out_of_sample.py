"""New objects at the edge of a fitted model: checks, the row of P of each, and their places, block by block."""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse

from notebook_sne.affinities.fuzzy import SmoothNeighbors
from notebook_sne.affinities.metrics import DIRECTIONS, distances_by, unit_vectors
from notebook_sne.affinities.neighbor_graphs import check_new_neighbors, few_neighbors
from notebook_sne.affinities.probabilities import at_perplexity, over_scales, warn_of_ties
from notebook_sne.engine.checks.arguments import (
    check_new_conditional,
    check_new_distances,
    check_new_vectors,
    list_objects,
)
from notebook_sne.engine.checks.numbers import check_given
from notebook_sne.engine.checks.scales import Scales, largest_of, scales_at
from notebook_sne.engine.fitting.inputs import MOST_SEARCHED_OBJECTS, _digest, least_share, refuse_sparse
from notebook_sne.engine.fitting.progress import progress_bar
from notebook_sne.engine.machine.parallel import check_workers, limited, threads
from notebook_sne.engine.mathematics.coincident import Coincident
from notebook_sne.engine.mathematics.distances import middle_of

__all__ = ["Origin", "place"]

_ENTRIES = 2_000_000  # of an array with a row for each new object of a block: 16 MB; a block has fewer than ten
_SPARE = 8  # candidates more, as the search rounds: among them, distances summed from differences decide
_FARTHEST = 1e150  # in units of the spread of the fitted objects: the square is still finite

_Rows = Callable[[np.ndarray], tuple[sparse.csr_array, Iterable[int]]]  # of a block: rows of P, and which are tied


class Origin(NamedTuple):
    """The data to which a model was fitted."""

    input: str
    digest: bytes | None  # of the vectors, which are the user's own array and may have been changed since
    metric: str = "euclidean"

    @classmethod
    def of(cls, input: str, objects: np.ndarray | None, metric: str = "euclidean") -> Self:
        """Return the Origin of a fit to `objects`, the vectors, or None under another input."""
        return cls(input, None if objects is None else _digest(objects), metric)


def place(model: Any, X: Any) -> list[Any]:
    """Return the places of new objects under a fitted model, block by block, as in `transform`, or `place` of maps."""
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model, "_origin")
    call = "place" if hasattr(type(model), "place") else "transform"
    input, memory, knobs = model._origin.input, model.state_.memory, model.state_.knobs
    perplexity = scales_at(memory.get("scales"), knobs.get("perplexity", model._width_of_new()))
    if input != "neighbors":
        X = check_given("X", X, 2 if input == "vectors" else None, where=f"{call}({{}})")
    N = model.affinities_.shape[1]
    least_p = knobs.get("least_p", least_share(N))  # as in the fit, smaller entries are left out
    with threads(check_workers(model.n_jobs)):
        if input == "vectors":
            X, n_entries, rows = _from_vectors(model, X, perplexity, least_p)
        elif input == "neighbors":
            X, n_entries, rows = _from_neighbors(X, N, perplexity, least_p)
        elif input == "distances":
            X, n_entries, rows = check_new_distances(X, N), N, _from_distances(perplexity, least_p)
        elif input == "probabilities":
            X, n_entries, rows = check_new_conditional(X, N), N, lambda P: (_without_small(P, least_p), [])
        else:
            raise ValueError(
                f"{call} needs p_{{j|i}} of each new object i and each fitted object j, which a joint P, "
                "input='joint', does not hold; fit to the conditional P with input='probabilities', "
                f"from which a model of a joint P makes its own, and give {call} rows of the same kind"
            )
        found, tied, step = [], [], max(1, _ENTRIES // n_entries)
        name = f"{type(model).__name__}, new objects"
        with progress_bar(model.progress, X.shape[0], name) as bar:
            for start in range(0, X.shape[0], step):
                block = slice(start, start + step)
                try:
                    P, ties = rows(X[block])
                except _Missed as missed:
                    raise ValueError(missed.message(start)) from None
                tied += [start + i for i in ties]
                found.append(model._places(P, knobs))
                bar.set_description(name, refresh=False)
                bar.update(P.shape[0])
    warn_of_ties(tied, perplexity, new="new ")
    return found


def _weights(D: np.ndarray, perplexity: Any, equal: Any) -> tuple[np.ndarray, Any]:
    """Return the rows of P of squared distances D, and which of them are tied; of UMAP none is."""
    if isinstance(perplexity, SmoothNeighbors):
        return perplexity.weights(np.sqrt(D)), []
    return at_perplexity(D, perplexity, equal)


def _n_neighbors(perplexity: Any) -> int:
    """Return how many fitted neighbors a new object needs."""
    return perplexity.n_neighbors if isinstance(perplexity, SmoothNeighbors) else math.ceil(3 * largest_of(perplexity))


def _least(perplexity: Any) -> float:
    """Return the number of neighbors than which a new object needs more."""
    return float(perplexity.n_neighbors - 1 if isinstance(perplexity, SmoothNeighbors) else largest_of(perplexity))


class _Missed(Exception):
    """Rows of a block that no P can be found for, and why."""

    def __init__(self, rows: np.ndarray, reason: str) -> None:
        self.rows, self.reason = rows, reason

    def message(self, start: int) -> str:
        return self.reason.format(objects=f"new {list_objects(self.rows + start)}")


def _without_small(P: Any, least_p: float) -> sparse.csr_array:
    """Return a CSR array without the entries below `least_p`; places are found from rows up to a factor."""
    P = sparse.csr_array(P, copy=True)
    P.data[P.data < least_p] = 0.0
    P.eliminate_zeros()
    return P


def _from_distances(perplexity: Scales | None, least_p: float) -> _Rows:
    """Return a function from distances of new objects to their rows of P, and which of these are tied."""
    from notebook_sne.engine.mathematics.perplexity import equal_share, squares_in_units

    def rows(D: np.ndarray) -> tuple[sparse.csr_array, Iterable[int]]:
        if perplexity is None:
            squares = np.square(D)
            P = np.exp(squares.min(axis=1, keepdims=True) - squares)
            return _without_small(P / P.sum(axis=1, keepdims=True), least_p), []
        largest = D.max(axis=1, keepdims=True)
        unit, equal = np.where(largest > 0, largest, 1.0), equal_share(D)
        P, tied = over_scales(perplexity, lambda one: _weights(squares_in_units(D, unit, _least(one)), one, equal))
        return _without_small(P, least_p), tied

    return rows


def _from_neighbors(X: Any, N: int, perplexity: Scales, least_p: float) -> tuple[Any, int, _Rows]:
    """Return the numbers of new objects, how many neighbors each has, and a function as that of `_from_distances`."""
    from notebook_sne.engine.mathematics.perplexity import equal_share, squares_in_units

    neighbors, D = check_new_neighbors(X, N)
    counts = (there := D < np.inf).sum(axis=1)
    perplexity = perplexity.for_counts(counts) if isinstance(perplexity, SmoothNeighbors) else perplexity
    if len(few := np.flatnonzero(counts <= _least(perplexity))):
        raise few_neighbors(_least(perplexity), int(counts[few[0]]), few)

    def rows(who: np.ndarray) -> tuple[sparse.csr_array, Iterable[int]]:
        here, distances = there[who], D[who]
        largest = np.where(here, distances, 0.0).max(axis=1, keepdims=True)
        unit, equal = np.where(largest > 0, largest, 1.0), equal_share(D)

        def found(one: Any) -> tuple[np.ndarray, Any]:
            return _weights(squares_in_units(distances, unit, _least(one)), one, equal)

        P, tied = over_scales(perplexity, found)
        pointers = np.concatenate([[0], np.cumsum(here.sum(axis=1))])
        P = sparse.csr_array((P[here], neighbors[who][here], pointers), shape=(len(who), N))
        return _without_small(P, least_p), tied

    return np.arange(len(D)), D.shape[1], rows


def _from_vectors(model: Any, X: Any, perplexity: Scales, least_p: float) -> tuple[np.ndarray, int, _Rows]:
    """Return new vectors, checked, how many distances each has, and a function as that of `_from_distances`."""
    from sklearn.utils.validation import validate_data

    from notebook_sne.engine.mathematics.neighbors import squares_between
    from notebook_sne.engine.mathematics.perplexity import equal_share

    objects = model.objects_
    if sparse.issparse(X) and not sparse.issparse(objects):
        refuse_sparse(X, "vectors", vectors_too=True)
    wanted = np.float64 if sparse.issparse(X) else [np.float64, np.float32]
    X = validate_data(model, X, reset=False, dtype=wanted, ensure_all_finite=False, accept_sparse="csr")
    X = check_new_vectors(X)
    if _digest(objects) != model._origin.digest:
        raise ValueError(
            "the array that the model was fitted to has been changed since, so that new objects cannot be measured "
            "against it; fit again, or give fit a copy: model.fit(X.copy())"
        )
    N = objects.shape[0]
    metric = model._origin.metric
    if metric in DIRECTIONS:
        X, objects = unit_vectors(X, metric), unit_vectors(objects, metric)
    elif metric != "euclidean":
        from_distances = _from_distances(perplexity, least_p)
        return X, N, lambda X: from_distances(distances_by(metric, X, objects))
    if sparse.issparse(objects):
        return sparse.csr_array(X), N, _from_sparse(objects, perplexity, least_p)
    Z, in_units = _units(objects)
    equal = equal_share(X, objects)
    if N <= MOST_SEARCHED_OBJECTS:

        def among_all(X: np.ndarray) -> tuple[sparse.csr_array, Iterable[int]]:
            P, tied = _weights(squares_between(in_units(X), Z), perplexity, equal)
            return _without_small(P, least_p), tied

        return X, N, among_all
    n_neighbors = min(N, _n_neighbors(perplexity))
    search = _Search(Z, n_neighbors)

    def rows(X: np.ndarray) -> tuple[sparse.csr_array, Iterable[int]]:
        neighbors, D = search(in_units(X))
        P, tied = _weights(D, perplexity, equal)
        pointers = np.arange(0, P.size + 1, n_neighbors)
        P = sparse.csr_array((P.ravel(), neighbors.ravel(), pointers), shape=(len(P), N))
        return _without_small(P, least_p), tied

    return X, n_neighbors, rows


def _from_sparse(objects: Any, perplexity: Scales, least_p: float) -> _Rows:
    """Return a function from new vectors, CSR as the fitted ones, to their rows of P, and which of these are tied."""
    from notebook_sne.affinities.sparse_distances import in_units, squares_between
    from notebook_sne.engine.mathematics.perplexity import equal_share

    Z, N = in_units(objects), objects.shape[0]
    unit = np.abs(objects.data).max(initial=0.0) or 1.0
    n_neighbors = N if N <= MOST_SEARCHED_OBJECTS else min(N, _n_neighbors(perplexity))

    def rows(X: Any) -> tuple[sparse.csr_array, Iterable[int]]:
        X = sparse.csr_array(X, copy=True)
        X.sum_duplicates()
        X.data /= unit
        D = squares_between(X, Z)
        if n_neighbors == N:
            P, tied = _weights(D, perplexity, equal_share(D))
            return _without_small(P, least_p), tied
        near = np.sort(np.argpartition(D, n_neighbors - 1, axis=1)[:, :n_neighbors], axis=1)
        P, tied = _weights(np.take_along_axis(D, near, axis=1), perplexity, equal_share(D))
        pointers = np.arange(0, P.size + 1, n_neighbors)
        return _without_small(sparse.csr_array((P.ravel(), near.ravel(), pointers), shape=D.shape), least_p), tied

    return rows


def _units(objects: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """Return fitted objects in units of their spread, as in a fit, and a function that takes new ones there."""
    Z = np.array(objects, dtype=np.float64, order="C")
    huge = max(1.0, _largest(Z) * 1e-100)
    Z /= huge
    middle = middle_of(Z)
    Z -= middle
    scale = _largest(Z)
    Z /= scale
    norms = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    far = norms > 1e3 * np.median(norms)
    # A few far objects draw the mean away from all others, whose inner products would then tell nothing.
    nearby = np.median(Z[~far], axis=0) if far.any() else np.zeros(Z.shape[1])
    Z -= nearby

    def in_units(X: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            X = (np.asarray(X, dtype=np.float64) / huge - middle) / scale - nearby
        beyond = np.flatnonzero(~(np.abs(X) < _FARTHEST).all(axis=1))
        if len(beyond):
            raise _Missed(
                beyond,
                f"{{objects}} must lie within {_FARTHEST:g} times the spread of the fitted objects; leave them out, or "
                "measure them in the same unit",
            )
        return X

    return Z, in_units


def _largest(X: np.ndarray) -> float:
    return max(X.max(), -X.min())  # of absolute values, without a copy of X


class _Search:
    """The exact nearest fitted objects of new ones."""

    def __init__(self, Z: np.ndarray, n_neighbors: int) -> None:
        from sklearn.neighbors import NearestNeighbors

        # Of many identical objects the first are as near as all of them, and the only ones that can be chosen.
        same = Coincident(Z, n_neighbors)
        self.asked = same.enough(_SPARE) if same.groups else None
        self.Z, self.n_neighbors = Z if self.asked is None else Z[self.asked], n_neighbors
        most = min(n_neighbors + _SPARE, len(self.Z))
        self.search = NearestNeighbors(n_neighbors=most, algorithm="brute").fit(self.Z)

    def __call__(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        from notebook_sne.engine.mathematics.neighbors import nearest_fitted

        with limited():
            candidates = self.search.kneighbors(X, return_distance=False)
        neighbors, D = nearest_fitted(X, self.Z, candidates, self.n_neighbors)
        return (neighbors if self.asked is None else self.asked[neighbors]), D
