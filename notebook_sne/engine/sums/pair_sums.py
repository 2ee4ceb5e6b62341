"""Sums over all pairs of map points, with their forces, exactly.

Every model of the family pushes its map points apart by sums of one form:

.. math::

    value_i = sum_{j != i} w_j K(d_ij),     force_i = sum_{j != i} w_j K'(d_ij) (y_i - y_j),     d_ij = |y_i - y_j|^2

    K = exp(-d),       K' = exp(-d)                (the Gaussian: SNE, symmetric SNE, UNI-SNE)
    K = 1 / (1 + d),   K' = 1 / (1 + d)^2          (Student's t: t-SNE)

For Student's t with another number nu of degrees of freedom,

.. math:: K = (1 + d / nu)^(-(nu + 1) / 2),     K' = (nu + 1) / (2 nu) (1 + d / nu)^(-(nu + 3) / 2)

K' is minus the derivative of K, so that the force is -1/2 times the gradient of the value. Several maps are several
groups of points, and only points of one group meet. No P is read here: P acts only on its stored pairs
(`stored_pairs`). Sums run in single precision on points measured from their center. Every thread owns its rows and sums
them in a fixed order, so the bits don't depend on the number of threads.

Longer than 300 lines because each kernel is written twice, for maps in a plane and for any number of dimensions.
"""

import itertools

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.sums.moments import add_squares, first_moment

__all__ = ["gaussian_sums", "in_plane", "student_sums", "sums_between"]


def gaussian_sums(Y, weights=None, *, groups=None, targets=None, dtype=np.float32):
    """Return sum_j w_j exp(-d_ij) and sum_j w_j exp(-d_ij) (y_i - y_j) for every object i.

    Y, shape (N, d), are map points, finite; `weights`, shape (N,), are w_j, all 1 by default. Group g holds the points
    groups[g] to groups[g + 1], and i meets only j of its own group; by default there is one group. Aspect maps are such
    groups. `targets`, shape (N, d), are places from which the objects i look if these aren't their places in Y, as for
    another of their images. Distances are then those from target i to y_j, and j = i is still left out.

    Sums are made in the precision `dtype`, float32 or float64, and returned in float64, values of shape (N,) and forces
    of shape (N, d), in map units. In the values, terms below 2**-100 count as 2**-100 (2**-1000 in double precision).
    """
    return _sums(Y, weights, groups, targets, dtype, np.inf)


def student_sums(Y, weights=None, *, groups=None, targets=None, dtype=np.float32, degrees_of_freedom=1.0):
    """Return sum_j w_j / (1 + d_ij) and sum_j w_j (y_i - y_j) / (1 + d_ij)^2 for every object i.

    Arguments and shapes are those of `gaussian_sums`. `degrees_of_freedom` is nu; values other than 1, that of t-SNE,
    are slow.
    """
    return _sums(Y, weights, groups, targets, dtype, float(degrees_of_freedom))


def _sums(Y, weights, groups, targets, dtype, freedom):
    N, d = Y.shape
    if groups is None:
        groups = np.array([0, N])
    sizes = np.diff(groups)
    first, last = np.repeat(groups[:-1], sizes), np.repeat(groups[1:], sizes)
    centers = _centers(Y, groups, sizes)
    points = np.ascontiguousarray((Y - centers).T, dtype=dtype)
    seen_from = points if targets is None else np.ascontiguousarray((targets - centers).T, dtype=dtype)
    w = np.ones(N, dtype) if weights is None else np.array(weights, dtype=dtype)
    values, forces = np.empty(N), np.empty((N, d))
    (in_plane if d == 2 else _space)(seen_from, points, w, first, last, np.arange(N), _kernel(freedom), values, forces)
    return values, forces


def _kernel(freedom):
    """Return the numbers of a kernel: none, nu, or nu and the power. Their count is a type: each is compiled alone."""
    return () if freedom == np.inf else (1.0,) if freedom == 1.0 else (freedom, -0.5 * (freedom + 1.0))


def sums_between(Y, weights, groups, rows, sources, degrees_of_freedom):
    """Return the sums of a few objects over all others, and of all over a few, in the plane and in single precision.

    Y, shape (N, 2), `weights`, shape (N,), and `groups` are those of `gaussian_sums`; `degrees_of_freedom` is infinite
    for the Gaussian. `rows` and `sources`, int, ascending, are objects i that are summed over all j of their group, and
    objects j that all i of their group meet. The first pair are values and forces of `rows`, shapes (R,) and (R, 2).
    The second pair are those that `sources` exert on all objects, shapes (N,) and (N, 2), on themselves included.
    """
    N = len(Y)
    sizes = np.diff(groups)
    points = np.ascontiguousarray((Y - _centers(Y, groups, sizes)).T, dtype=np.float32)
    w = weights.astype(np.float32)
    first, last = np.repeat(groups[:-1], sizes), np.repeat(groups[1:], sizes)
    kernel, of_rows = _kernel(degrees_of_freedom), (np.empty(len(rows)), np.empty((len(rows), 2)))
    targets = np.ascontiguousarray(points[:, rows])
    in_plane(targets, points, w, first[rows], last[rows], rows, kernel, *of_rows)
    few = (
        np.repeat(np.searchsorted(sources, groups[:-1]), sizes),
        np.repeat(np.searchsorted(sources, groups[1:]), sizes),
    )
    from_sources = np.empty(N), np.empty((N, 2))
    some = np.ascontiguousarray(points[:, sources])
    in_plane(points, some, w[sources], *few, few[1], kernel, *from_sources)
    return of_rows, from_sources


