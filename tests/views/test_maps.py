import numpy as np
import pytest
from bokeh.embed import file_html
from bokeh.models import BoxZoomTool, ColorBar, HoverTool, PlainText, WheelZoomTool
from bokeh.resources import INLINE

from notebook_sne.views import map_points, thumbnails
from notebook_sne.views.maps import place_images
from tests.tables import in_one_test
from tests.views.drawn import data

HOSTILE = "<img src=x onerror=alert(1)> @object $index {safe} $$x$$"
Y = np.random.default_rng(0).normal(size=(30, 2)) * [3, 1]
LABELS = np.repeat(["cat", "dog", HOSTILE], 10)
IMAGES = np.random.default_rng(1).random((30, 6, 4))


def hover_rows(figure):
    (tool,) = figure.select(HoverTool)
    return tool.tooltips


def spans(figure):
    return [axis.end - axis.start for axis in (figure.x_range, figure.y_range)]


# map_points


def test_every_object_is_drawn_where_its_map_point_is():
    figure = map_points(Y, labels=LABELS, names=[f"n{i}" for i in range(30)])
    dogs = data(figure, "dog")
    np.testing.assert_array_equal(dogs["object"], np.arange(10, 20))
    np.testing.assert_allclose(np.column_stack([dogs["x"], dogs["y"]]), Y[10:20], rtol=1e-7)
    assert list(dogs["name"]) == [f"n{i}" for i in range(10, 20)]
    assert set(dogs["label"]) == {"dog"}


def test_both_axes_have_one_scale_and_no_ticks():
    for figure in (map_points(Y), thumbnails(Y, IMAGES)):
        assert spans(figure)[0] == pytest.approx(spans(figure)[1])
        assert figure.frame_width == figure.frame_height
        assert not any(axis.visible for axis in [*figure.axis, *figure.grid])
        assert all(tool.match_aspect for tool in figure.select(BoxZoomTool))
        assert not any(tool.zoom_on_axis for tool in figure.select(WheelZoomTool))


def test_links_join_map_points_by_lines_below_them():
    figure = map_points(Y, labels=LABELS, links=[[0, 3], [29, 1]])
    assert figure.renderers[0].name == "links"
    ends = data(figure, "links")
    np.testing.assert_array_equal(np.column_stack([ends["x0"], ends["y0"]]), Y[[0, 29]])
    np.testing.assert_array_equal(np.column_stack([ends["x1"], ends["y1"]]), Y[[3, 1]])
    assert "links" not in [renderer.name for renderer in map_points(Y).renderers]


def test_all_map_points_lie_inside():
    figure = map_points(Y)
    assert figure.x_range.start < Y[:, 0].min() and Y[:, 0].max() < figure.x_range.end
    assert figure.y_range.start < Y[:, 1].min() and Y[:, 1].max() < figure.y_range.end


def test_classes_differ_in_color_and_shape_and_stand_in_a_legend_outside():
    figure = map_points(Y, labels=LABELS)
    glyphs = [renderer.glyph for renderer in figure.renderers]
    assert len({glyph.fill_color for glyph in glyphs}) == len({glyph.marker for glyph in glyphs}) == 3
    (legend,) = figure.legend
    assert legend in figure.right
    assert [item.label.value for item in legend.items] == ["<img src=x o…safe} $$x$$", "cat", "dog"]


def test_number_labels_are_classes_and_floats_are_values():
    classes = map_points(Y, labels=np.arange(30) % 3)
    assert [r.name for r in classes.renderers] == ["0", "1", "2"]
    values = map_points(Y, labels=np.linspace(-1, 4, 30))
    (bar,) = [panel for panel in values.right if isinstance(panel, ColorBar)]
    assert (bar.color_mapper.low, bar.color_mapper.high) == (-1, 4)
    np.testing.assert_array_equal(data(values, "objects")["value"], np.linspace(-1, 4, 30))


def test_the_name_of_the_values_stands_beside_their_scale_and_at_the_pointer():
    figure = map_points(Y, labels=np.linspace(-1, 4, 30), value_name="height, m")
    (bar,) = figure.select(ColorBar)
    (hover,) = figure.select(HoverTool)
    assert bar.title.text == "height, m" and hover.tooltips == [("height, m", "@label"), ("object", "@object")]
    with pytest.raises(ValueError, match="value_name must go with labels that are floats"):
        map_points(Y, labels=LABELS, value_name="height, m")


