"""Aligned maps: one map for each of T steps, and a spring between the two places of an object in neighboring steps.

The maps Y^1, ..., Y^T lower the sum of their own costs and of the springs [Rauber2016],

.. math::

    sum_t C_t(Y^t) + sum_t (w_t / 2) sum_{i in t and t + 1} |y_i^t - y_i^{t+1}|^2

    dE/dy_i^t = w_t (y_i^t - y_i^{t+1}) + w_{t-1} (y_i^t - y_i^{t-1})

An object may be missing in some steps; only neighboring steps that both have it are joined. With H the Hessian of the
springs, which is constant, and D the learning rate of each map point, descent in the coordinates z = R y, where

.. math:: R^T R = D^{-1} + H,

is descent at these rates without springs, and never too fast with them, however stiff they are. As each point has at
most one spring to the step before and one to the step after, R has entries only on its diagonal and from each point to
its next. The loops are over steps, so that sums have a fixed order.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.checks.arrays import Floats, Ints

__all__ = ["Coordinates", "Springs"]


class Springs(NamedTuple):
    """The springs between T steps; their map points lie one step after the other in one array, shape (sum N_t, d)."""

    ends: Ints  # (T + 1,): step t has the rows from ends[t] to ends[t + 1]
    pairs: Sequence[tuple[Ints, Ints]]  # of each step but the last: rows in it and in the next, of the same objects
    strengths: Floats  # (T - 1,): w_t, in nats per squared map unit

    def energy(self, Y: Floats) -> tuple[float, Floats]:
        """Return the energy of the springs in nats, and its gradient, shape of Y."""
        energy, gradient = 0.0, np.zeros(Y.shape)
        for (now, then), w in zip(self.pairs, self.strengths, strict=True):
            stretched = w * (Y[now] - Y[then])
            gradient[now] += stretched
            gradient[then] -= stretched
            energy += 0.5 * float(np.sum(stretched * (Y[now] - Y[then])))
        return energy, gradient


class Coordinates:
    """The coordinates z = R y at learning rates of one for each step, shape (T,)."""

    def __init__(self, springs: Springs, rates: Floats) -> None:
        self._ends, self._pairs = springs.ends, springs.pairs
        self._diagonal = np.repeat(1.0 / np.asarray(rates, dtype=np.float64), np.diff(springs.ends))[:, None]
        for (now, then), w in zip(springs.pairs, springs.strengths, strict=True):
            self._diagonal[now] += w
            self._diagonal[then] += w
        # Cholesky's factor, from the first step to the last.
        self._next = []
        self._diagonal[self._rows(0)] = np.sqrt(self._diagonal[self._rows(0)])
        for t, ((now, then), w) in enumerate(zip(springs.pairs, springs.strengths, strict=True)):
            self._next.append(-w / self._diagonal[now])
            self._diagonal[then] -= np.square(self._next[t])
            self._diagonal[self._rows(t + 1)] = np.sqrt(self._diagonal[self._rows(t + 1)])

    def _rows(self, t: int) -> slice:
        return slice(self._ends[t], self._ends[t + 1])

    def of(self, Y: Floats) -> Floats:
        """Return R Y, shape of Y."""
        Z = self._diagonal * Y
        for (now, then), beside in zip(self._pairs, self._next, strict=True):
            Z[now] += beside * Y[then]
        return Z

    def places(self, Z: Floats) -> Floats:
        """Return the map points, R^{-1} Z."""
        Y = np.array(Z)
        for t in range(len(self._ends) - 2, -1, -1):
            if t < len(self._pairs):
                (now, then), beside = self._pairs[t], self._next[t]
                Y[now] -= beside * Y[then]
            Y[self._rows(t)] /= self._diagonal[self._rows(t)]
        return Y

    def gradient(self, G: Floats) -> Floats:
        """Return the gradient by Z, R^{-T} G, of one by Y."""
        U = np.array(G)
        U[self._rows(0)] /= self._diagonal[self._rows(0)]
        for t, ((now, then), beside) in enumerate(zip(self._pairs, self._next, strict=True)):
            U[then] -= beside * U[now]
            U[self._rows(t + 1)] /= self._diagonal[self._rows(t + 1)]
        return U
