"""The record of a run while it goes on: the costs, the recording, and which model made each part of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.protocols import Model
from notebook_sne.engine.runs.recording import Recording

__all__ = ["TRACE_LENGTH", "Costs", "Past", "Trace"]

TRACE_LENGTH = 4000


class Trace(NamedTuple):
    """The costs of a run so far, thinned evenly once there are more than 4000 of them."""

    iterations: NDArray[np.int64]
    """int64, shape (K,), rising."""
    costs: NDArray[np.float64]
    """float64, shape (K,), in nats."""


class Costs:
    """A bounded list of (iteration, cost): when it is full, every second entry is removed and the stride doubles."""

    def __init__(self) -> None:
        self.iterations: list[int] = []
        self.costs: list[float] = []
        self.stride, self.seen = 1, 0

    def add(self, iteration: int, cost: float) -> None:
        """Add the cost of the next state; one of the same iteration as the last replaces it."""
        if self.iterations and self.iterations[-1] == iteration:
            self.costs[-1] = cost  # moved by hand or under another model
            return
        if self.seen % self.stride == 0:
            self.iterations.append(iteration)
            self.costs.append(cost)
            if len(self.costs) > TRACE_LENGTH:
                del self.iterations[1::2], self.costs[1::2]
                self.stride *= 2
        self.seen += 1

    def cut(self, iteration: int) -> None:
        """Forget what is after an iteration."""
        while self.iterations and self.iterations[-1] > iteration:
            self.iterations.pop()
            self.costs.pop()

    def up_to(self, state: State | None) -> Trace:
        """Return the Trace up to a state, which is always its last entry; without a state, all of it."""
        iterations, costs = self.iterations[:], self.costs[:]
        if state is not None:
            while iterations and iterations[-1] > state.iteration:
                del iterations[-1], costs[-1]
            if iterations and iterations[-1] != state.iteration:
                iterations.append(state.iteration)
                costs.append(state.cost)
        return Trace(np.array(iterations, dtype=np.int64), np.array(costs, dtype=np.float64))


class Past:
    """The record of a run since it began; the recording is an empty one."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.costs = Costs()
        self.segments: list[tuple[int, Model]] = []
        """The first iteration of each model, and the model."""

    def fresh(self) -> "Past":
        """Return an empty past; the recording of this one isn't changed."""
        return Past(self.recording.fresh())

    def begin(self, iteration: int, model: Model) -> None:
        """Note that a model makes the states from an iteration on."""
        self.segments.append((iteration, model))

    def segment_at(self, iteration: int) -> tuple[int, Model]:
        """Return the model that made an iteration, after the first iteration that it made: (first, model)."""
        return next(segment for segment in reversed(self.segments) if segment[0] <= iteration)

    def cut(self, iteration: int) -> None:
        """Forget what is after an iteration, as the run goes on from there in another way."""
        if self.recording.recorded_to is not None and self.recording.recorded_to > iteration:
            self.recording.truncate(iteration)
            self.costs.cut(iteration)
            self.segments = [segment for segment in self.segments if segment[0] <= iteration]
