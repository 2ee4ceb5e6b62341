"""A map against its data: distances of both in a Shepard diagram, and the net of a map on a grid among the objects."""

from __future__ import annotations

import numpy as np
from bokeh.models import BoxZoomTool, ColumnDataSource, PanTool, Range1d, ResetTool, SaveTool, WheelZoomTool
from bokeh.plotting import figure as Figure
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_vectors
from notebook_sne.engine.checks.numbers import as_floats
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.views.figures import add_legend, empty_figure, hover
from notebook_sne.views.maps import map_points
from notebook_sne.views.objects import check_size, check_title, window
from notebook_sne.views.palette import COLORS, INK, PLAIN, RULE, mark_size
from notebook_sne.views.screen import Changes

__all__ = ["NetPanel", "net", "shepard"]

_MOST = 50_000
_BINS = 20
_LEAST = 5  # pairs of a bin


def shepard(
    data: ArrayLike, mapped: ArrayLike, *, title: str | None = None, width: int = 560, height: int = 420
) -> Figure:
    """Draw the distances of pairs in the map over their distances in the data.

    A map that keeps distances up to its scale is a straight line through the origin, one that keeps their order a
    rising curve. Through the cloud runs the median of the map's distances, with the middle half of them shaded, in
    up to 20 bins of equally many pairs.

    Parameters
    ----------
    data, mapped : array-like, shape (K,)
        Distances of the same pairs, at most 50000: the columns ``data`` and ``map`` of `quality.distance_pairs`.
    title : str, optional
        What the map is.
    width, height : int, default=560 and 420
        Size of the frame in pixels.

    Returns
    -------
    figure : bokeh.plotting.figure
        The pairs are a scatter renderer ``"pairs"``, whose data source has the columns data and map; the curve is the
        line ``"median"``, with the columns data, low, median, high and pairs, and the shade ``"middle half"``.

    Raises
    ------
    ValueError
        If the two are not of one length, too many, negative or not finite.

    Examples
    --------
    >>> pairs = ns.quality.distance_pairs(digits.X, model.embedding_)
    >>> ns.views.shepard(pairs["data"], pairs["map"], title="t-SNE of digits")
    """
    data, mapped = _distances("data", data), _distances("mapped", mapped)
    if len(data) != len(mapped):
        raise ValueError(
            f"data and mapped must be of the same pairs, got {len(data)} and {len(mapped)} distances; give one of each "
            "for each pair"
        )
    width, height = check_size("width", width), check_size("height", height)
    p = empty_figure(
        check_title(title),
        frame_width=width,
        frame_height=height,
        x_range=Range1d(0, 1.03 * data.max() or 1.0),
        y_range=Range1d(0, 1.03 * mapped.max() or 1.0),
    )
    p.xaxis.axis_label, p.yaxis.axis_label = "distance in the data", "distance in the map"
    p.grid.grid_line_color = RULE
    p.grid.grid_line_alpha = 0.6
    p.add_tools(PanTool(), WheelZoomTool(), BoxZoomTool(), ResetTool(), SaveTool())
    source = ColumnDataSource({"data": data, "map": mapped})
    faint = float(np.clip(40 / np.sqrt(len(data)), 0.15, 0.9))
    look = {"fill_color": PLAIN, "fill_alpha": faint, "line_color": None}
    pairs = p.scatter("data", "map", source=source, name="pairs", size=mark_size(len(data), width), **look)
    bins = ColumnDataSource(_quartiles(data, mapped))
    band = p.varea("data", "low", "high", source=bins, name="middle half", fill_color=COLORS[3], fill_alpha=0.25)
    line = p.line("data", "median", source=bins, name="median", line_color=COLORS[3], line_width=2.5)
    add_legend(p, [("pairs", [pairs]), ("middle half", [band]), ("median", [line])], lines=True)
    rows = [("distance in the data", "data"), ("median in the map", "median"), ("pairs", "pairs")]
    hover(p, [line], rows, mode="vline")
    return p


