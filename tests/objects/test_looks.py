"""A class has one color and one shape, in figures as in SVG and stills; the player has those of the same list."""

import io
import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image

import notebook_sne as ns
from notebook_sne.engine.objects.labels import UNLABELED
from notebook_sne.engine.objects.traits import unpack_classes
from notebook_sne.views.palette import color, marker
from notebook_sne.views.raster import png
from notebook_sne.views.static import mark_path
from tests import calls

SVG = "{http://www.w3.org/2000/svg}"


def in_svg(Y, labels):
    """The looks in the legend of an SVG, as (name, color, path)."""
    root = ET.fromstring(ns.views.svg(Y, labels))
    return [
        (text.text, path.get("fill"), path.get("d"))
        for path, text in itertools.pairwise(root.iter())  # the legend stands in a group of its own
        if path.tag == f"{SVG}path" and text.tag == f"{SVG}text"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [12, 24, 180])
def test_a_class_looks_the_same_in_figure_svg_and_still(n_classes):
    labels = [f"class {k}" for k in np.random.default_rng(0).permutation(n_classes)] * 2 + [None, float("nan")]
    Y = np.random.default_rng(1).normal(size=(len(labels), 2))
    figure = ns.views.map_points(Y, labels=labels)
    drawn = {item.label.value: item.renderers[0].glyph for item in figure.legend[0].items}
    legend = in_svg(Y, labels)
    told = n_classes if n_classes <= 24 else 0  # more classes have their names on the map
    keys = {**{f"class {k}": k for k in range(told)}, "unlabeled (2)": UNLABELED}
    assert [name for name, *_ in legend] == list(drawn) == list(keys)
    for (name, fill, outline), k in zip(legend, keys.values(), strict=True) if told else ():
        glyph = drawn[name]
        # Bokeh draws a cross with lines alone.
        assert fill == (glyph.line_color if k == UNLABELED else glyph.fill_color) == color(k)
        assert {"x": "cross"}.get(glyph.marker, glyph.marker) == marker(k) and outline == mark_path(marker(k), 6)
    for k in (0, 1, 2, UNLABELED):
        picture = Image.open(io.BytesIO(png([[0, 0]], classes=[k], size=60))).convert("RGB")
        assert color(k) in {"#%02x%02x%02x" % rgb for _, rgb in picture.getcolors(2**24)}  # noqa: UP031
    film = ns.Recording()
    film.add(next(calls.Drifting().iterate(Y)))
    classes = unpack_classes(ns.replay(film, labels=labels).classes)
    assert (classes[-2:] == UNLABELED).all() and classes.max() == n_classes - 1


def test_the_first_168_classes_look_different_from_each_other_and_from_unlabeled_objects():
    looks = {(color(k), marker(k)) for k in range(168)}
    assert len(looks) == 168 and (color(168), marker(168)) == (color(0), marker(0))
    assert color(UNLABELED) not in {ink for ink, _ in looks} and marker(UNLABELED) not in {shape for _, shape in looks}


def test_unlabeled_objects_lie_below_the_others():
    Y = np.zeros((40, 2))
    labels = np.array([None] * 39 + ["a"], dtype=object)
    root = ET.fromstring(ns.views.svg(Y, labels))
    assert [use.get("href") for use in root.iter(f"{SVG}use")][-1].startswith("#c0-")
    assert ns.views.map_points(Y, labels=labels).renderers[0].name == "unlabeled"
    picture = Image.open(io.BytesIO(png(Y, classes=[UNLABELED] * 39 + [0], size=200))).convert("RGB")
    middle = picture.getpixel((picture.width // 2, picture.height // 2))
    assert "#%02x%02x%02x" % middle == color(0)  # noqa: UP031


def test_the_still_says_what_unlabeled_objects_are():
    view = ns.replay(calls.FILM, labels=[None, *calls.LABELS[1:]])
    assert "unlabeled (1)" in view._still_html() and 'alt="✖"' in view._still_html()
    view = ns.replay(calls.FILM, values=[None, *range(1, calls.N)])
    assert "no value (1)" in view._still_html() and "unlabeled" not in view._still_html()
