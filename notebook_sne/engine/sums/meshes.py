"""The choice of points for each mesh, and of points that are better summed exactly.

A mesh should be as wide as the map, with three or four nodes per unit, and no wider. Whatever would stretch it is
removed in this order, and only if the nodes would cost more than the points:

- under a Gaussian, empty space is cut out: points more than four units apart along one axis don't feel each other, so
  a wider gap can be closed to four units;
- under Student's t, the mesh is made coarser, and what it then lacks is summed over near pairs (`near_pairs`), with
  the reach that takes least time by the density of the map;
- points far out are left to exact sums, as many as minimize the total cost.

A map smaller than a few cells gets a finer mesh, on which the simplest splines suffice. A map with most of its points
in one clump gets one too, because its forces are differences that a coarse mesh would not resolve. Several groups of
points of about the same extent get equal meshes, which are transformed together.

The choices depend on the positions alone, with costs that were measured once. If each run measured them, its bits would
depend on the other work of the machine.
"""

import itertools
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import fft

from notebook_sne.engine.sums.near_pairs import count_near

__all__ = ["Mesh", "lay_out"]

# Nanoseconds on one thread: a call, shared by its meshes; a mesh; a point on it, and each of its p^2 nodes; a node in
# both transforms; a pair that is summed exactly. Measured on maps of 1,000 to 70,000 points; more threads shorten all
# alike.
_CALL, _MESH, _POINT, _SHARE, _NODE, _PAIR = 2.5e5, 5e4, 40.0, 2.4, 4.0, 0.15
_FAR_NODE, _MANY_NODES = 20.0, 2**18  # a node where there are so many that they lie outside the processor's cache
_NEAR, _NEAR_POINT = 0.5, 250.0  # a pair that is looked at because it may be near (`near_pairs`), and a point
# Exact sums are preferred up to this many times the time: they have no error.
_PREFERENCE = 1.5
_MOST_NODES = 2**25  # of meshes that are transformed together: 128 MB of waves, and half of that of charges
_REACH = 3.4  # map units, beyond which exp(-d), below 1e-5, is not felt
_FEWEST_CELLS = 16  # across a map
_NODES = 4  # of a mesh of the smooth part of a kernel in its reach
_REACHES = 1.0, 1.5, 2.0  # times the shortest reach that is accurate enough; longer ones are more accurate
_SAMPLE = 500  # points that tell where most are
_POINT_LIKE = 1e-12  # map units: a map of this size is one point
_SMALL = 0.05  # spacing of a mesh on which K - 1 stands for K
_PADDING = 16  # nodes after which the kink of the kernel at half its period has died away


class Mesh(NamedTuple):
    """Equal meshes for some groups of points."""

    order: int  # p of the splines
    spacing: float  # map units from node to node
    members: np.ndarray  # int, shape (n,): the points that lie on these meshes
    points: np.ndarray  # float64, shape (n, 2): where they lie, empty space cut out
    which: np.ndarray  # int64, shape (n,): the mesh that each lies on
    firsts: np.ndarray  # float64, shape (n_meshes, 2): the least cell of each mesh
    sides: tuple  # nodes along each axis that points reach
    period: tuple  # nodes after which the kernel repeats
    reach: float  # map units, within which the kernel is smoothed and near pairs are summed one by one; 0 for neither

    @property
    def is_small(self):
        """bool: whether K - 1 should stand for K, which is nearly 1 between all points."""
        return self.spacing < _SMALL


