"""The header of an archive: JSON that says what belongs together, written by us and read with distrust."""

import json
from typing import Any

import numpy as np

from notebook_sne.engine.archives.archive import Archive, Entry, expect

__all__ = ["LONGEST_NAME", "check_text", "list_in", "number_in", "read_header", "texts_in", "written_header"]

LONGEST_HEADER = 16_000_000
LONGEST_NAME = 1000  # of a phase, a model or a knob, and of a mark's text or a title
_MOST_THINGS = 1_000_000  # in a header: each takes up to a hundred bytes once it is read


def written_header(header: dict[str, Any], way_out: str) -> Entry:
    """Return a header as the array that is written; a ValueError with a way out where it could not be read again."""
    text = json.dumps(header, allow_nan=False, separators=(",", ":")).encode("ascii")
    _check_length(text, way_out)
    return "header", "|u1", (len(text),), [np.frombuffer(text, dtype=np.uint8)]


def _check_length(text: bytes, way_out: str) -> None:
    """Refuse a header that would take much memory once it is read."""
    if len(text) > LONGEST_HEADER or sum(map(text.count, (b",", b"[", b"{"))) > _MOST_THINGS:
        raise ValueError(f"the header is far too long ({len(text) / 1e6:.1f} MB); {way_out}")


def read_header(archive: Archive) -> tuple[Any, int]:
    """Return the value of the header's JSON, and how many arrays it can point at."""
    size = archive.size("header")
    expect(size <= LONGEST_HEADER, f"its header has {size / 1e6:.1f} MB, far more than any {archive.kind} needs")
    text = archive.array("header", ("|u1",), (None,)).tobytes()
    _check_length(text, "get another copy of the file")
    try:
        header = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # UnicodeDecodeError among them
        header, text = None, b""
    expect(text, "its header is no JSON, or is nested too deeply")
    return header, text.count(b'"array":') + text.count(b'"scalar":')


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


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
