"""Tasks of the course: the data of one student, and checks of what the student made of them."""

import hashlib
from html import escape
from types import SimpleNamespace
from typing import Any

import numpy as np

from notebook_sne.course.checks_of_tasks import Wrong
from notebook_sne.course.tasks import (
    Posed,
    averages,
    crowding,
    crowds,
    divergences,
    mixtures,
    perplexity,
    pulls,
    readings,
    senses,
    springs,
    suspects,
    tables,
    tails,
)  # fmt: skip
from notebook_sne.course.verdicts import Verdict
from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.checks.numbers import show

__all__ = ["LECTURES", "Task", "seed_of", "task"]

LECTURES = {
    2: perplexity, 3: springs, 4: divergences, 5: averages, 6: crowding, 7: tails, 8: readings,
    9: suspects, 10: pulls, 11: crowds, 13: tables, 15: mixtures, 16: senses,
}  # fmt: skip
"""The module of each lecture that has tasks."""

KINDS = ("short", "long")


def task(lecture: int, kind: str, *, number: int | str) -> "Task":
    """Return a task of a lecture, with the data of one student.

    Parameters
    ----------
    lecture : int
        Number of the lecture: 2 to 11, 13, 15 or 16.
    kind : {"short", "long"}
        A task of 10 to 15 minutes, or one of 60 to 90.
    number : int or str
        The student's number, such as that of matriculation. The same number always gives the same data, and two
        numbers give different ones. A text is taken as it is: "0815" and 815 are two students.

    Returns
    -------
    task : Task
        Its `data` are made by a formula or bundled; nothing is fetched.

    Raises
    ------
    ValueError, TypeError
        If there is no such task, or the number is neither a whole number nor a text.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> task = ns.course.task(2, "short", number=4711)
    >>> task.data.d.shape
    (59,)
    >>> task.check(p=[0.5, 0.5])
    Not yet, 0 of 3 points: p must have the shape (59,), got (2,)
    """
    if isinstance(lecture, bool) or not isinstance(lecture, int | np.integer) or lecture not in LECTURES:
        raise ValueError(f"lecture must be one of {', '.join(map(str, LECTURES))}, got {show(lecture)}")
    check_choice("kind", kind, KINDS)
    seed = seed_of(f"{lecture} {kind}", number)
    posed: Posed = getattr(LECTURES[int(lecture)], kind)(np.random.default_rng(seed))
    return Task(int(lecture), kind, seed % 2**32, posed)


def seed_of(subject: str, number: int | str) -> int:
    """Return a seed from what it is for and a student's number.

    By a cryptographic sum: the seeds of two students who sit side by side have nothing in common.
    """
    if isinstance(number, bool) or not isinstance(number, int | str | np.integer):
        raise TypeError(f"number must be a whole number or a text, got {show(number)}; give your student's number")
    text = str(number).strip()
    if not text:
        raise ValueError("number must not be empty; give your student's number")
    return int.from_bytes(hashlib.sha256(f"{subject} {text}".encode()).digest()[:16], "big")


class Task:
    """A task with the data of one student. Made by `task`.

    Attributes
    ----------
    lecture : int
        Number of the lecture.
    kind : {"short", "long"}
        How much work it is.
    title : str
        What it is about.
    data : SimpleNamespace
        What is given, as read-only arrays and numbers: ``task.data.X``.
    seed : int
        For random numbers of the student's own: ``numpy.random.default_rng(task.seed)``.
    asked : dict of str to str
        What each part is to be, by the name under which `check` takes it.
    points : dict of str to int
        Points of each part.
    """

    def __init__(self, lecture: int, kind: str, seed: int, posed: Posed) -> None:
        self.lecture, self.kind, self.seed, self.title = lecture, kind, seed, posed.title
        for value in posed.data.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)  # what is checked later is what the student had
        self.data = SimpleNamespace(**posed.data)
        self.asked = {name: part.asked for name, part in posed.parts.items()}
        self.points = {name: part.points for name, part in posed.parts.items()}
        self._parts = posed.parts

    def check(self, **parts: Any) -> Verdict:
        """Say whether parts of the task are right, or the first thing that is wrong.

        Parameters
        ----------
        **parts : object
            Arrays, numbers or functions by the names in `asked`; as many of them as there are by now. A function is
            called with data of the task. A gradient is compared with its cost, which is to be given beside it.

        Returns
        -------
        verdict : Verdict
            Each part counts by itself; what is said is about the first one that is wrong.

        Raises
        ------
        TypeError
            If no part is given, or one that the task doesn't ask for.
        """
        unknown = [name for name in parts if name not in self._parts]
        if unknown or not parts:
            got = ", ".join(unknown) or "nothing"
            raise TypeError(f"check takes {', '.join(self._parts)} by name, got {got}")
        wrong, points = [], 0
        chosen = {name: part for name, part in self._parts.items() if name in parts}
        for name, part in chosen.items():
            try:
                part.look(name, parts[name], parts)
                points += part.points
            except Wrong as error:
                wrong.append(str(error))
        possible = sum(part.points for part in chosen.values())
        left = [name for name in self._parts if name not in parts]
        said = ", ".join(chosen) + (" is right" if len(chosen) == 1 else " are right")
        said += f"; {', '.join(left)} remain" + ("s" if len(left) == 1 else "") if left else ""
        return Verdict(not wrong, points, possible, wrong[0] if wrong else said)

    def _rows(self) -> list[tuple[str, str]]:
        given = [f"data.{name} {_size(value)}" for name, value in vars(self.data).items()]
        worth = {name: f"{n} point{'s' if n > 1 else ''}" for name, n in self.points.items()}
        rows = [(f"{name} ({worth[name]})", asked) for name, asked in self.asked.items()]
        return [("given", ", ".join(given)), *rows]

    def __repr__(self) -> str:
        lines = [f"  {name}: {words}" for name, words in self._rows()]
        return "\n".join([f"Lecture {self.lecture}, {self.kind} task: {self.title}", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="text-align:left">{escape(name)}</td><td style="text-align:left">{escape(words)}</td></tr>'
            for name, words in self._rows()
        )
        return f"<p><b>{escape(self.title)}</b></p><table>{rows}</table>"


def _size(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.shape}"
    text = f"= {value:g}" if isinstance(value, float) else f"= {value!r}"
    return text if len(text) < 60 else f"({type(value).__name__} of {len(value)})"
