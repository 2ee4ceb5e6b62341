"""Frames: states as a recording keeps them to be looked at, and the states that a run can go on from without more."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from notebook_sne.engine.fitting.state import State

__all__ = ["Frame", "frame_of", "state_of"]


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A state as a recording keeps it: what was to be seen at one iteration, in single precision.

    Attributes
    ----------
    iteration : int
        Number of updates since the run began.
    phase : str
        The schedule's phase.
    cost, objective : float
        In nats, at the positions that the run had in double precision.
    knobs : mapping of str to float
        Every knob as it stood.
    turned : tuple of str
        Which of them a hand held.
    model : str
        Class name of the model.
    Y : ndarray of float32, shape (M, N, d)
        Map points, read-only.
    mixing : ndarray of float32, shape (M, N), or None
        Mixing proportions, read-only.
    """

    iteration: int
    phase: str
    cost: float
    objective: float
    knobs: Mapping[str, float]
    turned: tuple[str, ...]
    model: str
    Y: np.ndarray
    mixing: np.ndarray | None


def frame_of(state: State, turned: tuple[str, ...]) -> Frame:
    """Return the Frame of a state; a ValueError where single precision can't hold its positions."""
    with np.errstate(over="ignore"):
        Y, mixing = state.Y.astype(np.float32), state.mixing
    if not np.isfinite(Y).all():
        raise ValueError(
            f"positions must be finite in single precision, but at iteration {state.iteration} they are not; "
            "lower the learning rate"
        )
    Y.flags.writeable = False
    if mixing is not None:
        mixing = mixing.astype(np.float32)
        mixing.flags.writeable = False
    return Frame(state.iteration, state.phase, state.cost, state.objective, state.knobs, turned, state.model, Y, mixing)


def state_of(frame: Frame, known: State | None, pins: np.ndarray | None = None) -> State:
    """Return a State with the positions of a frame, and the points that were held then.

    It goes on with what an earlier full state knew, if it fits.
    """
    held = {} if pins is None or not len(pins) else {"pins": pins}
    Y = frame.Y.astype(np.float64)
    mixing = None if frame.mixing is None else frame.mixing.astype(np.float64)
    if known is not None and known.model == frame.model and known.Y.shape == Y.shape:
        # Its schedules and its seed go on; no objective belongs to these positions, so the best place is forgotten.
        # What the known state's update moved was moved there.
        memory = {name: value for name, value in known.memory.items() if name not in ("copies", "pins")} | {
            "weights": None
        }
        return replace(
            known, iteration=frame.iteration, phase=frame.phase, cost=frame.cost, objective=math.nan, Y=Y,
            mixing=mixing, gradient_norm=math.nan, knobs=frame.knobs, memory=memory | held,
        )  # fmt: skip
    return State(frame.iteration, frame.phase, frame.cost, frame.objective, Y, mixing, math.nan, frame.knobs, "", held)
