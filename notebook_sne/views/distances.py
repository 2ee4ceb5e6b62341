"""The net of a map on a grid, drawn among the objects."""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_vectors
from notebook_sne.engine.checks.numbers import as_floats
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.views.maps import map_points
from notebook_sne.views.objects import window
from notebook_sne.views.palette import INK
from notebook_sne.views.screen import Changes

__all__ = ["NetPanel"]


class NetPanel:
    """The net of a map on a grid among the objects, in the plane of their first two principal components.

    Objects with two features are drawn as they are; labels, names, title and size are as for `map_points`. The figure
    is that of `map_points`, with two renderers more: ``"net"``, the lines between neighboring nodes, with the columns
    x0, y0, x1 and y1, and ``"nodes"``, with x and y.
    """

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
        """Draw a net, whose nodes lie in the data, shape (n, m, n_features), and no other; the ranges follow."""
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
