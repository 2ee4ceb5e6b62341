// Counts per pixel where there are too many objects for marks.
import assert from "node:assert/strict";
import test from "node:test";

import { install } from "./dom.mjs";
import { MockClock, MockModel, MockView, load, numbers, paper } from "./mocks.mjs";

install();
const { Coloring, FAINT, OPACITY, ranks } = await load("player/map/colors.js");
const { BLURS, blurred } = await load("player/map/focus.js");
const { Scatter } = await load("player/map/scatter.js");
const { Selection } = await load("player/map/selection.js");
const { Canvases } = await load("player/map/canvases.js");
const { PlayerHub } = await load("player/hub.js");
const { Stage } = await load("player/stage.js");
const { places } = await load("shared/buffers.js");
const { rgb, classColor } = await load("shared/marks.js");

const [WIDTH, HEIGHT, PAD] = [300, 200, 32];
const next = numbers(5);

function picture(
  points,
  classes,
  { selection = new Selection(classes.length), scatter = new Scatter(), moves, blur } = {},
) {
  const classNames = ["a", "b"];
  const coloring = new Coloring({ count: classes.length, classes, classNames, values: null, range: [] });
  coloring.choose("label", { hidden: false, live: false, scores: null });
  const look = { coloring, ranks: ranks(classes.length, classes, new Set(), selection), chosen: selection.size };
  Object.assign(look, { letters: false, dark: false, ground: [255, 255, 255], ink: "rgb(0, 0, 0)", blur });
  const context = paper(WIDTH, HEIGHT);
  scatter.paint(context, points, { x: 0, y: 0, width: 3 }, look, [WIDTH, HEIGHT], 1, moves);
  const painted = new Uint32Array(context.image.data.buffer.slice(0));
  const at = (x, y) => {
    const value = painted[(Math.round(HEIGHT / 2 - 100 * y) + PAD) * (WIDTH + 2 * PAD) + 182 + Math.round(100 * x)];
    return [value & 255, (value >> 8) & 255, (value >> 16) & 255];
  };
  return { painted, at, scatter };
}

const N = 40000;
const cloud = () => Float32Array.from({ length: 2 * N }, () => next() + next() + next() - 1.5).map((x) => 0.5 * x);
const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

test("the order of very many objects does not matter", () => {
  const points = cloud();
  const classes = Uint16Array.from({ length: N }, (_, i) => i % 2);
  const one = picture(points, classes);
  assert.ok(one.scatter.dense && one.scatter.words.includes("number of objects"));
  const turned = new Float32Array(2 * N);
  for (let i = 0; i < N; i++) turned.set([points[2 * (N - 1 - i)], points[2 * (N - 1 - i) + 1]], 2 * i);
  assert.deepEqual(picture(turned, classes.slice().reverse()).painted, one.painted);
});

test("where more objects lie the tone is stronger, and where two classes meet it is between their colors", () => {
  const points = cloud();
  const classes = new Uint16Array(N);
  // 400 objects of each class in one place, 30 of one class in another, a single one in a third.
  for (let i = 0; i < 800; i++) points.set([1, 0.5], 2 * i);
  for (let i = 0; i < 800; i++) classes[i] = i % 2;
  for (let i = 800; i < 830; i++) points.set([-1.2, 0.8], 2 * i);
  points.set([1.2, -0.9], 2 * 830);
  const { at } = picture(points, classes);
  const white = [255, 255, 255];
  const blue = rgb(classColor(0, false));
  const [few, single] = [distance(at(-1.2, 0.8), blue), distance(at(1.2, -0.9), blue)];
  assert.ok(few < single && distance(at(1.2, -0.9), white) > 60, "one object is seen, more are seen better");
  const mixed = rgb(classColor(0, false)).map((c, k) => (c + rgb(classColor(1, false))[k]) / 2);
  assert.ok(distance(at(1, 0.5), mixed) < 8);
});

test("what is put away steps back, more than a mark would, as it adds up where many lie", () => {
  const points = cloud();
  points.set([1.2, -0.9], 0);
  const selection = new Selection(N);
  const seen = () => distance(picture(points, new Uint16Array(N), { selection }).at(1.2, -0.9), [255, 255, 255]);
  const before = seen();
  selection.set([7]);
  assert.equal(seen(), before, "what is not selected is seen as before");
  selection.filter(new Uint8Array(N).fill(1, 7, 8), true);
  const share = seen() / before;
  assert.ok(share > 0.01 && share < OPACITY[FAINT], `${share}`);
});

