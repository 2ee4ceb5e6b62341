"""The requirements of a run on a model, and on the states that the model makes.

A model has `iterate` and `max_iter`; that is all it needs. The iterator may offer more; each part is optional. It may
continue from another state without new affinities (`Resumable`), hold objects where they are (`Holding`), list its
knobs (`Turnable`), or remark on the last map (`Remarking`). It may also give the forces on an object and each object's
cost.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State

__all__ = ["Holding", "Model", "Remarking", "Resumable", "Turnable", "WithCosts", "WithForces", "max_iter_of"]


class Model(Protocol):
    """Anything that a run can drive."""

    max_iter: int
    """After how many iterations `play` ends, above 0."""

    def iterate(self, X: Any, start: State | None = None, knobs: Knobs | None = None) -> Iterator[State]:
        """Yield the start, then the state after each update, without end; `knobs` are read before each update.

        Each update raises ``state.iteration`` by 1, and a run from any state equals the run that never stopped.
        """


@runtime_checkable
class Resumable(Protocol):
    """States that can go on from another state."""

    def resume(self, state: State) -> None:
        """Make `state` the next one, as `start` of ``iterate`` would."""


@runtime_checkable
class Holding(Resumable, Protocol):
    """States that can hold objects where they are."""

    def refuse_pins(self) -> None:
        """Raise a NotImplementedError where these can't."""

    def pinned(
        self, state: State, places: Mapping[tuple[int, int], np.ndarray | None], freed: Collection[tuple[int, int]]
    ) -> State:
        """Return the state, for `resume`, with {(map, object): place or None} held, and others let go."""


@runtime_checkable
class Turnable(Protocol):
    """States that know which knobs can be turned."""

    @property
    def turnable(self) -> Collection[str]:
        """Names of the knobs."""

    def refuse_lacking(self, names: Iterable[str]) -> None:
        """Raise a ValueError where there is no knob of one of these names."""


@runtime_checkable
class Remarking(Protocol):
    """States that know when a map is of no use."""

    def remark(self, state: State) -> str:
        """Return why the map of a state is of no use and what to do, or an empty str."""


@runtime_checkable
class WithForces(Protocol):
    """States that can be asked for the forces on an object."""

    def forces(self, state: State, i: int) -> Any:
        """Return the forces on object i."""


@runtime_checkable
class WithCosts(Protocol):
    """States that can be asked for each object's cost."""

    def costs(self, state: State) -> np.ndarray:
        """Return the part of the cost that is due to each object, shape (N,)."""


def max_iter_of(model: Any) -> int:
    """Return model.max_iter as an int, or raise an error that says what a model must have."""
    if isinstance(model, type):
        raise TypeError(f"model must be an instance, got the class {model.__name__}; write {model.__name__}()")
    if not callable(getattr(model, "iterate", None)):
        raise TypeError(
            f"model must have a method iterate(X, start=None, knobs=None), got {type(model).__name__}; "
            "give one such as notebook_sne.SNE()"
        )
    limit = getattr(model, "max_iter", None)
    if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 1:
        raise ValueError(f"max_iter of the model must be an integer above 0, got {show(limit)}; set it")
    return int(limit)
