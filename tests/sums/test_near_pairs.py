import numpy as np
import pytest

from notebook_sne.engine.sums.mesh_sums import student_mesh_sums
from notebook_sne.engine.sums.meshes import lay_out
from notebook_sne.engine.sums.near_pairs import Smooth, add_near, count_near
from tests.sums.layouts import exact


def wide(n_objects=1500, seed=0):
    """Clusters 300 units apart, as on a late map of many objects."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-150, 150, (40, 2))[rng.integers(40, size=n_objects)] + 4 * rng.standard_normal((n_objects, 2))


def laid(Y, reach=4.0):
    (mesh,), rows, _ = lay_out(Y, np.array([0, len(Y)]), (6, 1 / 3, reach), False, True)
    assert mesh.reach >= reach and not len(rows)
    return mesh


def rest(d, freedom, reach):
    """What the smooth part lacks, and minus its derivative, by a difference."""
    smooth = Smooth(freedom, reach)
    before, here, after = (
        (1 + at / freedom) ** (-(freedom + 1) / 2) - smooth.values(at) for at in (d - 1e-5, d, d + 1e-5)
    )
    return here, (before - after) / 2e-5


@pytest.mark.parametrize("freedom", [0.5, 1.0, 3.0])
def test_near_pairs_have_what_the_smooth_part_lacks(freedom):
    Y, weights = wide(600), np.random.default_rng(1).uniform(0.1, 2.0, 600).astype(np.float32)
    mesh = laid(Y)
    values, forces = np.zeros(600), np.zeros((600, 2))
    add_near(mesh, weights, Smooth(freedom, mesh.reach), values, forces)
    apart = Y[:, None] - Y
    d = np.square(apart).sum(axis=2)
    K, slope = rest(d, freedom, mesh.reach)
    assert np.abs(K[d > mesh.reach**2]).max() < 1e-14
    np.fill_diagonal(K, 0.0)
    np.testing.assert_allclose(values, K @ weights, atol=2e-5)
    np.testing.assert_allclose(forces, np.einsum("ij,ija->ia", slope * weights, apart), atol=1e-4)


def test_the_smooth_part_has_three_derivatives_at_the_reach():
    for freedom in (0.5, 1.0, 3.0):
        d = 16.0 + np.arange(-4, 5) * 0.05
        within, beyond = (
            np.polyfit(d[part] - 16.0, Smooth(freedom, 4.0).values(d[part]), 3) for part in (d <= 16, d >= 16)
        )
        np.testing.assert_allclose(within[1:], beyond[1:], rtol=1e-2)


@pytest.mark.compiled
@pytest.mark.parametrize("freedom", [0.5, 1.0, 3.0])
def test_sums_of_a_wide_map_with_weights(freedom):
    Y = wide()
    for weights in (None, np.random.default_rng(2).uniform(0.0, 3.0, len(Y))):
        values, forces = student_mesh_sums(Y, weights, degrees_of_freedom=freedom)
        w = np.ones(len(Y)) if weights is None else weights
        value, force = exact(Y, w, freedom, np.arange(len(Y)))
        np.testing.assert_allclose(values, value, rtol=1e-2)
        assert np.linalg.norm(forces - force) <= 5e-3 * np.linalg.norm(force)


@pytest.mark.compiled
def test_forces_are_the_slopes_of_the_values():
    Y, step = wide(), 1e-2
    forces = student_mesh_sums(Y)[1]
    for i in (3, 700):
        for axis in (0, 1):
            ends = []
            for sign in (1, -1):
                moved = Y.copy()
                moved[i, axis] += sign * step
                ends.append(student_mesh_sums(moved)[0][i])
            assert abs(-0.5 * (ends[0] - ends[1]) / (2 * step) - forces[i, axis]) < 2e-3 * np.abs(forces).max()


@pytest.mark.compiled
def test_several_wide_maps_do_not_feel_each_other():
    parts = wide(900, 1), 0.8 * wide(700, 2), np.random.default_rng(3).standard_normal((500, 2))
    Y, groups = np.concatenate(parts), np.array([0, 900, 1600, 2100])
    values, forces = student_mesh_sums(Y, groups=groups)
    for part, start in zip(parts, groups, strict=False):
        value, force = exact(part, np.ones(len(part)), 1.0, np.arange(len(part)))
        here = slice(start, start + len(part))
        np.testing.assert_allclose(values[here], value, rtol=2e-3)
        assert np.linalg.norm(forces[here] - force) <= 1e-2 * np.linalg.norm(force)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "Y",
    [
        np.array([[0.0, 0.0], [200.0, 100.0]]),
        np.array([[0.0, 0.0]] * 300 + [[300.0, 0.0]] * 300),
        wide(2000) * [2.0, 0.0],
        np.concatenate([wide(600), [[1e18, -1e18]]]),  # whose square single precision still holds
    ],
    ids=["two", "two places", "line", "far"],
)
def test_hard_maps(Y):
    values, forces = student_mesh_sums(Y)
    value, force = exact(Y, np.ones(len(Y)), 1.0, np.arange(len(Y)))
    np.testing.assert_allclose(values, value, rtol=1e-2)
    assert np.linalg.norm(forces - force) <= 1e-2 * np.linalg.norm(force) + 1e-3


def test_near_pairs_are_counted_by_a_sample():
    Y = 100 * np.random.default_rng(4).random((6000, 2))
    near = (np.abs(Y[:, None] - Y).max(axis=2) < 5.0).sum() - 6000
    assert count_near(Y, 4.0) == pytest.approx(near, rel=0.3)
