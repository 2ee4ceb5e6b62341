"""The server of a class: a page for phones and one for the projector, and a line to each.

It lives in a thread of its own, in the process that teaches, and listens on this machine alone unless it is told to let
the local network in. Every address but the first page begins with the code of the class. What comes over a line is
small, counted and checked: a phone that says too much is not heard, and nothing that it says is run or shown as markup.

=========  =========================  ==================================================================================
direction  kind                       what it says
=========  =========================  ==================================================================================
to server  ``join``                   first of all: the phone's token and the version; or the lecturer's key
to server  ``vote``                   question, round and value
to server  ``hand``                   asks for the knob, or gives it back: `up`
to server  ``watch``, ``ack``         follows the map with this number; has painted up to this picture
to server  ``command``                of the one who has the knob, one of `ORDERS`
to server  ``do``                     of the lecturer: an `action`, with what `Room.do` takes
to page    ``state``                  `Room.facts_for` this phone, or `Room.facts`; and `follow`, the number of the map
to page    ``count``                  how many have answered, and how many are there
to page    ``traits``, ``frame``      of the map that is followed
to page    ``said``                   an answer to `do`, or why something was refused
to page    ``alive``                  the server is there
to page    ``reload``, ``full``       the page is of another version; the class is full, or over
=========  =========================  ==================================================================================

Longer than 300 lines because lines, pages and limits change the same few tables, which a reader should see at once.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import tornado.httpserver
import tornado.iostream
import tornado.netutil
import tornado.web
import tornado.websocket

from notebook_sne.checks.numbers import show
from notebook_sne.machine.lifetimes import wait_for_end
from notebook_sne.teaching import pages
from notebook_sne.teaching.pace import Broadcast, Follower
from notebook_sne.teaching.room import Phone, Room

__all__ = ["VERSION", "Server"]

VERSION = 1  # of the messages: a page of another one is loaded anew
LINES = 700  # most lines and other connections at a time
BURST, RATE = 40, 20  # messages that a line may send at once, and a second
LARGEST = 32_768  # bytes of a message
JOINING = 10.0  # s in which a line must say who it is
ORDERS = ("set", "release", "play", "pause")  # what the one with the knob may say
COUNTS = 0.25  # s between counts
ALIVE = 4.0  # s between signs of life
FIRST_PORT, PORTS = 8765, 20


class Server:
    """Serves a `Room` from a thread, and the pages of the course in `folder`.

    `port` 0 takes that of the file, if it has one, or the first of twenty that is free.
    """

    def __init__(self, room: Room, *, lan: bool = False, port: int = 0, folder: Any = None) -> None:
        self.room = room
        self.lan = lan
        self.folder = folder
        self.pages = [] if folder is None else sorted(one.name for one in folder.glob("*.html") if pages.is_ours(one))
        self.broadcast: Broadcast | None = None
        self.lines: set[Line] = set()
        self.texts = pages.Texts()
        self.wrong_codes: dict[str, list[float]] = {}
        self._counted: tuple[int, int] | None = None
        self._dirty = False
        sockets = _bound(port, room.port, "" if lan else "127.0.0.1")
        self.port = room.port = sockets[0].getsockname()[1]
        self._ready = threading.Event()
        self.loop: asyncio.AbstractEventLoop
        self.workers = ThreadPoolExecutor(2, "notebook_sne class work")
        self._thread = threading.Thread(target=self._run, args=(sockets,), name="notebook_sne class", daemon=True)
        self._thread.start()
        self._ready.wait(10)
        room.listeners.append(self.tell_soon)

    # ---- from other threads ----

    def tell_soon(self) -> None:
        """Let all pages know of a change of the room."""
        self._call(self._tell)

    def follow(self, broadcast: Broadcast | None) -> None:
        """Let phones follow a map, or none."""
        before, self.broadcast = self.broadcast, broadcast
        if before is not None:
            before.over = True
        if broadcast is not None:
            broadcast.wake = lambda: self._call(self._pass_on)
        self._call(self._tell)

    def close(self) -> None:
        """End the server: pages are told that the class is over."""
        self.room.end()
        self._call(self._stop)
        wait_for_end(self._thread, 3)
        self.workers.shutdown(wait=False, cancel_futures=True)

    def drop(self) -> None:
        """End the server, and not the class, which may be gone on with from its file."""
        self.room.keep()
        self.room.listeners.remove(self.tell_soon)
        self._call(self._stop)
        wait_for_end(self._thread, 3)
        self.workers.shutdown(wait=False, cancel_futures=True)

    def _call(self, what: Any) -> None:
        if not self.loop.is_closed():
            try:
                self.loop.call_soon_threadsafe(what)
            except RuntimeError:  # it has been closed meanwhile
                pass

    # ---- in its own thread ----

    def _run(self, sockets: Any) -> None:
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve(sockets))
        self.loop.close()

    async def _serve(self, sockets: Any) -> None:
        self._over = asyncio.Event()
        shared = {"server": self}
        code = r"/([0-9A-Za-z]{6})"
        application = tornado.web.Application(
            [
                (r"/", Landing, shared),
                (code + r"/?", Page, shared),
                (code + r"/(phone\.js|phone\.css|screen\.js|screen\.css|player\.js|player\.css)", Text, shared),
                (code + r"/screen", Screen, shared),
                (code + r"/map/(\d{1,9})", Map, shared),
                (code + r"/try/(\d{1,9})", Try, shared),
                (code + r"/course/([\w-]+\.html)", Course, shared),
                (code + r"/line", Line, shared),
            ],
            default_handler_class=Nowhere,
            default_handler_args=shared,
            compress_response=True,
            websocket_max_message_size=LARGEST,
            websocket_ping_interval=15,
            websocket_ping_timeout=15,
            log_function=lambda handler: None,
        )
        http = _Limited(
            application, max_header_size=16_384, max_body_size=4096, body_timeout=10, idle_connection_timeout=20
        )  # fmt: skip
        http.owner = self
        http.add_sockets(sockets)
        ticking = asyncio.ensure_future(self._tick())
        self._ready.set()
        await self._over.wait()
        ticking.cancel()
        http.stop()
        self._say_state()
        for line in list(self.lines):
            line.close()
        await asyncio.sleep(0.2)  # until they have heard of it
        await http.close_all_connections()

    def _stop(self) -> None:
        self._over.set()

    async def _tick(self) -> None:
        """Say now and then that the server is there, what was counted; write the file."""
        alive_at = 0.0
        while True:
            await asyncio.sleep(COUNTS)
            now = time.monotonic()
            if self.room._unkept:
                await self.loop.run_in_executor(self.workers, self.room.keep_soon)
            counted = self.room.count()
            if counted != self._counted:
                self._counted = counted
                self._to_all(json.dumps({"kind": "count", "answered": counted[0], "present": counted[1]}))
            if now - alive_at >= ALIVE:
                alive_at = now
                self._to_all('{"kind":"alive"}')

    def _to_all(self, text: str) -> None:
        for line in list(self.lines):
            line.post(text)

    def _tell(self) -> None:
        """Tell all pages how the room stands, once for all changes of a moment."""
        if not self._dirty:
            self._dirty = True
            self.loop.call_later(0.02, self._say_state)

    def _say_state(self) -> None:
        self._dirty = False
        for line in list(self.lines):
            line.say_state()

    def _pass_on(self) -> None:
        for line in list(self.lines):
            line.pass_on()

    def counts_code(self, address: str, right: bool) -> bool:
        """Return whether an address may try another code: twenty wrong ones a minute are enough for fingers."""
        now = time.monotonic()
        wrong = [at for at in self.wrong_codes.get(address, ()) if now - at < 60]
        if not right:
            if len(self.wrong_codes) > 5000:
                self.wrong_codes.clear()
            self.wrong_codes[address] = [*wrong, now][-50:]
        return len(wrong) < 20


class _Limited(tornado.httpserver.HTTPServer):
    """Refuses connections beyond a number: half-open ones would use up what the process may open."""

    owner: Server

    def handle_stream(self, stream: tornado.iostream.IOStream, address: Any) -> None:
        if len(self._connections) + len(self.owner.lines) >= LINES + 200:
            stream.close()
        else:
            super().handle_stream(stream, address)


def _bound(port: int, before: int, host: str) -> Any:
    """Return listening sockets on a port, that of the class before, or the first that is free."""
    wanted = [port] if port else [*([before] if before else []), *range(FIRST_PORT, FIRST_PORT + PORTS), 0]
    for one in wanted:
        try:
            return tornado.netutil.bind_sockets(one, host)
        except OSError as error:
            if one == wanted[-1]:
                raise OSError(f"port must be free, got {one}, which {error.strerror or error}; name another") from None
    raise AssertionError("the last port raises")


class Handler(tornado.web.RequestHandler):
    """A page or a text of the class, for who knows its code."""

    server: Server

    def initialize(self, server: Server) -> None:
        self.server = server

    def set_default_headers(self) -> None:
        self.set_header("Server", "notebook_sne")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Opener-Policy", "same-origin")
        self.set_header("Content-Security-Policy", pages.POLICY)

    def write_error(self, status_code: int, **_: Any) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(pages.small_page(status_code))

    def known(self, code: str) -> None:
        """Refuse who does not know the code."""
        address = str(self.request.remote_ip)
        right = hmac.compare_digest(code.upper().encode(), self.server.room.code.encode())
        if not self.server.counts_code(address, right) and not right:
            raise tornado.web.HTTPError(429)
        if not right:
            raise tornado.web.HTTPError(404)


class Nowhere(Handler):
    def prepare(self) -> None:
        raise tornado.web.HTTPError(404)


class Landing(Handler):
    """Asks for the code, for those who have typed the address without it."""

    def get(self) -> None:
        code = self.get_query_argument("code", "").strip().upper()
        if code:
            self.known(code)
            self.set_status(302)
            self.set_header("Location", f"{code}/")
            return
        self.finish(pages.small_page(200))


class Page(Handler):
    def get(self, code: str) -> None:
        self.known(code)
        if not self.request.path.endswith("/"):
            self.set_status(302)
            self.set_header("Location", f"{code}/")  # relative: a proxy may stand before
            return
        self.finish(self.server.texts.phone_page)


class Screen(Handler):
    """The projector's page. It does nothing without the lecturer's key, which is behind the # of its address."""

    def get(self, code: str) -> None:
        self.known(code)
        self.finish(self.server.texts.screen_page)


