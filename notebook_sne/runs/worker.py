"""The thread behind a run, and what it has in common with it.

The thread owns the generator and nothing else. What both sides know lies in one record behind one lock, and the thread
never sees the Run: a Run that nobody holds any more ends its thread.
"""

import atexit
import threading
import time
import weakref
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.fitting.knobs import Knobs
from notebook_sne.fitting.state import State
from notebook_sne.given import show
from notebook_sne.machine.compiled import when_compiling

__all__ = ["BUSY", "Costs", "Moment", "Shared", "Trace", "drive", "live", "max_iter_of"]

BUSY = ("compiling", "running")
TRACE_LENGTH = 4000
LONGEST_WAIT = 3600.0  # s; a lock takes no timeout of centuries, as a tiny pace would make
# A worker of thousands of tiny steps a second would starve the threads that carry messages. Every 5 ms it sleeps for
# 0.2 ms, which costs it 4 % at most. Steps of a millisecond or more spend their time in kernels, without the lock.
BREATH_EVERY, BREATH, TINY_STEP = 5e-3, 2e-4, 1e-3


class Moment(NamedTuple):
    """What a viewer reads at once: these values belong together."""

    version: int
    """Rises with every change; `Run.wait_for_change` waits for another one."""
    status: str
    """One of `idle compiling running paused finished error closed`."""
    state: State | None
    """The latest state; None before the first."""
    message: str
    """Why the status is `error`, or why the map of a finished run is of no use; empty otherwise."""
    winding: bool
    """Whether the run is on its way back to an earlier moment, so that `state` is not yet that one."""
    compiles: bool
    """Whether what the next state needs is being compiled, once."""


class Trace(NamedTuple):
    """The costs of a run so far, thinned evenly once there are more than 4000 of them."""

    iterations: np.ndarray
    """int64, shape (K,), rising."""
    costs: np.ndarray
    """float64, shape (K,), in nats."""


class Costs:
    """A bounded list of (iteration, cost): when it is full, every second entry goes and the stride doubles."""

    def __init__(self):
        self.iterations, self.costs, self.stride, self.seen = [], [], 1, 0

    def add(self, iteration, cost):
        if self.iterations and self.iterations[-1] == iteration:
            self.costs[-1] = cost  # moved by hand: the same moment, arranged otherwise
            return
        if self.seen % self.stride == 0:
            self.iterations.append(iteration)
            self.costs.append(cost)
            if len(self.costs) > TRACE_LENGTH:
                del self.iterations[1::2], self.costs[1::2]
                self.stride *= 2
        self.seen += 1

    def cut(self, iteration):
        """Forget what lies after an iteration."""
        while self.iterations and self.iterations[-1] > iteration:
            self.iterations.pop()
            self.costs.pop()


class Task(NamedTuple):
    """What the thread is to do next."""

    kind: str
    """begin: make states of `model` from `state`, or from where a wind leads; step: one iteration; move: arrange
    `state` anew; wind: from the full state `state` of `model` to `iteration`."""
    model: Any = None
    state: Any = None
    iteration: int = 0
    moved: int = 0
    """How many objects were moved by hand."""


