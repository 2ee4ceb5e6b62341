"""Objects that hold vectors, neighbors or a P, and tables with named columns. No package is imported for them.

An AnnData of single cells holds several. Of these, its principal components, ``obsm["X_pca"]``, are taken where there
are any, as most tools for single cells do, and otherwise X; and as neighbors ``obsp["distances"]``. Word vectors of
gensim, a KeyedVectors, hold one array, ``vectors``; their words are its ``index_to_key``. openTSNE's affinities and
the result of `affinities.from_graph` hold a ``P``.

Tables are those of pandas, polars, pyarrow and all that narwhals reads; it is imported where one is given. A table that
isn't computed yet, as polars' LazyFrame, is none.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["column_names", "column_of", "family_of", "is_frame", "is_pandas", "matrix_held", "neighbors_held"]
__all__ += ["other_columns", "probabilities_held", "refuse_cells", "vectors_held", "without_columns"]

_CELLS, _DISTANCES = "X_pca", "distances"


def family_of(A: object) -> set[str]:
    """Return the names of the packages that an object's class and its bases come from."""
    return {base.__module__.partition(".")[0] for base in type(A).__mro__}


def vectors_held(name: str, A: Any) -> Any:
    """Return the vectors that A holds, or A itself, where it is nothing that is known here to hold any.

    Raises a ValueError if an AnnData has neither X nor components; the message says what it has.
    """
    family = family_of(A)
    if "anndata" in family and hasattr(A, "obsm"):
        if _CELLS in A.obsm:
            return A.obsm[_CELLS]
        if getattr(A, "X", None) is None:
            raise ValueError(
                f"{name} must hold vectors, but this AnnData has neither X nor obsm[{_CELLS!r}]; {_keys('obsm', A)}"
            )
        return A.X
    if "gensim" in family:
        held = getattr(A, "wv", A)  # a model that was trained holds its vectors there
        if hasattr(held, "index_to_key"):
            return held.vectors
    P = probabilities_held(A)
    return A if P is None else P


def matrix_held(name: str, A: Any, input: str) -> Any:
    """Return what A holds of that which a model with this `input` takes, or A itself."""
    if input == "neighbors":
        return neighbors_held(name, A)
    if input == "vectors":
        return vectors_held(name, A)
    P = probabilities_held(A)
    return A if P is None else P


def probabilities_held(A: Any) -> Any:
    """Return the P that A holds, of openTSNE's affinities or of a graph's; None where A is none of these."""
    family = family_of(A)
    if "openTSNE" in family or ("notebook_sne" in family and type(A).__name__ == "Graph"):
        return getattr(A, "P", None)
    return None


def neighbors_held(name: str, A: Any) -> Any:
    """Return the distances to neighbors that an AnnData holds, or A itself, where it is none.

    Raises a ValueError if it has none; the message says what it has.
    """
    if "anndata" in family_of(A) and hasattr(A, "obsp"):
        if _DISTANCES not in A.obsp:
            raise ValueError(
                f"{name} must hold distances to neighbors, but this AnnData has no obsp[{_DISTANCES!r}], which "
                f"scanpy.pp.neighbors makes; {_keys('obsp', A)}"
            )
        return A.obsp[_DISTANCES]
    return A


def refuse_cells(name: str, A: Any, input: str) -> None:
    """Raise a ValueError where A is an AnnData and its input isn't what it can be read as."""
    if "anndata" in family_of(A) and hasattr(A, "obsp"):
        raise ValueError(
            f"{name} must be a matrix with input={input!r}, got an AnnData, of which vectors and neighbors are read; "
            f"{_keys('obsp', A)}"
        )


def _keys(part: str, A: Any) -> str:
    keys = list(getattr(A, part))
    if not keys:
        return f"its {part} is empty"
    return f"its {part} has {', '.join(map(repr, keys))}: give one of them, such as {part}[{keys[0]!r}] of it, as it is"


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
