"""What hands can do, said once beside a map: it goes when it was tried, and the map stays where it is."""

import pytest

from tests.browser.pages import PHONE
from tests.browser.test_page_in_browser import film, open_film
from tests.browser.test_touch_in_browser import Fingers, place_of_a_mark

pytestmark = [pytest.mark.browser, pytest.mark.landing]


def test_a_single_moment_is_not_told_to_play(open_page, tmp_path):
    view = open_page(film(frames=1).to_html(tmp_path / "film.html"), ".nsne-player")
    assert view.part("first-hint").inner_text().startswith("Point at a dot to see what it is. ")
    assert view.part("film-where").inner_text() == "a single moment"
    assert view.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def page_of(open_page, tmp_path):
    path = film(labels=["even", "odd"] * 30, names=[f"object {i}" for i in range(60)]).to_html(tmp_path / "film.html")
    return lambda **context: open_film(open_page, path, **context)


SHIFTS = """window.shifts = []; new PerformanceObserver(list => {
    for (const { sources } of list.getEntries()) shifts.push(...sources.map(({ node }) => node?.className));
}).observe({ type: "layout-shift", buffered: true })"""


def box(view):
    """Where the map is and how large; the hint lies within it, beside its buttons."""
    hint, hand, stage = (view.root.locator(f".nsne-{name}") for name in ("first", "hand", "stage"))
    frame = stage.bounding_box()
    if hint.is_visible():
        low, beside = hint.bounding_box(), hand.bounding_box()
        assert frame["y"] < low["y"] and low["y"] + low["height"] < frame["y"] + frame["height"]
        assert frame["x"] <= low["x"] and low["x"] + low["width"] <= beside["x"]
    return frame


@pytest.mark.parametrize("wide", [True, False])
def test_nothing_that_comes_or_goes_moves_the_map(page_of, wide):
    view = page_of(**({} if wide else PHONE))
    view.few = True  # as a newcomer finds it
    view.rest()
    view.page.evaluate(SHIFTS)
    before, place = box(view), place_of_a_mark(view)
    assert view.part("first-hint").is_visible()
    if wide:
        view.page.mouse.click(*place)
    else:
        Fingers(view.page).tap(place)
    view.until(lambda v: v.part("card").is_visible() and not v.part("first-hint").is_visible())
    assert view.page.evaluate("localStorage.getItem('notebook_sne first hint')") == "read"  # it is remembered
    view.page.mouse.move(2, 2)
    view.rest()
    assert view.part("card").is_visible(), "the card of what was clicked stays"
    assert box(view) == before
    view.control("open-card").click()
    assert "nearest in the map" in view.part("card").inner_text()
    view.control("close-card").click()
    for part in ("message", "strip", "help"):
        view.root.evaluate(
            """(root, part) => {
            const element = root.querySelector(`.nsne-${part}`);
            element.hidden = false;
            element.append("It failed");
        }""",
            part,
        )
        view.rest()
        assert box(view) == before, part
    assert set(view.page.evaluate("shifts")) <= {"nsne-card", "nsne-toast"}, "these float"


def test_it_can_be_sent_away(page_of):
    view = page_of()
    view.few = True
    view.rest()
    before = box(view)
    view.control("hint-close").click()
    assert not view.part("first-hint").is_visible() and box(view) == before
