"""From the input of a model to the sparse P of its cost.

Longer than 300 lines because what "auto" and several perplexities mean depends on the input, which is read here.
"""

import functools
import hashlib
import logging
import math
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from notebook_sne.affinities import fuzzy, probabilities
from notebook_sne.affinities.metrics import DIRECTIONS, distances_by, unit_vectors
from notebook_sne.affinities.nearest import Approximate
from notebook_sne.affinities.neighbor_graphs import check_neighbor_graph
from notebook_sne.engine.checks.arguments import check_conditional, check_distances, check_joint, check_vectors
from notebook_sne.engine.checks.numbers import WrongTypeError, show
from notebook_sne.engine.checks.rounding import ROUNDING
from notebook_sne.engine.checks.scales import AUTO, MULTISCALE, Scales, check_scales, given_scales, largest_of

__all__ = [
    "INPUTS",
    "LEAST_P",
    "MOST_SEARCHED_OBJECTS",
    "Target",
    "check_input",
    "check_neighbors",
    "in_use",
    "largest_scale",
    "least_share",
    "measured",
    "perplexity_for",
    "refuse_pairs",
    "refuse_probabilities",
    "refuse_sparse",
    "target",
    "umap_target",
]

_log = logging.getLogger(__name__)

INPUTS = ("vectors", "distances", "neighbors", "probabilities", "joint")

# Up to this many objects P is searched over all pairs; above, over three times the perplexity nearest neighbors.
MOST_SEARCHED_OBJECTS = 2000

# Above this, neighbors="auto" takes approximate ones, which are found in half of the time or less.
MOST_EXACT_OBJECTS = 30_000
RECALL = 0.99  # share of the neighbors that it wants to be found

# Of more objects, "multiscale" goes up to as large a perplexity as leaves P so many entries, or 32 neighbors each.
_MOST_ENTRIES, _LEAST_NEIGHBORS = 2**24, 3 * 32

PERPLEXITY = 30.0
"""What the perplexity "auto" is; at most (N - 1) / 3, and `SHARE_OF_NEIGHBORS` of how many neighbors are given."""

SHARE_OF_NEIGHBORS = 2 / 3
_LEAST_PERPLEXITY = 1.25  # above 1, as each is, and below the two thirds of two neighbors

LEAST_P = 1e-6
"""Share of a row's mass below which an entry of P is left out, where nobody says otherwise."""


def least_share(n_objects: int) -> float:
    """Return `LEAST_P`, or of half a million objects and more what is below 1 / N, as such a share must be."""
    return min(LEAST_P, 0.5 / n_objects)


def perplexity_for(perplexity: Any, X: Any, input: str) -> Any:
    """Return what a perplexity of "auto" stands for with a checked X; any other one as it is.

    Of given neighbors, the usual number counts: an object with far fewer is refused, as under any perplexity.
    """
    if not isinstance(perplexity, str) or perplexity != AUTO:
        return perplexity
    fits = max(_LEAST_PERPLEXITY, min(PERPLEXITY, (X.shape[0] - 1) / 3))
    if input in ("probabilities", "joint"):  # which have been made
        return PERPLEXITY
    if input != "neighbors":
        # Of three objects even the least perplexity is too large, of which another warning tells.
        if fits < PERPLEXITY and 3 * fits <= X.shape[0]:
            probabilities.warn(
                f"perplexity is {fits:.3g}, a third of the other objects, with these {X.shape[0]}, where 'auto' is "
                f"{PERPLEXITY:g} with 91 or more; give more objects, or a perplexity"
            )
        return fits
    few = SHARE_OF_NEIGHBORS * float(np.median(np.diff(X.indptr)))
    return max(_LEAST_PERPLEXITY, min(fits, few))


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Target:
    """The P to which a model is fitted, shape (N, N); for a method without a P, the data of its cost.

    Neighbors of `tied` objects that are nearest, all at one distance, share their mass.
    """

    P: Any  # CSR, conditional or joint, as the model wants it
    dropped_mass: float  # share of the mass that was left out with small entries
    tied: np.ndarray  # int: objects with more nearest neighbors at one distance than the perplexity asks for
    recall: float = 1.0  # share of the nearest neighbors that were found, measured on a sample; 1 where all were


def refuse_sparse(X: Any, input: str, *, vectors_too: bool = False) -> None:
    """Raise a TypeError where X is a sparse matrix that can't be what `input` says: of vectors, a square one."""
    if not sparse.issparse(X):
        return
    if input == "distances":
        check_distances(X, "X")
    if input == "vectors" and (vectors_too or X.shape[0] == X.shape[1]):
        raise WrongTypeError(
            "X must be dense with input='vectors', got a sparse matrix; if it is a P, say input='probabilities' "
            "or input='joint', if it is a graph or counts of pairs, give affinities.from_counts(X) with "
            "input='probabilities', if it holds vectors, give X.toarray()"
        )


