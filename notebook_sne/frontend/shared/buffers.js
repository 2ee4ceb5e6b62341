// Buffers as messages and traits bring them: they may be unaligned, so what is kept of them is copied.

/** A copy of what a view of a buffer shows. @param {DataView} view @returns {ArrayBuffer} */
export const bytes = (view) =>
  /** @type {ArrayBuffer} */ (view.buffer).slice(view.byteOffset, view.byteOffset + view.byteLength);

/** The numbers in a buffer; none if there is none. @param {DataView|undefined|null} view @returns {Float32Array} */
export function floats(view) {
  return view?.byteLength ? new Float32Array(bytes(view)) : new Float32Array(0);
}

/** The 16-bit integers in a buffer: to be read at once, as they may be the buffer's own. @param {DataView} view */
export function wholes(view) {
  const { buffer, byteOffset, byteLength } = view;
  return byteOffset % 2 ? new Int16Array(bytes(view)) : new Int16Array(buffer, byteOffset, byteLength / 2);
}

/**
 * Coordinates in a buffer: numbers in single precision, or 16-bit integers that a step is multiplied with.
 * @param {DataView|undefined|null} view @param {number} [step] @param {Float32Array} [spare]  to write them to, if it fits
 */
export function places(view, step, spare) {
  if (step === undefined || !view?.byteLength) return floats(view);
  const whole = wholes(view);
  const points = spare?.length === whole.length ? spare : new Float32Array(whole.length);
  for (let i = 0; i < whole.length; i++) points[i] = whole[i] * step;
  return points;
}
