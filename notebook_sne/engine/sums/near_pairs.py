"""Sums over near pairs, one by one, for a mesh that has only what is smooth of a kernel.

Student's t bends within a unit, and a mesh that follows it has three nodes in each. A map of 70,000 objects is 350
units wide, and such a mesh has four million nodes. So the kernel is split at a reach R. With t = 1 + d / nu, T = 1 +
R^2 / nu and a = (nu + 1) / 2,

.. math::

    t = T (1 - u),     u = (R^2 - d) / (nu + R^2),     K = T^-a (1 - u)^-a = T^-a sum_k (a)_k / k! u^k

The first four terms are the smooth part within R, and beyond it K itself: it has three derivatives at R, and is smooth
on the scale of R, so that a mesh with four nodes in R holds it. The rest is 0 beyond R and is summed over near pairs.

Points are sorted by cells of half a reach. The neighbors of a cell are gathered once into a buffer, for all points of
the cell: the loop over them is long, and reads memory in order.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.sums.splines import sort

__all__ = ["Smooth", "add_near", "count_near"]

_CELLS = 2  # in a reach: fewer look at more pairs that are not near, more fill more buffers
_TOGETHER = 32  # pairs that a loop takes at a time
_SAMPLE = 500  # points by which near pairs are counted


class Smooth(NamedTuple):
    """What is smooth of Student's t."""

    degrees_of_freedom: float
    reach: float  # R in map units

    def values(self, d):
        """Return the smooth part at squared distances d."""
        nu = self.degrees_of_freedom
        beyond = (1.0 + np.maximum(d, self.reach**2) / nu) ** (-0.5 * (nu + 1.0))
        u = np.maximum(self.reach**2 - d, 0.0) / (nu + self.reach**2)
        c = self.terms()
        return beyond + u * (c[1] + u * (c[2] + u * c[3]))

    def terms(self):
        """Return the four factors of the powers of u."""
        nu = self.degrees_of_freedom
        a = 0.5 * (nu + 1.0)
        whole = (1.0 + self.reach**2 / nu) ** -a
        return tuple(whole * math.prod(a + j for j in range(k)) / math.factorial(k) for k in range(4))


