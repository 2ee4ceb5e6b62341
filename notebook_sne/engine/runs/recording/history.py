"""The history of a run: what is needed beside full states to compute any of its states again.

Three short lists: which knobs were held by hand and from when on; which model was at work from when on; and at which
iterations the run didn't follow from the one before, because something was moved or the model was switched. Each is
bounded. One number tells what it forgot, so that no guess is taken for the truth.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from notebook_sne.engine.fitting.state import NO_PINS, State

__all__ = ["MOST_ENTRIES", "NOTHING", "Chapter", "History", "is_plain", "parameters_of"]

NOTHING: Mapping[str, Any] = MappingProxyType({})

MOST_ENTRIES = 10_000
_LONGEST_TEXT, _MOST_NUMBERS = 200, 100


class Chapter(NamedTuple):
    """A stretch of a run under one model, up to the next chapter.

    Attributes
    ----------
    iteration : int
        Where it begins.
    model : str
        Class name of the model.
    parameters : mapping
        Those hyperparameters that are plain values: numbers, a few of them in a tuple, texts, None.
    estimator : object or None
        The model itself; a file doesn't hold it.
    """

    iteration: int
    model: str
    parameters: Mapping[str, Any]
    estimator: Any


def parameters_of(model: Any) -> Mapping[str, Any]:
    """Return the hyperparameters of an estimator that are plain values."""
    found = model.get_params(deep=False) if callable(getattr(model, "get_params", None)) else {}
    plain = {name: tuple(value) if type(value) is list else value for name, value in found.items() if is_plain(value)}
    return MappingProxyType(plain)


def is_plain(value: Any) -> bool:
    """Tell whether a hyperparameter is a plain value: a number, a text, None, or some numbers, as of perplexities."""
    if type(value) in (list, tuple):
        return len(value) <= _MOST_NUMBERS and all(type(one) in (int, float) for one in value)
    return value is None or type(value) in (bool, int, float) or (type(value) is str and len(value) <= _LONGEST_TEXT)


Turn = tuple[int, Mapping[str, float]]
Held = tuple[int, np.ndarray]
Entry = TypeVar("Entry", int, Turn, Held, Chapter)


class History:
    """The events of a run; not thread-safe by itself."""

    def __init__(
        self,
        turns: Iterable[Turn] = (),
        chapters: Iterable[Chapter] = (),
        breaks: Iterable[int] = (),
        known_from: int | None = None,
        pins: Iterable[Held] = (),
    ) -> None:
        self.turns: list[Turn] = list(turns)  # from this iteration on, these knobs were held at these values
        self.chapters: list[Chapter] = list(chapters)
        self.breaks: list[int] = list(breaks)  # of states that did not come from the one before by an update
        self.known_from = known_from  # before this iteration some of it is forgotten; None where nothing is
        self.pins: list[Held] = list(pins)  # from this iteration on, these were held: object and map, shape (K, 2)

    def turned_at(self, iteration: int) -> Mapping[str, float]:
        """Return what was held when the state of an iteration was made."""
        k = bisect_right(self.turns, iteration, key=lambda turn: turn[0])
        return self.turns[k - 1][1] if k else NOTHING

    def pins_at(self, iteration: int) -> np.ndarray:
        """Return object and map of each point that was held at an iteration, shape (K, 2)."""
        k = bisect_right(self.pins, iteration, key=lambda held: held[0])
        return self.pins[k - 1][1] if k else NO_PINS

    def hold(self, iteration: int, pins: np.ndarray) -> None:
        """Note which points are held from now on."""
        if self.pins and self.pins[-1][0] == iteration:
            self.pins.pop()
        self._append(self.pins, (iteration, pins))

    def chapter_at(self, iteration: int) -> Chapter | None:
        """Return the Chapter of an iteration, or None."""
        k = bisect_right(self.chapters, iteration, key=lambda chapter: chapter.iteration)
        return self.chapters[k - 1] if k else None

    def leads(self, start: int, end: int) -> bool:
        """Tell whether updates alone, with the pins that are kept, lead from iteration `start` to `end`."""
        if self.known_from is not None and start < self.known_from and start != end:
            return False
        return bisect_right(self.breaks, start) == bisect_right(self.breaks, end)

    def turn(self, iteration: int, held: Mapping[str, float]) -> None:
        """Note what is held from now on."""
        self._append(self.turns, (iteration, MappingProxyType(dict(held))))

    def work(self, state: State, model: Any) -> bool:
        """Note which model made a state. Return whether it is another one than before."""
        last = self.chapters[-1] if self.chapters else None
        if last is not None and state.model == last.model and (model is None or model is last.estimator):
            return False
        parameters = NOTHING if model is None else parameters_of(model)
        if last is not None and state.model == last.model and last.estimator is None:
            # The model was not known, as after loading: it may be this one.
            if not last.parameters or last.parameters == parameters:
                self.chapters[-1] = last._replace(parameters=parameters, estimator=model)
                return False
        if last is not None and last.iteration == state.iteration:
            self.chapters.pop()
        self._append(self.chapters, Chapter(state.iteration, state.model, parameters, model))
        return True

    def break_off(self, iteration: int) -> None:
        """Note that the state of this iteration didn't come by an update."""
        if not self.breaks or self.breaks[-1] != iteration:
            self._append(self.breaks, iteration)

    def truncate(self, iteration: int) -> None:
        """Forget what lies after an iteration."""
        self.turns = [turn for turn in self.turns if turn[0] <= iteration]
        self.pins = [held for held in self.pins if held[0] <= iteration]
        self.chapters = [chapter for chapter in self.chapters if chapter.iteration <= iteration]
        del self.breaks[bisect_right(self.breaks, iteration) :]

    def copy(self) -> "History":
        """Return a copy that stays as this one is now."""
        return History(self.turns, self.chapters, self.breaks, self.known_from, self.pins)

    def _append(self, entries: list[Entry], entry: Entry) -> None:
        entries.append(entry)
        if len(entries) > MOST_ENTRIES:
            del entries[: MOST_ENTRIES // 2]
            oldest = entries[0]
            first = oldest if isinstance(oldest, int) else oldest[0]
            self.known_from = max(first, self.known_from or 0)
