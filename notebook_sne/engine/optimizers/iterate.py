"""One moment of an optimization, and the loop that turns a step into a generator."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics.evaluation import Evaluation

__all__ = ["DivergedError", "Evaluate", "Iterate", "dot", "generate", "norm", "read_only"]

Evaluate = Callable[[np.ndarray], Evaluation]
"""What an optimizer is given: a function from theta to its Evaluation."""


class DivergedError(ArithmeticError):
    """Positions or cost are no longer finite. The last finite moment is in its attribute `last`, or None."""

    def __init__(self, message: str, last: Any = None) -> None:
        super().__init__(message)
        self.last = last


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """One moment of a run; theta and gradient have shape (K,) and are read-only."""

    iteration: int  # number of updates so far
    theta: np.ndarray
    objective: float  # in nats, at this theta
    cost: float  # in nats, at this theta
    gradient: np.ndarray  # of the objective, at this theta
    memory: Mapping[str, Any]  # velocity, gains, L-BFGS pairs: all that a resumed run needs beside theta


def read_only(array: Floats) -> Floats:
    """Return array, no longer writeable."""
    array.flags.writeable = False
    return array


def dot(a: Floats, b: Floats) -> float:
    """Return the inner product, summed in a fixed order; a BLAS changes it with the number of threads."""
    return float(np.sum(a * b))


def norm(a: Floats) -> float:
    """Return the Euclidean norm, summed in a fixed order."""
    return math.sqrt(dot(a, a))


def generate(now: Iterate, step: Callable[..., Iterate], evaluate: Evaluate, **options: Any) -> Iterator[Iterate]:
    """Yield `now`, then every later iterate of `step`; the reader stops it with `break` or `islice`."""
    while True:
        yield now
        now = step(now, evaluate, **options)
