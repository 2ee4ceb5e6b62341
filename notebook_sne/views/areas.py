"""Regions of a map, called by the words in their middle: what stands where in a map of thousands of names.

This finds nothing that the map doesn't show: k-means divides its points, and a region is an area, not a cluster.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.objects.names import read_importance, read_names
from notebook_sne.views.objects import check_map, drawing_order, shortened, svg_text
from notebook_sne.views.palette import GROUND, hues

__all__ = ["drawn_regions", "regions"]

_MIDDLE = 0.25  # of the objects of a region: those nearest to its center, of which the most important name it
_LETTERS = 16  # of a name
_OBJECTS, _MOST = 10, 16  # the usual number of regions is the root of N / _OBJECTS, at most _MOST
_TYPE, _LINE, _WIDTH = 17, 26, 10  # pixels: of the letters of a name, from one name to the next, of a letter at most
_AWAY = 14  # pixels between the map and the names beside it


def regions(
    Y: ArrayLike,
    names: ArrayLike,
    *,
    n_regions: int | None = None,
    importance: ArrayLike | None = None,
    random_state: int = 0,
) -> np.ndarray:
    """Return the region of each object, ndarray of str, each called by two names in its middle, ``"river · water"``.

    k-means divides the N map points into `n_regions`, by default the root of N / 10, from 2 to 16. The names are of the
    two most important objects in the middle of a region: by `importance`, or the first ones, as lists of words begin
    with frequent words.
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

    with one_thread():
        fitted = KMeans(n_regions, n_init=4, random_state=random_state).fit(Y)
    rank = np.empty(len(Y))
    rank[np.arange(len(Y)) if order is None else order] = np.arange(len(Y))
    told = np.empty(len(Y), dtype=object)
    taken: set[str] = set()
    short = shortened(list(called), _LETTERS)
    for k, center in enumerate(fitted.cluster_centers_):
        members = np.flatnonzero(fitted.labels_ == k)
        near = members[np.argsort(np.square(Y[members] - center).sum(axis=1), kind="stable")]
        named = [i for i in near if called[i]]
        near = np.array(named) if named else near[:1]
        middle = near[: max(2, round(_MIDDLE * len(near)))]
        chosen = middle[np.argsort(rank[middle], kind="stable")]
        words = list(dict.fromkeys(short[i] for i in chosen))[:2]
        name = " · ".join(word for word in words if word) or f"region {k}"
        while name in taken:  # two regions are two, though their words are the same
            name += " "
        taken.add(name)
        told[members] = name
    return told.astype(str)


def drawn_regions(Y, areas, height):
    """Draw a map between two columns of the names of its regions; a line leads from each name to the middle.

    Y, shape (N, 2), are map points, `areas` what the region of each is called; `height` is that of the map in pixels.
    Returns the lines of the picture, its width and its height: the names take the width, and cover nothing.
    """
    called, number = np.unique(areas, return_inverse=True)
    left_of = -(-len(called) // 2)
    height = max(height, _LINE * left_of)
    low, high = Y.min(axis=0), Y.max(axis=0)
    scale = height / max(high[1] - low[1], (high[0] - low[0]) / 2, 1e-300)
    beside = _WIDTH * max(len(name.rstrip()) for name in called) + _AWAY
    places = np.column_stack([beside + (Y[:, 0] - low[0]) * scale, (high[1] - Y[:, 1]) * scale])
    right = beside + float(high[0] - low[0]) * scale
    members = [places[number == k] for k in range(len(called))]
    middles = np.array([own[np.square(own - own.mean(axis=0)).sum(axis=1).argmin()] for own in members])

    shades = hues(Y, [np.flatnonzero(number == k) for k in range(len(called))])
    radius = min(max(height / 6 / np.sqrt(len(Y)), 1.2), 4.0)
    lines = ['<g fill-opacity="0.5">']
    for i in drawing_order(len(Y)):
        x, y = places[i]
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{shades[number[i]]}"/>')
    lines.append(f'</g><g font-size="{_TYPE}" font-weight="600">')
    across = np.argsort(middles[:, 0], kind="stable")
    for part, edge, way, anchor in ((across[:left_of], beside, -1, "end"), (across[left_of:], right, 1, "start")):
        part = part[np.argsort(middles[part, 1], kind="stable")]
        for k, y in zip(part, _apart(middles[part, 1], height), strict=True):
            (x, to), name, shade = middles[k], svg_text(called[k].rstrip()), shades[k]
            path = f"M{edge + way * (_AWAY - 4):.1f} {y:.1f}L{x:.1f} {to:.1f}"
            lines.append(f'<path d="{path}" stroke="{GROUND}" stroke-width="3.5" stroke-opacity="0.8"/>')
            lines.append(f'<path d="{path}" stroke="{shade}" stroke-width="1.3"/>')
            lines.append(f'<circle cx="{x:.1f}" cy="{to:.1f}" r="3.5" fill="{shade}" stroke="{GROUND}"/>')
            lines.append(f'<text x="{edge + way * _AWAY:.1f}" y="{y + 6:.1f}" text-anchor="{anchor}">{name}</text>')
    return [*lines, "</g>"], round(right + beside), height


def _apart(wanted, height):
    """Return places down a column of names, a line apart, near those that are wanted, which rise."""
    places = np.array(wanted)
    for k, at in enumerate(places):
        places[k] = max(at, places[k - 1] + _LINE if k else _LINE / 2)
    for k in range(len(places) - 1, -1, -1):
        places[k] = min(places[k], places[k + 1] - _LINE if k + 1 < len(places) else height - _LINE / 2)
    return places
