"""Pins by hand: an object stays while the map moves on, is marked, and is let go."""

import pytest

pytestmark = pytest.mark.browser

WATCH = """
import notebook_sne as ns
circle = ns.datasets.load_circle(60)
player = ns.watch(ns.SNE(perplexity=5, random_state=0, max_iter=100_000), circle, pace=100)
player"""
HELD = "print(player.run.state.pins.tolist(), player.run.state.embedding[7].tolist())"


@pytest.mark.landing
def test_an_object_is_held_by_key_and_button(open_notebook, lab):
    notebook = open_notebook(lab, [WATCH, "player.selection = [7]", HELD, HELD], run=1)
    view = notebook.player(0)
    view.until(lambda v: v.iteration > 20)
    notebook.run(1)
    view.until(lambda v: v.read("selected") == "1")
    view.press("pin")
    view.until(lambda v: v.read("pinned") == "1" and v.control("pin").get_attribute("aria-pressed") == "true")
    notebook.run(2)
    at = view.iteration
    view.until(lambda v: v.iteration > at + 20)
    notebook.run(3)
    assert notebook.output(2) == notebook.output(3) and notebook.output(2).startswith("[[7, 0]]")
    view.root.press("t")
    view.until(lambda v: v.read("pinned") == "0")
