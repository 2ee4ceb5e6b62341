"""The place of a new object in a map of UMAP: where its own part of the loss is least.

.. math:: sum_j p_j log(1 + a d_j^b) + sum_j w_j K(d_j),   d_j = |y - y_j|^2

with p_j its weights of fitted objects, and K the repulsion of `umap_sums`. From two starts a search goes down, by steps
of one map unit at most, each halved until it helps.
"""

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import log_of
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.sums.umap_pairs import LEAST, pair_at, power_of
from notebook_sne.engine.sums.umap_sums import kernel_numbers, plane_part

__all__ = ["placed"]

_STEPS, _HALVINGS = 60, 12
_STILL = 1e-4  # map units: a step below it ends the search


def placed(pointers, columns, p, Y, weights, kernel):
    """Return where sum_j p_j log(1 + a d_j^b) + sum_j w_j K(d_j) is least for each new object, shape (n, d).

    p are CSR rows of new objects, each summing to 1, over map points Y, shape (N, d), with `weights` w, shape (N,). The
    search starts at the mean of an object's neighbors, by p, and at the nearest of them; the lower end is its place.
    """
    places = np.empty((len(pointers) - 1, Y.shape[1]))
    _place(
        pointers.astype(np.int64), columns.astype(np.int32), np.asarray(p, np.float64),
        np.array(Y.T, np.float64, order="C"), np.asarray(weights, np.float64), *kernel_numbers(kernel), places,
    )  # fmt: skip
    return places


@njit(**FAST_SERIAL)
def _own_loss(columns, p, points, w, y, a, b, softening, force):
    """Return the loss of an object at y, and write minus half its gradient."""
    loss = 0.0
    for k in range(force.shape[0]):
        force[k] = 0.0
    if y.shape[0] == 2:
        loss, force[0], force[1] = plane_part(points[0], points[1], w, y[0], y[1], 0.0, a, b, softening)
    else:
        for j in range(points.shape[1]):
            K, slope = pair_at(_square(points, j, y), a, b, softening)
            loss += w[j] * K
            for k in range(y.shape[0]):
                force[k] += w[j] * slope * (y[k] - points[k, j])
    for n in range(columns.shape[0]):
        j = columns[n]
        d = _square(points, j, y)
        if d > LEAST:
            power = power_of(d, a, b)
            loss += p[n] * log_of(1.0 + power)
            for k in range(y.shape[0]):
                force[k] -= p[n] * b * power / (d * (1.0 + power)) * (y[k] - points[k, j])
    return loss


@njit(**FAST_SERIAL)
def _square(points, j, y):
    d = 0.0
    for k in range(y.shape[0]):
        t = y[k] - points[k, j]
        d += t * t
    return d


@njit(**FAST_SERIAL)
def _squares(x, y):
    total = 0.0
    for k in range(x.shape[0]):
        total += (x[k] - y[k]) ** 2
    return total


@njit(**FAST_SERIAL)
def _down(columns, p, points, w, y, a, b, softening):
    """Move y down to a least loss, which is returned."""
    d = y.shape[0]
    nowhere, force, there, force_there = np.zeros(d), np.zeros(d), np.empty(d), np.empty(d)
    loss, rate, steps, halvings, moved = np.inf, 1.0, 0, 0, np.inf
    for k in range(d):
        there[k] = y[k]
    # The loss stands in one place of the code, and copies of it nowhere: each takes seconds to compile.
    while halvings < _HALVINGS and steps <= _STEPS and moved >= _STILL:
        lower = _own_loss(columns, p, points, w, there, a, b, softening, force_there)
        if lower < loss:
            if steps > 0:
                moved = np.sqrt(_squares(there, y))
                rate *= 1.5
            for k in range(d):
                y[k], force[k] = there[k], force_there[k]
            loss, halvings = lower, 0
            steps += 1
        else:
            halvings += 1
            rate *= 0.5
        length = rate * np.sqrt(_squares(force, nowhere))
        for k in range(d):
            there[k] = y[k] + rate * min(1.0, 1.0 / max(length, 1e-300)) * force[k]  # one map unit at most
    return loss


@exclusive
@njit(**FAST)
def _place(pointers, columns, p, points, w, a, b, softening, places):
    for i in prange(places.shape[0]):
        mine, mass = columns[pointers[i] : pointers[i + 1]], p[pointers[i] : pointers[i + 1]]
        mean, y, least, most = np.zeros(points.shape[0]), np.empty(points.shape[0]), np.inf, 0
        for n in range(mine.shape[0]):
            for k in range(points.shape[0]):
                mean[k] += mass[n] * points[k, mine[n]]
            if mass[n] > mass[most]:
                most = n
        for near in (0.0, 0.9):
            for k in range(points.shape[0]):
                y[k] = near * points[k, mine[most]] + (1.0 - near) * mean[k]
            loss = _down(mine, mass, points, w, y, a, b, softening)
            if near == 0.0 or not least < loss:
                least = loss
                for k in range(points.shape[0]):
                    places[i, k] = y[k]
