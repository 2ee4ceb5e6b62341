"""L-BFGS as a generator: each iterate holds all of its memory, so a run can stop and continue exactly.

The two-loop recursion (Nocedal & Wright, Numerical Optimization, algorithm 7.4) turns the last few pairs of steps s and
gradient changes y into a Newton-like direction; a line search finds a step along it that meets the strong Wolfe
conditions (their section 3.5). On a plateau, or if no step along the direction helps, the memory is emptied and the
search restarts from steepest descent, because the quadratic model may be wrong. If that doesn't help either, the run
has converged, and from then on it repeats its place.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.optimizers.iterate import Evaluate, Iterate, dot, read_only
from notebook_sne.engine.optimizers.search import arrive, first_length, on_plateau, started, stay, wolfe_step

__all__ = ["begin", "displaced", "forget", "step"]

_PAIRS = 12
_CURVATURE = 0.9


def begin(iteration: int, theta: np.ndarray, evaluate: Evaluate, memory: Mapping[str, Any] | None = None) -> Iterate:
    """Return the iterate at theta; memory is that of an earlier iterate, or None for a fresh start."""
    return started(iteration, theta, evaluate, forget({}) if memory is None else memory)


def forget(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Return an empty memory: pairs belong to one objective."""
    return {"pairs": (), "plateaus": 0, "converged": False}


def displaced(memory: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
    """Return an empty memory: pairs describe the objective along one path only."""
    return forget(memory)


def step(now: Iterate, evaluate: Evaluate) -> Iterate:
    """Return the next iterate: one line search, or `now` again once the run has converged."""
    memory = now.memory
    if memory["converged"]:
        return stay(now, memory)
    pairs, found = memory["pairs"], None
    if pairs:
        found = wolfe_step(now, evaluate, _direction(now.gradient, pairs), 1.0, curvature=_CURVATURE)
    if found is None:
        pairs, length = (), first_length(now.gradient)
        found = wolfe_step(now, evaluate, -now.gradient, length, curvature=_CURVATURE)
    if found is None:
        return stay(now, {**memory, "converged": True})

    s, y = found.theta - now.theta, found.evaluation.gradient - now.gradient
    if dot(s, y) > 1e-12 * dot(y, y) > 0.0:  # where the gradient all but vanishes, the square of its change may be 0
        pairs = (*pairs, (read_only(s), read_only(y)))[-_PAIRS:]
    plateaus = memory["plateaus"] + 1 if on_plateau(now, found) else 0
    if plateaus:
        pairs = ()
    return arrive(now, found, {"pairs": pairs, "plateaus": plateaus, "converged": plateaus > 2})


def _direction(gradient: Floats, pairs: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Return minus the approximate inverse Hessian times the gradient: the two-loop recursion."""
    q = gradient.copy()
    remembered = []
    for s, y in reversed(pairs):
        a = dot(s, q) / dot(s, y)
        q -= a * y
        remembered.append(a)
    s, y = pairs[-1]
    q *= dot(s, y) / dot(y, y)
    for (s, y), a in zip(pairs, reversed(remembered), strict=True):
        q += (a - dot(y, q) / dot(s, y)) * s
    return -q
