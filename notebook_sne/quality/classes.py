"""Do objects lie among objects of their own class?

- The hold-one-out kNN error counts the objects that don't.
- The kNN confusion shows among which other class they lie.

An object without a label has no class: both leave it out, as if it weren't in the map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import LEAST_OBJECTS, check_vectors
from notebook_sne.engine.objects.labels import UNLABELED, sort_classes
from notebook_sne.engine.objects.named import in_order_of
from notebook_sne.quality.neighbors import check_k, neighbors

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["errors_of_each", "knn_confusion", "knn_error"]

# Objects that vote at a time.
_CHUNK = 256


def knn_error(Y: ArrayLike, labels: ArrayLike, k: int = 1) -> float:
    """Return the share of objects whose class isn't the one that their k nearest neighbors vote for.

    Parameters
    ----------
    Y : array-like, shape (N, d)
        Map points; or objects, to compare a map with its data.
    labels : array-like, shape (N,)
        The class of each object. Objects without one (None, NaN, pandas' NA, masked) are left out: they aren't
        counted, and they don't vote.
    k : int, default=1
        Number of neighbors that vote, from 1 to below the number of labeled objects. No object votes for itself.

    Returns
    -------
    error : float
        From 0 to 1. If classes have equally many votes, an object counts as the share of these that are wrong, so that
        the error doesn't depend on the names of the classes.

    Raises
    ------
    ValueError
        If Y isn't a finite array of at least 3 labeled objects, labels don't match it, or k is out of range.

    Examples
    --------
    >>> knn_error([[0, 0], [0, 1], [5, 5], [5, 6]], ["a", "a", "b", "b"])
    0.0
    """
    names, classes, nearest, _ = _check_voters(Y, labels, k)
    wrong = 0.0
    for own, guesses in _votes(classes, nearest, len(names)):
        wrong += (1 - guesses[np.arange(len(own)), own]).sum()
    return float(wrong / len(classes))


def errors_of_each(Y, labels, k):
    """Return the share of wrong votes for each object, shape (N,), as `knn_error` counts them; NaN without a label."""
    names, classes, nearest, labeled = _check_voters(Y, labels, k)
    wrong = [1 - guesses[np.arange(len(own)), own] for own, guesses in _votes(classes, nearest, len(names))]
    errors = np.full(len(labeled), np.nan)
    errors[labeled] = np.concatenate(wrong)
    return errors


def knn_confusion(Y: ArrayLike, labels: ArrayLike, k: int = 1) -> pd.DataFrame:
    """Count how often the vote of their k nearest neighbors takes objects of one class for another class.

    Parameters
    ----------
    Y : array-like, shape (N, d)
        Map points; or objects, to compare a map with its data.
    labels : array-like, shape (N,)
        The class of each object. Objects without one (None, NaN, pandas' NA, masked) are left out: they aren't
        counted, and they don't vote.
    k : int, default=1
        Number of neighbors that vote, from 1 to below the number of labeled objects. No object votes for itself.

    Returns
    -------
    confusion : pandas.DataFrame
        A row for each true class and a column for each guessed class, both in natural order; the entries count objects,
        so that a row adds up to the size of its class. An object with a tied vote is divided among the classes with
        equally many votes. The counts off the diagonal are the share `knn_error` of all objects. With one neighbor, no
        vote is tied, and the counts are integers.

    Raises
    ------
    ValueError
        If Y isn't a finite array of at least 3 labeled objects, labels don't match it, or k is out of range.

    Examples
    --------
    >>> knn_confusion([[0, 0], [0, 1], [0, 3], [5, 5], [5, 6]], ["a", "a", "b", "b", "b"])
    guessed  a  b
    class
    a        2  0
    b        1  2
    """
    import pandas as pd

    names, classes, nearest, _ = _check_voters(Y, labels, k)
    counts = np.zeros((len(names), len(names)))
    for own, guesses in _votes(classes, nearest, len(names)):
        np.add.at(counts, own, guesses)
    if nearest.shape[1] == 1:
        counts = counts.astype(np.int64)
    return pd.DataFrame(counts, index=pd.Index(names, name="class"), columns=pd.Index(names, name="guessed"))


def _check_voters(Y, labels, k):
    """Return the classes; of each labeled object its class and its k nearest among these, (n, k); and which are."""
    (labels,) = in_order_of(Y, labels=labels)
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
    return names, classes, neighbors(Y, check_k(k, len(Y) - 1, "N")), labeled


def _votes(classes, nearest, n_classes):
    """Yield, some objects at a time, their classes (R,) and the share of each that every class is guessed (R, C)."""
    for begin in range(0, len(classes), _CHUNK):
        own, some = classes[begin : begin + _CHUNK], classes[nearest[begin : begin + _CHUNK]]
        ballot = np.bincount(
            (np.arange(len(own))[:, None] * n_classes + some).ravel(), minlength=len(own) * n_classes
        ).reshape(-1, n_classes)
        winners = ballot == ballot.max(axis=1, keepdims=True)
        yield own, winners / winners.sum(axis=1, keepdims=True)
