"""The tasks, a module a lecture; each has `short` and `long`, which make the data and the parts of one student."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.course.checks_of_tasks import array, called, differences, equal, number, slope
from notebook_sne.datasets.digits import load_digits
from notebook_sne.engine.checks.arrays import Array, Floats

__all__ = ["Part", "Posed", "Rules", "Slips", "digits", "gradient", "returned", "values"]

Slips = Iterable[tuple[Any, str]]
"""What typical mistakes make, each with words for it."""
Rules = Iterable[Callable[[str, Any], None]]
"""What must hold of a part before it is compared, such as that all entries sum to 1."""


class Part(NamedTuple):
    """A part of a task: its points, what it is to be, and what looks at it."""

    points: int
    asked: str
    look: Callable[[str, Any, dict[str, Any]], None]
    """Takes the part's name, the part and all parts given with it, and raises `Wrong`."""


def values(
    points: int, asked: str, right: Any, slips: Slips = (), *, rules: Rules = (), least: float = -np.inf,
    within: float = 1e-6,
) -> Part:  # fmt: skip
    """Return a part that is a number, or an array of the shape of the right one."""

    def look(name: str, value: Any, given: dict[str, Any]) -> None:
        got = number(name, value) if np.ndim(right) == 0 else array(name, value, np.shape(right), least=least)
        for rule in rules:
            rule(name, got)
        equal(name, got, right, within=within, slips=slips)

    return Part(points, asked, look)


def returned(
    points: int, asked: str, arguments: Sequence[Any], right: Any, slips: Slips = (), *, rules: Rules = (),
    again: Iterable[tuple[Sequence[Any], Any]] = (),
) -> Part:  # fmt: skip
    """Return a part that is a function, which returns what is right for the arguments, and for others `again`."""

    def look(name: str, value: Any, given: dict[str, Any]) -> None:
        got = called(name, value, arguments, np.shape(right) or None)
        for rule in rules:
            rule(f"what {name} returns", got)
        equal(f"what {name} returns", got, right, slips=slips)
        for others, there in again:
            equal(f"what {name} returns", called(name, value, others, np.shape(there) or None), there)

    return Part(points, asked, look)


def gradient(
    points: int, asked: str, cost: Callable[..., float], Y: Floats, fixed: Sequence[Any], *after: Sequence[Any],
    slips: Slips = (),
) -> Part:  # fmt: skip
    """Return a part that is the gradient of the student's own cost by Y, and of the right cost; at each `after`."""

    def look(name: str, value: Any, given: dict[str, Any]) -> None:
        for last in after or [()]:
            G = slope(name, value, given, Y, fixed=fixed, after=last)
            equal(f"what {name} returns", G, differences(cost, Y, fixed, last), within=1e-5, near=1e-8, slips=slips)

    return Part(points, asked, look)


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
