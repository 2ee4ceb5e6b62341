// Counts per pixel where there are too many objects for marks.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.ImageData ??= class {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
  }
};
const here = new URL("../../notebook_sne/frontend/", import.meta.url);
const load = (name) => import(new URL(name, here));
const { Coloring, ranks } = await load("player/map/colors.js");
const { Scatter } = await load("player/map/scatter.js");
const { Selection } = await load("player/map/selection.js");
const { places } = await load("shared/buffers.js");
const { rgb, classColor } = await load("shared/marks.js");

const [WIDTH, HEIGHT, PAD] = [300, 200, 32];
let seed = 5;
const next = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};

function picture(points, classes, { selection = new Selection(classes.length), scatter = new Scatter(), moves } = {}) {
  const classNames = ["a", "b"];
  const coloring = new Coloring({ count: classes.length, classes, classNames, values: null, range: [] });
  coloring.choose("label", { hidden: false, live: false, scores: null });
  const look = { coloring, ranks: ranks(classes.length, classes, new Set(), selection), chosen: selection.size };
  Object.assign(look, { letters: false, dark: false, ground: [255, 255, 255], ink: "rgb(0, 0, 0)" });
  let painted = null;
  const context = {
    canvas: { width: WIDTH, height: HEIGHT },
    createImageData: (width, height) => new ImageData(width, height),
    putImageData: (image) => {
      painted = new Uint32Array(image.data.buffer.slice(0));
    },
  };
  scatter.paint(context, points, { x: 0, y: 0, width: 3 }, look, [WIDTH, HEIGHT], 1, moves);
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
  assert.ok(one.scatter.dense && one.scatter.words.includes("how many"));
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
  const { scatter, painted } = picture(points, classes);
  scatter.cost = 100; // as on a slow machine
  const part = picture(points, classes, { scatter, moves: true });
  assert.ok(scatter.stride > 1 && scatter.words.includes(`one object in ${scatter.stride}`));
  assert.notDeepEqual(part.painted, painted);
  const whole = picture(points, classes, { scatter });
  assert.equal(scatter.stride, 1);
  assert.ok(whole.scatter.dense);
});

test("coordinates travel as numbers or as whole numbers with a step", () => {
  const whole = new DataView(Int16Array.from([-32767, 0, 5, 32767]).buffer);
  assert.deepEqual([...places(whole, 0.5)], [-16383.5, 0, 2.5, 16383.5]);
  assert.deepEqual([...places(new DataView(Float32Array.from([1.5, -2]).buffer))], [1.5, -2]);
  assert.equal(places(undefined, 0.5).length, 0);
});
