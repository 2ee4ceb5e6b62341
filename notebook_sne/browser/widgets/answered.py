"""The questions that a kernel has asked, and the file that keeps their answers when it ends.

A notebook that a program runs, as for the pages of a course, has no reader: nothing is kept,
and nobody's answers are in it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notebook_sne.browser.teaching.answers import KeptAnswers
from notebook_sne.browser.teaching.question import Answer, Question
from notebook_sne.browser.widgets.cells import asked_by_program
from notebook_sne.engine.machine.process import has_kernel, notebook

if TYPE_CHECKING:
    from notebook_sne.browser.widgets.prediction import Prediction

__all__ = ["asked_here", "forget", "kept", "recall"]

asked_here: dict[str, Prediction] = {}
"""The questions of this kernel, by their texts: a cell that is run again shows the question with its answer."""


def kept() -> KeptAnswers | None:
    """Return what is kept of this notebook's answers; None without a reader, or without Jupyter."""
    if not has_kernel() or asked_by_program():
        return None
    try:
        from jupyter_core.paths import jupyter_data_dir
    except ImportError:
        return None
    return KeptAnswers(Path(jupyter_data_dir()) / "notebook_sne" / "answers", notebook())


_forgotten: tuple[list[tuple[Prediction, Any]], list[tuple[Question, Answer]]] = [], []
"""What was forgotten last, in this kernel and in the file: a reader may take it back."""


def forget() -> None:
    """Forget all answers in this notebook, also to questions that this kernel hasn't asked."""
    global _forgotten
    file, said = kept(), [(asked, asked.value) for asked in asked_here.values() if asked.value is not None]
    _forgotten = said, [] if file is None else file.read()
    if file is not None:
        with suppress(OSError):
            file.write([])
    for asked, _ in said:
        asked.value = asked.truth = None


def recall() -> None:
    """Take back what was forgotten last, but for questions that were answered anew."""
    said, before = _forgotten
    if (file := kept()) is not None:
        anew = file.read()
        with suppress(OSError):
            file.write([*((one, value) for one, value in before if one not in [asked for asked, _ in anew]), *anew])
    for asked, value in said:
        if asked.value is None:
            asked.value = value
