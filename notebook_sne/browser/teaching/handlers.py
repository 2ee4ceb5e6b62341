"""What the server of a class hands out, each to who knows the code of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tornado.web

from notebook_sne.browser.teaching import pages

if TYPE_CHECKING:
    from notebook_sne.browser.teaching.broadcast import Broadcast
    from notebook_sne.browser.teaching.server import Server

__all__ = ["BADGE", "Course", "Draw", "Landing", "Map", "Nowhere", "Page", "Screen", "Text", "Try"]

BADGE = "notebook_sne_class"  # a cookie


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
        """Refuse anyone who doesn't know the code."""
        refused = self.server.refuses(code, str(self.request.remote_ip), self.get_cookie(BADGE) or "")
        if refused:
            raise tornado.web.HTTPError(refused)
        self.set_cookie(BADGE, self.server.room.badge, path=None, httponly=True, samesite="Strict")  # type: ignore[arg-type]

    def followed(self, number: str) -> Broadcast:
        """Return the map of this number, which is followed now; otherwise there is no such page."""
        broadcast = self.server.broadcast
        if broadcast is None or broadcast.number != int(number):
            raise tornado.web.HTTPError(404)
        return broadcast


class Nowhere(Handler):
    """Any other address."""

    def prepare(self) -> None:
        raise tornado.web.HTTPError(404)


class Landing(Handler):
    """Asks for the code, for those who have typed the address without it."""

    def get(self) -> None:
        code = (self.get_query_argument("code", "") or "").strip().upper()
        if code:
            self.known(code)
            return self.redirect(f"{code}/")
        self.finish(pages.small_page(200))


class Page(Handler):
    """The page of a phone."""

    def get(self, code: str) -> None:
        self.known(code)
        if not self.request.path.endswith("/"):
            return self.redirect(f"{code}/")  # relative: a proxy may stand before
        self.finish(self.server.texts.phone_page)


class Screen(Handler):
    """The projector's page. It does nothing without the lecturer's key, which is behind the # of its address."""

    def get(self, code: str) -> None:
        self.known(code)
        self.finish(self.server.texts.screen_page)


class Text(Handler):
    """A script or a style sheet of a page."""

    def get(self, code: str, name: str) -> None:
        self.known(code)
        kind = "text/javascript" if name.endswith(".js") else "text/css"
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.finish(self.server.texts.by_name[name])


class Map(Handler):
    """What a page needs to begin to follow."""

    async def get(self, code: str, number: str) -> None:
        self.known(code)
        broadcast = self.followed(number)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.finish(await self.server.loop.run_in_executor(self.server.workers, broadcast.begin))


class Try(Handler):
    """A page in which a student goes on alone. It brings its own policy, and runs nothing but its own script."""

    async def get(self, code: str, number: str) -> None:
        self.known(code)
        broadcast = self.followed(number)
        try:
            page = await self.server.loop.run_in_executor(self.server.workers, broadcast.page)
        except ValueError as error:
            self.set_status(409)
            self.finish(pages.small_page(409, str(error)))
            return
        self.set_header("Content-Security-Policy", "frame-ancestors 'self'")
        self.finish(page)


class Draw(Handler):
    """The field to draw in. It brings its own policy, too."""

    def get(self, code: str, number: str) -> None:
        self.known(code)
        field = self.server.field
        if field is None or field[0] != int(number):
            raise tornado.web.HTTPError(404)
        self.set_header("Content-Security-Policy", "frame-ancestors 'self'")
        self.finish(field[1])


class Course(Handler):
    """A page of the course, from the lecturer's folder."""

    def get(self, code: str, name: str) -> None:
        self.known(code)
        folder = self.server.folder
        if folder is None or name not in self.server.pages:
            raise tornado.web.HTTPError(404)
        self.set_header("Content-Security-Policy", "frame-ancestors 'self'")
        self.finish((folder / name).read_bytes())
