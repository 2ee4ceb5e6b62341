// Stored pairs: what an update asks of a sparse P, from the conditional one, or from a joint one that was given.

/** @import { Recipe } from "./types.d.ts" */

/**
 * @typedef {object} Sparse  rows of a sparse matrix of n rows and columns
 * @property {number} n
 * @property {Uint32Array} begins  (n + 1,): row i has the places begins[i] to begins[i + 1]
 * @property {Int32Array} columns  rising in each row
 * @property {Float64Array} values
 */

/** @typedef {Sparse & {negentropy: number}} Pairs */

/** The transposed matrix. @param {Sparse} P @returns {Sparse} */
export function transposed({ n, begins, columns, values }) {
  const counts = new Uint32Array(n + 1);
  for (const j of columns) counts[j + 1] += 1;
  for (let j = 0; j < n; j++) counts[j + 1] += counts[j];
  const [next, rows, turned] = [counts.slice(), new Int32Array(columns.length), new Float64Array(columns.length)];
  for (let i = 0; i < n; i++) {
    for (let k = begins[i]; k < begins[i + 1]; k++) {
      const place = next[columns[k]]++;
      rows[place] = i;
      turned[place] = values[k];
    }
  }
  return { n, begins: counts, columns: rows, values: turned };
}

/** (A + B) times a factor. @param {Sparse} A @param {Sparse} B @param {number} factor @returns {Sparse} */
function added(A, B, factor) {
  const { n } = A;
  const begins = new Uint32Array(n + 1);
  const columns = new Int32Array(A.columns.length + B.columns.length);
  const values = new Float64Array(columns.length);
  let place = 0;
  for (let i = 0; i < n; i++) {
    let [a, b] = [A.begins[i], B.begins[i]];
    const [endA, endB] = [A.begins[i + 1], B.begins[i + 1]];
    while (a < endA || b < endB) {
      const [left, right] = [a < endA ? A.columns[a] : n, b < endB ? B.columns[b] : n];
      let sum = 0;
      if (left <= right) sum += A.values[a++];
      if (right <= left) sum += B.values[b++];
      columns[place] = Math.min(left, right);
      values[place++] = sum * factor;
    }
    begins[i + 1] = place;
  }
  return { n, begins, columns: columns.slice(0, place), values: values.slice(0, place) };
}

/** The joint P of a conditional one. @param {Sparse} P @returns {Sparse} */
export const joint = (P) => added(P, transposed(P), 1 / (2 * P.n));

/** The stored pairs of a model, from the P that it is measured against. @param {Sparse} P @param {Recipe["kind"]} kind @param {(x: number) => number} log @returns {Pairs} */
export function pairsOf(P, kind, log) {
  if (kind === "sne") return { ...added(P, transposed(P), 1), negentropy: negentropy(P, log) };
  if (kind === "elastic") return { ...P, values: P.values.map((p) => 2 * p), negentropy: 0 };
  return { ...P, negentropy: negentropy(P, log) };
}

/** @param {Sparse} P @param {(x: number) => number} log */
function negentropy({ values }, log) {
  let sum = 0;
  for (const p of values) if (p > 0) sum += p * log(p);
  return sum;
}
