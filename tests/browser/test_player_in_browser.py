"""The player in a real browser: what a lecturer sees and does. Tests ask for progress, never for rates."""

import pytest

from notebook_sne.browser.widgets.connection import WINDOW
from tests.browser.pages import BUSY, frames

pytestmark = pytest.mark.browser

PREPARE = """
import threading
import numpy as np
from tests.standins import Drifting, until
from notebook_sne.browser.widgets.player import Player, watch
X = np.zeros((60, 2))
labels = np.arange(60) % 3
names = [f"object <b>{i}</b>" for i in range(60)]
threads = lambda: sum(t.name.startswith("notebook_sne") for t in threading.enumerate())
"""
WATCH = """
drifting = Drifting(100_000, seconds=0.01)
drifting.turning = 0.01  # a page that is late sees it move all the same
player = watch(drifting, X, labels=labels, names=names, title="<i>sixty</i>"); player"""


def begin(open_notebook, jupyter, *cells):
    notebook = open_notebook(jupyter, [PREPARE, *cells], run=2)
    return notebook, notebook.player(1)


def walk_through(notebook, view):
    """The map appears and moves; pause, step, play, restart; and it goes on while another cell runs."""
    view.until(lambda v: v.frames > 5 and v.iteration > 5)
    first = view.dots()
    assert first[0] > 100
    view.until(lambda v: v.dots()[1] != first[1])

    view.press("pause")
    assert view.read("pending") == "pause" or view.status == "paused"  # it acts at once
    view.until_status("paused")
    at = view.rest(lambda: view.iteration)
    view.press("step")
    view.until(lambda v: v.iteration == at + 1 and v.status == "paused")
    view.root.press("s")
    view.until(lambda v: v.iteration == at + 2 and v.status == "paused")
    view.page.keyboard.press("Space")
    view.until(lambda v: v.status == "running" and v.iteration > at + 5)
    view.press("restart")
    view.until(lambda v: v.status == "running" and 0 < v.iteration < at)
    view.control("restart").press("b")  # which adds a cell, where the notebook takes it for its own
    assert notebook.page.locator(".jp-Notebook .jp-CodeCell").count() == 4

    notebook.start(2)
    before = (view.iteration, view.frames)
    view.until(lambda v: v.iteration > before[0] + 20 and v.frames > before[1] + 4)
    notebook.let_go(2)
    notebook.run(3)
    sent, acknowledged = map(int, notebook.output(3).split())
    assert 0 < sent - acknowledged <= WINDOW + 2 or sent == acknowledged


BACKLOG = f"""
until(lambda: player._connection.sent - player._connection.acknowledged <= {WINDOW + 2})
print(player._connection.sent, player._connection.acknowledged)"""


@pytest.mark.landing
def test_the_map_moves_and_obeys_in_jupyterlab(open_notebook, lab):
    walk_through(*begin(open_notebook, lab, WATCH, BUSY, BACKLOG))


def test_the_map_moves_and_obeys_in_notebook_7(open_notebook, notebook7):
    walk_through(*begin(open_notebook, notebook7, WATCH, BUSY, BACKLOG))


def test_two_views_a_reload_and_close(open_notebook, lab):
    close = "player.close(); print(threads())"
    notebook, one = begin(open_notebook, lab, WATCH, "player", close)
    notebook.run(2)
    two = notebook.player(2)
    two.until(lambda v: v.frames > 3 and v.iteration > 3)
    two.press("pause")
    for view in (one, two):
        view.until_status("paused")
    paused_at = one.rest(lambda: (one.iteration, two.iteration))[0] + 1
    one.press("step")
    two.until(lambda v: v.iteration == paused_at and v.status == "paused")
    notebook.save()
    notebook.page.reload()
    notebook.settle()
    one, two = notebook.player(1), notebook.player(2)
    one.until(lambda v: v.status == "paused" and v.iteration == paused_at)
    assert one.dots()[0] > 100
    two.press("play")
    one.until(lambda v: v.status == "running" and v.iteration > paused_at + 5)

    notebook.run(3)
    assert notebook.output(3) == "0"
    for view in (one, two):
        view.until_status("closed")
        assert not view.control("step").is_visible() and view.dots()[0] > 100


