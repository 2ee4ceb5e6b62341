"""The explorer in a real browser: a reader follows a word from map to map, by hand and by keys alone."""

import math

import pytest

from tests.browser.pages import BUSY, errors_in, frames, word_in

pytestmark = pytest.mark.browser

PREPARE = """
from types import SimpleNamespace
import numpy as np
import notebook_sne as ns
from tests.standins import Drifting
from notebook_sne.engine.fitting.state import State

GROUPS = [  # the words of each map, by the places in which they lie
    ["TRASH GARBAGE WASTE DUMP LITTER", "PUSH PULL LIFT CARRY", "TIN STEEL IRON COPPER"],
    ["BOTTLE BEER GLASS WINE JAR", "COKE SODA POP FIZZ", "LAKE RIVER BOAT FISH"],
    ["COULD WILL MAY WOULD MUST", "TEAM GAME SCORE COACH", "BURN WOOD HEAT MATCH"],
]
names = ["CAN", *(word for groups in GROUPS for group in groups for word in group.split())]
at = {word: i for i, word in enumerate(names)}
rng = np.random.default_rng(4)
maps = rng.normal(0, 5, (3, len(names), 2))
mixing = np.full((3, len(names)), 0.01)
for m, groups in enumerate(GROUPS):
    for k, group in enumerate(groups):
        place = 5 * np.array([np.cos(2.1 * k + m), np.sin(2.1 * k + m)])
        for word in group.split():
            maps[m, at[word]] = place + rng.normal(0, 0.6, 2)
            mixing[m, at[word]] = 1
        if k == 0:
            maps[m, at["CAN"]] = place
mixing /= mixing.sum(axis=0)
mixing[:, 0] = [0.5, 0.42, 0.08]
counts = np.zeros((len(names), len(names)))
for m, groups in enumerate(GROUPS):
    for group in groups:
        own = [at[word] for word in group.split()]
        counts[np.ix_(own, own)] = 5
    if m < 2:  # the first word of the group most
        own = [at[word] for word in groups[0].split()]
        counts[0, own], counts[own, 0] = [12, 4, 3, 2, 1], 3
np.fill_diagonal(counts, 0)
model = SimpleNamespace(maps_=maps, mixing_=mixing)

class Moving(Drifting):
    def iterate(self, X, start=None, knobs=None):
        for state in super().iterate(X, start, knobs):
            near = min(state.iteration / 400, 1)
            yield State(state.iteration, "move", state.cost, state.cost, near * maps, near * mixing + (1 - near) / 3,
                        1.0, {}, "Moving", {})
"""
EXPLORE = "explorer = ns.explore(model, names, counts=counts, title='<i>Words</i>'); explorer"


@pytest.fixture
def begin(open_notebook, page):
    """Open a notebook that explores the words; the page's own errors fail the test."""
    errors = errors_in(page)

    def open_one(jupyter, *cells):
        notebook = open_notebook(jupyter, [PREPARE, *cells], run=2)
        view = notebook.explorer(1)
        if view.read("details") == "false":  # waits until the explorer is there; without counts it begins with them
            view.control("details").click()
            view.control("all-maps").click()
            view.until(lambda v: v.control("map").last.get_attribute("aria-label"))
        return notebook, view

    yield open_one
    assert not errors


# How much of a picture has the accent's color, this opaque; in CSS pixels.
COLORED = """(canvas, opacity) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
        if (Math.abs(data[i + 3] - 255 * opacity) < 12 && data[i + 2] > data[i] + 60) count++;
    return count / devicePixelRatio ** 2;
}"""


def colored(card, opacity):
    return card.locator("canvas").evaluate(COLORED, opacity)


