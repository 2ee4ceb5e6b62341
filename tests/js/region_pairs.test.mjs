// Lines between regions: which there are, where they go, what they say, and what hands and keys do with them.
import assert from "node:assert/strict";
import test from "node:test";

import { install, pen } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { MockClock, buffer, frameOf, load, playerModel } from "./mocks.mjs";

install();
const { KnownObjects } = await load("player/objects.js");
const { PlayerHub } = await load("player/hub.js");
const { Names } = await load("player/map/names.js");
const { RegionPairs, distanceTo, readPairs, widthOf } = await load("player/map/region_pairs.js");
const { PairKey } = await load("player/panels/pair_key.js");
const { Selection } = await load("player/map/selection.js");
const { Stage } = await load("player/stage.js");

const HOSTILE = "<script>alert(1)</script>";
// Of four classes: a and b are joined, a and c sometimes, b and d neighbors, all others apart.
const COUNTS = Uint32Array.of(...[10, 0, 0], ...[4, 2, 4], ...[0, 1, 9], ...[0, 0, 10], ...[0, 6, 4], ...[0, 0, 10]);

function scene({ classNames = ["a", "b", "c", "d"], ...traits } = {}) {
  const classes = Uint16Array.from({ length: 80 }, (_, i) => Math.floor(i / 20));
  const given = { class_names: classNames, classes: new DataView(classes.buffer), n_objects: 80 };
  const model = playerModel({ ...given, region_pairs: new DataView(COUNTS.buffer), show_names: "none", ...traits });
  const clock = new MockClock();
  const hub = new PlayerHub(model, clock);
  const stage = Object.assign(new Stage(), { size: [400, 400] });
  const centers = [[-1, 0], [1, 0], [-1, 1], [1, 1]]; // biome-ignore format: as a table
  const points = Float32Array.from({ length: 160 }, (_, j) => {
    const i = j >> 1;
    return centers[classes[i]][j % 2] + 0.1 * Math.sin(97 * i + j);
  });
  stage.points = points;
  Object.assign(stage.window, { x: 0, y: 0, width: 4 });
  const objects = new KnownObjects(model, 80);
  const names = new Names({ hub, stage, objects, selection: new Selection(80) });
  const told = [];
  const pairs = new RegionPairs({ hub, stage, objects }, names, (words) => told.push(words));
  return { model, clock, hub, stage, objects, names, pairs, told, points };
}

const { signal } = new AbortController();
const keyOf = ({ hub, pairs, objects }, say = () => {}) => new PairKey({ hub, objects, signal, say }, pairs);

test("pairs are read in the order of the classes, and the least sure come first", () => {
  const all = readPairs(COUNTS, 4);
  eachIs(all, ({ a, b, kind }) => `${a}${b} ${kind}`, [
    ...["02 dashed", "13 dotted", "03 null", "01 solid", "12 null", "23 null"],
  ]);
  assert.equal(readPairs(Uint32Array.of(0, 0, 0), 2).length, 0, "regions that no fit holds together");
  assert.equal(readPairs(new Uint32Array(0), 65535).length, 0, "classes without counts, however many");
});

test("lines lead from clump to clump, and follow the points", () => {
  const { pairs, stage, points, clock } = scene();
  const near = (at, x, y) => assert.ok(Math.hypot(at[0] - x, at[1] - y) < 12, `${at} is not at ${x}, ${y}`);
  const solid = () => pairs.lines().find(({ pair }) => pair.kind === "solid");
  assert.equal(pairs.lines().length, 3);
  near(solid().from, 100, 200);
  near(solid().to, 300, 200);
  stage.points = points.map((x, j) => x + (j % 2)); // all of it moves up
  near(solid().from, 100, 100);
  clock.run(400);
  near(solid().to, 300, 100);
  stage.points = points.map(() => 0); // as at the start of a run
  clock.run(400);
  assert.deepEqual(pairs.lines(), [], "lines of no length say nothing");
});

test("a class in two clumps is reached at the nearer one, one all over the map at its mean", () => {
  const { pairs, stage, points } = scene();
  // Half of a lies on the other side of c.
  stage.points = points.map((x, j) => (j < 20 ? [-1, 4][j % 2] + 0.02 * Math.sin(31 * j) : x));
  const [dashed] = pairs.lines();
  assert.equal(pairs.names.groups.known.filter(({ k }) => k === 0).length, 2);
  assert.ok(Math.hypot(dashed.from[0] - 100, dashed.from[1] - 200) < 15, `${dashed.from}`);
  const wide = scene();
  wide.stage.points = wide.points.map((x, j) => (j < 40 ? 2 * Math.sin(1.7 * j * j) : x));
  assert.ok(!wide.pairs.names.groups.find(wide.stage.points).some(({ k }) => k === 0));
  assert.equal(wide.pairs.names.groups.places(wide.stage.points).get(0).length, 1);
});

