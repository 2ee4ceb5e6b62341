"""A class without a network: votes, rounds, the knob, and its file."""

import json
import os
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest

from notebook_sne.browser.teaching.class_file import FORMAT, ClassFile, digest_of
from notebook_sne.browser.teaching.question import Question
from notebook_sne.browser.teaching.room import FULL, OF_ONE_ADDRESS, OF_ONE_PHONE, Room

CHOICE = Question("Which?", ["a", "b", "c"])
NUMBER = Question("How many?", bounds=[0, 10])


def room_of(n, **how):
    room = Room("A lecture", [CHOICE, NUMBER], **how)
    return room, [room.join(f"a token of phone {k}") for k in range(n)]


def test_a_vote_from_its_opening_to_what_was_found():
    room, phones = room_of(5)
    assert not room.vote(phones[0], 0, 1, "a"), "nothing is asked yet"
    room.do("ask", n=0)
    for phone, said in zip(phones, "aabbc", strict=True):
        assert room.vote(phone, 0, 1, said)
    told = room.facts()["poll"]
    assert (told["stage"], told["answered"], told["counts"]) == ("open", 5, []), "nobody follows the crowd"
    assert room.vote(phones[4], 0, 1, "a"), "an answer may be changed"
    room.do("show")
    assert room.facts()["poll"]["counts"] == [["a", 3], ["b", 2]]
    assert not room.vote(phones[0], 0, 1, "c"), "the vote is closed"
    assert "found" not in room.facts_for(phones[0]), "the result is not on the phone before the run"

    room.do("again")
    for phone in phones[:4]:
        room.vote(phone, 0, 2, "b")
    room.vote(phones[4], 0, 1, "c")  # a vote of the round before, which came late
    room.do("found", value="b", why="As it is so.")
    told = room.facts()["poll"]
    assert (told["stage"], told["counts"], told["first"]) == ("found", [["b", 4]], [["a", 3], ["b", 2]])
    assert room.facts_for(phones[0])["found"] == "b"
    assert room.polls[0].moved == [["a", "b", 2], ["b", "b", 2]]


def test_the_curve_beside_a_result_is_of_a_run_since_the_question():
    room, phones = room_of(1)
    curves = [[[0, 9], [3.0, 2.0]], [[0, 9, 20], [3.0, 2.0, 1.0]]]
    room.followed = lambda: curves[0]
    room.do("ask", n=0)
    room.vote(phones[0], 0, 1, "a")
    room.do("again")  # the question is still the same one
    room.do("found", value="a")
    assert room.facts()["poll"]["curve"] == [], "the map has rested: it is of another question"
    room.do("again")
    room.followed = lambda: curves[1]
    assert room.facts()["poll"]["curve"] == []
    room.do("found", value="a")
    assert room.facts()["poll"]["curve"] == curves[1]
    room.do("ask", n=1)
    room.do("found", value=3)
    assert room.facts()["poll"]["curve"] == []


def test_a_phone_has_one_drawing_and_no_file_holds_it(tmp_path):
    room, (one, other) = room_of(2, file=tmp_path / "class.json")
    assert not room.take_drawing(one, [0, 255]), "none is asked for"
    room.do("ask", n=0)
    room.ask_drawings(2)
    assert room.current is None and room.facts()["drawings"] == 0, "what was asked for last is shown"
    for image in ([0], [0, 256], [0, -1], [0, 0.5], ["0", "1"], {"0": 1}, 2, None, [0, 1, 2]):
        with pytest.raises((ValueError, TypeError)):
            room.take_drawing(one, image)
    assert room.drawings == {}
    for phone, image in ((one, [0, 255]), (other, [7, 7]), (one, [3, 4])):
        assert room.take_drawing(phone, image)
    assert list(room.drawings.values()) == [bytes([3, 4]), bytes([7, 7])]
    room.keep()
    assert "draw" not in (tmp_path / "class.json").read_text()
    room.do("empty")
    assert room.drawings == {} and room.pixels == 2
    room.ask_drawings(0)
    assert not room.take_drawing(other, [0, 255]) and room.facts()["drawings"] is None


