"""UMAP's repulsion by a mesh and near pairs, on maps that would break it, and its attraction, against plain NumPy."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.sums.power_pull import power_pull
from notebook_sne.engine.sums.stored_pairs import store
from notebook_sne.engine.sums.umap_sums import Logarithmic, logarithmic_sums, similarity_sum
from tests.sums.layouts import layouts
from tests.tables import in_one_test

LAYOUTS = layouts()
KERNEL = Logarithmic(1.5769, 0.8951)


def plain(Y, w, kernel, rows):
    """Values and forces of some rows, in double precision."""
    values, forces = np.empty(len(rows)), np.empty((len(rows), Y.shape[1]))
    for r, i in enumerate(rows):
        apart = np.delete(Y[i] - Y, i, axis=0)
        d, c = np.square(apart).sum(axis=1), np.delete(w[i] + w, i)
        values[r] = c @ np.log(1 + 1 / (kernel.a * (d + 1e-3) ** kernel.b))
        forces[r] = (c * kernel.b / ((d + 1e-3) * (1 + kernel.a * (d + 1e-3) ** kernel.b))) @ apart
    return values, forces


@pytest.mark.compiled
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", LAYOUTS)
def test_a_mesh_errs_little_on_any_map(name):
    Y = LAYOUTS[name]
    rng = np.random.default_rng(0)
    w = rng.uniform(0.5, 2.0, len(Y))
    rows = rng.permutation(len(Y))[:200]
    values, forces = logarithmic_sums(Y, w, KERNEL, always=True)
    there = plain(Y, w, KERNEL, rows)
    assert np.isfinite(forces).all()
    # Of values and, root mean square, of forces: as for the meshes of the other kernels.
    np.testing.assert_allclose(values[rows], there[0], rtol=1e-2, atol=1e-6 * np.abs(there[0]).max())
    assert np.linalg.norm(forces[rows] - there[1]) < 1e-2 * np.linalg.norm(there[1]) + 1e-9


@in_one_test("n_components", [1, 2, 3])
@in_one_test("kernel", [KERNEL, Logarithmic(0.1, 1.9), Logarithmic(20.0, 0.8)])
def test_exact_sums_are_those_of_numpy(n_components, kernel):
    rng = np.random.default_rng(1)
    Y, w = rng.normal(size=(40, n_components)), rng.uniform(0.5, 2.0, 40)
    for here, there in zip(
        logarithmic_sums(Y, w, kernel, always=False), plain(Y, w, kernel, np.arange(40)), strict=True
    ):
        np.testing.assert_allclose(here, there, rtol=1e-10, atol=1e-10 * np.abs(there).max())


def test_the_smooth_part_of_a_kernel_is_the_kernel_beyond_its_reach():
    smooth, d = KERNEL._replace(reach=0.5), np.linspace(0.0, 1.0, 201)
    beyond = d >= 0.25
    np.testing.assert_array_equal(smooth.values(d)[beyond], KERNEL.values(d)[beyond])
    assert (smooth.values(d)[~beyond] <= KERNEL.values(d)[~beyond]).all()
    for kernel in (smooth, KERNEL):
        slopes = -(kernel.values(d + 1e-6) - kernel.values(d)) / 1e-6
        np.testing.assert_allclose(kernel.slopes(d + 5e-7), slopes, rtol=1e-4, atol=1e-6)


@in_one_test("n_components", [1, 2, 3])
@in_one_test(("a", "b"), [(1.6, 0.9), (0.1, 1.9), (20.0, 0.6)])
def test_the_attraction_is_that_of_numpy(n_components, a, b):
    rng = np.random.default_rng(2)
    Y = rng.normal(size=(20, n_components))
    Y[1] = Y[0]  # a pair in one place
    S = np.triu(rng.random((20, 20)) * (rng.random((20, 20)) < 0.4), 1)
    S += S.T
    S[0, 1] = S[1, 0] = 0.5
    energy, forces = power_pull(store(sparse.csr_array(S), sparse.csr_array(S)), Y, a, b)
    apart = Y[:, None] - Y
    d = np.square(apart).sum(axis=2)
    assert energy == pytest.approx(np.sum(S * np.log1p(a * d**b)), rel=1e-10)
    near = d > 0
    slopes = np.zeros(d.shape)
    slopes[near] = S[near] * a * b * d[near] ** (b - 1) / (1 + a * d[near] ** b)
    np.testing.assert_allclose(forces, (slopes[:, :, None] * apart).sum(axis=1), rtol=1e-9, atol=1e-12)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", [pytest.param(np.float32, marks=pytest.mark.slow), np.float64])
def test_the_attraction_of_very_many_rows_is_that_of_numpy(kind):
    # So many that a block of rows is taken in parts; every seventh row is empty.
    rng, N, K = np.random.default_rng(3), 40_000, 4
    Y = rng.normal(size=(N, 2))
    i = np.repeat(np.flatnonzero(np.arange(N) % 7), K)
    j = (i + np.tile(np.arange(1, K + 1), len(i) // K)) % N
    s = rng.random(len(i)).astype(kind)
    S, s = sparse.csr_array((s, (i, j)), (N, N)), s.astype(float)
    pairs = store(S, S, single=True)
    assert pairs.strengths.dtype == kind
    energy, forces = power_pull(pairs, Y, 1.6, 0.9)
    d = np.square(Y[i] - Y[j]).sum(axis=1)
    assert energy == pytest.approx(s @ np.log1p(1.6 * d**0.9), rel=1e-9)
    slopes = s * 1.6 * 0.9 * d**-0.1 / (1 + 1.6 * d**0.9)
    for c in range(2):
        np.testing.assert_allclose(forces[:, c], np.bincount(i, slopes * (Y[i] - Y[j])[:, c], N), rtol=1e-9, atol=1e-9)


@in_one_test("n_components", [1, 2, 3])
@in_one_test(("a", "b"), [(1.6, 0.9), (0.1, 1.9), (2800.0, 0.8)])
def test_the_sum_of_all_similarities_is_that_of_numpy(n_components, a, b):
    Y = np.random.default_rng(4).normal(size=(50, n_components))
    Y[1] = Y[0]
    w = 1 / (1 + a * np.square(Y[:, None] - Y).sum(axis=2) ** b)
    assert similarity_sum(Y, a, b) == pytest.approx(w.sum() - 50, rel=1e-10)
