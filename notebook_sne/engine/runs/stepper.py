"""The making of states: does the tasks of a run with a model's generator, in the thread that calls it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.commands import Begin, Move, Pin, Seek, Task, Update
from notebook_sne.engine.runs.protocols import Holding, Model, Remarking, Resumable, Turnable
from notebook_sne.engine.runs.recording import Recording

__all__ = ["Maker"]


class Maker:
    """Makes the states of the objects X that a run asks for.

    The reader turns the knobs. States read `held`, which is set before each update: what is recorded is what held.
    """

    def __init__(self, X: Any, knobs: Knobs) -> None:
        self.X, self.knobs, self.held = X, knobs, Knobs()
        self.states: Iterator[State] | None = None
        self.model: Model | None = None  # the one that made them
        self.begun = False  # whether any model has begun
        # The knobs of each model that has begun, by its id, beside the model: without it, another may get this id.
        self.known: dict[int, tuple[Model, frozenset[str]]] = {}

    def do(
        self, task: Task, recording: Recording, useless: Callable[[], bool]
    ) -> tuple[State, Mapping[str, float]] | None:
        """Do a task; return the state that it leads to and the knobs that were held when it was made.

        None if `useless()` says meanwhile that the result isn't needed any more.
        """
        command = task.command
        if isinstance(command, Seek):
            return self._seek(task, command.iteration, recording, useless)
        if isinstance(command, Begin):
            return self._begin(task, useless)
        turned = self._hold(self.knobs.turned())
        if isinstance(command, Update):
            if self.states is None and task.state is not None:
                self._set_out(task.model, task.state)
                self._next()  # after an error: the state that is already shown
        elif isinstance(command, Move) and task.state is not None:
            self._set_out(task.model, arranged(task.state, command.places))
        elif isinstance(command, Pin) and task.state is not None:
            if self.states is None or self.model is not task.model:
                self._set_out(task.model, task.state)
            if isinstance(self.states, Holding) or command.places:
                states = self._holding(task.model)
                states.resume(states.pinned(task.state, command.places, command.freed))
            else:
                self._set_out(task.model, task.state)  # where none can be held, none is let go
        return self._next(), turned

    def refuse_lacking(self, model: Model, names: Iterable[str]) -> None:
        """Raise a ValueError where a model that has begun lacks a knob of these names."""
        if model is self.model and isinstance(self.states, Turnable):
            self.states.refuse_lacking(names)
        elif id(model) in self.known:
            there = self.known[id(model)][1]
            for name in names:
                if name not in there:
                    kind, has = type(model).__name__, ", ".join(sorted(there))
                    raise ValueError(f"{kind} has no knob {name!r} here, but {has}; release it")

    def refuse_pins(self, model: Model) -> None:
        """Raise a NotImplementedError where a model that has begun can't hold objects."""
        if model is self.model and self.states is not None:
            self._holding(model).refuse_pins()

    def _holding(self, model: Model) -> Holding:
        if isinstance(self.states, Holding):
            return self.states
        raise NotImplementedError(
            f"{type(model).__name__} cannot hold objects where they are: its states have no method pinned, as those of "
            "the models that move each map point have; use another, such as SNE"
        )

    def forget(self) -> None:
        """Forget the states, whose generator may have ended by an error."""
        self.states = None

    def remark(self, state: State) -> str:
        """Return why the map of a state is of no use, or an empty str."""
        return self.states.remark(state) if isinstance(self.states, Remarking) else ""

    def _begin(self, task: Task, useless: Callable[[], bool]) -> tuple[State, Mapping[str, float]] | None:
        """Begin with a model: of the knobs that are turned the first one refuses what it lacks, a later one lets go."""
        self._hold({})
        self._set_out(task.model, task.state, anew=True)
        if isinstance(self.states, Turnable) and not self.begun:
            self.states.refuse_lacking(self.knobs.turned())
        state, self.begun = self._next(), True
        if useless():
            return None
        self._let_go()
        return state, self._hold(self.knobs.turned())

    def _let_go(self) -> None:
        """Let go of knobs that the model at work lacks; not before it is certain that it is at work."""
        if isinstance(self.states, Turnable) and self.model is not None:
            there = frozenset(self.states.turnable)
            self.known[id(self.model)] = (self.model, there)
            if lacking := [name for name in self.knobs.turned() if name not in there]:
                self.knobs.release(*lacking)

    def _seek(
        self, task: Task, iteration: int, recording: Recording, useless: Callable[[], bool]
    ) -> tuple[State, Mapping[str, float]] | None:
        """Go from a full state to a later iteration as the run did then."""
        self._hold({})  # knobs that are held now may be of a later model
        self._set_out(task.model, task.state)
        state = self._next()
        while state.iteration < iteration:
            if useless():
                return None
            self._hold(recording.turned_at(state.iteration + 1))
            state = self._next()
        self._let_go()  # of what was turned since for another model
        return state, recording.turned_at(state.iteration)

    def _hold(self, turned: Mapping[str, float]) -> Mapping[str, float]:
        if turned != self.held.turned():
            self.held.replace(turned)
        return turned

    def _set_out(self, model: Model, state: State | None, *, anew: bool = False) -> None:
        """Make a state the next one; where that is possible with the affinities that are there already."""
        if state is not None and not anew and model is self.model and isinstance(self.states, Resumable):
            self.states.resume(state)
        else:
            self.states, self.model = iter(model.iterate(self.X, start=state, knobs=self.held)), model

    def _next(self) -> State:
        """Return the next state; refuse one that is no longer finite, so that the last good one stays."""
        state = None if self.states is None else next(self.states, None)
        if state is None:
            raise RuntimeError("iterate() of the model ended; it must yield states without end")
        if np.isfinite(state.cost) and np.isfinite(state.Y).all():
            return state
        raise ArithmeticError(
            f"the map is no longer finite at iteration {state.iteration}; "
            "lower the learning rate or the momentum, then restart"
        )


def arranged(state: State, places: Mapping[tuple[int, int], np.ndarray]) -> State:
    """Return the state with objects at the places {(map, object): place}."""
    Y = state.Y.copy()
    for (m, i), place in places.items():
        n = min(len(place), Y.shape[2])  # the extra dimensions may have gone since
        Y[m, i, :n] = place[:n]
    return replace(state, Y=Y)
