import numpy as np
import pytest

from notebook_sne.quality import trustworthiness

RANDOM = np.random.default_rng(0)


def test_a_map_that_is_the_data_is_trustworthy():
    X = RANDOM.normal(size=(40, 2))
    assert trustworthiness(X, X, 5) == 1.0
    assert trustworthiness(X, RANDOM.normal(size=(40, 2)), 5) < 0.7


def test_ranks_over_too_many_objects_are_refused():
    Y = np.zeros((10_001, 1))
    Y[0] = 1
    with pytest.raises(ValueError, match="at most 10000 objects"):
        trustworthiness(Y, Y)
