"""The family trees of the paper, and sums as triples."""

from collections import Counter

import numpy as np
import pytest

from notebook_sne.datasets import load_arithmetic, load_family_trees

PAIRED = [
    ({"husband"}, {"wife"}),
    ({"son", "daughter"}, {"father", "mother"}),
    ({"brother", "sister"}, {"brother", "sister"}),
    ({"nephew", "niece"}, {"uncle", "aunt"}),
]


def facts():
    data = load_family_trees()
    return [tuple(row) for row in data.triples.to_frame().to_numpy()]


def test_there_are_24_people_12_relations_and_112_triples():
    data = load_family_trees()
    assert len(data) == 24 and data.triples.relations[0] == "husband" and len(data.triples.relations) == 12
    assert len(facts()) == len(set(facts())) == 112
    assert Counter(data.labels.tolist()) == {"English": 12, "Italian": 12}
    assert tuple(data.names) == data.triples.objects


def test_each_relation_has_its_opposite():
    back = {(b, a): r for a, r, b in facts()}
    for a, r, b in facts():
        assert any({r, back[a, b]} & one and {r, back[a, b]} & other for one, other in PAIRED), (a, r, b)


def test_uncles_by_marriage_count_and_104_questions_have_an_answer():
    of_colin = {(r, b) for a, r, b in facts() if a == "Colin"}
    assert {b for r, b in of_colin if r == "uncle"} == {"Arthur", "Charles"}
    assert {b for r, b in of_colin if r == "aunt"} == {"Margaret", "Jennifer"}
    assert len({(a, r) for a, r, _ in facts()}) == 104


def test_both_families_have_the_same_tree():
    numbers = load_family_trees().triples.numbers
    english = {tuple(row) for row in numbers[:56]}
    italian = {(a - 12, r, b - 12) for a, r, b in numbers[56:]}
    assert english == italian


def test_sums_on_a_clock_and_on_a_line():
    clock = load_arithmetic().triples
    assert (len(clock), len(clock.objects), len(clock.relations)) == (90, 10, 9)
    assert all((a + int(r)) % 10 == b for a, r, b in clock.to_frame().to_numpy())
    line = load_arithmetic(12, 3, modulo=False)
    assert all(a + int(r) == b for a, r, b in line.triples.to_frame().to_numpy())
    assert len(line) == 12 and line.labels.tolist() == np.arange(12.0).tolist()


@pytest.mark.parametrize(("n", "most"), [(10, 5), (2, 1), (10, 0)])
def test_sums_that_there_are_not_are_refused(n, most):
    with pytest.raises(ValueError, match="must be"):
        load_arithmetic(n, most)


def test_a_part_of_the_people_keeps_what_is_among_them():
    data = load_family_trees()
    english = data.select(data.labels == "English")
    assert len(english.triples) == 56 and len(english) == 12
    assert "56 triples" in repr(english)
