"""The header of a recording's file: JSON that says what belongs together, written by us and read with distrust."""

import json

__all__ = [
    "FORMAT", "LONGEST_NAME", "MOST_KNOBS", "SPELLED", "VERSION", "check_header", "list_in", "nonsense", "number_in",
    "read_header", "text_of", "texts_in",
]  # fmt: skip

FORMAT, VERSION = "notebook_sne recording", 1
SPELLED = {"neighbors": "neighbours"}
"""Names of facts that version 1 of the format spells in another way than the package."""
LONGEST_HEADER = 16_000_000
LONGEST_NAME = 1000  # of a phase, a model or a knob, and of a mark's text or a title
MOST_KNOBS = 100
_MOST_THINGS = 1_000_000  # in a header: each takes up to a hundred bytes once it is read
_MENDING = "write the file again with save, or get another copy of it"


def check_header(text, way_out):
    """Refuse a header, as bytes, that would take much memory once it is read."""
    if len(text) > LONGEST_HEADER or sum(map(text.count, (b",", b"[", b"{"))) > _MOST_THINGS:
        raise ValueError(f"the header is far too long ({len(text) / 1e6:.1f} MB); {way_out}")


def nonsense(why):
    """Return the error of a file that does not make sense, and the way out."""
    return ValueError(f"{why}; {_MENDING}")


def read_header(reader):
    """Return the header, and how many arrays it can point at."""
    if reader.size("header") > LONGEST_HEADER:
        raise nonsense(f"its header has {reader.size('header') / 1e6:.1f} MB, far more than any recording needs")
    text = reader.array("header", "|u1", (None,)).tobytes()
    check_header(text, _MENDING)
    try:
        header = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # UnicodeDecodeError among them
        raise nonsense("its header is no JSON, or is nested too deeply") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("it is not a recording of notebook_sne; give a file that Recording.save wrote")
    if number_in(header, "version", 1) > VERSION:
        raise ValueError(
            f"it is of version {header['version']}, and this notebook_sne reads up to {VERSION}; install a newer one"
        )
    return header, text.count(b'"array":') + text.count(b'"scalar":')


def _once(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands there twice")
    return found


def _no_constant(name):
    raise ValueError(f"{name} is no number of JSON")


def number_in(header, name, low):
    """Return a whole number of the header."""
    value = header.get(name)
    if type(value) is not int or value < low:
        raise nonsense(f"its header must have a whole number {name} of at least {low}")
    return value


def list_in(header, name):
    """Return a list of the header."""
    value = header.get(name)
    if not isinstance(value, list):
        raise nonsense(f"its header must have a list {name}")
    return value


def text_of(value, what):
    """Return a value that is a text of no more than a thousand characters."""
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise nonsense(f"{what} is no text, or a far too long one")
    return value


def texts_in(header, name):
    """Return a list of texts of the header."""
    return [text_of(value, f"one of the {name} in its header") for value in list_in(header, name)]