class Text(Handler):
    def get(self, code: str, name: str) -> None:
        self.known(code)
        kind = "text/javascript" if name.endswith(".js") else "text/css"
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.finish(self.server.texts.by_name[name])


class Map(Handler):
    """What a page needs to begin to follow."""

    async def get(self, code: str, number: str) -> None:
        self.known(code)
        broadcast = self.server.broadcast
        if broadcast is None or broadcast.number != int(number):
            raise tornado.web.HTTPError(404)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.finish(await self.server.loop.run_in_executor(self.server.workers, broadcast.begin))


class Try(Handler):
    """A page in which a student goes on alone. It brings its own policy, and runs nothing but its own script."""

    async def get(self, code: str, number: str) -> None:
        self.known(code)
        broadcast = self.server.broadcast
        if broadcast is None or broadcast.number != int(number):
            raise tornado.web.HTTPError(404)
        try:
            page = await self.server.loop.run_in_executor(self.server.workers, broadcast.page)
        except ValueError as error:
            self.set_status(409)
            self.finish(pages.small_page(409, str(error)))
            return
        self.set_header("Content-Security-Policy", "frame-ancestors 'self'")
        self.finish(page)


class Course(Handler):
    """A page of the course, from the lecturer's folder."""

    def get(self, code: str, name: str) -> None:
        self.known(code)
        folder = self.server.folder
        if folder is None or name not in self.server.pages:
            raise tornado.web.HTTPError(404)
        self.set_header("Content-Security-Policy", "frame-ancestors 'self'")
        self.finish((folder / name).read_bytes())


