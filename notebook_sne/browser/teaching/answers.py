"""What a reader has answered in a notebook, in a file of their own that outlives the kernel.

A file belongs to one notebook, can be read by its user alone, and has a digest of what it holds. Nothing in it is run:
each entry is read as a question and an answer to it, or the file is set aside.
"""

from __future__ import annotations

import hashlib
import time
import warnings
from contextlib import suppress
from pathlib import Path

from notebook_sne.browser.teaching.class_file import read_signed, write_signed
from notebook_sne.browser.teaching.question import Answer, Question

__all__ = ["KeptAnswers"]

FORMAT = "notebook_sne answers 1"
MOST_ANSWERS, MOST_NOTEBOOKS, MOST_BYTES = 256, 256, 1_000_000


class KeptAnswers:
    """The answers that are kept of one notebook, which its name stands for, in a folder of such files."""

    def __init__(self, folder: Path, notebook: str) -> None:
        self.notebook = notebook
        self.file = folder / f"{hashlib.sha256(notebook.encode()).hexdigest()[:16]}.json"

    def read(self) -> list[tuple[Question, Answer]]:
        """Return what is kept, the oldest first; a file that is damaged is set aside, with a warning that says so."""
        try:
            if self.file.stat().st_size > MOST_BYTES:
                raise ValueError
            told = read_signed(self.file, FORMAT)["answers"]
            asked = [(Question.read(one), one["value"]) for one in told[:MOST_ANSWERS]]
            return [(question, question.vote(value)) for question, value in asked]
        except OSError:  # there is none, or none that may be read
            return []
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            aside = self.file.with_suffix(f".damaged-{time.time_ns()}")
            with suppress(OSError):
                self.file.rename(aside)
                warnings.warn(f"your answers in this notebook cannot be read; their file is now {aside}", stacklevel=2)
            return []

    def write(self, answers: list[tuple[Question, Answer]]) -> None:
        """Keep these answers and no others, at most 256, the last ones; OSError if they can't be written."""
        if not answers:
            self.file.unlink(missing_ok=True)
            return
        folder = self.file.parent
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        told = [{**question.told(), "value": value} for question, value in answers[-MOST_ANSWERS:]]
        write_signed(self.file, {"format": FORMAT, "notebook": self.notebook, "answers": told})
        with suppress(OSError):  # which another kernel may just have done
            for old in sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime)[:-MOST_NOTEBOOKS]:
                old.unlink()

    def answer_to(self, question: Question) -> Answer | None:
        """Return the answer to a question that is asked as it was then, or None."""
        return next((value for kept, value in self.read() if kept == question), None)

    def keep(self, question: Question, value: Answer | None) -> None:
        """Keep an answer in the place of an earlier one to this question; None removes that."""
        others = [(kept, said) for kept, said in self.read() if kept.question != question.question]
        self.write(others if value is None else [*others, (question, value)])
