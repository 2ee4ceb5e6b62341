import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.neighbors import NearestNeighbors

from notebook_sne.datasets import (
    load_circle,
    load_clusters,
    load_hybrid_digits,
    load_rope,
    load_swiss_roll,
    load_turned_digits,
    load_two_maps,
    load_two_rings,
)
from tests.tables import in_one_test

TOYS = [load_swiss_roll, load_two_rings, load_rope, load_clusters]


@pytest.mark.parametrize("load", [*TOYS, load_two_maps, load_hybrid_digits, load_turned_digits])
def test_a_seed_gives_the_same_objects_and_another_gives_others(load):
    one, same, other = (load(random_state=seed) for seed in (3, 3, 4))
    given = "P" if one.X is None else "X"
    np.testing.assert_array_equal(getattr(one, given), getattr(same, given))
    assert (getattr(one, given) != getattr(other, given)).any()


@pytest.mark.parametrize("load", [*TOYS, load_circle])
def test_a_toy_says_where_it_comes_from(load):
    data = load()
    assert np.isfinite(data.X).all()
    assert data.title
    assert data.citation
    assert data.license


@given(st.integers(3, 200), st.integers(0, 2**32))
def test_without_noise_the_roll_lies_on_its_spiral(n_objects, seed):
    data = load_swiss_roll(n_objects, random_state=seed)
    x, height, z = data.X.T
    t = data.labels
    assert len(data) == n_objects
    # The radius is the angle; a rounding error of some 1e-15 for values of about 10.
    np.testing.assert_allclose(np.hypot(x, z), t, rtol=1e-13)
    assert (t >= 1.5 * np.pi).all()
    assert (t <= 4.5 * np.pi).all()
    assert (height >= 0).all()
    assert (height <= 21).all()


def test_noise_moves_the_roll_and_keeps_its_labels():
    plain, noisy = load_swiss_roll(5000), load_swiss_roll(5000, noise=0.5)
    np.testing.assert_array_equal(plain.labels, noisy.labels)
    # The standard error of a standard deviation from 15,000 numbers is 0.6 %: five of these.
    assert np.std(noisy.X - plain.X) == pytest.approx(0.5, rel=0.03)


def test_the_rings_are_linked():
    data = load_two_rings(400, noise=0)
    one, other = (data.X[data.labels == label] for label in (0, 1))
    # Gauss: the linking number is the double integral of (r - s) . (dr x ds) / |r - s|^3 over 4 pi.
    steps = [(np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)) / 2 for ring in (one, other)]
    apart = one[:, None] - other[None]
    crossed = np.cross(steps[0][:, None], steps[1][None])
    linking = np.sum(np.sum(apart * crossed, axis=2) / np.linalg.norm(apart, axis=2) ** 3) / (4 * np.pi)
    assert abs(linking) == pytest.approx(1, abs=1e-3)


def test_the_rings_are_circles_of_even_spacing():
    data = load_two_rings(60, noise=0)
    for label, center in ((0, [0, 0, 0]), (1, [1, 0, 0])):
        ring = data.X[data.labels == label]
        np.testing.assert_allclose(np.linalg.norm(ring - center, axis=1), 1)
        spacing = np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1)
        np.testing.assert_allclose(spacing, 2 * np.sin(np.pi / 30))


def test_strands_are_turned_into_each_other_and_lie_at_one_distance_from_the_axis():
    data = load_rope(900, n_strands=2, n_turns=1.5, noise=0)
    x, y, height = data.X.T
    np.testing.assert_allclose(np.hypot(x, y), 1)
    assert 0 <= height.min()
    assert height.max() <= 4.5
    assert np.bincount(data.labels).tolist() == [450, 450]
    # Turned back by its height, each strand is one line parallel to the axis.
    angle = np.arctan2(y, x) - 2 * np.pi * height / 3
    for label, at in ((0, 1), (1, -1)):
        np.testing.assert_allclose(np.cos(angle[data.labels == label]), at, atol=1e-12)


def test_neighbors_lie_on_one_strand():
    data = load_rope()
    nearest = NearestNeighbors(n_neighbors=1).fit(data.X).kneighbors(return_distance=False)[:, 0]
    assert np.mean(data.labels[nearest] != data.labels) < 0.02


@given(st.integers(1, 8), st.floats(0, 100))
def test_all_centers_are_at_the_same_distance(n_clusters, distance):
    data = load_clusters([3] * n_clusters, widths=1e-9, distance=distance)
    centers = [data.X[data.labels == label].mean(axis=0) for label in range(n_clusters)]
    np.testing.assert_allclose(pdist(centers), distance, atol=1e-7)