test("marks come back when fewer objects are in view, and selected ones stand out of the counts", () => {
  const points = cloud();
  const classes = new Uint16Array(N);
  const plain = picture(points, classes);
  const selection = new Selection(N);
  selection.set([7]);
  points.set([0, 0], 14);
  const { at } = picture(points, classes, { selection });
  assert.ok(distance(at(0, 0), rgb(classColor(0, false))) < 3);
  const few = picture(points.slice(0, 40000), classes.slice(0, 20000), { scatter: plain.scatter });
  assert.ok(!few.scatter.dense && few.scatter.words === "");
});

test("while the map moves a part of the objects is painted, in the same tones, and a reader is told", () => {
  const points = cloud();
  const classes = new Uint16Array(N);
  for (let i = 0; i < 24; i++) points.set([1.2, -0.9], 2 * i);
  const { scatter, painted, at } = picture(points, classes);
  scatter.cost = 100; // as on a slow machine
  const part = picture(points, classes, { scatter, moves: true });
  assert.ok(distance(part.at(1.2, -0.9), at(1.2, -0.9)) < 20);
  assert.ok(scatter.stride > 1 && scatter.words.includes(`one object in ${scatter.stride}`));
  assert.notDeepEqual(part.painted, painted);
  const whole = picture(points, classes, { scatter });
  assert.equal(scatter.stride, 1);
  assert.ok(whole.scatter.dense);
});

test("an object out of focus has the ink of a sharp one, spread wider", () => {
  for (const radius of [1, 2.5, 5.2])
    BLURS.forEach((_, k) => {
      const { cover, reach } = blurred(k + 1, radius);
      const ink = cover.reduce((sum, share) => sum + share, 0) / (Math.PI * radius ** 2);
      assert.ok(Math.abs(ink - 1) < 0.1 && reach <= 24, `step ${k + 1} of ${radius}: ${ink}, ${reach} pixels`);
    });
  for (const count of [2000, N]) {
    const classes = new Uint16Array(count);
    const grid = Float32Array.from({ length: 2 * count }, (_, j) =>
      count === N ? next() - 0.5 : j % 2 ? 0.04 * Math.floor(j / 100) - 0.8 : 0.04 * ((j >> 1) % 50) - 1,
    );
    const [sharp, out] = [null, new Uint8Array(count).fill(2)].map((blur) => picture(grid, classes, { blur }));
    const inkOf = ({ painted, scatter }) =>
      count === N
        ? scatter.density.sums.reduce((sum, one) => sum + one, 0)
        : painted.reduce((sum, one) => sum + 255 - (one & 255), 0);
    assert.ok(Math.abs(inkOf(out) / inkOf(sharp) - 1) < 0.06, `${count}: ${inkOf(out)} for ${inkOf(sharp)}`);
    const wide = ({ painted }) => painted.reduce((sum, one) => sum + Number(one !== 0xffffffff), 0);
    assert.ok(wide(out) > wide(sharp), `${count}: ${wide(out)} pixels for ${wide(sharp)}`);
  }
});

test("coordinates travel as numbers or as whole numbers with a step", () => {
  const whole = new DataView(Int16Array.from([-32767, 0, 5, 32767]).buffer);
  assert.deepEqual([...places(whole, 0.5)], [-16383.5, 0, 2.5, 16383.5]);
  assert.deepEqual([...places(new DataView(Float32Array.from([1.5, -2]).buffer))], [1.5, -2]);
  assert.equal(places(undefined, 0.5).length, 0);
});

/** Send a frame of whole numbers, as a kernel does. */
function tellWhole(model, k) {
  const content = { kind: "frame", seq: k, moment: k + 1, iteration: k, cost: 1, status: "running", step: 0.5 };
  model.tell("msg:custom", content, [new DataView(Int16Array.of(k, -k, 2 * k, 0).buffer)]);
}

