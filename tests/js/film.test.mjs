// The film and what goes with it: going back, going on, knobs, dragged objects and questions, without a page.
import assert from "node:assert/strict";
import test from "node:test";

import { eachIs } from "./each.mjs";
import { MockClock, MockModel, MockView, buffer, empty, frameOf, inView, load, packFilm } from "./mocks.mjs";

const { Film, asPacked, packPoints, unpackFilm } = await load("player/recording/film.js");
const { PlayerHub: Hub } = await load("player/hub.js");
const { Requests } = await load("player/recording/requests.js");

const near = (a, b, tolerance = 1e-3) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

function stage(traits = {}) {
  const model = new MockModel({ live: true, film: empty(), n_objects: 2, has_images: true, ...traits });
  const there = inView(Hub, model);
  there.clock.run(300);
  return there;
}

let seq = 0;
function frame(hub, iteration, points, more = {}) {
  seq += 1;
  const facts = { seq, moment: 10 + seq, cost: 9 - iteration / 1000, model_name: "TSNE", present: { jitter: 0 } };
  hub.receive(frameOf(iteration, { ...facts, ...more }), [buffer(...points)]);
}
const line = (i) => [i, 0, -i, 1];

test("a packed film is read, wherever it lies in memory", () => {
  const packed = packFilm(
    [
      { iteration: 0, points: [1, 2, -3, 4] },
      { iteration: 10, points: [10, 20, -30, 40], knobs: { jitter: 0.5 } },
    ],
    [{ iteration: 0, kind: "start", text: "café" }],
  );
  const shifted = new Uint8Array(packed.byteLength + 3);
  shifted.set(new Uint8Array(packed.buffer), 3);
  for (const data of [packed, packed.buffer, new DataView(shifted.buffer, 3)]) {
    const { n_objects, marks, frames } = unpackFilm(data);
    assert.equal(n_objects, 2);
    assert.equal(marks[0].text, "café");
    const film = new Film();
    film.merge({ marks, frames });
    [10, 20, -30, 40].forEach((x, i) => near(film.between(10)[i], x, 40 / 32767));
    assert.deepEqual(film.at(1).knobs, { jitter: 0.5 });
    assert.ok(film.at(0).packed instanceof Int16Array, "frames stay packed until they are shown");
  }
});

test("what is no film is refused with a reason", () => {
  const packed = new Uint8Array(packFilm([{ iteration: 0, points: [1, 2, 3, 4] }]).buffer);
  assert.throws(() => unpackFilm(packed.slice(0, 3)), /cut off/);
  assert.throws(() => unpackFilm(packed.slice(0, 20)), /cut off/);
  assert.throws(() => unpackFilm(packed.slice(0, -8)), /frames are missing/);
  const text = '{"version": 7}';
  const newer = new Uint8Array(4 + text.length);
  new DataView(newer.buffer).setUint32(0, text.length, true);
  newer.set(new TextEncoder().encode(text), 4);
  assert.throws(() => unpackFilm(newer), /version 7/);
  const { hub } = stage({ live: false, film: new DataView(newer.buffer) });
  assert.match(hub.trouble, /version 7/);
});

test("between two frames points go straight, and one of no extent is no trouble", () => {
  const film = new Film();
  film.add({ iteration: 0 }, Float32Array.of(0, 0, 0, 0));
  film.add({ iteration: 10 }, Float32Array.of(8, -4, 2, 0));
  const quarter = film.between(2.5);
  [2, -1, 0.5, 0].forEach((x, i) => near(quarter[i], x));
  const [before, exact] = [film.between(0), film.between(10)];
  assert.equal(before[0], 0);
  near(exact[0], 8);
  near(quarter[0], 2, 1e-3); // two later frames have not overwritten it
  assert.equal(film.nearest(4.9), 0);
  assert.equal(film.nearest(5.1), 1);
  assert.equal(film.iterationAt(film.place(7)), 7);
  assert.equal(packPoints(Float32Array.of(NaN, 1)).packed[1], 32767);
  assert.equal(new Film().between(3).length, 0);
});

test("frames of other objects are no part of a film, and a cut keeps the frame that it is made at", () => {
  const film = new Film();
  for (const iteration of [0, 10, 20]) film.add({ iteration }, Float32Array.of(iteration, 0, 2, 0));
  film.add({ iteration: 30 }, Float32Array.of(1, 2, 3, 4, 5, 6));
  assert.deepEqual([film.length, film.last], [3, 20]);
  film.cut(10);
  assert.deepEqual([film.length, film.last], [2, 10]);
});

