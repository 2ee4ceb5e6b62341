"""Where names are written in a picture, so that none lies on another. The same input gives the same places."""

import unicodedata
from typing import NamedTuple

import numpy as np
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource

from notebook_sne.views.objects import shorten
from notebook_sne.views.palette import FONT, GROUND, INK

__all__ = ["Place", "place_names", "write_names"]

_GAP = 3.0  # pixels between a mark and its name
_NARROW, _WIDE = frozenset("fijlrtI1|.,:;'!()[] -"), frozenset("mwMW@%")


class Place(NamedTuple):
    """Where a name is written, from the middle of its mark, in pixels; y is upwards."""

    x: float
    y: float
    align: str
    """Where the text begins: "left", "center" or "right"."""


def text_width(text, font_size):
    """Return about how wide a text is in pixels, rather too much than too little: no font can be asked here."""
    return font_size * sum(_letter(letter) for letter in text)


def _letter(letter):
    if letter in _NARROW:
        return 0.38
    if letter in _WIDE or letter.isupper():
        return 0.92 if letter in _WIDE else 0.7
    return 1.05 if unicodedata.east_asian_width(letter) in "WF" else 0.6


def place_names(points, radii, texts, size, *, font_size=12, obstacles=None, cover=0.6):
    """Return a Place for each name, or None where there is no room for it, or no name.

    Names are placed one after the other, so the most important one comes first. None lies on another or leaves the
    picture, and each takes the place where it covers the fewest marks.

    Parameters
    ----------
    points : ndarray, shape (K, 2)
        Where the marks are, in pixels from the lower left corner.
    radii : ndarray, shape (K,)
        Their radii in pixels.
    texts : list of str
        The names; long ones are shortened.
    size : int
        Side of the picture in pixels.
    font_size : int, default=12
        In pixels.
    obstacles : ndarray, shape (L, 3), optional
        x, y and radius of the marks that are better not covered.
    cover : float, default=0.6
        Share of its box by which a name may cover marks.
    """
    height = 1.25 * font_size
    taken = np.empty((0, 4))
    marks = np.empty((0, 4)) if obstacles is None else _boxes(obstacles)
    places: list[Place | None] = []
    for (x, y), radius, text in zip(points, radii, texts, strict=True):
        if not text:
            places.append(None)
            continue
        width = text_width(shorten(text), font_size)
        best, least = None, cover * width * height
        for k, place in enumerate(_around(radius, height)):
            left = x + place.x - width * {"left": 0.0, "center": 0.5, "right": 1.0}[place.align]
            box = np.array([left, y + place.y - height / 2, left + width, y + place.y + height / 2])
            if box.min() < 1 or box.max() > size - 1 or _overlap(box, taken) > 0:
                continue
            cost = _overlap(box, marks) + 2.0 * k
            if cost < least:
                best, least, best_box = place, cost, box
        places.append(best)
        if best is not None:
            taken = np.vstack([taken, best_box + np.array([-_GAP, 0, _GAP, 0])])
    return places


def write_names(figure, points, places, texts, *, font_size=12):
    """Write the names that have a place beside their map points, as a renderer called "names"."""
    rows = [k for k, place in enumerate(places) if place is not None]
    source = ColumnDataSource(
        {
            "x": points[rows, 0],
            "y": points[rows, 1],
            "text": [shorten(texts[k]) for k in rows],
            "x_offset": [places[k].x for k in rows],
            "y_offset": [-places[k].y for k in rows],
            "align": [places[k].align for k in rows],
        }
    )
    return figure.text(
        "x",
        "y",
        text="text",
        source=source,
        name="names",
        x_offset="x_offset",
        y_offset="y_offset",
        text_align="align",
        text_baseline="middle",
        text_color=INK,
        text_font=value(FONT),
        text_font_size=f"{font_size}px",
        background_fill_color=GROUND,
        background_fill_alpha=0.7,
    )


def _around(radius, height):
    """Return the places around a mark, the preferred first."""
    far, near, up = radius + _GAP, 0.7 * radius + _GAP, radius + height / 2 + 1
    slope = 0.7 * radius + height / 2
    return (
        Place(far, 0.0, "left"),
        Place(-far, 0.0, "right"),
        Place(0.0, up, "center"),
        Place(0.0, -up, "center"),
        Place(near, slope, "left"),
        Place(near, -slope, "left"),
        Place(-near, slope, "right"),
        Place(-near, -slope, "right"),
    )


def _boxes(marks):
    x, y, radius = marks.T
    return np.column_stack([x - radius, y - radius, x + radius, y + radius])


def _overlap(box, boxes):
    """Return the area that a box shares with others, shape (L, 4), added up."""
    across = np.minimum(box[2], boxes[:, 2]) - np.maximum(box[0], boxes[:, 0])
    down = np.minimum(box[3], boxes[:, 3]) - np.maximum(box[1], boxes[:, 1])
    return float((np.maximum(across, 0) * np.maximum(down, 0)).sum())