def _centers(Y, groups, sizes):
    """Return the origin from which the points of each group are measured, shape (N, d).

    It lets single precision be spent on distances and not on a common offset. It is the median where one far object
    would pull the mean away from all others.
    """
    some = sizes > 0
    if not some.any():
        return np.zeros(Y.shape)
    centers = np.add.reduceat(Y, groups[:-1][some], axis=0) / sizes[some, None]
    centers = np.repeat(centers, sizes[some], axis=0)
    if np.abs(Y - centers).max() > 1e3:
        for start, stop in itertools.pairwise(groups):
            if stop > start and np.abs(Y[start:stop] - centers[start:stop]).max() > 1e3:
                centers[start:stop] = np.median(Y[start:stop], axis=0)
    return centers


# In the plane, where nearly all maps lie, a row is one loop that keeps everything in registers. The pair (i, i)
# is never summed: the two parts of a row stop short of it, as 1 - 1 would cost all digits of a small sum.


@njit(**FAST_SERIAL)
def _gaussian_part(x, y, w, xi, yi):
    value = force_x = force_y = xi - xi
    for j in range(x.shape[0]):
        dx = xi - x[j]
        dy = yi - y[j]
        e = w[j] * exp_minus(dx * dx + dy * dy)
        value += e
        force_x += e * dx
        force_y += e * dy
    return value, force_x, force_y


@njit(**FAST_SERIAL)
def _student_part(x, y, w, xi, yi):
    value = force_x = force_y = xi - xi
    one = x.dtype.type(1)
    for j in range(x.shape[0]):
        dx = xi - x[j]
        dy = yi - y[j]
        k = one / (one + dx * dx + dy * dy)
        wk = w[j] * k
        value += wk
        force_x += wk * k * dx
        force_y += wk * k * dy
    return value, force_x, force_y


@njit(**FAST_SERIAL)
def _free_part(x, y, w, xi, yi, freedom, power):
    value = force_x = force_y = 0.0
    slope = -power / freedom
    for j in range(x.shape[0]):
        dx = xi - x[j]
        dy = yi - y[j]
        t = 1.0 + (dx * dx + dy * dy) / freedom
        wk = w[j] * t**power
        value += wk
        force_x += slope * wk / t * dx
        force_y += slope * wk / t * dy
    return value, force_x, force_y


@njit(**FAST_SERIAL)
def _part(x, y, w, xi, yi, kernel):
    if len(kernel) == 0:
        return _gaussian_part(x, y, w, xi, yi)
    if len(kernel) == 1:
        return _student_part(x, y, w, xi, yi)
    return _free_part(x, y, w, xi, yi, kernel[0], kernel[1])


@exclusive
@njit(**FAST)
def in_plane(targets, points, w, first, last, own, kernel, values, forces):
    """Sum for each target i the points from first[i] to last[i], except for the one at own[i]."""
    x, y = points[0], points[1]
    for i in prange(targets.shape[1]):
        xi, yi, start, stop, me = targets[0, i], targets[1, i], first[i], last[i], own[i]
        a, ax, ay = _part(x[start:me], y[start:me], w[start:me], xi, yi, kernel)
        b, bx, by = _part(x[me + 1 : stop], y[me + 1 : stop], w[me + 1 : stop], xi, yi, kernel)
        values[i] = a + b
        forces[i, 0] = ax + bx
        forces[i, 1] = ay + by


# In any other number of dimensions a row is taken in blocks that stay in the processor's nearest cache.
_BLOCK = 512


@njit(**FAST_SERIAL)
def _gaussian_block(d, w):
    """Return sum_j w_j K; leave w_j K' in d."""
    value = w[0] - w[0]
    for j in range(w.shape[0]):
        d[j] = w[j] * exp_minus(d[j])
        value += d[j]
    return value


@njit(**FAST_SERIAL)
def _student_block(d, w):
    value = w[0] - w[0]
    one = w.dtype.type(1)
    for j in range(w.shape[0]):
        k = one / (one + d[j])
        value += w[j] * k
        d[j] = w[j] * k * k
    return value


@njit(**FAST_SERIAL)
def _free_block(d, w, freedom, power):
    value = 0.0
    for j in range(w.shape[0]):
        t = 1.0 + d[j] / freedom
        wk = w[j] * t**power
        value += wk
        d[j] = -power / freedom * wk / t
    return value


@njit(**FAST_SERIAL)
def _block_sum(d, w, kernel):
    if len(kernel) == 0:
        return _gaussian_block(d, w)
    if len(kernel) == 1:
        return _student_block(d, w)
    return _free_block(d, w, kernel[0], kernel[1])


@njit(**FAST_SERIAL)
def _space_row(target, points, w, i, first, last, kernel, force):
    """Return value_i and write force_i, shape (d,)."""
    n_dimensions = points.shape[0]
    block = np.empty(_BLOCK, points.dtype)
    value = 0.0
    start = first
    while start < last:
        stop = min(start + _BLOCK, last)
        if start <= i < stop:  # stop short of i, then begin anew behind it
            stop = i
        if stop > start:
            d = block[: stop - start]
            d[:] = 0
            for a in range(n_dimensions):
                add_squares(points[a, start:stop], target[a], d)
            value += _block_sum(d, w[start:stop], kernel)
            for a in range(n_dimensions):
                force[a] += first_moment(points[a, start:stop], target[a], d)
        start = stop + 1 if stop == i else stop
    return value


@exclusive
@njit(**FAST)
def _space(targets, points, w, first, last, own, kernel, values, forces):
    for i in prange(points.shape[1]):
        forces[i] = 0.0
        values[i] = _space_row(targets[:, i].copy(), points, w, own[i], first[i], last[i], kernel, forces[i])
