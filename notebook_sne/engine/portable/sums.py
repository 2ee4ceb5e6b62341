"""The sums of a model in the plane, on one thread: over all pairs, over stored pairs, and for rows that underflow.

Sums over all pairs run in single precision, sums over the stored pairs in double; both are the same functions that
Python calls (`notebook_sne.engine.sums`). Where Python adds with NumPy, these functions add one number after another.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST_SERIAL, on_one_thread
from notebook_sne.engine.mathematics.selection import nth_smallest
from notebook_sne.engine.mathematics.sne import ISOLATED
from notebook_sne.engine.mathematics.unisne import ALL_ISOLATED
from notebook_sne.engine.sums import pair_sums, power_pull, stored_pairs

__all__ = ["WHOLE", "centered", "degrees", "isolated_row", "log_normalizers", "middle", "normalizer", "over_all"]
__all__ += ["power_pull_of", "pull_of", "sums_over_all"]

WHOLE = {**FAST_SERIAL, "forceinline": False}
"""How a function is compiled that is called from several places and is too long to be copied into each."""

_over_all = on_one_thread(pair_sums.in_plane, forceinline=False)
_over_stored = on_one_thread(stored_pairs.in_plane, forceinline=False)
_powers = on_one_thread(power_pull.power_rows, forceinline=False)

_OFF_CENTER = 1e3  # from here on points are measured from their median, as in `pair_sums`
_AT_A_TIME = 8  # the fewest stored pairs that a kernel reads


@njit(**WHOLE)
def over_all(targets, points, weights, first, last, own, freedom, values, forces):
    """Call `pair_sums.in_plane` for any number of degrees of freedom."""
    if freedom == np.inf:
        _over_all(targets, points, weights, first, last, own, (), values, forces)
    elif freedom == 1.0:
        _over_all(targets, points, weights, first, last, own, (1.0,), values, forces)
    else:
        _over_all(targets, points, weights, first, last, own, (freedom, -0.5 * (freedom + 1.0)), values, forces)


@njit(**WHOLE)
def middle(Y):
    """Return the origin for points, shape (n, 2): their mean or, if some are far from it, their median."""
    n = Y.shape[0]
    x = y = farthest = 0.0
    for i in range(n):
        x += Y[i, 0]
        y += Y[i, 1]
    x, y = x / n, y / n
    for i in range(n):
        farthest = max(farthest, abs(Y[i, 0] - x), abs(Y[i, 1] - y))
    if not farthest > _OFF_CENTER:
        return x, y
    column, found = np.empty(n), np.empty(2)
    for a in range(2):
        for i in range(n):
            column[i] = Y[i, a]
        found[a] = 0.5 * (nth_smallest(column, (n + 1) // 2) + nth_smallest(column, n // 2 + 1))
    return found[0], found[1]


@njit(**WHOLE)
def centered(Y):
    """Return the points in single precision, one row a coordinate, measured from their middle."""
    points = np.empty((2, Y.shape[0]), np.float32)
    x, y = middle(Y)
    for i in range(Y.shape[0]):
        points[0, i], points[1, i] = Y[i, 0] - x, Y[i, 1] - y
    return points


@njit(**WHOLE)
def sums_over_all(points, weights, freedom, values, forces):
    """Write the sums of `pair_sums` at points, float32 of shape (2, N), weights, float32 of shape (N,)."""
    N = points.shape[1]
    first, last, own = np.zeros(N, np.int64), np.empty(N, np.int64), np.empty(N, np.int64)
    for i in range(N):
        last[i], own[i] = N, i
    over_all(points, points, weights, first, last, own, freedom, values, forces)


@njit(**WHOLE)
def pull_of(pointers, columns, strengths, points, kernel, pull):
    """Return energy and share of the stored pairs; write the pull on every point, shape (N, 2)."""
    N = points.shape[0]
    n = pointers[N]
    if n < _AT_A_TIME:
        more_columns, more_strengths = np.zeros(_AT_A_TIME, np.int32), np.zeros(_AT_A_TIME)
        for k in range(n):
            more_columns[k], more_strengths[k] = columns[k], strengths[k]
        columns, strengths = more_columns, more_strengths
    blocks = np.zeros(2, np.int64)
    blocks[1] = N
    energy, share = np.empty(N), np.empty(N)
    _over_stored(pointers, columns, strengths, blocks, points, kernel, energy, share, pull)
    energies = shares = forces = 0.0
    for i in range(N):
        energies += energy[i]
        shares += share[i]
        forces += 0.0 * (pull[i, 0] + pull[i, 1])  # as in `stored_pairs`: 0, unless a point has gone to infinity
    return energies + forces, shares


@njit(**WHOLE)
def degrees(pointers, strengths, scale, sums):
    """Write the sums of the rows of P, times `scale`, shape (N,)."""
    for i in range(sums.shape[0]):
        sums[i] = 0.0
        for k in range(pointers[i], pointers[i + 1]):
            sums[i] += scale * strengths[k]


@njit(**WHOLE)
def power_pull_of(pointers, columns, strengths, Y, a, b, pull):
    """Return the energy of the stored pairs under UMAP's kernel; write the pull on every point, shape (N, 2)."""
    N = Y.shape[0]
    blocks = np.zeros(2, np.int64)
    blocks[1] = N
    energy, forces = np.empty(1), 0.0
    _powers(pointers, columns, strengths, blocks, Y, a, b, energy, pull)
    for i in range(N):
        forces += 0.0 * (pull[i, 0] + pull[i, 1])  # as above
    return energy[0] + forces


