// Which object is near a place of the map: where there are very many, by a grid of cells, each with its objects. It is made
// when somebody asks while the map rests, and dropped when the objects move, so that watching a run costs nothing.

import { extent, nearest, toMap } from "../../shared/window.js";

const MANY = 30000; // objects below which looking at each is quick
const RESTS = 250; // ms without a change after which the map rests
const FULL = 4; // objects in a cell, about
const SIDE = 1024; // most cells across

export class Near {
  /** @param {{performance: {now: () => number}}} clock */
  constructor(clock = globalThis) {
    this.clock = clock;
    /** @type {Float32Array|undefined} whose grid it is */
    this.points = undefined;
    this.since = 0;
    /** @type {ReturnType<typeof gridOf>|undefined} null if these points have none */
    this.grid = undefined;
  }

  /** The points that are shown: others than before have another grid. @param {Float32Array} points */
  take(points) {
    if (points === this.points) return;
    this.points = points;
    this.since = this.clock.performance.now();
    this.grid = undefined;
  }

  /**
   * As `nearest`: the index of the point nearest to a pixel within `reach` pixels, or -1; of several the first.
   * @param {Place} window @param {Float32Array} points @param {number} px @param {number} py @param {Pair} size
   * @param {number} reach
   */
  find(window, points, px, py, [width, height], reach) {
    this.take(points);
    if (points.length < 2 * MANY) return nearest(window, points, px, py, width, height, reach);
    const rests = this.clock.performance.now() - this.since > RESTS;
    if (this.grid === undefined && rests) this.grid = gridOf(points);
    if (!this.grid) return nearest(window, points, px, py, width, height, reach);
    return inGrid(this.grid, points, toMap(window, px, py, width, height), (reach * window.width) / width);
  }
}

/** The cells and which objects are in each; null where a place is not a number. @param {Float32Array} points */
function gridOf(points) {
  const count = points.length / 2;
  const [left, right, low, high] = extent(points);
  const side = Math.min(SIDE, Math.ceil(Math.sqrt(count / FULL)));
  const [across, up] = [side / (right - left || 1), side / (high - low || 1)];
  if (!(Number.isFinite(across) && Number.isFinite(up)) || across === 0 || up === 0) return null;
  // An object that lies nowhere is in no cell.
  const none = side * side;
  const cells = new Uint32Array(count);
  const starts = new Uint32Array(none + 2);
  for (let i = 0; i < count; i++) {
    const [x, y] = [(points[2 * i] - left) * across, (points[2 * i + 1] - low) * up];
    const cell = x >= 0 && y >= 0 ? Math.min(y | 0, side - 1) * side + Math.min(x | 0, side - 1) : none;
    cells[i] = cell;
    starts[cell + 1] += 1;
  }
  for (let c = 0; c <= none; c++) starts[c + 1] += starts[c];
  const members = new Uint32Array(count);
  const ends = starts.slice();
  for (let i = 0; i < count; i++) members[ends[cells[i]]++] = i;
  return { left, low, across, up, side, starts, members };
}

/**
 * @param {NonNullable<ReturnType<typeof gridOf>>} grid @param {Float32Array} points @param {Pair} place  on the map
 * @param {number} reach  in its units
 */
function inGrid({ left, low, across, up, side, starts, members }, points, [mx, my], reach) {
  const square = reach ** 2;
  let [best, least] = [-1, square];
  /** @param {number} cell */
  const clamp = (cell) => Math.min(Math.max(Math.floor(cell), 0), side - 1);
  /** @param {number} from @param {number} to @param {number} y */
  const look = (from, to, y) => {
    for (let k = starts[y * side + from]; k < starts[y * side + to + 1]; k++) {
      const i = members[k];
      const distance = (points[2 * i] - mx) ** 2 + (points[2 * i + 1] - my) ** 2;
      // Of several as near as each other it is the first, in whatever order the cells are looked at.
      if (distance < least || (distance === least && distance < square && i < best)) [best, least] = [i, distance];
    }
  };
  const middle = clamp((my - low) * up);
  for (let away = 0; away < side; away++) {
    // A row so far up or down that nothing in it is nearer ends the search; a cell more guards against rounding.
    const r = Math.sqrt(least);
    if ((away - 2) / up > r) break;
    const [from, to] = [clamp((mx - r - left) * across - 1), clamp((mx + r - left) * across + 1)];
    if (middle + away < side) look(from, to, middle + away);
    if (away && middle - away >= 0) look(from, to, middle - away);
  }
  return best;
}
