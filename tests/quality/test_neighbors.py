import numpy as np
import pytest

from notebook_sne.quality.neighbors import check_k, neighbors
from tests.quality.slow import slow_neighbors

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize("n_features", [2, 40])
def test_neighbors_are_exact_also_among_ties(n_features):
    lattice = RANDOM.integers(0, 2, (120, n_features)).astype(float)
    smooth = 1e3 + RANDOM.normal(size=(120, n_features))
    for X in (lattice, smooth):
        for k in (1, 7, 118, 119):
            found = np.sort(neighbors(X, k), axis=1)
            np.testing.assert_array_equal(found, np.sort(slow_neighbors(X, k), axis=1))


def test_coincident_objects_have_neighbors_other_than_themselves():
    Y = np.zeros((6, 2))
    Y[5] = 1
    np.testing.assert_array_equal(neighbors(Y, 1)[:, 0], [1, 0, 0, 0, 0, 0])


def test_k_goes_up_to_its_greatest_value():
    assert [check_k(k, 5, "N") for k in (1, 5)] == [1, 5]
    for k in (0, 6):
        with pytest.raises(ValueError, match=f"k must be .*got {k}"):
            check_k(k, 5, "N")