test("whole numbers that a frame brought are kept as they came", () => {
  const whole = Int16Array.of(0, 32767, -32767, 5);
  const buffer = new DataView(whole.buffer);
  const film = new Film();
  film.add(
    { iteration: 0 },
    Float32Array.from(whole, (q) => q * 0.5),
    asPacked(buffer, 0.5),
  );
  const packed = packPoints(Float32Array.from(whole, (q) => q * 0.5));
  assert.deepEqual([film.at(0).half, [...film.at(0).packed]], [packed.half, [...packed.packed]]);
  whole.fill(0); // the film's are its own
  assert.deepEqual([...film.at(0).packed], [0, 32767, -32767, 5]);
  assert.equal(asPacked(buffer, undefined), undefined);
});

test("a long film is thinned evenly and keeps its first, its last and its marked frames", () => {
  const film = new Film({ frames: 100 });
  film.marks = [{ iteration: 777 }, { iteration: 1501 }];
  for (let i = 0; i <= 3000; i++) film.add({ iteration: i }, Float32Array.of(i, 0));
  assert.ok(film.length <= 100 && film.length > 90);
  const iterations = film.frames.map((one) => one.iteration);
  assert.equal(iterations[0], 0);
  assert.equal(film.last, 3000);
  for (const { iteration } of film.marks) assert.ok(iterations.includes(iteration), `${iteration} is gone`);
  const gaps = iterations.slice(1).map((one, k) => one - iterations[k]);
  assert.ok(Math.max(...gaps) <= 100, `a gap of ${Math.max(...gaps)}`); // 30 on average
});

test("more marks than frames thin too, and bytes are bounded", () => {
  const film = new Film({ frames: 1000, bytes: 50 * 8 });
  film.marks = Array.from({ length: 500 }, (_, iteration) => ({ iteration }));
  for (let i = 0; i < 500; i++) film.add({ iteration: i }, new Float32Array(4));
  assert.equal(film.length, 50);
  assert.equal(film.bytes, 50 * 8);
  film.add({ iteration: 499 }, new Float32Array(4)); // of the same iteration: in its place
  assert.equal(film.length, 50);
});

test("100 frames of 70,000 objects stay in their bounds, and what lies between two is made of both", () => {
  const film = new Film();
  const points = Float32Array.from({ length: 140000 }, (_, i) => Math.sin(i));
  for (let i = 0; i < 200; i++)
    film.put({ iteration: i, ...(i ? { half: 1, packed: film.at(0).packed.slice() } : packPoints(points)) });
  film.thin();
  assert.ok(film.bytes <= 48e6);
  for (let k = 0; k < 20; k++) {
    const shown = film.between(k + 0.5);
    assert.ok(shown.length === 140000 && shown.every(Number.isFinite));
  }
});

test("frames that were shown are kept; the kernel's film is asked for once and joins them", () => {
  const { model, hub } = stage();
  hub.add(new MockView());
  assert.equal(model.requests("film").length, 1);
  for (const i of [20, 22]) frame(hub, i, line(i));
  hub.receive({ kind: "film" }, [packFilm([0, 10, 20].map((iteration) => ({ iteration, points: line(iteration) })))]);
  eachIs(hub.film.frames, "iteration", [0, 10, 20, 22]);
  assert.equal(hub.film.at(3).model, "TSNE");
  hub.scrubTo(10);
  near(hub.shownPoints()[0], 10);
  assert.equal(hub.shownFacts().iteration, 10);
  assert.equal(hub.shownPoints(), hub.shownPoints(), "the same until something changes");
  hub.scrubTo(15);
  near(hub.shownPoints()[0], 15);
  hub.scrubTo(null);
  assert.equal(hub.shownPoints(), hub.points);
});

test("a short film serves until it is played: then the whole one is asked for", () => {
  const { model, hub } = stage();
  hub.add(new MockView());
  for (const i of [0, 20]) frame(hub, i, line(i));
  for (const iteration of [null, 10, 15]) hub.scrubTo(iteration);
  eachIs(model.requests("film"), "short", [true, false]);
});

