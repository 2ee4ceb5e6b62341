"""Tables with named columns, of pandas, polars, pyarrow and all that narwhals reads: their names, and one column.

None of these is imported unless such a table is given. A table that isn't computed yet, as polars' LazyFrame, is none.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["column_names", "column_of", "is_frame", "is_pandas", "other_columns", "without_columns"]


def is_pandas(A: Any) -> bool:
    """Tell whether A is a table of pandas, or one that works like these."""
    return hasattr(A, "iloc") and hasattr(A, "columns")


def is_frame(A: Any) -> bool:
    """Tell whether A is such a table."""
    return is_pandas(A) or _read(A) is not None


def column_names(frame: Any) -> list[Any]:
    """Return what the columns of a table are called."""
    return list(frame.columns) if is_pandas(frame) else list(_read(frame).columns)


def column_of(frame: Any, name: Any) -> Any:
    """Return a column: of pandas as it is, of others an array, or a list with None where an entry is missing."""
    if is_pandas(frame):
        return frame[name]
    series = _read(frame)[name]
    # As lists, whole numbers and texts with gaps stay what they are; as arrays, dates keep their nanoseconds.
    return series.to_numpy() if series.dtype.is_float() or series.dtype.is_temporal() else series.to_list()


def other_columns(frame: Any) -> list[Any]:
    """Return the names of the columns whose type isn't one of numbers or truth values."""
    if is_pandas(frame):
        return [name for name, kind in zip(frame.columns, frame.dtypes, strict=True) if not _is_number(kind)]
    return [name for name, kind in _read(frame).schema.items() if not kind.is_numeric() and str(kind) != "Boolean"]


def without_columns(frame: Any, names: Iterable[Any]) -> Any:
    """Return a table of the same kind without some of its columns."""
    return frame.drop(columns=list(names)) if is_pandas(frame) else _read(frame).drop(list(names)).to_native()


def _is_number(kind: Any) -> bool:
    return getattr(kind, "kind", "O") in "biuf"


def _read(A: Any) -> Any:
    """Return narwhals' view of a table, or None."""
    if isinstance(A, np.ndarray | list | tuple | dict | str) or not hasattr(A, "columns"):
        return None
    import narwhals.stable.v1 as narwhals

    found = narwhals.from_native(A, eager_only=True, pass_through=True)
    return found if isinstance(found, narwhals.DataFrame) else None