def test_what_is_known_beforehand_is_hidden_until_it_is_told():
    room, _ = room_of(1)
    room.polls[0].known = "c"
    room.do("ask", n=0)
    assert room.facts()["poll"]["truth"] is None
    room.do("found")
    assert room.facts()["poll"]["truth"] == "c"
    room.do("ask", n=1)
    with pytest.raises((TypeError, ValueError), match="value"):
        room.do("found")


@pytest.mark.parametrize(
    ("action", "how"),
    [("ask", {"n": 2}), ("ask", {"n": -1}), ("ask", {"n": "0"}), ("ask", {"n": True}), ("again", {}), ("dance", {})],
)
def test_a_lecturer_is_told_what_cannot_be_done(action, how):
    room, _ = room_of(1)
    with pytest.raises(ValueError, match=r"n must be|no question|action must be"):
        room.do(action, **how)


def test_one_vote_of_each_phone_however_many_pages_it_has():
    room, (phone,) = room_of(1)
    same = room.join("a token of phone 0")
    assert same is phone
    room.do("ask", n=0)
    room.vote(phone, 0, 1, "a")
    room.vote(same, 0, 1, "b")
    assert room.count() == (1, 1)
    room.leave(phone)
    assert room.present == 1, "the other page is open"
    room.leave(same)
    assert room.facts()["present"] == 0
    assert room.count() == (1, 1), "who has voted and sleeps was there"


def test_a_class_has_room_for_so_many():
    room = Room()
    assert all(room.join(f"token {k}") for k in range(FULL))
    assert room.join("one more") is None
    assert room.join("token 3") is not None, "who was here comes back"


def test_the_knob_goes_to_one_in_turn():
    room, (one, two) = room_of(2)
    room.raise_hand(two, True)
    room.raise_hand(one, True)
    room.raise_hand(one, True)
    assert room.facts()["hands"] == 2
    room.do("give")
    assert (room.holder, room.facts()["holder"]) == (two.name, 2)
    assert room.facts_for(two)["knob"] == "yours"
    room.raise_hand(two, False)
    assert room.holder is None
    room.do("give")
    room.join("a token of phone 0")
    room.leave(one)
    assert room.holder == one.name, "one of its two pages is still open"
    room.leave(one)
    assert room.holder is None, "a phone that has gone holds nothing"


def test_the_class_goes_on_from_its_file(tmp_path):
    """As after a kernel that was killed in the middle of a vote: nothing is lost, nobody votes twice."""
    file = tmp_path / "class.json"
    room, phones = room_of(4, file=file)
    room.port = 8799
    room.do("ask", n=0)
    for phone in phones[:3]:
        room.vote(phone, 0, 1, "a")
    room.keep()
    room.let_go()
    other = Room("whatever", [NUMBER, Question("New?", ["y", "n"])], file=file)
    assert (other.code, other.port, other.title) == (room.code, 8799, "A lecture")
    assert other.key != room.key, "no file hands on the lecturer's key"
    assert [poll.question.question for poll in other.polls] == ["Which?", "How many?", "New?"]
    back = other.join("a token of phone 1")
    assert (back.number, other.facts_for(back)["yours"]) == (2, "a")
    assert other.vote(back, 0, 1, "b")
    other.do("show")
    assert other.facts()["poll"]["counts"] == [["a", 2], ["b", 1]]


