"""The notes for teachers on each lecture: docs/guide/teaching.md, which the package carries beside this file."""

import re
from pathlib import Path

from notebook_sne.engine.machine.package import PACKAGE

__all__ = ["told_of"]

_LECTURE = re.compile(r"^## (\d+)\. .+$", re.MULTILINE)
_PART = re.compile(r"^## ", re.MULTILINE)
_REPOSITORY = Path("docs", "guide", "teaching.md")


def told_of(number: int) -> str:
    """Return the notes on a lecture as Markdown, without its heading; empty if there are none."""
    places = [PACKAGE / "course" / "teaching.md"]
    if isinstance(PACKAGE, Path):
        places.append(PACKAGE.parent / _REPOSITORY)
    text = next((place.read_text(encoding="utf-8") for place in places if place.is_file()), "")
    parts = _LECTURE.split(text)
    notes = dict(zip(parts[1::2], parts[2::2], strict=True))
    return _PART.split(notes.get(str(number), ""), maxsplit=1)[0].strip()
