"""A number that may come from a sample of the objects, with its standard error."""

from __future__ import annotations

from typing import Any

import numpy as np

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.checks.numbers import generator_of

__all__ = ["MOST_ASKED", "Estimate", "asked_objects", "mean_of"]

MOST_ASKED = 10_000
"""Up to so many objects a measure that compares each with all others asks all of them."""


class Estimate(float):
    """A number with its standard error. It is a float, and is used as one.

    Parameters
    ----------
    value : float
        The number.
    error : float
        Its standard error; 0 if nothing was drawn at random.
    asked : int
        The number of objects or triplets that were drawn.
    among : int
        The number of all of them.

    Attributes
    ----------
    error, asked, among
        The parameters.

    Examples
    --------
    >>> Estimate(0.9213, 0.0021, 2000, 70000)
    0.9213 +- 0.0021 (2000 of 70000)
    >>> Estimate(0.5, 0.0, 60, 60)
    0.5
    """

    __slots__ = ("among", "asked", "error")

    error: float
    asked: int
    among: int

    def __new__(cls, value: float, error: float, asked: int, among: int) -> Estimate:
        self = super().__new__(cls, value)
        self.error, self.asked, self.among = float(error), int(asked), int(among)
        return self

    def __getnewargs__(self) -> Any:
        return float(self), self.error, self.asked, self.among

    def __repr__(self) -> str:
        if self.error == 0.0:
            return float.__repr__(self)
        digits = max(0, 1 - int(np.floor(np.log10(self.error))))
        return f"{float(self):.{digits}f} +- {self.error:.{digits}f} ({self.asked} of {self.among})"


def asked_objects(n_objects: int, sample: int, random_state: Any) -> Ints:
    """Return the objects that are asked, rising: all, or `sample` of them drawn at random where there are more."""
    sample = check_count("sample", sample, 2)
    rng = generator_of(random_state)
    if n_objects <= sample:
        return np.arange(n_objects)
    return np.sort(rng.choice(n_objects, sample, replace=False))


def mean_of(scores: Floats, n_objects: int) -> Estimate:
    """Return the mean score of the objects asked as an Estimate of the mean of all."""
    n, error = len(scores), 0.0
    if n < n_objects:  # the fewer are left out, the smaller the error
        error = float(np.std(scores, ddof=1)) * np.sqrt((1.0 - n / n_objects) / n)
    return Estimate(float(np.mean(scores)), error, n, n_objects)
