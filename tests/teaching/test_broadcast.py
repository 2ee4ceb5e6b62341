"""Pictures of a map: each follower gets the latest, a slow one fewer, and all together no more than a network takes."""

import json

from notebook_sne.browser.teaching.broadcast import AHEAD, BUDGET, FASTEST, Broadcast, Follower, packed


def broadcast_of(size=8, followers=1):
    broadcast = Broadcast(1, lambda: "", lambda: b"", lambda told: None)
    broadcast.followers = followers
    broadcast.put({"iteration": 0, "marks": []}, [bytes(size)])
    return broadcast


def read(message):
    length = int.from_bytes(message[:4], "little")
    content = json.loads(message[4 : 4 + length])
    return content, message[4 + length :]


def test_a_message_holds_its_buffers_behind_its_text():
    content, rest = read(packed({"kind": "frame"}, [b"abc", b"de"]))
    assert (content, rest) == ({"kind": "frame", "sizes": [3, 2]}, b"abcde")


def test_a_follower_that_does_not_answer_gets_no_more():
    broadcast = broadcast_of()
    follower, now, sent = Follower(broadcast), 0.0, 0
    for k in range(50):
        broadcast.put({"iteration": k}, [bytes(8)])
        now += 1
        sent += len(follower.due(now)[0])
    assert sent == AHEAD
    for seq in follower.under_way.copy():
        follower.acknowledge(seq)
    assert not follower.under_way, "an answer for a picture is for that one, too"
    (message,), _ = follower.due(now + 1)
    assert read(message)[0]["iteration"] == 49, "the latest, and not those in between"


def test_an_answer_is_no_more_than_a_number():
    follower = Follower(broadcast_of())
    follower.due(0.0)
    for seq in (None, "1", [], 1e9, {}):
        follower.acknowledge(seq)
    assert len(follower.under_way) == 1
    follower.acknowledge(10**9)
    assert not follower.under_way


def test_pictures_come_no_faster_than_all_together_may():
    assert broadcast_of(size=7188, followers=1).interval == FASTEST
    many = broadcast_of(size=7188, followers=200)
    assert 200 * 7188 / many.interval <= BUDGET
    follower = Follower(many)
    assert len(follower.due(0.0)[0]) == 1
    many.put({}, [bytes(7188)])
    messages, after = follower.due(0.1)
    assert messages == []
    assert after > 0
    assert len(follower.due(0.1 + after + 1e-9)[0]) == 1


def test_marks_come_once_to_each_and_notes_to_all():
    broadcast = broadcast_of()
    early = Follower(broadcast)
    assert read(early.due(0.0)[0][0])[0]["marks"] == []
    broadcast.put({"iteration": 1}, [bytes(8)])
    broadcast.note({"color": "value"})
    late = Follower(broadcast)
    note, frame = early.due(10.0)[0]
    assert json.loads(note) == {"kind": "traits", "traits": {"color": "value"}}
    assert "marks" not in read(frame)[0]
    (first,), _ = late.due(10.0)
    assert read(first)[0]["marks"] == [], "who comes later needs them, and no older note"
    broadcast.put({"iteration": 2, "marks": [{"text": "jump"}]}, [bytes(8)])
    for follower in (early, late):
        follower.acknowledge(broadcast._seq)
        assert read(follower.due(20.0)[0][0])[0]["marks"] == [{"text": "jump"}]
