"""Lines between regions in a still: what is drawn and said of a certainty that is known."""

from xml.etree import ElementTree

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.objects.region_pairs import RegionPairs
from notebook_sne.views import svg
from notebook_sne.views.palette import BLURS
from tests.views.drawn import parts

draw = np.random.default_rng(0)
CENTERS = {"a": (0, 0), "b": (4, 0), "c": (0, 4), "d": (4, 4)}
LABELS = np.repeat([*CENTERS], 40)
Y = np.repeat([*CENTERS.values()], 40, axis=0) + 0.4 * draw.normal(size=(160, 2))
COUNTS = np.array([[10, 0, 0], [4, 2, 4], [0, 1, 9], [0, 0, 10], [0, 6, 4], [0, 0, 10]])  # ab, ac, ad, bc, bd, cd
PAIRS = RegionPairs(tuple(CENTERS), np.repeat(range(4), 40), COUNTS)
HOSTILE = '<script>alert(1)</script> & \x00 "'


def lines_of(picture):
    """The last path of each line by its sentence."""
    return {g[0].text: g[-1] for g in parts(picture, "g") if len(g) and g[0].tag.endswith("title")}


def test_lines_join_the_clumps_and_say_how_often():
    picture = svg(Y, LABELS, certainty=PAIRS, size=400)
    lines = lines_of(picture)
    sentences = [
        "a and c are joined in 4 of 10 fits, neighbors in 2, apart in 4",
        "b and d are joined in 0 of 10 fits, neighbors in 6, apart in 4",
        "a and b are joined in 10 of 10 fits, neighbors in 0, apart in 0",
    ]
    assert list(lines) == sentences
    dashes = [line.get("stroke-dasharray") for line in lines.values()]
    assert len(set(dashes)) == 3 and dashes[2] is None
    gray, _, black = inks = [line.get("stroke") for line in lines.values()]
    assert inks == [gray, gray, black] and gray != black, "most fits join neither of the first two"
    widths = [float(line.get("stroke-width")) for line in lines.values()]
    assert widths[0] == pytest.approx(0.4 * widths[2]), "joined in 4 of 10 fits"
    assert widths[2] == max(widths)
    across = np.array(lines[sentences[2]].get("d")[1:].replace("L", " ").split(), float)
    uses = np.array([[float(use.get("x")), float(use.get("y"))] for use in parts(picture, "use")])
    names = [use.get("href") for use in parts(picture, "use")]
    for end, k in ((across[:2], 0), (across[2:], 1)):
        middle = uses[np.char.startswith(names, f"#c{k}-")].mean(axis=0)
        assert np.hypot(*(end - middle)) < 15


def test_objects_out_of_focus_lie_below_the_sharp_ones_and_have_their_ink():
    blurs = np.zeros((2, len(Y)), dtype=np.uint8)
    blurs[1, 5:9], blurs[1, 9] = 5, 1
    picture = svg(Y, LABELS, certainty=PAIRS._replace(blurs=blurs))
    used = [use.get("href") for use in parts(picture, "use")]
    assert [name.rpartition("-")[2] for name in used[:5]] == ["5"] * 4 + ["1"] and {*used[5:]} == {
        use.get("href") for use in parts(svg(Y, LABELS, certainty=PAIRS), "use")
    }
    assert all(f'id="{name[1:]}"' in picture for name in used) and "filter" not in picture
    for discs in BLURS:
        radii, clear = np.array([r for r, _ in discs]), np.cumprod([1 - part for _, part in discs])
        rings = radii**2 - np.append(radii[1:], 0) ** 2
        assert ((1 - clear) * rings).sum() == pytest.approx(1, abs=0.005) and (np.diff(radii) < 0).all()


def test_words_say_the_same_to_eyes_and_ears():
    picture = svg(Y, LABELS, certainty=PAIRS, legend=False)
    texts = [text.text for text in parts(picture, "text")]
    assert sorted(texts[:5]) == ["4/10", "a", "b", "c", "d"]
    assert texts[5:] == [
        "joined in nearly all of 10 fits", "joined in some of 10 fits: in how many", "neighbors in most of 10 fits",
    ]  # fmt: skip
    (told,) = parts(picture, "desc")
    assert told.text.startswith("a and c are joined in 4 of 10 fits, neighbors in 2, apart in 4. b and d are")
    assert told.text.endswith("No line between the other 3 pairs.")
    height = float(ElementTree.fromstring(picture).get("height"))
    assert max(float(text.get("y")) for text in parts(picture, "text")) < height
    plain = svg(Y, LABELS)
    assert not parts(plain, "desc") and not lines_of(plain)


def test_values_may_color_the_objects():
    picture = svg(Y, draw.random(160), certainty=PAIRS)
    assert len(lines_of(picture)) == 3 and {"a", "b", "c", "d"} <= {text.text for text in parts(picture, "text")}


def test_regions_that_are_all_apart_have_no_line_and_that_is_said():
    picture = svg(Y, certainty=PAIRS._replace(counts=np.tile([0, 1, 9], (6, 1))))
    assert not lines_of(picture)
    assert "no line: all regions are apart in most of 10 fits" in {text.text for text in parts(picture, "text")}
    assert parts(picture, "desc")[0].text == "No line between the other 6 pairs."


def test_a_line_of_no_length_is_counted():
    picture = svg(np.where((LABELS == "b")[:, None], Y - [4, 0], Y), LABELS, certainty=PAIRS)
    assert len(lines_of(picture)) == 2
    assert parts(picture, "text")[-1].text == "1 line is too short to be drawn"


def test_hostile_names_draw_the_same_elements():
    names = np.where(LABELS == "a", HOSTILE, LABELS)
    hostile = svg(Y, names, certainty=PAIRS._replace(regions=(HOSTILE, "b", "c", "d")))
    kinds = [element.tag for element in ElementTree.fromstring(hostile).iter()]
    assert kinds == [element.tag for element in ElementTree.fromstring(svg(Y, LABELS, certainty=PAIRS)).iter()]
    assert "<script" not in hostile


def test_what_certainty_returns_is_drawn():
    maps = [Y, np.random.default_rng(1).permutation(Y), Y + np.ones(2)]
    sure = ns.certainty(maps, LABELS)
    assert set(lines_of(svg(Y, LABELS, certainty=sure))) <= {
        f"{one} and {other} are joined in {round(3 * joined)} of 3 fits, neighbors in {round(3 * near)}, apart in "
        f"{round(3 * apart)}"
        for one, other, joined, near, apart, _ in sure.pairs.itertuples(index=False)
    }
    with pytest.raises(ValueError, match="certainty must have the classes of labels"):
        svg(Y, np.where(LABELS == "a", "e", LABELS), certainty=sure)
    with pytest.raises(ValueError, match="regions must have names, and replace labels and a certainty"):
        svg(Y, names=LABELS, regions=True, certainty=sure)
