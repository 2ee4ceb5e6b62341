"""The picture of a widget that can't run: a still with its caption, in the notebook's own outputs.

A widget is two outputs of its cell. The first is the still: HTML with a picture inside, which GitHub, nbviewer, mail,
``nbconvert`` and a JupyterLab without the widget's state all show; it is replaced when the run rests, and now and then
while it goes on. The second is the live view, and is never changed again: replacing it would build the view a second
time. One output can't hold both: a notebook shows one of them, and chooses the live view before it knows whether that
works. So a style of its own hides the still, and applies only while the live view is on the page.
"""

import base64
import time
import weakref
from collections.abc import Callable

import numpy as np
from IPython.display import publish_display_data

from notebook_sne.browser.widgets.cells import asked_by_program
from notebook_sne.browser.widgets.import_progress import take_line
from notebook_sne.browser.widgets.texts import as_sent
from notebook_sne.engine.objects.labels import UNLABELED, Labels
from notebook_sne.engine.objects.repr_html import escape
from notebook_sne.models import label_of, unit_of
from notebook_sne.views.objects import shorten, shortened
from notebook_sne.views.palette import marker
from notebook_sne.views.raster import png

__all__ = ["Still", "caption_of", "escape", "figure", "legend", "picture", "scale_of"]

REST = 1.0  # s between stills of a run that rests, at least: a script may do one iteration after the other
GOING = 10.0  # s between stills of a run that goes on, at least
SHARE = 40  # and so many times what the last one took: frames wait meanwhile
FIRST = 3.0  # s until the first one of those
SILENT = 5.0  # s without a message after which no page seems to show a run that goes on

_WIDGET = "application/vnd.jupyter.widget-view+json"
_MOST_CLASSES = 24  # in a legend
_SIGN = 14  # pixels: side of a mark in it
_SIGNS = {
    "circle": "●", "square": "■", "triangle": "▲", "diamond": "◆", "inverted_triangle": "▼", "plus": "✚", "star": "★",
    "cross": "✖",
}  # fmt: skip

# While the live view with this key is on the page, its still is not shown. Where JupyterLab does not find the live view
# in a notebook saved without it, it writes one line of text and no element: the still says in words what to do instead.
_STYLE = """body:has([data-key="{key}"]) .nsne-still-{own} {{ display: none; }}
.jp-OutputArea-child:has(.nsne-still-{own}) + .jp-OutputArea-child:has(> .jupyter-widgets):not(:has(> \
.jupyter-widgets > *)) {{ display: none; }}"""


class Still:
    """A widget that leaves a still picture of itself. Made by inheritance, before the class of the widget.

    A subclass says what is shown: ``_still_facts()``, a value that changes whenever the picture does,
    ``_still_html()``, as HTML, and ``_still_text()``, as one line of text.
    """

    comm: object
    key: str
    model_id: str
    _still_facts: Callable
    _still_html: Callable
    _still_text: Callable

    _still_shown = False
    _still_line: str | None = None
    _still_of: object = None
    _still_at = -1e9
    _still_took = 0.0  # s

    def _still_key(self):
        """Return the key of the view that stands for this widget on the page, and the still's own."""
        return self.key, self.key

    @property
    def _still_id(self):
        return self._still_line or f"notebook_sne-{self._still_key()[1]}"

    def __repr__(self):
        return self._still_text()

    def _repr_mimebundle_(self, **_):
        """Return the live view and its still as one bundle, for hosts that ask for one."""
        return {_WIDGET: self._view(), **self._still_bundle()}

    def _ipython_display_(self):
        """Show the still, and the live view below it."""
        if asked_by_program():
            self._wait_for_still()
        self._still_shown = True
        self._still_of, self._still_at = self._still_facts(), time.monotonic() + FIRST - GOING
        self._still_line = take_line()  # which said that a view is coming, and becomes the still
        there = self._still_line is not None
        publish_display_data(self._still_bundle(), transient={"display_id": self._still_id}, update=there)
        if self.comm is not None:  # it has not been taken off the page
            publish_display_data({_WIDGET: self._view(), "text/plain": ""})

    def _wait_for_still(self):
        """Wait until there is something to show, where that is under way."""

    def _view(self):
        return {"version_major": 2, "version_minor": 0, "model_id": self.model_id}

    def _still_bundle(self):
        key, own = self._still_key()
        style = _STYLE.format(key=key, own=own)
        # No formulas: a name with dollars in it is a name.
        inside = (
            f'<div class="nsne-still-{own} mathjax_ignore"><style>{style}</style>{self._still_html()}'
            "<p><small>A still picture. Run the cell again for the live view.</small></p></div>"
        )
        return {"text/html": as_sent(inside), "text/plain": as_sent(self._still_text())}

    def renew_still(self, rests=True, silence=0.0, last=False):
        """Replace the still where it is shown, if it shows something else by now and the last one is old enough.

        Parameters
        ----------
        rests : bool, default=True
            Whether the run rests. If it goes on, stills are rarer, and there are none while no page is open.
        silence : float, default=0
            Seconds since the browser's last message.
        last : bool, default=False
            Whether this is the last chance, so that no least time applies.
        """
        for shown in (self, *self.__dict__.get("_still_within", ())):
            shown._renew(rests, silence, last)

    def _renew(self, rests, silence, last):
        now = time.monotonic()
        wait = 0 if last else REST if rests else max(GOING, SHARE * self._still_took)
        if not self._still_shown or now - self._still_at < wait or (not rests and silence > SILENT):
            return
        facts = self._still_facts()
        if facts == self._still_of:
            return
        self._still_of, self._still_at = facts, now
        publish_display_data(self._still_bundle(), transient={"display_id": self._still_id}, update=True)
        self._still_took = time.monotonic() - now

    def _join_still(self, group):
        """Note that a widget shows this one among others."""
        self.__dict__.setdefault("_still_within", weakref.WeakSet()).add(group)


