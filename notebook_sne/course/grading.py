"""Grading the reading exam, in the teacher's copy: points, calibration, and the gain from form A to form B."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from notebook_sne.browser.teaching.class_file import FORMAT, read_signed
from notebook_sne.browser.teaching.polls import Poll
from notebook_sne.course.examining import FORMS, Exam, checksum, read_answer
from notebook_sne.course.verdicts import Verdict
from notebook_sne.engine.checks.numbers import show
from notebook_sne.views.lines import curves

__all__ = ["Grades", "grade"]

CONFIDENCES = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
_ASKED = re.compile(r"\[Reading exam (.+), form (.+)\]$")


def grade(hand_ins: Any, *, secret: str = "", numbers: Iterable[int | str] | None = None) -> "Grades":
    """Count the points of a class: one for what is right, minus one for what is wrong, at least 0.

    This computes the key, and takes one or two minutes of a processor for the first hand-in.

    Parameters
    ----------
    hand_ins : path, or list of paths
        Files that `Exam.hand_in` has written, or a folder of them. The file of a class (``classroom(file=...)``) whose
        phones were asked `Exam.predictions` has one row for each form: the mean of its phones in the first vote on each
        statement, as the points of one student who was asked all 24.
    secret : str, default=""
        The word with which the exams were made.
    numbers : iterable of int or str, optional
        The numbers of the class. Others are counted, and told.

    Returns
    -------
    grades : Grades
        A file that is no hand-in has no points and a sentence. What can't be read in a hand-in, such as an answer to a
        statement of another form, is left open, and the rest is counted.

    Raises
    ------
    FileNotFoundError
        If a file isn't there.
    """
    listed = [hand_ins] if isinstance(hand_ins, str | Path) else list(hand_ins)
    paths = [path for one in map(Path, listed) for path in (sorted(one.glob("*.json")) if one.is_dir() else [one])]
    known = None if numbers is None else {str(number).strip() for number in numbers}
    rows, answers = [], []
    for path in paths:
        try:
            polls = [Poll.read(one) for one in read_signed(path, FORMAT)["polls"]]
        except (ValueError, KeyError, TypeError, RecursionError):
            row, given = _graded(path, secret, known)
            rows.append(row)
            answers += [(row["number"], *one) for one in given]
        else:
            rows += _graded_class(path, polls, secret)
    columns = ["file", "number", "form", "points", "right", "wrong", "open", "said"]
    return Grades(pd.DataFrame(rows, columns=columns), pd.DataFrame(answers, columns=["number", "right", "confidence"]))


class Grades:
    """The points of a class. Made by `grade`; a notebook shows the table.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per file: file, number, form, points, right, wrong, open, and what is to be said of it.
    answers : pandas.DataFrame
        One row per answer: the student's number, whether it is right, and its confidence, NaN where none was given.
    """

    def __init__(self, table: pd.DataFrame, answers: pd.DataFrame) -> None:
        self.table, self.answers = table, answers

    def gain(self) -> pd.DataFrame:
        """Compare form A with form B.

        Returns
        -------
        gain : pandas.DataFrame
            One row per number that handed in both, and their mean in the last: points of A and of B, and the gain, as a
            share of what was left to gain. Of a form that was handed in twice, the better one counts.
        """
        best = self.table.dropna(subset=["points"]).groupby(["number", "form"])["points"].max().unstack()
        both = best.reindex(columns=["A", "B"]).dropna()
        both.loc["mean"] = both.mean()
        n = self.table[["right", "wrong", "open"]].sum(axis=1).max()
        both["gain"] = (both["B"] - both["A"]) / (n - both["A"]).where(both["A"] < n)
        return both

    def verdict(self) -> Verdict:
        """Return the points of the first hand-in, as a grading cell needs them.

        Returns
        -------
        verdict : Verdict
            How many are right, wrong and open.
        """
        row = self.table.fillna(0).iloc[0]
        n = int(row["right"] + row["wrong"] + row["open"])
        said = f"{row['right']:g} right, {row['wrong']:g} wrong, {row['open']:g} open; {row['said']}".rstrip("; ")
        return Verdict(bool(row["right"] == n > 0), float(row["points"]), n, said)

    def calibration(self, number: int | str | None = None) -> Any:
        """Draw how many answers are right against how sure their students were.

        Parameters
        ----------
        number : int or str, optional
            One student's number; else all.

        Returns
        -------
        figure : bokeh figure
            On the diagonal of somebody who knows what they know; below it of somebody too sure.

        Raises
        ------
        ValueError
            If no answer has a confidence.
        """
        of = self.answers.dropna(subset=["confidence"])
        of = of if number is None else of[of["number"] == str(number).strip()]
        if of.empty:
            raise ValueError("no answer has a confidence; write answers such as {'1a': (True, 0.8)}")
        nearest = CONFIDENCES[np.abs(of["confidence"].to_numpy()[:, None] - CONFIDENCES).argmin(axis=1)]
        share = of["right"].astype(float).groupby(nearest).mean()
        lines = {"right": share.to_list(), "calibrated": share.index.to_list()}
        return curves(share.index.to_list(), lines, x_label="confidence", y_label="share that is right",
                      title=f"{len(of)} answers", height=260)  # fmt: skip

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return str(self.table.to_html())


def _graded_class(path: Path, polls: list[Poll], secret: str) -> list[dict[str, Any]]:
    """Return the row of each exam whose statements a class was asked."""
    votes = {poll.question.question: dict(poll.rounds[0].counts()) for poll in polls if poll.rounds}
    exams = {found.groups() for text, vote in votes.items() if vote and (found := _ASKED.search(text))}
    rows: list[dict[str, Any]] = [] if exams else [{"file": path.name, "said": "this class was asked no reading exam"}]
    for number, form in sorted(exams):
        exam = Exam(number, form, secret)
        asked = {key: votes[text] for text, key in exam._asked().items() if votes.get(text)}
        yes = [so for so, _ in exam._marked(dict.fromkeys(asked, (True, None)))]
        phones = [sum(vote.values()) for vote in asked.values()]
        right = [
            vote.get("yes" if so else "no", 0) / n for vote, so, n in zip(asked.values(), yes, phones, strict=True)
        ]
        row: dict[str, Any] = {"file": path.name, "number": exam.number, "form": form, "said": "of another secret"}
        if asked:
            n, share = len(exam._names), float(np.mean(right))
            row |= {"points": max(0.0, n * (2 * share - 1)), "right": n * share, "wrong": n - n * share, "open": 0}
            row["said"] = f"phones: {max(phones)}; statements asked: {len(asked)} of {n}"
        rows.append(row)
    return rows


def _graded(path: Path, secret: str, known: set[str] | None) -> tuple[dict[str, Any], list[tuple[bool, float | None]]]:
    """Return the row of a hand-in and its answers, each with its confidence."""
    row: dict[str, Any] = {"file": path.name}
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        told = json.loads(text)
        number, form, answers = told["number"], told["form"], told["answers"]
        exam = Exam(number, form if form in FORMS else FORMS[0], secret)
        if form not in FORMS or not isinstance(answers, dict):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        no = "this is no hand-in, and no whole file of a class; ask for the file of exam.hand_in"
        return {**row, "said": no if text.strip() else "the file is empty"}, []
    said: list[str] = []
    if told.get("checksum") != checksum({key: told[key] for key in ("form", "number", "answers")}):
        said.append("edited after it was written; counted as it is")
    if known is not None and str(number).strip() not in known:
        said.append(f"number {show(number)} is not in the list; counted all the same")
    given = {}
    for key, answer in answers.items():
        try:
            if key not in exam._names:
                raise ValueError(f"there is no statement {show(key)}")
            given[key] = read_answer(key, answer)
        except (ValueError, TypeError) as error:
            said.append(f"{error}; left open")
    if not given:
        said.append("no answers")
    marked = exam._marked(given)
    right = sum(one for one, _ in marked)
    wrong = len(marked) - right
    n = len(exam._names)
    row |= {"number": exam.number, "form": form, "points": max(0, right - wrong), "right": right, "wrong": wrong}
    return {**row, "open": n - len(marked), "said": "; ".join(said)}, marked
