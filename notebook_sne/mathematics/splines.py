"""Charges on a mesh: B-splines that spread points over its nodes, and gather a field and its slope back at them.

The cardinal B-spline M_p of order p is a bump of width p, made of polynomials of degree p - 1, and its shifts by whole
numbers sum to 1. A point at x, in units of the spacing, gives the p nodes around it the shares

.. math::

    a_k = M_p(x - k),     sum_k a_k = 1,     a'_k = M_{p-1}(x - k) - M_{p-1}(x - k - 1)

by a recursion from order to order (Cox and de Boor). In the plane a node gets a_k b_l. A field F on the nodes, read at
the point with the same shares, is smooth in x, and its slope is exact:

.. math:: f(x, y) = sum_kl a_k b_l F_kl,     df/dx = sum_kl a'_k b_l F_kl,     df/dy = sum_kl a_k b'_l F_kl

Points are sorted by strip, the column of cells they lie in, so that all that a row of nodes receives lies side by
side. Every thread owns its rows of nodes and, on the way back, its points: sums run in one order, and the bits do not
depend on the number of threads.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.mathematics.compiled import njit
from notebook_sne.mathematics.parallel import FAST, FAST_SERIAL, exclusive

__all__ = ["Shares", "bspline_table", "gather", "shares", "spread"]


class Shares(NamedTuple):
    """The shares of points in the nodes around them, points sorted by strip.

    Attributes
    ----------
    order : ndarray of int64, shape (n,)
        Which point stands where.
    starts : ndarray of int64, shape (n_strips + 1,)
        Strip s holds places starts[s] to starts[s + 1].
    nodes : ndarray of int64, shape (n, 2)
        First node of each point, in the order of the points; its row is counted through all meshes.
    fractions : ndarray of float32, shape (n, 2)
        Where in its cell each lies, from 0 to 1.
    tables : ndarray of float32, shape (4, n, p)
        a, a', b and b' at each place.
    """

    order: np.ndarray
    starts: np.ndarray
    nodes: np.ndarray
    fractions: np.ndarray
    tables: np.ndarray


def shares(Y, which, firsts, spacing, order_of_spline, n_rows):
    """Return the Shares of points.

    Parameters
    ----------
    Y : ndarray of float64, shape (n, 2)
        The points, in map units.
    which : ndarray of int64, shape (n,)
        The mesh that each lies on.
    firsts : ndarray of float64, shape (n_meshes, 2)
        The least cell of each mesh, a whole number of spacings: all meshes are parts of one lattice, so that a map
        that moves a little does not move them.
    spacing : float
        Map units from node to node.
    order_of_spline : int
        p, at least 4.
    n_rows : int
        Rows of a mesh.
    """
    n = len(Y)
    nodes, fractions = np.empty((n, 2), np.int64), np.empty((n, 2), np.float32)
    _place(Y, which, firsts, 1.0 / spacing, n_rows, nodes, fractions)
    order, starts = np.empty(n, np.int64), np.zeros(len(firsts) * n_rows + 1, np.int64)
    _sort(nodes, order, starts)
    tables = np.empty((4, n, order_of_spline), np.float32)
    _tabulate(fractions, order, tables)
    return Shares(order, starts, nodes, fractions, tables)


def spread(points, weights, shape):
    """Return the charges on the nodes, float32 of the given shape (n_meshes, n_rows, n_columns).

    `points` are Shares, `weights`, shape (n,), are in the order of the points.
    """
    charges = np.empty(shape, np.float32)
    _spread(*points, weights, shape[1], charges.reshape(-1, shape[2]))
    return charges


def gather(points, weights, field, own, scale):
    """Return what the points feel, less what each feels of itself.

    Parameters
    ----------
    points : Shares
        As they were spread.
    weights : ndarray of float64, shape (n,)
        Their charges.
    field : ndarray of float32, shape (n_meshes, n_rows, n_columns)
        On the nodes.
    own : ndarray of float32, shape (2, T + 1, T + 1)
        Value and force along the first axis that a point of weight 1 feels of itself, at T + 1 places along each side
        of its cell; the force along the other axis is the transpose.
    scale : float
        From slopes, which are in units of the spacing, to forces.

    Returns
    -------
    values : ndarray of float64, shape (n,)
        The field at the points.
    forces : ndarray of float64, shape (n, 2)
        Its slopes, times `scale`.
    """
    n = len(weights)
    values, forces = np.empty(n), np.empty((n, 2))
    _gather(*points, weights, field.reshape(-1, field.shape[2]), own, scale, values, forces)
    return values, forces


def bspline_table(u, order_of_spline):
    """Return the shares a and their slopes a', each float64 of shape (n, p), of points at u in their cells, shape (n,)."""
    a, slope = np.empty((len(u), order_of_spline)), np.empty((len(u), order_of_spline))
    for row in range(len(u)):
        _bspline(u[row], a[row], slope[row])
    return a, slope


