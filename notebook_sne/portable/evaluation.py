"""Cost and gradient of the models with one map in the plane, on one thread.

The equations are those of `notebook_sne.mathematics`: SNE in `sne`, symmetric SNE and UNI-SNE in `unisne`, t-SNE in
`tsne`, the elastic embedding in `elastic`. The sums over all pairs, in single precision, and those over the stored
pairs, in double, are the same functions that these call; what NumPy adds there is added here one number after another.
"""

import math

import numpy as np

from notebook_sne.machine.compiled import njit
from notebook_sne.machine.exponential import exp_minus, log_of
from notebook_sne.machine.parallel import FAST_SERIAL, on_one_thread
from notebook_sne.mathematics.selection import nth_smallest
from notebook_sne.mathematics.sne import ISOLATED
from notebook_sne.mathematics.unisne import ALL_ISOLATED
from notebook_sne.sums import pair_sums, stored_pairs
from notebook_sne.sums.stored_pairs import GAUSSIAN, STUDENT, UNIFORM

__all__ = ["BACKGROUND", "ELASTIC", "EXAGGERATION", "FREEDOM", "PENALTY", "REPULSION", "SETTINGS", "SNE", "TSNE"]
__all__ += ["UNISNE", "WHOLE", "centered", "evaluate", "isolated_row", "log_normalizers", "normalizer", "sums_over_all"]

SNE, UNISNE, TSNE, ELASTIC = 0, 1, 2, 3
"""The models, by number; symmetric SNE is UNI-SNE at background 0."""

SETTINGS = (
    "learning_rate",
    "momentum",
    "jitter",
    "slack",
    "adaptive",
    "increment",
    "factor",
    "least_gain",
    "greatest_gain",
    "exaggeration",
    "background",
    "repulsion",
    "degrees_of_freedom",
    "penalty",
)
"""What stands where in an array of settings, float64.

The knobs are called as in `notebook_sne.Knobs`; `slack` and the four of the gains are those of
`optimizers.descent.step`, without gains where `increment` is 0. `adaptive` is 1 for a rate that adapts. `repulsion` is
that of a pair: the knob's value divided by N (N - 1).
"""

EXAGGERATION, BACKGROUND, REPULSION, FREEDOM, PENALTY = (
    SETTINGS.index(name) for name in ("exaggeration", "background", "repulsion", "degrees_of_freedom", "penalty")
)

WHOLE = {**FAST_SERIAL, "forceinline": False}
"""How a function is compiled that is called from several places and is too long to be copied into each."""

_over_all = on_one_thread(pair_sums.in_plane, forceinline=False)
_over_stored = on_one_thread(stored_pairs.in_plane, forceinline=False)

_OFF_CENTER = 1e3  # from here on points are measured from their median, as in `pair_sums`
_AT_A_TIME = 8  # the fewest stored pairs that a kernel reads


@njit(**WHOLE)
def _middle(Y, a):
    """Return what coordinate a of the points is measured from, and how far the farthest is from the mean."""
    N = Y.shape[0]
    mean = farthest = 0.0
    for i in range(N):
        mean += Y[i, a]
    mean /= N
    for i in range(N):
        farthest = max(farthest, abs(Y[i, a] - mean))
    return mean, farthest


