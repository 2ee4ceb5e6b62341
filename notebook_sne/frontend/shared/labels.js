// Words as labels of map points: where they go, so that none lies on another. The same input gives the same places, and
// views/names.py follows the same rule: labels are placed one after the other, the most important first, each where it
// covers least of the marks.

/** @import { Box } from "./types.d.ts" */

/**
 * @typedef {object} Dot  a mark, to be left uncovered where possible
 * @property {number} x
 * @property {number} y
 * @property {number} radius
 * @property {number} [weight]  how much it matters; 1 if it is left out, and one of Infinity is never covered
 */

/**
 * @typedef {object} Wish  how a label is to be placed
 * @property {number} width
 * @property {number} height
 * @property {boolean} [must]  whether it is shown even where there is no room
 * @property {boolean} [centered]  whether it stands on its point rather than beside it
 * @property {number} [last]  the place that it has, and keeps while it fits
 * @property {number} [room]  pixels around it that must be free as well
 *
 * @typedef {Dot & Wish} Label  a text beside a mark
 *
 * @typedef {Box & {place: number}} Placed  with the number of the place
 */

export const GAP = 3; // pixels between a mark and its label, and between two labels side by side
const STEP = 2; // square pixels of marks that a label rather covers than take the next place
const SPARSE = 0.05; // share of its own box by which a label may cover marks, unless told
const STAYS = 1.5; // by how much more a label may cover that is there already
const CELL = 48; // pixels: side of a cell, so that a label is compared with those around it only

/**
 * Radius of a circle whose area is proportional to a mixing proportion; `full` is that of proportion 1.
 * @param {number} proportion @param {number} full
 */
export function circleRadius(proportion, full) {
  return full * Math.sqrt(Math.max(proportion, 0));
}

