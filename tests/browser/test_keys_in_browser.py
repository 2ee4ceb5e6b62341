"""The keyboard stays the reader's: from every control of every view Shift+Enter runs the cell, and Ctrl+S saves."""

import pytest

from tests.browser.pages import frames, until
from tests.browser.test_replay_in_browser import PREPARE as FILM

pytestmark = pytest.mark.browser

PREPARE = """
from types import SimpleNamespace
import numpy as np, notebook_sne as ns
from tests.standins import Drawing, Drifting
from tests.widgets.test_two_norms import compared
X, labels = np.zeros((40, 2)), np.arange(40) % 3
words = ["bank", "money", "river", "water", "credit", "fund", "shore", "stream"]
mixture = SimpleNamespace(maps_=np.random.default_rng(0).normal(size=(3, 8, 2)), mixing_=np.full((3, 8), 1 / 3))
"""
ASKED = "room, asked = ns.classroom('Lecture 3'), ns.predict('Does it grow?', ['yes', 'no'])\nroom.ask(asked)"
VIEWS = {
    "choice": ("ns.predict('Does it grow?', ['it grows', 'it shrinks'])", ".nsne-prediction"),
    "number": ("ns.predict('How many?', low=0, high=100, unit='%')", ".nsne-prediction"),
    "sketch": ("ns.predict('How does it fall?', low=0, high=1, at=[5, 10, 30])", ".nsne-prediction"),
    "player": (
        "player = ns.watch(Drifting(max_iter=30), X, labels=labels, names=[f'object {i}' for i in range(40)],\n"
        "    columns={'year': labels}, autoplay=False)\nplayer.controls, player.show_table = 'all', True; player",
        ".nsne-player",
    ),
    "replay": (f"{FILM}\nreplay(recording, title='again')", ".nsne-player"),
    "drawing": (
        "images = ns.datasets.load_digits().images[:60]\n"
        "ns.draw(ns.TSNE(perplexity=5, max_iter=5).fit(images.reshape(60, -1)), images, labels=np.arange(60) % 10)",
        ".nsne-drawing",
    ),
    "explorer": ("ns.explore(mixture, words, word='bank')", ".nsne-explorer"),
    "compare": ("ns.compare({'one': Drifting(), 'two': Drawing()}, X, autoplay=False)", ".nsne-transport"),
    "two norms": ("ns.explore(compared(), word='bank')", ".nsne-two-norms"),
    "desk": (f"{ASKED}; room", ".nsne-desk"),
    "question to a class": (f"{ASKED}; asked", ".nsne-prediction"),
}
# The controls in sight or folded away, marked by number; of radio buttons one, as the browser has it.
CONTROLS = """root => root.querySelectorAll("details").forEach((e) => { e.open = true; }) ?? [...root.querySelectorAll(
    "button, select, textarea, summary, [tabindex='0'], input:not([type='radio']), input[type='radio']:first-of-type"
)].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && !e.closest("[inert]"))
  .map((e, k) => (e.setAttribute("data-walked", k), e.dataset.control || e.tagName))"""
ACTIVE = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
# What reaches the page around the views, and not JupyterLab behind it: a cell that runs again has other controls.
HEAR = """() => {
    window.heard = [];
    document.body.addEventListener("keydown", (event) => {
        const { key, ctrlKey, shiftKey } = event;
        window.heard.push([ctrlKey ? "Control" : "", shiftKey ? "Shift" : "", key].filter(Boolean).join("+"));
        event.stopPropagation();
        event.preventDefault();
    });
}"""
KEYS = ["Control+s", "Control+Enter", "Shift+Enter", "Escape"]


@pytest.mark.parametrize("name", VIEWS)
def test_from_every_control_the_page_around_hears_its_own_keys(open_notebook, lab, page, name):
    code, selector = VIEWS[name]
    notebook = open_notebook(lab, [PREPARE, code], run=2)
    root = notebook.cell(1).locator(selector).first
    root.wait_for()
    if name == "player":
        root.locator("[data-part='drawer'] [data-row]").first.wait_for()
    page.evaluate(HEAR)
    controls = root.evaluate(CONTROLS)
    silent, walked = [], 0
    for k, control in enumerate(controls):
        one = root.locator(f"[data-walked='{k}']")
        if not one.evaluate("e => { e.focus(); return e.getRootNode().activeElement === e; }"):
            continue  # something that cannot have the focus
        walked += 1
        page.evaluate("window.heard.length = 0")
        for keys in KEYS:
            one.focus()  # which Escape has left
            page.keyboard.press(keys)
        heard = page.evaluate("window.heard")
        silent += [(control, keys) for keys in KEYS if keys not in heard]
    assert silent == [] and walked >= min(len(controls), 2)
    page.close()  # as it hears for itself no longer; loaded anew, it may restore this notebook beside the next


@pytest.mark.landing
def test_after_an_answer_shift_enter_goes_on_and_ctrl_s_saves(open_notebook, lab, page):
    notebook = open_notebook(lab, [PREPARE, VIEWS["choice"][0], "print('next')", "print('last')"], run=2)
    notebook.cell(1).locator("[data-control='option']").nth(1).check()
    page.keyboard.press("Control+s")
    until(page, lambda: not page.locator(".jp-mod-dirty").count())
    page.keyboard.press("Shift+Enter")
    until(page, lambda: page.evaluate(ACTIVE) == 2)
    page.keyboard.press("Shift+Enter")
    until(page, lambda: notebook.output(2) == "next")
    answer = notebook.cell(1).locator("[data-control='forget']")
    answer.click()
    until(page, lambda: answer.inner_text() == "Undo")
    page.keyboard.press("Shift+Enter")
    until(page, lambda: page.evaluate(ACTIVE) == 2)


def test_what_goes_away_or_offers_words_leaves_shift_enter_to_the_notebook(open_notebook, lab, page):
    notebook = open_notebook(lab, [PREPARE, VIEWS["explorer"][0], "print('next')"], run=2)
    view = notebook.explorer(1)
    view.control("search-beside").fill("mon")
    for press in (lambda: view.control("search-beside").press("Enter"), view.control("close-beside").click):
        press()
        frames(page)
    page.keyboard.press("Shift+Enter")
    until(page, lambda: page.evaluate(ACTIVE) == 2)
    view.control("search").fill("riv")
    view.part("completions").wait_for()
    page.keyboard.press("Shift+Enter")
    until(page, lambda: page.evaluate(ACTIVE) == 2)
