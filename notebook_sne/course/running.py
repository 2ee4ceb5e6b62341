"""Run a lecture once, with all that it shows kept for a page; and again only where a checksum has changed."""

import hashlib
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from notebook_sne.engine.machine.package import PACKAGE, files_in

__all__ = ["LectureError", "Ran", "checksum", "ran", "run_lecture"]

_DIGITS = 32  # of a checksum
_NO_SOURCES = ("__pycache__", "tutorials")  # of the package's folder: what is compiled, and lectures where installed

_KEEP = "from notebook_sne.course.view_store import keep_views; keep_views({folder!r})"
_COLORS = re.compile(r"\x1b\[[0-9;]*m")


class LectureError(Exception):
    """A cell of a lecture failed."""


class Ran(NamedTuple):
    """A lecture that has run: its file, its cells with their outputs, and the folder with its views."""

    notebook: Path
    cells: list[Any]
    views: Path


@contextmanager
def ran(notebook: Path, kept: Path | None = None) -> Iterator[Ran]:
    """Run a notebook in its own folder, where it stays as it is; what it shows lasts as long as the context.

    With `kept`, a folder, the run is kept there under its `checksum`, and read from there the next time; so are its
    views, which last as long as the folder. Older runs of this notebook are removed.
    """
    if kept is None:
        with tempfile.TemporaryDirectory() as views:
            yield Ran(notebook, run_lecture(notebook, Path(views)).cells, Path(views))
        return
    name = f"{notebook.parent.name}-{notebook.stem}-"
    place = kept / f"{name}{checksum(notebook)}"
    if not place.is_dir():
        kept.mkdir(parents=True, exist_ok=True)
        for older in kept.glob(f"{name}{'[0-9a-f]' * _DIGITS}"):
            shutil.rmtree(older)
        with tempfile.TemporaryDirectory(dir=kept) as room:  # moved when it is whole
            whole = Path(room) / "run"
            (whole / "views").mkdir(parents=True)
            nbformat.write(run_lecture(notebook, whole / "views"), whole / "run.ipynb")
            whole.rename(place)
    yield Ran(notebook, nbformat.read(place / "run.ipynb", as_version=4).cells, place / "views")


def checksum(notebook: Path) -> str:
    """Return what tells the run of a notebook apart: of it, of files beside it, of the package, and of versions."""
    beside = [path for path in notebook.parent.rglob("*") if path.suffix != ".ipynb" and path.is_file()]
    versions = sorted({f"{each.name} {each.version}" for each in distributions()})
    digest = hashlib.sha256(repr((versions, platform.python_version(), platform.machine())).encode())
    read = [(path.relative_to(notebook.parent).as_posix(), path) for path in [notebook, *sorted(beside)]]
    for name, path in (*read, *((name, path) for name, path in files_in(PACKAGE) if not _made(Path(name)))):
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:_DIGITS]


def _made(path: Path) -> bool:
    return bool(set(_NO_SOURCES) & set(path.parts)) or path.suffix in (".nbi", ".nbc")


def run_lecture(notebook: Path, views: Path, timeout: float = 900.0) -> Any:
    """Run a notebook in a kernel of its own and return it with its outputs; LectureError says which cell fails and how.

    It runs in its own folder, and its file stays as it is. The folder `views` takes a file for each view that is shown:
    see `notebook_sne.course.view_store`. A cell may take `timeout` seconds.
    """
    read = nbformat.read(notebook, as_version=4)
    read.cells.insert(0, nbformat.v4.new_code_cell(_KEEP.format(folder=str(views))))
    place = {"metadata": {"path": str(notebook.parent)}}
    try:
        # What a kernel says to its terminal as it starts and ends is no news of the lecture.
        client = NotebookClient(read, timeout=timeout, kernel_name="python3", resources=place)
        client.execute(stderr=subprocess.DEVNULL)
    except (CellTimeoutError, DeadKernelError) as error:
        raise LectureError(f"{notebook.name} failed: {str(error).splitlines()[0]}") from None
    except CellExecutionError as error:
        kinds = [[one.output_type for one in cell.get("outputs", ())] for cell in read.cells]
        failed = [k for k, of_cell in enumerate(kinds) if "error" in of_cell]
        where = f"cell {failed[0] - 1}" if failed else "a cell"
        said = _COLORS.sub("", str(error)).strip().splitlines()[-1:]
        raise LectureError(f"{where} of {notebook.name} failed: {' '.join(said)}") from None
    del read.cells[0]
    return read