@njit(**WHOLE)
def centered(Y):
    """Return the points in single precision, one row a coordinate, measured from their center."""
    N = Y.shape[0]
    points = np.empty((2, N), np.float32)
    mean_x, far_x = _middle(Y, 0)
    mean_y, far_y = _middle(Y, 1)
    if max(far_x, far_y) > _OFF_CENTER:
        column = np.empty(N)
        for a in range(2):
            for i in range(N):
                column[i] = Y[i, a]
            middle = 0.5 * (nth_smallest(column, (N + 1) // 2) + nth_smallest(column, N // 2 + 1))
            if a == 0:
                mean_x = middle
            else:
                mean_y = middle
    for i in range(N):
        points[0, i] = Y[i, 0] - mean_x
        points[1, i] = Y[i, 1] - mean_y
    return points


@njit(**WHOLE)
def sums_over_all(points, weights, freedom, values, forces):
    """Write the sums of `pair_sums` at points, float32 of shape (2, N), weights, float32 of shape (N,)."""
    N = points.shape[1]
    first, last, own = np.zeros(N, np.int64), np.empty(N, np.int64), np.empty(N, np.int64)
    for i in range(N):
        last[i], own[i] = N, i
    _over_all(points, points, weights, first, last, own, freedom, values, forces)


@njit(**WHOLE)
def _pull(pointers, columns, strengths, points, kind, offset, uniform, pull):
    """Return the energy and the share of the stored pairs; write the pull on every point, shape (N, 2)."""
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
    _over_stored(pointers, columns, strengths, blocks, points, kind, offset, uniform, energy, share, pull)
    energies = shares = forces = 0.0
    for i in range(N):
        energies += energy[i]
        shares += share[i]
        forces += 0.0 * (pull[i, 0] + pull[i, 1])  # as in `stored_pairs`: 0, unless a point has gone to infinity
    return energies + forces, shares


@njit(**WHOLE)
def isolated_row(Y, i, strength, push):
    """Return log z_i from exponents that cannot underflow, and add `strength` of its two pushes to push, (N, 2).

    An object i pushes itself by sum_j q_{j|i} (y_i - y_j), and every j by the opposite of its term.
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


@njit(**WHOLE)
def _sne(pointers, columns, strengths, negentropy, Y, exaggeration, gradient):
    N = Y.shape[0]
    push, log_z = np.empty((N, 2)), np.empty(N)
    log_normalizers(Y, push, log_z)
    energy, _ = _pull(pointers, columns, strengths, Y, GAUSSIAN, 0.0, 0.0, gradient)
    cost = negentropy + 0.5 * energy
    for i in range(N):
        cost += log_z[i]
        for a in range(2):
            gradient[i, a] = 2.0 * (exaggeration * gradient[i, a] - push[i, a])
    return cost + (exaggeration - 1.0) * 0.5 * energy, cost


@njit(**WHOLE)
def _unisne(pointers, columns, strengths, negentropy, Y, background, exaggeration, gradient):
    N = Y.shape[0]
    push, spring, more, R, energy, springs = np.empty((N, 2)), np.zeros((0, 2)), exaggeration - 1.0, 1.0, 0.0, 0.0
    log_z = normalizer(Y, push)
    if background == 0.0:
        energy, _ = _pull(pointers, columns, strengths, Y, GAUSSIAN, 0.0, 0.0, gradient)
        cost, springs = negentropy + energy + log_z, energy
        for i in range(N):
            gradient[i, 0] *= exaggeration
            gradient[i, 1] *= exaggeration
    else:
        offset, uniform = math.log(1.0 - background) - log_z, background / (N * (N - 1.0))
        energy, R = _pull(pointers, columns, strengths, Y, UNIFORM, offset, uniform, gradient)
        cost = negentropy + energy
        if more != 0.0:  # the springs of symmetric SNE
            spring = np.empty((N, 2))
            springs, _ = _pull(pointers, columns, strengths, Y, GAUSSIAN, 0.0, 0.0, spring)
            for i in range(N):
                gradient[i, 0] += more * spring[i, 0]
                gradient[i, 1] += more * spring[i, 1]
    for i in range(N):
        for a in range(2):
            gradient[i, a] = 4.0 * (gradient[i, a] - R * push[i, a])
    return cost + more * springs, cost


@njit(**WHOLE)
def _tsne(pointers, columns, strengths, negentropy, Y, exaggeration, freedom, gradient):
    N = Y.shape[0]
    push, values, Z = np.empty((N, 2)), np.empty(N), 0.0
    sums_over_all(centered(Y), np.ones(N, np.float32), freedom, values, push)
    for i in range(N):
        Z += values[i]
    # The pull of nu degrees of freedom is that of one on a map drawn smaller by sqrt(nu).
    half, scale = 0.5 * (freedom + 1.0), math.sqrt(freedom)
    smaller = np.empty((N, 2))
    for i in range(N):
        smaller[i, 0], smaller[i, 1] = Y[i, 0] / scale, Y[i, 1] / scale
    energy, _ = _pull(pointers, columns, strengths, smaller, STUDENT, 0.0, 0.0, gradient)
    energy *= half
    cost = negentropy + energy + math.log(Z)
    for i in range(N):
        for a in range(2):
            gradient[i, a] = 4.0 * (exaggeration * (half / scale) * gradient[i, a] - push[i, a] / Z)
    return cost + (exaggeration - 1.0) * energy, cost


@njit(**WHOLE)
def _elastic(pointers, columns, strengths, Y, repulsion, gradient):
    N = Y.shape[0]
    push, values = np.zeros((N, 2)), np.zeros(N)
    if repulsion != 0.0:
        sums_over_all(centered(Y), np.ones(N, np.float32), np.inf, values, push)
    energy, _ = _pull(pointers, columns, strengths, Y, GAUSSIAN, 0.0, 0.0, gradient)
    energy *= 0.5
    for i in range(N):
        energy += repulsion * values[i]
        for a in range(2):
            gradient[i, a] = 2.0 * (gradient[i, a] - 2.0 * repulsion * push[i, a])
    return energy, energy


@njit(**WHOLE)
def evaluate(model, pointers, columns, strengths, negentropy, Y, settings, gradient):
    """Return the objective and the cost of a model at Y, and write the gradient of the objective.

    Parameters
    ----------
    model : int
        `SNE`, `UNISNE`, `TSNE` or `ELASTIC`.
    pointers, columns, strengths, negentropy : ndarray of int64, int32 and float64, and float
        As in `StoredPairs`: P + P.T for SNE, the joint P for UNI-SNE and t-SNE, twice that for the elastic embedding.
    Y : ndarray of float64, shape (N, 2)
        Map points; finite.
    settings : ndarray of float64
        As `SETTINGS` says; those of the optimizer are not read.
    gradient : ndarray of float64, shape (N, 2)
        Written.
    """
    exaggeration, penalty = settings[EXAGGERATION], settings[PENALTY]
    if model == SNE:
        objective, cost = _sne(pointers, columns, strengths, negentropy, Y, exaggeration, gradient)
    elif model == UNISNE:
        b = settings[BACKGROUND]
        objective, cost = _unisne(pointers, columns, strengths, negentropy, Y, b, exaggeration, gradient)
    elif model == TSNE:
        nu = settings[FREEDOM]
        objective, cost = _tsne(pointers, columns, strengths, negentropy, Y, exaggeration, nu, gradient)
    else:
        objective, cost = _elastic(pointers, columns, strengths, Y, settings[REPULSION], gradient)
    if penalty != 0.0:  # of the map points' squares  [Cook2007, section 5]
        for i in range(Y.shape[0]):
            for a in range(2):
                objective += 0.5 * penalty * Y[i, a] * Y[i, a]
                gradient[i, a] += penalty * Y[i, a]
    return objective, cost
