"""Columns: whatever else is known of each object, such as a year, a source or a link, to be read, colored by and asked.

A column holds numbers, dates or texts, depending on its entries that aren't missing. Truth values are the texts yes
and no, and a link is a text like any other: nothing in a column is ever run or opened. Missing entries stay missing.
"""

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.checks.holders import column_names, column_of, is_frame
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.entries import read_entries, split_entries
from notebook_sne.engine.objects.exact import date_unit, join_dates, join_whole, split_dates, split_whole
from notebook_sne.engine.objects.labels import MOST_CLASSES, in_order, own_order, read_labels

__all__ = ["KINDS", "MOST_COLUMNS", "MOST_TEXT", "Column", "as_given", "column_traits", "frame_of", "in_parts"]
__all__ += ["read_columns"]

MOST_COLUMNS, MOST_TEXT = 64, 8_000_000  # letters in all: a page and a saved notebook hold them
LONGEST_NAME = 200
FEW_KINDS = 256  # different texts that are classes of however few objects
_WHOLE = 2**53  # up to here a double holds every whole number
KINDS = ("number", "date", "text")
_NESTED = list | tuple | dict | set | frozenset | np.ndarray
_RESERVED = ("name", "label", "value", "x", "y")


class Column(NamedTuple):
    """One column of facts about the objects."""

    name: str
    kind: str
    """number, date or text."""
    entries: Any
    """float64, shape (N,), dates in ms since 1970, NaN where missing; or a tuple of str, None where missing."""
    rest: Any = None
    """What entries lack of whole numbers above 2**53, and the nanoseconds of dates; float64, shape (N,). None for 0."""
    order: tuple[str, ...] | None = None
    """Of texts, their order as classes, where it is not the natural one: that of the categories of pandas."""


def read_columns(columns, n_objects):
    """Return the columns beside the objects, a tuple of Column.

    They are given as a DataFrame of pandas, polars or pyarrow, a mapping of str to array-like, a tuple of Column, or
    None, with one entry for each object in each: numbers, dates, truth values, or what `str` makes texts of. N is
    `n_objects`; None for any number.

    Raises a ValueError if there isn't one entry for each object, a number is infinite, or there are more than 64
    columns or 8 million letters; also if two names are alike, or one is missing, longer than 200 letters or used by
    the view itself. Raises a TypeError if they are no table.
    """
    if columns is None:
        return ()
    if isinstance(columns, tuple) and all(isinstance(column, Column) for column in columns):
        given = {column.name: as_given(column) for column in columns}
    elif hasattr(columns, "iloc") and hasattr(columns, "columns"):
        called = list(map(_called, columns.columns))
        given = {name: columns.iloc[:, k] for k, name in enumerate(called)}
        if len(given) < len(called):
            raise ValueError(f"columns must have names that differ, got {called}; rename them")
    elif isinstance(columns, Mapping):
        given = {_called(name): entries for name, entries in columns.items()}
    elif is_frame(columns):
        given = {name: column_of(columns, name) for name in column_names(columns)}
    else:
        what = f"{type(columns).__module__.partition('.')[0]}.{type(columns).__name__}"
        got = what if hasattr(columns, "columns") or hasattr(columns, "collect") else show(columns)
        way = "collect() it first" if hasattr(columns, "collect") else "give columns={'year': years}, or a table"
        raise TypeError(f"columns must be a DataFrame or a mapping of names to entries, got {got}; {way}")
    if len(given) > MOST_COLUMNS:
        raise ValueError(f"columns must be at most {MOST_COLUMNS}, got {len(given)}; leave some out")
    bad = [name for name in given if not name or len(name) > LONGEST_NAME or name in _RESERVED]
    if bad:
        raise ValueError(
            f"columns must have names of 1 to {LONGEST_NAME} letters other than {', '.join(_RESERVED)}, got "
            f"{show(bad[0])}; rename it"
        )
    found = tuple(_read(name, entries, n_objects) for name, entries in given.items())
    letters = sum(len(text) for column in found if column.kind == "text" for text in column.entries if text)
    if letters > MOST_TEXT:
        raise ValueError(f"columns must hold at most {MOST_TEXT:,} letters, got {letters:,}; shorten or leave some out")
    return found


def as_given(column):
    """Return the entries of a column as a table has them."""
    if column.kind == "text":
        return list(column.entries) if column.order is None else in_order(_array(column.entries), column.order)
    if column.kind == "date":
        return join_dates(column.entries, column.rest)
    return column.entries if column.rest is None else _whole_series(column)


def _whole_series(column):
    import pandas as pd

    missing = np.isnan(column.entries)
    whole = join_whole(np.where(missing, 0.0, column.entries), column.rest)
    made = pd.Series(whole)
    return made.astype("UInt64" if whole.dtype.kind == "u" else "Int64").mask(missing) if missing.any() else made


