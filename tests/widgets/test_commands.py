"""What a reader does to a run through the player, and what the player sends about it; without a browser."""

import json
import struct

import numpy as np
import pytest
import traitlets
from scipy.sparse import csr_array

import notebook_sne as ns
from notebook_sne.browser.widgets.answers import knob_controls, model_choices
from notebook_sne.browser.widgets.neighbors import all_nearest, nearest
from notebook_sne.browser.widgets.player import watch
from tests.standins import Drifting, until

X = np.zeros((12, 3))
DIGITS = ns.datasets.load_digits()
FEW = DIGITS.X[:80]


def model(**settings):
    return ns.TSNE(perplexity=8, random_state=0, max_iter=60, **settings)


def command(player, name, buffers=(), **more):
    player._handle_message(player, {"kind": "command", "name": name, "id": f"test:{name}", **more}, list(buffers))


def newest(browser, kind):
    return next((item for item in reversed(list(browser.sent)) if item[0]["kind"] == kind), None)


@pytest.fixture
def player(browser):
    player = browser.show(watch(model(), FEW, labels=DIGITS.labels[:80]))
    assert until(lambda: player.status == "finished")
    return player


def test_frames_carry_the_present_knobs(browser, player):
    content, _ = newest(browser, "frame")
    assert content["present"]["exaggeration"] == 1.0 and content["turned"] == []
    command(player, "set", knobs={"exaggeration": 3.0})
    command(player, "step")
    assert until(lambda: newest(browser, "frame")[0]["present"]["exaggeration"] == 3.0)
    assert newest(browser, "frame")[0]["turned"] == ["exaggeration"]
    assert until(lambda: player.present.get("exaggeration") == 3.0)
    command(player, "release", knobs=["exaggeration"])
    assert until(lambda: (newest(browser, "frame") or newest(browser, "heartbeat"))[0]["turned"] == [])


def test_marks_are_sent_once_each_time_they_change(browser, player):
    sent = [content["marks"] for content, _ in browser.sent if "marks" in content]
    assert [mark["kind"] for mark in sent[-1]] == ["start", "phase"]
    n = len(browser.sent)
    for _ in range(3):
        command(player, "step")
    assert until(lambda: player.iteration == 63 and len(browser.sent) > n)
    assert sum("marks" in content for content, _ in browser.sent) == len(sent)
    assert until(lambda: [mark["kind"] for mark in player.marks] == ["start", "phase"])


def test_the_controls_are_those_of_the_model_at_work(player):
    names = [control["name"] for control in player.knobs]
    assert names == ["perplexity", "exaggeration", "learning_rate", "momentum", "jitter"]
    by_name = {control["name"]: control for control in player.knobs}
    assert by_name["perplexity"]["unit"] == "objects" and by_name["perplexity"]["high"] == 78
    assert (by_name["perplexity"]["most"], by_name["jitter"]["most"], by_name["momentum"]["most"]) == (79, None, 1.0)
    assert by_name["learning_rate"]["low"] < player.present["learning_rate"] < by_name["learning_rate"]["high"]
    command(player, "switch", model="UNISNE")
    assert until(lambda: player.model_name == "UNISNE" and "background" in [c["name"] for c in player.knobs])
    assert player.run.state.iteration >= 60  # on the same positions


def test_every_control_holds_what_the_knob_allows():
    tricks = {"penalty": 0.0, "least_p": 1e-4, "extra_dimensions": 1}
    for made in (
        ns.SNE(), ns.UNISNE(), ns.TSNE(), ns.AspectMaps(n_maps=2), ns.MixtureSNE(),
        ns.TSNE(degrees_of_freedom=1.0, density=0.5, **tricks), ns.SNE(exaggeration=4.0, **tricks), ns.UMAP(density=1),
    ):  # fmt: skip
        state = next(made.set_params(perplexity=8).iterate(FEW))
        controls = knob_controls(state, 80)
        assert {control["name"] for control in controls} == set(state.knobs)
        for control in controls:
            ns.Knobs(**{control["name"]: control["high"]})
            if control["closed"] or control["log"]:
                ns.Knobs(**{control["name"]: control["low"]})
            assert control["low"] < control["high"] and control["what"]


