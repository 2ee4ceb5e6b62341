"""An update of gradient descent with momentum, gains, jitter and a return to the best place, as compiled functions.

The rule is that of `optimizers.descent`, which explains it. Five rows of one array, `STATE`, and the numbers of
`NUMBERS` are remembered between two updates.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.optimizers.descent import FARTHEST, GREATEST_SCALE, LONGER, SHORTER, SMALLEST_SCALE
from notebook_sne.engine.portable.copies import take
from notebook_sne.engine.portable.evaluation import N_MAPS, evaluate
from notebook_sne.engine.portable.noise import add_noise

__all__ = ["NUMBERS", "STATE", "begin", "copies", "step"]

STATE = ("theta", "velocity", "gains", "best_theta", "gradient")
"""The layers of the state, float64, each of the shape of theta."""

NUMBERS = ("objective", "cost", "rate_scale", "best_objective")
"""The numbers beside it, float64; without a best place, the last is infinite."""

MOVED, WENT_BACK, DIVERGED = 0, 1, 2
"""What an update did; after the last, all is as before."""

FORGET_NOTHING, FORGET_OBJECTIVE, FORGET_ALL = 0, 1, 2
"""What to forget at a beginning: nothing, as a run goes on; what belongs to one objective, which are the best place and
the halvings; or velocity and gains as well."""

_RATE, _MOMENTUM, _JITTER, _SLACK, _ADAPTIVE, _INCREMENT, _FACTOR, _LEAST, _GREATEST = range(9)

# Without leave to change the order of terms: the numbers are those of NumPy.
_FLAGS = {"error_model": "numpy", "cache": True, "forceinline": False}


@njit(**_FLAGS)
def _evaluated(model, pointers, columns, strengths, negentropy, settings, held, theta, gradient, numbers):
    """Write gradient, objective and cost at theta; a held point has no gradient."""
    numbers[0], numbers[1] = evaluate(model, pointers, columns, strengths, negentropy, theta, settings, gradient)
    for i in range(held.shape[0]):
        if held[i]:
            gradient[i, 0] = gradient[i, 1] = 0.0


@njit(**_FLAGS)
def begin(model, pointers, columns, strengths, negentropy, settings, held, forget, state, numbers):
    """Evaluate at theta and return whether the objective is finite; `forget` is one of the three ways above."""
    if forget >= FORGET_OBJECTIVE:
        numbers[2], numbers[3] = 1.0, math.inf
    if forget >= FORGET_ALL:
        for i in range(state.shape[1]):
            for a in range(2):
                state[1, i, a], state[2, i, a] = 0.0, 1.0
    _evaluated(model, pointers, columns, strengths, negentropy, settings, held, state[0], state[4], numbers)
    return math.isfinite(numbers[0])


@njit(**_FLAGS)
def _move(settings, scale, theta, velocity, gains, gradient):
    """Change gains, velocity and theta, in this order."""
    rate, momentum, increment, factor = (
        scale * settings[_RATE], settings[_MOMENTUM], settings[_INCREMENT], settings[_FACTOR],
    )  # fmt: skip
    for i in range(theta.shape[0]):
        for a in range(2):
            if increment > 0.0:
                g = gains[i, a]
                g = g + increment if velocity[i, a] * gradient[i, a] < 0.0 else g * factor
                gains[i, a] = min(max(g, settings[_LEAST]), settings[_GREATEST])
            velocity[i, a] = momentum * velocity[i, a] - rate * (gains[i, a] * gradient[i, a])
            theta[i, a] += velocity[i, a]


@njit(**_FLAGS)
def _jitter(settings, held, seed, iteration, before, theta):
    """Add the noise of an update to all points except the held ones, whose places are those of `before`."""
    seeds = np.empty(2, np.int64)
    seeds[0], seeds[1] = seed, iteration
    add_noise(seeds, settings[_JITTER], theta[: held.shape[0]])
    for i in range(held.shape[0]):
        if held[i]:
            theta[i, 0], theta[i, 1] = before[i, 0], before[i, 1]


@njit(**_FLAGS)
def _copy(there, here):
    for i in range(here.shape[0]):
        for a in range(2):
            there[i, a] = here[i, a]


@njit(**_FLAGS)
def step(model, pointers, columns, strengths, negentropy, settings, held, seed, iteration, state, numbers):
    """Make one update and return what it did.

    The first six are as for `evaluation.evaluate`. `held`, bool of shape (N,), or (M N,) of several maps, marks points
    that stay where they are. The jitter follows from `seed`, below 2**32, and `iteration`, the number of updates so
    far. `state`, shape (5, N, 2), or (5, R, 2) of several maps, is as `STATE` says, and `numbers`, shape (4,), as
    `NUMBERS` says; both are float64, and changed.
    """
    before, new_numbers, gradient = state[:3].copy(), numbers.copy(), state[4].copy()
    theta, velocity, gains, best = state[0], state[1], state[2], state[3]
    noisy, scale, best_objective = settings[_JITTER] > 0.0, numbers[2], numbers[3]
    better = not noisy and numbers[0] <= best_objective
    if noisy:
        best_objective = math.inf
    elif better:
        best_objective = numbers[0]
    _move(settings, scale, theta, velocity, gains, gradient)
    if noisy:
        _jitter(settings, held, seed, iteration, before[0], theta)
    finite = True
    for i in range(theta.shape[0]):
        finite = finite and abs(theta[i, 0]) < FARTHEST and abs(theta[i, 1]) < FARTHEST
    if finite:
        _evaluated(model, pointers, columns, strengths, negentropy, settings, held, theta, gradient, new_numbers)
        finite = math.isfinite(new_numbers[0])
    if not finite and (best_objective == math.inf or scale < SMALLEST_SCALE):
        for k in range(3):
            _copy(state[k], before[k])
        return DIVERGED
    if better:
        _copy(best, before[0])
    did, too_high = MOVED, best_objective + 0.01 * abs(best_objective) + settings[_SLACK]
    if not finite or (best_objective < math.inf and new_numbers[0] > too_high):
        did = WENT_BACK
        _copy(theta, best)
        for i in range(theta.shape[0]):
            for a in range(2):
                velocity[i, a], gains[i, a] = 0.0, 1.0
        scale /= 2.0
        _evaluated(model, pointers, columns, strengths, negentropy, settings, held, theta, gradient, new_numbers)
    elif settings[_ADAPTIVE] > 0.0 and not noisy:
        scale = min(scale * (LONGER if new_numbers[0] <= numbers[0] else SHORTER), GREATEST_SCALE)
    _copy(state[4], gradient)
    numbers[0], numbers[1], numbers[2], numbers[3] = new_numbers[0], new_numbers[1], scale, best_objective
    return did


@njit(**_FLAGS)
def copies(model, pointers, columns, strengths, negentropy, settings, held, reals, whole, state, numbers):
    """Move the copies that were found, instead of an update, and return how many.

    `reals` and `whole` are those of `portable.copies`. If no copy is worthwhile, or if the sums over all pairs don't
    confirm it, nothing changes and 0 is returned. The other parameters are those of `step` with several maps.
    """
    before, new_numbers, gradient = state[0].copy(), numbers.copy(), state[4].copy()
    theta, N = state[0], pointers.shape[0] - 1
    moved = take(theta, int(settings[N_MAPS]), N, held, reals, whole)
    if moved > 0:
        _evaluated(model, pointers, columns, strengths, negentropy, settings, held, theta, gradient, new_numbers)
        if not new_numbers[0] < numbers[0]:
            moved = 0
    if moved == 0:
        _copy(theta, before)
        return 0
    for i in range(theta.shape[0]):
        for a in range(2):
            if theta[i, a] != before[i, a]:  # what was put elsewhere is at rest
                state[1, i, a], state[2, i, a] = 0.0, 1.0
    _copy(state[4], gradient)
    numbers[0], numbers[1] = new_numbers[0], new_numbers[1]
    return moved
