"""Bokeh's figures that follow a run: in a loop that keeps the kernel busy, and beside a Run, paused and played."""

import pytest

from tests.browser.pages import Notebook, errors_in, until

pytestmark = pytest.mark.browser

PREPARE = """
import numpy as np
from tests.standins import Drifting
from notebook_sne import Run
from notebook_sne.views import live
X = np.random.default_rng(0).normal(size=(60, 3))
labels = np.arange(60) % 3"""
LOOP = """
drifting = Drifting(seconds=0.02)
drifting.rate = 0.001  # a page that is late sees it move all the same
for state in live(drifting.iterate(X), X=X, labels=labels, title="<b>sixty</b>"):
    if state.iteration == 5000 or state.iteration > 20 and __import__("pathlib").Path("go").exists():
        break"""
RUN = """
run = Run(Drifting(max_iter=10**6, seconds=0.02), X)
run.play()
figures = live(run, labels=labels)
figures"""

GRID = """
from bokeh.io import show
from notebook_sne.views import aspect_grid, output_notebook
output_notebook()
show(aspect_grid(np.stack([X[:, :2]] * 2), np.full((2, 60), 0.5), labels=labels, title="<b>two</b> maps"))"""

# The map of the newest document: its ranges, its points, and what is written.
SHOWN = """() => {
    const there = Bokeh.documents.at(-1);
    const map = there.roots()[0].children[0];
    const points = map.renderers.filter(r => r.data_source.data.object).flatMap(r => [...r.data_source.data.x]);
    return {start: map.x_range.start, end: map.x_range.end, low: Math.min(...points), high: Math.max(...points),
            title: map.title.text.text, told: map.below.map(one => one.text?.text ?? "").join("")};
}"""


def figures(notebook, cell):
    root = notebook.cell(cell).locator(".nsne-live")
    root.wait_for()
    return root, lambda: int(root.get_attribute("data-updates"))


def test_figures_follow_a_loop_while_its_cell_runs_and_fetch_nothing(open_notebook, lab, page):
    asked, said = [], errors_in(page)
    page.on("request", lambda request: asked.append(request.url))
    notebook = open_notebook(
        lab, [PREPARE, LOOP, "print(state.iteration, *np.round(state.embedding[:, 0].max(), 3)[None])"]
    )
    notebook.run(0)
    notebook.start(1)
    root, updates = figures(notebook, 1)
    until(page, lambda: root.get_attribute("data-drawn") == "true", lambda: root.inner_text())
    until(page, lambda: updates() >= 3)
    assert "*" in notebook.prompt(1)  # the kernel is busy all the while
    early = page.evaluate(SHOWN)
    assert early["start"] < early["low"] and early["high"] < early["end"] and early["title"] == "<b>sixty</b>"
    assert notebook.cell(1).locator("canvas").count() >= 3 and root.locator("b").count() == 0
    until(page, lambda: page.evaluate(SHOWN)["high"] > early["high"], seen=lambda: page.evaluate(SHOWN))
    later = page.evaluate(SHOWN)
    assert later["high"] < later["end"]  # the frame moves with the points
    notebook.let_go(1)
    notebook.run(2)
    iteration, right = notebook.output(2).split()
    until(page, lambda: f"iteration {iteration}, " in page.evaluate(SHOWN)["told"], seen=lambda: page.evaluate(SHOWN))
    last = page.evaluate(SHOWN)
    assert abs(last["high"] - float(right)) < 2e-3 and last["high"] < last["end"]
    assert not [url for url in asked if "127.0.0.1" not in url and not url.startswith(("data:", "blob:"))]
    assert said == []


def test_figures_follow_a_run_through_pause_and_play_until_they_are_closed(open_notebook, lab, page):
    notebook = open_notebook(
        lab, [PREPARE, RUN, "run.pause(); run.wait()", "run.play()", "figures.close()", "print(run.status)"]
    )
    notebook.run(0)
    notebook.run(1)
    root, updates = figures(notebook, 1)
    until(page, lambda: updates() >= 3, lambda: root.inner_text())
    notebook.run(2)
    told = [None]

    def rests():  # for longer than the second after which what rests is said once more
        told.append((updates(), page.evaluate(SHOWN)["told"]))
        return len(told) > 40 and all(one == told[-1] for one in told[-40:])

    until(page, rests, seen=lambda: told)
    paused = told[-1]
    notebook.run(3)
    until(page, lambda: updates() >= paused[0] + 3)
    assert page.evaluate(SHOWN)["told"] != paused[1]
    notebook.run(4)
    until(page, lambda: root.count() == 0)
    notebook.run(5)
    assert notebook.output(5) == "running"


def test_a_figure_that_stays_is_drawn_by_what_its_notebook_loads_also_when_that_is_opened_again(
    open_notebook, lab, page
):
    asked, said = [], errors_in(page)
    load, shown = GRID.rsplit("\n", 1)
    page.on("request", lambda request: asked.append(request.url))
    notebook = open_notebook(lab, [PREPARE, load, *["#" + "\n#" * 60] * 3, shown], run=6)
    until(page, lambda: notebook.cell(5).locator("canvas").count() >= 2)
    notebook.cell(5).locator("div").get_by_text("<b>two</b> maps", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    until(page, lambda: "data-root-id" in (lab.folder / notebook.name).read_text())
    page.goto("about:blank")
    notebook = Notebook(page, lab, notebook.name)
    until(page, lambda: page.evaluate("Boolean(globalThis.Bokeh)"))
    notebook.cell(5).scroll_into_view_if_needed()  # far below: only now has the figure its place in the page
    until(page, lambda: notebook.cell(5).locator("canvas").count() >= 2)
    assert not said and all(url.startswith((lab.origin, "blob:", "data:")) for url in asked)
