"""What hands can do, said once beside a map: it covers nothing, and goes away when it was tried."""

import pytest

from tests.browser.test_page_in_browser import film, open_film
from tests.browser.test_touch_in_browser import PHONE, Fingers, place_of_a_mark

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


def apart(view):
    """Return whether the hint is shown and lies outside the map and inside the view."""
    hint, stage = (view.root.locator(name).bounding_box() for name in (".nsne-first", ".nsne-stage"))
    within = hint["x"] >= 0 and hint["x"] + hint["width"] <= view.page.viewport_size["width"]
    return within and hint["y"] >= stage["y"] + stage["height"] - 1


def test_the_hint_goes_away_once_an_object_was_looked_at(page_of):
    view = page_of()
    view.few = True  # as a newcomer finds it
    view.rest()
    assert apart(view)
    view.page.mouse.move(*place_of_a_mark(view))
    view.until(lambda v: v.part("card").is_visible())
    view.until(lambda v: not v.part("first-hint").is_visible())
    assert view.page.evaluate("localStorage.getItem('notebook_sne first hint')") == "read"  # it is remembered


def test_on_a_phone_it_stands_below_the_map_and_a_tap_ends_it(page_of):
    view = page_of(**PHONE)
    view.rest()
    assert apart(view)
    Fingers(view.page).tap(place_of_a_mark(view))
    view.until(lambda v: v.part("card").is_visible() and not v.part("first-hint").is_visible())


def test_it_can_be_sent_away(page_of):
    view = page_of()
    assert apart(view)
    view.control("hint-close").click()
    assert not view.part("first-hint").is_visible()