def test_running_the_cell_again_leaks_no_thread_and_an_interrupt_leaves_the_run_alone(open_notebook, lab):
    notebook, view = begin(open_notebook, lab, WATCH, "until(lambda: threads() == 2); print(threads())", BUSY)
    for _ in range(2):
        notebook.run(1)
    view.until(lambda v: v.frames > 3)
    notebook.run(2)
    assert notebook.output(2) == "2"  # the threads of one run and one view, though the cell ran three times

    notebook.start(3)
    notebook.cell(3).locator(".jp-InputPrompt").click()
    notebook.page.keyboard.press("Escape")
    notebook.page.keyboard.press("i")
    notebook.page.keyboard.press("i")
    notebook.wait_done(3)
    at = view.iteration
    view.until(lambda v: v.status == "running" and v.iteration > at + 10)


def test_labels_hide_names_show_and_markup_is_text(open_notebook, lab):
    still = """
nasty = [f"<img src=x onerror=hacked()> {i % 3}" for i in range(60)]
images = np.arange(960.0).reshape(60, 4, 4)
player = watch(Drifting(), X, labels=nasty, names=names, title="<i>sixty</i>", images=images); player"""
    failing = "watch(Drifting(fails_at=20), X)"
    notebook, view = begin(open_notebook, lab, still, failing)
    view.until_status("finished")
    view.rest()
    assert view.part("title").inner_text() == "<i>sixty</i>"
    assert view.root.locator("img, i, b").count() == 0
    legend = view.part("legend")
    assert "onerror=hacked()> 0" in legend.inner_text()

    colored = view.dots()
    view.control("legend").first.click()
    assert view.control("legend").first.get_attribute("aria-pressed") == "true"
    view.control("legend").first.click()
    view.press("hide-labels")
    view.until(lambda v: not legend.is_visible())
    view.until(lambda v: v.dots() != colored)

    box = view.root.locator(".nsne-stage").bounding_box()
    card = view.part("card")
    for x in range(20, int(box["width"]), 4):  # somewhere on the middle line lies a point
        view.page.mouse.move(box["x"] + x, box["y"] + box["height"] / 2)
        if card.is_visible():
            break
    assert "object <b>" in card.inner_text() and "<img" not in card.inner_text()  # hidden labels stay hidden
    view.until(lambda v: v.root.locator(".nsne-thumbnail").get_attribute("width") == "4")
    view.press("hide-labels")
    view.page.mouse.move(box["x"] + 200, box["y"] + 100)
    view.page.keyboard.down("Control")
    view.page.mouse.wheel(0, -300)
    view.page.keyboard.up("Control")
    view.until(lambda v: v.read("held") == "true" and "held" in v.part("scale").inner_text())
    view.press("reset-view")
    view.until(lambda v: v.read("held") == "false")

    notebook.run(2)
    failed = notebook.player(2)
    failed.until_status("error")
    assert "ran away" in failed.part("message").inner_text() and failed.iteration == 19


def test_escape_gives_the_keyboard_back_to_the_notebook(open_notebook, lab):
    notebook, view = begin(open_notebook, lab, WATCH)
    cells = notebook.page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    view.press("step")
    notebook.page.keyboard.press("b")
    frames(notebook.page)
    assert cells.count() == before  # a bare letter stays inside the player
    notebook.page.keyboard.press("Escape")
    notebook.page.keyboard.press("b")
    view.until(lambda _: cells.count() == before + 1)


def test_nothing_stands_out_of_a_player_of_any_width(open_notebook, lab):
    still = "player = watch(Drifting(), X, labels=labels, title='sixty', autoplay=False); player"
    _, view = begin(open_notebook, lab, still)
    view.until(lambda v: v.part("film-where").inner_text() == "the film begins when it plays")
    for width in range(420, 1300, 20):
        view.root.evaluate("(root, width) => { root.style.width = `${width}px`; }", width)
        outside = view.root.evaluate(
            """root => {
                const box = root.getBoundingClientRect();
                const out = (e) => e.getClientRects().length && e.getBoundingClientRect().right > box.right;
                return [...root.querySelectorAll("*:not(aside *)")].filter(out).map((e) => String(e.className));
            }"""
        )
        assert outside == [], width