def test_nothing_but_counts_is_kept_and_for_its_owner_alone(tmp_path):
    file = tmp_path / "class.json"
    room, phones = room_of(3, file=file)
    room.do("ask", n=0)
    for phone in phones:
        room.vote(phone, 0, 1, "a")
    room.keep()
    assert "a token of phone" not in file.read_text() and room.key not in file.read_text()
    assert os.name == "nt" or stat.S_IMODE(file.stat().st_mode) == 0o600
    room.do("again")
    room.keep()
    told = json.loads(file.read_text())
    assert told["polls"][0]["rounds"][0] == {"counts": [["a", 3]], "answered": 3}
    room.end()
    told = json.loads(file.read_text())
    assert not {"salt", "port", "phones", "votes"} & told.keys()
    assert room.polls[0].facts(3)["first"] == [["a", 3]]
    assert phones[0].name not in file.read_text()
    with pytest.raises(FileExistsError, match="has not ended"):
        Room(file=file)


def test_who_asks_for_it_gets_the_votes_by_number(tmp_path):
    file = tmp_path / "class.json"
    room, phones = room_of(2, file=file, keep_votes=True)
    room.do("ask", n=0)
    room.vote(phones[1], 0, 1, "c")
    room.end()
    assert json.loads(file.read_text())["votes"] == [[{"2": "c"}], []]


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "no JSON", '{"format": "notebook_sne class 1", "ended": false}', "\ud800"]
)
def test_a_file_that_is_none_is_refused_and_stays(tmp_path, text):
    file = tmp_path / "class.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError, match="file must be a file of a class"):
        Room(file=file)
    assert file.read_bytes() == text.encode("utf-8", "surrogatepass")


def damaged(text, random):
    """A file with a bit turned, a digit changed, an end cut off, or a piece moved."""
    k, kind = int(random.integers(len(text))), int(random.integers(4))
    if kind == 0:
        return text[:k] + bytes([text[k] ^ (1 << int(random.integers(8)))]) + text[k + 1 :]
    if kind == 1:
        digits = [at for at in range(len(text)) if chr(text[at]).isdigit()]
        k = digits[k % len(digits)]
        return text[:k] + b"%d" % ((text[k] - 47) % 10) + text[k + 1 :]
    other = int(random.integers(len(text)))
    return text[:k] if kind == 2 else text[:k] + text[other : other + 40] + text[k:]


