import numpy as np

from notebook_sne.datasets import load_digits


def test_there_are_1797_small_digits():
    data = load_digits()
    assert data.X.shape == (1797, 64)
    assert (data.X.min(), data.X.max()) == (0, 16)
    np.testing.assert_array_equal(data.images.reshape(1797, 64), data.X)
    sizes = np.bincount(data.labels)
    assert (len(sizes), sizes.min(), sizes.max()) == (10, 174, 183)
