"""A map as an SVG text: for a README, a page, a slide, and wherever no widget runs.

Nothing in it runs or is fetched: shapes and text only. Texts from data are escaped, so that no title and no class
can add an element. Longer than 300 lines because its function says what each argument draws.
"""

from __future__ import annotations

import base64
import math
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.labels import MOST_TOLD, UNLABELED, legend_of, read_labels
from notebook_sne.engine.objects.named import in_order_of
from notebook_sne.engine.objects.names import read_importance, read_names
from notebook_sne.engine.objects.region_pairs import read_certainty, with_pairs
from notebook_sne.views import areas, palette
from notebook_sne.views.names import BESIDE_NAMES, written_classes, written_names
from notebook_sne.views.objects import (
    check_map,
    check_size,
    check_title,
    check_value_name,
    drawing_order,
    shorten,
    shortened,
    svg_text,
    window,
)
from notebook_sne.views.printed import points_of, save, sized
from notebook_sne.views.region_pairs import pair_caption, pair_key, pair_lines, pair_numbers, pair_words, svg_pairs

__all__ = ["SVG", "add_above", "mark_corners", "mark_path", "svg"]

_PAD, _TITLE, _ROW, _ROWS = 14, 34, 24, 18
# Pixels of the smallest letters, and the points that a journal asks of them; tries to find a map that leaves room.
_SMALLEST, _LEAST_POINTS, _TRIES, _LEAST_SIDE = 11, 6.0, 6, 120


