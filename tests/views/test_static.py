from xml.etree import ElementTree

import numpy as np
import pytest

from notebook_sne.views import SVG, svg
from notebook_sne.views.names import text_width
from notebook_sne.views.palette import HUES
from tests.views.drawn import parts

Y = np.random.default_rng(0).normal(size=(30, 2)) * [3, 1]
LABELS = np.repeat(["cat", "dog", "emu"], 10)
HOSTILE = '<script>alert(1)</script> & "\x00\x08\ud800'


def places(picture):
    return np.array([[float(use.get("x")), float(use.get("y"))] for use in parts(picture, "use")])


def height(picture):
    return float(ElementTree.fromstring(picture).get("height"))


def test_there_is_a_mark_for_each_object_inside_the_frame_and_no_empty_ground_without_one():
    picture, bare = svg(Y, LABELS, size=300), svg(Y, size=300, frame=False)
    frame, found = parts(picture, "rect")[1], places(picture)
    assert len(found) == 30 and frame.get("width") == frame.get("height") == "300"
    assert (found > 0).all() and (found < 300).all()
    assert np.ptp(places(bare) - found, axis=0) == pytest.approx(0, abs=0.2), "moved as one"
    edges = places(bare)[:, 1].min(), height(bare) - 28 - places(bare)[:, 1].max()
    assert edges == pytest.approx([places(bare)[:, 0].min()] * 2, abs=1.1) and height(bare) < 200
    assert height(svg(Y[:, ::-1], size=300, frame=False)) == height(picture) == 328
    beside = svg(Y * [1, 0], [f"class {k}" for k in range(10)] * 3, size=300, frame=False)
    assert max(float(text.get("y")) for text in parts(beside, "text")) < height(beside) - 28 < 300


def test_names_of_objects_lie_on_no_name_of_a_class():
    points, names = Y + 9 * np.arange(3).repeat(10)[:, None], [f"a long name {k}" for k in range(30)]
    drawn = parts(svg(points, LABELS, names=names, class_names=True, legend=False), "text")
    boxes = [[float(text.get(one)) for one in ("x", "y", "font-size")] for text in drawn]
    boxes = [(x, y, text_width(text.text, high) / 2, high) for text, (x, y, high) in zip(drawn, boxes, strict=True)]
    classes, names = ([box for box in boxes if box[3] == high] for high in (16, 11))
    assert len(classes) == 3 and len(names) > 5
    for left, low, half, _ in classes:
        assert not [x for x, y, wide, _ in names if abs(x - left) < wide + half and abs(y - low) < 11]


def test_both_axes_have_one_scale_and_up_is_up():
    found = places(svg(np.array([[0.0, 0.0], [4.0, 1.0]])))
    low, high = found[found[:, 0].argsort()]
    assert (high[0] - low[0]) == pytest.approx(4 * (low[1] - high[1]), abs=0.5)  # written to a tenth of a pixel
    assert high[1] < low[1]


def test_each_class_has_its_color_and_shape_in_map_and_legend():
    picture = svg(Y, LABELS)
    marks = {mark.get("id"): mark for mark in parts(picture, "path") if mark.get("id")}
    assert len({mark.get("fill") for mark in marks.values()}) == len({mark.get("d") for mark in marks.values()}) == 3
    used = [use.get("href") for use in parts(picture, "use")]
    assert [used.count(f"#{k}") for k in marks] == [10, 10, 10]
    keys = [path for path in parts(picture, "path") if not path.get("id")]
    assert [key.get("fill") for key in keys] == [mark.get("fill") for mark in marks.values()]
    assert [text.text for text in parts(picture, "text")] == ["cat", "dog", "emu"]
    assert parts(svg(Y, LABELS, legend=False), "text") == []


def test_more_classes_than_a_legend_names_stand_on_the_map_in_hues_of_their_places():
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    near = np.random.default_rng(0).normal(scale=0.02, size=(400, 2))
    points = np.column_stack([np.cos(turns), np.sin(turns)]).repeat(10, axis=0) + near
    # The classes that lie side by side are far apart in the alphabet, and the first are the largest.
    labels = np.array([f"class {13 * k % 40:02}" for k in range(40)]).repeat(10)
    points, labels = np.vstack([points, points[:100]]), np.concatenate([labels, labels[:100]])
    picture = svg(points, labels, size=1600)
    texts = parts(picture, "text")
    assert sorted(text.text for text in texts) == sorted(set(labels)), "once each, and no legend"
    large = {text.text for text in texts if text.get("font-size") == "16"}
    assert len(large) == 24 and set(labels[400:]) <= large
    marks = [part for part in parts(picture, "path") if part.get("id")]
    assert 30 <= len({mark.get("fill") for mark in marks} & set(HUES)) == len(marks) <= 40
    assert svg(points, labels, size=1600, legend=False).count("<text") == 0
    with_names = svg(points, labels, size=1600, names=np.arange(500).astype(str))
    assert [text.text for text in parts(with_names, "text")] == [text.text for text in texts]
    gray = svg(points, [None, *labels[1:]], size=1600)
    assert [text.text for text in parts(gray, "text")][-1] == "unlabeled (1)"


