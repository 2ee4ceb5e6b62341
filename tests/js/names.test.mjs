// Names on the map: which are written, and that they stay.
import assert from "node:assert/strict";
import test from "node:test";

import { MockClock, load, numbers } from "./mocks.mjs";

globalThis.matchMedia ??= () => ({ matches: false });
const { Names } = await load("player/map/names.js");
const { Groups } = await load("player/map/groups.js");
const { Stage } = await load("player/stage.js");
const { Selection } = await load("player/map/selection.js");
const { ranks } = await load("player/map/colors.js");
const { leader } = await load("shared/labels.js");
const { fitting } = await load("shared/window.js");

const next = numbers(7);

function scene(n, { traits = {}, classes = null, classNames = [], points } = {}) {
  const stage = Object.assign(new Stage(), {
    points: points ?? Float32Array.from({ length: 2 * n }, () => next() + next() + next() - 1.5),
    size: [800, 500],
  });
  Object.assign(stage.window, fitting(stage.points, 800, 500));
  const all = { show_names: "names", name_size: 12, ...traits };
  const clock = new MockClock();
  const hub = { clock, model: { get: (name) => all[name] }, facts: { status: "paused" }, scrub: null };
  Object.assign(hub, { near: [], requests: { neighbors: () => hub.near }, paintSoon: () => {} });
  const selection = new Selection(n);
  const objects = { names: Array.from({ length: n }, (_, i) => `word ${i}`), classes, classNames, hidden: false };
  objects.name = objects.short = (i) => objects.names[i];
  const names = new Names({ hub, stage, selection, objects });
  let now = 0;
  /** Paint until all that finds room is written. */
  const settle = (levels = null) => {
    for (let k = 0; k < 500; k++) {
      now += 200;
      if (!names.arrange(now, levels, 2)) return;
    }
    assert.fail("it never comes to rest");
  };
  const arrange = (ms = 16) => {
    now += ms;
    return names.arrange(now, null, 2);
  };
  return { stage, hub, all, selection, names, objects, settle, arrange };
}

function check({ names, stage }) {
  const boxes = names.written.map(({ box }) => box);
  boxes.forEach((a, k) => {
    assert.ok(a.left >= 0 && a.top >= 0 && a.left + a.width <= stage.size[0] && a.top + a.height <= stage.size[1]);
    for (const b of boxes.slice(k + 1)) {
      const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
      const down = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
      assert.ok(!(across > 0 && down > 0), `${names.written[k].text} lies on another`);
    }
  });
  return names.written.map(({ key }) => key);
}

test("as many names as find room are written, none on another, and at rest nothing changes", () => {
  for (const n of [30, 500, 5000]) {
    const it = scene(n);
    it.settle();
    const keys = check(it);
    assert.ok(keys.length > Math.min(n, 120) * 0.8, `${keys.length} of ${n}`);
    const before = it.names.written;
    it.settle();
    assert.deepEqual(it.names.written, before);
  }
});

test("zooming in drops hardly a name that stays in view, and finds room for more", () => {
  const it = scene(500);
  it.settle();
  let keys = check(it);
  const first = keys.length;
  it.stage.window.held = true;
  let [all, gone] = [0, 0];
  for (let step = 0; step < 30; step++) {
    it.stage.window.width *= 0.97;
    it.arrange();
    const now = new Set(check(it));
    for (const i of keys) {
      const [x, y] = it.stage.place(i);
      if (!(x > 90 && x < 710 && y > 30 && y < 470)) continue;
      all += 1;
      gone += !now.has(i);
    }
    keys = [...now];
  }
  // Two names that reach across each other's points may meet.
  assert.ok(all > 1000 && gone < 0.005 * all, `${gone} of ${all} went away`);
  it.settle();
  assert.ok(check(it).length > 0.55 * first, "a smaller part of the map has nearly as many names");
});

test("while the map moves a name stays where it is beside its point", () => {
  const it = scene(400);
  it.settle();
  it.hub.facts.status = "running";
  let [before, kept, all, jumped] = [new Map(), 0, 0, 0];
  for (let frame = 0; frame < 120; frame++) {
    it.stage.points = it.stage.points.map((x, i) => x + 0.0008 * Math.sin(i + frame / 20));
    it.arrange();
    check(it);
    const now = new Map(it.names.written.map(({ key, place }) => [key, place]));
    for (const [key, place] of before) {
      all += 1;
      kept += now.has(key);
      jumped += now.has(key) && now.get(key) !== place;
    }
    before = now;
  }
  assert.ok(kept / all > 0.97 && jumped / all < 0.03, `${kept} of ${all} stay, ${jumped} change their side`);
});

