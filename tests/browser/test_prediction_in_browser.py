"""Predictions in a real JupyterLab: said by mouse and keys, shown beside what has come, and read without the widget."""

import pytest

from tests.browser.pages import View, stroke
from tests.browser.test_kernel_ends_in_browser import restart_by_menu
from tests.standins import until

pytestmark = pytest.mark.browser

ASK = """
import notebook_sne as ns
choice = ns.predict("Will the map of t-SNE grow or shrink?", ["it grows", "it shrinks", "it stays as it is"])
choice"""
COUNT = 'number = ns.predict("How many digits lie beside another digit?", low=0, high=100, unit="%"); number'
DRAW = """
curve = ns.predict("How does the error change with the perplexity?", low=0, high=0.4, at=[5, 10, 30, 100],
                   axes=("perplexity", "share of wrong neighbors"))
curve"""
FOUND = "curve.reveal([0.1, 0.05, 0.06, 0.2]); choice.reveal('it grows'); number.reveal(6.4)"


def test_predictions_are_said_and_shown_beside_what_has_come(open_notebook, lab):
    notebook = open_notebook(lab, [ASK, COUNT, DRAW, FOUND, "ns.predictions()"])
    for number in range(3):
        notebook.run(number)
    choice, number, curve = (View(notebook.page, notebook.cell(k).locator(".nsne-prediction")) for k in range(3))
    choice.control("option").nth(1).check()
    number.control("field").fill("20")
    number.control("field").press("Enter")
    curve.root.scroll_into_view_if_needed()
    stroke(notebook.page, curve.root.locator("svg"), (0.15, 0.6), (0.9, 0.3))
    for view in (choice, number, curve):
        view.until(lambda v: v.read("said") == "true")
    assert notebook.cell(0).locator("text=A still picture").is_hidden()
    notebook.run(3)
    for view in (choice, number, curve):
        view.until(lambda v: v.read("revealed") == "true")
    told = notebook.cell(3).locator(".jp-OutputArea-output p").all_inner_texts()
    assert len(told) == 3 and told[2] == "How many digits lie beside another digit?\nYou said: 20%. Found: 6.4%."
    notebook.run(4)
    rows = notebook.cell(4).locator("tbody tr")
    assert rows.count() == 3
    assert "it shrinks" in rows.nth(0).inner_text() and "it grows" in rows.nth(0).inner_text()
    assert "perplexity 5: 0.1, 10: 0.05" in rows.nth(2).inner_text()
    assert choice.root.evaluate("root => root.scrollWidth <= root.clientWidth + 1")


def test_an_answer_stays_through_a_restart_until_it_is_forgotten(open_notebook, lab):
    """It is in a file of the reader's own, and in no file beside the notebook."""
    notebook = open_notebook(lab, [ASK, COUNT, "choice.reveal('it grows')"])
    folder = lab.folder / ".jupyter" / "data" / "notebook_sne" / "answers"

    others = {*folder.glob("*")}  # of notebooks that were open on this server before

    def kept():
        return "".join(file.read_text() for file in folder.glob("*.json") if file not in others)

    def views():
        return [View(notebook.page, notebook.cell(k).locator(".nsne-prediction")) for k in range(2)]

    for k in range(2):
        notebook.run(k)
    choice, number = views()
    choice.control("option").nth(1).check()
    number.control("field").fill("20")
    number.control("field").press("Enter")
    assert until(lambda: "it shrinks" in kept() and '"value": 20' in kept())
    notebook.save()
    restart_by_menu(notebook)
    for k in range(3):
        notebook.run(k)
    choice, number = views()
    assert choice.control("option").nth(1).is_checked() and number.control("field").input_value() == "20"
    assert "You said: it shrinks." in notebook.cell(2).inner_text()
    number.control("forget").click()
    choice.until(lambda view: view.read("said") == "false")
    number.until(lambda view: view.read("said") == "false")
    assert until(lambda: not kept())
    number.control("forget").click()  # which takes it back
    choice.until(lambda view: view.control("option").nth(1).is_checked())
    number.control("forget").click()
    choice.until(lambda view: view.read("said") == "false")
    assert until(lambda: not kept())
    restart_by_menu(notebook)
    for k in range(2):
        notebook.run(k)
    choice, number = views()
    assert (choice.read("said"), number.read("said")) == ("false", "false")
