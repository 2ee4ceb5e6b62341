// The film: frames that were shown here or recorded by the kernel, so that one can look back at a run before the reader's
// eyes. Positions are kept as whole numbers of 16 bits, as they are packed, and become map points only when shown: a
// film of 100 frames of 70,000 objects takes 28 MB and would take twice that as single precision.

import { wholes } from "../../shared/buffers.js";

const FILM_FRAMES = 400;
const FILM_BYTES = 48e6;
const FULL = 32767; // the whole number that stands for `half`, half the extent of a frame
const SPARES = 3; // buffers that shown points take turns in: the two before stay as they were

/**
 * @typedef {object} Frame
 * @property {number} iteration
 * @property {number|null} cost  in nats
 * @property {string} phase
 * @property {string} model  class name
 * @property {Record<string, number>} knobs  as they stood
 * @property {number[]} [pins]  objects that were held
 * @property {number} half  coordinate of the whole number 32767
 * @property {Int16Array} packed  (N, 2)
 */

/** @typedef {Omit<Frame, "half"|"packed">} FrameFacts */
/** @typedef {Pick<Frame, "half"|"packed">} Packed */

/**
 * Read a packed film. Each frame gets memory of its own, so that frames can be left out later.
 * @param {ArrayBuffer|DataView|Uint8Array} data @returns {{n_objects: number, marks: Mark[], frames: Frame[]}}
 */
export function unpackFilm(data) {
  const { buffer, byteOffset, byteLength } = data instanceof ArrayBuffer ? new DataView(data) : data;
  const length = byteLength >= 4 ? new DataView(buffer, byteOffset).getUint32(0, true) : Infinity;
  if (4 + length > byteLength) throw new Error("the film is cut off within its header");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, byteOffset + 4, length)));
  if (header.version !== 1) throw new Error(`the film has version ${header.version}; this view reads version 1`);
  const { n_objects, marks = [] } = header;
  const size = 4 * n_objects;
  const begin = 4 * Math.ceil((4 + length) / 4);
  if (begin + header.frames.length * size > byteLength) throw new Error("the film is cut off: frames are missing");
  /** @type {Frame[]} */
  const frames = header.frames.map((/** @type {Omit<Frame, "packed">} */ facts, /** @type {number} */ k) => {
    const at = byteOffset + begin + k * size;
    return { ...facts, packed: new Int16Array(buffer.slice(at, at + size)) };
  });
  return { n_objects, marks, frames };
}

/** Pack the points of one frame. @param {Float32Array} points @returns {{half: number, packed: Int16Array}} */
export function packPoints(points) {
  let half = 0;
  for (let i = 0; i < points.length; i++) if (Math.abs(points[i]) > half) half = Math.abs(points[i]);
  half = half > 0 && half < Infinity ? half : 1;
  const packed = new Int16Array(points.length);
  for (let i = 0; i < points.length; i++)
    packed[i] = Math.max(-FULL, Math.min(FULL, Math.round((points[i] / half) * FULL)));
  return { half, packed };
}

/**
 * Points that came as whole numbers, as a film keeps them: to pack 1,000,000 anew takes 36 ms.
 * @param {DataView} buffer @param {number} [step] @param {Int16Array} [spare]  to write them to, if it fits
 * @returns {Packed|undefined}
 */
export function asPacked(buffer, step, spare) {
  if (step === undefined) return undefined;
  const whole = wholes(buffer);
  if (spare?.length !== whole.length) return { half: step * FULL, packed: whole.slice() };
  spare.set(whole);
  return { half: step * FULL, packed: spare };
}

export class Film {
  /** @param {{frames?: number, bytes?: number}} most  bounds of what is kept */
  constructor({ frames = FILM_FRAMES, bytes = FILM_BYTES } = {}) {
    this.most = { frames, bytes };
    /** @type {Frame[]} in the order of their iterations, no two of the same */
    this.frames = [];
    /** @type {Mark[]} moments whose frames are kept as long as possible */
    this.marks = [];
    this.bytes = 0;
    this.version = 0; // rises with every change
    /** @type {Float32Array[]} */
    this.spares = [];
    /** @type {Int16Array|undefined} of a frame that was left out */
    this.left = undefined;
  }

  get length() {
    return this.frames.length;
  }

  /** First iteration, or null. */
  get first() {
    return this.length ? this.frames[0].iteration : null;
  }

  /** Last iteration, or null. */
  get last() {
    return this.length ? this.frames[this.length - 1].iteration : null;
  }

  /** The frame number k. @param {number} k */
  at(k) {
    return this.frames[k];
  }