@pytest.mark.parametrize("asked", [None, True])
def test_a_map_of_more_than_two_thousand_points_has_small_round_dots_and_no_box(asked):
    points = np.random.default_rng(0).normal(size=(2001, 2))
    few, many = (svg(points[:n], [k % 3 for k in range(n)], shapes=asked, frame=asked) for n in (2000, 2001))
    assert few.count("stroke=") == 2 and (many.count("stroke=") == 0) == (asked is None)
    marks = [[part.get("d").count("a") > 0 for part in parts(one, "path") if part.get("id")] for one in (few, many)]
    assert marks == [[True, False, False], [True] * 3 if asked is None else [True, False, False]]


@pytest.mark.parametrize("n_classes", [3, 19, 24])
def test_the_whole_legend_lies_in_the_picture(n_classes):
    names = [f"a longer name {k:02}" for k in range(n_classes)]
    picture = svg(np.random.default_rng(0).normal(size=(2 * n_classes, 2)), names * 2, size=500)
    width = float(ElementTree.fromstring(picture).get("width"))
    texts = parts(picture, "text")
    assert [text.text for text in texts] == names
    assert max(float(text.get("x")) + 7.5 * len(text.text) for text in texts) < width
    assert max(float(text.get("y")) for text in texts) < height(picture)


def test_floats_are_values_on_a_scale_below_their_name():
    picture = svg(Y, np.linspace(0, 7, 30), title="Height", value_name="cost of an object, nats")
    title, named, high, low = parts(picture, "text")
    assert [text.text for text in (title, named, high, low)] == ["Height", "cost of an object, nats", "7", "0"]
    fills = {use.get("fill") for use in parts(picture, "use")}
    assert {"#440154", "#fde725"} < fills
    assert parts(svg(Y, np.full(30, 2.0)), "use")[0].get("fill") == "#21918c"
    assert float(named.get("y")) < float(high.get("y")) < float(low.get("y"))
    width = float(ElementTree.fromstring(picture).get("width"))
    assert float(named.get("x")) + 7.5 * len(named.text) < width
    for labels in (None, LABELS):
        with pytest.raises(ValueError, match="value_name must go with labels that are floats, got 'a' without"):
            svg(Y, labels, value_name="a")
    with pytest.raises(TypeError, match="value_name must be a str, got 3"):
        svg(Y, np.linspace(0, 7, 30), value_name=3)


def test_text_from_data_is_text():
    picture = svg(Y, [HOSTILE, "b"] * 15, title=HOSTILE)
    assert parts(picture, "script") == []
    assert parts(picture, "title")[0].text == '<script>alert(1)</script> & "���'
    picture.encode("utf-8")


def test_the_picture_is_written_and_shows_itself(tmp_path):
    picture = svg(Y, LABELS, tmp_path / "map.svg", title="Ein schönes Bild")
    assert (tmp_path / "map.svg").read_text(encoding="utf-8") == picture
    assert isinstance(picture, SVG) and (picture._repr_svg_(), len(repr(picture)) < 40) == (str(picture), True)


def test_the_same_map_gives_the_same_text_and_a_small_one():
    many = np.random.default_rng(1).normal(size=(2000, 2))
    assert svg(many) == svg(many) and len(svg(many)) < 50 * 2000


def test_nothing_in_it_is_fetched_or_run():
    picture = svg(Y, LABELS, title="Map")
    assert picture.replace("http://www.w3.org/2000/svg", "").find("http") == -1
    assert {part.tag.split("}")[1] for part in ElementTree.fromstring(picture).iter()} <= {
        "svg", "title", "rect", "text", "defs", "g", "path", "use",
    }  # fmt: skip


def test_one_place_makes_a_map():
    assert [len(places(svg([[1.0, 2.0]] * n))) for n in (1, 4)] == [1, 4]


def test_pictures_that_share_a_page_share_no_mark_but_one_that_looks_the_same():
    values = np.linspace(0.0, 1.0, len(Y))
    pictures = svg(Y), svg(Y, LABELS), svg(Y, values), svg(Y, LABELS, size=900), svg(Y, LABELS, title="again")
    looks = {}
    for picture in pictures:
        marks = {path.get("id"): (path.get("d"), path.get("fill")) for path in parts(picture, "path") if path.get("id")}
        assert {use.get("href")[1:] for use in parts(picture, "use")} <= set(marks)
        for name, look in marks.items():
            assert looks.setdefault(name, look) == look
