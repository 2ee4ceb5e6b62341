"""A run: a model's generator of states, driven by a thread that can be played, paused, stepped and restarted.

The thread owns the generator and nothing else. What the thread and its :class:`Run` have in common lies in one
small record behind one lock; the thread never sees the Run, so a Run that nobody holds any more ends its thread.
The thread waits for no reader: a viewer looks when it likes (:meth:`Run.look`) or waits for something new
(:meth:`Run.wait_for_change`). Nothing here knows about widgets.
"""

import atexit
import threading
import time
import weakref
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from notebook_sne.models.knobs import Knobs
from notebook_sne.models.state import State

__all__ = ["Moment", "Run", "Trace"]

BUSY = ("compiling", "running")
TRACE_LENGTH = 4000
# A worker of thousands of tiny steps a second would starve the threads that carry messages. Every 5 ms it sleeps for
# 0.2 ms, which costs it 4 % at most; a step that is longer than that releases the interpreter's lock by itself.
BREATH_EVERY, BREATH = 5e-3, 2e-4


class Moment(NamedTuple):
    """What a viewer reads at once: these values belong together."""

    version: int
    """Rises with every change; `Run.wait_for_change` waits for another one."""
    status: str
    """One of `idle compiling running paused finished error closed`."""
    state: State | None
    """The latest state; None before the first."""
    message: str
    """Why the status is `error`; empty otherwise."""


class Trace(NamedTuple):
    """The costs of a run so far, thinned evenly once there are more than 4000 of them."""

    iterations: np.ndarray
    """int64, shape (K,), rising."""
    costs: np.ndarray
    """float64, shape (K,), in nats."""


class _Costs:
    """A bounded list of (iteration, cost): when it is full, every second entry goes and the stride doubles."""

    def __init__(self):
        self.iterations, self.costs, self.stride, self.seen = [], [], 1, 0

    def add(self, iteration, cost):
        if self.seen % self.stride == 0:
            self.iterations.append(iteration)
            self.costs.append(cost)
            if len(self.costs) > TRACE_LENGTH:
                del self.iterations[1::2], self.costs[1::2]
                self.stride *= 2
        self.seen += 1


class _Shared:
    """What a Run and its thread have in common. Every attribute is read and written under `changed`.

    `done` counts the iterations since the run began (-1: not even the start is there), `goal` says how far to go and
    `then` what the status is on arrival. `begin` is (model, start) when a new generator must be made first.
    """

    def __init__(self, model, X, start, knobs):
        # Re-entrant, because a finalizer may run in the very thread that holds it.
        self.changed = threading.Condition(threading.RLock())
        self.origin = (model, start)
        self.begin: tuple | None = self.origin
        self.begun_from = start
        self.model, self.X, self.knobs = model, X, knobs
        self.done, self.goal, self.then, self.limit = -1, -1, "paused", max_iter_of(model)
        self.warm = self.closing = False
        self.status, self.version = "idle", 0
        self.state: State | None = None
        self.error: BaseException | None = None
        self.costs = _Costs()
        self.thread: threading.Thread | None = None

    def note(self, status=None):
        if status is not None:
            self.status = status
        self.version += 1
        self.changed.notify_all()

    def moment(self):
        message = "" if self.error is None else describe(self.error)
        return Moment(self.version, self.status, self.state, message)

    def close(self):
        with self.changed:
            self.closing = True
            if self.status != "closed":
                self.note("closed")

    # ---- called by the thread ----

    def next_task(self):
        """Wait for something to do: (True, model, start) to make a generator, (False, None, None) for one iteration."""
        with self.changed:
            while not self.closing:
                if self.done < self.goal:
                    status = "running" if self.warm else "compiling"
                    if status != self.status:
                        self.note(status)
                    if self.begin is None:
                        return False, None, None
                    (model, start), self.begin = self.begin, None
                    return True, model, start
                if self.status in BUSY:
                    self.note(self.then)
                self.changed.wait()
            return None

    def publish(self, state):
        with self.changed:
            if self.begin is not None or self.closing:
                return  # restarted, switched or closed meanwhile: this state belongs to the past
            self.done += 1
            self.warm = self.warm or self.done > 0
            self.state = state
            self.costs.add(state.iteration, state.cost)
            if self.done >= self.goal:
                self.note(self.then)
            else:
                self.note("running" if self.warm else "compiling")

    def fail(self, error):
        with self.changed:
            if self.begin is not None or self.closing:
                return
            # A later play or step goes on from the last state, or tries the start again.
            self.begin = (self.model, self.state) if self.done >= 0 else (self.model, self.begun_from)
            self.goal, self.error = self.done, error
            self.note("error")


def max_iter_of(model):
    """Return model.max_iter as an int, or raise an error that says what a model must have."""
    if not callable(getattr(model, "iterate", None)):
        raise TypeError(
            f"model must have a method iterate(X, start=None, knobs=None), got {type(model).__name__}; "
            "give one such as notebook_sne.SNE()"
        )
    limit = getattr(model, "max_iter", None)
    if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 1:
        raise ValueError(f"max_iter of the model must be an integer above 0, got {limit!r}; set it")
    return int(limit)


