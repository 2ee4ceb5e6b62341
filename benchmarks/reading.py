"""What a reader finds on a page: how many words stand on the map, whether any collide, and how soon a tap answers.

Recorded pages of t-SNE maps of the 500 commonest words (bundled) and of the 5,000 commonest (GloVe, from the folder of
data), opened from disk in a Chromium without a network. The words are those of the drawing that the page itself saves,
each as wide as this browser measures it in its own font; two collide if their boxes share any area. A tap is a finger
on a mark, by the browser's own protocol; it is answered by the painting after the card has its words.
"""

import itertools
import shutil
import statistics
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from playwright.sync_api import sync_playwright

import notebook_sne as ns
from benchmarks.glove import vectors
from benchmarks.record import keep
from tests.browser.jupyter import FLAGS
from tests.browser.pages import Opened
from tests.browser.test_touch_in_browser import Fingers

TAPS = 15
VIEWS = {"1920 x 1080": (1920, 1080), "1280 x 800": (1280, 800), "390 x 844": (390, 844)}
SVG = "{http://www.w3.org/2000/svg}"
WIDTHS = """texts => texts.map(([font, text]) => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = font;
    return pen.measureText(text).width;
})"""
# Places of the stage on marks, spread over the map: painted pixels with the ground on their left.
MARKS = """(canvas, most) => {
    const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const pixels = new Uint32Array(data.buffer), found = [];
    for (let i = 1; i < pixels.length; i++) if (pixels[i] !== pixels[0] && pixels[i - 1] === pixels[0]) found.push(i);
    return Array.from({ length: most }, (_, k) => found[Math.floor(((k + 0.5) * found.length) / most)])
        .map((i) => [i % width, Math.floor(i / width)].map((v) => v / devicePixelRatio + 1.5));
}"""
# From the finger's first touch to the end of the frame that follows the card's words.
ANSWER = """root => {
  window.taps = [];
  root.addEventListener("pointerdown", () => {
    const began = performance.now();
    const watch = new MutationObserver(() => {
      const card = root.querySelector("[data-part=card]");
      if (card.hidden || !card.textContent) return;
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => window.taps.push(performance.now() - began)));
    });
    watch.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }, { capture: true });
}"""


def page_of(n, folder):
    """Write the recorded page of a map of the n commonest words, and return its path."""
    if n == 500:
        common = ns.datasets.load_common_words()
        X, names = common.X, common.names
    else:
        names, X = vectors(n)
    run = ns.Run(ns.TSNE(random_state=0, max_iter=500, progress=False), X)
    run.steps(500)
    return run.recording.to_html(folder / f"{n}.html", names=names)


def boxes(view, folder):
    """Return the boxes of all words that the saved drawing writes on the map: left, right, top, bottom."""
    view.control("export-menu").click()
    with view.page.expect_download() as download:
        view.control("svg").click()
    download.value.save_as(folder / "view.svg")
    inner = ElementTree.parse(folder / "view.svg").getroot().find(f"{SVG}svg")
    texts = [text for text in inner.iter(f"{SVG}text") if text.get("fill") != "none"]
    fonts = [[f"{t.get('font-weight')} {t.get('font-size')}px system-ui, sans-serif", t.text] for t in texts]
    found = []
    for text, wide in zip(texts, view.page.evaluate(WIDTHS, fonts), strict=True):
        x, y, size = (float(text.get(name)) for name in ("x", "y", "font-size"))
        found.append((x, x + wide, y - 0.8 * size, y + 0.2 * size))
    return found


def collisions(found):
    """Return how many pairs of boxes share any area."""
    return sum(a[1] > b[0] and b[1] > a[0] and a[3] > b[2] and b[3] > a[2] for a, b in itertools.combinations(found, 2))


def seconds_of_taps(view):
    """Return the ms from each of some taps on marks to the painting that follows the card."""
    view.root.evaluate(ANSWER)
    fingers, stage = Fingers(view.page), view.root.locator(".nsne-stage").bounding_box()
    marks = view.root.locator(".nsne-stage > canvas").evaluate(MARKS, 40)
    for x, y in marks:
        fingers.tap((stage["x"] + x, stage["y"] + y))
        view.page.wait_for_timeout(400)
        if view.part("card").is_visible():
            view.control("close-card").tap()
        view.page.wait_for_timeout(100)
        if len(view.page.evaluate("taps")) >= TAPS:
            break
    return view.page.evaluate("taps")


def measure(browser, path, n, folder):
    """Return the rows of one page, one for each size of window."""
    rows = []
    for name, (width, height) in VIEWS.items():
        phone = {"has_touch": True, "is_mobile": True} if width < 600 else {}
        view = Opened(browser, path, ".nsne-player", viewport={"width": width, "height": height}, **phone).open()
        view.until(lambda v: int(v.read("written")) > 0, seconds=60)
        view.rest(lambda view=view: view.read("written"))
        row = {"words": n, "window": name, "written": int(view.read("written"))}
        found = boxes(view, folder)
        row |= {"in the saved drawing": len(found), "collisions": collisions(found)}
        taps = seconds_of_taps(view) if phone else []
        row["tap to card, median ms"] = round(statistics.median(taps), 1) if taps else None
        row["longest of them, ms"] = round(max(taps), 1) if taps else None
        view.page.screenshot(path=str(folder / f"{n} {name}.png"))
        view.context.close()
        rows.append(row | {"page, kB": round(path.stat().st_size / 1000)})
        print(rows[-1], flush=True)
    return rows


def main():
    folder = Path(tempfile.mkdtemp())
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        rows = [row for n in (500, 5000) for row in measure(browser, page_of(n, folder), n, folder)]
        browser.close()
    keep("reading", {"map": "t-SNE, 500 updates, seed 0", "size of names": 12, "drawing": "in software"}, rows)
    print("pictures in", folder)


if __name__ == "__main__":
    main()
