// Where P comes from: from the objects that a page holds, at any perplexity, or from the P that it holds instead.

/** @import { Sparse } from "./pairs.js" */
/** @import { Source } from "./engine.js" */

/** @typedef {Record<string, DataView>} Arrays */

/** A copy of the bytes of a view, which may begin anywhere. @param {DataView} view */
export const copied = ({ buffer, byteOffset, byteLength }) =>
  /** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength));

/**
 * The P that a page holds.
 * @param {{shape: number[], type: string, convention: string}} facts @param {Arrays} arrays @returns {Source}
 */
export function givenP({ shape: [n], type, convention }, { P_counts, P_columns, P_values }) {
  const begins = new Uint32Array(n + 1);
  for (const [i, count] of new Uint32Array(copied(P_counts)).entries()) begins[i + 1] = begins[i] + count;
  const places = type === "uint16" ? new Uint16Array(copied(P_columns)) : new Uint32Array(copied(P_columns));
  const values = Float64Array.from(new Float32Array(copied(P_values)));
  const P = { n, begins, columns: Int32Array.from(places), values };
  return convention === "joint" ? { joint: P } : { conditional: P };
}
