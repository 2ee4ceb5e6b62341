// P in a page, from the objects that it holds, by the compiled kernels: over all pairs, and over the nearest of many.

import assert from "node:assert/strict";
import test from "node:test";

import { goingOn } from "../../notebook_sne/browser/frontend/live_page/schedules.js";
import { Arena } from "../../notebook_sne/browser/frontend/live_page/wasm_heap.js";
import { sourceOf, startedKernels } from "./live.mjs";

const N = 200;

/** The source of a page of 200 objects, with all pairs up to so many, and how often its kernels were called. */
function source(searched) {
  const exports = startedKernels();
  const calls = { distances: 0, nearest: 0 };
  const kernels = { ...exports };
  for (const name of Object.keys(calls)) kernels[name] = (...given) => ((calls[name] += 1), exports[name](...given));
  const X = Array.from({ length: N }, (_, i) => [0, 1, 2].map((k) => Math.sin(12.9898 * (3 * i + k)) * 0.5));
  return { calls, made: sourceOf(X, new Arena(kernels), searched) };
}

/** Let a search go to its end. */
function found(made, perplexity, scales, least_p = 0) {
  const work = made.search({ perplexity, least_p }, scales);
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
  test(`P has the perplexity asked for, whether ${N} objects are many or not (${searched})`, () => {
    const { calls, made } = source(searched);
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

/** A dense row of a P. */
function dense({ pointers, columns, values }, i) {
  const row = new Float64Array(N);
  for (let k = Number(pointers[i]); k < Number(pointers[i + 1]); k++) row[columns[k]] = values[k];
  return row;
}

for (const searched of [1000, 50])
  test(`P at several perplexities is the mean of theirs, without what is small in the mean (${searched})`, () => {
    const { made } = source(searched);
    const mean = found(made, 24, [4, 24]);
    const parts = searched > N ? [4, 24].map((one) => found(made, one)) : [];
    for (const [i, { sum, n }] of rows(mean).entries()) {
      assert.ok(Math.abs(sum - 1) < 1e-12 && (searched > N || (n <= 72 && n > 36)));
      const row = dense(mean, i);
      for (const [j, p] of row.entries())
        if (parts.length) assert.ok(Math.abs(p - (dense(parts[0], i)[j] + dense(parts[1], i)[j]) / 2) < 1e-12);
    }
    const few = found(made, 24, [4, 24], 1e-2);
    for (const [i, { sum }] of rows(few).entries()) {
      assert.ok(Math.abs(sum - 1) < 1e-12);
      const [row, all] = [dense(few, i), dense(mean, i)];
      assert.ok(all.every((p, j) => row[j] > 0 === p >= 1e-2));
    }
  });

test("a model that takes over keeps the perplexities of the one before", () => {
  const one = { id: "SNE", schedules: { perplexity: 12 }, scales: [3, 12] };
  const plan = { keeps: {}, perplexity: 30 };
  const next = goingOn({ id: "TSNE", schedules: { perplexity: 30 }, scales: null }, one, plan);
  assert.deepEqual([next.schedules.perplexity, next.scales], [12, [3, 12]]);
  const plain = goingOn({ id: "TSNE", schedules: {}, scales: null }, one, plan); // its P was given
  assert.deepEqual([plain.schedules.perplexity, plain.scales], [undefined, null]);
});

test("UMAP has the P of the model before, or hands on the neighbors of its graph", () => {
  const keeps = { UMAP: "n_neighbors min_dist spread" };
  const plan = { keeps, perplexity: 25 };
  const umap = { id: "UMAP", schedules: { min_dist: 0.1, spread: 1 }, scales: null, n_neighbors: 15 };
  const tsne = { id: "TSNE", schedules: { perplexity: 12 }, scales: null, n_neighbors: null };
  const after = goingOn(umap, tsne, plan);
  assert.deepEqual([after.n_neighbors, after.schedules], [null, { min_dist: 0.1, spread: 1, perplexity: 12 }]);
  assert.deepEqual(goingOn(tsne, umap, plan).schedules, { perplexity: 25 }); // a graph has no perplexity
  assert.equal(goingOn({ ...tsne, scales: [3, 12] }, umap, plan).scales, null);
  const other = {
    ...umap,
    n_neighbors: 7,
    schedules: { min_dist: { kind: "steps", ends: 3, last: 1, values: [[0, 0]] } },
  };
  const kept = goingOn(umap, other, plan);
  assert.deepEqual([kept.n_neighbors, kept.schedules], [7, { ...other.schedules, spread: 1 }]);
  assert.deepEqual(goingOn(umap, after, plan).schedules.perplexity, 12);
});

for (const searched of [1000, 50])
  test(`the graph of UMAP is that of its definition, whether ${N} objects are many or not (${searched})`, () => {
    const { calls, made } = source(searched);
    const work = made.graph(8, {});
    let step = work.next();
    while (!step.done) step = work.next();
    const P = step.value;
    const X = Array.from({ length: N }, (_, i) => [0, 1, 2].map((k) => Math.sin(12.9898 * (3 * i + k)) * 0.5));
    const A = X.map((x, i) => {
      const r = X.map((y) => Math.hypot(...x.map((v, k) => v - y[k])));
      const near = [...r.keys()].filter((j) => j !== i).sort((a, b) => r[a] - r[b]);
      const beyond = near.slice(0, 7).map((j) => r[j] - r[near[0]]);
      let [low, high] = [1e-9, 1e3]; // of sigma
      for (let k = 0; k < 200; k++) {
        const middle = Math.sqrt(low * high);
        if (beyond.reduce((sum, d) => sum + Math.exp(-d / middle), 0) > 3) high = middle;
        else low = middle;
      }
      const row = new Float64Array(N);
      for (const [k, d] of beyond.entries()) row[near[k]] = Math.exp(-d / low);
      return row;
    });
    const mu = A.map((row, i) => row.map((a, j) => a + A[j][i] - a * A[j][i]));
    const total = mu.reduce((sum, row) => sum + row.reduce((a, b) => a + b, 0), 0);
    for (const [i, row] of mu.entries()) {
      const there = dense(P, i);
      for (const [j, p] of row.entries()) assert.ok(Math.abs(there[j] - p / total) < 1e-11, `${i} ${j}`);
    }
    const measured = { ...calls };
    found(made, 12);
    assert.deepEqual(calls, measured); // nothing is measured twice
    assert.throws(() => made.graph(N, {}).next(), /n_neighbors must be below the number of objects, N = 200, got 200;/);
  });
