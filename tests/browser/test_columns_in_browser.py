"""Columns in a real browser: read under the pointer, colored by, selected by a query, and none of their texts run."""

import pytest

from tests.browser.pages import HOSTILE, errors_in

pytestmark = pytest.mark.browser

PREPARE = f"""
import numpy as np
from tests.standins import Drifting
from notebook_sne.browser.widgets.player import watch
hostile = {HOSTILE!r}
columns = {{
    "year": [1990.0, None, 2001.0] * 20,
    "kind": [hostile, "plain", None] * 20,
    "when": np.array(["2020-01-01", "NaT", "2022-03-04"] * 20, "datetime64[D]"),
    "link": ["javascript:alert(1)", "https://example.org", None] * 20,
}}
names = ["bank", "river", "bank"] * 20
"""


def test_columns_are_read_colored_by_and_asked_and_shared_names_are_found(open_notebook, page, lab):
    errors = errors_in(page)
    cells = [
        "player = watch(Drifting(max_iter=20), np.zeros((60, 2)), columns=columns, names=names); player",
        "print(len(player.select('year > 1995 and kind is None')), player.color)",
        "print(sorted(set(player.selected()['name'])), len(player.selection), player.color)",
    ]
    notebook = open_notebook(lab, [PREPARE, *cells], run=2)
    view = notebook.player(1)
    view.until_status("finished")
    view.control("color").select_option("column:year")
    legend = view.part("legend")
    view.until(lambda v: "1990" in legend.inner_text() and "2001" in legend.inner_text())
    assert "missing (20)" in legend.inner_text()
    view.control("color").select_option("column:when")
    view.until(lambda v: "2020-01-01" in legend.inner_text() and "2022-03-04" in legend.inner_text())
    view.control("color").select_option("column:kind")
    view.until(lambda v: HOSTILE[:11] in legend.inner_text() and "missing (20)" in legend.inner_text())
    notebook.run(2)
    assert notebook.output(2) == "20 column:kind"
    view.until(lambda v: v.read("selected") == "20")
    view.control("search").fill("bank")
    view.until(lambda v: "all 40" in v.part("search-results").inner_text())
    page.keyboard.press("Enter")
    view.until(lambda v: v.read("selected") == "40")
    notebook.run(3)
    assert notebook.output(3) == "['bank'] 40 column:kind"
    search = view.control("search")
    view.until(lambda v: v.read("connected") == "true")
    search.fill("year > 1995 and kind is None")
    page.keyboard.press("Enter")
    view.until(lambda v: v.read("selected") == "20")
    search.fill("yeer > 1995")
    page.keyboard.press("Enter")
    view.until(lambda v: "there is no column 'yeer'" in v.part("search-results").inner_text())
    assert view.read("selected") == "20"
    page.keyboard.press("Escape")
    card = view.open_card()
    terms = card.locator("dt").all_inner_texts()
    said = card.locator("dd").all_inner_texts()
    boxes = card.locator("dt, dd").evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert all(a["y"] == b["y"] and a["x"] < b["x"] for a, b in zip(boxes[::2], boxes[1::2], strict=True))
    assert terms == ["year", "kind", "when", "link"]
    assert ["missing" in text for text in said] == [text == "missing" for text in said]
    assert said[2] in ("2020-01-01", "missing", "2022-03-04")
    assert not card.locator("a, img").count() and not page.evaluate("window.hacked") and not errors
