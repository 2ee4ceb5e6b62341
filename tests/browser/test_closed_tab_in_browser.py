"""A page that goes without a word: its server keeps next to nothing, and the run is there when somebody comes back."""

import psutil
import pytest

from tests.browser.pages import PlayerView
from tests.standins.waiting import until

pytestmark = pytest.mark.browser

MOST_GROWTH = 25e6  # bytes
UPDATES = 2000  # with every frame sent on, the server took 100 MB in that time

PREPARE = """
import numpy as np
from tests.standins import Drifting
from notebook_sne.browser.widgets.player import watch
"""
WATCH = "player = watch(Drifting(10**6, seconds=0.01), np.zeros((70_000, 2))); player"
# Write down how far the run is, for those who have no page.
COUNT = """
import pathlib, threading
def count():
    while not threading.Event().wait(0.1):
        pathlib.Path("updates").write_text(str(player.run.state.iteration))
threading.Thread(target=count, daemon=True).start()
"""


def test_a_closed_tab_costs_the_server_next_to_nothing(open_notebook, lab, page):
    notebook = open_notebook(lab, [PREPARE, WATCH, COUNT], run=2)
    notebook.run(2)
    view = notebook.player(1)
    view.until(lambda v: v.frames > 5)
    notebook.save()
    left_at, server = view.iteration, psutil.Process(lab.process.pid)
    before = server.memory_info().rss
    page.close()
    grown = []

    def has_gone_on():
        grown.append(server.memory_info().rss - before)
        return int((lab.folder / "updates").read_text() or 0) > left_at + UPDATES

    assert until(has_gone_on), "the run does not go on"
    assert max(grown) < MOST_GROWTH, f"the server grew by {max(grown) / 1e6:.0f} MB"

    again = page.context.new_page()
    again.goto(lab.address(notebook.name).replace("&reset", ""))
    view = PlayerView(again, again.locator(".nsne-player"))
    view.root.wait_for()
    view.until(lambda v: v.status == "running" and v.iteration > left_at + 100 and v.frames > 3)
    at, seen = view.iteration, view.frames
    view.until(lambda v: v.iteration > at + 20 and v.frames > seen + 3)
