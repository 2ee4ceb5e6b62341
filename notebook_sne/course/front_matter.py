"""What a lecture says of itself: its heading, how long it takes to read, and how it begins."""

import re
from pathlib import Path

import nbformat

from notebook_sne.course.prose import prose_html

__all__ = ["begins", "opening_of", "title_of"]

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_READING = re.compile(r"\*\w+: (\d+) minutes")
_SENTENCE = re.compile(r".+?[.?!](?= |$)")


def title_of(notebook: Path) -> str:
    """Return the heading of a lecture."""
    for cell in nbformat.read(notebook, as_version=4).cells:
        found = _TITLE.search(cell.source) if cell.cell_type == "markdown" else None
        if found:
            return found[1].strip()
    return notebook.stem


def opening_of(notebook: Path) -> str:
    """Return the first paragraph of a lecture in one line, as Markdown; empty if there is none.

    The text above it, all of it in italics, has the minutes.
    """
    said = [part for part in _paragraphs(notebook) if not part.startswith("#") and not (part[0] == part[-1] == "*")]
    return " ".join(said[0].split()) if said else ""


def _paragraphs(notebook: Path) -> list[str]:
    told = (cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "markdown")
    return [part.strip() for part in "\n\n".join(told).split("\n\n") if part.strip()]


def begins(notebook: Path) -> str:
    """Return how long a lecture takes to read, if it says so, and its first sentence, as HTML."""
    paragraphs = _paragraphs(notebook)
    minutes = next((found[1] for part in paragraphs if (found := _READING.match(part))), None)
    first = _SENTENCE.match(opening_of(notebook))
    time = f"{minutes} minutes." if minutes else ""
    heading = " ".join(part for part in (time, first[0] if first else "") if part)
    return prose_html(heading, notebook.parent, lambda _: False) if heading else ""