def test_the_knob_beside_play_is_the_models_own_where_it_has_no_perplexity():
    controls = knob_controls(next(ns.UMAP(n_neighbors=5, random_state=0).iterate(FEW)), 80)
    assert controls[0]["name"] == "min_dist"  # a view with few controls shows the first one


def test_a_recipe_begins_anew(player):
    choices = {(choice["group"], choice["id"]): choice for choice in player.models}
    assert choices["go on", "UNISNE"]["label"] == "UNI-SNE" and "2007" in choices["paper", "UNISNE"]["what"]
    command(player, "preset", model="SNE")
    assert until(lambda: player.model_name == "SNE" and player.run.model.perplexity == 15.0)
    assert player.run.model.get_params()["learning_rate"] == 0.2
    assert model_choices(ns.AspectMaps(), None) == []


def test_seeking_back(browser, player):
    command(player, "seek", iteration=20)
    assert until(lambda: player.status == "paused" and player.iteration == 20)
    content, _ = newest(browser, "frame")
    assert (content["iteration"], content["recorded_to"]) == (20, 60)
    command(player, "step")
    assert until(lambda: newest(browser, "frame")[0]["recorded_to"] == 21)
    command(player, "seek", iteration=1000)
    assert until(lambda: "from 0 to 21, got 1000" in player.message)


def test_a_moved_object_lies_where_the_view_showed_it(browser, player):
    shown = np.frombuffer(newest(browser, "frame")[1][0], "<f4").reshape(-1, 2)
    places = shown[[4, 9]] + np.float32([3, 0])
    mean = player.run.state.Y[0].mean(axis=0)
    command(player, "move", [places.tobytes()], objects=[4, 9])
    assert until(lambda: player.run.recording.marks[-1].kind == "moved")
    np.testing.assert_allclose(player.run.state.Y[0, [4, 9]], places + mean, atol=1e-5)


def test_a_view_of_a_line_moves_along_it(browser):
    player = browser.show(watch(Drifting(max_iter=5, n_components=1), X))
    assert until(lambda: player.status == "finished")
    mean = player.run.state.Y[0].mean()
    command(player, "move", [np.float32([[7, 99]]).tobytes()], objects=[2])
    assert until(lambda: abs(player.run.state.Y[0, 2, 0] - 7 - mean) < 1e-5)


def test_springs_are_sent_while_an_object_has_them(browser, player):
    player.spring_of = 7
    assert until(lambda: newest(browser, "springs") is not None)
    content, _ = newest(browser, "springs")
    forces = player.run.forces(7)
    far = np.linalg.norm(player.run.state.Y[0] - player.run.state.Y[0, 7], axis=1)
    j, strength, p, q = content["pull"][0]
    assert content["of"] == 7 and content["iteration"] == 60 and content["convention"] == "joint"
    np.testing.assert_allclose([strength, p, q], [(forces.pull * far).max(), forces.p[j], forces.q[j]], rtol=1e-5)
    np.testing.assert_allclose(content["push_total"], (forces.push * far).sum(), rtol=1e-5)
    assert [content["pulls"], content["pushes"]] == [(forces.pull * far > 0).sum(), (forces.push * far > 0).sum()]
    force = ((forces.pull - forces.push)[:, None] * (player.run.state.Y[0] - player.run.state.Y[0, 7])).sum(0)
    np.testing.assert_allclose(content["net"], force, rtol=1e-5)
    strengths = [spring[1] for spring in content["push"]]
    assert strengths == sorted(strengths, reverse=True) and len(strengths) == 24
    assert [other[0] for other in content["others"]] == np.argsort(-forces.p, kind="stable")[:12].tolist()
    n = sum(item[0]["kind"] == "springs" for item in browser.sent)
    player.spring_of = None
    command(player, "step")
    assert until(lambda: player.iteration == 61)
    assert sum(item[0]["kind"] == "springs" for item in browser.sent) == n


