"""The kernel's knowledge of a view's pages: which are open, what they have received, and what they ask for.

A Jupyter server keeps every message for a page that has gone, and a page says nothing when its tab is closed. So the
kernel counts the bytes that no page has acknowledged, and stops at a budget (`Connection.fits`). When no page has
answered for some seconds although the kernel listens, only a small heartbeat is sent now and then
(`Connection.quiet`), until a page answers: every page answers a heartbeat that asks for it.

The messages, whose shapes are in ``frontend/shared/messages.d.ts``:

=========  ==============================================  ======================================================
direction  kind                                            what it says
=========  ==============================================  ======================================================
to Python  ``hello``, ``bye``                              a page was opened, with the traits of a moment; its last
                                                           view was closed
to Python  ``ack``                                         the frame painted last, and whether nobody sees the view
to Python  ``command``                                     what to do with the run (`Player._run_command`); with
                                                           the same ``id`` again where no answer came
to Python  ``request``                                     asks for images, neighbors, distances, the film, or which
                                                           objects meet a condition
to page    ``frame``, ``heartbeat``                        the state of the run, with and without a picture
to page    ``images``, ``neighbors``, ``film``, ``found``  what was requested
to page    ``springs``, ``scores``                         what the traits ``spring_of`` and ``color`` ask for
to page    ``ended``                                       the kernel ends: its last word
=========  ==============================================  ======================================================
"""

import threading
import time
from collections import deque
from typing import NamedTuple

from notebook_sne.browser.widgets.cells import listens
from notebook_sne.engine.machine.process import free_in_children

__all__ = ["BUDGET", "WINDOW", "Connection", "Wanted", "least_interval"]

WINDOW = 14  # most frames sent and not acknowledged: the browser reports twice a second
BUDGET = 20_000_000  # most bytes sent and not acknowledged
MOST = 15_000_000  # most bytes that one message counts for: even the largest can be sent, one at a time
HEAD = 1000  # bytes of a message without its buffers, about
TIMEOUT = 6.0  # s without an answer, also to three heartbeats that ask, after which no page seems to be open
SPEND = 30.0  # s in which unanswered frames may use the fraction 1 - 1/e of the remaining budget
UNMET = 0.4  # s between unacknowledged frames before the first hello, which waits while all cells of a notebook run
MOST_NEIGHBORS = 3  # objects whose neighbors are searched before the run is read again


def least_interval(silence):
    """Return the least seconds between unacknowledged frames, given the seconds since the browser's last message."""
    return 0.15 if silence < 60 else 1.0 if silence < 600 else 5.0


