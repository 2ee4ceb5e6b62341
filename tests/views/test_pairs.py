import numpy as np
import pytest
from bokeh.models import BoxAnnotation, HoverTool, LogScale, Title

from notebook_sne.views import p_against_q
from tests.tables import in_one_test
from tests.views.drawn import data

P = np.array([0.5, 0.1, 0.01, 0.2])
Q = np.array([0.1, 0.3, 0.02, 0.2])


def notes(figure):
    return [title.text.text for title in figure.below if isinstance(title, Title)]


def test_pairs_above_the_diagonal_are_pulled_together_and_below_it_pushed_apart():
    figure = p_against_q(P, Q, title="Four pairs")
    assert list(data(figure, "pulled together")["pair"]) == [0]
    assert list(data(figure, "pushed apart")["pair"]) == [1, 2]
    assert list(data(figure, "in balance")["pair"]) == [3]
    pushed = data(figure, "pushed apart")
    np.testing.assert_array_equal(pushed["x"], Q[[1, 2]])
    np.testing.assert_array_equal(pushed["y"], P[[1, 2]])
    assert notes(figure) == ["In balance, p = q: 1 pair."]
    assert figure.title.text.text == "Four pairs"


def test_both_axes_are_logarithmic_and_of_one_scale_with_the_diagonal():
    figure = p_against_q(P, Q)
    assert isinstance(figure.x_scale, LogScale) and isinstance(figure.y_scale, LogScale)
    assert (figure.x_range.start, figure.x_range.end) == (figure.y_range.start, figure.y_range.end)
    assert figure.x_range.start < 0.01 and figure.x_range.end > 0.5
    assert figure.frame_width == figure.frame_height
    line = data(figure, "p = q")
    assert list(line["x"]) == list(line["y"]) == [figure.x_range.start, figure.x_range.end]


def test_both_sides_differ_in_color_and_shape_and_are_counted():
    figure = p_against_q(P[:3], Q[:3])
    glyphs = [r.glyph for r in figure.renderers if r.name.startswith("pu")]
    assert len({glyph.fill_color for glyph in glyphs}) == len({glyph.marker for glyph in glyphs}) == 2
    sides = {title.text.text: title.text_color for title in figure.above}
    assert sides == {
        "● Above the line, p > q: 1 pair pulled together": "#0072b2",
        "▼ Below the line, p < q: 2 pairs pushed apart": "#d55e00",
    }
    assert not figure.legend


def test_labels_take_over_color_and_shape():
    figure = p_against_q(P, Q, labels=["b", "a", "a", "b"], names=["w", "x", "y", "z"])
    assert [item.label.value for item in figure.legend[0].items] == ["a", "b"]
    assert list(data(figure, "b")["pair"]) == [0, 3]
    assert {title.text.text for title in figure.above} == {
        "Above the line, p > q: 1 pair pulled together",
        "Below the line, p < q: 2 pairs pushed apart",
    }
    assert list(data(figure, "b")["name"]) == ["w", "z"]
    (tool,) = figure.select(HoverTool)
    assert tool.tooltips[:2] == [("name", "@name"), ("label", "@label")]
    assert [row for row, _ in tool.tooltips] == ["name", "label", "pair", "p", "q"]


def test_pairs_without_a_logarithm_stand_at_the_edge_and_are_counted():
    p, q = np.array([0.5, 0, 0, 0.25, 0]), np.array([0.1, 0.4, 0.3, 0, 0])
    figure = p_against_q(p, q)
    pushed = data(figure, "pushed apart")
    assert list(pushed["pair"]) == [1, 2]
    assert list(pushed["p"]) == [0, 0]
    assert figure.y_range.start < pushed["y"][0] == pushed["y"][1] < 0.1
    assert list(data(figure, "pulled together")["pair"]) == [0, 3]
    assert figure.x_range.start < data(figure, "pulled together")["x"][1] < 0.1
    assert notes(figure) == [
        "At the lower edge: 2 pairs with p = 0.",
        "At the left edge: 1 pair with q = 0.",
        "Not drawn: 1 pair with p = q = 0.",
    ]
    assert len(figure.select(BoxAnnotation)) > len(p_against_q(P, Q).select(BoxAnnotation))


def test_vanishing_values_stand_at_the_edge_too():
    figure = p_against_q([0.1, 0.2, 0.3, 0.4], [0.2, 1e-300, 1e-40, 0])
    assert notes(figure) == ["At the left edge: 3 pairs with q < 4e-11, in 1 of them q = 0."]
    assert figure.x_range.start > 1e-12
    assert list(data(figure, "pulled together")["q"]) == [1e-300, 1e-40, 0]


@pytest.mark.parametrize(("p", "q"), [([0.5], [0.5]), ([0.0], [0.1]), ([0.3, 0], [0, 0]), ([1.0], [5e-324])])
def test_few_or_extreme_pairs_make_a_plane(p, q):
    figure = p_against_q(p, q)
    assert 0 < figure.x_range.start < figure.x_range.end < np.inf
    for renderer in figure.renderers:
        for column in ("x", "y"):
            values = np.asarray(renderer.data_source.data[column])
            assert ((figure.x_range.start <= values) & (values <= figure.x_range.end)).all()


@in_one_test(
    ("options", "error", "message"),
    [
        ({"q": Q[:3]}, ValueError, "p and q must be of the same pairs, got 4 and 3 values"),
        ({"p": P[None]}, ValueError, r"p must have shape \(K,\) with K >= 1, got \(1, 4\)"),
        ({"p": [], "q": []}, ValueError, r"p must have shape .* got \(0,\)"),
        ({"p": [0.5, np.nan, 0, 0]}, ValueError, "p must lie between 0 and 1, got nan for pair 1"),
        ({"q": [0.5, 0.1, 0, 1.5]}, ValueError, "q must lie between 0 and 1, got 1.5 for pair 3"),
        ({"q": [0.5, 0.1, -0.1, 0.5]}, ValueError, "q must lie between 0 and 1, got -0.1 for pair 2"),
        ({"p": ["a"] * 4}, TypeError, "p must be numbers, got text"),
        ({"p": np.zeros(4), "q": np.zeros(4)}, ValueError, "p and q must not both be 0 for every pair"),
        ({"p": np.full(50_001, 0.1), "q": np.full(50_001, 0.1)}, ValueError, "at most 50000 pairs, got 50001"),
        ({"labels": P}, ValueError, "labels must name classes here, got floats"),
        ({"names": ["a"]}, ValueError, "names must hold one entry for each of the 4 objects, got 1"),
        ({"size": 10}, ValueError, "size must satisfy 100 <= size < 4000"),
    ],
)
def test_errors_name_the_argument_and_the_rule(options, error, message):
    with pytest.raises(error, match=message):
        p_against_q(**{"p": P, "q": Q, **options})
