"""Senses without any map: groups of the norms, of norms that were cut, of words with odd ties."""

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from notebook_sne.senses.grouping import LEAST_SHARE, Tree
from notebook_sne.senses.shared_associates import Company
from notebook_sne.senses.word_senses import MISSING, SEEN, WITHOUT, InFit, senses_of
from tests.senses.planted import HOMONYMS, N_PLAIN, N_SUBJECTS, NAMES, N, planted_counts

COLUMNS = {"cue": "cue", "response": "response", "count": "count"}


def norms(n_words=None, seed=0, more=()):
    """The planted words as norms in a table."""
    counts = planted_counts(seed).tocoo()
    rows = [(NAMES[i], NAMES[j], int(n)) for i, j, n in zip(counts.row, counts.col, counts.data, strict=True)]
    table = pd.DataFrame([*rows, *more], columns=list(COLUMNS.values()))
    return ns.datasets.associations(table, **COLUMNS, n_words=n_words)


def test_groups_are_those_of_a_consensus():
    words = norms()
    found = ns.senses.groups(words)
    assert repr(found) == f"Consensus({N} words, 0 fits, 120 answers to a cue)" and found.known == found.names
    table = found.table().set_index("word")
    assert (table.n_senses[NAMES[-6:]] == 2).all() and table.seen.isna().all()
    of = found.of(NAMES[-1])
    assert of.seen.isna().all() and of.explained.isna().all() and of.given.notna().all()
    assert found.places(NAMES[-1]).empty and found.once(NAMES[-1]).empty


def test_one_table_of_all_senses_is_that_of_each_word():
    found = ns.senses.groups(norms())
    together = found.all()
    assert together.word.nunique() == N and len(together) == sum(len(found.of(word)) for word in found.names)
    for word in found.names[::9]:
        own = together[together.word == word].reset_index(drop=True)
        pd.testing.assert_frame_equal(own, found.of(word))


def test_of_a_part_of_the_words_senses_are_those_of_the_whole():
    whole, part = ns.senses.groups(norms()), norms(n_words=20)
    cut = ns.senses.groups(part)
    assert len(cut.names) == 20 and sorted(cut.known) == sorted(whole.names) and cut.known[:20] == cut.names
    for word in cut.names:
        columns = ["sense", "share", "certainty", "associate", "given", "giving"]
        one, other = (
            found.of(word)[columns].sort_values(["sense", "associate"], ignore_index=True) for found in (cut, whole)
        )
        pd.testing.assert_frame_equal(one, other)


def test_an_answer_weighs_as_a_share_of_all_answers():
    # A rare cue has one answer among the words, of a hundred: it is not the strongest associate.
    more = [("rare", NAMES[0], 1), *[("rare", f"x{k}", 1) for k in range(99)], (NAMES[1], "rare", 1)]
    found = ns.senses.groups(norms(more=more)).of(NAMES[0])
    assert found.associate.tolist().index("rare") > 5


def test_what_belongs_together_is_joined_until_all_are_apart():
    similarity = np.full((12, 12), 1e-4)
    for group, within in ((slice(0, 4), 0.5), (slice(4, 8), 0.5), (slice(8, 12), 0.5)):
        similarity[group, group] = within
    similarity[:4, 4:8] = similarity[4:8, :4] = 0.005  # a teller and a vault are of one bank
    np.fill_diagonal(similarity, 1.0)
    tree = Tree(similarity, np.full(12, 1 / 12), 20.0)
    assert [len(group) for group in tree._cut(0.01)] == [4, 4, 4]
    groups = tree.groups(0.25)
    assert [group.tolist() for group in groups] == [[*range(8)], [8, 9, 10, 11]]
    assert tree.apart(*groups) >= 0.25 > tree.apart(np.arange(4), np.arange(4, 8))


def test_small_groups_are_told_where_they_are_far_from_all_senses():
    similarity = np.full((16, 16), 1e-6)
    for group in (slice(0, 5), slice(5, 8), slice(8, 11), slice(11, 14), slice(14, 16)):
        similarity[group, group] = 0.5
    similarity[11:14, :5] = similarity[:5, 11:14] = 0.005  # near the first sense
    similarity[8:11, 11:14] = similarity[11:14, 8:11] = 0.01  # joined with these, they are near it, too
    np.fill_diagonal(similarity, 1.0)
    shares = np.array([0.13] * 5 + [0.1] * 3 + [0.006] * 8)
    tree = Tree(similarity, shares / shares.sum(), 20.0)
    groups = tree.groups(0.25)
    assert [group.tolist() for group in tree.small(groups, 0.25)] == [[8, 9, 10]]  # two words are none
    assert all(tree.shares[group].sum() < LEAST_SHARE for group in tree.small(groups, 0.25))


