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

from notebook_sne.archives.archive import expect

__all__ = ["Arrays", "decode", "encode"]

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


def decode(node: Any, arrays: Sequence[Sequence[np.ndarray]], depth: int = 0) -> Any:
    """Return the value that JSON from a file stands for; `arrays` are the groups. A ValueError where it is wrong."""
    if node is None or isinstance(node, bool | str | int | float):
        return node
    shallow = depth <= _DEEPEST and isinstance(node, dict) and len(node) == 1
    expect(shallow, "a state in it is nested too deeply, or not written as save writes it")
    ((kind, inner),) = node.items()
    if kind == "float" and isinstance(inner, str) and inner in _STRANGE_FLOATS:
        return _STRANGE_FLOATS[inner]
    if kind in ("array", "scalar"):
        array = _array_at(inner, arrays)
        if kind == "array":
            return array
        if array.shape == ():
            return array[()]
    if kind == "tuple" and isinstance(inner, list):
        return tuple(decode(item, arrays, depth + 1) for item in inner)
    if kind == "map" and isinstance(inner, dict):
        return {name: decode(item, arrays, depth + 1) for name, item in inner.items()}
    return expect(False, f"a state in it holds a {kind[:60]!r} that cannot be read")


def _array_at(place: Any, arrays: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
    there = isinstance(place, list) and len(place) == 2 and all(type(k) is int and k >= 0 for k in place)
    there = there and place[0] < len(arrays) and place[1] < len(arrays[place[0]])
    expect(there, "a state in it points at an array that is not there")
    found: np.ndarray = arrays[place[0]][place[1]]
    return found
