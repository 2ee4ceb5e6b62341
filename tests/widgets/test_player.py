"""The player without a browser: traits, the frames' protocol, back-pressure, superseding, bad input."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
import traitlets
from sklearn.neighbors import NearestNeighbors

import notebook_sne as ns
from notebook_sne.browser.widgets import cells
from notebook_sne.browser.widgets import connection as connection_module
from notebook_sne.browser.widgets import sender as sender_module
from notebook_sne.browser.widgets.compare import compare
from notebook_sne.browser.widgets.connection import WINDOW, Connection, least_interval
from notebook_sne.browser.widgets.player import Player, watch
from notebook_sne.browser.widgets.sender import axes_note, map_points, pack_map
from notebook_sne.engine.machine import process
from notebook_sne.engine.runs.run import Run
from tests.standins import Drifting, our_threads, until
from tests.tables import in_one_test

pytestmark = pytest.mark.usefixtures("no_thread_is_left")
X = np.zeros((12, 3))


def test_frames_are_centered_and_carry_their_facts_and_traits_keep_what_a_new_view_needs(browser):
    player = browser.show(watch(Drifting(max_iter=30, seconds=0.01), X, title="points"))
    assert until(lambda: player.status == "finished")
    frames = [(content, buffers) for content, buffers in browser.sent if content["kind"] == "frame"]
    content, (buffer,) = frames[-1]
    points = np.frombuffer(buffer, "<i2").reshape(-1, 2) * content["step"]
    state = player.run.state
    np.testing.assert_allclose(points, state.Y[0] - state.Y[0].mean(axis=0), atol=0.51 * content["step"])
    assert (content["status"], content["iteration"], content["phase"]) == ("finished", 30, "drift")
    assert content["cost"] == state.cost
    sequence = [content["seq"] for content, _ in frames]
    assert sequence == list(range(1, len(sequence) + 1))
    moments = [content["moment"] for content, _ in browser.sent]
    assert moments == sorted(moments)
    assert player.iteration == 30 and player.phase == "drift" and player.model_name == "Drifting"
    assert player.cost == state.cost and player.title == "points"
    assert ({"step": player.snapshot_step}, player.snapshot) == pack_map(state.Y)
    trace = np.frombuffer(player.trace, "<f8").reshape(-1, 2)
    np.testing.assert_array_equal(trace[:, 0], np.arange(31))


def test_a_page_begins_as_its_view_is_set(browser, tmp_path):
    player = browser.show(
        watch(Drifting(max_iter=5), X, labels=np.arange(12) % 3, controls="bare", main_knobs=["force"])
    )
    assert until(lambda: player.status == "finished")
    player.hide_labels, player.color, player.name_size, player.selection = True, "none", 15.0, [3]
    text = player.to_html(tmp_path / "map.html").read_text()
    traits = json.loads(re.search(r'id="nsne-data">(.*?)</script>', text)[1])["traits"]
    given = {"controls": "bare", "main_knobs": ["force"], "hide_labels": True, "color": "none", "name_size": 15.0}
    assert {name: traits[name] for name in given} == given and traits["selection"] == [3]
    player.color = "distance"  # a kernel finds it, and a page has none
    assert '"color":"label"' in player.to_html(tmp_path / "map.html").read_text().replace(": ", ":")


def test_a_run_that_rests_keeps_a_thinned_film_for_a_saved_notebook(browser):
    player = browser.show(watch(Drifting(max_iter=200, seconds=0.005), X))
    assert until(lambda: player.status == "finished" and player.film)
    length = int.from_bytes(player.film[:4], "little")
    header = json.loads(player.film[4 : 4 + length])
    iterations = [frame["iteration"] for frame in header["frames"]]
    assert len(iterations) == 36 and (iterations[0], iterations[-1]) == (0, 200) and len(player.film) < 300_000
    player.run.play()
    assert until(lambda: player.status == "running" and not player.film), "it would soon be old"
    many = browser.show(watch(Drifting(max_iter=3), np.zeros((10_000, 2))))
    assert until(lambda: many.status == "finished") and not many.film, "a few frames are no film"


def test_without_autoplay_the_start_is_shown_and_what_a_page_could_not_hear_is_sent_again(browser, monkeypatch):
    player, sent = browser.show(watch(Drifting(), X, autoplay=False, height=np.int64(300), compact=np.True_)), []
    assert until(lambda: player.status == "paused") and player.iteration == 0 and len(player.snapshot) == 12 * 2 * 2
    assert player.height == 300 and player.compact is True  # numbers of NumPy are numbers
    monkeypatch.setattr("anywidget.AnyWidget.send_state", lambda self, key=None: sent.append(key))
    for moment, again in ((player.moment, False), (0, True)):  # of the traits that the page has
        sent.clear()
        player._handle_message(player, {"kind": "hello", "moment": moment}, [])
        assert until(lambda: sent) and ("knobs" in set().union(*sent)) is again


def test_the_backlog_is_bounded_when_no_page_answers_and_the_run_does_not_wait(browser, monkeypatch):
    monkeypatch.setattr(connection_module, "least_interval", lambda silence: 1e9)
    browser.answers = False
    player = browser.show(watch(Drifting(max_iter=10**6), X))
    assert until(lambda: len(browser.frames()) >= WINDOW)
    before = player.run.state.iteration
    assert until(lambda: player.run.state.iteration > before + 20)
    # One more may have been forced by a new page, and one by each change of status.
    assert player._connection.sent - player._connection.acknowledged <= WINDOW + 3


def test_frames_go_on_slowly_when_acknowledgements_stall(browser):
    browser.answers = False
    browser.show(watch(Drifting(max_iter=10**6), X))
    assert until(lambda: len(browser.frames()) >= WINDOW + 3)
    assert least_interval(1) <= 0.25 and least_interval(100) >= 1 and least_interval(10_000) >= 5


def test_without_a_viewer_frames_are_rare(browser):
    player = browser.show(watch(Drifting(max_iter=10**6, seconds=0.002), X))
    assert until(lambda: len(browser.frames()) > 2)
    player._handle_message(player, {"kind": "bye"}, [])
    before, at = len(browser.frames()), player.run.state.iteration
    assert until(lambda: player.run.state.iteration > at + 200)
    assert len(browser.frames()) <= before + 2  # one may have been on its way
    player._handle_message(player, {"kind": "hello"}, [])
    assert until(lambda: len(browser.frames()) > before + 3)


def test_commands_are_done_and_confirmed(browser):
    player = browser.show(watch(Drifting(max_iter=10**6, seconds=0.002), X))
    assert until(lambda: player.status == "running")

    def press(name, number):
        player._handle_message(player, {"kind": "command", "name": name, "id": f"me:{number}"}, [])
        assert until(lambda: any(content.get("heard") == f"me:{number}" for content, _ in list(browser.sent)))

    press("pause", 1)
    assert until(lambda: player.status == "paused")
    at = player.run.state.iteration
    press("step", 2)
    assert until(lambda: player.iteration == at + 1)
    press("restart", 3)
    assert until(lambda: player.iteration == 0 and player.status == "paused")
    press("play", 4)
    assert until(lambda: player.status == "running")


def test_what_a_page_sends_again_is_done_once(browser):
    player = browser.show(watch(Drifting(max_iter=10**6), X, autoplay=False))
    for id in ("me:1", "me:1", "you:1", "me:2", "me:1", "me:2"):
        player._handle_message(player, {"kind": "command", "name": "step", "id": id}, [])
    assert until(lambda: player.iteration == 3 and player.status == "paused")
    assert until(lambda: any(content.get("heard") == "me:2" for content, _ in list(browser.sent)))
    assert player.run.state.iteration == 3


def test_a_broken_message_is_shown_and_kept_and_acknowledges_nothing_that_was_not_sent(browser, caplog):
    player = browser.show(watch(Drifting(), X))
    player._handle_message(player, {"kind": "command", "name": "explode"}, [])
    assert until(lambda: "no command 'explode'" in player.message)
    assert isinstance(player.error, ValueError)
    player._handle_message(player, {"kind": "ack", "seq": "x"}, [])
    assert until(lambda: "invalid literal" in player.message)

    player._handle_message(player, {"kind": "ack", "seq": 10**9}, [])
    for view in (player, ns.predict("Which?", ["a", "b"])):
        view._handle_custom_msg(["no message"], [])
    assert not caplog.records, "no word in the kernel's log"
    assert player._connection.acknowledged <= player._connection.sent


def test_an_error_of_the_model_is_shown_with_the_last_good_map(browser):
    player = browser.show(watch(Drifting(fails_at=6), X))
    assert until(lambda: player.status == "error")
    assert "ran away" in player.message and player.iteration == 5 and player.snapshot


def test_close_ends_both_threads_and_says_closed(browser):
    player = browser.show(watch(Drifting(max_iter=10**6), X))
    assert until(lambda: len(our_threads()) == 2 and player.iteration)
    player.close()
    player.close()
    assert player.status == "closed" and not our_threads() and player.snapshot
    assert [content["status"] for content, _ in browser.sent][-1] == "closed"


def test_images_gray_or_in_color_come_when_asked_for(browser):
    def asked(images):
        player = browser.show(watch(Drifting(), X, images=images))
        player._handle_message(player, {"kind": "request", "what": "images", "indices": [11, 99, -1, 0]}, [])
        assert player.has_images and until(lambda: any(content["kind"] == "images" for content, _ in [*browser.sent]))
        player.close()
        content, (packed,) = next(item for item in browser.sent if item[0]["kind"] == "images")
        browser.heard.clear()
        assert (content["indices"], content["width"], content["height"]) == ([0, 11], 2, 2)
        return content, packed

    _, gray = asked(np.arange(48.0).reshape(12, 2, 2))
    assert gray[0] == 0 and gray[-1] == 255 and len(gray) == 8
    images = np.arange(12 * 12, dtype=np.uint8).reshape(12, 2, 2, 3)
    content, colors = asked(images)
    assert content["channels"] == 3 and colors == images[0].tobytes() + images[11].tobytes()


def test_labels_become_classes_or_values(browser):
    run = Run(Drifting(), X)
    player = browser.show(Player(run, labels=[3, 1, 2] * 4))
    assert player.class_names == ["1", "2", "3"]
    assert np.frombuffer(player.classes, "<u2").tolist()[:3] == [2, 0, 1] and not player.values
    player = browser.show(Player(run, labels=np.array(["b", "", "a"] * 4, dtype=object)))
    assert player.class_names == ["", "a", "b"]
    player = browser.show(Player(run, labels=["class 10", "class 9"] * 6))
    assert player.class_names == ["class 9", "class 10"]
    assert np.frombuffer(player.classes, "<u2").tolist()[:2] == [1, 0]
    player = browser.show(Player(run, labels=np.linspace(0, 1, 12)))
    assert player.value_range == [0, 1] and len(np.frombuffer(player.values, "<f4")) == 12 and not player.classes
    player = browser.show(Player(run, labels=[True, False] * 6, names=range(12)))
    assert player.class_names == ["False", "True"] and player.names[3] == "3"


@in_one_test(
    ("given", "error", "words"),
    [
        ({"labels": [1, 2]}, ValueError, "labels must hold one entry for each of the 12 objects, got 2"),
        ({"labels": "abc"}, Exception, "labels must hold one entry"),
        ({"labels": [[1]] * 12}, Exception, "labels must have one dimension"),
        ({"labels": [np.inf] * 12}, ValueError, "labels must be finite, got inf at object 0"),
        ({"names": ["a"]}, ValueError, "names must hold one entry for each of the 12 objects, got 1"),
        ({"images": np.zeros((12, 4))}, ValueError, "images must have shape"),
        ({"images": np.zeros((3, 4, 4))}, ValueError, "images must hold one entry for each of the 12 objects, got 3"),
        ({"images": np.full((12, 2, 2), np.inf)}, ValueError, "images must be finite"),
        ({"controls": "none"}, ValueError, r"controls must be one of \['few', .*\], got 'none'; few is usual"),
        ({"main_knobs": "perplexity"}, TypeError, "main_knobs must be a list of names of knobs, got 'perplexity'"),
        ({"main_knobs": [3]}, TypeError, "main_knobs must be a list of names of knobs"),
        ({"height": "tall"}, TypeError, "height must be a whole number of pixels, got 'tall'"),
        ({"height": True}, TypeError, "height must be a whole number of pixels, got True"),
        ({"height": 5}, ValueError, "height must be from 160 to 2000 pixels, got 5"),
        ({"compact": 1}, TypeError, "compact must be True or False, got 1"),
        ({"hide_labels": "no"}, TypeError, "hide_labels must be True or False, got 'no'"),
        ({"color": "red"}, TypeError, "unexpected keyword"),
    ],
)
def test_bad_input_names_the_argument_the_rule_the_value_and_the_fix(given, error, words):
    with pytest.raises(error, match="(?s)" + words):
        watch(Drifting(), X, autoplay=False, **given)


def test_objects_of_one_name_are_selected_together():
    player = watch(Drifting(), X, names=["bank", "river", "bank", None] * 3)
    assert player.select("bank").index.tolist() == [0, 2, 4, 6, 8, 10] == player.selection


def test_too_many_classes_and_what_is_no_run_and_no_objects_are_refused():
    for given in (np.array(5), 5, None):
        with pytest.raises(TypeError, match="X must be"):
            watch(Drifting(), given)
        with pytest.raises(TypeError, match="X must be"):
            compare({"a": Drifting(), "b": Drifting()}, given)
    with pytest.raises(ValueError, match="at most 65,535 classes, got 65536; give names="):
        watch(Drifting(), np.zeros((65_536, 2)), labels=range(65_536))
    with pytest.raises(TypeError, match="Run"):
        Player(Drifting())
    with pytest.raises(TypeError, match=r"write Drifting\(\)"):
        watch(Drifting, X)


def test_hostile_text_travels_as_it_is(browser):
    nasty = "<img src=x onerror=alert(1)>"
    names = [nasty + str(i) for i in range(12)]
    player = browser.show(watch(Drifting(), X, title=nasty, names=names, labels=[nasty] * 12))
    assert player.title == nasty and player.names == names and player.class_names == [nasty]


def test_a_data_set_brings_its_own_labels_names_and_images(browser):
    data = SimpleNamespace(X=X, labels=np.arange(12) % 2, names=[f"n{i}" for i in range(12)], images=None)
    player = browser.show(watch(Drifting(), data))
    assert player.class_names == ["0", "1"] and player.names[5] == "n5" and not player.has_images
    player = browser.show(watch(Drifting(), data, labels=["x"] * 12))
    assert player.class_names == ["x"]


def test_maps_of_other_than_two_coordinates_are_drawn_and_said(browser):
    assert map_points(np.ones((1, 4, 1))).shape == (4, 2)
    assert axes_note(np.ones((1, 4, 1))) == "" and axes_note(np.ones((1, 4, 2))) == ""
    assert axes_note(np.ones((1, 4, 3))) == "first 2 of 3 coordinates"
    player = browser.show(watch(Drifting(n_components=3), X))
    assert until(lambda: player.axes_note == "first 2 of 3 coordinates")


def test_running_a_cell_again_closes_its_earlier_players_and_no_others(browser, monkeypatch):
    here = {}
    monkeypatch.setattr(cells, "current_cell", lambda: here["now"])
    monkeypatch.setattr(cells, "_made", {})
    endless = Drifting(max_iter=10**6)
    here["now"] = ("a", "request 1")
    first, second = watch(endless, X), watch(endless, X)
    here["now"] = ("b", "request 2")
    other = browser.show(watch(endless, X))
    assert [p.run.status != "closed" for p in (first, second, other)] == [True, True, True]
    here["now"] = ("a", "request 3")
    again = browser.show(watch(endless, X))
    assert [p.run.status == "closed" for p in (first, second, other, again)] == [True, True, False, False]
    assert first.comm is None  # its views are off the page
    here["now"] = None
    browser.show(watch(endless, X))
    assert other.run.status != "closed"


def test_the_cell_is_read_from_the_request_that_runs_it(monkeypatch):
    parent = {"header": {"msg_id": "m"}, "metadata": {"cellId": "c"}}
    shell = SimpleNamespace(get_parent=lambda: parent)
    monkeypatch.setitem(process.sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert cells.current_cell() == ("c", "m")
    parent["metadata"] = {}
    assert cells.current_cell() is None
    monkeypatch.setitem(process.sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert cells.current_cell() is None


def test_the_pace_is_the_runs_and_a_wrong_one_is_refused():
    player = watch(Drifting(max_iter=10**6), X, pace=25, autoplay=False, hide_labels=True)
    try:
        assert player.pace == player.run.pace == 25
        assert player.hide_labels
        player.pace = 100.0
        assert player.run.pace == 100
        player.pace = None
        assert player.run.pace is None
        with pytest.raises(traitlets.TraitError, match="pace must be above 0"):
            player.pace = 0.0
    finally:
        player.close()


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_label_or_name_is_none_and_not_shown_as_a_text(missing):
    values = np.array([missing, *"bcdefghijkl"], dtype=object)
    player = watch(Drifting(), X, autoplay=False, labels=values, names=values)
    assert player.class_names == list("bcdefghijkl") and player.names == ["", *"bcdefghijkl"]
    assert np.frombuffer(player.classes, "<u2").tolist() == [65535, *range(11)]
    player.close()


def test_a_page_that_closes_leaves_the_other_its_frames(browser):
    player = browser.show(watch(Drifting(max_iter=10**6, seconds=0.01), X))
    for page in ("one", "two"):
        player._handle_message(player, {"kind": "hello", "page": page}, [])
    player._handle_message(player, {"kind": "bye", "page": "one"}, [])
    assert player._connection.present
    n = len(browser.frames())
    assert until(lambda: len(browser.frames()) > n + 10)
    player._handle_message(player, {"kind": "bye", "page": "two"}, [])
    player._handle_message(player, {"kind": "bye", "page": ""}, [])  # as the stand-in browser has no id
    assert not player._connection.present


def test_a_hidden_page_that_is_silent_gets_fewer_and_fewer_frames():
    connection, sender = Connection(), sender_module.Sender()
    connection.hidden, connection.sent, connection.acknowledged, connection.last_message_at = True, WINDOW, 0, 0.0
    sender.frame_at = 1000.0
    assert not sender.frame_is_due(connection, 1002.0) and sender.frame_is_due(connection, 1005.5)
    connection.acknowledged = WINDOW
    assert sender.frame_is_due(connection, 1001.5)


def test_frames_travel_in_half_the_bytes_of_single_precision():
    rng = np.random.default_rng(0)
    for n_objects, d, pins in ((9_000, 2, []), (777, 3, []), (90, 2, [[5, 0]]), (90, 2, [[5, 1]])):
        Y, pins = rng.normal([3, -50, 0][:d], 30, size=(2, n_objects, d)), np.array(pins, dtype=np.int64).reshape(-1, 2)
        told, packed = pack_map(Y, pins)
        assert len(packed) == 4 * n_objects
        back = np.frombuffer(packed, "<i2").reshape(-1, 2) * told["step"]
        assert np.abs(back - map_points(Y, pins)).max() <= 0.51 * told["step"] < np.ptp(back) / 60_000
    assert pack_map(np.ones((1, 90, 2))) == ({"step": 1.0}, bytes(360))
    assert pack_map(Y[:, :, :1]) == ({}, map_points(Y[:, :, :1]).tobytes())
    Y[0, 3] = np.nan
    assert pack_map(Y)[0] == {}


def test_lists_of_neighbors_are_watched_as_the_graph_that_they_are(tmp_path):
    X = np.random.default_rng(0).normal(size=(30, 4))
    distances, indices = NearestNeighbors(n_neighbors=10).fit(X).kneighbors()
    model = ns.TSNE(perplexity=3, max_iter=3, random_state=0, input="neighbors")
    player = watch(model, (indices, distances), labels=np.arange(30) % 2, autoplay=False)
    player.run.steps(3)
    assert player.n_objects == 30
    np.testing.assert_array_equal(player.describe().neighbors, indices[:, :8])
    assert player.to_html(tmp_path / "lists.html").is_file()
    player.close()
