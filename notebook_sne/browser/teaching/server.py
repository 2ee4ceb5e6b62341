"""The server of a class: a page for phones and one for the projector, and a line to each.

It lives in a thread of its own, in the process that teaches, and listens on this machine alone unless it is told to let
the local network in. Every address but the first page begins with the code of the class.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import tornado.httpserver
import tornado.iostream
import tornado.netutil
import tornado.web

from notebook_sne.browser.frontend.page import is_ours
from notebook_sne.browser.teaching import handlers, pages
from notebook_sne.browser.teaching.address import address_of, behind_proxy
from notebook_sne.browser.teaching.broadcast import Broadcast
from notebook_sne.browser.teaching.room import Room
from notebook_sne.browser.teaching.websocket import LARGEST, LINES, Line
from notebook_sne.engine.machine.process import wait_for_end

__all__ = ["Server"]

COUNTS = 0.25  # s between counts
ALIVE = 1.0  # s between signs of life
PENDING = 128  # connections of one address that have joined no class: the oldest makes way for the next
FIRST_PORT, PORTS = 8765, 20


class Server:
    """Serves a `Room` from a thread, and files of the course in `folder`, those of one `lecture` or all.

    `port` 0 takes that of the file, if it has one, or the first of twenty that is free.
    """

    def __init__(
        self, room: Room, *, lan: bool = False, port: int = 0, folder: Path | None = None, lecture: int | None = None
    ) -> None:
        self.room = room
        self.lan = lan
        self.folder = folder
        of = "*.html" if lecture is None else f"{lecture:02}-*.html"
        self.pages = [] if folder is None else sorted(one.name for one in folder.glob(of) if is_ours(one))
        self.broadcast: Broadcast | None = None
        self.field: tuple[int, bytes] | None = None
        """The number and the page of the field that phones draw in."""
        self.lines: set[Line] = set()
        self.texts = pages.Texts()
        self.wrong_codes: dict[str, list[float]] = {}
        self._counted: tuple[int, int] | None = None
        self._dirty = False
        self._code = room.code
        sockets = _bound(port, room.port, "" if lan else "127.0.0.1")
        self.port = room.port = sockets[0].getsockname()[1]
        self.texts.address = address_of(room, self.port, lan)
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

    def hand_out(self, number: int, page: bytes | None) -> None:
        """Let phones draw in the field of a page, or in none."""
        self.field = None if page is None else (number, page)
        self._call(self._tell)

    def close(self) -> None:
        """End the class and its server: pages are told that it is over."""
        self.room.end()
        self._end()

    def drop(self) -> None:
        """End the server, and not the class, which may be gone on with from its file."""
        self.room.keep()
        self.room.listeners.remove(self.tell_soon)
        self._end()
        self.room.let_go()

    def _end(self) -> None:
        self._call(lambda: self._over.set())
        wait_for_end(self._thread, 3)
        self.workers.shutdown(wait=False, cancel_futures=True)

    def _call(self, what: Any) -> None:
        if not self.loop.is_closed():
            with suppress(RuntimeError):  # it has been closed meanwhile
                self.loop.call_soon_threadsafe(what)

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
            default_handler_class=handlers.Nowhere,
            default_handler_args=shared,
            compress_response=True,
            websocket_max_message_size=LARGEST,
            websocket_ping_interval=15,
            websocket_ping_timeout=15,
            log_function=lambda handler: None,
        )
        application.add_handlers(
            ".*" if behind_proxy(self.port) else _own_names(),
            [
                (r"/", handlers.Landing, shared),
                (code + r"/?", handlers.Page, shared),
                (code + r"/((?:phone|screen|player)\.(?:js|css))", handlers.Text, shared),
                (code + r"/screen", handlers.Screen, shared),
                (code + r"/map/(\d{1,9})", handlers.Map, shared),
                (code + r"/try/(\d{1,9})", handlers.Try, shared),
                (code + r"/draw/(\d{1,9})", handlers.Draw, shared),
                (code + r"/course/([\w-]+\.html)", handlers.Course, shared),
                (code + r"/line", Line, shared),
            ],
        )
        http = _Limited(
            application, max_header_size=16_384, max_body_size=4096, body_timeout=10, idle_connection_timeout=20
        )  # fmt: skip
        http.owner, http.waiting = self, []
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

    async def _tick(self) -> None:
        """Say now and then that the server is there, what was counted; write the file."""
        alive_at = 0.0
        while True:
            await asyncio.sleep(COUNTS)
            now = time.monotonic()
            if self.room._unkept:
                try:
                    await self.loop.run_in_executor(self.workers, self.room.keep_soon)
                except Exception as error:  # whatever it is, phones go on hearing of the server
                    self.room.trouble = str(error)
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
        if self._code != self.room.code:  # the room was emptied
            self._code, self.texts.address = self.room.code, address_of(self.room, self.port, self.lan)
            for line in [line for line in self.lines if not line.lecturer]:
                line.post('{"kind":"gone"}')
                line.close()
        for line in list(self.lines):
            line.say_state()

    def _pass_on(self) -> None:
        for line in list(self.lines):
            line.pass_on()

    def refuses(self, code: str, address: str, was_here: str) -> int:
        """Return 0 for the code of the class, 404 for a wrong one, and 429 for any where too many wrong ones came from.

        Twenty wrong ones a minute are enough for fingers. Pages that were let in before, as their cookie says, are let
        in all the same: a whole room may have one address.
        """
        now = time.monotonic()
        known = hmac.compare_digest(was_here.encode(), self.room.badge.encode())
        wrong = [at for at in self.wrong_codes.get(address, ()) if now - at < 60]
        if len(wrong) >= 20 and not known:
            return 429
        if hmac.compare_digest(code.upper().encode(), self.room.code.encode()):
            return 0
        if len(self.wrong_codes) > 5000:
            self.wrong_codes.clear()
        self.wrong_codes[address] = [*wrong, now]
        return 404


class _Limited(tornado.httpserver.HTTPServer):
    """Closes the oldest connection that has not joined, where there are too many: they would use up the process."""

    owner: Server
    waiting: list[tuple[str, Any]]

    def handle_stream(self, stream: tornado.iostream.IOStream, address: Any) -> None:
        joined = {line.stream for line in self.owner.lines}
        self.waiting = [one for one in self.waiting if not one[1].closed() and one[1] not in joined]
        same = [one for one in self.waiting if one[0] == address[0]]
        if len(same) >= PENDING or len(self.waiting) + len(joined) >= LINES + 200:
            (same or self.waiting)[0][1].close()
        self.waiting.append((address[0], stream))
        super().handle_stream(stream, address)


def _own_names() -> str:
    """Return a pattern of the hosts by which this machine is asked: a page elsewhere may lead its own name here."""
    name = socket.gethostname().lower()
    own = {name, name.partition(".")[0], f"{name.partition('.')[0]}.local", "localhost"}
    return rf"({'|'.join(map(re.escape, sorted(own)))}|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:.%]+\])$"


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