/** A name short enough to be a label. @param {string} text */
export function shorten(text, most = 22) {
  const letters = [...text.slice(0, 4 * most + 4)];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

/**
 * Places for a label around its point, the preferred first: left and top, one after the other.
 * @param {Label} label @param {number[]} into
 */
function placesAround({ x, y, radius, width, height, centered }, into) {
  const [middle, half] = [y - height / 2, x - width / 2];
  if (centered) {
    into.splice(0, into.length, half, middle, half, y - height, half, y, x - width, middle, x, middle);
    return 5;
  }
  const [far, near, slope, up] = [radius + GAP, 0.7 * radius + GAP, 0.7 * radius, radius + 1];
  into[0] = x + far;
  into[1] = middle;
  into[2] = x - far - width;
  into[3] = middle;
  into[4] = half;
  into[5] = y - up - height;
  into[6] = half;
  into[7] = y + up;
  into[8] = x + near;
  into[9] = y - slope - height;
  into[10] = x + near;
  into[11] = y + slope;
  into[12] = x - near - width;
  into[13] = y - slope - height;
  into[14] = x - near - width;
  into[15] = y + slope;
  return 8;
}

/** @param {number} left @param {number} top @param {number} width @param {number} height @param {Box} box */
function overlap(left, top, width, height, box) {
  const across = Math.min(left + width, box.left + box.width) - Math.max(left, box.left);
  const down = Math.min(top + height, box.top + box.height) - Math.max(top, box.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/** Boxes in cells: each is found in every cell that it touches. */
class Cells {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.columns = Math.max(1, Math.ceil(width / CELL));
    this.rows = Math.max(1, Math.ceil(height / CELL));
    /** @type {(Box & {weight?: number})[][]} */
    this.cells = Array.from({ length: this.columns * this.rows }, () => []);
  }

  /** The cells of an interval. @param {number} from @param {number} to @param {number} count @returns {[number, number]} */
  range(from, to, count) {
    return [
      Math.min(Math.max(Math.floor(from / CELL), 0), count - 1),
      Math.min(Math.max(Math.floor(to / CELL), 0), count - 1),
    ];
  }

  /** @param {Box & {weight?: number}} box */
  add(box) {
    const [first, last] = this.range(box.left, box.left + box.width, this.columns);
    const [high, low] = this.range(box.top, box.top + box.height, this.rows);
    for (let r = high; r <= low; r++) for (let c = first; c <= last; c++) this.cells[r * this.columns + c].push(box);
  }

  /**
   * Area that a box shares with those here, each counted in the one cell where both begin to lie; at the first of
   * Infinity it is Infinity.
   * @param {number} left @param {number} top @param {number} width @param {number} height
   */
  covered(left, top, width, height) {
    const [first, last] = this.range(left, left + width, this.columns);
    const [high, low] = this.range(top, top + height, this.rows);
    let sum = 0;
    for (let r = high; r <= low; r++) {
      for (let c = first; c <= last; c++) {
        for (const box of this.cells[r * this.columns + c]) {
          const area = overlap(left, top, width, height, box);
          if (!area) continue;
          const [column] = this.range(Math.max(left, box.left), 0, this.columns);
          const [row] = this.range(Math.max(top, box.top), 0, this.rows);
          if (column === c && row === r) sum += area * (box.weight ?? 1);
        }
      }
    }
    return sum;
  }

  /** Whether a box shares nothing with those here. @param {number} left @param {number} top @param {number} width @param {number} height */
  free(left, top, width, height) {
    const [first, last] = this.range(left, left + width, this.columns);
    const [high, low] = this.range(top, top + height, this.rows);
    for (let r = high; r <= low; r++) {
      for (let c = first; c <= last; c++) {
        for (const box of this.cells[r * this.columns + c]) if (overlap(left, top, width, height, box)) return false;
      }
    }
    return true;
  }
}

/**
 * Place labels one after the other, the most important first. A label that finds no free place is left out (null),
 * unless it must be shown: then it lies where it covers least.
 * @param {Label[]} items @param {number} width  of the picture @param {number} height
 * @param {Dot[]} dots  marks to leave uncovered where possible
 * @param {number} cover  share of its box by which a label may cover marks
 * @returns {(Placed|null)[]}
 */
export function placeLabels(items, width, height, dots = items, cover = SPARSE) {
  const [taken, marks] = [new Cells(width, height), new Cells(width, height)];
  for (const { x, y, radius, weight } of dots)
    marks.add({ left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius, weight });
  /** @type {number[]} */
  const around = new Array(16).fill(0);
  return items.map((item) => {
    const { width: wide, height: tall, must, last = -1, room = 0 } = item;
    const limit = cover * wide * tall;
    const count = placesAround(item, around);
    /** @type {Placed|null} */
    let best = null;
    let least = must ? Number.POSITIVE_INFINITY : limit;
    for (let tried = last >= 0 && last < count ? -1 : 0; tried < count; tried++) {
      const place = tried < 0 ? last : tried;
      let [left, top] = [around[2 * place], around[2 * place + 1]];
      const outside = left < 1 || top < 1 || left + wide > width - 1 || top + tall > height - 1;
      if (outside && !must) continue;
      if (must) {
        left = Math.max(1, Math.min(left, width - 1 - wide));
        top = Math.max(1, Math.min(top, height - 1 - tall));
      }
      const gap = GAP + room;
      const free = taken.free(left - gap, top - room, wide + 2 * gap, tall + 2 * room);
      if (!free && !must) continue;
      const on = free ? 0 : taken.covered(left, top, wide, tall);
      const cost = marks.covered(left, top, wide, tall) + STEP * place + 100 * on + (outside ? 60 : 0);
      if (tried < 0 && cost < STAYS * limit) {
        best = { left, top, width: wide, height: tall, place };
        break;
      }
      if (cost < least) [best, least] = [{ left, top, width: wide, height: tall, place }, cost];
    }
    if (best) taken.add(best);
    return best;
  });
}
