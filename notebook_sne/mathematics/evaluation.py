"""What a model says about one arrangement of its map points: its cost, and which way is down."""

from typing import NamedTuple

import numpy as np

__all__ = ["Evaluation"]


class Evaluation(NamedTuple):
    """Cost and gradient at one place.

    Attributes
    ----------
    objective : float
        What an optimizer lowers, in nats; the cost with exaggeration and penalties.
    gradient : ndarray of float64, in the shape of the map points
        Gradient of the objective.
    cost : float
        Kullback-Leibler divergence of Q from P in nats.
    """

    objective: float
    gradient: np.ndarray
    cost: float
