// The modules of the player alone: no browser, a mock of the widget's model.
import assert from "node:assert/strict";
import test from "node:test";

import { eachIs } from "./each.mjs";
import { MockModel, MockView, buffer, frameOf, inView, load } from "./mocks.mjs";

const { floats } = await load("shared/buffers.js");
const { ExplorerHub: Hub } = await load("explorer/hub.js"); // without a film
const { digits, fitting, follow, nearest, newWindow, pan, toPixel, zoom } = await load("shared/window.js");
const { SHAPES, classColor, valueColor } = await load("shared/marks.js");
const { axisTexts, label, ticks } = await load("shared/curve.js");
const { Trace } = await load("shared/trace.js");

function stage(traits, options) {
  const there = inView(Hub, new MockModel(traits), options);
  there.clock.run(300);
  return there;
}

const frame = (seq, more = {}) => frameOf(seq, { cost: 5 - seq / 100, ...more });

test("an unaligned buffer is copied", () => {
  const bytes = new Uint8Array(9);
  bytes.set(new Uint8Array(new Float32Array([1, 2]).buffer), 1);
  assert.deepEqual([...floats(new DataView(bytes.buffer, 1, 8))], [1, 2]);
  assert.equal(floats(undefined).length, 0);
});

test("of many frames only the newest is painted, and one acknowledgement covers all", () => {
  const { model, clock, view, hub } = stage();
  const seen = [];
  view.paint = () => seen.push(hub.points[0]) < 0;
  for (let seq = 1; seq <= 5; seq++) hub.receive(frame(seq), [buffer(seq, 0)]);
  assert.equal(model.kinds().filter((k) => k === "ack").length, 0, "not before it is painted");
  clock.run(20);
  assert.deepEqual(seen, [5]);
  const acks = () => model.sent.filter((m) => m.kind === "ack");
  eachIs(acks(), "seq", [5]);
  assert.equal(hub.frames, 1);
  for (let seq = 6; seq <= 11; seq++) {
    hub.receive(frame(seq), [buffer(seq, 0)]);
    clock.run(seq === 6 ? 600 : 20);
    eachIs(acks(), "seq", seq < 11 ? [5] : [5, 11]); // few frames can wait for those that follow
  }
});

test("a hidden tab, and one where no view is in sight, still acknowledges, by a timer, and says so", () => {
  const { model, clock, hub, view } = stage({}, { hidden: true });
  for (let seq = 1; seq <= 3; seq++) {
    clock.document.hidden = seq === 1;
    hub.painter.sees(view, seq !== 2);
    hub.receive(frame(seq), [buffer(1, 0)]);
    clock.run(260);
  }
  const acks = model.sent.filter(({ kind }) => kind === "ack");
  eachIs(acks, "hidden", [true, true, false]);
});

test("a new view greets and the last one says goodbye", () => {
  const { model, hub, view } = stage();
  const other = new MockView();
  hub.add(other);
  hub.remove(view);
  assert.deepEqual(model.kinds(), ["hello", "hello"]);
  hub.remove(other);
  assert.equal(model.kinds().at(-1), "bye");
});

test("traits restore the picture, the facts and the curve", () => {
  const { hub } = stage({
    moment: 3,
    status: "paused",
    iteration: 7,
    cost: 2,
    snapshot: buffer(1, 2, 3, 4),
    trace: new DataView(Float64Array.of(0, 9, 7, 2).buffer),
  });
  assert.deepEqual([...hub.points], [1, 2, 3, 4]);
  assert.deepEqual({ ...hub.trace }, { iterations: [0, 7], costs: [9, 2] });
  assert.equal(hub.facts.status, "paused");
});

test("older news never replaces newer news", async () => {
  const { model, hub } = stage();
  hub.receive(frame(9), [buffer(9, 0)]);
  await model.update({ moment: 5, status: "idle", snapshot: buffer(1, 1) });
  assert.equal(hub.facts.status, "running");
  assert.equal(hub.points[0], 9);
  hub.receive(frame(2), [buffer(2, 0)]);
  assert.equal(hub.facts.iteration, 9);
});

test("pause stands still at once and ends when the kernel confirms", () => {
  const { model, clock, hub } = stage({ status: "running", moment: 2 });
  hub.receive(frame(1), [buffer(1, 0)]);
  hub.command("pause");
  assert.equal(hub.words(), "pausing…");
  assert.equal(model.sent.at(-1).name, "pause");
  hub.receive(frame(2), [buffer(2, 0)]);
  assert.equal(hub.points[0], 1, "a late frame does not move the picture");
  clock.run(20);
  assert.equal(model.sent.at(-1).seq, 2, "but it is acknowledged");
  clock.run(4000);
  assert.match(hub.words(), /kernel is busy/);
  hub.receive(frame(3, { status: "paused" }), [buffer(3, 0)]);
  assert.equal(hub.words(), "paused");
  assert.equal(hub.points[0], 3);
});