  /**
   * Number of the last frame not after an iteration; 0 if all are after it, -1 of an empty film.
   * @param {number} iteration
   */
  before(iteration) {
    let [low, high] = [0, this.length - 1];
    if (high < 0) return -1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle].iteration <= iteration) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Number of the frame nearest to an iteration, -1 of an empty film. @param {number} iteration */
  nearest(iteration) {
    const k = this.before(iteration);
    if (k < 0 || k === this.length - 1) return k;
    return this.frames[k + 1].iteration - iteration < iteration - this.frames[k].iteration ? k + 1 : k;
  }

  /** Where an iteration lies, as a frame number with a fraction: the timeline's scale. @param {number} iteration */
  place(iteration) {
    const k = this.before(iteration);
    if (k < 0 || k === this.length - 1 || iteration <= this.frames[k].iteration) return Math.max(k, 0);
    const [a, b] = [this.frames[k].iteration, this.frames[k + 1].iteration];
    return k + (iteration - a) / (b - a);
  }

  /** The iteration at a frame number with a fraction. @param {number} place */
  iterationAt(place) {
    const k = Math.min(Math.max(Math.floor(place), 0), this.length - 1);
    if (k < 0) return null;
    const [a, b] = [this.frames[k], this.frames[Math.min(k + 1, this.length - 1)]];
    return a.iteration + (b.iteration - a.iteration) * Math.min(Math.max(place - k, 0), 1);
  }

  /**
   * Map points at an iteration; between two frames, on the straight way from one to the other.
   * @param {number} iteration
   */
  between(iteration) {
    const place = this.place(iteration);
    const k = Math.floor(place);
    const share = place - k;
    if (!this.length) return new Float32Array(0);
    const a = this.frames[k];
    const size = a.packed.length;
    let points = this.spares.length >= SPARES ? this.spares.shift() : undefined;
    if (points?.length !== size) points = new Float32Array(size);
    this.spares.push(points);
    const scale = (a.half / FULL) * (1 - share);
    for (let i = 0; i < size; i++) points[i] = a.packed[i] * scale;
    if (share > 0) {
      const b = this.frames[k + 1];
      const other = (b.half / FULL) * share;
      for (let i = 0; i < size; i++) points[i] += b.packed[i] * other;
    }
    return points;
  }

  /**
   * Keep a frame that is shown; it replaces one of the same iteration.
   * @param {FrameFacts} facts @param {Float32Array} points @param {Packed} [packed]  the same, if they are at hand
   */
  add(facts, points, packed = packPoints(points)) {
    this.put({ ...facts, ...packed });
    this.thin();
  }

  /** Take in a recorded film; what was shown here meanwhile stays. @param {{marks?: Mark[], frames: Frame[]}} film */
  merge({ frames, marks = [] }) {
    if (!this.marks.length) this.marks = marks;
    for (const frame of frames) {
      const k = this.before(frame.iteration);
      if (k < 0 || this.frames[k].iteration !== frame.iteration) this.put(frame);
    }
    this.thin();
  }

  /** Memory that is free for the next frame. */
  free() {
    const { left } = this;
    this.left = undefined;
    return left;
  }

  /** @param {Frame} frame */
  put(frame) {
    if (this.length && frame.packed.length !== this.frames[0].packed.length) return; // of other objects
    const k = this.before(frame.iteration);
    const at = k < 0 || this.frames[k].iteration > frame.iteration ? 0 : k;
    const same = this.frames[at]?.iteration === frame.iteration;
    if (same) this.bytes -= this.frames[at].packed.byteLength;
    const after = this.length && this.frames[at].iteration < frame.iteration ? at + 1 : at;
    this.frames.splice(after, same ? 1 : 0, frame);
    this.bytes += frame.packed.byteLength;
    this.version += 1;
  }

  /** Forget what came after an iteration: the run has gone another way from there. @param {number} iteration */
  cut(iteration) {
    const count = this.length;
    this.frames = this.frames.filter((frame) => frame.iteration <= iteration);
    this.bytes = this.frames.reduce((sum, frame) => sum + frame.packed.byteLength, 0);
    if (this.length !== count) this.version += 1;
  }

  /** Leave frames out where they are closest in iterations, but none at a mark while there are others. */
  thin() {
    const over = () => this.length > 2 && (this.length > this.most.frames || this.bytes > this.most.bytes);
    if (!over()) return;
    const kept = new Set(this.marks.map(({ iteration }) => this.frames[this.from(iteration)]));
    while (over()) {
      let [best, least] = [-1, Infinity];
      for (const spare of [true, false]) {
        for (let k = 1; k < this.length - 1; k++) {
          const gap = this.frames[k + 1].iteration - this.frames[k - 1].iteration;
          if (gap < least && !(spare && kept.has(this.frames[k]))) [best, least] = [k, gap];
        }
        if (best >= 0) break;
      }
      const [{ packed }] = this.frames.splice(best, 1);
      this.bytes -= packed.byteLength;
      this.left = packed;
    }
    this.version += 1;
  }

  /** Number of the first frame not before an iteration. @param {number} iteration */
  from(iteration) {
    const k = Math.max(this.before(iteration), 0);
    return this.frames[k]?.iteration < iteration ? Math.min(k + 1, this.length - 1) : k;
  }
}