test("going back keeps the film; going on from there cuts what came after", () => {
  const { hub } = stage();
  for (let i = 0; i <= 100; i += 10) frame(hub, i, line(i));
  frame(hub, 40, line(40), { status: "paused", recorded_to: 100 }); // wound back from Python
  assert.equal(hub.film.last, 100);
  assert.equal(hub.trace.iterations.at(-1), 100);
  frame(hub, 57, line(-57), { recorded_to: 57 });
  eachIs(hub.film.frames, "iteration", [0, 10, 20, 30, 40, 57], "50 was on the way not taken");
  assert.deepEqual(hub.trace.iterations, [0, 10, 20, 30, 40, 57]);
  frame(hub, 0, line(1), { recorded_to: 0 }); // restarted
  assert.equal(hub.film.length, 1);
  near(hub.film.between(0)[0], 1);
});

test("a recording that lags behind cuts nothing", () => {
  const { hub } = stage();
  for (const i of [90, 95, 99]) frame(hub, i, line(i), { recorded_to: 90 });
  assert.equal(hub.film.length, 3);
});

test("going on stands at its frame at once, and late frames do not move it", () => {
  const { model, clock, hub } = stage();
  for (let i = 0; i <= 700; i += 100) frame(hub, i, line(i));
  hub.scrubTo(200);
  hub.goOn(200);
  const [seek, play] = model.commands();
  assert.deepEqual([seek.name, seek.iteration, play.name], ["seek", 200, "play"]);
  assert.equal(hub.scrub, null);
  assert.equal(hub.words(), "going back…");
  assert.ok(hub.playing());
  near(hub.shownPoints()[0], 200, 0.1);
  frame(hub, 710, line(710));
  frame(hub, 720, line(720), { heard: play.id }); // it was on its way when the kernel heard
  near(hub.shownPoints()[0], 200, 0.1);
  assert.equal(hub.facts.iteration, 200);
  clock.run(20);
  assert.equal(model.sent.at(-1).kind, "ack", "but they are acknowledged");
  frame(hub, 205, line(-205), { heard: play.id });
  assert.equal(hub.words(), "running");
  assert.equal(hub.points[0], -205);
  assert.equal(hub.film.last, 205);
  assert.equal(hub.trace.iterations.at(-1), 205);
});

test("a kernel that never answers leaves the picture where the hand put it, and says so", () => {
  const { clock, hub } = stage();
  for (let i = 0; i <= 300; i += 100) frame(hub, i, line(i));
  hub.goOn(100);
  clock.run(4000);
  frame(hub, 400, line(400));
  assert.match(hub.words(), /going back – the kernel is busy/);
  near(hub.shownPoints()[0], 100, 0.1);
});

test("a film alone sends nothing, is never missed by a kernel, and plays", () => {
  const film = packFilm(
    [0, 50].map((iteration) => ({ iteration, points: line(iteration + 1), knobs: { perplexity: 30 } })),
  );
  const { model, clock, hub } = stage({ live: false, film, status: "recorded" });
  near(hub.shownPoints()[0], 51);
  clock.run(60000);
  for (const name of ["play", "pause", "restart"]) hub.command(name);
  hub.turn("perplexity", 3);
  hub.release(["perplexity"]);
  hub.hold([0], [5, 5]);
  hub.letGo();
  hub.goOn(0);
  hub.requests.want([0, 1]);
  hub.requests.neighbors(0);
  clock.run(5000);
  assert.deepEqual(model.sent, []);
  assert.equal(hub.words(), "film");
  assert.equal(hub.connected, true);
  hub.scrubTo(0);
  near(hub.shownPoints()[0], 1);
  assert.deepEqual(hub.shownFacts().present, { perplexity: 30 });
});

