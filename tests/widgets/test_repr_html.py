"""What a notebook shows where a state or a recording is the last word of a cell: small still pictures."""

import base64
import re
from itertools import islice

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.browser.widgets import repr_html as shown
from tests.objects.test_repr_html import NASTY, Parts
from tests.standins import Drifting

PICTURES = re.compile(r'<img src="data:image/png;base64,([^"]+)" width="200" height="200" alt="([^"]*)">')


def states(model, X, n):
    return list(islice(model.iterate(X), n))


def pictures(text):
    """Return (bytes, words) of each map in a text of HTML."""
    return [(base64.b64decode(data), words) for data, words in PICTURES.findall(text)]


def test_a_state_shows_its_map():
    first, *_, last = states(ns.SNE(perplexity=5, random_state=0), ns.datasets.load_circle(40).X, 30)
    ((picture, words),) = pictures(last._repr_html_())
    assert picture.startswith(b"\x89PNG") and words == "the map"
    assert picture != pictures(first._repr_html_())[0][0]
    said = "".join(Parts(last._repr_html_()).texts)
    assert "SNE, step 29, cost" in said and "40 objects" in said and "perplexity 5" in said


def test_a_state_of_several_maps_shows_those_that_hold_something():
    last = states(ns.AspectMaps(n_maps=8, perplexity=5, random_state=0), ns.datasets.load_circle(40).X, 3)[-1]
    found = last._repr_html_()
    assert [words for _, words in pictures(found)] == [f"map {m} of 8" for m in range(shown.MOST_MAPS)]
    assert "8 maps, of which 6 are drawn" in found
    mixing = np.zeros_like(last.mixing)
    mixing[0] = 1.0
    object.__setattr__(last, "mixing", mixing)
    assert len(pictures(last._repr_html_())) == 1 and "map 1 of 8: no object is here" in last._repr_html_()


@pytest.mark.parametrize("n_components", [1, 3])
def test_a_state_on_a_line_or_in_space_shows_two_coordinates(n_components):
    model = ns.SNE(perplexity=5, n_components=n_components, random_state=0)
    assert len(pictures(states(model, ns.datasets.load_circle(40).X, 2)[-1]._repr_html_())) == 1


def recording(n_objects=60, n_frames=41, **facts):
    made = ns.Recording()
    for state in states(Drifting(), np.zeros((n_objects, 2)), n_frames):
        made.add(state)
    return made.describe(**facts)


def test_a_recording_shows_its_begin_its_middle_and_its_end():
    found = recording(labels=["even", "odd"] * 30, title="Sixty points")._repr_html_()
    assert [words for _, words in pictures(found)] == [f"the map at step {k}" for k in (0, 20, 40)]
    assert len({picture for picture, _ in pictures(found)}) == 3
    said = "".join(Parts(found).texts)
    assert "Sixty points" in said and "odd" in said and "41 frames of 60 objects; drawn: steps 0, 20, 40" in said


def test_a_recording_is_colored_by_classes_or_by_values():
    plain, classes, values = (
        pictures(made._repr_html_())[-1][0]
        for made in (recording(), recording(labels=np.arange(60) % 3), recording(values=np.arange(60.0)))
    )
    assert len({plain, classes, values}) == 3
    assert pictures(recording(values=np.ones(60))._repr_html_())  # all alike


def test_short_recordings_show_what_there_is():
    assert ns.Recording()._repr_html_() == shown.html_of_recording(ns.Recording())
    assert "nothing in it yet" in ns.Recording()._repr_html_()
    assert len(pictures(recording(n_frames=1)._repr_html_())) == 1


def test_very_many_objects_make_no_large_picture(monkeypatch):
    monkeypatch.setattr(shown, "MOST_OBJECTS", 50)
    monkeypatch.setattr(shown, "MOST_BYTES", 2000)
    ((picture, _),) = pictures(recording(n_objects=5000, n_frames=1)._repr_html_())
    assert len(picture) < 2000


def test_titles_and_labels_of_others_are_texts():
    made = recording(title=NASTY, labels=[f"{NASTY}{k % 2}" for k in range(60)])
    parts = Parts(made._repr_html_())
    assert not {"script", "style", "svg"} & set(parts.elements)
    assert all(set(attributes) <= {"src", "width", "height", "alt", "class"} for attributes in parts.attributes)
    assert made._repr_html_().encode("utf-8")
