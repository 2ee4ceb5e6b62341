"""The latest state of a run, on its way to the figures.

A thread of its own draws it, at most five times a second, and less often where that takes long: a run on the same cores
goes on. States in between aren't drawn, the last one always is. The feed doesn't know where states come from.
"""

from __future__ import annotations

import threading
import time
import weakref

import numpy as np

from notebook_sne.engine.machine.process import free_in_children
from notebook_sne.engine.objects.labels import read_labels
from notebook_sne.engine.runs.run import Run
from notebook_sne.engine.runs.snapshot import describe
from notebook_sne.engine.runs.trace import Costs, Trace
from notebook_sne.quality import knn_error, neighbor_recall
from notebook_sne.views.distances import NetPanel
from notebook_sne.views.panels import Panels, n_images
from notebook_sne.views.screen import Screen

__all__ = ["Feed"]

_LEAST = 0.2  # s between updates: five a second can be followed
_SHARE = 4.0  # times as long as an update took, nothing is drawn
_MOST = 2.0  # s: also where an update takes long, as the first one does, for which code is compiled
_REST = 1.0  # s without a state after which the page keeps what is shown
_ASKED = 1000  # objects of which the recall is taken


class Feed:
    """The latest state, on its way to the figures.

    `asked` are the arguments of `live`, checked; `forces` is what tells the forces on an object: Run, States or None.
    """

    def __init__(self, asked, forces):
        # Figures do not keep a run from ending when nobody else refers to it.
        self.asked, self.forces = asked, weakref.ref(forces) if isinstance(forces, Run) else forces
        self.screen = Screen()
        self.changed = threading.Condition(free_in_children(threading.RLock()))
        self.latest = self.drawn = self.error = self.panels = self.score = self.last = None
        self.costs = Costs()
        self.ended = False

    def put(self, state):
        """Put down the latest state."""
        with self.changed:
            if not isinstance(self.forces, weakref.ref):  # a run has a trace of its own
                self.costs.cut(state.iteration)
                self.costs.add(state.iteration, state.cost)
            self.latest = state
            self.changed.notify_all()

    def say(self, text):
        """Say something below the figures."""
        if text != self.screen.note:
            self.screen.note = text

    def end(self):
        """Let the thread draw what is latest, and end."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def draw(self):
        """Draw the latest state, again and again; the body of the thread."""
        kept, wait = True, 0.0
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.ended, wait)
                self.changed.wait_for(lambda: self.ended or self.latest is not self.drawn, _REST)
                state, ended = self.latest, self.ended
            began = time.monotonic()
            try:
                fresh = state is not self.drawn
                if fresh:
                    self._show(state)
                    self.drawn = state
                    kept = False
                if not kept and (ended or not fresh):  # the run rests
                    self._keep()
                    kept = True
            except Exception as error:
                self.error = error
                self.screen.note = describe(error)
                self.end()
                return
            if ended:
                return
            wait = min(max(_LEAST, _SHARE * (time.monotonic() - began)), _MOST)

    def _show(self, state):
        """Draw a state, with the first one the figures."""
        first = self.panels is None
        if first:
            self._prepare(state)
        Y, score = np.asarray(state.Y[self.asked["m"]] if n_images(state) == 1 else np.concatenate(state.Y)), None
        if self.score is not None and np.isfinite(Y).all() and (Y != Y[0]).any():  # else it is no map
            score = float(self.score(Y))
        self.last = self.panels.show(state, self._trace(state), self._forces(state), score, self._nodes(state))
        if first:
            self.screen.keep(self.panels.layout)
        else:
            self.screen.change(self.last)

    def _keep(self):
        """Keep on the page what is shown, and say it again to a page that was opened in between."""
        self.screen.keep(self.panels.layout)
        self.screen.change(self.last)

    def _prepare(self, state):
        """Make the figures for the first state."""
        asked, (n_maps, N, _) = self.asked, state.Y.shape
        n_maps //= n_images(state)
        if asked["m"] >= n_maps:
            raise ValueError(f"m must be one of the {n_maps} maps, from 0 to {n_maps - 1}, got {asked['m']}")
        if asked["pairs_of"] is not None and asked["pairs_of"] >= N:
            raise ValueError(f"pairs_of must be an object from 0 to {N - 1}, got {asked['pairs_of']}")
        # Of several images of an object no measure knows by itself which is meant.
        alone = n_images(state) == 1 or asked["measure"] is not None
        self.score, called = _measure_of(asked, N) if alone else (None, "")
        i, pairs = asked["pairs_of"], ""
        if i is not None and self._forces(state) is not None:
            pairs = f"of object {i}" if asked["names"] is None else f"of {asked['names'][i]}"
        options = {name: asked[name] for name in ("labels", "names", "title", "size")}
        net = None
        if asked["X"] is not None and self._nodes(state) is not None:
            own = {name: asked[name] for name in ("labels", "names", "size")}
            net = NetPanel(asked["X"], title="its net in the data", **own)
        self.panels = Panels(state, asked["m"], measure=called, pairs=pairs, net=net, **options)

    def _trace(self, state):
        """Return the costs up to a state."""
        run = self.forces() if isinstance(self.forces, weakref.ref) else None
        with self.changed:
            trace = self.costs.up_to(state) if run is None else run.trace
        known = trace.iterations <= state.iteration
        return Trace(trace.iterations[known], trace.costs[known])

    def _nodes(self, state):
        """Return where the nodes of a map on a grid lie in the data, or None where there are none or X is not known."""
        run = self.forces() if isinstance(self.forces, weakref.ref) else None
        model, X = self.asked["net"] or getattr(run, "model", None), self.asked["X"]
        if X is None or state.model != type(model).__name__ or not hasattr(model, "net"):
            return None
        return model.net(state, X)

    def _forces(self, state):
        """Return the forces on the object whose pairs are drawn, or None where the model does not tell them."""
        i = self.asked["pairs_of"]
        source = self.forces() if isinstance(self.forces, weakref.ref) else self.forces
        if i is None or source is None:
            return None
        try:
            return source.forces(i, state) if isinstance(source, Run) else source.forces(state, i)
        except (NotImplementedError, RuntimeError, ValueError):  # several maps; or P has just become another one
            return None


def _measure_of(asked, N):
    """Return the function of map points that is drawn, or None, and what its axis says."""
    X, labels, name = asked["X"], asked["labels"], asked["measure_name"]
    if asked["measure"] is not None:
        return asked["measure"], name or "measure"
    if X is not None:
        if len(X) != N:
            raise ValueError(f"X must hold the {N} objects of the states, got {len(X)}; give one row for each")
        some = np.sort(np.random.default_rng(0).permutation(N)[:_ASKED])
        k = min(10, len(some) - 1)
        return (lambda Y: neighbor_recall(X[some], Y[some], k)), name or f"recall of {k} neighbors"
    if labels is not None and read_labels(labels, N).classes is not None:
        return (lambda Y: knn_error(Y, labels)), name or "1-NN error"
    return None, ""
