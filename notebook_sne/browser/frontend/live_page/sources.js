// Where P comes from: from the objects that a page holds, at any perplexity, or from the P that it holds instead.

import { bytes as copied } from "../shared/buffers.js";

/** @import { Arena, Sparse } from "./wasm_heap.js" */

/** @typedef {Record<string, DataView>} Arrays */

/**
 * @typedef {object} Source
 * @property {Sparse} [joint]  the only P there is
 * @property {Sparse} [conditional]  the only P there is
 * @property {(settings: Settings, scales?: number[]) => Generator<number, Sparse>} [search]  a conditional P, at any
 *   perplexity, or the mean of several
 * @property {(n_neighbors: number, settings: Settings) => Generator<number, Sparse>} [graph]  the joint P of UMAP
 * @property {{X: number, width: number, unit: number}} [objects]  where they lie, and their spread
 */

const SLICE = 4; // ms of work between two looks at the page
const LEAST_P = 1e-6; // share of a row below which an entry is left out, where nobody says otherwise
const UNREACHED = 2; // of an object that has fewer neighbors than the perplexity
const LISTED = 150; // least number of nearest objects that is searched: enough for perplexities up to a third of it

/** The P that a page holds. @param {Plan["objects"]} facts @param {Arrays} arrays @returns {Source} */
export function givenP({ shape: [n], type, convention }, { P_counts, P_columns, P_values }) {
  const pointers = new BigInt64Array(n + 1);
  for (const [i, count] of new Uint32Array(copied(P_counts)).entries()) pointers[i + 1] = pointers[i] + BigInt(count);
  const places = type === "uint16" ? new Uint16Array(copied(P_columns)) : new Uint32Array(copied(P_columns));
  const values = Float64Array.from(new Float32Array(copied(P_values)));
  const P = { pointers, columns: Int32Array.from(places), values };
  return convention === "joint" ? { joint: P } : { conditional: P };
}

/**
 * The objects that a page holds. Their distances are measured once, when the first P is wanted: between all of them, or,
 * where there are many, to the nearest. A P at another perplexity then is made of these.
 * @param {Plan} plan @param {Arrays} arrays @param {Arena} arena @returns {Source}
 */
export function fromObjects({ objects, searched }, arrays, arena) {
  const { kernels } = arena;
  const [n, width] = objects.shape;
  const X = arena.take(8 * n * width); // this and D stay
  arena.view(Float64Array, X, n * width).set(unitSpread(objects, arrays));
  const D = n > searched ? 0 : arena.take(8 * n * n);
  let measured = 0; // rows of D
  /** @type {{K: number, neighbors: Int32Array, near: Float64Array}} */
  let lists = { K: 0, neighbors: new Int32Array(), near: new Float64Array() };

  function* measure() {
    yield* inSlices(measured, n, (first, last) => {
      kernels.distances(n, width, X, first, last, D);
      measured = last;
    });
  }

  /** Carry in lists of so many nearest or more; returns how long they are, and where they lie. @param {number} wanted */
  function* listed(wanted) {
    if (lists.K < wanted) lists = yield* nearest(arena, n, width, X, Math.min(n - 1, Math.max(wanted, LISTED)));
    const { K } = lists;
    const [neighbors, near] = [arena.take(4 * n * K), arena.take(8 * n * K)];
    arena.view(Int32Array, neighbors, n * K).set(lists.neighbors);
    arena.view(Float64Array, near, n * K).set(lists.near);
    return [K, neighbors, near];
  }

  function* ofAll(/** @type {Settings} */ { perplexity, least_p = LEAST_P }) {
    yield* measure();
    const how = [perplexity, least_p, objects.equal];
    return yield* conditional(arena, n, n - 1, perplexity, (...rows) => kernels.of_distances(n, D, ...how, ...rows));
  }

  function* ofNearest(/** @type {Settings} */ { perplexity, least_p = LEAST_P }, /** @type {number} */ largest) {
    const wanted = Math.min(n - 1, Math.ceil(3 * largest));
    const [K, neighbors, near] = yield* listed(wanted);
    const how = [n, K, neighbors, near, wanted, perplexity, least_p, objects.equal];
    return yield* conditional(arena, n, wanted, perplexity, (...rows) => kernels.of_neighbors(...how, ...rows));
  }

  /** UMAP's graph over its sum. @param {number} n_neighbors  each object itself included @param {Settings} settings */
  function* ofGraph(n_neighbors, { least_p = LEAST_P }) {
    if (n_neighbors >= n)
      throw new Error(
        `n_neighbors must be below the number of objects, N = ${n}, got ${n_neighbors}; lower it, or give more objects`,
      );
    const few = n_neighbors - 1;
    let from = [n, 0, D];
    if (n > searched) from = yield* listed(few);
    else yield* measure();
    const [chosen, R, A] = [arena.take(4 * n * few), arena.take(8 * n * few), arena.take(8 * n * few)];
    yield* inSlices(0, n, (first, last) => {
      kernels.closest(n, ...from, few, first, last, chosen, R);
    });
    yield* inSlices(0, n, (first, last) => {
      kernels.smooth(n, few, R, Math.log2(n_neighbors), first, last, A);
    });
    const most = 2 * n * few;
    const into = [arena.take(8 * (n + 1)), arena.take(4 * most), arena.take(8 * most)];
    kernels.fuzzy_union(n, few, chosen, A, least_p, most, ...into);
    return arena.get(n, into);
  }

  return {
    objects: { X, width, unit: objects.first * objects.last },
    *search(settings, scales = [settings.perplexity]) {
      const largest = scales[scales.length - 1];
      const parts = [];
      for (const perplexity of scales) {
        // Small entries are left out of the mean, not of what it is made of.
        const one = { ...settings, perplexity, ...(scales.length > 1 && { least_p: 0 }) };
        const mark = arena.mark;
        try {
          parts.push(yield* n > searched ? ofNearest(one, largest) : ofAll(one));
        } finally {
          arena.release(mark);
        }
      }
      return parts.length > 1 ? yield* mean(n, parts, settings.least_p ?? LEAST_P) : parts[0];
    },
    *graph(n_neighbors, settings) {
      const mark = arena.mark;
      try {
        return yield* ofGraph(n_neighbors, settings);
      } finally {
        arena.release(mark);
      }
    },
  };
}

