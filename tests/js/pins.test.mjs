// Pins: who is held at the moment shown, what a hand asks for, and how it is marked.
import assert from "node:assert/strict";
import test from "node:test";

import "./dom.mjs";
import { MockClock, MockModel, buffer, frameOf, load } from "./mocks.mjs";

const { PlayerHub } = await load("player/hub.js");
const { Pins, pinOrder } = await load("player/map/pins.js");
const { Selection } = await load("player/map/selection.js");

const frame = (iteration, pins) => frameOf(iteration, { status: "paused", cost: 1, pins });

function scene() {
  const model = new MockModel({ live: true, n_objects: 3, status: "paused" });
  const hub = new PlayerHub(model, new MockClock());
  const said = [];
  const stage = { count: 3, theme: { text: "#000", ground: [255, 255, 255] }, place: (i) => [10 * i, 20] };
  const selection = new Selection(3);
  const objects = { name: (i) => `object ${i}` };
  const pins = new Pins({ hub, stage, objects, selection, say: (words) => said.push(words) });
  return { model, hub, pins, selection, said };
}

test("objects are held, and let go where all of them are held already", () => {
  assert.deepEqual(pinOrder([1, 2], [2]), { name: "pin", objects: [1, 2] });
  assert.deepEqual(pinOrder([1, 2], [2, 1, 0]), { name: "unpin", objects: [1, 2] });
  assert.equal(pinOrder([], [1]).name, "pin");
});

test("the selected objects are held, or else the keyboard's; without either it is said what to do", () => {
  const { model, pins, selection, said, hub } = scene();
  pins.toggle(-1);
  assert.match(said[0], /Select the objects/);
  pins.toggle(2);
  assert.deepEqual(model.commands().at(-1).objects, [2]);
  selection.set([0, 1]);
  pins.toggle(2);
  const { name, objects } = model.commands().at(-1);
  assert.deepEqual([name, objects], ["pin", [0, 1]]);
  hub.receive(frame(3, [0, 1]), [buffer(0, 0, 1, 0, 0, 1)]);
  assert.deepEqual(pins.held, [0, 1]);
  pins.toggle(-1);
  assert.equal(model.commands().at(-1).name, "unpin");
});

test("the film shows who was held then", () => {
  const { hub, pins } = scene();
  hub.receive(frame(1, []), [buffer(0, 0, 1, 0, 0, 1)]);
  hub.receive(frame(2, [2]), [buffer(0, 0, 1, 0, 0, 1)]);
  hub.receive(frame(3, []), [buffer(0, 0, 1, 0, 0, 1)]);
  assert.deepEqual(pins.held, []);
  hub.scrubTo(2);
  assert.deepEqual(pins.held, [2]);
});

test("each held object wears a pin", () => {
  const { hub, pins } = scene();
  hub.receive(frame(2, [1, 7]), [buffer(0, 0, 1, 0, 0, 1)]);
  const heads = [];
  const pen = { beginPath() {}, moveTo() {}, lineTo() {}, stroke() {}, fill() {}, arc: (x, y) => heads.push([x, y]) };
  pins.paint(pen);
  assert.equal(new Set(heads.map(String)).size, 1); // object 7 is not there
  assert.ok(heads[0][0] === 10 && heads[0][1] < 20);
});
