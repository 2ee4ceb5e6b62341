"""The explorer over several fits, as a reader uses it: in a page that keeps their notes, and in a notebook."""

import csv
import re

import pandas as pd
import pytest

from notebook_sne.browser.widgets.explore import explore
from tests.browser.pages import screen, word_in
from tests.widgets.test_explorer_fits import NAMES, counts, fit

pytestmark = pytest.mark.browser

HOSTILE = "</script><img src=x onerror='window.hacked=1'> & \"so on\""


@pytest.fixture
def page_of_fits(open_page, tmp_path):
    """Open the page of two fits, of which the second has missed a sense of CAN."""

    def open_one(address="", details=True, **context):
        given = pd.DataFrame({"word": ["CAN", "BEER"], "gain": [0.5, -0.25]})
        models = [fit(2.0), fit(3.0, 1, missed=True)]
        explorer = explore(models, NAMES, counts=counts(), columns=given, title="Senses")
        view = open_page(explorer.to_html(tmp_path / "senses.html"), ".nsne-explorer", **context)
        if address:
            view.page.evaluate("address => { location.hash = address; }", address)
        view.until(lambda v: v.read("ready") == "true")
        if details:
            view.control("details").click()
        return view

    return open_one


def cards(view):
    return view.part("senses").locator("article")


def listed(card, kind):
    return card.locator(f"[data-kind='{kind}'] .nsne-e-word").all_inner_texts()


def test_the_senses_of_a_word_are_read_over_the_fits(page_of_fits):
    view = page_of_fits("word=can")
    view.until(lambda v: v.read("word") == "CAN" and v.read("fit") == "0")
    first, second = cards(view).nth(0), cards(view).nth(1)
    assert cards(view).count() == 2 and "“CAN” has two senses here: TRASH" in view.part("summary").inner_text()
    assert "seen in 2 of 2 fits" in first.inner_text() and "seen in 1 of 2 fits" in second.inner_text()
    sure = re.search(r"second one: (\d\.\d+)", view.part("summary").inner_text())[1]
    assert f"certainty {sure}" in second.locator(".nsne-e-seen").inner_text()  # one number in both places
    assert set(listed(first, "associate")) == {"TRASH", "GARBAGE", "WASTE", "DUMP"}
    assert set(listed(second, "associate")) == {"BOTTLE", "BEER", "GLASS", "WINE"}
    assert not view.part("warning").is_visible() and not view.control("threshold").count()
    assert view.part("values").inner_text() == "gain 0.5"
    marks = second.locator("[data-control='show-fit']")
    assert "map 1, proportion 0.39" in marks.nth(0).get_attribute("title")
    assert "its company is there, the word is not" in marks.nth(1).get_attribute("title")
    assert ["nsne-e-found" in (mark.get_attribute("class")) for mark in marks.all()] == [True, False]
    assert "nsne-e-half" in marks.nth(1).get_attribute("class")
    marks.nth(1).click()
    view.until(lambda v: v.read("fit") == "1")
    assert view.control("fit").evaluate("e => e.value") == "1" and "cost 3" in view.part("facts").inner_text()
    for word in listed(second, "associate"):  # its associates are drawn, although it has no part there
        assert word_in(second, word)
    view.control("fit").select_option("0")
    view.until(lambda v: v.read("fit") == "0")


def test_the_table_leads_to_words_and_the_address_with_them(page_of_fits):
    view = page_of_fits()
    view.control("words").click()
    rows = view.part("table").locator("[data-row]")
    assert rows.count() == len(NAMES) and rows.nth(0).inner_text().split()[:2] == ["CAN", "2"]  # the surest first
    view.control("sort").filter(has_text="gain").click()
    assert [rows.nth(k).inner_text().split()[0] for k in range(2)] == ["CAN", "BEER"]
    view.control("filter").fill("e")
    wanted = sum("e" in name.lower() for name in NAMES)
    assert rows.count() == wanted and f"{wanted} of {len(NAMES)}" in view.part("count").inner_text()
    keys = view.page.keyboard
    keys.press("ArrowDown")
    keys.press("Enter")
    view.until(lambda v: v.read("word") == "BEER" and v.page.url.endswith("#word=BEER"))
    assert view.page.evaluate("document.activeElement.dataset.part") == "table"  # the reader stays in the table
    view.control("filter").fill("can")
    rows.nth(0).click(modifiers=["Shift"])
    view.until(lambda v: v.read("beside") == "CAN" and v.page.url.endswith("#word=BEER&beside=CAN"))
    view.root.locator("[data-part=senses-beside] [data-control=word]").first.click()
    view.until(lambda v: v.read("beside") in {"TRASH", "BOTTLE"})
    view.page.go_back()
    view.until(lambda v: v.read("beside") == "CAN")
    view.control("close-beside").click()
    view.until(lambda v: v.read("beside") == "" and v.page.url.endswith("#word=BEER"))
    view.page.go_back()
    view.until(lambda v: v.read("beside") == "CAN")
    view.page.go_back()
    view.until(lambda v: v.read("word") == "BEER" and v.read("beside") == "")
    view.page.go_back()
    view.until(lambda v: v.read("word") == "" and "#" not in v.page.url)  # as the page was opened


