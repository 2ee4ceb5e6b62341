// P in a page, from the objects that it holds, by the compiled kernels: over all pairs, and over the nearest of many.

import assert from "node:assert/strict";
import test from "node:test";

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
