"""The header of a recording's file: JSON that says what belongs together, written by us and read with distrust."""

import json
from typing import Any

from notebook_sne.archives.archive import Archive, expect

__all__ = [
    "FORMAT", "LONGEST_NAME", "MOST_KNOBS", "SPELLED", "VERSION", "check_length", "check_text", "list_in", "number_in",
    "read_header", "texts_in",
]  # fmt: skip

FORMAT, VERSION = "notebook_sne recording", 1
SPELLED = {"neighbors": "neighbours"}
"""Names of facts that version 1 of the format spells in another way than the package."""
LONGEST_HEADER = 16_000_000
LONGEST_NAME = 1000  # of a phase, a model or a knob, and of a mark's text or a title
MOST_KNOBS = 100
_MOST_THINGS = 1_000_000  # in a header: each takes up to a hundred bytes once it is read


def check_length(text: bytes, way_out: str) -> None:
    """Refuse a header that would take much memory once it is read."""
    if len(text) > LONGEST_HEADER or sum(map(text.count, (b",", b"[", b"{"))) > _MOST_THINGS:
        raise ValueError(f"the header is far too long ({len(text) / 1e6:.1f} MB); {way_out}")


def read_header(archive: Archive) -> tuple[dict[str, Any], int]:
    """Return the header, and how many arrays it can point at."""
    size = archive.size("header")
    expect(size <= LONGEST_HEADER, f"its header has {size / 1e6:.1f} MB, far more than any recording needs")
    text = archive.array("header", ("|u1",), (None,)).tobytes()
    check_length(text, "get another copy of the file")
    try:
        header = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # UnicodeDecodeError among them
        header, text = None, b""
    expect(text, "its header is no JSON, or is nested too deeply")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("it is not a recording of notebook_sne; give a file that Recording.save wrote")
    if number_in(header, "version", 1) > VERSION:
        raise ValueError(
            f"it is of version {header['version']}, and this notebook_sne reads up to {VERSION}; install a newer one"
        )
    return header, text.count(b'"array":') + text.count(b'"scalar":')


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands there twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def number_in(header: dict[str, Any], name: str, low: int) -> int:
    """Return a whole number of the header."""
    value: Any = header.get(name)
    expect(type(value) is int and value >= low, f"its header must have a whole number {name} of at least {low}")
    return int(value)


def list_in(header: dict[str, Any], name: str) -> list[Any]:
    """Return a list of the header."""
    value: Any = header.get(name)
    expect(isinstance(value, list), f"its header must have a list {name}")
    return list(value)


def check_text(value: Any, what: str) -> None:
    """Refuse what is no text of at most a thousand characters."""
    expect(isinstance(value, str) and len(value) <= LONGEST_NAME, f"{what} is no text, or a far too long one")


def texts_in(header: dict[str, Any], name: str) -> list[str]:
    """Return a list of texts of the header."""
    found = list_in(header, name)
    for value in found:
        check_text(value, f"one of the {name} in its header")
    return found
