"""Schedules: how a knob changes by itself over time.

A schedule is a plain number, or a function of the number of updates made so far, counted from 0. The schedules below
know when they end, so that a fit knows when nothing changes any more.

Copies are moved on a schedule of their own. A round of moves stands in the place of an update; when it comes depends on
nothing but the number of updates since the schedules began, so that a run that goes on from any of its states meets the
same rounds. A round that moves nothing, or that the sums over all pairs don't confirm, is left out, and an ordinary
update is made.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from notebook_sne.engine.checks.numbers import WrongTypeError, is_finite, show

__all__ = ["Decay", "Schedule", "Share", "Shrinking", "Stages", "Steps", "is_round", "last_change", "last_round"]
__all__ += ["value_at"]

Schedule = Callable[[int], float]
"""The value of a knob as a function of the number of updates made so far."""

# A thousand words in 50 maps end 1 to 2 % higher where they wait until update 30; those that move at 10 stand higher,
# too, after 120 updates. After ten rounds little moves.
_FIRST, _EVERY = 20, 5


@dataclass(frozen=True)
class Steps:
    """A value that changes once: `before` for the first `at` updates, `after` from then on.

    Parameters
    ----------
    before, after : float
        The two values, in the unit of what is scheduled.
    at : int
        Number of updates after which it changes, 0 or more.

    Examples
    --------
    >>> momentum = Steps(0.5, 0.9, at=50)
    >>> momentum(49), momentum(50)
    (0.5, 0.9)
    """

    before: float
    after: float
    at: int

    def __post_init__(self) -> None:
        _check_number("before", self.before)
        _check_number("after", self.after)
        if isinstance(self.at, bool) or not isinstance(self.at, Integral) or self.at < 0:
            raise ValueError(f"at must be a whole number of updates, 0 or more, got {show(self.at)}")

    def __call__(self, t: int) -> float:
        return self.before if t < self.at else self.after

    @property
    def ends(self) -> int:
        """int: the first update from which on the value stays."""
        return self.at


@dataclass(frozen=True)
class Decay:
    """A value that decays, and is 0 after ten times `time` updates.

    .. math:: value(t) = start exp(-t / time)

    Parameters
    ----------
    start : float
        Its first value, in the unit of what is scheduled.
    time : float
        Number of updates in which it falls to 1 / e of itself, above 0.

    Examples
    --------
    >>> jitter = Decay(0.3, 86)
    >>> jitter(0), round(jitter(86), 2), jitter(860)
    (0.3, 0.11, 0.0)
    """

    start: float
    time: float

    def __post_init__(self) -> None:
        _check_number("start", self.start)
        _check_number("time", self.time)
        if self.time <= 0:
            raise ValueError(f"time must be above 0 updates, got {self.time}")

    def __call__(self, t: int) -> float:
        return self.start * math.exp(-t / self.time) if t < self.ends else 0.0

    @property
    def ends(self) -> int:
        """int: the first update from which on the value stays."""
        return math.ceil(10 * self.time)


@dataclass(frozen=True)
class Stages:
    """A value with several steps: each of `values` for `each` updates, and 0 from then on."""

    values: tuple[float, ...]
    each: int

    def __call__(self, t: int) -> float:
        stage = t // self.each
        return self.values[stage] if stage < len(self.values) else 0.0

    @property
    def ends(self) -> int:
        """int: the first update from which on the value stays."""
        return len(self.values) * self.each


@dataclass(frozen=True)
class Shrinking:
    """A value that goes from `first` to `last`, both above 0, by the same factor in each of `ends` updates.

    .. math:: value(t) = first (last / first)^{t / ends}
    """

    first: float
    last: float
    ends: int

    def __call__(self, t: int) -> float:
        return self.first * (self.last / self.first) ** (t / self.ends) if t < self.ends else self.last


@dataclass(frozen=True)
class Share:
    """A value divided by another one while that is above 1, such as a rate divided by the exaggeration.

    Both are numbers or schedules.
    """

    value: Any
    by: Any

    def __call__(self, t: int) -> float:
        return float(value_at(self.value, t) / max(1.0, value_at(self.by, t)))

    @property
    def ends(self) -> float:
        """float: the first update from which on the value stays."""
        return max(last_change(self.value), last_change(self.by))


def _check_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise WrongTypeError(f"{name} must be a number, got {show(value)}")
    if not is_finite(value):
        raise ValueError(f"{name} must be finite, got {show(value)}; a knob is held at a plain number")


def value_at(schedule: Any, t: float) -> Any:
    """Return the value of a schedule, or of a number, at update t, as it is."""
    return schedule(t) if callable(schedule) else schedule


def last_change(schedule: Any) -> float:
    """Return the first update from which on a schedule is constant; infinity for any other function."""
    if not callable(schedule):
        return 0
    return getattr(schedule, "ends", math.inf)


def is_round(t: int, rounds: int) -> bool:
    """Tell whether the update after t updates is one of so many rounds of moves."""
    return t >= _FIRST and (t - _FIRST) % _EVERY == 0 and (t - _FIRST) // _EVERY < rounds


def last_round(rounds: int) -> int:
    """Return the number of updates after which no round comes any more."""
    return _FIRST + (rounds - 1) * _EVERY + 1 if rounds else 0
