"""The thread behind a run: it takes one task after the other from the control, at the pace that is set.

The thread owns the generator of states. Both sides share one `Control` behind one lock, and the thread
has no reference to the Run: when nothing refers to a Run any more, its thread ends.
"""

import atexit
import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from notebook_sne.browser.pages.run_state import Standing
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.compiled import when_compiling
from notebook_sne.engine.machine.process import free_in_children, wait_for_end
from notebook_sne.engine.runs.commands import Close, Command, Task
from notebook_sne.engine.runs.control import BUSY, Control
from notebook_sne.engine.runs.protocols import Model, max_iter_of
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.stepper import Maker

__all__ = ["Worker"]

LONGEST_WAIT = 3600.0  # s; a lock takes no timeout of centuries, which a tiny pace would give
# A worker of thousands of tiny updates a second would starve the threads that carry messages. Every 5 ms it sleeps for
# 0.2 ms, which costs it 4 % at most. Updates of a millisecond or more spend their time in kernels, without the lock.
BREATH_EVERY, BREATH, TINY_UPDATE = 5e-3, 2e-4, 1e-3


class Worker:
    """A control, the thread that does what it says, and the lock between them."""

    def __init__(
        self, model: Model, X: Any, start: State | None, knobs: Knobs, recording: Recording, pace: float | None
    ) -> None:
        # Re-entrant, because a finalizer may run in the very thread that holds it.
        self.changed = threading.Condition(free_in_children(threading.RLock()))
        self.control = Control(model, start, knobs, recording)
        self.maker = Maker(X, knobs)
        self.pace = pace  # most updates a second
        self.due = 0.0  # when the next one may begin
        self.abandoned = False
        self.thread: threading.Thread | None = None
        _live.add(self)

    # ---- called from outside ----

    @contextmanager
    def changing(self) -> Iterator[Control]:
        """Hold the lock; the threads that wait for a change are woken afterward."""
        with self.changed:
            yield self.control
            self.changed.notify_all()

    def put(self, command: Command) -> None:
        """Give a command to the control, and start the thread if there is a first task for it."""
        with self.changing() as control:
            control.put(command)
            if self.thread is None and control.has_task:
                self.thread = threading.Thread(target=_drive, args=(self,), name="notebook_sne run", daemon=True)
                self.thread.start()

    def standing(self) -> Standing:
        """Return where the run stands; a ValueError where it has no map yet."""
        with self.changed:
            control = self.control
            state = control.state
            if state is None:
                raise ValueError("live=True needs a run with a map, and this one has none yet; play or step first")
            begun, model = control.past.segment_at(state.iteration)
            done = state.iteration - begun
            limit = control.limit if model is control.model else max(max_iter_of(model), done)
            plays = control.status in BUSY and control.at_end == "finished"
            turned, chapters = self.maker.knobs.turned(), list(control.past.segments)
            return Standing(model, control.origin[0], state, turned, chapters, done, limit, plays)

    def close(self) -> None:
        """End the thread after the task that is under way."""
        self.put(Close())

    def abandon(self) -> None:
        """Close without waiting for the lock: a finalizer may run in a thread that holds the recording's."""
        self.abandoned = True
        if self.changed.acquire(blocking=False):
            try:
                self.close()
            finally:
                self.changed.release()
        else:
            threading.Thread(target=self.close, daemon=True).start()

    # ---- called by the thread ----

    def next_task(self) -> Task | None:
        """Wait for something to do and return it; None when it is time to end."""
        control = self.control
        with self.changed:
            while not (control.closed or self.abandoned):
                if control.queue:
                    return control.take()
                if not control.has_task:
                    self.changed.wait()
                elif (rest := self._rest()) > 0:
                    self.changed.wait(min(rest, LONGEST_WAIT))  # and check again: a command may have come meanwhile
                else:
                    return control.take()
        return None

    def _rest(self) -> float:
        """Return the seconds that the pace leaves until the next update; at 0 the next one is counted."""
        if self.pace is None:
            return 0.0
        now, interval = time.monotonic(), 1 / self.pace
        self.due = min(self.due, now + interval)  # a pace that was raised meanwhile has effect at once
        if now < self.due:
            return self.due - now
        # A delay of less than an interval is made up for, so that the mean pace is the one asked for.
        self.due = (self.due if now - self.due < interval else now) + interval
        return 0.0

    def do(self, task: Task) -> None:
        """Do a task, and give its result to the control."""
        control, maker = self.control, self.maker
        recording = control.past.recording
        try:
            made = maker.do(task, recording, lambda: self.abandoned or control.current is not task)
            if made is not None:
                with self.changed:
                    control.publish(task, *made, maker.remark)
                    self.changed.notify_all()
        except BaseException as error:  # of any kind: it is shown to the reader
            maker.forget()
            with self.changing():
                control.fail(task, error)

    def note_compiling(self) -> None:
        if threading.current_thread() is self.thread:  # every thread that compiles calls this
            with self.changing() as control:
                control.note_compiling()


def _drive(worker: Worker) -> None:
    """Do what there is to do until the worker is closed. The body of the thread."""
    last_breath = time.perf_counter()
    with when_compiling(worker.note_compiling):
        while (task := worker.next_task()) is not None:
            began = time.perf_counter()
            worker.do(task)
            del task  # with the state in it
            now = time.perf_counter()
            if now - began < TINY_UPDATE and now - last_breath > BREATH_EVERY:
                time.sleep(BREATH)
                last_breath = now


_live: "weakref.WeakSet[Worker]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """End every thread before the interpreter ends, so that none is left inside a compiled kernel."""
    deadline = time.monotonic() + 2.0
    remaining = list(_live)
    for worker in remaining:
        worker.close()
    for worker in remaining:
        wait_for_end(worker.thread, max(0.0, deadline - time.monotonic()))


def _stay_behind() -> None:
    """Close, in a forked child, the runs whose threads are its parent's; one that had not begun may begin in both."""
    for worker in list(_live):
        if worker.thread is not None:
            worker.put(Close("goes on in the process that this one was forked from, and is closed here"))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_stay_behind)
