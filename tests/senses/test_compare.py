"""A word in two norms: what both have, what one alone has, and its picture."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
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
