"""A run: a model's generator of states, driven by a thread that can be played, paused, stepped and restarted.

The thread waits for no reader: a viewer looks when it likes (`Run.look`) or waits for something new
(`Run.wait_for_change`). Nothing here knows about widgets.
"""

import threading
import weakref
from bisect import bisect_right
from contextlib import contextmanager

import numpy as np

from notebook_sne.checks import check_moved, check_number
from notebook_sne.fitting.knobs import Knobs
from notebook_sne.given import show
from notebook_sne.objects import count_objects
from notebook_sne.runs.recording import Recording
from notebook_sne.runs.worker import BUSY, Costs, Shared, Trace, drive, live, max_iter_of

__all__ = ["Run"]


class Run:
    """A model at work on X in a thread of its own.

    The thread starts with the first `play` or `step` and ends with `close`, at the end of a ``with`` block, or when
    nobody holds the Run any more. Commands return at once: the status changes when the present iteration is over.

    Parameters
    ----------
    model : estimator
        A model with ``iterate(X, start=None, knobs=None)`` and ``max_iter``.
    X : array
        The objects, as the model takes them.
    start : State, optional
        Where to begin, instead of at the model's own start.
    knobs : Knobs, optional
        Knobs that are turned already; the Run keeps this very object.
    pace : float, optional
        Most iterations a second, for eyes to follow; left out, as many as the machine can.
    recording : Recording, optional
        Where the film goes, such as one with other limits; it must be empty.

    Attributes
    ----------
    knobs : Knobs
        What `set` and `release` turn.

    Notes
    -----
    The status is ``idle`` before the first command; ``compiling`` until the first state and the first step are out
    (affinities, compilation); ``running``; ``paused``; ``finished`` after the model's `max_iter` iterations (`play`
    goes on for as many again); ``error`` when the model raised something, the last good state being kept (`play` goes
    on from there, `restart` begins again); ``closed``.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> circle = ns.datasets.load_circle(50)
    >>> with ns.Run(ns.SNE(perplexity=5, random_state=0), circle.X) as run:
    ...     state = run.steps(100)
    >>> state.iteration
    100
    """

    def __init__(self, model, X, *, start=None, knobs=None, pace=None, recording=None):
        if knobs is not None and not isinstance(knobs, Knobs):
            raise TypeError(f"knobs must be a notebook_sne.Knobs, got {type(knobs).__name__}; write Knobs(jitter=0.1)")
        recording = Recording() if recording is None else recording
        if not isinstance(recording, Recording) or len(recording):
            given = show(recording)
            raise TypeError(f"recording must be an empty notebook_sne.Recording, got {given}; write Recording()")
        count_objects(X)
        self.knobs = Knobs() if knobs is None else knobs
        self._shared = Shared(model, X, start, self.knobs, recording)
        self.pace = pace
        live.add(self._shared)
        self._finalizer = weakref.finalize(self, Shared.abandon, self._shared)

    # ---- commands ----

    def play(self):
        """Run until `max_iter`; from there, or further, for `max_iter` iterations more."""
        with self._open() as shared:
            if shared.done >= shared.limit:
                shared.limit = shared.done + max_iter_of(shared.model)
            self._go(shared.limit, "finished")

    def pause(self):
        """Stop after the present iteration."""
        with self._open() as shared:
            shared.then = "paused"
            if shared.status in BUSY:
                shared.goal = max(shared.done, 0)
            elif shared.status == "finished":
                shared.note("paused")

    def step(self, n=1):
        """Do `n` iterations, then be paused; steps asked for meanwhile are added.

        ``step(0)`` makes the start and shows it.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise ValueError(f"n must be an integer of at least 0, got {show(n)}; step(1) does one iteration")
        with self._open() as shared:
            stepping = shared.status in BUSY and shared.then == "paused"
            self._go(max(shared.done, shared.goal if stepping else 0, 0) + int(n), "paused")

    def restart(self, model=None):
        """Begin again at the model's start, of its own seed if it has one; a paused run is then paused at its start.

        The film begins anew as well: whoever holds the earlier `recording` keeps it. Another `model` may be given to
        begin with from now on.
        """
        with self._open() as shared:
            if model is not None:
                max_iter_of(model)
                shared.origin = (model, None)
            self._begin(*shared.origin)
            shared.costs, shared.segments = Costs(), []
            shared.recording = shared.recording.fresh()
            shared.state = None
            shared.places = {}

    def seek(self, iteration):
        """Go to a recorded moment and rest there; `play` and `step` go on from it.

        The moment is made again from the nearest full state before it, bit for bit, with the model and the knobs that
        held then; the knobs stand as they stood. What was recorded after it stays until the run goes on from there.

        Parameters
        ----------
        iteration : int
            From the first recorded iteration to the last one.

        Raises
        ------
        ValueError
            If the recording does not reach there.
        """
        with self._open() as shared:
            if not len(shared.recording):
                raise ValueError("iteration must be a recorded one, and nothing is recorded yet; play or step first")
            first, last = shared.segments[0][0], shared.recording.recorded_to
            if isinstance(iteration, bool) or not isinstance(iteration, int | np.integer):
                raise TypeError(f"iteration must be an integer from {first} to {last}, got {show(iteration)}")
            if not first <= iteration <= last:
                raise ValueError(f"iteration must be from {first} to {last}, got {iteration}; play on to go further")
            shared.wind(int(iteration))
            self._wake("running")

    def move(self, objects, places, m=0):
        """Put objects where a hand puts them; the run goes on from there, a paused one stays paused.

        Parameters
        ----------
        objects : sequence of int, length K
            Which ones.
        places : array-like, shape (K, 2) or (K, d)
            Where to, in map units; of more than two dimensions the first two may be given alone.
        m : int, default=0
            In which map.

        Raises
        ------
        ValueError
            If an object or a map is not there, or a place is not finite.
        RuntimeError
            If there is no map yet, or the run is closed.
        """
        with self._open() as shared:
            if shared.state is None:
                raise RuntimeError("there is no map yet to move objects in; play or step first")
            objects, places = check_moved(objects, places, m, shared.state.Y.shape)
            for i, place in zip(objects.tolist(), places, strict=True):
                shared.places[m, i] = place
            self._wake(None)

    def switch(self, model):
        """Go on from the present positions under another model; a paused run stays paused.

        `max_iter` of the new model counts from here, and `restart` still begins where this run began.
        """
        max_iter_of(model)
        with self._open() as shared:
            start = shared.state if shared.bound is None else shared.bound
            self._begin(model, shared.origin[1] if start is None else start)

    def set(self, **knobs):
        """Turn knobs, such as ``run.set(jitter=0.1)``; they hold from the next iteration on."""
        self.knobs.set(**knobs)

    def release(self, *names):
        """Let the knobs with these names, or all of them, follow the model's schedule again."""
        self.knobs.release(*names)

    def steps(self, n):
        """Do `n` iterations and wait for them; for scripts and tests.

        Returns
        -------
        state : State
            The state after them.

        Raises
        ------
        Exception
            What the model raised.
        """
        self.step(n)
        try:
            self.wait()
        except KeyboardInterrupt:
            self.pause()
            raise
        return self.state

    def wait(self, timeout=None):
        """Wait until the run neither compiles nor runs.

        Parameters
        ----------
        timeout : float, optional
            Longest wait in seconds.

        Returns
        -------
        rests : bool
            False if the time was up first.

        Raises
        ------
        Exception
            What the model raised, if the status is ``error``: a script does not miss it.
        """
        with self._shared.changed:
            rests = self._shared.changed.wait_for(lambda: self._shared.status not in BUSY, timeout)
            if self._shared.status == "error" and self._shared.error is not None:
                raise self._shared.error
        return rests

    def close(self):
        """End the thread after its present iteration, waiting up to a second for that. The last state stays."""
        shared = self._shared
        shared.close()
        if shared.thread is not None and shared.thread is not threading.current_thread():
            shared.thread.join(1.0)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    # ---- what there is to see ----

    def look(self):
        """Return the present `Moment`: the state, the status and what else belongs to it."""
        with self._shared.changed:
            return self._shared.moment()

    def wait_for_change(self, since, timeout=None):
        """Wait for a moment whose version is not `since`, at most `timeout` seconds, and return the present one.

        A viewer that sleeps between calls misses states but never the latest one, and costs the run nothing.
        """
        with self._shared.changed:
            self._shared.changed.wait_for(lambda: self._shared.version != since, timeout)
            return self._shared.moment()

    @property
    def status(self):
        """One of ``idle compiling running paused finished error closed``."""
        return self._shared.status

    @property
    def state(self):
        """The latest State, or None before the first."""
        return self._shared.state

    @property
    def error(self):
        """The exception behind the status ``error``, with its traceback; None otherwise."""
        return self._shared.error

    @property
    def message(self):
        """The error in words, or why the map of a run that has finished is of no use; empty without either."""
        return self.look().message

    @property
    def pace(self):
        """Most iterations a second, a float above 0; None for as many as the machine can. It may be set at any time."""
        return self._shared.pace

    @pace.setter
    def pace(self, value):
        if value is not None:
            value = check_number("pace", value, 0.0, closed=False)
        with self._shared.changed:
            self._shared.pace = value
            self._shared.changed.notify_all()

    @property
    def model(self):
        """The model at work."""
        return self._shared.model

    @property
    def X(self):
        """The objects, as they were given."""
        return self._shared.X

    @property
    def recording(self):
        """The `Recording` of what the run has done since it began: a film, bounded and thinned evenly."""
        return self._shared.recording

    def forces(self, i, state=None):
        """Return the springs that act on object i: Forces with pull, push, p and q, each of shape (N,).

        Parameters
        ----------
        i : int
            The object.
        state : State, optional
            One of this run; the latest where left out.

        Raises
        ------
        NotImplementedError
            If the model has several maps, or does not tell.
        ValueError
            If there is no object i, or the state is of another model or perplexity than the run now.
        RuntimeError
            If there is no state yet.
        """
        states, latest = self._present("forces")
        return states.forces(latest if state is None else state, i)

    def costs(self, state=None):
        """Return each object's share of the cost in nats, shape (N,). `state` and errors are those of `forces`."""
        states, latest = self._present("costs")
        return states.costs(latest if state is None else state)

    def _present(self, what):
        with self._shared.changed:
            states, state = self._shared.states, self._shared.state
        if state is None or states is None:
            raise RuntimeError("there is no state yet to look at closely; play or step first")
        if not hasattr(states, what):
            raise NotImplementedError(f"{type(self.model).__name__} does not tell its {what}")
        return states, state

    @property
    def trace(self):
        """The `Trace` of costs since the run began; the latest state is always its last entry."""
        with self._shared.changed:
            costs, state = self._shared.costs, self._shared.state
            n = len(costs.iterations) if state is None else bisect_right(costs.iterations, state.iteration)
            iterations, values = costs.iterations[:n], costs.costs[:n]
        if state is not None and iterations and iterations[-1] != state.iteration:
            iterations.append(state.iteration)
            values.append(state.cost)
        return Trace(np.array(iterations, dtype=np.int64), np.array(values, dtype=np.float64))

    def __repr__(self):
        moment = self.look()
        at = "" if moment.state is None else f", iteration {moment.state.iteration}, cost {moment.state.cost:.4g} nats"
        return f"<Run of {type(self.model).__name__}: {moment.status}{at}>"

    # ---- how commands reach the thread: _begin and _go are called with the lock held ----

    @contextmanager
    def _open(self):
        with self._shared.changed:
            if self._shared.closing:
                raise RuntimeError("this run is closed; make a new one, with start=run.state to go on from here")
            yield self._shared

    def _begin(self, model, start):
        shared = self._shared
        shared.model, shared.begin, shared.begun_from = model, (model, start), start
        shared.winding = shared.bound = None
        shared.done, shared.limit, shared.warm = -1, max_iter_of(model), False
        self._go(shared.limit if shared.then == "finished" else 0, shared.then)

    def _go(self, goal, then):
        shared = self._shared
        shared.goal, shared.then, shared.error = goal, then, None
        busy = shared.done < goal or shared.bound is not None
        self._wake(("running" if shared.warm else "compiling") if busy else then)

    def _wake(self, status):
        shared = self._shared
        if shared.thread is None:
            shared.thread = threading.Thread(target=drive, args=(shared,), name="notebook_sne run", daemon=True)
            shared.thread.start()
        shared.note(status)
