"""What followers of a map are sent, and how often: the run never waits for them, and a slow link gets fewer pictures.

Each follower is sent the latest picture, and the next one when it has answered for the one before last. All of them
together get at most so many bytes a second, which a wireless network shared by a class can carry.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from notebook_sne.engine.machine.process import free_in_children

__all__ = ["Broadcast", "Follower", "packed"]

FASTEST = 1 / 12  # least s between pictures for one follower
BUDGET = 4_000_000  # bytes a second for all
AHEAD = 2  # pictures that a follower has not answered for
MOST_NOTES = 200  # changes that a follower may lack before it begins anew


def packed(content: dict[str, Any], buffers: Sequence[bytes] = ()) -> bytes:
    """Return a message with buffers as one: the length of its JSON, four bytes, little-endian; JSON; the buffers."""
    text = json.dumps({**content, "sizes": [len(one) for one in buffers]}, separators=(",", ":")).encode()
    return b"".join([len(text).to_bytes(4, "little"), text, *buffers])


class Broadcast:
    """A map that the class follows.

    `begin` returns what a page needs to show it, as text, `page` a page that goes on by itself, as bytes; both may take
    a second and are called in threads. `obey` does what the holder of the knob asks for. `number` tells one broadcast
    from the next.
    """

    def __init__(
        self, number: int, begin: Callable[[], str], page: Callable[[], bytes], obey: Callable[[dict[str, Any]], None]
    ) -> None:
        self.number = number
        self.begin, self.page, self.obey = begin, page, obey
        self.wake: Callable[[], None] = lambda: None
        """Called when there is something new, from the thread that has made it."""
        self.followers = 0
        self.over = False
        self._lock = free_in_children(threading.Lock())
        self._seq = 0
        self._frame: tuple[dict[str, Any], list[bytes]] | None = None
        self._marks: tuple[int, Any] = (0, None)
        self._notes: deque[tuple[int, str]] = deque(maxlen=MOST_NOTES)
        self._noted = 0
        self._cache: tuple[tuple[int, bool], bytes] = ((-1, False), b"")

    def put(self, content: dict[str, Any], buffers: Sequence[bytes]) -> None:
        """Take a picture, or facts without one, which stand beside the last picture."""
        with self._lock:
            if "marks" in content:
                self._marks = (self._marks[0] + 1, content.pop("marks"))
            if not buffers and self._frame is not None:
                buffers = self._frame[1]
            if buffers:
                self._seq += 1
                self._frame = (content, list(buffers))
        self.wake()

    def note(self, traits: dict[str, Any]) -> None:
        """Take a change that every follower is to hear of, such as a knob of another model."""
        with self._lock:
            self._noted += 1
            self._notes.append((self._noted, json.dumps({"kind": "traits", "traits": traits}, separators=(",", ":"))))
        self.wake()

    @property
    def size(self) -> int:
        return 0 if self._frame is None else sum(map(len, self._frame[1]))

    @property
    def interval(self) -> float:
        """Least seconds between pictures for a follower."""
        return max(FASTEST, self.followers * (self.size + 600) / BUDGET)


class Follower:
    """What one page has been sent of a broadcast."""

    def __init__(self, broadcast: Broadcast) -> None:
        self.broadcast = broadcast
        self.sent = 0  # number of the last picture
        self.under_way: deque[int] = deque()
        self.marks = -1
        self.noted = broadcast._noted
        self.next_at = 0.0

    def acknowledge(self, seq: Any) -> None:
        """Note that the page has painted all up to this picture."""
        while isinstance(seq, int) and self.under_way and self.under_way[0] <= seq:
            self.under_way.popleft()

    def due(self, now: float | None = None) -> tuple[list[str | bytes], float | None]:
        """Return what is to be sent now, and after how many seconds to ask again; None: when something is new."""
        now = time.monotonic() if now is None else now
        broadcast = self.broadcast
        with broadcast._lock:
            messages: list[str | bytes] = [text for number, text in broadcast._notes if number > self.noted]
            self.noted = broadcast._noted
            if broadcast._frame is None or broadcast._seq == self.sent or len(self.under_way) >= AHEAD:
                return messages, None
            if now < self.next_at:
                return messages, self.next_at - now
            content, buffers = broadcast._frame
            number, marks = broadcast._marks
            with_marks = number != self.marks and marks is not None
            key = (broadcast._seq, with_marks)
            if broadcast._cache[0] != key:
                more = {"marks": marks} if with_marks else {}
                whole = {**content, **more, "kind": "frame", "seq": broadcast._seq}
                broadcast._cache = (key, packed(whole, buffers))
            self.marks, self.sent = number, broadcast._seq
        self.under_way.append(self.sent)
        self.next_at = now + broadcast.interval
        return [*messages, broadcast._cache[1]], None
