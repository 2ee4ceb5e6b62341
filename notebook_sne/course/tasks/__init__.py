"""The tasks, a module a lecture; each has `short` and `long`, which make the data and the parts of one student."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.datasets.digits import load_digits
from notebook_sne.engine.checks.arrays import Array, Floats

__all__ = ["Part", "Posed", "digits"]


class Part(NamedTuple):
    """A part of a task: its points, what it is to be, and what looks at it."""

    points: int
    asked: str
    look: Callable[[Any, dict[str, Any]], None]
    """Takes the part and all parts given with it, and raises `Wrong`."""


class Posed(NamedTuple):
    """A task for one student."""

    title: str
    data: dict[str, Any]
    parts: dict[str, Part]


def digits(generator: np.random.Generator, n: int, n_classes: int = 10) -> Floats:
    """Return n of the bundled digits, as many of each of some classes, shape (n, 64)."""
    whole = load_digits()
    X, labels = np.asarray(whole.X, dtype=float), np.asarray(whole.labels)
    if n_classes == 10:
        return X[generator.choice(len(X), n, replace=False)]
    chosen: list[Array] = []
    for c in generator.choice(10, n_classes, replace=False):
        chosen.append(generator.choice(np.flatnonzero(labels == c), n // n_classes, replace=False))
    return X[np.concatenate(chosen)]
