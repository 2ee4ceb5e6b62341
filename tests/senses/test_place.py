"""A word that was not fitted, among those that were."""

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from tests.senses.planted import NAMES, N, planted_counts, planted_model
from tests.tables import in_one_test


@pytest.fixture(scope="module")
def reading():
    return ns.senses.read(planted_model(), NAMES, planted_counts(), n_neighbors=5)


NEW = {"a0": 10, "A1": 8, "a2": 6, "a3": 5, "c0": 4, "c1": 3, "c2": 3}


def test_a_new_word_has_a_sense_in_each_of_its_subjects(reading):
    table = reading.place(NEW, "acorn")
    assert set(table["word"]) == {"acorn"} and list(table.columns) == list(reading.of("a0").columns)
    own = table[table["kind"] == "associate"]
    assert list(own.groupby("sense")["map"].first()) == [0, 2]
    assert [set(part) for _, part in own.groupby("sense")["neighbor"]] == [{"a0", "a1", "a2", "a3"}, {"c0", "c1", "c2"}]
    assert list(own["given"]) == [10, 8, 6, 5, 4, 3, 3] and table["giving"].isna().all()
    company = table[table["kind"] == "company"]
    assert len(company) and all(name[0] in "ac" for name in company["neighbor"])
    shares = own.groupby("sense")["share"].first()
    np.testing.assert_allclose(shares, np.array([29, 10]) / 39, atol=0.06)


def test_a_row_of_counts_says_the_same_as_a_mapping(reading):
    row = np.zeros(N)
    for name, count in NEW.items():
        row[reading.find(name)] = count
    row.flags.writeable = False
    pd.testing.assert_frame_equal(reading.place(row), reading.place(NEW))
    pd.testing.assert_frame_equal(
        reading.place(list(row / 4)).drop(columns="given"), reading.place(NEW).drop(columns="given")
    )


@in_one_test(
    ("associates", "words"),
    [
        ({"a0": 1, "A0": 2}, "each word once, got 'a0' twice"),
        ({"a0": -1}, "associates"),
        ({"a0": np.nan}, "associates"),
        ({"zz": 1}, "words, got 'zz'"),
        ({}, "a number above 0"),
        (np.zeros(N), "a number above 0"),
        (np.ones(N - 1), r"got shape \(37,\)"),
        (-np.ones(N), "not negative"),
    ],
)
def test_what_says_no_place_is_refused(reading, associates, words):
    with pytest.raises(ValueError, match=words):
        reading.place(associates)