class Shared:
    """What a Run and its thread have in common. Every attribute is read and written under `changed`.

    `done` counts the iterations since the run began (-1: not even the start is there), `goal` says how far to go and
    `then` what the status is on arrival. `begin` is (model, start) when new states must be made first. `knobs` are the
    lecturer's; the states read `inner`, which the thread sets before each update: what is recorded is what held.
    """

    def __init__(self, model, X, start, knobs, recording):
        # Re-entrant, because a finalizer may run in the very thread that holds it.
        self.changed = threading.Condition(threading.RLock())
        self.origin = (model, start)
        self.begin: tuple | None = self.origin
        self.begun_from = start
        self.model, self.X, self.knobs = model, X, knobs
        self.done, self.goal, self.then, self.limit = -1, -1, "paused", max_iter_of(model)
        self.warm = self.closing = False
        self.status, self.version = "idle", 0
        self.inner = Knobs()
        self.states: Any = None
        self.states_of: Any = None  # the model that made them
        self.recording = recording
        self.segments: list[tuple[int, Any]] = []  # the iteration from which on a model was at work
        self.places: dict[tuple[int, int], np.ndarray] = {}  # (map, object): where it was put by hand
        self.winding: Task | None = None  # to be begun
        self.bound: Task | None = None  # the same, until it has arrived
        self.wound = False  # back at an earlier moment: the next state makes another film from there
        self.state: State | None = None
        self.error: BaseException | None = None
        self.remark = ""  # on a run that has finished
        self.compiles = False
        self.costs = Costs()
        self.pace: float | None = None  # most iterations a second
        self.due = 0.0  # when the next one may begin
        self.thread: threading.Thread | None = None

    def note(self, status=None):
        if status is not None:
            self.status = status
        self.version += 1
        self.changed.notify_all()

    def moment(self):
        message = self.remark if self.status == "finished" else ""
        message = message if self.error is None else describe(self.error)
        return Moment(self.version, self.status, self.state, message, self.bound is not None, self.compiles)

    def close(self):
        with self.changed:
            self.closing = True
            if self.status != "closed":
                self.note("closed")

    def abandon(self):
        """Close without waiting for the lock: a finalizer may run in a thread that holds the recording's."""
        self.closing = True
        if self.changed.acquire(blocking=False):
            try:
                self.close()
            finally:
                self.changed.release()
        else:
            threading.Thread(target=self.close, daemon=True).start()

    # ---- called by the thread ----

    def next_task(self):
        """Wait for something to do and return the Task; None when it is time to end."""
        with self.changed:
            while not self.closing:
                if self.winding is not None:
                    task, self.winding = self.winding, None
                    self.note("running")
                    return task
                if self.places and self.state is not None and (self.begin is None or self.status == "error"):
                    return self.arranged(self.state)
                if self.done < self.goal:
                    status = "running" if self.warm else "compiling"
                    if status != self.status:
                        self.note(status)
                    if self.begin is None:
                        rest = self.rest()
                        if rest <= 0:
                            return Task("step")
                        self.changed.wait(min(rest, LONGEST_WAIT))
                        continue  # look again: a command may have come meanwhile
                    (model, start), self.begin = self.begin, None
                    return Task("begin", model, start)
                if self.status in BUSY:
                    self.note(self.then)
                self.changed.wait()
            return None

    def arranged(self, state):
        """Return the Task to go on from a state with the objects where they were put by hand."""
        Y = state.Y.copy()
        for (m, i), place in self.places.items():
            n = min(len(place), Y.shape[2])  # the extra dimensions may have gone since
            Y[m, i, :n] = place[:n]
        moved, self.places, self.begin = len(self.places), {}, None
        return Task("move", self.model, replace(state, Y=Y), moved=moved)

    def rest(self):
        """Return the seconds that the pace leaves until the next iteration; at 0 the next one is counted."""
        if self.pace is None:
            return 0.0
        now, interval = time.monotonic(), 1 / self.pace
        self.due = min(self.due, now + interval)  # a pace that was raised meanwhile holds at once
        if now < self.due:
            return self.due - now
        # What is lost by less than an interval is caught up with, so that the mean pace is the one asked for.
        self.due = (self.due if now - self.due < interval else now) + interval
        return 0.0

    def note_compiling(self):
        """Note that code has to be compiled before there is a state; told in the thread that compiles, whichever."""
        if threading.current_thread() is self.thread:
            with self.changed:
                self.compiles = True
                self.note()

    def publish(self, state, task, turned):
        with self.changed:
            self.compiles = False
            if self.begin is not None or self.closing or self.winding is not None:
                return  # restarted, switched, wound back or closed meanwhile: this state belongs to the past
            if task.kind == "wind":
                self.arrive(state)
                return
            first = self.done < 0 and task.kind == "begin"
            if first or (self.wound and self.state is not None):
                last = state.iteration if first or self.state is None else self.state.iteration
                self.recording.truncate(last)
                self.costs.cut(last)
                self.segments = [(begun, model) for begun, model in self.segments if begun <= last]
            self.wound = False
            if first:
                self.segments.append((state.iteration, task.model))
            if task.kind != "move":
                self.done += 1
            self.warm = self.warm or self.done > 0
            self.state, self.error = state, None
            self.costs.add(state.iteration, state.cost)
            self.recording.add(state, model=self.model, moved=task.moved or None, turned=turned)
            if self.done >= self.goal:
                if self.then == "finished" and hasattr(self.states, "remark"):
                    self.remark = self.states.remark(state)
                self.note(self.then)
            else:
                self.note("running" if self.warm else "compiling")

    def wind(self, iteration):
        """Set out for an earlier moment, to rest there with the knobs as they stood; commands given meanwhile hold."""
        start = self.recording.start_for(iteration)
        begun, self.model = self.segment_at(start.iteration)
        self.done = self.goal = iteration - begun
        self.limit, self.then = max(max_iter_of(self.model), self.done), "paused"
        self.begin, self.error, self.places = None, None, {}
        self.knobs.replace(self.recording.turned_at(iteration))
        self.winding = self.bound = Task("wind", self.model, start, iteration)

    def segment_at(self, iteration):
        """Return the iteration from which on the model of a moment was at work, and the model."""
        return [segment for segment in self.segments if segment[0] <= iteration][-1]

    def arrive(self, state):
        self.state, self.warm, self.wound, self.bound = state, True, True, None
        self.note(self.then if self.done >= self.goal else "running")

    def turn(self, turned=None):
        """Turn the knobs that the states read as the lecturer has, or as given; return {name: value}."""
        turned = self.knobs.turned() if turned is None else turned
        if turned != self.inner.turned():
            self.inner.replace(turned)
        return turned

    def fail(self, error):
        with self.changed:
            self.compiles = False
            if self.begin is not None or self.closing or self.winding is not None:
                return
            self.bound = None
            # A later play or step goes on from the last good state, under its model, or tries the start again.
            if self.state is not None:
                begun, self.model = self.segment_at(self.state.iteration)
                self.done, self.begin = self.state.iteration - begun, (self.model, self.state)
                self.limit = max(max_iter_of(self.model), self.done)
            else:
                self.begin = (self.model, self.begun_from)
            self.goal, self.error = self.done, error
            self.then = "paused"  # a move by hand is not the end of the run
            self.note("error")


