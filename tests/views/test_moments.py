"""The film as a GIF and the strip of stages: what they hold, made without a screen."""

import io
import xml.etree.ElementTree as ElementTree
from itertools import islice, pairwise

import numpy as np
import pytest
from PIL import Image

import notebook_sne as ns
from notebook_sne.engine.runs.recording.recording import Recording
from notebook_sne.engine.runs.run import Run
from tests.standins import Drifting

SVG = "{http://www.w3.org/2000/svg}"


def recorded(n_objects=40, steps=61, **facts):
    recording = Recording()
    for state in islice(Drifting().iterate(np.zeros((n_objects, 2))), steps):
        recording.add(state)
    return recording.describe(**facts)


def pictures(film):
    image = Image.open(io.BytesIO(film))
    for k in range(image.n_frames):
        image.seek(k)
        yield np.asarray(image.convert("RGB")), image.info["duration"]


def test_a_film_has_its_pictures_and_its_time(tmp_path):
    path = tmp_path / "film.gif"
    film = ns.views.gif(recorded(labels=np.arange(40) % 3, title="Forty points"), path, size=160, frames=12, seconds=3)
    assert path.read_bytes() == film and film[:6] == b"GIF89a"
    seen = list(pictures(film))
    assert len(seen) == 12 and [duration for _, duration in seen] == [250] * 11 + [2000]
    assert all(picture.shape[1] == 160 and picture.shape[0] > 160 for picture, _ in seen)
    for (one, _), (next_, _) in pairwise(seen):
        assert (one != next_).any()  # the map moves, and its step is another one
    colors = {tuple(pixel) for pixel in seen[-1][0][-160:].reshape(-1, 3)}
    assert (255, 255, 255) in colors and len(colors) > 4


def test_a_film_shows_the_map_where_it_is():
    first, *_, last = [picture for picture, _ in pictures(ns.views.gif(recorded(), size=200, frames=5))]
    dark = np.argwhere(last[-200:].sum(axis=2) < 600)
    # Drifting ends on a circle: nothing in the middle, and something on all sides.
    assert not ((np.abs(dark - 100) < 40).all(axis=1)).any()
    assert dark.min() < 30 and dark.max() > 170
    assert (first != last).any()


def test_films_of_a_run_of_values_and_of_one_moment():
    run = Run(Drifting(), np.zeros((12, 2)))
    run.steps(5)
    assert sum(1 for _ in pictures(ns.views.gif(run, size=100))) == 6
    one = list(pictures(ns.views.gif(recorded(steps=1, values=np.linspace(0, 1, 40)), size=100)))
    assert len(one) == 1
    run.close()


def test_stages_are_maps_side_by_side_with_one_legend(tmp_path):
    recording = recorded(labels=["even", "odd"] * 20)
    picture = ns.views.stages(recording, [0, 20, 61], tmp_path / "stages.svg", title="A <b>title</b>")
    assert (tmp_path / "stages.svg").read_text(encoding="utf-8") == picture
    root = ElementTree.fromstring(picture)
    panels = root.findall(f"{SVG}svg")
    assert len(panels) == 3 and len({float(panel.get("x")) for panel in panels}) == 3
    for panel in panels:
        ids = {element.get("id") for element in panel.iter() if element.get("id")}
        uses = {use.get("href").removeprefix("#") for use in panel.iter(f"{SVG}use")}
        assert uses and uses <= ids and sum(1 for _ in panel.iter(f"{SVG}use")) == 40
    every = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(every) == len(set(every))
    texts = [text for element in root.iter(f"{SVG}text") for text in element.itertext()]
    assert [text for text in texts if text.startswith("step")] == ["step 0", "step 20", "step 60"]
    assert texts.count("even") == 1 and "A <b>title</b>" in texts


def test_stages_are_chosen_evenly_and_in_rows():
    root = ElementTree.fromstring(ns.views.stages(recorded(), 4, columns=2))
    steps = [t for e in root.iter(f"{SVG}text") for t in e.itertext() if t.startswith("step")]
    assert steps == ["step 0", "step 20", "step 40", "step 60"]
    assert len({float(panel.get("y")) for panel in root.findall(f"{SVG}svg")}) == 2


@pytest.mark.parametrize("draw", [ns.views.gif, ns.views.stages], ids=["gif", "stages"])
def test_what_cannot_be_drawn_is_refused(draw):
    with pytest.raises(ValueError, match="nothing is recorded yet"):
        draw(Recording())
    with pytest.raises(TypeError, match="recording must be a Recording, a Run, or the path of a saved one, got int"):
        draw(3)
    with pytest.raises(ValueError, match="labels"):
        draw(recorded(), labels=[1, 2])


def test_settings_are_checked():
    with pytest.raises(ValueError, match="at must name at least one step"):
        ns.views.stages(recorded(), [])
    with pytest.raises(ValueError, match="seconds"):
        ns.views.gif(recorded(), seconds=0)
