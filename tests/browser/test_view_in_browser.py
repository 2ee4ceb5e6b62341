"""Hands and keys on the map in a real browser: what is selected, moved, found and saved, and that Python knows."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

from tests.browser.pages import drag, until

pytestmark = pytest.mark.browser

N = 60
PREPARE = f"""
import numpy as np
from tests.standins import Drifting
from notebook_sne.browser.widgets.player import watch
X = np.zeros(({N}, 2))
names = [f"object <b>{{i}}</b>" for i in range({N})]
"""
WATCH = """
player = watch(Drifting(), X, labels=np.arange(60) % 3, names=names, title="<i>sixty</i>")
player"""
TOLD = "print(player.selection, player.axes, player.compact, player.color)"


def begin(open_notebook, jupyter, *cells):
    notebook = open_notebook(jupyter, [PREPARE, WATCH, *cells], run=2)
    view = notebook.player(1)
    view.until_status("finished")
    view.rest()
    return notebook, view


def place(view, i, radius=1.0):
    """Pixel of object i: all lie on a circle, and the window leaves a margin of 1.12 around them."""
    stage = view.root.locator(".nsne-stage")
    stage.scroll_into_view_if_needed()  # running a cell may have scrolled it away
    box = stage.bounding_box()
    angle, r = 2 * math.pi * i / N, radius * box["height"] / 2 / 1.12
    return box["x"] + box["width"] / 2 + r * math.cos(angle), box["y"] + box["height"] / 2 - r * math.sin(angle)


def around(view, first, last):
    """Corners of a line around some neighbors on the circle."""
    steps = [first - 0.5, *range(first, last + 1), last + 0.5]
    return [place(view, i, 1.08) for i in steps] + [place(view, i, 0.9) for i in reversed(steps)]


def ask(notebook, cell, wanted=""):
    """What a cell prints; run again while it is not what is wanted, as what the browser said may still be under way."""
    said = []

    def told():
        notebook.run(cell)
        said.append(notebook.output(cell))
        return said[-1].startswith(wanted)

    until(notebook.page, told, lambda: said[-1])
    return said[-1]


def test_clicks_lasso_search_and_keys_select_and_python_knows(open_notebook, lab):
    notebook, view = begin(open_notebook, lab, TOLD, "player.selection = [7, 3, 3]")
    mouse, keyboard = view.page.mouse, view.page.keyboard

    mouse.click(*place(view, 0))
    view.until(lambda v: v.read("selected") == "1")
    keyboard.down("Shift")
    mouse.click(*place(view, 15))
    mouse.click(*place(view, 30))
    keyboard.up("Shift")
    keyboard.down("Alt")
    mouse.click(*place(view, 15))
    keyboard.up("Alt")
    wanted = "[0, 30] follow False label"
    assert ask(notebook, 2, wanted) == wanted

    notebook.run(3)
    view.until(lambda v: v.read("selected") == "2")
    assert ask(notebook, 2, "[3, 7]").startswith("[3, 7]")
    mouse.click(*place(view, 0, radius=0.5))  # empty ground
    view.until(lambda v: v.read("selected") == "0")

    view.press("lasso")
    assert view.control("lasso").get_attribute("aria-pressed") == "true"
    drag(view.page, *around(view, 0, 15))
    view.until(lambda v: v.read("selected") == "16")
    keyboard.down("Alt")
    drag(view.page, *around(view, 0, 3))
    keyboard.up("Alt")
    wanted = str(list(range(4, 16)))
    assert ask(notebook, 2, wanted).startswith(wanted)

    view.root.press("Escape")  # first the tool, then the selection
    assert view.control("lasso").get_attribute("aria-pressed") == "false" and view.read("selected") == "12"
    keyboard.press("Escape")
    view.until(lambda v: v.read("selected") == "0")
    cells = notebook.page.locator(".jp-Notebook .jp-Cell").count()
    keyboard.press("/")
    keyboard.type("T <B>5")
    found = view.part("search-results").locator("[role=option]")
    assert found.count() == 12 and found.first.inner_text().startswith("all 11 matches")
    assert view.root.locator("b, i").count() == 0
    keyboard.press("Enter")
    keyboard.press("Escape")
    for key in ("n", "Shift+Enter"):
        keyboard.press(key)
    assert "object <b>" in view.part("card").inner_text() and "object <b>" in view.part("speech").text_content()
    view.until(lambda v: v.read("selected") == "2")
    assert ask(notebook, 2, "[5, 1").startswith("[5, 1")  # number 5, and the uppermost
    assert notebook.page.locator(".jp-Notebook .jp-Cell").count() == cells


def test_a_dragged_object_moves_in_the_run_and_zooming_by_hand_holds_the_view(open_notebook, lab):
    asked = """
