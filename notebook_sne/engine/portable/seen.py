"""The forces on one object, spring by spring, and each object's share of the cost, as compiled functions.

The equations are those of `mathematics.forces`, for the elastic embedding `mathematics.elastic`, and for UMAP
`mathematics.umap`. P is conditional for SNE and joint for all others.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import log_of
from notebook_sne.engine.mathematics.sne import ISOLATED
from notebook_sne.engine.portable.evaluation import (
    BACKGROUND,
    ELASTIC,
    EXAGGERATION,
    FREEDOM,
    RATE,
    REPULSION,
    SNE,
    TSNE,
    UMAP,
    UNISNE,
    A,
    B,
)
from notebook_sne.engine.portable.logarithmic import logarithms_over_all
from notebook_sne.engine.portable.sums import WHOLE, centered, degrees, isolated_row, normalizer, sums_over_all
from notebook_sne.engine.sums.umap_pairs import LEAST, SOFTENING, pair_at, power_of

__all__ = ["costs", "springs"]


@njit(**WHOLE)
def _sums(Y, freedom):
    """Return the values of the sums over all pairs, shape (N,)."""
    N = Y.shape[0]
    values = np.empty(N)
    sums_over_all(centered(Y), np.ones(N, np.float32), freedom, values, np.empty((N, 2)))
    return values


@njit(**WHOLE)
def _log_z(model, Y, freedom):
    """Return log z_i of SNE, or log Z of another model for every object, shape (N,)."""
    N = Y.shape[0]
    if model == UNISNE:
        return np.full(N, normalizer(Y, np.empty((N, 2))))
    values = _sums(Y, freedom if model == TSNE else np.inf)
    if model == SNE:
        for i in range(N):
            values[i] = math.log(values[i]) if values[i] >= ISOLATED else isolated_row(Y, i, 0.0, Y)
        return values
    Z = 0.0
    for i in range(N):
        Z += values[i]
    return np.full(N, math.log(Z) if Z > 0.0 else -np.inf)


@njit(**WHOLE)
def _squared(Y, i, j):
    dx, dy = Y[i, 0] - Y[j, 0], Y[i, 1] - Y[j, 1]
    return dx * dx + dy * dy


@njit(**WHOLE)
def _mixed(log_near, background, N):
    """Return log(near + b / (N (N - 1)))."""
    if background == 0.0:
        return log_near
    other = math.log(background / (N * (N - 1.0)))
    top = max(log_near, other)
    return top + math.log(math.exp(log_near - top) + math.exp(other - top))


@njit(**WHOLE)
def _kernel_log(model, d, log_z, settings, N):
    """Return log q of a pair at the squared distance d, UNI-SNE's with its background."""
    if model == TSNE:
        nu = settings[FREEDOM]
        return -0.5 * (nu + 1.0) * math.log(1.0 + d / nu) - log_z
    b = settings[BACKGROUND] if model == UNISNE else 0.0
    return _mixed((math.log(1.0 - b) if b > 0.0 else 0.0) - d - log_z, b, N)


@njit(**WHOLE)
def _raised(d, a, b):
    """Return a d^b of a squared distance, which may be 0."""
    return power_of(d, a, b) if d > LEAST else 0.0


@njit(**WHOLE)
def _umap_springs(pointers, strengths, Y, i, a, b, rate, exaggeration, pull, push, p, q):
    """Write the springs of UMAP on object i; p is there already."""
    N, total = Y.shape[0], 0.0
    sums = np.empty(N)
    degrees(pointers, strengths, 1.0, sums)
    for j in range(N):
        for k in range(j):
            total += 2.0 / (1.0 + _raised(_squared(Y, j, k), a, b))
    for j in range(N):
        if j == i:
            continue
        d = _squared(Y, i, j)
        power = _raised(d, a, b)
        q[j] = 1.0 / (1.0 + power) / total
        pull[j] = 4.0 * exaggeration * p[j] * b * power / (d * (1.0 + power)) if power > 0.0 else 0.0
        push[j] = rate / N * (sums[i] + sums[j]) * pair_at(d, a, b, SOFTENING)[1]


