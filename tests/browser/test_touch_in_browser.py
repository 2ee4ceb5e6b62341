"""Fingers: a tap shows the card, two fingers zoom, one scrolls the page until the map was tapped, and drags a point."""

import pytest

from tests.browser.jupyter import write_notebook
from tests.browser.pages import PHONE, Notebook, frames
from tests.browser.test_page_in_browser import explorer, film, open_film

pytestmark = pytest.mark.browser

TOO_SMALL = """root => [...root.querySelectorAll("button, select, summary, input")]
    .filter(e => e.getClientRects().length)
    .map(e => [e.dataset.control || e.tagName, e.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name)"""
PLACE = """canvas => {
    const pen = canvas.getContext("2d"), { data, width } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const at = (i) => data[4 * i] + data[4 * i + 1] * 256 + data[4 * i + 2] * 65536;
    for (let i = 0; i < data.length / 4; i++)
        if (at(i) !== at(0)) return [i % width, Math.floor(i / width)].map((v) => v / devicePixelRatio + 2);
}"""


class Fingers:
    """Fingers on the glass of a page, as Chromium's own protocol knows them."""

    def __init__(self, page):
        self.page, self.session = page, page.context.new_cdp_session(page)

    def send(self, kind, *places):
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def tap(self, place):
        self.send("touchStart", place)
        self.send("touchEnd")

    def drag(self, *ways, lift=True):
        """Each way is (from, to); several are fingers that move together."""
        self.send("touchStart", *[begin for begin, _ in ways])
        for k in range(1, 13):
            self.send("touchMove", *[tuple(a + (b - a) * k / 12 for a, b in zip(*way, strict=True)) for way in ways])
            frames(self.page, 1)
        if lift:
            self.send("touchEnd")


def place_of_a_mark(view):
    """Where on the page the first mark of the map is."""
    x, y = view.root.locator(".nsne-stage > canvas").evaluate(PLACE)
    box = view.root.locator(".nsne-stage").bounding_box()
    return box["x"] + x, box["y"] + y


def inside(box, x, y):
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def test_fingers_on_a_recorded_page(open_page, tmp_path):
    path = film(labels=["even", "odd"] * 30, names=[f"object {i}" for i in range(60)]).to_html(tmp_path / "film.html")
    view = open_film(open_page, path, **PHONE)
    fingers, page, stage = Fingers(view.page), view.page, view.root.locator(".nsne-stage")
    card, toast = view.part("card"), view.part("toast")
    box = stage.bounding_box()
    fingers.drag((inside(box, 0.5, 0.8), inside(box, 0.5, 0.4)))
    view.until(lambda v: page.evaluate("scrollY") > 100)
    assert view.read("held") == "false" and view.read("selected") == "0"
    view.until(lambda v: toast.inner_text().startswith("Tap the map first"))
    view.until(lambda v: page.evaluate("scrollTo(0, 0), scrollY") == 0)  # it may glide on after the finger has left
    view.rest()

    fingers.tap(place_of_a_mark(view))
    view.until(lambda v: card.is_visible() and v.read("selected") == "1")
    assert "object" in card.inner_text()

    def at_a_border(v):
        sheet = card.bounding_box()
        ends = sheet["y"], sheet["y"] + sheet["height"]
        return (sheet["x"], sheet["width"]) == (0, 390) and (round(ends[0]) == 0 or round(ends[1]) == 844)

    line = card.bounding_box()
    assert box["y"] <= line["y"] and line["y"] + line["height"] <= box["y"] + box["height"], "it covers the map alone"
    view.control("open-card").tap()
    view.until(at_a_border)
    assert "nearest in the map" in card.inner_text()
    page.evaluate("scrollBy(0, 60)")  # who scrolls goes on
    view.until(lambda v: not at_a_border(v))
    page.evaluate("scrollTo(0, 0)")
    view.control("close-card").tap()
    view.until(lambda v: not card.is_visible())
    box, before = stage.bounding_box(), page.evaluate("scrollY")
    fingers.drag((inside(box, 0.05, 0.9), inside(box, 0.05, 0.6)))  # on empty ground: the map is in hand
    view.until(lambda v: v.read("held") == "true")
    assert page.evaluate("scrollY") == before
    fingers.tap((5, 5))  # and out of it
    view.until(lambda v: stage.get_attribute("data-finger") == "page")
    view.control("more").tap()
    assert view.root.evaluate(TOO_SMALL) == []


