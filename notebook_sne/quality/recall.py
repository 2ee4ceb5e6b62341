"""Are the nearest neighbors in the data still neighbors in the map? For one k, for all, and for classes.

.. math::

    Q(k) = sum_i n_ki / (N k)                                                                      (the recall)

    R(k) = ((N - 1) Q(k) - k) / (N - 1 - k)                                               (the gain over chance)

Of the k nearest of i in the data, n_ki are among its k nearest in the map. A random map has Q(k) = k / (N - 1) and
R(k) = 0. The area under R over log k is one number for all scales.  [Lee, Peluffo-Ordonez and Verleysen, 2015]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import LEAST_OBJECTS, check_vectors
from notebook_sne.engine.objects.labels import UNLABELED, sort_classes
from notebook_sne.engine.objects.named import in_order_of
from notebook_sne.quality.counting import larger_ranks
from notebook_sne.quality.estimate import MOST_ASKED, Estimate, asked_objects, mean_of
from notebook_sne.quality.neighbors import check_k, check_pair, neighbors

__all__ = ["class_recall", "neighbor_recall", "recall_area", "recall_of_each"]


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
        From 0 to 1, the mean over objects; a random map has k / (N - 1).

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 3 objects, they differ in number, or k is out of range.
    """
    X, Y = check_pair(X, Y, "X", "Y")
    k = check_k(k, len(X) - 1, "N")
    return float(recall_of_each(X, Y, k).sum() / (len(X) * k))


def recall_of_each(X, Y, k):
    """Return how many of each object's k nearest in X are among its k nearest in Y, shape (N,); all is checked."""
    both = np.sort(np.hstack([neighbors(X, k), neighbors(Y, k)]), axis=1)
    # No object is twice among the k of one space, so what stands there twice is in both.
    return (both[:, 1:] == both[:, :-1]).sum(axis=1)


def recall_area(X: ArrayLike, Y: ArrayLike, *, sample: int = MOST_ASKED, random_state: Any = 0) -> Estimate:
    """Return the area under R(k) over log k: how well neighbors of all scales are kept.

    .. math::

        A = sum_k (R(k) / k) / sum_k (1 / k),   R(k) = ((N - 1) Q(k) - k) / (N - 1 - k)

    Q(k) is `neighbor_recall` at k; R(k) is 1 for all neighbors kept and 0 for chance. The sums run over k from 1 to
    N - 2.  [Lee, Peluffo-Ordonez and Verleysen, 2015]

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects, at least 4.
    Y : array-like, shape (N, d)
        Their map points.
    sample : int, default=10000
        Largest number of objects to score, at least 2. From more objects, this many are drawn at random; their
        neighbors are still searched among all. Scoring all takes a time that grows with N^2 log N.
    random_state : int, numpy.random.Generator or None, default=0
        Seed of the draw.

    Returns
    -------
    area : Estimate
        A float, 1 for a map with the neighbors of the data and 0 for a random one. Its ``error`` is the standard error
        due to the draw of objects; 0 if all were scored.

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 4 objects, or they differ in number.

    Examples
    --------
    >>> recall_area([[0.0], [1.0], [3.0], [6.0]], [[0.0], [2.0], [6.0], [12.0]])
    1.0
    """
    X, Y = check_pair(X, Y, "X", "Y")
    if (N := len(X)) <= LEAST_OBJECTS:
        raise ValueError(
            f"X must hold at least {LEAST_OBJECTS + 1} objects, got {N}: all of fewer are neighbors of each other"
        )
    rows = asked_objects(N, sample, random_state)
    k = np.arange(1, N - 1)
    areas = np.empty(len(rows))
    for part, counts in larger_ranks(X, Y, rows):
        recall = np.cumsum(counts, axis=1)[:, 1:-1] / k
        areas[part] = (((N - 1) * recall - k) / (N - 1 - k)) @ (1.0 / k)
    return mean_of(areas / (1.0 / k).sum(), N)


def class_recall(X: ArrayLike, Y: ArrayLike, labels: ArrayLike, k: int = 4) -> float:
    """Return the share of the classes' k nearest classes in X that are among their k nearest in Y.

    The place of a class is the mean of its objects. The score measures how much of the arrangement of the classes a map
    keeps. It is the "KNC" of [Kobak and Berens, 2019], with 10 neighbors of more than a hundred classes; their "KNN" is
    `neighbor_recall`, their "CPD" `distance_rank_correlation`.

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects.
    Y : array-like, shape (N, d)
        Their map points.
    labels : array-like, shape (N,)
        The class of each object, at least 3 of them. Objects without one (None, NaN, pandas' NA, masked) are left out.
    k : int, default=4
        Number of neighboring classes, from 1 to below the number of classes.

    Returns
    -------
    recall : float
        From 0 to 1, the mean over classes; a random map of C classes has k / (C - 1).

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 3 objects; labels don't match them or name fewer than 3 classes;
        the means of all classes are the same; or k is out of range.

    Examples
    --------
    >>> X = [[0.0], [0.2], [1.0], [1.2], [5.0], [5.2]]
    >>> class_recall(X, X[::-1], ["a", "a", "b", "b", "c", "c"], k=1)
    0.6666666666666666
    """
    (labels,) = in_order_of(X, labels=labels)
    X, Y = check_pair(X, Y, "X", "Y")
    names, classes = sort_classes(labels, len(X))
    if len(names) < LEAST_OBJECTS:
        raise ValueError(
            f"labels must name at least {LEAST_OBJECTS} classes, got {len(names)}; neighbor_recall needs no classes"
        )
    k = check_k(k, len(names) - 1, "the number of classes")
    there = classes != UNLABELED
    sizes = np.bincount(classes[there], minlength=len(names))[:, None]
    means = []
    for name, A in (("X", X), ("Y", Y)):
        sums = np.zeros((len(names), A.shape[1]))
        np.add.at(sums, classes[there], A[there])
        means.append(check_vectors(sums / sizes, f"the class means of {name}"))
    return float(recall_of_each(means[0], means[1], k).sum() / (len(names) * k))
