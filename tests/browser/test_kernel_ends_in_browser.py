"""A kernel that is restarted or shut down: the views know it at once, and say what to do."""

import pytest

from tests.browser.pages import BUSY, silence, until

pytestmark = pytest.mark.browser

PREPARE = """
import numpy as np
import notebook_sne as ns
from tests.standins import Drifting
from notebook_sne.browser.widgets.player import watch
X = np.zeros((60, 2))
"""
WATCH = "player = watch(Drifting(100_000, seconds=0.01), X, labels=np.arange(60) % 3); player"
EXPLORE = "ns.explore(player, [f'word {i}' for i in range(60)])"
ENDED = "kernel ended: run the cell again"


def begin(open_notebook, jupyter):
    notebook = open_notebook(jupyter, [PREPARE, WATCH, EXPLORE, BUSY], run=2)
    notebook.run(2)
    view = notebook.player(1)
    view.until(lambda v: v.frames > 5 and v.status == "running")
    return notebook, view


def restart_by_menu(notebook):
    choose(notebook, "Restart Kernel")
    notebook.page.locator("dialog.jp-Dialog button.jp-mod-accept").click()


def shut_down_by_menu(notebook):
    choose(notebook, "Shut Down Kernel")


def choose(notebook, entry):
    notebook.page.locator(".lm-MenuBar-item", has_text="Kernel").click()
    notebook.page.locator(".lm-Menu-item", has_text=entry).first.click()


def check_ended(notebook, view):
    view.until(lambda v: v.part("status").inner_text() == ENDED)
    assert (view.read("connected"), view.read("pending")) == ("false", "")
    for name in ("pause", "step", "restart", "pace"):
        assert not view.control(name).is_visible()  # nobody would hear them
    assert view.dots()[0] > 100 and view.control("play").inner_text() == "Replay"  # the picture stays
    view.control("film").press("Home")  # and so does the film
    view.until(lambda v: v.read("scrub") == "0")
    assert view.control("go-on").is_disabled()
    explorer = notebook.cell(2).locator(".nsne-explorer")
    until(view.page, lambda: explorer.locator("[data-part='status']").inner_text() == ENDED)  # it hears for itself
    assert explorer.locator("[data-control='play']").is_disabled()


def test_a_busy_kernel_is_not_gone_and_a_restarted_one_is(open_notebook, lab):
    notebook, view = begin(open_notebook, lab)
    notebook.start(3)
    said, at = set(), view.iteration
    view.until(lambda v: said.add(v.part("status").inner_text()) or v.iteration > at + 800)  # 8 s, at the run's pace
    assert "running" in said and ENDED not in said  # a slow link may say other words in between
    notebook.let_go(3)
    restart_by_menu(notebook)
    check_ended(notebook, view)
    silence(view.page)  # when the silence alone would be noticed, it still says what to do
    assert view.part("status").inner_text() == ENDED
    for number in (0, 1):
        notebook.run(number)
    view.until(lambda v: v.status == "running" and v.read("connected") == "true" and v.iteration > 5)
    lab.restart_kernel(notebook.name)
    check_ended(notebook, view)


@pytest.mark.landing
def test_a_shut_down_kernel_has_ended_in_jupyterlab(open_notebook, lab):
    notebook, view = begin(open_notebook, lab)
    shut_down_by_menu(notebook)
    check_ended(notebook, view)


@pytest.mark.parametrize("ends", [restart_by_menu, shut_down_by_menu])
def test_an_ended_kernel_is_known_in_notebook_7(open_notebook, notebook7, ends):
    notebook, view = begin(open_notebook, notebook7)
    ends(notebook)
    check_ended(notebook, view)
