"""How many pairs of a map lie how far apart, as a smooth histogram, and the sums of any smooth function of distance.

Pairs are counted by x = log(1 + d), d being squared distances, in which all that Student's t makes of a pair is smooth.
Cubic B-splines M on an even grid of x are the bins, so that a function f of a pair is a sum over few numbers:

.. math:: f(x) = sum_b c_b M(x / h - b),     H_b = sum_ij s_ij M(x_ij / h - b),     sum_ij s_ij f(x_ij) = sum_b H_b c_b

with coefficients c that `coefficients` finds for a table of f. The same c give the forces -1/2 grad of these sums:

.. math:: sum_j s_ij f'(x_ij) / (1 + d_ij) (y_i - y_j)

Of all pairs, s = 1, those of few objects, or of a wide map, are summed one by one. Otherwise a mesh holds them all
(`splines`). Its charges rho against themselves tell how many pairs are apart by how many nodes, sharpened as in
`influence`,

.. math:: counts = IFFT(|FFT(rho)|^2 / (B(k_x) B(k_y)))

and forces are those of a kernel that is f. Points that no mesh holds are summed exactly.

Longer than 300 lines because counting and forces, by all three ways, must agree on one form of spline.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import prange
from scipy import fft, linalg

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import log_of
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.sums.fourier import convolved
from notebook_sne.engine.sums.influence import blur, own_terms, response
from notebook_sne.engine.sums.meshes import lay_out
from notebook_sne.engine.sums.splines import gather, shares, spread
from notebook_sne.engine.sums.stored_pairs import share_out

__all__ = ["STEP", "coefficients", "count_pairs", "count_stored", "forces_of_all", "forces_of_stored", "grid"]
__all__ += ["slopes_at", "values_at"]

STEP = 0.05
"""h, the spacing of the bins: cubic splines then miss a function as smooth as exp(-t / (1 + d)) by 2e-8."""

_BEYOND = 12  # bins on both sides of those that are needed: what their ends do wrong fades by 4 from bin to bin
_NODE = 8  # pairs of points that are summed in the time that a node of a mesh takes
_POINT_LIKE = 1e-5  # map units: on a smaller map, differences of a function are lost in its rounding
_ORDER, _DENSITY = 6, 3.0  # of the splines of a mesh, and its nodes a map unit
_BLOCKS = 64  # of rows, whose pairs are counted apart, so that the bits do not depend on the number of threads


def grid(Y):
    """Return the places of the bins along x, shape (n,), that pairs of map points Y, shape (N, d), need."""
    diagonal = float(np.square(np.ptp(Y, axis=0)).sum())
    return STEP * np.arange(-_BEYOND, int(np.ceil(np.log1p(diagonal) / STEP)) + _BEYOND + 1)


def coefficients(values):
    """Return c for a function with the given values on the grid, shape (n,) or (n, m)."""
    return linalg.solve_banded((1, 1), _bands(len(values)), values)


@lru_cache(maxsize=8)
def _bands(n):
    bands = np.repeat([[1.0 / 6.0], [4.0 / 6.0], [1.0 / 6.0]], n, axis=1)
    bands[1, [0, -1]] = 1.0
    bands[0, 1] = bands[2, -2] = 0.0
    return bands


def values_at(x, c):
    """Return the function with coefficients c at places x of any shape, on the grid."""
    b, v = _places(x)
    constant, linear, square, cube = (part[b - 1] for part in _polynomials(c))
    return constant + v * (linear + v * (square + v * cube))


def slopes_at(x, c):
    """Return the derivative of the function with coefficients c at places x of any shape, on the grid."""
    b, v = _places(x)
    _, linear, square, cube = (part[b - 1] for part in _polynomials(c))
    return (linear + v * (2.0 * square + v * (3.0 * cube))) / STEP


def _polynomials(c):
    """Return the coefficients of 1, v, v^2 and v^3 from each bin to the next, from the second bin on."""
    before, here, next_one, after = c[:-3], c[1:-2], c[2:-1], c[3:]
    return (
        (before + 4.0 * here + next_one) / 6.0,
        (next_one - before) / 2.0,
        (before - 2.0 * here + next_one) / 2.0,
        (after - before + 3.0 * (here - next_one)) / 6.0,
    )


def _places(x):
    u = x / STEP + _BEYOND
    b = u.astype(np.int64)
    return b, u - b


def count_pairs(Y, n_bins, *, always=None):
    """Return H over all ordered pairs of map points Y, shape (N, d), for a grid of `n_bins`; it sums to N (N - 1).

    `always` is True for a mesh, which needs d < 3, False for counting one by one, and None for the quicker of the two.
    """
    laid = _laid(Y, always)
    counts = np.zeros((_BLOCKS, n_bins))
    if laid is None:
        _count_rows(_points(Y), np.arange(len(Y)), np.arange(len(Y)), counts)
        return counts.sum(axis=0)
    for mesh, points in laid.meshes:
        counts[0] += _counted_by(mesh, points, n_bins)
    if len(laid.rows):  # twice with those on the mesh, once with one another
        rest = np.setdiff1d(np.arange(len(Y)), laid.rows)
        _count_rows(_points(Y), laid.rows, np.concatenate([rest, rest]), counts)
        _count_rows(_points(Y), laid.rows, laid.rows, counts)
    # Spread in single precision, charges sum to their number but for 1e-7, which 500 drawn pairs would multiply.
    found = counts.sum(axis=0)
    return found * (len(Y) * (len(Y) - 1.0) / found.sum())


def count_stored(pairs, Y, n_bins):
    """Return H over stored pairs, s being their strengths, at map points Y, shape (N, d)."""
    arguments = share_out(pairs)
    counts = np.zeros((len(arguments[3]) - 1, n_bins))
    _count_stored(*arguments, np.ascontiguousarray(Y, dtype=np.float64), counts)
    return counts.sum(axis=0)


def forces_of_all(Y, c, *, always=None):
    """Return the forces above over all pairs, shape (N, d), for coefficients c, shape (n_bins,)."""
    laid = _laid(Y, always)
    c = np.ascontiguousarray(c)
    if laid is None:
        return _exactly(Y, np.arange(len(Y)), np.arange(len(Y)), c)
    forces = np.zeros((len(Y), 2))
    kernel = _Spline(c)
    for mesh, points in laid.meshes:
        ones = np.ones(len(mesh.members), np.float32)
        nodes = spread(points, ones, (len(mesh.firsts), mesh.sides[0], mesh.period[1]))
        field = convolved(nodes, response(mesh.order, mesh.spacing, kernel, mesh.period, True), mesh.period)
        own = own_terms(mesh.order, mesh.spacing, kernel, True)
        gather(points, ones, field, own, -0.5 / mesh.spacing, np.empty(len(Y)), forces)
    forces *= -1.0  # `gather` has those of a kernel, minus its slope
    if len(laid.rows):
        rest = np.setdiff1d(np.arange(len(Y)), laid.rows)
        forces[rest, : Y.shape[1]] += _exactly(Y, rest, laid.rows, c)
        forces[laid.rows, : Y.shape[1]] = _exactly(Y, laid.rows, np.arange(len(Y)), c)
    return forces[:, : Y.shape[1]]


def forces_of_stored(pairs, Y, c):
    """Return the forces above over stored pairs, shape (N, d), for coefficients c, shape (n_bins,)."""
    forces = np.zeros(Y.shape)
    _forces_of_stored(*share_out(pairs), np.ascontiguousarray(Y, dtype=np.float64), np.ascontiguousarray(c), forces)
    return forces


class _Spline:
    """A kernel with coefficients c; as each is used once, it is compared by what it is."""

    def __init__(self, c):
        self.c = c

    def values(self, d):
        """Return the kernel at squared distances d, which may lie beyond the grid: there it stays as it is."""
        return values_at(np.minimum(np.log1p(d), STEP * (len(self.c) - _BEYOND - 3)), self.c)


class _Laid(NamedTuple):
    """Map points, some on meshes and others not."""

    meshes: list  # of (Mesh, Shares)
    rows: np.ndarray  # the points on no mesh


def _laid(Y, always):
    """Return the _Laid of map points, or None where pairs are taken one by one."""
    N, d = Y.shape
    if always is False or d > 2 or np.ptp(Y, axis=0).max() < _POINT_LIKE:
        return None
    plane = np.ascontiguousarray(Y if d == 2 else np.column_stack([Y, np.zeros(N)]), dtype=np.float64)
    meshes, rows, _ = lay_out(plane, np.array([0, N]), (_ORDER, 1.0 / _DENSITY, 0.0), False, True)
    if always is None and _NODE * sum(mesh.period[0] * mesh.period[1] for mesh in meshes) > N * N:
        return None
    laid = [(mesh, shares(mesh)) for mesh in meshes]
    return _Laid(laid, rows)


def _counted_by(mesh, points, n_bins):
    """Return H over the pairs of the points on a mesh."""
    n = len(mesh.members)
    nodes = spread(points, np.ones(n, np.float32), (1, mesh.sides[0], mesh.period[1]))[0]
    waves = fft.rfft2(nodes.astype(np.float64), mesh.period, workers=1)
    power = np.square(waves.real) + np.square(waves.imag)
    power /= blur(mesh.order, fft.fftfreq(mesh.period[0]))[:, None]
    power /= blur(mesh.order, fft.rfftfreq(mesh.period[1]))
    apart = fft.irfft2(power, mesh.period, workers=1)
    counts = np.zeros(n_bins)
    _count_nodes(apart, mesh.spacing, counts)
    _count_one(0.0, -float(n), counts)  # a point is no pair with itself
    return counts


def _points(Y):
    return np.ascontiguousarray(Y - np.median(Y, axis=0), dtype=np.float64)


def _exactly(Y, rows, others, c):
    forces = np.empty((len(rows), Y.shape[1]))
    _forces_of_rows(_points(Y), rows, others, c, forces)
    return forces


@njit(**FAST_SERIAL)
def _count_one(x, s, counts):
    """Add a pair of strength s at x."""
    u = x / STEP + _BEYOND
    b = int(u)
    v = u - b
    w = 1.0 - v
    s = s / 6.0
    counts[b - 1] += s * w * w * w
    counts[b] += s * (3.0 * v * v * v - 6.0 * v * v + 4.0)
    counts[b + 1] += s * (3.0 * w * w * w - 6.0 * w * w + 4.0)
    counts[b + 2] += s * v * v * v


@njit(**FAST_SERIAL)
def _slope(x, c):
    """Return f' at x."""
    u = x / STEP + _BEYOND
    b = int(u)
    v = u - b
    w = 1.0 - v
    there = c[b + 2] * v * v - c[b - 1] * w * w + c[b] * (3.0 * v * v - 4.0 * v) - c[b + 1] * (3.0 * w * w - 4.0 * w)
    return there * (0.5 / STEP)


