"""A line in the first cell that uses the package, while libraries are loaded: seconds in which nothing else moves.

The still picture of a view in the same cell takes the place of the line, so that nothing of it remains; without one it
becomes empty when the cell ends.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from notebook_sne.engine.machine.process import has_kernel, shell

__all__ = ["announced", "take_line"]

_lines: list[Any] = []  # at most one


@contextmanager
def announced() -> Iterator[None]:
    """Announce a block with slow imports; say nothing if they are loaded already, or without a viewer."""
    if has_kernel() and "sklearn" not in sys.modules and not _lines:
        from IPython.display import display

        said = "Loading notebook_sne: about two seconds, once per kernel."
        page = f'<div style="padding: 8px 0; font: 14px/20px system-ui, sans-serif; opacity: 0.75">{escape(said)}</div>'
        _lines.append(display({"text/html": page, "text/plain": said}, raw=True, display_id=True))
        shell().events.register("post_run_cell", _clear)
    yield


def take_line() -> str | None:
    """Return the display_id of the line, which now belongs to who asks, or None where there is no line."""
    return str(_lines.pop().display_id) if _lines else None


def _clear(*_: object) -> None:
    shell().events.unregister("post_run_cell", _clear)
    if _lines:
        _lines.pop().update({"text/html": "", "text/plain": ""}, raw=True)
