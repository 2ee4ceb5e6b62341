"""What a view's kernel side knows of the browser: who looks, what was heard, what was asked, what is under way.

A Jupyter server keeps every message for a page that has gone, and a page that goes with its tab says no goodbye. So the
kernel counts the bytes that nobody has answered for, and stops at a budget (`Mail.fits`). When nobody has answered for
some seconds although the kernel listens, nothing leaves but a small beat now and then (`Mail.quiet`), until a page
answers: every page answers a beat that asks.
"""

import threading
import time
from collections import deque
from typing import NamedTuple

from notebook_sne.widgets.cells import listens

__all__ = ["BUDGET", "WINDOW", "Mail", "Wanted", "lease"]

WINDOW = 14  # frames that may be under way unacknowledged: the browser reports twice a second
BUDGET = 20_000_000  # bytes that may be under way unanswered
MOST = 15_000_000  # bytes that one message is counted as at most: the largest of all still leaves, one at a time
HEAD = 1000  # bytes that a message takes beside its buffers, about
PATIENCE = 6.0  # s without an answer, be it to three beats that ask, after which nobody seems to be there
SPEND = 30.0  # s in which a silence may use up the share 1 - 1/e of what is left of the budget
MOST_NEIGHBORS = 3  # objects whose neighbors are searched before the next look at the run


def lease(silence):
    """Return the least seconds between unacknowledged frames, by the seconds since the browser was last heard."""
    return 0.15 if silence < 60 else 1.0 if silence < 600 else 5.0


class Mail:
    """What the pump is told, under one lock: what was heard from the browser and what it asks for."""

    def __init__(self):
        self.changed = threading.Condition()
        self.heard_at = time.monotonic()
        self.sent = self.acknowledged = 0
        self.spent = 0  # bytes that have left, in all
        self.answered = 0  # of these, those that somebody has answered for
        self.under_way: deque[tuple[int, int]] = deque()  # (number of a frame, `spent` when it had left)
        self.present = True  # until the last page says goodbye: a busy kernel hears no greeting
        self.pages: set[str] = set()
        self.hidden = self.urgent = self.closing = False
        self.wanted_images: set[int] = set()
        self.wanted_neighbors: set[int] = set()
        self.wants_film = self.greeted = False
        self.command = ""

    # ---- what is heard ----

    def hear(self, content):
        """Take what any page may say: hello, bye, and how far it has come."""
        self.heard_at = time.monotonic()
        kind, page = content.get("kind"), str(content.get("hub", ""))
        if kind == "ack":
            self.acknowledge(int(content["seq"]), bool(content.get("hidden")))
        elif kind == "hello":
            self.greet(page)
        elif kind == "bye":
            self.part(page)
        elif kind == "command":
            self.command, self.urgent = str(content.get("id", "")), True

    def greet(self, page):
        self.pages.add(page)
        self.present = self.urgent = self.greeted = True
        self.answered = self.spent  # what an earlier page has not answered for, this one does not wait for

    def part(self, page):
        """Say goodbye to a page; another one may still look."""
        self.pages.discard(page)
        self.present = bool(self.pages)

    def acknowledge(self, number, hidden):
        """Note that a page has all up to this frame."""
        self.acknowledged = max(self.acknowledged, min(number, self.sent))
        self.hidden = hidden
        while self.under_way and self.under_way[0][0] <= self.acknowledged:
            self.answered = max(self.answered, self.under_way.popleft()[1])

    # ---- what leaves ----

    def count(self, size, *, frame=False, asks=False):
        """Count a message with `size` bytes of buffers that leaves; a page may answer a frame, or a beat that asks."""
        self.spent += min(size, MOST) + HEAD
        self.sent += frame
        if frame or asks:
            self.under_way.append((self.sent, self.spent))

    def fits(self, size):
        """Tell whether so many bytes may leave before somebody has to answer."""
        return self.spent - self.answered + min(size, MOST) <= BUDGET

    def behind(self):
        """Tell whether so many frames are under way that somebody should answer first."""
        return self.sent - self.acknowledged >= WINDOW

    def wait(self, size, now):
        """Return the least seconds between frames of `size` bytes while nobody answers: they share what is left."""
        left = BUDGET - (self.spent - self.answered)
        return max(lease(now - self.heard_at), SPEND * size / left if left > 0 else float("inf"))

    def quiet(self, now):
        """Tell whether nobody seems to be there, so that nothing should leave but small beats."""
        if self.closing:
            return False
        return not self.present or (now - self.heard_at > PATIENCE and listens())

    # ---- what is asked ----

    def wants(self):
        """Tell whether an answer is waited for."""
        return bool(self.wanted_images or self.wanted_neighbors or self.wants_film or self.greeted)

    def take(self):
        """Return what is asked for, as Wanted, and forget it."""
        few = sorted(self.wanted_neighbors)[:MOST_NEIGHBORS]
        wanted = Wanted(sorted(self.wanted_images), few, self.wants_film, self.greeted)
        self.wanted_images, self.wants_film, self.greeted = set(), False, False
        self.wanted_neighbors.difference_update(few)
        return wanted


class Wanted(NamedTuple):
    """What a view has asked for."""

    images: list[int]
    neighbors: list[int]
    film: bool
    greeted: bool
    """Whether a view is new: it knows only what the traits say."""
