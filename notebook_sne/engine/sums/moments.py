"""Sums of the kernel and its first two derivatives over all map points, seen from one place.

.. math::

    V = sum_j K(d_j),   B = sum_j K1(d_j),   F = sum_j K1(d_j) c_j,   T = sum_j K2(d_j) c_j c_j'

    c_j = y - y_j,   d_j = |c_j|^2

    K = K1 = K2 = exp(-d)                                                (the Gaussian)
    K = 1 / (1 + d),   K1 = 1 / (1 + d)^2,   K2 = 2 / (1 + d)^3          (Student's t)

K1 is minus the derivative of K, and K2 the second one, so that

.. math::

    dV/dy = -2 F,   d2V/dy2 = 4 T - 2 B

`pair_sums` has V and F of all points at once; here y is any place, and the curvature is returned too, which costs
little more. Every function here is compiled into its caller, which takes one place after the other.
"""

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST_SERIAL

__all__ = ["add_squares", "first_moment", "least_square", "moments", "second_moment", "squares"]


@njit(**FAST_SERIAL)
def moments(points, y, nearest, student, F, T):
    """Return V and B, and write F, shape (d,), and T, shape (d, d).

    `points` has shape (d, N) and `y` shape (d,), both in the precision of the sums. `student` tells whether K is
    Student's t. The Gaussian is exp(nearest - d): `nearest` is 0, or the result of `least_square` where V is so small
    that it would underflow.
    """
    if points.shape[0] != 2:
        return _space(points, y, nearest, student, F, T)
    if student:
        v, b = _student_plane(points[0], points[1], y[0], y[1], F, T)
    else:
        v, b = _gaussian_plane(points[0], points[1], y[0], y[1], nearest, F, T)
    return float(v), float(b)


@njit(**FAST_SERIAL)
def least_square(points, y):
    """Return the least d_j of `points`, shape (d, N), seen from `y`, shape (d,)."""
    block = np.empty(_BLOCK, points.dtype)
    least = points.dtype.type(np.inf)
    for start in range(0, points.shape[1], _BLOCK):
        stop = min(start + _BLOCK, points.shape[1])
        d = block[: stop - start]
        squares(points[:, start:stop], y, d)
        for j in range(d.shape[0]):
            least = min(least, d[j])
    return least


@njit(**FAST_SERIAL)
def squares(points, y, d):
    """Leave d_j of `points`, shape (d, K), seen from `y`, shape (d,), in `d`, shape (K,)."""
    d[:] = 0
    for a in range(y.shape[0]):
        add_squares(points[a], y[a], d)


@njit(**FAST_SERIAL)
def add_squares(x, y, d):
    """Add (y - x_j)^2 to d_j; `x` and `d` have shape (K,)."""
    for j in range(x.shape[0]):
        t = y - x[j]
        d[j] += t * t


@njit(**FAST_SERIAL)
def first_moment(x, y, k):
    """Return sum_j k_j (y - x_j); `x` and `k` have shape (K,)."""
    total = y - y
    for j in range(x.shape[0]):
        total += k[j] * (y - x[j])
    return total


@njit(**FAST_SERIAL)
def second_moment(xa, xb, ya, yb, k):
    """Return sum_j k_j (ya - xa_j) (yb - xb_j); `xa`, `xb` and `k` have shape (K,)."""
    total = ya - ya
    for j in range(xa.shape[0]):
        total += k[j] * (ya - xa[j]) * (yb - xb[j])
    return total


# In the plane, where nearly all maps lie, one loop keeps all sums in registers.


@njit(**FAST_SERIAL)
def _gaussian_plane(x, y, xi, yi, nearest, F, T):
    v = fx = fy = txx = txy = tyy = xi - xi
    for j in range(x.shape[0]):
        dx = xi - x[j]
        dy = yi - y[j]
        e = exp_minus(dx * dx + dy * dy - nearest)
        ex = e * dx
        ey = e * dy
        v += e
        fx += ex
        fy += ey
        txx += ex * dx
        txy += ex * dy
        tyy += ey * dy
    F[0], F[1] = fx, fy
    T[0, 0], T[0, 1], T[1, 0], T[1, 1] = txx, txy, txy, tyy
    return v, v


@njit(**FAST_SERIAL)
def _student_plane(x, y, xi, yi, F, T):
    v = b = fx = fy = txx = txy = tyy = xi - xi
    one = x.dtype.type(1)
    for j in range(x.shape[0]):
        dx = xi - x[j]
        dy = yi - y[j]
        k = one / (one + dx * dx + dy * dy)
        k1 = k * k
        ex = k1 * dx
        ey = k1 * dy
        kex = k * ex
        key = k * ey
        v += k
        b += k1
        fx += ex
        fy += ey
        txx += kex * dx
        txy += kex * dy
        tyy += key * dy
    F[0], F[1] = fx, fy
    T[0, 0], T[0, 1], T[1, 0], T[1, 1] = 2.0 * txx, 2.0 * txy, 2.0 * txy, 2.0 * tyy
    return v, b


# In any other number of dimensions points are taken in blocks that stay in the processor's nearest cache.
_BLOCK = 512


@njit(**FAST_SERIAL)
def _kernels(d, nearest, student, k1, k2):
    """Return sum K and sum K1 of a block of squared distances; leave K1 and K2."""
    v = b = nearest - nearest
    one = d.dtype.type(1)
    if student:
        for j in range(d.shape[0]):
            k = one / (one + d[j])
            k1[j] = k * k
            k2[j] = k1[j] * (k + k)
            v += k
            b += k1[j]
        return v, b
    for j in range(d.shape[0]):
        k1[j] = exp_minus(d[j] - nearest)
        k2[j] = k1[j]
        v += k1[j]
    return v, v


@njit(**FAST_SERIAL)
def _space(points, y, nearest, student, F, T):
    n_dimensions, N = points.shape
    block = np.empty((3, _BLOCK), points.dtype)
    V = B = 0.0
    F[:] = 0.0
    T[:] = 0.0
    for start in range(0, N, _BLOCK):
        stop = min(start + _BLOCK, N)
        d, k1, k2 = block[0, : stop - start], block[1, : stop - start], block[2, : stop - start]
        squares(points[:, start:stop], y, d)
        v, b = _kernels(d, nearest, student, k1, k2)
        V += v
        B += b
        for a in range(n_dimensions):
            F[a] += first_moment(points[a, start:stop], y[a], k1)
            for c in range(a + 1):
                T[a, c] += second_moment(points[a, start:stop], points[c, start:stop], y[a], y[c], k2)
                T[c, a] = T[a, c]
    return V, B
