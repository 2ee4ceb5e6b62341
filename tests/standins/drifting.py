"""A stand-in for a model: cheap, deterministic, and as slow, faulty or broken as a test wants it."""

import time

import numpy as np

from notebook_sne.engine.fitting.state import State


class Drifting:
    """Points drift from almost one place to their own corner of a circle, a little at each iteration.

    Where the circle is `turning`, by so many radians an iteration, they never come to rest; at a low `rate`, late.
    """

    rate, turning = 0.02, 0.0

    def __init__(self, max_iter=50, *, seconds=0.0, fails_at=None, infinite_at=None, ends_at=None, n_components=2):
        self.max_iter, self.seconds, self.n_components = max_iter, seconds, n_components
        self.fails_at, self.infinite_at, self.ends_at = fails_at, infinite_at, ends_at
        self.begun = 0

    def iterate(self, X, start=None, knobs=None):
        self.begun += 1
        n = len(X)
        target = np.zeros((n, self.n_components))
        rng = np.random.default_rng(0)
        Y = 1e-3 * rng.standard_normal(target.shape) if start is None else start.Y[0].copy()
        iteration = 0 if start is None else start.iteration
        while True:
            angle = 2 * np.pi * np.arange(n) / n + self.turning * iteration
            target[:, :2] = 10 * np.column_stack([np.cos(angle), np.sin(angle)])[:, : self.n_components]
            rate = self.rate if knobs is None else knobs.turned().get("learning_rate", self.rate)
            cost = float(np.square(target - Y).sum(axis=1).mean())
            yield State(iteration, "drift", cost, cost, Y[None], None, cost, {"learning_rate": rate},
                        type(self).__name__, {})  # fmt: skip
            if self.seconds:
                time.sleep(self.seconds)
            iteration += 1
            if iteration == self.fails_at:
                raise ArithmeticError("the map ran away; lower the learning rate")
            if iteration == self.ends_at:
                return
            Y = Y + rate * (target - Y)
            if iteration == self.infinite_at:
                Y[0, 0] = np.nan


class Drawing(Drifting):
    """Another model, for `switch`."""
