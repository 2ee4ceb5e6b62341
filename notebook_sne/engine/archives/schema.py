"""Schemas: what a value from a file, which anyone may have made, must be like.

A schema is a function of a value and its name. It raises a `Damaged` error where the value isn't as it is written; the
functions here return schemas.
"""

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from notebook_sne.engine.archives.archive import expect

__all__ = ["FINITE", "NUMBER", "TEXT", "Schema", "array", "each", "mapping", "maybe", "one_of", "row", "rule"]
__all__ += ["table", "texts", "whole"]

Schema = Callable[[Any, str], None]

_LONGEST = 1000
_LAST = 2**62  # no whole number is larger


def rule(what: str, fits: Callable[[Any], object]) -> Schema:
    """A value for which a function is true; `what` says in an error what it must be."""

    def check(value: Any, where: str) -> None:
        expect(fits(value), f"{where} must be {what}")

    return check


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


TEXT = rule(f"a text of at most {_LONGEST} letters", lambda value: isinstance(value, str) and len(value) <= _LONGEST)
NUMBER = rule("a number", _is_number)
FINITE = rule("a finite number", lambda value: _is_number(value) and math.isfinite(value))


def whole(low: int, high: int = _LAST) -> Schema:
    """A whole number in a range."""
    return rule(f"a whole number of at least {low}", lambda value: type(value) is int and low <= value <= high)


def one_of(values: Collection[str]) -> Schema:
    """One of some texts."""
    return rule(f"one of {', '.join(values)}", lambda value: isinstance(value, str) and value in values)


def maybe(schema: Schema) -> Schema:
    """None, or what a schema says."""
    return lambda value, where: None if value is None else schema(value, where)


def each(schema: Schema, most: float = math.inf) -> Schema:
    """At most so many values, each as a schema says."""

    def check(value: Any, where: str) -> None:
        expect(isinstance(value, tuple), f"{where} must be a list")
        expect(len(value) <= most, f"{where} must be at most {most}, got {len(value)}")
        for one in value:
            schema(one, f"one of {where}")

    return check


def row(*schemas: Schema) -> Schema:
    """So many values, each by its schema."""

    def check(value: Any, where: str) -> None:
        expect(isinstance(value, tuple) and len(value) == len(schemas), f"{where} must be a row of {len(schemas)}")
        for one, schema in zip(value, schemas, strict=True):
            schema(one, where)

    return check


def mapping(schema: Schema, most: float = math.inf) -> Schema:
    """Names, at most so many, of values as a schema says."""

    def check(value: Any, where: str) -> None:
        expect(isinstance(value, Mapping) and len(value) <= most, f"{where} must be at most {most} names and values")
        for name, one in value.items():
            TEXT(name, f"a name in {where}")
            schema(one, where)

    return check


def table(**schemas: Schema) -> Schema:
    """These names, and a value by its schema for each."""

    def check(value: Any, where: str) -> None:
        known = isinstance(value, Mapping) and value.keys() == schemas.keys()
        expect(known, f"{where} must have {', '.join(schemas)}")
        for name, schema in schemas.items():
            schema(value[name], f"{name} of {where}")

    return check


def array(kinds: str, *shape: int | None, finite: bool = True) -> Schema:
    """An array of one of some types, such as "<f8", of a shape, None being any length of 1 or more."""

    def fits(value: Any) -> bool:
        known = isinstance(value, np.ndarray) and value.dtype.str in kinds.split() and value.ndim == len(shape)
        known = known and all(n == m or (m is None and n) for n, m in zip(value.shape, shape, strict=True))
        return bool(known and (not finite or np.isfinite(value).all()))

    sizes = ", ".join("any" if n is None else str(n) for n in shape)
    return rule(f"{'finite ' if finite else ''}numbers {kinds} of shape ({sizes})", fits)


def texts(n: int, gaps: bool = False) -> Schema:
    """So many texts, some of which may be missing."""
    kinds = (str, type(None)) if gaps else (str,)
    return rule(
        f"{n} texts",
        lambda value: isinstance(value, tuple) and len(value) == n and all(type(t) in kinds for t in value),
    )
