"""The maps of several steps, and the film that moves from each to the next."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.recording import Recording

__all__ = ["AlignedMaps"]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class AlignedMaps:
    """Maps of T steps; step t has N_t of all N objects.

    Attributes
    ----------
    steps : tuple of str
        Their names.
    maps : tuple of ndarray, each of shape (N_t, n_components)
        The map of each step, with its objects in the order in which they were given.
    objects : tuple
        The id of each of the N objects, in the order of their first appearance.
    rows : tuple of ndarray of int, each of shape (N_t,)
        Which of the `objects` the map points of each step are.
    costs : ndarray, shape (T,)
        The cost of each map, in nats: what its model alone would lower.
    objective : float
        What was lowered, in nats: the costs with penalties, and the springs.
    n_iter : int
        Number of updates.
    model : str
        Class name of the model.
    """

    steps: tuple[str, ...]
    maps: tuple[Floats, ...]
    objects: tuple[Any, ...]
    rows: tuple[Ints, ...]
    costs: Floats
    objective: float
    n_iter: int
    model: str

    @property
    def movement(self) -> Floats:
        """ndarray, shape (T - 1, N): how far each object moves to the next step, in map units; NaN if not in both."""
        places = self._places()
        return np.linalg.norm(np.diff(places, axis=0), axis=2)

    def _places(self) -> Floats:
        """Return the place of each object in each step, shape (T, N, d); NaN where it has none."""
        places = np.full((len(self.maps), len(self.objects), self.maps[0].shape[1]), np.nan)
        for t, (Y, rows) in enumerate(zip(self.maps, self.rows, strict=True)):
            places[t, rows] = Y
        return places

    def film(self, between: int = 20) -> Recording:
        """Return a film that moves from each map to the next, to replay in a notebook or write as a page.

        Parameters
        ----------
        between : int, default=20
            Number of frames from one map to the next; a quarter as many stand still at each.

        Returns
        -------
        film : Recording
            For `notebook_sne.replay` and `Recording.to_html`; `Recording.describe` takes labels and names of all N
            `objects`. The phase of a frame is the name of its step, a mark tells where each map is reached. Between
            two maps, places and costs are interpolated, and no map is fitted. An object that a step doesn't have
            rests where it was last or will be first; the columns ``first_step`` and ``last_step`` count from 1.

        Raises
        ------
        ValueError
            If `between` is no whole number of at least 1.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> circle = ns.datasets.load_circle(50)
        >>> found = ns.aligned(ns.TSNE(perplexity=5, max_iter=50), [circle.X, circle.X[:, :1]])
        >>> film = found.film()
        >>> len(film), [mark.text for mark in film.marks]
        (31, ['start with t-SNE', '1 → 2'])
        """
        between = check_count("between", between, 1)
        still, u = between // 4, np.arange(1, between + 1) / between
        times = [0.0] * (still + 1)
        for t in range(1, len(self.maps)):
            times += [*(t - 1 + u**2 * (3 - 2 * u)), *[float(t)] * still]
        return self._recorded(enumerate(times))

    def _recorded(self, moments: Iterable[tuple[int, float]]) -> Recording:
        """Return a recording of (iteration, time), where time counts steps from 0."""
        places, recording = self._places(), Recording()
        there: Any = ~np.isnan(places[:, :, 0])
        for t in range(1, len(places)):
            places[t] = np.where(there[: t + 1].any(axis=0)[:, None] & ~there[t][:, None], places[t - 1], places[t])
        for t in range(len(places) - 2, -1, -1):
            places[t] = np.where(np.isnan(places[t]), places[t + 1], places[t])
        for k, time in moments:
            t = min(int(time), len(places) - 2)
            Y, cost = ((1 - time + t) * part[t] + (time - t) * part[t + 1] for part in (places, self.costs))
            recording.add(State(k, self.steps[int(time)], cost, cost, Y[None], None, np.nan, {}, self.model, {}))
        first, last = there.argmax(axis=0) + 1, len(there) - there[::-1].argmax(axis=0)
        return recording.describe(columns={"first_step": first, "last_step": last})

    def __repr__(self) -> str:
        return f"AlignedMaps({len(self.steps)} steps, {len(self.objects)} objects, {self.n_iter} updates)"

    def _repr_html_(self) -> str:
        maps = self._recorded((t + 1, float(t)) for t in range(len(self.maps)))  # none of those between
        costs = "; ".join(f"{name}: {cost:.4g}" for name, cost in zip(self.steps, self.costs, strict=True))
        said = f"Aligned maps, {len(self.objects):,} objects, costs in nats: {costs}"
        return f"{maps._repr_html_()}<p>{html.escape(said)}</p>"
