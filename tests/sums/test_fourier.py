"""A convolution is that of the formula, and its bits do not depend on how many threads transform it."""

import numpy as np
import pytest
from scipy import fft

from notebook_sne.engine.sums import fourier
from notebook_sne.engine.sums.fourier import convolved
from tests.tables import in_one_test

rng = np.random.default_rng(0)
# (n_meshes, n_rows), period: small, with long lines, with more rows than are transformed, several meshes.
SHAPES = [((1, 20), (45, 48)), ((1, 163), (360, 372)), ((1, 300), (301, 640)), ((3, 137), (288, 405))]


@in_one_test("precision", [np.float32, np.float64])
@in_one_test(("shape", "period"), SHAPES)
def test_a_convolution_is_that_of_the_formula(shape, period, precision):
    charges = rng.standard_normal((*shape, period[1])).astype(np.float32)
    K = rng.standard_normal(period)
    G = fft.rfft2(K).astype(np.complex128)
    whole = np.zeros((shape[0], *period))
    whole[:, : shape[1]] = charges
    expected = fft.irfft2(fft.rfft2(whole) * G.real, period)[:, : shape[1]]
    found = convolved(charges, G.real.astype(precision), period)
    assert found.dtype == np.float32 and found.shape == charges.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize(("shape", "period"), SHAPES)
def test_its_bits_do_not_depend_on_the_number_of_threads(shape, period, monkeypatch):
    charges = rng.standard_normal((*shape, period[1])).astype(np.float32)
    G = rng.standard_normal((period[0], period[1] // 2 + 1)).astype(np.float32)
    found = []
    for number in (1, 2, 3, 8):
        monkeypatch.setattr(fourier, "number_of_threads", lambda number=number: number)
        found.append(convolved(charges, G, period))
    assert all(np.array_equal(found[0], one) for one in found[1:])


@pytest.mark.parametrize("number", [1, 2, 3, 8])
def test_each_worker_has_whole_registers_of_lines(number, monkeypatch):
    monkeypatch.setattr(fourier, "number_of_threads", lambda: number)
    for n_meshes in (1, 3):
        for n_lines in range(1, 1200, 7):
            lines, workers = fourier._shared_out(n_lines, n_meshes)
            assert lines >= n_lines and lines * n_meshes % (16 * workers) == 0
            assert 1 <= workers <= number and (workers == 1 or n_lines * n_meshes >= 128 * workers)
