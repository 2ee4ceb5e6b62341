"""What the widgets that follow a run have in common: when what their pump writes may leave, and how long they live.

A widget that was never shown belongs to whoever holds it and ends, threads and all, when nobody does; ipywidgets would
keep it for good. One that was shown stays until it is closed: its page may command it when no variable names it.
"""

import threading
import time
import weakref

import anywidget
from ipywidgets.widgets import widget as home

from notebook_sne.widgets.cells import supersede, watch_cells
from notebook_sne.widgets.mail import Mail
from notebook_sne.widgets.shared import View

__all__ = ["LiveWidget", "hold", "let_go"]

_BULK = {"snapshot", "trace"}  # traits that grow with the objects or the run


class LiveWidget(View):
    """A view of a run; not used by itself. Its pump writes traits from a thread of its own."""

    def __init__(self, **traits):
        self._mail = Mail()
        self._pump: threading.Thread | None = None
        self._waiting: set[str] = set()  # traits that the pump has written and nobody was there to read
        super().__init__(**traits)
        watch_cells()
        let_go(self)
        supersede(self)

    def begin(self, pump, *arguments):
        """Start the pump: a function of a weak reference to this widget, which ends when that is dead."""
        self._pump = threading.Thread(
            target=pump, args=(weakref.ref(self), *arguments), name="notebook_sne view", daemon=True
        )
        self._pump.start()

    def hear(self, content):
        """Take what any page may say."""
        with self._mail.changed:
            self._mail.hear(content)
            self._mail.changed.notify_all()

    def waits(self):
        """Tell whether something that the pump has written waits for somebody to read it."""
        return bool(self._waiting)

    def may_send(self, now):
        """Tell whether what waits may leave now."""
        mail = self._mail
        return not mail.quiet(now) and not mail.behind() and mail.fits(self._bytes(self._waiting))

    def send_state(self, key=None):
        """Send traits to the browser; of what the pump has written, what may leave now."""
        if key is None or threading.current_thread() is not self._pump:
            return super().send_state(key)
        mail, now = self._mail, time.monotonic()
        with mail.changed:
            keys = self._waiting | ({key} if isinstance(key, str) else set(key))
            bulk = keys & _BULK
            if mail.quiet(now):
                held = keys
            elif mail.behind() or not mail.fits(self._bytes(bulk)):
                held = bulk
            else:
                held = set()
            self._waiting, keys = held, keys - held
            if keys:
                mail.count(self._bytes(keys))
        if keys:
            super().send_state(keys)

    def _bytes(self, keys):
        return sum(len(getattr(self, name)) for name in keys & _BULK)

    def end(self):
        """End the pump, unless it has ended."""
        mail = self.__dict__.get("_mail")
        if mail is None or mail.closing:
            return
        with mail.changed:
            mail.closing = True
            mail.changed.notify_all()
        if self._pump is not None and threading.current_thread() is not self._pump:
            self._pump.join(1.0)

    def _view(self):
        hold(self)
        return super()._view()

    def __del__(self):
        # Not `close`, which leaves the last picture on the page, and ends a run that somebody may hold: one that nobody
        # holds ends by itself.
        self.end()
        anywidget.AnyWidget.close(self)


def let_go(widget):
    """Make ipywidgets hold a widget weakly, where it is known who shows it: in a script nobody, or IPython's kernel."""
    instances, where = getattr(home, "_instances", None), type(widget.comm).__module__.partition(".")[0]
    if instances is None or where not in ("comm", "ipykernel"):
        return
    reference = weakref.ref(widget)

    def deliver(message):
        if (there := reference()) is not None:
            there._handle_msg(message)

    widget.comm.on_msg(deliver)
    instances[widget.model_id] = weakref.proxy(widget)


def hold(widget):
    """Make ipywidgets hold a widget as it holds all others."""
    if widget.comm is not None and hasattr(home, "_instances"):
        home._instances[widget.model_id] = widget
