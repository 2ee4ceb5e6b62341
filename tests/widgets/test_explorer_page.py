"""The explorer's page: what it is given, from a fitted model and from a fit that goes on."""

import base64
import json
import re
import zlib
from types import SimpleNamespace

import numpy as np
import pytest

from notebook_sne.browser.widgets.explore import explore
from notebook_sne.browser.widgets.explorer_maps import pack_maps
from notebook_sne.engine.runs.run import Run
from tests.standins import Drifting

NAMES = ["CAN", "TRASH", "<b>BEER</b>", "half \ud83d"]


def fitted():
    rng = np.random.default_rng(0)
    return SimpleNamespace(maps_=rng.normal(size=(2, 4, 2)), mixing_=rng.dirichlet(np.ones(2), 4).T, cost_=1.5)


def data_of(path):
    text = path.read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="nsne-data">(.*?)</script>', text)[1])
    return (
        data["traits"],
        {name: zlib.decompress(base64.b64decode(value)) for name, value in data["bytes"].items()},
        text,
    )


def test_the_page_is_given_what_the_explorer_shows(tmp_path):
    model = fitted()
    explorer = explore(model, NAMES, counts=np.eye(4), title="Words", word="CAN", threshold=0.3)
    traits, packed, text = data_of(explorer.to_html(tmp_path / "words.html"))
    assert traits["names"] == NAMES and traits["word"] == "CAN" and traits["threshold"] == 0.3
    assert packed["snapshot"] == pack_maps(model.maps_, model.mixing_) and len(packed["count_values"]) == 16
    assert (traits["live"], traits["status"], traits["cost"]) == (False, "fitted", 1.5)
    assert "<title>Words</title>" in text and traits["title"] == "Words"
    traits, _, text = data_of(explorer.to_html(tmp_path / "words.html", title="Other <i>words</i>"))
    assert "<title>Other &lt;i&gt;words&lt;/i&gt;</title>" in text and traits["title"] == "Other <i>words</i>"
    assert explorer.title == "Words"


def test_a_page_without_a_title_has_a_name(tmp_path):
    traits, _, text = data_of(explore(fitted(), NAMES).to_html(tmp_path / "words.html"))
    assert "<title>Word senses: 4 words</title>" in text and traits["title"] == ""


def test_a_running_fit_is_written_as_it_is_at_that_moment(tmp_path):
    with Run(Drifting(), np.zeros((4, 3))) as run:
        explorer = explore(run, NAMES)
        with pytest.raises(ValueError, match=r"no maps to write yet; play the run first"):
            explorer.to_html(tmp_path / "words.html")
        state = run.steps(7)
        traits, packed, _ = data_of(explorer.to_html(tmp_path / "words.html"))
        assert packed["snapshot"] == pack_maps(state.Y, state.mixing)
        assert (traits["iteration"], traits["cost"], traits["live"]) == (7, state.cost, False)
        assert (traits["status"], traits["model_name"]) == ("fitted", "Drifting")
        explorer.discard()
        _, packed, _ = data_of(explorer.to_html(tmp_path / "words.html"))  # what the traits have kept
        assert packed["snapshot"] == pack_maps(state.Y, state.mixing)
