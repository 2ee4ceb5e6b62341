"""Predictions: a reader says what will come, and the cell that finds out shows both.

Who has said what will happen sees more of what does. Nothing leaves the notebook: what is said is a trait of a widget,
and `predictions` lists what this kernel has heard.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import traitlets

from notebook_sne.checks.arguments import check_number
from notebook_sne.checks.numbers import show
from notebook_sne.frontend.bundle import PREDICTION_MODULES, PREDICTION_STYLES
from notebook_sne.widgets.shared import View

__all__ = ["Outcome", "Outcomes", "Prediction", "predict", "predictions"]

NOTHING = "no prediction"
_asked: dict[str, Prediction] = {}  # of this kernel, by their questions: a cell that is run again asks anew


class Prediction(View):
    """A question, and what a reader predicts. Made by `predict`.

    Attributes
    ----------
    value : str, float, list of float or None
        What the reader has chosen or drawn; None before. It can be set.
    truth : str, float, list of float or None
        What has come, once `reveal` was called.
    """

    _modules, _styles = PREDICTION_MODULES, PREDICTION_STYLES

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget in the browser. Python to browser, fixed."""

    question = traitlets.Unicode().tag(sync=True)
    """What is asked. Python to browser, fixed."""

    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """What can be chosen; empty where a number or a curve is asked for. Python to browser, fixed."""

    bounds = traitlets.List(traitlets.Float()).tag(sync=True)
    """Least and greatest number, or value of the curve. Python to browser, fixed."""

    unit = traitlets.Unicode().tag(sync=True)
    """What stands behind a number. Python to browser, fixed."""

    places = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Where the curve is asked for, as text; empty where it is not. Python to browser, fixed."""

    axis_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """What is to the right and what is up in the drawing. Python to browser, fixed."""

    value = traitlets.Any(None, allow_none=True).tag(sync=True)
    truth = traitlets.Any(None, allow_none=True).tag(sync=True)

    @traitlets.validate("value", "truth")
    def _valid(self, proposal):
        return None if proposal["value"] is None else self._checked(proposal["trait"].name, proposal["value"])

    def _checked(self, name, value):
        if self.options:
            if value not in self.options:
                raise ValueError(f"{name} must be one of {', '.join(map(repr, self.options))}, not {show(value)}")
            return value
        if not self.places:
            return float(check_number(name, value, -np.inf))
        curve = [float(check_number(f"{name}[{k}]", one, -np.inf)) for k, one in enumerate(value)]
        if len(curve) != len(self.places):
            n = len(self.places)
            raise ValueError(f"{name} must hold {n} numbers, one for each of {self.places}, not {len(curve)}")
        return curve

    def reveal(self, truth: Any) -> Outcome:
        """Say what has come, and return it beside what was predicted, to be the last line of a cell.

        Parameters
        ----------
        truth : str, float or sequence of float
            One of the options; a number; or a number for each place of the curve.

        Raises
        ------
        ValueError, TypeError
            If it is not of the kind that was asked for.
        """
        self.truth = truth.tolist() if isinstance(truth, np.ndarray | np.generic) else truth
        return Outcome(self)

    def _words(self, value: Any) -> str:
        """Return an answer in words, a curve as its numbers."""
        if value is None:
            return NOTHING
        if isinstance(value, list):
            return ", ".join(f"{one:.3g}" for one in value)
        return value if self.options else f"{value:.4g}{self.unit and ' '}{self.unit}"

    def _still_facts(self):
        return self.value, self.truth

    def _still_html(self):
        asked = f"<p><b>{escape(self.question)}</b></p>"
        if self.options:
            asked += f"<ul>{''.join(f'<li>{escape(option)}</li>' for option in self.options)}</ul>"
        said = "" if self.value is None else f"<p>Predicted: {escape(self._words(self.value))}</p>"
        return asked + said

    def _still_text(self):
        return f"Prediction: {self.question} {self._words(self.value)}"


class Outcome:
    """What was predicted, beside what has come; a notebook shows it."""

    def __init__(self, prediction: Prediction) -> None:
        self._prediction = prediction

    def __repr__(self) -> str:
        return f"predicted: {self.predicted}; found: {self.found}{self.verdict and f' ({self.verdict})'}"

    def _repr_html_(self) -> str:
        said, found = f"You predicted <b>{escape(self.predicted)}</b>", f"it is <b>{escape(self.found)}</b>"
        if self._prediction.value is None:
            said = "You predicted nothing"
        return f"<p>{'; '.join(part for part in (said, found, escape(self.verdict)) if part)}.</p>"

    @property
    def predicted(self) -> str:
        """What was predicted, in words."""
        return self._prediction._words(self._prediction.value)

    @property
    def found(self) -> str:
        """What has come, in words."""
        return "not yet known" if self._prediction.truth is None else self._prediction._words(self._prediction.truth)

    @property
    def verdict(self) -> str:
        """How far they are from one another; empty where that cannot be said."""
        asked, said, truth = self._prediction, self._prediction.value, self._prediction.truth
        if said is None or truth is None:
            return ""
        if asked.options:
            return "as predicted" if said == truth else "otherwise than predicted"
        if asked.places:
            return f"{np.abs(np.subtract(said, truth)).mean():.2g} apart, in the mean"
        return f"{abs(said - truth):.3g}{asked.unit and ' '}{asked.unit} apart"


class Outcomes:
    """All predictions of this kernel beside what has come; a notebook shows them as a table."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self.outcomes = list(outcomes)

    def __repr__(self) -> str:
        return "\n".join(f"{one._prediction.question} {one}" for one in self.outcomes) or "nothing was asked yet"

    def _repr_html_(self) -> str:
        if not self.outcomes:
            return "<p>Nothing was asked yet.</p>"
        left = "style='text-align: left'"
        head = "".join(f"<th {left}>{name}</th>" for name in ("question", "you predicted", "it is", ""))
        rows = ((one._prediction.question, one.predicted, one.found, one.verdict) for one in self.outcomes)
        body = "".join(f"<tr>{''.join(f'<td {left}>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def predict(
    question: str,
    options: Sequence[str] | None = None,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    at: Sequence[Any] | None = None,
    axes: tuple[str, str] = ("", ""),
) -> Prediction:
    """Ask a reader for a prediction: a choice, a number, or a curve that is drawn.

    The answer stays in the notebook. `Prediction.reveal` shows it beside what a later cell has found, and `predictions`
    all of them.

    Parameters
    ----------
    question : str
        What is asked; the same question asked again takes the place of the earlier one.
    options : sequence of str, optional
        At least two, of which one is chosen.
    low, high : float, optional
        The least and the greatest number that can be said, or value of the curve. Needed without options.
    unit : str, default=""
        What stands behind a number, such as ``"%"``.
    at : sequence, optional
        Where the curve is asked for, at least two places, such as perplexities; then a curve is drawn.
    axes : tuple of two str, default=("", "")
        What is to the right, and what is up, in the drawing.

    Returns
    -------
    prediction : Prediction
        A widget; shown if it is the last line of a cell.

    Raises
    ------
    ValueError, TypeError
        If it is not clear what is asked for.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> guess = ns.predict("How many digits lie beside another digit?", low=0, high=100, unit="%")   # doctest: +SKIP
    >>> guess.reveal(6.4)                                                                            # doctest: +SKIP
    """
    if not isinstance(question, str) or not question.strip():
        raise ValueError(f"question must be a text that asks something, not {show(question)}")
    parts: dict[str, Any] = {"question": question, "unit": unit, "axis_names": list(axes)}
    if options is not None:
        if at is not None or low is not None or high is not None:
            raise ValueError("options leave nothing to draw or to count: leave out low, high and at")
        parts["options"] = [str(option) for option in options]
        if len(set(parts["options"])) != len(parts["options"]) or len(parts["options"]) < 2:
            raise ValueError(f"options must be at least two texts, each once, not {show(options)}")
    else:
        if low is None or high is None:
            raise ValueError("say what can be predicted: options to choose from, or the numbers low and high")
        parts["bounds"] = [float(check_number(name, one, -np.inf)) for name, one in (("low", low), ("high", high))]
        if not parts["bounds"][0] < parts["bounds"][1]:
            raise ValueError(f"low must be less than high, not {low} and {high}")
        parts["places"] = [] if at is None else [str(place) for place in at]
        if at is not None and len(parts["places"]) < 2:
            raise ValueError(f"at must hold at least two places of the curve, not {show(at)}")
    _asked.pop(question, None)
    _asked[question] = Prediction(key=uuid.uuid4().hex, **parts)
    return _asked[question]


def predictions() -> Outcomes:
    """Return all predictions that this kernel has asked for, beside what has come.

    As the last line of a lecture it shows the reader's table.

    Returns
    -------
    outcomes : Outcomes
        In the order in which they were asked.
    """
    return Outcomes([Outcome(asked) for asked in _asked.values()])
