"""The mathematics of the batch self-organizing map.

A unit k lies at u_k on the grid and has a prototype m_k in the data, which are here z_n, scaled by `Net`:

.. math::

    c_n = argmin_k |z_n - m_k|                                                          (the best unit of n)

    h_kl = exp(-|u_k - u_l|^2 / (2 radius^2))                                           (the neighborhood)

    m_k <- sum_n h_{k c_n} z_n / sum_n h_{k c_n}                                        [Kohonen2013, batch computation]

The cost is the quantization error, sum_n |x_n - m_{c_n}| / N in the unit of the data. In general there is no objective
that the map goes down [Bishop1998, section 4]; what is told as one is the distortion

.. math:: E = sum_n sum_k h_{k c_n} |z_n - m_k|^2 / N

which an update lowers as long as no object changes its best unit: its gradient, with these held, is 0 where the map
stands still. A radius of 0 leaves k-means.

Distances are summed from differences, so that an object has one best unit, whatever is asked beside it and however far
another object lies. With s_c = sum_n (z_n - m_c) over the n_c objects of unit c, and H_c = sum_k h_kc,

.. math::

    N E = sum_c (H_c sum_n |z_n - m_c|^2 + 2 s_c . sum_k h_kc (m_c - m_k) + n_c sum_k h_kc |m_c - m_k|^2)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.baselines.nets import Net, squared_distances
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.neighbors import squares_between

__all__ = ["Units", "Winners", "around", "best_units"]

_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
_DISK = 0.42  # radius of the fullest unit's disk, in steps of the grid: those of two neighbors stay apart


class Winners(NamedTuple):
    """The best units of n objects."""

    best: Ints  # shape (n,): the nearest prototype
    second: Ints  # and the next one
    squares: Floats  # shape (n,): squared distance to the nearest


def best_units(Z: Floats, prototypes: Floats) -> Winners:
    """Return the Winners of objects Z, shape (n, D)."""
    D, rows = squares_between(Z, prototypes), np.arange(len(Z))
    best = D.argmin(axis=1)
    squares = D[rows, best].copy()
    D[rows, best] = np.inf
    return Winners(best, D.argmin(axis=1), squares)


def around(units: Ints, ranks: Ints, fullest: int) -> Floats:
    """Return where objects lie about the node of their unit, in steps of the grid, shape (n, 2).

    The one of rank r in its unit lies on a spiral, at a distance that grows with sqrt(r + 1/2): so all are seen, evenly
    and the nearest to the prototype in the middle, and the area of a unit is the number of its objects.
    """
    r = _DISK * np.sqrt((ranks + 0.5) / max(fullest, 1))
    return np.column_stack([r * np.cos(_GOLDEN * ranks), r * np.sin(_GOLDEN * ranks)])


class Units(Net):
    """Units of a grid in the data; theta are their prototypes, flat. Neighbors on the grid are 1 apart in the map."""

    def __init__(self, X: np.ndarray, grid: tuple[int, int]) -> None:
        super().__init__(X, grid, 1.0)
        self.between = squared_distances(self.nodes, self.nodes)
        self.n_numbers = len(self.nodes) * self.Z.shape[1]

    def prototypes(self, theta: Floats) -> Floats:
        """Return m_k, shape (K, D)."""
        return theta.reshape(len(self.nodes), -1)

    def neighborhood(self, radius: float) -> Floats:
        """Return h, shape (K, K)."""
        # Below a hundredth of a step a Gaussian is 0 at all others.
        return np.exp(-0.5 * self.between / max(radius, 0.01) ** 2)

    def topographic_error(self, assigned: Winners) -> float:
        """Return the share of objects whose two nearest prototypes are no neighbors on the grid, diagonals included."""
        return float(np.mean(self.between[assigned.best, assigned.second] > 2.5))

    def _assigned(self, theta: Floats) -> Winners:
        return best_units(self.Z, self.prototypes(theta))

    def _placed(self, assigned: Winners) -> Floats:
        best = assigned.best
        order = np.lexsort((np.arange(len(best)), assigned.squares, best))
        counts = np.bincount(best, minlength=len(self.nodes))
        ranks = np.empty(len(best), np.int64)
        ranks[order] = np.arange(len(best)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.nodes[best] + around(best, ranks, counts.max())

    def _sums(self, assigned: Winners, radius: float) -> tuple[Floats, Floats]:
        """Return sum_n h_{k c_n}, shape (K,), and sum_n h_{k c_n} z_n, shape (K, D)."""
        h = self.neighborhood(radius)
        return h @ self._within(assigned, np.ones((len(self.Z), 1)))[:, 0], h @ self._within(assigned, self.Z)

    def _within(self, assigned: Winners, values: Floats) -> Floats:
        """Return the sums of values, shape (N, m), over the objects of each unit, shape (K, m)."""
        N = len(self.Z)
        member = sparse.csr_array((np.ones(N), (assigned.best, np.arange(N))), shape=(len(self.nodes), N))
        return member @ values

    def _evaluated(self, theta: Floats, assigned: Winners, knobs: Mapping[str, float]) -> Evaluation:
        M, N = self.prototypes(theta), len(self.Z)
        weights, sums = self._sums(assigned, knobs["radius"])
        gradient = (2.0 / N) * (weights[:, None] * M - sums)
        h = self.neighborhood(knobs["radius"])
        H, away = h.sum(axis=0), self._within(assigned, self.Z - M[assigned.best])
        count, squares = self._within(assigned, np.column_stack([np.ones(N), assigned.squares])).T
        distortion = H @ squares + 2.0 * np.sum(away * (H[:, None] * M - h @ M))
        distortion += count @ (h * squares_between(M, M)).sum(axis=1)
        cost = self.spread * float(np.sqrt(assigned.squares).mean())
        return Evaluation(float(distortion) / N, gradient.ravel(), cost)

    def _improved(self, theta: Floats, assigned: Winners, knobs: Mapping[str, float]) -> Floats:
        weights, sums = self._sums(assigned, knobs["radius"])
        there = weights[:, None] > 0  # a unit that is out of reach of all objects stays
        return np.divide(sums, weights[:, None], out=self.prototypes(theta).copy(), where=there).ravel()

    def _through(self, node_of: Floats, Z: Floats) -> Floats:
        """Return prototypes that are means of Z, each weighted by how near it lies to the node."""
        if node_of is self.nodes:
            return np.array(Z, dtype=np.float64).ravel()
        # As wide as leaves no node empty: a step, and for few objects their distance.
        width = max(1.0, math.sqrt(len(self.nodes) / len(Z)))
        exponents = -0.5 * squared_distances(self.nodes, node_of) / width**2
        h = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        return ((h @ Z) / h.sum(axis=1)[:, None]).ravel()
