from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from notebook_sne.senses.pairs import Pool
from tests.senses.planted import N_PLAIN, N_SUBJECTS, NAMES, SUBJECTS, planted_data, planted_model


@pytest.fixture(scope="module")
def reading():
    return ns.senses.read(planted_model(), planted_data())


def thesaurus(reading, reliable=True):
    """Each word is related to the words of each of its subjects, one synset a subject."""
    random = np.random.default_rng(0)
    rows = []
    for i, word in enumerate(NAMES):
        for j, other in enumerate(NAMES):
            shared = set(SUBJECTS[i]) & set(SUBJECTS[j])
            if i != j and shared:
                synset = min(shared) if reliable else random.integers(2)
                rows.append((word.upper(), f"{word}.{synset}", other, "related", 1.0))
    return pd.DataFrame(rows, columns=["word", "synset", "related", "relation", "weight"])


def test_planted_senses_are_separated_and_random_ones_are_not(reading):
    table = ns.senses.separation(reading).set_index("kind")
    assert list(table.index) == ["in-sample", "held-out"]
    assert (table["ratio"] > 1.5).all()
    # The pooled ratio of random dealings is 1 but for words of unlike rates.
    np.testing.assert_allclose(table["random_mean"], 1, atol=0.1)
    assert ((table["ratio"] - table["random_mean"]) > 5 * table["random_sd"]).all()
    assert (table["n_words"] == 6).all()


def test_maps_that_say_nothing_have_a_ratio_of_one(reading):
    model, random = planted_model(), np.random.default_rng(0)
    # Plain words have no map of their own any more; which of a homonym's two maps ties them to it is chance.
    model.mixing_[:, : N_SUBJECTS * N_PLAIN] = 1 / N_SUBJECTS
    model.maps_ = random.normal(size=model.maps_.shape)
    table = ns.senses.separation(model, planted_data())
    assert (abs(table["ratio"] - table["random_mean"]) < 3 * table["random_sd"]).all()


def test_separation_of_a_model_is_that_of_its_reading(reading):
    data = planted_data()
    expected = ns.senses.separation(reading, n_random=20, random_state=3)
    found = ns.senses.separation(planted_model(), data, n_random=20, random_state=3)
    pd.testing.assert_frame_equal(expected, found)
    without = ns.senses.separation(planted_model(), NAMES, data.counts, n_random=20, random_state=3)
    pd.testing.assert_frame_equal(expected[:1], without)


def test_a_pool_counts_pairs_as_a_double_loop_does():
    random = np.random.default_rng(0)
    A = random.random((7, 7))
    A, maps = A + A.T, np.array([0, 0, 0, 4, 4, 2, 2])
    valid = random.random((7, 7)) < 0.7
    valid = valid | valid.T
    pool = Pool(5, random)
    pool.add(A, valid, maps)
    within, across = pool.rates()
    pairs = [(i, j) for i in range(7) for j in range(i) if valid[i, j]]
    assert within[0] == pytest.approx(np.mean([A[i, j] for i, j in pairs if maps[i] == maps[j]]))
    assert across[0] == pytest.approx(np.mean([A[i, j] for i, j in pairs if maps[i] != maps[j]]))
    assert len(within) == 6


def test_a_thesaurus_of_the_planted_senses_agrees(reading):
    with pytest.warns(UserWarning, match="only 6 words have such pairs of neighbors, too few to tell anything"):
        found = ns.senses.agreement(reading, thesaurus(reading), n_random=200).iloc[0]
    assert found["within"] == 1.0
    assert found["difference"] > 0.9
    assert found["percentile"] == 100
    assert found["n_words"] == 6


@pytest.mark.filterwarnings("ignore:only 6 words")
def test_a_thesaurus_of_chance_does_not_agree(reading):
    relations = SimpleNamespace(relations=thesaurus(reading, reliable=False))
    found = ns.senses.agreement(reading, relations, n_random=200).iloc[0]
    assert 0.5 < found["percentile"] < 99.5
    assert abs(found["random_mean"]) < 0.05


def test_errors_name_the_argument_and_the_rule(reading):
    with pytest.raises(
        ValueError, match=r"relations must be a table with columns word, synset and related.*lacks synset"
    ):
        ns.senses.agreement(reading, pd.DataFrame({"word": [], "related": []}))
    with pytest.raises(ValueError, match="but there is no such word; give relations of"):
        ns.senses.agreement(reading, thesaurus(reading)[:0])
    with pytest.raises(TypeError, match="reading must be a Reading, got SimpleNamespace"):
        ns.senses.agreement(planted_model(), thesaurus(reading))
    with pytest.raises(ValueError, match="names and counts belong to a model"):
        ns.senses.separation(reading, NAMES)
    with pytest.raises(ValueError, match="one row for each of the N = 38 words, got 3"):
        ns.senses.separation(reading, held_out=np.ones((3, 2)))
    with pytest.raises(ValueError, match="held_out must be finite"):
        ns.senses.separation(reading, held_out=np.full((38, 2), np.nan))
    nothing = SimpleNamespace(maps_=planted_model().maps_, mixing_=planted_model().mixing_)
    with pytest.raises(ValueError, match="got no counts and no P; give counts"):
        ns.senses.separation(nothing, NAMES)
