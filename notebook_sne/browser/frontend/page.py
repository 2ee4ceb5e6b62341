"""Pages: a view as one HTML file that any browser opens from disk.

A page needs no kernel and no network. It holds the same ES modules and styles that a notebook loads, the traits of the
widget as JSON, and a small stand-in for the notebook's model object (``page.js``). Names, labels and titles may come
from anyone: they are data that no browser takes for markup, and a content security policy lets nothing run but the one
script whose checksum it names, and nothing load at all. A page that computes holds compiled kernels as well: its policy
alone lets that script run WebAssembly.
"""

import base64
import hashlib
import html
import json
import math
import re

import numpy as np

import notebook_sne
from notebook_sne.browser.frontend import bundle
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine import files

__all__ = ["HEAD", "checksum", "is_ours", "page_of", "text_of", "write_page"]

KINDS = {
    "film": (bundle.PLAYER_MODULES, bundle.PLAYER_STYLES),
    "live": (bundle.PLAYER_MODULES, bundle.PLAYER_STYLES),
    "explorer": (bundle.EXPLORER_MODULES, bundle.EXPLORER_STYLES),
    "live explorer": (bundle.EXPLORER_MODULES, bundle.EXPLORER_STYLES),
    "two norms": (bundle.TWO_NORMS_MODULES, bundle.TWO_NORMS_STYLES),
    "drawing": (bundle.DRAWING_MODULES, bundle.DRAWING_STYLES),
    "comparison": (tuple(dict.fromkeys([*bundle.PLAYER_MODULES, *bundle.COMPARE_MODULES])), bundle.COMPARE_STYLES),
}

# What a text in a <script> element could end it with, or be taken for; in JSON they stand inside strings only.
_RISKY = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
# Half of a surrogate pair is no character, so no file can hold it; the others would act in the title of a window.
_NOT_IN_A_TITLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]+")

_MADE_BY = b'<meta name="generator" content="notebook_sne'

NO_SCRIPT = (
    "This page draws its maps by a script that it holds itself and that loads nothing. Allow scripts for this file to "
    "see them."
)

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="notebook_sne {version}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
"""
"""With which every page begins: a title and a style in it, its policy and maker; no address of it leaks."""

_PAGE = (
    HEAD
    + """\
</head>
<body>
<main id="nsne-view"></main>
<noscript>{noscript}</noscript>
<script type="application/json" id="nsne-data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""
)


def write_page(path, *, kind: str, traits: dict, title: str, parts=()):
    """Write a view as one HTML file, whole or not at all, and return its path.

    A file that is there already is replaced. `kind` says which front end shows the traits: "film", "live", "explorer",
    "live explorer", "two norms", "drawing" or "comparison"; "live" is a player or an explorer with a run of its own.
    The traits are what a widget of this kind would give the browser: JSON values, and bytes. `title` is what the
    browser calls the page. `parts` are the traits of the films of a comparison. Raises a ValueError if there is no such
    kind, an OSError if the file can't be written; one that was there is then as it was.
    """
    return files.write(path, page_of(kind=kind, traits=traits, title=title, parts=parts))


def page_of(*, kind, traits, title, parts=()):
    """Return the page as bytes; parameters and errors are those of `write_page`."""
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {show(kind)}")
    modules, styles = KINDS[kind]
    live = kind.startswith("live")
    style, script = f"\n{bundle.join_styles(*styles, *bundle.PAGE_STYLES)}", _script(modules, live)
    page = _PAGE.format(
        noscript=NO_SCRIPT,
        policy=_policy(style, script, computes=live or kind == "drawing"),
        version=notebook_sne.__version__,
        title=html.escape(_NOT_IN_A_TITLE.sub(" ", str(title)).strip() or "notebook_sne"),
        style=style,
        data=text_of(traits, parts),
        script=script,
    )
    return page.encode("utf-8")


def _script(modules, live):
    """Return the modules of a notebook, with those of the page behind them, which shows what the last one exports."""
    shown = bundle.scope_of(modules[-1])
    call, more = ("openLivePage", bundle.LIVE_MODULES) if live else ("openPage", bundle.PAGE_MODULES)
    widgets = f"{shown}.default"
    if modules[-1] == bundle.COMPARE_MODULES[-1]:
        call, more = "openTogether", bundle.TOGETHER_MODULES
        widgets += f", {bundle.scope_of(bundle.PLAYER_MODULES[-1])}.default"
    text = bundle.join_modules(*dict.fromkeys([*modules, *more]))
    if re.search(r"</script|<!--", text, re.IGNORECASE):
        raise ValueError("the modules must hold nothing that ends or hides a script in a page")
    return f"\n{text}\n{call}({widgets});\n"


def is_ours(page):
    """Return whether a file, a Path, is a page of this package, in which nothing but its own script runs."""
    with page.open("rb") as file:
        return _MADE_BY in file.read(4000)


def checksum(text):
    """Return how a content policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _policy(style, script, computes):
    compiled = " 'wasm-unsafe-eval'" if computes else ""
    return (
        f"default-src 'none'; script-src {checksum(script)}{compiled}; style-src {checksum(style)}; "
        "img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def text_of(traits, parts=()):
    """Return traits, and those of the parts of a view, as JSON of plain ASCII that can't end the element it is in."""
    data = _packed(traits) | ({"parts": [_packed(part) for part in parts]} if parts else {})
    return json.dumps(data, allow_nan=False, separators=(",", ":")).translate(_RISKY)


def _packed(traits):
    held = {name: value for name, value in traits.items() if isinstance(value, bytes)}
    data = {"traits": {name: _finite(value) for name, value in traits.items() if name not in held}}
    if held.get("film"):
        held["film"], data["film"] = _differences(held["film"])
    data["bytes"] = {name: bundle.packed(value) for name, value in held.items()}
    return data


def _differences(film):
    """Return a film with each map but the first as differences from the one before: zlib makes 2/3 of their bytes."""
    length = int.from_bytes(film[:4], "little")
    begin, stride = 4 * math.ceil((4 + length) / 4), 2 * json.loads(film[4 : 4 + length])["n_objects"]
    maps = np.frombuffer(film, "<u2", offset=begin).reshape(-1, stride)
    steps = maps.copy()
    steps[1:] -= maps[:-1]  # whole numbers without a sign wrap around, and wrap back when they are added up
    return film[:begin] + steps.tobytes(), {"begin": begin, "stride": stride}


def _finite(value):
    """Return a value with None in place of numbers that JSON cannot write."""
    if isinstance(value, dict):
        return {str(name): _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