test("selected objects come first, then the one looked at, then its neighbors, then the order of the data", () => {
  const it = scene(1500);
  it.settle();
  const plain = new Set(check(it));
  // Three that have no room, far from one another.
  /** @type {number[]} */
  const three = [];
  for (let i = 1499; three.length < 3; i--) {
    const [x, y] = it.stage.place(i);
    const apart = three.every((j) => Math.hypot(x - it.stage.place(j)[0], y - it.stage.place(j)[1]) > 120);
    if (!plain.has(i) && apart && x > 100 && x < 700 && y > 50 && y < 450) three.push(i);
  }
  it.selection.set([three[0]]);
  it.names.looked = three[1];
  it.hub.near = [three[2]];
  it.settle();
  assert.deepEqual(check(it).slice(0, 3), three);
  assert.ok(it.names.written[0].bold && !it.names.written[2].bold);
});

test("marks of selected objects are covered by no name", () => {
  const it = scene(600);
  it.settle();
  it.selection.set([100, 200, 300, 301, 302]);
  it.settle();
  for (const i of it.selection.list) {
    const [x, y] = it.stage.place(i);
    for (const { box } of it.names.written)
      assert.ok(!(x > box.left && y > box.top && x < box.left + box.width && y < box.top + box.height));
  }
});

test("faint objects have no names", () => {
  const classes = Uint16Array.from({ length: 40 }, (_, i) => i % 2);
  const it = scene(40, { classes, classNames: ["a", "b"] });
  it.settle(ranks(40, classes, new Set([1]), it.selection));
  assert.ok(check(it).every((i) => i % 2 === 0));
});

test("the names of classes stand where these lie, once they are groups", () => {
  const n = 300;
  const classes = Uint16Array.from({ length: n }, (_, i) => i % 3);
  const centers = [[-4, 0], [4, 0], [0, 4]]; // biome-ignore format: as a table
  const points = Float32Array.from({ length: 2 * n }, (_, j) => centers[(j >> 1) % 3][j % 2] + next() - 0.5);
  const it = scene(n, { classes, classNames: ["left", "right", "high"], points, traits: { show_names: "classes" } });
  it.settle();
  check(it);
  assert.deepEqual(it.names.written.map(({ text }) => text).sort(), ["high", "left", "right"]);
  for (const { text, box } of it.names.written) {
    const [x, y] = it.stage.placeOf(...centers[["left", "right", "high"].indexOf(text)]);
    assert.ok(Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y) < 25);
  }
  it.stage.points = Float32Array.from({ length: 2 * n }, () => next());
  Object.assign(it.stage.window, fitting(it.stage.points, 800, 500));
  it.settle();
  assert.equal(it.names.written.length, 0, "classes that lie all over the map are not named");
  it.objects.hidden = true;
  it.stage.points = points;
  it.settle();
  assert.equal(it.names.written.length, 0, "hidden labels stay hidden");
});

test("nothing is written where it is switched off, over images or beside springs", () => {
  for (const traits of [{ show_names: "none" }, { show_images: true }, { spring_of: 3 }]) {
    const it = scene(50, { traits });
    it.settle();
    assert.equal(it.names.written.length, 0);
    assert.ok(!it.names.words);
  }
  assert.deepEqual(Names.choices({ names: [], classes: null }), ["none"]);
});

test("a class without objects and an object without a class do no harm", () => {
  const groups = new Groups({ classes: Uint16Array.from([0, 65535, 0]), classNames: ["a", "b"] });
  assert.deepEqual(groups.find(new Float32Array(0)), []);
  assert.ok(groups.find(new Float32Array([0, 0, 1, 1, 0, 0])).length <= 1);
});

test("of many classes the largest are looked for, and the others are counted", () => {
  const classes = Uint16Array.from({ length: 1001 }, (_, i) => Math.min(i, 999)); // the last one has two
  const groups = new Groups({ classes, classNames: Array.from({ length: 1000 }, (_, k) => `class ${k}`) });
  assert.deepEqual([groups.classes.length, groups.classes[0].k, groups.others], [256, 999, 744]);
  const stage = { size: [100, 100], placeOf: () => [0, 0] };
  assert.equal(groups.count([], stage)[1], 1000);
});

test("the reader is told of names that have found no room, and of none where all have", () => {
  const few = scene(5, { points: Float32Array.of(-1, -1, 1, -1, 0, 0, -1, 1, 1, 1) });
  few.settle();
  assert.deepEqual([few.names.written.length, few.names.said], [5, ""]);
  const many = scene(500);
  many.settle();
  const { length } = many.names.written;
  assert.ok(length > 0 && length < 500);
  assert.equal(many.names.said, `names of ${length} of 500 objects`);
  many.all.show_names = "none";
  many.settle();
  assert.equal(many.names.said, "");
});

