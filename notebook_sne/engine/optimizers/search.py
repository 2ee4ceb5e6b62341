"""A line search for the strong Wolfe conditions (Nocedal & Wright, Numerical Optimization, section 3.5).

Along a direction from theta, f(a) is the objective after a step of length a, and f'(a) its slope. The step must have

.. math:: f(a) <= f(0) + 10^-4 a f'(0),     |f'(a)| <= c |f'(0)|

where c is the `curvature`. While the slope at every step tried is negative, the next step is longer; once a step went
too far, the search closes in between. Guesses come from the cubic that has the values and slopes of two steps.

L-BFGS and conjugate gradients share this search. The spectral direction also uses the functions before and after it:
`started`, `on_plateau`, `arrive` and `stay`.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.iterate import DivergedError, Evaluate, Iterate, dot, norm, read_only

__all__ = ["Step", "arrive", "first_length", "on_plateau", "started", "stay", "wolfe_step"]

_SUFFICIENT_DECREASE = 1e-4
_FARTHEST = 4.0  # times the longest step so far
# Relative change of the objective that counts as none: what sums in single precision can tell.
_NOISE = 1e-7
# A step shorter than this share of the map, with no change of the objective, is a step on a plateau.
_SHORT_STEP = 1e-3

_Known = tuple[float, float, float]
"""Of one length of a step: the length, the objective and its slope there."""


class Step(NamedTuple):
    """A step that a search has found."""

    length: float  # in units of the direction
    theta: np.ndarray  # shape (K,): where it leads
    evaluation: Evaluation  # at this theta


def first_length(gradient: Floats) -> float:
    """Return the first step to try along steepest descent, which moves theta by no more than 1."""
    length = norm(gradient)
    return min(1.0, 1.0 / length) if length > 0 else 1.0


def wolfe_step(
    now: Iterate,
    evaluate: Evaluate,
    direction: Floats,
    length: float,
    *,
    curvature: float,
    trials: int = 25,
    foresee: bool = False,
) -> Step | None:
    """Return a step along the direction that meets the strong Wolfe conditions, or else the best one seen.

    Changes of the objective below the noise of its sums say nothing: there the slopes alone decide, because they keep
    their digits. A step to a place where the objective isn't finite has gone too far. The result is None if the
    objective doesn't fall along the direction, or if no lower value was seen.

    `length` is the step to try first, in units of the direction, shape (K,), and `trials` the most evaluations.
    `curvature` is the share of the first slope that may be left: 0.9 is a loose search, 0.1 a tight one. A longer step
    is four times the last; with `foresee`, it goes to the minimum of the cubic, up to four times the last.
    """
    start_slope = dot(now.gradient, direction)
    if not (start_slope < 0 < length):
        return None
    noise = _NOISE * abs(now.objective)
    # `low` is the longest step known to decrease enough while the slope is still downhill, `before` the one that was
    # it until then, `high` the shortest step known to go too far; a Wolfe step lies between low and high.
    low, high = (0.0, now.objective, start_slope), None
    best, least = None, now.objective
    for _ in range(trials):
        theta = now.theta + length * direction
        value = slope = np.inf
        if np.isfinite(theta).all():
            found = Step(length, theta, evaluate(theta))
            value = float(found.evaluation.objective)
        if np.isfinite(value):
            slope = dot(found.evaluation.gradient, direction)
        enough = now.objective + _SUFFICIENT_DECREASE * length * start_slope + noise
        before = low
        if not (np.isfinite(slope) and value <= enough):
            high = (length, value, slope)
        else:
            if value < least:
                best, least = found, value
            if abs(slope) <= curvature * abs(start_slope):
                return found
            if slope > 0:
                high = (length, value, slope)
            else:
                low = (length, value, slope)
        if high is not None:
            length = _between(low, high, noise)
            if high[0] - low[0] < 1e-12 * high[0]:
                break
        elif foresee:
            length = _beyond(before, low, noise)
        else:
            length = _FARTHEST * length
    return best


def on_plateau(now: Iterate, found: Step) -> bool:
    """Tell whether a step neither lowers the objective nor moves the map."""
    # At the start of a map, all objects in a heap, the objective hardly falls while everything moves: no plateau.
    flat = now.objective - found.evaluation.objective < _NOISE * abs(now.objective)
    return flat and norm(found.theta - now.theta) < _SHORT_STEP * norm(found.theta)


def started(iteration: int, theta: np.ndarray, evaluate: Evaluate, memory: Mapping[str, Any]) -> Iterate:
    """Return the first iterate of a search, at theta, or raise a DivergedError."""
    theta = read_only(np.array(theta, dtype=np.float64))
    here = evaluate(theta)
    if not np.isfinite(here.objective):
        raise DivergedError(f"the objective at the start is {here.objective}; start from other positions")
    return Iterate(iteration, theta, here.objective, here.cost, read_only(here.gradient), memory)


def arrive(now: Iterate, found: Step, memory: Mapping[str, Any]) -> Iterate:
    """Return the iterate after now, at the step that was found."""
    there = found.evaluation
    theta, gradient = read_only(found.theta), read_only(there.gradient)
    return Iterate(now.iteration + 1, theta, there.objective, there.cost, gradient, memory)


def stay(now: Iterate, memory: Mapping[str, Any]) -> Iterate:
    """Return the iterate after now, at the same place."""
    return Iterate(now.iteration + 1, now.theta, now.objective, now.cost, now.gradient, memory)


def _between(low: _Known, high: _Known, noise: float) -> float:
    """Return where the slope should vanish, kept in the inner eight tenths; the middle if that is not known."""
    a, b = low[0], high[0]
    width = b - a
    guess = _minimum(low, high, noise)
    if math.isnan(guess):
        guess = a + 0.5 * width
    return float(np.clip(guess, a + 0.1 * width, a + 0.9 * width))


def _beyond(before: _Known, low: _Known, noise: float) -> float:
    """Return where the slope should vanish beyond low; the farthest allowed if it should not."""
    a, b = before[0], low[0]
    guess = _minimum(before, low, noise)
    if not a < b < guess:
        return _FARTHEST * b
    return min(max(guess, b + 0.1 * (b - a)), _FARTHEST * b)


def _minimum(one: _Known, other: _Known, noise: float) -> float:
    """Return where the slope should vanish, NaN if that is not known.

    The minimum of the cubic through both steps (Nocedal & Wright, Eq. 3.59) or, where the objective does not tell
    them apart, the zero of the line through both slopes.
    """
    (a, fa, da), (b, fb, db) = one, other
    width = b - a
    if not width > 0:
        return math.nan
    if abs(fb - fa) <= noise and db > da:
        return a - da * width / (db - da)
    if math.isfinite(fb) and math.isfinite(db):
        d1 = da + db - 3 * (fb - fa) / width
        root = d1 * d1 - da * db
        if root >= 0 and (below := db - da + 2 * math.sqrt(root)) != 0:
            return b - width * (db + math.sqrt(root) - d1) / below
    return math.nan
