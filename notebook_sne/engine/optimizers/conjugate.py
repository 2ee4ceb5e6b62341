"""Nonlinear conjugate gradients as a generator: each iterate is one line search, and its memory is one direction.

Each search direction s is steepest descent, bent toward the previous direction; g is the gradient and g' the previous
one. This is the method of Polak and Ribiere, with a maximum that returns to steepest descent where bending would not
help (Nocedal & Wright, Numerical Optimization, section 5.2):

.. math:: s <- -g + max(0, beta) s,     beta = g . (g - g') / (g' . g')

The line search is tight, because directions are conjugate only if each line is followed nearly to its minimum. It
begins, as in C. E. Rasmussen's `minimize` (known from Gaussian processes; Nocedal & Wright, section 3.5), with the
length at which the first-order change of the objective is that of the last search: the last length times the ratio of
the slopes, at most ten. On a plateau, or if no step along the direction helps, the search restarts from steepest
descent. If that doesn't help either, the run has converged, and from then on it repeats its place.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.optimizers.iterate import Evaluate, Iterate, dot, read_only
from notebook_sne.engine.optimizers.search import Step, arrive, first_length, on_plateau, started, stay, wolfe_step

__all__ = ["begin", "displaced", "forget", "step"]

_CURVATURE = 0.1
_TRIALS = 20
_GREATEST_RATIO = 10.0


def begin(iteration: int, theta: np.ndarray, evaluate: Evaluate, memory: Mapping[str, Any] | None = None) -> Iterate:
    """Return the iterate at theta; memory is that of an earlier iterate, or None for a fresh start."""
    return started(iteration, theta, evaluate, forget({}) if memory is None else memory)


def forget(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Return an empty memory: the direction to search next, and how far, belong to one objective."""
    return {"direction": None, "length": None, "plateaus": 0, "converged": False}


def displaced(memory: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
    """Return an empty memory: the direction to search next led on from another place."""
    return forget(memory)


def step(now: Iterate, evaluate: Evaluate) -> Iterate:
    """Return the next iterate: one line search, or `now` again once the run has converged."""
    memory = now.memory
    if memory["converged"]:
        return stay(now, memory)
    direction, found = memory["direction"], None
    if direction is not None:
        found = _search(now, evaluate, direction, memory["length"])
    if found is None:
        direction = -now.gradient
        found = _search(now, evaluate, direction, first_length(now.gradient))
    if found is None:
        return stay(now, {**memory, "direction": None, "length": None, "converged": True})

    plateaus = memory["plateaus"] + 1 if on_plateau(now, found) else 0
    direction, length = (None, None) if plateaus else _next(now, found, direction)
    remembered = {"direction": direction, "length": length, "plateaus": plateaus, "converged": plateaus > 2}
    return arrive(now, found, remembered)


def _search(now: Iterate, evaluate: Evaluate, direction: Floats, length: float) -> Step | None:
    return wolfe_step(now, evaluate, direction, length, curvature=_CURVATURE, trials=_TRIALS, foresee=True)


def _next(now: Iterate, found: Step, direction: Floats) -> tuple[Floats | None, float | None]:
    """Return the direction to search next and the length to try first."""
    gradient = found.evaluation.gradient
    bend = max(0.0, dot(gradient, gradient - now.gradient) / dot(now.gradient, now.gradient))
    bent = bend * direction - gradient
    slope = dot(gradient, bent)
    if not slope < 0:  # the search ended before its conditions were met
        bent, slope = -gradient, -dot(gradient, gradient)
    if slope == 0:
        return None, None
    ratio = min(_GREATEST_RATIO, dot(now.gradient, direction) / slope)
    return read_only(bent), ratio * found.length
