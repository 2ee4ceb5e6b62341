"""Which objects rows of a table, indices or truth values mean."""

import numpy as np
import pandas as pd
import pytest

from notebook_sne.engine.objects.rows import rows_meant
from tests.tables import in_one_test

ROWS = pd.DataFrame({"year": [1990, 1995, 2001, 1980]}, index=pd.RangeIndex(4, name="object"))


@in_one_test(
    "which",
    [
        ROWS[ROWS["year"] > 1990],
        ROWS.sort_values("year").query("year > 1990"),
        ROWS["year"][ROWS["year"] > 1990],
        ROWS["year"] > 1990,
        (ROWS["year"] > 1990).to_numpy(),
        [False, True, True, False],
        ROWS[ROWS["year"] > 1990].index,
        [2, 1, 2],
        np.array([2, 1], np.uint8),
        pd.Series([False, True, True, False], index=list("abcd")),
        pd.Series([False, True, True, False], index=ROWS.index, dtype="boolean"),
    ],
)
def test_rows_indices_and_truth_values_mean_the_same_objects(which):
    assert rows_meant(which, 4).tolist() == [1, 2]


def test_nothing_is_a_selection_too():
    for which in ([], ROWS[:0], np.zeros(4, bool)):
        assert rows_meant(which, 4).tolist() == []


@in_one_test(
    ("which", "error", "words"),
    [
        (ROWS.reset_index(drop=True)[:2], ValueError, "whose index is called object.*got one called None.*to_numpy"),
        (ROWS.sort_values("year")["year"] > 1990, ValueError, "in the order of the objects.*sort it by its index"),
        ([True, False], ValueError, r"truth value for each of 4 objects, got shape \(2,\)"),
        (pd.Series([False, None, True, False], dtype="boolean"), ValueError, "a missing one; use fillna"),
        ([4], ValueError, "from 0 to 3, the last one, got 4"),
        ([-1], ValueError, "got -1"),
        ([0.5], TypeError, "give a list of whole numbers"),
        ([[0, 1]], TypeError, "rows of objects"),
        (None, TypeError, "got None"),
        (3, TypeError, "got 3"),
        ([0, "bank"], TypeError, "indices"),
    ],
)
def test_what_may_mean_other_objects_is_refused(which, error, words):
    with pytest.raises(error, match=words):
        rows_meant(which, 4)
