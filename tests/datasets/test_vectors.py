import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import notebook_sne as ns
from notebook_sne.datasets import load_common_words, word_vectors
from tests.tables import in_one_test

N = 40
VECTORS = np.random.default_rng(0).normal(size=(N, 6)) + 2.0
NAMES = [f"word {i}" for i in range(N)]


def cosines(V, center):
    """The cosine of each two vectors, -inf for a vector and itself."""
    V = V - V.mean(axis=0) if center else V
    V = V / np.linalg.norm(V, axis=1, keepdims=True)
    C = V @ V.T
    np.fill_diagonal(C, -np.inf)
    return C


@pytest.mark.parametrize("center", [True, False])
def test_the_neighbors_are_the_words_of_the_largest_cosine(center):
    data = word_vectors(VECTORS, NAMES, n_neighbors=12, center=center)
    C = cosines(VECTORS, center)
    assert data.names.tolist() == NAMES
    among = np.argsort(np.argsort(-C, axis=1), axis=1) < 12
    expected = np.where(among, np.maximum(C, 0), 0)
    np.testing.assert_allclose(data.P.toarray(), expected / expected.sum(axis=1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(data.X @ data.X.T, np.where(np.eye(N, dtype=bool), 1, C), atol=1e-12)
    assert data.P.has_canonical_format


def test_words_that_are_not_similar_have_no_probability():
    vectors = [[1, 0], [1, 0.1], [0, 1], [0.1, 1], [-1, -0.5]]
    with pytest.raises(ValueError, match=r"no vector has a cosine above 0 with that of 'e' \(1 such words\); leave"):
        word_vectors(vectors, "a b c d e".split(), n_neighbors=3, center=False)
    P = word_vectors([*vectors, [-1, -0.6]], "a b c d e f".split(), n_neighbors=4, center=False).P.toarray()
    assert (P > 0).sum(axis=1).tolist() == [2, 3, 2, 3, 1, 1]
    np.testing.assert_allclose(P.sum(axis=1), 1)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.floats(1e-6, 1e6), st.integers(0, 9))
def test_the_unit_the_turn_and_without_a_mean_the_lengths_do_not_matter(scale, seed):
    random = np.random.default_rng(seed)
    turn = np.linalg.qr(random.normal(size=(6, 6)))[0]
    P = word_vectors(VECTORS, NAMES, n_neighbors=12).P.toarray()
    np.testing.assert_allclose(word_vectors(scale * VECTORS @ turn, NAMES, n_neighbors=12).P.toarray(), P, atol=1e-6)
    moved = VECTORS + random.normal(size=6)
    np.testing.assert_allclose(word_vectors(moved, NAMES, n_neighbors=12).P.toarray(), P, atol=1e-6)
    P = word_vectors(VECTORS, NAMES, n_neighbors=12, center=False).P.toarray()
    stretched = VECTORS * random.uniform(0.1, 9.0, (N, 1))
    np.testing.assert_allclose(word_vectors(stretched, NAMES, n_neighbors=12, center=False).P.toarray(), P, atol=1e-6)


def test_the_two_arrays_of_a_gensim_model_are_enough():
    class KeyedVectors:
        """What matters here of gensim's class."""

        vectors = VECTORS.astype(np.float32)
        index_to_key = NAMES

    kv = KeyedVectors()
    data = word_vectors(kv.vectors, kv.index_to_key, n_neighbors=12)
    np.testing.assert_allclose(data.P.toarray(), word_vectors(VECTORS, NAMES, n_neighbors=12).P.toarray(), atol=1e-5)
    assert data.X.dtype == np.float64
    with pytest.raises(
        TypeError, match=r"got <.*KeyedVectors.*; give its two arrays, as in word_vectors\(kv.vectors, kv"
    ):
        word_vectors(kv, NAMES)


@pytest.mark.slow
def test_the_senses_of_words_are_read_from_their_vectors():
    words = load_common_words()
    data = word_vectors(words.X, words.names, n_neighbors=15)
    model = ns.AspectMaps(n_maps=8, max_iter=60, input="probabilities")
    fits = [model.set_params(random_state=seed).fit(data.P).state_ for seed in range(2)]
    reading = ns.senses.read(model, data)
    months = {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october"}
    months |= {"november", "december"}
    assert len(months & set(reading.of("june")["neighbor"])) >= 5
    assert set(ns.senses.consensus(fits, data).of("june")["word"]) == {"june"}
    ns.explore(model, data).close()


@in_one_test(
    ("changed", "error", "message"),
    [
        ({"vectors": [[1.0, 2.0]] * N}, ValueError, "vectors must not be constant"),
        ({"vectors": np.where(np.eye(N, 6) > 0, np.nan, VECTORS)}, ValueError, r"finite, but vectors\[0, 0\]"),
        ({"names": NAMES[:-1]}, ValueError, f"names must hold one entry for each of the {N} objects, got {N - 1}"),
        ({"names": [*NAMES[:-1], "word 3"]}, ValueError, f"names must differ, got 'word 3' for objects 3 and {N - 1}"),
        ({"names": [*NAMES[:-1], None]}, ValueError, "names must not be missing where words are looked up"),
        ({"n_neighbors": N}, ValueError, f"n_neighbors must be below the number of words, {N}, got {N}; lower it"),
        ({"n_neighbors": 1}, ValueError, "n_neighbors must be at least 2, got 1"),
        ({"center": 1}, TypeError, "center must be True or False, got 1"),
        (
            {"vectors": np.vstack([VECTORS[1:], np.zeros(6)]), "center": False},
            ValueError,
            rf"vectors must have a direction, but that of 'word {N - 1}' is zero \(1 such words\); leave these out",
        ),
        ({"vectors": [*VECTORS[1:], VECTORS[1:].mean(axis=0)]}, ValueError, rf"of 'word {N - 1}' is the mean of all"),
    ],
)
def test_what_is_no_vector_or_no_word_is_refused(changed, error, message):
    with pytest.raises(error, match=message):
        word_vectors(**{"vectors": VECTORS, "names": NAMES, "n_neighbors": 12, **changed})


def test_many_equal_vectors_are_neighbors_of_each_other():
    vectors = np.vstack([VECTORS, np.tile(VECTORS[0], (19, 1)) * np.arange(1, 20)[:, None]])
    data = word_vectors(vectors, [*NAMES, *(f"same {k}" for k in range(19))], n_neighbors=12, center=False)
    same = np.r_[0, N : N + 19]
    P = data.P.toarray()[np.ix_(same, same)]
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_allclose(P[P > 0], 1 / 12)
