"""How many people mean a sense: counted by hand, with an interval, and found again in draws of people."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from tests.tables import in_one_test

COLUMNS = {"cue": "cue", "response": "response", "count": "count"}
MONEY, SHORE, OTHER = (
    ["money", "loan", "cash", "teller"],
    ["river", "stream", "water", "shore"],
    ["sky", "moon", "star"],
)


def norms(scale=10, few=2, **more):
    """Words of three fields, each tied within itself, and *bank* with 3 of 4 answers in one and some in another."""
    rows = [(a, b, scale) for field in (MONEY, SHORE, OTHER) for a in field for b in field if a != b]
    rows += [("bank", word, 3 * scale) for word in MONEY] + [("bank", word, few) for word in SHORE]
    rows += [("bank", "blank <b>", 4), ("sky", "bank", 30)]
    return ns.datasets.associations(pd.DataFrame(rows, columns=list(COLUMNS)), **COLUMNS, **more)


@pytest.fixture(scope="module")
def found():
    return ns.senses.dominance(norms(few=10), ["BANK", "sky"], draws=6)


def test_each_sense_has_its_answers_with_wilsons_interval(found):
    table = found.table()
    bank = table[table.word == "bank"].set_index("sense")
    assert bank.n.tolist() == [120, 40, 4] and set(bank.N) == {164} and bank.index.tolist() == [1, 2, 0]
    assert set(bank.associates[1].split(", ")) < set(MONEY) and set(bank.associates[2].split(", ")) < set(SHORE)
    # [Wilson 1927] by hand, z = 1.96
    p, N, z = 40 / 164, 164, 1.959964
    middle, half = p + z**2 / (2 * N), z * np.sqrt(p * (1 - p) / N + z**2 / (4 * N**2))
    np.testing.assert_allclose(
        bank.loc[2, ["share", "low", "high"]].astype(float),
        [p, (middle - half) / (1 + z**2 / N), (middle + half) / (1 + z**2 / N)],
        rtol=1e-5,
    )
    assert bank.again[[1, 2]].tolist() == [1, 1] and np.isnan(bank.again[0])
    assert (table[table.word == "sky"].sense.tolist()) == [1, 0]


def test_it_is_said_in_a_sentence_and_drawn(found):
    said = found.sentence("Bank")
    assert said.startswith("bank has 2 senses here: ") and "(120 of 164 answers, 73%, 95% interval 66% to 79%" in said
    assert "found again in 100% of 6 draws of people" in said and said.endswith("; 4 answers are in none.")
    drawn = ns.views.dominance(found, ["bank"])
    assert re.findall(r">(\d+ of \d+)<", drawn) == ["120 of 164", "40 of 164"] and drawn.count("<circle") == 2
    assert ns.views.dominance(found).count("<circle") == 3 and "6 draws" in repr(found)


def test_a_rare_sense_is_found_again_less_often_by_half_the_people():
    rows = []
    for seed in range(5):
        table = ns.senses.dominance(norms(scale=2, few=1), "bank", draws=10, random_state=seed).table()
        rows.append(table[table.sense == 2].iloc[0][["again", "again_half"]].tolist())
    again, half = np.median(np.array(rows, dtype=float), axis=0)
    assert half <= again <= 1 and half < 1


def test_draws_are_those_of_the_seed_and_leave_the_norms_alone():
    data = norms(few=3)
    before = data.counts.toarray().copy()
    one, other = (ns.senses.dominance(data, "bank", draws=3, random_state=7).table() for _ in range(2))
    pd.testing.assert_frame_equal(one, other)
    assert (data.counts.toarray() == before).all()
    whole = norms(n_words=9)
    assert ns.senses.dominance(whole, "bank", draws=1).table().N[0] == 132  # of all words of the norms


def test_a_cue_all_of_whose_answers_are_no_cues_in_a_draw_hides_no_sense_of_its_neighbors():
    """Its number of answers is not known then, but those of all others are."""
    data = norms(few=10)
    silent, bank = (data.names.tolist().index(name) for name in ("river", "bank"))
    counts = data.counts.tolil()
    counts[silent] = 0
    drawn = replace(data, counts=counts.tocsr(), kept=np.where(np.arange(len(data)) == silent, 0, data.kept))
    assert np.isnan(drawn.answers[silent])
    found = ns.senses.groups(drawn)
    assert found.senses(bank).told and found.senses(bank).n_senses == 2


def test_answers_of_one_person_stay_in_a_sense(found):
    one = [["bank", "money", "loan"]] * 30 + [["bank", "river", "shore"]] * 10
    mixed = [["bank", "money", "river"]] * 10 + [["bank", "cash", None], ["other", "money", "loan"]]
    row = found.persons(pd.DataFrame(one + mixed)).iloc[0]
    assert row.word == "bank" and row.pairs == 50 and row.together == 0.8
    assert row.by_chance == pytest.approx((40 * 30 + 10 * 20) / 50**2)
    assert found.persons(np.array([["sky", "moon", "star"]])).iloc[0].isna().sum() == 2
    with pytest.raises(ValueError, match=r"answers must have a cue and two answers or more .* got shape \(1, 2\)"):
        found.persons([["bank", "money"]])


@in_one_test(
    ("how", "says"),
    [
        ({"words": [1, 2]}, "words must be a Dataset with names and counts"),
        ({"words": norms(), "of": "bnak"}, "word"),
        ({"words": norms(), "draws": 0}, "draws must be"),
        ({"words": norms(scale=0.5)}, "counts must be whole numbers of answers, got fractions"),
    ],
)
def test_what_is_wrong_is_said(how, says):
    with pytest.raises((ValueError, TypeError), match=says):
        ns.senses.dominance(**how)


def test_a_word_that_was_not_looked_at_is_named(found):
    with pytest.raises(ValueError, match="word must be one of those looked at, got 'loan'"):
        found.sentence("loan")
