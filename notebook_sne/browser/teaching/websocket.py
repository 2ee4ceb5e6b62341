"""The line to a page of a class, a WebSocket, and what is said over it.

What comes is small, counted and checked: a phone that says too much isn't heard, and nothing that it says is run or
shown as markup. The types of what pages are told are in frontend/teaching/types.d.ts.

=========  =========================  ==================================================================================
direction  kind                       what it says
=========  =========================  ==================================================================================
to server  ``join``                   first of all: the phone's token and the version; or the lecturer's key
to server  ``vote``                   question, round and value
to server  ``drawing``                `image`, the gray values of a drawing
to server  ``hand``                   asks for the knob, or gives it back: `up`
to server  ``watch``, ``ack``         follows the map with this number; has painted up to this picture
to server  ``command``                of the one who has the knob, one of `ORDERS`
to server  ``do``                     of the lecturer: an `action`, with what `Room.do` takes
to page    ``state``                  `Room.facts_for` this phone, or `Room.facts`; and `follow`, the number of the map;
                                      `draw`, the number of the field to draw in
to page    ``count``                  how many have answered, and how many are there
to page    ``traits``, ``frame``      of the map that is followed
to page    ``said``                   an answer to `do`, or why something was refused
to page    ``alive``                  the server is there
to page    ``reload``                 the page is of another version
to page    ``full``, ``gone``         the class is full, or over; it has another code now
=========  =========================  ==================================================================================
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from typing import TYPE_CHECKING, Any

import tornado.iostream
import tornado.web
import tornado.websocket

from notebook_sne.browser.teaching.broadcast import Follower
from notebook_sne.browser.teaching.handlers import BADGE
from notebook_sne.browser.teaching.room import Phone
from notebook_sne.engine.checks.numbers import show

if TYPE_CHECKING:
    from notebook_sne.browser.teaching.server import Server

__all__ = ["LARGEST", "LINES", "VERSION", "Line"]

VERSION = 1  # of the messages: a page of another one is loaded anew
LINES = 700  # most at a time
BURST, RATE = 40, 20  # messages that a line may send at once, and a second
LARGEST = 32_768  # bytes of a message
MOST_UNSENT = 1_000_000  # bytes that may wait for a line
JOINING = 10.0  # s in which a line must say who it is
ORDERS = ("set", "release", "play", "pause")  # what the one with the knob may say


class Line(tornado.websocket.WebSocketHandler):
    """The line to a phone, or to the lecturer's screen."""

    server: Server

    def initialize(self, server: Server) -> None:
        self.server = server
        self.phone: Phone | None = None
        self.lecturer = False
        self.follower: Follower | None = None
        self.allowance, self.heard_at = float(BURST), time.monotonic()
        self.unheard = self.unsent = 0
        self._waiting: asyncio.TimerHandle | None = None

    def prepare(self) -> None:
        address = str(self.request.remote_ip)
        refused = self.server.refuses(str(self.path_args[0]), address, self.get_cookie(BADGE) or "")
        if refused or len(self.server.lines) >= LINES:
            raise tornado.web.HTTPError(refused or 503)

    @property
    def stream(self) -> Any:
        return getattr(self.ws_connection, "stream", None)

    def check_origin(self, origin: str) -> bool:
        """Take the pages of this server alone; a proxy before it says for which host."""
        host = origin.partition("://")[2].lower()
        asked = (self.request.headers.get("Host", ""), self.request.headers.get("X-Forwarded-Host", ""))
        return host in [one.strip().lower() for one in asked if one]

    def open(self, *_: str, **__: str) -> None:
        self.set_nodelay(True)
        self.server.loop.call_later(JOINING, self._must_have_joined)

    def _must_have_joined(self) -> None:
        if self not in self.server.lines:
            self.close(1002)

    def on_close(self) -> None:
        self.server.lines.discard(self)
        self._stop_following()
        if self.phone is not None:
            self.server.room.leave(self.phone)
            self.phone = None

    def on_message(self, message: str | bytes) -> None:
        now = time.monotonic()
        self.allowance = min(BURST, self.allowance + (now - self.heard_at) * RATE)
        self.heard_at = now
        if self.allowance < 1:
            self.unheard += 1
            if self.unheard > 1000:
                self.close(1008)
            return
        self.allowance -= 1
        try:
            told = json.loads(message, parse_constant=_refuse)
            if not isinstance(told, dict):
                raise ValueError("a message must be an object")
        except (ValueError, RecursionError):
            return
        try:
            self._hear(told)
        except (ValueError, TypeError, KeyError) as error:
            self._say(told, refused=str(error)[:500])

    def _say(self, told: dict[str, Any], **answer: Any) -> None:
        """Answer a message; its `id` comes back, if it is one that a page would give."""
        number = told.get("id")
        own = number if isinstance(number, int) and abs(number) < 2**53 else None
        self.post(json.dumps({"kind": "said", "id": own, **answer}))

    def _hear(self, told: dict[str, Any]) -> None:
        kind, room = told.get("kind"), self.server.room
        if kind == "join" and self not in self.server.lines:
            self._join(told)
        elif self.lecturer and kind == "do":
            how = {name: told[name] for name in ("n", "value", "why", "codes") if name in told}
            self._say(told, done=room.do(str(told.get("action")), **how))
        elif self.phone is None:
            return
        elif kind == "vote":
            taken = room.vote(self.phone, told["n"], told["round"], told["value"])
            self._say(told, done=taken)
            self.say_state()
        elif kind == "drawing":
            self._say(told, done=room.take_drawing(self.phone, told["image"]))
        elif kind == "hand":
            room.raise_hand(self.phone, told.get("up") is True)
        elif kind == "watch":
            self._follow(told.get("number"))
        elif kind == "ack" and self.follower is not None:
            self.follower.acknowledge(told.get("seq"))
            self.pass_on()
        elif kind == "command":
            self._obey(told)

    def _join(self, told: dict[str, Any]) -> None:
        if told.get("version") != VERSION:
            return self.post('{"kind":"reload"}')
        room, token, key = self.server.room, told.get("token"), told.get("key")
        if isinstance(key, str):
            if not hmac.compare_digest(key.encode(), room.key.encode()):
                raise ValueError("key must be that of the lecturer's own address; open it anew from there")
            self.lecturer = True
        else:
            if not isinstance(token, str) or not 16 <= len(token) <= 64:
                raise ValueError(f"token must be a text of 16 to 64 letters, got {show(token)}")
            self.phone = room.join(token, str(self.request.remote_ip))
            if self.phone is None:
                return self.post('{"kind":"full"}')
        self.server.lines.add(self)
        self.say_state()

    # ---- a map ----

    def _follow(self, number: Any) -> None:
        broadcast = self.server.broadcast
        self._stop_following()
        if broadcast is not None and broadcast.number == number:
            self.follower = Follower(broadcast)
            broadcast.followers += 1
            self.pass_on()

    def _stop_following(self) -> None:
        if self.follower is not None:
            self.follower.broadcast.followers -= 1
        self.follower = None

    def pass_on(self) -> None:
        """Send what is due of the map."""
        if self._waiting is not None or self.follower is None:
            return
        if self.follower.broadcast.over:
            return self._stop_following()
        messages, after = self.follower.due()
        for one in messages:
            self.post(one)
        if after is not None:
            self._waiting = self.server.loop.call_later(after, self._again)

    def _again(self) -> None:
        self._waiting = None
        self.pass_on()

    def _obey(self, told: dict[str, Any]) -> None:
        broadcast, room = self.server.broadcast, self.server.room
        if broadcast is None or self.phone is None or room.holder != self.phone.name:
            raise ValueError("the knob is with another; ask for it")
        if told.get("name") not in ORDERS:
            raise ValueError(f"name must be one of {', '.join(ORDERS)}, got {show(told.get('name'))}")
        broadcast.obey({"name": told["name"], "knobs": told.get("knobs")})

    # ---- what is sent ----

    def say_state(self) -> None:
        room, broadcast = self.server.room, self.server.broadcast
        if self.phone is not None:
            told = room.facts_for(self.phone)
            told["follow"] = None if broadcast is None else broadcast.number
            told["draw"] = None if self.server.field is None else self.server.field[0]
            told["pages"] = self.server.pages
        elif self.lecturer:
            told = room.facts()
            told["address"], told["pages"] = self.server.texts.address, self.server.pages
        else:
            return
        answered, present = room.count()
        self.post(json.dumps({"kind": "state", **told, "answered": answered, "present": present}))

    def post(self, message: str | bytes) -> None:
        """Send, unless the line has just gone; one that doesn't read what it is sent is closed."""
        if self.unsent > MOST_UNSENT:
            if self.stream is not None:
                self.stream.close()
            return
        try:
            sent = self.write_message(message, binary=isinstance(message, bytes))
        except (tornado.websocket.WebSocketClosedError, tornado.iostream.StreamClosedError):
            return
        self.unsent += len(message)

        def done(future: Any) -> None:
            self.unsent -= len(message)
            future.cancelled() or future.exception()  # asked for: otherwise asyncio prints it for each line that goes

        asyncio.ensure_future(sent).add_done_callback(done)


def _refuse(number: str) -> Any:
    raise ValueError(f"a number must be finite, got {number}")