def lay_out(Y, groups, chosen, gaussian, always):
    """Return the meshes for groups of points, a list of Mesh, and the points that are left to exact sums.

    Y, shape (N, 2), are map points, `groups`, int of shape (G + 1,), the bounds of the groups; `chosen` are the order
    of the splines, their spacing and, for a kernel that may be split (`near_pairs`), the least reach, else 0, in map
    units; `gaussian` says whether the kernel is in effect 0 beyond a distance, as the Gaussian is; `always` whether a
    group gets a mesh even where exact sums are quicker.

    No point lies on two meshes. The points left to exact sums are those on no mesh, ascending, and those among them
    that act on points of their group on a mesh.
    """
    order, spacing, reach = chosen
    ruler = _Ruler(order, spacing, reach, gaussian, len(groups) == 2, _MESH + _CALL / max(1, len(groups) - 1))
    alike: dict = {}
    rows, sources = [], []
    for start, stop in itertools.pairwise(groups):
        if start == stop:
            continue
        on_mesh, points, view, grain = ruler.select(Y[start:stop], always)
        members = np.arange(start, stop)
        if on_mesh is not None:
            rows.append(members[~on_mesh])
            if not on_mesh.any():
                continue
            sources.append(rows[-1])
            members = members[on_mesh]
        first, sides = ruler.sides(view.box, grain)
        size = int(np.ceil(2 * np.log2(max(sides))))  # meshes within a factor of sqrt(2) are made equal
        alike.setdefault((grain, size), []).append((members, points, first, sides))
    meshes = []
    for (grain, _), parts in alike.items():
        sides = tuple(max(part[3][a] for part in parts) for a in (0, 1))
        period = tuple(fft.next_fast_len(ruler.period(n, grain), real=True) for n in sides)
        step = max(1, _MOST_NODES // (period[0] * period[1]))
        for some in (parts[k : k + step] for k in range(0, len(parts), step)):
            which = np.repeat(np.arange(len(some)), [len(part[0]) for part in some])
            members, points = (some[0][k] if len(some) == 1 else np.concatenate([p[k] for p in some]) for k in (0, 1))
            firsts = np.array([part[2] for part in some])
            meshes.append(Mesh(grain.order, grain.spacing, members, points, which, firsts, sides, period, grain.reach))
    return meshes, *(np.concatenate(some) if some else np.empty(0, np.int64) for some in (rows, sources))


class _Grain(NamedTuple):
    """The resolution of a mesh."""

    order: int
    spacing: float
    reach: float = 0.0


class _View:
    """A summary of a sample of points: their box, (least, greatest) of each coordinate, and where most of them are."""

    def __init__(self, points):
        x, y = points[:, 0], points[:, 1]
        self.points = points
        self.box = np.array([[x.min(), y.min()], [x.max(), y.max()]])
        self.extents = self.box[1] - self.box[0]

    @cached_property
    def some(self):
        """Some of the points, each coordinate in rising order."""
        return np.sort(self.points[:: max(1, len(self.points) // _SAMPLE)], axis=0)

    @property
    def middle(self):
        """Extent of the middle half, along the axis where it is the larger."""
        quarter = len(self.some) // 4
        return float(np.max(self.some[len(self.some) - 1 - quarter] - self.some[quarter]))

    @property
    def is_stretched(self):
        """Whether few points make the box much larger."""
        return bool(np.prod(self.extents) > 2 * np.prod(self.some[-1] - self.some[0]))


class _Ruler(NamedTuple):
    """Measures meshes and what they cost."""

    order: int
    spacing: float
    reach: float
    gaussian: bool
    alone: bool  # whether there is one map; of several, most of what is heaped up in one is at home in another
    overhead: float  # nanoseconds

    def is_collapsed(self, view, spacing):
        """Tell whether half of the points lie in one cell."""
        return self.alone and view.middle < spacing < view.extents.max()

    def grain(self, view):
        """Return the _Grain of a mesh for points that are seen in a view."""
        extent = float(view.extents.max())
        order, spacing = self.order, self.spacing
        if extent < _FEWEST_CELLS * spacing:
            # On a mesh of half the spacing, or less, the simplest splines are accurate enough.
            order = min(4, order)
            spacing *= 2.0 ** -np.ceil(np.log2(_FEWEST_CELLS * spacing / max(extent, _POINT_LIKE)))
        if self.is_collapsed(view, spacing):
            # What they do to each other is what the mesh makes of a cell.
            return _Grain(max(6, order), spacing / 2)
        return _Grain(order, spacing)

    def sides(self, box, grain):
        """Return the least cell, shape (2,), and the nodes along each axis that points in the box reach."""
        first, last = np.floor(box * (1.0 / grain.spacing))  # as points are placed: a quotient may round otherwise
        return first, tuple(int(n) + grain.order for n in last - first)

    def period(self, n_nodes, grain):
        """Return how many nodes there must be along an axis on which points reach `n_nodes`."""
        twice = 2 * n_nodes + _PADDING
        return min(twice, n_nodes + grain.order + int(np.ceil(_REACH / grain.spacing))) if self.gaussian else twice

    def node_cost(self, box, grain):
        """Return nanoseconds."""
        rows, columns = (self.period(n, grain) for n in self.sides(box, grain)[1])
        return (_NODE if rows * columns < _MANY_NODES else _FAR_NODE) * rows * columns

    def select(self, points, always):
        """Return which points a mesh should hold, or None for all; those, empty space cut out; their view; _Grain."""
        n = len(points)
        none, on_mesh = (np.zeros(n, bool), points, None, None), None
        pairs = _PAIR * n * n
        if not always and pairs <= _PREFERENCE * (self.overhead + n * _POINT):
            return none
        view = _View(points)
        grain = self.grain(view)
        cost, besides = self.node_cost(view.box, grain), self.overhead + n * (_POINT + _SHARE * grain.order**2)
        if cost > besides and self.gaussian:
            points = self._closed_up(points)
            view = _View(points)
            cost = self.node_cost(view.box, grain)
        if self.is_collapsed(view, self.spacing) and view.is_stretched:
            # Of a heap with a few objects far from it, the heap gets a mesh of its own.
            near = np.abs(points - np.median(points, axis=0)).max(axis=1) <= 0.5 * _FEWEST_CELLS * self.spacing
            if 2 * _PAIR * n * (n - near.sum()) <= besides:
                on_mesh, points, cost = near, points[near], 0.0
        if cost > besides and self.reach and not self.is_collapsed(view, self.spacing):
            grain, cost = self._coarse(points, view, grain, cost)
        if cost > besides and (view.is_stretched or cost > _FAR_NODE * _MOST_NODES):
            near, cost = self._without_far_ones(points, grain, cost)
            if near is None:
                return none
            if not near.all():
                on_mesh, points = near, points[near]
        if not always and pairs <= _PREFERENCE * (besides + cost):
            return none
        if on_mesh is not None:
            view = _View(points)
            grain = grain if grain.reach else self.grain(view)
        return on_mesh, points, view, grain

    def _coarse(self, points, view, grain, cost):
        """Return the grain, and the cost, at which near pairs are summed one by one, if that is less than `cost`."""
        best = cost, grain
        for reach in (share * self.reach for share in _REACHES):
            coarse = _Grain(4, reach / _NODES, reach)
            pairs = _NEAR * count_near(points, reach) + _NEAR_POINT * len(points)
            best = min(best, (self.node_cost(view.box, coarse) + pairs, coarse))
        return best[::-1]

    def _without_far_ones(self, points, grain, cost):
        """Return which points to keep on a mesh, or None for none, and what its nodes and the others cost."""
        n = len(points)
        distances = np.abs(points - np.median(points, axis=0)).max(axis=1)
        ranked = np.sort(distances)[::-1]
        most = _FAR_NODE * _MOST_NODES
        best, kept = (cost, np.inf) if cost <= most else (np.inf, None)
        for k in (2**power for power in range(n.bit_length()) if 2**power < n):
            nodes = self.node_cost(np.array([[-ranked[k]] * 2, [ranked[k]] * 2]), grain)
            if nodes <= most and nodes + 2 * _PAIR * k * n < best:
                best, kept = nodes + 2 * _PAIR * k * n, ranked[k]
        return (None, np.inf) if kept is None else (distances <= kept, best)

    def _closed_up(self, points):
        """Return the points with every gap along an axis, wider than what they feel, closed to that."""
        points = points.copy()
        room = _REACH + self.order * self.spacing
        for a in range(2):
            x = np.sort(points[:, a])
            gaps = np.diff(x)
            wide = np.flatnonzero(gaps > room + self.spacing)
            # By whole cells, so that a point keeps its place in its cell.
            cut = np.cumsum(np.floor((gaps[wide] - room) / self.spacing)) * self.spacing
            points[:, a] -= np.concatenate([[0.0], cut])[np.searchsorted(x[wide + 1], points[:, a], side="right")]
        return points
