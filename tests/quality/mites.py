"""An estimator whose fits take no time, and scores that say where they were called; other processes import them."""

import os
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator


class Mite(BaseEstimator):
    """Draws a map; its cost is a sum of what it was given. It fails where `fails` is 1."""

    def __init__(self, step=1.0, fails=0, width=2, random_state=None):
        self.step, self.fails, self.width, self.random_state = step, fails, width, random_state

    def fit(self, X, y=None):
        if self.fails:
            raise {1: ArithmeticError, 2: MemoryError, 3: KeyboardInterrupt}[self.fails]("the mite fell")
        self.embedding_ = np.random.default_rng(self.random_state).standard_normal((len(X), self.width))
        self.cost_ = float(X.sum() + self.step / 3 + self.random_state)
        self.n_iter_ = 7
        return self


class Unseeded(BaseEstimator):
    """Maps objects to themselves: it has neither a seed nor a cost."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def fit(self, X, y=None):
        self.embedding_ = self.scale * np.asarray(X)[:, :2]
        return self


class Log:
    """A score that writes down each fit and its process; at one of them it waits for ever, but only the first time."""

    def __init__(self, folder, waits_at=None):
        self.folder, self.waits_at = Path(folder), waits_at

    def __call__(self, fitted, X):
        told = (fitted.get_params().get("step", fitted.get_params().get("perplexity")), fitted.random_state)
        first = not list(self.folder.glob(f"{told[0]} {told[1]} *"))
        (self.folder / f"{told[0]} {told[1]} {time.time_ns()}.{os.getpid()}").touch()
        while first and told == self.waits_at:
            time.sleep(0.01)
        return 0.0

    def fits(self):
        """Return {(step, seed): the processes in which it was fitted}."""
        found = {}
        for path in sorted(self.folder.iterdir()):
            step, seed, rest = path.name.split(" ")
            found.setdefault((float(step), int(seed)), []).append(int(rest.partition(".")[2]))
        return found
