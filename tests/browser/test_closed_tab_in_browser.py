"""A page that goes without a word: its server keeps next to nothing, and the run is there when somebody comes back."""

import time

import psutil
import pytest

from tests.browser.pages import PlayerView

pytestmark = pytest.mark.browser

MOST_GROWTH = 25e6  # bytes
WATCHED = 30  # s; with every frame sent on, the server took 100 MB in that time

PREPARE = """
import numpy as np
from tests.standins import Drifting
from notebook_sne.widgets.player import watch
"""
WATCH = "player = watch(Drifting(10**6, seconds=0.01), np.zeros((70_000, 2))); player"


def test_a_closed_tab_costs_the_server_next_to_nothing(open_notebook, lab, page):
    notebook = open_notebook(lab, [PREPARE, WATCH])
    notebook.run(0)
    notebook.run(1)
    view = notebook.player(1)
    view.until(lambda v: v.frames > 5)
    notebook.save()
    left_at, server = view.iteration, psutil.Process(lab.process.pid)
    before = server.memory_info().rss
    page.close()
    most, end = before, time.monotonic() + WATCHED
    while time.monotonic() < end:
        most = max(most, server.memory_info().rss)
        time.sleep(0.5)
    assert most - before < MOST_GROWTH, f"the server grew by {(most - before) / 1e6:.0f} MB"

    again = page.context.new_page()
    again.goto(lab.address(notebook.name).replace("&reset", ""))
    view = PlayerView(again, again.locator(".nsne-player"))
    view.root.wait_for()
    view.until(lambda v: v.status == "running" and v.iteration > left_at + 100 and v.frames > 3)
    at, seen = view.iteration, view.frames
    view.until(lambda v: v.iteration > at + 20 and v.frames > seen + 3)
