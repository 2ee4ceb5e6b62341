import numpy as np
import pytest
from bokeh.embed import file_html
from bokeh.models import HoverTool, Label, Plot
from bokeh.models.dom import HTML
from bokeh.resources import INLINE

from notebook_sne.views import aspect_grid
from tests.tables import in_one_test
from tests.views.drawn import data

RANDOM = np.random.default_rng(0)
MAPS = RANDOM.normal(size=(3, 20, 2))
MIXING = RANDOM.dirichlet(np.full(3, 0.4), size=20).T
NAMES = [f"word {i}" for i in range(20)]


def figures(layout):
    return sorted(layout.select({"type": Plot}), key=lambda figure: figure.title.text.text)


def test_each_map_shows_the_objects_that_matter_in_it():
    shown = figures(aspect_grid(MAPS, MIXING, threshold=0.2))
    assert [figure.title.text.text for figure in shown] == ["map 0", "map 1", "map 2"]
    for m, figure in enumerate(shown):
        found = data(figure, "objects")
        assert set(found["object"]) == set(np.flatnonzero(MIXING[m] >= 0.2))
        np.testing.assert_array_equal(np.column_stack([found["x"], found["y"]]), MAPS[m][found["object"]])
        np.testing.assert_array_equal(found["proportion"], MIXING[m][found["object"]])


def test_area_is_proportional_to_the_proportion():
    for figure in figures(aspect_grid(MAPS, MIXING)):
        found = data(figure, "objects")
        np.testing.assert_allclose(
            np.square(found["width"]) / found["proportion"], found["width"][0] ** 2 / found["proportion"][0]
        )


def test_every_square_has_one_scale_holds_its_marks_and_needs_no_toolbar():
    for figure in figures(aspect_grid(MAPS, MIXING, size=150)):
        found, x, y = data(figure, "objects"), figure.x_range, figure.y_range
        assert x.end - x.start == pytest.approx(y.end - y.start)
        assert figure.frame_width == figure.frame_height == 150
        margin = found["width"] / 2 / 150 * (x.end - x.start)
        for values, shown in ((found["x"], x), (found["y"], y)):
            assert (values - margin >= shown.start).all() and (values + margin <= shown.end).all()
        assert figure.toolbar_location is None


def test_the_names_with_the_largest_proportions_are_written():
    for figure, proportions in zip(figures(aspect_grid(MAPS, MIXING, names=NAMES, most_names=3)), MIXING, strict=True):
        written = list(data(figure, "names")["text"])
        largest = [NAMES[i] for i in np.argsort(-proportions)[:3]]
        assert written and set(written) <= set(largest)
        assert data(figure, "objects")["name"][0] in largest
    unnamed = aspect_grid(MAPS, MIXING)
    assert "names" not in [r.name for figure in figures(unnamed) for r in figure.renderers]


def test_labels_give_colors_and_shapes_and_one_legend():
    layout = aspect_grid(MAPS, MIXING, labels=["a", "b"] * 10, threshold=0.01)
    for figure in figures(layout):
        glyphs = [r.glyph for r in figure.renderers]
        assert len({glyph.fill_color for glyph in glyphs}) == len({glyph.marker for glyph in glyphs}) == 2
    (legend,) = layout.select({"type": HTML})
    assert legend.html.count("<path") == 2
    assert " a</span>" in legend.html and " b</span>" in legend.html


def test_rows_are_at_most_so_many_maps_wide_and_wrap_where_a_page_is_narrow():
    layout = aspect_grid(MAPS, MIXING, columns=2, size=200)
    assert 2 * 200 < int(layout.styles["max-width"].removesuffix("px")) < 3 * 200
    (row,) = layout.children
    assert row.styles["flex-wrap"] == "wrap"


def test_a_map_that_no_object_is_in_says_so():
    mixing = np.vstack([np.ones(20), np.zeros(20)])
    empty = figures(aspect_grid(MAPS[:2], mixing))[1]
    assert [label.text.text for label in empty.select(Label)] == ["none reaches 0.1"]
    assert not empty.renderers


def test_coincident_points_and_a_single_object_make_a_map():
    file_html(aspect_grid(np.ones((1, 4, 2)), np.ones((1, 4)), names=["a"] * 4), INLINE)
    file_html(aspect_grid(np.zeros((1, 1, 2)), [[1]], names=["a"]), INLINE)


def test_the_pointer_shows_name_label_and_proportion():
    layout = aspect_grid(MAPS, MIXING, names=NAMES, labels=["a"] * 20)
    for tool in layout.select({"type": HoverTool}):
        assert [row for row, _ in tool.tooltips] == ["name", "label", "object", "proportion"]


@in_one_test(
    ("options", "error", "message"),
    [
        ({"maps": MAPS[:2]}, ValueError, "maps and mixing must be of the same maps, got 2 and 3"),
        ({"maps": 3}, ValueError, "maps and mixing must be of the same maps, got none and 3"),
        ({"maps": MAPS[:, :4]}, ValueError, r"maps\[0\] must have shape .* \(20, 2\), got \(4, 2\)"),
        ({"maps": np.where(MAPS == MAPS[1, 2], np.nan, MAPS)}, ValueError, r"maps\[1\] must be finite"),
        ({"mixing": MIXING[0]}, ValueError, r"mixing must have shape \(M, N\) with M, N >= 1, got \(20,\)"),
        ({"mixing": MIXING * 3}, ValueError, "mixing must lie between 0 and 1, got .* in map 0 for object"),
        ({"mixing": MIXING * np.nan}, ValueError, "mixing must lie between 0 and 1, got nan"),
        ({"mixing": "free"}, TypeError, "mixing must be an array of numbers, got 'free'"),
        ({"mixing": np.zeros((101, 20))}, ValueError, "mixing must be of at most 100 maps, got 101"),
        ({"names": ["a"]}, ValueError, "names must hold one entry for each of the 20 objects, got 1"),
        ({"labels": MIXING[0]}, ValueError, "labels must name classes here, got floats"),
        ({"threshold": 0}, ValueError, "threshold must satisfy 0 < threshold < 1"),
        ({"most_names": -1}, ValueError, "most_names must be at least 0, got -1"),
        ({"columns": 0}, ValueError, "columns must be at least 1, got 0"),
        ({"size": 10}, ValueError, "size must satisfy 100 <= size < 4000"),
        ({"title": 3}, TypeError, "title must be a str, got 3"),
    ],
)
def test_errors_name_the_argument_and_the_rule(options, error, message):
    with pytest.raises(error, match=message):
        aspect_grid(**{"maps": MAPS, "mixing": MIXING, **options})
