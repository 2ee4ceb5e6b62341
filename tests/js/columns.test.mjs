// Columns beside the objects: in words, as colors, in the legend; names that several objects have; whose name comes first.

import assert from "node:assert/strict";
import test from "node:test";

import { install } from "./dom.mjs";
const here = new URL("../../notebook_sne/frontend/", import.meta.url);
const load = (name) => import(new URL(name, here));

install();
const { Columns, dateWords } = await load("player/columns.js");
const { Coloring } = await load("player/map/colors.js");
const { Legend } = await load("player/map/legend.js");
const { KnownObjects } = await load("player/objects.js");
const { SearchBox } = await load("player/panels/search.js");
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
  assert.deepEqual(columns.of(0), [
    ["year", "1990"],
    ["when", "1970-01-01"],
    ["kind", "b"],
    ["link", LINK],
  ]);
  assert.deepEqual(columns.of(1), [
    ["year", "missing"],
    ["when", "1970-01-02 00:00:01"],
    ["kind", "missing"],
    ["link", ""],
  ]);
  assert.equal(columns.of(2)[2][1], HOSTILE, "a text is a text");
  assert.equal(dateWords(1e300), "1e+300", "no date at all");
  assert.deepEqual(new Columns({ get: () => undefined }, 3).of(0), []);
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
  assert.ok(legend.list.textContent.includes(HOSTILE));
  coloring.choose("column:year", now);
  legend.update(coloring);
  assert.match(legend.none.textContent, /missing \(1\)/);
  assert.deepEqual([legend.low.textContent, legend.high.textContent, legend.none.hidden], ["1990", "2001", false]);
});

test("objects of one name are found together, then each by its number", () => {
  const objects = known({ names: ["bank", "embankment", "bank"] });
  const box = new SearchBox({ objects, say() {}, choose() {}, leave() {} });
  const told = (text) => box.matches(text).map(({ words, remark, objects: found }) => [words, remark, found]);
  assert.deepEqual(told("Bank"), [
    ["bank", "all 2", [0, 2]],
    ["bank", "1 of 2, object 0", [0]],
    ["bank", "2 of 2, object 2", [2]],
    ["all 3 matches", "", [0, 2, 1]],
    ["embankment", "", [1]],
  ]);
  const alike = known({ names: ["a", "a", "a"] });
  const all = new SearchBox({ objects: alike, say() {}, choose() {}, leave() {} }).matches("a");
  assert.deepEqual([all.length, all[0].objects], [4, [0, 1, 2]], "all of the name are all that match");
});

test("importance gives each object its place", () => {
  assert.deepEqual([known().order, known().rank], [null, null]);
  const objects = known({ importance: new DataView(new Uint32Array([2, 0, 1]).buffer) });
  assert.deepEqual(
    [[...objects.order], [...objects.rank]],
    [
      [2, 0, 1],
      [1, 2, 0],
    ],
  );
});
