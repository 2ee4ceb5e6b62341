"""Nested values, such as an optimizer's memory, as JSON that points at arrays, and back, bit for bit.

None, True, False, whole numbers, finite floats and texts stand for themselves. Anything else is an object with one
key: ``{"array": [g, i]}`` is array i of group g, ``{"scalar": [g, i]}`` the NumPy number in it, ``{"float": "inf"}`` a
float that JSON does not know, ``{"tuple": [...]}`` and ``{"map": {...}}`` hold more of the same. One NaN is
as good as another.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from notebook_sne.engine.archives.archive import TYPES, Archive, Entry, expect

__all__ = ["Arrays", "decode", "encode", "groups_in"]

_DEEPEST = 24
_STRANGE_FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


class Arrays:
    """Arrays gathered in groups of one type and shape; one that is met again is not gathered again."""

    def __init__(self) -> None:
        self.groups: dict[tuple[str, tuple[int, ...]], list[np.ndarray]] = {}
        self._places: dict[int, list[int]] = {}

    def place(self, array: np.ndarray) -> list[int]:
        """Return [group, index] of an array."""
        if id(array) not in self._places:
            kind = (array.dtype.str, array.shape)
            group = self.groups.setdefault(kind, [])
            self._places[id(array)] = [list(self.groups).index(kind), len(group)]
            group.append(array)  # which keeps it, and so its id
        return self._places[id(array)]

    def written(self, name: str) -> tuple[list[Entry], list[int]]:
        """Return the groups as arrays with this beginning of their names, and how many arrays each consists of."""
        entries: list[Entry] = [
            (f"{name}_{g}", dtype, (len(arrays), *shape), arrays)
            for g, ((dtype, shape), arrays) in enumerate(self.groups.items())
        ]
        return entries, [len(arrays) for arrays in self.groups.values()]


def groups_in(archive: Archive, name: str, lengths: Sequence[Any], n_places: int) -> list[list[np.ndarray]]:
    """Return the groups in a file: a header says their lengths, and points at arrays in so many places."""
    # Something points at each of them: arrays of no bytes at all cannot be many either.
    possible = all(type(n) is int and n > 0 for n in lengths) and sum(lengths) <= n_places
    expect(possible, f"its header does not say how many arrays its {name} has")
    return [list(archive.entries(f"{name}_{g}", TYPES, (n, ...))) for g, n in enumerate(lengths)]


def encode(value: Any, arrays: Arrays, where: str, depth: int = 0) -> Any:
    """Return a value as JSON, its arrays being gathered; `where` names it in errors."""
    if depth > _DEEPEST:
        raise ValueError(f"{where} is nested more than {_DEEPEST} deep; a file cannot hold it")
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, int):
        return int(value)
    if isinstance(value, np.ndarray):
        return {"array": arrays.place(value)}
    if isinstance(value, np.generic):
        return {"scalar": arrays.place(np.asarray(value))}
    if isinstance(value, tuple):
        return {"tuple": [encode(item, arrays, where, depth + 1) for item in value]}
    if isinstance(value, Mapping) and all(type(name) is str for name in value):
        return {"map": {name: encode(item, arrays, f"{where}, {name}", depth + 1) for name, item in value.items()}}
    raise TypeError(
        f"{where} holds a {type(value).__name__}, which a file cannot hold; "
        "use numbers, texts, arrays, tuples, and mappings with text keys"
    )


def decode(node: Any, arrays: Sequence[Sequence[np.ndarray]], what: str = "a state", depth: int = 0) -> Any:
    """Return the value that JSON from a file stands for; `arrays` are the groups, `what` names it in errors."""
    if node is None or isinstance(node, bool | str | int | float):
        return node
    shallow = depth <= _DEEPEST and isinstance(node, dict) and len(node) == 1
    expect(shallow, f"{what} in it is nested too deeply, or not written as values are")
    ((kind, inner),) = node.items()
    if kind == "float" and isinstance(inner, str) and inner in _STRANGE_FLOATS:
        return _STRANGE_FLOATS[inner]
    if kind in ("array", "scalar"):
        array = _array_at(inner, arrays, what)
        if kind == "array":
            return array
        if array.shape == ():
            return array[()]
    if kind == "tuple" and isinstance(inner, list):
        return tuple(decode(item, arrays, what, depth + 1) for item in inner)
    if kind == "map" and isinstance(inner, dict):
        return {name: decode(item, arrays, what, depth + 1) for name, item in inner.items()}
    return expect(False, f"{what} in it holds a {kind[:60]!r} that cannot be read")


def _array_at(place: Any, arrays: Sequence[Sequence[np.ndarray]], what: str) -> np.ndarray:
    there = isinstance(place, list) and len(place) == 2 and all(type(k) is int and k >= 0 for k in place)
    there = there and place[0] < len(arrays) and place[1] < len(arrays[place[0]])
    expect(there, f"{what} in it points at an array that is not there")
    found: np.ndarray = arrays[place[0]][place[1]]
    return found
