"""A class from a notebook: its questions, what a cell finds, and the map that phones follow."""

import json
import urllib.error
import urllib.request

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.browser.teaching.broadcast import Follower
from notebook_sne.browser.widgets import answered
from notebook_sne.browser.widgets import classroom as home
from notebook_sne.browser.widgets.audience import Audience
from notebook_sne.models.sne import SNE
from tests.standins.waiting import PATIENCE, until

X = np.random.default_rng(0).normal(size=(40, 5))


@pytest.fixture(autouse=True)
def _nothing_asked(monkeypatch, tmp_path):
    monkeypatch.setattr(answered, "asked_here", {})
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))


@pytest.fixture
def classroom():
    made = ns.classroom("A lecture")
    yield made
    made.close()


@pytest.fixture
def player():
    made = ns.watch(SNE(perplexity=5, random_state=0), X, labels=[f"<b>{k % 3}" for k in range(40)], autoplay=False)
    made.run.step(3)
    made.run.wait()
    yield made
    made.discard()


def read(frame):
    length = int.from_bytes(frame[:4], "little")
    return json.loads(frame[4 : 4 + length]), frame[4 + length :]


def test_a_question_of_a_notebook_is_asked_and_its_cell_shows_the_votes(classroom):
    guess = ns.predict("Does it grow?", ["it grows", "it shrinks"])
    assert until(lambda: guess.poll.get("stage") == "ready")
    guess._handle_custom_msg({"kind": "class", "do": "ask"}, [])
    phones = [classroom.room.join(f"a token of phone {k}") for k in range(3)]
    for phone, said in zip(phones, ("it grows", "it grows", "it shrinks"), strict=True):
        assert classroom.room.vote(phone, 0, 1, said)
    assert until(lambda: guess.poll["answered"] == 3)
    assert guess.poll["counts"] == []
    guess._handle_custom_msg({"kind": "class", "do": "show"}, [])
    assert until(lambda: guess.poll["counts"] == [["it grows", 2], ["it shrinks", 1]])
    guess._handle_custom_msg({"kind": "class", "do": "again"}, [])
    assert until(lambda: guess.poll["round"] == 2)
    guess.reveal("it grows")
    assert until(lambda: guess.poll["stage"] == "found")
    assert guess.poll["truth"] == "it grows"
    assert guess.value is None, "what the class says is not what the lecturer has said"
    classroom.close()
    assert guess.poll == {}


def test_what_a_cell_finds_before_the_class_was_asked_is_known_and_hidden(classroom):
    guess = ns.predict("How many?", low=0, high=10)
    assert until(lambda: guess.poll)
    guess.reveal(np.float64(4.2))
    classroom.ask(guess)
    assert classroom.room.facts()["poll"]["truth"] is None
    classroom.room.do("found")
    assert classroom.room.facts()["poll"]["truth"] == 4.2


def test_a_class_is_one_in_a_kernel(classroom):
    assert ns.classroom("A lecture") is classroom
    with pytest.raises(ValueError, match="runs already"):
        ns.classroom("Another")
    classroom.close()
    other = ns.classroom("Another")
    assert other is not classroom
    other.close()
    other.close()


@pytest.mark.parametrize(
    ("how", "error", "words"),
    [
        ({"lan": 1}, TypeError, "lan"),
        ({"keep_votes": "yes"}, TypeError, "keep_votes"),
        ({"port": -1}, ValueError, "port"),
        ({"port": 70000}, ValueError, "port"),
        ({"port": True}, ValueError, "port"),
        ({"title": 3}, TypeError, "title"),
        ({"file": "nowhere/at/all.json"}, OSError, "no folder"),
    ],
)
def test_what_cannot_be_begun_is_told(how, error, words):
    with pytest.raises(error, match=words):
        ns.classroom(**how)
    assert home._present is None


