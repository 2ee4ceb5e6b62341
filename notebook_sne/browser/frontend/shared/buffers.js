// Buffers as messages and traits bring them: they may be unaligned, so what is kept of them is copied.

/**
 * The buffers of a message, each as a view of its bytes: Jupyter's hosts hand out a DataView, Colab a Uint8Array, and a host
 * that passes on what came by the socket an ArrayBuffer.
 * @param {Array<ArrayBuffer|ArrayBufferView>|null|undefined} buffers @returns {DataView[]}
 */
export function views(buffers) {
  return (buffers ?? []).map((one) =>
    ArrayBuffer.isView(one)
      ? new DataView(/** @type {ArrayBuffer} */ (one.buffer), one.byteOffset, one.byteLength)
      : new DataView(one),
  );
}

/** A copy of what a view of a buffer shows; nothing of none. @param {DataView|undefined|null} view @returns {ArrayBuffer} */
export const bytes = (view) =>
  /** @type {ArrayBuffer} */ (
    view?.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) ?? new ArrayBuffer(0)
  );

/** The numbers in a buffer; none if there is none. @param {DataView|undefined|null} view @returns {Float32Array} */
export const floats = (view) => new Float32Array(bytes(view));

/** The same of numbers in double precision. @param {DataView|undefined|null} view @returns {Float64Array} */
export const doubles = (view) => new Float64Array(bytes(view));

/** The 16-bit integers in a buffer: to be read at once, as they may be the buffer's own. @param {DataView} view */
export function wholes(view) {
  const { buffer, byteOffset, byteLength } = view;
  return byteOffset % 2 ? new Int16Array(bytes(view)) : new Int16Array(buffer, byteOffset, byteLength / 2);
}

/**
 * Coordinates in a buffer: numbers in single precision, or 16-bit integers that a step is multiplied with.
 * @param {DataView|undefined|null} view @param {number|null} [step] @param {Float32Array} [spare]  to write them to, if it fits
 */
export function places(view, step, spare) {
  if (typeof step !== "number" || !view?.byteLength) return floats(view);
  const whole = wholes(view);
  const points = spare?.length === whole.length ? spare : new Float32Array(whole.length);
  for (let i = 0; i < whole.length; i++) points[i] = whole[i] * step;
  return points;
}

/**
 * The present points of a map, as they came: frames are whole numbers, which are read only if they are painted, into memory
 * that is used again. New memory for a million objects at each frame makes the browser clear up all the time.
 */
export class PresentPoints {
  constructor() {
    /** @type {Float32Array} the points that were read last, (N, 2) */
    this.known = new Float32Array(0);
    /** @type {{buffer: DataView, step: number}|null} a frame of whole numbers that nobody has looked at yet */
    this.unread = null;
    /** @type {{read?: Float32Array, painted?: Float32Array, spare?: Float32Array}} of such frames: the points that were read
     * last, those that were painted, and some that are shown no more */
    this.room = {};
  }

  /** @returns {Float32Array} */
  get points() {
    if (this.unread) {
      const { buffer, step } = this.unread;
      this.points = places(buffer, step, this.room.spare);
      this.room.spare = undefined;
      this.room.read = this.known;
    }
    return this.known;
  }

  set points(points) {
    this.known = points;
    this.unread = null;
  }

  /** Take a frame. @param {DataView} buffer @param {number|undefined} step  of whole numbers */
  take(buffer, step) {
    if (step === undefined) this.points = floats(buffer);
    else this.unread = { buffer, step };
  }

  /** Whether there are points. */
  get any() {
    return this.unread !== null || this.known.length > 0;
  }

  /** All views have painted: what they painted before is of no use any more, unless a hand may refer to it. */
  reuse() {
    const { read, painted } = this.room;
    if (read === painted) return;
    this.room.spare = painted;
    this.room.painted = read;
  }
}

/** The least and the greatest of some numbers, NaN left out; of none, Infinity and -Infinity. @param {ArrayLike<number>} values */
export function rangeIn(values) {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  return [low, high];
}
