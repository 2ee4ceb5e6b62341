"""Are far objects far apart in the map? Distances of the data against distances of the map, for pairs and triplets.

Neighbors say nothing about larger distances. These measures do, and depend only on ranks: a map may have any scale.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.numbers import generator_of
from notebook_sne.quality.estimate import Estimate, asked_objects
from notebook_sne.quality.neighbors import check_pair

__all__ = ["distance_rank_correlation", "triplet_accuracy"]

_CHUNK = 10_000  # pairs whose differences are formed at a time
_FOLDS = 10


def distance_rank_correlation(X: ArrayLike, Y: ArrayLike, *, sample: int = 1000, random_state: Any = 0) -> Estimate:
    """Return Spearman's correlation of the distances in the data with those in the map, over all pairs.

    The "CPD" of [Kobak and Berens, 2019].

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects.
    Y : array-like, shape (N, d)
        Their map points.
    sample : int, default=1000
        Largest number of objects whose pairs are taken, at least 30; from more objects, this many are drawn at random.
    random_state : int, numpy.random.Generator or None, default=0
        Seed of the draw.

    Returns
    -------
    correlation : Estimate
        A float from -1 to 1. Its ``error`` is the standard error due to the draw, by a jackknife over ten parts of it;
        0 if all pairs were taken.

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 3 objects, they differ in number, or all of the pairs are at one
        distance.

    Examples
    --------
    >>> distance_rank_correlation([[0.0], [1.0], [4.0]], [[0.0], [2.0], [9.0]])
    1.0
    """
    X, Y = check_pair(X, Y, "X", "Y")
    if check_count("sample", sample, 3 * _FOLDS) < len(X):
        rows = asked_objects(len(X), sample, random_state)
    else:
        rows = np.arange(len(X))
    whole = _spearman(X[rows], Y[rows])
    if len(rows) == len(X):
        return Estimate(whole, 0.0, len(X), len(X))
    parts = np.random.default_rng(0).permutation(len(rows)) % _FOLDS
    without = np.array([_spearman(X[rows[parts != fold]], Y[rows[parts != fold]]) for fold in range(_FOLDS)])
    variance = (_FOLDS - 1) / _FOLDS * np.square(without - without.mean()).sum()
    return Estimate(whole, float(np.sqrt(variance * (1.0 - len(rows) / len(X)))), len(rows), len(X))


def triplet_accuracy(X: ArrayLike, Y: ArrayLike, n_triplets: int = 100_000, *, random_state: Any = 0) -> Estimate:
    """Return how often the nearer of two objects is also the nearer one in the map.

    Triplets of different objects i, j and l are drawn at random. A triplet counts if j is nearer to i than l in both
    spaces, or in neither; if the two are equally near in only one space, it counts half. A random map has 0.5. [Wang,
    Huang, Rudin and Shaposhnik, 2021]

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects.
    Y : array-like, shape (N, d)
        Their map points.
    n_triplets : int, default=100000
        Number of triplets to draw, at least 2; the error falls with its square root.
    random_state : int, numpy.random.Generator or None, default=0
        Seed of the draw.

    Returns
    -------
    accuracy : Estimate
        A float from 0 to 1. Its ``error`` is the standard error of the share of independently drawn triplets.

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 3 objects, or they differ in number.

    Examples
    --------
    >>> float(triplet_accuracy([[0.0], [1.0], [4.0]], [[0.0], [2.0], [9.0]]))
    1.0
    """
    X, Y = check_pair(X, Y, "X", "Y")
    n, rng, N = check_count("n_triplets", n_triplets, 2), generator_of(random_state), len(X)
    # Two others of i, different ones: the second is drawn from what is left, and moved past the first.
    i, first, second = rng.integers(N, size=n), rng.integers(N - 1, size=n), rng.integers(N - 2, size=n)
    second += second >= first
    j, other = first + (first >= i), second + (second >= i)
    order = [np.sign(_squares(A, i, j) - _squares(A, i, other)) for A in (X, Y)]
    scores = 0.5 * (1.0 + order[0] * order[1])
    both_tied = (order[0] == 0) & (order[1] == 0)
    scores[both_tied] = 1.0
    return Estimate(scores.mean(), scores.std(ddof=1) / np.sqrt(n), n, N * (N - 1) * (N - 2))


def _spearman(X, Y):
    from scipy.spatial.distance import pdist
    from scipy.stats import spearmanr

    D, E = pdist(X), pdist(Y)
    for name, A in (("X", D), ("Y", E)):
        if np.all(A == A[0]):
            raise ValueError(
                f"{name} must have pairs at different distances, got {len(A)} at one; their ranks say nothing"
            )
    return float(spearmanr(D, E).statistic)


def _squares(X, i, j):
    """Return the squared distances of pairs, shape (K,), from differences."""
    d = np.empty(len(i))
    for first in range(0, len(i), _CHUNK):
        part = slice(first, first + _CHUNK)
        d[part] = np.square(X[i[part]].astype(np.float64) - X[j[part]]).sum(axis=1)
    return d