test("dragged objects stay in the hand, and after letting go until a frame shows the move", () => {
  const { model, clock, hub } = stage();
  frame(hub, 5, [0, 0, 1, 1]);
  hub.hold([1], Float32Array.of(7, 8));
  frame(hub, 6, [0.1, 0, 1.1, 1]);
  eachIs(hub.shownPoints(), (x) => Number(x.toFixed(1)), [0.1, 0, 7, 8]);
  assert.deepEqual(model.commands(), [], "nothing is sent while the hand holds");
  hub.letGo();
  const [move] = model.commands();
  assert.deepEqual([move.name, move.objects], ["move", [1]]);
  assert.deepEqual([...new Float32Array(model.buffers.at(-1)[0])], [7, 8]);
  assert.equal(hub.words(), "moving…");
  frame(hub, 7, [0, 0, 1, 1]);
  assert.equal(hub.shownPoints()[2], 7);
  frame(hub, 8, [0, 0, 1, 1], { heard: move.id }); // made before the move
  assert.equal(hub.shownPoints()[2], 7);
  frame(hub, 9, [0, 0, 6.5, 7.5], { heard: move.id });
  assert.equal(hub.shownPoints()[2], 6.5);
  hub.hold([0], Float32Array.of(3, 3));
  hub.abandon();
  assert.equal(hub.shownPoints()[0], 0);
  assert.equal(model.commands().length, 1);
  // A move that was heard and never shows, as it was refused, is let go of.
  hub.hold([0], Float32Array.of(3, 3));
  hub.letGo();
  frame(hub, 10, [0, 0, 1, 1], { heard: model.commands().at(-1).id });
  clock.run(600);
  hub.receive({ kind: "heartbeat", moment: 1e6, status: "paused", heard: model.commands().at(-1).id }, []);
  assert.equal(hub.shownPoints()[0], 0);
});

test("a command of another page, heard since, shows that ours was heard", () => {
  const { model, clock, hub } = stage({ status: "paused" });
  hub.command("restart");
  hub.receive({ kind: "heartbeat", moment: 20 + seq, status: "paused", heard: "other:4" }, []);
  assert.ok(hub.pending, "it may have been heard before");
  clock.run(2500);
  hub.receive({ kind: "heartbeat", moment: 21 + seq, status: "paused", heard: "other:4" }, []);
  assert.equal(hub.pending, null);
  assert.equal(model.commands().length, 1);
});

test("a knob that is turned shows at once and is sent ten times a second, the last value always", () => {
  const { model, clock, hub } = stage();
  frame(hub, 1, line(1), { present: { jitter: 0.2 } });
  assert.deepEqual(hub.knob("jitter"), { value: 0.2, turned: false });
  for (let k = 1; k <= 60; k++) {
    hub.turn("jitter", k / 100);
    assert.deepEqual(hub.knob("jitter"), { value: k / 100, turned: true });
    clock.run(16);
  }
  clock.run(200);
  const sent = model.commands();
  assert.ok(sent.length >= 9 && sent.length <= 12, `${sent.length} messages in 0.96 s`);
  assert.ok(sent.every(({ name }) => name === "set"));
  assert.deepEqual(sent.at(-1).knobs, { jitter: 0.6 });
  frame(hub, 2, line(1), { present: { jitter: 0.2 } });
  assert.equal(hub.knob("jitter").value, 0.6, "an older value does not turn it back");
  frame(hub, 3, line(1), { present: { jitter: 0.6 }, turned: ["jitter"], heard: sent.at(-1).id });
  frame(hub, 4, line(1), { present: { jitter: 0.9 }, turned: ["jitter"] });
  assert.equal(hub.knob("jitter").value, 0.9, "from then on the kernel tells, as Python may turn it too");
  hub.release(["jitter"]);
  assert.equal(hub.knob("jitter").turned, false);
  assert.deepEqual(model.commands().at(-1).knobs, ["jitter"]);
});

test("a refused value gives way to what the kernel has; turning keeps a pending pause", () => {
  const { model, clock, hub } = stage({ status: "running" });
  frame(hub, 1, line(1));
  hub.command("pause");
  hub.turn("jitter", 5);
  assert.equal(hub.pending.name, "pause");
  const { id } = model.commands().at(-1);
  frame(hub, 2, line(2), { status: "paused", heard: id });
  assert.equal(hub.knob("jitter").value, 5);
  clock.run(1100);
  frame(hub, 2, line(2), { status: "paused", heard: id });
  assert.deepEqual(hub.knob("jitter"), { value: 0, turned: false });
});

