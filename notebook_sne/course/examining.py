"""The reading exam: maps of made data in parallel forms, and what one may conclude from them.

A student's number and the form choose data, captions and statements. Which of them may be concluded is found out where
points are counted: in the practice form, and by `grading` in the teacher's copy.
"""

import hashlib
import json
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from notebook_sne.browser.frontend.bundle import join_styles
from notebook_sne.browser.widgets.prediction import Prediction, predict
from notebook_sne.course.made_maps import SETTINGS, Sight, drawn
from notebook_sne.course.posing import seed_of
from notebook_sne.course.statements import STATEMENTS, asked_under, may_be_concluded
from notebook_sne.course.verdicts import Verdict
from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine import files
from notebook_sne.views.static import svg

__all__ = ["FORMS", "PRACTICE", "Exam", "Question", "checksum", "exam", "read_answer"]

PRACTICE = "practice"
FORMS = ("A", "B", PRACTICE)
N_MAPS = 8
N_STATEMENTS = 3


def exam(number: int | str, form: str = "A", *, secret: str = "") -> "Exam":
    """Return a reading exam for one student: eight maps of made data, and three statements about the data of each.

    A statement says of the data what the map seems to say. It may be concluded if it is true of nearly all data whose
    map shows the same under the same caption: twelve sets of data are drawn, in which the truth varies, and mapped in
    the same way; the statement has to be true of eleven or more. Of a map, 0 to 3 statements may be concluded, and the
    same sentence under one caption and not under another.

    Parameters
    ----------
    number : int or str
        The student's number, as for `task`. Data, captions and statements depend on it.
    form : {"A", "B", "practice"}, default="A"
        Form A is for before the course and form B for after it. In the practice form, `Exam.check` counts points.
    secret : str, default=""
        A word of the teacher's, on which all depends, too. Without it nobody can see the questions before, or look
        into the data: hand out what `Exam.to_html` writes, and give `grade` the word. It hides no key, which follows
        from captions and sentences: where a grade depends on it, let students answer without the package.

    Returns
    -------
    exam : Exam
        Its maps are made when they are shown, in some seconds.

    Raises
    ------
    ValueError, TypeError
        If the number is neither a whole number nor a text, or there is no such form.

    See Also
    --------
    grade
        Count points, in the teacher's copy.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> exam = ns.course.exam(number=4711)
    >>> exam.check({"1a": (True, 0.8), "1b": False})
    2 of 24 answered; points are counted in the teacher's copy
    """
    check_choice("form", form, FORMS)
    return Exam(number, form, secret)


class Question:
    """One map and its statements. Made by `Exam`."""

    def __init__(self, number: int, setting: str, names: list[str], seed: list[int]) -> None:
        self.number, self.setting = number, setting
        self.names = {f"{number}{letter}": name for letter, name in zip("abc", names, strict=True)}
        self._seed = seed

    @cached_property
    def sights(self) -> tuple[Sight, Sight]:
        """What can be read off the data and off their map."""
        return drawn(self.setting, np.random.default_rng(self._seed))

    def statements(self) -> dict[str, str]:
        """Return what is said of the data, by the number under which it is answered.

        Returns
        -------
        statements : dict of str to str
            Such as ``{"1a": "Group B is the widest ..."}``.
        """
        return {key: STATEMENTS[name].says(self.sights[1]) for key, name in self.names.items()}

    def _repr_html_(self) -> str:
        map_ = self.sights[1]
        labels = map_.labels if (map_.labels != map_.labels[0]).any() else None
        said = "".join(f"<p><b>{key}</b> {escape(text)}</p>" for key, text in self.statements().items())
        caption = escape(SETTINGS[self.setting].caption)
        return f"<h4>Map {self.number}</h4><p>{caption}</p><div>{svg(map_.places, labels, size=300)}</div>{said}"

    def __repr__(self) -> str:
        said = "\n".join(f"  {key} {text}" for key, text in self.statements().items())
        return f"Map {self.number}: {SETTINGS[self.setting].caption}\n{said}"


