"""Votes on a question: one of each phone, in one round or two."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from notebook_sne.browser.teaching.question import Answer, Question

__all__ = ["Curve", "Poll", "Round"]

Curve = list[list[float]]


def _key(answer: Answer) -> str:
    return json.dumps(answer)


class Round:
    """One vote: what each phone has said, while it lasts and in this process, and what was counted."""

    def __init__(self, counted: Iterable[tuple[Answer, int]] = (), voters: dict[str, Answer] | None = None) -> None:
        self.voters: dict[str, Answer] = dict(voters or {})
        """By phones. Answers that came as codes are of nobody, and stand in `others`."""
        self.codes: set[str] = set()
        self.others: Counter[str] = Counter()
        for answer, n in counted:
            self.others[_key(answer)] += n

    @property
    def answered(self) -> int:
        return len(self.voters) + self.others.total()

    def counts(self) -> list[list[Any]]:
        """Return how often each answer was given, as [answer, number], the smallest answer first."""
        all_of = self.others + Counter(map(_key, self.voters.values()))
        return sorted(([json.loads(text), n] for text, n in all_of.items()), key=lambda pair: _key(pair[0]))

    def forget(self) -> None:
        """Keep the counts, and no longer who has said what."""
        self.others += Counter(map(_key, self.voters.values()))
        self.voters = {}


class Poll:
    """A question that a class was asked, and its rounds. ``stage`` is open, shown or found."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.rounds: list[Round] = []
        self.open = False
        self.truth: Answer | None = None
        self.why = ""
        """One sentence that gives the reason, where the lecturer has one."""
        self.before: Curve = []
        """The cost of the map that the class follows, as it was when the question was asked; no file holds it."""
        self.curve: Curve = []
        """The same when it was told what happened, if the run has gone on since: iterations, and their costs."""
        self.known: Answer | None = None
        """What is found, as known beforehand; hidden until the lecturer shows it."""
        self.moved: list[list[Any]] = []
        """How often phones went from one answer to another between the last two votes: [first, second, number]."""

    @property
    def stage(self) -> str:
        return "open" if self.open else "ready" if not self.rounds else "shown" if self.truth is None else "found"

    def begin(self, curve: Curve) -> None:
        """Open the first vote, or another one, and hide what was found; ``curve`` is of the run that is followed."""
        self.before = self.before if self.rounds else curve
        self.rounds.append(Round())
        self.open, self.truth = True, None

    def end(self) -> None:
        """Close the vote."""
        if self.open and len(self.rounds) > 1:
            before, after = self.rounds[-2].voters, self.rounds[-1].voters
            moved = Counter((_key(before[phone]), _key(after[phone])) for phone in before.keys() & after.keys())
            self.moved = [[json.loads(one), json.loads(other), n] for (one, other), n in sorted(moved.items())]
        self.open = False

    def vote(self, phone: str, number: int, value: Any) -> bool:
        """Take a vote in the round `number`, from 1; False where that one is over, ValueError if it is no answer."""
        if not self.open or number != len(self.rounds):
            return False
        self.rounds[-1].voters[phone] = self.question.vote(value)
        return True

    def add(self, answers: Iterable[Answer], codes: str = "", again: bool = True) -> bool:
        """Count answers that came as these codes; return False if they were counted before, unless ``again`` is set."""
        if not self.rounds:
            self.rounds.append(Round())
        last = self.rounds[-1]
        if codes in last.codes and not again:
            return False
        last.codes.add(codes)
        last.others.update(map(_key, answers))
        return True

    def facts(self, present: int) -> dict[str, Any]:
        """Return what a lecturer's screen shows; of an open vote only how many have answered."""
        last = self.rounds[-1] if self.rounds else Round()
        shown = self.stage in ("shown", "found")
        first = self.rounds[-2] if len(self.rounds) > 1 else None
        return {
            "question": self.question.told(),
            "stage": self.stage,
            "round": len(self.rounds),
            "answered": last.answered,
            "present": max(present, last.answered),
            "counts": last.counts() if shown else [],
            "first": first.counts() if shown and first else [],
            "truth": self.truth,
            "found": "" if self.truth is None else self.question.words(self.truth),
            "why": self.why if self.truth is not None else "",
            "curve": self.curve if self.truth is not None else [],
            "known": self.known is not None,
        }

    def record(self) -> dict[str, Any]:
        """Return what a file holds: counts, and of an open vote also which phone, under another name, has said what."""
        rounds: list[dict[str, Any]] = [{"counts": one.counts(), "answered": one.answered} for one in self.rounds]
        for one, told in zip(self.rounds, rounds, strict=True):
            if self.open and one is self.rounds[-1]:
                told["counts"] = [[json.loads(text), n] for text, n in one.others.items()]
                told["voters"] = one.voters
        return {
            **self.question.told(), "open": self.open, "rounds": rounds, "truth": self.truth, "why": self.why,
            "known": self.known, "moved": self.moved,
        }  # fmt: skip

    @classmethod
    def read(cls, told: dict[str, Any]) -> Poll:
        """Return a poll that a file holds; ValueError, TypeError or KeyError if it holds none."""
        poll = cls(Question.read(told))
        for one in told["rounds"]:
            counts = [(poll.question.vote(answer), _count(n)) for answer, n in one["counts"]]
            voters = {str(phone): poll.question.vote(value) for phone, value in one.get("voters", {}).items()}
            poll.rounds.append(Round(counts, voters))
        poll.open = told["open"] is True
        poll.truth = None if told["truth"] is None else poll.question.check("truth", told["truth"])
        poll.known = None if told["known"] is None else poll.question.check("known", told["known"])
        poll.why = str(told["why"])
        vote = poll.question.vote
        poll.moved = [[vote(one), vote(other), _count(n)] for one, other, n in told["moved"]]
        return poll


def _count(n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ValueError(f"a count must be a whole number from 0, got {n!r}")
    return n
