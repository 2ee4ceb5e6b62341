"""The questions of a lecture, with what its run has found, so that a class can be asked without a run.

They are read from the page of the lecture and kept in ``questions.json`` beside this file, which
``tools/build_questions.py`` makes anew: not among the lectures, whose readers are to answer them.
"""

import json
import re
from typing import Any

from notebook_sne.browser.teaching.polls import Poll
from notebook_sne.browser.teaching.question import Question
from notebook_sne.engine.machine.package import PACKAGE

__all__ = ["KEPT", "polls_of", "questions_in"]

KEPT = PACKAGE / "course" / "questions.json"
_VIEW = re.compile(
    r'data-view="prediction">.*?<script type="application/json">(.*?)</script>', re.DOTALL
)  # fmt: skip
_OUTCOMES = re.compile(r'data-outcomes="(?:one|table)">.*?<script type="application/json">(.*?)</script>', re.DOTALL)


def questions_in(page: str) -> list[dict[str, Any]]:
    """Return the questions of a lecture's page, in their order, each with its ``truth``; None where none was told."""
    found = {one["key"]: one["truth"] for text in _OUTCOMES.findall(page) for one in json.loads(text)}
    asked = [json.loads(text)["traits"] for text in _VIEW.findall(page)]
    return [{**Question.read(one).told(), "truth": found.get(one["key"])} for one in asked]


def polls_of(notebook: str) -> list[Poll]:
    """Return the questions of a lecture, by its file's name, with what is known of them."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    polls = []
    for told in kept.get(notebook, ()):
        poll = Poll(Question.read(told))
        poll.known = None if told["truth"] is None else poll.question.check("truth", told["truth"])
        polls.append(poll)
    return polls
