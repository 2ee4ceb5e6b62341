import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from notebook_sne.datasets import load_word_relations, relations
from tests.tables import in_one_test

BUNDLED = Path(relations.__file__).parent / "bundled"
STOP_WORDS = set("a an and are as at be by can for from have in is it like may of on or the to used will with".split())


@pytest.fixture(scope="module")
def data():
    return load_word_relations()


def related(data, synset, least_weight=0):
    rows = data.relations
    return set(rows["related"][(rows["synset"] == synset) & (rows["weight"] > least_weight)])


def test_each_word_has_a_name_a_row_and_a_column(data):
    N = len(data)
    assert 300 <= N <= 500
    assert data.names.tolist() == sorted(set(data.names))
    assert data.P.shape == data.counts.shape == (N, N)
    assert (np.diff(data.P.indptr) >= 2).all()
    assert data.P.sum(axis=0).min() > 0


def test_P_is_proportional_to_the_counts_and_no_word_is_related_to_itself(data):
    counts = data.counts.toarray()
    np.testing.assert_allclose(data.P.toarray(), counts / counts.sum(axis=1, keepdims=True), rtol=1e-12)
    assert (data.P.data > 0).all()
    assert not counts.diagonal().any()
    assert (data.relations["word"] != data.relations["related"]).all()
    assert "WordNet 3.1 Copyright 2011" in data.license


def test_the_counts_are_the_sums_of_the_weights(data):
    place = {name: index for index, name in enumerate(data.names)}
    counts = np.zeros(data.counts.shape)
    for word, other, weight in data.relations[["word", "related", "weight"]].itertuples(index=False):
        counts[place[word], place[other]] += weight
    np.testing.assert_array_equal(data.counts.toarray(), counts)


def test_no_relation_is_there_twice(data):
    assert not data.relations.duplicated(["synset", "related", "relation"]).any()


def test_a_relation_starts_from_a_sense_of_its_word(data):
    rows = data.relations
    assert (rows["synset"].str.split(".").str[0] == rows["word"]).all()
    assert rows["synset"].str.fullmatch(r"[a-z]+\.n\.\d\d").all()
    assert (rows.groupby("synset")["gloss"].nunique() == 1).all()
    assert set(rows["gloss"][rows["synset"] == "bank.n.01"]) == {
        "sloping land (especially the slope beside a body of water)"
    }


def test_a_kind_of_relation_has_one_weight(data):
    weights = data.relations.groupby("relation")["weight"].agg(["min", "max"])
    assert (weights["min"] == weights["max"]).all()
    assert weights["min"].to_dict() == {
        "synonym": 4,
        **dict.fromkeys(["hypernym", "hyponym", "part", "whole", "domain", "in domain", "gloss", "in gloss of"], 3),
        "example": 2,
        **dict.fromkeys(["in example of", "sibling", "same domain", "nearby gloss"], 1),
    }


@pytest.mark.parametrize(
    "there, back", [("hypernym", "hyponym"), ("part", "whole"), ("domain", "in domain"), ("sibling", "sibling")]
)
def test_what_wordnet_points_to_points_back(data, there, back):
    rows = data.relations
    pairs = {kind: set() for kind in (there, back)}
    for kind in pairs:
        chosen = rows[rows["relation"] == kind]
        pairs[kind] = set(zip(chosen["word"], chosen["related"], strict=True))
    reversed_back = {(other, word) for word, other in pairs[back]}
    # WordNet lists a few topics and parts on one side only.
    assert len(pairs[there] ^ reversed_back) <= 0.05 * len(pairs[there])


def test_no_stop_word_is_among_the_words(data):
    assert not STOP_WORDS & set(data.names)


def test_the_words_are_connected(data):
    assert connected_components(data.P, directed=True, connection="strong")[0] == 1


@in_one_test(
    "synset, others",
    [
        ("bank.n.01", {"river", "water"}),
        ("bank.n.02", {"money", "deposit", "loan"}),
        ("club.n.01", {"team", "baseball"}),
        ("club.n.05", {"golf", "ball"}),
        ("club.n.06", {"card", "spade"}),
        ("court.n.02", {"law", "witness"}),
        ("court.n.04", {"tennis", "game"}),
        ("deck.n.01", {"ship", "vessel"}),
        ("deck.n.03", {"card", "suit"}),
        ("organ.n.01", {"heart", "eye"}),
        ("organ.n.05", {"piano", "pipe"}),
        ("palm.n.01", {"hand", "finger"}),
        ("palm.n.03", {"tree", "leaf"}),
        ("spring.n.01", {"season", "summer"}),
        ("spring.n.03", {"water", "delta"}),
    ],
)
def test_a_homonym_has_its_senses(data, synset, others):
    assert others <= related(data, synset)


def test_the_well_known_homonyms_are_there(data):
    homonyms = (
        "bank bar bark bass bat ball bowl club court crane deck diamond mouse match nail organ palm pen pitch pool "
        "ring seal spring trunk"
    )
    senses = data.relations.groupby("word")["synset"].nunique()
    assert (senses[homonyms.split()] >= 2).all()


def test_many_words_have_senses_that_hardly_overlap(data):
    clear = 0
    for _, rows in data.relations.groupby("word"):
        senses = [set(group["related"]) for _, group in rows.groupby("synset")]
        senses = [words for words in senses if len(words) >= 3]
        clear += any(len(one & other) <= 0.1 * len(one | other) for one, other in combinations(senses, 2))
    assert clear >= 50


def test_a_part_has_the_relations_of_its_words(data):
    part = replace(data, P=None).select(np.isin(data.names, ["bank", "river", "money", "loan"]))
    assert part.names.tolist() == ["bank", "loan", "money", "river"]
    assert set(part.relations["word"]) | set(part.relations["related"]) == set(part.names)
    assert part.relations["weight"].sum() == part.counts.sum()
    assert part.relations.index[0] == 0
    assert len(data.relations) > len(part.relations) > 0


@pytest.mark.skipif("WORDNET_DICT" not in os.environ, reason="WORDNET_DICT does not name WordNet's folder dict")
def test_the_build_script_writes_the_same_bytes(tmp_path):
    # WORDNET_DICT=package/dict pytest tests/datasets/test_relations.py; the script says where to take the folder from.
    script = Path(__file__).parents[2] / "tools" / "build_word_relations.py"
    subprocess.run([sys.executable, script, os.environ["WORDNET_DICT"], tmp_path], check=True)
    written = (tmp_path / "word_relations.npz").read_bytes()
    assert written == (BUNDLED / "word_relations.npz").read_bytes()
