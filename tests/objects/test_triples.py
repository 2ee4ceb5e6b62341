"""Triples: what can be read as such, parts of them, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from notebook_sne.engine.objects.triples import Triples, read_triples
from tests.tables import in_one_test

ROWS = [("Colin", "mother", "Victoria"), ("Colin", "father", "James"), ("Victoria", "husband", "James")]


@pytest.mark.parametrize(
    "given",
    [
        *(ROWS, np.array(ROWS), np.array(ROWS, object), pd.DataFrame(ROWS, columns=["person", "has", "whom"])),
        *([list(row) for row in ROWS], (row for row in ROWS)),
    ],
    ids=["tuples", "texts", "objects", "table", "lists", "generator"],
)
def test_all_kinds_are_read_alike(given):
    triples = Triples(given)
    assert triples.objects == ("Colin", "Victoria", "James") and triples.relations == ("mother", "father", "husband")
    assert triples.numbers.tolist() == [[0, 0, 1], [0, 1, 2], [1, 2, 2]]
    assert len(triples) == 3 and not triples.numbers.flags.writeable
    assert list(triples.to_frame().itertuples(index=False, name=None)) == ROWS


def test_numbers_are_objects_in_rising_order():
    triples = Triples(np.array([[7, 0, 3], [3, 1, 5]]))
    assert triples.objects == (3, 5, 7) and triples.names.tolist() == ["3", "5", "7"]
    assert triples.numbers.tolist() == [[2, 0, 0], [0, 1, 1]]


def test_a_fourth_part_is_a_weight():
    triples = Triples([("a", "r", "b", 0.5), ("a", "r", "c", 2)])
    assert triples.weights.tolist() == [0.5, 2.0]
    assert triples.to_frame().columns.tolist() == ["object", "relation", "answer", "weight"]
    assert triples.counts.toarray().tolist() == [[0, 0.5, 2], [0, 0, 0], [0, 0, 0]]


def test_they_come_out_of_a_dataset_or_stay_what_they_are():
    triples = Triples(ROWS)
    assert read_triples(triples) is triples
    holder = type("Holder", (), {"triples": triples})()
    assert read_triples(holder) is triples


def test_a_selection_keeps_objects_and_relations():
    part = Triples(ROWS).select([True, False, True])
    assert len(part) == 2 and part.objects == Triples(ROWS).objects
    assert Triples(ROWS).select(slice(1)).numbers.tolist() == [[0, 0, 1]]


def test_what_is_among_some_objects_is_renumbered():
    part = Triples(ROWS).among([2, 1])
    assert part.objects == ("James", "Victoria") and part.numbers.tolist() == [[1, 2, 0]]


def test_what_is_held_out_leaves_each_object_and_relation_in_a_triple():
    import notebook_sne as ns

    triples = ns.datasets.load_family_trees().triples
    for seed in range(20):
        kept, held_out = triples.hold_out(40, seed)
        assert len(kept) == 72 and len(held_out) == 40
        assert set(kept.numbers[:, [0, 2]].ravel()) == set(range(24)) and set(kept.numbers[:, 1]) == set(range(12))
        assert set(map(tuple, kept.numbers)).isdisjoint(map(tuple, held_out.numbers))


@in_one_test(
    ("given", "error", "message"),
    [
        ([], ValueError, "at least one"),
        (ROWS[0], ValueError, "triple 0 is 'Colin'"),
        ([("a", "b")], ValueError, "3 parts"),
        (np.zeros((4, 2)), ValueError, "3 parts"),
        (pd.DataFrame({"a": ["x"]}), ValueError, "3 parts"),
        ("abc", TypeError, "must be tuples"),
        (7, TypeError, "must be tuples"),
        ([("a", "r", None)], ValueError, "missing"),
        ([("a", "r", float("nan"))], ValueError, "missing"),
        ([("a", "r", 0.5)], TypeError, "texts or whole numbers"),
        ([("a", "r", True)], TypeError, "texts or whole numbers"),
        ([("a", "r", "b", 0.0)], ValueError, "above 0"),
        ([("a", "r", "b", float("inf"))], ValueError, "finite"),
        ([("a", "r", "b", 1.0), ("a", "r", "b")], ValueError, "got both"),
    ],
)
def test_what_is_no_triple_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        Triples(given)


def test_a_triple_of_an_unknown_object_is_refused_by_name():
    with pytest.raises(ValueError, match=r"triple 1, \('a', 'r', 'd'\), names the object 'd'.*'a', 'b'"):
        Triples([("a", "r", "b"), ("a", "r", "d")], objects=["a", "b"])
    with pytest.raises(ValueError, match="names the relation 'r'"):
        Triples([("a", "r", "b")], relations=["s"])
    with pytest.raises(ValueError, match="objects must differ, got 'a' 2 times"):
        Triples([("a", "r", "b")], objects=["a", "b", "a"])


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda triples: triples.select([False] * 3), "at least one triple"),
        (lambda triples: triples.select([7]), "among 3 triples"),
        (lambda triples: triples.among([0]), "no triple is left"),
        (lambda triples: triples.among([0, 1, 1]), "once each"),
        (lambda triples: triples.hold_out(3), "at most"),
        (lambda triples: triples.hold_out(0), "at least 1, got 0"),
    ],
)
def test_parts_that_are_not_there_are_refused(use, message):
    with pytest.raises(ValueError, match=message):
        use(Triples(ROWS))