def test_a_new_view_of_a_paused_run_is_sent_its_springs_again(browser, player):
    player.spring_of = 7
    assert until(lambda: newest(browser, "springs") is not None)
    n = len(browser.sent)
    player._handle_message(player, {"kind": "hello"}, [])
    assert until(lambda: any(content["kind"] == "springs" for content, _ in browser.sent[n:]))


def test_costs_are_sent_while_they_are_the_color(browser, player):
    player.color = "cost"
    assert until(lambda: newest(browser, "scores") is not None)
    content, (packed,) = newest(browser, "scores")
    assert content["of"] == "cost"
    costs = np.frombuffer(packed, "<f4")
    np.testing.assert_allclose(costs.sum(), player.run.state.cost, rtol=1e-4)
    np.testing.assert_allclose([content["low"], content["high"]], [costs.min(), costs.max()], rtol=1e-5)


def test_springs_of_several_maps_are_refused_with_a_reason(browser):
    player = browser.show(watch(ns.AspectMaps(n_maps=2, perplexity=8, max_iter=3, random_state=0), FEW))
    assert until(lambda: player.status == "finished")
    player.spring_of = 1
    assert until(lambda: "several maps" in player.message) and player.spring_of is None
    for color in ("cost", "recall", "perturbation"):
        with pytest.raises(traitlets.TraitError, match=rf"got '{color}' \(of one map only\)"):
            player.color = color


def test_neighbors_and_the_film_come_when_asked_for(browser, player):
    player._handle_message(player, {"kind": "request", "what": "neighbors", "index": 3}, [])
    player._handle_message(player, {"kind": "request", "what": "neighbors", "index": 80}, [])
    assert until(lambda: newest(browser, "neighbors"))
    content, _ = newest(browser, "neighbors")
    assert content["index"] == 3 and content["indices"] == np.argsort(np.square(FEW - FEW[3]).sum(1))[1:9].tolist()
    for short in (True, False):  # it is there already: the run rests
        player._handle_message(player, {"kind": "request", "what": "film", "short": short}, [])
        assert until(lambda short=short: short or newest(browser, "film"))
    films = [buffers[0] for content, buffers in browser.sent if content["kind"] == "film"]
    heads = [json.loads(film[4 : 4 + struct.unpack_from("<I", film)[0]]) for film in [*films, player.film]]
    assert [(len(head["frames"]), head["frames"][-1]["iteration"]) for head in heads] == [(61, 60), (35, 60)]


def test_nearest_in_every_kind_of_data():
    X = FEW + np.random.default_rng(0).random(FEW.shape)  # without ties
    D = np.sqrt(np.square(X[:, None] - X[None]).sum(-1))
    P = ns.affinities.conditional(X, 8)
    wanted = nearest(X, "vectors", 5)
    assert 5 not in wanted and len(wanted) == 8
    for data, kind in ((X, "vectors"), (D, "distances"), (P, "probabilities"), (csr_array(P), "probabilities")):
        np.testing.assert_array_equal(nearest(data, kind, 5), wanted)
        np.testing.assert_array_equal(all_nearest(data, kind)[5], wanted)
    isolated = np.zeros((4, 4))
    isolated[0, 2] = 1.0
    assert nearest(isolated, "probabilities", 0).tolist() == [2]


def test_an_unknown_command_is_shown_and_breaks_nothing(browser, player):
    for name, more, words in [
        ("fly", {}, "there is no command 'fly'"),
        ("set", {"knobs": {"speed": 1}}, "there is no knob 'speed'"),
        ("set", {"knobs": {"momentum": 2}}, "momentum must satisfy"),
        ("switch", {"model": "AspectMaps"}, "model must be one of SNE"),
    ]:
        command(player, name, **more)
        assert until(lambda words=words: words in player.message), words
    command(player, "step")
    assert until(lambda: player.iteration == 61 and player.message == "")


