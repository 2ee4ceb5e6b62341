"""Lines between regions in a real browser, on a page from disk: shown, pointed at, pressed, hidden, and in a table."""

from dataclasses import replace

import numpy as np
import pytest

from notebook_sne.engine.objects.region_pairs import RegionPairs
from notebook_sne.engine.runs.recording import Recording
from tests.browser.pages import HOSTILE, PAINTED, frames, until
from tests.runs.recorded import state

pytestmark = [pytest.mark.browser, pytest.mark.landing]

NAMES = (HOSTILE, "b", "c")
COUNTS = np.array([[6, 3, 1], [0, 0, 10], [10, 0, 0]], dtype=np.uint32)  # of the first and b, the first and c, b and c
SENTENCE = f"{HOSTILE} and b are joined in 6 of 10 fits, neighbors in 3, apart in 1"


def recorded():
    """A film of three clumps; the third one moves down, the others stay."""
    region, noise = np.repeat(range(3), 30), 0.05 * np.random.default_rng(0).normal(size=(90, 2))
    recording = Recording()
    for k in range(3):
        centers = np.array([[-2, 0], [2, 0], [2, 2.5 - k]])
        recording.add(replace(state(k), Y=(centers[region] + noise)[None], memory={}))
    pairs = RegionPairs(NAMES, region, COUNTS)
    return recording.describe(labels=[NAMES[r] for r in region], certainty=pairs, title="Three")


def test_lines_are_shown_told_and_hidden_on_a_page_from_disk(open_page, tmp_path):
    view = open_page(recorded().to_html(tmp_path / "page.html"), ".nsne-player")
    page, toast = view.page, view.part("toast")
    view.until(lambda v: v.read("lines") == "2")
    words = view.part("pairs").inner_text()
    assert "joined in nearly all of 10 fits" in words and "joined in some of 10 fits: in how many" in words
    box = view.root.locator(".nsne-stage").bounding_box()
    for k in range(1, 80):  # down the middle of the map, across both lines
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + k * box["height"] / 80)
        frames(page)
        if toast.is_visible() and toast.inner_text() == SENTENCE:
            break
    assert toast.inner_text() == SENTENCE
    page.mouse.down()
    page.mouse.up()
    view.until(lambda v: v.part("speech").inner_text() == SENTENCE)

    fold = view.part("pairs-table")
    fold.locator("summary").press("Enter")
    rows = fold.locator("tbody tr")
    until(page, lambda: rows.count() == 3)
    assert rows.first.locator("th").inner_text() == f"{HOSTILE} and b"
    assert rows.first.locator("td").all_inner_texts() == ["6", "3", "1", "10"]
    assert not view.root.locator("img").count() and not page.evaluate("window.hacked")

    view.root.press("j")
    view.until(lambda v: v.read("lines") == "0" and v.control("pairs").get_attribute("aria-pressed") == "false")
    assert not view.root.locator(".nsne-pair-key").is_visible()
    view.control("pairs").click()
    view.until(lambda v: v.read("lines") == "2")
    page.set_viewport_size({"width": 390, "height": 844})
    view.until(lambda v: v.read("lines") == "2" and v.control("pairs").is_visible())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_slider_spreads_the_ink_of_what_fits_put_elsewhere(open_page, tmp_path):
    recording = recorded()
    blurs = np.zeros((3, 90), dtype=np.uint8)
    blurs[1, :10], blurs[2, :30] = 3, 5
    recording.describe(certainty=recording.certainty._replace(blurs=blurs)).to_html(tmp_path / "page.html")
    view = open_page(tmp_path / "page.html", ".nsne-player", viewport={"width": 390, "height": 844})
    slider, told = view.root.locator("input[data-control='focus']"), view.root.locator("[data-part='focus']")
    seen, heights = {}, set()
    for fits, key in ((3, "End"), (1, "Home"), (2, "ArrowRight")):
        slider.press(key)
        words = f"{fits} of 3 fits. " + (
            "Sharp: in one region each time." if fits > 1 else "One map looks sure of everything."
        )
        until(view.page, lambda said=words: told.inner_text() == said, told.inner_text)
        frames(view.page)
        seen[fits] = view.root.locator("canvas.nsne-map").evaluate(PAINTED)[0]
        heights.add(view.root.locator(".nsne-stage").evaluate("one => one.offsetHeight"))
        assert slider.evaluate("one => one.ariaValueText") == words
    assert seen[1] < seen[2] < seen[3]
    assert len(heights) == 1, "the map stays"
    assert view.page.evaluate("document.documentElement.scrollHeight") == 844, "Play is in sight"