def refuse_probabilities(X: Any, P: Any, input: str, convention: str) -> None:
    """Raise a TypeError where X holds a P, and `input` or the model's convention isn't that of this P."""
    joint = bool(abs(P.sum() - 1.0) < 0.5)  # a conditional P sums to N
    right = "joint" if joint else "probabilities"
    if input == right and not (joint and convention == "conditional"):
        return
    way = f"say input={right!r}"
    if joint and (convention == "conditional" or probabilities.asymmetry(P) > ROUNDING):
        way = "give its rows, affinities.from_counts(X.P), with input='probabilities'"
    raise WrongTypeError(
        f"X must hold what input={input!r} names, got a {type(X).__name__}, which holds a "
        f"{'joint' if joint else 'conditional'} P; {way}"
    )


def refuse_pairs(X: Any) -> None:
    """Raise a ValueError where X, said to be vectors, is a P, and warn where it looks like distances."""
    if not probabilities.may_be_pairs(X):
        return
    with np.errstate(over="ignore"):
        sums = X.sum(axis=1)
    if np.allclose(sums, 1.0) or (np.isclose(sums.sum(), 1.0) and np.allclose(X, X.T)):
        raise ValueError(
            "X looks like a P (square, a zero diagonal, rows or all of it summing to 1), got input='vectors'; "
            "say input='probabilities' or input='joint'"
        )
    probabilities.warn_of_distances(X, "say input='distances'")


def check_input(X: Any, input: str) -> Any:
    """Return X checked under the convention that `input` names."""
    checks: dict[str, Callable[..., Any]] = {
        "vectors": functools.partial(check_vectors, may_be_sparse=True),
        "distances": check_distances,
        "neighbors": check_neighbor_graph,
        "probabilities": check_conditional,
        "joint": check_joint,
    }
    return checks[input](X, "X")


def check_neighbors(neighbors: Any) -> float:
    """Return the recall that `neighbors` asks for: 1 for exact ones, and 0 for what the number of objects decides."""
    if isinstance(neighbors, str) and neighbors in ("auto", "exact"):
        return 0.0 if neighbors == "auto" else 1.0
    if isinstance(neighbors, bool) or not isinstance(neighbors, float | np.floating) or not 0.5 <= neighbors < 1.0:
        raise ValueError(
            "neighbors must be 'auto', 'exact' or the share of them to be found, 0.5 <= neighbors < 1, got "
            f"{show(neighbors)}; how many there are follows from the perplexity, three times as many"
        )
    return float(neighbors)


# What some run pulls with now. A run that goes on under another model of the family, or goes back, finds its P here
# instead of searching for it anew; with the last run that uses it, it goes.
_in_use: "weakref.WeakValueDictionary[tuple[Any, ...], Target]" = weakref.WeakValueDictionary()


def target(
    X: Any,
    input: str,
    perplexity: Any,
    convention: str,
    least_p: float | None = None,
    recall: float = 0.0,
    metric: str = "euclidean",
) -> Target:
    """Return the Target of a checked X; the very one that is in use already, if there is one of the same data.

    X is as `check_input`, `recall` as `check_neighbors` and `metric` as `check_metric` return it; `input` is one of
    `INPUTS`; the convention, "conditional" or "joint", is that of the model's Q. The perplexity, one or several or
    "multiscale", isn't used with probabilities; None, with distances only, takes these in their own unit. `least_p` is
    the share of a row's mass below which an entry is left out, 0 <= least_p < 1 / N; None for a millionth.
    """
    least_p = least_share(X.shape[0]) if least_p is None else least_p
    perplexity = _scales(X, input, perplexity)

    def make() -> Target:
        began = time.perf_counter()
        made = _make(X, input, perplexity, least_p, convention, recall, metric)
        made.P.sum_duplicates()  # sorts, too: nobody will have to write to it
        for part in (made.P.data, made.P.indices, made.P.indptr):
            part.flags.writeable = False  # it may serve several runs
        seconds = time.perf_counter() - began
        _log.info("P of %d objects from %s holds %d pairs, made in %.2f s", X.shape[0], input, made.P.nnz, seconds)
        return made

    return in_use(X, (input, perplexity, least_p, recall, metric, convention), make)


def umap_target(X: Any, input: str, n_neighbors: Any, least_p: float | None, recall: float, metric: str) -> Target:
    """Return the Target of a checked X whose P is UMAP's graph over its sum; all else is as for `target`."""
    least_p = least_share(X.shape[0]) if least_p is None else least_p

    def make() -> Target:
        mu, found = umap_graph(X, input, n_neighbors, recall, metric)
        mu.data /= mu.sum()
        P, dropped_mass = probabilities.drop_small(mu, least_p, whole=True)
        for part in (P.data, P.indices, P.indptr):
            part.flags.writeable = False
        return Target(P, dropped_mass, np.empty(0, np.int64), found)

    return in_use(X, ("umap", input, repr(n_neighbors), least_p, recall, metric), make)


