import numpy as np
import pandas as pd
import pytest
from bokeh.embed import file_html
from bokeh.models import BoxAnnotation, HoverTool, Label, Span
from bokeh.resources import INLINE

from notebook_sne.views import traces


def trace(phases, start=0):
    n = len(phases)
    return pd.DataFrame({"iteration": np.arange(start, start + n), "phase": phases, "cost": np.linspace(4, 1, n)})


RUN = trace(["exaggeration"] * 10 + ["descent"] * 20)


def labels(figure):
    return sorted(figure.select(Label), key=lambda label: label.x)  # select answers in any order


def texts(figure):
    return [label.text.text for label in labels(figure)]


def test_the_cost_of_one_run_is_drawn_over_its_iterations():
    figure = traces(RUN, title="t-SNE")
    (line,) = figure.renderers
    assert line.name == "cost"
    np.testing.assert_array_equal(line.data_source.data["iteration"], RUN["iteration"])
    np.testing.assert_array_equal(line.data_source.data["cost"], RUN["cost"])
    assert (figure.x_range.start, figure.x_range.end) == (0, 29)
    assert figure.y_range.start < 1 and figure.y_range.end > 4
    assert (figure.xaxis.axis_label, figure.yaxis.axis_label) == ("iteration", "cost in nats")
    assert figure.title.text.text == "t-SNE"
    file_html(figure, INLINE)


def test_phases_of_one_run_are_shaded_and_named():
    figure = traces(trace(["a"] * 10 + ["b"] * 10 + ["a"] * 10))
    assert texts(figure) == ["a", "b", "a"]
    assert [label.x for label in labels(figure)] == [0, 10, 20]
    assert [(box.left, box.right) for box in figure.select(BoxAnnotation) if box.fill_alpha == 0.07] == [(10, 20)]


def test_names_of_short_phases_do_not_lie_on_one_another():
    figure = traces(trace(["exaggeration", "jitter", "descent", *["background"] * 100]))
    assert len({label.y for label in figure.select(Label)}) == 4


def test_the_name_of_a_phase_at_the_end_is_not_cut():
    for width in (640, 330):
        figure = traces(trace(["jitter"] * 950 + ["descent"] * 50), width=width)
        first, last = labels(figure)
        assert figure.frame_width == width and texts(figure) == ["jitter", "descent"]
        assert (first.x, first.text_align, last.x, last.text_align) == (0, "left", 999, "right")


def test_several_runs_differ_by_name_color_and_dash():
    figure = traces({"one": RUN, "two": trace(["descent"] * 40, start=10)})
    lines = [r for r in figure.renderers if r.name in ("one", "two")]
    assert len({line.glyph.line_color for line in lines}) == 2
    assert len({str(line.glyph.line_dash) for line in lines}) == 2
    assert [item.label.value for item in figure.legend[0].items] == ["one", "two"]
    assert figure.x_range.end == 49
    (hover,) = figure.select(HoverTool)
    assert hover.tooltips[0] == ("run", "@run")


def test_rings_mark_where_later_phases_of_several_runs_begin():
    figure = traces({"one": RUN, "two": trace(["descent"] * 40)})
    (rings,) = [r for r in figure.renderers if str(r.name).startswith("phases")]
    assert rings.name == "phases of one"
    assert list(rings.data_source.data["x"]) == [10]


def test_the_cost_of_the_uniform_q_is_a_level():
    figure = traces(RUN, uniform=6)
    (level,) = figure.select(Span)
    assert level.location == 6
    assert figure.y_range.end > 6
    assert "uniform Q" in texts(figure)


def test_a_run_that_diverged_is_drawn_as_far_as_it_goes():
    run = RUN.copy()
    run.loc[20:, "cost"] = np.nan
    assert np.isfinite(traces(run).y_range.start)


def test_a_run_of_one_state_has_a_plane():
    figure = traces(trace(["descent"]))
    assert figure.x_range.end > figure.x_range.start and figure.y_range.end > figure.y_range.start


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ([1, 2], TypeError, "trace must be a DataFrame such as model.trace_, got list"),
        ({"a": 3}, TypeError, r"trace\['a'\] must be a DataFrame"),
        ({}, ValueError, "trace must hold at least one run, got an empty dict"),
        (RUN[["iteration", "cost"]], ValueError, "trace must have the columns .*, got none called phase"),
        (RUN[:0], ValueError, "trace must have a row with a finite cost, got 0 rows"),
    ],
)
def test_errors_name_the_argument_and_the_rule(given, error, message):
    with pytest.raises(error, match=message):
        traces(given)
