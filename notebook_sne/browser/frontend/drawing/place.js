// Where a drawing belongs: the compiled function of engine/portable/placing.py, and the memory that it works in.

import { Arena } from "../live_page/wasm_heap.js";
import { unpacked } from "../shared/packed.js";

/** @import { Exports } from "../live_page/wasm_heap.js" */

/** @typedef {{x: number, y: number, order: number[], distances: Float64Array}} Placed  the fitted objects, the nearest first */

/** @param {DataView} view */
export const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** The map points of a model. @param {Model} model */
export const pointsOf = (model) => new Float32Array(bytesOf(model.get("points")).slice().buffer);

/** What places the images of drawings among the fitted objects, and the images of these. @param {Model} model */
export async function placer(model) {
  const packed = [model.get("code"), model.get("pixels")];
  const [code, images] = await Promise.all(
    packed.map(async (one) => new Uint8Array(await unpacked(one).arrayBuffer())),
  );
  const { instance } = await WebAssembly.instantiate(code, {});
  const kernels = /** @type {Exports & {place(...numbers: number[]): number}} */ (
    /** @type {unknown} */ (instance.exports)
  );
  const arena = new Arena(kernels);
  const { perplexity, least_p, student, background } = model.get("rule");
  const points = pointsOf(model);
  const n = points.length / 2;
  const width = images.length / n;
  const [X, Y, x, d, found] = [images.length, 2 * n, width, n, 2].map((length) => arena.take(8 * length));
  arena.view(Float64Array, X, images.length).set(images);
  arena.view(Float64Array, Y, 2 * n).set(points);
  /** @param {Uint8Array} image @returns {Placed} */
  const place = (image) => {
    arena.view(Float64Array, x, width).set(image);
    kernels.place(n, width, X, Y, x, perplexity, least_p, Number(student), background, d, found);
    const distances = arena.copy(Float64Array, d, n).map(Math.sqrt);
    const [across, up] = arena.copy(Float64Array, found, 2);
    const order = Array.from({ length: n }, (_, j) => j).sort((i, j) => distances[i] - distances[j]);
    return { x: across, y: up, order, distances };
  };
  return { place, images };
}
