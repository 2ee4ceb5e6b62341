import numpy as np
import pytest

from notebook_sne.quality import neighbor_recall
from tests.quality.slow import slow_neighbors

RANDOM = np.random.default_rng(0)


def test_recall_is_the_mean_share_of_kept_neighbors():
    X, Y = RANDOM.normal(size=(40, 5)), RANDOM.normal(size=(40, 2))
    kept = [len(set(a) & set(b)) / 6 for a, b in zip(slow_neighbors(X, 6), slow_neighbors(Y, 6), strict=True)]
    assert neighbor_recall(X, Y, 6) == pytest.approx(np.mean(kept))
    assert neighbor_recall(X, X, 6) == 1.0
    assert neighbor_recall(X, Y, 39) == 1.0
