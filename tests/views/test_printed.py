"""Figures for papers: millimeters, letters that can be read, and the same picture as SVG, PDF and PNG."""

import re
import sys
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
from PIL import Image

import notebook_sne as ns
from notebook_sne.views import svg
from tests.tables import in_one_test

COLUMN = 85 / 25.4 * 72  # points


def blobs(n_classes, words="class"):
    """Map points of classes side by side, and their names."""
    middles = 6.0 * np.stack(np.divmod(np.arange(n_classes), max(int(n_classes**0.5), 1)), axis=1)
    Y = np.repeat(middles, 12, axis=0) + np.random.default_rng(0).normal(size=(12 * n_classes, 2))
    return Y, np.repeat([f"{words} {k}" for k in range(n_classes)], 12)


def page(path):
    (only,) = pypdfium2.PdfDocument(path)
    return only


@in_one_test(
    ("n_classes", "more"),
    [
        *((n, {}) for n in (3, 10)),
        *((n, {"legend": "auto"}) for n in (3, 10, 20, 250)),
        *((n, {"legend": False, "class_names": True, "title": "A title"}) for n in (10, 250)),
        (3, {"names": np.repeat(["one", "two", "three"], 12)}),
    ],
)
def test_a_column_has_letters_of_six_points_and_lines_of_a_quarter(n_classes, more):
    Y, labels = blobs(n_classes)
    root = ElementTree.fromstring(svg(Y, labels, width="85mm", **more))
    assert root.get("width") == f"{COLUMN:.2f}pt"
    scale = COLUMN / float(root.get("viewBox").split()[2])
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', ElementTree.tostring(root, "unicode"))]
    lines = [float(part.get("stroke-width", 1)) for part in root.iter() if part.get("stroke") and not part.text]
    assert scale * min(sizes) >= 6 and scale * min(lines, default=1) >= 0.25


def test_a_pdf_is_as_wide_as_its_column_and_its_text_is_text(tmp_path):
    Y, labels = blobs(4, "Müller's <b>")
    svg(Y, labels, tmp_path / "map.pdf", width="85mm", font="Arial", frame=False, legend="auto")
    only = page(tmp_path / "map.pdf")
    assert only.get_size()[0] == pytest.approx(COLUMN, abs=0.01)
    text = only.get_textpage()
    assert all(name in text.get_text_range() for name in set(labels))
    boxes = [text.get_charbox(k, loose=True) for k in range(text.count_chars())]
    assert min(top - low for _, low, _, top in boxes if top > low) >= 6
    # A name on the map is dark above its light rim, also where it lies on points.
    k = text.get_text_range().index("Müller")
    left, low, right, top = text.get_charbox(k)
    painted = np.asarray(only.render(scale=8).to_pil().convert("L"))
    high = painted.shape[0]
    assert painted[int(high - 8 * top) : int(high - 8 * low), int(8 * left) : int(8 * right)].min() < 80


def test_a_png_has_the_pixels_of_its_inches(tmp_path):
    Y, labels = blobs(3)
    picture = svg(Y, labels, width="3.5 in")
    assert picture.save(tmp_path / "map.png") == tmp_path / "map.png"
    with Image.open(tmp_path / "map.png") as image:
        assert abs(image.width - 1050) <= 1 and round(image.info["dpi"][0]) == 300
        assert len(np.unique(np.asarray(image.convert("L")))) > 20
    with Image.open(picture.save(tmp_path / "small.PNG", dpi=72)) as image:
        assert abs(image.width - 252) <= 1
    svg(Y, labels).save(tmp_path / "screen.svg")
    assert (tmp_path / "screen.svg").read_text() == svg(Y, labels)


