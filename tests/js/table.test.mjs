// The table below the map: what objects are filtered by, which are left, in which order rows come, and what tells of regions.

import assert from "node:assert/strict";
import test from "node:test";

import { fakeDocument, install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { MockClock, load, playerModel } from "./mocks.mjs";

install();
const { KnownObjects } = await load("player/objects.js");
const { PlayerHub } = await load("player/hub.js");
const { Selection } = await load("player/map/selection.js");
const { Stage } = await load("player/stage.js");
const { FAINT, PLAIN, SELECTED, ranks } = await load("player/map/colors.js");
const { facetsOf, rangeOf } = await load("player/table/facets.js");
const { Filters } = await load("player/table/filters.js");
const { Drawer } = await load("player/table/drawer.js");
const { objectColumns } = await load("player/table/object_table.js");
const { orderOf } = await load("shared/grid.js");
const { RegionList } = await load("player/table/region_list.js");
const { UNLABELED } = await load("shared/marks.js");

const HOSTILE = "<img src=x onerror=alert(1)>";
const packed = (array) => new DataView(array.buffer);

function traits(more = {}) {
  return {
    n_objects: 6,
    names: ["bank", "river", HOSTILE, "Müller", "", "bank"],
    classes: packed(Uint16Array.from([0, 0, 1, 1, 1, UNLABELED])),
    class_names: ["money", "water"],
    object_columns: [
      { name: "year", kind: "number", at: 0, colors: true },
      { name: "kind", kind: "text", texts: ["a", "b", null, "b", "b", "a"], classes: ["a", "b"], colors: true },
    ],
    object_numbers: packed(Float64Array.from([1990, 1991, 2001, Number.NaN, 1995, 1990])),
    ...more,
  };
}

const known = (more) => {
  const has = traits(more);
  return new KnownObjects({ get: (name) => has[name] }, 0);
};
const made = (more) => {
  const objects = known(more);
  const filters = new Filters(objects, facetsOf(objects));
  const facet = (name) => filters.facets.find((one) => one.name === name);
  return {
    objects,
    filters,
    facet,
    left: () => filters.left && [...filters.left.keys()].filter((i) => filters.left[i]),
  };
};

test("objects are filtered by label, by columns of numbers and of kinds", () => {
  const { facet, filters } = made();
  const kinds = ["label kinds", "column:year range", "column:kind kinds"];
  eachIs(filters.facets, ({ name, kind }) => `${name} ${kind}`, kinds);
  const year = facet("column:year");
  assert.equal(year.say(0), "1990");
  assert.equal(year.say(0, year.count - 1), "from 1990 to 2001");
  assert.deepEqual([...year.keys], [0, 1, 11, UNLABELED, 5, 0]);
  assert.equal(facet("label").say(UNLABELED), "unlabeled");
  assert.equal(facet("column:kind").say(UNLABELED), "missing");
});

test("steps are round, whole for whole numbers, and days for dates", () => {
  const DAY = 86_400_000;
  const of = (values, dates = false) => rangeOf("x", "x", Float64Array.from(values), dates);
  assert.equal(of([Number.NaN, Number.NaN]), null);
  const alike = of([3, 3, Number.NaN]);
  assert.deepEqual([alike.count, alike.say(0)], [1, "3"]);
  const wide = of([0, 997, 500]);
  assert.ok(wide.count >= 15 && wide.count <= 26);
  assert.equal(wide.say(0), "from 0 to 49");
  assert.equal(wide.say(wide.count - 1), "from 950 to 997");
  const shares = of([0.013, 0.98, 0.5]);
  assert.equal(shares.say(1), "from 0.05 to 0.1");
  assert.equal(shares.keys[1], shares.count - 1);
  const dates = of([0, 100 * DAY + 5000, 40 * DAY], true);
  assert.equal(dates.say(0), "from 1970-01-01 to 1970-01-05");
  assert.equal(dates.say(1), "from 1970-01-06 to 1970-01-10");
  for (const [low, high] of Object.entries({ "-5": 5, 1e-9: 2e-9, "-1e12": 1e12, [2 ** 60]: 2 ** 60 + 4096 })) {
    const { count, keys } = of([Number(low), high]);
    assert.deepEqual([keys[0], keys[1]], [0, count - 1], low);
  }
});

test("filters of several columns combine with and; kinds of one with or", () => {
  const { facet, filters, left } = made();
  assert.equal(filters.left, null);
  filters.set(facet("column:year"), { low: 0, high: 5 });
  assert.deepEqual(left(), [0, 1, 4, 5], "a missing year is in no range");
  filters.set(facet("column:kind"), new Set([1]));
  assert.deepEqual(left(), [1, 4]);
  assert.equal(filters.count, 2);
  filters.set(facet("column:kind"), new Set([0, 1]));
  assert.deepEqual(left(), [0, 1, 4, 5]);
  filters.set(facet("label"), new Set([UNLABELED]));
  assert.deepEqual(left(), [5]);
  filters.set(facet("label"), new Set());
  filters.set(facet("column:kind"), null);
  filters.set(facet("column:year"), { low: 0, high: 11 });
  assert.equal(filters.any, false, "a range of all is none, the missing included");
});

test("counts are of what the other filters leave", () => {
  const { facet, filters } = made();
  filters.set(facet("column:kind"), new Set([1]));
  assert.deepEqual([...filters.counts(facet("column:kind"))], [2, 3, 1]);
  assert.deepEqual([...filters.counts(facet("label"))], [1, 2, 0]);
  filters.set(facet("label"), new Set([0]));
  assert.deepEqual([...filters.counts(facet("column:kind"))], [1, 1, 0]);
});

test("a piece of text is looked for in names, labels and texts, without case and accents", () => {
  const { filters, left } = made();
  filters.search("MULLER");
  assert.deepEqual(left(), [3]);
  filters.search("water");
  assert.deepEqual(left(), [2, 3, 4]);
  filters.search("<img");
  assert.deepEqual(left(), [2]);
  filters.search("  ");
  assert.equal(filters.left, null);
});

test("labels that are hidden filter nothing, and are not found", () => {
  const has = traits();
  const objects = new KnownObjects({ get: (name) => has[name] }, 0);
  const filters = new Filters(objects, facetsOf(objects));
  filters.set(filters.facets[0], new Set([0]));
  filters.search("water");
  has.hide_labels = true;
  filters.forgetLabels();
  assert.equal(filters.kept.size, 0);
  assert.equal(filters.count, 0);
  eachIs(objectColumns(objects), "name", ["name", "object", "column:year", "column:kind"]);
});

test("what filters leave is the selection until a hand selects a part of it", () => {
  const told = [];
  const selection = new Selection(5, (list) => told.push(list));
  selection.filter(Uint8Array.from([1, 1, 1, 0, 0]), false);
  assert.deepEqual([selection.list, told.length], [[0, 1, 2], 0], "told when the hand has let go");
  selection.filter(Uint8Array.from([1, 1, 1, 0, 0]), true);
  assert.deepEqual(told.pop(), [0, 1, 2]);
  assert.deepEqual([selection.chosen, selection.byHand, selection.has(0)], [0, [], false]);
  selection.set([2, 3]);
  assert.deepEqual(told.pop(), [2], "what is filtered out cannot be selected");
  assert.ok(selection.has(2));
  selection.filter(Uint8Array.from([0, 1, 1, 1, 0]), true);
  assert.deepEqual(told.pop(), [2], "a hand's selection stays as far as it is left");
  assert.ok(selection.clear());
  assert.deepEqual(told.pop(), [1, 2, 3]);
  assert.equal(selection.clear(), false, "Escape goes on to the next thing");
  selection.set([1]);
  selection.change("remove", [1]);
  assert.deepEqual(selection.list, [1, 2, 3]);
  selection.filter(new Uint8Array(5), true);
  assert.deepEqual([told.pop(), selection.filtered], [[], true]);
  selection.filter(null, true);
  assert.deepEqual([told.pop(), selection.left], [[], null]);
  selection.set([4]);
  selection.filter(Uint8Array.from([1, 0, 0, 0, 0]), true);
  assert.deepEqual(told.pop(), [0], "nothing of a hand's is left");
});

test("what is filtered out is faint, what is left is plain, and a hand's selection stands out", () => {
  const selection = new Selection(4);
  const levels = () => [...ranks(4, null, new Set(), selection).levels];
  selection.filter(Uint8Array.from([1, 1, 1, 0]), true);
  assert.deepEqual(levels(), [PLAIN, PLAIN, PLAIN, FAINT]);
  selection.set([0]);
  assert.deepEqual(levels(), [SELECTED, PLAIN, PLAIN, FAINT]);
  selection.filter(new Uint8Array(4), true);
  assert.deepEqual(levels(), [FAINT, FAINT, FAINT, FAINT]);
  selection.filter(null, true);
  assert.equal(ranks(4, null, new Set(), selection), null);
});

test("rows are sorted by a column, what is missing last, equals in their own order", () => {
  const columns = objectColumns(known());
  const column = (name) => columns.find((one) => one.name === name);
  const order = (name, falling = false) => [...orderOf(column(name), 6, falling)];
  assert.deepEqual(order("column:year"), [0, 5, 1, 4, 2, 3]);
  assert.deepEqual(order("column:year", true), [2, 4, 1, 0, 5, 3]);
  assert.deepEqual(order("column:kind", true), [1, 3, 4, 0, 5, 2]);
  assert.deepEqual(order("object", true), [5, 4, 3, 2, 1, 0]);
  const tens = orderOf({ values: null, say: (i) => `item ${10 - i}` }, 3, false);
  assert.deepEqual([...tens], [2, 1, 0], "item 9 comes before item 10");
  const told = ["high", "low", "", "mid"];
  const kinds = orderOf({ values: null, kinds: ["low", "mid", "high"], say: (i) => told[i] }, 4, false);
  assert.deepEqual([...kinds], [1, 3, 0, 2], "classes come in the order of the legend");
});

/** An open drawer in the small page. */
function drawer(more = {}) {
  const hub = new PlayerHub(playerModel({ ...traits(more), show_table: true, selection: [] }), new MockClock());
  const stage = new Stage();
  stage.points = new Float32Array(12);
  const objects = new KnownObjects(hub.model, 6);
  const selection = new Selection(6, (list) => hub.keep("selection", list));
  const seen = [];
  const said = [];
  const undo = new AbortController();
  const say = (words) => said.push(words);
  const known = { hub, stage, objects, selection, signal: undo.signal, say };
  const view = new Drawer(known, (list, how) => selection.change(how, list));
  view.reveal = (i) => seen.push(i);
  fakeDocument.body.append(view.element);
  view.update();
  Object.assign(view.inside.table.grid, { clientHeight: 300, scrollTop: 0 });
  view.inside.table.update();
  const rows = () => view.inside.table.body.children.map((row) => row.children[0].textContent);
  const end = () => {
    undo.abort();
    view.stop();
    hub.stop();
  };
  return { hub, selection, view, seen, said, rows, end, stage };
}

test("the drawer lists all objects, those that are left, or those that a hand has selected", () => {
  const { hub, selection, view, seen, said, rows, end } = drawer();
  assert.deepEqual(rows(), ["bank", "river", HOSTILE, "Müller", "", "bank"], "a name is a text");
  const water = view.element.all('[data-control="filter-kind"]')[0];
  assert.equal(water.children[0].textContent, "water");
  water.click();
  assert.deepEqual(hub.model.get("selection"), [2, 3, 4], "Python gets what is left");
  assert.equal(said.pop(), "3 of 6 objects left");
  assert.equal(view.element.find('[data-part="left"]').textContent, "3 of 6 objects left");
  assert.deepEqual(rows(), [HOSTILE, "Müller", ""]);
  view.inside.table.body.children[1].children[0].fire("click");
  assert.deepEqual(seen, [3]);
  selection.set([2, 4]);
  view.update();
  assert.deepEqual(rows(), [HOSTILE, ""]);
  assert.equal(view.element.control("show-selected").textContent, "Selected 2");
  view.element.control("show-all").click();
  assert.deepEqual(rows(), [HOSTILE, "Müller", ""]);
  eachIs(view.inside.table.body.children, (row) => row.getAttribute("aria-selected"), ["true", "false", "true"]);
  view.inside.table.body.children[1].children[0].fire("click", { shiftKey: true });
  assert.deepEqual(hub.model.get("selection"), [2, 3, 4]);
  view.element.control("clear-filters").click();
  assert.equal(selection.left, null);
  end();
});

test("a closed drawer holds nothing until it is opened, and says that its filters are in force when closed again", () => {
  const { hub, view, end } = drawer({ show_table: false });
  assert.ok(view.inside);
  end();
  const { signal } = new AbortController();
  const objects = known();
  const closed = new Drawer({ hub, stage: new Stage(), objects, selection: new Selection(6), signal, say() {} });
  hub.model.traits.show_table = false;
  closed.update();
  assert.equal(closed.inside, null);
  assert.ok(closed.element.hidden && closed.element.children.length === 0);
  closed.toggle();
  closed.update();
  assert.ok(closed.inside && !closed.element.hidden);
  closed.element.all('[data-control="filter-kind"]')[0].click();
  closed.toggle();
  closed.update();
  assert.ok(closed.element.hidden);
  assert.equal(closed.toggler.textContent, "3");
  assert.equal(closed.toggler.getAttribute("data-filters"), "true");
  closed.stop();
});

test("sliders move a range, and one end does not pass the other", () => {
  const { view, selection, end } = drawer();
  const [low] = view.element.all('[data-control="filter-low"]');
  const [high] = view.element.all('[data-control="filter-high"]');
  high.value = "5";
  high.fire("input");
  assert.deepEqual(selection.list, [0, 1, 4, 5]);
  assert.equal(high.getAttribute("aria-valuetext"), "1995");
  low.value = "9";
  low.fire("change");
  assert.equal(low.value, "5");
  assert.deepEqual(selection.list, [4]);
  view.element.control("clear-filter"); // of the label, hidden
  view.element.all('[data-control="clear-filter"]')[1].click();
  assert.equal(selection.left, null);
  assert.equal(low.value, "0");
  end();
});

test("a map in two clumps has two regions, the larger first, called by what tells of them", () => {
  const N = 90;
  const points = new Float32Array(2 * N);
  for (let i = 0; i < N; i++) points.set([(i < 30 ? -9 : 9) + Math.sin(i), Math.cos(3 * i)], 2 * i);
  const has = {
    n_objects: N,
    class_names: ["east", HOSTILE],
    classes: packed(Uint16Array.from({ length: N }, (_, i) => Number(i < 30))),
  };
  const picked = [];
  const list = new RegionList(new KnownObjects({ get: (name) => has[name] }, 0), (objects) =>
    picked.push(objects.length),
  );
  list.find(points);
  const names = list.regions.map(({ name }) => name);
  assert.ok(names.includes("east") && names.includes(HOSTILE), String(names));
  list.element.control("region").click();
  assert.equal(picked[0], list.regions[0].objects.length);
});
