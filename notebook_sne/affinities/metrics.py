"""Distances other than the Euclidean one, by their names in scikit-learn and SciPy.

Cosine and correlation are Euclidean distances of unit vectors, so that they can use all methods for vectors: neighbors
by search, any number of objects, new objects. With theta the angle between two vectors, for the correlation after each
has lost its mean,

.. math:: |u - v|^2 = 2 (1 - cos theta),   u = x / |x|,   v = z / |z|

All others are measured between all pairs, for as many objects as a dense P allows. P takes squares of all these
distances: for cosines therefore exp(-b (1 - cos theta)), while packages that square the usual cosine distance, 1 - cos
theta, have exp(-b (1 - cos theta)^2).
"""

import difflib
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arguments import MOST_DENSE_OBJECTS
from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.engine.checks.numbers import is_sparse, list_objects, show
from notebook_sne.engine.checks.rounding import ROUNDING, not_negative
from notebook_sne.engine.machine.parallel import one_thread

__all__ = [
    "DIRECTIONS",
    "METRICS",
    "OF_SPARSE",
    "PRECOMPUTED",
    "check_metric",
    "distances_by",
    "input_of",
    "unit_vectors",
]

DIRECTIONS = ("cosine", "correlation")
_OF_NUMBERS = (
    "manhattan", "cityblock", "l1", "chebyshev", "canberra", "braycurtis", "hamming", "haversine", "jensenshannon",
)  # fmt: skip
_OF_SETS = ("jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
_SCALED = ("seuclidean", "mahalanobis")
_EUCLIDEAN = ("euclidean", "l2", "minkowski")  # scikit-learn's power is 2, if nobody says another
OF_SPARSE = (*_EUCLIDEAN, "cosine", "manhattan", "cityblock", "l1")
"""Those that measure sparse vectors."""
METRICS = (*_EUCLIDEAN, *DIRECTIONS, *_OF_NUMBERS, *_SCALED, *_OF_SETS)
"""What `metric` may be called."""

# What is no multiple of this is rounding: vectors of one direction and of different lengths are to be the same.
_GRAIN = 2.0**-40
PRECOMPUTED = "precomputed"
"""What scikit-learn calls a metric that leaves nothing to measure."""

_ROUNDED = 1.0 + 1e-6  # a right angle in single precision is more than one
_OTHERS = {"sqeuclidean": "it is no distance but the square of one, which P takes of 'euclidean' by itself"}


def input_of(model: Any, X: Any = None) -> str:
    """Return what X is to a model: its `input`, or what ``metric="precomputed"`` says, as in scikit-learn.

    These are all distances, or in a sparse X those of neighbors.
    """
    input = getattr(model, "input", "vectors")
    metric = getattr(model, "metric", None)
    if input != "vectors" or not isinstance(metric, str) or metric != PRECOMPUTED:
        return input
    return "neighbors" if is_sparse(X) else "distances"


def check_metric(metric: Any, input: str) -> Any:
    """Return the metric, "euclidean" under any name, if it is one and fits what X is, as `input_of` tells."""
    if callable(metric) and input == "vectors":
        return metric
    if isinstance(metric, str) and metric == PRECOMPUTED:
        if input not in ("vectors", "distances"):
            raise ValueError(
                f"metric='precomputed' is another name of input='distances', got input={input!r}; leave out one of them"
            )
        return "euclidean"
    if not callable(metric) and (not isinstance(metric, str) or metric not in METRICS):
        way = _OTHERS.get(metric) if isinstance(metric, str) else None
        near = difflib.get_close_matches(str(metric), METRICS, n=1)
        way = way or (f"did you mean {near[0]!r}? Any other distance is given with input='distances'" if near else None)
        way = way or "any other distance is given with input='distances'"
        raise ValueError(f"metric must be one of {', '.join(map(repr, METRICS))}, got {show(metric)}; {way}")
    if metric in _EUCLIDEAN:
        return "euclidean"
    if input != "vectors":
        raise ValueError(
            f"metric must be 'euclidean' with input={input!r}, which leaves nothing to measure, got {metric!r}; leave "
            "it out"
        )
    return metric


def unit_vectors(X: Any, metric: str, name: str = "X") -> Any:
    """Return vectors of length 1 with the directions of X; for a correlation, of X less the mean of each row.

    X, dense or sparse, shape (N, n_features), is checked; Euclidean distances of the vectors are to tell the metric,
    "cosine" or "correlation". `name` is what to call X in an error: a ValueError if a vector has no direction; or for a
    correlation, which leaves no entry 0, if X is sparse.
    """
    if is_sparse(X):
        from scipy import sparse

        if metric == "correlation":
            raise ValueError(
                f"metric='correlation' needs a dense {name}, as no entry stays 0 once a row has lost its mean; use "
                f"metric='cosine', or give {name}.toarray()"
            )
        U = sparse.csr_array(X, dtype=np.float64, copy=True)
        U.sum_duplicates()
        rows = np.repeat(np.arange(U.shape[0]), np.diff(U.indptr))
        largest = np.zeros(U.shape[0])
        np.maximum.at(largest, rows, np.abs(U.data))
        _refuse_none(largest == 0, metric, name)
        U.data /= largest[rows]  # whose squares neither overflow nor vanish
        U.data /= np.sqrt(np.bincount(rows, weights=np.square(U.data), minlength=U.shape[0]))[rows]
        U.data[:] = np.round(U.data / _GRAIN) * _GRAIN
        return U
    U = np.array(X, dtype=np.float64)
    largest = np.abs(U).max(axis=1, keepdims=True)
    U /= np.where(largest > 0, largest, 1.0)
    if metric == "correlation":
        U -= U.mean(axis=1, keepdims=True)
        U[np.abs(U).max(axis=1) < 16 * np.finfo(X.dtype if X.dtype.kind == "f" else float).eps] = 0.0  # was constant
    lengths = np.sqrt(np.einsum("ij,ij->i", U, U))
    _refuse_none(lengths == 0, metric, name)
    U /= lengths[:, None]
    if X.dtype == np.float32:
        return U.astype(np.float32)
    return np.round(U / _GRAIN) * _GRAIN


def _refuse_none(without: Array, metric: str, name: str) -> None:
    if without.any():
        what = "are not 0 everywhere" if metric == "cosine" else "are not the same number everywhere"
        raise ValueError(
            f"metric={metric!r} needs rows of {name} that {what}, so that they have a direction, but there is "
            f"none for {list_objects(np.flatnonzero(without))}; leave these objects out"
        )


def distances_by(metric: Any, X: Any, Z: Any = None) -> Floats:
    """Return distances between the objects of X, shape (N, N), or from X to Z, shape (n, N).

    Raises a ValueError if there are too many objects, or the metric can't measure some of them.
    """
    from scipy.spatial.distance import cdist
    from sklearn.metrics import pairwise_distances

    given = [X] if Z is None else [X, Z]
    if X.shape[0] > MOST_DENSE_OBJECTS and Z is None:
        raise ValueError(
            f"metric={metric!r} is measured between all pairs, of at most {MOST_DENSE_OBJECTS} objects, got "
            f"{X.shape[0]}; use 'euclidean', 'cosine' or 'correlation', or search for neighbors and give these with "
            "input='neighbors', as sklearn.neighbors.KNeighborsTransformer does"
        )
    if any(map(is_sparse, given)) and metric not in OF_SPARSE:
        raise ValueError(
            f"metric={metric!r} needs a dense X, got a sparse one; use 'euclidean', 'cosine' or 'manhattan', or give "
            "X.toarray()"
        )
    if metric in _OF_SETS:
        for A in given:
            if not np.isin(A, (0, 1)).all():
                raise ValueError(
                    f"metric={metric!r} needs an X of 0 and 1, as it compares sets; give X > 0, or the like"
                )
        given = [A.astype(bool) for A in given]
    if metric == "haversine":
        for A in given:
            _check_angles(A)
    with np.errstate(all="ignore"):
        if metric in (*_SCALED, "jensenshannon"):  # which scikit-learn measures not at all, or not for new objects
            D = cdist(given[0], given[-1], metric, **_spread(given[-1], metric))
        else:
            D = np.asarray(pairwise_distances(*given, metric=metric), dtype=np.float64)
    if metric == "mahalanobis":
        D[np.isnan(D)] = 0.0  # the root of what is 0 but for rounding
    if Z is None:
        np.fill_diagonal(D, 0.0)
    bad = np.flatnonzero(~np.isfinite(D).all(axis=1))
    if len(bad):
        raise ValueError(
            f"metric={metric!r} gives no distance for {list_objects(bad)}, as where all entries are 0; leave these out"
        )
    return not_negative(f"the distances by metric={show(metric)}", D, ROUNDING)


def _spread(X: Any, metric: str) -> dict[str, Floats]:
    """Return the spread of the objects of a fit, in whose units SciPy measures; what is nowhere tells nothing apart."""
    X = np.asarray(X, np.float64)
    if metric == "seuclidean":
        V = X.var(axis=0, ddof=1)
        return {"V": np.where(V > 0, V, 1.0)}
    if metric == "mahalanobis":
        with one_thread():
            V = np.atleast_2d(np.cov(X, rowvar=False))
            return {"VI": np.linalg.pinv(V, rcond=len(V) * np.finfo(float).eps, hermitian=True)}
    return {}


def _check_angles(X: Any) -> None:
    """Refuse what is not latitude and longitude in radians; of degrees, those that are as small as these pass."""
    if X.shape[1] != 2:
        raise ValueError(
            f"metric='haversine' needs latitude and longitude, in radians, got {X.shape[1]} features; give these two"
        )
    angles = np.abs(np.asarray(X, dtype=np.float64))
    beyond = np.argwhere(angles > np.array([np.pi / 2, 2 * np.pi]) * _ROUNDED)
    if not len(beyond):
        return
    latitude, longitude = angles.max(axis=0)
    if latitude <= 2 * np.pi * _ROUNDED and longitude <= np.pi / 2 * _ROUNDED:
        way = "give X[:, ::-1] if longitude stands first"
    elif latitude > 90 and longitude <= 90:
        way = "give numpy.radians(X[:, ::-1]) if these are degrees, longitude first"
    else:
        way = "give numpy.radians(X) if these are degrees, latitude first"
    i, k = (int(place) for place in beyond[0])
    raise ValueError(
        "metric='haversine' needs latitude and longitude in radians, at most pi / 2 and 2 pi, in this order, but "
        f"X[{i}, {k}] is {np.asarray(X)[i, k]:g} ({len(beyond)} such entries); {way}"
    )