def test_a_phone_on_its_side_has_one_edge_and_a_menu_over_the_map(open_page, tmp_path):
    side = {**PHONE, "viewport": {"width": 844, "height": 390}}
    path = film(labels=["even", "odd"] * 30, title="Digits").to_html(tmp_path / "film.html")
    view = open_film(open_page, path, **side)
    view.few = True
    column = [view.part("title"), view.control("search"), view.control("film-play"), view.part("told")]
    lefts = [round(one.bounding_box()["x"]) for one in column]
    assert max(lefts) - min(lefts) <= 1, lefts
    assert view.page.evaluate("document.documentElement.scrollWidth") == 844
    stage = view.root.locator(".nsne-stage")
    before = stage.bounding_box()
    view.control("more").tap()
    menu = view.part("menu").bounding_box()
    assert stage.bounding_box() == before and before["x"] <= menu["x"] and menu["y"] >= before["y"]
    assert menu["height"] <= before["height"] and view.root.evaluate(TOO_SMALL) in ([], ["film"])
    view.control("menu-all").tap()
    view.until(lambda v: v.read("controls") == "all")


def test_two_fingers_zoom_a_map_that_was_not_tapped(open_page, tmp_path):
    view = open_film(open_page, film().to_html(tmp_path / "film.html"), **PHONE)
    box = view.root.locator(".nsne-stage").bounding_box()
    before = view.part("scale").inner_text()
    Fingers(view.page).drag(
        (inside(box, 0.4, 0.4), inside(box, 0.2, 0.2)), (inside(box, 0.6, 0.6), inside(box, 0.8, 0.8))
    )
    view.until(lambda v: v.read("held") == "true" and v.part("scale").inner_text() != before)
    assert view.page.evaluate("[visualViewport.scale, scrollY]") == [1, 0]


def test_fingers_on_an_explorers_map(open_page, tmp_path):
    view = open_page(explorer().to_html(tmp_path / "senses.html"), ".nsne-explorer", **PHONE)
    view.until(lambda v: v.read("ready") == "true")
    view.control("map").first.tap()
    stage, note = view.part("map"), view.part("map-note")
    stage.scroll_into_view_if_needed()
    view.rest(lambda: stage.bounding_box())  # it glides there
    fingers, box = Fingers(view.page), stage.bounding_box()
    before = view.page.evaluate("scrollY")
    fingers.drag((inside(box, 0.02, 0.3), inside(box, 0.02, 0.6)))
    view.until(lambda v: view.page.evaluate("scrollY") < before)
    assert "held" not in note.inner_text()
    fingers.tap(inside(stage.bounding_box(), 0.02, 0.5))
    view.until(lambda v: stage.get_attribute("data-finger") == "map")
    box, before = stage.bounding_box(), view.page.evaluate("scrollY")
    fingers.drag((inside(box, 0.02, 0.5), inside(box, 0.2, 0.7)))
    view.until(lambda v: "held" in note.inner_text())
    assert view.page.evaluate("scrollY") == before


def test_a_finger_drags_a_point_while_the_run_goes_on(browser, lab):
    context = browser.new_context(viewport={"width": 1180, "height": 820}, has_touch=True)
    try:
        lab.end_sessions()
        cells = [
            "import numpy as np\nfrom tests.standins import Drifting\n"
            "from notebook_sne.browser.widgets.player import watch\n"
            "player = watch(Drifting(max_iter=10**6), np.zeros((12, 2)), pace=20); player"
        ]
        write_notebook(lab.folder / "touch.ipynb", cells)
        page = context.new_page()
        notebook = Notebook(page, lab, "touch.ipynb")
        notebook.run(0)
        view = notebook.player(0)
        view.until(lambda v: v.iteration > 3 and v.status == "running")
        stage, fingers = view.root.locator(".nsne-stage"), Fingers(page)
        stage.scroll_into_view_if_needed()
        fingers.tap(inside(stage.bounding_box(), 0.03, 0.9))
        view.until(lambda v: stage.get_attribute("data-finger") == "map")
        begin = place_of_a_mark(view)
        fingers.drag((begin, (begin[0] + 60, begin[1] + 90)), lift=False)
        view.until(lambda v: stage.get_attribute("data-hand") == "move")
        held = view.iteration
        view.until(lambda v: v.iteration > held + 3)  # the run goes on under the hand
        fingers.send("touchEnd")
        view.until(lambda v: "moved" in v.part("toast").inner_text() and v.status == "running")
        view.until(lambda v: v.root.locator(".nsne-sign[data-kind='moved']").count() == 1)
        view.press("pause")
    finally:
        context.close()
