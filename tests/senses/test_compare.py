"""A word in two norms: what both have, what one alone has, and its picture."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from notebook_sne.senses.people import People, deal
from tests.objects.test_repr_html import Parts

COLUMNS = {"cue": "cue", "response": "response", "count": "count"}


def norms(groups, word="bank", upper=False):
    """Norms in which a word goes with groups of words, each with itself: {group: answers to the word}."""
    rows = []
    for group, answers in groups.items():
        members = group.split()
        rows += [(word, one, answers) for one in members] + [(one, word, 3) for one in members]
        rows += [(a, b, 9) for a in members for b in members if a != b]
    if upper:
        rows = [(a.upper(), b.upper(), n) for a, b, n in rows]
    return ns.datasets.associations(pd.DataFrame(rows, columns=list(COLUMNS)), **COLUMNS)


@pytest.fixture(scope="module")
def both():
    one = norms({"money loan teller cash": 8, "river shore stream water": 4})
    other = norms({"money loan cash credit": 9, "pig saving coin box": 5}, upper=True)
    return ns.senses.compare(one, other, names=("old", "new"))


def test_a_sense_of_both_is_one_row_and_others_stand_alone(both):
    table = both.of("bank")
    assert table[["sense, old", "sense, new"]].to_numpy().tolist() == [[1, 1], [0, 2], [2, 0]]
    first = table.iloc[0]
    assert set(first.common.split(", ")) == {"money", "loan", "cash"} and first.n_common == 3
    assert (first["old alone"], first["new alone"]) == ("teller", "CREDIT")
    assert set(table["old alone"][2].split(", ")) == {"river", "shore", "stream", "water"}
    assert set(table["new alone"][1].split(", ")) == {"PIG", "SAVING", "COIN", "BOX"}
    shares = both.senses[0].of("bank").drop_duplicates("sense").set_index("sense").share
    np.testing.assert_allclose(table["share, old"], [shares[1], 0, shares[2]])


def test_the_table_has_the_words_of_both(both):
    table = both.table().set_index("word")
    assert set(table.index) == {"bank", "money", "loan", "cash"} == set(both.words)
    row = table.loc["bank"]
    assert (row["senses, old"], row["senses, new"], row.n_both) == (2, 2, 1)
    assert row.shared == pytest.approx(min(both.of("bank").iloc[0][["share, old", "share, new"]]))
    assert row["certainty, old"] == both.senses[0].senses("bank").second
    assert repr(both) == "Comparison(old and new: 4 words in both)"


def test_the_same_norms_agree_in_everything():
    data = norms({"money loan teller cash": 8, "river shore stream water": 4})
    again = ns.senses.compare(data, ns.senses.groups(data))
    table = again.table()
    assert (table["senses, one"] == table["n_both"]).all() and (table["senses, other"] == table["n_both"]).all()
    assert not any(again.of(word)["one alone"].any() for word in again.words)


def test_a_picture_has_both_sides_a_band_for_what_is_common_and_texts_alone(both):
    text = str(ns.views.two_norms(both, "BANK"))
    root = ElementTree.fromstring(text)
    said = " ".join("".join(one.itertext()) for one in root.iter() if one.tag.endswith("text"))
    for word in ("bank", "old", "new", "money", "CREDIT", "river", "PIG"):
        assert word in said, word
    assert len(re.findall("<path", text)) == 1 and len(re.findall(r"<rect x=", text)) == 4
    shares = both.of("bank").iloc[0]
    assert f"{shares['share, old']:.0%}" in said and f"{shares['share, new']:.0%}" in said


def of_people(shore, seed, people=60):
    """Norms of as many people a cue: `shore` of the answers to *bank* are of the river, all others of money."""
    rng = np.random.default_rng(seed)
    rows = []
    for field in ("money loan teller cash credit saving", "river shore stream water sand bridge"):
        members = field.split()
        for cue in members:
            given = [one for one in members if one != cue] + ["bank"]
            rows += [(cue, one, n) for one, n in zip(given, rng.multinomial(people, [0.18] * 5 + [0.1]), strict=True)]
        share = shore if "river" in members else 1 - shore
        rows += [
            ("bank", one, n)
            for one, n in zip(members, rng.multinomial(round(share * people), [1 / 6] * 6), strict=True)
        ]
    return ns.datasets.associations(pd.DataFrame([row for row in rows if row[2]], columns=list(COLUMNS)), **COLUMNS)


def test_what_people_of_one_kind_show_is_noise_and_what_they_do_not_is_beyond():
    """With known truth: of words that do not differ, few are beyond; a word that does, is."""
    beyond = [ns.senses.compare(of_people(0.4, s), of_people(0.4, s + 50)).table().beyond > 0 for s in range(6)]
    assert np.mean(pd.concat(beyond)) <= 0.08  # 1 of 21 is wanted
    for seed in range(3):
        both = ns.senses.compare(of_people(0.1, seed), of_people(0.6, seed + 50))
        table, bank = both.table().set_index("word"), both.of("bank")
        assert table.beyond["bank"] > 0 and table.beyond["bank"] == table.beyond.max()
        assert bank.beyond.any() and 0 < both.noise("bank") < bank.difference.max()
        assert (table.difference[table.beyond > 0] > table.noise[table.beyond > 0]).all()
        drawn = str(ns.views.two_norms(both, "bank"))
        assert "two halves of the same people can differ as much" in drawn


def test_dealing_people_keeps_how_many_there_are_and_what_one_norm_alone_has():
    one, other = (
        norms({"money loan cash": 8, "river shore": 4}),
        norms({"money loan cash": 5, "pig coin": 2}, upper=True),
    )
    people = [People(ns.senses.groups(data)) for data in (one, other)]
    dealt = deal(*people, np.random.default_rng(0))
    both = {name.casefold() for name in one.names} & {name.casefold() for name in other.names}
    for who, data in zip(people, dealt, strict=True):
        assert data.answers.tolist() == who.asked.tolist()
        for k in (k for k, name in enumerate(who.names) if name.casefold() not in both):
            assert (data.counts.toarray()[k] == who.counts.toarray()[k]).all()
    for name in ("money", "cash"):  # cues of both, and given by people of both
        dealt_to = [data.counts[:, [[*map(str.lower, data.names)].index(name)]].sum() for data in dealt]
        before = [who.counts[:, [[*map(str.lower, who.names)].index(name)]].sum() for who in people]
        assert sum(dealt_to) == sum(before)


def test_where_no_people_are_known_no_noise_is_told(both):
    data = norms({"money loan teller": 8})
    none = ns.senses.compare(data, data, draws=0)
    assert none.noise("bank") == 0 and "noise" not in none.table()
    one, other = both.senses
    quiet = ns.senses.compare(one, other, draws=0)
    assert np.isnan(quiet.noise("bank")) and quiet.of("bank").beyond.isna().all()
    halved = norms({"money loan teller": 8.5})
    with pytest.raises(ValueError, match="counts must be whole numbers of answers"):
        ns.senses.compare(halved, halved)


def test_hostile_words_are_texts():
    nasty = "<script>alert(1)</script>"
    data = norms({f"{nasty} loan teller": 8, "river shore stream": 4}, word="<img src=x>")
    picture = str(ns.views.two_norms(ns.senses.compare(data, data, ("<b>", "&")), "<img src=x>"))
    tags = {one.tag.partition("}")[2] for one in ElementTree.fromstring(picture).iter()}
    assert tags <= {"svg", "title", "rect", "text", "tspan", "path"}


def test_bad_input_names_the_rule(both):
    data = norms({"money loan teller": 8})
    for names in (("a", "a"), ("a",), ("a", ""), (1, 2)):
        with pytest.raises(ValueError, match="names must be two texts that differ"):
            ns.senses.compare(data, data, names)
    with pytest.raises(TypeError, match="words must be a Dataset, got list"):
        ns.senses.compare(data, ["bank"])
    with pytest.raises(ValueError, match="must have some word in common"):
        ns.senses.compare(data, norms({"x y z": 3}, word="w"))
    with pytest.raises(ValueError, match="word must be one of the 4 words"):
        both.of("river")


def test_by_its_bare_name_it_is_a_table_of_the_first_words(both):
    parts = Parts(both._repr_html_())
    assert parts.elements.count("tr") == 1 + min(10, len(both.words)) and repr(both) in parts.texts
    assert list(both.table().columns) == parts.texts[1 : 1 + both.table().shape[1]]
    assert parts.texts[1 + both.table().shape[1]] == both.words[0]
