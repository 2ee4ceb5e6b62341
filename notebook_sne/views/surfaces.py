"""The force between two objects, as a surface over their distances in the data and in the map."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from bokeh.models import Column, ColumnDataSource, FixedTicker, LinearColorMapper, Range1d, SaveTool
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.numbers import as_floats, show
from notebook_sne.views.figures import add_color_bar, empty_figure, hover, write
from notebook_sne.views.layouts import gather
from notebook_sne.views.objects import check_size, check_title
from notebook_sne.views.palette import GROUND, INK, PULL, PUSH, RULE, blend

__all__ = ["gradient_surfaces"]

_MOST = 6
_IN_A_ROW = 3
_LEVELS = 256
_LEAST = 0.05  # least fraction of a surface that has room for a name
_HALF_A_NAME = 40  # pixels


def gradient_surfaces(
    surfaces: Mapping[str, ArrayLike],
    data_distances: ArrayLike,
    map_distances: ArrayLike,
    *,
    title: str | None = None,
    size: int = 360,
) -> Column:
    """Draw the force between two objects over their distance in the data and their distance in the map.

    One scale of colors serves all surfaces: attraction is blue, repulsion orange, and the color follows the cube
    root of the force, as some surfaces are many times as high as others. The thick line is where the force is zero;
    thin lines are contours at the numbers beside the colors, full where objects attract each other, dashed where they
    repel each other.  [Maaten2008, Fig. 1]

    Parameters
    ----------
    surfaces : dict of str to array-like, shape (n_data, n_map)
        The forces by name, at most 6; positive is attraction.
    data_distances : array-like, shape (n_data,)
        Distances in the data, evenly spaced and rising.
    map_distances : array-like, shape (n_map,)
        Distances in the map, evenly spaced and rising.
    title : str, optional
        What the surfaces show.
    size : int, default=360
        Side in pixels of a surface alone; two are drawn at five sixths of it, more at two thirds, three in a row.

    Returns
    -------
    layout : bokeh.models.Column
        A figure for each surface, whose image renderer has its name; and the colors they share.

    Raises
    ------
    TypeError
        If surfaces isn't a dict.
    ValueError
        If a surface isn't finite or not of shape (n_data, n_map), or distances aren't evenly spaced.

    Examples
    --------
    >>> x, y = np.linspace(0, 5, 60), np.linspace(0, 5, 60)
    >>> p, d = np.exp(-np.square(x) / 2)[:, None], np.square(y)[None]
    >>> bokeh.io.show(ns.views.gradient_surfaces({"springs": (p - np.exp(-d)) * y}, x, y))
    """
    rows, columns = (
        _distances(n, d) for n, d in (("data_distances", data_distances), ("map_distances", map_distances))
    )
    forces = _surfaces(surfaces, (len(rows), len(columns)))
    title, size = check_title(title), check_size("size", size)
    side = round(size * {1: 1, 2: 5 / 6}.get(len(forces), 2 / 3))
    highest = max(float(np.abs(force).max()) for force in forces.values()) or 1.0
    scale = _colors(highest)
    figures: list = []
    for name, force in forces.items():
        figures.append(_surface(name, force, rows, columns, side, scale, highest))
    _add_bar(figures[min(len(figures), _IN_A_ROW) - 1], scale, highest, side)
    return gather(figures, title, min(len(figures), _IN_A_ROW) * (side + 90) + 80)


def _distances(name, values):
    """Return distances as finite floats, shape (K,), evenly spaced and rising, or raise."""
    values = as_floats(name, values)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"{name} must have shape (K,) with K >= 2, got {values.shape}; give np.linspace(0, 5, 60)")
    steps = np.diff(values)
    if not (np.isfinite(values).all() and steps[0] > 0 and np.allclose(steps, steps[0], rtol=1e-3)):
        raise ValueError(
            f"{name} must rise in even steps, got steps from {steps.min():g} to {steps.max():g}; use linspace"
        )
    return values


def _surfaces(surfaces, shape):
    """Return the forces by name, or raise."""
    if not isinstance(surfaces, Mapping):
        raise TypeError(
            f"surfaces must be a dict of arrays by name, got {type(surfaces).__name__}; give {{name: array}}"
        )
    if not 0 < len(surfaces) <= _MOST:
        raise ValueError(f"surfaces must hold 1 to {_MOST} surfaces, got {len(surfaces)}; draw the others separately")
    forces = {}
    for name, force in surfaces.items():
        force = as_floats(f"surfaces[{show(name)}]", force)
        if force.shape != shape:
            raise ValueError(
                f"surfaces[{show(name)}] must have shape (n_data, n_map) = {shape}, got {force.shape}; "
                "a row is of one distance in the data"
            )
        if not np.isfinite(force).all():
            raise ValueError(f"surfaces[{show(name)}] must be finite, got NaN or infinity; leave these distances out")
        forces[str(name)] = force
    return forces


def _colors(highest):
    shares = np.linspace(-1, 1, _LEVELS + 1)
    palette = [blend(GROUND, PULL if share > 0 else PUSH, abs(float(share))) for share in shares]
    return LinearColorMapper(palette, low=-np.cbrt(highest), high=np.cbrt(highest))


def _levels(highest):
    """Return forces for contours and ticks: round numbers, spread over the colors."""
    return sorted({_round_down(highest * share) for share in (0.04, 0.25, 1.0)})


def _round_down(value):
    """Return the largest number such as 1, 2, 5, 10, 20 ... that is not above the value."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(max(digit * power for digit in (1, 2, 5) if digit * power <= value * (1 + 1e-9)))


