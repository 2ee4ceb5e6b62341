"""Models for tests of runs: cheap, with a memory and noise of their own, and as faulty as a test wants them."""

import threading

import numpy as np

from notebook_sne.engine.fitting.state import State
from tests.standins.waiting import PATIENCE

FAULTS = ("raises", "ends", "is infinite", "is not recorded", "refuses")


class Coasting:
    """Points with a velocity, pulled to their corners of a square: the next state depends on more than positions."""

    max_iter = 4

    def __init__(self):
        self.fails_at = None
        self.fault = "raises"

    def iterate(self, X, start=None, knobs=None):
        name, n = type(self).__name__, len(X)
        if self.fault == "refuses" and self.fails_at is not None and start is not None and start.model != name:
            raise ValueError("this model does not go on from another one")
        target = np.array([[k % 2, k // 2] for k in range(n)], dtype=float)
        Y = np.random.default_rng(5).standard_normal((n, 2)) if start is None else start.Y[0].copy()
        velocity = start.memory["velocity"] if start is not None and start.model == name else np.zeros((n, 2))
        at = 0 if start is None else start.iteration
        while True:
            cost = float(np.square(Y - target).sum())
            objective = np.inf if self.is_due(at, "is not recorded") else cost
            yield State(
                at, "descent", cost, objective, Y[None], None, cost, {"jitter": 0.0}, name, {"velocity": velocity}
            )
            at += 1
            if self.is_due(at, "raises"):
                raise ArithmeticError("the map ran away")
            if self.is_due(at, "ends"):
                return
            noise = knobs.turned().get("jitter", 0.0) * np.random.default_rng((7, at)).standard_normal((n, 2))
            velocity = 0.9 * velocity + 0.1 * (target - Y) + noise
            Y = Y + velocity
            if self.is_due(at, "is infinite"):
                Y[0, 0] = np.inf

    def is_due(self, at, fault):
        return self.fault == fault and at == self.fails_at


class Gliding(Coasting):
    """Another model, whose states can go on from another state."""

    max_iter = 6

    def iterate(self, X, start=None, knobs=None):
        return Resuming(lambda state: Coasting.iterate(self, X, state, knobs), start)


class Resuming:
    def __init__(self, make, start):
        self.make = make
        self.resume(start)

    def resume(self, state):
        self.states = self.make(state)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.states)


class Gate(Coasting):
    """A model whose update to one iteration takes as long as the test wants: until it sets `open`."""

    def __init__(self, at=3):
        super().__init__()
        self.at = at
        self.reached, self.open = threading.Event(), threading.Event()

    def iterate(self, X, start=None, knobs=None):
        for state in super().iterate(X, start, knobs):
            if state.iteration == self.at:
                self.reached.set()
                assert self.open.wait(PATIENCE)
            yield state