def umap_graph(X: Any, input: str, n_neighbors: Any, recall: float, metric: str) -> tuple[Any, float]:
    """Return the weights of UMAP's graph of a checked X, CSR, and the share of the neighbors that was found."""
    graph = X if input == "neighbors" and n_neighbors == fuzzy.AUTO else None
    n_neighbors = fuzzy.check_n_neighbors(n_neighbors, X.shape[0], graph=graph)
    X, input = measured(X, input, metric)
    if input == "vectors":
        wanted = recall or (1.0 if X.shape[0] <= MOST_EXACT_OBJECTS else RECALL)
        return fuzzy.of_vectors(X, n_neighbors, wanted)
    return (fuzzy.of_distances if input == "distances" else fuzzy.of_graph)(X, n_neighbors), 1.0


def measured(X: Any, input: str, metric: str) -> tuple[Any, str]:
    """Return a checked X as its metric has it, and what it is then, vectors or distances."""
    if metric in DIRECTIONS:
        return unit_vectors(X, metric), input
    return (X, input) if metric == "euclidean" else (distances_by(metric, X), "distances")


def in_use(X: Any, how: tuple[Any, ...], make: Callable[[], Target]) -> Target:
    """Return the Target of X that is in use already, made as `how` says, or the one that `make` makes now."""
    key = (_digest(X), *how)
    if (made := _in_use.get(key)) is None:
        made = _in_use[key] = make()
    else:
        _log.debug("P of %d objects is in use already, and is used again", X.shape[0])
    return made


def _most_neighbors(X: Any, input: str) -> int | None:
    """Return how many neighbors of each object "multiscale" may look at; None where all pairs are searched."""
    if input == "neighbors":
        return int(np.diff(X.indptr).min())
    if input != "vectors" or (N := X.shape[0]) <= MOST_SEARCHED_OBJECTS:
        return None
    return min(N - 1, max(_LEAST_NEIGHBORS, _MOST_ENTRIES // N))


def _scales(X: Any, input: str, perplexity: Any) -> Any:
    """Return several perplexities, checked, in rising order; anything else as it is, as other checks know it."""
    if input not in ("vectors", "distances", "neighbors") or (given := given_scales(perplexity)) is None:
        return perplexity
    return check_scales(given, X.shape[0], _most_neighbors(X, input) if given == MULTISCALE else None)


def largest_scale(X: Any, input: str, perplexity: Any) -> Any:
    """Return the largest of several perplexities, which is the knob of a run; anything else as it is."""
    return largest_of(_scales(X, input, perplexity))


def _make(
    X: Any, input: str, perplexity: Scales | None, least_p: float, convention: str, recall: float, metric: str
) -> Target:
    if input == "joint":
        if convention == "conditional":
            raise ValueError(
                "input='joint' does not fit this model, which models a conditional P; "
                "give the conditional P with input='probabilities', or use a joint model such as SymmetricSNE"
            )
        P, dropped_mass = probabilities.drop_small(sparse.csr_array(X, copy=True), least_p, whole=True)
        return Target(P, dropped_mass, np.empty(0, np.int64))
    chosen = (
        _in_use.get((_digest(X), input, perplexity, least_p, recall, metric, "conditional"))
        if convention == "joint"
        else None
    )
    if chosen is not None:
        return Target(probabilities.average(chosen.P), chosen.dropped_mass, chosen.tied, chosen.recall)
    approximate = None
    X, input = measured(X, input, metric)
    if input == "vectors":
        neighbors = None
        if (N := X.shape[0]) > MOST_SEARCHED_OBJECTS:
            neighbors = min(N - 1, math.ceil(3 * largest_of(check_scales(perplexity, N))))
            wanted = recall or (1.0 if N <= MOST_EXACT_OBJECTS else RECALL)
            approximate = Approximate(wanted) if wanted < 1.0 and not sparse.issparse(X) else None
            how = "exactly" if approximate is None else f"{approximate.wanted:g} of them"
            _log.info("searching %d neighbors of each of %d objects, %s", neighbors, N, how)
        P, tied = probabilities.conditional_and_ties(X, perplexity, neighbors, approximate)
    elif input == "distances":
        P, tied = probabilities.from_distances_and_ties(X, perplexity)
    elif input == "neighbors":
        P, tied = probabilities.from_neighbor_graph_and_ties(X, perplexity)
    else:
        P, tied = X, np.empty(0, np.int64)
    P, dropped_mass = probabilities.drop_small(sparse.csr_array(P, copy=P is X), least_p)  # the run keeps its X
    found = 1.0 if approximate is None else approximate.recall
    return Target(P if convention == "conditional" else probabilities.average(P), dropped_mass, tied, found)


def _digest(X: Any) -> bytes:
    """Return what tells data apart, at a gigabyte a second; an array that was changed in place is another one."""
    parts = (X.data, X.indices, X.indptr) if sparse.issparse(X) else (X,)
    digest = hashlib.blake2b(str([(X.shape, part.dtype) for part in parts]).encode(), digest_size=16)
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return digest.digest()