def test_questions_and_players_are_checked(classroom):
    with pytest.raises(TypeError, match="predict"):
        classroom.ask("How many?")
    with pytest.raises(TypeError, match="Player"):
        classroom.follow("digits")
    with pytest.raises(ValueError, match="no question"):
        classroom.show()


def test_codes_are_counted_and_wrong_ones_come_back(classroom):
    guess = ns.predict("Does it grow?", ["it grows", "it shrinks"])
    classroom.ask(guess)
    codes = "107 WRONG"
    assert classroom.add_codes(codes) == ["WRONG"]
    assert classroom.room.count()[0] == 1
    with pytest.warns(UserWarning, match="counted in this vote already"):
        classroom.add_codes(codes)
    assert classroom.room.count()[0] == 1, "a cell that is run again adds nothing"
    assert classroom.add_codes(codes, again=True) == ["WRONG"] and classroom.room.count()[0] == 2
    classroom.again()
    classroom.add_codes(codes)
    assert classroom.room.count()[0] == 1, "another vote has codes of its own"


def test_a_player_that_is_followed_again_is_followed_as_before(classroom):
    player = ns.watch(SNE(perplexity=3, max_iter=5, random_state=0), X, autoplay=False)
    classroom.follow(player)
    followed = classroom.server.broadcast
    classroom.follow(player)
    assert classroom.server.broadcast is followed and not followed.over
    classroom.follow(None)
    assert followed.over
    player.close()


def test_what_phones_draw_lands_on_the_lecturers_map(classroom):
    digits = ns.datasets.load_digits().select(slice(0, 60))
    drawing = ns.draw(SNE(perplexity=5, max_iter=5, random_state=0).fit(digits.X), digits.images)
    with pytest.raises(TypeError, match=r"made by notebook_sne.draw, or None, got Dataset"):
        classroom.draw(digits)
    classroom.draw(drawing)
    number = classroom.server.field[0]
    classroom.draw(drawing)
    assert classroom.server.field[0] == number, "a cell that is run again: phones keep what they draw"
    address = classroom.address["join"].rstrip("/")
    with urllib.request.urlopen(f"{address}/draw/{number}", timeout=PATIENCE) as page:
        assert b'"sends":true' in page.read() and page.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
    image = [int(gray) for gray in digits.X[0]]
    assert classroom.room.take_drawing(classroom.room.join("a token of a phone"), image)
    assert until(lambda: drawing.drawings == bytes(image))
    classroom.draw(None)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{address}/draw/{number}", timeout=PATIENCE)
    assert drawing.drawings == bytes(image), "what was drawn stays on the map"


@pytest.mark.parametrize("file", [None, "class.json"])
def test_a_kernel_that_was_restarted_goes_on_with_its_class_also_without_a_file(file, tmp_path):
    """Its phones are at the same address, and what was counted is there; an end that was meant leaves nothing."""
    kept = {} if file is None else {"file": tmp_path / file}
    first = ns.classroom("A lecture", **kept)
    guess = ns.predict("Does it grow?", ["it grows", "it shrinks"])
    first.ask(guess)
    first.room.vote(first.room.join("a token of a phone"), 0, 1, "it grows")
    join, key = first.address["join"], first.room.key
    first.leave()
    second = ns.classroom(**(kept or {"title": "A lecture"}))
    assert (second.address["join"], second.room.count()[0]) == (join, 1)
    assert second.room.key != key
    second.close()
    assert not list(tmp_path.glob("runtime/*"))
    third = ns.classroom("A lecture")
    assert third.address["join"] != join
    third.close()


def test_two_kernels_with_the_same_title_hold_two_classes(tmp_path):
    from notebook_sne.browser.teaching.room import Room

    held = Room("A lecture", file=home._own_file("A lecture"))
    other = ns.classroom("A lecture")
    assert other.room.code != held.code
    other.close()
    held.let_go()


