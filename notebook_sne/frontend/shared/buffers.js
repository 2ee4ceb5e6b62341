// Buffers as messages and traits bring them: they may be unaligned, so what is kept of them is copied.

/** A copy of what a view of a buffer shows. @param {DataView} view @returns {ArrayBuffer} */
export const bytes = (view) =>
  /** @type {ArrayBuffer} */ (view.buffer).slice(view.byteOffset, view.byteOffset + view.byteLength);

/** The numbers in a buffer; none if there is none. @param {DataView|undefined|null} view @returns {Float32Array} */
export function floats(view) {
  return view?.byteLength ? new Float32Array(bytes(view)) : new Float32Array(0);
}

/**
 * Coordinates in a buffer: numbers in single precision, or 16-bit integers that a step is multiplied with.
 * @param {DataView|undefined|null} view @param {number} [step]
 */
export function places(view, step) {
  if (step === undefined || !view?.byteLength) return floats(view);
  const { buffer, byteOffset, byteLength } = view;
  const whole = byteOffset % 2 ? new Int16Array(bytes(view)) : new Int16Array(buffer, byteOffset, byteLength / 2);
  const points = new Float32Array(whole.length);
  for (let i = 0; i < whole.length; i++) points[i] = whole[i] * step;
  return points;
}
