"""Where names are written in a picture, so that none lies on another. The same input gives the same places.

Longer than 300 lines because the lines that lead to names away from their points need the places that are taken.
"""

import unicodedata
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.objects.labels import MOST_TOLD, UNLABELED
from notebook_sne.views.label_anchors import spots_of
from notebook_sne.views.objects import shortened, svg_text
from notebook_sne.views.palette import GROUND, INK

__all__ = [
    "BESIDE_NAMES",
    "Label",
    "Place",
    "place_labels",
    "place_names",
    "placed_classes",
    "written_classes",
    "written_names",
]

BESIDE_NAMES = 5.0
"""Largest mark, in pixels, where names are drawn beside it."""
_GAP = 3.0  # pixels between a mark and its name, and between two names side by side
_MOST_DOTS = 6000
_STEP = 2.0  # square pixels of marks that a name rather covers than take the next place
_LINE = 1.25  # height of a line by the size of its letters
_ALIGNS = ("left", "right", "center", "center", "left", "left", "right", "right")
# Directions and distances, in lines, at which a name finds room that has none on its point: a line leads to it.
_WAYS: list[tuple[float, float]] = [(1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)]
_WAYS += [(1, -0.5), (1, 0.5), (-1, -0.5), (-1, 0.5), (0.5, -1), (0.5, 1), (-0.5, -1), (-0.5, 1)]
_AWAY = (1, 2, 4)
_ON = 5  # of the places of a centered name: those that touch its point
_SMALLER = 0.8  # size of what is written beside the names of classes
_SMALLEST = 0.7  # and of the names of classes beyond those that a legend would name
_LED = 2.0  # pixels between a point and its name from which on a line leads there
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
    picture, and each takes the place where it covers the fewest marks. Long ones are shortened.

    All is in pixels: `points`, shape (K, 2), where the marks are, from the lower left corner; their `radii`, shape
    (K,); `size`, the side of the picture; `font_size`; and `obstacles`, shape (L, 3), x, y and radius of the marks that
    are better not covered. `cover` is the share of its box by which a name may cover marks.
    """
    height, rows = _LINE * font_size, _first(texts, range(len(texts)))
    short = shortened(texts)
    widths = np.array([text_width(short[k], font_size) for k in rows])
    points, radii = np.asarray(points, dtype=float).reshape(-1, 2)[rows], np.asarray(radii, dtype=float)[rows]
    down = np.column_stack([points[:, 0], size - points[:, 1], radii, widths, np.full(len(rows), height)])
    if obstacles is not None:
        obstacles = np.column_stack([obstacles[:, 0], size - obstacles[:, 1], obstacles[:, 2]])
    found: list[Place | None] = [None] * len(texts)
    boxes = place_labels(down, size, size, obstacles, cover)
    for k, (x, y), width, box in zip(rows, points, widths, boxes, strict=True):
        if box is not None:
            align = _ALIGNS[box.place]
            begin = box.left + width * {"left": 0.0, "center": 0.5, "right": 1.0}[align]
            found[k] = Place(begin - x, size - (box.top + height / 2) - y, align)
    return found


def _first(texts, order):
    """Return the rows that are named, in their order; of equal names the first, as two would be taken for one."""
    named = [i for i in order if texts[i]]
    first = {texts[i]: i for i in reversed(named)}
    return [i for i in named if first[texts[i]] == i]


def written_names(points, radius: float, texts, size, font_size: float, order=None, taken=()):
    """Return what is written of names beside their marks, as SVG texts with a rim of ground, the first first.

    All is in pixels: `points`, shape (N, 2), where the marks are in a picture, y downwards; the radius of the marks;
    `size`, width and height of the picture; and the size of the letters. A text is empty where a mark has no name; long
    ones are shortened. `order`, shape (N,), has the marks in the order in which their names find room; none lies in the
    boxes that are `taken`.
    """
    dots = np.column_stack([points, np.full(len(points), radius)])
    rows = _first(texts, range(len(texts)) if order is None else order)
    known = shortened(texts)
    short = [known[i] for i in rows]
    widths = [text_width(text, font_size) for text in short]
    items = np.column_stack([dots[rows], widths, np.full(len(rows), _LINE * font_size)])
    # Where marks cover all of the ground there is none to keep free.
    labels = place_labels(items, *size, dots if len(dots) <= _MOST_DOTS else None, taken=taken)
    return [
        svg_name(text, label.left, label.top, width, font_size)
        for text, label, width in zip(short, labels, widths, strict=True)
        if label is not None
    ]


def written_classes(points, groups, size, font_size, beside=()):
    """Return the names of classes at the clumps of their points, as SVG texts, a remark on the rest, and their boxes.

    The largest class comes first. A name that finds no room at its clump is led to from there by a line. `beside` are
    smaller texts, each x, y and the text, which are written on their points after all names, where they find room.
    """
    small = round(_SMALLER * font_size)
    others = [[x, y, 0.0, text_width(text, small), _LINE * small] for x, y, text in beside]
    placed, labels, remark = placed_classes(points, groups, size, font_size, others)
    lines = []
    for spot, _, label, (width, tall), _ in placed:
        if led := _leader(spot.x, spot.y, label.left, label.top, width, tall):
            path = "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*led)
            lines += [f'<path d="{path}" stroke="{ink}" stroke-width="{w}"/>' for ink, w in ((GROUND, 3.5), (INK, 1.2))]
    for item, (_, _, text), label in zip(others, beside, labels, strict=True):
        if label is not None and label.place < _ON:
            lines.append(svg_name(text, label.left, label.top, item[3], small))
    lines += [svg_name(text, at.left, at.top, width, letters, bold=True) for _, text, at, (width, _), letters in placed]
    boxes = [(at.left, at.top, at.left + width, at.top + tall) for _, _, at, (width, tall), _ in placed]
    return lines, remark, boxes


def placed_classes(points, groups, size, font_size, others=()):
    """Return where names of classes are written, where `others` are, as of `place_labels`, and a remark on the rest.

    Each name is its Spot, text and Label, (width, height) and the size of its letters. Of more classes than a legend
    names, those beyond have smaller letters, and a name that finds no room at its clump is left out: lines to so many
    would cross the map.
    """
    groups = [group for group in groups if group.k != UNLABELED and len(group.rows)]
    many = len(groups) > MOST_TOLD
    spots = spots_of(points, [group.rows for group in groups])
    large = {group for group, _ in zip(dict.fromkeys(spot.group for spot in spots), range(MOST_TOLD), strict=False)}
    known = shortened([group.text for group in groups])
    texts = [known[spot.group] for spot in spots]
    letters = [font_size if spot.group in large else round(_SMALLEST * font_size) for spot in spots]
    sides = [(text_width(text, one), _LINE * one) for text, one in zip(texts, letters, strict=True)]
    items = [[spot.x, spot.y, 0.0, *side] for spot, side in zip(spots, sides, strict=True)]
    dots = np.column_stack([points, np.ones(len(points))])[:: -(-len(points) // _MOST_DOTS)] if many else None
    labels = place_labels(np.reshape([*items, *others], (-1, 5)), *size, dots, centered=True, near=many)
    names = zip(spots, texts, labels, sides, letters, strict=False)
    placed = [one for one in names if one[2] is not None]
    named = len({spot.group for spot, *_ in placed})
    remark = f"{named} of {len(groups)} classes named" if named < len(groups) else ""
    return placed, labels[len(spots) :], remark


def svg_name(text, left, top, width, font_size, bold=False):
    """Return a name as an SVG text in the middle of its box, with a rim of ground that makes it readable over marks."""
    x, y = left + width / 2, top + (_LINE / 2 + 0.35) * font_size
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{font_size:g}" text-anchor="middle"{weight} stroke="{GROUND}" '
        f'stroke-width="{0.3 * font_size:g}" stroke-linejoin="round" paint-order="stroke">{svg_text(text)}</text>'
    )


class Label(NamedTuple):
    """The box of a name in a picture whose y is downwards."""

    left: float
    top: float
    place: int
    """Which of the places around the mark it is, 0 being the preferred one."""


def place_labels(items, width, height, dots=None, cover=0.6, *, centered=False, near=False, taken=()):
    """Return a Label for each item, or None where there is no room for it.

    This is the rule by which the browser writes names, too (``frontend/shared/labels.js``), on boxes of any measure.

    All is in pixels. `items`, shape (K, 5), are x and y (downwards) of a mark, its radius, width and height of its
    name, the most important first; `width` and `height` are those of the picture; `dots`, shape (L, 3), are x, y and
    radius of the marks that are better not covered, and `cover` is the share of its box by which a name may cover them.
    If `centered`, names stand on their points, as those of groups; else near by, where lines lead that cross no other
    name, unless all are to be `near`. `taken` are left, top, right and bottom of boxes that names keep free.
    """
    taken, n_taken = np.concatenate([np.reshape(taken, (-1, 4)), np.empty((len(items), 4))]), len(taken)
    x, y, radius = (np.empty((0, 3)) if dots is None else np.asarray(dots, dtype=float)).T
    marks = np.column_stack([x - radius, y - radius, x + radius, y + radius])
    labels: list[Label | None] = []
    leaders: list[tuple[float, float, float, float]] = []
    for item in np.asarray(items, dtype=float).tolist():
        wide, tall = item[3:]
        best, least = None, cover * wide * tall
        for k, (left, top) in enumerate((_on if centered else _around)(*item)[: _ON if near else None]):
            if left < 1 or top < 1 or left + wide > width - 1 or top + tall > height - 1:
                continue
            box = (left, top, left + wide, top + tall)
            if _overlap((left - _GAP, top, left + wide + _GAP, top + tall), taken[:n_taken]) > 0:
                continue
            if centered:
                led = _leader(item[0], item[1], left, top, wide, tall)
                if led and any(_crosses(led, one) for one in taken[:n_taken].tolist()):
                    continue
                if any(_crosses(line, box) for line in leaders):
                    continue
            cost = _overlap(box, marks) + _STEP * k
            if cost < least:
                best, least = Label(left, top, k), cost
        labels.append(best)
        if best is not None:
            taken[n_taken] = best.left, best.top, best.left + wide, best.top + tall
            n_taken += 1
            if centered and (led := _leader(item[0], item[1], best.left, best.top, wide, tall)):
                leaders.append(led)
    return labels


def _around(x, y, radius, width, height):
    """Return left and top of the places around a mark, the preferred first."""
    far, near, slope, up = radius + _GAP, 0.7 * radius + _GAP, 0.7 * radius, radius + 1
    middle, half = y - height / 2, x - width / 2
    return (
        (x + far, middle),
        (x - far - width, middle),
        (half, y - up - height),
        (half, y + up),
        (x + near, y - slope - height),
        (x + near, y + slope),
        (x - near - width, y - slope - height),
        (x - near - width, y + slope),
    )


def _on(x, y, _, width, height):
    """Return left and top of the places on and about a point, the preferred first."""
    middle, half = y - height / 2, x - width / 2
    on = [(half, middle), (half, y - height), (half, y), (x - width, middle), (x, middle)]
    for away in _AWAY:
        for right, down in _WAYS:
            left = x + right * (away * height + width / 2) - width / 2
            on.append((left, y + down * (away * height + height / 2) - height / 2))
    return on


def _leader(x, y, left, top, width, height):
    """Return the line from a point to the box of its name, or None where the name is at its point."""
    to_x, to_y = min(max(x, left), left + width), min(max(y, top), top + height)
    return (x, y, to_x, to_y) if max(abs(to_x - x), abs(to_y - y)) > _LED else None


def _crosses(line, box):
    """Return whether a line passes through a box in which it does not begin: a name may cover the spot of another."""
    if box[0] <= line[0] <= box[2] and box[1] <= line[1] <= box[3]:
        return False
    begin, end = 0.0, 1.0
    for start, stop, low, high in ((line[0], line[2], box[0], box[2]), (line[1], line[3], box[1], box[3])):
        step = stop - start
        if step == 0:
            if start <= low or start >= high:
                return False
            continue
        a, b = (low - start) / step, (high - start) / step
        begin, end = max(begin, min(a, b)), min(end, max(a, b))
    return begin < end


def _overlap(box, boxes):
    """Return the area that a box shares with others, shape (L, 4), added up."""
    across = np.minimum(box[2], boxes[:, 2]) - np.maximum(box[0], boxes[:, 0])
    down = np.minimum(box[3], boxes[:, 3]) - np.maximum(box[1], boxes[:, 1])
    return float((np.maximum(across, 0) * np.maximum(down, 0)).sum())
