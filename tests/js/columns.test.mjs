// Columns beside the objects: in words, as colors, in the legend; names that several objects have; whose name comes first.

import assert from "node:assert/strict";
import test from "node:test";

import { install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { MockClock, MockModel, load } from "./mocks.mjs";

install();
const { Columns, dateWords } = await load("player/columns.js");
const { Coloring } = await load("player/map/colors.js");
const { Legend } = await load("player/map/legend.js");
const { KnownObjects } = await load("player/objects.js");
const { PlayerHub } = await load("player/hub.js");
const { SearchBox } = await load("player/panels/search.js");
const { chooseColors } = await load("player/map/scores.js");
const { UNLABELED } = await load("shared/marks.js");

const DAY = 86_400_000;
const HOSTILE = "<img src=x onerror=alert(1)>";
const LINK = "javascript:alert(1)";

function known(more = {}) {
  const numbers = new Float64Array([1990, Number.NaN, 2001, 0, DAY + 1000, Number.NaN]);
  const traits = {
    n_objects: 3,
    object_columns: [
      { name: "year", kind: "number", at: 0, colors: true },
      { name: "when", kind: "date", at: 1, colors: true },
      { name: "kind", kind: "text", texts: ["b", null, HOSTILE], classes: [HOSTILE, "b"], colors: true },
      { name: "link", kind: "text", texts: [LINK, "", null], colors: false },
    ],
    object_numbers: new DataView(numbers.buffer),
    ...more,
  };
  return new KnownObjects({ get: (name) => traits[name] }, 0);
}

test("each column says an object in words, and what is missing is said to be", () => {
  const { columns } = known();
  const first = { year: "1990", when: "1970-01-01", kind: "b", link: LINK };
  const second = { year: "missing", when: "1970-01-02 00:00:01", kind: "missing", link: "" };
  eachIs([0, 1], (i) => columns.of(i), [Object.entries(first), Object.entries(second)]);
  assert.equal(columns.of(2)[2][1], HOSTILE, "a text is a text");
  assert.equal(dateWords(1e300), "1e+300", "no date at all");
  assert.deepEqual(new Columns({ get: () => undefined }, 3).of(0), []);
});

test("identifiers above 2**53 and parts of a second are said as they are", () => {
  const numbers = new Float64Array([2 ** 53, 2 ** 63, Number.NaN, 1, -1, 0, 0, -1, 1234567890123456]);
  const dates = new Float64Array([1, DAY + 1500, 0, 400, 0, 1]);
  const { columns } = known({
    object_columns: [
      { name: "id", kind: "number", at: 0, rest: 1, colors: true },
      { name: "code", kind: "number", at: 2, colors: true },
      { name: "when", kind: "date", at: 3, rest: 4, colors: true },
    ],
    object_numbers: new DataView(new Float64Array([...numbers, ...dates]).buffer),
  });
  const said = [0, 1, 2].map((i) => columns.of(i).map(([, words]) => words));
  assert.deepEqual(said, [
    ["9007199254740993", "0", "1970-01-01 00:00:00.001000400"],
    ["9223372036854775807", "-1", "1970-01-02 00:00:01.500"],
    ["missing", "1234567890123456", "1970-01-01 00:00:00.000000001"],
  ]);
});

test("colors mean a column: numbers and dates a scale, texts of few kinds classes, others nothing", () => {
  const objects = known();
  const coloring = new Coloring(objects);
  const now = { hidden: false, live: false, costs: null };
  assert.deepEqual(coloring.channels(false), ["column:year", "column:when", "column:kind", "none"]);
  assert.ok(coloring.choose("column:year", now));
  assert.deepEqual([coloring.channel, coloring.range], ["value", [1990, 2001]]);
  assert.deepEqual([...coloring.keys], [0, UNLABELED, 47]);
  assert.ok(coloring.choose("column:when", now), "another column of a scale is news");
  assert.equal(coloring.source.say(coloring.range[0]), "1970-01-01");
  assert.ok(coloring.choose("column:kind", now));
  assert.deepEqual([coloring.channel, [...coloring.keys]], ["label", [1, UNLABELED, 0]]);
  assert.ok(coloring.choose("column:kind", { ...now, hidden: true }), "what is hidden stays hidden");
  assert.equal(coloring.channel, "none");
});

test("a legend of a column counts what is missing", () => {
  const objects = known();
  const coloring = new Coloring(objects);
  const legend = new Legend(objects, { changed() {}, pick() {} }, new AbortController().signal);
  const now = { hidden: false, live: false, costs: null };
  coloring.choose("column:kind", now);
  legend.update(coloring);
  assert.match(legend.list.textContent, /missing \(1\)/);
  assert.ok(legend.list.textContent.includes(HOSTILE.slice(0, 11)));
  coloring.choose("column:year", now);
  legend.update(coloring);
  assert.match(legend.none.textContent, /missing \(1\)/);
  assert.deepEqual([legend.low.textContent, legend.high.textContent, legend.none.hidden], ["1990", "2001", false]);
  assert.equal(legend.unit.textContent, "year", "the scale has its name beside it, as few controls show no heading");
});

test("a legend of more than 24 classes names none, and one can be singled out of all", () => {
  const n = 65535;
  const classes = Uint16Array.from({ length: n + 1 }, (_, i) => i);
  const objects = { classes, classNames: Array.from({ length: n }, (_, k) => `class ${k}`), values: null };
  const legend = new Legend(objects, { changed() {}, pick() {} }, new AbortController().signal);
  const words = [...legend.list.children].map((one) => one.textContent);
  assert.deepEqual(words, ["65,535 classes: their names are on the map", "unlabeled (1)"]);
  assert.deepEqual([legend.entries.length, legend.marks.length], [1, 1]);
  legend.single(3);
  assert.deepEqual([legend.dimmed.size, legend.dimmed.has(3), legend.dimmed.has(40000)], [n, false, true]);
  legend.single(3);
  assert.equal(legend.dimmed.size, 0);
  const coloring = new Coloring(objects);
  coloring.choose("label", { hidden: false, live: false, scores: null });
  assert.equal(coloring.said(false), "", "no color tells a class");
  for (const k of [0, 167, 168, 999, 65534])
    for (const of of ["color", "shape"]) assert.equal(coloring[of](k), coloring[of](k % coloring.looks));
  assert.equal(coloring.shape(5), "circle");
});

test("classes that are more than a legend names have the colors of their places, where the map is finished", () => {
  const classNames = Array.from({ length: 30 }, (_, k) => `class ${k}`);
  const classes = Uint16Array.from({ length: 61 }, (_, i) => (i < 60 ? i >> 1 : UNLABELED));
  const turn = (i) => (2 * Math.PI * (i >> 2)) / 15; // two classes at each place
  const points = Float32Array.from({ length: 122 }, (_, c) => (c % 2 ? Math.sin : Math.cos)(turn(c >> 1)));
  const coloring = new Coloring({ classes, classNames, classColors: [], values: null, range: [], count: 61 });
  coloring.choose("label", { hidden: false, live: true, scores: null });
  const hub = { model: { get: () => "label" }, live: true, facts: { status: "running" }, shownScores: () => null };
  hub.film = { last: 9, between: () => points };
  const view = { hub, coloring, objects: { hidden: false }, selection: { size: 0, list: [] } };
  chooseColors(view);
  assert.notEqual(coloring.color(0, false), coloring.color(1, false));
  const { version } = coloring;
  hub.facts.status = "finished";
  chooseColors(view);
  chooseColors(view);
  assert.equal(coloring.version, version + 1, "once");
  const colors = classNames.map((_, k) => coloring.color(k, false));
  assert.ok(new Set(colors).size === 15 && colors.every((one, k) => one === colors[k ^ 1]));
});

test("objects of one name are found together, then each by its number", () => {
  const objects = known({ names: ["bank", "embankment", "bank"] });
  const box = new SearchBox({ objects });
  const told = (text) => box.matches(text).map(({ words, remark, objects: found }) => [words, remark, found]);
  assert.deepEqual(told("Bank"), [
    ["bank", "all 2", [0, 2]],
    ["bank", "1 of 2, object 0", [0]],
    ["bank", "2 of 2, object 2", [2]],
    ["all 3 matches", "", [0, 2, 1]],
    ["embankment", "", [1]],
  ]);
  const alike = known({ names: ["a", "a", "a"] });
  const all = new SearchBox({ objects: alike }).matches("a");
  assert.deepEqual([all.length, all[0].objects], [4, [0, 1, 2]], "all of the name are all that match");
});

test("importance gives each object its place", () => {
  assert.deepEqual([known().order, known().rank], [null, null]);
  const objects = known({ importance: new DataView(new Uint32Array([2, 0, 1]).buffer) });
  assert.deepEqual([...objects.order, ...objects.rank], [2, 0, 1, 1, 2, 0]);
});

/** A search box on a hub of its own: what it shows after a text was typed and taken, and what was chosen. */
function asking(traits) {
  const [model, clock, chosen] = [new MockModel({ object_columns: [], ...traits }), new MockClock(), []];
  const hub = new PlayerHub(model, clock);
  const choose = (...found) => chosen.push(found);
  const box = new SearchBox({ hub, objects: known(), say() {} }, choose, () => {});
  const shown = () => box.box.entries.map(({ words, remark }) => `${words} ${remark}`.trim());
  const type = (text) => {
    box.input.value = text;
    box.find();
  };
  const take = (keys = {}) => box.take(box.box.entries.at(-1), { altKey: false, shiftKey: false, ...keys });
  const answer = (content, found = []) =>
    hub.receive({ kind: "found", page: hub.id, ...content }, [new DataView(Uint32Array.from(found).buffer)]);
  return { model, clock, chosen, type, take, answer, shown, box };
}

test("a condition is offered beside names, and never for a text that has no comparison", () => {
  const { type, shown } = asking({ reads_queries: true });
  for (const text of ["year > 1995", "kind == 'b'", "'b' in kind", "kind is None", "not kind", "year<=1995"]) {
    type(text);
    assert.deepEqual(shown(), [`where ${text}`]);
  }
  for (const text of ["year", "in", "is", "not", "island in", "notes", "a = b"]) {
    type(text);
    assert.deepEqual(shown(), [], text);
  }
});

for (const live of [true, false])
  test(`a ${live ? "live view" : "film"} asks Python for a condition and selects what comes`, () => {
    const { model, chosen, type, take, answer, shown } = asking({ reads_queries: true, live });
    type("year > 1995");
    take({ shiftKey: true });
    eachIs(model.requests("objects"), "query", ["year > 1995"]);
    assert.deepEqual(shown(), ["asking Python: where year > 1995"]);
    answer({ query: "year > 1995", page: "another" }, [1]);
    answer({ query: "year > 1990" }, [1]);
    assert.deepEqual(chosen, [], "what others asked, and what was asked before, is not for this box");
    answer({ query: "year > 1995" }, [0, 2]);
    assert.deepEqual([chosen, shown()], [[[[0, 2], "add"]], []]);
    answer({ query: "year > 1995" }, [0, 2]);
    assert.equal(chosen.length, 1, "an answer counts once");
  });

test("the reader is told what cannot be read, what nothing meets, and when nobody answers", () => {
  const { clock, chosen, model, type, take, answer, shown } = asking({ reads_queries: true, live: false });
  type("yeer > 1995");
  take();
  answer({ query: "yeer > 1995", error: "there is no column 'yeer'" });
  assert.deepEqual(shown(), ["there is no column 'yeer'"]);
  type("year > 3000");
  take();
  answer({ query: "year > 3000" });
  assert.deepEqual([shown(), chosen], [["nothing where year > 3000"], []]);
  type("year > 1");
  take();
  clock.run(3000);
  assert.match(shown()[0], /asking/);
  clock.run(2000);
  assert.match(shown()[0], /^no answer yet/);
  const asked = model.sent.filter(({ query }) => query === "year > 1");
  assert.equal(asked.length, 2, "what was lost on its way is asked once more");
  answer({ query: "year > 1" }, [0]);
  assert.deepEqual(chosen, [[[0], "set"]], "late is not never");
  type("year > 2");
  take();
  type("b");
  clock.run(9000);
  answer({ query: "year > 2" }, [1]);
  assert.equal(chosen.length, 1, "a reader who types on does not wait any more");
});

test("a page without Python says that conditions need a kernel, and asks nobody", () => {
  const { model, type, take, shown } = asking({ live: false });
  type("year > 1995");
  take();
  assert.match(shown()[0], /need a kernel/);
  assert.deepEqual(model.sent, []);
});
