"""A drawing in a page: where it lands, whom it is near, and what is said of bad ones; wide and on a phone."""

import numpy as np
import pytest

import notebook_sne as ns
from tests.browser.pages import stroke

pytestmark = [pytest.mark.browser, pytest.mark.landing]

SEVEN = [(0.25, 0.15), (0.75, 0.15), (0.45, 0.9)]
ZERO = [(0.5 + 0.22 * np.sin(t), 0.5 - 0.4 * np.cos(t)) for t in np.linspace(0, 2 * np.pi, 25)]
_IMAGE = """canvas => {
  const pen = new OffscreenCanvas(8, 8).getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  return [...pen.getImageData(0, 0, 8, 8).data].filter((_, k) => k % 4 == 0);
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_drawn_digit_lands_where_python_places_it_and_near_its_kind(open_page, tmp_path, width):
    digits = ns.datasets.load_digits().select(slice(0, 600))
    model = ns.TSNE(perplexity=20, max_iter=250, random_state=0).fit(digits.X)
    drawing = ns.draw(model, digits.images, digits.labels, title="Draw a digit")
    drawing.drawings = digits.images[:2].astype(np.uint8).tobytes()  # what a class has drawn
    path = drawing.to_html(tmp_path / "draw.html")
    view = open_page(path, ".nsne-drawing", viewport={"width": width, "height": 844})
    said = view.part("said")
    view.until(lambda v: said.inner_text() == "Draw in the square. On the map: 2 by the class.")
    for digit, points in (("7", SEVEN), ("0", ZERO)):
        stroke(view.page, view.control("field"), *points)
        view.until(lambda v: len(v.read("found").split()) == 10)
        assert view.read("found").split().count(digit) >= 6, view.read("found")
        assert (
            f"of class {view.read('found')[0]}" in said.inner_text() and view.part("near").locator("li").count() == 10
        )
        image = np.rint(np.array(view.root.locator(".nsne-d-seen").evaluate(_IMAGE)) * 16 / 255)
        place = np.array([float(view.read("x")), float(view.read("y"))])
        np.testing.assert_allclose(place, model.transform(image[None])[0], atol=0.01 * model.embedding_.std())
        near = model.embedding_[np.argsort(np.linalg.norm(digits.X - image, axis=1))[:10]]
        assert np.linalg.norm(place - np.median(near, axis=0)) < model.embedding_.std()
        view.control("clear").press("Enter")
        view.until(lambda v: said.inner_text().startswith("Draw in the square.") and v.read("found") == "")
    stroke(view.page, view.control("field"), (0.5, 0.5))
    view.until(lambda v: said.inner_text().startswith("This is a dot."))
    full = [(0.05 + 0.9 * (k % 2), 0.05 + 0.03 * k) for k in range(31)]
    stroke(view.page, view.control("field"), *full)
    view.until(lambda v: said.inner_text().startswith("The square is full of ink"))
    assert view.page.evaluate("document.documentElement.scrollWidth") <= width
