"""Words of one map as a small SVG: where they are, what they are called, and that no name adds an element."""

from xml.etree import ElementTree

import numpy as np

from notebook_sne.views.words import draw_words

SVG = "{http://www.w3.org/2000/svg}"
POINTS = np.array([(0.0, 0.0), (2.0, 0.0), (0.0, 1.0)])


def elements(picture, tag):
    return ElementTree.fromstring(picture).findall(f".//{SVG}{tag}")


def test_circles_stand_as_in_the_map_and_areas_are_proportions():
    small, right, up = (
        {name: float(circle.get(name)) for name in ("cx", "cy", "r")}
        for circle in reversed(elements(draw_words(POINTS, [0.25, 1.0, 1.0], "abc", size=200), "circle"))
    )
    assert right["cx"] - small["cx"] > 100 and right["cy"] == small["cy"]
    assert up["cy"] < small["cy"] and up["cx"] == small["cx"]
    assert right["r"] == 2 * small["r"]


def test_names_stand_beside_their_circles_and_the_first_one_stands_out():
    texts = elements(draw_words(POINTS, [1, 1, 1], ["bank", "money", "river"], first=True), "text")
    assert [text.text for text in texts] == ["bank", "money", "river"]
    assert [text.get("font-weight") for text in texts] == ["700", None, None]
    assert all(text.get("font-weight") is None for text in elements(draw_words(POINTS, [1, 1, 1], "abc"), "text"))


def test_no_name_adds_an_element_and_any_name_can_be_written():
    names = ["</text><script>x</script>", "a\x00b\ud800", "x" * 200]
    picture = draw_words(POINTS, [1, 1, 1], names)
    picture.encode()
    assert not elements(picture, "script")
    assert [text.text[:9] for text in elements(picture, "text")][:2] == ["</text><s", "a\ufffdb\ufffd"]


def test_one_word_is_drawn():
    assert len(elements(draw_words(POINTS[:1], [0.5], ["alone"]), "circle")) == 1
