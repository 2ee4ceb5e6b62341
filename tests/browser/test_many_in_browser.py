"""Very many objects in a real browser: counts instead of marks, while the map moves and when it rests."""

import pytest

pytestmark = pytest.mark.browser

PREPARE = """
import numpy as np
from tests.standins import Drifting
from notebook_sne.browser.widgets.player import watch
X = np.zeros((60_000, 2))
"""
WATCH = "player = watch(Drifting(100_000, seconds=0.02), X, labels=np.arange(len(X)) % 3); player"
SHOWN = """
state = player.run.state
Y = state.Y[0] - state.Y[0].mean(axis=0)
kept = np.frombuffer(player.snapshot, '<i2').reshape(-1, 2) * player.snapshot_step
print(state.iteration, float(np.abs(kept - Y).max() / np.ptp(Y)))"""


def test_very_many_objects_move_rest_and_are_found_under_the_pointer(open_notebook, lab):
    notebook = open_notebook(lab, [PREPARE, WATCH, SHOWN], run=2)
    view = notebook.player(1)
    view.until(lambda v: v.frames > 5 and v.iteration > 60)  # they have left the place where they begin
    seen = view.dots()
    view.until(lambda v: v.dots() != seen)
    view.until(lambda v: "number of objects" in v.part("scale").inner_text())
    view.press("pause")
    view.until_status("paused")
    view.rest()
    view.until(lambda v: "one object in" not in v.part("scale").inner_text())  # at rest all are painted
    notebook.run(2)
    iteration, away = map(float, notebook.output(2).split())
    assert view.iteration == iteration and away < 1e-5  # a saved notebook keeps the last moment

    # They lie on a ring: under a pointer that comes from outside there is none, then one.
    view.root.locator(".nsne-stage").scroll_into_view_if_needed()
    box = view.root.locator(".nsne-stage").bounding_box()
    middle = box["y"] + box["height"] / 2
    view.page.mouse.move(box["x"] + 3, middle)
    assert not view.part("card").is_visible()
    found = []
    for x in range(3, int(box["width"] / 2), 6):
        view.page.mouse.move(box["x"] + x, middle)
        if view.part("card").is_visible():
            found.append(x)
    assert found and not view.part("card").is_visible()  # within the ring there is none again
    before = view.frames
    view.press("play")
    view.until_status("running")
    view.until(lambda v: v.frames > before + 2)
