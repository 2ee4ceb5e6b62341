"""Room for large arrays: in memory, or, on request, in files that are mapped into it.

A mapped array is read and written as any other. The operating system decides which parts are in memory, and writes the
others to disk where other programs need the room. The files have no name that would outlive the arrays, and their room
on the disk is reserved from the start.
"""

import contextlib
import math
import tempfile
from pathlib import Path

import numpy as np

from notebook_sne.engine.machine.files import reserve

__all__ = ["in_folder", "room_for"]

_folder: Path | None = None
_LEAST = 1 << 20  # bytes; below, a file is not worth its while


@contextlib.contextmanager
def in_folder(folder):
    """Have `room_for` map files in this folder, for all threads, as long as the block lasts."""
    global _folder
    before, _folder = _folder, Path(folder)
    try:
        yield
    finally:
        _folder = before


def room_for(shape, dtype):
    """Return a new array of this shape and dtype; what it holds isn't said.

    Raises an OSError if there is no room for it in the folder.
    """
    size = math.prod(np.atleast_1d(shape).tolist())
    if _folder is None or size * np.dtype(dtype).itemsize < _LEAST:
        return np.empty(shape, dtype)
    with tempfile.TemporaryFile(dir=_folder, prefix="notebook_sne-") as file:
        reserve(file, size * np.dtype(dtype).itemsize, _folder)
        return np.memmap(file, dtype, "r+", shape=tuple(np.atleast_1d(shape).tolist())).view(np.ndarray)