test("images are asked for in batches, once, and what is looked at comes first", () => {
  const { model, clock, view, hub } = stage({ n_objects: 1000 });
  hub.requests.want(Array.from({ length: 600 }, (_, i) => i));
  hub.requests.want([999], true);
  assert.equal(model.requests("images").length, 0, "a moment is waited for more");
  clock.run(70);
  const [first] = model.requests("images");
  assert.equal(first.indices.length, 256);
  assert.equal(first.indices[0], 999);
  clock.run(200);
  assert.equal(model.requests("images").length, 2, "no more than two batches are under way");
  hub.receive({ kind: "images", indices: first.indices, width: 2, height: 1 }, [
    new DataView(Uint8Array.from({ length: 512 }, (_, i) => i % 251).buffer),
  ]);
  assert.deepEqual([...hub.requests.image(first.indices[1]).pixels], [2, 3]);
  assert.equal(view.images.length, 256);
  clock.run(1000);
  const asked = model.requests("images").flatMap(({ indices }) => indices);
  assert.equal(new Set(asked).size, asked.length);
  assert.equal(asked.length, 601);
  hub.requests.want([...first.indices]);
  clock.run(500);
  assert.equal(model.requests("images").flatMap(({ indices }) => indices).length, 601);
  hub.requests.want([700]);
  hub.requests.want([701]); // the view has moved on
  clock.run(500);
  assert.deepEqual(model.requests("images").at(-1).indices, [701]);
});

test("images in color have three bytes for each pixel", () => {
  const { hub } = stage({
    live: false,
    images: new DataView(Uint8Array.from({ length: 12 }, (_, i) => i).buffer),
    image_size: [2, 1, 3],
  });
  assert.deepEqual(hub.requests.image(1), { width: 2, height: 1, pixels: Uint8Array.of(6, 7, 8, 9, 10, 11) });
  const live = stage();
  live.hub.receive({ kind: "images", indices: [0, 1], width: 1, height: 1, channels: 3 }, [
    new DataView(Uint8Array.of(1, 2, 3, 4, 5, 6).buffer),
  ]);
  assert.deepEqual([...live.hub.requests.image(1).pixels], [4, 5, 6]);
});

test("a page has its images and neighbors in itself", () => {
  const { model, hub } = stage({
    live: false,
    images: new DataView(Uint8Array.of(1, 2, 3, 4).buffer),
    image_size: [2, 1],
    neighbors: new DataView(Uint32Array.of(1, 0).buffer),
  });
  assert.deepEqual(hub.requests.image(1), { width: 2, height: 1, pixels: Uint8Array.of(3, 4) });
  assert.equal(hub.requests.image(2), undefined);
  assert.deepEqual(hub.requests.neighbors(1), [0]);
  assert.deepEqual(model.sent, []);
});

test("neighbors are asked for once; springs and scores are kept", () => {
  const { model, hub } = stage();
  assert.equal(hub.requests.neighbors(1), null);
  hub.requests.neighbors(1);
  assert.equal(model.requests("neighbors").length, 1);
  hub.receive({ kind: "neighbors", index: 1, indices: [0] }, []);
  assert.deepEqual(hub.requests.neighbors(1), [0]);
  hub.receive({ kind: "springs", of: 1, pull: [], push: [] }, []);
  hub.receive({ kind: "scores", of: "cost", iteration: 3, low: 1, high: 2 }, [buffer(1, 2)]);
  assert.equal(hub.springs.of, 1);
  assert.deepEqual([...hub.scores.get("cost").values], [1, 2]);
});

test("marks come by trait, by frame and with the film", () => {
  const marks = [{ iteration: 3, kind: "knob", text: "jitter 0.1 (turned)" }];
  assert.deepEqual(stage({ marks }).hub.marks, marks);
  assert.deepEqual(stage({ live: false, film: packFilm([{ iteration: 0, points: line(1) }], marks) }).hub.marks, marks);
  const { hub } = stage();
  frame(hub, 5, line(5), { marks });
  frame(hub, 6, line(6));
  assert.deepEqual(hub.marks, marks);
});

test("stopping leaves no timer and no listener", () => {
  const { model, clock, hub } = stage();
  frame(hub, 1, line(1));
  hub.requests.want([1]);
  hub.turn("jitter", 1);
  hub.turn("jitter", 2);
  hub.stop();
  assert.equal(clock.jobs.size, 0);
  assert.equal(model.listeners.size, 0);
});

test("of an object with few neighbors in the data no false ones are told", () => {
  const table = new DataView(Uint32Array.from([2, 1, 1, 1, 1, 1, 0, 0, 0]).buffer);
  const requests = new Requests({
    model: new MockModel({ neighbors: table, n_objects: 3 }),
    live: false,
    clock: new MockClock(),
  });
  eachIs([0, 1, 2], (i) => requests.neighbors(i), [[2, 1], [], [0]]);
});
