"""Argument checks of the public functions. They raise, and never repair.

Each error names the argument, the rule, the value given and how to correct it. Data are checked once, in the public
function that takes them.

Longer than 300 lines because each kind of input has rules of its own, and each rule its way out.
"""

from collections.abc import Collection
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.engine.checks.numbers import (
    WrongTypeError,
    as_floats,
    canonical,
    check_given,
    is_finite,
    is_sparse,
    list_objects,
    show,
)
from notebook_sne.engine.checks.ranges import PERPLEXITY
from notebook_sne.engine.checks.rounding import not_negative, rounding_of

Choice = TypeVar("Choice")

__all__ = [
    "LEAST_OBJECTS",
    "MOST_DENSE_OBJECTS",
    "check_choice",
    "check_conditional",
    "check_count",
    "check_counts",
    "check_dense_size",
    "check_distances",
    "check_finite",
    "check_joint",
    "check_new_conditional",
    "check_new_distances",
    "check_new_vectors",
    "check_number",
    "check_perplexity",
    "check_vectors",
    "list_objects",
]

LEAST_OBJECTS = 3
MOST_DENSE_OBJECTS = 10_000
"""A dense P of this many objects fills 0.8 GB; a larger one is refused before memory is."""

_LONGEST = 1e150
_LARGEST_COUNT = 2**63 - 1  # what an index is


def check_number(name: str, value: Any, low: float, high: float = np.inf, *, closed: bool = True) -> float:
    """Return a float with low <= value < high (low < value if not closed)."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise WrongTypeError(f"{name} must be a number, got {show(value)}")
    number: Any = value  # of whatever kind: one too long for double precision is compared as it is
    if not (low <= number < high) or (number == low and not closed) or not is_finite(number):
        upper = f" < {high:g}" if high < np.inf else ""
        raise ValueError(
            f"{name} must satisfy {low:g} {'<=' if closed else '<'} {name}{upper} and be finite, got {show(value)}"
        )
    return float(value)


def check_count(name: str, value: Any, low: int) -> int:
    """Return an int of at least low."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise WrongTypeError(f"{name} must be a whole number, got {show(value)}")
    count = int(value)
    if count < low:
        raise ValueError(f"{name} must be at least {low}, got {show(value)}")
    if count > _LARGEST_COUNT:
        raise ValueError(f"{name} must be below 2**63, got {show(value)}; lower it")
    return count


def check_choice(name: str, value: Choice, choices: Collection[Any]) -> Choice:
    """Return value if it is one of choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {show(value)}")
    return value


def check_perplexity(perplexity: Any, n_objects: int) -> float:
    """Return the perplexity as a float that is in its range."""
    perplexity = check_number("perplexity", perplexity, PERPLEXITY.low, closed=PERPLEXITY.closed)
    if perplexity >= (end := PERPLEXITY.end_of(n_objects)):
        rule = f"perplexity must be below {PERPLEXITY.words} = {end}"
        raise ValueError(f"{rule}, got {perplexity:g}; lower it, or give more objects")
    return perplexity


def check_dense_size(n_objects: int) -> None:
    """Refuse a dense P that would fill the memory."""
    if n_objects > MOST_DENSE_OBJECTS:
        raise ValueError(
            f"a dense P of {n_objects} objects would take {8e-9 * n_objects**2:.1f} GB, and at most "
            f"{MOST_DENSE_OBJECTS} objects are allowed one; give neighbors, three times the perplexity or so, "
            "for a sparse P over the nearest neighbors"
        )


def check_finite(name: str, A: Any) -> None:
    """Raise a ValueError where an entry of A isn't finite."""
    values = A.data if is_sparse(A) else A
    bad = ~np.isfinite(values)
    if not bad.any():
        return
    where = np.column_stack([A.tocoo().row, A.tocoo().col])[bad] if is_sparse(A) else np.argwhere(bad)
    first = tuple(int(k) for k in where[0])
    kind = "NaN" if np.isnan(values[bad]).any() else "infinity"
    raise ValueError(
        f"{name} must be finite, but {name}[{', '.join(map(str, first))}] is {kind} (inf and NaN: {len(where)} entries "
        "in all); remove or fill in these entries"
    )


