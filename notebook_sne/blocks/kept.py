"""The file of places, and beside it the list of blocks that are done.

The places are an array of NumPy's own format, written block by block. Beside it, with ``.blocks`` after its name,
stands which blocks are done, with a digest of the places and one of the rows of X of each. The list is written whole or
not at all: first of all, and then always after the places that it speaks of.
"""

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

import notebook_sne
from notebook_sne.archives.archive import Damaged, Entry, declared, expect
from notebook_sne.archives.resumable import Form, check_same, reading, write
from notebook_sne.blocks.places import Block
from notebook_sne.blocks.rows import DIGEST, digest_of
from notebook_sne.checks.arrays import Floats, Ints
from notebook_sne.machine import files

__all__ = ["Kept"]

_FORM = Form(
    name="blocks",
    kind="list of blocks",
    writer="embed_in_blocks",
    version=2,
    smaller="give a larger block",
    way_out="give another path, or remove both files",
)


class Kept:
    """Places by their rows, in memory, or in a file if there is a path: new, or of an earlier call.

    `about` is what must be the same for an earlier call to be continued, ready for JSON. Of `n_objects` rows, `which`
    are those of the sample, and `blocks` have all others. A ValueError says that the file holds something else, or
    places of other objects or another model, or is damaged.
    """

    def __init__(
        self, path: str | Path | None, about: Mapping[str, Any], n_objects: int, which: Ints, blocks: Sequence[Block]
    ) -> None:
        self._about = {"package": notebook_sne.__version__, **about}
        # Of each block that is done, by its first row, the digests of its places and of its rows of X.
        self.done: dict[int, tuple[bytes, bytes]] = {}
        self.refined = False  # whether what is kept has been refined together
        self._refined = self._fitted = ""  # the digests of the refined places, and of those of the sample
        self._shape, self._which = (n_objects, 0), which
        self._path = None if path is None else files.check_place(path)
        self._places: Floats | None = None
        if self._path is not None and (self._path.exists() or self._list.exists()):
            self._load(self._path, {block.start: block for block in blocks})

    @property
    def _list(self) -> Path:
        assert self._path is not None
        return self._path.with_name(f"{self._path.name}.blocks")

    def begin(self, sample: Floats) -> None:
        """Make room for all places, with those of the sample, unless an earlier call has."""
        sample_digest = digest_of(sample).hex()
        if self._fitted and (sample_digest, sample.shape[1]) != (self._fitted, self._shape[1]):
            raise ValueError(
                f"path must be continued where it was begun, but the map of the sample in {self._path} is another "
                f"one, as another processor makes it; {_FORM.way_out}"
            )
        self._fitted, self._shape = sample_digest, (self._shape[0], sample.shape[1])
        if self._path is None:
            self._places = np.empty(self._shape)
            self._places[self._which] = sample
        elif self._places is None:
            self._write()
            with files.write_whole(self._path) as file:
                header = {"descr": "<f8", "fortran_order": False, "shape": self._shape}
                np.lib.format.write_array_header_1_0(file, header)
                files.reserve(file, 8 * math.prod(self._shape), self._path.parent)
                places = np.memmap(file, "<f8", "r+", offset=file.tell(), shape=self._shape)
                places[self._which] = sample
                places.flush()
                del places
            self._places = self._mapped(self._path, "r+")

    def add(self, block: Block, places: Floats, rows: bytes) -> None:
        """Keep the places of a block whose rows have this digest."""
        assert self._places is not None
        self._places[block.start + block.wanted] = places
        self.done[block.start] = digest_of(places), rows
        if isinstance(self._places, np.memmap):
            self._places.flush()
            self._write()

    def refine(self, places: Floats) -> None:
        """Put refined places where the others were."""
        self.refined = True
        self._places = None if self._path is not None else places  # a mapped file could not be replaced everywhere
        if self._path is None:
            return
        # Said first: an interrupt between the two leaves places that do not agree with it, and are refined again.
        self._refined = digest_of(places).hex()
        self._write()
        with files.write_whole(self._path) as file:
            np.save(file, np.ascontiguousarray(places, dtype="<f8"))

    def result(self) -> Floats:
        """Return all places; those in a file read-only, as they are on the disk."""
        if self._path is not None:
            return self._mapped(self._path, "r")
        assert self._places is not None
        return self._places

    def _write(self) -> None:
        done = sorted(self.done)
        header = {**self._about, "shape": self._shape, "fitted": self._fitted, "refined": self._refined}
        arrays: list[Entry] = [("done", "<i8", (len(done),), [np.array(done)])]
        for name, k in (("places", 0), ("rows", 1)):
            digests = np.frombuffer(b"".join(self.done[start][k] for start in done), dtype=np.uint8)
            arrays.append((name, "|u1", (len(done), DIGEST), [digests]))
        write(self._list, _FORM, header, arrays)

    def _load(self, path: Path, blocks: Mapping[int, Block]) -> None:
        if not self._list.exists():
            raise ValueError(
                f"path must be a new file, or one that embed_in_blocks has written, with {self._list.name} beside it, "
                f"but {path} is neither; give another path, or remove the file"
            )
        with reading(self._list, _FORM) as (there, archive):
            check_same(there, self._about)
            shape: Any = there.get("shape")
            texts: Any = (there.get("fitted"), there.get("refined"))
            fits = isinstance(shape, list) and [type(n) for n in shape] == [int, int] and shape[0] == self._shape[0]
            expect(fits and shape[1] > 0, "it does not say the shape of the places")
            expect(all(isinstance(text, str) for text in texts), "it does not say what was fitted or refined")
            self._shape, (self._fitted, self._refined) = (shape[0], shape[1]), texts
            done = archive.array("done", ("<i8",), (None,)).tolist()
            expect(len({*done}) == len(done) and blocks.keys() >= {*done}, "it lists blocks that there are not")
            digests = [archive.array(name, ("|u1",), (len(done), DIGEST)) for name in ("places", "rows")]
            pairs = ((places.tobytes(), rows.tobytes()) for places, rows in zip(*digests, strict=True))
            self.done = dict(zip(done, pairs, strict=True))
        if not path.exists() and not self.done and not self._refined:
            return  # interrupted before there was a file of places
        try:
            self._places = self._mapped(path, "r+")
            self._compare([blocks[start] for start in sorted(self.done)])
        except (FileNotFoundError, Damaged) as error:
            raise ValueError(
                f"path must be a file as embed_in_blocks left it, but {path} is damaged "
                f"({error if isinstance(error, Damaged) else 'it is not there'}); {_FORM.way_out}"
            ) from None

    def _mapped(self, path: Path, mode: Literal["r", "r+"]) -> Floats:
        """Map the places, of which type, shape and size are compared before, as a mapping would make a file longer."""
        with open(path, "rb" if mode == "r" else "r+b") as file:
            dtype, shape = declared(file, "it")
            expect(
                dtype == "<f8" and shape == self._shape,
                f"it holds {dtype} of shape {shape}, and its places are float64 of shape {self._shape}",
            )
            size, needed = os.fstat(file.fileno()).st_size, file.tell() + 8 * math.prod(shape)
            expect(size == needed, f"it has {size:,} bytes, and its places need {needed:,}")
            return np.memmap(file, "<f8", mode, offset=file.tell(), shape=shape)

    def _compare(self, done: Sequence[Block]) -> None:
        """Compare the places with their digests."""
        assert self._places is not None
        self.refined = self._refined == digest_of(self._places).hex()
        if self.refined:
            return
        same = self._fitted == digest_of(self._places[self._which]).hex()
        expect(same, "the places of the sample are not those that were written")
        for block in done:
            same = self.done[block.start][0] == digest_of(self._places[block.start + block.wanted])
            expect(same, f"the places of rows {block.start} to {block.stop - 1} are not those that were written")
