"""Are neighbors in the map near in the data, and neighbors in the data near in the map?

.. math::

    T = 1 - 2 / (N k (2 N - 3 k - 1)) sum_i sum_{j in U_i} (r_ij - k)

U_i are those of the k nearest of i in the map that aren't among its k nearest in the data, where j is the r_ij-th
nearest. That is the trustworthiness; exchange map and data, and it is the continuity.  [Venna and Kaski, 2001]
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from notebook_sne.quality.counting import rank_excess
from notebook_sne.quality.estimate import MOST_ASKED, Estimate, asked_objects, mean_of
from notebook_sne.quality.neighbors import check_k, check_pair

__all__ = ["continuity", "scores_of_ranks", "trustworthiness"]


def trustworthiness(
    X: ArrayLike, Y: ArrayLike, k: int = 10, *, sample: int = MOST_ASKED, random_state: Any = 0
) -> Estimate:
    """Return how far the k nearest in the map can be trusted to be near in the data.

    If a map point is among the k nearest of another, but not among its k nearest in the data, it costs the number of
    ranks beyond k there; a value of 1 means no such cost.  [Venna and Kaski, 2001; scikit-learn's ``trustworthiness``]

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects, any number of them.
    Y : array-like, shape (N, d)
        Their map points.
    k : int, default=10
        Number of neighbors, 1 <= k < N / 2.
    sample : int, default=10000
        Largest number of objects to score, at least 2. From more objects, this many are drawn at random; their ranks
        are still taken among all. ``sample=len(X)`` scores all, in a time that grows with N^2 and with no more memory.
    random_state : int, numpy.random.Generator or None, default=0
        Seed of the draw.

    Returns
    -------
    trust : Estimate
        A float from 0 to 1. Its ``error`` is the standard error due to the draw; 0 if all objects were scored.

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 3 objects, they differ in number, or k is out of range.

    See Also
    --------
    continuity
        The same with data and map exchanged.

    Examples
    --------
    >>> trustworthiness([[0, 0], [1, 1], [3, 3], [6, 6], [9, 9]], [[0], [1], [3], [6], [9]], k=2)
    1.0
    """
    return _mean(0, X, Y, k, sample, random_state)


def continuity(X: ArrayLike, Y: ArrayLike, k: int = 10, *, sample: int = MOST_ASKED, random_state: Any = 0) -> Estimate:
    """Return how far the k nearest in the data stay near in the map.

    If one of the k nearest of an object in the data isn't among its k nearest in the map, it costs the number of ranks
    beyond k there; a value of 1 means no such cost. A map that tears neighbors apart has a low continuity, and a map
    that puts dissimilar objects together has a low trustworthiness.  [Venna and Kaski, 2001]

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects, any number of them.
    Y : array-like, shape (N, d)
        Their map points.
    k : int, default=10
        Number of neighbors, 1 <= k < N / 2.
    sample, random_state
        As for `trustworthiness`.

    Returns
    -------
    continuity : Estimate
        A float from 0 to 1. Its ``error`` is the standard error due to the draw; 0 if all objects were scored.

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 3 objects, they differ in number, or k is out of range.

    Examples
    --------
    >>> continuity([[0], [1], [2], [3], [4], [5]], [[0], [1], [2], [5], [4], [3]], k=1) < 1
    True
    """
    return _mean(1, X, Y, k, sample, random_state)


def _mean(which, X, Y, k, sample, random_state):
    X, Y = check_pair(X, Y, "X", "Y")
    k = check_k(k, (len(X) - 1) // 2, "N / 2")
    rows = asked_objects(len(X), sample, random_state)
    return mean_of(scores_of_ranks(X, Y, rows, k)[which], len(X))


def scores_of_ranks(X, Y, rows, k):
    """Return trustworthiness, continuity and neighbor recall of some objects, each (R,); their means are those of all.

    X and Y are checked, and 1 <= k < N / 2.
    """
    intruders, missing, kept = rank_excess(X, Y, rows, k)
    worst = k * (2 * len(X) - 3 * k - 1) / 2  # what the k farthest would cost
    return 1.0 - intruders / worst, 1.0 - missing / worst, kept / k
