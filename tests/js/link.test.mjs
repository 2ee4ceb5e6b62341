// The link to the kernel: a busy one, a silent one, and one that has ended.
import assert from "node:assert/strict";
import test from "node:test";

import { eachIs } from "./each.mjs";
import { buffer, inView, load, playerModel } from "./mocks.mjs";

const { PlayerHub: Hub } = await load("player/hub.js");

const ENDED = "kernel ended: run the cell again";

/** A signal as Jupyter's libraries have them. */
class Signal {
  slots = new Set();
  connect = (f) => this.slots.add(f);
  disconnect = (f) => this.slots.delete(f);
  emit = (value) => this.slots.forEach((f) => void f(null, value));
}

function stage({
  kernel = { status: "busy", statusChanged: new Signal(), disposed: new Signal() },
  heard = true,
  ...traits
} = {}) {
  const model = playerModel({ n_objects: 2, status: "running", snapshot: buffer(0, 0, 1, 1), ...traits });
  if (kernel !== undefined) model.widget_manager = { kernel };
  const { clock, hub, view } = inView(Hub, model);
  const beat = () => hub.receive({ kind: "heartbeat", moment: 5, status: "running" }, []);
  if (heard) beat();
  return { model, clock, kernel, hub, view, beat };
}

test("a kernel that is busy, however long, is connected as long as it says its word", () => {
  const { clock, kernel, hub, beat } = stage();
  for (let k = 0; k < 60; k++) {
    kernel.statusChanged.emit("busy");
    clock.run(2000);
    assert.equal(hub.words(), "running");
    beat();
  }
  clock.run(8000);
  assert.equal(hub.words(), "no answer from the kernel");
  kernel.statusChanged.emit("unknown"); // a connection that is being made again
  assert.equal(hub.words(), "no answer from the kernel");
  beat();
  assert.equal(hub.words(), "running");
});

for (const [what, happens] of Object.entries({
  "restarted here": ({ kernel }) => kernel.statusChanged.emit("restarting"),
  "restarted after a crash": ({ kernel }) => kernel.statusChanged.emit("autorestarting"),
  "restarted from elsewhere": ({ kernel }) => kernel.statusChanged.emit("starting"),
  "shut down": ({ kernel }) => kernel.disposed.emit(),
  "found dead": ({ kernel }) => kernel.statusChanged.emit("dead"),
  "ended by its own word": ({ hub }) => hub.receive({ kind: "ended" }, []),
  "lost by a host that tells of widgets only": ({ model }) => model.tell("comm_live_update"),
})) {
  test(`a kernel that was ${what} is known to have ended at once`, () => {
    const one = stage();
    const { model, clock, hub, view } = one;
    hub.command("pause");
    hub.hold([0], [5, 5]);
    const { updated } = view;
    happens(one);
    assert.deepEqual([hub.words(), hub.connected, hub.able(), hub.pending], [ENDED, false, false, null]);
    assert.ok(view.updated > updated, "and shown");
    assert.equal(hub.shownPoints()[0], 0, "what was in the hand goes back");
    const sent = model.sent.length;
    hub.command("play");
    clock.run(20000);
    assert.deepEqual([hub.words(), model.sent.length], [ENDED, sent], "nothing is sent to nobody, and it stays said");
  });
}

test("the last words of a kernel that ends change nothing, but a word long after proves that it is there", () => {
  const { clock, kernel, hub, beat } = stage();
  kernel.statusChanged.emit("restarting");
  clock.run(1500);
  beat();
  hub.receive({ kind: "heartbeat", moment: 6, status: "closed" }, []);
  assert.deepEqual([hub.words(), hub.connected], [ENDED, false]);
  clock.run(10000);
  hub.receive({ kind: "heartbeat", moment: 7, status: "running" }, []);
  assert.deepEqual([hub.words(), hub.connected], ["running", true]);
});

