"""A run: a model's generator of states, driven by a thread that can be played, paused, stepped and restarted.

Each method gives one command; `notebook_sne.engine.runs.control` defines its effect, and
`notebook_sne.engine.runs.run_view` has the readable values. Nothing here knows about widgets.

Longer than 300 lines because each command is described where a reader looks for it.
"""

import weakref
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.affinities.metrics import input_of
from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.holders import matrix_held
from notebook_sne.engine.checks.maps import check_moved, check_pinned
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.process import wait_for_end
from notebook_sne.engine.objects.entries import count_objects
from notebook_sne.engine.objects.triples import read_triples
from notebook_sne.engine.runs import commands
from notebook_sne.engine.runs.protocols import Model
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.run_view import Readable
from notebook_sne.engine.runs.worker import Worker

__all__ = ["Run"]


class Run(Readable):
    """A model at work on X in its own thread.

    The thread starts with the first `play` or `step` and ends with `close`, at the end of a ``with`` block, or when
    nothing refers to the Run any more. Commands return at once: the status changes when the current iteration is over.

    Parameters
    ----------
    model : estimator
        A model with ``iterate(X, start=None, knobs=None)`` and ``max_iter``.
    X : array
        The objects, as the model takes them.
    start : State, optional
        The state to start from, instead of the model's own start.
    knobs : Knobs, optional
        Knobs with values that are already set; the Run uses this object itself.
    pace : float, optional
        Largest number of iterations per second, slow enough to follow by eye; by default as many as the machine can
        make.
    recording : Recording, optional
        The recording for the states, such as one with other limits; it must be empty.

    Attributes
    ----------
    knobs : Knobs
        The knobs that `set` and `release` change.

    Notes
    -----
    The status is ``idle`` before the first command; ``compiling`` until the first state and the first step are made
    (affinities, compilation); ``running``; ``paused``; ``finished`` after the model's `max_iter` iterations (`play`
    goes on for as many again); ``error`` when the model raised an error, with the last good state kept (`play` goes on
    from there, `restart` begins again); ``closed``.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> circle = ns.datasets.load_circle(50)
    >>> with ns.Run(ns.SNE(perplexity=5, random_state=0), circle.X) as run:
    ...     state = run.steps(100)
    >>> state.iteration
    100
    """

    def __init__(
        self,
        model: Model,
        X: Any,
        *,
        start: State | None = None,
        knobs: Knobs | None = None,
        pace: float | None = None,
        recording: Recording | None = None,
    ) -> None:
        if knobs is not None and not isinstance(knobs, Knobs):
            raise TypeError(f"knobs must be a notebook_sne.Knobs, got {type(knobs).__name__}; write Knobs(jitter=0.1)")
        recording = Recording() if recording is None else recording
        if not isinstance(recording, Recording) or len(recording):
            given = show(recording)
            raise TypeError(f"recording must be an empty notebook_sne.Recording, got {given}; write Recording()")
        if getattr(model, "input", None) == "triples":
            X = read_triples(X)
        self._given = X  # which may hold facts about the objects, too
        X = matrix_held("X", X, input_of(model))
        count_objects(X)
        self.knobs = Knobs() if knobs is None else knobs
        self._worker = Worker(model, X, start, self.knobs, recording, _checked_pace(pace))
        self._finalizer = weakref.finalize(self, Worker.abandon, self._worker)

    # ---- commands ----

    def play(self) -> None:
        """Run until `max_iter`; from there, or further, for `max_iter` iterations more."""
        self._worker.put(commands.Play())

    def pause(self) -> None:
        """Stop after the current iteration."""
        self._worker.put(commands.Pause())

    def step(self, n: int = 1) -> None:
        """Make `n` iterations, then pause; further steps requested in the meantime are added.

        ``step(0)`` makes the start and shows it.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise ValueError(f"n must be an integer of at least 0, got {show(n)}; step(1) does one iteration")
        self._worker.put(commands.Step(int(n)))

    def restart(self, model: Model | None = None) -> None:
        """Begin again at the model's start, of its own seed if it has one; a paused run is then paused at its start.

        A new recording begins as well; the earlier `recording` doesn't change. A given `model` replaces the first one
        from now on.
        """
        self._worker.put(commands.Restart(model))

    def seek(self, iteration: int) -> None:
        """Go to a recorded iteration and rest there; `play` and `step` continue from it.

        The state is computed again from the nearest full state before it, bit for bit, with the model and the knobs of
        that time; the knobs return to these values. Later recorded states stay until the run continues from there.

        Parameters
        ----------
        iteration : int
            From the first recorded iteration to the last one.

        Raises
        ------
        ValueError
            If the recording doesn't reach this iteration.
        """
        with self.wait_for_start()._worker.changed:
            if isinstance(iteration, bool) or not isinstance(iteration, int | np.integer):
                first, last = self._worker.control.recorded()
                raise TypeError(f"iteration must be an integer from {first} to {last}, got {show(iteration)}")
            self._worker.put(commands.Seek(int(iteration)))

    def move(self, objects: ArrayLike, places: ArrayLike, m: int = 0) -> None:
        """Put objects at other places; the run goes on from there, a paused one stays paused.

        Parameters
        ----------
        objects : sequence of int, length K
            The numbers of the objects.
        places : array-like, shape (K, 2) or (K, d)
            Their new places, in map units; with more than two dimensions, the first two are enough.
        m : int, default=0
            The map.

        Raises
        ------
        ValueError
            If an object or a map doesn't exist, or a place isn't finite.
        RuntimeError
            If nothing was asked of the run yet, or it is closed.
        """
        with self.wait_for_start()._worker.changed:
            state, wanted = self.state, {}
            if state is not None:
                moved, where = check_moved(objects, places, m, state.Y.shape)
                wanted = {(int(m), i): place for i, place in zip(moved.tolist(), where, strict=True)}
            self._worker.put(commands.Move(wanted))

    def pin(self, objects: ArrayLike, at: ArrayLike | None = None, m: int = 0) -> None:
        """Hold objects where they are, or at given places, while all others move.

        Pins are part of the state: `seek` restores the pins of that time, `switch` keeps them if the map's unit stays
        the same, and `restart` begins without any. A pinned object that is moved is held at its new place. Pins cost
        time only while there are some. Forces on a held object are still summed, without effect: the cost is that of
        all objects.

        Parameters
        ----------
        objects : sequence of int, length K
            The numbers of the objects.
        at : array-like, shape (K, 2) or (K, d), optional
            The places to hold them at, in map units; by default their current places.
        m : int, default=0
            The map; in other maps, the objects still move.

        Raises
        ------
        ValueError
            If an object or a map doesn't exist, or a place isn't finite.
        NotImplementedError
            If the model can't hold single map points: because a function makes them all, as in NCA, or a method has
            solved for them at once.
        RuntimeError
            If nothing was asked of the run yet, or it is closed.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> circle = ns.datasets.load_circle(50)
        >>> with ns.Run(ns.SNE(perplexity=5, random_state=0), circle.X) as run:
        ...     state = run.steps(10)
        ...     run.pin([0, 25], at=[[-3, 0], [3, 0]])
        ...     state = run.steps(100)
        >>> state.embedding[[0, 25]].tolist(), state.pins.tolist()
        ([[-3.0, 0.0], [3.0, 0.0]], [[0, 0], [25, 0]])
        """
        with self.wait_for_start()._worker.changed:
            control, wanted = self._worker.control, {}
            if self.state is not None:
                self._worker.maker.refuse_pins(control.model)
                held, where = check_pinned(objects, at, m, self.state.Y.shape)
                wanted = {(int(m), i): place for i, place in zip(held.tolist(), where, strict=True)}
            self._worker.put(commands.Pin(wanted))

    def unpin(self, objects: ArrayLike | None = None, m: int | None = None) -> None:
        """Release held objects: the given ones, or all; in map m, or in all. Objects that aren't held don't change.

        Raises
        ------
        ValueError
            If an object or a map doesn't exist.
        RuntimeError
            If nothing was asked of the run yet, or it is closed.
        """
        with self.wait_for_start()._worker.changed:
            freed: set[tuple[int, int]] = set()
            if self.state is not None:
                M, N, _ = self.state.Y.shape
                chosen = np.arange(N) if objects is None else check_pinned(objects, None, m or 0, self.state.Y.shape)[0]
                if m is not None:
                    check_pinned([0], None, m, self.state.Y.shape)
                freed = {(k, i) for k in (range(M) if m is None else (int(m),)) for i in chosen.tolist()}
            self._worker.put(commands.Pin({}, frozenset(freed)))

    def switch(self, model: Model) -> None:
        """Continue from the current positions under another model; a paused run stays paused.

        `max_iter` of the new model counts from here, and `restart` still begins where this run began.
        """
        self._worker.put(commands.Switch(model))

    @property
    def pace(self) -> float | None:
        """Largest number of iterations per second, a float above 0; None for no limit. It can be set at any time."""
        return self._worker.pace

    @pace.setter
    def pace(self, value: float | None) -> None:
        pace = _checked_pace(value)
        with self._worker.changing():
            self._worker.pace = pace

    def set(self, **knobs: float) -> None:
        """Turn knobs, as in ``run.set(jitter=0.1)``, with effect from the next iteration on.

        A knob that the current model doesn't have is refused with a ValueError, at once or, if the model hasn't begun
        yet, when it does. `switch` and `restart` release knobs that the next model doesn't have.
        """
        Knobs(**knobs)  # names and values that are wrong for any model
        with self._worker.changed:
            self._worker.maker.refuse_lacking(self._worker.control.model, knobs)
            self.knobs.set(**knobs)

    def release(self, *names: str) -> None:
        """Let the knobs with these names, or all of them, follow the model's schedule again."""
        self.knobs.release(*names)

    def steps(self, n: int) -> State:
        """Make `n` iterations and wait for them; for scripts and tests.

        Returns
        -------
        state : State
            The state after them.

        Raises
        ------
        Exception
            The error that the model raised.
        """
        self.step(n)
        try:
            self.wait()
        except KeyboardInterrupt:
            self.pause()
            raise
        state = self.state
        if state is None:
            raise RuntimeError("this run was closed before there was a state; make a new one")
        return state

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the run neither compiles nor runs, and moved objects are in their places.

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
            The error that the model raised, if the status is ``error``, so that a script doesn't miss it.
        """
        changed, control = self._worker.changed, self._worker.control
        with changed:
            rests = changed.wait_for(lambda: control.rests, timeout)
            if control.status == "error" and control.error is not None:
                raise control.error
        return rests

    def close(self) -> None:
        """End the thread after its current iteration, and wait up to a second for that. The last state stays."""
        self._worker.close()
        wait_for_end(self._worker.thread, 1.0)

    def __enter__(self) -> "Run":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _checked_pace(pace: Any) -> float | None:
    return None if pace is None else float(check_number("pace", pace, 0.0, closed=False))