/** The K nearest objects of each. @param {Arena} arena @param {number} n @param {number} width @param {number} X @param {number} K */
function* nearest(arena, n, width, X, K) {
  const [neighbors, near] = [arena.take(4 * n * K), arena.take(8 * n * K)];
  yield* inSlices(0, n, (first, last) => {
    arena.kernels.nearest(n, width, X, K, first, last, neighbors, near);
  });
  return { K, neighbors: arena.copy(Int32Array, neighbors, n * K), near: arena.copy(Float64Array, near, n * K) };
}

/**
 * A conditional P, by a kernel that makes rows of it.
 * @param {Arena} arena @param {number} n @param {number} near  the most entries of a row @param {number} perplexity
 * @param {(...rows: number[]) => number} make @returns {Generator<number, Sparse>}
 */
function* conditional(arena, n, near, perplexity, make) {
  const [pointers, tied] = [arena.take(8 * (n + 1)), arena.take(n)];
  let capacity = n * Math.min(near, 8 * Math.ceil(perplexity)) + near;
  let [columns, values] = [arena.take(4 * capacity), arena.take(8 * capacity)];
  arena.view(BigInt64Array, pointers, 1)[0] = 0n;
  yield* inSlices(0, n, (first, last) => {
    const made = make(first, last, capacity, pointers, columns, values, tied);
    if (made < last) {
      const entries = Number(arena.view(BigInt64Array, pointers, n + 1)[made]);
      const before = [columns, values];
      capacity *= 2;
      [columns, values] = [arena.take(4 * capacity), arena.take(8 * capacity)];
      arena.view(Int32Array, columns, entries).set(arena.view(Int32Array, before[0], entries));
      arena.view(Float64Array, values, entries).set(arena.view(Float64Array, before[1], entries));
    }
    return made;
  });
  if (arena.view(Uint8Array, tied, n).includes(UNREACHED))
    throw new Error(`perplexity ${perplexity} must be below the number of neighbors of each object; lower it`);
  return arena.get(n, [pointers, columns, values]);
}

/**
 * The mean of several P, without what is below a share of its row. @param {number} n @param {Sparse[]} parts
 * @param {number} least_p @returns {Generator<number, Sparse>}
 */
function* mean(n, parts, least_p) {
  const pointers = new BigInt64Array(n + 1);
  /** @type {[Int32Array, Float64Array][]} */
  const rows = [];
  yield* inSlices(0, n, (first, last) => {
    for (let i = first; i < last; i++) {
      const row = new Float64Array(n);
      for (const { pointers, columns, values } of parts)
        for (let k = Number(pointers[i]); k < Number(pointers[i + 1]); k++) row[columns[k]] += values[k] / parts.length;
      const least = least_p * row.reduce((sum, p) => sum + p, 0);
      const columns = Int32Array.from(row.keys()).filter((j) => row[j] > 0 && row[j] >= least);
      const values = Float64Array.from(columns, (j) => row[j]);
      const kept = values.reduce((sum, p) => sum + p, 0);
      rows[i] = [columns, values.map((p) => p / kept)];
      pointers[i + 1] = pointers[i] + BigInt(columns.length);
    }
  });
  const entries = Number(pointers[n]);
  const [columns, values] = [new Int32Array(entries), new Float64Array(entries)];
  for (const [i, [some, theirs]] of rows.entries()) {
    columns.set(some, Number(pointers[i]));
    values.set(theirs, Number(pointers[i]));
  }
  return { pointers, columns, values };
}

/**
 * Rows from `first` to n, so many at a time that the page can answer in between.
 * @param {number} first @param {number} n @param {(first: number, last: number) => number|void} work  returns the first row that it did not do, if it is not `last`
 * @returns {Generator<number, void>}
 */
function* inSlices(first, n, work) {
  let [row, rows] = [first, 1];
  while (row < n) {
    const began = performance.now();
    const last = Math.min(row + rows, n);
    row = work(row, last) ?? last;
    if (performance.now() - began < SLICE / 2) rows *= 2;
    yield row / n;
  }
}

/** The objects in units of their spread, by the same operations as in Python. @param {Plan["objects"]} facts @param {Arrays} arrays */
export function unitSpread({ shape: [, width], type, first, last }, { X, X_table, X_middle }) {
  const bytes = copied(X);
  const middle = new Float64Array(copied(X_middle));
  const table = new Float64Array(copied(X_table));
  const kinds = { uint8: Uint8Array, uint16: Uint16Array, float32: Float32Array, float64: Float64Array };
  const given = new kinds[/** @type {keyof typeof kinds} */ (type)](bytes);
  const numbers = table.length ? Float64Array.from(given, (place) => table[place]) : Float64Array.from(given);
  return numbers.map((x, k) => (x / first - middle[k % width]) / last);
}
