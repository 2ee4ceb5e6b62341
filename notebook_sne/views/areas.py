"""Regions of a map, called by the words in their middle: what stands where in a map of thousands of names.

Nothing is found here that the map does not show: k-means divides its points, and a region is an area, not a cluster.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.checks.arguments import check_count
from notebook_sne.objects.names import read_importance, read_names
from notebook_sne.views.objects import check_map, shorten

__all__ = ["regions"]

_MIDDLE = 0.25  # of the objects of a region: those nearest to its center, of which the most important name it
_LETTERS = 16  # of a name
_OBJECTS, _MOST = 10, 16  # the usual number of regions is the root of N / _OBJECTS, at most _MOST


def regions(
    Y: ArrayLike,
    names: ArrayLike,
    *,
    n_regions: int | None = None,
    importance: ArrayLike | None = None,
    random_state: int = 0,
) -> np.ndarray:
    """Divide a map into regions, and call each by two names in its middle.

    Parameters
    ----------
    Y : array-like, shape (N, 2)
        Map points.
    names : array-like, shape (N,)
        What each object is called.
    n_regions : int, optional
        Number of regions; left out, the root of N / 10, from 2 to 16.
    importance : array-like, shape (N,), optional
        A number for each object: of those in the middle of a region the most important two name it. Left out, the two
        nearest to its center do.
    random_state : int, default=0
        Seed of k-means.

    Returns
    -------
    regions : ndarray of str, shape (N,)
        The region of each object, such as ``"river · water"``: labels for `svg`, `map_points` or `watch`.

    Raises
    ------
    ValueError
        If Y is not finite or not of shape (N, 2), names are not one for each map point, or there are more regions than
        points.

    Notes
    -----
    k-means divides the points of the map, whatever lies between them: a region is an area, not a cluster.

    Examples
    --------
    >>> areas = ns.views.regions(Y, words, importance=frequency)
    >>> ns.views.svg(Y, areas, class_names=True, legend=False)
    """
    Y = check_map(Y)
    called, order = read_names(names, len(Y)), read_importance(importance, len(Y))
    if called is None:
        raise ValueError("names must be one for each map point, got None; regions are called by them")
    usual = int(np.clip(round(np.sqrt(len(Y) / _OBJECTS)), 2, _MOST))
    n_regions = min(usual, len(Y)) if n_regions is None else check_count("n_regions", n_regions, 1)
    if n_regions > len(Y):
        raise ValueError(f"n_regions must be at most the {len(Y)} map points, got {n_regions}; ask for fewer")
    from sklearn.cluster import KMeans

    fitted = KMeans(n_regions, n_init=4, random_state=random_state).fit(Y)
    rank = np.empty(len(Y))
    rank[np.arange(len(Y)) if order is None else order] = np.arange(len(Y))
    told = np.empty(len(Y), dtype=object)
    taken: set[str] = set()
    for k, center in enumerate(fitted.cluster_centers_):
        members = np.flatnonzero(fitted.labels_ == k)
        near = members[np.argsort(np.square(Y[members] - center).sum(axis=1), kind="stable")]
        named = [i for i in near if called[i]]
        near = np.array(named) if named else near[:1]
        middle = near[: max(2, round(_MIDDLE * len(near)))]
        chosen = middle if order is None else middle[np.argsort(rank[middle], kind="stable")]
        words = list(dict.fromkeys(shorten(called[i], _LETTERS) for i in chosen))[:2]
        name = " · ".join(word for word in words if word) or f"region {k}"
        while name in taken:  # two regions are two, though their words are the same
            name += " "
        taken.add(name)
        told[members] = name
    return told.astype(str)
