"""Stress: how much the distances in a map differ from those in the data, and which way is down.

.. math::

    C = sum_{i < j} w_ij (delta_ij - d_ij)^2,   d_ij = |y_i - y_j|                               (raw stress)

    E = sum_{i < j} (delta_ij - d_ij)^2 / delta_ij / sum_{i < j} delta_ij                    [Sammon1969, Eq. 1]

    dC/dy_i = 2 sum_j w_ij (1 - delta_ij / d_ij) (y_i - y_j)

Sammon's stress is raw stress with the weights 1 / delta_ij, over the sum of all distances. Unlike everywhere else in
this package d_ij is a distance here, and not its square. Where two map points coincide their force has no
direction: it is left out, as in [deLeeuw1977].

All pairs are summed, in double precision, at a cost of N^2 and with the N^2 dissimilarities in memory. Each thread owns
its rows, so that the bits don't depend on the number of threads.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.sums.moments import first_moment, squares

__all__ = ["StressedPairs", "collapsed_stress", "curvature", "shares", "stress_and_gradient", "stress_forces"]


class StressedPairs(NamedTuple):
    """The data with which stress compares a map."""

    D: np.ndarray  # float64, shape (N, N): dissimilarities, symmetric, with a zero diagonal
    weights: np.ndarray  # float64, shape (N, N): w_ij, symmetric; (0, 0) where they are equal, or follow from D
    sammon: bool  # whether w_ij is 1 / delta_ij
    scale: float  # what the sum over pairs is divided by


def stress_and_gradient(pairs, Y):
    """Return the Evaluation at Y, shape (N, d), its gradient of the same shape."""
    costs, forces = _sums(pairs, Y)
    cost = costs.sum() / pairs.scale
    return Evaluation(cost, (2.0 / pairs.scale) * forces, cost)


def shares(pairs, Y):
    """Return each object's share of the stress, half of that of its pairs, shape (N,)."""
    return _sums(pairs, Y)[0] / pairs.scale


def stress_forces(pairs, Y, i):
    """Return the Forces on object i, whose p are its distances in the data, and whose q are those in the map."""
    d, delta = np.sqrt(np.square(Y - Y[i]).sum(axis=1)), pairs.D[i]
    strength = 1.0 / np.where(delta > 0, delta, np.inf) if pairs.sammon else np.ones(len(Y))
    if pairs.weights.size:
        strength = pairs.weights[i]
    stretched = (2.0 / pairs.scale) * strength * (d - delta) / np.where(d > 0, d, np.inf)
    stretched[i] = 0.0
    return Forces(np.maximum(stretched, 0.0), np.maximum(-stretched, 0.0), delta, d)


def collapsed_stress(pairs):
    """Return the stress of a map with all objects in one place."""
    return shares(pairs, np.zeros((len(pairs.D), 1))).sum()


def curvature(pairs):
    """Return a bound on the second derivative of the stress along any direction, which a gradient step may go by.

    Stress lies below a parabola that touches it where the map stands, whose matrix is twice the Laplacian of the
    weights [deLeeuw1977]. Its largest eigenvalue is at most N times the largest weight, and twice the largest row sum.
    """
    N, D = len(pairs.D), pairs.D
    if pairs.sammon:
        sums = np.divide(1.0, D, out=np.zeros(D.shape), where=D > 0).sum(axis=1)
        largest = 1.0 / D[D > 0].min()
    elif pairs.weights.size:
        sums, largest = pairs.weights.sum(axis=1), pairs.weights.max()
    else:
        sums, largest = np.array([N - 1.0]), 1.0
    return 2.0 * min(N * largest, 2.0 * sums.max()) / pairs.scale


def _sums(pairs, Y):
    """Return half of sum_j w_ij (delta_ij - d_ij)^2, and sum_j w_ij (1 - delta_ij / d_ij) (y_i - y_j)."""
    N, d = Y.shape
    points = np.array(Y.T, dtype=np.float64, order="C")
    costs, forces = np.empty(N), np.empty((N, d))
    _rows(points, pairs.D, pairs.weights, pairs.sammon, costs, forces)
    return costs, forces


# Each leaves w (1 - delta / d) in d, which holds squared distances, and returns the cost. What is 0 / 0 counts nothing:
# with one more choice a pair the loops still run on several pairs at a time.


@njit(**FAST_SERIAL)
def _uniform(delta, d):
    cost = 0.0
    for j in range(d.shape[0]):
        far = np.sqrt(d[j])
        rest = far - delta[j]
        cost += rest * rest
        d[j] = rest / (far if far > 0.0 else np.inf)
    return cost


@njit(**FAST_SERIAL)
def _sammon(delta, d):
    cost = 0.0
    for j in range(d.shape[0]):
        far = np.sqrt(d[j])
        rest = far - delta[j]
        strained = rest / (delta[j] if delta[j] > 0.0 else np.inf)
        cost += rest * strained
        d[j] = strained / (far if far > 0.0 else np.inf)
    return cost


@njit(**FAST_SERIAL)
def _weighted(delta, w, d):
    cost = 0.0
    for j in range(d.shape[0]):
        far = np.sqrt(d[j])
        rest = far - delta[j]
        cost += w[j] * rest * rest
        d[j] = w[j] * rest / (far if far > 0.0 else np.inf)
    return cost


@exclusive
@njit(**FAST)
def _rows(points, D, weights, sammon, costs, forces):
    n_dimensions, N = points.shape
    for i in prange(N):
        d = np.empty(N)
        squares(points, points[:, i], d)
        d[i] = 0.0
        if sammon:
            cost = _sammon(D[i], d)
        elif weights.shape[0] > 0:
            cost = _weighted(D[i], weights[i], d)
        else:
            cost = _uniform(D[i], d)
        costs[i] = 0.5 * cost
        for a in range(n_dimensions):
            forces[i, a] = first_moment(points[a], points[a, i], d)
