"""L-BFGS as a generator: the whole of its memory is in each iterate, so a run can stop and go on exactly.

The two-loop recursion (Nocedal & Wright, Numerical Optimization, algorithm 7.4) turns the last few pairs of
steps s and gradient changes y into a Newton-like direction; a line search finds a step along it that meets the
strong Wolfe conditions (their section 3.5). On a plateau, or where no step along the direction helps, the memory is
emptied and the search begins anew from steepest descent, as the quadratic model may be the thing that is wrong. When
that does not help either the run has converged, and from then on it repeats its place.
"""

import numpy as np

from notebook_sne.optimizers.iterate import DivergedError, Iterate, dot, norm, read_only

__all__ = ["begin", "forget", "step"]

_PAIRS = 12
_SUFFICIENT_DECREASE, _CURVATURE = 1e-4, 0.9
_TRIALS = 25
# Relative change of the objective that counts as none: what sums in single precision can tell.
_NOISE = 1e-7
# A step shorter than this share of the map, with no change of the objective, is a step on a plateau.
_SHORT_STEP = 1e-3


def begin(iteration, theta, evaluate, memory=None):
    """Return the iterate at theta; memory is that of an earlier iterate, or None for a fresh start."""
    theta = read_only(np.array(theta, dtype=np.float64))
    here = evaluate(theta)
    if not np.isfinite(here.objective):
        raise DivergedError(f"the objective at the start is {here.objective}; start from other positions")
    return Iterate(
        iteration, theta, here.objective, here.cost, read_only(here.gradient), forget({}) if memory is None else memory
    )


def forget(memory):
    """Return an empty memory: pairs belong to one objective."""
    return {"pairs": (), "plateaus": 0, "converged": False}


def step(now, evaluate):
    """Return the next iterate: one line search, or `now` again once the run has converged."""
    memory = now.memory
    if memory["converged"]:
        return _stay(now, memory)
    pairs, there = memory["pairs"], None
    if pairs:
        there = _search(now, evaluate, _direction(now.gradient, pairs), 1.0)
    if there is None:
        pairs, length = (), norm(now.gradient)
        if length > 0:
            there = _search(now, evaluate, -now.gradient, min(1.0, 1.0 / length))
    if there is None:
        return _stay(now, {**memory, "converged": True})

    theta, evaluation = there
    s, y = theta - now.theta, evaluation.gradient - now.gradient
    if dot(s, y) > 1e-12 * dot(y, y):
        pairs = (*pairs, (read_only(s), read_only(y)))[-_PAIRS:]
    # At the start of a map, all objects in a heap, the objective hardly falls while everything moves: no plateau.
    flat = now.objective - evaluation.objective < _NOISE * abs(now.objective)
    plateaus = memory["plateaus"] + 1 if flat and norm(s) < _SHORT_STEP * norm(theta) else 0
    if plateaus:
        pairs = ()
    remembered = {"pairs": pairs, "plateaus": plateaus, "converged": plateaus > 2}
    return Iterate(
        now.iteration + 1,
        read_only(theta),
        evaluation.objective,
        evaluation.cost,
        read_only(evaluation.gradient),
        remembered,
    )


def _stay(now, memory):
    return Iterate(now.iteration + 1, now.theta, now.objective, now.cost, now.gradient, memory)


def _direction(gradient, pairs):
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


def _search(now, evaluate, direction, length):
    """Return (theta, evaluation) of a step along direction that meets the Wolfe conditions, or None.

    `low` is the longest step known to decrease enough while the slope is still downhill, `high` the shortest known
    to go too far; a Wolfe step lies between them. Changes of the objective below the noise of its sums say nothing:
    there the slopes alone decide, which keep their digits.
    """
    start_slope = dot(now.gradient, direction)
    if not start_slope < 0:
        return None
    noise = _NOISE * abs(now.objective)
    low, high = (0.0, now.objective, start_slope), None
    best, least = None, now.objective
    for _ in range(_TRIALS):
        theta = now.theta + length * direction
        there = evaluate(theta) if np.isfinite(theta).all() else None
        value = there.objective if there is not None else np.inf
        slope = dot(there.gradient, direction) if there is not None else np.inf
        if not (np.isfinite(value) and value <= now.objective + _SUFFICIENT_DECREASE * length * start_slope + noise):
            high = (length, value, slope)
        else:
            if value < least:
                best, least = (theta, there), value
            if abs(slope) <= _CURVATURE * abs(start_slope):
                return theta, there
            if slope > 0:
                high = (length, value, slope)
            else:
                low = (length, value, slope)
        length = 4.0 * length if high is None else _between(low, high, noise)
        if high is not None and high[0] - low[0] < 1e-12 * high[0]:
            break
    return best


def _between(low, high, noise):
    """Return where the slope should vanish, kept in the inner eight tenths; the middle if nothing is known of it.

    The minimum of the cubic through both ends or, where the objective does not tell them apart, the zero of
    the line through both slopes.
    """
    (a, fa, da), (b, fb, db) = low, high
    width = b - a
    guess = a + 0.5 * width
    if abs(fb - fa) <= noise and db > da:
        guess = a - da * width / (db - da)
    elif np.isfinite(fb) and np.isfinite(db):
        d1 = da + db - 3 * (fb - fa) / width
        root = d1 * d1 - da * db
        if root >= 0 and (below := db - da + 2 * np.sqrt(root)) != 0:
            guess = b - width * (db + np.sqrt(root) - d1) / below
    return float(np.clip(guess, a + 0.1 * width, a + 0.9 * width))