@njit(**FAST_SERIAL)
def _square(points, i, j):
    d = 0.0
    for k in range(points.shape[1]):
        t = points[i, k] - points[j, k]
        d += t * t
    return d


@exclusive
@njit(**FAST)
def _count_rows(points, rows, others, counts):
    """Count the pairs of some points and others, block of rows by block."""
    for block in prange(counts.shape[0]):
        for r in range(block, rows.shape[0], counts.shape[0]):
            i = rows[r]
            for s in range(others.shape[0]):
                if others[s] != i:
                    _count_one(log_of(1.0 + _square(points, i, others[s])), 1.0, counts[block])


@exclusive
@njit(**FAST)
def _count_stored(pointers, columns, strengths, blocks, points, counts):
    for block in prange(blocks.shape[0] - 1):
        for i in range(blocks[block], blocks[block + 1]):
            for k in range(pointers[i], pointers[i + 1]):
                _count_one(log_of(1.0 + _square(points, i, columns[k])), strengths[k], counts[block])


@njit(**FAST_SERIAL)
def _count_nodes(apart, spacing, counts):
    """Count what is apart by whole nodes, in all four directions."""
    height, width = apart.shape
    for r in range(height // 2 + 1):
        down = height - r
        for s in range(width // 2 + 1):
            across = width - s
            there = apart[r, s]
            if r > 0 and down > r:
                there += apart[down, s]
            if s > 0 and across > s:
                there += apart[r, across]
                if r > 0 and down > r:
                    there += apart[down, across]
            x = min(log_of(1.0 + spacing * spacing * (r * r + s * s)), STEP * (counts.shape[0] - _BEYOND - 3))
            _count_one(x, there, counts)


@exclusive
@njit(**FAST)
def _forces_of_rows(points, rows, others, c, forces):
    for r in prange(rows.shape[0]):
        i = rows[r]
        forces[r] = 0.0
        for s in range(others.shape[0]):
            j = others[s]
            if j != i:
                far = 1.0 + _square(points, i, j)
                slope = _slope(log_of(far), c) / far
                for k in range(points.shape[1]):
                    forces[r, k] += slope * (points[i, k] - points[j, k])


@njit(**FAST_SERIAL)
def _force_of_stored(columns, strengths, points, i, c, force):
    """Write the force on a row: a function of its own, so that the bits are the same in code for one thread."""
    force[:] = 0.0
    for k in range(columns.shape[0]):
        j = columns[k]
        far = 1.0 + _square(points, i, j)
        slope = strengths[k] * _slope(log_of(far), c) / far
        for a in range(points.shape[1]):
            force[a] += slope * (points[i, a] - points[j, a])


@exclusive
@njit(**FAST)
def _forces_of_stored(pointers, columns, strengths, blocks, points, c, forces):
    for block in prange(blocks.shape[0] - 1):
        for i in range(blocks[block], blocks[block + 1]):
            own = slice(pointers[i], pointers[i + 1])
            _force_of_stored(columns[own], strengths[own], points, i, c, forces[i])
