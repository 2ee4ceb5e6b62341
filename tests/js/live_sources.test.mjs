// P in a page, from the objects that it holds, by the compiled kernels: over all pairs, and over the nearest of many.

import assert from "node:assert/strict";
import test from "node:test";

import { goingOn, scalesAt } from "../../notebook_sne/frontend/live_page/schedules.js";
import { Arena } from "../../notebook_sne/frontend/live_page/arena.js";
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

test("the knob is the largest of several perplexities, and takes the others along", () => {
  const [list, powers] = [{ scales: [3, 12] }, { scales: "multiscale" }];
  assert.deepEqual(scalesAt({ scales: null }, 30), [30]);
  assert.deepEqual(
    [scalesAt(list, 12), scalesAt(list, 24)],
    [
      [3, 12],
      [6, 24],
    ],
  );
  assert.throws(() => scalesAt(list, 4), /perplexity must be above 4 while there are 2, got 4; raise it/);
  assert.deepEqual([scalesAt(powers, 8), scalesAt(powers, 9.5), scalesAt(powers, 2)], [[2, 4, 8], [2, 4, 8], [2]]);
  assert.throws(() => scalesAt(powers, 1.9), /perplexity must be 2 or more .*got 1.9/);
});

test("a model that takes over keeps the perplexities of the one before", () => {
  const one = { id: "SNE", schedules: { perplexity: 12 }, scales: [3, 12] };
  const next = goingOn({ id: "TSNE", schedules: { perplexity: 30 }, scales: null }, one, {});
  assert.deepEqual([next.schedules.perplexity, next.scales], [12, [3, 12]]);
  const plain = goingOn({ id: "TSNE", schedules: {}, scales: null }, one, {}); // its P was given
  assert.deepEqual([plain.schedules.perplexity, plain.scales], [undefined, null]);
});
