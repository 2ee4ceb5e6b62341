"""The reading exam: maps of made data, and what one may conclude from them."""

from html import escape
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.course.made_maps import KINDS, LETTERS, Made, may_be_concluded, rates
from notebook_sne.course.posing import seed_of
from notebook_sne.course.verdicts import Verdict
from notebook_sne.engine.checks.numbers import show
from notebook_sne.views.static import svg

__all__ = ["Exam", "Question", "exam"]

N_MAPS = 10


def exam(number: int | str) -> "Exam":
    """Return a reading exam for one student: ten maps of made data, and two statements about the data of each.

    A statement says of the data what the map seems to say. It may be concluded if it is true of nearly all data whose
    map shows the same. This is computed: ten sets of data of the kind are drawn, in which the truth varies, and mapped
    in the same way; the statement has to be true of nine or more.

    Parameters
    ----------
    number : int or str
        The student's number, as for `task`. Data, order and statements depend on it.

    Returns
    -------
    exam : Exam
        Made in some seconds; its first check takes about a minute of one processor, as it maps a hundred sets of data.

    Raises
    ------
    ValueError, TypeError
        If the number is neither a whole number nor a text.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> exam = ns.course.exam(number=4711)                          # doctest: +SKIP
    >>> exam.check({"1a": True, "1b": False, "2a": None})           # doctest: +SKIP
    """
    return Exam(number)


class Question(NamedTuple):
    """One map, or two, and statements. Made by `Exam`."""

    number: int
    made: Made
    kind: str
    names: tuple[str, ...]
    """The statements of the kind, in the order in which this student has them."""

    def statements(self) -> dict[str, str]:
        """Return what is said of the data, by the number under which it is answered.

        Returns
        -------
        statements : dict of str to str
            Such as ``{"1a": "Group B is the widest ..."}``.
        """
        return {f"{self.number}{'ab'[at]}": self.made.statements[name].text for at, name in enumerate(self.names)}

    def _repr_html_(self) -> str:
        labels = self.made.labels
        if labels is not None and labels.dtype.kind in "iu":
            labels = LETTERS[labels]
        maps = "".join(str(svg(Y, labels, size=300)) for Y in self.made.maps)
        said = "".join(f"<p><b>{name}</b> {escape(text)}</p>" for name, text in self.statements().items())
        return f"<h4>Map {self.number}</h4><p>{escape(self.made.caption)}</p><div>{maps}</div>{said}"

    def __repr__(self) -> str:
        said = "\n".join(f"  {name} {text}" for name, text in self.statements().items())
        return f"Map {self.number}: {self.made.caption}\n{said}"


class Exam:
    """A reading exam for one student. Made by `exam`; a notebook shows all of its maps.

    Attributes
    ----------
    questions : list of Question
        The maps with their statements.
    """

    def __init__(self, number: int | str) -> None:
        generator = np.random.default_rng(seed_of("reading exam", number))
        self.questions = []
        for at, kind in enumerate(generator.permutation(sorted(KINDS))[:N_MAPS]):
            made = KINDS[kind](generator)
            names = tuple(str(name) for name in generator.permutation(sorted(made.statements)))
            self.questions.append(Question(at + 1, made, str(kind), names))

    def statements(self) -> dict[str, str]:
        """Return all statements by their numbers.

        Returns
        -------
        statements : dict of str to str
            Such as ``{"1a": "Group B is the widest ...", "1b": ...}``.
        """
        return {name: text for question in self.questions for name, text in question.statements().items()}

    def check(self, answers: dict[str, Any]) -> Verdict:
        """Count points: one for what is right, minus one for what is wrong, none for what is left open; at least 0.

        Parameters
        ----------
        answers : dict of str to bool or None
            By the number of each statement: True if one may conclude it from the map, False if not, None to leave it
            open. A statement that is not there is left open.

        Returns
        -------
        verdict : Verdict
            How many are right, and not which: think again about all of them.

        Raises
        ------
        ValueError, TypeError
            If there is no such statement, or an answer is something else.
        """
        there = self.statements()
        if not isinstance(answers, dict):
            raise TypeError(f"answers must be a dict such as {{'1a': True}}, got {show(answers)}")
        for name, answer in answers.items():
            if name not in there:
                raise ValueError(f"answers has no statement {show(name)}; the statements are {', '.join(there)}")
            if answer is not None and not isinstance(answer, bool | np.bool_):
                raise TypeError(f"the answer to {name} must be True, False or None, got {show(answer)}")
        key = self._key()
        given = {name: bool(answer) for name, answer in answers.items() if answer is not None}
        right = sum(given[name] == key[name] for name in given)
        wrong, left = len(given) - right, len(there) - len(given)
        said = f"{right} right, {wrong} wrong, {left} open"
        return Verdict(right == len(there), max(0, right - wrong), len(there), said)

    def rates(self) -> dict[str, float]:
        """Return how often each statement is true of the data that are drawn: for those who discuss the exam.

        Returns
        -------
        rates : dict of str to float
            By the numbers of the statements. From 0.9 on, one may conclude it.
        """
        return {
            f"{question.number}{'ab'[at]}": rates(question.kind)[name]
            for question in self.questions
            for at, name in enumerate(question.names)
        }

    def _key(self) -> dict[str, bool]:
        return {
            f"{question.number}{'ab'[at]}": may_be_concluded(question.kind, name)
            for question in self.questions
            for at, name in enumerate(question.names)
        }

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.questions))

    def _repr_html_(self) -> str:
        return "".join(question._repr_html_() for question in self.questions)
