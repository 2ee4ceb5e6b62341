"""SENSES.md: its numbers are in the kept results that it names, what it says of the rules is what the code does."""

import re

from benchmarks.senses import questions, scores
from benchmarks.senses.gold import gold
from tests.benchmarks.pages import SENSES, agree, kept, numbers, tables, values

PAGE = SENSES.read_text(encoding="utf-8")
SECTIONS = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
COMPUTED = [160, 131, 24.6, 23.9, 106, 110, 0.165, 0.028]  # of the gold list, a rule that is no more, several rows


def test_a_short_row_has_medians_with_the_least_and_the_greatest():
    found = {"norms": "usf", "method": "two", "homonyms": 61, "seeds": 5, "controls": 60, "found again": None}
    for name, value in {"right": 53, "right with care": 44.5, "whole": 3}.items():
        found |= {f"{name}, median": value, f"{name}, range": f"{value - 1:g} to {value:g}"}
    found |= {
        f"{name}, median": value for name, value in {"by chance": 32.6, "split": 1, "AUC": 0.688, "Rand": 0}.items()
    }
    (row,) = tables.short_rows([found])
    cells = "usf, 61, two, 53 (52 to 53), 32.6, 44.5 (43.5 to 44.5), 3 (2 to 3), 1.00, 0.69, 0.00, ".split(", ")
    assert list(map(str, row.values())) == cells


def test_its_numbers_are_in_the_kept_results_that_it_names():
    held = [value for name in set(tables.LINK.findall(PAGE)) for value in values(kept(name))] + COMPUTED
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", "", PAGE)
    assert not [one for one, half in numbers(text) if not any(abs(one - value) <= half * 1.000001 for value in held)]


def test_the_gold_list_and_the_rules_are_as_described():
    sizes = [len(keys) for meanings in gold().homonyms.values() for keys in meanings.values()]
    found = [len(gold().homonyms), min(sizes), max(sizes), len(gold().controls)]
    agree(SECTIONS["The gold list"].split("It was written")[0], found)
    assert {len(meanings) for meanings in gold().homonyms.values()} == {2, 3, 4}
    agree(SECTIONS["The rules"], [scores.LEAST_SHARE, scores.MOST_SPLIT])
    assert (questions.LEAST_LABELED, questions.LEAST_ASSOCIATES, scores.LEAST_WORDS) == (2, 10, 2)
    assert (scores.RIGHT_SHARE, scores.WHOLE_SHARE) == (2 / 3, 1 / 2)