test("a beat that asks is answered by a page that shows the widget, and by no other", () => {
  const { model, hub } = stage({ status: "running", moment: 2 });
  const before = model.sent.length;
  hub.receive({ kind: "heartbeat", moment: 3, status: "running", seq: 7, wants_ack: false }, []);
  assert.equal(model.sent.length, before);
  hub.receive({ kind: "heartbeat", moment: 4, status: "running", seq: 7, wants_ack: true }, []);
  assert.deepEqual([model.sent.at(-1).kind, model.sent.at(-1).seq], ["ack", 7]);
  for (const view of [...hub.views]) hub.remove(view);
  hub.receive({ kind: "heartbeat", moment: 5, status: "running", seq: 8, wants_ack: true }, []);
  assert.equal(model.sent.at(-1).kind, "bye");
});

test("step, play and restart are confirmed by what the kernel heard", () => {
  for (const name of ["step", "play", "restart"]) {
    const { model, hub } = stage({ status: "paused", iteration: 4, moment: 2 });
    hub.command(name);
    assert.ok(hub.pending);
    hub.receive({ kind: "heartbeat", moment: 4, status: "paused", iteration: 4, heard: model.sent.at(-1).id }, []);
    assert.equal(hub.pending, null);
  }
});

test("a silent kernel is noticed, and no command is lost in it", () => {
  const { model, clock, hub } = stage({ status: "running" });
  clock.run(9000);
  assert.equal(hub.connected, false);
  assert.match(hub.words(), /no answer/);
  const before = model.sent.length;
  hub.command("pause");
  assert.equal(model.sent.length, before);
  hub.receive({ kind: "heartbeat", moment: 5, status: "running" }, []);
  assert.equal(hub.words(), "running");
});

test("a model without a kernel does not break the view", () => {
  const model = new MockModel();
  model.send = () => {
    throw new Error("no comm");
  };
  const { hub } = inView(Hub, model);
  assert.equal(hub.connected, false);
});

test("costs that differ by less than single precision tells are told apart, and are at rest", () => {
  const costs = Array.from({ length: 101 }, (_, k) => 1025.94 + 5e-6 * Math.sin(k / 9));
  const pairs = Float64Array.from(costs.flatMap((cost, k) => [292 + k, cost]));
  const { hub } = stage({ trace: new DataView(pairs.buffer) });
  assert.deepEqual(hub.trace.costs, costs);
  assert.ok(hub.trace.rests);
  const trace = new Trace();
  for (let k = 0; k < 15; k++) trace.record(k, 5);
  assert.ok(!trace.rests, "a start is no rest");
  for (let k = 15; k < 40; k++) trace.record(k, 5 + 0.002 * k);
  assert.ok(!trace.rests);
});

test("numbers of an axis that are too wide are one number and what the others are above it", () => {
  const measure = (text) => 6 * text.length;
  assert.deepEqual(axisTexts([0, 200, 400], measure, 60), { texts: ["0", "200", "400"], base: "", width: 18 });
  const fine = axisTexts([1025.944, 1025.9445, 1025.945], measure, 48);
  assert.deepEqual(fine, { texts: ["+0", "+0.0005", "+0.001"], base: "1025.944", width: 42 });
  const finest = axisTexts([1163.413852, 1163.413853], measure, 48);
  assert.deepEqual([finest.base, finest.texts[1]], ["1163.413852", "+0.000001"]);
});

test("the curve begins anew after a restart and stays bounded", () => {
  const { hub } = stage();
  for (let i = 1; i <= 9000; i++) hub.trace.record(i, 1);
  assert.ok(hub.trace.costs.length <= 4000);
  hub.trace.record(0, 3);
  assert.deepEqual({ ...hub.trace }, { iterations: [0], costs: [3] });
  hub.trace.record(10, 2);
  hub.trace.record(20, 1);
  hub.trace.record(10, 5);
  assert.deepEqual({ ...hub.trace }, { iterations: [0, 10], costs: [3, 5] }, "an iteration that was computed anew");
});

test("seconds of preparation are counted in the browser", () => {
  const { clock, hub } = stage({ status: "compiling", moment: 2 });
  for (let i = 0; i < 3; i++) {
    clock.run(1000);
    hub.receive({ kind: "heartbeat", moment: 3 + i, status: "compiling" }, []);
  }
  assert.equal(hub.preparing(), 3);
  assert.equal(hub.words(), "preparing…");
  hub.receive(frame(1), [buffer(1, 1)]);
  assert.equal(hub.preparing(), null);
});