def test_notes_are_saved_with_the_page_as_texts(page_of_fits, open_page, tmp_path):
    view = page_of_fits("word=CAN")
    view.until(lambda v: v.read("word") == "CAN")
    view.part("note").locator("summary").click()
    view.control("note").fill(HOSTILE)
    view.until(lambda v: v.root.locator(".nsne-e-noted:visible").all_inner_texts() == [HOSTILE])
    with view.page.expect_download() as saved:
        view.control("save-page").click()
    assert saved.value.suggested_filename == "senses.html"
    again = open_page(saved.value.path().rename(tmp_path / "again.html"), ".nsne-explorer")
    again.until(lambda v: v.read("ready") == "true" and v.read("word") == "CAN")
    assert again.page.title() == "Senses" and again.control("note").input_value() == HOSTILE
    assert cards(again).count() == 2 and "TRASH" in cards(again).nth(0).locator("[data-part=named]").inner_text()


def test_what_is_shown_is_saved(page_of_fits):
    view = page_of_fits("word=CAN&beside=BEER")
    view.until(lambda v: v.read("beside") == "BEER")
    view.control("words").click()
    save = view.saved
    name, png = save("png")
    assert name == "CAN-BEER.png" and png.startswith(b"\x89PNG")
    _, svg = save("svg")
    assert b"<svg" in svg[:10] and b">GARBAGE<" in svg and b"Own associates" in svg
    radii = {float(r) for r in re.findall(rb"Z?M[-\d. ]+a([\d.]+) ", svg)}
    assert {round(12 * proportion**0.5, 2) for proportion in (0.6, 0.39)} <= radii  # areas of the word looked at
    name, text = save("csv")
    rows = list(csv.DictReader(text.decode("utf-8-sig").splitlines()))
    assert {row["word"] for row in rows} == {"CAN", "BEER"} and name == "CAN-BEER.csv"
    (trash,) = [row for row in rows if row["word"] == "CAN" and row["other"] == "TRASH"]
    assert (trash["kind"], trash["given"], trash["giving"], trash["seen"]) == ("associate", "9", "3", "1")
    _, text = save("senses-csv")
    senses = list(csv.DictReader(text.decode("utf-8-sig").splitlines()))
    assert {row["word"] for row in senses} >= {"CAN", "BEER", "TEAM"}
    (trash,) = [row for row in senses if row["word"] == "CAN" and row["associate"] == "TRASH"]
    assert (trash["sense"], trash["given"], trash["giving"]) == ("1", "9", "3") and "notebook_sne" in trash["source"]
    assert b"iTXtDescription" in png and b"notebook_sne " in png and b"<desc>" in svg
    _, text = save("table-csv")
    table = list(csv.DictReader(text.decode("utf-8-sig").splitlines()))
    assert len(table) == len(NAMES) and table[0]["word"] == "CAN" and float(table[0]["gain"]) == 0.5


def test_a_dark_page_is_printed_in_the_colors_of_paper(page_of_fits):
    view = page_of_fits("word=CAN", color_scheme="dark")
    view.until(lambda v: v.read("word") == "CAN")
    inked = """canvas => {
        const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
        const pen = copy.getContext("2d", { willReadFrequently: true }); // else Chromium complains of the third look
        pen.drawImage(canvas, 0, 0);
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        return new Uint32Array(data.buffer).includes(0xff28231f); // #1f2328, of letters on white
    }"""
    picture = cards(view).nth(0).locator("canvas")
    assert not picture.evaluate(inked)
    view.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert picture.evaluate(inked)
    view.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not picture.evaluate(inked)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (390, 844)])
