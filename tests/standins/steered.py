"""A stand-in for a model whose points can be held and whose knobs can be turned, and that fails when a test says so."""

from copy import copy
from dataclasses import replace

import numpy as np

from notebook_sne.engine.fitting.state import NO_PINS
from tests.standins.drifting import Drifting


class Steered(Drifting):
    """Points that drift as those of `Drifting`, under the knobs that the model was given by name."""

    fails = False  # at the next state of any

    def __init__(self, max_iter=50, knobs=("learning_rate",)):
        super().__init__(max_iter)
        self.knobs = tuple(knobs)

    def again(self):
        """Another model with the same settings."""
        return copy(self)

    def drift(self, X, start, knobs):
        return super().iterate(X, start, knobs)

    def iterate(self, X, start=None, knobs=None):
        return _States(self, X, start, knobs)


class Sailing(Steered):
    """A first model."""


class Rowing(Steered):
    """A second one."""


class _States:
    """What a run may ask of states: knobs by name, held points, and to go on from another state."""

    def __init__(self, model, X, start, knobs):
        self.model, self.X, self.knobs = model, X, knobs
        self.resume(start)

    @property
    def turnable(self):
        return self.model.knobs

    def refuse_lacking(self, names):
        for name in names:
            if name not in self.model.knobs:
                raise ValueError(f"{type(self.model).__name__} has no knob {name!r} here; release it")

    def refuse_pins(self):
        pass

    def resume(self, state):
        self.states = self.model.drift(self.X, state, self.knobs)
        self.pins = NO_PINS if state is None else state.pins

    def pinned(self, state, places, freed):
        held = {(i, m) for i, m in state.pins.tolist()} | {(i, m) for m, i in places}
        pins = sorted(held - {(i, m) for m, i in freed})
        return replace(state, memory={"pins": np.array(pins, dtype=np.int64).reshape(-1, 2)})

    def __iter__(self):
        return self

    def __next__(self):
        if Steered.fails:
            raise ArithmeticError("the map ran away")
        self.refuse_lacking(self.knobs.turned())
        state = next(self.states)
        knobs = {name: self.knobs.turned().get(name, 0.1) for name in self.model.knobs}
        return replace(state, knobs=knobs, memory={"pins": self.pins})