def test_the_lecturers_key_is_in_no_notebook(classroom, monkeypatch):
    sent = []
    monkeypatch.setattr(classroom, "send", lambda content, buffers=None: sent.append(content))
    assert classroom.room.key not in repr(classroom.get_state())
    assert classroom.room.key not in repr(classroom._repr_mimebundle_())
    classroom._handle_message(classroom, {"kind": "class", "do": "screen"}, [])
    assert sent == [{"kind": "screen", "address": classroom.screen}]
    assert classroom.screen.endswith(f"#{classroom.room.key}")


def test_the_room_is_emptied_from_the_notebook(classroom):
    classroom.room.join("a token of a phone")
    before = classroom.address["join"]
    classroom._handle_message(classroom, {"kind": "class", "do": "empty"}, [])
    assert until(lambda: classroom.address["join"] not in (before, ""))
    assert until(lambda: classroom.facts["joined"] == 0)


def test_followers_get_what_the_player_shows(player):
    audience = Audience(player, 1)
    broadcast = audience.broadcast
    try:
        broadcast.followers = 1
        follower = Follower(broadcast)
        assert until(lambda: broadcast._frame is not None)
        (message,) = [one for one in follower.due()[0] if isinstance(one, bytes)]
        content, buffer = read(message)
        state = player.run.state
        shown = np.frombuffer(buffer, "<i2").reshape(-1, 2) * content["step"]
        Y = state.Y[0] - state.Y[0].mean(axis=0)
        np.testing.assert_allclose(shown, Y, atol=np.abs(Y).max() / 32767)
        assert (content["iteration"], content["present"]["perplexity"]) == (3, 5.0)
        iterations, costs = audience.costs()
        assert iterations[-1] == 3 and costs[-1] == state.cost
        begins = json.loads(broadcast.begin())
        traits = begins["traits"]
        assert traits["class_names"] == ["<b>0", "<b>1", "<b>2"]
        assert "<b>" not in broadcast.begin(), "it may stand in a page"
        assert traits["iteration"] == 3
        assert {"snapshot", "trace", "classes", "film"} <= begins["bytes"].keys()
        player.color = "none"
        notes = [json.loads(one) for one in follower.due()[0] if isinstance(one, str)]
        assert {"kind": "traits", "traits": {"color": "none"}} in notes
    finally:
        audience.close()


def test_nobody_who_follows_costs_nothing(player):
    audience = Audience(player, 1)
    try:
        player.run.step(2)
        player.run.wait()
        assert audience.broadcast._frame is None
    finally:
        audience.close()


def test_the_one_with_the_knob_turns_it_and_errors_stay_with_them(classroom, player):
    classroom.follow(player)
    broadcast = classroom.server.broadcast
    broadcast.obey({"name": "set", "knobs": {"perplexity": 7}})
    assert player.run.knobs.turned() == {"perplexity": 7.0}
    with pytest.raises(ValueError, match="perplexity"):
        broadcast.obey({"name": "set", "knobs": {"perplexity": -7}})
    assert player.error is None
    classroom.follow(None)
    assert classroom.server.broadcast is None


def test_a_student_goes_on_in_a_page_of_the_same_state(classroom, player):
    classroom.follow(player)
    with urllib.request.urlopen(f"{classroom.address['join']}/try/1", timeout=PATIENCE) as answer:
        page = answer.read().decode()
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert '"live":true' in page
    assert "Content-Security-Policy" in page
    assert page.encode() == classroom.server.broadcast.page(), "handed out again for some seconds"


def test_a_model_that_no_page_computes_says_so(classroom):
    player = ns.watch(ns.MixtureSNE(perplexity=5, random_state=0), X, autoplay=False)
    player.run.step(1)
    player.run.wait()
    classroom.follow(player)
    with pytest.raises(urllib.error.HTTPError, match="409") as caught:
        urllib.request.urlopen(f"{classroom.address['join']}/try/1", timeout=PATIENCE)
    assert "page" in caught.value.read().decode()
    player.discard()


def test_its_still_says_what_it_was(classroom):
    assert "ended" in classroom._still_html()
    assert classroom.room.code in classroom._still_text()
