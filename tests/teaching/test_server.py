"""The server of a class, with real lines: two hundred phones, and what bad ones may try."""

import asyncio
import gc
import json
import socket
import struct
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from notebook_sne.browser.teaching import websocket as served
from notebook_sne.browser.teaching.broadcast import Broadcast
from notebook_sne.browser.teaching.question import Question
from notebook_sne.browser.teaching.room import Room
from notebook_sne.browser.teaching.server import PENDING, Server
from notebook_sne.browser.teaching.websocket import LARGEST, VERSION
from tests.standins.waiting import PATIENCE

CHOICE = Question("Which? <script>alert(1)</script>", ["a", "b"])


@pytest.fixture
def server():
    made = Server(Room("A lecture", [CHOICE, Question("How many?", bounds=[0, 10])]))
    yield made
    made.close()


def address(server, path="", kind="http"):
    return f"{kind}://127.0.0.1:{server.port}/{server.room.code}{path}"


def get(url, **headers):
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=PATIENCE)


async def soon(true):
    """Wait until something holds in the server's thread."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


class Line:
    """A line as a page has it: what it is told, by kinds."""

    def __init__(self, line):
        self.line = line
        self.state = {}
        self.said = {}
        self.frames = []
        self.others = []
        self.number = 0

    @classmethod
    async def open(cls, server, hello, headers=None):
        request = HTTPRequest(address(server, "/line", "ws"), headers=headers or {})
        made = cls(await websocket_connect(request))
        if hello is not None:
            await made.say(kind="join", version=VERSION, **hello)
        return made

    async def say(self, **told):
        await self.line.write_message(json.dumps(told))

    async def hear(self, seconds=PATIENCE):
        try:
            message = await asyncio.wait_for(self.line.read_message(), seconds)
        except TimeoutError:
            raise AssertionError("nothing came") from None
        if message is None:
            return None
        if isinstance(message, bytes):
            self.frames.append(message)
            return {"kind": "frame"}
        told = json.loads(message)
        if told["kind"] == "state":
            self.state = told
        elif told["kind"] == "said":
            self.said[told["id"]] = told
        else:
            self.others.append(told)
        return told

    async def until(self, true, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not true(self):
            told = await self.hear(max(end - time.monotonic(), 0.01))
            if told is None:
                raise ConnectionError("the line was closed")

    async def ask(self, **told):
        self.number += 1
        await self.say(id=self.number, **told)
        await self.until(lambda line: self.number in line.said)
        return self.said[self.number]


def test_pages_say_the_version_and_the_orders_of_the_server():
    """Two languages, one protocol."""
    front = Path(served.__file__).parents[1] / "frontend" / "teaching"
    assert f"export const VERSION = {VERSION};" in (front / "websocket.js").read_text()
    assert f"const ORDERS = {json.dumps(served.ORDERS)};" in (front / "follow.js").read_text()


def phone(k):
    return {"token": f"token of phone {k:8d}"}


def test_pages_are_there_for_who_knows_the_code_and_for_nobody_else(server):
    kinds = {"/": "html", "/screen": "html", "/phone.js": "javascript", "/phone.css": "css"}
    for path, kind in kinds.items():
        with get(address(server, path)) as answer:
            assert answer.headers["Content-Type"].startswith(f"text/{kind}")
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            text = answer.read().decode()
        assert "alert(1)" not in text
        assert server.room.key not in text
    for wrong in ("/", "/line", "/screen", "/phone.js"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(f"http://127.0.0.1:{server.port}/ABCDEF{wrong}")
    with get(f"http://127.0.0.1:{server.port}/") as answer:
        assert server.room.code not in answer.read().decode()
    with get(f"http://127.0.0.1:{server.port}/?code={server.room.code.lower()}") as answer:
        assert answer.url == address(server, "/")


async def test_codes_cannot_be_tried_by_a_program(server):
    seen = set()
    with get(address(server, "/")) as answer:
        badge = answer.headers["Set-Cookie"].partition(";")[0]
    for k in range(30):
        try:
            get(f"http://127.0.0.1:{server.port}/{k:06d}/")
        except urllib.error.HTTPError as error:
            seen.add(error.code)
    assert seen == {404, 429}
    with pytest.raises(urllib.error.HTTPError, match="429"):
        get(address(server, "/"))  # a program that finds it is not told
    with get(address(server, "/"), Cookie=badge) as answer:
        assert answer.status == 200, "a page that was here is let in: a whole room may have one address"
    with pytest.raises(HTTPClientError, match="429"):
        await Line.open(server, phone(1))
    assert (await Line.open(server, phone(1), {"Cookie": badge})).line


def test_it_listens_on_this_machine_alone_unless_it_is_told_to(server):
    bound = Server(Room(), lan=True)
    try:
        assert {one[4][0] for one in socket.getaddrinfo("127.0.0.1", server.port)} == {"127.0.0.1"}
        own = socket.gethostbyname(socket.gethostname())
        if own.startswith("127."):
            pytest.skip("this machine has no other address")
        with pytest.raises(OSError):
            socket.create_connection((own, server.port), 2)
        socket.create_connection((own, bound.port), 2).close()
    finally:
        bound.close()


@pytest.mark.parametrize("n", [20, pytest.param(200, marks=pytest.mark.slow)])
async def test_all_phones_vote_and_none_is_lost(server, n):
    lines = [await Line.open(server, phone(k)) for k in range(n)]
    lecturer = await Line.open(server, {"key": server.room.key})
    await lecturer.until(lambda line: line.state.get("present") == n)
    await lecturer.ask(kind="do", action="ask", n=0)
    await asyncio.gather(*(one.until(lambda line: line.state.get("stage") == "open") for one in lines))
    assert lines[0].state["question"]["question"] == CHOICE.question
    votes = [one.ask(kind="vote", n=0, round=1, value="ab"[k % 3 == 0]) for k, one in enumerate(lines)]
    done = await asyncio.gather(*votes)
    assert all(one["done"] for one in done)
    await lecturer.ask(kind="do", action="show")
    await lecturer.until(lambda line: line.state["poll"]["stage"] == "shown")
    assert lecturer.state["poll"]["counts"] == [["a", n - len(range(0, n, 3))], ["b", len(range(0, n, 3))]]
    late = await Line.open(server, phone(500))
    await late.until(lambda line: line.state)
    assert (late.state["stage"], late.state["number"]) == ("shown", n + 1)
    for one in lines:
        one.line.close()


async def test_a_phone_that_slept_comes_back_to_its_answer(server):
    server.room.do("ask", n=0)
    one = await Line.open(server, phone(1))
    await one.ask(kind="vote", n=0, round=1, value="a")
    one.line.close()
    await soon(lambda: server.room.present == 0)
    back = await Line.open(server, phone(1))
    await back.until(lambda line: line.state)
    assert back.state["yours"] == "a"
    assert (await back.ask(kind="vote", n=0, round=1, value="b"))["done"]
    assert server.room.count() == (1, 1)


async def test_a_student_does_nothing_that_is_a_lecturers(server):
    one = await Line.open(server, phone(1))
    await one.say(kind="do", action="ask", n=0)
    await one.say(kind="command", name="set", knobs={"perplexity": 5}, id=7)
    await one.until(lambda line: 7 in line.said)
    assert "knob is with another" in one.said[7]["refused"]
    assert server.room.current is None
    false = await Line.open(server, {"key": "guessed"})
    await false.until(lambda line: None in line.said)
    assert server.room.facts()["present"] == 1


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
async def test_pages_of_other_origins_get_no_line(server, origin):
    with pytest.raises(HTTPClientError, match="403"):
        await Line.open(server, phone(1), {"Origin": origin})
    await Line.open(server, phone(1), {"Origin": f"http://127.0.0.1:{server.port}"})


NONSENSE = [
    "", "null", "[]", "{}", "x" * 1000, '{"kind":"vote"}', '{"kind":"vote","n":0,"round":1,"value":{"a":[]}}',
    '{"kind":"vote","n":"0","round":null,"value":"a"}', '{"kind":"ack","seq":-1}', '{"kind":"watch","number":"1"}',
    '{"kind":"hand","up":3}', '{"kind":"drawing","image":5}', '{"kind":"command","name":"__class__","knobs":{}}',
    "[" * 5000,
    '{"kind":' + "9" * 5000 + "}",
    '{"kind":"join","version":1,"token":"again and again and again"}', '{"kind":"do","action":"ask","n":0}',
]  # fmt: skip


async def test_nonsense_is_not_counted_and_closes_nothing(server):
    server.room.do("ask", n=0)
    one = await Line.open(server, phone(1))
    for text in NONSENSE:
        await one.line.write_message(text)
    await one.say(kind="vote", n=0, id="x" * 30_000)
    await one.until(lambda line: None in line.said)
    assert len(json.dumps(one.said)) < 1000, "what comes back is no longer than a page would make it"
    end = time.monotonic() + PATIENCE
    while not (await one.ask(kind="vote", n=0, round=1, value="a"))["done"]:
        assert time.monotonic() < end, "its allowance grows again"
    assert server.room.count() == (1, 1)


async def test_a_message_too_large_closes_its_own_line_alone(server):
    one, other = await Line.open(server, phone(1)), await Line.open(server, phone(2))
    await one.line.write_message("x" * (LARGEST + 1))
    with pytest.raises(ConnectionError):
        await one.until(lambda line: False)
    assert (await other.ask(kind="vote", n=0, round=1, value="a"))["done"] is False


@pytest.mark.slow
async def test_ten_thousand_votes_of_one_phone_keep_nobody_waiting(server):
    server.room.do("ask", n=0)
    loud, other = await Line.open(server, phone(1)), await Line.open(server, phone(2))
    text = json.dumps({"kind": "vote", "n": 0, "round": 1, "value": "a"})

    async def shout():
        for _ in range(10_000):
            await loud.line.write_message(text)

    shouting = asyncio.ensure_future(shout())
    assert (await other.ask(kind="vote", n=0, round=1, value="b"))["done"]
    try:
        await shouting
    except Exception:  # its line was closed
        pass
    server.room.do("show")
    assert server.room.facts()["poll"]["counts"] == [["a", 1], ["b", 1]]


async def test_half_open_connections_and_pages_of_another_version(server, monkeypatch):
    monkeypatch.setattr(served, "JOINING", 0.2)
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(PENDING + 30)]
    for one in idle:
        one.send(b"GET /")
    silent = await Line.open(server, None)
    old = await Line.open(server, None)
    await old.say(kind="join", version=0, token="a token of an old page")
    await old.until(lambda line: {"kind": "reload"} in line.others)
    with pytest.raises(ConnectionError):
        await silent.until(lambda line: False)
    assert (await (await Line.open(server, phone(1))).ask(kind="vote", n=0, round=1, value="a"))["done"] is False
    for one in idle:
        one.close()


async def test_a_line_that_reads_nothing_is_closed(server, monkeypatch):
    """What waits for it in memory has an end, and no other line notices."""
    server.room.title = "x" * 30_000  # so that the line that reads may be many messages late
    _deaf, other = await Line.open(server, phone(1)), await Line.open(server, phone(2))
    await other.until(lambda line: line.state.get("present") == 2)
    (line,) = [one for one in server.lines if one.phone.number == 1]
    monkeypatch.setattr(line.stream, "_handle_write", lambda: None)  # its socket takes nothing
    while server.room.present == 2:
        server.tell_soon()
        await other.hear()
    assert line.unsent < served.MOST_UNSENT + 3 * 32_000
    assert (await other.ask(kind="vote", n=0, round=1, value="a"))["done"] is False


def test_phones_that_go_at_once_print_nothing(server, caplog, capfd):
    async def hold():
        server.room.do("ask", n=0)
        other = await Line.open(server, phone(100))
        for k in range(10):
            one = await Line.open(server, phone(k))
            await one.until(lambda line: line.state)
            one.line.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            await one.say(kind="vote", n=0, round=1, value="a")
            one.line.stream.close()
            server.tell_soon()
        await soon(lambda: server.room.present == 1)
        assert (await other.ask(kind="vote", n=0, round=1, value="b"))["done"]

    asyncio.run(hold())
    server.close()
    gc.collect()
    assert not [one for one in caplog.records if one.levelname == "ERROR"]
    assert "Traceback" not in capfd.readouterr().err


async def test_a_room_that_is_emptied_sends_its_phones_away(server):
    one, lecturer = await Line.open(server, phone(1)), await Line.open(server, {"key": server.room.key})
    before = address(server, "/")
    await lecturer.ask(kind="do", action="empty")
    await one.until(lambda line: {"kind": "gone"} in line.others)
    await lecturer.until(lambda line: server.room.code in line.state["address"]["join"])
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(before)
    assert (await Line.open(server, phone(1))).line


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"])
async def test_a_name_that_is_not_this_machines_is_refused(server, host):
    """A page elsewhere can lead its own name to this machine, and would be the class's own origin."""
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(address(server, "/"), Host=f"{host}:{server.port}")
    with pytest.raises(HTTPClientError, match="404"):
        await Line.open(server, phone(1), {"Host": host, "Origin": f"http://{host}"})
    for own in ("localhost", "127.0.0.1", "[::1]", socket.gethostname()):
        with get(address(server, "/"), Host=f"{own}:{server.port}") as answer:
            assert answer.status == 200


