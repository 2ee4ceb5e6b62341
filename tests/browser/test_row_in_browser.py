"""Several views in one cell: each has its title and its share of the width, on a wall and on a phone."""

import pytest

from tests.browser.pages import until

pytestmark = pytest.mark.browser

PREPARE = """
import ipywidgets
import numpy as np
import notebook_sne as ns
from tests.standins import Drifting
X = np.zeros((30, 2))
def watch(title):
    return ns.watch(Drifting(max_iter=5), X, title=title)
"""
COMPARE = "ns.compare({f'perplexity {k}': Drifting(max_iter=5) for k in (2, 5, 30, 50)}, X)"
WHOLE = "title => title.scrollWidth <= title.clientWidth && title.textContent.startsWith('perplexity')"


def titles_are_whole(titles):
    return titles.count() == 4 and all(title.evaluate(WHOLE) for title in titles.all())


def test_compared_views_keep_their_titles_on_a_phone_and_when_the_kernel_has_ended(open_notebook, page, lab):
    notebook = open_notebook(lab, [PREPARE, COMPARE], run=2)
    cell = notebook.cell(1)
    cell.locator(".nsne-player[data-status='finished']").nth(3).wait_for()
    titles, players = cell.locator(".nsne-title"), cell.locator(".nsne-player:not(.nsne-transport)")
    assert titles_are_whole(titles)
    page.locator(".lm-MenuBar-item", has_text="Kernel").click()
    page.locator(".lm-Menu-item", has_text="Restart Kernel").first.click()
    page.locator("dialog.jp-Dialog button.jp-mod-accept").click()
    until(page, lambda: all("run the cell again" in one.inner_text() for one in cell.locator(".nsne-status").all()))
    assert titles_are_whole(titles)

    page.set_viewport_size({"width": 390, "height": 844})
    until(page, lambda: players.first.bounding_box()["width"] < 320 and titles_are_whole(titles))
    players.first.locator("[data-control='more']").click()
    menu, player = players.first.locator("[data-part='menu']").bounding_box(), players.first.bounding_box()
    assert menu["x"] >= player["x"] and menu["x"] + menu["width"] <= player["x"] + player["width"]  # all of it is seen


def test_players_in_a_row_share_its_width(open_notebook, page, lab):
    notebook = open_notebook(lab, [PREPARE, "ipywidgets.HBox([watch('left'), watch('right')])"], run=2)
    players = notebook.cell(1).locator(".nsne-player")
    players.nth(1).wait_for()
    left, right = (one.bounding_box()["width"] for one in players.all())
    there = notebook.cell(1).locator(".jp-OutputArea-output").last.bounding_box()["width"]
    assert abs(left - right) < 2 and left + right > 0.95 * there
