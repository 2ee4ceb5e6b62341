"""A saved lecture shows its pictures: with the state of its widgets and without, here and elsewhere."""

import json
import subprocess
import sys

import pytest

from notebook_sne.browser import jupyter
from tests.browser.jupyter import Jupyter, write_notebook
from tests.browser.pages import Notebook, later, until
from tests.standins.waiting import LONG

pytestmark = pytest.mark.browser

PREPARE = """
from types import SimpleNamespace
import numpy as np
import notebook_sne as ns
from tests.standins import Drawing, Drifting
words = ["bank", "money", "river", "water", "credit", "fund", "shore", "stream"]
mixture = SimpleNamespace(maps_=np.random.default_rng(0).normal(size=(3, 8, 2)), mixing_=np.full((3, 8), 1 / 3))
X, labels = np.zeros((120, 2)), np.arange(120) % 3
"""
CELLS = [
    "player = ns.watch(Drifting(max_iter=40, seconds=0.02), X, labels=labels, title='seen & saved'); player",
    "grid = ns.compare({'one': Drifting(max_iter=20), 'two': Drawing(max_iter=20)}, X, labels=labels); grid",
    "ns.explore(mixture, words, word='bank')",
    "ns.replay(player.run.recording)",
]
NAME = "lecture.ipynb"
TOLD = ["step 40", "step 20", "the word bank", "step 40"]


@pytest.fixture(scope="module")
def tutorials_lab(browser, tmp_path_factory):
    """JupyterLab as `notebook-sne lab` starts it."""
    pytest.importorskip("jupyterlab", reason="the browser tests need JupyterLab")
    server = Jupyter("jupyterlab", tmp_path_factory.mktemp("tutorials"), warm=False, **jupyter.settings())
    yield server
    server.close()


@pytest.fixture(scope="module")
def saved_with_state(browser, tutorials_lab):
    return run_and_save(browser, tutorials_lab)


@pytest.fixture(scope="module")
def saved_without_state(browser, lab):
    return run_and_save(browser, lab)


def run_and_save(browser, server):
    """Run the lecture to its rest, save it by key, end the kernel, and return what was saved."""
    write_notebook(server.folder / NAME, [PREPARE, *CELLS])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    notebook = Notebook(page, server, NAME)
    for cell in range(len(CELLS) + 1):
        notebook.run(cell)
    notebook.player(1).until_status("finished")
    for cell, told in enumerate(TOLD, 1):
        notebook.cell(cell).locator("[class^='nsne-still']", has_text=told).wait_for(state="attached")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    until(page, lambda: all(told in (server.folder / NAME).read_text() for told in TOLD))
    page.close()
    server.end_sessions()
    return json.loads((server.folder / NAME).read_text())


def stills(root):
    return root.locator("[class^='nsne-still']")


def shows_pictures(still):
    """Whether a still is seen, and each of its pictures could be read."""
    return still.is_visible() and still.locator("img").evaluate_all(
        """images => {
            const maps = images.filter((image) => image.getAttribute("width") > 100); // the others are a legend's
            const read = (image, least) => image.complete && image.naturalWidth > least;
            return maps.length > 0 && maps.every((map) => read(map, 100)) && images.every((image) => read(image, 10));
        }"""
    )


def reopened(page, server, name):
    """Open a notebook whose kernel has ended, and wait until each of its cells shows what it has."""
    page.goto("about:blank")  # JupyterLab too is opened again
    notebook = Notebook(page, server, name)
    for cell in range(1, len(CELLS) + 1):
        notebook.cell(cell).scroll_into_view_if_needed()
        view = notebook.cell(cell).locator("[data-key], [class^='nsne-still']")
        until(page, lambda view=view: any(one.is_visible() for one in view.all()))
    return notebook


def words_of_outputs(notebook):
    return " ".join(
        part.inner_text() for part in notebook.page.locator(".jp-OutputArea-output").all() if part.is_visible()
    )