class Exam:
    """A reading exam for one student. Made by `exam`; a notebook shows all of its maps.

    Attributes
    ----------
    number : str
        The student's number.
    form : {"A", "B", "practice"}
        The form.
    questions : list of Question
        The maps with their statements.
    """

    def __init__(self, number: int | str, form: str, secret: str) -> None:
        seed = seed_of(f"reading exam {form} {secret}", number)
        generator = np.random.default_rng(seed)
        self.number, self.form, self.questions = str(number).strip(), form, list[Question]()
        used: set[str] = set()
        for at, setting in enumerate(generator.permutation(sorted(SETTINGS))[:N_MAPS]):
            names = generator.permutation(asked_under(setting))
            new = sorted(names, key=lambda name: name in used)[:N_STATEMENTS]  # a statement comes twice if it must
            used |= set(new)
            self.questions.append(Question(at + 1, str(setting), [str(name) for name in new], [at, seed]))

    @cached_property
    def _names(self) -> list[str]:
        return [key for question in self.questions for key in question.names]

    def statements(self) -> dict[str, str]:
        """Return all statements by their numbers.

        Returns
        -------
        statements : dict of str to str
            Such as ``{"1a": "Group B is the widest ...", "1b": ...}``.
        """
        return {key: text for question in self.questions for key, text in question.statements().items()}

    def check(self, answers: dict[str, Any]) -> Verdict:
        """Say whether the answers are complete; of the practice form, how many are right, and not which.

        Parameters
        ----------
        answers : dict of str to bool, None, or a pair of bool and float
            By the number of each statement: True if one may conclude it from the map, False if not, None to leave it
            open; with a confidence from 0.5, a guess, to 1, certain: ``{"1a": (True, 0.8)}``. What isn't there is left
            open.

        Returns
        -------
        verdict : Verdict
            Of forms A and B without points: these are counted in the teacher's copy. In the practice form a right
            answer is a point and a wrong one takes one away; a minute passes at the first check, as data are drawn.

        Raises
        ------
        ValueError, TypeError
            If there is no such statement, or an answer is something else.
        """
        if not isinstance(answers, dict):
            raise TypeError(f"answers must be a dict such as {{'1a': True}}, got {show(answers)}")
        for key in answers:
            if key not in self._names:
                raise ValueError(f"answers has no statement {show(key)}; the statements are {', '.join(self._names)}")
        given, n = {key: read_answer(key, answer) for key, answer in answers.items()}, len(self._names)
        if self.form != PRACTICE:
            there = sum(one is not None for one in given.values())
            return Verdict(there == n, 0, 0, f"{there} of {n} answered; points are counted in the teacher's copy")
        marked = self._marked(given)
        right = sum(one for one, _ in marked)
        said = f"{right} right, {len(marked) - right} wrong, {n - len(marked)} open"
        return Verdict(right == n, max(0, 2 * right - len(marked)), n, said)

    def hand_in(self, answers: dict[str, Any], path: str | Path) -> Verdict:
        """Write answers to a file for the teacher, who gives it to `grade`.

        Parameters
        ----------
        answers : dict
            As for `check`.
        path : str or Path
            The file, such as "4711-A.json". One that is there is replaced.

        Returns
        -------
        verdict : Verdict
            What `check` says of them.

        Raises
        ------
        ValueError, TypeError
            As `check`.
        """
        verdict = self.check(answers)
        given = {key: read_answer(key, answer) for key, answer in answers.items()}
        told = {"form": self.form, "number": self.number, "answers": {key: one for key, one in given.items() if one}}
        text = json.dumps({**told, "checksum": checksum(told)}, indent=1)
        files.write(Path(path), text.encode("utf-8"))
        return verdict

    def predictions(self) -> list[Prediction]:
        """Ask for a yes or no to each statement, as a class does on its phones.

        From then on they are among the questions of a class (`notebook_sne.classroom`); show it the maps as well.
        `grade` takes the file of the class as it takes a hand-in.

        Returns
        -------
        predictions : list of Prediction
            One for each statement, in order.
        """
        return [predict(text, ["yes", "no"]) for text in self._asked()]

    def _asked(self) -> dict[str, str]:
        """Return what a class is asked, with the number of its statement."""
        return {
            f"{key}. {text} May you conclude this from map {one.number} ({SETTINGS[one.setting].caption})? "
            f"[Reading exam {self.number}, form {self.form}]": key
            for one in self.questions
            for key, text in one.statements().items()
        }

    def to_html(self, path: str | Path) -> None:
        """Write the maps and the statements as a page, without the data.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        from notebook_sne.course.sheet import sheet

        title = f"Reading exam, form {self.form}"
        questions = "".join(f'<section class="map">{one._repr_html_()}</section>' for one in self.questions)
        text = f"<main><article><h1>{title}, number {escape(self.number)}</h1>{questions}</article></main>"
        files.write(Path(path), sheet(title, text, style=join_styles("course/course.css")))

    def _marked(self, given: dict[str, Any]) -> list[tuple[bool, float | None]]:
        """Return of each answer that is not left open whether it is right, and its confidence."""
        key = {key: (one.setting, name) for one in self.questions for key, name in one.names.items()}
        return [(one[0] == may_be_concluded(*key[name]), one[1]) for name, one in given.items() if one]

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.questions))

    def _repr_html_(self) -> str:
        return "".join(question._repr_html_() for question in self.questions)


def read_answer(key: str, answer: Any) -> tuple[bool, float | None] | None:
    """Return what is said of a statement and how surely, or None if it is left open."""
    said, sure = answer if isinstance(answer, tuple | list) and len(answer) == 2 else (answer, None)
    if said is None:
        return None
    if not isinstance(said, bool | np.bool_):
        raise TypeError(f"the answer to {key} must be True, False or None, got {show(said)}")
    if sure is not None and (isinstance(sure, bool) or not isinstance(sure, int | float) or not 0.5 <= sure <= 1):
        raise ValueError(f"the confidence of {key} must be a number from 0.5 to 1, got {show(sure)}")
    return bool(said), None if sure is None else float(sure)


def checksum(told: dict[str, Any]) -> str:
    """Return the checksum of a hand-in, by which one sees that it was edited."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