def _surface(name, force, rows, columns, side, scale, highest):
    """Draw one surface: its colors, its contours, and what the force does where."""
    (x, width), (y, height) = (_edges(distances) for distances in (columns, rows))
    p = empty_figure(
        name, frame_width=side, frame_height=side, x_range=Range1d(x, x + width), y_range=Range1d(y, y + height)
    )
    if p.title is not None:
        p.title.text_font_size = "15px"
    p.outline_line_color = RULE
    p.grid.visible = False
    p.xaxis.axis_label, p.yaxis.axis_label = "distance in the map", "distance in the data"
    # Few bytes once they are packed: as many values as there are colors, and forces of four digits in binary.
    step = (scale.high - scale.low) / (_LEVELS + 1)
    image = scale.low + step * (np.clip((np.cbrt(force) - scale.low) // step, 0, _LEVELS) + 0.5)
    single = (force.astype(np.float32).view(np.int32) + 2**9 & -(2**10)).view(np.float32)
    source = ColumnDataSource({"image": [image.astype(np.float32)], "force": [single]})
    place = {"x": x, "y": y, "dw": width, "dh": height}
    image = p.image("image", source=source, name=name, color_mapper=scale, level="image", **place)
    for level in _levels(highest):
        for force_there, dash in ((level, "solid"), (-level, "dashed")):
            _contour(p, force, rows, columns, force_there, line_dash=dash, line_width=1, line_alpha=0.45)
    # At distance 0 in the map no force acts; a contour of zero would run along that edge.
    inside = np.ix_((force != 0).any(axis=1), (force != 0).any(axis=0))
    if min(force[inside].shape) > 1:
        _contour(p, force[inside], rows[inside[0][:, 0]], columns[inside[1][0]], 0.0, line_dash="solid", line_width=2.5)
    _name_regions(p, force, side)
    p.add_tools(SaveTool())
    hover(p, [image], [("distance in the map", "$x"), ("distance in the data", "$y"), ("force", "force")])
    return p


def _edges(distances):
    """Return where the first pixel begins and how long all are; each distance is in the middle of its own."""
    step = (distances[-1] - distances[0]) / (len(distances) - 1)
    return float(distances[0] - step / 2), float(step * len(distances))


def _contour(p, force, rows, columns, level, **look):
    if force.min() < level < force.max():
        lines = p.contour(columns, rows, force, [level], line_color=INK, **look)
        lines.name = f"force {level:g}"


def _name_regions(p, force, side):
    """Write into the middle of each region what the force does there, as color alone must not say it."""
    for name, region in (("attraction", force > 0), ("repulsion", force < 0)):
        where = np.argwhere(region)
        if len(where) < _LEAST * force.size:
            continue
        y, x = (where.mean(axis=0) + 0.5) / force.shape * side
        x = float(np.clip(x, _HALF_A_NAME, side - _HALF_A_NAME))
        place = {"x": x, "y": float(y), "x_units": "screen", "y_units": "screen"}
        write(p, name, INK, text_align="center", text_baseline="middle", **place)


def _add_bar(p, scale, highest, side):
    levels = _levels(highest)
    ticks = sorted({0.0, *levels, *(-level for level in levels)})
    add_color_bar(
        p,
        scale,
        "force",
        ticker=FixedTicker(ticks=[float(np.cbrt(tick)) for tick in ticks]),
        major_label_overrides={float(np.cbrt(tick)): f"{tick:g}" for tick in ticks},
        height=side,
        location=(12, 0),
        padding=0,
    )