class Connection:
    """Reports and requests of pages; the message handler and the sending thread share them under one lock."""

    def __init__(self):
        self.changed = threading.Condition(free_in_children(threading.RLock()))
        self.last_message_at = time.monotonic()
        self.sent = self.acknowledged = 0
        self.spent = 0  # bytes sent in all
        self.answered = 0  # of these, the bytes that a page has acknowledged
        self.under_way: deque[tuple[int, int]] = deque()  # (number of a frame, `spent` after it was sent)
        self.present = True  # until the last page closes: a busy kernel cannot receive its hello
        self.pages: set[str] = set()
        self.hidden = self.urgent = self.closing = False
        self.wanted_images: set[int] = set()
        self.wanted_neighbors: set[int] = set()
        self.wanted_distances: int | None = None
        self.wanted_queries: dict[str, str] = {}  # the last one of each page
        self.wants_film = 0  # 1: a short one, 2: the whole
        self.new_page: int | None = None
        self.command = ""
        self._numbers: dict[str, int] = {}  # of the last command of each page

    # ---- what pages send ----

    def receive(self, content):
        """Take a message that any page may send: hello, bye, or the last frame it has."""
        self.last_message_at = time.monotonic()
        kind, page = content.get("kind"), str(content.get("page", ""))
        if kind == "ack":
            self.acknowledge(int(content["seq"]), bool(content.get("hidden")))
        elif kind == "hello":
            moment = content.get("moment")
            self.open_page(page, moment if isinstance(moment, int) else 0)
        elif kind == "bye":
            self.close_page(page)
        elif kind == "command":
            self.command, self.urgent = str(content.get("id", "")), True

    def repeats(self, content):
        """Return whether a page sends a command once more that was heard already: it had no answer in time."""
        page, _, number = str(content.get("id", "")).rpartition(":")
        if not (page and number.isdecimal()):
            return False
        before, self._numbers[page] = self._numbers.get(page, 0), max(self._numbers.get(page, 0), int(number))
        return int(number) <= before

    def open_page(self, page, moment=0):
        self.pages.add(page)
        self.present = self.urgent = True
        self.new_page = moment if self.new_page is None else min(moment, self.new_page)
        self.answered = self.spent  # what an earlier page has not acknowledged does not hold this one up

    def close_page(self, page):
        """Note that a page is closed; another one may still be open."""
        self.pages.discard(page)
        self.present = bool(self.pages)

    def acknowledge(self, number, hidden):
        """Note that a page has all up to this frame."""
        self.acknowledged = max(self.acknowledged, min(number, self.sent))
        self.hidden = hidden
        while self.under_way and self.under_way[0][0] <= self.acknowledged:
            self.answered = max(self.answered, self.under_way.popleft()[1])

    # ---- what is sent ----

    def count(self, size, *, frame=False, wants_ack=False):
        """Count a sent message with `size` bytes of buffers; pages answer frames, and heartbeats that ask for it."""
        self.spent += min(size, MOST) + HEAD
        self.sent += frame
        if frame or wants_ack:
            self.under_way.append((self.sent, self.spent))

    def fits(self, size):
        """Return whether so many more bytes may be sent before a page has to answer."""
        return self.spent - self.answered + min(size, MOST) <= BUDGET

    def behind(self):
        """Return whether so many frames aren't acknowledged that a page should answer first."""
        return self.sent - self.acknowledged >= WINDOW

    def wait(self, size, now):
        """Return the least seconds between frames of `size` bytes while no page answers: they share what is left."""
        left = BUDGET - (self.spent - self.answered)
        least = max(least_interval(now - self.last_message_at), 0.0 if self.pages else UNMET)
        return max(least, SPEND * size / left if left > 0 else float("inf"))

    def quiet(self, now):
        """Return whether no page seems to be open, so that only small heartbeats should be sent."""
        if self.closing:
            return False
        return not self.present or (now - self.last_message_at > TIMEOUT and listens())

    # ---- what pages ask for ----

    def wants(self):
        """Return whether a page waits for an answer."""
        measured = self.wanted_distances is not None
        asked = self.wanted_images or self.wanted_neighbors or self.wanted_queries
        return bool(asked or measured or self.wants_film or self.new_page is not None)

    def wait_for_page(self, seconds: float) -> None:
        """Wait until a page asks for something or the view closes, at most so many seconds."""
        with self.changed:
            self.changed.wait_for(lambda: self.urgent or self.closing or self.wants(), seconds)

    def take(self):
        """Return what is asked for, as Wanted, and forget it."""
        few = sorted(self.wanted_neighbors)[:MOST_NEIGHBORS]
        wanted = Wanted(
            sorted(self.wanted_images), few, self.wanted_distances, self.wants_film, self.new_page, self.wanted_queries
        )
        self.wanted_distances, self.wanted_queries = None, {}
        self.wanted_images, self.wants_film, self.new_page = set(), 0, None
        self.wanted_neighbors.difference_update(few)
        return wanted


class Wanted(NamedTuple):
    """The request of a view."""

    images: list[int]
    neighbors: list[int]
    distances: int | None
    """From which object; of several that were asked for, the last."""
    film: int
    new_page: int | None
    """The moment of the traits of a page that has just opened, which knows no more than these; or None."""
    queries: dict[str, str]
    """Conditions on the objects, by the pages that ask."""