test("a class in two clumps is named at both, and neither name jumps while the map moves", () => {
  const n = 400;
  const classes = Uint16Array.from({ length: n }, (_, i) => i % 2);
  const at = (i) => (i % 2 ? [0, 5] : i % 4 ? [-6, 0] : [6, 0]);
  const round = () => next() + next() + next() - 1.5;
  const points = Float32Array.from({ length: 2 * n }, (_, j) => at(j >> 1)[j % 2] + round());
  const it = scene(n, { classes, classNames: ["parted", "one"], points, traits: { show_names: "classes" } });
  it.settle();
  assert.deepEqual(it.names.written.map(({ text }) => text).sort(), ["one", "parted", "parted"]);
  assert.equal(it.names.said, "");
  it.hub.facts.status = "running";
  const places = () => new Map(it.names.written.map(({ key, box }) => [key, box.left + box.width / 2]));
  let before = places();
  for (let frame = 0; frame < 80; frame++) {
    it.stage.points = it.stage.points.map((x, j) => x + 0.02 * Math.sin(j + frame / 9));
    it.arrange(40);
    const now = places();
    assert.deepEqual([...now.keys()].sort(), [...before.keys()].sort());
    for (const [key, x] of now) assert.ok(Math.abs(x - before.get(key)) < 12, `${x - before.get(key)} in a frame`);
    before = now;
  }
});

test("names of classes on one spot are led away by lines, and what has no room is counted", () => {
  const n = 600;
  const classNames = Array.from({ length: 6 }, (_, k) => `class ${k}`);
  const classes = Uint16Array.from({ length: n }, (_, i) => i % 6);
  const centers = [[0, 0], [0, 0], [0, 0], [9, 0], [0, 9], [9, 9]]; // biome-ignore format: as a table
  const points = Float32Array.from({ length: 2 * n }, (_, j) => centers[(j >> 1) % 6][j % 2] + (next() - 0.5) / 9);
  const it = scene(n, { classes, classNames, points, traits: { show_names: "classes" } });
  it.settle();
  check(it);
  assert.deepEqual([it.names.written.length, it.names.said], [6, ""]);
  const led = it.names.written.flatMap(({ spot, box }) => leader(...spot, box) ?? []).length / 4;
  assert.ok(led >= 1 && led < 5, `${led} lines`);
  it.stage.size = [90, 60];
  Object.assign(it.stage.window, fitting(points, 90, 60));
  it.settle();
  const named = it.names.written.length;
  assert.ok(named < 6);
  assert.equal(it.names.said, `${named} of 6 classes named`);
  it.stage.size = [800, 500];
  Object.assign(it.stage.window, { x: 9, y: 9, width: 1, held: true });
  it.settle();
  assert.deepEqual([it.names.written.length, it.names.said], [1, ""], "the others are out of view");
});

const areasOf = ({ names }) => names.written.filter(({ key }) => key <= -1_000_000);

test("a map of thousands of names has names of regions above them, which change with what is in view", () => {
  const it = scene(5000);
  it.settle();
  check(it);
  const before = areasOf(it);
  assert.ok(before.length >= 6 && before.length <= 14, `${before.length}`);
  assert.equal(new Set(before.map(({ text }) => text)).size, before.length);
  for (const { text, spot, size, box } of before) {
    assert.match(text, /^word \d+ · word \d+$/);
    assert.equal(size, Math.round(1.6 * it.names.size));
    // Its words are near one another, and the name lies on the middle between them.
    const [a, b] = text.match(/\d+/g).map((i) => it.stage.place(Number(i)));
    assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) < 120);
    assert.ok(Math.abs(spot[0] - (a[0] + b[0]) / 2) < 1e-6 && Math.abs(spot[1] - (a[1] + b[1]) / 2) < 1e-6);
    assert.ok(Math.abs(box.left + box.width / 2 - spot[0]) < 200 && Math.abs(box.top - spot[1]) < 120);
  }
  assert.ok(it.names.written.some(({ key, soft }) => key >= 0 && soft) && it.names.regional);

  // A view that is moved keeps its regions until it rests.
  it.stage.window.held = true;
  it.stage.window.x += 0.1 * it.stage.window.width;
  it.arrange(200);
  const known = it.names.areas.known;
  assert.deepEqual(new Set(areasOf(it).map(({ text }) => text)), new Set(before.map(({ text }) => text)));
  it.settle();
  assert.notEqual(it.names.areas.known, known);

  // Nearer there are smaller ones, and at last names alone.
  it.stage.window.width /= 2;
  it.settle();
  const near = areasOf(it).map(({ text }) => text);
  assert.ok(near.length >= 6 && near.some((text) => !before.some((one) => one.text === text)));
  it.stage.window.width /= 4;
  it.settle();
  assert.equal(areasOf(it).length, 0);
  assert.ok(!it.names.regional && it.names.written.every(({ soft }) => !soft));
});

test("names of regions stay while a map moves slowly, and few names have none", () => {
  const it = scene(3000);
  it.settle();
  const before = new Map(areasOf(it).map(({ key, text }) => [key, text]));
  it.hub.facts.status = "running";
  for (let k = 0; k < 10; k++) {
    it.stage.points = it.stage.points.map((x) => 1.002 * x);
    it.arrange(160);
  }
  const kept = areasOf(it).filter(({ key, text }) => before.get(key) === text);
  assert.ok(kept.length >= before.size - 1, `${kept.length} of ${before.size}`);
  const few = scene(500);
  few.settle();
  assert.equal(areasOf(few).length, 0);
  const silent = scene(3000, { traits: { show_names: "none" } });
  silent.settle();
  assert.equal(silent.names.written.length, 0);
});
