"""Regions of a map, and what they are called."""

import re

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.views.areas import drawn_regions, regions

rng = np.random.default_rng(0)
CENTERS = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
Y = np.concatenate([center + rng.normal(size=(40, 2)) for center in CENTERS])
NAMES = np.array([f"{kind} {i}" for kind in ("north", "east", "west") for i in range(40)])


def test_a_region_is_an_area_called_by_two_words_in_its_middle():
    areas = regions(Y, NAMES, n_regions=3)
    assert areas.shape == (120,) and len(set(areas)) == 3
    for k, kind in enumerate(("north", "east", "west")):
        (name,) = set(areas[40 * k : 40 * k + 40])
        words = name.split(" · ")
        assert len(words) == 2 and all(word.startswith(kind) for word in words)
        away = np.linalg.norm(Y[40 * k : 40 * k + 40] - Y[40 * k : 40 * k + 40].mean(axis=0), axis=1)
        # Of the quarter nearest to the middle the first two: a list of words begins with the frequent ones.
        assert [int(word.split()[1]) for word in words] == sorted(away.argsort()[:10])[:2]
    np.testing.assert_array_equal(areas, regions(Y, NAMES, n_regions=3))


def test_the_most_important_in_the_middle_name_it():
    importance = np.arange(120.0)
    areas = regions(Y, NAMES, n_regions=3, importance=importance)
    first = [int(word.split()[1]) for word in areas[0].split(" · ")]
    away = np.linalg.norm(Y[:40] - Y[:40].mean(axis=0), axis=1).argsort()[:10]
    assert first == sorted(away, reverse=True)[:2]


def test_regions_of_the_same_words_are_apart_and_nameless_ones_have_numbers():
    areas = regions(Y, ["one"] * 120, n_regions=3)
    assert len(set(areas)) == 3 and {name.strip() for name in areas} == {"one"}
    nameless = regions(Y, [None] * 80 + ["west"] * 40, n_regions=3)
    assert len(set(nameless)) == 3 and "west" in nameless


def test_a_picture_of_thousands_of_words_names_its_regions_in_one_call():
    words = [f"<{i}>" for i in range(2000)]
    drawn = ns.views.svg(rng.normal(size=(2000, 2)), names=words, regions=True)
    assert drawn.count('fill-opacity="0.5"') == 1 and drawn.count("<circle ") == 2000 + 14, "the root of 2000 / 10"
    assert drawn.count(" · &lt;") == 14, "all of them find room beside the map"
    few = ns.views.svg(Y, names=NAMES, regions=3)
    assert few.count(" · ") == 3
    many = ns.views.svg(Y, names=NAMES, regions=60, size=100)
    heights = {side: [] for side in ("start", "end")}
    for y, side in re.findall(r'<text x="[\d.-]+" y="([\d.]+)" text-anchor="(\w+)"', many):
        heights[side].append(float(y))
    assert [len(column) for column in heights.values()] == [30, 30]
    assert all(np.diff(column).min() >= 25.9 for column in heights.values()), "names one below the other"
    assert float(re.search(r'height="(\d+)"', many)[1]) > 30 * 26


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"names": NAMES[:3]}, "names must"),
        ({"names": NAMES, "n_regions": 0}, "n_regions must"),
        ({"names": NAMES, "n_regions": 121}, "n_regions must be at most the 120 map points, got 121; ask for fewer"),
        ({"names": None}, "names must be one for each map point, got None"),
    ],
)
def test_bad_input_is_named(given, words):
    with pytest.raises(ValueError, match=words):
        regions(Y, **given)
    with pytest.raises(ValueError, match="regions must have names, and replace labels"):
        ns.views.svg(Y, regions=True)


def test_a_wide_map_is_drawn_no_wider_than_twice_its_height():
    line = np.column_stack([np.linspace(0, 1000, 30), np.zeros(30)])
    _, width, height = drawn_regions(line, np.repeat(["a", "b", "c"], 10), 100)
    assert width < 4 * height