def test_nothing_runs_over_and_every_control_has_a_name(page_of_fits, size):
    phone = size[0] < 500
    view = page_of_fits("word=CAN&beside=BEER", **screen(*size))
    view.until(lambda v: v.read("beside") == "BEER")
    (view.control("words").tap if phone else view.control("words").click)()
    (view.control("export-menu").tap if phone else view.control("export-menu").click)()
    assert view.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    unnamed = view.root.locator("button:visible, input:visible, select:visible, textarea:visible").evaluate_all(
        "all => all.filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert not unnamed
    left, right = (view.part(part).bounding_box() for part in ("word", "beside"))
    assert (right["y"] > left["y"] + 200) == phone  # below it, or beside it


def test_a_notebook_keeps_notes_and_its_own_address(open_notebook, lab):
    notebook = open_notebook(
        lab,
        [
            "import notebook_sne as ns\nfrom tests.widgets.test_explorer_fits import *\n"
            "e = ns.explore([fit(2.0), fit(3.0, 1)], NAMES, counts=counts(), word='CAN'); e",
            "e.word = 'BEER'; print(e.notes, e.fit, e.beside)",
        ],
    )
    notebook.run(0)
    view = notebook.explorer(0)
    view.until(lambda v: v.read("ready") == "true" and v.read("word") == "CAN")
    address, before = notebook.page.url, notebook.prompt(0)
    cells = notebook.page.locator(".jp-Notebook .jp-Cell")
    view.control("details").click()
    view.part("note").locator("summary").click()
    view.control("note").fill("")
    view.control("note").press_sequentially("a dd b")  # keys that would be commands of the notebook
    view.control("note").press("Enter")
    view.control("note").press("c")
    view.control("fit").select_option("1")
    view.search("BEER")
    view.control("search-beside").fill("team")
    notebook.page.keyboard.press("Enter")
    view.until(lambda v: v.read("beside") == "TEAM")
    notebook.run(1)
    assert notebook.output(1) == r"{'CAN': 'a dd b\nc'} 1 TEAM" and notebook.prompt(0) == before
    assert notebook.page.url == address and cells.count() == 2
    assert not view.control("save-page").count()


def test_the_first_screen_is_a_word_its_senses_and_a_sentence(page_of_fits):
    view = page_of_fits("word=CAN", details=False)
    view.until(lambda v: v.read("word") == "CAN")
    assert view.part("summary").inner_text().startswith("“CAN” has two senses here: TRASH (50")
    named = [card.locator("[data-part=named]").inner_text() for card in cards(view).all()]
    assert named == ["TRASH, GARBAGE, WASTE, DUMP", "BOTTLE, BEER, GLASS, WINE"]
    for hidden in ("legend", "neighbors", "seen", "values"):
        assert not view.part(hidden).locator("visible=true").count(), hidden
    picture = cards(view).nth(0)
    for word in ("CAN", "TRASH", "GARBAGE", "WASTE", "DUMP"):
        assert word_in(picture, word)
    assert not view.control("map").count() and not view.control("open-map").count()
    view.control("all-maps").click()
    view.until(lambda v: v.control("map").count() == 3)
    view.control("details").click()
    assert view.part("legend").is_visible() and "TRASH" in listed(picture, "associate")
    view.part("source").locator("summary").click()
    assert re.search(r"notebook_sne \d", view.part("source").inner_text())
    view.control("details").click()
    assert not view.part("legend").is_visible()


def test_weaker_senses_are_put_aside_and_stay_at_hand(page_of_fits):
    view = page_of_fits("word=CAN")
    view.until(lambda v: v.read("word") == "CAN")
    slide = "(e, value) => { e.value = value; e.dispatchEvent(new Event('input', {bubbles: true})); }"
    view.control("least-certainty").evaluate(slide, 1)
    aside = view.part("weaker")
    assert cards(view).count() == 1 and aside.locator("summary").inner_text() == "One weaker sense"
    assert "One sense of “CAN” is told apart here" in view.part("summary").inner_text()
    aside.locator("summary").click()
    assert "BOTTLE" in listed(aside.locator("article"), "associate")
    view.control("least-certainty").evaluate(slide, 0)
    assert cards(view).count() == 2 and not aside.is_visible()
    view.control("least-share").evaluate(slide, 0.4)
    assert cards(view).count() == 2  # both have a half
