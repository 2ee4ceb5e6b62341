"""A run as figures that follow it, in a notebook: what `notebook_sne.watch` is for, with Bokeh's figures.

The maker of the states, a loop or a `Run`, only leaves the latest one; `feed` draws it.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.affinities.metrics import input_of
from notebook_sne.engine.checks.arguments import check_count, check_vectors
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.process import shell, wait_for_end
from notebook_sne.engine.runs.run import Run
from notebook_sne.views.feed import Feed
from notebook_sne.views.objects import check_size, check_title

__all__ = ["Live", "live"]

# Seconds until the last state is drawn: with the first one Bokeh is imported, which may take more than 5 s.
_PATIENCE = 60.0

Measure = Callable[[np.ndarray], float]


def live(
    states: Iterable[State] | Run,
    *,
    X: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    names: ArrayLike | None = None,
    measure: Measure | None = None,
    measure_name: str | None = None,
    pairs_of: int | None = 0,
    net: Any = None,
    m: int = 0,
    title: str | None = None,
    size: int = 400,
) -> Live:
    """Draw states while they are made: map, cost, p against q, and a measure of quality.

    As the last line of a cell, or in a loop, the figures stand below the cell and follow at most five times a second:
    their ranges, too. Nothing is fetched, and nothing has to be installed or loaded before.

    Parameters
    ----------
    states : iterable of State, or Run
        Such as ``model.iterate(X)``, a list of states, or a Run, which may be played and paused meanwhile.
    X : array-like, shape (N, n_features), optional
        The objects, for the measure; those of a Run of vectors are known.
    labels, names : array-like, shape (N,), optional
        As for `map_points`.
    measure : callable, optional
        What is drawn below the cost: a function of map points, shape (N, d), that returns a number, such as
        ``lambda Y: ns.quality.trustworthiness(X, Y, sample=500)``. Left out, it is the recall of 10 neighbors, of up to
        1,000 objects among themselves, where X is known; else the share of wrong nearest neighbors, where labels name
        classes; else nothing.
    measure_name : str, optional
        What its axis says.
    pairs_of : int or None, default=0
        The object whose p and q are drawn, where the model tells them; None for no such figure.
    net : estimator, optional
        The `SOM` or `GTM` whose states these are: its net is drawn among the objects X, as by `net`, in the plane of
        their first two principal components. That of a Run is known.
    m : int, default=0
        Which map, where there are several. The images of `MixtureSNE` lie in one map, and all are drawn: those of an
        object are joined by lines, and a measure is given all of them, shape (M N, d).
    title : str, optional
        What the map shows; left out, the name of the model.
    size : int, default=400
        Side of the map in pixels.

    Returns
    -------
    live : Live
        Shows itself in a notebook. A loop over it gets every state of an iterable, and shows them meanwhile.

    Raises
    ------
    TypeError, ValueError
        If states can not be iterated over, or another argument breaks its rule; those about the objects come with the
        first state.

    See Also
    --------
    notebook_sne.watch
        A player with knobs, film and search.

    Examples
    --------
    >>> states = ns.TSNE(random_state=0).iterate(digits.X)
    >>> for state in ns.views.live(states, X=digits.X, labels=digits.labels):
    ...     if state.iteration == 500:
    ...         break

    A run goes on while other cells are executed:

    >>> run = ns.Run(ns.TSNE(random_state=0), digits.X)
    >>> run.play()
    >>> ns.views.live(run, labels=digits.labels)
    """
    if isinstance(states, State) or not (isinstance(states, Run) or hasattr(states, "__iter__")):
        raise TypeError(
            f"states must be states one after the other, got {show(states)}; give model.iterate(X), a list of states, "
            "or a notebook_sne.Run"
        )
    if measure is not None and not callable(measure):
        raise TypeError(f"measure must be a function of map points, got {show(measure)}; write lambda Y: ...")
    for name, text in (("title", title), ("measure_name", measure_name)):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{name} must be a str, got {show(text)}")
    if net is not None and not callable(getattr(net, "net", None)):
        raise TypeError(f"net must be an estimator with a net, as baselines.SOM or baselines.GTM, got {show(net)}")
    if net is not None and X is None and not isinstance(states, Run):
        raise ValueError("net must be drawn among objects: give X, those of the states")
    if isinstance(states, Run) and X is None and input_of(states.model) == "vectors":
        X = states.X
    asked = {
        "X": None if X is None else check_vectors(X, "X"),
        "labels": labels,
        "names": names,
        "measure": measure,
        "measure_name": measure_name or "",
        "pairs_of": None if pairs_of is None else check_count("pairs_of", pairs_of, 0),
        "net": net,
        "m": check_count("m", m, 0),
        "title": check_title(title),
        "size": check_size("size", size),
    }
    return Live(states, asked)


class Live:
    """States that are drawn while they are made. Made by `live`.

    Attributes
    ----------
    error : Exception or None
        What went wrong in drawing or measuring; a loop raises it.

    Notes
    -----
    A loop over an iterable gets each of its states. A loop over a Run gets the latest state again and again, plays a
    run that hasn't begun, and ends when the run rests; it raises what the run raised. Closing the figures doesn't
    close the run, nor does pausing them pause it; a run that is paused leaves them as they are, and they go on with it.
    """

    def __init__(self, states: Iterable[State] | Run, asked: dict[str, Any]) -> None:
        self._run = states if isinstance(states, Run) else None
        self._source = states
        # What has forces is not the iterator alone: a list of states has none.
        forces = self._run if self._run is not None else states if hasattr(states, "forces") else None
        self._feed = Feed(asked, forces)
        self._end = weakref.finalize(self, Feed.end, self._feed)
        self._iterator: Iterator[State] | None = None
        self._thread: threading.Thread | None = None

    @property
    def error(self) -> Exception | None:
        """Exception or None."""
        return self._feed.error

    def _begin(self) -> None:
        """Start the thread that draws, and for a Run the one that reads it."""
        if self._thread is not None or self._feed.ended:
            return
        self._thread = threading.Thread(target=self._feed.draw, name="notebook_sne figures", daemon=True)
        self._thread.start()
        if self._run is not None:
            arguments = (weakref.ref(self._run), self._feed)
            threading.Thread(target=_read, args=arguments, name="notebook_sne figures, run", daemon=True).start()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        self._begin()
        if self._run is not None:
            self._end.detach()  # figures of a run stay on the page, and go on, when no variable is left
        elif self._feed.latest is None and self._iterator is None:
            self._feed.screen.note = "The figures follow a loop: for state in live(states): ..."
        return self._feed.screen._repr_mimebundle_(**options)

    def __iter__(self) -> Iterator[State]:
        return self

    def __next__(self) -> State:
        if self._feed.error is not None:
            raise self._feed.error
        if self._feed.ended:
            raise StopIteration
        if self._iterator is None:
            self._iterator = _states_of(self._run) if self._run is not None else iter(self._source)
            self._begin()
            self._feed.screen.note = ""
            if shell() is not None:
                from IPython.display import display

                display(self._feed.screen)
        try:
            state = next(self._iterator)
        except BaseException:  # the end of the states, an interrupt, or what a model raised: what was last is shown
            self._feed.end()
            raise
        _check_state(state)
        if self._run is None:
            self._feed.put(state)
        return state

    def close(self) -> None:
        """End the threads, after the last state is drawn, and take the figures off the page. A Run goes on."""
        self._feed.end()
        wait_for_end(self._thread, _PATIENCE)
        self._feed.screen.close()

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *what: object) -> None:
        self.close()


def _check_state(state):
    Y = getattr(state, "Y", None)
    if getattr(Y, "ndim", 0) != 3 or not hasattr(state, "iteration") or not hasattr(state, "cost"):
        raise TypeError(f"states must be of notebook_sne.State, got {show(state)}; give what model.iterate(X) yields")


def _states_of(run):
    """Yield the latest state of a run again and again, until it rests."""
    if run.status == "idle":
        run.play()
    version, shown = -1, None
    while True:
        snapshot = run.wait_for_change(version, 1.0)
        version = snapshot.version
        if snapshot.state is not None and snapshot.state is not shown:
            shown = snapshot.state
            yield shown
        if snapshot.status == "error":
            raise run.error
        if snapshot.status not in ("compiling", "running") and run.state is shown:
            return


def _read(reference, feed):
    """Put down the latest state of a run until it is closed or gone, or nobody looks any more."""
    version = -1
    while not feed.ended:
        run = reference()
        if run is None:
            break
        snapshot = run.wait_for_change(version, 0.5)
        if snapshot.version != version and snapshot.state is not None:
            feed.put(snapshot.state)
        version = snapshot.version
        feed.say(snapshot.message)
        if snapshot.status == "closed":
            break
        del run, snapshot
    feed.end()
