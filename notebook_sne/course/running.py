"""Run a lecture once, with all that it shows kept for a page."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

__all__ = ["LectureError", "Ran", "ran", "run_lecture"]

_KEEP = "from notebook_sne.course.kept import keep_views; keep_views({folder!r})"
_COLORS = re.compile(r"\x1b\[[0-9;]*m")


class LectureError(Exception):
    """A cell of a lecture failed."""


class Ran(NamedTuple):
    """A lecture that has run: its file, its cells with their outputs, and the folder with its views."""

    notebook: Path
    cells: list[Any]
    views: Path


@contextmanager
def ran(notebook: Path) -> Iterator[Ran]:
    """Run a notebook in its own folder, where it stays as it is; what it shows lasts as long as the context."""
    with tempfile.TemporaryDirectory() as views:
        yield Ran(notebook, run_lecture(notebook, Path(views)).cells, Path(views))


def run_lecture(notebook: Path, views: Path, timeout: float = 900.0) -> Any:
    """Run a notebook in a kernel of its own and return it with its outputs; LectureError says which cell fails and how.

    It runs in its own folder, and its file stays as it is. The folder `views` takes a file for each view that is shown:
    see `notebook_sne.course.kept`. A cell may take `timeout` seconds.
    """
    read = nbformat.read(notebook, as_version=4)
    read.cells.insert(0, nbformat.v4.new_code_cell(_KEEP.format(folder=str(views))))
    place = {"metadata": {"path": str(notebook.parent)}}
    try:
        NotebookClient(read, timeout=timeout, kernel_name="python3", resources=place).execute()
    except CellExecutionError as error:
        failed = [k for k, cell in enumerate(read.cells) if _failed(cell)]
        where = f"cell {failed[0] - 1}" if failed else "a cell"
        said = _COLORS.sub("", str(error)).strip().splitlines()[-1:]
        raise LectureError(f"{where} of {notebook.name} failed: {' '.join(said)}") from None
    del read.cells[0]
    return read


def _failed(cell: Any) -> bool:
    return any(output.output_type == "error" for output in cell.get("outputs", ()))
