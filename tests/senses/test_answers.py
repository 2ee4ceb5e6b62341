"""How many people were asked: fewer answers make no sense surer, and too few tell none."""

import numpy as np
import pandas as pd

import notebook_sne as ns
from notebook_sne.senses.grouping import LEAST_ANSWERS, LEAST_GIVEN, Tree
from tests.senses.planted import NAMES, SUBJECTS, N, planted_counts

COLUMNS = {"cue": "cue", "response": "response", "count": "count"}
HOMONYMS = [name for name, subjects in zip(NAMES, SUBJECTS, strict=True) if len(subjects) > 1]


def norms_of(counts, more=()):
    """Norms of the planted words, with rows of other words."""
    pairs = counts.tocoo()
    rows = [(NAMES[i], NAMES[j], int(n)) for i, j, n in zip(pairs.row, pairs.col, pairs.data, strict=True) if n]
    return ns.datasets.associations(pd.DataFrame([*rows, *more], columns=list(COLUMNS.values())), **COLUMNS)


def fewer(counts, k, seed):
    """Return the answers of k people to each cue: of the first k of 2 k, for one seed."""
    rng, left = np.random.default_rng(seed), counts.copy().astype(int)
    for row in range(left.shape[0]):
        part = slice(left.indptr[row], left.indptr[row + 1])
        people = rng.permutation(np.repeat(np.arange(part.stop - part.start), left.data[part]))
        left.data[part] = np.bincount(people[:k], minlength=part.stop - part.start)
    return left


def test_fewer_answers_never_make_a_second_sense_surer():
    draws: dict[int, list[pd.Series]] = {}
    for seed in range(8):
        counts = planted_counts(seed, per_word=100)
        for k in (100, 50, 20, 10):  # the fewer are among the more
            found = ns.senses.groups(norms_of(fewer(counts, k, seed)))
            draws.setdefault(k, []).append(found.table().set_index("word").certainty)
    for words in (HOMONYMS, [name for name in NAMES if name not in HOMONYMS]):
        medians = [np.median([table.reindex(words).median() for table in tables]) for tables in draws.values()]
        assert (np.diff(medians) <= 0).all()


def test_of_too_few_answers_nothing_is_told():
    few = fewer(planted_counts(), int(LEAST_ANSWERS) - 3, 0)
    found = ns.senses.groups(norms_of(few))
    table = found.table()
    assert table.certainty.isna().all() and (table.n_senses == 0).all()
    assert set(table.senses) == {"not enough answers"}
    assert set(found.of(HOMONYMS[0]).sense) == {1}  # with all associates
    enough = ns.senses.groups(norms_of(fewer(planted_counts(), int(LEAST_ANSWERS) + 4, 0))).table()
    assert enough.certainty.notna().all() and (enough.n_senses > 0).all()


def test_a_cue_that_one_person_has_answered_leads_nothing():
    # Two answers, from one person: half of them is the word, which is given to other cues by thousands.
    more = [("zebra", HOMONYMS[0], 1), ("zebra", NAMES[0], 1), (NAMES[0], "zebra", 1)]
    found = ns.senses.groups(norms_of(planted_counts(per_word=4000), more)).of(HOMONYMS[0])
    assert found.associate.tolist().index("zebra") > 3
    assert "zebra" not in set(found.associate[found["rank"] == 1])


def test_a_sense_has_a_part_of_the_answers_to_the_word():
    similarity = np.full((8, 8), 0.001)
    similarity[:4, :4] = similarity[4:, 4:] = 0.5
    np.fill_diagonal(similarity, 1.0)
    shares = np.full(8, 1 / 8)
    for part, n_groups in ((0.5 * LEAST_GIVEN, 1), (2 * LEAST_GIVEN, 2)):
        given = np.repeat([(1 - part) / 4, part / 4], 4)
        assert len(Tree(similarity, shares, 20.0, given).groups(0.25)) == n_groups


def test_the_first_sense_has_no_certainty_of_its_own():
    found = ns.senses.groups(norms_of(planted_counts()))
    table = found.all()
    assert table.certainty[table.sense == 1].isna().all()
    sure = table.query("certainty > 0.5")
    assert set(sure.sense) == {2} and set(HOMONYMS) <= set(sure.word)


def test_data_and_senses_say_how_many_answers_there_are():
    words = norms_of(planted_counts(per_word=30))
    np.testing.assert_array_equal(words.answers, 30.0)
    found = ns.senses.groups(words)
    assert "answers 30 to a cue" in repr(words)
    assert repr(found) == f"Consensus({N} words, 0 fits, 30 answers to a cue)"
    assert found.made["norms"]["answers to a cue"] == 30.0
    relations = ns.datasets.load_word_relations()
    assert relations.answers is None and ns.senses.groups(relations).answers is None
