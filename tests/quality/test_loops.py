"""What counts as a closed loop in a map of things that are turned, on shapes of which everybody would say so or not."""

import numpy as np
import pytest

from notebook_sne.quality import closed_loops
from tests.tables import in_one_test

ANGLES = np.arange(72) * 2 * np.pi / 72
NOISE = np.random.default_rng(0).standard_normal((72, 2))


def ring(angles=ANGLES, width=1.0):
    return np.column_stack([np.cos(angles), width * np.sin(angles)])


SHAPES = {
    "circle": (ring(), 1),
    "ellipse": (ring(width=0.4), 1),
    "rough circle": (ring() + 0.01 * NOISE, 1),
    "a jump of a fifth": (np.roll(ring(np.linspace(0, 2 * np.pi * 0.94, 72)), 5, axis=0), 1),
    "open arc": (ring(np.linspace(0, np.pi, 72)), 0),
    "line": (np.column_stack([np.arange(72.0), np.zeros(72)]), 0),
    "front upon back": (ring(2 * ANGLES) + 0.01 * NOISE, 0),
    "line there and back": (np.column_stack([np.cos(ANGLES), 0.001 * NOISE[:, 0]]), 0),
    "shuffled": (np.random.default_rng(1).permutation(ring()), 0),
    "blob": (NOISE, 0),
    "two pieces": (ring() + np.where(np.arange(72) < 36, 0, 3)[:, None], 0),
}


@in_one_test("name", SHAPES)
def test_a_loop_is_counted_where_it_is_closed_and_in_order(name):
    shape, loops = SHAPES[name]
    assert closed_loops(shape, np.ones(72)) == (loops, loops)
    turned = shape @ np.array([[0.6, -0.8], [0.8, 0.6]]) * 40 + 7
    assert closed_loops(turned, np.ones(72)) == (loops, loops)


def test_loops_upon_each_other_are_not_apart():
    between = ring(ANGLES + np.pi / 72)
    assert closed_loops(np.vstack([ring(), between]), np.repeat([1, 2], 72)) == (2, 0)
    assert closed_loops(np.vstack([ring(), 5 + ring(), NOISE + 20]), np.repeat([1, 2, 3], 72)) == (2, 2)


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        (np.ones(71), "objects must hold one entry for each of the 72 map points, got shape .71,."),
        (np.r_[np.ones(70), 2, 2], "objects must have 3 views or more each, got 2 of 2"),
    ],
)
def test_objects_that_are_no_loops_of_map_points_are_refused(objects, message):
    with pytest.raises(ValueError, match=message):
        closed_loops(ring(), objects)
