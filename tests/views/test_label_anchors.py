"""Where classes are named: at their clumps."""

import numpy as np

from notebook_sne.views.label_anchors import spots_of
from tests.tables import in_one_test


def of_classes(Y, classes):
    return spots_of(Y, [np.flatnonzero(classes == k) for k in range(classes.max() + 1)])


def lying(seed, *clumps):
    """Points in round clumps: a class, how many, where, and how wide, for each."""
    draw = np.random.default_rng(seed).normal
    points = [np.array(at) + wide * draw(size=(n, 2)) for _, n, at, wide in clumps]
    return np.concatenate(points), np.repeat([k for k, *_ in clumps], [n for _, n, *_ in clumps])


TWO = ((0, 60, (-6, 0), 0.6), (0, 40, (6, 0), 0.6), (1, 100, (0, 0), 0.6), (2, 90, (0, 6), 0.8))


@in_one_test("seed", range(5))
@in_one_test("times", [0.3, 1, 20])
def test_a_class_in_two_clumps_is_named_at_both_and_others_once(seed, times):
    Y, classes = lying(seed, *((k, int(n * times), at, wide) for k, n, at, wide in TWO))
    spots = of_classes(Y, classes)
    assert [spot.group for spot in spots] in ([0, 1, 2, 0], [1, 0, 2, 0])
    at = [spot for spot in spots if spot.group == 0]
    np.testing.assert_allclose([spot[1:] for spot in at], [(-6, 0), (6, 0)], atol=0.9)  # the larger clump first


def test_few_objects_apart_are_no_clump():
    Y, classes = lying(0, *TWO[2:], (0, 90, (-6, 0), 0.6), (0, 10, (6, 0), 0.6))
    assert sorted(spot.group for spot in of_classes(Y, classes)) == [0, 1, 2]


def test_a_shoulder_of_a_clump_has_no_name_of_its_own():
    for seed in range(12):
        shoulder = (0, 200, (0, 0), 0.55), (0, 90, (2.1, 0), 0.55)
        Y, classes = lying(seed, *shoulder, (1, 200, (0, 1.8), 0.6), (2, 200, (0.9, -1.8), 0.6))
        assert sorted(spot.group for spot in of_classes(Y, classes)) == [0, 1, 2]


def test_the_densest_spot_counts_and_not_the_middle_of_a_bent_class():
    turns = np.linspace(0, np.pi, 300)
    bent = np.column_stack([5 * np.cos(turns), 5 * np.sin(turns)])
    Y, classes = (
        np.concatenate([bent, [[0, 1]] * 50, [[0, -8]] * 300, [[9, 9]] * 300]),
        np.repeat([0, 1, 2, 3], [300, 50, 300, 300]),
    )
    for spot in of_classes(Y + np.random.default_rng(0).normal(size=Y.shape) / 5, classes):
        if spot.group == 0:
            assert np.linalg.norm(bent - spot[1:], axis=1).min() < 0.7


def test_classes_all_over_the_map_have_no_place():
    Y = np.random.default_rng(0).normal(size=(3000, 2))
    for n_classes in (3, 10, 30):
        assert of_classes(Y, np.arange(3000) % n_classes) == []


def test_nothing_and_one_place_do_no_harm():
    assert spots_of(np.empty((0, 2)), []) == [] == spots_of(np.zeros((4, 2)), [np.arange(4), np.arange(0)])
