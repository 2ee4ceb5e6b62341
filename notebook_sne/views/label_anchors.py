"""Where classes lie on a map: at the clumps of their objects, which is where their names belong.

Counts on a coarse grid, smoothed, are a landscape; a hill with a valley around it is a clump, and its top is where a
name belongs. A class that lies all over the map has no such place. This is the rule by which the browser names classes,
too (``frontend/player/map/groups.js`` and ``label_anchors.js``, where the names move with a run as well).
"""

from typing import NamedTuple

import numpy as np

__all__ = ["Spot", "places_of", "spots_of"]

_SIDE = 48  # cells
_FINE = 5  # cells for the median distance of all objects from their middle
_SMOOTH, _MOST_SMOOTH = 2, 8  # times that counts of 300 objects are smoothed; fewer are smoothed more
_VALLEY = 0.5  # of the lower of two tops: a saddle above it does not part them
_SHARE = 0.15  # of a class from which on a hill is a clump
_SAMPLE = 300  # objects of a class that are looked at
_MOST = 256  # groups that are looked for, the largest ones
_SPREAD = 0.7  # spread of a class by that of all, below which it is a group


class Spot(NamedTuple):
    """Where a class is named."""

    group: int
    """Which of the groups it is."""
    x: float
    y: float


def spots_of(points, groups):
    """Return Spots of groups of rows, of the 256 largest: first one of each, the largest first, then the second ones.

    The points have the shape (N, 2); a group is an array of int.
    """
    points = np.asarray(points, dtype=np.float32)
    order = sorted((g for g in range(len(groups)) if len(groups[g])), key=lambda g: -len(groups[g]))[:_MOST]
    members = [_thinned(groups[g]) for g in order]
    if not members:
        return []
    middle, whole = _spread(points[np.concatenate(members)])
    ranked = []
    for g, rows in zip(order, members, strict=True):
        found = [
            (top, clump)
            for top, clump in _clumps(points[rows].astype(float), middle, whole)
            # A random part of a class that is spread evenly over the map would be narrower by this factor.
            if _spread(points[rows[clump]])[1] < _SPREAD * whole * np.sqrt(len(clump) / len(rows))
        ]
        ranked += [(rank, Spot(g, *top)) for rank, (top, _) in enumerate(found)]
    return [spot for _, spot in sorted(ranked, key=lambda one: one[0])]


def places_of(points, groups):
    """Return where each group is, a list of (x, y) for each: its spots, or the mean place of one that has none."""
    places: list[list[tuple[float, float]]] = [[] for _ in groups]
    for spot in spots_of(points, groups):
        places[spot.group].append((spot.x, spot.y))
    for own, rows in zip(places, groups, strict=True):
        if not own and len(rows):
            x, y = points[_thinned(rows)].mean(axis=0).tolist()
            own.append((x, y))
    return places


def _thinned(rows):
    """Return every so many-th of some rows, at most a sample of them."""
    step = max(1.0, len(rows) / _SAMPLE)
    return rows[np.floor(np.arange(min(len(rows), _SAMPLE)) * step).astype(np.int64)]


def _spread(points):
    """Return the median place of points, and their median distance from it."""
    half = len(points) // 2
    middle = np.sort(points, axis=0)[half].astype(float)
    away = np.hypot(*(points - middle).T).astype(np.float32)
    return middle, float(np.sort(away)[half])


def _clumps(points, middle, whole):
    """Return where each clump of points is densest, and which points lie on it, the largest first."""
    if not whole > 0:
        return []
    columns, rows = np.clip(np.floor((points - middle) * _FINE / whole) + _SIDE // 2, 0, _SIDE - 1).astype(int).T
    cells = rows * _SIDE + columns
    counts = np.bincount(cells, minlength=_SIDE * _SIDE).reshape(_SIDE, _SIDE).astype(float)
    for _ in range(min(int(np.floor(_SMOOTH * np.cbrt(300 / len(points)) + 0.5)), _MOST_SMOOTH)):
        for _ in range(2):  # along both axes
            wider = 2 * counts
            wider[1:] += counts[:-1]
            wider[:-1] += counts[1:]
            counts = wider.T
    heights = counts.ravel()
    hill = _hills(heights)
    tops = np.array([hill[cell] for cell in cells.tolist()])
    sizes = {top: int((tops == top).sum()) for top in dict.fromkeys(tops.tolist())}
    found = []
    for top in sorted(sizes, key=lambda top: (-sizes[top], -heights[top], top)):
        clump = np.flatnonzero(tops == top)
        if len(clump) < _SHARE * len(points):
            continue
        away = np.maximum(np.abs(rows[clump] - top // _SIDE), np.abs(columns[clump] - top % _SIDE))
        x, y = points[clump[away <= max(1, away.min())]].mean(axis=0).tolist()
        found.append(((x, y), clump))
    return found


def _hills(heights):
    """Return the top of the hill on which each cell above 0 lies, from the highest cell down."""
    heights = heights.tolist()
    above: dict[int, int] = {}

    def top_of(cell):
        while above[cell] != cell:
            cell = above[cell]
        return cell

    cells = sorted((cell for cell, height in enumerate(heights) if height > 0), key=lambda cell: (-heights[cell], cell))
    for cell in cells:
        row, column = divmod(cell, _SIDE)
        beside = [
            r * _SIDE + c
            for r in range(max(row - 1, 0), min(row + 2, _SIDE))
            for c in range(max(column - 1, 0), min(column + 2, _SIDE))
        ]
        tops = sorted({top_of(one) for one in beside if one in above}, key=lambda top: (-heights[top], top))
        above[cell] = tops[0] if tops else cell
        for top in tops[1:]:
            if heights[cell] > _VALLEY * heights[top]:
                above[top] = tops[0]
    return {cell: top_of(cell) for cell in cells}