@given(st.integers(3, 200))
def test_the_circle_is_one_of_even_spacing(n_objects):
    data = load_circle(n_objects)
    assert data.X.shape == (n_objects, 2)
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), 1)
    spacing = np.linalg.norm(np.roll(data.X, -1, axis=0) - data.X, axis=1)
    np.testing.assert_allclose(spacing, 2 * np.sin(np.pi / n_objects))
    np.testing.assert_allclose(np.arctan2(*data.X.T[::-1]) % (2 * np.pi), data.labels, atol=1e-12)


def test_clusters_have_the_sizes_and_widths_asked_for():
    data = load_clusters([2000, 4000], widths=[0.5, 3], n_features=20)
    assert data.X.shape == (6000, 20)
    assert np.bincount(data.labels).tolist() == [2000, 4000]
    for label, width in enumerate([0.5, 3]):
        # The standard error of a standard deviation from 40,000 numbers is 0.35 %: five of these.
        spread = data.X[data.labels == label] - data.X[data.labels == label].mean(axis=0)
        assert np.std(spread) == pytest.approx(width, rel=0.018)


def test_the_default_clusters_do_not_touch():
    data = load_clusters()
    centers = np.stack([data.X[data.labels == label].mean(axis=0) for label in range(4)])
    nearest = np.linalg.norm(data.X[:, None] - centers, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearest, data.labels)


@in_one_test(
    ("load", "arguments", "error", "message"),
    [
        (load_swiss_roll, {"n_objects": 2}, ValueError, "n_objects must be at least 3, got 2"),
        (load_swiss_roll, {"n_objects": 10.0}, TypeError, "n_objects must be a whole number, got 10.0"),
        (load_swiss_roll, {"n_objects": True}, TypeError, "n_objects must be a whole number, got True"),
        (load_swiss_roll, {"noise": -1}, ValueError, "noise must satisfy 0 <= noise and be finite, got -1"),
        (load_swiss_roll, {"noise": np.nan}, ValueError, "noise must satisfy 0 <= noise and be finite, got nan"),
        (load_swiss_roll, {"noise": "much"}, TypeError, "noise must be a number, got 'much'"),
        (load_two_rings, {"n_objects": 4}, ValueError, "n_objects must be at least 6, got 4"),
        (load_two_rings, {"n_objects": 7}, ValueError, "n_objects must be even, .* got 7; give one more"),
        (load_two_rings, {"noise": np.inf}, ValueError, "noise must satisfy 0 <= noise and be finite, got inf"),
        (load_rope, {"n_objects": 2}, ValueError, "n_objects must be at least 3, got 2"),
        (load_rope, {"n_strands": 0}, ValueError, "n_strands must be at least 1, got 0"),
        (load_rope, {"n_turns": 0}, ValueError, "n_turns must satisfy 0 < n_turns and be finite, got 0"),
        (load_rope, {"noise": -1}, ValueError, "noise must satisfy 0 <= noise and be finite, got -1"),
        (load_two_maps, {"n_objects": 2}, ValueError, "n_objects must be at least 3, got 2"),
        (load_two_maps, {"sd": 0}, ValueError, "sd must satisfy 0 < sd and be finite, got 0"),
        (load_two_maps, {"sd": "wide"}, TypeError, "sd must be a number, got 'wide'"),
        (load_turned_digits, {"n_views": 2}, ValueError, "n_views must be at least 3, got 2"),
        (load_circle, {"n_objects": 2}, ValueError, "n_objects must be at least 3, got 2"),
        (load_clusters, {"n_objects": [5, 0]}, ValueError, "n_objects of each cluster must be at least 1, got 0"),
        (load_clusters, {"n_objects": [1, 1]}, ValueError, "n_objects must name at least 3 objects in all"),
        (load_clusters, {"n_objects": []}, ValueError, "n_objects must name at least 3 objects in all"),
        (load_clusters, {"n_objects": [5, 5]}, ValueError, "widths must be .* each of the 2 clusters .* got 4"),
        (load_clusters, {"widths": 0}, ValueError, "widths must satisfy 0 < widths and be finite, got 0"),
        (load_clusters, {"distance": -1}, ValueError, "distance must satisfy 0 <= distance and be finite, got -1"),
        (load_clusters, {"n_features": 3}, ValueError, "n_features, with an axis for each cluster, .* at least 4"),
    ],
)
def test_an_argument_out_of_its_range_is_named(load, arguments, error, message):
    with pytest.raises(error, match=message):
        load(**arguments)
