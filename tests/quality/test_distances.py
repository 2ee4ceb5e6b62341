import itertools

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr

from notebook_sne.quality import distance_rank_correlation, triplet_accuracy

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(size=(40, 5)), RANDOM.normal(size=(40, 2))
Y[:20] = X[:20, :2]


def test_the_rank_correlation_is_spearmans_over_all_pairs():
    found = distance_rank_correlation(X, Y)
    assert found == pytest.approx(spearmanr(pdist(X), pdist(Y)).statistic, abs=1e-12) and found.error == 0
    assert distance_rank_correlation(X, 7 * X) == pytest.approx(1)


@pytest.mark.slow
def test_a_sample_of_the_rank_correlation_says_its_error():
    many = RANDOM.normal(size=(600, 3))
    image = many[:, :2] + 0.5 * RANDOM.normal(size=(600, 2))
    whole = distance_rank_correlation(many, image)
    drawn = [distance_rank_correlation(many, image, sample=100, random_state=seed) for seed in range(60)]
    assert {(one.asked, one.among) for one in drawn} == {(100, 600)}
    off, stated = np.array(drawn, float) - whole, np.mean([one.error for one in drawn])
    # Ten parts know the error to a quarter, and sixty draws the spread to a tenth.
    assert 0.6 < off.std() / stated < 1.5


def test_a_sample_has_three_objects_for_each_part_that_says_its_error():
    assert distance_rank_correlation(X, Y, sample=30).asked == 30
    with pytest.raises(ValueError, match="sample must be at least 30, got 29"):
        distance_rank_correlation(X, Y, sample=29)


def test_triplets_are_those_of_all_within_their_error():
    D, E = (np.linalg.norm(A[:, None] - A[None], axis=2) for A in (X, Y))
    right = [(D[i, j] < D[i, k]) == (E[i, j] < E[i, k]) for i, j, k in itertools.permutations(range(40), 3)]
    drawn = [triplet_accuracy(X, Y, 2000, random_state=seed) for seed in range(200)]
    off = np.array(drawn, float) - np.mean(right)
    assert 0.8 < off.std() / np.mean([one.error for one in drawn]) < 1.25
    assert abs(off.mean()) < 0.3 * drawn[0].error
    assert triplet_accuracy(X, X) == 1.0 and drawn[0].among == 40 * 39 * 38


def test_a_tie_in_one_space_counts_half():
    corners = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    D = ((corners[:, None] - corners) ** 2).sum(axis=2)
    line = np.array([[0.0], [1], [3], [7]])
    E = ((line[:, None] - line) ** 2).sum(axis=2)
    signs = [np.sign(D[i, j] - D[i, k]) * np.sign(E[i, j] - E[i, k]) for i, j, k in itertools.permutations(range(4), 3)]
    found = triplet_accuracy(corners, line, 200_000)
    assert found == pytest.approx(np.mean(0.5 + 0.5 * np.array(signs)), abs=5 * found.error)
    assert triplet_accuracy(corners, corners) == 1.0  # a tie in both
