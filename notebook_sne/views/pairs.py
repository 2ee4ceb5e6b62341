"""The two probabilities of a pair: p of the data beside q of the map."""

from __future__ import annotations

import numpy as np
from bokeh.models import (
    BoxAnnotation,
    BoxZoomTool,
    ColumnDataSource,
    PanTool,
    PlainText,
    Range1d,
    ResetTool,
    SaveTool,
    Title,
    WheelZoomTool,
)
from bokeh.plotting import figure as Figure
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.numbers import as_floats
from notebook_sne.engine.objects.labels import legend_of, read_labels
from notebook_sne.engine.objects.names import read_names
from notebook_sne.views import palette
from notebook_sne.views.figures import add_legend, empty_figure, hover, round_ticks
from notebook_sne.views.objects import check_size, check_title

__all__ = ["p_against_q"]

_MOST = 50_000
_DECADES = 10
"""What is smaller than the largest by more powers of ten than these is drawn at the edge: its cost is negligible."""
_STRIP = 0.06  # width of that edge, as a fraction of the side


def p_against_q(
    p: ArrayLike,
    q: ArrayLike,
    *,
    names: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    title: str | None = None,
    size: int = 480,
) -> Figure:
    """Draw p over q for pairs of objects, both on logarithmic axes of one scale, with the diagonal p = q.

    Above the diagonal, p is the larger: the pair is too far apart on the map, and is pulled together. Below it, the
    pair is pushed apart. A pair with p = 0 or q = 0 has no place on a logarithmic axis: it stands in a strip at the
    edge, with all that are ten powers of ten below the largest, and a note counts them.

    Parameters
    ----------
    p, q : array-like, shape (K,)
        Probabilities of the same pairs, at most 50000: a row of P and the same row of Q, or chosen pairs.
    names : array-like, shape (K,), optional
        What each pair is called; shown as text under the pointer.
    labels : array-like, shape (K,), optional
        Classes of the pairs, where some may have none; without labels, pairs above and below the diagonal differ in
        color and shape.
    title : str, optional
        What the pairs are.
    size : int, default=480
        Side of the frame in pixels.

    Returns
    -------
    figure : bokeh.plotting.figure
        Each class is a scatter renderer of that name (``"pulled together"``, ``"pushed apart"`` and, where there are
        any, ``"in balance"``), whose data source has the columns p, q, pair (its number) and the places x and y.

    Raises
    ------
    ValueError
        If p and q aren't of one length, not between 0 and 1, too many, or all 0.

    Notes
    -----
    Under SNE, the spring of a pair adds p - q of both its directions; a row holds one of them.

    Examples
    --------
    >>> forces = model.iterate(digits.X).forces(state, 0)
    >>> ns.views.p_against_q(forces.p, forces.q, title="The neighbors of digit 0")
    """
    p, q = (_probabilities(name, value) for name, value in (("p", p), ("q", q)))
    if len(p) != len(q):
        raise ValueError(f"p and q must be of the same pairs, got {len(p)} and {len(q)} values; give one q for each p")
    labels = read_labels(labels, len(p))
    if labels.values is not None:
        raise ValueError("labels must name classes here, got floats; give strings, or labels.astype(int)")
    names = read_names(names, len(p))
    size = check_size("size", size)
    there = np.flatnonzero((p > 0) | (q > 0))
    if not len(there):
        raise ValueError("p and q must not both be 0 for every pair; give a row of P and the same row of Q")

    floor, top, edge = _scale(p, q)
    columns = {"x": np.maximum(q, edge), "y": np.maximum(p, edge), "p": p, "q": q, "pair": np.arange(len(p))}
    columns["x"][q < floor] = columns["y"][p < floor] = edge
    if labels.texts is not None:
        columns["label"] = np.array(labels.texts, dtype=object)
    if names is not None:
        columns["name"] = np.array(names, dtype=object)

    plane = _plane(check_title(title), floor, top, edge, size)
    renderers = []
    for name, rows, look, mark_factor in _groups(p, q, there, labels):
        source = ColumnDataSource({column: values[rows] for column, values in columns.items()})
        look = {"line_color": palette.GROUND, "line_width": 0.5, "fill_alpha": 0.75, "muted_alpha": 0.07} | look
        look["size"] = palette.mark_size(len(there), size) * mark_factor
        renderers.append(plane.scatter("x", "y", source=source, name=name, **look))
    if labels.texts is not None:
        groups = labels.few().groups()
        drawn = {group.k: r for group, r in zip(groups, renderers, strict=True)}
        told = legend_of(groups, len(labels.class_names))
        add_legend(plane, [(group.text, [drawn[group.k]]) for group in told], click_policy="mute")
    _explain_sides(plane, p, q, labels.texts is None)
    rows = [(name, name) for name in ("name", "label", "pair", "p", "q") if name in columns]
    hover(plane, renderers, rows, muted_policy="ignore")
    for line in _notes(p, q, floor):
        _note(plane, line)
    return plane


