"""Are two maps, or the maps of several seeds, the same picture?

A map can be moved, turned, mirrored and scaled without changing its meaning. The best fit of one map onto another is
that of Procrustes, by a singular value decomposition. For several maps, the fit onto their common mean is repeated
until the mean stays.  [Gower, 1975]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import as_list
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.quality.neighbors import check_k, check_pair
from notebook_sne.quality.recall import recall_of_each

__all__ = ["Stability", "procrustes_align", "procrustes_disparity", "stability"]

_ROUNDS = 200
_STILL = 1e-12  # of the mean map, whose size is 1


def procrustes_align(A: ArrayLike, B: ArrayLike) -> Floats:
    """Return map B, moved, turned, mirrored and scaled to lie on map A as well as possible.

    Parameters
    ----------
    A, B : array-like, shape (N, d)
        Two maps of the same objects in the same order.

    Returns
    -------
    aligned : ndarray, shape (N, d)
        B in the place and unit of A, with the smallest sum of squared distances to A. In units of the squared
        deviations of A from its center, this sum is `procrustes_disparity`.

    Raises
    ------
    ValueError
        If A or B isn't a finite array of at least 3 objects, or their shapes differ.

    Examples
    --------
    >>> procrustes_align([[0, 0], [2, 0], [0, 2]], [[5, 5], [5, 6], [6, 5]]).round(6) + 0.0
    array([[0., 0.],
           [2., 0.],
           [0., 2.]])
    """
    A, B = _check_maps(A, B, "A", "B")
    (a, middle, size), (b, _, _) = _unit(A), _unit(B)
    turned, fit = _turned(a, b)
    return middle + size * fit * turned


def procrustes_disparity(A: ArrayLike, B: ArrayLike) -> float:
    """Return how much of a map another map, moved, turned, mirrored and scaled to fit, leaves unexplained.

    Parameters
    ----------
    A, B : array-like, shape (N, d)
        Two maps of the same objects in the same order.

    Returns
    -------
    disparity : float
        From 0, the same picture, to 1: the sum of squared distances between corresponding points, with both maps scaled
        to a sum of squares of 1 about their centers.

    Raises
    ------
    ValueError
        If A or B isn't a finite array of at least 3 objects, or their shapes differ.
    """
    from scipy.spatial import procrustes

    A, B = _check_maps(A, B, "A", "B")
    with one_thread():
        # Rounding may leave a hair outside the range.
        return float(np.clip(procrustes(A, B)[2], 0.0, 1.0))


@dataclass(frozen=True, eq=False, slots=True)
class Stability:
    """The similarity of M maps of the same N objects, in d dimensions.

    Attributes
    ----------
    aligned : ndarray, shape (M, N, d)
        The maps laid upon each other: centered, each with a root mean square distance of 1 from its center.
    mean : ndarray, shape (N, d)
        The average places of the objects.
    spread : ndarray, shape (N,)
        Root mean square distance of each object from its mean place, in that unit: 0 if all maps agree, about 1 if they
        have nothing in common.
    disparities : ndarray, shape (M, M)
        `procrustes_disparity` of each pair of maps.
    recalls : ndarray, shape (M, M)
        `neighbor_recall` of each pair of maps, which depends only on neighborhoods, wherever they lie.
    """

    aligned: Floats
    mean: Floats
    spread: Floats
    disparities: Floats
    recalls: Floats


def stability(embeddings: Sequence[ArrayLike], k: int = 10) -> Stability:
    """Return how similar several maps of the same objects are, such as those of several seeds.

    Parameters
    ----------
    embeddings : sequence of array-like, each of shape (N, d)
        At least two maps of the same objects in the same order.
    k : int, default=10
        Number of neighbors, 1 <= k < N.

    Returns
    -------
    stability : Stability
        The maps laid upon each other, the average place of each object and its distance from there, and the similarity
        of each pair of maps.

    Raises
    ------
    ValueError
        If there are fewer than two maps, one isn't a finite array of at least 3 objects, their shapes differ, or k is
        out of range.

    Notes
    -----
    A cluster that lies elsewhere in every map spreads its objects, even if each map shows the same clusters;
    ``recalls`` is then still high.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> X = ns.datasets.load_circle(50).X
    >>> found = stability([ns.SNE(perplexity=5, random_state=seed).fit_transform(X) for seed in range(3)])
    >>> found.disparities.shape, found.spread.shape
    ((3, 3), (50,))
    """
    given = as_list("embeddings", embeddings) if not isinstance(embeddings, np.ndarray) else [*embeddings]
    if len(given) < 2:
        raise ValueError(f"embeddings must hold at least two maps, got {len(given)}; give those of several seeds")
    maps = [_check_maps(given[0], B, "embeddings[0]", f"embeddings[{m}]")[1] for m, B in enumerate(given)]
    k = check_k(k, len(maps[0]) - 1, "N")
    units = [_unit(B)[0] for B in maps]
    mean = units[0]
    for _ in range(_ROUNDS):
        turned = [_turned(mean, unit)[0] for unit in units]
        before, mean = mean, np.mean(turned, axis=0)
        if np.square(mean - before).sum() <= _STILL**2:
            break
    # From a size of 1 in all to one of 1 for each object.
    aligned, mean = np.stack(turned) * np.sqrt(len(mean)), mean * np.sqrt(len(mean))
    spread = np.sqrt(np.square(aligned - mean).sum(axis=2).mean(axis=0))
    disparities, recalls = np.zeros((len(maps), len(maps))), np.ones((len(maps), len(maps)))
    for a in range(len(maps)):
        for b in range(a):
            disparities[a, b] = disparities[b, a] = procrustes_disparity(maps[a], maps[b])
            recalls[a, b] = recalls[b, a] = recall_of_each(maps[a], maps[b], k).sum() / (len(mean) * k)
    return Stability(aligned, mean, spread, disparities, recalls)


def _check_maps(A, B, a, b):
    A, B = check_pair(A, B, a, b)
    if A.shape != B.shape:
        raise ValueError(
            f"{a} and {b} must have the same shape, got {A.shape} and {B.shape}; map both to one dimension"
        )
    return A, B


def _unit(A):
    """Return a map about its center with a sum of squares of 1, its center and what it was divided by."""
    A = A.astype(np.float64)
    middle = A.mean(axis=0)
    A = A - middle
    largest = np.abs(A).max()  # whose square may be too large or too small for a number
    size = largest * np.linalg.norm(A / largest)
    return A / size, middle, size


@one_thread()
def _turned(a, b):
    """Return b turned and mirrored onto a, both of size 1 about their centers, and the scale that fits best."""
    left, values, right = np.linalg.svd(b.T @ a)
    return b @ (left @ right), values.sum()