test("frames of whole numbers are read when they are painted, each as it came, whatever memory it is read to", () => {
  const [model, clock] = [new MockModel({ live: true, status: "running" }), new MockClock()];
  const hub = new PlayerHub(model, clock);
  const [view, seen] = [new MockView(), []];
  view.paint = () => {
    view.points = hub.shownPoints();
    seen.push([...view.points]);
    return false;
  };
  hub.add(view);
  clock.run(100);
  const frame = (k) => tellWhole(model, k);
  const places = (k) => [k / 2, -k / 2, k, 0];
  seen.length = 0;
  const made = new Set();
  for (let k = 1; k <= 9; k++) {
    frame(k);
    clock.run(20);
    assert.deepEqual(seen.at(-1), places(k));
    assert.deepEqual([...hub.points], places(k));
    made.add(view.points);
  }
  assert.equal(seen.length, 9);
  assert.ok(made.size <= 3, "memory is used again");
  const { known } = hub.present;
  frame(10);
  frame(11);
  assert.equal(hub.present.known, known, "nobody has looked yet");
  assert.deepEqual([...known], places(9));
  clock.run(20);
  assert.deepEqual(seen.slice(9), [places(11)]);
  assert.deepEqual([...hub.film.between(10)], places(10).map(Math.fround), "the film has what was not painted");
  // What a hand may refer to is not written over.
  hub.hold([0], Float32Array.of(7, 7));
  clock.run(20);
  for (let k = 12; k < 17; k++) {
    frame(k);
    clock.run(20);
    assert.deepEqual(seen.at(-1), [7, 7, k, 0]);
    assert.deepEqual([...hub.points], places(k));
  }
  hub.stop();
});

test("memory of frames that a full film leaves out is used again, and the film is none the worse", () => {
  const model = new MockModel({ live: true, status: "running" });
  const hub = new PlayerHub(model, new MockClock());
  hub.film.most.frames = 4;
  for (let k = 1; k <= 30; k++) tellWhole(model, k);
  assert.equal(hub.film.length, 4);
  const { frames } = hub.film;
  assert.equal(new Set(frames.map(({ packed }) => packed)).size, 4);
  for (const { iteration: k, packed } of frames) assert.deepEqual([...packed], [k, -k, 2 * k, 0]);
  assert.deepEqual([frames[0].iteration, frames[3].iteration], [1, 30]);
  hub.stop();
});

test("counts are painted anew when something changed, in part while the map moves and once it rests whole", () => {
  const clock = new MockClock();
  const stage = Object.assign(new Stage(), { points: cloud(), size: [WIDTH, HEIGHT], ratio: 1 });
  Object.assign(stage.window, { x: 0, y: 0, width: 3 });
  const classes = Uint16Array.from({ length: N }, (_, i) => i % 2);
  let paintings = 0;
  const context = { ...paper(WIDTH, HEIGHT), putImageData: () => (paintings += 1) };
  const canvas = { width: WIDTH, height: HEIGHT, getContext: () => context };
  context.canvas = canvas;
  const hub = { clock, facts: { status: "running" }, shownFacts: () => ({}), trace: null };
  Object.assign(hub, { model: { get: () => null }, paintSoon: () => {} });
  const names = { arrange: () => false, written: [] };
  const parts = { canvas, above: { hidden: true }, curve: {}, stage: {} };
  const said = () => ["", "images of 3 of 9 objects"];
  const own = { parts, names, pairs: { shown: false }, card: { lines: [] }, paintPanels: () => {}, said };
  const canvases = new Canvases({ hub, stage }, own);
  const coloring = new Coloring({ count: N, classes, classNames: ["a", "b"], values: null, range: [] });
  coloring.choose("label", { hidden: false, live: false, costs: null });
  const look = (more = {}) => ({
    ...{ coloring, ranks: null, chosen: 0, letters: false, dark: false, ground: [255, 255, 255], ink: "rgb(0, 0, 0)" },
    ...more,
  });
  let now = 0;
  const paint = (one = look(), later = 16) => {
    const before = paintings;
    now += later;
    canvases.paint(one, now);
    return paintings > before;
  };
  paint();
  canvases.scatter.cost = 0;
  assert.ok(paint(look(), 5000) || canvases.scatter.stride === 1);
  assert.equal(paint(), false, "nothing has changed");
  assert.ok(paint(look({ dark: true })));
  assert.ok(paint(look({ ranks: ranks(N, classes, new Set([1]), new Selection(N)) })));
  canvases.scatter.cost = 100; // as on a slow machine
  stage.points = cloud();
  assert.ok(paint());
  assert.ok(canvases.scatter.stride > 1);
  assert.match(stage.painted, /^shades show .* one object in \d+ · images of 3 of 9 objects$/);
  assert.equal(paint(), false, "the next frame may come before all are painted");
  assert.ok(canvases.scatter.stride > 1);
  assert.ok(paint(look(), 5000));
  assert.equal(canvases.scatter.stride, 1);
  clock.clearTimeout(canvases.whole);
});
