"""Sums over all pairs for UMAP's repulsion, exactly and by a mesh with exact near pairs.

The repulsion of UMAP is -log(1 - w_ij), with the kernel w = 1 / (1 + a d^b) of squared distances d. It has no upper end
where two objects meet, so a small square, delta = 0.001, is added to the distance, as umap-learn adds it in its force:

.. math::

    K(d) = -log(1 - w(d + delta)) = log(1 + 1 / (a (d + delta)^b))

    K'(d) = b / ((d + delta) (1 + a (d + delta)^b))

    value_i = sum_{j != i} w_j K(d_ij),     force_i = sum_{j != i} w_j K'(d_ij) (y_i - y_j)

Within some hundredths of a map unit K is far too steep for a mesh. It is therefore split at a reach R,

.. math:: K(d) = K(R^2 g(d / R^2)) + rest,     g(u) = u + (1 - u)^6 / 6 for u < 1, else u

into a part without a peak, which a mesh sums (`influence`), and a rest that is 0 from R on, which is summed exactly
over the pairs that are nearer. The mesh is made as coarse as these pairs allow: its spacing, and with it R, is where
both take the same time, by the densities of the map alone, so that the bits of a run depend on nothing else.

Longer than 300 lines because exact sums, a mesh, near pairs and far ones must agree on one kernel.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.machine.simd import larger
from notebook_sne.engine.sums.fourier import convolved
from notebook_sne.engine.sums.influence import own_terms, response
from notebook_sne.engine.sums.meshes import lay_out
from notebook_sne.engine.sums.splines import gather, shares, spread
from notebook_sne.engine.sums.umap_pairs import LEAST, SOFTENING, pair_at, power_of

__all__ = ["Logarithmic", "kernel_numbers", "logarithmic_sums", "plane_part", "similarity_sum"]

_FEW = 700  # objects, up to which exact sums are as quick
_POINT_LIKE = 1e-5  # map units: on a smaller map, differences of K are lost in its rounding
_NARROW = 4.0  # map units across, up to which a mesh is in double precision
_ORDER = 6  # of the splines
_REACH = 5.0  # spacings within which pairs are near
# Nanoseconds on one thread: a node, in all transforms; a pair of objects in neighboring cells.
_NODE, _PAIR = 12.0, 1.5
_FINEST, _COARSEST = 2.0**-7, 2.0  # spacings in map units
_GRID = 64  # cells along each side of a map by which its density is measured
_TABLE = 2048  # places of the rest, from 0 to R


class Logarithmic(NamedTuple):
    """The kernel K of UMAP's repulsion; without its peak within a reach, if that is above 0."""

    a: float
    b: float
    reach: float = 0.0
    softening: float = SOFTENING

    def values(self, d):
        """Return K at squared distances d."""
        return np.log1p(1.0 / (self.a * (self._moved(d)[0] + self.softening) ** self.b))

    def slopes(self, d):
        """Return K', minus the derivative of K by d."""
        moved, by = self._moved(d)
        far = moved + self.softening
        return by * self.b / (far * (1.0 + self.a * far**self.b))

    def _moved(self, d):
        """Return R^2 g(d / R^2) and its derivative."""
        if not self.reach:
            return d, 1.0
        left = np.maximum(1.0 - d / self.reach**2, 0.0)
        fifth = np.square(np.square(left)) * left  # a power would take most of the time of a mesh's kernel
        return d + self.reach**2 / 6.0 * fifth * left, 1.0 - fifth


def logarithmic_sums(Y, weights, kernel, *, always=None):
    """Return sum_j c_ij K(d_ij) and sum_j c_ij K'(d_ij) (y_i - y_j) for every object i, with c_ij = w_i + w_j.

    Y, shape (N, d), are map points, finite; `weights`, shape (N,), are w; `kernel` is a `Logarithmic`. `always` is True
    for a mesh, which needs d < 3, False for exact sums, and None for the quicker of the two. Results are float64, of
    shapes (N,) and (N, d).
    """
    N, d = Y.shape
    if always is False or d > 2 or (always is None and N <= _FEW) or np.ptp(Y, axis=0).max() < _POINT_LIKE:
        return _exactly(Y, weights, kernel)
    plane = np.ascontiguousarray(Y if d == 2 else np.column_stack([Y, np.zeros(N)]), dtype=np.float64)
    values, forces = _by_mesh(plane, np.asarray(weights, np.float64), kernel)
    return values, forces[:, :d]


def _exactly(Y, weights, kernel):
    values, forces = np.empty(len(Y)), np.empty(Y.shape)
    points = np.ascontiguousarray((Y - np.median(Y, axis=0)).T)
    of_rows = _plane_pairs if Y.shape[1] == 2 else _space_pairs
    of_rows(points, np.array(weights, np.float64), np.arange(len(Y)), *kernel_numbers(kernel), values, forces)
    return values, forces


