"""Gradient descent with momentum, gains and jitter, and with a way back.

With the gradient G of the objective, the velocity v, the momentum mu, the rate eta and a gain g for each coordinate,

.. math::

    v <- mu v - eta g G,     theta <- theta + v + jitter noise

The gains grow while step and descent agree and shrink when they don't. Without jitter, the run remembers its best
place. Once the objective exceeds it by more than 1 % and a slack, the run goes back there with no velocity, gains of 1
and half the learning rate. A rate that is too large therefore costs time, but never the result.

The momentum may *rise* instead of being constant,

.. math:: mu_k = min(mu, k / (k + 3))

after k updates of the same objective [Nesterov1983]: the longer a run follows a valley, the more of each step it keeps.
A momentum of 0.98 from the first update on would fling a map apart, with velocity from an objective that no longer
holds.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.iterate import DivergedError, Evaluate, Iterate, read_only

__all__ = ["begin", "displaced", "forget", "step"]

SMALLEST_SCALE, GREATEST_SCALE = 2.0**-40, 2.0**40
# What an adaptive rate is multiplied with after an update that lowers the objective, and after one that raises it.
LONGER, SHORTER = 1.05, 0.8
FARTHEST = 1e15  # squares of distances are still finite in single precision


def begin(iteration: int, theta: np.ndarray, evaluate: Evaluate, memory: Mapping[str, Any] | None = None) -> Iterate:
    """Return the iterate at theta; memory is that of an earlier iterate, or None for a fresh start."""
    theta = read_only(np.array(theta, dtype=np.float64))
    here = evaluate(theta)
    if not np.isfinite(here.objective):
        raise DivergedError(f"the objective at the start is {here.objective}; start from other positions")
    if memory is None:
        memory = forget({"velocity": read_only(np.zeros(theta.shape)), "gains": read_only(np.ones(theta.shape))})
    return Iterate(iteration, theta, here.objective, here.cost, read_only(here.gradient), memory)


def forget(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Return the memory without the best place and the halvings, which belong to one objective."""
    return {**memory, "best_theta": None, "best_objective": np.inf, "rate_scale": 1.0}


def displaced(memory: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
    """Return the memory after the coordinates of a mask, shape (K,), were moved: at rest, with gains of 1."""
    velocity, gains = np.where(which, 0.0, memory["velocity"]), np.where(which, 1.0, memory["gains"])
    return {**memory, "velocity": read_only(velocity), "gains": read_only(gains)}


def step(
    now: Iterate,
    evaluate: Evaluate,
    *,
    learning_rate: float,
    momentum: float = 0.0,
    jitter: float = 0.0,
    gains: tuple[float, float, float, float] | None = None,
    rising: bool = False,
    slack: float = 0.0,
    seed: int = 0,
    n_noisy: int | None = None,
    adaptive: bool = False,
    held: np.ndarray | None = None,
) -> Iterate:
    """Return the iterate after one update.

    `learning_rate` is the length of a step, `momentum` the share of the last step that is kept, and `jitter` the
    standard deviation of the noise. Seed and iteration number determine the noise, so that a resumed run has the same.
    Jitter is added to the first `n_noisy` coordinates, by default to all, except those that are `held`, bool of shape
    (K,), whose gradient and velocity are 0. `gains` are increment, factor, least and greatest gain; None holds all
    gains at 1. If `rising`, momentum is at most k / (k + 3), k being the `steps` of the memory, which is set to 0 where
    the objective jumps. `slack` is the rise of the objective, in nats, that is tolerated beyond 1 % of it.

    If `adaptive`, the rate grows by a twentieth with each update that lowers the objective, and shrinks by a fifth with
    each that raises it. With jitter, which raises the objective every other time, the rate is constant.

    Raises a DivergedError if positions or objective are no longer finite: with jitter at once, because there is no best
    place to return to; without jitter, once no smaller step helps.
    """
    memory = now.memory
    velocity, g, scale = memory["velocity"], memory["gains"], memory["rate_scale"]
    best_theta, best_objective = memory["best_theta"], memory["best_objective"]
    if jitter > 0:
        best_theta, best_objective = None, np.inf
    elif now.objective <= best_objective:
        best_theta, best_objective = now.theta, now.objective

    if gains is not None:
        increment, factor, least, greatest = gains
        agree = velocity * now.gradient < 0
        g = read_only(np.clip(np.where(agree, g + increment, g * factor), least, greatest))
    steps = memory.get("steps", 0)
    if rising:
        momentum = min(momentum, steps / (steps + 3))
    velocity = momentum * velocity - (scale * learning_rate) * (g * now.gradient)
    theta = now.theta + velocity
    if jitter > 0:
        noisy = theta[:n_noisy]
        noisy += jitter * np.random.default_rng((seed, now.iteration)).standard_normal(noisy.shape)
        if held is not None:
            theta[held] = now.theta[held]

    there = _evaluated(evaluate, theta)
    if there is None and (best_theta is None or scale < SMALLEST_SCALE):
        causes = f"learning rate {scale * learning_rate:g}" + (f" and jitter {jitter:g}" if jitter > 0 else "")
        raise DivergedError(
            f"the run diverged at iteration {now.iteration + 1} with {causes}: positions or cost are no longer finite; "
            f"lower the learning rate{' or the jitter' if jitter > 0 else ''}",
            last=now,
        )
    too_high = best_objective + 0.01 * abs(best_objective) + slack
    if there is None or (best_theta is not None and there.objective > too_high):
        theta, there = best_theta, evaluate(best_theta)
        velocity, g, scale = np.zeros(theta.shape), read_only(np.ones(theta.shape)), scale / 2
        steps = -1
    elif adaptive and jitter == 0:
        scale = min(scale * (LONGER if there.objective <= now.objective else SHORTER), GREATEST_SCALE)
    remembered = {
        "velocity": read_only(velocity),
        "gains": g,
        "rate_scale": scale,
        "best_theta": best_theta,
        "best_objective": best_objective,
    }
    if rising:
        remembered["steps"] = steps + 1
    return Iterate(now.iteration + 1, theta, there.objective, there.cost, read_only(there.gradient), remembered)


def _evaluated(evaluate: Evaluate, theta: np.ndarray) -> Evaluation | None:
    """Return the evaluation at theta, or None where it is not finite."""
    if not np.abs(theta).max() < FARTHEST:  # false for NaN too, which a sum of kernels may turn into a finite cost
        return None
    here = evaluate(read_only(theta))
    return here if np.isfinite(here.objective) else None
