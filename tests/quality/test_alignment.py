import numpy as np
import pytest
from scipy.spatial import procrustes

from notebook_sne.quality import neighbor_recall, procrustes_align, procrustes_disparity, stability

RANDOM = np.random.default_rng(0)
MIRROR = np.array([[0.6, 0.8], [0.8, -0.6]])


def test_procrustes_disparity_sees_through_turning_mirroring_moving_and_scaling():
    A = RANDOM.normal(size=(30, 2))
    B = 3 * A @ MIRROR + [5, -7]
    assert procrustes_disparity(A, B) == pytest.approx(0, abs=1e-12)
    assert 0.5 < procrustes_disparity(A, RANDOM.normal(size=(30, 2))) <= 1


def test_a_map_is_laid_upon_another_one_in_the_unit_of_that():
    A = 4 * RANDOM.normal(size=(30, 2)) + 100
    np.testing.assert_allclose(procrustes_align(A, 3 * A @ MIRROR + [5, -7]), A, rtol=1e-10)
    B = A + RANDOM.normal(size=(30, 2))
    aligned = procrustes_align(A, B @ MIRROR)
    gap = np.square(A - aligned).sum() / np.square(A - A.mean(axis=0)).sum()
    assert gap == pytest.approx(procrustes(A, B)[2], rel=1e-9) and gap == pytest.approx(procrustes_disparity(A, B))
    for angle, scale in ((0.01, 1), (-0.01, 1), (0, 1.01), (0, 0.99)):  # nothing near is better
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        moved = (aligned - A.mean(axis=0)) @ turn * scale + A.mean(axis=0)
        assert np.square(A - moved).sum() > np.square(A - aligned).sum()


@pytest.mark.parametrize("size", [1e-140, 1.0, 1e140])
def test_maps_of_any_size_are_aligned(size):
    A = RANDOM.normal(size=(30, 3))
    np.testing.assert_allclose(procrustes_align(A * size, A), A * size, rtol=1e-9, atol=1e-12 * size)


def test_equal_maps_are_stable_and_unequal_ones_are_not():
    A = RANDOM.normal(size=(50, 2))
    found = stability([A, 2 * A @ MIRROR + 3, A[:, ::-1] - 7], k=5)
    assert found.aligned.shape == (3, 50, 2) and found.mean.shape == (50, 2)
    np.testing.assert_allclose(found.spread, 0, atol=1e-9)
    np.testing.assert_allclose(found.disparities, 0, atol=1e-9)
    np.testing.assert_array_equal(found.recalls, 1)
    np.testing.assert_allclose(np.square(found.aligned).sum(axis=2).mean(axis=1), 1)
    strangers = stability(RANDOM.normal(size=(3, 50, 2)), k=5)
    assert strangers.spread.mean() > 0.5 and strangers.disparities[0, 1] > 0.5 and strangers.recalls[0, 1] < 0.4


def test_the_spread_names_the_object_that_wanders():
    A = RANDOM.normal(size=(40, 2))
    maps = []
    for seed in range(5):
        one = A.copy()
        one[7] = np.random.default_rng(seed).normal(size=2) * 3
        maps.append(one @ MIRROR if seed % 2 else one)
    assert stability(maps).spread.argmax() == 7


def test_each_two_maps_are_compared():
    maps = [RANDOM.normal(size=(30, 2)) for _ in range(3)]
    found = stability(maps, k=4)
    for a in range(3):
        for b in range(3):
            assert found.disparities[a, b] == pytest.approx(procrustes_disparity(maps[a], maps[b]), abs=1e-12)
            assert found.recalls[a, b] == neighbor_recall(maps[a], maps[b], 4)


def test_no_other_mean_map_is_nearer_to_all():
    A = RANDOM.normal(size=(30, 2))
    found = stability([A + 0.3 * RANDOM.normal(size=(30, 2)) for _ in range(4)])
    np.testing.assert_allclose(found.aligned.mean(axis=0), found.mean, atol=1e-9)
    for one in found.aligned:  # each is turned onto the mean as well as it can be
        np.testing.assert_allclose(one.T @ found.mean, (one.T @ found.mean).T, atol=1e-6)
