"""Cost and gradient of aspect maps and of multiple maps t-SNE in the plane, on one thread.

The equations are those of `mathematics.aspects`. One array of shape (R, 2) moves: the points of one map after the
other, M N rows, then the M N weights in the same order, two in a row.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import on_one_thread
from notebook_sne.engine.mathematics.aspects import ALL_ISOLATED, ISOLATED, NEGLIGIBLE, PAYS
from notebook_sne.engine.portable.sums import WHOLE, middle, over_all
from notebook_sne.engine.sums.stored_mixtures import WIDE, mixture_rows, pack, ranges

__all__ = ["bounds", "counted", "gathered", "log_proportions", "several_maps"]

_mixture_rows = on_one_thread(mixture_rows, forceinline=False)


@njit(**WHOLE)
def log_proportions(theta, M, N):
    """Return log pi, shape (M, N), of the weights that follow the map points."""
    logs = np.empty((M, N))
    for i in range(N):
        top, total = -math.inf, 0.0
        for m in range(M):
            k = m * N + i
            logs[m, i] = theta[M * N + k // 2, k % 2]
            top = max(top, logs[m, i])
        for m in range(M):
            total += math.exp(logs[m, i] - top)
        for m in range(M):
            logs[m, i] -= top + math.log(total)
    return logs


@njit(**WHOLE)
def counted(mixing, negligible):
    """Return the places m N + i of the points whose proportions count, and where those of each map begin, (M + 1,)."""
    M, N = mixing.shape
    groups, here, n = np.zeros(M + 1, np.int64), np.empty(M * N, np.int64), 0
    for m in range(M):
        for i in range(N):
            if mixing[m, i] >= negligible:
                here[n] = m * N + i
                n += 1
        groups[m + 1] = n
    return here[:n], groups


@njit(**WHOLE)
def _summed_over(mixing):
    """Return the places of the points that are summed over, and where those of each map begin: all if most count."""
    M, N = mixing.shape
    here, groups = counted(mixing, NEGLIGIBLE)
    if here.shape[0] <= PAYS * M * N:
        return here, groups
    return np.arange(M * N), N * np.arange(M + 1)


@njit(**WHOLE)
def bounds(groups):
    """Return for each point where its group begins and ends, and its own place, as `over_all` takes them."""
    n = groups[-1]
    first, last, own = np.empty(n, np.int64), np.empty(n, np.int64), np.arange(n)
    for m in range(groups.shape[0] - 1):
        first[groups[m] : groups[m + 1]], last[groups[m] : groups[m + 1]] = groups[m], groups[m + 1]
    return first, last, own


@njit(**WHOLE)
def gathered(Y, here, groups):
    """Return the points at these places in single precision, shape (2, n), each map measured from its middle."""
    N = Y.shape[1]
    points = np.empty((2, here.shape[0]), np.float32)
    for m in range(groups.shape[0] - 1):
        some = np.empty((groups[m + 1] - groups[m], 2))
        for k in range(some.shape[0]):
            i = here[groups[m] + k] % N
            some[k, 0], some[k, 1] = Y[m, i, 0], Y[m, i, 1]
        if some.shape[0]:
            x, y = middle(some)
            for k in range(some.shape[0]):
                points[0, groups[m] + k], points[1, groups[m] + k] = some[k, 0] - x, some[k, 1] - y
    return points


@njit(**WHOLE)
def _isolated(Y, logs, i, student, strength, push, shares):
    """Return log z_i from exponents that cannot underflow; add `strength` of its pushes and shares to both arrays."""
    M, N = logs.shape
    top, z = -math.inf, 0.0
    exponents, d = np.empty((M, N)), np.empty((M, N))
    for m in range(M):
        for j in range(N):
            dx, dy = Y[m, i, 0] - Y[m, j, 0], Y[m, i, 1] - Y[m, j, 1]
            d[m, j] = dx * dx + dy * dy
            exponents[m, j] = logs[m, i] + logs[m, j] - (math.log(1.0 + d[m, j]) if student else d[m, j])
            if j != i:
                top = max(top, exponents[m, j])
    for m in range(M):
        for j in range(N):
            if j != i:
                z += math.exp(exponents[m, j] - top)
    if strength == 0.0:
        return math.log(z) + top
    for m in range(M):
        for j in range(N):
            if j != i:
                q = strength * math.exp(exponents[m, j] - top) / z
                shares[m, i] += q
                shares[m, j] += q
                if student:
                    q /= 1.0 + d[m, j]
                for a in range(2):
                    force = q * (Y[m, i, a] - Y[m, j, a])
                    push[m, i, a] += force
                    push[m, j, a] -= force
    return math.log(z) + top


@njit(**WHOLE)
def _all_isolated(Y, logs, student, push, shares):
    """Return log Z where all objects are far from each other, and write the push and its shares."""
    N = logs.shape[1]
    rows, top, Z = np.empty(N), -math.inf, 0.0
    for i in range(N):
        rows[i] = _isolated(Y, logs, i, student, 0.0, push, shares)
        top = max(top, rows[i])
    for i in range(N):
        Z += math.exp(rows[i] - top)
    for i in range(N):  # each pair has a term at either end, which makes the factor 2 of a joint push
        _isolated(Y, logs, i, student, math.exp(rows[i] - top) / Z, push, shares)
    return top + math.log(Z)


@njit(**WHOLE)
def _push(Y, logs, joint, student, push, shares):
    """Return sum_i log z_i, or log Z; write the push on each point, (M, N, 2), and its share in d(log pi), (M, N)."""
    N = logs.shape[1]
    here, groups = _summed_over(np.exp(logs))
    n = here.shape[0]
    points, weights, proportions = gathered(Y, here, groups), np.empty(n, np.float32), np.empty(n)
    first, last, own = bounds(groups)
    for k in range(n):
        proportions[k] = math.exp(logs[here[k] // N, here[k] % N])
        weights[k] = proportions[k]
    values, forces, freedom = np.empty(n), np.empty((n, 2)), 1.0 if student else np.inf
    over_all(points, points, weights, first, last, own, freedom, values, forces)
    push[:], shares[:] = 0.0, 0.0
    z, precision, log_z, Z = np.zeros(N), np.zeros(N), 0.0, 0.0
    for k in range(n):
        z[here[k] % N] += proportions[k] * values[k]
    for i in range(N):
        Z += z[i]
    if joint and Z < N * N * ALL_ISOLATED:
        return _all_isolated(Y, logs, student, push, shares)
    for i in range(N):
        if joint:
            precision[i] = 2.0 / Z
        elif z[i] >= ISOLATED:
            precision[i] = 1.0 / z[i]
            log_z += math.log(z[i])
    for turn in range(1 if joint else 2):  # what an object gives, and what it receives
        if turn:
            for k in range(n):
                weights[k] = proportions[k] * precision[here[k] % N]
            over_all(points, points, weights, first, last, own, freedom, values, forces)
        for k in range(n):
            m, i = here[k] // N, here[k] % N
            factor = proportions[k] if turn else proportions[k] * precision[i]
            shares[m, i] += factor * values[k]
            push[m, i, 0] += factor * forces[k, 0]
            push[m, i, 1] += factor * forces[k, 1]
    if joint:
        return math.log(Z)
    for i in range(N):
        if precision[i] == 0.0:
            log_z += _isolated(Y, logs, i, student, 1.0, push, shares)
    return log_z


@njit(**WHOLE)
def _explained(pointers, columns, strengths, Y, logs, middles, student, objects, scratch, forces, shares):
    """Return the energy of the stored pairs, and write forces and shares, as `mixture_pull` does."""
    N, width = Y.shape[1], scratch.shape[1] // 8
    blocks, energy, unit, total = np.zeros(2, np.int64), np.empty(N), 0.0, 0.0
    blocks[1] = N
    for k in range(pointers[N]):
        unit += strengths[k] / pointers[N]
    pack(Y, logs, middles, width, objects)
    _mixture_rows(pointers, columns, strengths, blocks, unit, objects, width, student, scratch, energy, forces, shares)
    for i in range(N):
        total += energy[i]
    return total


@njit(**WHOLE)
def _pull(pointers, columns, strengths, Y, logs, student, forces, shares):
    """Do so in the precision that the width of the maps asks for."""
    M, N, _ = Y.shape
    low, high = ranges(Y)
    middles, widest = np.empty((M, 2)), 0.0
    for m in range(M):
        for a in range(2):
            middles[m, a] = 0.5 * (low[m, a] + high[m, a])
            widest = max(widest, high[m, a] - low[m, a])
    if widest > WIDE:
        width = -(-M // 8) * 8
        objects, scratch = np.empty(N * 3 * width), np.empty((1, 8 * width))
        return _explained(pointers, columns, strengths, Y, logs, middles, student, objects, scratch, forces, shares)
    width = -(-M // 16) * 16
    few, little = np.empty(N * 3 * width, np.float32), np.empty((1, 8 * width), np.float32)
    return _explained(pointers, columns, strengths, Y, logs, middles, student, few, little, forces, shares)


@njit(**WHOLE)
def several_maps(pointers, columns, strengths, negentropy, theta, M, joint, student, exaggeration, penalty, gradient):
    """Return the objective and the cost of M maps at theta, and write the gradient, in the layout described above."""
    N = pointers.shape[0] - 1
    Y, logs = np.empty((M, N, 2)), log_proportions(theta, M, N)
    for m in range(M):
        for i in range(N):
            Y[m, i, 0], Y[m, i, 1] = theta[m * N + i, 0], theta[m * N + i, 1]
    push, shares, pull, pulled = np.empty((M, N, 2)), np.empty((M, N)), np.empty((M, N, 2)), np.empty((M, N))
    log_z = _push(Y, logs, joint, student, push, shares)
    energy = _pull(pointers, columns, strengths, Y, logs, student, pull, pulled)
    cost, squares, finite = negentropy + 0.5 * energy + log_z, 0.0, 0.0
    gradient[:] = 0.0
    for m in range(M):
        for i in range(N):
            for a in range(2):
                y = Y[m, i, a]
                squares += y * y
                finite += 0.0 * pull[m, i, a]
                gradient[m * N + i, a] = 2.0 * (exaggeration * pull[m, i, a] - push[m, i, a]) + penalty * y
    for i in range(N):
        total = 0.0
        for m in range(M):
            shares[m, i] -= exaggeration * pulled[m, i]
            total += shares[m, i]
        for m in range(M):
            k = m * N + i
            gradient[M * N + k // 2, k % 2] = shares[m, i] - math.exp(logs[m, i]) * total
    cost += finite  # as in `stored_pairs`: 0, unless a point has gone to infinity
    return cost + 0.5 * penalty * squares + (exaggeration - 1.0) * 0.5 * energy, cost
