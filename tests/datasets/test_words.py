import gzip

import numpy as np
import pytest

from notebook_sne.datasets import load_common_words


def test_there_are_500_different_words_the_most_frequent_first():
    data = load_common_words()
    assert data.X.shape == (500, 50)
    assert data.X.dtype == np.float64
    assert data.names[:5].tolist() == ["the", ",", ".", "of", "to"]
    assert len(set(data.names)) == 500


def test_the_first_vector_is_the_published_one():
    np.testing.assert_allclose(load_common_words().X[0, :4], [0.418, 0.24968, -0.41242, 0.1217], rtol=1e-7)


def test_the_neighbors_of_a_word_are_related_to_it():
    data = load_common_words()
    unit = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    order = np.argsort(unit @ unit[data.names == "monday"][0])[::-1]
    assert set(data.names[order[1:5]]) <= {"tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}


@pytest.mark.data
def test_the_bundled_words_equal_an_independent_copy(real_data):
    with gzip.open(real_data("words") / "glove.6B.50d.top10000.txt.gz", "rt", encoding="utf-8") as lines:
        rows = [next(lines).split() for _ in range(500)]
    data = load_common_words()
    assert data.names.tolist() == [row[0] for row in rows]
    np.testing.assert_array_equal(data.X, np.array([row[1:] for row in rows], dtype=np.float32))