def check_vectors(X: Any, name: str = "X", *, may_be_sparse: bool = False) -> Any:
    """Return X, shape (N, n_features), as finite float64 or float32 that isn't constant; N >= 3.

    A sparse one, where it may be, is returned as CSR of float64; one that is square is refused, as it may be a graph.
    """
    from sklearn.utils import check_array

    X = check_given(name, X, 2)
    if is_sparse(X) and (not may_be_sparse or X.shape[0] == X.shape[1]):
        raise WrongTypeError(
            f"{name} must be a dense array, got a {type(X).__name__}; if it holds vectors, give {name}.toarray(), if "
            "it is a graph or counts of pairs, make a P of it with affinities.from_counts"
        )
    wanted = np.float64 if is_sparse(X) else [np.float64, np.float32]
    X = check_array(X, dtype=wanted, ensure_all_finite=False, input_name=name, accept_sparse="csr")
    check_finite(name, X)
    N = X.shape[0]
    if N < LEAST_OBJECTS:
        raise ValueError(f"{name} must hold at least {LEAST_OBJECTS} objects, got n_samples = {N}; give more objects")
    if is_sparse(X):
        X = canonical(X)
        constant = not (X.max(axis=0) != X.min(axis=0)).nnz
    else:
        constant = bool(np.all(X == X[0]))
    if constant:
        raise ValueError(f"{name} must not be constant: all {N} objects are the same; there is nothing to map")
    return X


def _matrix(name: str, A: Any, *, copy: bool = True) -> Any:
    if not is_sparse(A):
        return as_floats(name, A, copy=copy)
    from scipy import sparse  # data sets check their arguments here too, and are quick to import

    A = sparse.csr_array(check_given(name, A), dtype=np.float64, copy=True)
    A.sum_duplicates()
    return A


def _square_matrix(name: str, A: Any) -> tuple[Any, float]:
    """Return A, checked, as a matrix of its own, and what `rounding_of` says of it."""
    A = check_given(name, A)
    rounding, A = rounding_of(A), _matrix(name, A)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(
            f"{name} must be square, shape (N, N), got shape {A.shape}; objects by their features are input='vectors'"
        )
    if A.shape[0] < LEAST_OBJECTS:
        raise ValueError(
            f"{name} must hold at least {LEAST_OBJECTS} objects, got n_samples = {A.shape[0]}; give more objects"
        )
    check_finite(name, A)
    A = not_negative(name, A, rounding)
    diagonal = np.flatnonzero(A.diagonal() > rounding * A.max())
    if len(diagonal):
        raise ValueError(
            f"{name} must have a zero diagonal, as no object is its own neighbor, but it is not zero for "
            f"{list_objects(diagonal)}; set it to 0"
        )
    rounded = np.flatnonzero(A.diagonal())
    A[rounded, rounded] = 0.0
    return A, rounding


def _refuse_similarities(name: str, D: Any) -> None:
    """Refuse what is largest between an object and itself, where a distance is 0."""
    D = np.asarray(D)
    if D.ndim != 2 or D.shape[0] != D.shape[1] or D.dtype.kind not in "biuf" or not len(D):
        return
    own = D.diagonal()
    if (own > 0).all() and np.count_nonzero(D < own[:, None]) == D.size - len(D):
        raise ValueError(
            f"{name} must hold distances, which are 0 on the diagonal, but each object is as near to itself as "
            f"{name}[0, 0] = {own[0]:g} and less near to all others, as similarities are; set the diagonal to 0 and "
            f"give affinities.from_counts({name}), with input='probabilities'"
        )


def check_distances(D: Any, name: str = "D") -> Floats:
    """Return finite, non-negative distances, shape (N, N), with a zero diagonal; they need not be symmetric."""
    if is_sparse(D):
        raise WrongTypeError(
            f"{name} must be a dense array: in a sparse one, distances that are not stored would read as 0; if it has "
            "those of neighbors alone, as kneighbors_graph returns them, give it to a model with input='neighbors'"
        )
    D = check_given(name, D)
    n_objects = D.shape[0] if D.shape else 0
    if n_objects > MOST_DENSE_OBJECTS:
        raise ValueError(
            f"distances of {n_objects} objects would make a dense P of {8e-9 * n_objects**2:.1f} GB, and at most "
            f"{MOST_DENSE_OBJECTS} objects are allowed one; give vectors, or a sparse P of the nearest neighbors with "
            "input='probabilities'"
        )
    _refuse_similarities(name, D)
    D, _ = _square_matrix(name, D)
    if D.max() > _LONGEST:
        raise ValueError(
            f"{name} must not exceed {_LONGEST:g}, whose square is still finite, got {D.max():g}; rescale it"
        )
    if not D.any():
        raise ValueError(f"{name} must not be constant: all distances are 0; there is nothing to map")
    return D


def check_counts(C: Any, name: str = "C", *, may_be_empty: bool = False) -> Any:
    """Return finite, non-negative counts, shape (N, N), with a zero diagonal and no empty row unless allowed."""
    return _counts(name, C, may_be_empty)[0]


