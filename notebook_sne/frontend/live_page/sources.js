// Where P comes from: from the objects that a page holds, at any perplexity, or from the P that it holds instead.

/** @import { Arena, Sparse } from "./arena.js" */
/** @import { Plan, Settings } from "./types.d.ts" */

/** @typedef {Record<string, DataView>} Arrays */

/**
 * @typedef {object} Source
 * @property {Sparse} [joint]  the only P there is
 * @property {Sparse} [conditional]  the only P there is
 * @property {(settings: Settings) => Generator<number, Sparse>} [search]  a conditional P, at any perplexity
 */

const SLICE = 4; // ms of work between two looks at the page
const LEAST_P = 1e-6; // share of a row below which an entry is left out, where nobody says otherwise
const UNREACHED = 2; // of an object that has fewer neighbors than the perplexity

/** A copy of the bytes of a view, which may begin anywhere. @param {DataView} view */
export const copied = ({ buffer, byteOffset, byteLength }) =>
  /** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength));

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
 * The objects that a page holds: they lie in the memory of the kernels, and stay there.
 * @param {Plan} plan @param {Arrays} arrays @param {Arena} arena @returns {Source}
 */
export function fromObjects({ objects, searched }, arrays, arena) {
  const [n, width] = objects.shape;
  const X = arena.take(8 * n * width);
  arena.view(Float64Array, X, n * width).set(unitSpread(objects, arrays));
  return {
    *search({ perplexity, least_p = LEAST_P }) {
      const near = n > searched ? Math.min(n - 1, Math.ceil(3 * perplexity)) : n - 1;
      const mark = arena.mark;
      try {
        const [pointers, tied] = [arena.take(8 * (n + 1)), arena.take(n)];
        let capacity = n * Math.min(near, 8 * Math.ceil(perplexity)) + near;
        let [columns, values] = [arena.take(4 * capacity), arena.take(8 * capacity)];
        arena.view(BigInt64Array, pointers, 1)[0] = 0n;
        let [row, rows] = [0, 1];
        while (row < n) {
          const began = performance.now();
          const last = Math.min(row + rows, n);
          const how = [n, width, X, near, perplexity, least_p, objects.equal, row, last, capacity];
          const made = arena.kernels.conditional(...how, pointers, columns, values, tied);
          if (made < last) {
            const entries = Number(arena.view(BigInt64Array, pointers, n + 1)[made]);
            const before = [columns, values];
            capacity *= 2;
            [columns, values] = [arena.take(4 * capacity), arena.take(8 * capacity)];
            arena.view(Int32Array, columns, entries).set(arena.view(Int32Array, before[0], entries));
            arena.view(Float64Array, values, entries).set(arena.view(Float64Array, before[1], entries));
          }
          row = made;
          if (performance.now() - began < SLICE / 2) rows *= 2;
          yield row / n;
        }
        if (arena.view(Uint8Array, tied, n).includes(UNREACHED))
          throw new Error(`perplexity ${perplexity} must be below the number of neighbors of each object; lower it`);
        const starts = arena.copy(BigInt64Array, pointers, n + 1);
        const entries = Number(starts[n]);
        return {
          pointers: starts,
          columns: arena.copy(Int32Array, columns, entries),
          values: arena.copy(Float64Array, values, entries),
        };
      } finally {
        arena.release(mark);
      }
    },
  };
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
