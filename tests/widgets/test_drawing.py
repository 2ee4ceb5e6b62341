"""A field to draw in as a widget and as a page: what the browser is sent, and what is refused."""

import json
import re
import zlib
from base64 import b64decode

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.browser.widgets.drawing import Drawing
from tests.tables import in_one_test

_digits = ns.datasets.load_digits().select(slice(0, 120))
IMAGES, LABELS = _digits.images, _digits.labels
_few = {"perplexity": 10, "max_iter": 20, "random_state": 0}


@pytest.fixture(scope="module")
def model():
    return ns.SNE(**_few).fit(_digits.X)


def test_the_browser_has_objects_map_and_rule(model):
    view = ns.draw(model, IMAGES, LABELS, title="</title>")
    assert isinstance(view, Drawing) and repr(view) == "Drawing(120 objects, 8 x 8)" and "<img" in view._still_html()
    pixels, code = (zlib.decompress(b64decode(packed)) for packed in (view.pixels, view.code))
    np.testing.assert_array_equal(np.frombuffer(pixels, np.uint8).reshape(IMAGES.shape), IMAGES)
    np.testing.assert_allclose(np.frombuffer(view.points, "<f4").reshape(-1, 2), model.embedding_, rtol=1e-6)
    assert view.rule == {"perplexity": 10.0, "least_p": 1e-6, "student": False, "background": 0.0}
    assert [view.class_names[k] for k in np.frombuffer(view.classes, "<u2")] == list(map(str, LABELS))
    assert code.startswith(b"\0asm") and view.strokes == []


def test_other_models_place_by_their_own_rule():
    heavy = ns.draw(ns.TSNE(**_few).fit(_digits.X / 16), IMAGES)
    assert heavy.rule["student"] and heavy.classes == b""
    model = ns.UNISNE(**_few).fit(_digits.X)
    assert ns.draw(model, IMAGES).rule["background"] == model.state_.knobs["background"] > 0


def test_the_look_is_measured_on_the_images():
    rows, columns = np.mgrid[0:40, 0:40]
    bar = 200 * ((abs(columns - 20) < 2.5) & (rows >= 6) & (rows < 30))  # 5 wide, 24 high
    images = np.stack([bar, np.roll(bar, 3, axis=1), np.zeros_like(bar)])
    look = ns.browser.widgets.drawing._look_of(images)
    assert (look["width"], look["height"], look["white"], look["fill"]) == (40, 40, 200, 24.0)
    assert look["pen"] == pytest.approx(5 / (1 + 5 / 24), rel=0.05)  # its two ends are edges, too
    assert look["center"] == pytest.approx([22.0, 18.0])


def test_a_page_holds_what_places_a_drawing_and_nothing_runs_but_that(model, tmp_path):
    view = ns.draw(model, IMAGES, LABELS, title="Draw")
    view.strokes = [[100, 100, 500, 900]]
    page = view.to_html(tmp_path / "draw.html").read_text(encoding="utf-8")
    assert "'wasm-unsafe-eval'" in page and "connect-src 'none'" in page
    data = json.loads(re.search(r'id="nsne-data">(.*?)</script>', page)[1])
    assert data["traits"]["strokes"] == [[100, 100, 500, 900]] and {"code", "pixels"} <= set(data["traits"])


@in_one_test(
    ("change", "error", "told"),
    [
        ({"images": IMAGES / 16}, ValueError, "whole numbers from 0 to 255"),
        ({"images": IMAGES - 1}, ValueError, "from -1 to 15"),
        ({"images": np.zeros((120, 8, 8))}, ValueError, "not all of one gray"),
        ({"images": np.zeros((120, 8, 8, 3), np.uint8)}, ValueError, r"shape \(N, height, width\)"),
        ({"images": _digits.X}, ValueError, r"shape \(N, height, width\)"),
        ({"images": IMAGES[::-1]}, ValueError, "fitted to the pixels of these images"),
        ({"images": IMAGES[:100]}, ValueError, "fitted to the pixels of these images"),
        ({"model": ns.UMAP(max_iter=20, random_state=0)}, TypeError, "one of SNE, SymmetricSNE, UNISNE, TSNE"),
        ({"model": ns.SNE(n_components=3, max_iter=5)}, ValueError, "map in the plane"),
        ({"model": ns.SNE(perplexity=(5, 20), max_iter=5)}, ValueError, "one perplexity"),
        ({"model": ns.SNE(metric="cosine", max_iter=5)}, ValueError, "Euclidean distances"),
    ],
)
def test_what_cannot_be_placed_is_refused(change, error, told):
    model = change.get("model", ns.SNE(perplexity=10, max_iter=5, random_state=0))
    with pytest.raises(error, match=told):
        ns.draw(model.fit(_digits.X), change.get("images", IMAGES))
