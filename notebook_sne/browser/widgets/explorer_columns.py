"""The columns of an explorer's table: what a data set, the reader or an Evidence knows of each word, as numbers."""

from __future__ import annotations

import numpy as np

from notebook_sne.engine.checks.numbers import show

__all__ = ["EVIDENCE", "columns_of", "pack_columns"]

EVIDENCE = {  # the columns of an Evidence, and what they mean
    "n_copies": "copies of the word, mean over the fits of the evidence",
    "n_fits": "fits of the evidence in which it has several",
    "gain": "what its second copy adds to the prediction of held-out responses, in nats a response",
    "error": "standard error of the gain",
    "p_value": "of no gain",
    "q_value": "least rate of false discoveries at which the word is among those found",
    "n_test": "held-out responses of the word",
}


def columns_of(words, columns, evidence, names):
    """Return {name: (what it means, values)} of a data set, a table and an Evidence, in the order of the names."""
    found = _own_columns(words, columns, names)
    return found if evidence is None else found | _evidence_columns(evidence, names)


def _own_columns(words, columns, names):
    """Return the columns of numbers of a data set and of a table, in the order of the names."""
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
    return found | _numbers(columns[columns["word"].isin(names)], names, "columns", lambda name: "as it was given")


def _evidence_columns(evidence, names):
    """Return the numeric columns of a table with one row a word, in the order of the names; NaN for other words."""
    import pandas as pd

    evidence = getattr(evidence, "words", evidence)  # of an Evidence
    if not isinstance(evidence, pd.DataFrame) or "word" not in evidence:
        raise TypeError(
            f"evidence must be what senses.evidence returns, or its table with a column word, got {show(evidence)}"
        )
    unknown = sorted(set(map(str, evidence["word"])) - set(names))
    if unknown:
        raise ValueError(
            f"evidence must be of words that are mapped, got {show(unknown[0])} ({len(unknown)} such words); leave "
            "their rows out"
        )
    return _numbers(evidence, names, "evidence", lambda name: EVIDENCE.get(name, "as it was given"))


def _numbers(table, names, what, text_of):
    twice = table["word"][table["word"].duplicated()]
    if len(twice):
        raise ValueError(
            f"{what} must have one row a word, got several for {show(twice.iloc[0])}; keep one of each, such as "
            f"{what}.drop_duplicates('word')"
        )
    numeric = table.set_index("word").select_dtypes("number")
    if not numeric.shape[1]:
        raise ValueError(f"{what} must have a column of numbers besides word; add what was measured")
    rows = numeric.reindex(list(names))
    return {str(name): (text_of(name), rows[name].to_numpy(dtype=float)) for name in numeric}


def pack_columns(columns):
    """Return the traits `columns` and `column_values`."""
    values = [np.asarray(value, dtype="<f4").tobytes() for _, value in columns.values()]
    return {
        "columns": [{"name": name, "text": text} for name, (text, _) in columns.items()],
        "column_values": b"".join(values),
    }
