"""The outputs of a cell as HTML for a page: texts, tables, pictures, and places where views are drawn."""

import base64
import html
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from notebook_sne.course.view_store import FIGURE, OUTCOMES, PLACE

__all__ = ["joined", "output_html"]

_WIDGET = "application/vnd.jupyter.widget-view+json"
_RISKY = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_PICTURES = "image/png", "image/jpeg", "image/gif"
_STYLE = re.compile(r"<style[^>]*>.*?</style>", re.DOTALL | re.IGNORECASE)
_SCRIPT = re.compile(r"<script[^>]*>.*?</script>", re.DOTALL | re.IGNORECASE)


def output_html(output: Any, views: Path) -> str:
    """Return one output of a cell as HTML; empty if a page has no use for it, as for a bar of progress.

    The output is a stream, or data of several kinds, and the best is taken; the files of the views are in `views`.
    """
    if output.output_type == "stream":
        return _text(output.text) if output.name == "stdout" else ""
    data = output.get("data", {})
    if PLACE in data:
        return _views(data[PLACE]["views"], views)
    if OUTCOMES in data:
        return _outcomes(data[OUTCOMES])
    if FIGURE in data:
        return _figure(data[FIGURE])
    if _WIDGET in data:
        return ""
    if "image/svg+xml" in data:
        drawn = data["image/svg+xml"]
        titled = _TITLE.search(drawn)
        said = {"said": html.unescape(titled[1])} if titled else {}
        return _picture("image/svg+xml", base64.b64encode(drawn.encode()).decode(), **said)
    for kind in _PICTURES:
        if kind in data:
            return _picture(kind, data[kind].replace("\n", ""))
    if not "".join(data.get("text/html", "-")).strip():  # a line that has gone, such as that a view is coming
        return ""
    if "text/html" in data:
        # The policy of the page lets no script run, whatever is in here: what is left out would only be dead weight.
        return f'<div class="table" tabindex="0">{_SCRIPT.sub("", _STYLE.sub("", data["text/html"]))}</div>\n'
    return _text(data["text/plain"]) if data.get("text/plain") else ""


def _text(text: str) -> str:
    return f'<pre class="output" tabindex="0">{html.escape(_COLORS.sub("", text).rstrip())}</pre>\n'


def _picture(kind: str, packed: str, said: str = "Picture, as the text says") -> str:
    return f'<p class="picture"><img src="data:{kind};base64,{packed}" alt="{html.escape(said)}"></p>\n'


def _figure(item: Any) -> str:
    said = "; ".join(dict.fromkeys(_titles(item))) or "as the text says"
    label = html.escape(f"Figure: {said}")
    return f'<div class="figure" data-figure tabindex="0" role="group" aria-label="{label}">{_json(item)}</div>\n'


def _titles(item: Any) -> list[str]:
    """Return what stands over the plots of a figure of Bokeh."""
    if isinstance(item, list):
        return [title for part in item for title in _titles(part)]
    if not isinstance(item, dict):
        return []
    told = item.get("attributes", {})
    # A title over several plots is HTML without an element; what has marks in it is a legend.
    own = told.get("text") if item.get("name") == "Title" else None
    if isinstance(own, dict):  # PlainText, as all titles of ours are
        own = own.get("attributes", {}).get("text")
    elif item.get("name") == "bokeh.models.dom.HTML" and "<" not in told["html"]:
        own = html.unescape(told["html"])
    return [*([own] if isinstance(own, str) and own else []), *_titles(list(item.values()))]


def _outcomes(told: Any) -> str:
    """Return the results, folded, for readers without scripts; the page's script hides them until a prediction."""
    rows = [f"<p><b>{html.escape(one['question'])}</b><br>{html.escape(one['found'])}</p>" for one in told["outcomes"]]
    folded = f"<details><summary>What was found</summary>{''.join(rows)}</details>"
    kind = "table" if told["table"] else "one"
    return f'<div class="outcomes" data-outcomes="{kind}">{folded}{_json(told["outcomes"])}</div>\n'


def _json(what: Any) -> str:
    text = json.dumps(what, allow_nan=True, separators=(",", ":")).translate(_RISKY)
    return f'<script type="application/json">{text}</script>'


def _views(places: list[dict[str, str]], folder: Path) -> str:
    return f'<div class="views" data-count="{len(places)}">{"".join(_view(place, folder) for place in places)}</div>\n'


def _view(place: dict[str, str], folder: Path) -> str:
    view = json.loads((folder / f"{place['name']}.json").read_text(encoding="utf-8"))
    if view["kind"] == "none":
        return f'<p class="why">This view is not in the page. {html.escape(view["why"])}</p>'
    why = f'<p class="why">It does not compute here: {html.escape(view["why"])}</p>' if view["why"] else ""
    heading = f"<h3>{html.escape(place['heading'])}</h3>" if place["heading"] else ""
    still = f'<div class="still">{view["still"]}</div>' if view.get("still") else ""
    return (
        f'<div class="view" data-view="{view["kind"]}">{heading}<div class="mount"></div>{why}{still}'
        f'<script type="application/json">{view["text"]}</script></div>'
    )


def joined(outputs: Iterable[Any]) -> list[Any]:
    """Return outputs with what was printed piece by piece as one."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last is not None and _printed(last) and _printed(output):
            last.text += output.text
        else:
            joined.append(output)
    return joined


def _printed(output: Any) -> bool:
    return bool(output.output_type == "stream" and output.name == "stdout")
