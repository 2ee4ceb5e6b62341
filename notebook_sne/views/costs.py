"""The cost of a run over its iterations, with its phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from bokeh.models import BoxAnnotation, BoxZoomTool, ColumnDataSource, Range1d, ResetTool, SaveTool, Span
from bokeh.plotting import figure as Figure

from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.numbers import show
from notebook_sne.views.figures import add_legend, empty_figure, hover, write
from notebook_sne.views.objects import check_size, check_title
from notebook_sne.views.palette import DASHES, GROUND, INK, RULE, SOFT, color

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["traces"]

_NEEDED = ("iteration", "phase", "cost")
_SIZE = (640, 340)


def traces(
    trace: pd.DataFrame | Mapping[str, pd.DataFrame],
    *,
    uniform: float | None = None,
    title: str | None = None,
    width: int = _SIZE[0],
    height: int = _SIZE[1],
) -> Figure:
    """Draw the cost of one run, or of several, over the iterations, with their phases.

    The phases of one run are shaded and named. On each of several curves, a ring marks where a phase begins, and the
    pointer names it.

    Parameters
    ----------
    trace : DataFrame or dict of str to DataFrame
        ``model.trace_``, or several of them by name; needed are the columns iteration, phase and cost.
    uniform : float, optional
        Cost of the uniform Q in nats, drawn as a level: the cost of a map that says nothing.
    title : str, optional
        What the curves show.
    width, height : int, default=640 and 340
        Size of the frame in pixels; axes, title and legend come on top of it.

    Returns
    -------
    figure : bokeh.plotting.figure
        Each run is a line renderer of that name (``"cost"`` where there is one run), whose data source has the columns
        iteration, cost and phase.

    Raises
    ------
    TypeError
        If trace is neither a DataFrame nor a dict of them.
    ValueError
        If a trace is empty, lacks a column, or has no finite cost.

    Notes
    -----
    Costs of different models may be compared where they model the same P. The cost of SNE is a sum over N
    distributions, that of the joint models is of one.

    Examples
    --------
    >>> ns.views.traces({"t-SNE": tsne.trace_, "UNI-SNE": unisne.trace_})
    """
    several = isinstance(trace, Mapping)
    given = trace if several else {"cost": trace}
    runs = {str(name): _columns(run, f"trace[{show(name)}]" if several else "trace") for name, run in given.items()}
    if not runs:
        raise ValueError("trace must hold at least one run, got an empty dict; give {name: model.trace_}")
    if uniform is not None:
        uniform = check_number("uniform", uniform, 0.0)
    p = _plane(runs, uniform, title, (check_size("width", width), check_size("height", height)))

    lines, items = [], []
    for k, (name, columns) in enumerate(runs.items()):
        source = ColumnDataSource({**columns, "run": [name] * len(columns["cost"])})
        look = {"line_color": color(k), "line_width": 2.5, "line_dash": DASHES[k % len(DASHES)]}
        lines.append(p.line("iteration", "cost", source=source, name=name, **look))
        items.append((name, [lines[-1]]))
        begins = _begins(columns["phase"])[1:]
        if several and len(begins):
            x, y = columns["iteration"][begins], columns["cost"][begins]
            ring = {"fill_color": GROUND, "line_color": color(k), "line_width": 2, "size": 9}
            items[-1][1].append(p.scatter(x, y, name=f"phases of {name}", marker="circle", **ring))
    rows = [("iteration", "iteration"), ("phase", "phase"), ("cost in nats", "cost")]
    if several:
        add_legend(p, items, click_policy="hide", lines=True)
        hover(p, lines, [("run", "run"), *rows])
    else:
        _shade_phases(p, runs["cost"])
        hover(p, lines, rows, mode="vline")
    return p


def _columns(trace, called):
    """Return the columns that are drawn, or raise."""
    if not hasattr(trace, "columns"):
        raise TypeError(
            f"{called} must be a DataFrame such as model.trace_, got {type(trace).__name__}; "
            "give model.trace_, or a dict of several by name"
        )
    missing = [name for name in _NEEDED if name not in trace.columns]
    if missing:
        raise ValueError(f"{called} must have the columns {', '.join(_NEEDED)}, got none called {', '.join(missing)}")
    columns = {
        "iteration": np.asarray(trace["iteration"]),
        "cost": np.asarray(trace["cost"], dtype=np.float64),
        "phase": np.array([str(phase) for phase in trace["phase"]], dtype=object),
    }
    # The curve of a run that diverged is drawn as far as it goes.
    if not np.isfinite(columns["cost"]).any():
        raise ValueError(
            f"{called} must have a row with a finite cost, got {len(columns['cost'])} rows without; run first"
        )
    return columns


def _plane(runs, uniform, title, size):
    costs = np.concatenate([columns["cost"] for columns in runs.values()])
    costs = costs[np.isfinite(costs)]
    low, high = float(costs.min()), float(costs.max())
    if uniform is not None:
        low, high = min(low, uniform), max(high, uniform)
    room = 0.06 * (high - low) or 0.06 * abs(high) or 1.0
    first = min(int(columns["iteration"].min()) for columns in runs.values())
    last = max(int(columns["iteration"].max()) for columns in runs.values())
    end = max(last, first + 1)
    ranges = {"x_range": Range1d(first, end), "y_range": Range1d(low - room, high + 2 * room)}
    p = empty_figure(check_title(title), frame_width=size[0], frame_height=size[1], **ranges)
    p.xaxis.axis_label, p.yaxis.axis_label = "iteration", "cost in nats"
    p.xgrid.visible = False
    p.ygrid.grid_line_color = RULE
    p.ygrid.grid_line_alpha = 0.6
    p.add_tools(BoxZoomTool(), ResetTool(), SaveTool())
    if uniform is not None:
        p.add_layout(Span(location=uniform, dimension="width", line_color=SOFT, line_dash=[2, 4], line_width=1.5))
        write(p, "uniform Q", SOFT, x=end, y=uniform, x_offset=-8, y_offset=-4, text_align="right")
    return p


def _begins(phases):
    """Return the rows at which a phase begins."""
    return np.flatnonzero(np.append(True, phases[1:] != phases[:-1]))


def _shade_phases(p, columns):
    """Shade every other phase, and write its name at its top: a line lower where it would overlap the last name.

    A name without room to the right of its phase's beginning ends at the edge of the frame.
    """
    begins = _begins(columns["phase"])
    edges = [*columns["iteration"][begins].tolist(), None]
    scale = p.frame_width / (p.x_range.end - p.x_range.start)
    line, free = 0, 0.0
    for k, row in enumerate(begins):
        if k % 2:
            shade = {"fill_color": SOFT, "fill_alpha": 0.07, "line_color": None, "level": "underlay"}
            p.add_layout(BoxAnnotation(left=edges[k], right=edges[k + 1], **shade))
        name, left = columns["phase"][row], (edges[k] - p.x_range.start) * scale
        needs = 16 + 8 * len(name)
        cut = left + needs > p.frame_width
        left = min(left, p.frame_width - needs)
        line = line + 1 if left < free else 0
        free = left + needs
        place = {"x": p.x_range.end, "x_offset": -8, "text_align": "right"} if cut else {"x": edges[k], "x_offset": 8}
        write(p, name, INK, y=p.frame_height - 8 - 20 * line, y_units="screen", **place)
