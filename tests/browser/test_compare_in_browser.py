"""A comparison in a real JupyterLab: one transport for all views, maps that lie alike, and what axe says of it."""

import numpy as np
import pytest

import notebook_sne as ns
from tests.browser.pages import View, frames
from tests.standins import Drawing, Drifting, until

pytestmark = pytest.mark.browser

CELL = """
import numpy as np, notebook_sne as ns
from tests.standins import Drawing, Drifting
X = np.zeros((40, 2))
models = {"one": Drifting(max_iter=20_000), "two": Drawing(max_iter=20_000)}
ns.compare(models, X, labels=np.arange(40) % 3, autoplay=False, pace=60)
"""


@pytest.mark.landing
def test_one_transport_plays_all_views_and_goes_through_their_films(open_notebook, lab):
    notebook = open_notebook(lab, [CELL], run=1)
    cell = notebook.cell(0)
    players = cell.locator(".nsne-player:not(.nsne-transport)")
    players.nth(1).wait_for()
    one, two = (View(notebook.page, players.nth(k)) for k in (0, 1))
    bar = View(notebook.page, cell.locator(".nsne-transport"))
    assert not one.control("play").is_visible()  # playing is the transport's
    bar.until(lambda v: v.control("play").is_enabled())
    bar.control("play").click()
    bar.control("pause").wait_for()
    for view in (one, two):
        view.until(lambda v: int(v.read("iteration") or 0) > 30)
    bar.control("pause").click()
    for view in (one, two):
        view.until(lambda v: v.read("status") == "paused")
    assert "turned to match one" in two.part("scale").inner_text()
    bar.control("film").evaluate("e => { e.value = 10; e.dispatchEvent(new Event('input', {bubbles: true})); }")
    bar.until(lambda v: v.part("film-where").inner_text().startswith("film: step "))
    step = bar.part("film-where").inner_text().split()[2]
    for view in (one, two):
        view.until(lambda v: v.read("scrub") == step)
    stage = one.root.locator(".nsne-stage > canvas").first.bounding_box()
    ring = two.root.locator(".nsne-ring")
    for k in range(1, 80):  # somewhere there is an object
        x, y = k / 80, 0.3 + k % 5 / 10
        notebook.page.mouse.move(stage["x"] + stage["width"] * x, stage["y"] + stage["height"] * y)
        frames(notebook.page)
        if ring.is_visible():
            break
    assert ring.get_attribute("data-by") == "other"
    assert ring.get_attribute("data-object") == one.root.locator(".nsne-ring").get_attribute("data-object")
    notebook.page.mouse.move(5, 5)
    two.until(lambda _: not ring.is_visible())
    bar.control("align").click()
    two.until(lambda v: "turned" not in v.part("scale").inner_text())
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
    for theme in ("light", "dark"):
        # Every color of the host falls back to the system's: as on a page of its own.
        notebook.page.emulate_media(color_scheme=theme)
        cell.locator(".nsne-comparison, .nsne-player").evaluate_all(
            "(roots) => roots.forEach((root) => ['--jp-layout-color0', '--jp-content-font-color1', '--jp-brand-color1',"
            "'--jp-ui-font-color2', '--jp-border-color2'].forEach((name) => root.style.setProperty(name, 'initial')))"
        )
        for view in (one, two):
            view.until(lambda v, theme=theme: v.read("theme") == theme)
        found = Axe().run(notebook.page, context=".nsne-comparison").response["violations"]
        assert [(theme, v["id"]) for v in found if v["impact"] in ("serious", "critical")] == []


def test_a_page_of_it_plays_all_films_at_once_and_shares_what_is_chosen(open_page, tmp_path):
    models = {"one": Drifting(max_iter=40), "<two>": Drawing(max_iter=40)}
    grid = ns.compare(models, np.zeros((40, 2)), labels=np.arange(40) % 3, names=[f"w{k}" for k in range(40)])
    assert until(lambda: all(player.status == "finished" for player in grid.players.values()))
    grid["one"].selection = [7]
    path = grid.to_html(tmp_path / "page.html", frames=20)
    grid.close()
    bar = open_page(path, ".nsne-transport")
    players = bar.page.locator(".nsne-player:not(.nsne-transport)")
    one, two = (View(bar.page, players.nth(k)) for k in (0, 1))
    assert not one.control("film-play").is_visible() and "<two>" in two.root.inner_text()
    bar.control("film").evaluate("e => { e.value = 10; e.dispatchEvent(new Event('input', {bubbles: true})); }")
    step = bar.part("film-where").inner_text().split()[1]
    for view in (one, two):
        view.until(lambda v: v.read("scrub") == step)
    assert "turned to match one" in two.part("scale").inner_text()
    assert one.read("selected") == two.read("selected") == "1"
    # Its room is there before it comes, as the last.
    assert bar.root.evaluate("bar => bar.offsetHeight <= parseFloat(getComputedStyle(bar.parentElement).minHeight)")
    one.root.press("Escape")
    two.until(lambda v: v.read("selected") != "1")
    bar.control("film-play").click()
    bar.until(lambda v: v.part("film-where").inner_text().startswith("step 40 "))
