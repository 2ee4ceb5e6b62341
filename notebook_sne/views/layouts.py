"""Several figures together: as many in a row as fit, on one background, under one title and one legend."""

from html import escape

from bokeh.models import Column, Pane, Row
from bokeh.models.dom import HTML

from notebook_sne.views.objects import shortened
from notebook_sne.views.palette import FONT, GROUND, INK, color, marker
from notebook_sne.views.static import mark_path

__all__ = ["gather"]


def gather(figures: list, title: str, most_width: int, told=()):
    """Return a layout of figures in rows of at most this width, in pixels, and fewer in a row where a page is narrow.

    They are laid out from left to right, then down. The title says what they show together; it is set as text, empty
    for none. `told` is what a legend above the figures says of classes, as of `legend_of`.
    """
    parts = []
    if title:
        look = {"font": f"600 17px {FONT}", "color": INK, "padding": "10px 0 0 8px"}
        parts.append(Pane(elements=[HTML(html=escape(title))], styles=look))
    if told:
        parts.append(_legend(told))
    for figure in figures:
        figure.styles = {"flex": "0 0 auto"}  # otherwise they would grow into the room beside them, and lose an edge
    parts.append(Row(*figures, sizing_mode="stretch_width", styles={"flex-wrap": "wrap"}))
    ground = {"max-width": f"{most_width}px", "background-color": GROUND}
    return Column(*parts, sizing_mode="stretch_width", styles=ground)


def _legend(told):
    """Return what colors and shapes mean, in lines as long as the page is wide."""
    items = []
    for text, group in zip(shortened([group.text for group in told]), told, strict=True):
        mark = f'<path fill="{color(group.k)}" d="{mark_path(marker(group.k), 6)}"/>'
        mark = f'<svg width="16" height="16" viewBox="-8 -8 16 16">{mark}</svg>'
        # Escaped, so that no name can add an element.
        items.append(f'<span style="white-space:nowrap">{mark} {escape(text)}</span>')
    look = {"font": f"15px {FONT}", "color": INK, "padding": "6px 8px 0", "max-width": "100%"}
    gaps = '<div style="display:flex;flex-wrap:wrap;gap:4px 18px;align-items:center">'
    return Pane(elements=[HTML(html=f"{gaps}{''.join(items)}</div>")], styles=look)
