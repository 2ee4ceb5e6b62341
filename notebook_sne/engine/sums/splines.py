"""Charges on a mesh: B-splines that spread points over its nodes, and gather a field and its slope back at them.

The cardinal B-spline M_p of order p is a bump of width p, made of polynomials of degree p - 1, and its shifts by whole
numbers sum to 1. A point at x, in units of the spacing, gives the p nodes around it the shares

.. math::

    a_k = M_p(x - k),     sum_k a_k = 1,     a'_k = M_{p-1}(x - k) - M_{p-1}(x - k - 1)

by a recursion from order to order (Cox and de Boor). In the plane a node gets a_k b_l. A field F on the nodes, read at
the point with the same shares, is smooth in x, and its slope is exact:

.. math:: f(x, y) = sum_kl a_k b_l F_kl,     df/dx = sum_kl a'_k b_l F_kl,     df/dy = sum_kl a_k b'_l F_kl

Points are sorted by strip, the column of cells in which they lie, so that all the contributions to a row of nodes lie
side by side. Every thread owns its rows of nodes and, on the way back, its points: sums run in a fixed order, and the
bits don't depend on the number of threads.

Points have splines of order 4 or 6. The compiler knows the length of their loops, which take two thirds of the time of
loops of any length; other orders are only tabulated.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.machine.simd import call

__all__ = ["Shares", "bspline_table", "gather", "shares", "sort", "spread"]

_AHEAD = 32  # points that are called for before they are read: by strip, they lie anywhere in memory


class Shares(NamedTuple):
    """Shares that points give to the nodes around them. Points are sorted by strip; place s has point order[s]."""

    order: np.ndarray  # int64, shape (n,): what the point in each place is called
    starts: np.ndarray  # int64, shape (n_strips + 1,): strip r holds places starts[r] to starts[r + 1]
    nodes: np.ndarray  # int64, shape (n, 2): row and column of each one's first node; rows go on through all meshes
    fractions: np.ndarray  # float32, shape (n, 2): where in its cell the point lies, from 0 to 1
    tables: np.ndarray  # float32, shape (n, 4, p): its a, a', b and b'


def shares(mesh):
    """Return the Shares of the points of a Mesh (`meshes`), with splines of order 4 or 6.

    All meshes are parts of one lattice, so a map that moves a little doesn't move them.
    """
    # Copied only where it has to be: a read-only array would be another type, and compiled for anew.
    Y = np.require(mesh.points, np.float64, ["C", "W"])
    n, n_rows, per_unit = len(Y), mesh.sides[0], 1.0 / mesh.spacing
    strips, order = np.empty(n, np.int64), np.empty(n, np.int64)
    starts = np.zeros(len(mesh.firsts) * n_rows + 1, np.int64)
    _strips(Y, mesh.which, mesh.firsts, per_unit, n_rows, strips)
    sort(strips, order, starts)
    nodes, fractions = np.empty((n, 2), np.int64), np.empty((n, 2), np.float32)
    tables = np.empty((n, 4, mesh.order), np.float32)
    _tabulate(Y, mesh.which, mesh.firsts, per_unit, n_rows, order, nodes, fractions, tables)
    return Shares(mesh.members[order], starts, nodes, fractions, tables)


def spread(points, weights, shape):
    """Return the charges on the nodes, float32 of the given shape (n_meshes, n_rows, n_columns).

    `points` are Shares; `weights`, float32 of shape (n,), are in their order.
    """
    charges = np.empty(shape, np.float32)
    _spread(points.starts, points.nodes, points.tables, weights, shape[1], charges.reshape(-1, shape[2]))
    return charges


def gather(points, weights, field, own, scale, values, forces):
    """Write the sums for all points, without the effect of each on itself, to values and forces, and return these.

    `points` and `weights`, float32 of shape (n,), are as they were spread; `field`, float32 of shape (n_meshes, n_rows,
    n_columns), is on the nodes. `own`, float32 of shape (2, T + 1, T + 1), is the effect of a point of weight 1 on
    itself, at T + 1 places along each side of its cell: the value, and the force along the first axis. The force along
    the other axis is the transpose. `values`, shape (N,), take the field at each point, under the number of the point.
    `forces`, shape (N, 2), take its slopes times `scale`, which converts slopes, in units of the spacing, to forces.
    Both are float64.
    """
    rows = field.reshape(-1, field.shape[2])
    _gather(points.order, points.nodes, points.fractions, points.tables, weights, rows, own, scale, values, forces)
    return values, forces


def bspline_table(u, order_of_spline):
    """Return the shares a and slopes a', float64 of shape (n, p), of points at u in their cells, shape (n,).

    p is `order_of_spline`.
    """
    a, slope = np.empty((len(u), order_of_spline)), np.empty((len(u), order_of_spline))
    for row in range(len(u)):
        _bspline(u[row], a[row], slope[row])
    return a, slope


@exclusive
@njit(**FAST)
def _strips(Y, which, firsts, per_unit, n_rows, strips):
    """Write the strip of each point, shape (n,)."""
    for i in prange(Y.shape[0]):
        g = which[i]
        strips[i] = g * n_rows + int(math.floor(Y[i, 0] * per_unit) - firsts[g, 0])


@njit(**FAST_SERIAL)
def sort(strips, order, starts):
    """Write a stable order by strip, or by any number from 0 on, and where each begins."""
    for i in range(strips.shape[0]):
        starts[strips[i] + 1] += 1
    for r in range(starts.shape[0] - 1):
        starts[r + 1] += starts[r]
    place = starts[:-1].copy()
    for i in range(strips.shape[0]):
        order[place[strips[i]]] = i
        place[strips[i]] += 1


@njit(**FAST_SERIAL)
def _cubic(u, W, D):
    """Write what `_bspline` does, for p = 4, the order of small meshes, at a third of its time."""
    half, sixth = W.dtype.type(0.5), W.dtype.type(1.0 / 6.0)
    v = half + half - u
    W[0] = sixth * v * v * v
    W[3] = sixth * u * u * u
    W[1] = half * u * u * (u - half - half - half - half) + sixth + sixth + sixth + sixth
    W[2] = half * v * v * (v - half - half - half - half) + sixth + sixth + sixth + sixth
    D[0] = -half * v * v
    D[3] = half * u * u
    D[1] = u * (half * u + u - half - half - half - half)
    D[2] = -v * (half * v + v - half - half - half - half)


@njit(**FAST_SERIAL)
def _quintic(u, W, D):
    """Write what `_bspline` does, for p = 6, the order of large meshes, at a third of its time."""
    number = W.dtype.type
    one, v, c = number(1), number(1) - u, number(1.0 / 120.0)
    uu, vv = u * u, v * v
    W[0] = c * vv * vv * v
    W[5] = c * uu * uu * u
    W[4] = c * (one + u * (number(5) + u * (number(10) + u * (number(10) + u * (number(5) - number(5) * u)))))
    W[1] = c * (one + v * (number(5) + v * (number(10) + v * (number(10) + v * (number(5) - number(5) * v)))))
    W[2] = c * (number(66) - uu * (number(60) - uu * (number(30) - number(10) * u)))
    W[3] = c * (number(66) - vv * (number(60) - vv * (number(30) - number(10) * v)))
    c = number(1.0 / 24.0)
    D[0] = -c * vv * vv
    D[5] = c * uu * uu
    D[4] = c * (one + u * (number(4) + u * (number(6) + u * (number(4) - number(5) * u))))
    D[1] = -c * (one + v * (number(4) + v * (number(6) + v * (number(4) - number(5) * v))))
    D[2] = -c * u * (number(24) - uu * (number(24) - number(10) * u))
    D[3] = c * v * (number(24) - vv * (number(24) - number(10) * v))


@njit(**FAST_SERIAL)
def _bspline(u, W, D):
    """Write the shares of a point at u in its cell, and their slopes, shape (p,)."""
    p = W.shape[0]
    if p == 4:
        _cubic(u, W, D)
        return
    if p == 6:
        _quintic(u, W, D)
        return
    one = W.dtype.type(1)
    W[0], W[1] = one - u, u
    for k in range(3, p + 1):
        if k == p:
            D[0] = -W[0]
            for j in range(1, p - 1):
                D[j] = W[j - 1] - W[j]
            D[p - 1] = W[p - 2]
        scale = one / W.dtype.type(k - 1)
        W[k - 1] = scale * u * W[k - 2]
        for j in range(k - 2, 0, -1):
            W[j] = scale * ((u + W.dtype.type(k - 1 - j)) * W[j - 1] + (W.dtype.type(j + 1) - u) * W[j])
        W[0] = scale * (one - u) * W[0]


@exclusive
@njit(**FAST)
def _tabulate(Y, which, firsts, per_unit, n_rows, order, nodes, fractions, tables):
    for s in prange(order.shape[0]):
        ahead = order[min(s + _AHEAD, order.shape[0] - 1)]
        call(Y, 2 * ahead)
        call(which, ahead)
        i = order[s]
        g = which[i]
        x, y = Y[i, 0] * per_unit, Y[i, 1] * per_unit
        row, column = math.floor(x), math.floor(y)
        nodes[s, 0], nodes[s, 1] = g * n_rows + int(row - firsts[g, 0]), int(column - firsts[g, 1])
        fractions[s, 0], fractions[s, 1] = x - row, y - column
        _bspline(fractions[s, 0], tables[s, 0], tables[s, 1])
        _bspline(fractions[s, 1], tables[s, 2], tables[s, 3])


@njit(**FAST_SERIAL)
def _add(nodes, tables, weights, k, row):
    """Add to a row of nodes what the points of one strip give it, k rows below their first."""
    six = tables.shape[2] == 6
    for s in range(nodes.shape[0]):
        q, first = weights[s] * tables[s, 0, k], nodes[s, 1]
        for l in range(4):
            row[first + l] += q * tables[s, 2, l]
        if six:
            for l in range(4, 6):
                row[first + l] += q * tables[s, 2, l]


@exclusive
@njit(**FAST)
def _spread(starts, nodes, tables, weights, n_rows, charges):
    for r in prange(charges.shape[0]):
        charges[r] = 0
        for k in range(min(tables.shape[2], r % n_rows + 1)):
            here, there = starts[r - k], starts[r - k + 1]
            _add(nodes[here:there], tables[here:there], weights[here:there], k, charges[r])


@njit(**FAST_SERIAL)
def _read(row, first, table):
    """Return sum_l b_l F_l and sum_l b'_l F_l over a row of nodes."""
    f = g = row[0] - row[0]
    for l in range(4):
        f += row[first + l] * table[2, l]
        g += row[first + l] * table[3, l]
    if table.shape[1] == 6:
        for l in range(4, 6):
            f += row[first + l] * table[2, l]
            g += row[first + l] * table[3, l]
    return f, g


