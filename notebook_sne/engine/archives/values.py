"""A nested value in an archive, bit for bit: JSON that points at arrays.

None, True, False, whole numbers, finite floats and texts stand for themselves. Anything else is an object with one
key: ``{"array": [g, i]}`` is entry i of the member ``arrays_g``, whose entries have one type and shape, and
``{"scalar": [g, i]}`` the NumPy number in it; ``{"float": "inf"}`` is a float that JSON doesn't know; ``{"tuple":
[...]}`` and ``{"map": {...}}`` hold more of the same. Many texts are two arrays, ``{"texts": [[g, i], [g, i]]}``: all
letters as UTF-8, and the length of each, -1 for None. One NaN is as good as another. The JSON is the member ``header``.
"""

import json
import math
from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import IO, Any

import numpy as np

from notebook_sne.engine.archives.archive import Archive, Damaged, expect, write_arrays

__all__ = ["read_value", "write_value"]

_LONGEST_HEADER = 64_000_000
_MOST_THINGS = 4_000_000  # in a header
_THING_BYTES = 100  # that each takes in memory, at most
_DEEPEST = 24
_MANY = 16  # texts
_STRANGE_FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def write_value(file: IO[bytes], value: Any, where: str, way_out: str) -> None:
    """Write a value into an open binary file; `where` names it in errors, and `way_out` says what to do if it is large.

    Raises a TypeError if a file can't hold something in it, a ValueError if there is too much of it.
    """
    writer = _Writer()
    node = writer.encode(value, where, 0)
    text = json.dumps([list(map(len, writer.groups.values())), node], allow_nan=False, separators=(",", ":")).encode()
    _check_length(text, math.inf, way_out)
    arrays = ((f"arrays_{g}", group) for g, group in enumerate(writer.groups.values()))
    write_arrays(file, [("header", [np.frombuffer(text, dtype=np.uint8)]), *arrays], way_out)


def _check_length(text: bytes, limit: float, way_out: str) -> None:
    """Refuse a header that would take much memory once it is read."""
    things = sum(map(text.count, (b",", b"[", b"{")))
    if len(text) > _LONGEST_HEADER or things > min(_MOST_THINGS, limit / _THING_BYTES):
        raise ValueError(f"the header is far too long ({len(text) / 1e6:.1f} MB); {way_out}")


class _Writer:
    """Gathers arrays in groups of one type and shape; one that is met again is not gathered again."""

    def __init__(self) -> None:
        self.groups: dict[Any, list[np.ndarray]] = {}
        self._places: dict[int, list[int]] = {}

    def place(self, array: np.ndarray) -> list[int]:
        if id(array) not in self._places:
            kind = (array.dtype.str, array.shape)
            group = self.groups.setdefault(kind, [])
            self._places[id(array)] = [list(self.groups).index(kind), len(group)]
            group.append(array)  # which keeps it, and so its id
        return self._places[id(array)]

    def encode(self, value: Any, where: str, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError(f"{where} is nested more than {_DEEPEST} deep; a file cannot hold it")
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"float": repr(float(value))}
        if isinstance(value, int):
            return int(value)
        if isinstance(value, np.ndarray):
            return {"array": self.place(value)}
        if isinstance(value, np.generic):
            return {"scalar": self.place(np.asarray(value))}
        if isinstance(value, tuple):
            if len(value) >= _MANY and all(text is None or type(text) is str for text in value):
                return {"texts": [self.place(part) for part in _as_arrays(value)]}
            return {"tuple": [self.encode(item, where, depth + 1) for item in value]}
        if isinstance(value, Mapping) and all(type(name) is str for name in value):
            return {"map": {name: self.encode(item, f"{where}, {name}", depth + 1) for name, item in value.items()}}
        raise TypeError(
            f"{where} holds a {type(value).__name__}, which a file cannot hold; "
            "use numbers, texts, arrays, tuples, and mappings with text keys"
        )


