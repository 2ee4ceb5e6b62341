// What an update does to Bokeh's figures.

import assert from "node:assert/strict";
import { test } from "node:test";

import widget, { apply } from "../../notebook_sne/browser/frontend/figure/figure.js";

/** Models by their id, each noting what is set, in order. */
function documentOf(sources, ranges, log = []) {
  const models = {};
  for (const [id, data] of Object.entries(sources)) {
    models[id] = {
      held: data,
      get data() {
        return this.held;
      },
      set data(value) {
        log.push(id);
        this.held = value;
      },
    };
  }
  for (const id of ranges) models[id] = { setv: (values) => log.push([id, values]) };
  return { log, models, get_model_by_id: (id) => models[id] ?? null };
}

const bytes = (array, offset = 0) => {
  const whole = new Uint8Array(offset + array.byteLength);
  whole.set(new Uint8Array(array.buffer), offset);
  return new DataView(whole.buffer, offset);
};

test("columns are replaced by their numbers, wherever their bytes begin, and the others stay", () => {
  const there = documentOf({ a: { x: [0], y: [0], name: ["one"] }, b: { x: [5] } }, []);
  const columns = [
    ["a", "x", "f4"],
    ["b", "x", "f8"],
    ["a", "y", "f8"],
  ];
  const buffers = [bytes(new Float32Array([1.5]), 1), bytes(new Float64Array([2.5]), 3), bytes(new Float64Array([7]))];
  apply(there, { kind: "update", columns, values: {} }, buffers);
  assert.deepEqual([...there.models.a.data.x, ...there.models.a.data.y, ...there.models.b.data.x], [1.5, 7, 2.5]);
  assert.deepEqual(there.models.a.data.name, ["one"]);
  assert.deepEqual(there.log, ["a", "b"]); // each source is drawn once
});

test("ranges are set before the points, and what is not there is passed over", () => {
  const there = documentOf({ a: { x: [0] } }, ["r"]);
  const values = { r: { start: 1, end: 2 }, gone: { start: 0 } };
  const columns = [
    ["a", "x", "f8"],
    ["gone", "x", "f8"],
  ];
  apply(there, { kind: "update", columns, values }, [bytes(new Float64Array([3])), bytes(new Float64Array([4]))]);
  assert.deepEqual(there.log, [["r", { start: 1, end: 2 }], "a"]);
});

test("a widget is rendered, not initialized: a view that comes later starts from what is kept", () => {
  assert.deepEqual(Object.keys(widget), ["render"]);
});