test("the window follows, and no point is left outside however fast the map grows", () => {
  const window = newWindow();
  for (const size of [1e-3, 1, 50, 5, 5]) {
    const points = new Float32Array([-size, 0, size, 0.5 * size, 0, 0]);
    const goal = fitting(points, 600, 400);
    follow(window, goal, 0.03, false);
    for (let i = 0; i < points.length; i += 2) {
      const [x, y] = toPixel(window, points[i], points[i + 1], 600, 400);
      assert.ok(x >= 0 && x <= 600 && y >= 0 && y <= 400, `${x} ${y}`);
    }
  }
  const goal = fitting(new Float32Array([-5, 0, 5, 2]), 600, 400);
  for (let i = 0; i < 100; i++) follow(window, goal, 0.05, false);
  assert.equal(window.width, goal.width);
});

test("the whole map keeps clear of what lies over its borders", () => {
  const points = new Float32Array([-3, -2, 3, 2, 0, 2, 0.5, -2]);
  for (const covered of [
    { top: 0, right: 54, bottom: 0 },
    { top: 43, right: 0, bottom: 74 },
  ]) {
    for (const [width, height] of Object.entries({ 390: 460, 900: 300 })) {
      const window = fitting(points, width, height, undefined, covered);
      const places = [0, 2, 4, 6].map((i) => toPixel(window, points[i], points[i + 1], width, height));
      const [xs, ys] = [0, 1].map((k) => places.map((place) => place[k]));
      assert.ok(Math.min(...xs) > 0 && Math.max(...xs) < width - covered.right, String(xs));
      assert.ok(Math.min(...ys) > covered.top && Math.max(...ys) < height - covered.bottom, String(ys));
      const beside = (low, high, least, most) => Math.abs(low - least - (most - high)) < 1e-3;
      assert.ok(beside(Math.min(...xs), Math.max(...xs), 0, width - covered.right), "in the middle of what is free");
      assert.ok(beside(Math.min(...ys), Math.max(...ys), covered.top, height - covered.bottom));
    }
  }
});

test("little motion: the window jumps, and only when the points need it", () => {
  const window = newWindow();
  const at = (s) => fitting(new Float32Array([-s, -s, s, s]), 600, 400);
  follow(window, at(1), 0.03, true);
  const width = window.width;
  follow(window, at(0.9), 0.03, true);
  assert.equal(window.width, width);
  follow(window, at(2), 0.03, true);
  assert.ok(window.width > 2 * width);
});

test("zooming keeps the point under the pointer, and what was zoomed or moved does not follow", () => {
  const [window, panned] = [0, 1].map(() => ({ ...fitting(new Float32Array([-2, -2, 2, 2]), 600, 400) }));
  const before = toPixel(window, 1, 0.5, 600, 400);
  zoom(window, 1.7, ...before, 600, 400);
  const after = toPixel(window, 1, 0.5, 600, 400);
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) < 1e-9);
  pan(panned, 10, 0, 600);
  const goal = fitting(new Float32Array([-9, -9, 9, 9]), 600, 400);
  for (const held of [window, panned].map((one) => [one, { ...one }]))
    assert.deepEqual([follow(held[0], goal, 1, false), held[0]], [false, held[1]]);
});

test("coincident and missing points give a window, and the nearest point is found within reach only", () => {
  assert.ok(fitting(new Float32Array([1, 1, 1, 1]), 600, 400).width > 0);
  assert.equal(fitting(new Float32Array(0), 600, 400).width, 1);
  const points = new Float32Array([0, 0, 1, 0]);
  const window = fitting(points, 600, 400);
  const [x, y] = toPixel(window, 1, 0, 600, 400);
  assert.equal(nearest(window, points, x + 3, y, 600, 400, 12), 1);
  assert.equal(nearest(window, points, x + 100, y, 600, 400, 12), -1);
});

test("numbers have four significant digits", () => {
  const told = ["6412", "2.551", "0.01235", "–", "0.000", "1797"];
  eachIs([6412.34, 2.5512, 0.012345, null, 0, 1797], (v) => digits(v), told);
  assert.deepEqual(ticks(0, 100, 4), [0, 50, 100]);
  eachIs([0, 250, 12500, 0.25], (value) => label(value), ["0", "250", "12.5k", "0.25"]);
  // Neighbors on an axis are told apart, however close.
  eachIs([1470.2, 1470.4], (value) => label(value, 0.2), ["1470.2", "1470.4"]);
  eachIs([6000, 4000], (value) => label(value, 2000), ["6000", "4000"]);
});

test("168 classes differ in color or shape, in light and dark", () => {
  for (const dark of [false, true]) {
    const looks = new Set(Array.from({ length: 168 }, (_, k) => classColor(k, dark) + SHAPES[k % SHAPES.length]));
    assert.equal(looks.size, 168);
    assert.equal(new Set(Array.from({ length: 99 }, (_, k) => classColor(k, dark))).size, 24);
  }
  assert.match(valueColor(0.37), /^#[0-9a-f]{6}$/);
  assert.notEqual(valueColor(-1), valueColor(2));
});
