"""What a question asks for: a choice, a number, or a curve. One rule for notebooks, pages and phones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.numbers import show

__all__ = ["Answer", "Question", "digits"]

Answer = str | float | list[float]
MOST_TEXT, MOST_OPTIONS, MOST_PLACES = 2000, 32, 64


def digits(value: float) -> str:
    """Return a number in two digits, or in as many as a whole number has."""
    return f"{value:.0f}" if abs(value) >= 10 else f"{float(f'{value:.2g}'):g}"


@dataclass(frozen=True)
class Question:
    """A question; its fields are the traits of a `Prediction`, by which browsers know it as well."""

    question: str
    options: Sequence[str] = ()
    """What can be chosen; empty where a number or a curve is asked for."""
    bounds: Sequence[float] = ()
    """Least and greatest number, or value of the curve."""
    unit: str = ""
    places: Sequence[str] = ()
    """Where the curve is asked for; empty where it is not."""
    axis_names: Sequence[str] = field(default=("", ""))

    def __post_init__(self) -> None:
        for name in ("options", "bounds", "places", "axis_names"):
            object.__setattr__(self, name, list(getattr(self, name)))

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Question:
        """Return a question that a file holds; ValueError if it is none that could be asked."""
        try:
            asked = cls(**{name: told[name] for name in cls.__dataclass_fields__ if name in told})
            texts = [asked.question, asked.unit, *asked.options, *asked.places, *asked.axis_names]
            bounds = [float(one) for one in asked.bounds]
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"a question must have a text and its answers, got {show(told)}") from None
        short = all(isinstance(text, str) and len(text) <= MOST_TEXT for text in texts)
        few = len(asked.options) <= MOST_OPTIONS and len(asked.places) <= MOST_PLACES
        asks = len(asked.options) >= 2 or (len(bounds) == 2 and -np.inf < bounds[0] < bounds[1] < np.inf)
        if not (short and few and asks and len(asked.axis_names) == 2 and len(asked.places) != 1):
            raise ValueError(f"a question must offer a choice, a number or a curve, got {show(told)}")
        return asked

    def told(self) -> dict[str, Any]:
        """Return the fields as a message or a file holds them."""
        return asdict(self)

    def check(self, name: str, value: Any) -> Answer:
        """Return an answer in the form in which it is kept; ValueError or TypeError, with its name, if it is none."""
        if self.options:
            if value not in self.options:
                raise ValueError(f"{name} must be one of {', '.join(map(repr, self.options))}, not {show(value)}")
            return str(value)
        if not self.places:
            return float(check_number(name, value, -np.inf))
        if not isinstance(value, list | tuple | np.ndarray) or len(value) != len(self.places):
            n, got = len(self.places), len(value) if isinstance(value, list | tuple | np.ndarray) else show(value)
            raise ValueError(f"{name} must hold {n} numbers, one for each of {self.places}, not {got}")
        return [float(check_number(f"{name}[{k}]", one, -np.inf)) for k, one in enumerate(value)]

    def vote(self, value: Any) -> Answer:
        """Return an answer that came over a network, within the bounds; ValueError or TypeError if it is none."""
        answer = self.check("value", value)
        if isinstance(answer, str):
            return answer
        low, high = self.bounds
        inside = np.clip(answer, low, high)
        return inside.tolist() if isinstance(answer, list) else float(inside)

    def words(self, value: Answer | None) -> str:
        """Return an answer in words: a number in two digits, a curve as the number at each place."""
        if value is None:
            return "no prediction"
        if isinstance(value, list):
            said = ", ".join(f"{place}: {digits(one)}" for place, one in zip(self.places, value, strict=True))
            return f"{self.axis_names[0]} {said}".strip()
        if isinstance(value, str):
            return value
        return f"{digits(value)}{' ' if self.unit and self.unit != '%' else ''}{self.unit}"
