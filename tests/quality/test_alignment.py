import numpy as np
import pytest

from notebook_sne.quality import procrustes_disparity

RANDOM = np.random.default_rng(0)


def test_procrustes_disparity_sees_through_turning_mirroring_moving_and_scaling():
    A = RANDOM.normal(size=(30, 2))
    B = 3 * A @ np.array([[0.6, 0.8], [0.8, -0.6]]) + [5, -7]
    assert procrustes_disparity(A, B) == pytest.approx(0, abs=1e-12)
    assert 0.5 < procrustes_disparity(A, RANDOM.normal(size=(30, 2))) <= 1