test("what a kernel that speaks has not heard is sent again, as the same command, and ever more seldom", () => {
  const { model, clock, hub } = stage();
  const beat = (heard) => hub.receive({ kind: "heartbeat", moment: 5, status: "paused", heard }, []);
  const commands = () => model.sent.filter(({ kind }) => kind === "command");
  beat("");
  hub.command("play");
  const [first] = commands();
  for (let seconds = 2; seconds <= 40; seconds += 2) {
    clock.run(2000);
    beat("");
  }
  assert.deepEqual(commands(), [first, first, first]);
  beat(first.id);
  clock.run(60000);
  beat(first.id);
  assert.equal(commands().length, 3);
  assert.equal(hub.pending, null);
});

test("a saved notebook that is opened again says to run the cell, with another kernel or with none", () => {
  for (const kernel of [null, { status: "idle" }]) {
    const { clock, hub } = stage({ kernel, heard: false });
    clock.run(4000);
    assert.equal(hub.words(), ENDED);
  }
  const { clock, hub } = stage({ kernel: { status: "busy" }, heard: false });
  clock.run(4000);
  assert.equal(hub.words(), "running", "a busy kernel may be late");
});

test("a run of which nothing is heard says within 3 s that it waits, and asks for a picture when a word comes", () => {
  const { model, clock, hub, beat } = stage();
  const greetings = () => model.sent.filter(({ kind }) => kind === "hello").length;
  clock.run(3000);
  assert.deepEqual([hub.words(), hub.unheard, hub.connected], ["waiting for the server", true, true]);
  const before = greetings();
  beat();
  assert.deepEqual([hub.words(), hub.unheard, greetings()], ["running", false, before + 1]);
});

test("a line that the host knows to be cut is told at once, and a picture is asked for as soon as it is back", () => {
  const connectionStatusChanged = new Signal();
  const kernel = { status: "busy", statusChanged: new Signal(), disposed: new Signal(), connectionStatusChanged };
  const { model, hub } = stage({ kernel });
  connectionStatusChanged.emit("connecting");
  assert.equal(hub.words(), "waiting for the server");
  const before = model.sent.length;
  connectionStatusChanged.emit("connected");
  eachIs(model.sent.slice(before), "kind", ["hello"]);
  hub.stop();
  assert.equal(connectionStatusChanged.slots.size, 0);
});

test("a silent kernel that answers its host is another one, and elsewhere the silence speaks", async () => {
  const ask = (requestKernelInfo) => ({ status: "busy", requestKernelInfo });
  const [none, refused, another] = [undefined, ask(() => Promise.reject()), ask(async () => ({}))];
  for (const kernel of [none, refused, another]) {
    const { clock, hub } = stage({ kernel, heard: false });
    clock.run(5000);
    assert.equal(hub.words(), "running");
    clock.run(4000);
    assert.equal(hub.words(), "no answer from the kernel");
    await new Promise(setImmediate);
    clock.run(4000);
    assert.equal(hub.words(), kernel === another ? ENDED : "no answer from the kernel");
  }
});

test("a closed run stays closed, however silent it is, until its kernel ends", () => {
  const { clock, kernel, hub } = stage();
  hub.receive({ kind: "heartbeat", moment: 6, status: "closed" }, []);
  clock.run(20000);
  assert.equal(hub.words(), "closed: run the cell again");
  kernel.statusChanged.emit("starting"); // the one before has closed its runs in leaving
  assert.equal(hub.words(), ENDED);
});

test("a film needs no kernel, and a hub that is done listens to none", () => {
  const { kernel, hub } = stage({ live: false, heard: false });
  kernel.statusChanged.emit("restarting");
  assert.deepEqual([hub.words(), hub.connected], ["film", true]);
  const { model, kernel: other, hub: live } = stage();
  live.stop();
  assert.equal(other.statusChanged.slots.size + other.disposed.slots.size, 0);
  assert.deepEqual([...model.listeners.keys()], []);
});
