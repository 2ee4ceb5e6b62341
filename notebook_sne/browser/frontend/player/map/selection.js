// The selection: which objects are looked at, and which of them lie inside a line drawn by hand. While filters are in force it
// is within what they leave, and where no hand has chosen anything it is all of that.

/** By the keys held down. @param {MouseEvent|KeyboardEvent} event @returns {Manner} */
export function manner(event) {
  return event.altKey ? "remove" : event.shiftKey ? "add" : "set";
}

export class Selection {
  /** @param {number} count of objects  @param {(list: number[]) => void} changed  called after a change made here */
  constructor(count, changed = (_list) => {}) {
    /** One byte for each object: 1 if it is selected. */
    this.flags = new Uint8Array(count);
    this.size = 0;
    /** Rises with every change. */
    this.version = 0;
    this.changed = changed;
    /** @type {Uint8Array|null} 1 for each object that the filters leave; null without filters */
    this.left = null;
    this.whole = 0; // how many of these there are
    this.filtered = false; // whether the selection is all that the filters leave, and no hand's
  }

  /** Whether a hand has selected it. @param {number} i */
  has(i) {
    return this.flags[i] === 1 && !this.filtered;
  }

  /** The selected objects in rising order. */
  get list() {
    return marked(this.flags);
  }

  /** Those that a hand has selected. */
  get byHand() {
    return this.filtered ? [] : this.list;
  }

  /** How many these are. */
  get chosen() {
    return this.filtered ? 0 : this.size;
  }

  /** The selected object if it is the only one, or -1. */
  get only() {
    return this.size === 1 ? this.flags.indexOf(1) : -1;
  }

  /**
   * Change the selection: "set" it to these objects, "add" them to it or "remove" them from it.
   * @param {Manner} how @param {ArrayLike<number>&Iterable<number>} indices
   */
  change(how, indices) {
    const { left } = this;
    const before = left && this.flags.slice();
    const meant = left && how !== "remove" ? Array.from(indices).filter((i) => left[i]) : indices;
    let news = this.write(how, meant);
    if (left && !this.size) this.write("set", marked(left));
    if (before) news = before.some((flag, i) => flag !== this.flags[i]);
    if (news) this.changed(this.list);
    return news;
  }

  /**
   * Take over what filters leave: of what a hand has selected that part stays, and otherwise all of it is selected.
   * @param {Uint8Array|null} left @param {boolean} settled  whether the reader has let go of the filter
   */
  filter(left, settled) {
    const own = this.filtered ? [] : this.list;
    const hand = left ? own.filter((i) => left[i]) : own;
    this.left = left;
    this.whole = left ? left.reduce((sum, one) => sum + one, 0) : 0;
    this.write("set", hand.length || !left ? hand : marked(left));
    this.version += 1;
    this.filtered = this.isFiltered();
    if (settled) this.changed(this.list);
  }

  isFiltered() {
    const { flags, left, size, whole } = this;
    return left !== null && size === whole && flags.every((flag, i) => flag === left[i]);
  }

  /** @param {ArrayLike<number>&Iterable<number>} indices */
  set(indices) {
    this.change("set", indices);
  }

  /** True if anything was selected. */
  clear() {
    return this.change("set", []);
  }

  /**
   * Take over what was selected elsewhere; true if that is news.
   * @param {ArrayLike<number>&Iterable<number>} indices
   */
  read(indices) {
    return this.write("set", indices || []);
  }

  /** @param {Manner} how @param {ArrayLike<number>&Iterable<number>} indices */
  write(how, indices) {
    const { flags } = this;
    const before = how === "set" ? flags.slice() : null;
    let news = false;
    if (how === "set") flags.fill(0);
    const mark = how === "remove" ? 0 : 1;
    for (const i of indices) {
      if (flags[i] === undefined) continue; // a list from elsewhere may be of another data set
      if (flags[i] !== mark) news = true;
      flags[i] = mark;
    }
    if (before) news = before.some((flag, i) => flag !== flags[i]);
    if (!news) return false;
    this.size = 0;
    for (let i = 0; i < flags.length; i++) this.size += flags[i];
    this.version += 1;
    this.filtered = this.isFiltered();
    return true;
  }
}

/** The objects that are marked, in rising order. @param {Uint8Array} flags */
function marked(flags) {
  /** @type {number[]} */
  const found = [];
  for (let i = 0; i < flags.length; i++) if (flags[i]) found.push(i);
  return found;
}

const SLABS = 256;

/**
 * Indices of the points inside a closed line, however often it crosses itself: those that it winds around.
 * The line is cut into slabs of equal height, so that a point is compared with the few edges beside it.
 * @param {Float32Array} points (N, 2)
 * @param {number[][]} line  corners in the same coordinates as the points
 * @returns {number[]}
 */
export function enclosed(points, line) {
  if (line.length < 3) return [];
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of line) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  if (!(high > low)) return [];
  /** @param {number} y */
  const slabOf = (y) => Math.min(Math.max(Math.floor(((y - low) / (high - low)) * SLABS), 0), SLABS - 1);
  /** @type {number[][]} four numbers for each edge */
  const slabs = Array.from({ length: SLABS }, () => []);
  line.forEach(([ax, ay], k) => {
    const [bx, by] = line[(k + 1) % line.length];
    if (ay === by) return; // a level edge winds around nothing
    const [first, last] = [slabOf(Math.min(ay, by)), slabOf(Math.max(ay, by))];
    for (let s = first; s <= last; s++) slabs[s].push(ax, ay, bx, by);
  });
  /** @type {number[]} */
  const found = [];
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i], points[i + 1]];
    if (!(x >= left && x <= right && y >= low && y <= high)) continue;
    const edges = slabs[slabOf(y)];
    let winding = 0;
    for (let e = 0; e < edges.length; e += 4) {
      const [ax, ay, bx, by] = [edges[e], edges[e + 1], edges[e + 2], edges[e + 3]];
      if (ay <= y === by <= y) continue;
      const side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
      if (by > ay ? side > 0 : side < 0) winding += by > ay ? 1 : -1;
    }
    if (winding) found.push(i / 2);
  }
  return found;
}
