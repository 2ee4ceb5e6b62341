"""What every figure has in common: ground, type, tools, legend, and the plane of a map."""

import math

from bokeh.core.properties import value
from bokeh.models import (
    BoxZoomTool,
    HoverTool,
    Legend,
    LegendItem,
    PanTool,
    PlainText,
    Range1d,
    ResetTool,
    SaveTool,
    Title,
    WheelZoomTool,
)
from bokeh.plotting import figure

from notebook_sne.views.objects import shorten
from notebook_sne.views.palette import FONT, GROUND, INK, RULE, SOFT

__all__ = ["add_legend", "empty_figure", "hover", "map_figure", "swatch"]

_ROW = 30


def empty_figure(title, **options):
    """Return a calm figure: white ground, no frame, a left-aligned title that is text and nothing else."""
    p = figure(tools=[], **options)
    p.background_fill_color = p.border_fill_color = GROUND
    p.outline_line_color = None
    p.min_border = 12
    p.toolbar.logo = None
    p.toolbar.autohide = True
    if title:
        # PlainText, as Bokeh would set what stands between dollar signs as a formula.
        p.title = Title(text=PlainText(title), standoff=12)
        p.title.text_color = INK
        p.title.text_font = FONT
        p.title.text_font_size = "17px"
    else:
        p.title = None
    for axis in p.axis:
        axis.axis_line_color = RULE
        axis.major_tick_line_color = None
        axis.minor_tick_line_color = None
        axis.major_label_text_color = axis.axis_label_text_color = SOFT
        axis.major_label_text_font = axis.axis_label_text_font = FONT
        axis.major_label_text_font_size = axis.axis_label_text_font_size = "14px"
        axis.axis_label_text_font_style = "normal"
    return p


def map_figure(title, window, size):
    """Return an empty map: equal scale on both axes, neither ticks nor grid, as only neighbourhoods mean anything."""
    p = empty_figure(
        title,
        frame_width=size,
        frame_height=size,
        x_range=Range1d(window.left, window.right),
        y_range=Range1d(window.low, window.high),
    )
    p.axis.visible = False
    p.grid.visible = False
    p.outline_line_color = RULE
    # Every tool keeps the scale of both axes equal.
    wheel = WheelZoomTool(zoom_on_axis=False)
    p.add_tools(PanTool(), wheel, BoxZoomTool(match_aspect=True), ResetTool(), SaveTool())
    return p


def hover(p, renderers, columns, **options):
    """Let the figure say what is under the pointer: a row for each column, as (what it is called, column).

    Rows are pairs, not a text with tags: Bokeh then sets what a column holds as text, so that a name such as
    ``<img onerror=...>`` is read and not run.
    """
    tool = HoverTool(renderers=renderers, tooltips=[(row, f"@{column}") for row, column in columns], **options)
    if "limit" in HoverTool.properties():  # newer Bokehs only
        tool.limit = 1  # tooltips of a crowd would hide one another
    p.add_tools(tool)
    return tool


def add_legend(p, items, click_policy="none"):
    """Put a legend to the right of the figure: items are (text, renderers), shown as text."""
    legend = Legend(
        # value(...), as a bare string could be taken for the name of a column.
        items=[LegendItem(label=value(shorten(text)), renderers=list(renderers)) for text, renderers in items],
        click_policy=click_policy,
        ncols=math.ceil(len(items) / (p.frame_height // _ROW)),
        border_line_color=None,
        background_fill_color=None,
        label_text_color=INK,
        label_text_font=FONT,
        label_text_font_size="15px",
        label_standoff=2,
        # A mark fills two fifths of its cell.
        glyph_width=_ROW,
        glyph_height=_ROW,
        spacing=0,
        padding=0,
        margin=12,
    )
    p.add_layout(legend, "right")
    return legend


def swatch(p, shape, fill):
    """Return a mark for the legend alone: it stands nowhere. Bokeh draws none for a renderer without any object."""
    return p.scatter([math.nan], [math.nan], marker=shape, fill_color=fill, line_color=None)