def count_near(points, reach):
    """Return about how many pairs of points, shape (N, 2), `add_near` looks at: as many as among some of them."""
    some = np.ascontiguousarray(points[:: max(1, len(points) // _SAMPLE)].T)
    return _count(some[0], some[1], reach * (1.0 + 0.5 / _CELLS)) * (len(points) / some.shape[1]) ** 2


def add_near(mesh, weights, smooth, values, forces):
    """Add to values, shape (N,), and forces, shape (N, 2), what a Mesh of the smooth part lacks.

    `weights`, float32 of shape (N,), are those of all points, of which the mesh has some.
    """
    nu, S = smooth.degrees_of_freedom, smooth.reach**2
    own = 1.0 - smooth.values(np.zeros(1))[0]  # of each itself, whose force is 0
    numbers = np.array([S, 1.0 / (nu + S), own], np.float32)
    terms = None if nu == 1.0 else np.array([nu, *smooth.terms()], np.float32)  # None: code that nobody needs yet
    side = smooth.reach / _CELLS
    Y = np.require(mesh.points, np.float64, ["C", "W"])
    low = mesh.firsts * mesh.spacing
    n_rows, n_columns = (int(n * mesh.spacing / side) + 1 for n in mesh.sides)
    n = len(Y)
    cells, order = np.empty(n, np.int64), np.empty(n, np.int64)
    starts = np.zeros(len(low) * n_rows * n_columns + 1, np.int64)
    _cells(Y, mesh.which, low, 1.0 / side, n_rows, n_columns, cells)
    sort(cells, order, starts)
    x, y = (np.ascontiguousarray((Y[order, a] - Y[:, a].mean()), dtype=np.float32) for a in (0, 1))
    who = mesh.members[order]
    _near(who, x, y, weights[who], starts, n_rows, n_columns, numbers, terms, values, forces)


@njit(**FAST_SERIAL)
def _count(x, y, far):
    n = -x.shape[0]  # of each with itself
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            n += (abs(x[i] - x[j]) < far) & (abs(y[i] - y[j]) < far)
    return n


@njit(**FAST_SERIAL)
def _rest_of_one(x, y, w, xi, yi, numbers):
    """Return value and force of one point in the buffer, for one degree of freedom: there the rest is u^4 / (1 + d)."""
    value = force_x = force_y = zero = xi - xi
    S, inverse, one = numbers[0], numbers[1], x.dtype.type(1)
    four = inverse + inverse + inverse + inverse
    for j in range(x.shape[0]):
        dx = xi - x[j]
        dy = yi - y[j]
        d = dx * dx + dy * dy
        u = max((S - d) * inverse, zero)
        k = one / (one + d)
        cube = w[j] * u * u * u * k
        value += cube * u
        slope = cube * (four + u * k)
        force_x += slope * dx
        force_y += slope * dy
    return value, force_x, force_y


@njit(**FAST_SERIAL)
def _rest_of_any(x, y, w, xi, yi, numbers, terms):
    value = force_x = force_y = zero = xi - xi
    S, inverse = numbers[0], numbers[1]
    nu, c0, c1, c2, c3 = terms[0], terms[1], terms[2], terms[3], terms[4]
    one = x.dtype.type(1)
    a = (nu + one) / (one + one)
    for j in range(x.shape[0]):
        dx = xi - x[j]
        dy = yi - y[j]
        d = dx * dx + dy * dy
        u = (S - d) * inverse
        t = one + d / nu
        k = exp_minus(a * log_of(t))
        counts = w[j] if u > zero else zero
        value += counts * (k - c0 - u * (c1 + u * (c2 + u * c3)))
        slope = counts * (a / nu * k / t - inverse * (c1 + u * (c2 + c2 + u * (c3 + c3 + c3))))
        force_x += slope * dx
        force_y += slope * dy
    return value, force_x, force_y


@njit(**FAST_SERIAL)
def _cell(who, x, y, w, starts, n_columns, first, last, row, column, numbers, terms, buffer, values, forces):
    """Add the sums of the points of a cell, on a mesh with rows of cells from `first` to `last`; return the buffer."""
    cell = row * n_columns + column
    begin, end = starts[cell], starts[cell + 1]
    if begin == end:
        return buffer
    left, right = max(column - _CELLS, 0), min(column + _CELLS + 1, n_columns)
    top, bottom = max(row - _CELLS, first), min(row + _CELLS + 1, last)
    n = 0
    for r in range(top, bottom):
        n += starts[r * n_columns + right] - starts[r * n_columns + left]
    if n + _TOGETHER > buffer.shape[1]:
        buffer = np.empty((3, 2 * n + _TOGETHER), np.float32)
    full = (n + _TOGETHER - 1) // _TOGETHER * _TOGETHER
    nx, ny, nw = buffer[0, :full], buffer[1, :full], buffer[2, :full]
    n = 0
    for r in range(top, bottom):
        here, there = starts[r * n_columns + left], starts[r * n_columns + right]
        for s in range(here, there):
            nx[n], ny[n], nw[n] = x[s], y[s], w[s]
            n += 1
    nx[n:] = ny[n:] = nw[n:] = 0
    own = numbers[2]
    for s in range(begin, end):
        if terms is None:
            v, fx, fy = _rest_of_one(nx, ny, nw, x[s], y[s], numbers)
        else:
            v, fx, fy = _rest_of_any(nx, ny, nw, x[s], y[s], numbers, terms)
        i = who[s]
        values[i] += v - w[s] * own
        forces[i, 0] += fx
        forces[i, 1] += fy
    return buffer


@exclusive
@njit(**FAST)
def _near(who, x, y, w, starts, n_rows, n_columns, numbers, terms, values, forces):
    for row in prange((starts.shape[0] - 1) // n_columns):
        first, buffer = row // n_rows * n_rows, np.empty((3, 1024), np.float32)
        for column in range(n_columns):
            buffer = _cell(
                who,
                x,
                y,
                w,
                starts,
                n_columns,
                first,
                first + n_rows,
                row,
                column,
                numbers,
                terms,
                buffer,
                values,
                forces,
            )


@exclusive
@njit(**FAST)
def _cells(Y, which, low, per_side, n_rows, n_columns, cells):
    """Write the cell of each point, shape (n,)."""
    for i in prange(Y.shape[0]):
        g = which[i]
        row, column = int((Y[i, 0] - low[g, 0]) * per_side), int((Y[i, 1] - low[g, 1]) * per_side)
        cells[i] = (g * n_rows + row) * n_columns + column
