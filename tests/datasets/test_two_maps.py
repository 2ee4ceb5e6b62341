import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notebook_sne.datasets import load_two_maps


def test_probabilities_are_the_mixture_of_both_maps():
    data = load_two_maps(7, 0.8, random_state=2)
    expected = np.zeros((7, 7))
    for i in range(7):
        for j in range(7):
            if i != j:
                expected[i, j] = sum(0.5 * 0.5 * np.exp(-np.sum((Y[i] - Y[j]) ** 2)) for Y in data.maps)
        expected[i] /= expected[i].sum()
    np.testing.assert_allclose(data.P, expected, rtol=1e-12)  # rounding of some 1e-16 in exponents of about 10


@given(st.integers(3, 50), st.floats(1e-6, 1e3), st.integers(0, 2**32))
def test_p_is_conditional_however_far_objects_are(n_objects, sd, seed):
    data = load_two_maps(n_objects, sd, random_state=seed)
    assert data.P.shape == (n_objects, n_objects)
    assert data.maps.shape == (2, n_objects, 2)
    np.testing.assert_allclose(data.P.sum(axis=1), 1)
    assert (data.P.diagonal() == 0).all()


@pytest.mark.slow
def test_the_maps_are_gaussian_and_independent():
    maps = load_two_maps(2000, 0.7).maps
    # The standard error of a standard deviation from 2,000 numbers is 1.6 %, that of a correlation 0.022.
    np.testing.assert_allclose(maps.std(axis=1), 0.7, rtol=0.08)
    correlation = np.corrcoef(np.concatenate([maps[0].T, maps[1].T]))
    assert np.abs(correlation - np.eye(4)).max() < 0.11