class Line(tornado.websocket.WebSocketHandler):
    """The line to a phone, or to the lecturer's screen."""

    server: Server

    def initialize(self, server: Server) -> None:
        self.server = server
        self.phone: Phone | None = None
        self.lecturer = False
        self.follower: Follower | None = None
        self.allowance, self.heard_at = float(BURST), time.monotonic()
        self.unheard = 0
        self._waiting: asyncio.TimerHandle | None = None

    def prepare(self) -> None:
        code = str(self.path_args[0])
        right = hmac.compare_digest(code.upper().encode(), self.server.room.code.encode())
        if not right or len(self.server.lines) >= LINES:
            self.server.counts_code(str(self.request.remote_ip), right)
            raise tornado.web.HTTPError(404 if not right else 503)

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
            told = json.loads(message)
            if not isinstance(told, dict):
                raise ValueError("a message must be an object")
        except (ValueError, RecursionError):
            return
        try:
            self._hear(told)
        except (ValueError, TypeError, KeyError) as error:
            self.post(json.dumps({"kind": "said", "id": told.get("id"), "refused": str(error)[:500]}))

    def _hear(self, told: dict[str, Any]) -> None:
        kind, room = told.get("kind"), self.server.room
        if kind == "join" and self not in self.server.lines:
            self._join(told)
        elif self.lecturer and kind == "do":
            how = {name: told[name] for name in ("n", "value", "why", "codes") if name in told}
            done = room.do(str(told.get("action")), **how)
            self.post(json.dumps({"kind": "said", "id": told.get("id"), "done": done}))
        elif self.phone is None:
            return
        elif kind == "vote":
            taken = room.vote(self.phone, told["n"], told["round"], told["value"])
            self.post(json.dumps({"kind": "said", "id": told.get("id"), "done": taken}))
            self.say_state()
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
            self.phone = room.join(token)
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
            told["pages"] = self.server.pages
        elif self.lecturer:
            told = room.facts()
            told["address"], told["pages"] = self.server.texts.address, self.server.pages
        else:
            return
        answered, present = room.count()
        self.post(json.dumps({"kind": "state", **told, "answered": answered, "present": present}))

    def post(self, message: str | bytes) -> None:
        """Send, unless the line has just gone."""
        try:
            self.write_message(message, binary=isinstance(message, bytes))
        except (tornado.websocket.WebSocketClosedError, tornado.iostream.StreamClosedError):
            pass