def net(
    nodes: ArrayLike,
    X: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    names: ArrayLike | None = None,
    title: str | None = None,
    size: int = 560,
) -> Figure:
    """Draw the net of a map on a grid among the objects, in the plane of their first two principal components.

    Objects with two features are drawn as they are.

    Parameters
    ----------
    nodes : array-like, shape (n, m, n_features)
        Where the nodes of the grid lie in the data, such as ``som.net(som.state_, X)``.
    X : array-like, shape (N, n_features)
        The objects.
    labels, names : array-like, shape (N,), optional
        As for `map_points`.
    title : str, optional
        What the figure shows.
    size : int, default=560
        Side of the figure in pixels.

    Returns
    -------
    figure : bokeh.plotting.figure
        That of `map_points`, with two renderers more: ``"net"``, the lines between neighboring nodes, with the columns
        x0, y0, x1 and y1, and ``"nodes"``, with x and y.

    Raises
    ------
    ValueError
        If nodes and objects are not finite, or not of the same number of features.

    See Also
    --------
    notebook_sne.views.live
        Draws it while a run goes on.

    Examples
    --------
    >>> gtm = ns.baselines.GTM().fit(digits.X)
    >>> bokeh.io.show(ns.views.net(gtm.net(gtm.state_, digits.X), digits.X, labels=digits.labels))
    """
    panel = NetPanel(X, labels=labels, names=names, title=check_title(title), size=check_size("size", size))
    panel.show(Changes(), nodes)
    return panel.figure


class NetPanel:
    """The figure of a net, and what another net changes in it; all as for `net`, title and size checked."""

    def __init__(
        self, X: ArrayLike, *, labels: ArrayLike | None, names: ArrayLike | None, title: str | None, size: int
    ) -> None:
        X = np.asarray(check_vectors(X, "X"), np.float64)
        self._mean, self._axes = X.mean(axis=0), np.eye(2)
        if X.shape[1] != 2:
            from sklearn.decomposition import PCA

            with one_thread():
                found = PCA(min(2, *X.shape), random_state=0).fit(X).components_
            self._axes = np.zeros((2, X.shape[1]))
            self._axes[: len(found)] = found
        self._points = (X - self._mean) @ self._axes.T
        self.figure = map_points(self._points, labels=labels, names=names, title=title, size=size)
        for objects in self.figure.renderers:
            objects.glyph.update(fill_alpha=0.35)
        self.lines = ColumnDataSource({name: np.empty(0) for name in ("x0", "y0", "x1", "y1")})
        self.nodes = ColumnDataSource({"x": np.empty(0), "y": np.empty(0)})
        look = {"line_color": INK, "line_width": 1, "line_alpha": 0.75}
        self.figure.segment("x0", "y0", "x1", "y1", source=self.lines, name="net", **look)
        self.figure.scatter("x", "y", source=self.nodes, name="nodes", size=3, fill_color=INK, line_color=None)

    def show(self, changes: Changes, nodes: ArrayLike) -> None:
        """Draw another net; the ranges follow."""
        nodes = as_floats("nodes", nodes)
        if nodes.ndim != 3 or nodes.shape[2] != len(self._mean) or not np.isfinite(nodes).all():
            raise ValueError(
                f"nodes must be finite, of shape (n, m, n_features) with the {len(self._mean)} features of X, got "
                f"{nodes.shape}; give what som.net(state, X) returns"
            )
        at = (nodes - self._mean) @ self._axes.T
        ends = [np.concatenate([at[i].reshape(-1, 2), at[j].reshape(-1, 2)], axis=1) for i, j in (
            (np.s_[:-1], np.s_[1:]), (np.s_[:, :-1], np.s_[:, 1:]))]  # fmt: skip
        x0, y0, x1, y1 = np.concatenate(ends).T
        changes.replace(self.lines, {"x0": x0, "y0": y0, "x1": x1, "y1": y1})
        flat = at.reshape(-1, 2)
        changes.replace(self.nodes, {"x": flat[:, 0], "y": flat[:, 1]})
        view = window(np.concatenate([self._points, flat]))
        changes.set(self.figure.x_range, start=view.left, end=view.right)
        changes.set(self.figure.y_range, start=view.low, end=view.high)


def _distances(name, values):
    values = as_floats(name, values)
    if values.ndim != 1 or not 0 < len(values) <= _MOST:
        raise ValueError(
            f"{name} must have shape (K,) with 1 <= K <= {_MOST}, got {values.shape}; draw fewer pairs, as "
            "quality.distance_pairs does"
        )
    wrong = np.flatnonzero(~((values >= 0) & (values < np.inf)))
    if len(wrong):
        raise ValueError(f"{name} must be finite distances, not negative, got {values[wrong[0]]:g} for pair {wrong[0]}")
    return values


def _quartiles(data, mapped):
    """Return in bins of equally many pairs, by their distance in the data, the quartiles of those in the map."""
    order = np.argsort(data, kind="stable")
    n_bins = int(np.clip(len(data) // _LEAST, 1, _BINS))
    parts = np.array_split(order, n_bins)
    low, middle, high = np.array([np.percentile(mapped[part], [25, 50, 75]) for part in parts]).T
    at = [float(np.median(data[part])) for part in parts]
    return {"data": at, "low": low, "median": middle, "high": high, "pairs": [len(part) for part in parts]}
