"""What axe says of pages, wide and narrow, light and dark: films with card, springs and keys, and explorers."""

import json

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from tests.browser.pages import come_to_rest
from tests.browser.test_page_in_browser import explorer, film, open_film
from tests.browser.test_region_pairs_in_browser import recorded
from tests.browser.test_touch_in_browser import PHONE, Fingers, place_of_a_mark
from tests.widgets.test_explorer_fits import explored
from tests.widgets.test_two_norms import compared

pytestmark = pytest.mark.browser

WIDE = {"viewport": {"width": 1280, "height": 800}}
# What a kernel would send of object 3, as a page has none.
SPRINGS = """() => {
    const [hub] = globalThis[Symbol.for("notebook_sne hubs")].values();
    const some = Array.from({ length: 9 }, (_, k) => [k + 4, 1 / (k + 1), 0.1, 0.1]);
    hub.live = true;
    hub.model.set("selection", [3]);
    hub.springs = { kind: "springs", of: 3, iteration: 1, pull: some, push: some, pulls: 50, pushes: 59, net: [0, 0],
        pull_total: 3, push_total: 3, others: [[4, 0.1, 0.2]], convention: "joint" };
    hub.model.set("spring_of", 3);
    hub.updateViews(true);
}"""


# Asked of a page as a whole: its landmarks and headings, which a view in somebody else's notebook does not make.
OF_A_PAGE = ("landmark-one-main", "region", "page-has-heading-one")


def assert_no_serious_fault(view, root):
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
    come_to_rest(view.page)
    faults = Axe().run(view.page, context=root).response["violations"]
    serious = [
        (fault["id"], fault["help"], [node["html"][:200] for node in fault["nodes"]])
        for fault in faults
        if fault["impact"] in ("moderate", "serious", "critical") and fault["id"] not in OF_A_PAGE
    ]
    assert not serious, json.dumps(serious, indent=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["wide", "phone"])
def test_a_films_page(open_page, tmp_path, scheme, screen):
    columns = pd.DataFrame({"year": np.arange(60) + 1950, "where": ["here", "there"] * 30})
    path = film(labels=["even", "odd"] * 30, names=[f"object {i}" for i in range(60)], columns=columns).to_html(
        tmp_path / "film.html"
    )
    view = open_film(open_page, path, bypass_csp=True, color_scheme=scheme, **(PHONE if screen == "phone" else WIDE))
    assert view.part("first-hint").is_visible()
    assert_no_serious_fault(view, ".nsne-player")
    if screen == "phone":
        view.control("more").tap()
        view.until(lambda v: v.part("menu").is_visible())
        assert_no_serious_fault(view, ".nsne-player")
        view.page.keyboard.press("Escape")
    view.root.press("d")
    if screen == "phone":
        view.part("filters-section").locator("summary").click()
    view.control("filter-kind").first.click()
    view.until(lambda v: v.part("left").inner_text() == "30 of 60 objects left")
    assert_no_serious_fault(view, ".nsne-player")
    view.control("show-regions").click()
    assert_no_serious_fault(view, ".nsne-player")
    view.control("clear-filters").click()
    view.control("close-table").click()
    view.page.evaluate("scrollTo(0, 0)")
    view.rest()
    if screen == "phone":
        Fingers(view.page).tap(place_of_a_mark(view))
    else:
        view.page.mouse.click(*place_of_a_mark(view))
    view.control("open-card").click()
    view.until(lambda v: v.part("card").is_visible())
    assert "year" in view.part("card").inner_text()
    assert_no_serious_fault(view, ".nsne-player")
    view.page.evaluate(SPRINGS)
    springs = view.part("springs").last
    for _ in range(7):  # the springs lie close to one another
        view.control("zoom-out").click()
    view.until(lambda _: springs.get_attribute("data-drawn") == "9 6" and springs.get_attribute("data-loupe"))
    if screen == "phone":
        view.until(lambda v: not v.part("card").is_visible())  # there is room for the springs alone
    assert_no_serious_fault(view, ".nsne-player")
    if screen == "wide":
        view.control("fullscreen").click()
        view.until(lambda v: v.control("fullscreen").get_attribute("aria-pressed") == "true")
        assert_no_serious_fault(view, ".nsne-player")
    view.control("help").click()
    assert_no_serious_fault(view, ".nsne-player")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["wide", "phone"])
def test_lines_between_regions(open_page, tmp_path, scheme, screen):
    context = PHONE if screen == "phone" else WIDE
    path = recorded().to_html(tmp_path / "pairs.html")
    view = open_page(path, ".nsne-player", bypass_csp=True, color_scheme=scheme, **context)
    view.until(lambda v: v.read("lines") == "2")
    view.part("pairs-table").locator("summary").click()
    view.until(lambda v: v.part("pairs-table").locator("tbody tr").count() == 3)
    assert_no_serious_fault(view, ".nsne-player")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["wide", "phone"])
def test_the_page_of_two_norms(open_page, tmp_path, scheme, screen):
    path = ns.explore(compared("new"), word="bank").to_html(tmp_path / "two.html")
    context = PHONE if screen == "phone" else WIDE
    view = open_page(path, ".nsne-two-norms", bypass_csp=True, color_scheme=scheme, **context)
    view.until(lambda v: v.read("word") == "bank")
    view.control("words").click()
    assert_no_serious_fault(view, ".nsne-two-norms")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["wide", "phone"])
@pytest.mark.parametrize("what", ["maps", "senses", "senses in detail"])
def test_an_explorers_page(open_page, tmp_path, scheme, screen, what):
    shown = explorer if what == "maps" else explored
    path = shown(title="Senses", word="CAN").to_html(tmp_path / "senses.html")
    context = PHONE if screen == "phone" else WIDE
    view = open_page(path, ".nsne-explorer", bypass_csp=True, color_scheme=scheme, **context)
    view.until(lambda v: v.read("word") == "CAN" and v.read("ready") == "true")
    if what == "senses in detail":
        view.control("details").click()
        view.part("source").locator("summary").click()
    assert_no_serious_fault(view, ".nsne-explorer")
