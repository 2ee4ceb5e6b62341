"""Facts that are given by the name of a column, of the table or the cells that the objects came in.

A DataFrame, an AnnData (its ``obs``), a DataArray of xarray (the coordinates of its objects) and a Dataset of this
package (its ``columns``) hold facts beside numbers. A view takes them by name, as ``labels="species"``.
"""

import difflib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.checks.holders import (
    column_names,
    column_of,
    family_of,
    is_frame,
    probabilities_held,
    without_columns,
)
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.class_colors import colors_beside

__all__ = ["facts_by_name", "in_order_of"]


class _Beside(NamedTuple):
    """The facts that objects came with."""

    what: str  # what holds them, in the words of an error
    names: list[Any]
    entries: Callable[[Any], Any]  # of a name


def facts_by_name(X: Any, *, columns: Any = None, label_colors: Any = None, **given: Any) -> tuple[Any, dict[str, Any]]:
    """Return the objects, and what is given about them, with entries in place of the names of columns.

    `given` are facts with an entry for each object, such as labels, any of which may be a name; `columns` may be a list
    of names. Of a DataFrame, the columns that are named are no part of the objects. Labels of an AnnData, by name or as
    the column itself, bring their colors, unless `label_colors` has others. What pandas has indexed is put into the
    order of the index of X. Raises a ValueError if there is no column of that name, or the index has other objects.
    """
    given = dict(zip(given, in_order_of(X, **given), strict=True))
    if isinstance(columns, Mapping):
        columns = {key: in_order_of(X, **{f"columns[{key!r}]": value})[0] for key, value in columns.items()}
    (columns,) = in_order_of(X, columns=columns)
    if label_colors is None:
        label_colors = colors_beside(X, _name_of(X, given.get("labels")))
    given["label_colors"] = label_colors
    if given.get("names", 0) is None and probabilities_held(X) is not None and hasattr(X, "nodes"):
        given["names"] = [str(node) for node in X.nodes]  # of a graph
    wanted = _names_in(columns)
    asked = {key: value for key, value in given.items() if isinstance(value, str) and key != "label_colors"}
    if wanted is None and isinstance(columns, str):
        raise TypeError(f"columns must be a table or a list of names, got {show(columns)}; write columns=[{columns!r}]")
    if wanted is None and not asked:
        return X, {**given, "columns": columns}
    beside = _beside(X)
    facts = {key: _entry(beside, key, value) if key in asked else value for key, value in given.items()}
    facts["columns"] = {name: _entry(beside, "columns", name) for name in wanted} if wanted else columns
    if is_frame(X):
        X = without_columns(X, dict.fromkeys([*asked.values(), *(wanted or [])]))
    return X, facts


def in_order_of(X: Any, **given: Any) -> list[Any]:
    """Return what is given about the objects X: a Series or DataFrame in the order of their index, all else as it is.

    An index that only counts the rows says nothing of which objects these are, so that they are taken as they stand.
    Raises a ValueError, which has the keyword, if the index has other objects.
    """
    index = getattr(getattr(X, "obs", X), "index", None)
    return [_in_order(key, value, index) for key, value in given.items()]


def _in_order(key: str, value: Any, index: Any) -> Any:
    if not (hasattr(value, "iloc") and hasattr(index, "equals")) or len(value) != len(index):
        return value
    if index.equals(value.index):
        return value
    if index.is_unique and value.index.is_unique and index.isin(value.index).all():
        return value.reindex(index)
    counted = np.arange(len(index))
    if any(np.array_equal(one.to_numpy(), counted) for one in (index, value.index)):
        return value
    raise ValueError(
        f"{key} must have the index of X, or one that counts the rows, got one with "
        f"{show(next(iter(value.index.difference(index)), value.index[0]))}, which is no object of X or there twice; "
        f"give {key}.to_numpy() if the entries stand in the order of X"
    )


def _names_in(columns: Any) -> list[str] | None:
    """Return names of columns, as they are given in a list, a tuple, an array or an Index; None for a table."""
    if isinstance(columns, str | Mapping) or is_frame(columns) or not hasattr(columns, "__iter__"):
        return None
    names = list(columns)
    if wrong := [one for one in names if not isinstance(one, str)]:
        raise TypeError(f"columns must be a table or a list of names, got {show(wrong[0])} among them; give names")
    return names or None


def _name_of(X: Any, labels: Any) -> Any:
    """Return the name of the column of an AnnData that labels are, by name or as they are; None for others."""
    if "anndata" not in family_of(X) or labels is None:
        return None
    name = labels if isinstance(labels, str) else getattr(labels, "name", None)
    if not isinstance(name, str) or name not in X.obs:
        return None
    return name if isinstance(labels, str) or labels.equals(X.obs[name]) else None


def _entry(beside: _Beside | None, key: str, name: str) -> Any:
    if beside is None:
        raise ValueError(
            f"{key} must hold one entry for each object, or name a column where X is a DataFrame or an AnnData, got "
            f"{show(name)}; give a list or an array"
        )
    if name not in beside.names:
        near = difflib.get_close_matches(name, [str(one) for one in beside.names], n=1)
        there = ", ".join(map(show, beside.names[:20])) or "nothing"
        raise ValueError(
            f"{key} must name a column of {beside.what}, which has {there}, got {show(name)}"
            + (f"; did you mean {show(near[0])}?" if near else "; give one of these names, or the entries themselves")
        )
    return beside.entries(name)


def _beside(X: Any) -> _Beside | None:
    if is_frame(X):
        return _Beside("X", column_names(X), lambda name: column_of(X, name))
    family = family_of(X)
    if "anndata" in family and hasattr(X, "obs"):
        return _Beside("X.obs", list(X.obs.columns), lambda name: X.obs[name])
    if "xarray" in family and hasattr(X, "coords") and hasattr(X, "dims"):
        names = [name for name, found in X.coords.items() if tuple(found.dims) == tuple(X.dims)[:1]]
        return _Beside("X.coords", names, lambda name: X.coords[name].values)
    columns: Any = getattr(X, "columns", None)
    if not hasattr(X, "shape") and (is_frame(columns) or isinstance(columns, Mapping)):  # a Dataset
        names = column_names(columns) if is_frame(columns) else list(columns)
        return _Beside("X.columns", names, lambda name: columns[name])
    return None