def read_can(view):
    view.until(lambda v: v.read("word") == "CAN")
    assert view.read("maps") == "0,1"
    assert set(view.neighbors(0)) >= {"TRASH", "GARBAGE"} and not set(view.neighbors(0)) & {"BOTTLE", "BEER"}
    assert set(view.neighbors(1)) >= {"BOTTLE", "BEER"} and not set(view.neighbors(1)) & {"TRASH", "GARBAGE"}
    assert view.sense(0).locator("[data-part='proportion']").inner_text() == "50%"
    assert "“CAN” has two senses here: TRASH (50% of its ties), BOTTLE" in view.part("summary").inner_text()


@pytest.mark.landing
def test_a_word_is_read_in_jupyterlab(begin, lab):
    notebook, view = begin(
        lab, EXPLORE, "print(explorer.word, explorer.threshold)", "explorer.word = 'beer'", "explorer.word = 'CANN'"
    )
    view.until(lambda v: v.read("ready") == "true")
    tiles = view.control("map")
    view.until(lambda v: tiles.count() == 3)
    assert "CAN" not in tiles.nth(0).get_attribute("aria-label").split(": ")[0]
    assert view.control("begin").all_inner_texts() == ["CAN"]

    view.search("can")
    read_can(view)
    said = view.part("speech").inner_text()
    assert said.startswith("CAN: 2 senses. TRASH, 50%: ") and "BOTTLE, 50%" in said
    trash = view.sense(0).locator("li", has_text="TRASH")
    assert "12 from CAN · 3 to CAN" in trash.inner_text()
    assert [tiles.nth(m).get_attribute("data-held") for m in range(3)] == ["true", "true", "false"]
    for number, proportion in ((0, 0.5), (1, 0.42)):
        assert colored(view.sense(number), 0.85) == pytest.approx(math.pi * 144 * proportion, rel=0.2)

    # What is pointed at is lit in the list, in the picture and in the thumbnail.
    trash.locator("button").hover()
    assert colored(view.sense(0), 0.7) == pytest.approx(math.pi * 144 * 0.98, rel=0.2)

    trash.locator("button").click()
    view.until(lambda v: v.read("word") == "TRASH")
    assert view.neighbors(0)[0] != "TRASH" and "CAN" in view.neighbors(0)
    notebook.run(2)
    assert notebook.output(2) == "TRASH 0.1"
    place = word_in(view.sense(0), "GARBAGE")
    assert view.sense(0).locator("canvas").get_attribute("title") == "GARBAGE, 0.98"
    view.sense(0).locator("canvas").click(position=place)
    view.until(lambda v: v.read("word") == "GARBAGE")
    view.control("back").click()
    view.until(lambda v: v.read("word") == "TRASH")
    view.control("back").click()
    read_can(view)
    assert view.control("back").is_disabled()

    notebook.run(2)
    assert notebook.output(2) == "CAN 0.1"
    notebook.run(3)
    view.until(lambda v: v.read("word") == "BEER")
    notebook.run(4)
    assert "did you mean CAN" in notebook.cell(4).locator(".jp-OutputArea").inner_text()

    tiles.nth(0).click()
    whole = view.part("whole-map")
    assert whole.is_visible() and whole.get_attribute("aria-label").startswith("Map 0: ")
    assert view.part("map-note").inner_text().split(" · ")[1].startswith("view")
    view.control("zoom-in").click()
    assert "held" in view.part("map-note").inner_text()
    whole.locator("li", has_text="WASTE").locator("button").click()
    view.until(lambda v: v.read("word") == "WASTE")
    assert whole.is_visible()
    view.control("close-map").click()
    assert not whole.is_visible()


