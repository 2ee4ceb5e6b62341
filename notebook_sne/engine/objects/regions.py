"""A whole map in regions, each an area and no cluster, in the same way as in the browser.

k-means begins with centers that share the objects evenly, so that nothing is drawn at random: the same map has the same
regions here and in a view (``divided`` of ``frontend/player/map/areas.js``).
"""

import numpy as np

__all__ = ["divided", "usual_count"]

_SAMPLE = 3000  # objects that find the centers
_ROUNDS = 12
_OBJECTS, _FEWEST, _MOST = 10, 2, 16  # the usual number is the root of N / _OBJECTS


def usual_count(n_objects):
    """Return the usual number of regions of a map."""
    return min(max(int(np.sqrt(n_objects / _OBJECTS) + 0.5), _FEWEST), _MOST, n_objects)


def divided(Y, count):
    """Return the region of each point of Y, shape (N, 2): int64, shape (N,), numbered from the largest region down."""
    points = np.asarray(Y, np.float32).astype(float)
    N = len(points)
    some = np.arange(N) if N <= _SAMPLE else np.floor(np.arange(_SAMPLE) * (N / _SAMPLE)).astype(np.int64)
    centers = _spread_over(points, some, count)
    for _ in range(_ROUNDS):
        nearest = _nearest(points[some], centers)
        sizes = np.bincount(nearest, minlength=len(centers))
        sums = np.column_stack([np.bincount(nearest, points[some, k], minlength=len(centers)) for k in range(2)])
        centers = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centers)
    found = _nearest(points, centers)
    sizes = np.bincount(found, minlength=len(centers))
    place = np.empty(len(centers), np.int64)
    place[np.argsort(-sizes, kind="stable")] = np.arange(len(centers))
    return place[found]


def _spread_over(points, some, count):
    """Return centers that share objects evenly: columns of as many, and as many in each place of a column."""
    columns = int(np.sqrt(count) + 0.5)
    across = some[np.argsort(points[some, 0], kind="stable")]
    centers = []
    for c in range(columns):
        part = across[c * len(across) // columns : (c + 1) * len(across) // columns]
        part = part[np.argsort(points[part, 1], kind="stable")]
        rows = (c + 1) * count // columns - c * count // columns
        centers += [points[part[int((r + 0.5) * len(part) / rows)]] for r in range(rows) if len(part)]
    return np.array(centers)


def _nearest(points, centers):
    away = [np.square(points[:, 0] - x) + np.square(points[:, 1] - y) for x, y in centers]
    return np.argmin(away, axis=0)