@pytest.mark.parametrize("times", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_a_damaged_file_is_refused(tmp_path, times):
    """It is refused, or says the same as before: never another number, vote or question."""
    file = tmp_path / "class.json"
    room, phones = room_of(3, file=file)
    room.do("ask", n=0)
    for phone in phones:
        room.vote(phone, 0, 1, "a")
    room.do("again")
    room.vote(phones[0], 0, 2, "b")
    room.keep()
    room.let_go()
    whole, told, refused = file.read_bytes(), room.record(), 0
    random = np.random.default_rng(0)
    for _ in range(times):
        file.write_bytes(damaged(whole, random))
        try:
            found = Room(file=file)
        except (ValueError, FileExistsError):
            refused += 1
        else:
            found.let_go()
            assert found.record() == told
    assert refused > times / 2


@pytest.mark.parametrize(
    ("name", "value"),
    [("port", 1e999), ("port", -1), ("current", 1e999), ("current", -1), ("current", 1), ("code", "a"), ("polls", 3)],
)
def test_a_file_of_others_is_refused_by_what_it_says(tmp_path, name, value):
    """Its digest is right, as anybody can compute it."""
    file = tmp_path / "class.json"
    room, _ = room_of(1, file=file)
    room.do("ask", n=0)
    kept = ClassFile(tmp_path / "other.json")
    told = json.loads(json.dumps({"format": FORMAT, **room.record(), name: value}))
    (tmp_path / "other.json").write_text(json.dumps({**told, "digest": digest_of(told)}))
    kept.close()
    with pytest.raises(ValueError, match="file must be a file of a class"):
        Room(file=tmp_path / "other.json")


def test_a_file_has_one_owner(tmp_path):
    file = tmp_path / "class.json"
    room, phones = room_of(1, file=file)
    with pytest.raises(OSError, match=f"one class at a time, got .*, which process {os.getpid()} holds"):
        Room(file=file)
    (tmp_path / "folder").symlink_to(tmp_path)
    (tmp_path / "link.json").symlink_to(file)
    for same in (tmp_path / "folder" / "class.json", tmp_path / "link.json"):
        with pytest.raises(OSError, match="one class at a time"):
            Room(file=same)
    for link in ("folder", "link.json"):
        (tmp_path / link).unlink()
    elsewhere = f"from notebook_sne.browser.teaching.room import Room; Room(file={str(file)!r})"
    done = subprocess.run([sys.executable, "-c", elsewhere], capture_output=True, text=True, check=False)
    assert f"which process {os.getpid()} holds" in done.stderr
    room.do("ask", n=0)
    assert room.vote(phones[0], 0, 1, "a")
    room.let_go()
    other = Room(file=file)
    assert other.count() == (1, 1)
    other.end()
    assert [one.name for one in tmp_path.iterdir()] == ["class.json"], "no lock is left"


def test_what_a_cell_does_twice_costs_no_votes():
    room, phones = room_of(2)
    room.do("ask", n=0)
    room.vote(phones[0], 0, 1, "a")
    room.do("ask", n=0)
    assert (room.count(), room.facts()["poll"]["round"]) == ((1, 2), 1)
    room.do("again")
    room.do("again")
    assert room.facts()["poll"]["round"] == 2, "nobody has answered in the second vote yet"
    assert room.facts_for(phones[0])["before"] == "a"
    assert room.facts_for(phones[1])["before"] is None
    room.do("show")
    room.do("ask", n=1)
    room.do("ask", n=0)
    assert room.facts()["poll"]["stage"] == "shown", "it comes back as it stands"


def test_places_are_for_those_who_are_here():
    """A program that opens the page under many names leaves room for the others, and its places are given back."""
    room = Room("A lecture", [CHOICE])
    first = room.join("a token that votes", "10.0.0.9")
    room.do("ask", n=0)
    room.vote(first, 0, 1, "a")
    room.leave(first)
    many = [room.join(f"token {k}", "10.0.0.9") for k in range(FULL)]
    came = [one for one in many if one is not None]
    assert len(came) == OF_ONE_ADDRESS - 1
    assert room.facts()["crowd"] == "10.0.0.9", "the lecturer is told"
    assert room.join("another student", "10.0.0.10") is not None
    for phone in came:
        room.leave(phone)
    assert room.join("somebody else there", "10.0.0.9") is not None
    assert first.name in room.phones, "a vote that counts keeps its place"
    assert all(room.join("another student", "10.0.0.10") for _ in range(OF_ONE_PHONE - 1))
    assert room.join("another student", "10.0.0.10") is None, "one phone, so many pages"


def test_the_room_can_be_emptied():
    room, phones = room_of(3)
    room.do("ask", n=0)
    room.vote(phones[0], 0, 1, "a")
    code = room.code
    room.do("empty")
    assert room.code != code
    assert (room.facts()["joined"], room.count()) == (0, (0, 0))
    assert room.join("a token of phone 0").number == 1


def test_a_full_disk_stops_nobody(tmp_path, monkeypatch):
    room, (phone,) = room_of(1, file=tmp_path / "class.json")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("notebook_sne.engine.machine.files.write", full)
    room.do("ask", n=0)
    assert room.vote(phone, 0, 1, "a")
    room.keep()
    assert "No space left" in room.facts()["trouble"]
    monkeypatch.undo()
    room.keep()
    assert room.facts()["trouble"] == ""


def test_a_file_that_cannot_be_written_is_told_at_once(tmp_path):
    with pytest.raises(OSError, match="no folder"):
        Room(file=tmp_path / "nowhere" / "class.json")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_votes_from_many_threads_are_all_counted():
    room, phones = room_of(40)
    room.do("ask", n=1)
    threads = [
        threading.Thread(target=lambda part=part: [room.vote(phone, 1, 1, k % 11) for k, phone in enumerate(part)])
        for part in (phones[:20], phones[20:])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    room.do("show")
    assert sum(n for _, n in room.facts()["poll"]["counts"]) == 40
