"""The thread behind a run, and what it has in common with it.

The thread owns the generator and nothing else. What both sides know lies in one record behind one lock, and the thread
never sees the Run: a Run that nobody holds any more ends its thread.
"""

import atexit
import threading
import time
import weakref
from typing import NamedTuple

import numpy as np

from notebook_sne.models.state import State

__all__ = ["BUSY", "Costs", "Moment", "Shared", "Trace", "drive", "live", "max_iter_of"]

BUSY = ("compiling", "running")
TRACE_LENGTH = 4000
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
    """Why the status is `error`; empty otherwise."""


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
        if self.seen % self.stride == 0:
            self.iterations.append(iteration)
            self.costs.append(cost)
            if len(self.costs) > TRACE_LENGTH:
                del self.iterations[1::2], self.costs[1::2]
                self.stride *= 2
        self.seen += 1


class Shared:
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
                        rest = self.rest()
                        if rest <= 0:
                            return False, None, None
                        self.changed.wait(rest)
                        continue  # look again: a command may have come meanwhile
                    (model, start), self.begin = self.begin, None
                    return True, model, start
                if self.status in BUSY:
                    self.note(self.then)
                self.changed.wait()
            return None

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
    if isinstance(model, type):
        raise TypeError(f"model must be an instance, got the class {model.__name__}; write {model.__name__}()")
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


def drive(shared):
    """Run the generator as the shared record asks, until it is closed. The body of the thread."""
    states = None
    last_breath = time.perf_counter()
    while (task := shared.next_task()) is not None:
        anew, model, start = task
        began = time.perf_counter()
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
        if now - began < TINY_STEP and now - last_breath > BREATH_EVERY:
            time.sleep(BREATH)
            last_breath = now


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