def test_choices_hold_their_rules(player):
    player.selection = np.array([5, 3, 3])
    assert player.selection == [3, 5]
    for name, value, words in [
        ("selection", [80], "from 0 to 79"),
        ("spring_of", -1, "from 0 to 79"),
        ("color", "size", "color must be one of"),
        ("axes", "log", "axes must be one of"),
    ]:
        with pytest.raises(traitlets.TraitError, match=words):
            setattr(player, name, value)


def test_a_player_writes_its_page(tmp_path, player):
    player.to_html(tmp_path / "film.html", frames=10)
    text = (tmp_path / "film.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") or text.lower().startswith("<!doctype html>")
    assert player.run.recording.neighbors.shape == (80, 8)


def test_neighbors_of_bytes_and_truths_are_not_wrapped_around():
    X = np.random.default_rng(0).integers(0, 256, size=(50, 6)).astype(np.uint8)
    np.testing.assert_array_equal(nearest(X, "vectors", 3), nearest(X.astype(float), "vectors", 3))
    assert len(nearest(X > 100, "vectors", 3)) == 8


def test_an_object_with_few_neighbors_has_no_false_ones():
    P = np.zeros((5, 5))
    P[0, [3, 1]] = 0.7, 0.3
    P[1:, 0] = 1.0
    for data in (P, csr_array(P)):
        assert all_nearest(data, "probabilities", 4)[0].tolist() == [3, 1, 1, 1]
        assert nearest(data, "probabilities", 0, 4).tolist() == [3, 1]


def test_labels_and_values_both_come_into_the_recording(browser):
    values = np.arange(80)  # more than there may be classes, if there were more of them
    player = browser.show(watch(model(), FEW, labels=DIGITS.labels[:80], values=values))
    assert until(lambda: player.status == "finished")
    recording = player.describe()
    assert len(recording.labels) == len(recording.values) == 80


def test_a_recipe_for_few_objects_has_a_perplexity_that_they_can_have(browser):
    player = browser.show(watch(model(), FEW[:30]))
    assert until(lambda: player.status == "finished")
    command(player, "preset", model="TSNE")
    assert until(lambda: player.run.state is not None and player.present.get("perplexity") == 29 / 3)


def test_costs_of_a_state_of_another_p_are_refused(player):
    old = player.run.state
    player.run.set(perplexity=12)
    player.run.steps(2)
    with pytest.raises(ValueError, match="at perplexity 12"):
        player.run.costs(old)


def found(browser, page="here"):
    """Return the objects and the error of the answers to a page's conditions, the last one first."""
    return [
        (np.frombuffer(buffers[0], "<u4").tolist(), content.get("error"))
        for content, buffers in reversed(browser.sent)
        if content["kind"] == "found" and content["page"] == page
    ]


def ask(player, query, page="here"):
    player._handle_message(player, {"kind": "request", "what": "objects", "query": query, "page": page}, [])


def test_a_reader_asks_for_the_objects_that_meet_a_condition(browser):
    columns = {"year": np.arange(12) + 1990}
    player = browser.show(ns.watch(Drifting(max_iter=5), X, columns=columns, labels=["a", "b"] * 6))
    assert player.reads_queries
    ask(player, "year > 1995 and label == 'a'")
    ask(player, "year < 1992", page="another")
    assert until(lambda: found(browser) and found(browser, "another"))
    assert found(browser) == [([6, 8, 10], None)] and found(browser, "another") == [([0, 1], None)]
    assert player.selection == []  # the page selects, as its keys say: sets, adds or removes
    ask(player, "yeer > 1995")
    assert until(lambda: len(found(browser)) == 2)
    assert found(browser)[0][0] == [] and "there is no column 'yeer'" in found(browser)[0][1]
    assert player.error is None
    player.hide_labels = True
    ask(player, "label == 'a'")
    assert until(lambda: len(found(browser)) == 3)
    assert "there is no column 'label'" in found(browser)[0][1]