def _probabilities(name, value):
    """Return finite values between 0 and 1, shape (K,), or raise."""
    value = as_floats(name, value)
    if value.ndim != 1 or len(value) == 0:
        raise ValueError(
            f"{name} must have shape (K,) with K >= 1, got {value.shape}; give a row such as P[i], or P[rows, columns]"
        )
    if len(value) > _MOST:
        raise ValueError(f"{name} must hold at most {_MOST} pairs, got {len(value)}; draw some of them at random")
    wrong = np.flatnonzero(~((value >= 0) & (value <= 1)))
    if len(wrong):
        raise ValueError(
            f"{name} must lie between 0 and 1, got {value[wrong[0]]:g} for pair {wrong[0]}; give probabilities"
        )
    return value


def _scale(p, q):
    """Return the smallest and the largest value on the axes, and where smaller ones are drawn: 0 if there are none."""
    both = np.concatenate([p[(p > 0) | (q > 0)], q[(p > 0) | (q > 0)]])
    top = float(both.max())
    floor = max(float(both[both > 0].min()), top * 10.0**-_DECADES)
    if both.min() >= floor:
        return floor, top, 0.0
    return floor, top, floor / _stretch(floor, top) ** (_STRIP / 2)


def _stretch(floor, top):
    """Return the factor from end to end of an axis, at least 10."""
    return max(top / floor, 10.0)


def _plane(title, floor, top, edge, size):
    stretch = _stretch(floor, top)
    low, high = floor / stretch ** (_STRIP if edge else 0.04), top * stretch**0.04
    p = empty_figure(
        title,
        frame_width=size,
        frame_height=size,
        x_axis_type="log",
        y_axis_type="log",
        x_range=Range1d(low, high),
        y_range=Range1d(low, high),
    )
    p.xaxis.axis_label, p.yaxis.axis_label = "q, in the map", "p, in the data"
    round_ticks(p.xaxis, p.x_range, size)
    round_ticks(p.yaxis, p.y_range)
    p.grid.visible = False
    p.outline_line_color = palette.RULE
    wheel = WheelZoomTool(zoom_on_axis=False)
    p.add_tools(PanTool(), wheel, BoxZoomTool(match_aspect=True), ResetTool(), SaveTool())
    p.line([low, high], [low, high], name="p = q", line_color=palette.SOFT, line_width=1.5)
    if edge:
        for sides in ({"right": floor}, {"top": floor}):
            shade = {"fill_color": palette.SOFT, "fill_alpha": 0.07, "line_color": None, "level": "underlay"}
            p.add_layout(BoxAnnotation(**sides, **shade))
    return p


def _explain_sides(plane, p, q, marked):
    """Write above the plot what each side of the line means, with its mark unless marks show labels."""
    for side, sign, mark, ink, what, count in (
        # From the frame outwards.
        ("Below", "<", "\u25bc", palette.PUSH, "pushed apart", (p < q).sum()),
        ("Above", ">", "\u25cf", palette.PULL, "pulled together", (p > q).sum()),
    ):
        text = f"{side} the line, p {sign} q: {_pairs(count)} {what}"
        _note(plane, f"{mark} {text}" if marked else text, "above", ink if marked else palette.SOFT)


def _groups(p, q, there, labels):
    """Yield what is drawn with one style: its name, its rows, the style, and the size that Bokeh needs for the mark."""
    if labels.classes is not None:
        few = labels.few()
        for k, name, _ in few.groups():
            yield name, there[few.classes[there] == k], *palette.bokeh_mark(k)
        return
    groups = (
        ("pulled together", p > q, "circle", palette.PULL),
        ("pushed apart", p < q, "inverted_triangle", palette.PUSH),
        ("in balance", p == q, "diamond", palette.PLAIN),
    )
    for name, which, shape, fill in groups:
        rows = there[which[there]]
        if len(rows) or name != "in balance":
            yield name, rows, {"marker": shape, "fill_color": fill}, palette.MARKER_SIZES[palette.MARKERS.index(shape)]


def _notes(p, q, floor):
    """Return a line on pairs in balance, one on pairs drawn at each edge, and one on pairs that are not drawn."""
    lines = []
    for name, value, edge in (("p", p, "lower"), ("q", q, "left")):
        few = (value < floor) & ((p > 0) | (q > 0))
        none = int((few & (value == 0)).sum())
        if few.any():
            below = f"{name} < {floor:.0e}" if none < few.sum() else f"{name} = 0"
            of_these = f", in {none} of them {name} = 0" if 0 < none < few.sum() else ""
            lines.append(f"At the {edge} edge: {_pairs(few.sum())} with {below}{of_these}.")
    balanced = int(((p == q) & (p > 0)).sum())
    if balanced:
        lines.append(f"In balance, p = q: {_pairs(balanced)}.")
    neither = int(((p == 0) & (q == 0)).sum())
    if neither:
        lines.append(f"Not drawn: {_pairs(neither)} with p = q = 0.")
    return lines


def _pairs(count):
    return f"{count} pair" if count == 1 else f"{count} pairs"


def _note(p, text, where="below", ink=palette.SOFT):
    note = Title(text=PlainText(text), align="left", standoff=2)
    note.text_color = ink
    note.text_font = palette.FONT
    note.text_font_size = "13px"
    note.text_font_style = "normal"
    p.add_layout(note, where)
