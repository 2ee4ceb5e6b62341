"""The head of a lecture: its heading, how long it takes to read, and its first sentence."""

import re
from pathlib import Path

import nbformat

from notebook_sne.course.prose import prose_html
from notebook_sne.frontend.language import phrase

__all__ = ["begins", "title_of"]

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_READING = re.compile(r"\*\w+: (\d+) (?:minutes|Minuten)")  # as lectures say it, in their languages
_SENTENCE = re.compile(r".+?[.?!](?= |$)")


def title_of(notebook: Path) -> str:
    """Return the heading of a lecture."""
    for cell in nbformat.read(notebook, as_version=4).cells:
        found = _TITLE.search(cell.source) if cell.cell_type == "markdown" else None
        if found:
            return found[1].strip()
    return notebook.stem


def begins(notebook: Path) -> str:
    """Return how long a lecture takes to read, if it says so, and its first sentence, as HTML.

    The text above that sentence, all of it in italics, has the words that people search for, and the minutes.
    """
    told = (cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "markdown")
    paragraphs = [part.strip() for part in "\n\n".join(told).split("\n\n") if part.strip()]
    minutes = next((found[1] for part in paragraphs if (found := _READING.match(part))), None)
    said = [part for part in paragraphs if not part.startswith("#") and not (part[0] == part[-1] == "*")]
    first = _SENTENCE.match(" ".join(said[0].split())) if said else None
    time = phrase("{0} minutes.", minutes) if minutes else ""
    heading = " ".join(part for part in (time, first[0] if first else "") if part)
    return prose_html(heading, notebook.parent, lambda _: False) if heading else ""
