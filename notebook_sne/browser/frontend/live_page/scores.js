// Colors that a page finds of the objects that it holds: how many of its neighbors each keeps, and distances in the data.
// widgets/scores.py does the same. A page has one thread, so the neighbors are searched a few rows at a time.

/** @import { WasmEngine } from "./engine.js" */

const K = 10; // nearest neighbors that are counted
const SLICE = 4; // ms of work at a time
const LEAST = 500; // ms between scores of all objects while the run goes on,
const SHARE = 0.1; // of which they take so much at most

export class FoundScores {
  /** @param {WasmEngine} engine @param {{performance: {now: () => number}}} clock */
  constructor(engine, clock) {
    this.engine = engine;
    this.clock = clock;
    this.k = Math.min(K, engine.n - 1);
    /** @type {number|null} the object from which distances are wanted */
    this.from = null;
    this.inData = new Int32Array(engine.n * this.k);
    this.rows = 0; // of these that have been found
    /** @type {{moment: Moment, Y: Float64Array, shares: Float64Array, row: number, spent: number}|null} */
    this.work = null;
    /** @type {Moment|null} that was scored last */
    this.scored = null;
    this.due = -Infinity;
  }

  /** Whether something is asked for that is not told yet. @param {unknown} color @param {Moment|null} moment */
  wait(color, moment) {
    return this.from !== null || (color === "recall" && moment !== null && moment !== this.scored);
  }

  /**
   * Work a little; returns what there is to tell by then.
   * @param {unknown} color @param {Moment} moment @param {Float64Array} Y  its positions @param {boolean} rests  whether the run does
   * @returns {[ScoresMessage, DataView]|null}
   */
  goOn(color, moment, Y, rests) {
    if (this.from !== null) return this.distances();
    if (color !== "recall") this.work = this.scored = null;
    const now = this.clock.performance.now();
    if (!this.wait(color, moment) || (!this.work && !rests && now < this.due)) return null;
    if (this.work && rests && this.work.moment !== moment) this.work = null; // of use to nobody
    this.work ??= { moment, Y: Y.slice(), shares: new Float64Array(this.engine.n), row: 0, spent: 0 };
    const { work } = this;
    while (work.row < this.engine.n && this.clock.performance.now() - now < SLICE) this.slice(work);
    work.spent += this.clock.performance.now() - now;
    if (work.row < this.engine.n) return null;
    this.due = this.clock.performance.now() + Math.max(LEAST, work.spent / SHARE);
    this.scored = work.moment;
    this.work = null;
    const { iteration } = work.moment;
    return [{ kind: "scores", of: "recall", iteration, low: 0, high: 1, k: this.k }, packed(work.shares)];
  }

  /** Some more rows: at first of the neighbors in the data, which stay, then of those in the map. @param {NonNullable<FoundScores["work"]>} work */
  slice(work) {
    const { k, engine } = this;
    const at = Math.min(this.rows, engine.n);
    const some = Math.max(1, Math.floor(2e5 / engine.n));
    if (at < engine.n) {
      const last = Math.min(at + some, engine.n);
      this.inData.set(engine.nearest(null, k, at, last), at * k);
      this.rows = last;
      return;
    }
    const last = Math.min(work.row + some, engine.n);
    const found = engine.nearest(work.Y, k, work.row, last);
    for (let i = work.row; i < last; i++) {
      const there = new Set(found.subarray((i - work.row) * k, (i - work.row + 1) * k));
      let kept = 0;
      for (const j of this.inData.subarray(i * k, (i + 1) * k)) kept += Number(there.has(j));
      work.shares[i] = kept / k;
    }
    work.row = last;
  }

  /** @returns {[ScoresMessage, DataView]} */
  distances() {
    const index = /** @type {number} */ (this.from);
    this.from = null;
    const far = this.engine.apart(index);
    let [low, high] = [Infinity, 0];
    far.forEach((d, j) => {
      if (j !== index) [low, high] = [Math.min(low, d), Math.max(high, d)];
    });
    return [{ kind: "scores", of: "distance", iteration: null, low, high, index }, packed(far)];
  }
}

/** @param {Float64Array} values */
const packed = (values) => new DataView(Float32Array.from(values).buffer);
