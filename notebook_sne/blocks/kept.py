"""The file of places, and beside it the list of blocks that are done.

The places are an array of NumPy's own format, written block by block. Beside it, with ``.blocks`` after its name,
stands which blocks are done; it is written whole or not at all, and always after the places that it speaks of.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import notebook_sne
from notebook_sne.checks.arrays import Floats
from notebook_sne.machine import files

__all__ = ["Kept"]

_FORMAT, _VERSION = "notebook_sne blocks", 1
_OUT = "give another path, or remove both files"


class Kept:
    """Places by their rows, in memory, or in a file if there is a path: new, or of an earlier call.

    `about` is what must be the same for an earlier call to be continued, ready for JSON. Of `n_objects` rows, `which`
    are those of the sample, and `blocks` have all others. A ValueError says that the file holds something else, or
    places of other objects or another model, or is damaged.
    """

    def __init__(self, path: str | Path | None, about: Mapping[str, Any]) -> None:
        self._about = {"format": _FORMAT, "version": _VERSION, "package": notebook_sne.__version__, **about}
        self.done: set[int] = set()
        self.fitted: str | None = None  # what tells the map of the sample
        self._refined: str | None = None
        self._path = None if path is None else files.check_place(path)
        self.places: Floats | None = None
        if self._path is not None and (self._path.exists() or self._list.exists()):
            self._load(self._path)

    @property
    def _list(self) -> Path:
        assert self._path is not None
        return self._path.with_name(f"{self._path.name}.blocks")

    def begin(self, shape: tuple[int, int], which: Any, sample: Floats) -> None:
        """Make room for all places, with those of the sample, unless an earlier call has."""
        told = _digest(sample)
        if self.fitted is not None:
            if told != self.fitted:
                raise ValueError(
                    f"path must be continued where it was begun, but the map of the sample in {self._path} is another "
                    f"one, as another processor makes it; {_OUT}"
                )
            return
        if self._path is None:
            self.places = np.empty(shape)
        else:
            self.places = np.lib.format.open_memmap(self._path, mode="w+", dtype=np.float64, shape=shape)
        self.places[which] = sample
        self.fitted = told
        self._write()

    def add(self, start: int, rows: Any, places: Floats) -> None:
        """Keep the places of a block."""
        assert self.places is not None
        self.places[rows] = places
        self.done.add(start)
        self._write()

    @property
    def refined(self) -> bool:
        """Whether what is kept has been refined together."""
        return self._refined is not None and self.places is not None and _digest(self.places) == self._refined

    def refine(self, places: Floats) -> None:
        """Put refined places where the others were."""
        if self._path is None:
            self.places = places
            return
        # Said first: an interrupt between the two leaves places that do not agree with it, and are refined again.
        self._refined = _digest(places)
        self._write()
        with files.write_whole(self._path) as file:
            np.save(file, np.ascontiguousarray(places))
        self.places = np.load(self._path, mmap_mode="r")

    def result(self) -> Floats:
        """Return all places; those in a file read-only, as they are on the disk."""
        assert self.places is not None
        return self.places if self._path is None else np.load(self._path, mmap_mode="r")

    def _write(self) -> None:
        if self._path is None:
            return
        if isinstance(self.places, np.memmap):
            self.places.flush()
        told = {**self._about, "fitted": self.fitted, "done": sorted(self.done), "refined": self._refined}
        files.write(self._list, json.dumps(told).encode())

    def _load(self, path: Path) -> None:
        try:
            there = json.loads(self._list.read_text(encoding="utf-8"))
            if there["format"] != _FORMAT:
                raise KeyError
            other = [name for name, value in self._about.items() if there.get(name) != value]
            if not other:
                self.places = np.lib.format.open_memmap(path, mode="r+")
                self.done, self.fitted, self._refined = set(there["done"]), there["fitted"], there["refined"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(
                f"path must be a new file, or one that embed_in_blocks has written, with {self._list.name} beside it, "
                f"but {path} is neither; {_OUT}"
            ) from None
        if other:
            raise ValueError(
                f"path must be a new file or one of this call, but {path} was written with another "
                f"{', '.join(other)}; {_OUT}"
            )


def _digest(places: Floats) -> str:
    return hashlib.blake2b(np.ascontiguousarray(places).data, digest_size=16).hexdigest()
