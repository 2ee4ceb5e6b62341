"""Words in two norms as a page: search, table, address and files, wide and on a phone, with names of others."""

import pytest

import notebook_sne as ns
from tests.widgets.test_two_norms import HOSTILE, compared

pytestmark = [pytest.mark.browser, pytest.mark.landing]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_word_leads_to_the_next(open_page, tmp_path, width):
    path = ns.explore(compared(), word="bank").to_html(tmp_path / "two.html")
    view = open_page(path, ".nsne-two-norms", viewport={"width": width, "height": 800}, accept_downloads=True)
    view.until(lambda v: v.read("word") == "bank")
    drawn = view.part("picture").locator("svg")
    assert drawn.locator("path").count() == 1 and drawn.locator("rect").count() == 4
    assert drawn.bounding_box()["width"] <= width
    assert HOSTILE in view.part("sentence").inner_text() or f"{HOSTILE[:23]}…" in drawn.text_content()
    view.search("CASH")
    view.until(lambda v: v.read("word") == "cash" and "word=cash" in v.page.url)
    view.control("words").click()
    view.part("table").locator("[data-row='0']").click()
    view.until(
        lambda v: v.read("word") == v.part("table").locator("[aria-selected='true']").inner_text().split("\n")[0]
    )
    view.search("banc")
    view.until(lambda v: v.read("word") == "bank")
    for kind, first in (("png", b"\x89PNG"), ("svg", b"<svg"), ("csv", b"\xef\xbb\xbfword")):
        assert view.saved(kind)[1].startswith(first)
    assert view.page.evaluate("window.hacked") is None
