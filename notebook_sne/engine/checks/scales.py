"""One perplexity or several: the scales whose probabilities a P averages, as they are given and as they are turned.

A run has one knob for them, the largest. Turned, it takes the others along: those of a list by the same factor, and of
"multiscale" there are the powers of 2 up to it.
"""

import math
from typing import Any, Literal

import numpy as np

from notebook_sne.engine.checks.arguments import check_number, check_perplexity
from notebook_sne.engine.checks.numbers import WrongTypeError, show
from notebook_sne.engine.checks.ranges import PERPLEXITY

__all__ = ["AUTO", "MULTISCALE", "Given", "Scales", "are_scales", "check_scales", "given_scales", "largest_of"]
__all__ += ["least_knob", "least_of", "scales_at"]

AUTO = "auto"  # one number, which follows from the data
MULTISCALE: Literal["multiscale"] = "multiscale"
_FIRST = 2  # of the powers of 2: a perplexity of 1 is that of an object with one neighbor

Scales = float | tuple[float, ...]
"""One perplexity, or several in rising order."""
Given = tuple[float, ...] | Literal["multiscale"] | None
"""Several perplexities, or all powers of 2, as a model was given them; None for a number or a schedule."""


def given_scales(perplexity: Any) -> Given:
    """Return several perplexities, checked but for the number of objects, as a rising tuple, or "multiscale".

    None for all else: a number, a schedule, "auto", or what is none of these, which other checks refuse.
    """
    if isinstance(perplexity, str):
        if perplexity not in (AUTO, MULTISCALE):
            raise WrongTypeError(
                f"perplexity must be a number, a list of numbers, {AUTO!r} or {MULTISCALE!r}, got {show(perplexity)}; "
                f"{MULTISCALE!r} averages over 2, 4, 8 and so on"
            )
        return MULTISCALE if perplexity == MULTISCALE else None
    is_array = isinstance(perplexity, np.ndarray) and perplexity.ndim > 0
    if not is_array and not isinstance(perplexity, list | tuple):
        if hasattr(perplexity, "__iter__") and not callable(perplexity) and not isinstance(perplexity, np.ndarray):
            raise WrongTypeError(
                f"perplexity must be a number, or several as a list, got {show(perplexity)}; write list(...) around it"
            )
        return None
    if is_array and perplexity.ndim != 1:
        raise ValueError(f"perplexity must be a flat list of numbers, got one of shape {perplexity.shape}")
    if not len(perplexity):
        raise ValueError(
            f"perplexity must hold at least one number, got {show(perplexity)}; give [10, 100], or {MULTISCALE!r}"
        )
    if any(callable(one) for one in perplexity):
        raise WrongTypeError(
            f"perplexity must hold numbers, got {show(perplexity)}; only one perplexity can be a schedule, and of "
            "several the knob perplexity, the largest, can be turned while a model runs"
        )
    found = [
        check_number(f"perplexity[{k}]", one, PERPLEXITY.low, closed=PERPLEXITY.closed)
        for k, one in enumerate(perplexity)
    ]
    for k, one in enumerate(found):
        if one in found[:k]:
            raise ValueError(
                f"perplexity must hold different numbers, got {one:g} twice; each scale counts once: leave one out"
            )
    return tuple(sorted(found))


def check_scales(perplexity: Any, n_objects: int, n_neighbors: int | None = None) -> Scales:
    """Return the perplexities of a P of so many objects, each in its range.

    `n_neighbors` is how many neighbors of each object are considered, if not all: of "multiscale", the powers of 2 up
    to a third of them then remain, as a Gaussian has weight on some three times its perplexity.
    """
    given = given_scales(perplexity)
    if given is None:
        return check_perplexity(perplexity, n_objects)
    if given == MULTISCALE:
        return powers_of_two(n_objects, n_neighbors)
    check_perplexity(given[-1], n_objects)
    return given if len(given) > 1 else given[0]


def powers_of_two(n_objects: int, n_neighbors: int | None = None) -> tuple[float, ...]:
    """Return 2, 4, 8, ... up to N / 2, and up to a third of the neighbors that are considered, if not all are."""
    most = min(n_objects / 2, n_objects - 1.5, math.inf if n_neighbors is None else n_neighbors / 3)
    if most < _FIRST:
        raise ValueError(
            f"perplexity={MULTISCALE!r} begins at {_FIRST}, and must have {2 * _FIRST} objects"
            + ("" if n_neighbors is None else f" and {3 * _FIRST} neighbors of each")
            + f" or more, got {n_objects} objects"
            + ("" if n_neighbors is None else f" and {n_neighbors} neighbors")
            + "; give more of them, or a number as the perplexity"
        )
    return _powers_up_to(most)


def _powers_up_to(most: float) -> tuple[float, ...]:
    return tuple(2.0**k for k in range(1, math.floor(math.log2(most)) + 1))


def scales_at(given: Given, largest: Any) -> Any:
    """Return the perplexities where the knob, which is the largest of them, stands; `largest` where there is one."""
    if given is None or largest is None:
        return largest
    if given == MULTISCALE:
        if largest < _FIRST:
            raise ValueError(
                f"perplexity must be {_FIRST} or more while it is {MULTISCALE!r}, whose least scale is {_FIRST}, got "
                f"{largest:g}; raise it"
            )
        return _powers_up_to(largest)
    if largest == given[-1]:
        return given if len(given) > 1 else given[0]
    factor = largest / given[-1]
    if largest <= (least := least_knob(given)[0]):
        raise ValueError(
            f"perplexity must be above {least:g} while there are {len(given)} of them, {show(list(given))}, "
            f"which keep their ratios, so that the least stays above {PERPLEXITY.low:g}, got {largest:g}; raise it"
        )
    return tuple(factor * one for one in given) if len(given) > 1 else largest


def are_scales(value: Any) -> bool:
    """Tell whether a value, as from a file, is several perplexities as `given_scales` returns them."""
    if not isinstance(value, str | tuple):
        return False
    try:
        return given_scales(value) == value
    except (TypeError, ValueError):
        return False


def least_knob(given: tuple[float, ...] | Literal["multiscale"]) -> tuple[float, bool]:
    """Return the least value of the knob, which is the largest of several perplexities, and whether it can have it."""
    return (_FIRST, True) if given == MULTISCALE else (PERPLEXITY.low * given[-1] / given[0], False)


def largest_of(scales: Any) -> Any:
    """Return the largest of several perplexities; one is its own."""
    return scales[-1] if isinstance(scales, tuple) else scales


def least_of(scales: Any) -> Any:
    """Return the least of several perplexities; one is its own."""
    return scales[0] if isinstance(scales, tuple) else scales