def test_keys_alone_lead_from_word_to_word(begin, lab):
    notebook, view = begin(lab, EXPLORE)
    cells = notebook.page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    keys = notebook.page.keyboard
    view.until(lambda v: v.read("ready") == "true")
    view.control("search").focus()
    keys.type("c")
    options = view.part("completions").locator("[role=option]")
    assert options.count() > 1 and view.control("search").get_attribute("aria-expanded") == "true"
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    marked = view.control("search").get_attribute("aria-activedescendant")
    assert view.root.locator(f"#{marked}").get_attribute("aria-selected") == "true"
    keys.press("Enter")
    read_can(view)
    assert not view.part("completions").is_visible()

    keys.press("Control+a")
    keys.type("GARBGE")
    assert options.all_inner_texts()[0].split("\n") == ["GARBAGE", "did you mean this?"]
    keys.press("Enter")
    view.until(lambda v: v.read("word") == "GARBAGE")

    for _ in range(12):  # past the map's own button to its first neighbor
        keys.press("Tab")
        if view.focused().startswith("word "):
            break
    first = view.neighbors(0)[0]
    outline = notebook.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert view.focused().startswith(f"word {first}") and outline == "solid"
    keys.press("Enter")
    view.until(lambda v: v.read("word") == first)
    view.until(lambda v: v.focused().strip() == first)  # the heading: from here Tab goes on to its maps
    keys.press("Tab")
    assert view.focused().startswith("open-map")
    keys.press("Space")
    view.until(lambda v: v.part("whole-map").is_visible())
    for _ in range(8):
        keys.press("Tab")
        if notebook.page.evaluate("document.activeElement.dataset.part") == "map":
            break
    keys.press("+")
    keys.press("ArrowLeft")
    assert "held" in view.part("map-note").inner_text()
    keys.press("Escape")
    assert not view.part("whole-map").is_visible() and view.focused().startswith("open-map")
    keys.press("d")
    keys.press("d")
    keys.press("/")
    assert view.focused().startswith("search")
    frames(notebook.page)
    assert cells.count() == before  # no key reached the notebook
    keys.press("Escape")
    keys.press("b")
    view.until(lambda _: cells.count() == before + 1)


def test_a_running_fit_is_followed_paused_and_kept(begin, lab):
    run = "run = ns.Run(Moving(10**6, seconds=0.01), np.zeros((len(names), 2)))\nns.explore(run, names, word='CAN')"
    notebook, view = begin(lab, run, BUSY, "run.close()")
    assert view.read("status") == "idle"
    waiting = view.part("waiting")
    assert waiting.is_visible() and view.part("waits").inner_text() == "No maps yet: press Play"
    box, whole = waiting.bounding_box(), view.root.bounding_box()
    assert box["height"] > 200 and box["width"] > 0.9 * whole["width"]  # where the picture will be
    assert float(view.part("waits").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= 20
    view.control("start").click()
    view.until(lambda v: v.read("status") == "running" and int(v.read("frames") or 0) > 3)
    assert not waiting.is_visible()
    notebook.start(2)
    at = int(view.read("iteration"))
    view.until(lambda v: int(v.read("iteration")) > at + 20)
    notebook.let_go(2)
    view.until(lambda v: v.read("maps") == "0,1" and set(v.neighbors(0)) >= {"TRASH", "GARBAGE"})
    view.control("pause").click()
    view.until(lambda v: v.read("status") == "paused")
    notebook.save()
    notebook.page.reload()
    notebook.settle()
    view = notebook.explorer(1)
    view.until(lambda v: v.read("word") == "CAN" and v.read("maps") == "0,1" and v.read("status") == "paused")
    notebook.run(3)
    view.until(lambda v: v.read("status") == "closed")
    view.search("beer")  # what is there stays readable
    view.until(lambda v: v.read("word") == "BEER")


def test_two_views_show_one_word_and_running_again_leaves_one(begin, lab):
    notebook, one = begin(lab, EXPLORE, "explorer")
    notebook.run(2)
    two = notebook.explorer(2)
    two.control("details").click()
    two.search("can")
    read_can(two)
    read_can(one)
    notebook.run(1)
    one.until(lambda v: v.root.count() == 1 and v.read("word") == "")
    two.until(lambda v: v.root.count() == 0)  # the explorer of the earlier execution is off the page