async def test_a_killed_server_comes_back_at_its_address_with_its_votes(tmp_path):
    file = tmp_path / "class.json"
    first = Server(Room("A lecture", [CHOICE], file=file))
    first.room.do("ask", n=0)

    async def vote(server, k):
        one = await Line.open(server, phone(k))
        await one.ask(kind="vote", n=0, round=1, value="a")

    await vote(first, 1)
    first.drop()
    second = Server(Room(file=file))
    try:
        assert address(second) == address(first)
        await vote(second, 2)
        await vote(second, 1)
        assert second.room.count() == (2, 2)
    finally:
        second.close()


async def test_followers_get_pictures_and_the_one_with_the_knob_is_heard(server):
    heard = []
    broadcast = Broadcast(1, lambda: '{"traits":{}}', lambda: b"<!DOCTYPE html>", heard.append)
    one, two = await Line.open(server, phone(1)), await Line.open(server, phone(2))
    server.follow(broadcast)
    await one.until(lambda line: line.state.get("follow") == 1)
    for line in (one, two):
        await line.say(kind="watch", number=1)
    await soon(lambda: broadcast.followers == 2)
    broadcast.put({"iteration": 3}, [b"1234"])
    for line in (one, two):
        await line.until(lambda line: line.frames)
        assert line.frames[0].endswith(b"1234")
    await two.say(kind="hand", up=True)
    await two.until(lambda line: line.state["knob"] == "asked")
    server.room.do("give")
    await two.until(lambda line: line.state["knob"] == "yours")
    await two.say(kind="command", name="set", knobs={"perplexity": 5})
    refused = await two.ask(kind="command", name="restart")
    assert "name must be one of" in refused["refused"]
    assert heard == [{"name": "set", "knobs": {"perplexity": 5}}]
    one.line.close()
    await soon(lambda: broadcast.followers == 1)
    server.follow(None)
    await two.until(lambda line: line.state["follow"] is None)
    with get(address(server, "/")) as answer:
        assert answer.status == 200
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(address(server, "/map/1"))


