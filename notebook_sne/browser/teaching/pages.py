"""What the server of a class hands out: pages, their scripts and styles, made once; and what they may do.

Names, questions and answers never stand in a page: they come over the line, and are set as text.
"""

from __future__ import annotations

import html
from typing import Any

from notebook_sne.browser.frontend import bundle
from notebook_sne.browser.frontend.page import checksum

__all__ = ["POLICY", "Texts", "small_page"]

_SMALL = (
    ":root{color-scheme:light dark}"
    "body{max-width:28em;margin:12vh auto;padding:0 20px;font:18px/1.5 system-ui,sans-serif}"
    "input,button{min-height:56px;padding:0 16px;font:inherit}input{width:9em;text-transform:uppercase}"
)
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {checksum(_SMALL)}; img-src data: blob:; "
    "connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
"""All that a page of a class may load comes from the class itself."""

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
{rest}
"""
_PAGE = _HEAD + '</head>\n<body data-shows="words">\n<noscript>{noscript}</noscript>\n</body>\n</html>\n'
_LOADS = '<link rel="stylesheet" href="{name}.css">\n<script type="module" src="{name}.js"></script>'


class Texts:
    """The texts of one server."""

    def __init__(self) -> None:
        self.address: dict[str, Any] = {}
        """Where the class is found, as `Address` in frontend/teaching/types.d.ts."""
        self.phone_page = _page("phone", "Class")
        self.screen_page = _page("screen", "Class: the screen")
        self.by_name = {
            "phone.js": bundle.join_modules(*bundle.PHONE_MODULES),
            "phone.css": bundle.join_styles(*bundle.PHONE_STYLES),
            "screen.js": bundle.join_modules(*bundle.SCREEN_MODULES),
            "screen.css": bundle.join_styles(*bundle.SCREEN_STYLES),
            "player.js": bundle.join_modules(*bundle.PLAYER_MODULES),
            "player.css": bundle.join_styles(*bundle.PLAYER_STYLES),
        }


def _page(name: str, title: str) -> str:
    return _PAGE.format(
        title=html.escape(title), rest=_LOADS.format(name=name),
        noscript="This page needs scripts: its own, which load nothing else.",
    )  # fmt: skip


def small_page(status: int, why: str = "") -> str:
    """Return a page of a few words: a field for the code, or why something isn't to be had."""
    said = {
        200: "Type the code that stands on the screen.",
        404: "There is no such class here. Look at the code on the screen.",
        429: "Too many wrong codes. Wait a minute.",
    }.get(status, why or "This is not available now.")
    field = (
        '<form method="get"><label>Code <input name="code" maxlength="6" autocomplete="off"></label> '
        "<button>Join</button></form>"
    )
    head = _HEAD.format(title="Class", rest=f"<style>{_SMALL}</style>")
    return f"{head}</head>\n<body>\n<p>{html.escape(said)}</p>\n{field if status == 200 else ''}\n</body>\n</html>\n"
