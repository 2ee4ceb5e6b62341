// Buffers as messages and traits bring them: they may be unaligned, so what is read from them is copied.

/** A copy of what a view of a buffer shows. @param {DataView} view @returns {ArrayBuffer} */
export const bytes = (view) =>
  /** @type {ArrayBuffer} */ (view.buffer).slice(view.byteOffset, view.byteOffset + view.byteLength);

/** The numbers in a buffer; none if there is none. @param {DataView|undefined|null} view @returns {Float32Array} */
export function floats(view) {
  return view?.byteLength ? new Float32Array(bytes(view)) : new Float32Array(0);
}