def test_names_are_written_where_there_is_room_the_first_ones_first():
    assert "names" not in [r.name for r in map_points(Y, names=[f"n{i}" for i in range(30)]).renderers]
    figure = map_points(Y, names=[f"n{i}" for i in range(30)], most_names=5)
    written = next(r for r in figure.renderers if r.name == "names").data_source.data["text"]
    assert set(written) <= {f"n{i}" for i in range(5)}
    assert "n0" in written
    crowd = map_points(np.zeros((30, 2)), names=["the same place"] * 30, most_names=30)
    written = next(r for r in crowd.renderers if r.name == "names").data_source.data["text"]
    assert 1 <= len(written) < 30


def test_without_labels_and_names_there_is_the_number_alone():
    figure = map_points(Y)
    assert hover_rows(figure) == [("object", "@object")]
    assert not figure.legend
    assert figure.title is None


def test_names_labels_and_titles_are_never_tags():
    # Bokeh sets what rows of pairs refer to as text; a tooltip that is one string, or {safe}, would be HTML.
    figure = map_points(Y, labels=LABELS, names=[HOSTILE] * 30, title=HOSTILE)
    assert hover_rows(figure) == [("name", "@name"), ("label", "@label"), ("object", "@object")]
    assert isinstance(figure.title.text, PlainText)
    assert figure.title.text.text == HOSTILE


@pytest.mark.parametrize("points", [[[1.0, 2.0]], [[1.0, 2.0]] * 4, [[0, 0], [0, 1], [0, 5]]])
def test_few_coincident_or_collinear_points_make_a_map(points):
    figure = map_points(points, labels=[0.5] * len(points))
    assert spans(figure)[0] == spans(figure)[1] > 0


def test_labels_may_be_of_mixed_kinds():
    figure = map_points(Y[:4], labels=[True, "a", 3, "a"])
    assert [r.name for r in figure.renderers] == ["3", "True", "a"]


@in_one_test(
    ("options", "error", "message"),
    [
        ({"Y": np.zeros((4, 3))}, ValueError, r"Y must have shape .* \(4, 2\), got \(4, 3\)"),
        ({"Y": [[0, np.nan]]}, ValueError, r"Y must be finite, but Y\[0, 1\] is NaN"),
        ({"Y": []}, ValueError, "Y must hold at least one map point, got none"),
        ({"Y": 3}, TypeError, "Y must be an array of map points, .* got int"),
        ({"labels": [0] * 29}, ValueError, "labels must hold one entry for each of the 30 objects, got 29"),
        ({"labels": "cat"}, ValueError, "labels must hold one entry for each object, got 'cat'"),
        ({"labels": [np.inf] + [0.0] * 29}, ValueError, "labels must be finite, got inf at object 0"),
        ({"names": ["a"]}, ValueError, "names must hold one entry for each of the 30 objects, got 1"),
        ({"most_names": -1}, ValueError, "most_names must be at least 0, got -1"),
        ({"title": 3}, TypeError, "title must be a str, got 3"),
        ({"size": 10}, ValueError, "size must satisfy 100 <= size < 4000"),
        ({"links": [0, 1]}, ValueError, "links must be pairs of whole numbers, shape .K, 2., got shape .2,."),
        ({"links": [[0.5, 1]]}, ValueError, "links must be pairs of whole numbers"),
        ({"links": [[0, 30]]}, ValueError, "links must join map points from 0 to 29, got 0 to 30"),
        ({"links": [[-1, 3]]}, ValueError, "links must join map points from 0 to 29, got -1 to 3"),
    ],
)
def test_errors_name_the_argument_and_the_rule(options, error, message):
    with pytest.raises(error, match=message):
        map_points(**{"Y": Y, **options})


def test_more_classes_than_a_legend_names_stand_on_the_map_in_hues_of_their_places():
    assert len(map_points(np.zeros((24, 2)), labels=range(24)).legend[0].items) == 24
    turns = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    near = np.random.default_rng(0).normal(scale=0.02, size=(300, 2))
    points = np.column_stack([np.cos(turns), np.sin(turns)]).repeat(10, axis=0) + near
    figure = map_points(points, labels=[*np.arange(30).repeat(10)[:-1], None], size=900)
    (items,) = [legend.items for legend in figure.legend]
    assert [item.label.value for item in items] == ["unlabeled (1)"]
    written = [one for one in figure.renderers if one.name == "names"]
    assert sorted(text for one in written for text in one.data_source.data["text"]) == sorted(map(str, range(30)))
    drawn = [one for one in figure.renderers if one.name != "names"]
    assert len(drawn) == 31 and {one.glyph.marker for one in drawn} == {"circle", "x"}
    colors = {one.name: {*one.data_source.data["color"]} for one in drawn}
    assert all(len(own) == 1 for own in colors.values()) and len(set.union(*colors.values())) == 31
    for one in written:  # a place in pixels from the upper left corner, on its class
        data = one.data_source.data
        for text, x, y in zip(data["text"], data["x_offset"], data["y_offset"], strict=True):
            place = (
                figure.x_range.start + x / 900 * 2 * figure.x_range.end,
                figure.y_range.end - y / 900 * 2 * figure.y_range.end,
            )
            assert np.hypot(*(points[10 * int(text)] - place)) < 0.15
    many = map_points(near.repeat(3, axis=0), labels=range(900))
    assert len(many.legend) == 0
    columns = [one.data_source.data for one in many.renderers if one.name != "names"]
    told = {i: label for data in columns for i, label in zip(data["object"], data["label"], strict=True)}
    assert told == {i: str(i) for i in range(900)}  # under the pointer, each by its own name