def in_fit(parts, proportions, maps=None):
    parts = np.array(parts, dtype=float)
    return InFit(np.arange(parts.shape[1]) if maps is None else maps, np.array(proportions), parts)


def test_a_sense_is_seen_where_two_associates_and_the_word_are():
    company, i = Company(ns.affinities.from_counts(planted_counts())), N - 1
    words, _shares = company.associates(i)
    plain = senses_of(company, [], i, 0.25, N)
    assert len(plain.groups) == 2 and plain.shown.shape == (2, 0)
    first, second = plain.groups
    heavy = first[:1]

    def shown(members, proportions, explained=0.9):
        parts = np.zeros((len(words), 2))
        parts[members, 0] = explained
        parts[second, 1] = 0.9
        return senses_of(company, [in_fit(parts, proportions)], i, 0.25, N).shown[:, 0].tolist()

    assert shown(first, [0.6, 0.4]) == [SEEN, SEEN]
    assert shown(first, [0.6, 0.04]) == [SEEN, WITHOUT]  # its company is there, the word is not
    assert shown(first, [0.04, 0.6]) == [WITHOUT, SEEN]
    assert shown(heavy, [0.6, 0.4])[0] == MISSING  # one associate is no sense
    assert shown(first, [0.6, 0.4], explained=0.25)[0] == MISSING


def test_the_second_sense_is_as_sure_as_there_is_one_and_no_other_is_surer():
    found = ns.senses.groups(norms())
    for word in found.names:
        senses = found.senses(word)
        if len(senses.groups) > 1:
            assert senses.certainty[1] == senses.second
            assert (senses.certainty[2:] <= senses.second).all()


def test_odd_graphs_have_senses_or_none():
    parts = np.zeros((8, 8))  # two parts, with nothing between
    parts[:4, :4] = parts[4:, 4:] = 1.0
    np.fill_diagonal(parts, 0.0)
    lonely = np.zeros((5, 5))  # a word that is all of one tie, and one that is tied to none
    lonely[0, 1] = lonely[1, 0] = lonely[1, 2] = lonely[2, 1] = lonely[3, 1] = 1.0
    for counts, n_senses in ((parts, {1}), (lonely, {0, 1})):
        names = [f"w{k}" for k in range(len(counts))]
        data = ns.datasets.Dataset(title="odd", P=counts, counts=counts, names=names)
        table = ns.senses.groups(data).table()
        assert set(table.n_senses) == n_senses and (table.certainty < 0.25).all()
    assert ns.senses.groups(data).of("w4").empty
    assert table.n_senses.tolist() == [1, 1, 1, 1, 0]


def test_it_says_what_it_was_made_of():
    words = norms(n_words=20)
    model = ns.AspectMaps(n_maps=3, max_iter=10, input="probabilities", random_state=5)
    fits = [model, ns.AspectMaps(n_maps=3, max_iter=10, input="probabilities", random_state=6, init="random")]
    made = ns.senses.consensus([fit.fit(words.P) for fit in fits], words)
    assert made.made["norms"]["words"] == len(words) and made.made["norms"]["n_words"] == 20
    assert made.made["fits"][0] == {
        "model": "AspectMaps", "n_maps": 3, "max_iter": 10, "random_state": 5, "input": "probabilities",
    }  # fmt: skip
    assert made.made["fits"][1]["init"] == "random" and made.made["package"] == f"notebook_sne {ns.__version__}"
    assert not made.alike
    again = ns.AspectMaps(n_maps=3, max_iter=10, input="probabilities", random_state=7).fit(words.P)
    assert ns.senses.consensus([model, again], words).alike
    states = ns.senses.consensus([model.state_], words)
    assert states.made["fits"] == [{"model": "AspectMaps"}]


@pytest.mark.parametrize("h", range(len(HOMONYMS)))
def test_homonyms_are_apart_without_a_map(h):
    table = ns.senses.groups(norms()).of(NAMES[N_SUBJECTS * N_PLAIN + h])
    assert {1, 2} <= set(table.sense)


def test_a_certainty_is_told_only_of_what_was_counted():
    """Neighbors among vectors and relations of a dictionary have groups, but no scale says that these are senses."""
    vectors = np.random.default_rng(0).normal(size=(60, 8))
    near = ns.datasets.word_vectors(vectors, [f"w{k}" for k in range(60)], n_neighbors=8)
    for words in (near, ns.datasets.load_word_relations()):
        found = ns.senses.groups(words)
        table = found.table()
        assert not found.calibrated and table.certainty.isna().all() and found.all().certainty.isna().all()
        assert table.n_senses.max() >= 1 and "not enough answers" not in set(table.senses)
        assert ns.senses.compare(found, found, draws=0).table()["certainty, one"].isna().all()
    counted = ns.datasets.Dataset(title="people", P=words.P, counts=words.counts, names=words.names)
    assert ns.senses.groups(counted).table().certainty.notna().all()
