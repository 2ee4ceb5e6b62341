"""Bokeh figures on a page that can still change: a widget with BokehJS inside, and nothing to install or to fetch.

Bokeh's own ``push_notebook`` asks for the extension of jupyter_bokeh in JupyterLab, which must be installed where
Jupyter is and not where the kernel is, and takes 5 MB there; both want BokehJS in the page before. anywidget is here
already, and works wherever widgets do. So the figures travel once as Bokeh's own document, and then what changes in
them does: columns of numbers as bytes, and the ends of ranges.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import anywidget
import bokeh
import ipywidgets
import numpy as np
import traitlets
from bokeh.embed import json_item
from bokeh.embed.notebook import notebook_content
from bokeh.io.notebook import install_notebook_hook, load_notebook, show_app, show_doc
from bokeh.io.state import curstate
from bokeh.models import ColumnDataSource, LayoutDOM
from IPython.display import publish_display_data

from notebook_sne.browser.frontend.bundle import join_modules, packed

__all__ = ["Changes", "Screen", "output_notebook"]

# Runs a packed script in a notebook, after BokehJS, and once its place is in the page: of a notebook that is opened,
# JupyterLab runs the scripts of all cells, and puts into the page those cells that are looked at.
_RUN = """Promise.all([new Response(
  new Blob([Uint8Array.from(atob("{packed}"), (sign) => sign.charCodeAt(0))])
    .stream().pipeThrough(new DecompressionStream("deflate"))).text(), globalThis.nsneBokeh])
  .then(([text]) => {{
    const run = () => ("{place}" && !document.getElementById("{place}") ? setTimeout(run, 200) : globalThis.eval(text));
    run();
  }});"""


def _packed() -> str:
    """Return core BokehJS, packed, the same each time: a notebook that is run again does not differ by it."""
    return packed((Path(bokeh.__file__).parent / "server" / "static" / "js" / "bokeh.min.js").read_bytes())


def output_notebook() -> None:
    """Load BokehJS into a notebook, so that ``bokeh.io.show`` shows figures there.

    The function of this name in ``bokeh.io`` loads it from a network, or from this machine as 8 MB that the notebook is
    saved with; this one loads its core alone, packed: 0.5 MB, from this machine. Figures are packed as well.
    """
    with suppress(RuntimeError):  # it is there, or the page of a lecture takes figures in a way of its own
        install_notebook_hook("notebook_sne", load_notebook, _show, show_app)
    curstate().output_notebook("notebook_sne")
    load = f'if (!globalThis.Bokeh?.["{bokeh.__version__}"]) globalThis.nsneBokeh = '
    script = load + _RUN.format(packed=_packed(), place="")
    publish_display_data({"application/javascript": script, "text/plain": ""})


def _show(figure, state, handle=False):
    if handle:
        return show_doc(figure, state, handle)
    script, element, _ = notebook_content(figure)
    run = _RUN.format(packed=packed(script.encode()), place=re.findall('id="([^"]+)"', element)[0])
    publish_display_data({"text/html": element, "text/plain": ""})
    publish_display_data({"application/javascript": run, "text/plain": ""})


class Library(ipywidgets.Widget):
    """BokehJS, held once for all figures. It shows nothing itself."""

    version = traitlets.Unicode().tag(sync=True)
    """Of Bokeh. Python to browser, fixed."""

    packed = traitlets.Unicode().tag(sync=True)
    """The script of that version, `packed`. Python to browser, fixed."""


_library: Library | None = None


def _the_library():
    """Return the Library of this process, the same one until it is closed."""
    global _library
    if _library is None or _library.comm is None:
        _library = Library(version=bokeh.__version__, packed=_packed())
    return _library


class Changes:
    """The changes of some figures, gathered for one message."""

    def __init__(self) -> None:
        self.columns: list[list[str]] = []
        self.buffers: list[bytes] = []
        self.values: dict[str, dict[str, Any]] = {}

    def replace(self, source: ColumnDataSource, columns: dict[str, Any], *, single: bool = False) -> None:
        """Put numbers in the place of whole columns; in single precision, if that is enough for what is drawn."""
        arrays = {name: np.ascontiguousarray(column, "<f4" if single else "<f8") for name, column in columns.items()}
        for name, array in arrays.items():
            self.columns.append([source.id, name, "f4" if single else "f8"])
            self.buffers.append(array.tobytes())
        source.data = {**source.data, **arrays}

    def set(self, model: Any, **values: Any) -> None:
        """Set properties, such as the ends of a range."""
        self.values.setdefault(model.id, {}).update(values)
        model.update(**values)


class Screen(anywidget.AnyWidget):
    """Figures on a page. Python alone changes them; a page that is opened later shows them as they were kept last."""

    _esm = join_modules("shared/buffers.js", "shared/packed.js", "figure/figure.js")

    _library = traitlets.Instance(Library).tag(sync=True, **ipywidgets.widget_serialization)
    """BokehJS. Python to browser, fixed."""

    document = traitlets.Unicode().tag(sync=True)
    """Bokeh's document as JSON, empty before there is one. Python to browser."""

    note = traitlets.Unicode().tag(sync=True)
    """What is said below the figures. Python to browser."""

    def __init__(self, **traits):
        super().__init__(_library=_the_library(), **traits)

    def keep(self, layout: LayoutDOM) -> None:
        """Keep the figures as they are now, for a page that shows them first or anew."""
        self.document = json.dumps(json_item(layout)["doc"])

    def change(self, changes: Changes) -> None:
        """Change the figures on all pages that show them."""
        self.send({"kind": "update", "columns": changes.columns, "values": changes.values}, changes.buffers)
