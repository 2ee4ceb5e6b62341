"""Maps on a grid in the player: seen, stepped, sent back, handed over; and their net beside them, as a run goes on."""

import pytest

from tests.browser.pages import until

pytestmark = pytest.mark.browser

PREPARE = """
import numpy as np
import notebook_sne as ns
digits = ns.datasets.load_digits().sample(20, random_state=0)"""
WATCH = "player = ns.watch(ns.baselines.GTM(grid=(12, 12), random_state=0), digits, autoplay=False); player"
SWITCH = """
from notebook_sne.models.family import successor
run = player.run
for name in ("SOM", "TSNE", "GTM"):
    run.switch(successor(run.model, name, 200))
    run.wait()
    run.steps(5)
    print(run.state.model, run.state.iteration)"""
LIVE = """
som = ns.Run(ns.baselines.SOM(grid=(9, 9), random_state=0), digits.X)
ns.views.live(som, labels=digits.labels)"""

# The ends of the net's lines in the newest document, added up.
NET = """() => {
    const figures = Bokeh.documents.at(-1).roots()[0].children;
    const net = figures[1].renderers.find(r => r.name == "net");
    const x = [...net.data_source.data.x0];
    return {lines: x.length, sum: x.reduce((a, b) => a + Math.abs(b), 0), title: figures[1].title.text.text};
}"""


def test_gtm_is_seen_stepped_sent_back_and_handed_over(open_notebook, lab):
    notebook = open_notebook(lab, [PREPARE, WATCH, SWITCH], run=2)
    view = notebook.player(1)
    view.until(lambda v: v.iteration == 0 and v.dots()[0] > 100)
    first = view.dots()
    for i in (1, 2, 3):
        view.press("step")
        view.until(lambda v, i=i: v.iteration == i and v.status == "paused")
    view.until(lambda v: v.dots()[1] != first[1])
    view.press("play")
    view.until_status("finished")
    notebook.run(2)
    printed = [line.split() for line in notebook.output(2).splitlines()]
    assert [name for name, _ in printed] == ["SOM", "TSNE", "GTM"]
    view.until(lambda v: v.iteration == int(printed[-1][1]))


def test_the_net_of_a_run_is_drawn_while_it_goes_on(open_notebook, lab, page):
    notebook = open_notebook(lab, [PREPARE, LIVE, "som.step()", "som.steps(60)"], run=2)
    root = notebook.cell(1).locator(".nsne-live")
    notebook.run(2)
    until(page, lambda: root.get_attribute("data-drawn") == "true", lambda: root.inner_text())
    early = page.evaluate(NET)
    assert early["lines"] == 2 * 9 * 8 and early["title"] == "its net in the data"
    notebook.run(3)
    until(page, lambda: page.evaluate(NET)["sum"] > 0 and page.evaluate(NET)["sum"] != early["sum"])