def test_a_map_of_more_than_two_thousand_points_has_small_round_dots_and_no_box():
    points = np.random.default_rng(0).normal(size=(2001, 2))
    few, many = (map_points(points[:n], labels=[k % 3 for k in range(n)]) for n in (2000, 2001))
    assert few.outline_line_color is not None and many.outline_line_color is None
    assert [len({one.glyph.marker for one in figure.renderers}) for figure in (few, many)] == [3, 1]
    assert {one.glyph.line_color for one in many.renderers} == {None}
    assert len(many.legend[0].items) == 3


# thumbnails


def test_an_image_is_drawn_only_where_none_is_there_yet():
    points = np.random.default_rng(2).random((400, 2))
    shown = place_images(points, 0.1, 0.05, seed=0)
    gaps = np.abs(points[shown][:, None] - points[shown][None])
    overlap = (gaps[:, :, 0] < 0.1) & (gaps[:, :, 1] < 0.05)
    assert overlap.sum() == len(shown)  # each with itself
    hidden = np.setdiff1d(np.arange(400), shown)
    gaps = np.abs(points[hidden][:, None] - points[shown][None])
    assert ((gaps[:, :, 0] < 0.1) & (gaps[:, :, 1] < 0.05)).any(axis=1).all()
    np.testing.assert_array_equal(shown, place_images(points, 0.1, 0.05, seed=0))
    assert list(shown) != list(place_images(points, 0.1, 0.05, seed=1))


def test_images_are_centered_upright_and_scaled_by_the_extremes_of_all():
    points = np.array([[0.0, 0.0], [10.0, 10.0]])
    images = np.array([[[0, 1], [2, 3], [4, 5]], [[0, 0], [0, 0], [0, 10]]])
    figure = thumbnails(points, images, size=200, image_size=20)
    drawn = data(figure, "objects")
    order = np.argsort(drawn["object"])
    first = np.asarray(drawn["image"][order[0]])
    np.testing.assert_array_equal(first, np.rint(25.5 * images[0][::-1]))
    glyph = figure.renderers[0].glyph
    assert glyph.dh / glyph.dw == pytest.approx(1.5)
    assert drawn["x"][order[0]] + glyph.dw / 2 == pytest.approx(0)
    assert drawn["y"][order[0]] + glyph.dh / 2 == pytest.approx(0)
    pixel = spans(figure)[0] / 200
    assert glyph.dh == pytest.approx(20 * pixel)
    assert figure.x_range.end >= 10 + glyph.dw / 2


def test_labels_give_images_their_color_and_a_legend():
    figure = thumbnails(Y, IMAGES, labels=LABELS, title="Maps", image_size=8)
    palettes = {r.glyph.color_mapper.palette[-1] for r in figure.renderers if r.name}
    assert palettes == {"#0072b2", "#d67d00", "#009e73"}
    assert len(figure.legend[0].items) == 3
    assert hover_rows(figure) == [("label", "@label"), ("object", "@object")]
    file_html(figure, INLINE)


@pytest.mark.parametrize(
    ("images", "labels", "error", "message"),
    [
        (IMAGES[:9], None, ValueError, "images must hold one entry for each of the 30 objects, got 9"),
        (IMAGES.astype(str), None, TypeError, "images must be numbers"),
        (np.where(IMAGES > 0.999, np.nan, IMAGES), None, ValueError, "images must be finite, got NaN or infinity in"),
        (IMAGES, Y[:, 0], ValueError, "labels must name classes here, got floats"),
    ],
)
def test_errors_of_thumbnails(images, labels, error, message):
    images = np.array(images)
    if "finite" in message:
        images[3, 0, 0] = np.nan
    with pytest.raises(error, match=message):
        thumbnails(Y, images, labels=labels)
