"""Alternation: steps of a model that solves for one half of its parameters while the other half stays.

Expectation maximization and batch self-organizing maps are of this kind. Objects are assigned to places, then places
are fitted to their objects, in closed form:

.. math:: theta <- improved(theta)

There is no rate and no direction, so nothing needs to be remembered: theta is the whole state, and a run resumed from
any iterate equals the run that never stopped. Once a step changes nothing, the run repeats its place.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.optimizers.iterate import DivergedError, Evaluate, Iterate, read_only

__all__ = ["begin", "displaced", "forget", "step"]


def begin(iteration: int, theta: np.ndarray, evaluate: Evaluate, memory: Mapping[str, Any] | None = None) -> Iterate:
    """Return the iterate at theta; there is no memory."""
    theta = read_only(np.array(theta, dtype=np.float64))
    here = evaluate(theta)
    if not np.isfinite(here.objective):
        raise DivergedError(f"the objective at the start is {here.objective}; start from other positions")
    return Iterate(iteration, theta, here.objective, here.cost, read_only(here.gradient), {})


def forget(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Return an empty memory."""
    return {}


def displaced(memory: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
    """Return an empty memory."""
    return {}


def step(now: Iterate, evaluate: Evaluate, *, improved: Callable[[Floats], Floats]) -> Iterate:
    """Return the next iterate, at ``improved(theta)``.

    Raises a DivergedError if theta or the objective are no longer finite.
    """
    theta = read_only(improved(now.theta))
    here = evaluate(theta) if np.isfinite(theta).all() else None
    if here is None or not np.isfinite(here.objective):
        raise DivergedError(
            f"the run diverged at iteration {now.iteration + 1}: its numbers are no longer finite; "
            "rescale the data, or start from other positions",
            last=now,
        )
    return Iterate(now.iteration + 1, theta, here.objective, here.cost, read_only(here.gradient), {})
