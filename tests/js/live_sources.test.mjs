// P in a page, from the objects that it holds, by the compiled kernels: over all pairs, and over the nearest of many.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Arena } from "../../notebook_sne/frontend/live_page/arena.js";
import { fromObjects } from "../../notebook_sne/frontend/live_page/sources.js";

const [N, WIDTH] = [200, 3];
const wasm = readFileSync(new URL("../../notebook_sne/portable/kernels.wasm", import.meta.url));

/** The source of a page of 200 objects, with all pairs up to so many, and how often its kernels were called. */
async function source(searched) {
  const { instance } = await WebAssembly.instantiate(wasm);
  const calls = { distances: 0, nearest: 0 };
  const kernels = { ...instance.exports };
  for (const name of Object.keys(calls))
    kernels[name] = (...given) => ((calls[name] += 1), instance.exports[name](...given));
  const X = Float64Array.from({ length: N * WIDTH }, (_, k) => Math.sin(12.9898 * k) * 0.5);
  const view = (array) => new DataView(array.buffer);
  const arrays = { X: view(X), X_table: view(new Float64Array()), X_middle: view(new Float64Array(WIDTH)) };
  const objects = { shape: [N, WIDTH], type: "float64", first: 1, last: 1, equal: 1e-13 };
  return { calls, made: fromObjects({ objects, searched }, arrays, new Arena(kernels)) };
}

/** Let a search go to its end. */
function found(made, perplexity) {
  const work = made.search({ perplexity, least_p: 0 });
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Each row as its entropy in nats, its sum and its length. */
function rows({ pointers, values }) {
  return Array.from({ length: N }, (_, i) => {
    const p = values.slice(Number(pointers[i]), Number(pointers[i + 1]));
    return { nats: -p.reduce((sum, q) => sum + q * Math.log(q), 0), sum: p.reduce((a, b) => a + b), n: p.length };
  });
}

for (const searched of [1000, 50])
  test(`P has the perplexity asked for, whether ${N} objects are many or not (${searched})`, async () => {
    const { calls, made } = await source(searched);
    const first = found(made, 12);
    const measured = { ...calls };
    for (const { nats, sum, n } of rows(first)) {
      assert.ok(Math.abs(nats - Math.log(12)) < 1e-7 && Math.abs(sum - 1) < 1e-12);
      assert.ok(searched > N || n <= 36);
    }
    const other = found(made, 20);
    assert.ok(rows(other).every(({ nats }) => Math.abs(nats - Math.log(20)) < 1e-7));
    assert.deepEqual(calls, measured); // nothing is measured twice
    const wide = found(made, 60);
    assert.ok(rows(wide).every(({ nats }) => Math.abs(nats - Math.log(60)) < 1e-7));
    assert.equal(calls.nearest > measured.nearest, searched < N); // 180 neighbors are more than were searched
    assert.deepEqual(found(made, 12), first);
  });