@njit(**FAST_SERIAL)
def _gather_one(node, fractions, table, w, field, own, scale):
    """Return value and force of one point: a function of its own, so that code for one thread has the same bits."""
    value = along_x = along_y = 0.0
    for k in range(table.shape[1]):
        f, g = _read(field[node[0] + k], node[1], table)
        value += table[0, k] * f
        along_x += table[1, k] * f
        along_y += table[0, k] * g
    most = own.shape[1] - 2
    u, v = fractions[0] * (most + 1), fractions[1] * (most + 1)
    k, l = min(int(u), most), min(int(v), most)
    u, v = u - k, v - l
    a, b, c, d = (1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v
    t = own[0]
    value -= w * (a * t[k, l] + b * t[k + 1, l] + c * t[k, l + 1] + d * t[k + 1, l + 1])
    t = own[1]
    force_x = scale * along_x - w * (a * t[k, l] + b * t[k + 1, l] + c * t[k, l + 1] + d * t[k + 1, l + 1])
    force_y = scale * along_y - w * (a * t[l, k] + b * t[l, k + 1] + c * t[l + 1, k] + d * t[l + 1, k + 1])
    return value, force_x, force_y


@exclusive
@njit(**FAST)
def _gather(order, nodes, fractions, tables, weights, field, own, scale, values, forces):
    for s in prange(order.shape[0]):
        i = order[s]
        values[i], forces[i, 0], forces[i, 1] = _gather_one(
            nodes[s], fractions[s], tables[s], weights[s], field, own, scale
        )
