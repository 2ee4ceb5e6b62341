"""The file of a sweep: every fit that has ended, written whole or not at all after each of them."""

import json
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import notebook_sne
from notebook_sne.machine import files
from notebook_sne.sweeps.one_fit import Row

__all__ = ["Kept"]

_FORMAT, _VERSION = "notebook_sne sweep", 1
_ARRAYS = ("embedding", "mixing")
# What must be the same, and how the difference is told.
_SAME = {
    "version": "is of version {there} of the format, and this is {here}",
    "package": "was written by notebook_sne {there}, and this is {here}",
    "model": "is of the model {there}, and this is {here}",
    "data": "is of other data, or of the same with other labels",
    "scores": "has the scores {there}, and these are {here}",
    "embeddings": "was written with embeddings={there}, and this call has {here}",
}


class Kept:
    """Rows by their keys, kept in a file if there is a path: new, or of an earlier call.

    `about` is what all rows have in common, ready for JSON: model, data, scores, embeddings, and `fixed`, the digests
    of those parameters that are the same in all settings. `columns` are those of the scores, and each map has
    `n_objects`. A ValueError says that the file holds something else, or rows of another version, model or data.
    """

    def __init__(self, path: str | Path | None, about: Mapping[str, Any]) -> None:
        self._path = None if path is None else files.check_place(path)
        self._about = {"format": _FORMAT, "version": _VERSION, "package": notebook_sne.__version__, **about}
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
        final = {key: row for key, row in self._rows.items() if row["final"]}
        numbers: dict[str, Row] = {}
        arrays: dict[str, Any] = {}
        for place, (name, each) in enumerate(final.items()):
            numbers[name] = {column: _written(value) for column, value in each.items() if column not in _ARRAYS}
            arrays |= {f"{column}.{place}": each[column] for column in _ARRAYS if column in each}
        header = json.dumps({**self._about, "rows": numbers})
        with files.write_whole(self._path) as file:
            np.savez(file, header=np.array(header), **arrays)

    def _load(self, path: Path) -> None:
        try:
            with np.load(path, allow_pickle=False) as file:
                there = json.loads(str(file["header"]))
                if there["format"] != _FORMAT:
                    raise KeyError
                self._check(there)
                for place, (key, each) in enumerate(there["rows"].items()):
                    row = {column: math.nan if value is None else value for column, value in each.items()}
                    arrays = {column: file[f"{column}.{place}"] for column in _ARRAYS if f"{column}.{place}" in file}
                    self._rows[key] = {**row, **arrays}
        except _OtherSweep as error:
            raise ValueError(f"path must be a new file or one of this sweep, but {path} {error}; {_OUT}") from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
            raise ValueError(
                f"path must be a new file, or one that sweep has written, but {path} is neither; {_OUT}"
            ) from None

    def _check(self, there: dict[str, Any]) -> None:
        """Refuse a file of another sweep, and find which parameters are the same in all rows of both."""
        for name, what in _SAME.items():
            if there[name] != self._about[name]:
                raise _OtherSweep(what.format(there=_listed(there[name]), here=_listed(self._about[name])))
        fixed, before = self._about["fixed"], there["fixed"]
        others = sorted(name for name in fixed.keys() & before.keys() if fixed[name] != before[name])
        if others:
            raise _OtherSweep(f"is of the model with other values of {', '.join(others)}")
        self._about["fixed"] = {name: value for name, value in fixed.items() if name in before}


_OUT = "give another path, or remove the file"


class _OtherSweep(Exception):
    """What tells a file from this sweep."""


def _written(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _listed(value: Any) -> Any:
    return ", ".join(value) or "none" if isinstance(value, list) else value
