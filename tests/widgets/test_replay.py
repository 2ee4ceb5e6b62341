"""The replay without a browser: what it is given, what may be set, what is refused."""

import json
import re

import numpy as np
import pytest
import traitlets

import notebook_sne.browser.widgets.replay as replay_module
from notebook_sne.browser.widgets.map_view import MapView
from notebook_sne.browser.widgets.replay import Replay, replay
from notebook_sne.engine.objects.region_pairs import RegionPairs
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.runs.run import Run
from tests.standins import Drifting

N = 12


def recorded(n=30, **more):
    recording = Recording()
    for state in Drifting(**more).iterate(np.zeros((N, 3))):
        recording.add(state)
        if state.iteration == n:
            return recording


def unpack(film):
    length = int.from_bytes(film[:4], "little")
    header = json.loads(film[4 : 4 + length])
    begin = 4 * -(-(4 + length) // 4)
    maps = np.frombuffer(film, "<i2", offset=begin).reshape(len(header["frames"]), header["n_objects"], 2)
    return header, maps


def test_a_replay_holds_the_film_and_what_is_known_of_the_objects():
    recording = recorded()
    recording.describe(labels=["a", "b"] * 6, values=range(N), names=[f"n{i}" for i in range(N)], title="points")
    view = replay(recording, hide_labels=True, compact=True, height=300)
    header, maps = unpack(view.film)
    assert [frame["iteration"] for frame in header["frames"]] == recording.iterations.tolist()
    last = recording.frames[-1]
    places = maps[-1] * header["frames"][-1]["half"] / 32767
    np.testing.assert_allclose(places, last.Y[0] - last.Y[0].mean(axis=0), atol=1e-4 * np.abs(last.Y).max())
    assert (view.live, view.status, view.iteration, view.cost) == (False, "recorded", 30, last.cost)
    assert view.recorded_to == 30 and view.model_name == "Drifting" and view.phase == "drift"
    assert view.present == dict(last.knobs) and view.turned == [] and view.models == [] and view.knobs == []
    assert view.class_names == ["a", "b"] and view.value_range == [0, 11] and view.names[3] == "n3"
    assert view.title == "points" and view.hide_labels and view.compact and view.height == 300
    assert view.color == "label" and view.n_objects == N and view.marks[0]["kind"] == "start"
    trace = np.frombuffer(view.trace, "<f8").reshape(-1, 2)
    assert trace[:, 0].tolist() == recording.iterations.tolist()
    assert trace[-1, 1] == last.cost


def test_what_is_given_takes_the_place_of_what_was_recorded():
    recording = recorded().describe(labels=["a"] * N, names=[f"n{i}" for i in range(N)], values=range(N), title="old")
    view = replay(recording, labels=list("xy") * 6, title="new", names=range(N))
    assert view.class_names == ["x", "y"] and view.title == "new" and view.names[3] == "3"
    view = replay(recording, labels=np.linspace(0, 1, N))  # floats are values, in the place of those recorded
    assert view.value_range == [0, 1] and not view.classes and view.color == "value"
    assert recording.title == "old"


def test_images_and_neighbors_go_along():
    recording = recorded().describe(neighbors=[[(i + 1) % N, (i + 2) % N] for i in range(N)])
    assert not replay(recording).has_images
    view = replay(recording, images=np.arange(N * 6.0).reshape(N, 2, 3))
    assert view.has_images and view.image_size == [3, 2] and len(view.images) == N * 6 and view.images[-1] == 255
    assert np.frombuffer(view.neighbors, "<u4").reshape(N, 2)[11].tolist() == [0, 1]


def test_the_film_is_bounded(monkeypatch):
    recording = recorded(400)
    assert len(unpack(replay(recording).film)[0]["frames"]) == 300
    assert len(unpack(replay(recording, frames=20).film)[0]["frames"]) <= 20
    monkeypatch.setattr(replay_module, "MOST_FILM_BYTES", 9000)
    film = replay(recording).film
    assert len(film) <= 9000 and 1 < len(unpack(film)[0]["frames"]) < 200


def test_selection_is_checked_and_kept_in_order():
    view = replay(recorded())
    view.selection = np.array([7, 3, 3])
    assert view.selection == [3, 7]
    view.set_state({"selection": [11, 0]})  # as it comes from the browser
    assert view.selection == [0, 11]
    view.selection = {5}
    assert view.selection == [5]
    for wrong, words in [
        ([12], "selection must be from 0 to 11, the last object, got 12"),
        ([-1, 3], "selection must be from 0 to 11, the last object, got -1"),
        ([1.5], "selection must hold whole numbers, got 1.5"),
        ([True, False], r"selection must hold whole numbers, got True; for a mask, use select\(mask\)"),
        (3, "selection must be a collection of indices, got 3"),
        ("ab", "selection must hold whole numbers, got 'ab'"),
    ]:
        with pytest.raises(traitlets.TraitError, match=words):
            view.selection = wrong
        assert view.selection == [5]


def test_what_needs_a_run_is_refused():
    view = replay(recorded())
    with pytest.raises(traitlets.TraitError, match="spring_of must be None here: forces are known where a run is live"):
        view.spring_of = 3
    with pytest.raises(traitlets.TraitError, match=r"color must be one of \['none'\] in this view, got 'cost'"):
        view.color = "cost"
    with pytest.raises(traitlets.TraitError, match=r"axes must be one of \['follow', 'fit', 'fixed'\], got 'free'"):
        view.axes = "free"
    with pytest.raises(traitlets.TraitError, match="height must be from 160 to 2000 pixels"):
        replay(recorded(), height=20)
    with pytest.raises(traitlets.TraitError, match="pace must be above 0 and finite"):
        view.pace = float("inf")


def test_a_live_view_has_forces_and_costs():
    view = MapView(live=True, n_objects=4)
    view.spring_of, view.color = 3, "cost"
    view.spring_of = None
    with pytest.raises(traitlets.TraitError, match="spring_of must be from 0 to 3, the last object, got 4"):
        view.spring_of = 4


def test_a_saved_recording_is_read(tmp_path):
    recording = recorded().describe(title="kept")
    path = recording.save(tmp_path / "run.npz")
    for given in (path, str(path)):
        view = replay(given)
        assert view.title == "kept" and view.film == replay(recording).film


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="recording must hold something to show, but nothing is recorded yet"):
        replay(Recording())
    with Run(Drifting(), np.zeros((N, 3))) as run, pytest.raises(TypeError, match=r"for a run, give run\.recording"):
        replay(run)
    for frames in (0, 301, True, 2.5):
        with pytest.raises(ValueError, match="frames must be an integer from 1 to 300"):
            replay(recorded(), frames=frames)
    with pytest.raises(ValueError, match="labels must hold one entry for each of the 12 objects, got 2"):
        replay(recorded(), labels=[1, 2])
    with pytest.raises(TypeError, match="unexpected keyword"):
        replay(recorded(), color="red")


