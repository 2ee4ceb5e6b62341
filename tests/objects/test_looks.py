"""A class has one color and one shape, in the player and its pages as in figures, SVG and stills."""

import io
import itertools
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image

import notebook_sne as ns
from notebook_sne.browser.frontend.bundle import FOLDER
from notebook_sne.engine.objects.labels import UNLABELED
from notebook_sne.engine.objects.traits import unpack_classes
from notebook_sne.views.palette import COLORS, MARKERS, color, marker, value_color
from notebook_sne.views.raster import png
from notebook_sne.views.static import mark_corners
from tests import calls
from tests.standins.waiting import LONG

NODE = shutil.which("node")
SVG = "{http://www.w3.org/2000/svg}"
BOKEH = {"inverted_triangle": "wedge", "x": "cross"}  # what the player calls the shapes otherwise

PROGRAM = """
import { PALETTE, SHAPES, UNLABELED, classShape, shapePath, valueColor } from "%(folder)s/shared/marks.js";
import { Coloring } from "%(folder)s/player/map/colors.js";
import { KnownObjects, entriesOf } from "%(folder)s/player/objects.js";
const { classes, classNames } = JSON.parse(process.argv[1]);
const objects = { classes: Uint16Array.from(classes), classNames, values: null };
const coloring = new Coloring(objects);
coloring.choose("label", { hidden: false, live: false, costs: null });
const looks = entriesOf(objects).map(({ key, name }) =>
  [name, key, coloring.color(key, false), coloring.shape(key), shapePath(coloring.shape(key), 6)]);
const traits = { classes: new DataView(objects.classes.buffer), class_names: classNames };
const known = new KnownObjects({ get: (name) => traits[name] }, classes.length);
const texts = classes.map((_, i) => known.label(i));
const values = [0, 0.25, 0.5, 1].map((t) => valueColor(t));
console.log(JSON.stringify({ looks, texts, values, palette: PALETTE, shapes: SHAPES }));
"""

needs_node = pytest.mark.skipif(NODE is None, reason="no Node found; install it to test the front end's modules alone")


def in_the_player(labels):
    """The looks and the texts of labels, as the player's own modules make them of a widget's traits."""
    film = ns.Recording()
    film.add(next(calls.Drifting().iterate(np.random.default_rng(0).normal(size=(len(labels), 2)))))
    view = ns.replay(film, labels=labels)
    given = json.dumps({"classes": np.frombuffer(view.classes, "<u2").tolist(), "classNames": view.class_names})
    program = PROGRAM % {"folder": FOLDER.as_uri()}
    command = [NODE, "--no-warnings", "--input-type=module", "-e", program, given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=True)
    return view, json.loads(done.stdout)


def in_svg(Y, labels):
    """The looks in the legend of an SVG, as (name, color, path)."""
    root = ET.fromstring(ns.views.svg(Y, labels))
    return [
        (text.text, path.get("fill"), path.get("d"))
        for path, text in itertools.pairwise(root.iter())  # the legend stands in a group of its own
        if path.tag == f"{SVG}path" and text.tag == f"{SVG}text"
    ]


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("n_classes", [12, 24, 180])
def test_a_class_looks_the_same_in_player_figure_svg_and_still(n_classes):
    labels = [f"class {k}" for k in np.random.default_rng(0).permutation(n_classes)] * 2 + [None, float("nan")]
    Y = np.random.default_rng(1).normal(size=(len(labels), 2))
    view, told = in_the_player(labels)
    looks = told["looks"]
    assert [name for name, *_ in looks] == [f"class {k}" for k in range(n_classes)] + ["unlabeled (2)"]
    assert told["texts"] == [f"{label}" if isinstance(label, str) else "unlabeled" for label in labels]

    figure = ns.views.map_points(Y, labels=labels)
    drawn = {item.label.value: item.renderers[0].glyph for item in figure.legend[0].items}
    legend = in_svg(Y, labels)
    assert [name for name, *_ in legend] == list(drawn) == [name for name, *_ in looks]
    for (name, key, ink, shape, path), (_, fill, outline) in zip(looks, legend, strict=True):
        glyph, k = drawn[name], UNLABELED if key == 65535 else key
        # Bokeh draws a cross with lines alone.
        assert ink == fill == (glyph.line_color if key == 65535 else glyph.fill_color) == color(k)
        assert shape == BOKEH.get(glyph.marker, glyph.marker) == BOKEH.get(marker(k), marker(k))
        wanted = [] if shape == "circle" else sorted((round(x, 1), round(y, 1)) for x, y in mark_corners(marker(k), 6))
        for one in (corners(path), corners(outline)):
            np.testing.assert_allclose(one, wanted, atol=0.051, err_msg=shape)  # an SVG has tenths of a pixel
    for name, key, ink, *_ in looks[:3] + looks[-1:]:
        picture = png([[0, 0]], classes=[UNLABELED if key == 65535 else key], size=60)
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        assert ink in {"#%02x%02x%02x" % rgb for _, rgb in image.getcolors(2**24)}, name  # noqa: UP031
    classes = unpack_classes(view.classes)
    assert (classes[-2:] == UNLABELED).all() and classes.max() == n_classes - 1


def corners(path):
    """Where a path has corners, in order; none of a circle. A rectangle is drawn by its sides."""
    if "a" in path:
        return []
    places = [tuple(map(float, place.split())) for place in re.findall(r"[ML]([-\d. ]+)", path)]
    if side := re.search(r"h([\d.]+)", path):
        (x, y), side = places[0], float(side[1])
        places = [(x + right, y + down) for right in (0, side) for down in (0, side)]
    return sorted((round(x, 1), round(y, 1)) for x, y in places)


@needs_node
def test_colors_and_shapes_are_those_of_the_player():
    _, told = in_the_player(["a", "b"])
    assert tuple(told["palette"]) == COLORS
    assert [BOKEH.get(shape, shape) for shape in MARKERS] == told["shapes"]
    # The player leaves out the lightest end of the scale, which its thin ground would swallow.
    assert told["values"] == [value_color(0.93 * t) for t in (0, 0.25, 0.5, 1)]


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
