"""A class of many phones: ``python -m benchmarks.classroom``; with ``--network`` over a network that delays and stalls.

The lecturer's process runs t-SNE of 1,797 digits and serves the class on one core; the phones are lines of another
process, which has the other core, as if they were other machines (Linux). For 0, 40 and 200 phones: updates a second of
the run before a map is followed and while it is; from a picture to each follower (median of all, worst follower), bytes
a second a follower; from a vote to the lecturer's count, and from *Show the votes* to the bars; the memory that the
class takes.

With ``--network`` a relay stands between: each piece of up to 16 kB takes 30 to 50 ms each way, and one in fifty waits
200 ms more, as one that is sent again.
"""

import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.teaching.line import VERSION

PHONES = (0, 40, 200)
SECONDS = 15
SEEDS = range(3)
VOTES = 40  # of them, one after the other
PIECE, DELAY, STALL, STALLED = 16_384, (0.03, 0.05), 0.2, 0.02  # bytes, s, s, and the share that waits so


# ---- phones ----


async def phone(address, k, told):
    """Follow the map and vote when asked; note when each picture came, by its iteration."""
    from tornado.websocket import websocket_connect

    line = await websocket_connect(f"{address.replace('http', 'ws')}/line")
    await line.write_message(json.dumps({"kind": "join", "version": VERSION, "token": f"a token of phone {k:6d}"}))
    said = 0
    while (message := await line.read_message()) is not None:
        now = time.monotonic()
        if isinstance(message, bytes):
            length = int.from_bytes(message[:4], "little")
            content = json.loads(message[4 : 4 + length])
            told["frames"].append((k, content["iteration"], now, len(message)))
            await line.write_message(json.dumps({"kind": "ack", "seq": content["seq"]}))
            continue
        content = json.loads(message)
        if content["kind"] != "state":
            continue
        if content["ended"]:
            return
        if content["follow"] is not None and told["watching"].get(k) != content["follow"]:
            told["watching"][k] = content["follow"]
            await line.write_message(json.dumps({"kind": "watch", "number": content["follow"]}))
        if content.get("stage") == "open" and content["round"] > said:
            said = content["round"]
            if k < VOTES:
                await asyncio.sleep(0.3 * k)  # one after the other, so that each is timed alone
            vote = {"kind": "vote", "n": content["n"], "round": said, "value": "ab"[k % 2]}
            told["votes"].append((k, time.monotonic()))
            await line.write_message(json.dumps(vote))


async def phones(address, n):
    """Be so many phones until the class is over, and write what they saw to standard output."""
    told = {"frames": [], "watching": {}, "votes": []}
    lines = []
    for k in range(n):
        lines.append(asyncio.ensure_future(phone(address, k, told)))
        await asyncio.sleep(0.01)
    print("here", flush=True)
    await asyncio.gather(*lines)
    print(json.dumps(told), flush=True)


# ---- the network ----


async def pump(reader, writer):
    """Pass on what comes, later, and in its order."""
    due = 0.0
    pieces = asyncio.Queue()

    async def send():
        while (piece := await pieces.get()) is not None:
            at, data = piece
            await asyncio.sleep(max(at - time.monotonic(), 0))
            writer.write(data)
            await writer.drain()
        writer.close()

    sending = asyncio.ensure_future(send())
    while data := await reader.read(PIECE):
        late = random.uniform(*DELAY) + STALL * (random.random() < STALLED)
        due = max(due, time.monotonic() + late)
        pieces.put_nowait((due, data))
    pieces.put_nowait(None)
    await sending


