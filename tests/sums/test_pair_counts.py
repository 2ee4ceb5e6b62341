"""Pairs counted by distance, and sums of any smooth function of it: one by one, by a mesh, and over stored pairs."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.sums import pair_counts as pc
from notebook_sne.engine.sums.stored_pairs import store
from tests.sums.layouts import layouts

LAYOUTS = layouts()


def smooth(x):
    """A function of x = log(1 + d), and its derivative."""
    w = np.exp(-x)
    return np.exp(-3.0 * w) + 0.3 * w, 3.0 * w * np.exp(-3.0 * w) - 0.3 * w


def plain(Y, rows, strengths=None):
    """The sum of a function over all pairs of some rows, and the forces on these."""
    values, forces = np.empty(len(rows)), np.empty((len(rows), Y.shape[1]))
    for r, i in enumerate(rows):
        apart = Y[i] - Y
        x = np.log1p(np.square(apart).sum(axis=1))
        f, slope = smooth(x)
        s = np.ones(len(Y)) if strengths is None else strengths[i].copy()
        s[i] = 0.0
        values[r], forces[r] = s @ f, (s * slope * np.exp(-x)) @ apart
    return values, forces


@pytest.mark.compiled
@pytest.mark.sampled(14)
@pytest.mark.parametrize("name", LAYOUTS)
def test_a_mesh_errs_little_on_any_map(name):
    Y = LAYOUTS[name]
    rows = np.random.default_rng(0).permutation(len(Y))[:200]
    x = pc.grid(Y)
    c = pc.coefficients(smooth(x)[0])
    forces = pc.forces_of_all(Y, c, always=True)
    there = plain(Y, rows)[1]
    assert np.linalg.norm(forces[rows] - there) < 1e-2 * np.linalg.norm(there) + 1e-9
    total = plain(Y, np.arange(len(Y)))[0].sum()
    assert pc.count_pairs(Y, len(x), always=True) @ c == pytest.approx(total, rel=1e-4)


@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_pairs_one_by_one_are_those_of_numpy(n_components):
    Y = 3.0 * np.random.default_rng(1).normal(size=(50, n_components))
    c = pc.coefficients(smooth(pc.grid(Y))[0])
    values, forces = plain(Y, np.arange(50))
    assert pc.count_pairs(Y, len(c), always=False) @ c == pytest.approx(values.sum(), rel=1e-7)
    np.testing.assert_allclose(pc.forces_of_all(Y, c, always=False), forces, atol=1e-5 * np.abs(forces).max())


def test_stored_pairs_are_those_of_numpy():
    rng = np.random.default_rng(2)
    Y = 3.0 * rng.normal(size=(30, 2))
    S = np.triu(rng.random((30, 30)) * (rng.random((30, 30)) < 0.4), 1)
    S += S.T
    pairs = store(sparse.csr_array(S), sparse.csr_array(S))
    c = pc.coefficients(smooth(pc.grid(Y))[0])
    values, forces = plain(Y, np.arange(30), S)
    assert pc.count_stored(pairs, Y, len(c)) @ c == pytest.approx(values.sum(), rel=1e-7)
    np.testing.assert_allclose(pc.forces_of_stored(pairs, Y, c), forces, atol=1e-5 * np.abs(forces).max())


def test_all_pairs_are_counted_once_in_each_direction():
    Y = np.random.default_rng(3).normal(size=(60, 2))
    for always in (False, True):
        assert pc.count_pairs(Y, len(pc.grid(Y)), always=always).sum() == pytest.approx(60 * 59, rel=1e-12)


def test_a_function_has_its_values_and_slopes():
    x = pc.grid(np.array([[0.0, 0.0], [40.0, 0.0]]))
    c, there = pc.coefficients(smooth(x)[0]), np.linspace(0.0, np.log1p(1600.0), 57)
    np.testing.assert_allclose(pc.values_at(there, c), smooth(there)[0], atol=1e-6)
    np.testing.assert_allclose(pc.slopes_at(there, c), smooth(there)[1], atol=1e-4)


@pytest.mark.parametrize(("n", "extent", "mesh"), [(100, 30.0, False), (2000, 30.0, True), (2000, 900.0, False)])
def test_pairs_are_taken_one_by_one_where_they_are_fewer_than_what_a_mesh_costs(n, extent, mesh):
    Y = np.random.default_rng(4).uniform(0.0, extent, size=(n, 2))
    assert (pc._laid(Y, None) is not None) is mesh
