"""One HTML file of what lectures show: its style, its scripts, and a policy that lets nothing else run or load."""

import html
from collections.abc import Iterable
from functools import cache

import bokeh.resources

import notebook_sne
from notebook_sne.browser.frontend.bundle import (
    DRAWING_MODULES,
    DRAWING_STYLES,
    EXPLORER_MODULES,
    EXPLORER_STYLES,
    LIVE_MODULES,
    PLAYER_MODULES,
    PLAYER_STYLES,
    PREDICTION_MODULES,
    PREDICTION_STYLES,
    join_modules,
    join_styles,
    scope_of,
)
from notebook_sne.browser.frontend.film_page import KERNELS
from notebook_sne.browser.frontend.page import HEAD, checksum, text_of

__all__ = ["bokeh_library", "computes", "modules_script", "sheet", "view_styles"]

_COMPILED = "'wasm-unsafe-eval'"
_PAGE = (
    HEAD
    + """\
{first}</head>
<body>
{body}
{kernels}{last}</body>
</html>
"""
)


def sheet(
    title: str, body: str, *, style: str, libraries: Iterable[str] = (), script: str = "", live: bool = False
) -> bytes:
    """Return an HTML file.

    `body` is HTML; `libraries` are scripts of others, which run first, `script` an ES module of ours. With `live` the
    file holds the compiled kernels, and its policy lets that module run them.
    """
    first = [library.replace("</script", "<\\/script") for library in libraries]
    allowed = " ".join(map(checksum, [*first, *([script] if script else [])])) or "'none'"
    policy = (  # styles may stand anywhere, as figures write theirs themselves
        f"default-src 'none'; script-src {allowed}{' ' + _COMPILED if live else ''}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    kernels = f'<script type="application/json" id="nsne-kernels">{_kernels()}</script>\n' if live else ""
    page = _PAGE.format(
        policy=policy, version=notebook_sne.__version__, title=html.escape(title),
        style=f"\n{style}", first="".join(f"<script>{library}</script>\n" for library in first), body=body,
        kernels=kernels, last=f'<script type="module">{script}</script>\n' if script else "",
    )  # fmt: skip
    return page.encode("utf-8")


def computes(text: str) -> bool:
    """Return whether a view in a text runs compiled code, for which its page is to be `live`."""
    return 'data-view="live' in text or 'data-view="drawing"' in text


@cache
def view_styles() -> str:
    """Return the styles of all that a lecture may show."""
    return join_styles(*dict.fromkeys([*PLAYER_STYLES, *EXPLORER_STYLES, *PREDICTION_STYLES, *DRAWING_STYLES]))


def modules_script(modules: Iterable[str], begin: str) -> str:
    """Return the front end with these modules, and a call of `begin`, which they define, with the widgets by kinds."""
    shown = {"film": PLAYER_MODULES, "explorer": EXPLORER_MODULES, "prediction": PREDICTION_MODULES}
    shown |= {"live": shown["film"], "live explorer": shown["explorer"], "drawing": DRAWING_MODULES}
    widgets = ", ".join(f'"{kind}": {scope_of(of[-1])}.default' for kind, of in shown.items())
    views = [*PLAYER_MODULES, *EXPLORER_MODULES, *PREDICTION_MODULES, *DRAWING_MODULES, *LIVE_MODULES]
    joined = join_modules(*dict.fromkeys([*views, *modules]))
    return f"\n{joined}\n{begin}({{ {widgets} }});\n"


@cache
def _kernels() -> str:
    return text_of({"kernels": KERNELS.read_bytes()})


@cache
def bokeh_library() -> str:
    """Return the library that draws figures, without its widgets: ours have none."""
    found: list[str] = bokeh.resources.Resources(mode="inline", components=["bokeh"]).js_raw
    return "\n".join(found)
