"""The columns of an explorer's table: what a data set or the reader knows of each word, as numbers."""

from __future__ import annotations

import numpy as np

from notebook_sne.engine.checks.numbers import show

__all__ = ["columns_of", "pack_columns"]


def columns_of(words, columns, names):
    """Return {name: (what it means, values)} of a data set and of a table, in the order of the names."""
    import pandas as pd

    found = {}
    own = getattr(words, "columns", None)
    if isinstance(own, pd.DataFrame):
        found = {
            str(name): ("as it was given", own[name].to_numpy(dtype=float)) for name in own.select_dtypes("number")
        }
    if columns is None:
        return found
    if not isinstance(columns, pd.DataFrame):
        raise TypeError(f"columns must be a DataFrame with a column word, or a row for each word, got {show(columns)}")
    if "word" not in columns:
        if len(columns) != len(names):
            raise ValueError(
                f"columns must have a column word, or a row for each of the {len(names)} words, got {len(columns)} "
                "rows; add the words"
            )
        columns = columns.assign(word=list(names))
    rows = columns[columns["word"].isin(names)].set_index("word")
    if len(twice := rows.index[rows.index.duplicated()]):
        raise ValueError(
            f"columns must have one row a word, got several for {show(twice[0])}; keep one of each, such as "
            "columns.drop_duplicates('word')"
        )
    numeric = rows.select_dtypes("number").reindex(list(names))
    if not numeric.shape[1]:
        raise ValueError("columns must have a column of numbers besides word; add what was measured")
    return found | {str(name): ("as it was given", numeric[name].to_numpy(dtype=float)) for name in numeric}


def pack_columns(columns):
    """Return the traits `columns` and `column_values`."""
    values = [np.asarray(value, dtype="<f4").tobytes() for _, value in columns.values()]
    return {
        "columns": [{"name": name, "text": text} for name, (text, _) in columns.items()],
        "column_values": b"".join(values),
    }