class SVG(str):
    """A picture as SVG text, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"SVG of {len(self):,} letters"  # a notebook keeps it beside the picture

    def save(self, path: str | Path, *, dpi: float = 300.0, font_file: str | Path | None = None) -> Path:
        """Write the picture as SVG, PDF or PNG.

        Parameters
        ----------
        path : str or Path
            File to write, whole or not at all; its end, .svg, .pdf or .png, says what is written.
        dpi : float, default=300
            Pixels of a PNG to an inch of the picture's width.
        font_file : str or Path, optional
            A TrueType file whose letters are put into a PDF or PNG. Without one, these are Helvetica, Times or Courier,
            which have Latin letters alone.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        ImportError
            If a PDF or PNG is asked for without the extra `figures`.
        ValueError
            If the path ends otherwise, or the picture has letters that need a `font_file`.
        """
        return save(self, path, dpi, font_file)


def svg(
    Y: ArrayLike,
    labels: ArrayLike | None = None,
    path: str | Path | None = None,
    *,
    value_name: str | None = None,
    title: str | None = None,
    names: ArrayLike | None = None,
    importance: ArrayLike | None = None,
    class_names: bool = False,
    regions: bool | int = False,
    certainty: Any = None,
    legend: bool | Literal["auto"] = True,
    size: int = 480,
    width: str | None = None,
    font: str | None = None,
    frame: bool | None = None,
    shapes: bool | None = None,
) -> SVG:
    """Draw a map as a static picture.

    Parameters
    ----------
    Y : array-like, shape (N, 2)
        Map points.
    labels : array-like, shape (N,), optional
        Classes. The names of more than 24 stand on the map, largest class first, and their colors follow their places.
        Or floats, which are values on a color scale. Objects without one (None, NaN, masked) are gray crosses.
    path : str or Path, optional
        File to write the picture to, whole or not at all: as SVG, PDF or PNG, as its name ends (see `SVG.save`).
    value_name : str, optional
        What the values are, with their unit where they have one; it stands over the color scale.
    title : str, optional
        What the map shows.
    names : array-like, shape (N,), optional
        What each object is called. As many are written as find room; none where names of more than 24 classes are.
    importance : array-like, shape (N,), optional
        Whose names are written first: a number for each object, the largest first, those without one last. Left out,
        the first objects come first.
    class_names : bool, default=False
        Whether to write the names of the classes where their points lie most densely; that of a class in several clumps
        at each that holds 15% of it. A line leads to a name that has no room there, and a remark counts the others.
    regions : bool or int, default=False
        Whether to divide the map into regions, or into how many. The two words in the middle of each are written
        beside the map, in large letters and with a line that leads there, instead of the names of objects: for
        thousands of `names`. See `regions`.
    certainty : Certainty, optional
        What `certainty` returns of several fits: a line joins regions, whose names are then written. It is solid if
        they are joined in at least 9 of 10 fits, and dashed if they are joined in fewer, but more than 1 of 10, with
        the number of fits as far as it finds room. Of the others, a line is dotted if they are joined or neighbors in
        more than half of the fits, and there is none otherwise. Labels that are classes must be its regions; without
        labels, its regions are the classes. Objects that lie in one region in every fit are sharp; the ink of others
        is spread the wider the more fits put them elsewhere.
    legend : bool or "auto", default=True
        Whether to say beside the map what its colors mean. With "auto", the names of classes are written on the map if
        all find room there, or if there are more than 24 classes, and beside it otherwise.
    size : int, default=480
        Side of the map in pixels; title and legend come on top of it.
    width : str, optional
        Width of the whole picture in mm, cm, in or pt, such as "85mm", a column of many journals. Letters are then 6
        points high or more: the map is made smaller for them where it must be.
    font : str, optional
        Font of all letters, such as "Arial"; those of the system otherwise.
    frame : bool, optional
        Whether a line runs around the map, which is a square then; without one it is only as high as its points need.
        By default it has one with up to 2,000 objects.
    shapes : bool, optional
        Whether classes have shapes, and marks a rim. By default they have in a map of up to 2,000 objects; more are
        small dots, so that density is seen as a tone.

    Returns
    -------
    picture : SVG
        The text of the picture; a notebook shows it where it ends a cell.

    Raises
    ------
    ValueError
        If Y isn't finite or not of shape (N, 2), labels or names aren't one for each map point, regions are asked
        for without names, a value_name is given without values, or the regions of the certainty aren't the labels.
    OSError
        If the file is read-only or can't be written; one that was there is then as it was.

    Examples
    --------
    >>> ns.views.svg(model.embedding_, digits.labels, "digits.svg", title="Digits under SNE")
    >>> sure = ns.certainty(ns.refits(model, digits.X), digits.labels)
    >>> ns.views.svg(model.embedding_, digits.labels, certainty=sure)
    """
    labels, names, importance = in_order_of(Y, labels=labels, names=names, importance=importance)
    Y, title, size = check_map(Y), check_title(title), check_size("size", size)
    if legend not in (True, False, "auto"):
        raise ValueError(f"legend must be True, False or 'auto', got {show(legend)}")
    if regions:
        if labels is not None or value_name is not None or names is None or certainty is not None:
            raise ValueError("regions must have names, and replace labels and a certainty; give names alone")
        number = None if regions is True else regions
        found = areas.regions(Y, names, n_regions=number, importance=importance)
        return _written(lambda size: (*areas.drawn_regions(Y, found, size), ""), size, len(Y), title, path, width, font)
    labels, called = read_labels(labels, len(Y)), read_names(names, len(Y))
    value_name = check_value_name(value_name, labels)
    order = read_importance(importance, len(Y))
    certainty = read_certainty(certainty, len(Y))
    own, counts = with_pairs(labels, certainty, len(Y))
    blur = None if certainty is None or certainty.blurs is None else certainty.blurs[-1]
    labels = own if labels.values is None else labels

    def draw(size):
        return _drawn(Y, labels, own, called, order, counts, blur, value_name, class_names, legend, frame, shapes, size)

    return _written(draw, size, len(Y), title, path, width, font)


def _drawn(Y, labels, own, called, order, counts, blur, value_name, class_names, legend, frame, shapes, size):
    """Return the lines of a map with what stands beside and below it, width and height, and it all in words."""
    view = window(Y)
    places = np.column_stack([Y[:, 0] - view.left, view.high - Y[:, 1]]) * size / (view.right - view.left)
    if frame is None:
        frame = len(Y) <= palette.FINE
    high = size
    if not frame:  # no empty ground above and below a wide map
        high = min(size, max(size // 4, math.ceil(np.ptp(places[:, 1]) + 2 * places.min())))
        places[:, 1] += (high - size) / 2
    groups = labels.groups()
    many = len(labels.class_names) > MOST_TOLD
    joins, short = ([], 0) if counts is None else pair_lines(places, own.groups(), counts)
    on_map = (legend == "auto" or (many and legend)) and labels.values is None
    written = class_names or counts is not None or on_map
    classes, remark, taken = [], "", []
    if written:
        classes, remark, taken = written_classes(places, own.groups(), (size, high), 16, pair_numbers(joins))
    if on_map and remark and not many and not class_names and counts is None:
        classes, remark, taken, on_map = [], "", [], False
    remarks = [remark] if remark else []
    if short:
        remarks.append(f"{short} line{'s are' if short > 1 else ' is'} too short to be drawn")
    if shapes is None:
        shapes = len(Y) <= palette.FINE
    radius = palette.mark_size(len(Y), size) / 2
    if called is not None:
        radius = min(radius, BESIDE_NAMES / 2)
    marks = _looks(labels, Y, shapes)
    key, key_width = [], 0
    if legend and (many or not on_map):
        key, key_width, key_low = _legend(labels, marks[1], value_name, size + _PAD, high, size)
        high = max(high, key_low)
    if not many and (same := palette.alike((group.k for group in groups), shapes)):
        remarks.append(f"{same} classes share {'color and shape' if shapes else 'their color'} with another")
    lines = _marks(marks, labels, radius, set() if blur is None else set(blur[blur > 0].tolist()))
    if frame:
        lines.append(f'<rect width="{size}" height="{size}" fill="none" stroke="{palette.RULE}"/>')
    lines += _points(places, marks, labels, radius, shapes, blur)
    lines += svg_pairs(joins)
    if called is not None and not (many and written):
        lines += written_names(places, radius, called, (size, high), 11, order, taken)
    lines += [*classes, *key]
    low, told = high, ""
    if counts is not None:
        rows, told = pair_key(joins, counts, high + _ROW, _ROW), pair_words(joins, len(counts))
        lines += rows
        low += len(rows) * _ROW
    for remark in remarks:
        low += _ROW
        lines.append(f'<text y="{low}" font-size="13" fill="{palette.SOFT}">{svg_text(remark)}</text>')
    return lines, size + key_width, low, told


def _written(draw, size, n_objects, title, path, width=None, font=None):
    """Return the picture of `draw(size)` below its title, and write it to its file, if there is one."""
    points = None if width is None else points_of(width)
    for _ in range(_TRIES):
        lines, wide, height, told = draw(size)
        wide = 2 * _PAD + max(wide, 10 * len(title))  # no title is cut
        over = 0 if points is None else wide - points * _SMALLEST / _LEAST_POINTS
        if over <= 0:
            break
        size = int(size - over)
        if size < _LEAST_SIDE:
            raise ValueError(
                f"width must leave room for letters of {_LEAST_POINTS:g} points beside the map, got {show(width)}; say "
                "legend=False or legend='auto', leave the title out, or give a larger width"
            )
    top = _PAD + (_TITLE if title else 0)
    high = top + height + _PAD
    fonts = palette.FONT if font is None else f"{font}, {palette.FONT}"
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'role="img" font-family="{svg_text(fonts)}" font-size="14" fill="{palette.INK}">',
        f"<title>{svg_text(title or f'Map of {n_objects} objects')}</title>",
        *([f"<desc>{svg_text(told)}</desc>"] if told else []),
        f'<rect width="{wide}" height="{high}" fill="{palette.GROUND}"/>',
    ]
    if title:
        head.append(f'<text x="{_PAD}" y="{_PAD + 14}" font-size="17" font-weight="600">{svg_text(title)}</text>')
    head.append(f'<g transform="translate({_PAD} {top})">')
    text = "\n".join([*head, *lines, "</g>", "</svg>", ""])
    picture = SVG(text if points is None else sized(text, points))
    if path is not None:
        picture.save(path)
    return picture


def add_above(picture: bytes, Y: np.ndarray, *, size: float, names=None, mark: float = 0.0, order=None, pairs=None):
    """Return a picture of a map with what is drawn above it, and what a caption says of the lines between regions.

    These are the names of objects that find room, or else those of the regions. The picture given is a PNG of the map,
    as `notebook_sne.views.raster.png` draws it, and Y, shape (N, 2), the map points. A name is empty where an object
    has none; `order`, shape (N,), has the objects whose names come first. `pairs` are the Labels whose classes are the
    regions, and their counts. Side of the map and width of a mark are in pixels.
    """
    view, data = window(Y), base64.b64encode(picture).decode()
    places = np.column_stack([Y[:, 0] - view.left, view.high - Y[:, 1]]) * size / (view.right - view.left)
    above, caption = [], ""
    if pairs is not None:
        groups, counts = pairs[0].groups(), pairs[1]
        joins, _ = pair_lines(places, groups, counts)
        above, caption = svg_pairs(joins), pair_caption(joins, counts)
        if names is None:
            above += written_classes(places, groups, (size, size), 14, pair_numbers(joins))[0]
    if names is not None:
        above += written_names(places, mark / 2, names, (size, size), 11, order)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}" '
        f'font-family="{palette.FONT}" fill="{palette.INK}">',
        f'<image width="{size}" height="{size}" href="data:image/png;base64,{data}"/>',
        *above,
    ]
    return SVG("\n".join([*lines, "</svg>", ""])), caption


def _looks(labels, Y, shapes):
    """Return the number of the mark of each object, and the shape and the color of each mark, by its number.

    Where there are no classes, each use of the one mark sets its color. Of more classes than a legend names, those that
    lie in one direction have one mark.
    """
    if labels.classes is None:
        keys, looks = np.zeros(len(Y), dtype=int), {0: ("circle", palette.PLAIN if labels.values is None else None)}
    elif len(labels.class_names) > MOST_TOLD:
        hues = palette.hues(Y, [group.rows for group in labels.groups() if group.k != UNLABELED])
        shades = [palette.HUES.index(one) for one in hues]
        keys = np.array([*shades, UNLABELED])[labels.classes]
        looks = {k: ("circle", palette.HUES[k]) for k in sorted({*shades})}
    else:
        keys = labels.classes
        ks = range(len(labels.class_names))
        looks = {k: (palette.marker(k) if shapes else "circle", palette.color(k)) for k in ks}
    if labels.missing is not None and labels.missing.any():
        keys = np.where(labels.missing, UNLABELED, keys)
        looks[UNLABELED] = palette.marker(UNLABELED), palette.color(UNLABELED)
    return keys, looks


def _marks(marks, labels, radius, steps):
    """Return a definition of each mark, sharp and at these steps out of focus."""
    lines = ["<defs>"]
    for k, (shape, fill) in marks[1].items():
        # A color given here would override the one of each use.
        paint = f' fill="{fill}"' if fill else ""
        lines.append(f'<path id="{_mark(k, labels, radius)}"{paint} d="{mark_path(shape, radius)}"/>')
        for step in steps:
            discs = "".join(
                f'<circle r="{r * radius:.2f}" fill-opacity="{part}"/>' for r, part in palette.BLURS[step - 1]
            )
            lines.append(f'<g id="{_mark(k, labels, radius, step)}"{paint} stroke="none">{discs}</g>')
    return [*lines, "</defs>"]


def _points(places, marks, labels, radius, shapes, blur):
    """Return a use of a mark for each object, in a mixed order, so that no class is above all others."""
    keys = marks[0]
    blur = np.zeros(len(places), dtype=np.uint8) if blur is None else blur
    shares = None if labels.values is None else _shares(labels.values)
    lines = [f'<g stroke="{palette.GROUND}" stroke-width="0.5">' if shapes else "<g>"]
    for i in drawing_order(len(places), labels.missing, blur):
        k = keys[i]
        x, y = places[i]
        fill = "" if shares is None or k == UNLABELED else f" fill='{palette.value_color(shares[i])}'"
        lines.append(f"<use href='#{_mark(k, labels, radius, blur[i])}' x='{_short(x)}' y='{_short(y)}'{fill}/>")
    return ["".join(lines), "</g>"]  # a notebook is saved line by line, and a line costs as much as a mark's place


def _legend(labels, looks, value_name, x, high, size):
    """Return the lines of the legend beside a map of that height, its width, and where its last row ends."""
    key, width = _color_bar(labels.values, value_name, x, high) if labels.values is not None else ([], 0)
    told = legend_of(labels.groups(), len(labels.class_names))
    if not told:
        return key, width, 0
    first = high - 8 if key else 12  # below a scale, or alone
    rows = min(_ROWS, max(1, (size - 8) // _ROW))
    texts = shortened([group.text for group in told])
    column = 34 + 9 * max(map(len, texts))
    for j, (text, group) in enumerate(zip(texts, told, strict=True)):
        left, y = x + column * (j // rows), first + _ROW * (j % rows)
        path, place = mark_path(looks[group.k][0], 6), f"translate({left + 8} {y})"
        key.append(f'<path fill="{looks[group.k][1]}" transform="{place}" d="{path}"/>')
        key.append(f'<text x="{left + 22}" y="{y + 5}">{svg_text(text)}</text>')
    return key, max(width, column * (-(-len(told) // rows)) + _PAD), first + _ROW * min(rows, len(told)) - 12


def _color_bar(values, name, x, size):
    """Return the lines of a scale of values, below its name if it has one, and its width."""
    y, height = size // 4, size // 2
    stops = "".join(
        f'<stop offset="{k / (len(palette.VIRIDIS) - 1):g}" stop-color="{shade}"/>'
        for k, shade in enumerate(palette.VIRIDIS)
    )
    ends = f"{np.nanmax(values):.4g}", f"{np.nanmin(values):.4g}"
    lines = [
        f'<defs><linearGradient id="scale" x1="0" y1="1" x2="0" y2="0">{stops}</linearGradient></defs>',
        f'<rect x="{x}" y="{y}" width="14" height="{height}" fill="url(#scale)"/>',
        f'<text x="{x + 22}" y="{y + 11}" fill="{palette.SOFT}">{ends[0]}</text>',
        f'<text x="{x + 22}" y="{y + height}" fill="{palette.SOFT}">{ends[1]}</text>',
    ]
    width = 22 + 9 * max(map(len, ends))
    if name is not None:
        name = shorten(name)
        lines.insert(0, f'<text x="{x}" y="{y - 12}" fill="{palette.SOFT}">{svg_text(name)}</text>')
        width = max(width, 9 * len(name))
    return lines, width + _PAD


def _mark(k, labels, radius, step=0):
    """Return the id of the mark of class k: another one for another look, as several pictures share a page."""
    kind = "c" if labels.classes is not None else "v" if labels.values is not None else "p"
    return f"{kind}{'' if k == UNLABELED else k}-{_short(radius)}{f'-{step}' if step else ''}"


def mark_path(shape, r):
    """Return the path of a mark about (0, 0); all shapes look equally large."""
    if shape == "circle":
        r = _short(r)
        return f"M-{r} 0a{r} {r} 0 1 0 {2 * float(r):g} 0a{r} {r} 0 1 0 -{2 * float(r):g} 0z"
    return "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in mark_corners(shape, r)) + "z"


def mark_corners(shape, r):
    """Return the corners of a mark about (0, 0), a list of (x, y) with y downwards; of a circle, 24 points on it."""
    if shape == "circle":
        turns = [2 * math.pi * i / 24 for i in range(24)]
        return [(r * math.cos(turn), r * math.sin(turn)) for turn in turns]
    return [(x * r, y * r) for x, y in palette.CORNERS[shape]]


def _shares(values):
    low = np.nanmin(values)
    span = np.nanmax(values) - low
    return (values - low) / span if span > 0 else np.where(np.isnan(values), np.nan, 0.5)


def _short(number):
    """Return a coordinate to a tenth of a pixel, without a needless zero."""
    return f"{round(float(number), 1) + 0.0:g}"
