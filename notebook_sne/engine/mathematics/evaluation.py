"""The result of a model at one arrangement of its map points: cost and gradient."""

from typing import NamedTuple

import numpy as np

__all__ = ["Evaluation", "penalized", "without_rounding"]


class Evaluation(NamedTuple):
    """Cost and gradient at one place."""

    objective: float  # in nats: what an optimizer lowers, the cost with exaggeration and penalties
    gradient: np.ndarray  # float64, of the objective, in the shape of the map points
    cost: float  # Kullback-Leibler divergence of Q from P in nats


def without_rounding(cost, n_objects):
    """Return a cost, or 0 where it is below 0 by no more than rounding.

    A divergence is never below 0, but hot sums are in single precision, with an error of up to 1e-7 for each object.
    What is lower stays as it is: it would be a fault to see. frontend/live_page/stepper.js does the same.
    """
    return 0.0 if -1e-6 - 1e-7 * n_objects <= cost <= 0 else cost


def penalized(here, Y, penalty):
    """Return an Evaluation at Y, shape (N, d), with the penalty (lambda / 2) sum_i |y_i|^2 in objective and gradient.

    `here` is the Evaluation without it; `penalty` is lambda, or one for each coordinate, shape (d,). [Cook2007, section
    5]
    """
    objective = here.objective + 0.5 * float(np.sum(penalty * np.square(Y)))
    return Evaluation(objective, here.gradient + penalty * Y, here.cost)
