"""A class of many phones: ``python -m benchmarks.classroom``; with ``--network`` over a network that delays and loses.

The lecturer's process runs t-SNE of 1,797 digits and serves the class; the phones are lines of another process, which
gives way to it (niceness 19), as if they were other machines. For 0, 40 and 200 phones: updates a second of the run;
from a picture to each follower (median of all, worst follower), bytes a second a follower; from a vote to the
lecturer's count, and from *Show the votes* to the bars; the memory that the class takes.

With ``--network``, as root on Linux, the phones are in a network namespace of their own, behind a link with 40 ms of
delay each way, 10 ms of jitter and 2 % of loss.
"""

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import time

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.teaching.line import VERSION

PHONES = (0, 40, 200)
SECONDS = 20
SEEDS = range(3)
VOTES = 40  # of them, one after the other
NETWORK = "nsne-phones"


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


# ---- the lecturer ----


def room_for(n):
    """Let phones in, and let them follow; return the class, its player and the process that is the phones."""
    digits = ns.datasets.load_digits()
    player = ns.watch(ns.TSNE(random_state=0, max_iter=1_000_000), digits, autoplay=False)
    player.run.wait()
    classroom = ns.classroom("Bench", lan=bool(os.environ.get("NSNE_HOST")))
    address = classroom.address["join"]
    if host := os.environ.get("NSNE_HOST"):
        address = f"http://{host}:{classroom.server.port}/{classroom.room.code}"
    inside = ["ip", "netns", "exec", NETWORK] if os.environ.get("NSNE_HOST") else []
    command = [*inside, "nice", "-n", "19", sys.executable, "-m", "benchmarks.classroom", "--phones", address, str(n)]
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


def one_class(n):
    """Measure a class of `n` phones."""
    classroom, player, others = room_for(n)
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


def network():
    """Put the phones behind a slow link; return this side's address."""
    commands = [
        f"ip netns add {NETWORK}",
        "ip link add nsne0 type veth peer name nsne1",
        f"ip link set nsne1 netns {NETWORK}",
        "ip addr add 10.77.0.1/24 dev nsne0",
        "ip link set nsne0 up",
        f"ip netns exec {NETWORK} ip addr add 10.77.0.2/24 dev nsne1",
        f"ip netns exec {NETWORK} ip link set nsne1 up",
        f"ip netns exec {NETWORK} ip link set lo up",
        "tc qdisc add dev nsne0 root netem delay 40ms 10ms loss 2%",
        f"ip netns exec {NETWORK} tc qdisc add dev nsne1 root netem delay 40ms 10ms loss 2%",
    ]
    for command in commands:
        subprocess.run(command.split(), check=True)
    return "10.77.0.1"


def main(behind):
    """Measure each size of class in a process of its own, and keep the medians."""
    if behind:
        os.environ["NSNE_HOST"] = network()
    try:
        rows = []
        for n in PHONES[1 if behind else 0 :]:
            for _ in SEEDS:
                done = subprocess.run(
                    [sys.executable, "-m", "benchmarks.classroom", "--one", str(n)], stdout=subprocess.PIPE, check=True
                )
                row = json.loads(done.stdout)
                rows.append(row | vote_times(row))
                print(rows[-1], flush=True)
    finally:
        if behind:
            subprocess.run(["ip", "netns", "del", NETWORK], check=False)
            subprocess.run(["ip", "link", "del", "nsne0"], check=False)
    table = []
    for n in dict.fromkeys(row["phones"] for row in rows):
        those = [row for row in rows if row["phones"] == n]
        table.append({name: statistics.median(row[name] for row in those) for name in those[0]})
    settings = {"objects": 1797, "seconds": SECONDS, "classes of each size": len(SEEDS)}
    keep("classroom_network" if behind else "classroom", settings, table)


if __name__ == "__main__":
    if "--phones" in sys.argv:
        asyncio.run(phones(sys.argv[2], int(sys.argv[3])))
    elif "--one" in sys.argv:
        print(json.dumps(one_class(int(sys.argv[2]))))
        sys.stdout.flush()
        os._exit(0)
    else:
        main("--network" in sys.argv)