def _counts(name: str, C: Any, may_be_empty: bool = False) -> tuple[Any, float]:
    C, rounding = _square_matrix(name, C)
    with np.errstate(over="ignore"):
        totals = np.asarray(C.sum(axis=1)).ravel()
    if not np.isfinite(totals).all():
        over = list_objects(np.flatnonzero(~np.isfinite(totals)))
        raise ValueError(f"each row of {name} must have a finite sum, but that of {over} overflows; rescale it")
    empty = np.flatnonzero(totals == 0)
    if len(empty) and not may_be_empty:
        raise ValueError(
            f"each row of {name} must have a positive entry, but it is empty for {list_objects(empty)}; "
            "leave these objects out"
        )
    return C, rounding


def check_conditional(P: Any, name: str = "P") -> Any:
    """Return a conditional P, dense or CSR: rows sum to 1, diagonal 0."""
    P, rounding = _counts(name, P)
    sums = np.asarray(P.sum(axis=1)).ravel()
    off = np.flatnonzero(np.abs(sums - 1) > rounding)
    if len(off):
        way = "normalize rows with affinities.from_counts, or use input='joint' for a joint P"
        if abs(sums.sum() - 1) <= rounding:
            way = f"all of {name} sums to 1, as a joint P does: say input='joint'"
        raise ValueError(
            f"each row of a conditional {name} must sum to 1, but the row of object {off[0]} misses "
            f"that by {sums[off[0]] - 1:+.3g} ({len(off)} such rows); {way}"
        )
    return P


def check_joint(P: Any, name: str = "P") -> Any:
    """Return a joint P, dense or CSR: symmetric, sums to 1, diagonal 0; an isolated object has an empty row."""
    P, rounding = _counts(name, P, may_be_empty=True)
    total = P.sum()
    if abs(total - 1) > rounding:
        raise ValueError(
            f"a joint {name} must sum to 1, but it misses that by {total - 1:+.3g}; "
            "make it with affinities.joint, or use input='probabilities' for a conditional P"
        )
    gap = abs(P - P.T).max()
    if gap > rounding * abs(P).max():
        raise ValueError(
            f"a joint {name} must be symmetric, but {name}[i, j] and {name}[j, i] differ by up to {gap:.3g}; "
            f"make it with affinities.joint, or give its rows, affinities.from_counts({name}), with "
            "input='probabilities'"
        )
    return P


def check_new_vectors(X: Any, name: str = "X") -> Array:
    """Return vectors of new objects, shape (n, n_features), as they are, if they are finite."""
    check_finite(name, X)
    return X


def check_new_distances(D: Any, n_objects: int, name: str = "X") -> Floats:
    """Return finite, non-negative distances of new objects to the fitted ones, shape (n, N)."""
    if is_sparse(D):
        raise WrongTypeError(
            f"{name} must be a dense array: in a sparse one, distances that are not stored would read as 0; if it has "
            "those of neighbors alone, fit to neighbors, too, with input='neighbors'"
        )
    D, _ = _new_rows(name, D, n_objects, "the distance of each new object to each fitted one")
    if D.max() > _LONGEST:
        raise ValueError(
            f"{name} must not exceed {_LONGEST:g}, whose square is still finite, got {D.max():g}; rescale it"
        )
    return D


def check_new_conditional(P: Any, n_objects: int, name: str = "X") -> Any:
    """Return p_{j|i} of new objects i and fitted objects j, shape (n, N), dense or CSR: rows sum to 1."""
    P, rounding = _new_rows(name, P, n_objects, "p_{j|i} of each new object i and each fitted object j")
    with np.errstate(over="ignore"):
        sums = np.asarray(P.sum(axis=1)).ravel()
    off = np.flatnonzero(~(np.abs(sums - 1) <= rounding))
    if len(off):
        raise ValueError(
            f"each row of {name} must sum to 1, as it holds the choices of a new object, but that of new object "
            f"{off[0]} misses it by {sums[off[0]] - 1:+.3g} ({len(off)} such rows); divide each row by its sum"
        )
    return P


def _new_rows(name: str, A: Any, n_objects: int, meaning: str) -> tuple[Any, float]:
    A = check_given(name, A)
    rounding, A = rounding_of(A), _matrix(name, A, copy=False)
    if A.ndim != 2 or A.shape[1] != n_objects or not A.shape[0]:
        raise ValueError(
            f"{name} must hold {meaning}, shape (n, N) with N = {n_objects} and n at least 1, got shape {A.shape}"
        )
    check_finite(name, A)
    return not_negative(name, A, rounding), rounding