def max_iter_of(model):
    """Return model.max_iter as an int, or raise an error that says what a model must have."""
    if isinstance(model, type):
        raise TypeError(f"model must be an instance, got the class {model.__name__}; write {model.__name__}()")
    if not callable(getattr(model, "iterate", None)):
        raise TypeError(
            f"model must have a method iterate(X, start=None, knobs=None), got {type(model).__name__}; "
            "give one such as notebook_sne.SNE()"
        )
    limit = getattr(model, "max_iter", None)
    if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 1:
        raise ValueError(f"max_iter of the model must be an integer above 0, got {show(limit)}; set it")
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


def drive(shared):
    """Do what the shared record asks, until it is closed. The body of the thread."""
    last_breath = time.perf_counter()
    while (task := shared.next_task()) is not None:
        began = time.perf_counter()
        try:
            with when_compiling(shared.note_compiling):
                state, turned = _done(shared, task)
            if state is not None:
                shared.publish(state, task, turned)
            del state
        except BaseException as error:  # whatever it is, the reader gets to see it
            shared.states = None
            shared.fail(error)
        now = time.perf_counter()
        if now - began < TINY_STEP and now - last_breath > BREATH_EVERY:
            time.sleep(BREATH)
            last_breath = now


def _done(shared, task):
    """Do a task; return the state that it led to and the knobs that were turned meanwhile."""
    if task.kind == "wind":
        return _wound(shared, task)
    if isinstance(task.state, Task):  # switched on the way to an earlier moment: first to there
        state, _ = _wound(shared, task.state)
        if state is None:
            return None, {}
        task = task._replace(state=state)
    turned = shared.turn()
    if task.kind != "step":
        _set_out(shared, task)
    state = _next(shared.states)
    if task.kind == "begin" and shared.done >= 0:
        state = _next(shared.states)  # going on after an error: the start is the state that is already shown
    return state, turned


def _set_out(shared, task):
    """Make states that begin at the task's state."""
    resume = getattr(shared.states, "resume", None)
    if resume is not None and task.kind != "begin" and task.model is shared.states_of:
        resume(task.state)  # its affinities are there already
    else:
        shared.states = iter(task.model.iterate(shared.X, start=task.state, knobs=shared.inner))
        shared.states_of = task.model


def _wound(shared, task):
    """Go from a full state to a later iteration as the run did then; (None, {}) if another command came meanwhile."""
    _set_out(shared, task)
    state, recording = _next(shared.states), shared.recording
    while state.iteration < task.iteration:
        if shared.winding is not None or shared.begin is not None or shared.closing:
            return None, {}
        shared.turn(recording.turned_at(state.iteration + 1))
        state = _next(shared.states)
    return state, recording.turned_at(state.iteration)


live: "weakref.WeakSet[Shared]" = weakref.WeakSet()


@atexit.register
def _close_all():
    """End every thread before the interpreter goes, so that none is left inside a compiled kernel."""
    deadline = time.monotonic() + 2.0
    remaining = list(live)
    for shared in remaining:
        shared.close()
    for shared in remaining:
        if shared.thread is not None:
            shared.thread.join(max(0.0, deadline - time.monotonic()))