def in_parts(column):
    """Tell whether entries and rest of a column from a file are what `read_columns` makes of whole numbers or dates."""
    if column.rest is None:
        return True
    whole = column.entries[~np.isnan(column.entries)]
    low, high = (0, 10**6 - 1) if column.kind == "date" else (-1024, 1024)
    within = (column.rest == np.floor(column.rest)) & (column.rest >= low) & (column.rest <= high)
    if not (within.all() and (whole == np.floor(whole)).all() and (np.abs(whole) <= 2.0**64).all()):
        return False
    again = _read(column.name, as_given(column), None)
    return again.rest is not None and all(
        np.array_equal(part, there, equal_nan=True)
        for part, there in ((again.entries, column.entries), (again.rest, column.rest))
    )


def _read(name, entries, n_objects):
    said = f"columns[{name!r}]"
    listed, missing = read_entries(said, entries, n_objects)
    if any(isinstance(one, _NESTED) for one in listed):  # told as it is written: a table in a table is no number
        present = np.array([_text(one) for one, gone in zip(listed, missing, strict=True) if not gone], dtype=object)
    else:
        present, missing = split_entries(said, entries, n_objects)
    if present.dtype.kind == "m":
        import pandas as pd

        present = np.array([str(one) for one in pd.to_timedelta(present)], dtype=object)
    if present.dtype.kind == "O" and len(present) and all(isinstance(one, datetime.date) for one in present):
        import pandas as pd

        present = pd.to_datetime(list(present), utc=True).tz_localize(None).to_numpy()
    if present.dtype.kind == "f":
        present = _without_loss(said, listed, present)
    if present.dtype.kind == "M":
        moments = present.astype(f"datetime64[{date_unit(present.dtype)}]")
        return _in_parts(name, "date", split_dates(moments, "ms"), missing)
    if present.dtype.kind in "iu":
        return _in_parts(name, "number", split_whole(present), missing)
    if present.dtype.kind == "f":
        numbers = _with_gaps(present, missing)
        if np.isinf(numbers).any():
            raise ValueError(
                f"{said} must be finite, got {numbers[np.isinf(numbers)][0]}; give NaN where there is none"
            )
        return Column(name, "number", numbers)
    texts = ["yes" if one else "no" for one in present] if present.dtype.kind == "b" else list(map(_text, present))
    remaining = iter(texts)
    found = tuple(None if gone else next(remaining) for gone in missing)
    order = own_order(entries)
    return Column(name, "text", found, order=order if order and {*order} == {*texts} else None)


def _called(name):
    """Return the name of a column in words; one of several levels has them one after the other."""
    return " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _without_loss(said, listed, present):
    """Return numbers as doubles; as texts, what no type of 64 bits holds: whole numbers below 0 and above 2**63."""
    if not isinstance(listed, list) and listed.dtype.kind == "f":
        return present
    whole = [one for one in listed if isinstance(one, int | np.integer)]
    large = [one for one in whole if abs(int(one)) > _WHOLE]
    if not large:
        return present
    if len(whole) == len(present):
        return np.array(list(map(str, whole)), dtype=object)
    raise ValueError(
        f"{said} must not hold fractions beside whole numbers above 2**53, which no one type holds exactly, got "
        f"{show(large[0])}; give whole numbers alone, or texts"
    )


def _in_parts(name, kind, parts, missing):
    high, rest = parts
    return Column(name, kind, _with_gaps(high, missing), None if rest is None else _with_gaps(rest, missing, 0.0))


def _with_gaps(present, missing, gap=np.nan):
    numbers = np.full(len(missing), gap)
    numbers[~missing] = present
    numbers.flags.writeable = False
    return numbers


def _array(texts):
    return np.array([*texts, None], dtype=object)[:-1]  # of objects, also where none is missing


def _text(entry):
    return entry.decode(errors="replace") if isinstance(entry, bytes) else str(entry)


def frame_of(columns):
    """Return columns as a DataFrame, a row for each object."""
    import pandas as pd

    return pd.DataFrame({column.name: as_given(column) for column in columns})


def column_traits(columns):
    """Return the traits ``object_columns``, a dict each, and ``object_numbers``, float64 bytes of numbers and dates.

    ``at`` is the place of a column there, and ``rest`` that of what its doubles lack, if they lack anything.

    A column of texts has ``texts``; where they fall into classes, at most 256 or a quarter of the objects, it has
    ``classes``, their names in their order.
    ``colors`` says whether colors can mean it: one of classes can, or of numbers or dates, unless it is all missing.
    """
    listed: list[dict[str, Any]] = []
    numbers: list[bytes] = []
    for column in columns:
        facts = {"name": column.name, "kind": column.kind}
        if column.kind == "text":
            facts["texts"] = list(column.entries)
            n_kinds = len(set(column.entries) - {None})
            if n_kinds <= FEW_KINDS or n_kinds <= min(MOST_CLASSES, len(column.entries) // 4):
                facts["classes"] = list(read_labels(as_given(column), None).class_names)
            facts["colors"] = bool(facts.get("classes"))
        else:
            facts |= {"at": len(numbers), "colors": not np.isnan(column.entries).all()}
            numbers.append(np.asarray(column.entries, "<f8").tobytes())
            if column.rest is not None:
                facts["rest"] = len(numbers)
                numbers.append(np.asarray(column.rest, "<f8").tobytes())
        listed.append(facts)
    return {"object_columns": listed, "object_numbers": b"".join(numbers)}
