// A comparison: maps turned to lie alike, and one transport for all views, on a very small page.
import assert from "node:assert/strict";
import test from "node:test";

import { FakeElement, fakeDocument, install } from "./dom.mjs";
import { MockClock, MockModel, buffer, frameOf, load, playerModel, scattered } from "./mocks.mjs";

install();
const { facing, turned, turnedBack } = await load("compare/facing.js");
const { TransportView } = await load("compare/transport.js");
const { hubsOnPage } = await load("shared/widget.js");
const { PlayerHub } = await load("player/hub.js");

const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 1e-5);

test("a map that was turned, mirrored, grown and moved is turned back onto the other one", () => {
  const goal = scattered(60);
  for (const flip of [false, true]) {
    const other = turned(goal, { cos: Math.cos(2), sin: Math.sin(2), flip });
    const found = facing(other, goal);
    assert.equal(found.flip, flip);
    assert.ok(near(turned(other, found), goal));
    assert.ok(near(turnedBack(turned(other, found), found), other), "and there again");
    const grown = other.map((value, i) => 5 * value + (i % 2 ? 3 : -2));
    const same = facing(grown, goal);
    assert.ok(Math.abs(same.cos - found.cos) < 1e-5 && Math.abs(same.sin - found.sin) < 1e-5);
  }
});

test("no rotation does better than the one that is found", () => {
  const [a, b] = [scattered(40), scattered(80).slice(40)];
  const error = (places) => places.reduce((sum, value, i) => sum + (value - goal[i]) ** 2, 0);
  const centered = (all) => {
    const middle = [0, 1].map((k) => all.reduce((sum, value, i) => sum + (i % 2 === k ? value : 0), 0) / 20);
    return all.map((value, i) => value - middle[i % 2]);
  };
  const [points, goal] = [centered(a), centered(b)];
  const best = error(turned(points, facing(points, goal)));
  for (let k = 0; k < 60; k++) {
    const angle = (k / 60) * 2 * Math.PI;
    const { flip } = facing(points, goal);
    assert.ok(error(turned(points, { cos: Math.cos(angle), sin: Math.sin(angle), flip })) >= best - 1e-6);
  }
});

test("a map is not flipped to and fro for little, and nothing is turned to nothing", () => {
  const even = Float32Array.of(1, 0, -1, 0, 0.5, 0, -0.5, 0); // on a line: its mirror image is itself
  assert.equal(facing(even, even, false).flip, false);
  assert.equal(facing(even, even, true).flip, true);
  assert.equal(facing(even, new Float32Array(4)), null);
  assert.equal(facing(new Float32Array(0), new Float32Array(0)), null);
  assert.equal(facing(new Float32Array(8), even), null, "all in one place");
});

/** Two players of four objects, and their transport. */
function compared() {
  const clock = new MockClock();
  const models = ["SNE", "t-SNE"].map((title) => playerModel({ title }));
  const hubs = models.map((model) => new PlayerHub(model, clock));
  const keys = hubs.map((hub, k) => {
    hubsOnPage().set(`view ${k}`, hub);
    return `view ${k}`;
  });
  let seq = 0;
  const frame = (k, iteration, points, status = "running") => {
    seq += 1;
    hubs[k].receive(frameOf(iteration, { seq, moment: 10 + seq, status }), [buffer(...points)]);
  };
  const model = new MockModel({ views: keys, align: true });
  const transport = new TransportView(model, fakeDocument.body, clock);
  return { models, hubs, frame, model, transport, clock, press: (name) => transport.root.control(name).click() };
}

test("one Play plays all, and one Pause pauses those that run", () => {
  const { models, frame, transport, press } = compared();
  for (const k of [0, 1]) frame(k, 1, [0, 0, 1, 0, 0, 2, 1, 1], "paused");
  press("play");
  const names = () => models.map((model) => model.commands().map(({ name }) => name));
  assert.deepEqual(names(), [["play"], ["play"]]);
  assert.ok(transport.root.control("play").hidden && !transport.root.control("pause").hidden);
  frame(1, 2, [0, 0, 1, 0, 0, 2, 1, 1], "finished");
  press("pause");
  assert.equal(names()[0].at(-1), "pause");
  press("restart");
  assert.deepEqual([names()[0].at(-1), names()[1].at(-1)], ["restart", "restart"]);
  transport.remove();
});

