"""Predictions: a reader predicts what a later cell finds, and that cell shows both.

If you have said what will happen, you see more of what does. Nothing leaves the computer: a prediction is a trait of a
widget, `predictions` lists those of this kernel, and a file of the reader's keeps the answers of each notebook.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np
import traitlets

from notebook_sne.browser.frontend.bundle import PREDICTION_MODULES, PREDICTION_STYLES
from notebook_sne.browser.teaching.question import Question
from notebook_sne.browser.widgets import answered
from notebook_sne.browser.widgets.shared import View
from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.process import has_kernel

__all__ = ["Outcome", "Outcomes", "Prediction", "predict", "predictions"]


class Prediction(View):
    """A question, and what a reader predicts. Made by `predict`.

    Attributes
    ----------
    value : str, float, list of float or None
        What the reader has chosen or drawn; None before. It can be set.
    truth : str, float, list of float or None
        The outcome, once `reveal` was called.
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

    outlasts = traitlets.Bool(False).tag(sync=True)
    """Whether the answer is kept when the kernel ends. Python to browser."""

    forgotten = traitlets.Bool(False).tag(sync=True)
    """Whether a view of this question had all answers forgotten, and may take that back. Python to browser."""

    poll = traitlets.Dict().tag(sync=True)
    """What a class has said to it (`notebook_sne.browser.teaching`); empty without one. Python to browser."""

    @property
    def asked(self) -> Question:
        """What is asked for, apart from the widget."""
        return Question(**{name: getattr(self, name) for name in Question.__dataclass_fields__})

    @traitlets.validate("value", "truth")
    def _valid(self, proposal):
        value, name = proposal["value"], proposal["trait"].name
        return None if value is None else self.asked.check(name, value)

    @traitlets.observe("value")
    def _keep(self, change):
        if change["new"] is not None:
            self.forgotten = False
        if self.outlasts and (kept := answered.kept()) is not None:
            try:
                kept.keep(self.asked, change["new"])
            except OSError:  # a full disk, or a home that cannot be written: it lasts as long as the kernel
                self.outlasts = False

    def _take(self, _widget, content, _buffers):
        """Take a message of a view: the reader wants the answers forgotten, or back again."""
        if content.get("kind") == "forget":
            self.forgotten = True  # first: a view shows its button while there is a value, or one that is forgotten
            answered.forget()
        elif content.get("kind") == "recall" and self.forgotten:
            answered.recall()
            self.forgotten = False

    def reveal(self, truth: Any) -> Outcome:
        """Give the outcome, and show it beside the prediction: a notebook does so at once, wherever in a cell.

        Parameters
        ----------
        truth : str, float or sequence of float
            One of the options; a number; or a number for each place of the curve.

        Returns
        -------
        outcome : Outcome
            The same as a text, for a script.

        Raises
        ------
        ValueError, TypeError
            If it isn't of the kind that was asked for.
        """
        self.truth = truth.tolist() if isinstance(truth, np.ndarray | np.generic) else truth
        outcome = Outcome(self)
        if has_kernel():
            outcome._ipython_display_()
            outcome._shown = True
        return outcome

    def _still_facts(self):
        return self.value, self.truth

    def _still_html(self):
        asked = f"<p><b>{escape(self.question)}</b></p>"
        if self.options:
            asked += f"<ul>{''.join(f'<li>{escape(option)}</li>' for option in self.options)}</ul>"
        said = "" if self.value is None else f"<p>You said: {escape(self.asked.words(self.value))}</p>"
        return asked + said

    def _still_text(self):
        return f"Prediction: {self.question} {self.asked.words(self.value)}"


class Outcome:
    """A prediction beside its outcome. A notebook shows it where `Prediction.reveal` is called, and once."""

    def __init__(self, prediction: Prediction) -> None:
        self._prediction = prediction
        self._shown = False

    def __repr__(self) -> str:
        return f"{self._prediction.question} {self._sentence(str)}"

    def _repr_html_(self) -> str:
        question = escape(self._prediction.question)
        return f"<p><b>{question}</b><br>{self._sentence(escape)}</p>"

    def _ipython_display_(self) -> None:
        if self._shown:  # as the last line of the cell that revealed it
            self._shown = False
            return
        self._publish()

    def _publish(self) -> None:
        from IPython.display import publish_display_data

        publish_display_data({"text/html": self._repr_html_(), "text/plain": repr(self)})

    def _sentence(self, written: Callable[[str], str]) -> str:
        asked = self._prediction
        found = _closed(written(self.found))
        if asked.value is None:
            return f"No prediction. Found: {found}"
        return f"You said: {_closed(written(self.predicted))} Found: {found}"

    @property
    def predicted(self) -> str:
        """The prediction, in words."""
        return self._prediction.asked.words(self._prediction.value)

    @property
    def found(self) -> str:
        """The outcome, in words."""
        truth = self._prediction.truth
        return "not yet known" if truth is None else self._prediction.asked.words(truth)


def _closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


class Outcomes:
    """All predictions of this kernel beside the outcomes; a notebook shows them as a table."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self.outcomes = list(outcomes)

    def forget(self) -> None:
        """Forget all answers in this notebook, also to questions that this kernel hasn't asked."""
        answered.forget()

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.outcomes)) or "Nothing was asked yet."

    def _repr_html_(self) -> str:
        if not self.outcomes:
            return "<p>Nothing was asked yet.</p>"
        left = "style='text-align: left'"
        head = "".join(f"<th {left}>{name}</th>" for name in ("Question", "You said", "Found"))
        rows = ((one._prediction.question, one.predicted, one.found) for one in self.outcomes)
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

    The answer stays when the cell is run again and, in Jupyter, when the kernel restarts, until the reader forgets it
    by the button below it, or by ``predictions().forget()``. `Prediction.reveal` shows it beside what a later cell has
    found, and `predictions` shows all of them.

    Parameters
    ----------
    question : str
        What is asked; the same question asked again takes the place of the earlier one.
    options : sequence of str, optional
        At least two; one is chosen.
    low, high : float, optional
        The least and the greatest number, or value of the curve, that can be given. Needed without options.
    unit : str, default=""
        The text after a number, such as ``"%"``.
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
        If it isn't clear what is asked for.

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
    asked = answered.asked_here.pop(question, None)
    if asked is None or asked.comm is None or asked.asked != Question(**parts):
        asked = Prediction(key=uuid.uuid4().hex, **parts)
        asked.on_msg(asked._take)
        if (kept := answered.kept()) is not None:
            asked.value, asked.outlasts = kept.answer_to(asked.asked), True
    asked.truth = None  # what has come is shown again by `reveal`
    answered.asked_here[question] = asked
    return asked


def predictions() -> Outcomes:
    """Return all predictions that this kernel has asked for, beside the outcomes.

    As the last line of a lecture it shows the reader's table.

    Returns
    -------
    outcomes : Outcomes
        In the order in which they were asked.
    """
    return Outcomes([Outcome(asked) for asked in answered.asked_here.values()])
