"""The common part of all figures: background, font, tools, legend, and the plane of a map."""

import math

import numpy as np
from bokeh.core.properties import value
from bokeh.models import (
    BasicTickFormatter,
    BoxZoomTool,
    ColorBar,
    ColumnDataSource,
    FixedTicker,
    HoverTool,
    Label,
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

from notebook_sne.views.names import Place, placed_classes
from notebook_sne.views.objects import shorten, shortened
from notebook_sne.views.palette import FONT, GROUND, INK, RULE, SOFT

__all__ = [
    "add_color_bar",
    "add_legend",
    "empty_figure",
    "hover",
    "map_figure",
    "round_ticks",
    "swatch",
    "write",
    "write_classes",
    "write_names",
]

_ROW = 30
_LETTER = 7.0  # pixels that a digit at a tick is wide
_SHORT = 2000.0  # from end to end of a logarithmic axis


def empty_figure(title, **options):
    """Return an empty figure: white background, no frame, a left-aligned title that is shown as plain text."""
    p = figure(tools=[], **options)
    # Beside a taller figure, it would grow or be moved down, and lose its lower edge.
    p.align, p.frame_align = "start", False
    p.background_fill_color = p.border_fill_color = GROUND
    p.outline_line_color = None
    p.min_border = 12
    p.toolbar.logo = None
    p.toolbar.autohide = True
    if title:
        # PlainText, as Bokeh would show text between dollar signs as a formula.
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
    """Return an empty map: equal scale on both axes, neither ticks nor grid, as only neighborhoods mean anything."""
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
    """Show what is under the pointer: a row for each column, given as (its name for the reader, column or $x).

    Rows are pairs, not a text with tags: Bokeh then shows what a column holds as text, so that a name such as
    ``<img onerror=...>`` is read and not run.
    """
    tooltips = [(row, column if column.startswith("$") else f"@{column}") for row, column in columns]
    tool = HoverTool(renderers=renderers, tooltips=tooltips, **options)
    if "limit" in HoverTool.properties():  # newer Bokehs only
        tool.limit = 1  # the tooltips of many marks would hide each other
    p.add_tools(tool)
    return tool


def add_legend(p, items, click_policy="none", lines=False):
    """Put a legend to the right of the figure: items are (text, renderers), shown as text.

    Lines fill their cell, marks two fifths of it: lines need room around it.
    """
    legend = Legend(
        # value(...), as Bokeh could take a string for the name of a column.
        items=[
            LegendItem(label=value(text), renderers=list(renderers))
            for text, (_, renderers) in zip(shortened([text for text, _ in items]), items, strict=True)
        ],
        click_policy=click_policy,
        ncols=math.ceil(len(items) / (p.frame_height // _ROW)),
        # Without a border there is no padding either; this border cannot be seen.
        border_line_color=GROUND if lines else None,
        border_line_alpha=0.01,
        background_fill_color=None,
        label_text_color=INK,
        label_text_font=FONT,
        label_text_font_size="15px",
        label_standoff=8 if lines else 2,
        glyph_width=_ROW,
        glyph_height=_ROW,
        spacing=0,
        padding=8 if lines else 0,
        margin=12,
    )
    p.add_layout(legend, "right")
    return legend


def add_color_bar(p, scale, name, **look):
    """Put a scale of colors to the right of the figure, beside its name, which may be None."""
    bar = ColorBar(color_mapper=scale, width=14, label_standoff=8, **look)
    bar.bar_line_color = bar.major_tick_line_color = bar.background_fill_color = None
    bar.major_label_text_color = bar.title_text_color = SOFT
    bar.major_label_text_font = bar.title_text_font = FONT
    bar.major_label_text_font_size = bar.title_text_font_size = "14px"
    if name is not None:
        bar.title = PlainText(shorten(name))
        bar.title_text_font_style, bar.title_standoff = "normal", 8
    p.add_layout(bar, "right")
    return bar


def round_ticks(axis, shown, width=math.inf):
    """Put ticks at 1, 2, 5, 10, 20 ... where a logarithmic axis is so short that powers of ten are too few.

    Where these would touch on so many pixels, 1, 3, 10, 30 ... have room, or the powers alone.
    """
    if shown.end / shown.start < _SHORT:
        decades = range(math.floor(math.log10(shown.start)), math.ceil(math.log10(shown.end)))
        decade = width / math.log10(shown.end / shown.start)
        for digits, least in (((1, 2, 5), math.log10(2)), ((1, 3), math.log10(3)), ((1,), 1.0)):
            ticks = [digit * 10.0**k for k in decades for digit in digits]
            if least * decade > _LETTER * (1 + max(len(f"{tick:g}") for tick in ticks)):
                break
        axis.ticker = FixedTicker(ticks=ticks)
        axis.major_label_overrides = {tick: f"{tick:g}" for tick in ticks}  # not 5.000e-3
        axis.formatter = BasicTickFormatter()


def write(p, text, ink, **place):
    """Write a text into the figure, as text."""
    label = Label(text=PlainText(text), **{"text_baseline": "top", **place})
    label.text_color = ink
    label.text_font = FONT
    label.text_font_size = "14px"
    p.add_layout(label)
    return label


def swatch(p, shape, fill):
    """Return a mark for the legend alone: it is drawn nowhere. Bokeh draws none for a renderer without any object."""
    return p.scatter([math.nan], [math.nan], marker=shape, fill_color=fill, line_color=None)


def write_names(figure, points, places, texts, *, font_size=12, bold=False):
    """Write the names that have a place beside their map points, as a renderer called "names"."""
    rows, short = [k for k, place in enumerate(places) if place is not None], shortened(texts)
    source = ColumnDataSource(
        {
            "x": points[rows, 0],
            "y": points[rows, 1],
            "text": [short[k] for k in rows],
            "x_offset": [places[k].x for k in rows],
            "y_offset": [-places[k].y for k in rows],
            "align": [places[k].align for k in rows],
        }
    )
    return figure.text(
        "x",
        "y",
        text="text",
        source=source,
        name="names",
        x_offset="x_offset",
        y_offset="y_offset",
        text_align="align",
        text_baseline="middle",
        text_color=INK,
        text_font=value(FONT),
        text_font_size=f"{font_size}px",
        text_font_style="bold" if bold else "normal",
        background_fill_color=GROUND,
        background_fill_alpha=0.7,
    )


def write_classes(figure, points, groups, window, size):
    """Write the names of classes on a square map of that window and side; points are in pixels, y downwards."""
    placed, *_ = placed_classes(points, groups, (size, size), 14)
    for letters in sorted({one[-1] for one in placed}):
        own = [one for one in placed if one[-1] == letters]
        corners = np.array([[window.left, window.high]] * len(own))
        places = [Place(at.left + wide / 2, -(at.top + high / 2), "center") for _, _, at, (wide, high), _ in own]
        write_names(figure, corners, places, [text for _, text, *_ in own], font_size=letters, bold=True)
