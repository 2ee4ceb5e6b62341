"""What a check looks at, and the words for the first thing that is wrong.

Each function takes what a student gave and returns it, or raises `Wrong` with one sentence. A sentence says which rule
is broken and never what the right value is. Functions of a student are called, on copies; no text is ever run.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import show

__all__ = ["Wrong", "array", "call", "called", "differences", "equal", "fill", "function"]
__all__ += ["needs", "number", "row_sums", "slope", "symmetric", "whole_sum", "zero_diagonal"]

STEP = 1e-5  # of central differences: their error is near 1e-10 and that of rounding near 1e-11 for costs of some nats


class Wrong(Exception):
    """The first thing that is wrong with an answer, in a sentence."""


def fill(name: str, value: Any) -> Any:
    """Return a value, unless it still has to be filled in."""
    if value is None or value is Ellipsis or value is NotImplemented:
        raise Wrong(f"{name} is still to be filled in")
    return value


def needs(name: str, given: dict[str, Any], other: str) -> Any:
    """Return the part that another one is looked at with."""
    if other not in given:
        raise Wrong(f"{name} needs {other} beside it: check({other}={other}, {name}={name})")
    return given[other]


def function(name: str, value: Any) -> Callable[..., Any]:
    """Return a function as it is."""
    if not callable(fill(name, value)):
        raise Wrong(f"{name} must be a function, got {show(value)}; give the function itself and not what it returns")
    return value


def call(name: str, value: Any, *arguments: Any) -> Any:
    """Return what a function returns for copies of the arguments."""
    made = function(name, value)
    copies = [np.array(one) if isinstance(one, np.ndarray) else one for one in arguments]
    try:
        # What is not finite is said below, in the words of the task; a grading cell that warns would count as failed.
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = made(*copies)
    except Exception as error:
        raise Wrong(f"{name} raised {type(error).__name__}: {error}; call it yourself to see in which line") from None
    for one, copy in zip(arguments, copies, strict=True):
        if isinstance(one, np.ndarray) and not np.array_equal(one, copy, equal_nan=True):
            raise Wrong(f"{name} changed the array that it was given; let it work on a copy")
    if result is None:
        raise Wrong(f"{name} returned None; is its last line a return?")
    return result


def _numbers(name: str, value: Any, what: str) -> Floats:
    if callable(fill(name, value)):
        raise Wrong(f"{name} must be {what}, got a function; give what it returns")
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong(f"{name} must be {what}, got {show(value)}") from None


def array(name: str, value: Any, shape: Sequence[int], *, least: float = -np.inf) -> Floats:
    """Return a finite array of a shape."""
    A = _numbers(name, value, "an array of numbers")
    if A.shape != tuple(shape):
        raise Wrong(f"{name} must have the shape {tuple(shape)}, got {A.shape}")
    bad = ~np.isfinite(A)
    if bad.any():
        raise Wrong(f"{name} must be finite, but {_places(bad)}")
    if (A < least).any():
        raise Wrong(f"{name} must not be below {least:g}, but {_places(A < least)}")
    return A


def number(name: str, value: Any, *, finite: bool = True) -> float:
    """Return a number; it may be infinite where this is asked for."""
    A = _numbers(name, value, "a number")
    if A.size != 1:
        raise Wrong(f"{name} must be one number, got an array of the shape {A.shape}")
    if np.isnan(A).any() or (finite and np.isinf(A).any()):
        raise Wrong(f"{name} must be {'finite' if finite else 'a number'}, got {A.item()}; which term is 0 * log 0, "
                    "0 / 0 or an overflow?")  # fmt: skip
    return float(A.item())


def called(name: str, value: Any, arguments: Sequence[Any], shape: Sequence[int] | None = None) -> Any:
    """Return what a function returns, as an array of a shape or, without one, as a number."""
    result = call(name, value, *arguments)
    return number(f"what {name} returns", result) if shape is None else array(f"what {name} returns", result, shape)


def row_sums(name: str, P: Floats) -> None:
    """See that each row sums to 1."""
    sums = P.sum(axis=1)
    if np.allclose(sums, 1.0, rtol=0, atol=1e-6):
        return
    i = int(np.argmax(np.abs(sums - 1)))
    also = "; all entries together do" if abs(P.sum() - 1) < 1e-6 else ""
    raise Wrong(f"each row of {name} must sum to 1, but row {i} sums to {sums[i]:.4g}{also}")


def whole_sum(name: str, P: Floats) -> None:
    """See that all entries together sum to 1."""
    if abs(P.sum() - 1) > 1e-6:
        also = "; each of its rows does" if np.allclose(P.sum(axis=-1), 1, atol=1e-6) and P.ndim > 1 else ""
        raise Wrong(f"all entries of {name} together must sum to 1, but they sum to {P.sum():.4g}{also}")


def symmetric(name: str, P: Floats) -> None:
    """See that a matrix is symmetric."""
    apart = np.abs(P - P.T)
    if apart.max() > 1e-9 * np.abs(P).max():
        i, j = np.unravel_index(np.argmax(apart), P.shape)
        raise Wrong(f"{name} must be symmetric, but its entries ({i}, {j}) and ({j}, {i}) differ")


def zero_diagonal(name: str, P: Floats) -> None:
    """See that no object chooses itself."""
    if np.diag(P).any():
        raise Wrong(f"the diagonal of {name} must be 0, as no object chooses itself")


def equal(
    name: str, value: Any, right: Any, *, within: float = 1e-6, slips: Iterable[tuple[Any, str]] = (), near: float = 0.0
) -> None:
    """See that a value is right, within a share of its largest entry.

    `slips` are what typical mistakes make, each with words for it. `near` is a difference that is always allowed.
    """
    A, B = np.asarray(value, dtype=float), np.asarray(right, dtype=float)

    def same(other: Any) -> bool:
        C = np.asarray(other, dtype=float)
        if C.shape != A.shape or not np.isfinite(C).all():
            return bool(C.shape == A.shape and np.array_equal(A, C))
        return bool((np.abs(A - C) <= max(within * np.abs(C).max(), near)).all())

    if same(B):
        return
    for other, words in slips:
        if same(other):
            raise Wrong(f"{name} {words}")
    if A.size == 1:
        big, small = abs(A.item()) > abs(B.item()) * 10, abs(A.item()) < abs(B.item()) / 10
        how = "is far too large" if big else "is far too small" if small else "is not what your data give"
        raise Wrong(f"{name} {how}, got {A.item():.6g}")
    factor = float((A * B).sum() / max((B * B).sum(), 1e-300))
    if factor and np.abs(A - factor * B).max() <= 10 * within * np.abs(A).max():
        how = "points the other way" if abs(factor + 1) < 1e-3 else "is right but for a factor that all entries share"
        raise Wrong(f"{name} {how}")
    apart = np.abs(A - B)
    far = apart > max(within * np.abs(B).max(), near)
    at = np.unravel_index(int(np.argmax(apart)), apart.shape)
    raise Wrong(f"{name} is not what your data give in {far.sum()} of {far.size} entries, most of all at {_at(at)}")


def differences(cost: Callable[..., Any], Y: Floats, fixed: Sequence[Any] = (), after: Sequence[Any] = ()) -> Floats:
    """Return the central differences of a cost by each entry of Y; it is called with `fixed`, Y and `after`."""
    made = np.empty_like(Y)
    for at in np.ndindex(*Y.shape):
        step = np.zeros_like(Y)
        step[at] = STEP
        made[at] = (cost(*fixed, Y + step, *after) - cost(*fixed, Y - step, *after)) / (2 * STEP)
    return made


def slope(
    name: str, gradient: Any, given: dict[str, Any], Y: Floats, *, fixed: Sequence[Any] = (), after: Sequence[Any] = ()
) -> Floats:
    """Return a gradient that agrees with central differences of the student's own cost, which is `given` beside it.

    Both are called with `fixed`, Y and `after`.
    """
    cost = needs(name, given, "cost")
    G: Floats = called(name, gradient, [*fixed, Y, *after], Y.shape)
    steps = differences(lambda *parts: called("cost", cost, parts), Y, fixed, after)
    # Rounding leaves 1e-10 of a cost of some nats.
    equal(
        f"what {name} returns, beside central differences of your own cost,", G, steps, within=1e-5,
        near=1e-8, slips=[(2 * steps, "is twice as large as the slope"), (steps / 2, "is half the slope")],
    )  # fmt: skip
    return G


def _places(bad: Any) -> str:
    first = np.unravel_index(int(np.argmax(bad)), bad.shape)
    are = "entry is not" if bad.sum() == 1 else "entries are not"
    return f"{bad.sum()} of {bad.size} {are}, the first at {_at(first)}"


def _at(index: Sequence[Any]) -> str:
    return str(int(index[0])) if len(index) == 1 else str(tuple(int(one) for one in index))
