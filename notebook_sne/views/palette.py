"""Colors and marks of the figures, the same as the player's: a class looks alike wherever it is shown.

Color is never the only sign of a class that is drawn by marks. Class k wears color k of 24 and shape k of 7; as 24 and
7 have no common factor, the first 168 classes all look different, and class 168 looks like class 0 again. An object
without a label is gray and wears a shape that no class has.
"""

import json
import math
from collections import Counter

import numpy as np

from notebook_sne.engine.machine.package import PACKAGE
from notebook_sne.engine.objects.labels import UNLABELED

__all__ = ["BLANK", "BLANK_MARKER", "BLURS", "COLORS", "CORNERS", "DASHES", "FINE", "FONT", "GROUND", "HUES", "INK"]
__all__ += ["LINES", "MARKERS"]
__all__ += ["MARKER_SIZES", "PLAIN", "PULL", "PUSH", "RULE", "SOFT", "VIRIDIS"]
__all__ += ["alike", "blend", "bokeh_mark", "color", "hues", "mark_size", "marker", "value_color"]

_LOOKS = json.loads((PACKAGE / "browser" / "frontend" / "shared" / "looks.json").read_text(encoding="utf-8"))

COLORS = tuple(_LOOKS["COLORS"])
"""Okabe-Ito in an order that keeps neighbors apart, its yellow and black toned to show on white; then four more,
and twelve for maps of many classes: each next one is far from all before it, by CIEDE2000, on white and on dark."""

MARKERS = tuple(_LOOKS["SHAPES"])
"""The shapes, by Bokeh's names."""

MARKER_SIZES = (1.0, 0.9, 1.2, 1.5, 1.2, 1.2, 1.6)
"""Size that Bokeh must be told for each shape, so that all look equally large."""

DASHES = ("solid", "dashed", "dotdash", "dotted")
"""Of lines, by Bokeh's names."""

FINE = _LOOKS["FINE"]
"""Objects above which all marks are round and have no rim: shapes of so many are confetti."""

HUES = tuple(_LOOKS["HUES"])
"""Of equal lightness, around the circle: of classes that are more than a legend names, by where they lie."""

PULL, PUSH = COLORS[0], COLORS[3]
"""What draws two objects together, and what drives them apart."""

VIRIDIS = tuple(_LOOKS["VIRIDIS"])
"""For values instead of classes: dark is low, light is high."""

# White is painted, not left out: these colors are chosen for white, and a figure must look alike in a dark notebook,
# on paper and on a projector.
GROUND = "#ffffff"
INK = "#1f2328"
SOFT = "#59636e"
RULE = "#d8dee4"
PLAIN = "#5d6b7a"
"""Color of objects where no labels are shown."""

BLANK, BLANK_MARKER = _LOOKS["BLANK"], "cross"
"""Color and shape of an object without a label, where others have one: a plus, turned by half a right angle."""

CORNERS = _LOOKS["CORNERS"]
"""Of each shape but the circle, about (0, 0) and of radius 1, y downwards: all look equally large."""

BLURS = _LOOKS["BLURS"]
"""Of each step out of focus: discs that lie on each other, the widest first, each its radius in radii of a sharp mark,
and its opacity. Together they have the ink of that mark, and need no filter."""

LINES = _LOOKS["LINES"]
"""Of pairs of regions: width and dashes in pixels, and what a line says of how many fits."""

FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif"


def color(k):
    """Return the color of class k, such as ``"#0072b2"``; of no class for UNLABELED."""
    return BLANK if k == UNLABELED else COLORS[k % len(COLORS)]


def marker(k):
    """Return the shape of class k by Bokeh's name, such as ``"circle"``, or ``"cross"`` for UNLABELED."""
    return BLANK_MARKER if k == UNLABELED else MARKERS[k % len(MARKERS)]


def alike(classes, shapes=True):
    """Return how many of these classes, numbers without repeats, look like another of them; by color alone, or not."""
    looks = [(color(k), marker(k) if shapes else "") for k in classes]
    return sum(count for count in Counter(looks).values() if count > 1)


def bokeh_mark(k, plain=False):
    """Return what Bokeh draws class k with, and the size that it must be told so that all look equally large.

    All marks of classes that are `plain` are round and have no rim.
    """
    if k == UNLABELED:  # lines alone: Bokeh's legend would not turn a plus
        return {"marker": "x", "line_color": BLANK, "line_width": 2.5, "line_alpha": 0.9}, 0.85
    if plain:
        return {"marker": "circle", "fill_color": color(k), "line_color": None}, 1.0
    rim = {"line_color": GROUND, "line_width": 0.5}
    return {"marker": marker(k), "fill_color": color(k), **rim}, MARKER_SIZES[k % len(MARKERS)]


def mark_size(n_objects, size):
    """Return the width of a mark in pixels, for so many objects on a map of that side."""
    fine = n_objects > FINE
    return 2 * min(6.0, max(1.2 if fine else 2.4, (0.2 if fine else 0.24) * size / math.sqrt(n_objects)))


def value_color(share):
    """Return the color of a value that lies at this share of its range, 0 <= share <= 1."""
    place = share * (len(VIRIDIS) - 1)
    i = min(int(place), len(VIRIDIS) - 2)
    return blend(VIRIDIS[i], VIRIDIS[i + 1], place - i)


def hues(points, groups):
    """Return a color for each group of rows by its direction from the middle of all: groups that are near look alike.

    The points have the shape (N, 2), y upwards; a group without rows gets the first color.
    """
    middles = np.array([points[rows].mean(axis=0) if len(rows) else (np.nan, np.nan) for rows in groups])
    if np.isnan(middles).all():
        return [HUES[0]] * len(groups)
    away = middles - np.nanmean(middles, axis=0)
    turns = np.nan_to_num(np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi)) % 1.0
    return [HUES[int(turn * len(HUES)) % len(HUES)] for turn in turns]


def blend(start, end, share):
    """Return the color at this share of the way from one color to another."""
    ends = [[int(hexes[1 + 2 * c : 3 + 2 * c], 16) for c in range(3)] for hexes in (start, end)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*ends, strict=True))