test("each kind has its dashes, and disagreement its number", () => {
  const { pairs } = scene();
  const ink = pen();
  Object.assign(pairs.stage.theme, { soft: "gray", text: "black" });
  pairs.paint(ink);
  const inks = ink.calls.flatMap(([name, look]) => (name === "stroke" && look.width < 4 ? [look.stroke] : []));
  assert.deepEqual(inks, ["gray", "gray", "black"], "most fits join neither of the first two");
  const dashes = ink.calls.filter(([name]) => name === "setLineDash").map(([, dash]) => dash.join());
  assert.deepEqual(dashes, ["", "9,6", "", "0.1,6", "", "", ""]);
  eachIs([5, 1], (joined) => widthOf("dashed", joined, 10), [1.7, 1]);
  const written = ink.calls.filter(([name]) => name === "fillText");
  eachIs(written, ([, text]) => text, ["4/10"]);
  pairs.names.written = [{ box: { left: 0, top: 0, width: 400, height: 400 } }];
  const other = pen();
  pairs.paint(other);
  assert.ok(!other.calls.some(([name]) => name === "fillText"), "no number lies beneath a name");
});

test("a line that is pointed at tells its numbers once", () => {
  const { pairs, told } = scene();
  pairs.paint(pen());
  pairs.look([200, 203], "mouse");
  pairs.look([210, 200], "mouse");
  assert.deepEqual(told, ["a and b are joined in 10 of 10 fits, neighbors in 0, apart in 0"]);
  pairs.look([200, 240], "mouse");
  assert.equal(pairs.looked, null);
  assert.equal(pairs.pick([200, 212], "mouse"), null);
  assert.equal(pairs.pick([200, 212], "touch").kind, "solid");
  assert.equal(distanceTo([5, 5], [0, 0], [0, 0]), Math.hypot(5, 5));
});

test("lines are hidden by their switch and with the labels", () => {
  const { pairs, model, hub, clock, objects } = scene();
  const said = [];
  const key = keyOf({ hub, pairs, objects }, (words) => said.push(words));
  key.update();
  assert.equal(key.element.hidden, false);
  pairs.paint(pen());
  key.toggle();
  clock.run(50);
  key.update();
  assert.equal(model.get("show_pairs"), false);
  assert.deepEqual([pairs.seen, pairs.lines(), pairs.pick([200, 200], "mouse"), pairs.said], [[], [], null, ""]);
  assert.deepEqual([key.words.getAttribute("data-off"), key.element.hidden, key.element.inert], ["true", false, false]);
  key.toggle();
  assert.deepEqual(said, ["Lines between regions are hidden", "Lines between regions are shown"]);
  model.set("hide_labels", true);
  key.update();
  assert.ok(!pairs.there && key.element.inert, "they would tell of the labels");
  key.toggle();
  assert.equal(said.length, 2);
});

test("the key says what lines mean, and a table what they say, of names as texts", () => {
  const { pairs, hub, objects } = scene({ classNames: [HOSTILE, "b", "c", "d"] });
  const key = keyOf({ hub, pairs, objects });
  for (const words of ["joined in nearly all of 10 fits", "in some of 10 fits: in how many", "neighbors in most of 10"])
    assert.ok(key.words.textContent.includes(words), words);
  assert.match(pairs.said, /^solid line: joined in nearly all of 10 fits · dashed line: .* · dotted line: /);
  key.fill();
  assert.equal(key.table.textContent, "", "not before it is asked for");
  key.fold.open = true;
  key.fill();
  key.fill();
  assert.match(key.table.textContent, /6 pairs, the least sure first/);
  assert.ok(key.table.textContent.includes(`${HOSTILE} and c42410`), key.table.textContent);
  assert.equal(pairs.sentence(pairs.all[0]), `${HOSTILE} and c are joined in 4 of 10 fits, neighbors in 2, apart in 4`);
});

test("a slider says of how many fits the focus knows", () => {
  const blurs = Uint8Array.from({ length: 240 }, (_, j) => (j < 80 ? 0 : j % 3));
  const { pairs, hub, model, objects } = scene({ blurs: new DataView(blurs.buffer), focus: 3 });
  const key = keyOf({ hub, pairs, objects });
  key.update();
  assert.deepEqual([key.slider.max, key.slider.value, key.told.textContent.slice(0, 11)], ["3", "3", "3 of 3 fits"]);
  assert.deepEqual([...objects.blur], [...blurs.subarray(160)]);
  key.slider.value = "1";
  key.slider.fire("input");
  key.update();
  assert.equal(model.get("focus"), 1);
  assert.equal(key.told.textContent, "1 of 3 fits. One map looks sure of everything.");
  assert.equal(objects.blur, null);
  model.set("focus", 2);
  model.set("hide_labels", true);
  assert.equal(objects.blur, null, "regions are labels");
});

test("without a certainty there is nothing", () => {
  const { pairs, hub, clock } = scene({ region_pairs: undefined });
  hub.receive(frameOf(1), [buffer(...new Array(160).fill(0))]);
  clock.run(50);
  assert.deepEqual([pairs.there, pairs.shown, pairs.lines(), pairs.said], [false, false, [], ""]);
});

test("if all regions are apart, the key says so", () => {
  const apart = Uint32Array.from(COUNTS, (_, j) => (j % 3 === 2 ? 10 : 0));
  const { pairs, hub, objects } = scene({ region_pairs: new DataView(apart.buffer) });
  const key = keyOf({ hub, pairs, objects });
  assert.equal(key.words.textContent, "no line: all regions are apart in most of 10 fits");
});
