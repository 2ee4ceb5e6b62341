"""The common part of widgets that follow a run: when traits that they write may be sent, and how long they live.

A widget that was never shown ends, with its threads, when nothing refers to it any more; ipywidgets alone would keep it
until the kernel ends. One that was shown stays until it is closed: its page may send commands when no variable is left.
The last message of a kernel that ends in order is that it ends: a page may have no other way to learn of it, as when
another window asks for the restart.
"""

import atexit
import os
import threading
import time
import weakref
from contextlib import suppress
from functools import partial

import anywidget
from ipywidgets.widgets import widget as home

from notebook_sne.browser.widgets.cells import supersede, watch_cells
from notebook_sne.browser.widgets.connection import Connection
from notebook_sne.browser.widgets.shared import View
from notebook_sne.engine.machine.process import carrier, wait_for_end

__all__ = ["LiveWidget", "hold_strongly", "hold_weakly"]

SOON = 5.0  # s within which the thread writes down a map that there is
_BULK = {"snapshot", "snapshot_step", "trace", "film"}  # traits that grow with the objects or the run


class LiveWidget(View):
    """A view of a run; not used by itself. A thread of its own reads the run and writes traits."""

    def __init__(self, **traits):
        self._connection = Connection()
        self._thread: threading.Thread | None = None
        self._waiting: set[str] = set()  # traits that the thread has written and that could not be sent yet
        self._written: dict[str, int] = {}  # and the moment before which it sent each of the others
        self._carry = carrier()
        super().__init__(**traits)
        watch_cells()
        hold_weakly(self)
        supersede(self)

    def begin(self, follow, *arguments):
        """Start the thread: `follow`, of a weak reference to this and `arguments`, which ends when that is dead."""
        self._thread = threading.Thread(
            target=follow, args=(weakref.ref(self), *arguments), name="notebook_sne view", daemon=True
        )
        self._thread.start()
        _followed.add(self)

    def receive(self, content):
        """Take a message, its `content`, that any page may send."""
        with self._connection.changed:
            self._connection.receive(content)
            self._connection.changed.notify_all()

    def set_state(self, sync_data):
        """Take traits that a page has set, `sync_data`: it is open, then, and waits for what they ask for."""
        super().set_state(sync_data)
        self._connection.last_message_at = time.monotonic()
        self.hurry()

    def hurry(self):
        """Let the thread look at once at what there is to send."""
        with self._connection.changed:
            self._connection.urgent = True
            self._connection.changed.notify_all()

    def waits(self):
        """Return whether a trait that the thread has written waits to be sent."""
        return bool(self._waiting)

    def may_send(self, now):
        """Return whether the waiting traits may be sent now."""
        connection = self._connection
        return not connection.quiet(now) and not connection.behind() and connection.fits(self._bytes(self._waiting))

    def send_state(self, key=None):
        """Send the traits `key`, or all; of those that the thread has written, the ones that may be sent now."""
        if key is None or threading.current_thread() is not self._thread:
            return super().send_state(key)
        connection, now = self._connection, time.monotonic()
        with connection.changed:
            keys = self._waiting | ({key} if isinstance(key, str) else set(key))
            bulk = keys & _BULK
            if connection.quiet(now):
                held = keys
            elif connection.behind() or not connection.fits(self._bytes(bulk)):
                held = bulk
            else:
                held = set()
            self._waiting, keys = held, keys - held
            self._written |= dict.fromkeys(keys, self.moment)
            if keys:
                connection.count(self._bytes(keys))
        if keys:
            super().send_state(keys)

    def send_since(self, moment):
        """Send again what a page with the traits of a moment may lack: apps build pages before their line is there."""
        self.send_state({name for name, at in self._written.items() if at >= moment} - _BULK)

    def _send(self, msg, buffers=None):
        self._carry(partial(super()._send, msg, buffers))  # all that a widget says to its page

    def _bytes(self, keys):
        return sum(len(value) for name in keys & _BULK if isinstance(value := getattr(self, name), bytes))

    def _wait_for_still(self):
        shown = threading.Event()

        def tell(_):
            shown.set()

        self.observe(tell, "snapshot")
        with suppress(Exception):  # of a model that fails, which the view says
            if self.run is not None and self.run.wait_for_start().state is not None and not self.snapshot:
                shown.wait(SOON)
        self.unobserve(tell, "snapshot")

    def end(self, seconds=1.0):
        """End the thread, unless it has ended, and wait for that, at most some seconds."""
        connection = self.__dict__.get("_connection")
        if connection is None or connection.closing:
            return
        with connection.changed:
            connection.closing = True
            connection.changed.notify_all()
        wait_for_end(self._thread, seconds)

    def _view(self):
        hold_strongly(self)
        return super()._view()

    def __del__(self):
        # Not `close`, which leaves the last picture on the page, and ends a run that a variable may still name: a run
        # without references ends by itself.
        self.end()
        with suppress(Exception):  # its page may have gone, and in an app all of its session
            anywidget.AnyWidget.close(self)


_followed: "weakref.WeakSet[LiveWidget]" = weakref.WeakSet()


@atexit.register
def _end_all():
    """End the threads of all views, and tell their pages that the kernel ends: "closed" would leave in doubt why.

    What is left of them is collected when the interpreter has stopped its threads, of which one may hold the lock.
    """
    deadline, views = time.monotonic() + 1.0, [widget for widget in _followed if not widget._connection.closing]
    for widget in views:
        widget.end(0.0)
    for widget in views:
        wait_for_end(widget._thread, max(0.0, deadline - time.monotonic()))
        with suppress(Exception):  # whatever has gone by now, the interpreter ends all the same
            widget.send({"kind": "ended"})


def _stay_behind():
    """Let the views be, in a forked child: their threads are its parent's, and so are their pages."""
    for widget in list(_followed):
        widget._connection.closing = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_stay_behind)


def hold_weakly(widget):
    """Make ipywidgets refer to a widget weakly, where that is known to work: in a script, and in IPython's kernel."""
    instances, where = getattr(home, "_instances", None), type(widget.comm).__module__.partition(".")[0]
    if instances is None or where not in ("comm", "ipykernel"):
        return
    reference = weakref.ref(widget)

    def deliver(message):
        if (there := reference()) is not None:
            there._handle_msg(message)

    widget.comm.on_msg(deliver)
    instances[widget.model_id] = weakref.proxy(widget)


def hold_strongly(widget):
    """Make ipywidgets refer to a widget as it does to all others."""
    if widget.comm is not None and hasattr(home, "_instances"):
        home._instances[widget.model_id] = widget
