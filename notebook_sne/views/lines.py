"""Curves of any quantities over a common axis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from bokeh.models import (
    BasicTickFormatter,
    BoxZoomTool,
    ColumnDataSource,
    PlainText,
    Range1d,
    ResetTool,
    SaveTool,
    Span,
)
from bokeh.plotting import figure as Figure
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.numbers import as_floats, show
from notebook_sne.views.figures import add_legend, empty_figure, hover, round_ticks, write
from notebook_sne.views.objects import check_size, check_title
from notebook_sne.views.palette import DASHES, GROUND, MARKER_SIZES, MARKERS, RULE, SOFT, color, marker

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["curves"]

_FEW = 24  # up to so many values get a mark each
_MOST = 12  # curves that can be distinguished
_SMALLEST = -5  # power of ten of a largest tick from which on ticks are written like 7e-6, and not like 0.007


def curves(
    x: ArrayLike,
    lines: Mapping[str, ArrayLike] | pd.DataFrame,
    *,
    x_label: str,
    y_label: str,
    x_log: bool = False,
    y_log: bool = False,
    level: float | Mapping[str, float] | None = None,
    title: str | None = None,
    width: int = 640,
    height: int = 340,
) -> Figure:
    """Draw curves over a common axis, each in its own color and dash.

    Where the values are few, each also has a mark, and so has a value between two gaps.

    Parameters
    ----------
    x : array-like, shape (K,), or None
        What the curves run over; None for the index of a DataFrame.
    lines : dict of str to array-like, shape (K,), or DataFrame
        The curves by name, at most 12; NaN leaves a gap.
    x_label, y_label : str
        What the axes show, with the unit.
    x_log, y_log : bool, default=False
        Whether an axis is logarithmic.
    level : float, or dict of str to float, optional
        Heights to compare with, such as what chance would give; a dict names them.
    title : str, optional
        What the curves show.
    width, height : int, default=640 and 340
        Size of the frame in pixels; axes, title and legend come on top of it.

    Returns
    -------
    figure : bokeh.plotting.figure
        Each curve is a line renderer of its name, whose data source has the columns x, y and curve.

    Raises
    ------
    TypeError
        If lines is neither a dict nor a DataFrame, or what should be numbers isn't.
    ValueError
        If a curve isn't of the length of x, holds no number or infinity, or has on a logarithmic axis a value that
        isn't positive.

    Examples
    --------
    >>> errors = {"SNE": [0.08, 0.05, 0.06], "t-SNE": [0.04, 0.03, 0.03]}
    >>> ns.views.curves([5, 30, 100], errors, x_label="perplexity", y_label="share of wrong neighbors", x_log=True)
    """
    x, given = _axis_and_curves(x, lines, x_log, y_log)
    levels = _levels(level, y_log)
    labels = [PlainText(_label(name, text)) for name, text in (("x_label", x_label), ("y_label", y_label))]
    heights = np.concatenate([*given.values(), list(levels.values())])
    p = empty_figure(
        check_title(title),
        frame_width=check_size("width", width),
        frame_height=check_size("height", height),
        x_axis_type="log" if x_log else "linear",
        y_axis_type="log" if y_log else "linear",
        x_range=_range(x, x_log, 0.02),
        y_range=_range(heights[np.isfinite(heights)], y_log, 0.06),
    )
    for axis, shown, log in ((p.xaxis, p.x_range, x_log), (p.yaxis, p.y_range, y_log)):
        if log:
            round_ticks(axis, shown, width if shown is p.x_range else math.inf)
        else:
            axis.formatter = BasicTickFormatter(power_limit_low=_SMALLEST)
    if not x_log and (x == np.round(x)).all():
        p.xaxis.ticker.min_interval = 1  # half of a map means nothing
    p.xaxis.axis_label, p.yaxis.axis_label = labels
    p.xgrid.visible = False
    p.ygrid.grid_line_color = RULE
    p.ygrid.grid_line_alpha = 0.6
    p.add_tools(BoxZoomTool(), ResetTool(), SaveTool())
    for name, at in levels.items():
        p.add_layout(Span(location=at, dimension="width", line_color=SOFT, line_dash=[2, 4], line_width=1.5))
        place = {"x": p.frame_width - 8, "x_units": "screen", "y": at, "y_offset": 3}
        write(p, name, SOFT, text_align="right", text_baseline="bottom", **place)

    renderers, items = [], []
    for k, (name, y) in enumerate(given.items()):
        source = ColumnDataSource({"x": x, "y": y, "curve": [name] * len(x)})
        look = {"line_color": color(k), "line_width": 2.5, "line_dash": DASHES[k % len(DASHES)], "muted_alpha": 0.1}
        parts = [p.line("x", "y", source=source, name=name, **look)]
        marked = _marked(y)
        if len(marked):
            source = ColumnDataSource({"x": x[marked], "y": y[marked], "curve": [name] * len(marked)})
            look = {"fill_color": color(k), "line_color": GROUND, "muted_alpha": 0.1}
            look["size"] = 9 * MARKER_SIZES[k % len(MARKERS)]
            parts.append(p.scatter("x", "y", source=source, name=f"values of {name}", marker=marker(k), **look))
        renderers += parts
        items.append((name, parts))
    rows = [(labels[0].text, "x"), (labels[1].text, "y")]
    if len(given) > 1:
        add_legend(p, items, click_policy="mute", lines=True)
        rows.insert(0, ("curve", "curve"))
    hover(p, renderers, rows, muted_policy="ignore")
    return p


def _axis_and_curves(x, lines, x_log, y_log):
    """Return x and the curves by name as finite floats, NaN in the gaps, or raise."""
    if not isinstance(lines, Mapping) and not hasattr(lines, "columns"):
        raise TypeError(f"lines must be a dict of curves by name, or a DataFrame, got {type(lines).__name__}")
    if x is None:
        if not hasattr(lines, "index"):
            raise ValueError("x must be given where lines is a dict, got None; only a DataFrame has an index to use")
        x = lines.index
    x = _numbers("x", x)
    if not np.isfinite(x).all():
        raise ValueError("x must be finite, got NaN or infinity; leave these values out")
    given: dict[str, np.ndarray] = {}
    for name, y in lines.items():
        if str(name) in given:  # a DataFrame may have two columns of one name
            raise ValueError(f"lines must have a name for each curve, got {show(str(name))} twice; rename one")
        given[str(name)] = _numbers(f"lines[{show(name)}]", y)
    if not 0 < len(given) <= _MOST:
        raise ValueError(f"lines must hold 1 to {_MOST} curves, got {len(given)}; more cannot be distinguished")
    for name, y in given.items():
        if len(y) != len(x):
            raise ValueError(f"lines[{show(name)}] must have one value for each x, {len(x)}, got {len(y)}")
        if np.isinf(y).any() or np.isnan(y).all():
            raise ValueError(f"lines[{show(name)}] must hold numbers, and no infinity; NaN leaves a gap")
        _check_log(f"lines[{show(name)}]", y, y_log, "y_log")
    _check_log("x", x, x_log, "x_log")
    return x, given


def _numbers(name, values):
    values = as_floats(name, values)
    if values.ndim != 1 or len(values) == 0:
        raise ValueError(f"{name} must have shape (K,) with K >= 1, got {values.shape}; give a list of numbers")
    return values


def _check_log(name, values, log, switch):
    if log and (values <= 0).any():
        raise ValueError(
            f"{name} must be positive on a logarithmic axis, got {values[values <= 0][0]:g}; "
            f"leave out {switch}=True, or put NaN there for a gap"
        )


def _levels(level, y_log):
    """Return heights by name."""
    if level is None:
        return {}
    given = level if isinstance(level, Mapping) else {None: level}
    levels = {}
    for name, at in given.items():
        at = check_number("level", at, -np.inf, closed=False)
        _check_log("level", np.array([at]), y_log, "y_log")
        levels[f"{at:.4g}" if name is None else str(name)] = at
    return levels


def _label(name, text):
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, got {show(text)}")
    return text


def _range(values, log, margin):
    """Return a range about the values, with a margin as a fraction of it."""
    low, high = (float(edge) for edge in ((np.log10 if log else np.asarray)([values.min(), values.max()])))
    room = margin * (high - low) or (0.1 if log else 0.1 * abs(high) or 1.0)
    return Range1d(*(10.0**edge if log else edge for edge in (low - room, high + room)))


def _marked(y):
    """Return the values that get a mark: all if they are few, otherwise those that are alone between gaps."""
    there = np.isfinite(y)
    if len(y) > _FEW:
        padded = np.pad(there, 1)
        there = there & ~padded[:-2] & ~padded[2:]
    return np.flatnonzero(there)
