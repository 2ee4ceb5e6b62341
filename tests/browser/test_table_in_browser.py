"""The table below the map in a real browser: rows, filters and regions, in a notebook and in a page without Python."""

import numpy as np
import pytest

from notebook_sne.browser.widgets.player import watch
from tests.browser.pages import HOSTILE, errors_in, stroke
from tests.standins import Drifting

pytestmark = pytest.mark.browser

PREPARE = f"""
import numpy as np
from tests.standins import Drifting
from notebook_sne.browser.widgets.player import watch
columns = {{"year": np.arange(5000) % 100 + 1900, "kind": ["a", {HOSTILE!r}] * 2500}}
names = [f"object {{i}} {HOSTILE}" for i in range(5000)]
"""


def drag(view, facet, low, high):
    bars = view.root.locator(f"[data-facet='{facet}'] .nsne-facet-bars svg")
    bars.scroll_into_view_if_needed()
    stroke(view.page, bars, (low, 0.5), (high, 0.5))


def test_filters_reach_python_and_a_row_shows_its_object(open_notebook, page, lab):
    errors = errors_in(page)
    cells = [
        "player = watch(Drifting(max_iter=20), np.zeros((5000, 2)), columns=columns, names=names); player",
        "rows = player.selected(); print(len(rows), rows['year'].max(), set(rows['kind']) == {'a'})",
        "print(len(player.select(rows[rows['year'] < 1910])), player.show_table)",
    ]
    notebook = open_notebook(lab, [PREPARE, *cells], run=2)
    view = notebook.player(1)
    view.until_status("finished")
    assert not view.part("drawer").is_visible()
    view.root.press("d")
    view.until(lambda v: v.part("drawer").is_visible())
    drag(view, "column:year", 0.02, 0.45)
    view.root.locator("[data-facet='column:kind'] [data-control='filter-kind'][title='a']").click()
    view.until(lambda v: "of 5,000 objects left" in v.part("left").inner_text())
    left = int(view.part("left").inner_text().split()[0].replace(",", ""))
    view.until(lambda v: v.read("selected") == str(left))
    notebook.run(2)
    said, latest, alone = notebook.output(2).split()
    assert int(said) == left and float(latest) < 1950 and alone == "True"
    assert view.part("objects").locator("[data-row]").count() < 40, "only the rows in sight are made"
    view.part("objects").locator("[data-row]").nth(1).click()
    view.until(lambda v: v.part("card").is_visible())
    view.control("clear-filters").click()
    view.until(lambda v: v.read("selected") == "0")
    notebook.run(3)
    view.until(lambda v: "Selected" in v.control("show-selected").inner_text() and v.read("selected") != "0")
    assert notebook.output(3).endswith("True")
    assert not page.evaluate("window.hacked") and not errors


def test_a_page_has_table_filters_and_regions_without_python(open_page, tmp_path):
    N = 600
    columns = {"place": np.repeat(["shore", "deep sea", HOSTILE], N // 3), "depth": np.arange(N) / 7}
    player = watch(Drifting(max_iter=2), np.zeros((N, 2)), columns=columns, autoplay=False)
    player.run.step(2)
    player.run.wait()
    player.show_table = True
    view = open_page(player.to_html(tmp_path / "page.html"), ".nsne-player")
    player.discard()
    view.until(lambda v: v.part("drawer").is_visible())
    grid = view.part("objects")
    grid.press("End")
    view.until(lambda v: grid.locator(f"[data-row='{N - 1}']").count() == 1)
    view.page.keyboard.press("Enter")
    view.until(lambda v: v.part("card").is_visible())
    view.control("filter-text").fill("DEEP")
    view.until(lambda v: v.part("left").inner_text() == "200 of 600 objects left")
    view.control("show-regions").click()
    view.until(lambda v: v.control("region").count() > 1)
    view.control("region").first.click()
    view.until(lambda v: 0 < int(v.read("selected")) <= 200)
    assert not view.part("drawer").locator("img").count()
