"""How hard the lectures are to read: the measures, and what is kept of them."""

import pytest

from benchmarks.prose import COLUMNS, measures, now, prose, syllables
from tests.benchmarks.pages import kept


@pytest.mark.parametrize(
    ("word", "n"), [("map", 1), ("cake", 1), ("little", 2), ("the", 1), ("neighbor", 2), ("xs", 1)]
)
def test_syllables_are_groups_of_vowels(word, n):
    assert syllables(word) == n


def test_a_text_is_measured_by_the_formulas():
    # 2 sentences of 8 words and 10 syllables, 1 of more than six letters.
    text = "A map has many points. Neighbors are near."
    assert measures(text) == (8, 4.0, round(206.835 - 1.015 * 4 - 84.6 * 10 / 8, 1), 16.5)


def test_prose_has_no_code_equations_headings_tables_and_references():
    lines = [
        "# A heading\n\n*Reading: 5 minutes. Core path, 1 minute: A.*\n\n",
        "A [map](glossary.ipynb#map) of `code` and $x$ [Hinton2002, Eq. 1].\n",
        "\n| a | table |\n\n$$q = 1$$\n\n1. One.\n2. Two.\n\n[Hinton2002] G. Hinton, S. Roweis. *Stochastic.*",
    ]
    found = prose({"cells": [{"cell_type": "markdown", "source": lines}, {"cell_type": "code", "source": ["1"]}]})
    assert found.split() == "A map of x and x . One. Two.".split()


def test_what_is_kept_is_of_the_lectures_of_today():
    rows = {row["lecture"]: row for row in kept("prose")["rows"]}
    for name, notebook in now().values():
        found = dict(zip(COLUMNS, measures(prose(notebook)), strict=True))
        # A sentence more or less does not matter.
        assert rows[name]["words"] == pytest.approx(found["words"], rel=0.1), f"{name}: run python -m benchmarks.prose"
        for column in COLUMNS[1:]:
            assert rows[name][column] == pytest.approx(found[column], abs=1.5), (
                f"{name}: run python -m benchmarks.prose"
            )


def test_the_rework_has_made_no_lecture_hard():
    rows = kept("prose")["rows"]
    assert all(row["LIX"] < 30 and row["Flesch"] > 70 for row in rows)