@njit(**WHOLE)
def springs(model, pointers, columns, values, Y, i, settings, pull, push, p, q):
    """Write the springs on object i, as `mathematics.forces.Forces` has them, four arrays of shape (N,)."""
    N = Y.shape[0]
    exaggeration, b, nu = settings[EXAGGERATION], settings[BACKGROUND] if model == UNISNE else 0.0, settings[FREEDOM]
    log_z = _log_z(model, Y, nu) if model != UMAP else np.empty(0)
    for j in range(N):
        p[j] = q[j] = pull[j] = push[j] = 0.0
    for k in range(pointers[i], pointers[i + 1]):
        p[columns[k]] = values[k]
    if model == UMAP:
        b, rate = settings[B], settings[RATE]
        _umap_springs(pointers, values, Y, i, settings[A], b, rate, exaggeration, pull, push, p, q)
        return
    if model == SNE:  # what others choose of i
        for j in range(N):
            for k in range(pointers[j], pointers[j + 1]):
                if columns[k] == i:
                    pull[j] = 2.0 * exaggeration * values[k]
    R = 1.0
    if b > 0.0:
        R = 0.0
        for j in range(N):
            for k in range(pointers[j], pointers[j + 1]):
                log_near = math.log(1.0 - b) - _squared(Y, j, columns[k]) - log_z[j]
                R += values[k] * math.exp(log_near - _mixed(log_near, b, N))
    for j in range(N):
        if j == i:
            continue
        d = _squared(Y, i, j)
        if model == SNE:
            q[j] = math.exp(-d - log_z[i])
            pull[j] += 2.0 * exaggeration * p[j]
            push[j] = 2.0 * (q[j] + math.exp(-d - log_z[j]))
        elif model == TSNE:
            half, w = 0.5 * (nu + 1.0), 1.0 / (1.0 + d / nu)
            slope = half / nu * w
            q[j] = math.exp(half * math.log(w) - log_z[i])
            pull[j], push[j] = 4.0 * exaggeration * p[j] * slope, 4.0 * q[j] * slope
        elif model == ELASTIC:
            q[j] = math.exp(-d - log_z[i])
            pull[j], push[j] = 4.0 * p[j], 4.0 * settings[REPULSION] * math.exp(-d)
        else:
            near = math.exp(-d - log_z[i])
            q[j] = (1.0 - b) * near + b / (N * (N - 1.0))
            share = (1.0 - b) * near / q[j] if b > 0.0 and q[j] > 0.0 else 1.0
            pull[j], push[j] = 4.0 * p[j] * (share + (exaggeration - 1.0)), 4.0 * R * near


@njit(**WHOLE)
def costs(model, pointers, columns, values, Y, settings, shares):
    """Write each object's share of the cost, shape (N,)."""
    N = Y.shape[0]
    if model == ELASTIC:
        pushes = _sums(Y, np.inf)
        for i in range(N):
            shares[i] = settings[REPULSION] * pushes[i]
            for k in range(pointers[i], pointers[i + 1]):
                shares[i] += values[k] * _squared(Y, i, columns[k])
        return
    if model == UMAP:
        a, b = settings[A], settings[B]
        weights = np.empty(N)
        degrees(pointers, values, 0.25 * settings[RATE] / N, weights)
        logarithms_over_all(Y, weights, a, b, shares, np.empty((N, 2)))
        for i in range(N):
            for k in range(pointers[i], pointers[i + 1]):
                shares[i] += values[k] * log_of(1.0 + _raised(_squared(Y, i, columns[k]), a, b))
        return
    log_z = _log_z(model, Y, settings[FREEDOM])
    for i in range(N):
        share = 0.0
        for k in range(pointers[i], pointers[i + 1]):
            if values[k] > 0.0:
                log_q = _kernel_log(model, _squared(Y, i, columns[k]), log_z[i], settings, N)
                share += values[k] * (math.log(values[k]) - log_q)
        shares[i] = share
