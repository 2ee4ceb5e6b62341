"""Closed curves: whether the views of an object, which go round, still do so in the map."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_vectors

__all__ = ["closed_loops"]

_MOST = 0.95  # of the views must keep the rule


def closed_loops(Y: ArrayLike, objects: ArrayLike) -> tuple[int, int]:
    """Count how many objects are closed loops in a map, and how many of these are apart from the others.

    The views of an object, in the order of their angles, are a *closed loop* on two conditions. For at least 95% of
    them, the nearest view of the same object is at most two steps away, the first view following the last: then no
    stretch lies folded upon another. And no step is longer than a quarter of the greatest distance of two of its views:
    then it is torn nowhere (the steps of a circle of 72 views are a twenty-third of it). A loop is *apart* if at least
    95% of its views have their nearest neighbor of all among views of the same object.

    Parameters
    ----------
    Y : array-like, shape (N, d)
        The map; all views of an object in the order of their angles.
    objects : array-like, shape (N,)
        The object of each view; at least 3 views of each.

    Returns
    -------
    loops, apart : int

    Raises
    ------
    ValueError
        If Y isn't finite, objects aren't one for each map point, or an object has fewer than 3 views.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> ring = ns.datasets.load_circle(40).X
    >>> closed_loops(np.concatenate([ring, ring + 9]), np.repeat(["cup", "duck"], 40))
    (2, 2)
    """
    Y, objects = check_vectors(Y, "Y"), np.asarray(objects)
    if objects.shape != (len(Y),):
        raise ValueError(f"objects must hold one entry for each of the {len(Y)} map points, got shape {objects.shape}")
    loops = apart = 0
    for which in np.unique(objects):
        own = np.flatnonzero(objects == which)
        views, n = Y[own], len(own)
        if n < 3:
            raise ValueError(f"objects must have 3 views or more each, got {n} of {which}; a loop takes as many")
        D = np.linalg.norm(views[:, None] - views, axis=2)
        longest = D[np.arange(n), (np.arange(n) + 1) % n].max()
        torn = longest > D.max() / 4
        np.fill_diagonal(D, np.inf)
        steps = np.abs(D.argmin(axis=1) - np.arange(n))
        ordered = np.mean(np.minimum(steps, n - steps) <= 2) >= _MOST
        if torn or not ordered:
            continue
        loops += 1
        to_all = np.linalg.norm(views[:, None] - Y, axis=2)
        to_all[np.arange(n), own] = np.inf
        apart += np.mean(objects[to_all.argmin(axis=1)] == which) >= _MOST
    return loops, int(apart)
