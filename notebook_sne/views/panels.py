"""The figures of a run that goes on: map, cost, p against q and a measure, with ranges that follow."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import BoxZoomTool, Column, ColumnDataSource, PlainText, Range1d, ResetTool, Row, Title
from numpy.typing import ArrayLike

from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.trace import Costs, Trace
from notebook_sne.models import label_of, unit_of
from notebook_sne.views.distances import NetPanel
from notebook_sne.views.figures import empty_figure, hover
from notebook_sne.views.maps import map_points, segments
from notebook_sne.views.objects import window
from notebook_sne.views.palette import COLORS, FONT, GROUND, MARKER_SIZES, MARKERS, PULL, PUSH, RULE, SOFT
from notebook_sne.views.screen import Changes

__all__ = ["Panels", "points_of"]

_SIDE = 300  # width of what stands beside the map, in pixels
_CURVE = 80  # height of a curve
_AROUND = 52  # of its title and its axis
_DECADES = 10  # of p and q; what is smaller is drawn at the edge, where it costs nothing
_MOST_PAIRS = 2000


def n_images(state: State) -> int:
    """Return how many images an object has in one map; 1 where each lies in a map of its own."""
    return len(state.Y) if state.model == "MixtureSNE" else 1


def points_of(state: State, m: int) -> np.ndarray:
    """Return what is drawn of a state, in two coordinates: its map m, (N, 2), or all images of one map, (M N, 2)."""
    Y = np.asarray(state.Y[m] if n_images(state) == 1 else np.concatenate(state.Y), dtype=np.float64)
    points = np.zeros((len(Y), 2))
    points[:, : Y.shape[1]] = Y[:, :2]
    return points


class Panels:
    """The figures, and what a state changes in them.

    `state` is the first one that is drawn, and `m` which map of it; labels and names are as for `map_points`. The title
    says what the map shows, empty for the name of the model; `measure` what the measure is called, empty for none;
    `pairs` whose p and q are drawn, empty for none. The net of a map on a grid is drawn in `net`; `size` is the
    side of the map in pixels.
    """

    def __init__(
        self,
        state: State,
        m: int,
        *,
        labels: ArrayLike | None,
        names: ArrayLike | None,
        title: str,
        measure: str,
        pairs: str,
        net: NetPanel | None,
        size: int,
    ) -> None:
        self.m, self.title, self.net = m, title, net
        self.scores = Costs()
        images, N = n_images(state), state.Y.shape[1]
        ends = np.arange((images - 1) * N)
        self.links = np.column_stack([ends, ends + N])  # each image of an object and its next one
        self.map = map_points(
            np.nan_to_num(points_of(state, m)),
            labels=None if labels is None else [*labels] * images,
            names=None if names is None else [*names] * images,
            links=self.links if images > 1 else None,
            title=" ",
            size=size,
        )
        self.sources = [r.data_source for r in self.map.renderers if "object" in r.data_source.data]
        self.objects = [np.asarray(source.data["object"]) for source in self.sources]
        self.facts = Title(text=PlainText(" "), align="left", standoff=6, text_font=FONT, text_color=SOFT)
        self.facts.update(text_font_size="13px", text_font_style="normal")
        self.map.add_layout(self.facts, "below")
        self.cost_line = _curve("cost")
        self.score_line = _curve(measure) if measure else None
        # As high as the map, with its title and what is told below.
        room = size + 60 - (_CURVE + _AROUND) * (2 if measure else 1) - _AROUND
        self.pairs = _Pairs(pairs, max(room, _CURVE)) if pairs else None
        side = [self.cost_line, self.score_line, self.pairs.figure if self.pairs else None]
        side = [figure for figure in side if figure is not None]
        maps = [self.map] if net is None else [self.map, net.figure]
        for figure in (*maps, *side):
            figure.styles = {"flex": "0 0 auto"}
        ground = {"background-color": GROUND, "flex-wrap": "wrap"}
        self.layout = Row(*maps, Column(*side), styles=ground)

    def show(self, state: State, trace: Trace, forces: Any, score: float | None, nodes: Any = None) -> Changes:
        """Draw a state, the costs up to it, the forces on the object whose pairs are drawn, its score, and its net.

        Forces, score and nodes may be None. Returns what has changed.
        """
        changes, Y = Changes(), points_of(state, self.m)
        finite = np.isfinite(Y).all(axis=1)
        if finite.any():
            view = window(Y[finite])
            changes.set(self.map.x_range, start=view.left, end=view.right)
            changes.set(self.map.y_range, start=view.low, end=view.high)
        for source, rows in zip(self.sources, self.objects, strict=True):
            changes.replace(source, {"x": Y[rows, 0], "y": Y[rows, 1]}, single=True)
        for renderer in self.map.renderers:
            if renderer.name == "links":
                changes.replace(renderer.data_source, segments(Y, self.links), single=True)
        several = len(state.Y) > n_images(state)
        which = f", map {self.m + 1} of {len(state.Y)}" if several else ""
        changes.set(self.map.title.text, text=f"{self.title or label_of(state.model)}{which}")
        unit = unit_of(state.model)
        facts = f"iteration {state.iteration}, {state.phase}: {state.cost:.5g}{unit}"
        changes.set(self.facts.text, text=facts)
        changes.set(self.cost_line.title.text, text=f"cost{unit and ' in' + unit}, by iteration")
        _follow(changes, self.cost_line, trace)
        if self.pairs is not None and forces is not None:
            self.pairs.show(changes, forces)
        if self.net is not None and nodes is not None:
            self.net.show(changes, nodes)
        if self.score_line is not None and score is not None:
            self.scores.cut(state.iteration)  # what a seek has left behind
            self.scores.add(state.iteration, score)
            _follow(changes, self.score_line, self.scores.up_to(None))
        return changes


def _beside(title, height, **options):
    """Return a small figure that stands beside the map, its title in the size of a label."""
    p = empty_figure(title, frame_width=_SIDE, frame_height=height, **options)
    p.title.text_font_size, p.title.standoff = "13px", 4
    p.title.text_font_style, p.title.text_color = "normal", SOFT
    for axis in p.axis:
        axis.axis_label_text_font_size = axis.major_label_text_font_size = "12px"
        axis.axis_label_standoff = 2
        axis.ticker.desired_num_ticks = 4
    p.min_border, p.min_border_left = 2, 64  # frames stand in one line
    p.add_tools(BoxZoomTool(), ResetTool())
    return p


def _curve(called):
    """Return a figure of one curve over the iterations."""
    p = _beside(f"{called}, by iteration", _CURVE, x_range=Range1d(0, 1), y_range=Range1d(0, 1))
    p.xgrid.visible = False
    p.ygrid.grid_line_color = RULE
    p.ygrid.grid_line_alpha = 0.6
    source = ColumnDataSource({"iteration": np.empty(0), "value": np.empty(0)})
    line = p.line("iteration", "value", source=source, name="curve", line_color=COLORS[0], line_width=2)
    hover(p, [line], [("iteration", "iteration"), (called, "value")], mode="vline")
    return p


def _follow(changes, figure, trace):
    """Draw a curve anew; its ranges follow."""
    there = np.isfinite(trace.costs)
    x, y = trace.iterations[there].astype(float), trace.costs[there]
    if not len(x):
        return
    (line,) = [r for r in figure.renderers if r.name == "curve"]
    changes.replace(line.data_source, {"iteration": x, "value": y})
    changes.set(figure.x_range, start=float(x[0]), end=float(max(x[-1], x[0] + 1)))
    low, high = float(y.min()), float(y.max())
    room = 0.06 * (high - low) or 0.06 * abs(high) or 1.0
    changes.set(figure.y_range, start=low - room, end=high + room)


class _Pairs:
    """p over q of the pairs of one object, both axes logarithmic and of one scale."""

    def __init__(self, called, height):
        ranges = {"x_range": Range1d(1e-4, 1), "y_range": Range1d(1e-4, 1)}
        title = f"p over q {called}"
        p = _beside(title, height, x_axis_type="log", y_axis_type="log", **ranges)
        p.grid.visible = False
        p.outline_line_color = RULE
        self.line = ColumnDataSource({"at": np.array([1e-4, 1.0])})
        p.line("at", "at", source=self.line, name="p = q", line_color=SOFT)
        self.sides, drawn = {}, []
        for name, shape, fill in (("pulled", "circle", PULL), ("pushed", "inverted_triangle", PUSH)):
            self.sides[name] = ColumnDataSource({"p": np.empty(0), "q": np.empty(0), "pair": np.empty(0)})
            look = {"fill_color": fill, "fill_alpha": 0.7, "line_color": None}
            look |= {"marker": shape, "size": 5 * MARKER_SIZES[MARKERS.index(shape)]}
            drawn.append(p.scatter("q", "p", source=self.sides[name], name=name, **look))
        hover(p, drawn, [("object", "pair"), ("p", "p"), ("q", "q")])
        self.figure = p

    def show(self, changes, forces):
        p, q = np.asarray(forces.p, float), np.asarray(forces.q, float)
        there = np.flatnonzero(((p > 0) | (q > 0)) & np.isfinite(q))
        if not len(there):
            return
        # Those that are most probable on either side: the others cost nothing.
        there = there[np.argsort(-np.maximum(p, q)[there], kind="stable")[:_MOST_PAIRS]]
        p, q = p[there], q[there]
        top = float(max(p.max(), q.max()))
        low = max(float(min(p[p > 0].min(initial=top), q[q > 0].min(initial=top))), top * 10.0**-_DECADES)
        p, q = np.maximum(p, low), np.maximum(q, low)
        for name, side in (("pulled", p >= q), ("pushed", p < q)):
            columns = {"p": p[side], "q": q[side], "pair": there[side].astype(float)}
            changes.replace(self.sides[name], columns)
        room = max(top / low, 10.0) ** 0.05
        for shown in (self.figure.x_range, self.figure.y_range):
            changes.set(shown, start=low / room, end=top * room)
        changes.replace(self.line, {"at": np.array([low / room, top * room])})
