"""``notebook-sne class``: questions of a lecture, and what is said when it cannot begin."""

import json
import re
import threading
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from notebook_sne.browser.teaching.room import Room
from notebook_sne.cli import class_
from notebook_sne.cli.command import main
from notebook_sne.cli.tutorials import copy_tutorials, tutorials_folder
from notebook_sne.course.questions import KEPT, polls_of, questions_in
from tests.standins.waiting import PATIENCE, until


@pytest.fixture
def rooms(monkeypatch):
    """The rooms that were made."""
    rooms = []

    class Noted(Room):
        def __init__(self, *arguments, **how):
            super().__init__(*arguments, **how)
            rooms.append(self)

    monkeypatch.setattr("notebook_sne.browser.teaching.room.Room", Noted)
    return rooms


@pytest.fixture
def begun(rooms, monkeypatch):
    """The same; the program ends as soon as one is served."""
    monkeypatch.setattr(class_, "_wait_for_end", lambda room: None)
    monkeypatch.setattr(class_.webbrowser, "open", lambda address: False)
    return rooms


def test_a_class_has_the_questions_of_its_lecture(begun, capsys, tmp_path):
    file = tmp_path / "class.json"
    assert main(["class", "3", "--file", str(file)]) == 0
    (room,) = begun
    asked = [poll.question.question for poll in room.polls]
    assert any(question.startswith("The map starts as a clump") for question in asked)
    assert all(poll.known is not None for poll in room.polls)
    told = capsys.readouterr().out
    assert "Only this machine can open http://127.0.0.1:" in told
    assert f"/screen#{room.key}" in told
    assert str(file) in told
    assert json.loads(file.read_text())["ended"] is True


def test_no_key_is_on_a_command_line(begun, monkeypatch):
    opened = []

    def open_it(address):
        page = Path(urllib.request.url2pathname(urllib.parse.urlparse(address).path))
        opened.append((address, page.read_text(), page))
        return True

    monkeypatch.setattr(class_.webbrowser, "open", open_it)
    assert main(["class", "1"]) == 0
    ((address, text, page),) = opened
    assert begun[0].key not in address
    assert f"/screen#{begun[0].key}" in text
    assert not page.exists(), "it goes with the class"


def test_with_lan_it_says_who_can_join(begun, capsys):
    assert main(["class", "--lan", "--no-browser"]) == 0
    assert "Phones in this network open http://" in capsys.readouterr().out
    assert begun[0].title == "Why is a linear map not enough?"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["99"], "LECTURE must be from 1 to 22, got 99"),
        (["--pages", "nowhere"], "--pages must be a folder"),
        (["--file", "nowhere/class.json"], "no folder"),
    ],
)
def test_what_cannot_begin_is_one_line(arguments, words, capsys):
    assert main(["class", *arguments]) == 1
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_a_file_of_something_else_is_one_line(tmp_path, capsys):
    file = tmp_path / "class.json"
    file.write_text("{}")
    assert main(["class", "--file", str(file)]) == 1
    assert "file must be a file of a class" in capsys.readouterr().err


def test_without_segno_the_way_out_is_named(monkeypatch, capsys):
    monkeypatch.setattr(class_.importlib.util, "find_spec", lambda name: None if name == "segno" else object())
    assert main(["class"]) == 1
    assert "class needs segno: pip install 'notebook_sne[class]'" in capsys.readouterr().err


def test_every_lecture_has_its_questions():
    """As many as it asks, each with what its run has found."""
    source = tutorials_folder()
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    lectures = sorted(path.name for path in source.glob("[0-9][0-9]-*.ipynb"))
    assert list(kept) == lectures
    for name in lectures:
        text = (source / name).read_text(encoding="utf-8")
        polls = polls_of(name)
        assert len(polls) == text.count("ns.predict(") and all(one.question.question[-1] == "?" for one in polls), name
        assert all(poll.known is not None for poll in polls), name
        for poll in polls:
            # Of a question that is put together from parts, its last sentence stands in a cell.
            last = poll.question.question.rstrip("?").split(". ")[-1][-25:]
            assert last in text, (name, last)


HEDGE = r"\b(depend\w*|some(times)?|may|might|usually|(?<!at )most(ly)?|but|either|neither|partly|a little)\b"


def test_no_place_and_no_hedge_gives_an_answer_away():
    """Answers stand at all places about equally often, and none is the only option that hedges."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    asked = [one for questions in kept.values() for one in questions if one["options"]]
    assert len(asked) > 80
    places = {}
    for one in asked:
        options, place = one["options"], one["options"].index(one["truth"])
        places.setdefault(len(options), [0] * len(options))[place] += 1
        hedged = [bool(re.search(HEDGE, option)) for option in options]
        assert not hedged[place] or sum(hedged) > 1, one
    for options, counts in places.items():
        even = sum(counts) / options
        assert max(abs(count - even) for count in counts) <= max(2, 0.1 * even), places


def test_no_file_of_a_student_has_what_was_found(tmp_path):
    copy_tutorials(tutorials_folder(), tmp_path)
    told = {
        json.dumps(one["question"]) for asked in json.loads(KEPT.read_text(encoding="utf-8")).values() for one in asked
    }
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.suffix != ".ipynb":
            text = path.read_text(encoding="utf-8", errors="replace")
            assert '"truth"' not in text and not any(question in text for question in told), path


def test_questions_are_read_from_a_page():
    page = """<div class="view" data-view="prediction"><div class="mount"></div><script type="application/json">
    {"traits":{"key":"k","question":"Which?","options":["a","b"],"bounds":[],"unit":"","places":[],"axis_names":["",""]},
    "bytes":{}}</script></div><div class="outcomes" data-outcomes="one"><details></details>
    <script type="application/json">[{"key":"k","question":"Which?","truth":"b","found":"b"}]</script></div>"""
    (one,) = questions_in(page)
    assert (one["question"], one["truth"]) == ("Which?", "b")


def test_it_serves_until_it_is_ended(rooms, capsys):
    """In a thread of its own, as a program: phones come, the lecturer ends it."""
    thread = threading.Thread(target=main, args=(["class", "2", "--no-browser"],))
    thread.start()
    assert until(lambda: "screen for the projector" in capsys.readouterr().out or not thread.is_alive())
    assert thread.is_alive()
    (room,) = rooms
    with urllib.request.urlopen(f"http://127.0.0.1:{room.port}/{room.code}/", timeout=PATIENCE) as answer:
        assert answer.status == 200
    room.end()
    thread.join(PATIENCE)
    assert not thread.is_alive()
