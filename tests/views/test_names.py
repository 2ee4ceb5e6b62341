import numpy as np
from bokeh.plotting import figure

from notebook_sne.views.figures import write_names
from notebook_sne.views.names import place_names, text_width

RANDOM = np.random.default_rng(0)
WORDS = ["river", "bank", "money", "mixture of maps", "i", "WORDS", "field", "fire"]


def boxes(points, places, texts, font_size=12):
    """Left, lower, right and upper edge of the names that are written."""
    found = []
    for (x, y), place, text in zip(points, places, texts, strict=True):
        if place is not None:
            width = text_width(text, font_size)
            left = x + place.x - {"left": 0, "center": width / 2, "right": width}[place.align]
            found.append([left, y + place.y - 0.6 * font_size, left + width, y + place.y + 0.6 * font_size])
    return np.array(found)


def test_no_name_lies_on_another_or_leaves_the_picture():
    for size in (60, 120, 300):
        points = RANDOM.random((8, 2)) * size
        found = boxes(points, place_names(points, np.full(8, 4.0), WORDS, size), WORDS)
        assert (found > 0).all() and (found < size).all()
        for k, a in enumerate(found):
            for b in found[:k]:
                assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_the_first_name_has_the_best_place_and_a_crowd_leaves_some_out():
    points = np.full((8, 2), 50.0)
    places = place_names(points, np.full(8, 4.0), WORDS, 100)
    assert places[0].align == "left" and places[0].x > 4 and places[0].y == 0
    assert None in places


def test_names_keep_off_marks_where_they_can():
    right = np.array([[75.0, 50.0, 20.0]])
    (place,) = place_names(np.array([[50.0, 50.0]]), np.array([4.0]), ["bank"], 100, obstacles=right)
    assert place.align == "right"


def test_long_and_wide_texts_are_wider():
    assert text_width("mmmm", 12) > text_width("iiii", 12)
    assert text_width("漢字", 12) > 24
    assert text_width("bank", 24) == 2 * text_width("bank", 12)


def test_what_has_a_place_is_written_there():
    p, points = figure(), np.array([[10.0, 20.0], [30.0, 40.0]])
    places = place_names(points, np.array([4.0, 4.0]), ["a", "b"], 100)
    data = write_names(p, points, [None, places[1]], ["a", "b"]).data_source.data
    assert (list(data["x"]), list(data["y"]), data["text"]) == ([30], [40], ["b"])
    assert data["y_offset"] == [-places[1].y]
