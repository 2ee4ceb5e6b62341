"""The springs of one object, drawn over its map."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool
from bokeh.plotting import figure as Figure
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.numbers import as_floats
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.objects.labels import read_labels
from notebook_sne.engine.objects.names import read_names
from notebook_sne.views.figures import add_legend, write_names
from notebook_sne.views.maps import map_points
from notebook_sne.views.names import place_names
from notebook_sne.views.objects import check_map, check_size, window
from notebook_sne.views.palette import GROUND, INK, PULL, PUSH

__all__ = ["springs"]

_WIDEST = 5.0  # pixels of the strongest spring
_NEGLIGIBLE = 0.01  # fraction of all forces together: a net force below it is not drawn
_NEEDED = ("pull", "push", "p", "q")


def springs(
    Y: ArrayLike,
    i: int,
    forces: Forces,
    *,
    most: int = 12,
    labels: ArrayLike | None = None,
    names: ArrayLike | None = None,
    title: str | None = None,
    size: int = 560,
) -> Figure:
    """Draw the strongest springs of one object over its map, and the net force on it.

    The force of the spring to j is |pull_j - push_j| times its length. One that pulls is a full line, its head toward
    j; one that pushes is dashed, its head toward i. Lines are as wide as the root of their force. The sum of all
    forces, not only those drawn, is an arrow at the object, where it is more than a hundredth of them.

    Parameters
    ----------
    Y : array-like, shape (N, 2)
        Map points.
    i : int
        The object, 0 <= i < N.
    forces : Forces
        Its springs at these map points: what ``run.forces(i)`` returns, or ``states.forces(state, i)``.
    most : int, default=12
        How many springs are drawn, the strongest first.
    labels : array-like, shape (N,), optional
        As for ``map_points``.
    names : array-like, shape (N,), optional
        What each object is called; written beside the ends of the springs where there is room.
    title : str, optional
        What the map shows.
    size : int, default=560
        Side of the map in pixels.

    Returns
    -------
    figure : bokeh.plotting.figure
        As of ``map_points``, with a renderer ``"pull"`` and one ``"push"``, whose data sources have the columns object,
        p, q and force; ``"net force"`` where it is drawn; and ``"object i"`` about the object itself.

    Raises
    ------
    TypeError
        If forces lack pull, push, p or q.
    ValueError
        If these aren't finite or not one for each map point, or there is no object i.

    Examples
    --------
    >>> states = ns.TSNE(random_state=0).iterate(digits.X)
    >>> state = next(itertools.islice(states, 100, None))
    >>> forces = states.forces(state, 0)
    >>> bokeh.io.show(ns.views.springs(state.embedding, 0, forces, labels=digits.labels))
    """
    Y = check_map(Y)
    i = check_count("i", i, 0)
    if i >= len(Y):
        raise ValueError(f"i must be an object from 0 to {len(Y) - 1}, got {i}")
    most = check_count("most", most, 1)
    pull, push, p, q = _arrays(forces, len(Y))
    size = check_size("size", size)
    figure = map_points(Y, labels=labels, names=names, title=title, size=size)

    away = Y - Y[i]
    force = (pull - push) * np.hypot(*away.T)
    for renderer in figure.renderers:
        source = renderer.data_source
        renderer.glyph.fill_alpha = renderer.glyph.line_alpha = 0.45
        for column, values in (("p", p), ("q", q), ("force", force)):
            source.data[column] = values[source.data["object"]]
    drawn = np.argsort(-np.abs(force), kind="stable")[:most]
    drawn = drawn[np.abs(force[drawn]) > 0][::-1]  # the strongest on top
    columns = {"object": np.arange(len(Y)), "p": p, "q": q, "force": force}
    names, texts = read_names(names, len(Y)), read_labels(labels, len(Y)).texts
    for column, entries in (("name", names), ("label", texts)):
        if entries is not None:
            columns[column] = np.array(entries, dtype=object)

    items = _draw_springs(figure, Y, i, drawn, columns)
    items += _draw_net(figure, Y, i, (pull - push)[:, None] * away, force)
    ring = {"fill_color": None, "line_color": INK, "line_width": 2.5, "size": 17, "marker": "circle"}
    ringed = figure.scatter(Y[[i], 0], Y[[i], 1], name=f"object {i}", **ring)
    items.append(((names and names[i]) or ringed.name, [ringed]))
    _explain(figure, items)
    if names is not None:
        _write_ends(figure, Y, i, drawn, names, size)
    return figure


def _arrays(forces, n_objects):
    """Return pull, push, p and q as finite floats, shape (N,), or raise."""
    missing = [name for name in _NEEDED if not hasattr(forces, name)]
    if missing:
        raise TypeError(
            f"forces must have {', '.join(_NEEDED)}, got {type(forces).__name__} without {', '.join(missing)}; "
            "give what run.forces(i) returns, or states.forces(state, i)"
        )
    arrays = [as_floats(f"forces.{name}", getattr(forces, name)) for name in _NEEDED]
    for name, array in zip(_NEEDED, arrays, strict=True):
        if array.shape != (n_objects,):
            raise ValueError(
                f"forces.{name} must have shape (N,) = ({n_objects},), got {array.shape}; "
                "give the forces at these map points"
            )
        if not np.isfinite(array).all():
            bad = int(np.flatnonzero(~np.isfinite(array))[0])
            raise ValueError(
                f"forces.{name} must be finite, got {array[bad]} at object {bad}; give those of a state that is finite"
            )
    return arrays


def _draw_springs(figure, Y, i, drawn, columns):
    """Draw these springs, and return what the legend must explain."""
    items = []
    force = columns["force"]
    strongest = np.abs(force).max() or 1.0
    for name, rows, ink, dash in (
        ("pull", drawn[force[drawn] > 0], PULL, "solid"),
        ("push", drawn[force[drawn] < 0], PUSH, "dashed"),
    ):
        source = ColumnDataSource({column: values[rows] for column, values in columns.items()})
        source.data["width"] = np.maximum(_WIDEST * np.sqrt(np.abs(force[rows]) / strongest), 0.8)
        here, there = np.tile(Y[i], (len(rows), 1)), Y[rows]
        start, end = (here, there) if name == "pull" else (there, here)
        _arrows(figure, source, start, end, ink, dash, name)
        if len(rows):
            items.append((name, [_sample(figure, ink, dash)]))
    return items


def _draw_net(figure, Y, i, vectors, force):
    """Draw the sum of all forces, shape (N, 2), unless it is negligible, and return what the legend must explain."""
    net = vectors.sum(axis=0)
    left = float(np.hypot(*net))
    if left <= _NEGLIGIBLE * np.abs(force).sum():
        return []
    strength = min(math.sqrt(left / np.abs(force).max()), 1.0)
    end = Y[i] + net / left * (0.06 + 0.14 * strength) * (figure.x_range.end - figure.x_range.start)
    _widen(figure, np.vstack([Y, end]))
    source = ColumnDataSource({"force": [left], "width": [max(_WIDEST * strength, 2.0)]})
    _arrows(figure, source, Y[[i]], end[None], INK, "solid", "net force", head=1.0)
    return [("net force", [_sample(figure, INK, "solid")])]


def _arrows(figure, source, start, end, ink, dash, name, head=0.6):
    """Draw lines with a head at this fraction of their length, with the widths in the source."""
    at = start + head * (end - start)
    angle = np.arctan2(end[:, 1] - start[:, 1], end[:, 0] - start[:, 0]) - math.pi / 2
    columns = {"x0": start[:, 0], "y0": start[:, 1], "x1": end[:, 0], "y1": end[:, 1]}
    columns |= {"x": at[:, 0], "y": at[:, 1], "angle": angle, "head": 7 + 1.5 * np.asarray(source.data["width"])}
    for column, values in columns.items():
        source.data[column] = values
    line = {"line_color": ink, "line_width": "width", "line_dash": dash}
    figure.segment("x0", "y0", "x1", "y1", source=source, name=name, **line)
    look = {"marker": "triangle", "angle": "angle", "size": "head", "fill_color": ink, "line_color": GROUND}
    figure.scatter("x", "y", source=source, name=f"head of {name}", **look)


def _sample(figure, ink, dash):
    """Return a line for the legend alone: it is drawn nowhere."""
    return figure.line([math.nan] * 2, [math.nan] * 2, line_color=ink, line_dash=dash, line_width=3)


def _widen(figure, points):
    """Widen the ranges for what is drawn beyond the map points."""
    view = window(points)
    figure.x_range.update(start=view.left, end=view.right, reset_start=view.left, reset_end=view.right)
    figure.y_range.update(start=view.low, end=view.high, reset_start=view.low, reset_end=view.high)


def _explain(figure, items):
    """Explain the lines in the legend, and show p, q and the force at the pointer."""
    classes = []
    for legend in list(figure.legend):
        classes = [(item.label.value, item.renderers) for item in legend.items]
        figure.right.remove(legend)
    add_legend(figure, items + classes, lines=True)
    (tool,) = figure.select(HoverTool)
    lines = [renderer for renderer in figure.renderers if renderer.name in ("pull", "push")]
    tool.renderers = [*lines, *tool.renderers]
    tool.tooltips = [*tool.tooltips, ("p", "@p"), ("q", "@q"), ("force (pulls are positive)", "@force")]


def _write_ends(figure, Y, i, drawn, names, size):
    """Write the names of the object and of the ends of its springs, the strongest first, where there is room."""
    rows = np.array([i, *drawn[::-1]])
    scale = size / (figure.x_range.end - figure.x_range.start)
    pixels = (Y - [figure.x_range.start, figure.y_range.start]) * scale
    texts = [names[j] for j in rows]
    radii = np.array([9.0] + [5.0] * len(drawn))
    obstacles = np.column_stack([pixels[rows], radii])
    places = place_names(pixels[rows], radii, texts, size, obstacles=obstacles)
    write_names(figure, Y[rows], places, texts)