def similarity_sum(Y, a, b):
    """Return the sum of w over all ordered pairs of map points Y, shape (N, d), exactly."""
    sums = np.empty(len(Y))
    _similarities(np.ascontiguousarray((Y - np.median(Y, axis=0)).T, dtype=np.float64), float(a), float(b), sums)
    return 2.0 * sums.sum()


def kernel_numbers(kernel):
    """Return a, b and the softening of a kernel, as compiled functions take them."""
    return float(kernel.a), float(kernel.b), float(kernel.softening)


def _by_mesh(Y, w, kernel):
    N = len(Y)
    spacing = _spacing(Y)
    meshes, rows, sources = lay_out(Y, np.array([0, N]), (_ORDER, spacing, 0.0), False, True)
    values, forces = np.zeros(N), np.zeros((N, 2))
    charges = w.astype(np.float32)
    ones = np.ones(N, np.float32)
    other, push = np.zeros(N), np.zeros((N, 2))
    for mesh in meshes:
        smooth = kernel._replace(reach=_REACH * mesh.spacing)
        points = shares(mesh)
        # On a narrow map less K(0), beside which differences would be lost in single precision.
        narrow = max(mesh.sides) * mesh.spacing < _NARROW
        G = response(mesh.order, mesh.spacing, smooth, mesh.period, narrow)
        own = own_terms(mesh.order, mesh.spacing, smooth, narrow)
        shape = (len(mesh.firsts), mesh.sides[0], mesh.period[1])
        nodes = np.concatenate([spread(points, part[points.order], shape) for part in (charges, ones)])
        field = convolved(nodes, G, mesh.period)
        gather(points, charges[points.order], field[:1], own, -0.5 / mesh.spacing, values, forces)
        gather(points, ones[points.order], field[1:], own, -0.5 / mesh.spacing, other, push)
        members = mesh.members
        most = smooth.values(np.zeros(1))[0] if narrow else 0.0
        values[members] += most * (w[members].sum() - w[members])
        other[members] += most * (len(members) - 1.0)
        values[members] += w[members] * other[members]
        forces[members] += w[members, None] * push[members]
        _add_near(Y, w, members, kernel, smooth, values, forces)
    if len(rows):
        few = np.empty(len(rows)), np.empty((len(rows), 2))
        points = np.ascontiguousarray(Y.T)
        _plane_pairs(points, w, rows, *kernel_numbers(kernel), *few)
        if len(sources):
            far, push = np.empty(N), np.empty((N, 2))
            there = np.ascontiguousarray(points[:, sources])
            _from_sources(points, there, w, w[sources], *kernel_numbers(kernel), far, push)
            values += far
            forces += push
        values[rows], forces[rows] = few
    return values, forces


def _spacing(Y):
    """Return the spacing, a power of the root of 2, at which mesh and near pairs take the same time."""
    low, high = np.quantile(Y, [0.005, 0.995], axis=0)
    cell = max(float((high - low).max()), _POINT_LIKE) / _GRID
    extents = np.maximum(high - low, cell)
    inside = ((Y >= low) & (Y <= high)).all(axis=1)
    places = np.floor((Y[inside] - low) / cell).astype(np.int64)
    counts = np.bincount(places[:, 0] * (_GRID + 1) + places[:, 1])
    density = np.sum(np.square(counts, dtype=np.float64)) / cell**2  # near objects a unit of area, summed over all
    nodes = 4.0 * np.prod(extents)  # times 1 / spacing^2, on a mesh that is padded to twice its sides
    fourth_power = _NODE * nodes / (_PAIR * 9.0 * _REACH**2 * density)
    exponent = round(2.0 * math.log2(fourth_power) / 4.0)
    return min(max(2.0 ** (exponent / 2.0), _FINEST), _COARSEST)


def _add_near(Y, w, members, kernel, smooth, values, forces):
    """Add what the mesh of the smooth kernel lacks, from pairs of its members that are nearer than its reach."""
    cells = np.floor(Y[members] * (1.0 / smooth.reach)).astype(np.int64)
    cells -= cells.min(axis=0)
    height = int(cells[:, 1].max()) + 3  # with an empty cell at both ends of a column
    keys = (cells[:, 0] + 1) * height + cells[:, 1] + 1
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], np.arange((int(cells[:, 0].max()) + 3) * height + 1))
    who = members[order]
    points = (Y[who] - np.median(Y, axis=0)).T
    near, push, table = np.empty(len(who)), np.empty((len(who), 2)), _rest(kernel, smooth)
    _near(
        np.ascontiguousarray(points, dtype=np.float32), w[who].astype(np.float32), keys[order], starts, height,
        np.float32(_TABLE / smooth.reach), table, near, push,
    )  # fmt: skip
    values[who] += near - 2.0 * w[who] * table[0, 0]  # of each itself, whose force is 0
    forces[who] += push