@pytest.mark.landing
def test_with_the_tutorials_jupyterlab_a_lecture_opens_again_with_its_maps(page, tutorials_lab, saved_with_state):
    assert saved_with_state["metadata"]["widgets"]
    notebook = reopened(page, tutorials_lab, NAME)
    for cell, n_views in enumerate((1, 2, 1, 1), 1):
        notebook.cell(cell).scroll_into_view_if_needed()  # JupyterLab may let go of what is out of sight
        views = notebook.cell(cell).locator("[data-key]")
        until(
            page, lambda views=views, n_views=n_views: views.count() == n_views, seen=lambda: words_of_outputs(notebook)
        )
        assert all(view.is_visible() for view in views.all()) and not stills(notebook.cell(cell)).is_visible()
    view = notebook.player(1)
    notebook.cell(1).scroll_into_view_if_needed()
    view.until(lambda view: view.iteration == 40 and view.dots()[0] > 100)
    assert "not found" not in words_of_outputs(notebook)
    # No kernel computes: its film is left, and plays.
    view.until(lambda view: view.read("connected") == "false")
    assert not view.control("step").is_visible() and view.control("play").inner_text() == "Replay"
    view.press("play")
    view.until(lambda view: 0 < float(view.read("scrub") or 0) < 40)
    view.until(lambda view: view.read("scrub") == "")


def test_without_the_state_of_its_widgets_a_lecture_opens_again_with_stills(page, lab, saved_without_state):
    assert "widgets" not in saved_without_state["metadata"]
    lab.end_sessions()
    notebook = reopened(page, lab, NAME)
    later(page, 3000)  # the widgets are looked for during two seconds
    for cell in range(1, len(CELLS) + 1):
        notebook.cell(cell).scroll_into_view_if_needed()
        until(page, lambda cell=cell: shows_pictures(stills(notebook.cell(cell))))
    assert "seen & saved" in words_of_outputs(notebook) and "not found" not in words_of_outputs(notebook)
    for map_of_two in notebook.cell(2).locator("[class^='nsne-still'] td").all():  # each below its own title
        title, image = map_of_two.locator("b").bounding_box(), map_of_two.locator("img").first.bounding_box()
        assert abs(title["x"] - image["x"]) < 2


def test_an_untrusted_notebook_shows_its_stills(page, lab, saved_without_state):
    lab.end_sessions()
    mailed = saved_without_state | {"metadata": saved_without_state["metadata"] | {"title": "from somebody else"}}
    (lab.folder / "mailed.ipynb").write_text(json.dumps(mailed))
    notebook = reopened(page, lab, "mailed.ipynb")
    for cell in range(1, len(CELLS) + 1):
        notebook.cell(cell).scroll_into_view_if_needed()
        until(page, lambda cell=cell: shows_pictures(stills(notebook.cell(cell))))
    assert not stills(notebook.page).locator("style").count()  # what JupyterLab takes out where it does not trust


def test_converted_to_a_page_without_a_network_a_lecture_shows_its_stills(
    page, saved_with_state, saved_without_state, tmp_path
):
    page.route("http*://**", lambda route: route.abort())
    for name, document in (("whole", saved_with_state), ("stripped", saved_without_state)):
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(document))
        command = [sys.executable, "-m", "nbconvert", "--to", "html", f"{name}.ipynb"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=LONG)
        page.goto((tmp_path / f"{name}.html").as_uri())
        assert stills(page).count() == len(CELLS)
        for still in stills(page).all():
            still.scroll_into_view_if_needed()
            assert shows_pictures(still)


def test_a_new_still_leaves_the_live_view_as_it_is(open_notebook, page, lab):
    notebook = open_notebook(lab, [PREPARE, CELLS[0], "state = player.run.steps(3)"], run=2)
    view = notebook.player(1)
    view.until(lambda view: view.frames > 1)
    view.root.evaluate("root => { root.ours = true; }")
    still = stills(notebook.cell(1))
    view.until_status("finished")
    still.filter(has_text="step 40").wait_for(state="attached")
    frames = view.frames
    notebook.run(2)
    still.filter(has_text="step 43").wait_for(state="attached")
    view.until(lambda view: view.iteration == 43)
    assert view.root.evaluate("root => root.ours") and view.frames >= frames
    assert view.root.is_visible() and not still.is_visible()