async def relay(port):
    """Stand between phones and the class on a port; print the port of the relay."""

    async def join(reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, back), pump(there, writer), return_exceptions=True)

    server = await asyncio.start_server(join, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


# ---- the lecturer ----


def room_for(n, behind):
    """Let phones in, and let them follow; return the class, its player and the process that is the phones."""
    digits = ns.datasets.load_digits()
    player = ns.watch(ns.TSNE(random_state=0, max_iter=1_000_000), digits, autoplay=False)
    player.run.wait()
    classroom = ns.classroom("Bench")
    port, code = classroom.server.port, classroom.room.code
    if behind:
        command = [sys.executable, "-m", "benchmarks.classroom", "--relay", str(port)]
        port = int(subprocess.Popen(command, stdout=subprocess.PIPE, text=True).stdout.readline())
    address = f"http://127.0.0.1:{port}/{code}"
    command = [sys.executable, "-m", "benchmarks.classroom", "--phones", address, str(n)]
    others = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    others.stdout.readline()
    until(lambda: classroom.room.present == n)
    return classroom, player, others


def until(true, seconds=120):
    """Wait for something that happens elsewhere."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("the phones did not come")
        time.sleep(0.01)


def memory():
    """Return the largest memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def rate(run, seconds=SECONDS):
    """Return the updates of a run in a second."""
    began, at = time.monotonic(), run.state.iteration
    time.sleep(seconds)
    return (run.state.iteration - at) / (time.monotonic() - began)


def one_class(n, behind):
    """Measure a class of `n` phones."""
    classroom, player, others = room_for(n, behind)
    row = {"phones": n}
    made = {}
    player.run.play()
    time.sleep(2)
    row["updates alone"] = rate(player.run, 5)
    classroom.follow(player)
    put = classroom._audience.broadcast.put

    def noted(content, buffers):
        made[content["iteration"]] = time.monotonic()
        put(content, buffers)

    classroom._audience.broadcast.put = noted
    time.sleep(1)
    row["updates"] = rate(player.run)
    player.run.pause()
    classroom.follow(None)
    time.sleep(0.5)
    if n:
        row |= votes(classroom, n)
    row["memory"] = memory()
    classroom.close()
    seen = json.loads(others.stdout.readline())
    others.wait()
    player.discard()
    return row | pictures(seen, made, n)


def votes(classroom, n):
    """Ask a question; return the milliseconds from each of some votes to the count, and from show to the bars."""
    question = ns.predict(f"Which of them, of {n}?", ["a", "b"])
    counted = []
    room = classroom.room
    seen = room.count

    def count():
        answered, present = seen()
        if not counted or counted[-1][0] != answered:
            counted.append((answered, time.monotonic()))
        return answered, present

    room.count = count  # what the server reads before it tells the lecturer
    classroom.ask(question)
    until(lambda: seen()[0] == n)
    time.sleep(0.5)
    began = time.monotonic()
    classroom.show()
    shown = time.monotonic() - began
    room.count = seen
    return {"counted": counted, "show ms": 1000 * shown}


def pictures(seen, made, n):
    """Return how long pictures took, and how many bytes a second they were."""
    late, worst, size = [], {}, 0
    for k, iteration, came, length in seen["frames"]:
        size += length
        if iteration in made and came >= made[iteration]:
            late.append(came - made[iteration])
            worst.setdefault(k, []).append(late[-1])
    if not late:
        return {"votes": seen["votes"]}
    return {
        "votes": seen["votes"],
        "frame ms": 1000 * statistics.median(late),
        "frame ms of the worst": 1000 * max(statistics.median(one) for one in worst.values()),
        "frame ms, slowest of all": 1000 * max(late),
        "frames a second": len(late) / SECONDS / n,
        "bytes a second": size / (SECONDS + 1) / n,
        "followers with pictures": len(worst),
    }


def vote_times(row):
    """Return the milliseconds from each timed vote to the count that holds it: the votes came one after the other."""
    counted, late = row.pop("counted", []), []
    sent = sorted(at for _, at in row.pop("votes"))
    for k, at in enumerate(sent):
        came = next((when for answered, when in counted if answered >= k + 1 and when >= at), None)
        if came is not None:
            late.append(1000 * (came - at))
    return {"vote ms": statistics.median(late), "vote ms, slowest": max(late)} if late else {}


def main(behind):
    """Measure each size of class in a process of its own, and keep the medians."""
    rows = []
    for n in PHONES[1 if behind else 0 :]:
        for _ in SEEDS:
            command = [sys.executable, "-m", "benchmarks.classroom", "--one", str(n), *["--network"] * behind]
            row = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
            rows.append(row | vote_times(row))
            print(rows[-1], flush=True)
    table = []
    for n in dict.fromkeys(row["phones"] for row in rows):
        those = [row for row in rows if row["phones"] == n]
        table.append({name: statistics.median(row[name] for row in those) for name in those[0]})
    settings = {"objects": 1797, "seconds": SECONDS, "classes of each size": len(SEEDS)}
    keep("classroom_network" if behind else "classroom", settings, table)


if __name__ == "__main__":
    os.sched_setaffinity(0, {0} if "--one" in sys.argv else {1})
    if "--phones" in sys.argv:
        asyncio.run(phones(sys.argv[2], int(sys.argv[3])))
    elif "--relay" in sys.argv:
        asyncio.run(relay(int(sys.argv[2])))
    elif "--one" in sys.argv:
        print(json.dumps(one_class(int(sys.argv[2]), "--network" in sys.argv)))
        sys.stdout.flush()
        os._exit(0)
    else:
        os.sched_setaffinity(0, {0, 1})
        main("--network" in sys.argv)
