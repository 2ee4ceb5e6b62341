// A class: what is drawn of its votes, and what comes over the line.
import assert from "node:assert/strict";
import test from "node:test";

import { FakeElement, fakeDocument, install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { load } from "./mocks.mjs";

install();
fakeDocument.documentElement = new FakeElement("html");
const { binned, countOf, drawCurve, drawVotes, medianCurve } = await load("teaching/bars.js");
const { Line, unpack } = await load("teaching/websocket.js");
const { PollPanel } = await load("teaching/panel.js");

const CHOICE = { question: "Which?", options: ["a", "b"], bounds: [], unit: "", places: [], axis_names: ["", ""] };
const poll = (more) => ({
  ...{ question: CHOICE, stage: "shown", round: 1, answered: 3, present: 4 },
  counts: [["a", 1], ["b", 2]], // biome-ignore format: pairs
  ...{ first: [], truth: null, found: "", why: "", known: false, ...more },
});

test("a count is of its own answer", () => {
  const { counts } = poll();
  assert.deepEqual([countOf(counts, "b"), countOf(counts, "c")], [2, 0]);
});

test("numbers fall into twenty equal parts, the greatest into the last", () => {
  const answered = [[0, 1], [4.99, 2], [5, 3], [100, 4]]; // biome-ignore format: pairs
  assert.deepEqual(binned(answered, [0, 100]), [3, 3, ...Array(17).fill(0), 4]);
});

test("the middle of curves counts each as often as it was drawn", () => {
  const drawn = (twice) => [[[0, 1], 1], [[1, 0], twice]]; // biome-ignore format: pairs
  assert.deepEqual([medianCurve(drawn(2), 2), medianCurve(drawn(1), 2)].flat(), [1, 0, 0.5, 0.5]);
  assert.deepEqual(medianCurve([], 2), []);
});

test("an open vote shows answers and no bar; a first vote is a line on each bar; what happened has a check", () => {
  const open = drawVotes(poll({ stage: "open", counts: [] }));
  assert.equal(open.all(".nsne-bar").length, 0);
  assert.equal(open.all("[data-option]").length, 2);
  const found = drawVotes(poll({ stage: "found", truth: "b", first: [["a", 2]] }));
  const bars = found.all(".nsne-bar").map((bar) => bar.style.width);
  assert.deepEqual(bars, [`${100 / 3}%`, `${200 / 3}%`]); // of the three who answered, and not of the longest bar
  eachIs(found.all(".nsne-before"), (mark) => mark.style.left, ["100%", "0%"]);
  assert.equal(found.all("[data-truth]").length, 1);
  assert.equal(found.all("[data-truth]")[0].getAttribute("data-option"), "b");
});

test("the curve of the run goes from its first step to its last, the highest cost on top", () => {
  const drawn = drawCurve(poll({ curve: [[0, 10, 40], [3, 3, 1]] })); // biome-ignore format: pairs
  const points = drawn.all("polyline")[0].getAttribute("points").split(" ");
  const [[x0, y0], [x1, y1], [x2, y2]] = points.map((point) => point.split(",").map(Number));
  assert.ok(x0 === 10 && x2 === 590 && x1 === 10 + 580 / 4 && y0 === y1 && y2 > y0);
  assert.match(drawn.textContent, /step 40/);
});

test("answers are text, whatever stands in them", () => {
  const nasty = "<img src=x onerror=alert(1)>";
  const drawn = drawVotes(poll({ question: { ...CHOICE, options: [nasty, "b"] }, counts: [[nasty, 1]] }));
  assert.equal(drawn.all("img").length, 0);
  assert.ok(drawn.textContent.includes(nasty));
});

test("a message with buffers comes apart as it was put together", () => {
  const text = new TextEncoder().encode('{"kind":"frame","sizes":[3,2]}');
  const packed = new Uint8Array(4 + text.length + 5);
  new DataView(packed.buffer).setUint32(0, text.length, true);
  packed.set(text, 4);
  packed.set([1, 2, 3, 4, 5], 4 + text.length);
  const [content, buffers] = unpack(packed.buffer);
  assert.equal(content.kind, "frame");
  const bytes = buffers.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength).join(""));
  assert.deepEqual(bytes, ["123", "45"]);
});

test("a notebook offers what may be done next, and nothing without a class", () => {
  const sent = [];
  const model = { poll: {}, get: () => model.poll, send: (message) => sent.push(message) };
  const panel = new PollPanel(model);
  panel.update();
  assert.equal(panel.element.hidden, true);
  for (const [stage, action] of Object.entries({ ready: "ask", open: "show", shown: "again", found: "again" })) {
    model.poll = poll({ stage });
    panel.update();
    const [button] = panel.element.all("button");
    assert.equal(button.getAttribute("data-control"), action);
    button.fire("click");
    assert.deepEqual(sent.at(-1), { kind: "class", do: action });
  }
});

test("a line that is closed late does not end the one that was begun since", () => {
  const sockets = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() {
      sockets.push(this);
    }
    send() {}
    close() {}
  };
  const { setInterval: ticks, addEventListener: hears, location: place } = globalThis;
  Object.assign(globalThis, { setInterval: () => 0, addEventListener: () => {}, location: new URL("http://class/") });
  const told = [];
  const nothing = () => ({});
  const line = new Line("line", nothing, nothing, (there) => told.push(there), nothing);
  const state = { data: JSON.stringify({ kind: "state" }) };
  sockets[0].onmessage(state);
  line.begin(); // as after a phone has slept
  sockets[1].onmessage(state);
  sockets[0].onclose();
  assert.deepEqual(told, [true]);
  sockets[1].onclose();
  assert.deepEqual(told, [true, false]);
  clearTimeout(line.timer);
  Object.assign(globalThis, { setInterval: ticks, addEventListener: hears, location: place });
});
