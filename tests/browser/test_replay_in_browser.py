"""The replay in a notebook: its film plays with no run behind it, and a selection goes both ways."""

import pytest

from tests.browser.pages import errors_in, silence

pytestmark = pytest.mark.browser

PREPARE = """
from itertools import islice
import numpy as np
from tests.standins import Drifting
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.browser.widgets.replay import replay
recording = Recording()
for state in islice(Drifting().iterate(np.zeros((60, 2))), 40):
    recording.add(state)
recording.describe(labels=np.arange(60) % 3, names=[f"object {i}" for i in range(60)])
"""


def test_a_film_plays_and_a_selection_goes_both_ways(open_notebook, page, lab):
    errors = errors_in(page)
    cells = ["view = replay(recording, title='again'); view", "view.selection = [3, 40, 7]", "print(view.selection)"]
    notebook = open_notebook(lab, [PREPARE, *cells], run=2)
    view = notebook.player(1)
    view.until(lambda v: v.read("film") == "40" and v.dots()[0] > 50)
    assert view.read("live") == "false" and view.status == "recorded"
    assert view.part("title").inner_text() == "again"
    notebook.run(2)
    view.until(lambda v: v.read("selected") == "3")
    view.search("object 59")
    view.until(lambda v: v.read("selected") == "1")
    notebook.run(3)
    assert notebook.output(3) == "[59]"

    seen = set()
    view.press("film-play")
    view.until(lambda v: seen.add((v.read("scrub"), v.dots()[1])) or len(seen) > 4)
    silence(page)
    assert view.read("connected") == "true" and "kernel" not in view.root.inner_text()
    assert not errors