@njit(**FAST_SERIAL)
def _sort(nodes, order, starts):
    """Write a stable order by row, and where each row begins."""
    for i in range(nodes.shape[0]):
        starts[nodes[i, 0] + 1] += 1
    for r in range(starts.shape[0] - 1):
        starts[r + 1] += starts[r]
    place = starts[:-1].copy()
    for i in range(nodes.shape[0]):
        r = nodes[i, 0]
        order[place[r]] = i
        place[r] += 1


@njit(**FAST_SERIAL)
def _bspline(u, W, D):
    """Write the shares of a point at u in its cell, and their slopes, shape (p,)."""
    p = W.shape[0]
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
def _place(Y, which, firsts, per_unit, n_rows, nodes, fractions):
    for i in prange(Y.shape[0]):
        g = which[i]
        for a in range(2):
            t = Y[i, a] * per_unit
            cell = math.floor(t)
            nodes[i, a] = int(cell - firsts[g, a])
            fractions[i, a] = t - cell
        nodes[i, 0] += g * n_rows


@exclusive
@njit(**FAST)
def _tabulate(fractions, order, tables):
    for s in prange(order.shape[0]):
        i = order[s]
        _bspline(fractions[i, 0], tables[0, s], tables[1, s])
        _bspline(fractions[i, 1], tables[2, s], tables[3, s])


@njit(**FAST_SERIAL)
def _add(here, nodes, a, b, weights, k, row):
    """Add to a row of nodes what the points `here`, all of one strip, give it, k rows below their first."""
    for s in range(here.shape[0]):
        i = here[s]
        q, first = np.float32(weights[i]) * a[s, k], nodes[i, 1]
        for l in range(b.shape[1]):
            row[first + l] += q * b[s, l]


@exclusive
@njit(**FAST)
def _spread(order, starts, nodes, fractions, tables, weights, n_rows, charges):
    a, b = tables[0], tables[2]
    for r in prange(charges.shape[0]):
        charges[r] = 0
        for k in range(min(tables.shape[2], r % n_rows + 1)):
            here, there = starts[r - k], starts[r - k + 1]
            _add(order[here:there], nodes, a[here:there], b[here:there], weights, k, charges[r])


@njit(**FAST_SERIAL)
def _read(row, first, b, slope):
    """Return sum_l b_l F_l and sum_l b'_l F_l over a row of nodes."""
    f, g = row[first] * b[0], row[first] * slope[0]
    for l in range(1, b.shape[0]):
        f += row[first + l] * b[l]
        g += row[first + l] * slope[l]
    return f, g


@njit(**FAST_SERIAL)
def _between(table, u, v):
    """Return what a table holds at (u, v), in units of its cells."""
    k, l = min(int(u), table.shape[0] - 2), min(int(v), table.shape[1] - 2)
    u, v = u - k, v - l
    return (1 - v) * ((1 - u) * table[k, l] + u * table[k + 1, l]) + v * (
        (1 - u) * table[k, l + 1] + u * table[k + 1, l + 1]
    )


@exclusive
@njit(**FAST)
def _gather(order, starts, nodes, fractions, tables, weights, field, own, scale, values, forces):
    n_places = own.shape[1] - 1
    for s in prange(order.shape[0]):
        i = order[s]
        value = along_x = along_y = 0.0
        for k in range(tables.shape[2]):
            f, g = _read(field[nodes[i, 0] + k], nodes[i, 1], tables[2, s], tables[3, s])
            value += tables[0, s, k] * f
            along_x += tables[1, s, k] * f
            along_y += tables[0, s, k] * g
        u, v, w = fractions[i, 0] * n_places, fractions[i, 1] * n_places, weights[i]
        values[i] = value - w * _between(own[0], u, v)
        forces[i, 0] = scale * along_x - w * _between(own[1], u, v)
        forces[i, 1] = scale * along_y - w * _between(own[1], v, u)
