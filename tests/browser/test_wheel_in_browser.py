"""The wheel over a map: it scrolls the page unless the map is in hand, and says so once."""

import pytest

from tests.browser.pages import frames
from tests.browser.test_page_in_browser import explorer, film, open_film

pytestmark = pytest.mark.browser

PREPARE = """
import numpy as np
from tests.standins import Drifting
from notebook_sne.browser.widgets.player import watch
"""
WATCH = "player = watch(Drifting(), np.zeros((60, 2)), labels=np.arange(60) % 3); player"
HINT = "Ctrl + wheel zooms"


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_wheel_scrolls_the_notebook_until_the_map_is_clicked(open_notebook, lab):
    notebook = open_notebook(lab, [PREPARE, WATCH, WATCH, "\n" * 60])
    page = notebook.page
    for number in range(3):
        notebook.run(number)
    one, two = notebook.player(1), notebook.player(2)
    two.until_status("finished")
    two.rest()
    stage, toast = two.root.locator(".nsne-stage"), two.part("toast")

    def at():
        return stage.bounding_box()["y"]

    one.control("step").focus()  # another view's button has the keyboard
    stage.scroll_into_view_if_needed()
    page.mouse.move(*middle(stage))
    before = at()
    page.mouse.wheel(0, -60)
    two.until(lambda v: at() == before + 60)  # the notebook moved, and not the map in its window
    assert (two.read("axes"), two.read("held")) == ("follow", "false")
    two.until(lambda v: toast.is_visible() and toast.inner_text() == HINT)
    two.until(lambda v: not toast.is_visible())
    page.mouse.wheel(0, 60)
    two.until(lambda v: at() == before)
    frames(page)
    assert not toast.is_visible()  # it was said

    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    two.until(lambda v: v.read("held") == "true" and v.read("axes") == "fixed")
    assert at() == before and page.evaluate("visualViewport.scale") == 1
    two.press("reset-view")
    two.until(lambda v: v.read("held") == "false")
    notebook.cell(3).locator(".cm-content").focus()

    x, y = middle(stage)
    page.mouse.move(x, y)
    page.mouse.click(x, y)  # empty ground: the map is in hand
    before = at()
    page.mouse.wheel(0, -60)
    two.until(lambda v: v.read("held") == "true")
    assert at() == before
    page.keyboard.press("Escape")  # and out of it
    page.mouse.wheel(0, -60)
    two.until(lambda v: at() == before + 60)
    two.root.focus()  # as Tab does
    two.press("reset-view")
    two.root.focus()
    before = at()
    page.mouse.move(*middle(stage))
    page.mouse.wheel(0, -60)
    two.until(lambda v: v.read("held") == "true")
    assert at() == before


def test_the_wheel_on_a_recorded_page_says_what_zooms_once(open_page, tmp_path):
    view = open_film(open_page, film().to_html(tmp_path / "film.html"))
    stage, toast = view.root.locator(".nsne-stage"), view.part("toast")
    x, y = middle(stage)
    view.page.mouse.move(x, y)
    view.page.mouse.wheel(0, -100)
    view.until(lambda v: toast.is_visible() and toast.inner_text() == HINT)
    assert view.read("held") == "false"
    view.until(lambda v: not toast.is_visible())
    view.page.mouse.wheel(0, -100)
    frames(view.page)
    assert not toast.is_visible() and view.read("held") == "false"
    view.page.mouse.click(x, y)
    view.page.mouse.wheel(0, -100)
    view.until(lambda v: v.read("held") == "true")


def test_the_wheel_over_an_explorers_map(open_page, tmp_path):
    view = open_page(explorer().to_html(tmp_path / "senses.html"), ".nsne-explorer")
    view.until(lambda v: v.read("ready") == "true")
    view.control("map").first.click()
    stage, toast, note = view.part("map"), view.part("toast"), view.part("map-note")
    stage.scroll_into_view_if_needed()
    x, y = middle(stage)
    view.page.mouse.move(x, y)
    view.page.mouse.wheel(0, -20)
    view.until(lambda v: toast.is_visible() and toast.inner_text() == HINT)
    assert "held" not in note.inner_text()
    view.page.keyboard.down("Control")
    view.page.mouse.wheel(0, -20)
    view.page.keyboard.up("Control")
    view.until(lambda v: "held" in note.inner_text())
    view.control("fit").click()
    view.page.mouse.move(x, y)
    view.page.mouse.wheel(0, -20)
    frames(view.page)
    stage.focus()
    view.page.mouse.wheel(0, -20)
    view.until(lambda v: "held" in note.inner_text())
