"""The file of a sweep: every fit that has ended, written whole or not at all after each of them."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import notebook_sne
from notebook_sne.archives.archive import TYPES, expect
from notebook_sne.archives.header import list_in
from notebook_sne.archives.nested import Arrays, decode, encode, groups_in
from notebook_sne.archives.resumable import Form, OtherCall, reading, write
from notebook_sne.machine import files
from notebook_sne.sweeps.one_fit import Row

__all__ = ["Kept"]

_FORM = Form(
    name="sweep",
    kind="sweep",
    writer="sweep",
    version=2,
    smaller="sweep parts of the grid into files of their own, or with embeddings=False",
    way_out="give another path, or remove the file",
)
# What must be the same, its type, and how the difference is told.
_SAME = {
    "package": (str, "was written by notebook_sne {there}, and this is {here}"),
    "model": (str, "is of the model {there}, and this is {here}"),
    "data": (str, "is of other data, or of the same with other labels"),
    "scores": (list, "has the scores {there}, and these are {here}"),
    "embeddings": (bool, "was written with embeddings={there}, and this call has {here}"),
}
_OF_ALL = {"cost", "updates", "seconds", "error", "final"}
_ARRAYS = {"embedding", "mixing"}


class Kept:
    """Rows by their keys, kept in a file if there is a path: new, or of an earlier call.

    `about` is what all rows have in common, ready for JSON: model, data, scores, embeddings, and `fixed`, the digests
    of those parameters that are the same in all settings. `columns` are those of the scores, and each map has
    `n_objects`. A ValueError says that the file holds something else, or rows of another version, model or data.
    """

    def __init__(
        self, path: str | Path | None, about: Mapping[str, Any], columns: Collection[str], n_objects: int
    ) -> None:
        self._path = None if path is None else files.check_place(path)
        self._about = {"package": notebook_sne.__version__, **about}
        self._columns, self._n_objects = {*columns}, n_objects
        self._rows: dict[str, Row] = {}
        if self._path is not None and self._path.exists():
            self._load(self._path)

    def get(self, key: str) -> Row | None:
        """Return a row, or None if it is not known."""
        return self._rows.get(key)

    def add(self, key: str, row: Row) -> None:
        """Keep a row, for good if it is final; the file is written whole, or stays as it was."""
        self._rows[key] = row
        if self._path is None or not row["final"]:
            return
        try:
            self._check(row)
        except ValueError as error:
            raise ValueError(
                "path must be left out where a file could not hold what the fits give, as maps that are no numbers of "
                f"shape (N, d), but {error}; leave out path or embeddings"
            ) from None
        arrays = Arrays()
        rows = {key: encode(row, arrays, f"the row {key}") for key, row in self._rows.items() if row["final"]}
        entries, lengths = arrays.written("maps")
        write(self._path, _FORM, {**self._about, "maps": lengths, "rows": rows}, entries)

    def _load(self, path: Path) -> None:
        with reading(path, _FORM) as (there, archive):
            self._compare(there)
            rows: Any = there.get("rows")
            expect(isinstance(rows, dict), "it has no rows")
            maps = groups_in(archive, "maps", list_in(there, "maps"), 2 * len(rows))
            for key, node in rows.items():
                row = decode(node, maps, "a row")
                self._check(row)
                self._rows[key] = {name: np.array(v) if name in _ARRAYS else v for name, v in row.items()}

    def _compare(self, there: dict[str, Any]) -> None:
        """Refuse a file of another sweep, and find which parameters are the same in all rows of both."""
        for name, (kind, what) in _SAME.items():
            given, here = there.get(name), self._about[name]
            expect(type(given) is kind, f"it does not say its {name}")
            if given != here:
                raise OtherCall(what.format(there=_listed(given), here=_listed(here)))
        fixed: dict[str, Any] = self._about["fixed"]
        before: Any = there.get("fixed")
        expect(isinstance(before, dict), "it does not say its fixed parameters")
        others = sorted(name for name in fixed.keys() & before.keys() if fixed[name] != before[name])
        if others:
            raise OtherCall(f"is of the model with other values of {', '.join(others)}")
        self._about["fixed"] = {name: value for name, value in fixed.items() if name in before}

    def _check(self, row: Any) -> None:
        """Refuse what is no row of this sweep."""
        expect(isinstance(row, dict) and row.keys() >= _OF_ALL, "a row in it lacks a column")
        maps = _ARRAYS if self._about["embeddings"] else set()
        expect(row.keys() <= _OF_ALL | self._columns | maps, "a row in it has columns of another sweep")
        failed = row["error"] != ""
        expect(failed or row.keys() >= self._columns | (maps - {"mixing"}), "a row in it lacks a score or its map")
        known = type(row["error"]) is str and row["final"] is True
        known = known and (row["updates"] is None or (type(row["updates"]) is int and abs(row["updates"]) < 2**63))
        known = known and all(type(row[name]) is float for name in row.keys() - maps - {"error", "final", "updates"})
        expect(known, "a row in it holds something else than numbers and the text of an error")
        self._check_map(row.get("embedding"), row.get("mixing"))

    def _check_map(self, Y: Any, mixing: Any) -> None:
        for array in (Y, mixing):
            numbers = array is None or (isinstance(array, np.ndarray) and array.dtype.newbyteorder("<").str in TYPES)
            expect(numbers, "a map in it is no array of numbers")
        fits = Y is None or (Y.ndim in (2, 3) and Y.shape[-2] == self._n_objects)
        expect(fits, f"a map in it is none of {self._n_objects} objects, but of shape {np.shape(Y)}")
        fits = mixing is None or (Y is not None and Y.ndim == 3 and mixing.shape == Y.shape[:2])
        expect(fits, f"proportions in it do not fit their maps, but are of shape {np.shape(mixing)}")


def _listed(value: Any) -> str:
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)
