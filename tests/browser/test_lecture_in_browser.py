"""A lecture in a real JupyterLab: knobs, models, springs, the film; hidden tabs, and what axe says."""

import json
import time

import pytest

from tests.browser.pages import BUSY, come_to_rest

pytestmark = pytest.mark.browser

PREPARE = """
import numpy as np
import notebook_sne as ns
digits = ns.datasets.load_digits()
X, labels, images = digits.X[:150], digits.labels[:150], digits.images[:150]
def watch(model, **more):
    return ns.watch(model, X, labels=labels, images=images, names=[f"digit {i}" for i in range(150)], **more)
"""
WATCH = "player = watch(ns.SymmetricSNE(perplexity=10, random_state=0, max_iter=100_000), pace=60)\nplayer"


def begin(open_notebook, jupyter, *cells):
    notebook = open_notebook(jupyter, [PREPARE, WATCH, *cells], run=2)
    view = notebook.player(1)
    view.until(lambda view: view.iteration > 20)
    return notebook, view


def ask(notebook, cell):
    notebook.run(cell)
    return notebook.output(cell)


def opened(view, name):
    """Open the section of the side panel that holds a part."""
    part = view.part(name)
    section = part.locator("xpath=ancestor-or-self::details")
    if section.count() and section.first.get_attribute("open") is None:
        section.first.locator("summary").first.click()
    return part


def marks(view):
    return view.part("timeline").locator("button[data-iteration]")


@pytest.mark.landing
def test_knobs_turn_while_it_runs_and_are_written_into_the_film(open_notebook, lab):
    notebook, view = begin(
        open_notebook, lab, "print(player.run.state.knobs['jitter'], player.run.knobs.turned())",
        "print([m.text for m in player.run.recording.marks])",
    )  # fmt: skip
    opened(view, "knobs")
    field = view.control("knob-jitter")
    field.fill("0.4")
    field.press("Enter")
    view.until(lambda view: view.control("knob-jitter-release").is_visible())
    before = view.iteration
    view.until(lambda view: view.iteration > before + 10)
    assert ask(notebook, 2) == "0.4 {'jitter': 0.4}"
    assert "jitter 0.4 (turned)" in ask(notebook, 3)
    assert view.part("phase").inner_text() == "gradient descent, with noise"
    field.fill("-3")
    field.press("Enter")
    assert field.get_attribute("aria-invalid") == "true"
    assert ask(notebook, 2).startswith("0.4")  # nothing was sent
    view.press("knob-jitter-release")
    view.until(lambda view: view.part("phase").inner_text() == "gradient descent")
    assert ask(notebook, 2) == "0.0 {}"
    slider = view.control("knob-momentum-slider")
    slider.focus()
    for _ in range(3):
        view.page.keyboard.press("ArrowLeft")
    view.until(lambda view: view.control("knob-momentum-release").is_visible())
    view.until(lambda _: "momentum" in ask(notebook, 2))


def test_one_click_goes_on_under_another_model_and_one_begins_a_recipe(open_notebook, lab):
    notebook, view = begin(
        open_notebook, lab, "print(type(player.run.model).__name__, player.run.recording.marks[-1].text)",
        "print(player.run.model.get_params()['perplexity'], player.run.state.iteration)",
    )  # fmt: skip
    before = view.iteration
    view.press("method")
    view.press("method-UNISNE")
    view.until(lambda view: "UNI" in view.part("model").inner_text())
    view.until(lambda view: view.iteration > before)
    assert ask(notebook, 2) == "UNISNE UNI-SNE"
    opened(view, "knobs")
    view.until(lambda view: view.control("knob-background").is_visible())
    view.press("method-paper-SNE")
    view.until(lambda view: view.part("model").inner_text() == "SNE")
    assert ask(notebook, 3).split()[0] == "15.0"


def test_an_object_shows_its_springs_and_lets_go(open_notebook, lab):
    notebook, view = begin(open_notebook, lab, "player.spring_of = 11", "print(player.spring_of, player.selection)")
    view.press("pause")
    view.until_status("paused")
    view.until(lambda view: view.dots()[0] > 0)
    notebook.run(2)
    table = opened(view, "springs").locator("table")
    table.first.wait_for()
    assert "digit" in table.first.inner_text()
    assert view.root.locator(".nsne-stage > canvas").count() >= 1
    view.root.focus()
    view.control("search").fill("digit 42")
    view.until(lambda v: "digit 42" in v.part("search-results").inner_text())
    view.page.keyboard.press("Enter")
    view.until(lambda view: view.read("selected") == "1")
    assert "[42]" in ask(notebook, 3)
    springs = view.part("springs").last
    view.until(lambda _: springs.get_attribute("data-drawn") not in (None, ""))
    assert "strongest of" in springs.inner_text() and springs.inner_text().count("of") >= 3
    button = view.control("map-springs")
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    view.until(lambda _: not springs.is_visible())
    view.root.press("Escape")
    view.until(lambda view: view.read("selected") == "0")
    button.click()  # nothing is selected: it says what to do
    view.until(lambda view: "Select one object first" in view.part("toast").inner_text())
    assert button.get_attribute("aria-pressed") == "false"


