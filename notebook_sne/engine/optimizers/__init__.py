"""Optimizers as generators: each yields its state, without end, and keeps nothing outside it.

Each of the modules `descent`, `conjugate`, `lbfgs`, `spectral` and `alternating` is an `Optimizer` of a flat vector
theta, shape (K,). ``generate`` repeats its steps. `schedules` has what changes a knob in time, `search` the line search
that `conjugate` and `lbfgs` share.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.optimizers.iterate import Evaluate, Iterate

__all__ = ["Optimizer"]


class Optimizer(Protocol):
    """The functions that an optimizer's module has."""

    def begin(
        self, iteration: int, theta: Floats, evaluate: Evaluate, memory: Mapping[str, Any] | None = None
    ) -> Iterate:
        """Return the iterate at theta; memory is that of an earlier iterate, or None for a fresh start."""

    def forget(self, memory: Mapping[str, Any]) -> dict[str, Any]:
        """Return the part of a memory that still holds after the objective has changed."""

    def displaced(self, memory: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
        """Return the part of a memory that still holds after the coordinates in a mask, shape (K,), were moved."""

    @property
    def step(self) -> Callable[..., Iterate]:
        """``step(now, evaluate, ...)``: the next iterate, made of fresh read-only arrays; a pure function."""
