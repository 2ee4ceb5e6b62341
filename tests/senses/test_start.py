"""A start in which a word's copies stand for its senses."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.mathematics.communities import EVENLY
from tests.senses.planted import HOMONYMS, N_PLAIN, N_SUBJECTS, NAMES, SUBJECTS, N, planted_counts


@pytest.fixture(scope="module")
def words():
    counts = planted_counts()
    P = ns.affinities.from_counts(counts)
    return ns.datasets.Dataset(title="planted", P=P, counts=counts, names=NAMES, kept=np.ones(N))


def test_each_map_begins_with_a_subject_and_a_homonym_is_in_two(words):
    mixing = ns.senses.start(words, n_maps=N_SUBJECTS)
    assert mixing.shape == (N_SUBJECTS, N) and mixing.min() >= EVENLY / N_SUBJECTS - 1e-12
    np.testing.assert_allclose(mixing.sum(axis=0), 1.0)
    first = mixing.argmax(axis=0)
    map_of = [np.bincount(first[c * N_PLAIN : (c + 1) * N_PLAIN], minlength=N_SUBJECTS).argmax() for c in range(4)]
    assert sorted(map_of) == [0, 1, 2, 3]
    for h, pair in enumerate(HOMONYMS):
        own = mixing[:, N_SUBJECTS * N_PLAIN + h]
        assert set(np.argsort(-own)[:2]) == {map_of[c] for c in pair}, pair
        assert np.sort(own)[-2] > 0.2
    plain = [i for i, subjects in enumerate(SUBJECTS) if len(subjects) == 1]
    assert (np.sort(mixing[:, plain], axis=0)[-2] < 0.2).mean() > 0.9


def test_it_is_the_same_for_a_seed_and_goes_into_a_model(words):
    one, again, other = (ns.senses.start(words, 4, random_state=seed) for seed in (0, 0, 1))
    assert np.array_equal(one, again) and one.shape == other.shape
    by_groups = ns.senses.start(ns.senses.groups(words), 4)
    assert np.array_equal(by_groups, one)
    model = ns.AspectMaps(n_maps=4, init=one, input="probabilities", random_state=0, max_iter=30)
    state = next(model.iterate(words.P))
    np.testing.assert_allclose(state.mixing, one, atol=1e-12)
    assert np.std(state.Y) == pytest.approx(0.01, rel=0.1)
    fitted = model.fit(words.P)
    seen = ns.senses.consensus(fitted, words)
    assert np.mean([seen.senses(i).seen[:2].all() for i in range(N_SUBJECTS * N_PLAIN, N)]) > 0.8


def test_words_of_no_associates_among_the_mapped_have_a_place_too():
    import pandas as pd

    rows = [("a", "b", 5), ("b", "c", 5), ("c", "a", 5), ("d", "a", 1), ("a", "d", 1), ("e", "d", 9), ("d", "e", 9)]
    table = pd.DataFrame(rows, columns=["cue", "response", "count"])
    data = ns.datasets.associations(table, cue="cue", response="response", count="count", n_words=4)
    mixing = ns.senses.start(data, 2)
    np.testing.assert_allclose(mixing.sum(axis=0), 1.0)


def test_bad_input_names_the_rule(words):
    with pytest.raises(ValueError, match="n_maps must be at most the number of senses of all words, "):
        ns.senses.start(words, 1000)
    with pytest.raises(TypeError, match="words must be a Dataset, got list"):
        ns.senses.start(NAMES, 3)
    bare = ns.datasets.Dataset(title="vectors", X=np.eye(5), names=list("abcde"))
    with pytest.raises(ValueError, match="words must have a P"):
        ns.senses.groups(bare)
    mixing = ns.senses.start(words, 4)
    model = ns.AspectMaps(n_maps=4, input="probabilities", max_iter=5)
    for init, said in (
        (mixing[:3], r"init must have shape \(M, N, n_components\) = \(4, 38, 2\), or \(M, N\) as proportions"),
        (np.eye(4)[:, np.arange(N) % 4], "init must not have proportions of 0"),
        (2 * mixing, "init must sum to 1 over the maps"),
    ):
        with pytest.raises(ValueError, match=said):
            model.set_params(init=init).fit(words.P)
    with pytest.raises(ValueError, match=r"an init of proportions, shape \(M, N\), needs mixing='free'"):
        model.set_params(init=mixing, mixing="equal").fit(words.P)