def describe(error):
    """Return the reason of an error in one line, with its kind in front where that says more."""
    text = str(error).strip() or "no reason given"
    return text if isinstance(error, ArithmeticError | ValueError) else f"{type(error).__name__}: {text}"


def _checked(state):
    """Return the state; refuse one that is no longer finite, so that the last good one stays."""
    if np.isfinite(state.cost) and np.isfinite(state.Y).all():
        return state
    raise ArithmeticError(
        f"the map is no longer finite at iteration {state.iteration}; "
        "lower the learning rate or the momentum, then restart"
    )


def _next(states):
    try:
        return _checked(next(states))
    except StopIteration:
        raise RuntimeError("iterate() of the model ended; it must yield states for ever") from None


def _drive(shared):
    """Run the generator as the shared record asks, until it is closed. The body of the thread."""
    states = None
    last_breath = time.perf_counter()
    while (task := shared.next_task()) is not None:
        anew, model, start = task
        try:
            if anew:
                states = iter(model.iterate(shared.X, start=start, knobs=shared.knobs))
                state = _next(states)
                if shared.done >= 0:  # going on after an error: the start is the state that is already shown
                    state = _next(states)
            else:
                state = _next(states)
        except BaseException as error:  # whatever it is, the reader gets to see it
            states = None
            shared.fail(error)
        else:
            shared.publish(state)
            del state
        now = time.perf_counter()
        if now - last_breath > BREATH_EVERY:
            time.sleep(BREATH)
            last_breath = now


_live: "weakref.WeakSet[_Shared]" = weakref.WeakSet()


@atexit.register
def _close_all():
    """End every thread before the interpreter goes, so that none is left inside a compiled kernel."""
    deadline = time.monotonic() + 2.0
    remaining = list(_live)
    for shared in remaining:
        shared.close()
    for shared in remaining:
        if shared.thread is not None:
            shared.thread.join(max(0.0, deadline - time.monotonic()))


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
    >>> with Run(SNE(random_state=0), X) as run:            # doctest: +SKIP
    ...     state = run.steps(100)
    """

    def __init__(self, model, X, *, start=None, knobs=None):
        if knobs is not None and not isinstance(knobs, Knobs):
            raise TypeError(f"knobs must be a notebook_sne.Knobs, got {type(knobs).__name__}; write Knobs(jitter=0.1)")
        self.knobs = Knobs() if knobs is None else knobs
        self._shared = _Shared(model, X, start, self.knobs)
        _live.add(self._shared)
        self._finalizer = weakref.finalize(self, _Shared.close, self._shared)

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
            raise ValueError(f"n must be an integer of at least 0, got {n!r}; step(1) does one iteration")
        with self._open() as shared:
            stepping = shared.status in BUSY and shared.then == "paused"
            self._go(max(shared.done, shared.goal if stepping else 0, 0) + int(n), "paused")

    def restart(self):
        """Begin again at the model's start, with the same seed; a paused run is then paused at its start."""
        with self._open() as shared:
            self._begin(*shared.origin)
            shared.costs = _Costs()
            shared.state = None

    def switch(self, model):
        """Go on from the present positions under another model; a paused run stays paused.

        `max_iter` of the new model counts from here, and `restart` still begins where this run began.
        """
        max_iter_of(model)
        with self._open() as shared:
            start = shared.state if shared.state is not None else shared.origin[1]
            self._begin(model, start)

    def set(self, **knobs):
        """Turn knobs, such as ``run.set(jitter=0.1)``; they hold from the next iteration on."""
        self.knobs.set(**knobs)

    def release(self, *names):
        """Let the named knobs, or all of them, follow the model's schedule again."""
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
        """Return the present :class:`Moment`."""
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
        """The error in words; empty without one."""
        return self.look().message

    @property
    def model(self):
        """The model at work."""
        return self._shared.model

    @property
    def X(self):
        """The objects, as they were given."""
        return self._shared.X

    @property
    def trace(self):
        """The :class:`Trace` of costs since the run began; the latest state is always its last entry."""
        with self._shared.changed:
            costs, state = self._shared.costs, self._shared.state
            iterations, values = list(costs.iterations), list(costs.costs)
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
        shared.done, shared.limit, shared.warm = -1, max_iter_of(model), False
        self._go(shared.limit if shared.then == "finished" else 0, shared.then)

    def _go(self, goal, then):
        shared = self._shared
        shared.goal, shared.then, shared.error = goal, then, None
        if shared.thread is None:
            shared.thread = threading.Thread(target=_drive, args=(shared,), name="notebook_sne run", daemon=True)
            shared.thread.start()
        shared.note(("running" if shared.warm else "compiling") if shared.done < goal else then)
