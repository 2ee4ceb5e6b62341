"""The scores themselves: neighbors that a map keeps, and moves of points."""

import time
from typing import Any

import numpy as np

from notebook_sne.browser.widgets.neighbors import all_nearest
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.fitting.state import State
from notebook_sne.quality.perturbations import Perturbations

__all__ = ["KeptNeighbors", "Moves"]

K = 10  # nearest neighbors that are counted
SLICE = 0.4  # s between parts of what takes long


class KeptNeighbors:
    """The share of its nearest neighbors in the data that each object has among its nearest in a map.

    X is what a run was given, as its `input` and `metric` say.
    """

    def __init__(self, X: Any, input: str, metric: str = "euclidean") -> None:
        near = np.asarray(all_nearest(X, input, K, metric), np.int64)
        self.k = near.shape[1]
        # Where an object has fewer neighbors, the last one is repeated; where it has none, it stands there itself.
        own = near == np.arange(len(near))[:, None]
        own[:, 1:] |= near[:, 1:] == near[:, :-1]
        self.near = np.where(own, -1, near)
        self.there = (self.near >= 0).sum(axis=1)

    def shares(self, Y: Floats) -> Floats:
        """Return the shares in a map Y, shape (N, d), from 0 to 1; NaN of an object that has no neighbors."""
        from scipy.spatial import KDTree

        N = len(Y)
        _, found = KDTree(Y).query(Y, self.k + 1)
        # Without the object itself, which comes first but among points that coincide, or is not there at all.
        order = np.argsort(found == np.arange(N)[:, None], axis=1, kind="stable")[:, : self.k]
        found = np.take_along_axis(found, order, axis=1)
        kept = np.zeros(N)
        for a in range(self.k):
            kept += (self.near[:, a : a + 1] == found).any(axis=1)
        return np.divide(kept, self.there, out=np.full(N, np.nan), where=self.there > 0)


class Moves:
    """The perturbation scores of one map, part by part in a random order, so that the first show all of it thinly."""

    def __init__(self, perturbations: Perturbations, state: State, kernel: Any) -> None:
        self.perturbations, self.state, self.kernel = perturbations, state, kernel
        self.Y = np.ascontiguousarray(state.Y[0], dtype=np.float64)
        self.rest: Floats | None = None
        self.order: Ints = np.random.default_rng(0).permutation(len(self.Y))
        self.scores = np.full(len(self.Y), np.nan)
        self.done = 0

    @property
    def over(self) -> bool:
        """Whether all objects have their score."""
        return self.done == len(self.order)

    def go_on(self) -> "Moves":
        """Score some more objects, for about SLICE seconds; return itself."""
        if self.rest is None:
            self.rest = self.perturbations.rest(self.Y, self.kernel)
        began = time.monotonic()
        while True:
            rows = self.order[self.done : self.done + 16]
            self.scores[rows] = self.perturbations.scores(self.Y, rows, self.rest, self.kernel)
            self.done += len(rows)
            if self.over or time.monotonic() - began >= SLICE:
                return self