@njit(**WHOLE)
def isolated_row(Y, i, strength, push):
    """Return log z_i from exponents that can't underflow, and add its two pushes, times `strength`, to push, (N, 2).

    The push on object i is sum_j q_{j|i} (y_i - y_j), and that on every j is the opposite of its term.
    """
    N = Y.shape[0]
    nearest, z = math.inf, 0.0
    for j in range(N):
        if j != i:
            dx, dy = Y[i, 0] - Y[j, 0], Y[i, 1] - Y[j, 1]
            nearest = min(nearest, dx * dx + dy * dy)
    for j in range(N):
        if j != i:
            dx, dy = Y[i, 0] - Y[j, 0], Y[i, 1] - Y[j, 1]
            z += exp_minus(dx * dx + dy * dy - nearest)
    if strength != 0.0:
        for j in range(N):
            if j != i:
                dx, dy = Y[i, 0] - Y[j, 0], Y[i, 1] - Y[j, 1]
                q = strength * exp_minus(dx * dx + dy * dy - nearest) / z
                push[i, 0] += q * dx
                push[i, 1] += q * dy
                push[j, 0] -= q * dx
                push[j, 1] -= q * dy
    return log_of(z) - nearest


@njit(**WHOLE)
def log_normalizers(Y, push, log_z):
    """Write log z_i of SNE, shape (N,), and the push on each point, shape (N, 2)."""
    N = Y.shape[0]
    points, weights, values, received = centered(Y), np.ones(N, np.float32), np.empty(N), np.empty((N, 2))
    sums_over_all(points, weights, np.inf, values, push)
    for i in range(N):
        precision = 1.0 / values[i] if values[i] >= ISOLATED else 0.0
        weights[i] = precision
        push[i, 0] *= precision
        push[i, 1] *= precision
        log_z[i] = math.log(values[i])
    sums_over_all(points, weights, np.inf, values, received)
    for i in range(N):
        push[i, 0] += received[i, 0]
        push[i, 1] += received[i, 1]
    for i in range(N):
        if weights[i] == 0.0:
            log_z[i] = isolated_row(Y, i, 1.0, push)


@njit(**WHOLE)
def normalizer(Y, push):
    """Return log Z of symmetric SNE and write the push sum_j (e_ij / Z) (y_i - y_j) on each point, shape (N, 2)."""
    N = Y.shape[0]
    values, Z = np.empty(N), 0.0
    sums_over_all(centered(Y), np.ones(N, np.float32), np.inf, values, push)
    for i in range(N):
        Z += values[i]
    if Z >= N * N * ALL_ISOLATED:
        for i in range(N):
            push[i, 0] /= Z
            push[i, 1] /= Z
        return math.log(Z)
    top = -math.inf  # all objects are far from each other
    for i in range(N):
        values[i] = isolated_row(Y, i, 0.0, push)
        top = max(top, values[i])
        push[i, 0] = push[i, 1] = 0.0
    Z = 0.0
    for i in range(N):
        Z += math.exp(values[i] - top)
    for i in range(N):  # half of what i pushes itself and others by: both ends of a pair have a term of their own
        isolated_row(Y, i, 0.5 * math.exp(values[i] - top) / Z, push)
    return top + math.log(Z)
