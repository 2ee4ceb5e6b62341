"""The commands of a run: one small class for each, without any behavior.

`notebook_sne.engine.runs.control` decides what each of them does. Knobs aren't commands: a model reads them before
each update.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.protocols import Model

__all__ = [
    "Begin",
    "Close",
    "Command",
    "Move",
    "Pause",
    "Pin",
    "Play",
    "Restart",
    "Seek",
    "Step",
    "Switch",
    "Task",
    "Update",
    "Waiting",
]


@dataclass(frozen=True, slots=True)
class Play:
    """Go on until `max_iter`; from there, for another `max_iter` updates."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Finish the present update and do no more."""


@dataclass(frozen=True, slots=True)
class Step:
    """Do `n` updates, in addition to those that earlier steps have left to do."""

    n: int = 1


@dataclass(frozen=True, slots=True)
class Restart:
    """Begin again at the start of the run, from now on that of `model` if one is given."""

    model: Model | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """Go on from the present positions under another model."""

    model: Model


@dataclass(frozen=True, slots=True)
class Seek:
    """Go to a recorded iteration and rest there."""

    iteration: int


@dataclass(frozen=True, slots=True)
class Move:
    """Put objects where a reader puts them."""

    places: Mapping[tuple[int, int], np.ndarray]
    """{(map, object): place of shape (2,) or (d,)}"""


@dataclass(frozen=True, slots=True)
class Pin:
    """Hold points where a reader wants them, and let others go."""

    places: Mapping[tuple[int, int], np.ndarray | None]
    """{(map, object): place of shape (2,) or (d,), or None for where it is}"""
    freed: frozenset[tuple[int, int]] = frozenset()
    """(map, object) of each that is let go."""


@dataclass(frozen=True, slots=True)
class Close:
    """End the run."""

    how: str = "is closed"
    """What later commands are told of it."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Make states of a model: from the latest state, or from the run's own start where there is none."""

    model: Model


@dataclass(frozen=True, slots=True)
class Update:
    """Do one update."""


Command = Play | Pause | Step | Restart | Switch | Seek | Move | Pin | Close
Waiting = Begin | Seek | Move | Pin
"""What can wait in the queue for the thread."""


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One command as the thread gets it, with all that it needs; each Task is equal to itself alone."""

    command: Waiting | Update
    model: Model
    state: State | None
    """The state to go on from; None: the model's own start."""
