import numpy as np
import pandas as pd
import pytest
from bokeh.embed import file_html
from bokeh.models import FixedTicker, HoverTool, Label, LogScale, Span
from bokeh.resources import INLINE

from notebook_sne.views import curves
from tests.tables import in_one_test
from tests.views.drawn import data, renderer

X = [5, 30, 100]
LABELS = {"x_label": "perplexity", "y_label": "share of wrong neighbors"}


def test_every_curve_is_drawn_over_x():
    figure = curves(X, {"SNE": [3, 1, 2], "t-SNE": [2, 1, 0]}, **LABELS, title="Errors", width=500, height=200)
    for name, y in (("SNE", [3, 1, 2]), ("t-SNE", [2, 1, 0])):
        np.testing.assert_array_equal(data(figure, name)["x"], X)
        np.testing.assert_array_equal(data(figure, name)["y"], y)
    assert [axis.axis_label.text for axis in figure.axis] == list(LABELS.values())
    assert (figure.frame_width, figure.frame_height, figure.title.text.text) == (500, 200, "Errors")
    assert figure.x_range.start < 5 < 100 < figure.x_range.end
    assert figure.y_range.start < 0 < 3 < figure.y_range.end
    file_html(figure, INLINE)


def test_curves_differ_in_color_dash_and_marks_and_stand_in_a_legend():
    figure = curves(X, {name: [1, 2, 3] for name in "abcd"}, **LABELS)
    lines, marks = ([renderer(figure, how + name).glyph for name in "abcd"] for how in ("", "values of "))
    assert len({line.line_color for line in lines}) == len({str(line.line_dash) for line in lines}) == 4
    assert len({mark.marker for mark in marks}) == 4
    (legend,) = figure.legend
    assert legend in figure.right
    assert [item.label.value for item in legend.items] == list("abcd")
    assert figure.select(HoverTool)[0].tooltips[0] == ("curve", "@curve")


def test_one_curve_needs_no_legend():
    figure = curves(X, {"a": [1, 2, 3]}, **LABELS)
    assert not figure.legend
    assert figure.select(HoverTool)[0].tooltips == [("perplexity", "@x"), ("share of wrong neighbors", "@y")]


def test_nan_leaves_a_gap_and_what_stands_alone_is_marked():
    y = np.arange(100.0)
    y[[9, 11]] = np.nan
    figure = curves(np.arange(100), {"a": y}, **LABELS)
    np.testing.assert_array_equal(data(figure, "a")["y"], y)
    np.testing.assert_array_equal(data(figure, "values of a")["x"], [10])
    assert len(curves(np.arange(100), {"a": np.arange(100)}, **LABELS).renderers) == 1


def test_the_index_of_a_table_is_its_axis():
    table = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=[10, 20])
    figure = curves(None, table, **LABELS)
    np.testing.assert_array_equal(data(figure, "b")["x"], [10, 20])


def test_logarithmic_axes_have_round_ticks_where_they_are_short():
    figure = curves(X, {"a": [1e-9, 1e-3, 1]}, **LABELS, x_log=True, y_log=True)
    assert isinstance(figure.x_scale, LogScale) and isinstance(figure.y_scale, LogScale)
    assert {5, 10, 20, 50, 100} <= set(figure.xaxis.ticker.ticks)
    assert figure.xaxis.major_label_overrides[50] == "50"
    assert not isinstance(figure.yaxis.ticker, FixedTicker)
    assert 4 < figure.x_range.start < 5
    assert 1e-10 < figure.y_range.start < 1e-9


def test_ticks_of_a_narrow_logarithmic_axis_do_not_touch():
    x = np.geomspace(0.001, 1, 20)
    for width in (200, 300, 400, 800):
        figure = curves(x, {"one": x}, **LABELS, x_log=True, width=width)
        ticks = np.array(figure.xaxis.ticker.ticks)
        letters = 7 * max(len(f"{tick:g}") for tick in ticks)
        decades = np.log10(figure.x_range.end / figure.x_range.start)
        assert len(ticks) >= 3 and np.diff(np.log10(ticks)).min() * width / decades > letters


def test_whole_numbers_have_no_ticks_between_them():
    assert curves([1, 2, 3], {"a": [1, 2, 3]}, **LABELS).xaxis.ticker.min_interval == 1
    assert curves([1, 2.5, 3], {"a": [1, 2, 3]}, **LABELS).xaxis.ticker.min_interval == 0


def test_a_level_is_drawn_named_and_inside():
    figure = curves(X, {"a": [1, 2, 3]}, **LABELS, level=9)
    assert figure.select(Span)[0].location == 9
    assert figure.y_range.end > 9
    assert [label.text.text for label in figure.select(Label)] == ["9"]
    named = curves(X, {"a": [1, 2, 3]}, **LABELS, level={"chance": 0.9, "<another>": 2})
    assert {label.text.text for label in named.select(Label)} == {"chance", "<another>"}


@pytest.mark.parametrize("log", [False, True])
def test_one_value_has_a_plane(log):
    figure = curves([1], {"a": [2]}, **LABELS, x_log=log, y_log=log)
    for shown, value in ((figure.x_range, 1), (figure.y_range, 2)):
        assert shown.start < value < shown.end


@in_one_test(
    ("options", "error", "message"),
    [
        ({"lines": [1, 2, 3]}, TypeError, "lines must be a dict of curves by name, or a DataFrame, got list"),
        ({"lines": {}}, ValueError, "lines must hold 1 to 12 curves, got 0"),
        ({"lines": {str(k): [1, 2, 3] for k in range(13)}}, ValueError, "1 to 12 curves, got 13"),
        ({"lines": {"a": [1, 2]}}, ValueError, r"lines\['a'\] must have one value for each x, 3, got 2"),
        ({"lines": {"a": [np.nan] * 3}}, ValueError, r"lines\['a'\] must hold numbers"),
        ({"lines": {"a": [1, np.inf, 2]}}, ValueError, r"lines\['a'\] must hold numbers, and no infinity"),
        ({"lines": {"a": ["x", "y", "z"]}}, TypeError, r"lines\['a'\] must be numbers, got text"),
        ({"lines": {"a": [1, 0, 2]}, "y_log": True}, ValueError, r"lines\['a'\] must be positive .* got 0; .*y_log"),
        ({"lines": {1: X, "1": X}}, ValueError, "lines must have a name for each curve, got '1' twice"),
        ({"lines": pd.DataFrame([[1, 2]] * 3, columns=["a", "a"])}, ValueError, "each curve, got 'a' twice"),
        ({"x": [-1, 1, 2], "x_log": True}, ValueError, "x must be positive on a logarithmic axis, got -1"),
        ({"x": [1, np.nan, 2]}, ValueError, "x must be finite"),
        ({"x": None}, ValueError, "x must be given where lines is a dict, got None"),
        ({"x": [[1, 2, 3]]}, ValueError, r"x must have shape \(K,\) with K >= 1, got \(1, 3\)"),
        ({"level": 0, "y_log": True}, ValueError, "level must be positive on a logarithmic axis, got 0"),
        ({"level": "high"}, TypeError, "level must be a number, got 'high'"),
        ({"x_label": 3}, TypeError, "x_label must be a str, got 3"),
        ({"width": 10}, ValueError, "width must satisfy 100 <= width < 4000"),
    ],
)
def test_errors_name_the_argument_and_the_rule(options, error, message):
    with pytest.raises(error, match=message):
        curves(**{"x": X, "lines": {"a": [1, 2, 3]}, **LABELS, **options})