async def test_a_slow_follower_holds_up_nobody(server):
    broadcast = Broadcast(1, lambda: "", lambda: b"", lambda told: None)
    slow, quick = await Line.open(server, phone(1)), await Line.open(server, phone(2))
    server.follow(broadcast)
    for line in (slow, quick):
        await line.say(kind="watch", number=1)
    await soon(lambda: broadcast.followers == 2)
    for k in range(20):
        broadcast.put({"iteration": k}, [bytes(1000)])
        await quick.until(lambda line, k=k: len(line.frames) > k)
        await quick.say(kind="ack", seq=broadcast._seq)
    # What is said on its line comes after the pictures before it.
    await slow.ask(kind="vote", n=0, round=1, value="a")
    assert 1 <= len(slow.frames) <= 2


async def test_ended_classes_say_so_and_are_gone():
    server = Server(Room("A lecture"))
    one = await Line.open(server, phone(1))
    await one.until(lambda line: line.state)
    server.room.end()
    await one.until(lambda line: line.state["ended"])
    server.close()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.port), 1)


def test_a_taken_port_is_an_error_that_says_so(server):
    with pytest.raises(OSError, match=f"port must be free, got {server.port}"):
        Server(Room(), port=server.port)
    other = Server(Room())
    assert other.port != server.port
    other.close()


def test_pages_of_the_course_are_served_and_nothing_else_of_a_folder(tmp_path):
    (tmp_path / "01-a.html").write_text('<!DOCTYPE html><meta name="generator" content="notebook_sne 1">lecture')
    (tmp_path / "mine.html").write_text("<p>something else</p>")
    (tmp_path / "02-b.html").write_text('<!DOCTYPE html><meta name="generator" content="notebook_sne 1">another')
    (tmp_path / "secret.txt").write_text("secret")
    server = Server(Room(), folder=tmp_path, lecture=1)
    try:
        with get(address(server, "/course/01-a.html")) as answer:
            assert b"lecture" in answer.read()
        for path in ("mine.html", "02-b.html", "secret.txt", "../secret.txt", "%2e%2e/secret.txt"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                get(address(server, f"/course/{path}"))
    finally:
        server.close()
