"""Rows of what is kept of the contest."""

import numpy as np

from benchmarks.senses.scores import found_again, standard_errors

__all__ = ["table_row"]


def table_row(marks):
    """Return a row of a table: medians over several marks, one for each seed, with ranges and errors over words.

    Right and whole are numbers of homonyms; split is a share of the controls.
    """
    again = found_again(marks)
    errors = standard_errors(marks)
    columns = {
        "right": [int(each.right.sum()) for each in marks],
        "by chance": [float(each.by_chance.sum()) for each in marks],
        "right with care": [each.right_with_care for each in marks],
        "whole": [int(each.whole.sum()) for each in marks],
        "split": [float(each.split.mean()) for each in marks],
        "AUC": [each.auc for each in marks],
        "Rand": [float(each.rand.mean()) for each in marks],
    }
    row = {"seeds": len(marks), "homonyms": len(marks[0].right), "controls": len(marks[0].split)}
    for name, values in columns.items():
        digits = 3 if name in ("split", "AUC", "Rand") else 1
        low, middle, high = (round(float(value), digits) for value in (min(values), np.median(values), max(values)))
        row[f"{name}, median"] = middle
        if name != "by chance":
            row[f"{name}, range"] = f"{low:g} to {high:g}"
        if name in errors:
            row[f"{name}, error"] = round(errors[name], digits)
    row["found again"] = None if np.isnan(again) else round(again, 3)
    return row
