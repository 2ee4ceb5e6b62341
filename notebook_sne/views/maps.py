"""Maps as figures: as points, or as the images of the objects.

Longer than 300 lines because its two functions say what each argument draws.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource, LinearColorMapper
from bokeh.plotting import figure as Figure
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.objects.images import Images
from notebook_sne.engine.objects.labels import MOST_TOLD, UNLABELED, Group, legend_of, read_labels
from notebook_sne.engine.objects.named import in_order_of
from notebook_sne.engine.objects.names import read_importance, read_names
from notebook_sne.views import palette
from notebook_sne.views.figures import add_color_bar, add_legend, hover, map_figure, swatch, write_classes, write_names
from notebook_sne.views.names import BESIDE_NAMES, place_names
from notebook_sne.views.objects import check_map, check_size, check_title, check_value_name, window

__all__ = ["map_points", "thumbnails"]

_LEVELS = 256


def map_points(
    Y: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    value_name: str | None = None,
    names: ArrayLike | None = None,
    most_names: int = 0,
    importance: ArrayLike | None = None,
    links: ArrayLike | None = None,
    title: str | None = None,
    size: int = 560,
) -> Figure:
    """Draw a map as points, one for each object.

    Both axes have the same scale and neither has ticks: only neighborhoods mean anything. A class has its color
    and its shape, and a click on it in the legend makes it fade. More than 24 classes have no legend: their names stand
    on the map, those of the largest in larger letters, and their colors follow their places. The marks of more than
    2,000 objects are round, without a rim.

    Parameters
    ----------
    Y : array-like, shape (N, 2)
        Map points.
    labels : array-like, shape (N,), optional
        Classes. Or floats, which are values on a color scale. Objects without one (None, NaN, masked) are gray crosses.
    value_name : str, optional
        What the values are, with their unit where they have one; it stands beside the color scale.
    names : array-like, shape (N,), optional
        What each object is called; shown as text under the pointer. Some may be missing.
    most_names : int, default=0
        How many of the names to write into the map, the most important ones; a name for which there is no room is left
        out, and so are all where names of more than 24 classes are written.
    importance : array-like, shape (N,), optional
        Whose names are written first: a number for each object, the largest first, those without one last. Left out,
        the first objects come first.
    links : array-like of int, shape (K, 2), optional
        Pairs of map points that are joined by a line, such as the images of an object.
    title : str, optional
        What the map shows.
    size : int, default=560
        Side of the map in pixels; title and legend come on top of it.

    Returns
    -------
    figure : bokeh.plotting.figure
        To show, save or put beside others. Each class is a renderer of that name, and unlabeled objects are one, whose
        data source has the columns x, y, object (its number) and, where given, label and name.

    Raises
    ------
    ValueError
        If Y isn't finite or not of shape (N, 2), labels or names aren't one for each map point, links aren't pairs
        of them, or a value_name is given without values.

    Examples
    --------
    >>> digits = ns.datasets.load_digits()
    >>> Y = ns.SymmetricSNE(random_state=0).fit_transform(digits.X)
    >>> bokeh.io.show(ns.views.map_points(Y, labels=digits.labels, title=digits.title))
    """
    labels, names, importance = in_order_of(Y, labels=labels, names=names, importance=importance)
    Y = check_map(Y)
    labels, names = read_labels(labels, len(Y)), read_names(names, len(Y))
    value_name = check_value_name(value_name, labels)
    order = read_importance(importance, len(Y))
    most_names = check_count("most_names", most_names, 0)
    size = check_size("size", size)
    view = window(Y)
    p = map_figure(check_title(title), view, size)
    if links is not None:
        ends = segments(Y, _check_links(links, len(Y)))
        look = {"name": "links", "line_color": palette.SOFT, "line_alpha": 0.35}
        p.segment("x0", "y0", "x1", "y1", source=ColumnDataSource(ends), **look)

    # Single precision halves the bytes, and even at a zoom of 1,000 no point moves by a pixel.
    width = np.ptp(Y, axis=0).max()
    x, y = (Y.astype(np.float32) if 1e-30 < width < 1e30 and np.abs(Y).max() < 10 * width else Y).T
    columns = {"x": x, "y": y, "object": np.arange(len(Y))}
    if labels.texts is not None:
        columns["label"] = np.array(labels.texts, dtype=object)
    if names is not None:
        columns["name"] = np.array(names, dtype=object)

    written = names is not None and most_names > 0
    mark = min(palette.mark_size(len(Y), size), BESIDE_NAMES) if written else palette.mark_size(len(Y), size)
    look = {"fill_alpha": 0.9, "muted_alpha": 0.07}

    many, fine = len(labels.class_names) > MOST_TOLD, len(Y) > palette.FINE
    if many:
        shades = [*palette.hues(Y, [group.rows for group in labels.groups() if group.k != UNLABELED]), palette.BLANK]
        columns["color"] = np.array(shades)[labels.classes]  # UNLABELED is -1, the last
    if fine:
        p.outline_line_color = None

    def draw(rows, k, called, **own):
        source = ColumnDataSource({name: column[rows] for name, column in columns.items()})
        paint, factor = palette.bokeh_mark(k, plain=fine or many)
        if many and k != UNLABELED:
            paint = {**paint, "fill_color": "color"}
        return p.scatter("x", "y", source=source, name=called, size=mark * factor, **look | paint | own)

    if labels.values is not None:
        columns["value"] = labels.values
    groups = labels.few().groups()
    # Those without a label first, below the others; the legend names them last.
    drawn = {k: draw(rows, k, called) for k, called, rows in groups[::-1] if k == UNLABELED}
    if labels.classes is not None:
        drawn |= {k: draw(rows, k, called) for k, called, rows in groups if k != UNLABELED}
        told = legend_of(groups, len(labels.class_names))
        if told:
            add_legend(p, [(group.text, [drawn[group.k]]) for group in told], click_policy="mute")
    elif labels.values is not None:
        scale = _color_scale(labels.values)
        drawn[0] = draw(~labels.missing, 0, "objects", fill_color={"field": "value", "transform": scale})
        add_color_bar(p, scale, value_name, height=size // 2, location=(12, size // 4))
        if groups:
            add_legend(p, [(group.text, [drawn[group.k]]) for group in groups], click_policy="mute")
    else:
        drawn[0] = draw(slice(None), 0, "objects", fill_color=palette.PLAIN)
    renderers = [drawn[k] for k in sorted(drawn)]

    said = {"label": value_name or "label"}
    rows = [(said.get(name, name), name) for name in ("name", "label", "object") if name in columns]
    hover(p, renderers, rows, muted_policy="ignore")
    pixels = (Y - [view.left, view.low]) * size / (view.right - view.left)
    if many:
        write_classes(p, np.column_stack([pixels[:, 0], size - pixels[:, 1]]), labels.groups(), view, size)
    if written and not many:
        marks = np.column_stack([pixels, np.full(len(Y), mark / 2)])
        first = np.arange(len(Y))[:most_names] if order is None else order[:most_names]
        texts = [names[i] for i in first]
        places = place_names(pixels[first], marks[first, 2], texts, size, font_size=11, obstacles=marks)
        write_names(p, Y[first], places, texts, font_size=11)
    return p


def segments(Y, links):
    """Return the ends of the lines that join pairs of map points, by column."""
    (x0, y0), (x1, y1) = Y[links[:, 0]].T, Y[links[:, 1]].T
    return {"x0": x0, "y0": y0, "x1": x1, "y1": y1}


def _check_links(links, N):
    links = np.asarray(links)
    if links.ndim != 2 or links.shape[1] != 2 or links.dtype.kind not in "iu":
        raise ValueError(
            f"links must be pairs of whole numbers, shape (K, 2), got shape {links.shape}, {links.dtype}; give the two "
            "map points that each line joins"
        )
    if links.size and not 0 <= links.min() <= links.max() < N:
        raise ValueError(f"links must join map points from 0 to {N - 1}, got {links.min()} to {links.max()}")
    return links


def thumbnails(
    Y: ArrayLike,
    images: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    title: str | None = None,
    size: int = 640,
    image_size: int = 22,
    random_state: int = 0,
) -> Figure:
    """Draw a map as the images of its objects, each where its map point is.

    The display rule of the first paper: objects are taken in random order, and an image is drawn only where no image is
    there yet. A crowd is therefore seen in part; ``map_points`` shows every object.
    [Hinton2002, Fig. 1]

    Parameters
    ----------
    Y : array-like, shape (N, 2)
        Map points.
    images : array-like, shape (N, height, width) or (N, height, width, 3)
        Gray values in any unit, more ink being a larger value; or red, green and blue, from 0 to 255 or as floats from
        0 to 1.
    labels : array-like, shape (N,), optional
        Classes, which give gray images their color, and images in color a frame. Unlabeled ones are gray.
    title : str, optional
        What the map shows.
    size : int, default=640
        Side of the map in pixels.
    image_size : int, default=22
        Longer side of an image in pixels.
    random_state : int, default=0
        Seed of the order.

    Returns
    -------
    figure : bokeh.plotting.figure
        Each class is a renderer whose data source has the columns image, x, y (left and lower edge), object and, where
        given, label; unlabeled objects are one, too.

    Raises
    ------
    ValueError
        If Y isn't finite or not of shape (N, 2), or images or labels aren't one for each map point.
    """
    (labels,) = in_order_of(Y, labels=labels)
    Y = check_map(Y)
    images, labels = Images(images, len(Y)), read_labels(labels, len(Y))
    if labels.values is not None:
        raise ValueError(
            "labels must name classes here, got floats; use map_points for a color scale, or labels.astype(int)"
        )
    size = check_size("size", size)
    image_size = check_size("image_size", image_size, low=4, high=size // 2)
    seed = check_count("random_state", random_state, 0)

    sides = images.height, images.width
    height, width = (image_size * side / max(sides) for side in sides)
    # A margin for the images of the outermost objects.
    view = window(Y, margin=0.5 * image_size / (size - image_size) + 0.01)
    pixel = (view.right - view.left) / size
    shown = place_images(Y, width * pixel, height * pixel, seed)

    p = map_figure(check_title(title), view, size)
    pixels = images.bytes_of(shown)[:, ::-1]  # Bokeh's first row is the lowest
    groups = labels.few().groups()
    renderers = []
    for k, called, members in groups or [Group(0, "objects", np.arange(len(Y)))]:
        which = np.flatnonzero(np.isin(shown, members))
        if not len(which):
            continue
        rows = shown[which]
        columns = {
            "image": [_packed(image) if images.in_color else image for image in pixels[which]],
            "x": Y[rows, 0] - width * pixel / 2,
            "y": Y[rows, 1] - height * pixel / 2,
            "object": rows,
        }
        if labels.texts is not None:
            columns["label"] = [labels.texts[i] for i in rows]
        source, place = ColumnDataSource(columns), {"dw": width * pixel, "dh": height * pixel, "name": called}
        if images.in_color:
            renderers.append(p.image_rgba("image", "x", "y", source=source, **place))
            if labels.classes is not None:
                frame = {"width": width * pixel, "height": height * pixel, "fill_color": None, "line_width": 2}
                p.rect(*Y[rows].T, name=f"frames of {called}", line_color=palette.color(k), **frame)
        else:
            ink = _ink(palette.INK if labels.classes is None else palette.color(k))
            renderers.append(p.image("image", "x", "y", source=source, color_mapper=ink, **place))
    if labels.classes is not None:
        told = legend_of(groups, len(labels.class_names))
        add_legend(p, [(group.text, [swatch(p, "square", palette.color(group.k))]) for group in told])
    hover(p, renderers, [(n, n) for n in ("label", "object") if n in columns])
    return p


def _packed(image):
    """Return red, green and blue, shape (height, width, 3), as Bokeh wants them: one opaque number for each pixel."""
    opaque = np.full((*image.shape[:2], 1), 255, dtype=np.uint8)
    return np.concatenate([image, opaque], axis=2).view("<u4")[..., 0]


def place_images(Y, width, height, seed):
    """Return the objects whose images are drawn, in the order drawn: at random, each where none is there yet."""
    shown: list[int] = []
    places = np.empty_like(Y)
    for i in np.random.default_rng(seed).permutation(len(Y)):
        gaps = np.abs(places[: len(shown)] - Y[i])
        if not ((gaps[:, 0] < width) & (gaps[:, 1] < height)).any():
            places[len(shown)] = Y[i]
            shown.append(int(i))
    return np.array(shown)


def _ink(ink):
    """Return the scale from the background, for a gray level of 0, to the ink."""
    steps = np.linspace(0, 1, _LEVELS)
    shades = [palette.blend(palette.GROUND, ink, float(step)) for step in steps]
    return LinearColorMapper(shades, low=0, high=_LEVELS - 1)


def _color_scale(values):
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if low == high:  # a scale needs a length; equal values get its middle
        low, high = low - 1, high + 1
    return LinearColorMapper([palette.value_color(share) for share in np.linspace(0, 1, _LEVELS)], low=low, high=high)