def test_classes_are_named_on_the_map_where_all_find_room_and_beside_it_otherwise():
    Y, labels = blobs(6)
    assert svg(Y, labels, legend="auto") == svg(Y, labels, legend=False, class_names=True)
    near = Y / 1e3 + np.arange(6).repeat(12)[:, None] % 2 * 1e4  # no room for six names
    assert svg(near, labels, legend="auto") == svg(near, labels)
    crowd = blobs(250)
    many = svg(*crowd, legend="auto")
    assert "of 250 classes named" in many and many == svg(*crowd, legend=False, class_names=True)
    assert svg(Y, labels, frame=False).count("<rect") == 1 and svg(Y, labels).count("<rect") == 2
    assert 'font-family="Arial, ' in svg(Y, labels, font="Arial")


def test_every_picture_is_saved_in_every_form(tmp_path):
    words = ns.datasets.load_word_relations()
    pictures = {
        "two": ns.views.two_norms(ns.senses.compare(words, words, ("one", "other")), "bank"),
        "values": svg(blobs(3)[0], np.linspace(0, 1, 36), value_name="ink"),
        "signs": svg(*blobs(2, "“a class”\u2014whose name is cut, "), legend="auto"),
        "regions": svg(blobs(5)[0], names=blobs(5)[1], regions=True, width="174mm"),
    }
    for name, picture in pictures.items():
        picture.save(tmp_path / f"{name}.pdf")
        assert page(tmp_path / f"{name}.pdf").get_textpage().count_chars() > 3
    assert "..." in page(tmp_path / "signs.pdf").get_textpage().get_text_range(), "without a font file"


def test_letters_of_other_scripts_take_a_font_file(tmp_path):
    builder = pytest.importorskip("fontTools.fontBuilder")
    pen = pytest.importorskip("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
    for x, y in ((0, 0), (0, 700), (500, 700)):
        (pen.lineTo if (x, y) != (0, 0) else pen.moveTo)((x, y))
    pen.closePath()
    letters = {ord(letter): f"g{ord(letter)}" for letter in " abcdefghijklmnopqrstuvwxyz0123456789Ж"}
    glyph, names = pen.glyph(), [".notdef", *letters.values()]
    made = builder.FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder(names)
    made.setupCharacterMap(letters)
    made.setupGlyf(dict.fromkeys(names, glyph))
    made.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "Own", "styleName": "Regular"})
    made.setupOS2()
    made.setupPost()
    made.save(own := tmp_path / "own.ttf")
    needs, left = "needs font_file", "from left to right"
    for word, file, rule in (("Ж", None, needs), ("漢", own, needs), ("ש", own, left)):
        with pytest.raises(ValueError, match=f"a PDF or PNG with '{word}' .*{rule}"):
            svg(*blobs(2, word)).save(tmp_path / "map.pdf", font_file=file)
    svg(*blobs(2, "Ж"), class_names=True).save(tmp_path / "map.pdf", font_file=own)
    assert "Ж" in page(tmp_path / "map.pdf").get_textpage().get_text_range()


@in_one_test(
    ("how", "says"),
    [
        ({"width": "85"}, "width must be a number with mm, cm, in or pt, such as '85mm', got '85'"),
        ({"width": 85}, "width must be a number with mm"),
        ({"width": "0mm"}, "width must be a number with mm"),
        ({"width": "20mm"}, "width must leave room for letters of 6 points"),
        ({"width": "85mm", "title": "words " * 20}, "leave the title out"),
        ({"legend": "left"}, "legend must be True, False or 'auto'"),
        ({"path": "map.jpg"}, "path must end in .svg, .pdf or .png, got 'map.jpg'"),
    ],
)
def test_what_is_wrong_is_said(how, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        svg(*blobs(3), **how)


def test_without_the_extra_an_svg_is_written_and_a_pdf_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fpdf", None)
    svg(*blobs(2), tmp_path / "map.svg")
    with pytest.raises(ImportError, match=re.escape("a PDF or PNG needs fpdf2: pip install 'notebook_sne[figures]'")):
        svg(*blobs(2), tmp_path / "map.pdf")
