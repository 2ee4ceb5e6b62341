// The memory of the kernels: room is taken at its end and given back from there, as on a stack.

/**
 * @typedef {object} Exports  what is called of the kernels; portable/exports.py says how
 * @property {WebAssembly.Memory} memory
 * @property {(bytes: number) => number} allocate
 * @property {(pointer: number) => void} release
 * @property {(...numbers: number[]) => void} distances
 * @property {(...numbers: number[]) => number} of_distances
 * @property {(...numbers: number[]) => void} nearest
 * @property {(...numbers: number[]) => number} of_neighbors
 * @property {(...numbers: number[]) => void} closest
 * @property {(...numbers: number[]) => void} smooth
 * @property {(...numbers: number[]) => void} fuzzy_union
 * @property {(...numbers: number[]) => void} fitted_kernel
 * @property {(...numbers: number[]) => number} symmetric_size
 * @property {(...numbers: number[]) => void} symmetrize
 * @property {(...numbers: number[]) => number} negentropy
 * @property {(...numbers: number[]) => void} springs
 * @property {(...numbers: number[]) => void} costs
 * @property {(...numbers: number[]) => void} evaluate
 * @property {(...numbers: number[]) => number} step
 * @property {(...numbers: number[]) => void} copies_begin
 * @property {(...numbers: number[]) => void} copies_some
 * @property {(...numbers: number[]) => number} copies_end
 */

/**
 * @typedef {object} Sparse  rows of a sparse matrix, outside the memory of the kernels
 * @property {BigInt64Array} pointers  row i has the places pointers[i] to pointers[i + 1]
 * @property {Int32Array} columns  rising in each row
 * @property {Float64Array} values
 */

const WIDE = 8; // a kernel reads so many pairs at a time, counted or not

/** @template T @typedef {{new(buffer: ArrayBufferLike, pointer: number, length: number): T, BYTES_PER_ELEMENT: number}} Kind */

export class Arena {
  /** @param {Exports} kernels */
  constructor(kernels) {
    this.kernels = kernels;
    /** @type {number[]} */
    this.taken = [];
  }

  /** How much is taken: what is taken from now on can be given back by `release`. */
  get mark() {
    return this.taken.length;
  }

  /** Give back what was taken since a mark. @param {number} mark */
  release(mark) {
    while (this.taken.length > mark) this.kernels.release(/** @type {number} */ (this.taken.pop()));
  }

  /** @param {number} bytes */
  take(bytes) {
    this.taken.push(this.kernels.allocate(Math.max(bytes, 8)));
    return this.taken[this.taken.length - 1];
  }

  /** A view, good until more is taken. @template T @param {Kind<T>} kind @param {number} pointer @param {number} length @returns {T} */
  view(kind, pointer, length) {
    return new kind(this.kernels.memory.buffer, pointer, length);
  }

  /** A copy out of the memory. @template {Float64Array|Int32Array|BigInt64Array} T @param {Kind<T>} kind @param {number} pointer @param {number} length */
  copy(kind, pointer, length) {
    return /** @type {T} */ (this.view(kind, pointer, length).slice());
  }

  /** A copy of a matrix of n rows out of the memory. @param {number} n @param {number[]} parts  where they lie @returns {Sparse} */
  get(n, [at, columns, values]) {
    const pointers = this.copy(BigInt64Array, at, n + 1);
    const entries = Number(pointers[n]);
    return {
      pointers,
      columns: this.copy(Int32Array, columns, entries),
      values: this.copy(Float64Array, values, entries),
    };
  }

  /** Carry a matrix in; returns where its parts lie. @param {Sparse} matrix */
  put({ pointers, columns, values }) {
    const room = Math.max(values.length, WIDE);
    const at = [this.take(pointers.byteLength), this.take(4 * room), this.take(8 * room)];
    this.view(BigInt64Array, at[0], pointers.length).set(pointers);
    this.view(Int32Array, at[1], room).fill(0).set(columns);
    this.view(Float64Array, at[2], room).fill(0).set(values);
    return at;
  }
}
