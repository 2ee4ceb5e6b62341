// The modules of the view alone: selection, search, colors, axes, keys, the scatter's pixels, and pictures.
import assert from "node:assert/strict";
import test from "node:test";

import { install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { load, numbers, paper, scattered } from "./mocks.mjs";

install();
const { Selection, enclosed, manner } = await load("player/map/selection.js");
const { SearchBox } = await load("player/panels/search.js");
const { Coloring, FAINT, PLAIN, SELECTED, ranks } = await load("player/map/colors.js");
const { Axes } = await load("player/map/axes.js");
const { nextInReading } = await load("player/map/cursor.js");
const { ownsKey } = await load("player/panels/keys.js");
const { KnownObjects, entriesOf } = await load("player/objects.js");
const { Stage } = await load("player/stage.js");
const { Scatter, press, stampOf } = await load("player/map/scatter.js");
const { SHAPES, UNLABELED, channels, classColor, classShape, rgb } = await load("shared/marks.js");
const { NOT_COVERED, fitting, newWindow, refit, toMap, toPixel } = await load("shared/window.js");
const { filling } = await load("player/map/turn.js");
const { turned } = await load("compare/facing.js");
const { fileName, svgText } = await load("player/map/pictures.js");
const { Names } = await load("player/map/names.js");
const { SvgPen, xmlText } = await load("shared/svg_pen.js");

// ---- selection ----

test("a selection is sorted, unique, and tells each change once", () => {
  const told = [];
  const selection = new Selection(10, (list) => told.push(list));
  selection.set([7, 2, 2]);
  selection.set([2, 7]);
  selection.change("add", [4, 7]);
  selection.change("remove", [2, 9]);
  selection.change("remove", [2]);
  assert.deepEqual(told, [
    [2, 7],
    [2, 4, 7],
    [4, 7],
  ]);
  assert.equal(selection.size, 2);
  assert.equal(selection.only, -1);
  selection.set([3]);
  assert.equal(selection.only, 3);
  selection.clear();
  assert.deepEqual(told.at(-1), []);
});

test("a selection of other objects than there are selects none, and news from elsewhere is not told back", () => {
  const selection = new Selection(3, () => assert.fail("told"));
  assert.equal(selection.read([1, 5, -1, 1.5]), true);
  assert.deepEqual(selection.list, [1]);
  assert.equal(selection.read([1]), false);
});

test("keys turn a choice into adding and removing", () => {
  assert.deepEqual([{}, { shiftKey: true }, { altKey: true }].map(manner), ["set", "add", "remove"]);
});

/** Winding number, by the angle that the line turns as seen from a point. */
function winds([x, y], line) {
  let turn = 0;
  line.forEach(([ax, ay], k) => {
    const [bx, by] = line[(k + 1) % line.length];
    const [a, b] = [Math.atan2(ay - y, ax - x), Math.atan2(by - y, bx - x)];
    turn += Math.atan2(Math.sin(b - a), Math.cos(b - a));
  });
  return Math.round(turn / (2 * Math.PI));
}

test("a lasso takes what it winds around, crossed or not, as the turning angle says", () => {
  const random = numbers(5);
  const points = Float32Array.from({ length: 2000 }, () => 10 * random() - 5);
  for (let round = 0; round < 20; round++) {
    const line = Array.from({ length: 3 + round }, () => [8 * random() - 4, 8 * random() - 4]);
    const wanted = [];
    for (let i = 0; i < 1000; i++) if (winds([points[2 * i], points[2 * i + 1]], line)) wanted.push(i);
    assert.deepEqual(enclosed(points, line), wanted);
  }
  const flat = [0, 2, 4].map((x) => [x, 1]); // without height
  for (const line of [flat, flat.slice(1)]) assert.deepEqual(enclosed(points, line), []);
});

// ---- search ----

/** What is known of objects, as a view learns it from traits. */
function known({ names = [], classes = null, classNames = [], count = 0 }, hidden = false) {
  const traits = { names, class_names: classNames, n_objects: count, hide_labels: hidden };
  if (classes) traits.classes = new DataView(classes.buffer);
  return new KnownObjects({ get: (name) => traits[name] }, 0);
}

/** A search box: what it finds, which entry Enter would take, and what it says. */
function typed(objects, text, hidden = false) {
  let said = "";
  const say = (words) => {
    said = words;
  };
  const box = new SearchBox({ hub: { requests: { forget() {} } }, objects: known(objects, hidden), say });
  box.input.value = text;
  box.find();
  const { entries, active } = box.box;
  return { taken: entries[active], entries: entries.map(({ words }) => words), said };
}

test("a label, a name: Enter takes what is called exactly what was typed, digits or not", () => {
  const classes = Uint16Array.from({ length: 200 }, (_, i) => i % 10);
  const digits = { classes, classNames: [..."0123456789"], count: 200 };
  for (const k of [0, 7, 9]) {
    const { taken, entries, said } = typed(digits, String(k));
    assert.deepEqual([taken.words, taken.objects, said], [String(k), known(digits).membersOf(k), `${k} and more`]);
    assert.deepEqual(entries, [String(k), `object ${k}`], "the object is offered too");
  }
  assert.deepEqual(typed(digits, " 7 ").taken.objects.length, 20);
  assert.deepEqual(typed(digits, "42").taken.objects, [42], "no label is called that");
  assert.deepEqual(typed(digits, "7", true).taken.objects, [7], "hidden labels stay hidden");
  assert.equal(typed(digits, "200").taken, undefined);

  const tens = { classes, classNames: Array.from({ length: 10 }, (_, k) => String(10 + k)), count: 200 };
  assert.equal(typed(tens, "1").taken.words, "10", "a label that begins with it, before a number");
  assert.deepEqual(
    typed({ ...digits, classNames: ["a", "A", ..."bcdefghi"] }, "A").taken.objects,
    known(digits).membersOf(1),
  );

  // Names that are numbers: exactly 7, and not the first that holds a 7; no number of an object beside them.
  const numbers = { names: Array.from({ length: 200 }, (_, i) => String(199 - i)), count: 200 };
  const seven = typed(numbers, "7");
  assert.deepEqual([seven.taken.words, seven.taken.objects, seven.entries[1]], ["7", [192], "all 38 matches"]);
  // Names and labels: a name that is it, else a label that is it, else the best name.
  const named = { ...digits, names: Array.from({ length: 200 }, (_, i) => `digit ${i}`) };
  assert.deepEqual(typed(named, "7").taken.objects, known(digits).membersOf(7));
  assert.deepEqual(typed(named, "digit 7").taken.objects, [7]);
  assert.deepEqual(typed(named, "digit").taken.objects, [0]);
  assert.deepEqual(typed({ ...named, names: numbers.names }, "7").taken.objects, [192]);
});

test("a search offers few names and all of them at once; else labels", () => {
  const names = Array.from({ length: 37 }, (_, i) => `word ${i}`);
  const all = { names, classes: Uint16Array.from(names, (_, i) => i % 2), classNames: ["even", "odd"], count: 37 };
  const { entries } = typed(all, "word");
  assert.deepEqual([entries[0], entries.length], ["all 37 matches", 12]);
  assert.deepEqual(typed(all, "word 36").entries, ["word 36"]);
  assert.deepEqual(typed(all, "odd").taken.objects, known(all).membersOf(1));
  assert.deepEqual(typed({ ...all, names: [] }, "odd", true).entries, [], "hidden labels stay hidden");
});

// ---- colors ----

const objects = {
  count: 4,
  classes: Uint16Array.of(0, 1, 0, 1),
  classNames: ["a", "b"],
  values: Float32Array.of(0, 1, 2, 4),
  range: [0, 4],
};

test("the colors follow what is asked for, as far as it is there", () => {
  const coloring = new Coloring(objects);
  assert.deepEqual(coloring.channels(true), "label value cost recall perturbation distance none".split(" "));
  assert.deepEqual(new Coloring({ ...objects, classes: null, values: null }).channels(false), ["none"]);
  const asks = { hidden: false, live: true, scores: null };
  coloring.choose("label", asks);
  assert.deepEqual([coloring.channel, [...coloring.keys]], ["label", [0, 1, 0, 1]]);
  coloring.choose("value", asks);
  assert.equal(coloring.channel, "value");
  assert.equal(coloring.keys[0], 0);
  assert.ok(coloring.keys[3] > coloring.keys[2] && coloring.keys[2] > coloring.keys[1]);
  coloring.choose("cost", asks);
  assert.equal(coloring.channel, "none", "costs are on their way");
  const scores = { low: 1, high: 3, values: Float32Array.of(1, 2, 3, NaN) };
  assert.equal(coloring.choose("cost", { ...asks, scores }), true);
  assert.deepEqual(coloring.range, [1, 3]);
  assert.equal(coloring.choose("cost", { ...asks, scores }), false, "the same costs are no news");
  coloring.choose("cost", { ...asks, hidden: true, scores });
  assert.equal(coloring.channel, "cost", "costs tell no label");
  coloring.choose("value", { ...asks, hidden: true });
  assert.equal(coloring.channel, "none");
  assert.equal(coloring.wanted, "value");
});

test("what is selected lies above, what is dimmed beneath", () => {
  const selection = new Selection(4);
  assert.equal(ranks(4, objects.classes, new Set(), selection), null);
  const dimmed = ranks(4, objects.classes, new Set([0]), selection);
  assert.deepEqual([...dimmed.levels], [FAINT, PLAIN, FAINT, PLAIN]);
  assert.deepEqual([...dimmed.order], [0, 2, 1, 3]);
  selection.set([0]);
  const both = ranks(4, objects.classes, new Set([0]), selection);
  assert.deepEqual([...both.levels], [SELECTED, PLAIN, FAINT, PLAIN]);
  assert.deepEqual([...both.order], [2, 1, 3, 0]);
});

// ---- objects without a label ----

const some = {
  count: 4,
  classes: Uint16Array.of(1, UNLABELED, 0, UNLABELED),
  classNames: ["a", "b"],
  values: Float32Array.of(0, 2, NaN, 4),
  range: [0, 4],
};

test("an object without a label or value is gray and of a shape that no class has", () => {
  const coloring = new Coloring(some);
  for (const [channel, key] of [
    ["label", coloring.objects.classes[1]],
    ["value", UNLABELED],
  ]) {
    coloring.choose(channel, { hidden: false, live: false, costs: null });
    assert.deepEqual(
      [coloring.color(key, false), coloring.shape(key), coloring.letter(key)],
      ["#858f99", "cross", undefined],
    );
  }
  assert.equal(coloring.keys[2], UNLABELED);
  assert.ok(coloring.keys[0] < coloring.keys[1] && coloring.keys[1] < coloring.keys[3] && coloring.keys[3] < UNLABELED);
  assert.ok(!SHAPES.includes(classShape(UNLABELED)));
  for (let k = 0; k < 168; k++)
    for (const dark of [false, true]) assert.notEqual(classColor(k, dark), classColor(UNLABELED, dark));
});

test("the legend counts unlabeled objects, and words say what is missing", () => {
  eachIs(entriesOf(some), ({ key, name }) => `${key} ${name}`, ["0 a", "1 b", `${UNLABELED} unlabeled (2)`]);
  eachIs(entriesOf(objects), "name", ["a", "b"]);
  assert.deepEqual(entriesOf({ classes: null, classNames: [] }), []);
  const traits = {
    classes: new DataView(some.classes.buffer),
    class_names: some.classNames,
    values: new DataView(some.values.buffer),
    value_range: some.range,
    names: ["one", "", "", ""],
  };
  const known = new KnownObjects({ get: (name) => traits[name] }, 4);
  eachIs([0, 1, 2, 3], (i) => known.label(i), ["b", "unlabeled", "a", "unlabeled"]);
  eachIs([0, 1, 2], (i) => known.value(i), ["value 0.000", "value 2.000", "no value"]);
  assert.deepEqual([known.name(0), known.name(1), known.short(1, 9)], ["one", "object 1", "unlabeled #1"]);
  traits.hide_labels = true;
  assert.deepEqual([known.label(1), known.value(2), known.short(1, 9)], [undefined, undefined, "#1"]);
  const bare = new KnownObjects({ get: () => undefined }, 2);
  assert.deepEqual([bare.label(0), bare.value(0)], [undefined, undefined]);
});

test("unlabeled objects lie below the others of their rank", () => {
  const selection = new Selection(4);
  const plain = ranks(4, some.classes, new Set(), selection);
  assert.deepEqual([...plain.order, ...plain.levels], [1, 3, 0, 2, PLAIN, PLAIN, PLAIN, PLAIN]);
  selection.set([0, 3]);
  assert.deepEqual([...ranks(4, some.classes, new Set(), selection).order], [1, 2, 3, 0]);
  assert.deepEqual(
    [...ranks(4, some.classes, new Set([UNLABELED]), new Selection(4)).levels],
    [PLAIN, FAINT, PLAIN, FAINT],
  );
});

// ---- the axis rule ----

function viewWithAxes(rule = "follow", calm = false, more = {}) {
  const traits = { axes: rule };
  const said = [];
  const stage = Object.assign(new Stage(), { size: [600, 400], calm: { matches: calm } });
  const hub = {
    scrub: null,
    model: { get: (name) => traits[name] },
    paintSoon() {},
    face(facing) {
      hub.facing = facing;
    },
    ...more,
    keep(name, value) {
      traits[name] = value;
      axes.obey(value);
    },
  };
  const view = { stage, said, hub };
  const axes = new Axes({ hub, stage, say: (words) => said.push(words) }, () => false);
  axes.obey(rule);
  return { view, axes, traits };
}
const small = new Float32Array([-1, -1, 1, 1]);
const large = new Float32Array([-9, -9, 9, 9]);

test("a map is turned to fill its frame where that is worth it, and stays as it is otherwise", () => {
  const strip = Float32Array.from({ length: 200 }, (_, k) => (k % 2 ? 0.2 * Math.sin(k) : 0) + 0.05 * (k - (k % 2)));
  const reach = (angle, size) => {
    const by = { cos: Math.cos(angle), sin: Math.sin(angle), flip: false };
    return fitting(turned(strip, by), ...size).width / size[0];
  };
  for (const size of [800, 300].map((wide) => [wide, 1100 - wide])) {
    const angle = filling(strip, size, NOT_COVERED);
    const others = Array.from({ length: 180 }, (_, k) => reach((k * Math.PI) / 180, size));
    assert.ok(Math.abs(angle) <= Math.PI / 2 && reach(angle, size) < 1.03 * Math.min(...others), `${angle}`);
  }
  const wide = filling(strip, [800, 300], NOT_COVERED);
  assert.equal(filling(strip, [800, 300], NOT_COVERED, wide + 0.01), wide + 0.01); // no better one
  const disc = Float32Array.from({ length: 400 }, (_, k) => (k % 2 ? Math.sin : Math.cos)(0.0314 * (k - (k % 2))));
  assert.equal(filling(disc, [800, 300], NOT_COVERED), 0);
});

test("a run is turned at its end, by no number of its own; a map that is held, compared or computed at once is not", () => {
  const points = Float32Array.of(-4, -4, 4, 4, 0, 0.5);
  const turnedBy = (more = {}, held = false, facing = null) => {
    const { view, axes } = viewWithAxes("follow", true, {
      ...{ live: true, facts: { status: "finished" }, film: { length: 3, last: 9 }, facing },
      ...{ shown: { hands: { list: [] }, points: () => points } },
      ...more,
    });
    view.stage.points = points;
    view.stage.window.held = held;
    axes.turn(0);
    return view.hub.facing;
  };
  assert.ok(Math.abs(turnedBy().sin) > 0.05);
  assert.deepEqual([...points.slice(0, 4)], [-4, -4, 4, 4]);
  assert.equal(turnedBy({ facts: { status: "running" } }), null);
  assert.equal(turnedBy({ film: { length: 1, last: 0 } }), null);
  assert.equal(turnedBy({}, true), null);
  assert.equal(turnedBy({}, false, { cos: 1, sin: 0, flip: false, to: "SNE" }).to, "SNE");
  const film = { length: 3, last: 9, between: () => points };
  assert.ok(turnedBy({ live: false, facts: {}, film, scrub: 0 }).sin !== 0); // from its first frame on
});

test("follow follows, and a hand that zooms holds the view and says so, once", () => {
  const { view, axes, traits } = viewWithAxes();
  axes.move(0, small);
  for (let t = 50; t < 3000; t += 50) axes.move(t, large);
  assert.equal(axes.window.width, fitting(large, 600, 400).width);
  axes.zoomBy(2);
  axes.zoomBy(2);
  assert.equal(traits.axes, "fixed");
  assert.equal(view.said.length, 1);
  const { width } = axes.window;
  axes.move(4000, small);
  assert.equal(axes.window.width, width);
  assert.match(axes.words, /held/);
});

test("fit once takes the first map and keeps it; chosen again it takes the present one", () => {
  const { axes } = viewWithAxes("fit", true);
  axes.move(0, small);
  axes.move(1000, large);
  assert.equal(axes.window.width, fitting(small, 600, 400).width);
  axes.choose("fit");
  axes.move(2000, large);
  assert.equal(axes.window.width, fitting(large, 600, 400).width);
  axes.move(3000, small);
  assert.equal(axes.window.width, fitting(large, 600, 400).width);
});

test("a change of the window glides for a quarter of a second, and not for readers who want little motion", () => {
  for (const calm of [false, true]) {
    const { axes } = viewWithAxes("follow", calm);
    axes.move(performance.now(), small);
    axes.choose("fit");
    assert.equal(axes.move(performance.now() + 100, large), !calm);
    assert.equal(axes.window.width === fitting(large, 600, 400).width, calm);
    axes.move(performance.now() + 400, large);
    assert.equal(axes.window.width, fitting(large, 600, 400).width);
  }
});

test("what is searched for comes into a held view, and a view that shows it stays", () => {
  const { axes } = viewWithAxes("fixed", true);
  axes.move(0, small);
  const before = { ...axes.window };
  axes.show(new Float32Array([0.5, 0.5]));
  axes.move(10, small);
  assert.equal(axes.window.x, before.x);
  axes.show(new Float32Array([5, 5]));
  axes.move(20, small);
  const [x, y] = toPixel(axes.window, 5, 5, 600, 400);
  assert.ok(x > 8 && x < 592 && y > 8 && y < 392);
  assert.equal(axes.window.width, before.width);
});

test("going to full screen and back changes no view", () => {
  const window = Object.assign(newWindow(), { x: 0, y: 0, width: 6 });
  refit(window, 1.5, 1);
  assert.equal(window.width, 6);
  refit(window, 1, 3);
  assert.equal(window.width, 12);
  refit(window, 3, 1.5);
  assert.equal(window.width, 6);
});

test("a pixel's place in the map is the inverse of a place's pixel", () => {
  const window = fitting(large, 600, 400);
  const [x, y] = toMap(window, ...toPixel(window, 2.5, -3, 600, 400), 600, 400);
  assert.ok(Math.hypot(x - 2.5, y + 3) < 1e-9);
  assert.deepEqual([...Object.assign(new Stage(), { points: large }).placesOf([1, 0])], [9, 9, -9, -9]);
});

// ---- keys ----

test("n and p go through the view line by line, and around", () => {
  const window = { x: 0, y: 0, width: 100 };
  const points = new Float32Array([30, 20, -30, 20, 0, -20, 400, 0]); // the last is out of view
  const order = [-1, 1, 0, 2].map((from) => nextInReading(points, window, [400, 300], from, 1));
  assert.deepEqual(order, [1, 0, 2, 1]);
  eachIs([1, 0, 2], (from) => nextInReading(points, window, [400, 300], from, -1), [2, 1, 0]);
  assert.equal(nextInReading(new Float32Array(0), window, [400, 300], -1, 1), -1);
  const pile = new Float32Array([0, 0, 0, 0, 0, 0]);
  eachIs(
    [-1, 0, 1, 2],
    (from) => nextInReading(pile, window, [400, 300], from, 1),
    [0, 1, 2, 0],
    "objects on one spot",
  );
});

test("keys that a control needs are left to it", () => {
  const field = { tagName: "INPUT", type: "text" };
  const slider = { tagName: "INPUT", type: "range" };
  assert.equal(ownsKey(field, "s"), true);
  assert.equal(ownsKey(field, "Escape"), false);
  assert.equal(ownsKey(slider, "ArrowLeft"), true);
  assert.equal(ownsKey(slider, "s"), false);
  assert.equal(ownsKey({ tagName: "BUTTON" }, " "), true);
  assert.equal(ownsKey({ tagName: "SUMMARY" }, "Enter"), true);
  assert.equal(ownsKey({ tagName: "SELECT" }, "ArrowDown"), true);
  assert.equal(ownsKey({ tagName: "DIV" }, "Enter"), false);
});

// ---- the scatter ----

test("a stamp covers where it is solid and mixes where it is not", () => {
  const image = { width: 2, height: 1, data: Uint8ClampedArray.of(10, 20, 30, 255, 200, 100, 0, 128) };
  const stamp = stampOf(image, 4, 1);
  assert.deepEqual([stamp.solid.length, stamp.offsets.length], [1, 1]);
  const pixels = new Uint32Array(8).fill(0xffffffff);
  press(pixels, 5, stamp);
  const read = (pixel) => [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255, pixel >>> 24];
  assert.deepEqual(read(pixels[4]), [10, 20, 30, 255]);
  read(pixels[5]).forEach((value, j) =>
    assert.ok(Math.abs(value - [227, 177, 127, 255][j]) <= 1, `${read(pixels[5])}`),
  );
  assert.ok([0, 1, 2, 3, 6, 7].every((at) => pixels[at] === 0xffffffff));
});

const LOOK = { ranks: null, chosen: 0, letters: false, dark: false, ground: [255, 255, 255], ink: "rgb(1, 2, 3)" };

function many(count) {
  return scattered(2 * count).map((x) => 10 * x);
}

test("a large map is painted in dots, each class in its color, the selected ones above the others", () => {
  const count = 25000; // of more, counts are shown
  const points = many(count);
  const selection = new Selection(count);
  const classes = Uint16Array.from({ length: count }, (_, i) => i % 10);
  const coloring = new Coloring({ count, classes, classNames: Array.from("0123456789"), values: null, range: [] });
  coloring.choose("label", { hidden: false, live: false, costs: null });
  const look = { ...LOOK, coloring };
  const context = paper(800, 460);
  const scatter = new Scatter();
  const window = fitting(points, 800, 460);
  scatter.paint(context, points, window, look, [800, 460], 1);
  const pixels = new Uint32Array(context.image.data.buffer);
  /** The pixel of a class, as a canvas stores it. */
  const pixelOf = (k) => {
    const [r, g, b] = rgb(coloring.color(k, false));
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  };
  assert.equal(pixels[scatter.at[count - 1]], pixelOf((count - 1) % 10));
  assert.ok(new Set(pixels).size === 11, "ten colors and the ground");
  selection.set([5]);
  const chosen = { ...look, ranks: ranks(count, classes, new Set(), selection), chosen: 1 };
  scatter.paint(context, points, window, chosen, [800, 460], 1);
  assert.equal(pixels[scatter.at[5]], pixelOf(5));
  assert.equal(pixels[scatter.at[5] - 2], 0xff030201, "a frame of ink around it");
});

test("of many classes, marks are made once for each look; a column of classes has no colors of the labels", () => {
  const count = 25000;
  const classes = Uint16Array.from({ length: count }, (_, i) => i);
  const source = { title: "kind", classes, classNames: Array.from(classes, String), values: null, range: [] };
  const columns = { colorable: ["kind"], source: () => source };
  const own = { classes: new Uint16Array(count), classNames: ["a"], classColors: ["#123456"], values: null, range: [] };
  const coloring = new Coloring({ count, ...own, columns });
  const scatter = new Scatter();
  const points = many(count);
  const painted = (channel) => {
    coloring.choose(channel, { hidden: false, live: false, scores: null });
    const context = paper(800, 460);
    scatter.paint(context, points, fitting(points, 800, 460), { ...LOOK, coloring }, [800, 460], 1);
    return new Set(new Uint32Array(context.image.data.buffer)).size;
  };
  assert.deepEqual([painted("label"), scatter.paints.size], [2, 1]);
  assert.deepEqual([painted("column:kind"), scatter.paints.size], [25, 168], "24 colors and the ground");
});

test("classes have the colors that are given to them, on both grounds, and keep their shapes", () => {
  const objects = { classes: Uint16Array.of(0, 1, 2), classNames: ["a", "b", "c"], values: null, range: [], count: 3 };
  const coloring = new Coloring({ ...objects, classColors: ["#123456", "", "#0072b2"] });
  const plain = new Coloring(objects);
  for (const one of [coloring, plain]) one.choose("label", { hidden: false, live: false, scores: null });
  assert.equal(coloring.color(0, false), "#123456");
  assert.equal(coloring.color(0, true), "#597189", "lifted from black as our own are");
  assert.equal(coloring.color(1, false), plain.color(1, false), "one without a color has ours");
  assert.equal(coloring.color(2, true), plain.color(0, true));
  assert.equal(coloring.color(0xffff, false), plain.color(0xffff, false));
  for (const k of [0, 1, 2]) assert.equal(coloring.shape(k), plain.shape(k));
  assert.equal(coloring.said(true), "");
  const same = new Coloring({ ...objects, classColors: ["#123456", "#123456", "#0072b2"] });
  same.choose("label", { hidden: false, live: false, scores: null });
  assert.match(same.said(true), /2 classes share a color/);
});

test("marks grow where few points are in view, and do not flicker when one comes or goes", () => {
  const points = many(20000);
  const coloring = new Coloring({ count: 20000, classes: null, classNames: [], values: null, range: [] });
  const look = { ...LOOK, coloring };
  const scatter = new Scatter();
  scatter.marks = () => {}; // stamps need a browser
  const context = paper(800, 460);
  const whole = fitting(points, 800, 460);
  scatter.paint(context, points, whole, look, [800, 460], 1);
  const radius = scatter.radius;
  scatter.paint(context, points, { ...whole, width: whole.width * 0.97 }, look, [800, 460], 1);
  assert.equal(scatter.radius, radius);
  scatter.paint(context, points, { ...whole, width: whole.width / 12 }, look, [800, 460], 1);
  assert.ok(scatter.radius > 2 * radius);
});

test("colors are read however the browser writes them", () => {
  const read = ["rgb(1, 2, 3)", "rgba(4, 5, 6, 0.5)", "#0a0b0c", "#abc"].flatMap(channels);
  assert.deepEqual(read, [1, 2, 3, 4, 5, 6, 10, 11, 12, 170, 187, 204]);
});

// ---- pictures ----

const HOSTILE = "</text><script>alert(1)</script>\u0000\ud800\u0008 & \"q\" 'a' <b>";

test("no text adds an element or a letter that XML cannot hold", () => {
  const safe = xmlText(HOSTILE);
  assert.ok(!/[<>"'\u0000\u0008]/.test(safe) && safe.isWellFormed());
  assert.equal(safe.match(/\ufffd/g).length, 3);
  assert.equal(xmlText("a\tb\nc é 🙂"), "a\tb\nc é 🙂");
  assert.equal(xmlText(5), "5");
});

/** The elements of a drawing, read strictly: anything that is no well-formed XML of the kind we write throws. */
function readXml(text) {
  const [names, open] = [[], []];
  let at = 0;
  const tag = /<(\/?)([a-z]+)((?: [a-z-]+="[^"<]*")*)(\/?)>/giy;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const words = text.slice(at, next < 0 ? text.length : next);
    assert.ok(!words.includes(">") && !/&(?!(amp|lt|gt|quot|#39);)/.test(words), words);
    if (next < 0) break;
    tag.lastIndex = next;
    const found = tag.exec(text);
    assert.ok(found, text.slice(next, next + 80));
    const [, closing, name, , single] = found;
    if (closing) assert.equal(open.pop(), name);
    else {
      names.push(name);
      if (!single) open.push(name);
    }
    at = tag.lastIndex;
  }
  assert.deepEqual(open, []);
  return names;
}

function pictured({
  names = [],
  letters = false,
  title = "",
  classNames = ["a", "b"],
  color = "label",
  lines = "",
} = {}) {
  const points = new Float32Array([-1, -1, 1, 1, 0, 0, 99, 99]);
  const coloring = new Coloring({ ...objects, classNames });
  coloring.choose(color, { hidden: false, live: true, costs: null });
  const selection = new Selection(4);
  selection.set([0, 3]);
  const theme = { dark: false, ground: [255, 255, 255], text: "rgb(0, 0, 0)" };
  const stage = Object.assign(new Stage(), { points, theme, size: [400, 300] });
  Object.assign(stage.window, fitting(points.slice(0, 6), 400, 300));
  const hub = {
    model: { get: (name) => ({ title, axes_note: "" })[name] },
    shownFacts: () => ({ model_name: "SNE", iteration: 12, cost: 3.5 }),
    unitOf: () => " nats",
  };
  const known = { ...objects, classNames, names, name: (i) => names[i] ?? `object ${i}` };
  return {
    hub,
    stage,
    selection,
    radius: 4,
    objects: known,
    names: Object.assign(new Names({ hub, stage, selection, objects: known }), { radius: 4 }),
    look: { coloring, ranks: ranks(4, null, new Set(), selection), chosen: 2, letters },
    pairs: { said: lines },
    paintPanels(pen) {
      pen.beginPath();
      pen.moveTo(0, 0);
      pen.lineTo(5, 5);
      pen.stroke();
      pen.fillText(names[0] ?? "", 1, 1);
    },
  };
}

test("a drawing holds the points in view as marks, with title, facts and legend", () => {
  const text = svgText(pictured({ title: "digits" }));
  const names = readXml(text);
  const count = (name) => names.filter((one) => one === name).length;
  assert.equal(count("use"), 3 + 2, "three points in view, two entries of the legend");
  assert.equal(count("circle"), 1, "a ring for the one selected point in view");
  assert.ok(
    text.includes("SNE · step 12 · cost 3.500 nats") &&
      text.includes(">digits<") &&
      text.includes(">object 0<") &&
      !text.includes("object 3"),
  );
  assert.ok(svgText(pictured({ lines: "solid line: joined" })).includes(">solid line: joined<"));
  assert.equal(names[0], "svg");
  const ids = [...text.matchAll(/id="([^"]+)"/g)].map((found) => found[1]);
  for (const [, id] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(id), id);
  const shapes = [...text.matchAll(/id="nsne-[a-z_-]+" d="(M[-\d. aALZ]+)"/g)].map((found) => found[1]);
  assert.deepEqual([shapes.length, new Set(shapes).size], [16, 16], "for points and legend, no two alike");
});

test("a drawing spreads what is out of focus by discs, below what is sharp", () => {
  const given = pictured({});
  given.look.blur = Uint8Array.of(0, 3, 0, 0);
  const text = svgText(given);
  const used = [...text.matchAll(/<use href="#nsne-([a-z]+)/g)]
    .map((found) => found[1])
    .filter((one) => one !== "legend");
  assert.deepEqual([used.length, used[0], used.filter((one) => one === "blur").length], [3, "blur", 1]);
  assert.ok(text.includes('id="nsne-blur-3"') && !text.includes("filter"));
});

test("hostile names, labels and titles draw the same elements as tame ones", () => {
  const tame = readXml(svgText(pictured({ names: ["x"], title: "t", classNames: ["a", "b"] })));
  const hostile = svgText(pictured({ names: [HOSTILE], title: HOSTILE, classNames: [HOSTILE, `${HOSTILE}2`] }));
  assert.deepEqual(readXml(hostile), tame);
  assert.ok(!hostile.includes("<script"));
});

test("letters and values are drawn too", () => {
  const letters = readXml(svgText(pictured({ letters: true })));
  assert.ok(letters.filter((name) => name === "text").length >= 3);
  const values = readXml(svgText(pictured({ color: "value" })));
  assert.ok(values.filter((name) => name === "rect").length > 20, "a scale of colors");
});

test("a pen that writes SVG keeps colors, dashes and opacity, and restores them", () => {
  const pen = new SvgPen();
  pen.save();
  pen.strokeStyle = "#123456";
  pen.globalAlpha = 0.5;
  pen.setLineDash([2, 3]);
  pen.beginPath();
  pen.moveTo(1, 2);
  pen.lineTo(3, 4);
  pen.stroke();
  pen.restore();
  pen.fillRect(0, 0, 1, 1);
  assert.match(pen.parts[0], /stroke="#123456".*stroke-dasharray="2 3".*opacity="0.5"/);
  assert.ok(!pen.parts[1].includes("opacity"));
});

test("a file is named by model and iteration, in letters that every system takes", () => {
  assert.equal(fileName({ model_name: "UNISNE", iteration: 120 }, "png"), "UNISNE-step-120.png");
  assert.equal(fileName({ model_name: "../../etc/päss", iteration: null }, "svg"), "etc-pa-ss.svg");
  assert.equal(fileName({ model_name: "", iteration: undefined }, "png"), "map.png");
});

test("where counts are shown, classes that were given one color are counted, and those of one shape besides", () => {
  const said = (colors, flat) => {
    const classNames = colors.map((_, k) => `class ${k}`);
    const classes = Uint16Array.from(classNames.keys());
    const coloring = new Coloring({ classes, classNames, classColors: colors, values: null, range: [] });
    coloring.choose("label", { hidden: false, live: false, scores: null });
    return coloring.said(flat);
  };
  const same = Array(8).fill("#112233");
  assert.deepEqual([said(Array(24).fill(""), true), said(same.slice(0, 7), false)], ["", ""]);
  assert.match(said(same, true), /^8 classes share a color with another; click one in the legend/);
  assert.match(said(same, false), /^2 classes share/);
});
