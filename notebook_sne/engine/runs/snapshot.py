"""A snapshot: what a viewer reads of a run at once."""

from typing import NamedTuple

from notebook_sne.engine.fitting.state import State

__all__ = ["Snapshot", "describe"]


class Snapshot(NamedTuple):
    """The values that a viewer reads at once, because they belong together."""

    version: int
    """Rises with every change; `Run.wait_for_change` waits for another one."""
    status: str
    """One of `idle compiling running paused finished error closed`."""
    state: State | None
    """The latest state; None before the first."""
    message: str
    """Why the status is `error`, or why the map of a finished run is of no use; empty otherwise."""
    seeking: bool
    """Whether the run is on its way to a recorded iteration, so that `state` is not yet the one there."""
    compiling: bool
    """Whether what the next state needs is being compiled, once."""


def describe(error: BaseException) -> str:
    """Return the reason of an error in one line, with its kind in front where that says more."""
    text = str(error).strip() or "no reason given"
    return text if isinstance(error, ArithmeticError | ValueError) else f"{type(error).__name__}: {text}"