def figure(images: list[str], title: str, caption: str, key: str = "") -> str:
    """Return HTML of images in a row, under a title and over a caption.

    These two are plain text, the images and the key, which tells what colors and shapes mean, HTML.
    """
    heading = f"<p><b>{escape(title)}</b></p>" if title else ""
    return f"{heading}<div>{' '.join(images)}</div>{key}<p>{escape(caption)}</p>"


def picture(content, kind, width, height, words):
    """Return HTML of a picture that is held in the text itself."""
    data = base64.b64encode(content).decode()
    return f'<img src="data:image/{kind};base64,{data}" width="{width}" height="{height}" alt="{escape(words)}">'


def legend(groups=(), ends=(), title="", colors=()):
    """Return HTML that says what colors and shapes mean: those of Groups, the ends of a scale, or both, by a title.

    `colors` are those of the classes, as for `raster.png`.
    """

    def sign(shape, **shown):
        # A picture as the map is one: GitHub takes colors out of text, and a dark page hides dark ones.
        return picture(png([[0, 0]], size=_SIGN, **shown), "png", _SIGN, _SIGN, _SIGNS[shape])

    parts = [f"{sign('circle', values=[k])}&nbsp;{escape(ends[k])}" for k in (0, 1)] if ends else []
    parts = [f"{escape(shorten(title))}:", *parts] if title else parts
    classes = [group for group in groups if group.k != UNLABELED]
    shown = classes[:_MOST_CLASSES] + [group for group in groups if group.k == UNLABELED]
    parts += [
        f"{sign(marker(group.k), classes=[group.k], colors=colors)}&nbsp;{escape(text)}"
        for text, group in zip(shortened([group.text for group in shown]), shown, strict=True)
    ]
    if len(shown) < len(groups):
        parts.append(f"and {len(groups) - len(shown)} more")
    return f"<p>{' &ensp; '.join(parts)}</p>" if parts else ""


def scale_of(values, dates=False):
    """Return Labels of numbers, or of dates in ms since 1970, and the ends of their scale in words."""
    there = values[~np.isnan(values)]
    if not len(there):
        return Labels(), ()
    ends = there.min(), there.max()
    if dates:
        said = tuple(str(np.datetime64(int(end), "ms"))[:10] for end in ends)
    else:
        said = tuple(f"{end:.15g}" if end == round(end) and abs(end) < 1e15 else f"{end:.4g}" for end in ends)
    return Labels(values=values), said


def caption_of(model_name, iteration, cost, *more):
    """Return what a map is, in one line: its model, step and cost, and what else there is to say."""
    at = "" if iteration is None else f"step {iteration:,}"
    costs = "" if cost is None else f"cost {cost:.4g}{unit_of(model_name)}"
    return ", ".join(part for part in (label_of(model_name), at, costs, *more) if part)
