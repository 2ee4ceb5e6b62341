"""The front end of a kind of widgets, held once: by a widget of its own, to which each of them points.

Each widget could carry the whole text, as is usual. A notebook that is saved with ten players would then hold it ten
times, and a page would read it ten times.
"""

from functools import cache

import anywidget
import ipywidgets
import traitlets

from notebook_sne.browser.frontend.bundle import join_modules, join_styles, packed
from notebook_sne.browser.widgets.fallback_image import Still
from notebook_sne.engine.machine.process import has_kernel

__all__ = ["FrontEnd", "View", "front_end"]


class FrontEnd(ipywidgets.Widget):
    """The modules and styles of a kind of widgets. It shows nothing itself."""

    name = traitlets.Unicode().tag(sync=True)
    """Names the style sheet in the page. Python to browser, fixed."""

    code = traitlets.Unicode().tag(sync=True)
    """One ES module, as of a widget that carries its own, `packed`. Python to browser, fixed."""

    style = traitlets.Unicode().tag(sync=True)
    """One style sheet, `packed`. Python to browser, fixed."""


class View(Still, anywidget.AnyWidget):
    """A widget of ours, with a front end that it shares and a still picture; not used by itself."""

    _esm = join_modules("shared/packed.js", "shared/view.js")
    _modules: tuple[str, ...] = ()
    _styles: tuple[str, ...] = ()

    _front = traitlets.Instance(FrontEnd, allow_none=True).tag(sync=True, **ipywidgets.widget_serialization)
    """The front end; None where this widget carries its own. Python to browser, fixed."""

    def __init__(self, **traits):
        # Elsewhere a page may not find one widget through another, or may keep their styles apart, as marimo does.
        if has_kernel():
            traits["_front"] = front_end(self._modules, self._styles)
        else:
            self._esm, self._css = _joined(self._modules, self._styles)
        super().__init__(**traits)

    def _handle_custom_msg(self, content, buffers):
        super()._handle_custom_msg(content if isinstance(content, dict) else {}, buffers)  # a page may send anything


_made: dict[tuple, FrontEnd] = {}


def front_end(modules, styles):
    """Return the FrontEnd of these modules and styles, the same one until it is closed."""
    front = _made.get((modules, styles))
    if front is None or front.comm is None:
        code, style = (packed(text.encode()) for text in _joined(modules, styles))
        front = _made[modules, styles] = FrontEnd(name=f"nsne-style-{modules[-1]}", code=code, style=style)
    return front


@cache
def _joined(modules, styles):
    """Return the front end as text."""
    return join_modules(*modules), join_styles(*styles)
