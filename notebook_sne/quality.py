"""How good is a map? Four numbers and a table, each of arrays alone, and none of them the cost that a model lowers.

- The hold-one-out kNN error asks whether objects lie among objects of their own class, the kNN confusion among those of
  which other class they lie if they do not.
- Neighbor recall asks how many nearest neighbors are still neighbors in the map.
- Trustworthiness asks the reverse, with ranks: whether neighbors in the map are near in the data.
- The Procrustes disparity asks whether two maps are the same picture, however turned, mirrored, moved or scaled.

An object without a label is of no class: the first two leave it out, as if it were not in the map. Neighbors are exact.
Of objects at the same distance the one with the lower number is the nearer, so that a map gives the same number on
every machine and with any number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.checks import LEAST_OBJECTS, check_count, check_dense_size, check_vectors
from notebook_sne.objects.labels import UNLABELED, sort_classes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["knn_error", "knn_confusion", "neighbor_recall", "trustworthiness", "procrustes_disparity"]

# The fast search forms squared distances as |x|^2 - 2xy + |y|^2 and so errs by some 1e-16 |x|^2. Whatever lies closer
# than this to a tie is decided anew by plain differences.
_TIE = 1e-12
# Objects that are decided anew at a time.
_CHUNK = 256


def knn_error(Y: ArrayLike, labels: ArrayLike, k: int = 1) -> float:
    """Return the share of objects whose class is not the one that their k nearest neighbors vote for.

    Parameters
    ----------
    Y : array-like, shape (N, d)
        Map points; or objects, to see what a map starts from.
    labels : array-like, shape (N,)
        The class of each object. Objects without one (None, NaN, pandas' NA, masked) are left out: they are not
        counted, and they do not vote.
    k : int, default=1
        Number of neighbors that vote, from 1 to below the number of labeled objects. No object votes for itself.

    Returns
    -------
    error : float
        From 0 to 1. Where classes have equally many votes, an object counts as the share of these that are wrong, so
        the error does not depend on what the classes are called.

    Raises
    ------
    ValueError
        If Y is not a finite array of at least 3 labeled objects, labels do not match it, or k is out of range.

    Examples
    --------
    >>> knn_error([[0, 0], [0, 1], [5, 5], [5, 6]], ["a", "a", "b", "b"])
    0.0
    """
    names, classes, nearest = _check_voters(Y, labels, k)
    wrong = 0.0
    for own, guesses in _votes(classes, nearest, len(names)):
        wrong += (1 - guesses[np.arange(len(own)), own]).sum()
    return float(wrong / len(classes))


def knn_confusion(Y: ArrayLike, labels: ArrayLike, k: int = 1) -> pd.DataFrame:
    """Count how often objects of one class are taken for another one by the vote of their k nearest neighbors.

    Parameters
    ----------
    Y : array-like, shape (N, d)
        Map points; or objects, to see what a map starts from.
    labels : array-like, shape (N,)
        The class of each object. Objects without one (None, NaN, pandas' NA, masked) are left out: they are not
        counted, and they do not vote.
    k : int, default=1
        Number of neighbors that vote, from 1 to below the number of labeled objects. No object votes for itself.

    Returns
    -------
    confusion : pandas.DataFrame
        A row for each true class, a column for each class that was guessed, both in natural order; the entries count
        objects, so that a row adds up to the size of its class. An object whose vote is tied is divided among the
        classes with equally many votes. What lies off the diagonal is the share `knn_error` of all objects. With one
        neighbor no vote is tied, and the counts are integers.

    Raises
    ------
    ValueError
        If Y is not a finite array of at least 3 labeled objects, labels do not match it, or k is out of range.

    Examples
    --------
    >>> knn_confusion([[0, 0], [0, 1], [0, 3], [5, 5], [5, 6]], ["a", "a", "b", "b", "b"])
    guessed  a  b
    class
    a        2  0
    b        1  2
    """
    import pandas as pd

    names, classes, nearest = _check_voters(Y, labels, k)
    counts = np.zeros((len(names), len(names)))
    for own, guesses in _votes(classes, nearest, len(names)):
        np.add.at(counts, own, guesses)
    if nearest.shape[1] == 1:
        counts = counts.astype(np.int64)
    return pd.DataFrame(counts, index=pd.Index(names, name="class"), columns=pd.Index(names, name="guessed"))


def neighbor_recall(X: ArrayLike, Y: ArrayLike, k: int = 10) -> float:
    """Return the share of the objects' k nearest neighbors in X that are among their k nearest in Y.

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects.
    Y : array-like, shape (N, d)
        Their map points.
    k : int, default=10
        Number of neighbors, 1 <= k < N.

    Returns
    -------
    recall : float
        From 0 to 1, the mean over objects; k / (N - 1) is what a random map has.

    Raises
    ------
    ValueError
        If X or Y is not a finite array of at least 3 objects, they differ in number, or k is out of range.
    """
    X, Y = _check_pair(X, Y, "X", "Y")
    k = _check_k(k, len(X) - 1, "N")
    both = np.sort(np.hstack([_neighbors(X, k), _neighbors(Y, k)]), axis=1)
    # No object is twice among the k of one space, so what stands there twice is in both.
    return float((both[:, 1:] == both[:, :-1]).sum() / (len(X) * k))


def trustworthiness(X: ArrayLike, Y: ArrayLike, k: int = 10) -> float:
    """Return how far the k nearest in the map can be trusted to be near in the data.

    A map point among the k nearest of another that is not among its k nearest in the data costs as many ranks as it
    comes too late there; 1 is no such cost.  [Venna and Kaski, 2001; scikit-learn's ``trustworthiness``]

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects, at most 10,000 of them: ranks are taken over all pairs.
    Y : array-like, shape (N, d)
        Their map points.
    k : int, default=10
        Number of neighbors, 1 <= k < N / 2.

    Returns
    -------
    trust : float
        From 0 to 1.

    Raises
    ------
    ValueError
        If X or Y is not a finite array of at least 3 objects, they differ in number or are too many, or k is out of
        range.
    """
    from sklearn.manifold import trustworthiness as of_scikit_learn

    X, Y = _check_pair(X, Y, "X", "Y")
    k = _check_k(k, (len(X) - 1) // 2, "N / 2")
    check_dense_size(len(X))
    return float(of_scikit_learn(X, Y, n_neighbors=k))


def procrustes_disparity(A: ArrayLike, B: ArrayLike) -> float:
    """Return how much of a map is left unexplained by another one that was moved, turned, mirrored and scaled to fit.

    Parameters
    ----------
    A, B : array-like, shape (N, d)
        Two maps of the same objects in the same order.

    Returns
    -------
    disparity : float
        From 0, the same picture, to 1: the sum of squared distances between points that belong together, both maps
        being scaled to a sum of squares of 1 about their centers.

    Raises
    ------
    ValueError
        If A or B is not a finite array of at least 3 objects, or their shapes differ.
    """
    from scipy.spatial import procrustes

    A, B = _check_pair(A, B, "A", "B")
    if A.shape != B.shape:
        raise ValueError(f"A and B must have the same shape, got {A.shape} and {B.shape}; map both to one dimension")
    # Rounding may leave a hair outside the range.
    return float(np.clip(procrustes(A, B)[2], 0.0, 1.0))


def _check_pair(A, B, a, b):
    A, B = check_vectors(A, a), check_vectors(B, b)
    if len(A) != len(B):
        raise ValueError(
            f"{a} and {b} must hold the same objects, got {len(A)} and {len(B)}; give one row for each object in both"
        )
    return A, B


def _check_voters(Y, labels, k):
    """Return the classes, and of each labeled object its class and its k nearest neighbors among these, (n, k)."""
    Y = check_vectors(Y, "Y")
    names, classes = sort_classes(labels, len(Y))
    labeled = classes != UNLABELED
    if not labeled.all():
        if labeled.sum() < LEAST_OBJECTS:
            raise ValueError(
                f"labels must name the classes of at least {LEAST_OBJECTS} objects, got those of {labeled.sum()}; "
                "the others are unlabeled and left out"
            )
        Y, classes = Y[labeled], classes[labeled]
    return names, classes, _neighbors(Y, _check_k(k, len(Y) - 1, "N"))


def _votes(classes, nearest, n_classes):
    """Yield, some objects at a time, their classes (R,) and the share of each that every class is guessed (R, C)."""
    for begin in range(0, len(classes), _CHUNK):
        own, some = classes[begin : begin + _CHUNK], classes[nearest[begin : begin + _CHUNK]]
        ballot = np.bincount(
            (np.arange(len(own))[:, None] * n_classes + some).ravel(), minlength=len(own) * n_classes
        ).reshape(-1, n_classes)
        winners = ballot == ballot.max(axis=1, keepdims=True)
        yield own, winners / winners.sum(axis=1, keepdims=True)


def _check_k(k, highest, rule):
    k = check_count("k", k, 1)
    if k > highest:
        raise ValueError(f"k must be below {rule}, so at most {highest}, got {k}; lower it, or give more objects")
    return k


def _neighbors(X, k):
    """Return the numbers of the k nearest other objects of each object, shape (N, k), in no particular order."""
    from sklearn.neighbors import NearestNeighbors

    from notebook_sne.machine.parallel import limited

    N = len(X)
    X = np.asarray(X, dtype=np.float64)
    if k == N - 1:
        everyone = np.broadcast_to(np.arange(N), (N, N))
        return everyone[~np.eye(N, dtype=bool)].reshape(N, k)
    centered = X - X.mean(axis=0)  # keeps |x|^2, and with it the rounding of the fast search, small
    with limited():
        distances, nearest = NearestNeighbors(n_neighbors=k + 1).fit(centered).kneighbors()
    squared = distances**2
    room = _TIE * (centered**2).sum(axis=1).max()
    doubtful = np.flatnonzero(squared[:, k] - squared[:, k - 1] <= room)
    nearest = nearest[:, :k]
    for begin in range(0, len(doubtful), _CHUNK):
        rows = doubtful[begin : begin + _CHUNK]
        nearest[rows] = _nearest_by_differences(X, rows, k)
    return nearest


def _nearest_by_differences(X, rows, k):
    """Return the k nearest others of some objects, shape (len(rows), k), lower numbers first where distances agree."""
    from scipy.spatial.distance import cdist

    D = cdist(X[rows], X, "sqeuclidean")
    D[np.arange(len(rows)), rows] = np.inf
    return np.argsort(D, axis=1, kind="stable")[:, :k]
