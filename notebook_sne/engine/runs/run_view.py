"""The readable part of a run, at any time and from any thread.

The run waits for no reader: a viewer reads it at any time (`look`) or waits for a change (`wait_for_change`).
"""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.protocols import Model, WithCosts, WithForces
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.snapshot import Snapshot
from notebook_sne.engine.runs.trace import Trace
from notebook_sne.engine.runs.worker import Worker
from notebook_sne.models import unit_of

__all__ = ["Readable"]


class Readable:
    """The side of a `Run` that is read; not used by itself."""

    _worker: Worker

    def look(self) -> Snapshot:
        """Return the present `Snapshot`: the state, the status and what else belongs to it."""
        with self._worker.changed:
            return self._worker.control.look()

    def wait_for_change(self, since: int, timeout: float | None = None) -> Snapshot:
        """Wait for a snapshot whose version isn't `since`, at most `timeout` seconds, and return the present one.

        A viewer that sleeps between calls misses states but never the latest one, and costs the run nothing.
        """
        changed, control = self._worker.changed, self._worker.control
        with changed:
            changed.wait_for(lambda: control.version != since, timeout)
            return control.look()

    @property
    def status(self) -> str:
        """One of ``idle compiling running paused finished error closed``."""
        return self._worker.control.status

    @property
    def state(self) -> State | None:
        """The latest State, or None before the first."""
        return self._worker.control.state

    @property
    def error(self) -> BaseException | None:
        """The exception behind the status ``error``, with its traceback; None otherwise."""
        return self._worker.control.error

    @property
    def message(self) -> str:
        """The error in words, or why the map of a run that has finished is of no use; empty without either."""
        return self.look().message

    @property
    def model(self) -> Model:
        """The model at work."""
        return self._worker.control.model

    @property
    def X(self) -> Any:
        """The objects, as they were given."""
        return self._worker.maker.X

    @property
    def recording(self) -> Recording:
        """The `Recording` of what the run has done since it began, bounded and thinned evenly.

        It waits for the first state if one is under way, as `wait_for_start` does: an empty recording has no use.
        """
        return self.wait_for_start()._recording

    @property
    def _recording(self) -> Recording:
        """The recording as it is now, for threads that must not wait."""
        return self._worker.control.past.recording

    def wait_for_start(self) -> Self:
        """Wait for the first state if one is under way, as right after `watch`.

        Returns
        -------
        run : Run
            The run itself, with a state unless nothing was asked of it yet.

        Raises
        ------
        Exception
            The error of a model that made no state.
        """
        changed, control = self._worker.changed, self._worker.control
        with changed:
            changed.wait_for(lambda: control.state is not None or control.rests)
            if control.state is None and control.error is not None:
                raise control.error
        return self

    def forces(self, i: int, state: State | None = None) -> Any:
        """Return the forces on object i: Forces with pull, push, p and q, each of shape (N,).

        Parameters
        ----------
        i : int
            The object.
        state : State, optional
            One of this run; the latest where left out.

        Raises
        ------
        NotImplementedError
            If the model has several maps, or no forces to give.
        ValueError
            If there is no object i, or the state is of another model or perplexity than the run now.
        RuntimeError
            If nothing was asked of the run yet.
        """
        states, latest = self._latest()
        if not isinstance(states, WithForces):
            raise NotImplementedError(_missing("forces(state, i)", self.model))
        return states.forces(latest if state is None else state, i)

    def costs(self, state: State | None = None) -> np.ndarray:
        """Return each object's share of the cost in nats, shape (N,). `state` and errors are those of `forces`."""
        states, latest = self._latest()
        if not isinstance(states, WithCosts):
            raise NotImplementedError(_missing("costs(state)", self.model))
        return states.costs(latest if state is None else state)

    def _latest(self) -> tuple[Iterator[State], State]:
        with self.wait_for_start()._worker.changed:
            states, state = self._worker.maker.states, self._worker.control.state
        if state is None or states is None:
            raise RuntimeError("there is no state yet to compute forces or costs of; play or step first")
        return states, state

    @property
    def trace(self) -> Trace:
        """The `Trace` of costs since the run began; the latest state is always its last entry."""
        with self._worker.changed:
            control = self._worker.control
            return control.past.costs.up_to(control.state)

    def __repr__(self) -> str:
        now = self.look()
        unit = unit_of(type(self.model).__name__)
        at = "" if now.state is None else f", iteration {now.state.iteration}, cost {now.state.cost:.4g}{unit}"
        return f"<Run of {type(self.model).__name__}: {now.status}{at}>"


def _missing(method: str, model: Any) -> str:
    name = type(model).__name__
    return f"{name} has none to show: what its iterate() returns needs a method {method}, as for models with one map"