def test_a_seek_leads_back_and_the_run_goes_on_from_there(open_notebook, lab):
    notebook, view = begin(
        open_notebook, lab, "print(player.run.state.iteration, player.run.recording.recorded_to, player.run.status)",
        BUSY,
    )  # fmt: skip
    view.until(lambda view: view.iteration > 90)
    view.press("pause")
    view.until_status("paused")
    slider = view.control("film")
    assert int(slider.get_attribute("max")) >= 5
    lead = "(e, share) => { e.value = e.max * share; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    end = view.dots()
    slider.evaluate(lead, 0.33)
    view.until(lambda view: view.read("scrub") != "")
    shown = int(view.read("scrub"))
    assert view.dots() != end and f"{shown}" in slider.get_attribute("aria-valuetext")
    assert view.status == "paused"
    notebook.start(3)  # the film needs no kernel
    slider.evaluate(lead, 0.5)  # of the whole film, if more of it has come
    view.until(lambda view: int(view.read("scrub")) > shown)
    notebook.let_go(3)
    slider.evaluate(lead, 0.33)
    view.press("go-on")
    view.until(lambda view: view.read("scrub") == "" and view.status == "running")
    view.until(lambda view: view.iteration > shown)
    view.press("pause")
    view.until_status("paused")
    iteration, recorded_to, _ = ask(notebook, 2).split()
    assert iteration == recorded_to and int(iteration) > shown


def test_thumbnails_and_the_card_show_images_and_neighbors(open_notebook, lab):
    _, view = begin(open_notebook, lab)
    view.press("pause")
    view.until_status("paused")
    stage = view.root.locator(".nsne-stage")
    view.rest(stage.screenshot)
    plain = stage.screenshot()
    view.press("images")
    view.until(lambda view: stage.screenshot() != plain)
    view.rest(stage.screenshot)
    few = stage.screenshot()
    view.press("zoom-in")
    view.press("zoom-in")
    view.until(lambda view: stage.screenshot() != few)
    view.press("images")
    card = view.open_card(0.2, 0.8)
    near = ("nearest in the data", "nearest in the map")
    view.until(lambda _: card.is_visible() and all(words in card.inner_text() for words in near))
    assert card.inner_text().count("digit") > 8


def test_a_hidden_tab_goes_on_seldom_and_comes_back(open_notebook, lab, page):
    _, view = begin(open_notebook, lab)
    other = page.context.new_page()
    other.bring_to_front()
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    began, before = time.monotonic(), view.frames
    view.until(lambda view: view.frames >= before + 40)
    assert time.monotonic() - began >= 20 / 13  # ten a second: a slow machine only takes longer
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    page.bring_to_front()
    other.close()
    before, iteration = view.frames, view.iteration
    view.until(lambda view: view.frames > before + 10 and view.iteration > iteration)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault(open_notebook, lab, page, theme):
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
    page.emulate_media(color_scheme=theme)
    notebook, view = begin(open_notebook, lab, "player.spring_of = 3\nplayer.selection = [1, 2]")
    if theme == "dark":
        # Every color of the host falls back to the system's: as on a page of its own.
        view.root.evaluate(
            "root => ['--jp-layout-color0', '--jp-content-font-color1', '--jp-ui-font-color2', '--jp-border-color2',"
            "'--jp-brand-color1'].forEach((name) => root.style.setProperty(name, 'initial'))"
        )
    notebook.run(2)
    view.open_all()
    for section in view.root.locator("details > summary").all():
        if section.is_visible() and not section.evaluate("summary => summary.parentElement.open"):
            section.click()
    come_to_rest(page)
    results = Axe().run(page, context=".nsne-player")
    serious = [
        (fault["id"], fault["help"], [node["html"][:200] for node in fault["nodes"]])
        for fault in results.response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert not serious, json.dumps(serious, indent=1)