def _as_arrays(texts: Iterable[str | None]) -> tuple[np.ndarray, np.ndarray]:
    parts = [None if text is None else text.encode("utf-8", "surrogatepass") for text in texts]
    letters = np.frombuffer(b"".join(part or b"" for part in parts), dtype=np.uint8)
    return letters, np.array([-1 if part is None else len(part) for part in parts])


def read_value(file: IO[bytes], limit: float) -> Any:
    """Return the value in an open file that anyone may have made; the arrays in it are read-only, and so are mappings.

    `limit` is the most bytes that its arrays may declare, and that its texts may take. A ValueError says what is wrong.
    """
    archive = Archive(file, limit)
    size = archive.size("header")
    expect(size <= _LONGEST_HEADER, f"its header has {size / 1e6:.1f} MB, far more than any file needs")
    text = archive.entries("header", 1)[0].tobytes()
    _check_length(text, limit, "give a larger limit, or get another copy of the file")
    try:
        header = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # UnicodeDecodeError among them
        header = None
    expect(isinstance(header, list) and len(header) == 2, "its header is no JSON, or is nested too deeply")
    lengths, node = header
    # Something points at each of them: arrays of no bytes at all cannot be many either.
    most = sum(map(text.count, (b'"array":', b'"scalar":', b'"texts":', b'"texts":')))
    possible = isinstance(lengths, list) and all(type(n) is int and n > 0 for n in lengths) and sum(lengths) <= most
    expect(possible, "its header does not say how many arrays it has")
    groups = [archive.entries(f"arrays_{g}", n) for g, n in enumerate(lengths)]
    archive.check_digest()
    return _Reader(groups, limit).decode(node, 0)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


class _Reader:
    def __init__(self, groups: list[list[np.ndarray]], room: float) -> None:
        self.groups, self.room = groups, room

    def decode(self, node: Any, depth: int) -> Any:
        if node is None or isinstance(node, bool | str | int | float):
            return node
        shallow = depth <= _DEEPEST and isinstance(node, dict) and len(node) == 1
        expect(shallow, "a value in it is nested too deeply, or not written as values are")
        ((kind, inner),) = node.items()
        if kind == "float" and isinstance(inner, str) and inner in _STRANGE_FLOATS:
            return _STRANGE_FLOATS[inner]
        if kind == "array":
            return self._array_at(inner)
        if kind == "scalar" and (array := self._array_at(inner)).shape == ():
            return array[()]
        if kind == "tuple" and isinstance(inner, list):
            return tuple(self.decode(item, depth + 1) for item in inner)
        if kind == "texts" and isinstance(inner, list) and len(inner) == 2:
            return self._texts(*map(self._array_at, inner))
        if kind == "map" and isinstance(inner, dict):
            return MappingProxyType({name: self.decode(item, depth + 1) for name, item in inner.items()})
        raise Damaged(f"a value in it is a {kind[:60]!r} that cannot be read")

    def _array_at(self, place: Any) -> np.ndarray:
        there = isinstance(place, list) and len(place) == 2 and all(type(k) is int and k >= 0 for k in place)
        there = there and place[0] < len(self.groups) and place[1] < len(self.groups[place[0]])
        expect(there, "a value in it is an array that is not there")
        return self.groups[place[0]][place[1]]

    def _texts(self, letters: np.ndarray, lengths: np.ndarray) -> tuple[str | None, ...]:
        known = letters.dtype == np.uint8 and lengths.dtype == np.int64 and letters.ndim == lengths.ndim == 1
        expect(known and (lengths >= -1).all(), "texts in it are not written as texts are")
        self.room -= _THING_BYTES * len(lengths) + 4 * len(letters)
        expect(self.room >= 0, "its texts take more than the limit; give a larger limit if you trust the file")
        ends = [0, *accumulate(max(n, 0) for n in lengths.tolist())]
        expect(ends[-1] == len(letters), "texts in it do not end where their lengths say")
        try:
            found = [str(letters[a:b].tobytes(), "utf-8", "surrogatepass") for a, b in pairwise(ends)]
        except UnicodeDecodeError:
            raise Damaged("a text in it is no UTF-8") from None
        return tuple(None if n < 0 else text for n, text in zip(lengths.tolist(), found, strict=True))
