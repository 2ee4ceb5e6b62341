"""Many maps of the same objects side by side, each with the objects of large proportion in it."""

from __future__ import annotations

import numpy as np
from bokeh.models import Column, ColumnDataSource
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.maps import check_points
from notebook_sne.engine.checks.numbers import as_floats
from notebook_sne.engine.objects.labels import Group, legend_of, read_labels
from notebook_sne.engine.objects.names import read_names
from notebook_sne.views.figures import hover, map_figure, write, write_names
from notebook_sne.views.layouts import gather
from notebook_sne.views.names import place_names
from notebook_sne.views.objects import check_size, check_title, window
from notebook_sne.views.palette import PLAIN, SOFT, bokeh_mark

__all__ = ["aspect_grid"]

_MOST = 100
_FONT_SIZE = 12
_BORDER = 6
_TOLERANCE = 1e-6


def aspect_grid(
    maps: ArrayLike,
    mixing: ArrayLike,
    *,
    names: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    threshold: float = 0.1,
    most_names: int = 6,
    columns: int = 5,
    title: str | None = None,
    size: int = 200,
) -> Column:
    """Draw several maps as small squares, each with the objects that matter in it.

    An object is drawn in a map where its mixing proportion reaches the threshold, as a mark whose area is
    proportional to it. Every map fills its square, so their scales differ. The names with the largest proportions are
    written where they lie neither on another name nor on many marks; the pointer shows the others.
    [Cook2007, Fig. 5]

    Parameters
    ----------
    maps : array-like, shape (M, N, 2)
        Map points, such as ``model.maps_``; at most 100 maps, which are numbered as they are given, from 0.
    mixing : array-like, shape (M, N)
        Mixing proportions of the objects in these maps.
    names : array-like, shape (N,), optional
        What each object is called.
    labels : array-like, shape (N,), optional
        Classes. Objects without one (None, NaN, masked) are gray crosses.
    threshold : float, default=0.1
        Least mixing proportion that is drawn, above 0.
    most_names : int, default=6
        How many names are written in a map at most.
    columns : int, default=5
        Maps in a row, where the page is wide enough for them.
    title : str, optional
        What the maps show.
    size : int, default=200
        Side of a map in pixels.

    Returns
    -------
    layout : bokeh.models.Column
        A figure for each map, with a renderer for each class in it (``"objects"`` without labels), whose data source
        has the columns x, y, object, proportion and, where given, label and name; and one called ``"names"``.

    Raises
    ------
    ValueError
        If maps and mixing aren't of the same maps and objects, or not finite, or proportions not between 0 and 1.

    Examples
    --------
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=20, input="probabilities", random_state=0).fit(words.P)
    >>> bokeh.io.show(ns.views.aspect_grid(model.maps_, model.mixing_, names=words.names))
    """
    maps, mixing = _check_maps(maps, mixing)
    n_objects = mixing.shape[1]
    names, labels = read_names(names, n_objects), read_labels(labels, n_objects)
    if labels.values is not None:
        raise ValueError("labels must name classes here, got floats; give strings, or labels.astype(int)")
    threshold = check_number("threshold", threshold, 0.0, 1.0, closed=False)
    most_names, columns = check_count("most_names", most_names, 0), check_count("columns", columns, 1)
    title, size = check_title(title), check_size("size", size)
    figures = [
        _square(m, Y, proportions, names, labels, threshold, most_names, size)
        for m, (Y, proportions) in enumerate(zip(maps, mixing, strict=True))
    ]
    told = legend_of(labels.few().groups(), len(labels.class_names))
    return gather(figures, title, columns * (size + 2 * _BORDER), told)


def _check_maps(maps, mixing):
    """Return maps, shape (M, N, 2), and mixing, shape (M, N), as finite float64, or raise."""
    mixing = as_floats("mixing", mixing)
    if mixing.ndim != 2 or 0 in mixing.shape:
        raise ValueError(f"mixing must have shape (M, N) with M, N >= 1, got {mixing.shape}; give model.mixing_")
    if len(mixing) > _MOST:
        raise ValueError(f"mixing must be of at most {_MOST} maps, got {len(mixing)}; draw some of them: maps[:50]")
    if np.ndim(maps) == 0 or len(maps) != len(mixing):
        n_maps = len(maps) if np.ndim(maps) else "none"
        raise ValueError(f"maps and mixing must be of the same maps, got {n_maps} and {len(mixing)}")
    wrong = np.argwhere(~((mixing >= -_TOLERANCE) & (mixing <= 1 + _TOLERANCE)))
    if len(wrong):
        m, i = wrong[0]
        raise ValueError(f"mixing must lie between 0 and 1, got {mixing[m, i]:g} in map {m} for object {i}")
    return [check_points(f"maps[{m}]", Y, mixing.shape[1], 2) for m, Y in enumerate(maps)], mixing


def _square(m, Y, proportions, names, labels, threshold, most_names, size):
    """Draw map m."""
    rows = np.flatnonzero(proportions >= threshold)
    rows = rows[np.argsort(-proportions[rows], kind="stable")]  # small marks on top of large ones
    view = window(Y[rows] if len(rows) else Y, margin=0.09)
    p = map_figure(f"map {m}", view, size)
    p.title.text_font_size = "13px"
    p.title.text_color = SOFT
    p.title.text_font_style = "normal"
    p.title.standoff = 3
    p.min_border = _BORDER
    p.tools = []
    p.toolbar_location = None
    if not len(rows):
        where = {"x": size // 2, "y": size // 2, "x_units": "screen", "y_units": "screen"}
        write(p, f"none reaches {threshold:g}", SOFT, text_align="center", text_baseline="middle", **where)
        return p

    columns = {"x": Y[:, 0], "y": Y[:, 1], "object": np.arange(len(Y)), "proportion": proportions}
    for name, texts in (("name", names), ("label", labels.texts)):
        if texts is not None:
            columns[name] = np.array(texts, dtype=object)
    widths = _width(len(rows), size) * np.sqrt(np.clip(proportions, 0, 1))
    renderers = []
    few = labels.few()
    classes = np.zeros(len(Y), dtype=int) if few.classes is None else few.classes
    for k, called, _ in few.groups() or [Group(0, "objects", rows)]:
        group = rows[classes[rows] == k]
        if not len(group):
            continue
        (paint, factor), plain = bokeh_mark(k), {} if labels.classes is not None else {"fill_color": PLAIN}
        source = ColumnDataSource({name: column[group] for name, column in columns.items()})
        source.data["width"] = widths[group] * factor
        look = {"fill_alpha": 0.75} | paint | plain
        renderers.append(p.scatter("x", "y", source=source, size="width", name=called, **look))
    hover(p, renderers, [(n, n) for n in ("name", "label", "object", "proportion") if n in columns])
    if names is not None:
        pixels = (Y[rows] - [view.left, view.low]) * size / (view.right - view.left)
        marks = np.column_stack([pixels, widths[rows] / 2])
        first, texts = slice(0, most_names), [names[i] for i in rows[:most_names]]
        places = place_names(pixels[first], marks[first, 2], texts, size, font_size=_FONT_SIZE, obstacles=marks)
        write_names(p, Y[rows[:most_names]], places, texts, font_size=_FONT_SIZE)
    return p


def _width(n_objects, size):
    """Return the width in pixels of a mark of proportion 1, smaller where there are many."""
    return float(np.clip(0.9 * size / np.sqrt(n_objects), 7, 18))