@lru_cache(maxsize=8)
def _rest(kernel, smooth):
    """Return K and K' less those of the smooth kernel, float32 of shape (_TABLE + 1, 2), at even distances up to R."""
    d = np.square(np.linspace(0.0, smooth.reach, _TABLE + 1))
    table = np.stack([kernel.values(d) - smooth.values(d), kernel.slopes(d) - smooth.slopes(d)], axis=1)
    table[-1] = 0.0
    return table.astype(np.float32)


@njit(**FAST_SERIAL)
def plane_part(x, y, w, xi, yi, wi, a, b, softening):
    """Return value and force at (xi, yi) of some points, in the plane, with c = w_i + w_j."""
    value = force_x = force_y = 0.0
    for j in range(x.shape[0]):
        dx, dy = xi - x[j], yi - y[j]
        K, slope = pair_at(dx * dx + dy * dy, a, b, softening)
        c = wi + w[j]
        value += c * K
        force_x += c * slope * dx
        force_y += c * slope * dy
    return value, force_x, force_y


@exclusive
@njit(**FAST)
def _plane_pairs(points, w, rows, a, b, softening, values, forces):
    """Write the sums of some rows over all other points, shape (2, N)."""
    x, y = points[0], points[1]
    for r in prange(rows.shape[0]):
        i = rows[r]
        value, force_x, force_y = plane_part(x[:i], y[:i], w[:i], x[i], y[i], w[i], a, b, softening)
        v, fx, fy = plane_part(x[i + 1 :], y[i + 1 :], w[i + 1 :], x[i], y[i], w[i], a, b, softening)
        values[r], forces[r, 0], forces[r, 1] = value + v, force_x + fx, force_y + fy


@njit(**FAST_SERIAL)
def _space_row(points, w, i, a, b, softening, force):
    """Return the value of a point in any number of dimensions, and write its force."""
    value = 0.0
    force[:] = 0.0
    for j in range(points.shape[1]):
        if j != i:
            d = 0.0
            for k in range(points.shape[0]):
                t = points[k, i] - points[k, j]
                d += t * t
            K, slope = pair_at(d, a, b, softening)
            c = w[i] + w[j]
            value += c * K
            for k in range(points.shape[0]):
                force[k] += c * slope * (points[k, i] - points[k, j])
    return value


@exclusive
@njit(**FAST)
def _space_pairs(points, w, rows, a, b, softening, values, forces):
    """Write the sums of some rows over all other points, shape (d, N)."""
    for r in prange(rows.shape[0]):
        values[r] = _space_row(points, w, rows[r], a, b, softening, forces[r])


@exclusive
@njit(**FAST)
def _from_sources(points, sources, w, w_of_sources, a, b, softening, values, forces):
    """Write what a few points do to all, in the plane: points and sources have shapes (2, N) and (2, n)."""
    x, y = sources[0], sources[1]
    for i in prange(points.shape[1]):
        values[i], forces[i, 0], forces[i, 1] = plane_part(
            x, y, w_of_sources, points[0, i], points[1, i], w[i], a, b, softening
        )


@njit(**FAST_SERIAL)
def _similarity_row(points, i, a, b):
    """Return the sum of w between point i and all before it."""
    squares = np.zeros(i)
    for k in range(points.shape[0]):
        for j in range(i):
            t = points[k, i] - points[k, j]
            squares[j] += t * t
    total = 0.0
    for j in range(i):
        total += 1.0 / (1.0 + power_of(larger(squares[j], LEAST), a, b))
    return total


@exclusive
@njit(**FAST)
def _similarities(points, a, b, sums):
    for i in prange(points.shape[1]):
        sums[i] = _similarity_row(points, i, a, b)


@njit(**FAST_SERIAL)
def _near_part(x, y, w, xi, yi, wi, per_place, table):
    value = force_x = force_y = xi - xi
    last = table.shape[0] - 2
    for j in range(x.shape[0]):
        dx, dy = xi - x[j], yi - y[j]
        t = np.sqrt(dx * dx + dy * dy) * per_place
        if t < last + 1:
            k = int(t)
            u = t - k
            c = wi + w[j]
            value += c * (table[k, 0] + u * (table[k + 1, 0] - table[k, 0]))
            slope = c * (table[k, 1] + u * (table[k + 1, 1] - table[k, 1]))
            force_x += slope * dx
            force_y += slope * dy
    return value, force_x, force_y


@njit(**FAST_SERIAL)
def _near_row(x, y, w, key, starts, height, s, per_place, table):
    value = force_x = force_y = 0.0
    for column in range(-1, 2):
        cell = key + column * height
        first, last = starts[cell - 1], starts[cell + 2]
        v, fx, fy = _near_part(x[first:last], y[first:last], w[first:last], x[s], y[s], w[s], per_place, table)
        value += v
        force_x += fx
        force_y += fy
    return value, force_x, force_y


@exclusive
@njit(**FAST)
def _near(points, w, keys, starts, height, per_place, table, values, forces):
    x, y = points[0], points[1]
    for s in prange(keys.shape[0]):
        values[s], forces[s, 0], forces[s, 1] = _near_row(x, y, w, keys[s], starts, height, s, per_place, table)