Y = player.run.state.Y[0]
print(*np.round(Y[0] / np.abs(Y[20]).max(), 1), sum(mark["kind"] == "moved" for mark in player.marks))"""
    notebook, view = begin(open_notebook, lab, asked, TOLD, "player.axes = 'follow'; player.color = 'none'")
    mouse = view.page.mouse
    start = place(view, 0)
    middle = place(view, 0, radius=0.0)
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0] - 20, start[1], steps=3)
    before = view.dots()
    mouse.move(*middle, steps=5)
    view.until(lambda v: v.dots() != before)  # it moves under the hand
    mouse.up()
    view.until(lambda v: v.read("pending") == "" and v.status != "running")
    *_, moved = ask(notebook, 2).split()
    assert moved == "1" and view.iteration == 100  # a run that had finished goes on with it

    mouse.move(*place(view, 20, radius=0.5))
    view.page.keyboard.down("Control")
    mouse.wheel(0, -300)
    view.page.keyboard.up("Control")
    view.until(lambda v: v.read("axes") == "fixed" and v.read("held") == "true")
    view.until(lambda v: "held" in v.part("scale").inner_text() and "zoomed" in v.part("speech").text_content())
    assert ask(notebook, 3, "[] fixed") == "[] fixed False label"
    notebook.run(4)
    view.until(lambda v: v.read("held") == "false" and v.read("color") == "none")
    assert not view.part("legend").is_visible()


def test_pictures_are_saved_and_hold_no_markup_of_names(open_notebook, lab):
    _, view = begin(open_notebook, lab)
    view.page.mouse.click(*place(view, 0))
    view.until(lambda v: v.read("selected") == "1")
    (svg, drawn), (png, picture) = (view.saved(kind) for kind in ("svg", "png"))
    assert (svg, png) == ("Drifting-step-50.svg", "Drifting-step-50.png")
    drawing = ElementTree.fromstring(drawn)
    tags = [element.tag.rpartition("}")[2] for element in drawing.iter()]
    assert tags.count("use") == N + 3 and tags.count("circle") == 1  # points, legend, the ring of the selected one
    assert set(tags) <= {"svg", "title", "defs", "path", "rect", "text", "g", "use", "circle"}
    texts = [element.text for element in drawing.iter() if element.text]
    assert "object <b>0</b>" in texts and "<i>sixty</i>" in texts
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    box = view.root.locator(".nsne-stage").bounding_box()
    assert abs(width - 2 * box["width"]) <= 2 and height > 2 * box["height"]  # twice as sharp as the screen


def test_compact_full_screen_and_the_list_of_keys(open_notebook, lab):
    notebook, view = begin(open_notebook, lab, TOLD)
    keyboard = view.page.keyboard
    side = view.root.locator("aside")
    view.root.press("m")
    view.until(lambda v: v.read("compact") == "true" and not side.is_visible())
    assert view.part("legend").is_visible() and view.control("film").is_visible() and view.control("play").is_visible()
    width = lambda: view.control("search").bounding_box()["width"]  # noqa: E731
    keyboard.press("/")
    assert width() > 100  # it comes when it is called
    keyboard.press("Escape")
    assert width() <= 40  # its sign alone
    assert ask(notebook, 2, "[] follow True") == "[] follow True label"
    view.press("compact")
    view.until(lambda v: v.read("compact") == "false" and not side.is_visible())
    view.root.press("a")
    view.until(lambda v: side.is_visible())
    keyboard.press("a")
    view.until(lambda v: not side.is_visible())
    view.open_all()

    before = view.root.locator(".nsne-stage").bounding_box()
    view.press("fullscreen")
    view.until(lambda v: v.root.evaluate("root => document.fullscreenElement === root"))
    view.until(lambda v: v.root.locator(".nsne-stage").bounding_box()["height"] > before["height"] + 50)
    view.press("fullscreen")
    view.until(lambda v: v.root.evaluate("() => document.fullscreenElement === null"))

    view.press("help")
    keys = view.part("keys")
    assert keys.is_visible() and "lasso" in keys.inner_text()
    keyboard.press("Escape")
    assert not keys.is_visible()
    assert view.control("help").evaluate("button => document.activeElement === button")
