"""Queries: conditions on columns, with what is missing, and nothing that a query could call or reach."""

import numpy as np
import pandas as pd
import pytest

from notebook_sne.objects.columns import frame_of, read_columns
from notebook_sne.objects.queries import LONGEST, holds

ROWS = frame_of(
    read_columns(
        {
            "year": [1990, 1996, None, 2001],
            "low": [1991.0, 1.5, 2.0, np.nan],
            "who": ["river bank", None, "b", "it's"],
            "when": pd.to_datetime(["2020-01-01", None, "2021-05-06 10:00", "2022-01-01"], format="mixed"),
            "at home": [True, False, None, True],
            "müde": ["x", "y", "z", "x"],
        },
        4,
    )
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("year > 1995", [1, 3]),
        ("1990 <= year < 2000", [0, 1]),
        ("year == 1990", [0]),
        ("year != 1990", [1, 2, 3]),
        ("not year == 1990", [1, 2, 3]),
        ("müde == 'x'", [0, 3]),
        ("year is None", [2]),
        ("year is not None and year != 1990", [1, 3]),
        ("low < year", [1]),
        ("low > -1.5", [0, 1, 2]),
        ("who == 'b' or who == \"it's\"", [2, 3]),
        ("who in ['b', None]", [1, 2]),
        ("who not in ('b',)", [0, 1, 3]),
        ("'bank' in who", [0]),
        ("'bank' not in who", [1, 2, 3]),
        ("who > 'c'", [0, 3]),
        ("when < '2021-05-06'", [0]),
        ("when >= '2021-05-06T12:00+02:00'", [2, 3]),
        ("when == None", [1]),
        ("year in [1990, 2001]", [0, 3]),
        ("`at home`", [0, 3]),
        ("not `at home`", [1, 2]),
        ("`at home` == False", [1]),
        ("(year > 1995) & ~(object == 3) | (who == '`at home`')", [1]),
        (" object in [0, 2] ", [0, 2]),
    ],
)
def test_a_query_holds_where_it_should(query, found):
    assert np.flatnonzero(holds(query, ROWS)).tolist() == found


@pytest.mark.parametrize(
    "query",
    [
        "@ROWS", "@__import__('os').system('true')", "__import__('os')", "year.__class__ == 1", "who.str.len() > 1",
        "(lambda: 1)()", "[x for x in who] == 1", "f'{year}' == who", "year ** 9 ** 9 ** 9 > 1", "who[0] == 'b'",
        "(year := 3)", "year > 1; who", "year = 3", "", "year", "who", "3 > 2", "who > 3", "when > 3", "when > 'soon'",
        "year > 'a'", "nothing > 3", "year is 3", "3 in year", "year in who", "`gone` == 1", "b in who",
        "(" * 9000, "not " * 2400 + "year",
        "a" * (LONGEST + 1), "year > 1 & year < 5", "year > \0", "year > 1j", "who == b'b'",
    ],
)  # fmt: skip
def test_what_is_no_condition_is_refused(query):
    with pytest.raises(ValueError, match="query must"):
        holds(query, ROWS)


def test_an_error_says_what_there_is_and_what_was_meant():
    with pytest.raises(ValueError, match=r"year, low, who, when, at home.*got 'whom == 3': there is no column 'whom'"):
        holds("whom == 3", ROWS)
    with pytest.raises(ValueError, match="who holds texts and is compared with numbers"):
        holds("3 < who", ROWS)
    with pytest.raises(TypeError, match="query must be a text"):
        holds(3, ROWS)