test("the slider has a curve for each film, which its key names", () => {
  const { transport, frame } = compared();
  for (const k of [0, 1]) for (const i of [0, 10, 20]) frame(k, i, [0, 0, 1, 0, 0, 2, i, 1]);
  const { curve } = transport.bar.timeline;
  assert.deepEqual(
    curve.hubs.map((hub) => hub.model.get("title")),
    ["SNE", "t-SNE"],
  );
  const [key] = transport.root.all(".nsne-costs-key");
  const dashes = key.all("path").map((line) => line.getAttribute("stroke-dasharray"));
  assert.deepEqual([dashes, key.textContent], [["", "7 3"], "SNEt-SNE"]);
  transport.remove();
});

test("one slider goes through all films in step", () => {
  const { models, hubs, frame, transport, press } = compared();
  for (let i = 0; i <= 100; i += 10) frame(0, i, [0, 0, 1, 0, 0, 2, i, 1]);
  for (let i = 0; i <= 50; i += 10) frame(1, i, [0, 0, 1, 0, 0, 2, i, 1]);
  const slider = transport.root.control("film");
  const where = () => transport.root.find('[data-part="film-where"]').textContent;
  assert.deepEqual([slider.max, where()], ["10", "now"]);
  slider.value = "3";
  slider.fire("input");
  assert.deepEqual([hubs[0].scrub, hubs[1].scrub, where()], [30, 30, "film: step 30 of 100"]);
  slider.value = "7";
  slider.fire("input");
  assert.deepEqual([hubs[0].scrub, hubs[1].scrub], [70, null], "the shorter one shows its present");
  slider.value = "5";
  slider.fire("input");
  assert.deepEqual([hubs[0].scrub, hubs[1].scrub], [50, null], "its last step is its present");
  press("go-on");
  const names = models.map((model) => model.commands().map(({ name }) => name));
  assert.deepEqual(names, [["seek", "play"], ["play"]]);
  slider.value = "10";
  slider.fire("input");
  assert.deepEqual([hubs[0].scrub, hubs[1].scrub], [null, null]);
  transport.remove();
});

test("maps are shown turned to the first one; what a hand holds is on the run's own map", () => {
  const { models, hubs, frame, model, transport, press } = compared();
  const first = [0, 0, 1, 0, 0, 2, -1, -2];
  const other = turned(first, { cos: 0, sin: 1, flip: true });
  frame(0, 1, first);
  frame(1, 1, other);
  assert.ok(near(hubs[1].shownPoints(), first) && near(hubs[0].shownPoints(), first));
  assert.equal(hubs[1].facing.to, "SNE");
  hubs[1].hold([1], Float32Array.of(1, 0.5));
  assert.ok(near(hubs[1].shownPoints().slice(2, 4), [1, 0.5]), "it is where the hand is");
  hubs[1].letGo();
  const sent = new Float32Array(models[1].buffers.at(-1)[0]);
  assert.ok(near(sent, turned([1, 0.5], { cos: 0, sin: 1, flip: true })));
  model.save_changes = () => {
    throw new Error("a saved notebook has no kernel");
  };
  press("align");
  assert.deepEqual([model.get("align"), hubs[1].facing], [false, null]);
  transport.remove();
  assert.equal(hubs[1].views.size, 0);
});

test("an object that is looked at in one map is ringed in the others", () => {
  const hubs = ["a", "b"].map((key) => {
    const hub = new PlayerHub(
      new MockModel({ key, live: true, film: new DataView(new ArrayBuffer(0)) }),
      new MockClock(),
    );
    hubsOnPage().set(key, hub);
    return hub;
  });
  const model = new MockModel({ views: ["a", "b"], align: true });
  const view = new TransportView(model, new FakeElement("div"), new MockClock());
  const [one, two] = hubs;
  one.look(3);
  assert.deepEqual([one.marked, two.marked], [-1, 3]);
  two.look(5);
  assert.deepEqual([one.marked, two.marked], [5, 3]);
  one.look(-1);
  assert.deepEqual([one.marked, two.marked], [5, -1]);
  view.remove();
  assert.deepEqual([one.marked, two.marked], [-1, -1], "nothing stays behind");
  for (const hub of hubs) hub.stop();
});
