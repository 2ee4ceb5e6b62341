from html import unescape

import numpy as np
import pytest
from bokeh.embed import file_html
from bokeh.models import ColorBar, GlyphRenderer, HoverTool, Label, Plot
from bokeh.models.dom import HTML
from bokeh.resources import INLINE

from notebook_sne.views import gradient_surfaces
from tests.tables import in_one_test

DATA, MAP = np.linspace(0, 4, 41), np.linspace(0, 10, 51)
FORCE = (np.exp(-np.square(DATA))[:, None] - np.exp(-np.square(MAP))[None]) * MAP


def figures(layout):
    return list(layout.select({"type": Plot}))


def image(figure):
    (renderer,) = [r for r in figure.renderers if isinstance(r, GlyphRenderer)]
    return renderer


def texts(figure):
    return sorted(label.text.text for label in figure.select(Label))


def by_name(layout):
    return {figure.title.text.text: figure for figure in figures(layout)}


def test_every_surface_is_an_image_of_its_forces_on_one_centered_scale():
    layout = gradient_surfaces({"SNE": FORCE, "t-SNE": -3 * FORCE}, DATA, MAP, title="<i>Forces</i>")
    found = by_name(layout)
    (title,) = layout.select({"type": HTML})
    assert "<" not in title.html and unescape(title.html) == "<i>Forces</i>"
    assert set(found) == {"SNE", "t-SNE"}
    for name, factor in (("SNE", 1), ("t-SNE", -3)):
        data = image(found[name]).data_source.data
        mapper = image(found[name]).glyph.color_mapper
        color = (mapper.high - mapper.low) / len(mapper.palette)
        np.testing.assert_allclose(data["force"][0], factor * FORCE, rtol=1e-4)
        np.testing.assert_allclose(data["image"][0], np.cbrt(factor * FORCE), atol=0.51 * color)
        assert mapper.high == -mapper.low == pytest.approx(np.cbrt(3 * np.abs(FORCE).max()))
        assert mapper.palette[len(mapper.palette) // 2] == "#ffffff"
        assert mapper.palette[0] != mapper.palette[-1]


def test_pixels_are_centered_on_their_distances():
    (figure,) = figures(gradient_surfaces({"a": FORCE}, DATA, MAP))
    glyph = image(figure).glyph
    assert (glyph.x, glyph.y) == pytest.approx((-0.1, -0.05))
    assert (glyph.dw, glyph.dh) == pytest.approx((10.2, 4.1))
    assert (figure.x_range.start, figure.x_range.end) == pytest.approx((-0.1, 10.1))
    assert (figure.xaxis.axis_label, figure.yaxis.axis_label) == ("distance in the map", "distance in the data")


def test_the_zero_line_and_the_signs_can_be_read_without_color():
    (figure,) = figures(gradient_surfaces({"a": FORCE}, DATA, MAP))
    names = [r.name for r in figure.renderers]
    assert "force 0" in names
    for renderer in figure.renderers:
        if renderer.name.startswith("force"):
            level = float(renderer.name.split()[1])
            assert (renderer.line_renderer.glyph.line_dash == "solid") == (level >= 0)
    assert texts(figure) == ["attraction", "repulsion"]
    (only,) = figures(gradient_surfaces({"a": np.abs(FORCE)}, DATA, MAP))
    assert texts(only) == ["attraction"]
    assert "force 0" not in [r.name for r in only.renderers]


def test_the_zero_line_does_not_follow_the_edge_where_no_force_acts():
    (figure,) = figures(gradient_surfaces({"a": FORCE}, DATA, MAP))
    (zero,) = [r for r in figure.renderers if r.name == "force 0"]
    data = zero.line_renderer.data_source.data
    x, y = np.concatenate(data["xs"]), np.concatenate(data["ys"])
    assert x.min() > 0
    np.testing.assert_allclose(x, y, atol=0.1)


@pytest.mark.slow
def test_one_bar_shows_the_forces_of_the_colors():
    found = figures(gradient_surfaces({name: 10 * FORCE for name in "abcd"}, DATA, MAP))
    (bar,) = [panel for figure in found for panel in figure.right if isinstance(panel, ColorBar)]
    told = {float(text): place for place, text in bar.major_label_overrides.items()}
    assert 0 in told and {-force for force in told} == set(told)
    for force, place in told.items():
        assert place == pytest.approx(np.cbrt(force))
    assert max(told) <= np.abs(10 * FORCE).max()
    assert bar.title.text == "force"


@pytest.mark.slow
def test_more_surfaces_are_smaller_so_that_they_fit_into_a_row():
    sides = [
        {figure.frame_width for figure in figures(gradient_surfaces({str(k): FORCE for k in range(n)}, DATA, MAP))}
        for n in (1, 2, 3, 4)
    ]
    assert sides == [{360}, {300}, {240}, {240}]


def test_the_pointer_shows_both_distances_and_the_force():
    (figure,) = figures(gradient_surfaces({"a": FORCE}, DATA, MAP))
    (tool,) = figure.select(HoverTool)
    assert tool.tooltips == [("distance in the map", "$x"), ("distance in the data", "$y"), ("force", "@force")]


def test_no_force_at_all_is_a_white_surface():
    file_html(gradient_surfaces({"a": np.zeros_like(FORCE)}, DATA, MAP), INLINE)


def test_a_surface_without_a_name_or_with_a_force_in_one_row_alone_is_drawn():
    force = np.zeros_like(FORCE)
    force[20] = MAP - 5
    file_html(gradient_surfaces({"": force}, DATA, MAP), INLINE)


@in_one_test(
    ("options", "error", "message"),
    [
        ({"surfaces": FORCE}, TypeError, "surfaces must be a dict of arrays by name, got ndarray"),
        ({"surfaces": {}}, ValueError, "surfaces must hold 1 to 6 surfaces, got 0"),
        ({"surfaces": {"a": FORCE.T}}, ValueError, r"surfaces\['a'\] must have shape \(n_data, n_map\) = \(41, 51\)"),
        ({"surfaces": {"a": FORCE * np.nan}}, ValueError, r"surfaces\['a'\] must be finite"),
        ({"surfaces": {"a": "b"}}, TypeError, r"surfaces\['a'\] must be an array of numbers, got 'b'"),
        ({"data_distances": np.square(DATA)}, ValueError, "data_distances must rise in even steps"),
        ({"map_distances": MAP[::-1]}, ValueError, "map_distances must rise in even steps"),
        ({"map_distances": [1]}, ValueError, r"map_distances must have shape \(K,\) with K >= 2, got \(1,\)"),
        ({"map_distances": ["a", "b"]}, TypeError, "map_distances must be numbers, got text"),
        ({"title": 3}, TypeError, "title must be a str, got 3"),
    ],
)
def test_errors_name_the_argument_and_the_rule(options, error, message):
    with pytest.raises(error, match=message):
        gradient_surfaces(**{"surfaces": {"a": FORCE}, "data_distances": DATA, "map_distances": MAP, **options})
