"""Queries: conditions on columns, with what is missing, and nothing that a query could call or reach."""

import numpy as np
import pandas as pd
import pytest

from notebook_sne.engine.objects import queries
from notebook_sne.engine.objects.columns import frame_of, read_columns
from notebook_sne.engine.objects.queries import LONGEST, MOST_TERMS, holds
from tests.tables import in_one_test

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


@in_one_test(
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


@in_one_test(
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


LARGE = pd.DataFrame(
    {
        "id": [2**53, 2**53 + 1, -(2**63), 2**63 - 1],
        "code": np.array([2**63, 2**64 - 1, 2**53 + 1, 0], dtype=np.uint64),
        "gap": pd.array([2**53, None, 2**53 + 1, 5], dtype="Int64"),
        "size": [2.0**53, 2.0**53, -(2.0**63), 2.0**63],
        "us": np.array(["2020-01-01T00:00:00.000400", "2020-01-01T00:00:00.000900", "NaT", "1066-10-14"], "M8[us]"),
        "ns": pd.to_datetime(["2020-01-01 00:00:00.000400001", None, "1969-12-31 23:59:59.999999999", "2020-01-01"],
                             format="mixed"),
    }
)  # fmt: skip


@in_one_test(
    ("query", "found"),
    [
        (f"id == {2**53 + 1}", [1]),
        (f"id == {2**53}", [0]),
        (f"id < {2**53 + 1}", [0, 2]),
        (f"id in [{2**53 + 1}, 7, {2**63 - 1}]", [1, 3]),
        (f"id >= -{2**63}", [0, 1, 2, 3]),
        (f"id > -{2**63}", [0, 1, 3]),
        (f"id < {2**63}", [0, 1, 2, 3]),
        (f"code == {2**64 - 1}", [1]),
        (f"code < {2**64}", [0, 1, 2, 3]),
        (f"code in ({2**63}, {2**53})", [0]),
        (f"gap == {2**53 + 1}", [2]),
        (f"gap != {2**53 + 1}", [0, 1, 3]),
        ("gap is None", [1]),
        ("gap in [5, None]", [1, 3]),
        ("id == size", [0, 2]),
        ("id > size", [1]),
        ("size > id", [3]),
        (f"size == {2**53 + 1}", []),
        (f"size < {2**53 + 1}", [0, 1, 2]),
        ("size == 9007199254740992.0", [0, 1]),
        ("id == code", []),
        ("code > id", [0, 1, 2]),
        ("id < 1" + "0" * 400, [0, 1, 2, 3]),
        ("size == -1" + "0" * 400, []),
        ("size > -1" + "0" * 400, [0, 1, 2, 3]),
        ("us == '2020-01-01 00:00:00.000400'", [0]),
        ("us > '2020-01-01 00:00:00.000400'", [1]),
        ("us < '1500-01-01'", [3]),
        ("ns == '2020-01-01 00:00:00.000400001'", [0]),
        ("ns > '2020-01-01 00:00:00.000400'", [0]),
        ("ns in ['2020-01-01 00:00:00.0004', '2020-01-01']", [3]),
        ("ns < '1970-01-01'", [2]),
        ("us < ns", [0, 3]),
        ("object == 2", [2]),
    ],
)
def test_no_bit_of_a_number_and_no_nanosecond_of_a_date_is_lost(query, found):
    assert np.flatnonzero(holds(query, LARGE)).tolist() == found


def test_names_are_compared_as_python_reads_them():
    rows = pd.DataFrame({"\u00b5m": [1, 2], "e\ufb03cient": [1, 2]})
    assert holds("\u00b5m > 1", rows).tolist() == holds("\u03bcm > 1", rows).tolist() == [False, True]
    assert holds("`\u00b5m` > 1 and e\ufb03cient > 1 and efficient > 1", rows).tolist() == [False, True]
    with pytest.raises(ValueError, match=r"no column '\u03bcm' \(U\+03BC\); there is '\u00b5m' \(U\+00B5\)"):
        holds("`\u03bcm` > 1", rows)
    both = pd.DataFrame({"\u00b5m": [1, 2], "\u03bcm": [2, 1]})
    with pytest.raises(ValueError, match=r"\(U\+00B5\) and '\u03bcm' \(U\+03BC\) are one name.*in backticks"):
        holds("\u00b5m > 1", both)
    assert holds("`\u00b5m` > `\u03bcm`", both).tolist() == [False, True]


def test_a_query_reads_each_column_once_and_has_a_limit(monkeypatch):
    read = []
    convert = queries._column
    monkeypatch.setattr(queries, "_column", lambda name, entries: read.append(name) or convert(name, entries))
    many = " or ".join(["who == 'b' and year > 3"] * (MOST_TERMS // 2))
    assert holds(many, ROWS).tolist() == [False, False, False, False]
    assert sorted(read) == ["who", "year"]
    with pytest.raises(ValueError, match=rf"has {MOST_TERMS + 1} comparisons, and at most {MOST_TERMS}.*list"):
        holds(f"{many} or year > 3", ROWS)
    wide = f"year in {list(range(1990, 3200))}"
    assert len(wide) < LONGEST and holds(wide, ROWS).tolist() == [True, True, False, True]
    with pytest.raises(ValueError, match="year holds numbers and is compared with texts"):
        holds("year in [1990, 'a']", ROWS)
    assert holds("low in [year, 1.5]", ROWS).tolist() == [False, True, False, False]