def test_maps_of_other_than_two_coordinates_are_said():
    assert replay(recorded(n_components=3)).axes_note == "first 2 of 3 coordinates"
    assert replay(recorded(n_components=1)).axes_note == ""


def test_a_page_has_every_trait_of_a_view(tmp_path):
    recording = recorded()
    path = recording.to_html(tmp_path / "film.html")
    data = json.loads(re.search(r'id="nsne-data">(.*?)</script>', path.read_text())[1])
    given = data["traits"] | dict.fromkeys(data["bytes"], b"")
    view = replay(recording)
    own = {name for name in view.keys if not name.startswith("_")} - {"layout", "tabbable", "tooltip"}
    assert set(given) == own
    assert (given["reads_queries"], view.reads_queries) == (False, True)  # there is no Python beside a page
    for name in own - {"key", "reads_queries"}:
        value = getattr(view, name)
        if not isinstance(value, bytes):
            assert given[name] == value, name


def test_a_page_of_a_replay_begins_as_its_reader_has_set_it(tmp_path):
    view = replay(recorded(), labels=["a", "b"] * 6, names=[f"n{i}" for i in range(N)], title="Mine", height=300)
    view.selection, view.hide_labels = [3], True
    text = view.to_html(tmp_path / "film.html", frames=2).read_text(encoding="utf-8")
    given = json.loads(re.search(r'id="nsne-data">(.*?)</script>', text)[1])["traits"]
    assert given["class_names"] == ["a", "b"] and given["names"] == view.names
    assert (given["selection"], given["hide_labels"], given["title"]) == ([3], True, "Mine")
    assert "<title>Mine</title>" in text


def test_a_reader_of_a_replay_asks_for_the_objects_that_meet_a_condition(monkeypatch):
    sent = []
    monkeypatch.setattr(Replay, "send", lambda view, *message: sent.append(message))
    view = replay(recorded(), columns={"year": np.arange(N) + 1990})
    assert view.reads_queries
    request = {"kind": "request", "what": "objects", "page": "here"}
    for query in ("year > 1999", "year >"):
        view._handle_custom_msg({**request, "query": query}, [])
    view._handle_custom_msg({"kind": "hello", "page": "here"}, [])
    (told, buffers), (refused, nothing) = sent
    assert told == {"kind": "found", "page": "here", "query": "year > 1999"}
    assert np.frombuffer(buffers[0], "<u4").tolist() == [10, 11]
    assert refused["error"].startswith("query must be a condition on the columns") and nothing == [b""]


def test_pairs_of_regions_reach_replay_and_page(tmp_path):
    blurs = np.stack([np.zeros(N), np.arange(N) % 3]).astype(np.uint8)
    pairs = RegionPairs(("a", "b"), np.arange(N) % 2, np.array([[6, 3, 1]], dtype=np.uint32), blurs)
    recording = recorded().describe(labels=["a", "b"] * 6)
    given = replay(recording, certainty=pairs)
    assert np.frombuffer(given.region_pairs, "<u4").tolist() == [6, 3, 1] and given.show_pairs
    recording.describe(certainty=pairs).save(tmp_path / "kept.npz")
    kept = replay(tmp_path / "kept.npz")
    assert (kept.region_pairs, kept.blurs, kept.focus) == (given.region_pairs, blurs.tobytes(), 2)
    out, kept.focus = given._still_html(), 1
    assert kept._still_html() != out and '"focus":1' in kept.to_html(tmp_path / "one.html").read_text("utf-8")
    for wrong in (0, 3):
        with pytest.raises(ValueError, match=f"focus must be from 1 to 2, the number of fits of .*, got {wrong}"):
            kept.focus = wrong
    kept.show_pairs = False
    assert replay(recording, labels=list("xy") * 6).region_pairs == b""  # a certainty is of the labels beside it
    page = recording.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "region_pairs" in page
    with pytest.raises(
        ValueError, match="certainty must have the classes of labels, 'x', 'y', as regions, got 'a', 'b'"
    ):
        replay(recording, labels=list("xy") * 6, certainty=pairs)
