"""Cost and gradient of the models in the plane, on one thread.

The equations are those of `notebook_sne.engine.mathematics`: SNE in `sne`, symmetric SNE and UNI-SNE in `unisne`, t-SNE
in `tsne`, the elastic embedding in `elastic`, UMAP in `umap`. Those of several maps, with points and weights in one
array, are in `portable.maps`.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.portable.logarithmic import logarithms_over_all
from notebook_sne.engine.portable.maps import several_maps
from notebook_sne.engine.portable.sums import (
    WHOLE,
    centered,
    degrees,
    log_normalizers,
    normalizer,
    power_pull_of,
    pull_of,
    sums_over_all,
)

__all__ = ["SETTINGS", "evaluate"]

SNE, UNISNE, TSNE, ELASTIC, UMAP, ASPECTS, JOINT_ASPECTS, MULTIPLE_MAPS = range(8)
"""The models, by number; symmetric SNE is UNI-SNE at background 0, multiple maps t-SNE has a joint P."""

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
    "n_maps",
    "a",
    "b",
    "negative_sample_rate",
)
"""What stands where in an array of settings, float64.

The knobs are called as in `notebook_sne.Knobs`; `slack` and the four of the gains are those of
`optimizers.descent.step`, without gains where `increment` is 0. `adaptive` is 1 for a rate that adapts. `repulsion` is
that of a pair: the knob's value divided by N (N - 1). a and b are those of UMAP's kernel, which `fitted_kernel` finds.
"""

EXAGGERATION, BACKGROUND, REPULSION, FREEDOM, PENALTY, N_MAPS, A, B, RATE = range(9, 18)


@njit(**WHOLE)
def _sne(pointers, columns, strengths, negentropy, Y, exaggeration, gradient):
    N = Y.shape[0]
    push, log_z = np.empty((N, 2)), np.empty(N)
    log_normalizers(Y, push, log_z)
    energy, _ = pull_of(pointers, columns, strengths, Y, (), gradient)
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
        energy, _ = pull_of(pointers, columns, strengths, Y, (), gradient)
        cost, springs = negentropy + energy + log_z, energy
        for i in range(N):
            gradient[i, 0] *= exaggeration
            gradient[i, 1] *= exaggeration
    else:
        offset, uniform = math.log(1.0 - background) - log_z, background / (N * (N - 1.0))
        energy, R = pull_of(pointers, columns, strengths, Y, (offset, uniform), gradient)
        cost = negentropy + energy
        if more != 0.0:  # the springs of symmetric SNE
            spring = np.empty((N, 2))
            springs, _ = pull_of(pointers, columns, strengths, Y, (), spring)
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
    energy, _ = pull_of(pointers, columns, strengths, smaller, (1.0,), gradient)
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
    energy, _ = pull_of(pointers, columns, strengths, Y, (), gradient)
    energy *= 0.5
    for i in range(N):
        energy += repulsion * values[i]
        for a in range(2):
            gradient[i, a] = 2.0 * (gradient[i, a] - 2.0 * repulsion * push[i, a])
    return energy, energy


@njit(**WHOLE)
def _umap(pointers, columns, strengths, Y, a, b, rate, exaggeration, gradient):
    N = Y.shape[0]
    weights, values, push = np.empty(N), np.empty(N), np.empty((N, 2))
    degrees(pointers, strengths, 0.25 * rate / N, weights)
    logarithms_over_all(Y, weights, a, b, values, push)
    energy = power_pull_of(pointers, columns, strengths, Y, a, b, gradient)
    cost = energy
    for i in range(N):
        cost += values[i]
        for k in range(2):
            gradient[i, k] = 4.0 * (exaggeration * gradient[i, k] - push[i, k])
    return cost + (exaggeration - 1.0) * energy, cost


@njit(**WHOLE)
def evaluate(model, pointers, columns, strengths, negentropy, Y, settings, gradient):
    """Return the objective and the cost of a model at Y, and write the gradient of the objective, in the shape of Y.

    `model` is `SNE`, `UNISNE`, `TSNE`, `ELASTIC`, `UMAP`, `ASPECTS`, `JOINT_ASPECTS` or `MULTIPLE_MAPS`. `pointers`,
    `columns`, `strengths` and `negentropy` are as in `StoredPairs`, with strengths in float64: P + P.T for SNE, the
    joint P for UNI-SNE, t-SNE and UMAP, twice that for the elastic embedding; P + P.T for several maps, conditional or
    joint. Y, shape (N, 2), are map points, finite. For M maps, it has the points of one map after the other, then the
    M N weights in the same order, two in a row: ceil(3 M N / 2) rows. `settings` are as described in `SETTINGS`; those
    of the optimizer aren't read.
    """
    exaggeration, penalty = settings[EXAGGERATION], settings[PENALTY]
    if model >= ASPECTS:
        return several_maps(
            pointers, columns, strengths, negentropy, Y, int(settings[N_MAPS]), model != ASPECTS,
            model == MULTIPLE_MAPS, exaggeration, penalty, gradient,
        )  # fmt: skip
    if model == SNE:
        objective, cost = _sne(pointers, columns, strengths, negentropy, Y, exaggeration, gradient)
    elif model == UNISNE:
        b = settings[BACKGROUND]
        objective, cost = _unisne(pointers, columns, strengths, negentropy, Y, b, exaggeration, gradient)
    elif model == TSNE:
        nu = settings[FREEDOM]
        objective, cost = _tsne(pointers, columns, strengths, negentropy, Y, exaggeration, nu, gradient)
    elif model == UMAP:
        a, b, rate = settings[A], settings[B], settings[RATE]
        objective, cost = _umap(pointers, columns, strengths, Y, a, b, rate, exaggeration, gradient)
    else:
        objective, cost = _elastic(pointers, columns, strengths, Y, settings[REPULSION], gradient)
    if penalty != 0.0:  # of the map points' squares  [Cook2007, section 5]
        for i in range(Y.shape[0]):
            for a in range(2):
                objective += 0.5 * penalty * Y[i, a] * Y[i, a]
                gradient[i, a] += penalty * Y[i, a]
    return objective, cost
