import gzip
import hashlib
from pathlib import Path

import numpy as np
import pytest

from notebook_sne.datasets import load_common_words, words

BUNDLED = Path(words.__file__).parent / "bundled"


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


def test_the_bundled_file_is_what_the_build_script_writes():
    # A new checksum needs a new run of build_common_words.py, and its reason in the commit.
    checksum = hashlib.sha256((BUNDLED / "common_words.npz").read_bytes()).hexdigest()
    assert checksum == "ed660c9370fc201e372f660d64f6167f199e4c90b1df971324e55cd69ac12e39"


def test_the_notice_travels_with_the_file():
    assert "PDDL" in (BUNDLED / "common_words.NOTICE").read_text(encoding="utf-8")


@pytest.mark.data
def test_the_bundled_words_equal_an_independent_copy(real_data):
    with gzip.open(real_data("words") / "glove.6B.50d.top10000.txt.gz", "rt", encoding="utf-8") as lines:
        rows = [next(lines).split() for _ in range(500)]
    data = load_common_words()
    assert data.names.tolist() == [row[0] for row in rows]
    np.testing.assert_array_equal(data.X, np.array([row[1:] for row in rows], dtype=np.float32))
