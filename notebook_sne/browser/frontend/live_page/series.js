// Series of bounded length: kept moments, costs and marks of a run, thinned evenly when there are too many.

const TRACE = 4000; // costs
const MARKS = 200;
const LONGEST = 200; // letters of a mark
const DRAG = 10; // iterations in which turning the same knobs again is the same turn
const ONCE = ["model", "moved", "pinned"]; // in an iteration

/** Moments with their memory, at least `stride` iterations apart, but for those that no update made. */
export class Kept {
  /** @param {{bytes?: number, moments?: number, stride?: number}} most */
  constructor({ bytes = 64e6, moments = 128, stride = 10 } = {}) {
    this.most = { bytes, moments };
    this.first = this.stride = stride;
    /** @type {Moment[]} in the order of their iterations */
    this.moments = [];
    /** @type {Set<Moment>} that did not come from the one before by an update */
    this.breaks = new Set();
    /** @type {number[]} iterations of breaks that there was no room for */
    this.lost = [];
  }

  /** Whether a moment of this iteration should be kept. @param {number} iteration */
  due(iteration) {
    let from = -Infinity; // the stride counts from one that it kept, and not from the breaks between
    for (const moment of this.moments) if (moment.iteration - from >= this.stride) from = moment.iteration;
    return iteration - from >= this.stride || iteration === this.moments[this.moments.length - 1]?.iteration;
  }

  /** @param {Moment} moment  with its memory @param {boolean} broken */
  keep(moment, broken) {
    const last = this.moments[this.moments.length - 1];
    if (last?.iteration === moment.iteration) {
      this.moments.pop();
      broken ||= this.breaks.delete(last);
    }
    this.moments.push(moment);
    if (broken) this.breaks.add(moment);
    while (this.full()) this.thin();
  }

  full() {
    const size = 4 * 8 * (this.moments[0]?.memory?.Y.length ?? 0);
    return (
      this.moments.length > 2 && Math.max(2, Math.min(this.most.moments, this.most.bytes / size)) < this.moments.length
    );
  }

  /** Leave out every second moment, and of the breaks the oldest where they alone are too many. */
  thin() {
    this.stride *= 2;
    const [first, ...rest] = this.moments;
    const newest = rest.pop();
    let from = first.iteration;
    const stay = rest.filter((moment) => {
      if (this.breaks.has(moment)) return true;
      if (moment.iteration - from < this.stride) return false;
      from = moment.iteration;
      return true;
    });
    if (stay.length === rest.length) {
      const oldest = /** @type {Moment} */ (stay.shift());
      if (this.breaks.delete(oldest)) this.lost.push(oldest.iteration);
    }
    this.moments = newest ? [first, ...stay, newest] : [first, ...stay];
  }

  /** The last kept moment that is not after an iteration, or null. @param {number} iteration */
  before(iteration) {
    return this.moments.findLast((moment) => moment.iteration <= iteration) ?? null;
  }

  /** @param {number} iteration */
  cut(iteration) {
    this.moments = this.moments.filter((moment) => moment.iteration <= iteration);
    for (const moment of this.breaks) if (moment.iteration > iteration) this.breaks.delete(moment);
    this.lost = this.lost.filter((at) => at <= iteration);
    const span = (this.moments[this.moments.length - 1]?.iteration ?? 0) - (this.moments[0]?.iteration ?? 0);
    while (this.stride > this.first && span / (this.stride / 2) < this.most.moments / 2) this.stride /= 2;
  }
}

/** Iterations and costs; when it is full, every second entry goes and the stride doubles. */
export class Costs {
  constructor() {
    /** @type {[iteration: number, cost: number][]} */
    this.entries = [];
    this.stride = 1;
    this.seen = 0;
  }

  /** @param {number} iteration @param {number} cost */
  add(iteration, cost) {
    const last = this.entries[this.entries.length - 1];
    if (last?.[0] === iteration) {
      last[1] = cost;
      return;
    }
    if (this.seen % this.stride === 0) this.entries.push([iteration, cost]);
    this.seen += 1;
    if (this.entries.length <= TRACE) return;
    this.entries = this.entries.filter((_, k) => k % 2 === 0);
    this.stride *= 2;
  }

  /** @param {number} iteration */
  cut(iteration) {
    this.entries = this.entries.filter(([at]) => at <= iteration);
  }

  /** Packed, up to a moment, which is always the last. @param {Moment} moment */
  upTo({ iteration, cost }) {
    const entries = this.entries.filter(([at]) => at < iteration);
    return new DataView(new Float64Array([...entries, [iteration, cost]].flat()).buffer);
  }
}

/** What happened in a run, and when. */
export class Marks {
  /** @param {Mark[]} marks */
  constructor(marks = []) {
    /** @type {(Mark & {knobs?: string, since?: number})[]} */
    this.entries = [...marks];
  }

  /** @returns {Mark[]} */
  get all() {
    return this.entries.map(({ iteration, kind, text }) => ({ iteration, kind, text }));
  }

  /** @param {number} iteration @param {string} kind @param {string} text @param {string[]} [names]  of knobs that were turned */
  add(iteration, kind, text, names = []) {
    const knobs = names.length ? [...names].sort().join(" ") : undefined;
    let since = iteration;
    const same = this.entries.findLastIndex((mark) => {
      if (mark.kind !== kind || iteration - mark.iteration >= DRAG) return false;
      const dragged = knobs !== undefined && mark.knobs === knobs && iteration - (mark.since ?? mark.iteration) < DRAG;
      return dragged || (ONCE.includes(kind) && mark.iteration === iteration);
    });
    if (same >= 0) since = this.entries.splice(same, 1)[0].since ?? since;
    const short = text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 3)}...`;
    this.entries.push({ iteration, kind, text: short, knobs, since });
    if (this.entries.length > MARKS) this.thin();
  }

  /** Every second one of the commonest kind goes, the newest never. */
  thin() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { kind } of this.entries) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    let [common, left] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    this.entries = this.entries.filter(({ kind }) => kind !== common || --left % 2 === 0);
  }

  /** @param {number} iteration */
  cut(iteration) {
    this.entries = this.entries.filter((mark) => mark.iteration <= iteration);
  }
}
