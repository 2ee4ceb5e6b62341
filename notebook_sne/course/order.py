"""The parts of the course, and the order in which its lectures are read: as ``tutorials/README.md`` lists them.

The number of a lecture is its name, by which texts and links speak of it; the order may change.
"""

import re
from pathlib import Path
from typing import NamedTuple

__all__ = ["Listed", "files_of", "parts_of", "reading_order"]

_PART = re.compile(r"^## (.+)$", re.MULTILINE)
_LISTED = re.compile(
    r"^\* \*\*(\d+)\*\* \[([^\]]+)\]\(([0-9]\S+\.ipynb)\)\s*(.*?)(?=^\* |^\s*$|\Z)", re.MULTILINE | re.DOTALL
)


def files_of(source: Path) -> dict[str, Path]:
    """Return the files of a folder of lectures by their names in it; hidden ones and Python's caches stay out."""
    paths = {path.relative_to(source): path for path in sorted(source.rglob("*")) if path.is_file()}
    return {
        name.as_posix(): path
        for name, path in paths.items()
        if not any(part.startswith(".") or part == "__pycache__" for part in name.parts)
    }


class Listed(NamedTuple):
    """A lecture in the list: its number, its question, its file, and a few words about it."""

    number: int
    question: str
    name: str
    words: str


def parts_of(source: Path) -> dict[str, list[Listed]]:
    """Return the lectures of each part that the list in a folder of lectures names; nothing where there is no list."""
    place = source / "README.md"
    text = place.read_text(encoding="utf-8") if place.is_file() else ""
    _, *pieces = _PART.split(text)
    found = {
        part: [
            Listed(int(number), question, name, " ".join(words.split()))
            for number, question, name, words in _LISTED.findall(below)
        ]
        for part, below in zip(pieces[::2], pieces[1::2], strict=True)
    }
    return {part: listed for part, listed in found.items() if listed}


def reading_order(source: Path) -> list[Path]:
    """Return the lectures of a folder as they are read: those that the list names, then any others by their numbers."""
    listed = [Path(one.name) for lectures in parts_of(source).values() for one in lectures]
    others = sorted(path.relative_to(source) for path in source.glob("[0-9][0-9]-*.ipynb"))
    return [*(name for name in listed if name in others), *(name for name in others if name not in listed)]
