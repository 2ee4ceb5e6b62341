import numpy as np
import pytest

from notebook_sne.quality import class_recall, neighbor_recall, recall_area
from tests.quality.slow import slow_neighbors

RANDOM = np.random.default_rng(0)


def test_recall_is_the_mean_share_of_kept_neighbors():
    X, Y = RANDOM.normal(size=(40, 5)), RANDOM.normal(size=(40, 2))
    kept = [len(set(a) & set(b)) / 6 for a, b in zip(slow_neighbors(X, 6), slow_neighbors(Y, 6), strict=True)]
    assert neighbor_recall(X, Y, 6) == pytest.approx(np.mean(kept))
    assert neighbor_recall(X, X, 6) == 1.0
    assert neighbor_recall(X, Y, 39) == 1.0


def test_the_area_is_that_under_the_gain_over_chance_at_every_k():
    X, k = RANDOM.normal(size=(26, 5)), np.arange(1, 25)
    for Y in (RANDOM.normal(size=(26, 2)), RANDOM.integers(0, 3, (26, 2)).astype(float)):
        recall, chance = np.array([neighbor_recall(X, Y, n) for n in k]), k / 25
        wanted = ((recall - chance) / (1 - chance) / k).sum() / (1 / k).sum()
        assert recall_area(X, Y) == pytest.approx(wanted, abs=1e-12)


def test_the_area_is_1_for_the_data_and_0_for_chance():
    X = RANDOM.normal(size=(400, 5))
    assert recall_area(X, 3 * X) == pytest.approx(1, abs=1e-12)
    chance = recall_area(X, RANDOM.normal(size=(400, 2)))
    assert abs(chance) < 0.02 and chance.error == 0


@pytest.mark.slow
def test_a_sample_says_its_error():
    X, Y = RANDOM.normal(size=(300, 5)), RANDOM.normal(size=(300, 2))
    Y[:150] = X[:150, :2]
    areas = [recall_area(X, Y, sample=100, random_state=seed) for seed in range(100)]
    stated = np.mean([one.error for one in areas])
    assert 0.75 < np.std(np.array(areas, float) - recall_area(X, Y)) / stated < 1.33


def test_class_recall_asks_for_the_nearest_class_means():
    labels = np.repeat(np.arange(8), 12)
    X, Y = RANDOM.normal(size=(96, 5)) + RANDOM.normal(size=(8, 5))[labels], RANDOM.normal(size=(96, 2))
    means = [np.array([A[labels == c].mean(axis=0) for c in range(8)]) for A in (X, Y)]
    assert class_recall(X, Y, labels, k=3) == pytest.approx(neighbor_recall(*means, 3))
    assert class_recall(X, X, labels) == 1.0
    unlabeled = np.where(np.arange(96) % 12 == 0, None, labels.astype(object))
    there = np.arange(96) % 12 != 0
    assert class_recall(X, Y, unlabeled, k=3) == class_recall(X[there], Y[there], labels[there], k=3)
