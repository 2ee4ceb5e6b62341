// Words as labels of map points: where they go, so that none lies on another. The same input gives the same places, and
// views/names.py follows the same rule: labels are placed one after the other, the most important first, each where it
// covers least of the marks.

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
 * @property {boolean} [near]  and is left out where it finds no room there
 * @property {number} [last]  the place that it has, and keeps while it fits
 * @property {boolean} [first]  whether it goes before those that keep their places
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
const CELL = 32; // pixels: side of a cell, so that a label is compared with those around it only

/**
 * Radius of a circle whose area is proportional to a mixing proportion; `full` is that of proportion 1.
 * @param {number} proportion @param {number} full
 */
export function circleRadius(proportion, full) {
  return full * Math.sqrt(Math.max(proportion, 0));
}

/** Directions and distances, in lines, at which a label finds room that has none on its point: a line leads to it. */
const WAYS = [
  ...[1, 0, -1, 0, 0, -1, 0, 1, 1, -1, 1, 1, -1, -1, -1, 1],
  ...[1, -0.5, 1, 0.5, -1, -0.5, -1, 0.5, 0.5, -1, 0.5, 1, -0.5, -1, -0.5, 1],
];
const AWAY = [1, 2, 4];
/** Places of a label on its point that touch it: a line leads to the others. */
export const ON = 5;
const LED = 2; // pixels between a point and its label from which on a line leads there

/**
 * The line from a point to the box of its label; none where the label is at its point.
 * @param {number} x @param {number} y @param {Box} box @returns {[number, number, number, number]|null}
 */
export function leader(x, y, { left, top, width, height }) {
  const [toX, toY] = [Math.min(Math.max(x, left), left + width), Math.min(Math.max(y, top), top + height)];
  return Math.max(Math.abs(toX - x), Math.abs(toY - y)) > LED ? [x, y, toX, toY] : null;
}

/**
 * Whether a line passes through a box in which it does not begin: of classes at one spot the name of one covers it.
 * @param {[number, number, number, number]} line @param {Box} box
 */
function crosses([x, y, toX, toY], { left, top, width, height }) {
  if (x >= left && x <= left + width && y >= top && y <= top + height) return false;
  let [from, to] = [0, 1];
  for (const [start, step, low, high] of [
    [x, toX - x, left, left + width],
    [y, toY - y, top, top + height],
  ]) {
    if (step === 0) {
      if (start <= low || start >= high) return false;
      continue;
    }
    const [a, b] = [(low - start) / step, (high - start) / step];
    [from, to] = [Math.max(from, Math.min(a, b)), Math.min(to, Math.max(a, b))];
  }
  return from < to;
}

/**
 * Places for a label around its point, the preferred first: left and top, one after the other.
 * @param {Label} label @param {number[]} into
 */
function placesAround({ x, y, radius, width, height, centered }, into) {
  const [middle, half] = [y - height / 2, x - width / 2];
  if (centered) {
    into.splice(0, into.length, half, middle, half, y - height, half, y, x - width, middle, x, middle);
    for (const away of AWAY)
      for (let k = 0; k < WAYS.length; k += 2)
        into.push(
          x + WAYS[k] * (away * height + width / 2) - width / 2,
          y + WAYS[k + 1] * (away * height + height / 2) - height / 2,
        );
    return into.length / 2;
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

/** Boxes in cells: each is found in every cell that it touches. */
class Cells {
  /** @param {number} width @param {number} height @param {number} most  how many boxes there will be at most */
  constructor(width, height, most) {
    this.columns = Math.max(1, Math.ceil(width / CELL));
    this.rows = Math.max(1, Math.ceil(height / CELL));
    this.heads = new Int32Array(this.columns * this.rows).fill(-1); // of a list of entries in each cell
    /** @type {number[]} */
    this.boxOf = [];
    /** @type {number[]} */
    this.nexts = [];
    this.sides = new Float64Array(5 * most); // left, top, right, low and weight of each box
    this.count = 0;
  }

  /** @param {number} x @param {number} count */
  static cell(x, count) {
    const cell = Math.floor(x / CELL);
    return cell < 0 ? 0 : cell >= count ? count - 1 : cell;
  }

  /** @param {number} left @param {number} top @param {number} width @param {number} height @param {number} weight */
  add(left, top, width, height, weight = 1) {
    const { heads, columns, rows } = this;
    this.sides.set([left, top, left + width, top + height, weight], 5 * this.count);
    const [last, low] = [Cells.cell(left + width, columns), Cells.cell(top + height, rows)];
    for (let r = Cells.cell(top, rows); r <= low; r++) {
      for (let c = Cells.cell(left, columns); c <= last; c++) {
        this.boxOf.push(this.count);
        this.nexts.push(heads[r * columns + c]);
        heads[r * columns + c] = this.nexts.length - 1;
      }
    }
    this.count += 1;
  }

  /**
   * Area that a box shares with those here, by their weights; no further than `most`, where more is all the same.
   * @param {number} left @param {number} top @param {number} width @param {number} height @param {number} most
   */
  covered(left, top, width, height, most = Number.POSITIVE_INFINITY) {
    const { heads, nexts, boxOf, sides, columns, rows } = this;
    const [right, under] = [left + width, top + height];
    const [last, low] = [Cells.cell(right, columns), Cells.cell(under, rows)];
    let sum = 0;
    for (let r = Cells.cell(top, rows); r <= low; r++) {
      for (let c = Cells.cell(left, columns); c <= last; c++) {
        for (let entry = heads[r * columns + c]; entry >= 0; entry = nexts[entry]) {
          const at = 5 * boxOf[entry];
          const from = Math.max(left, sides[at]);
          const across = Math.min(right, sides[at + 2]) - from;
          if (!(across > 0)) continue;
          const high = Math.max(top, sides[at + 1]);
          const down = Math.min(under, sides[at + 3]) - high;
          if (!(down > 0)) continue;
          // A box in several cells counts in the one where what is shared begins.
          if (Cells.cell(from, columns) !== c || Cells.cell(high, rows) !== r) continue;
          sum += across * down * sides[at + 4];
          if (sum > most) return sum;
        }
      }
    }
    return sum;
  }
}

/**
 * Place labels one after the other, the most important first. A label that finds no free place is left out (null),
 * unless it must be shown: then it lies where it covers least.
 * @param {Label[]} items @param {number} width  of the picture @param {number} height
 * @param {Dot[]} dots  marks to leave uncovered where possible
 * @param {number} cover  share of its box by which a label may cover marks
 * @param {Box[]} closed  where no label may lie
 * @returns {(Placed|null)[]}
 */
export function placeLabels(items, width, height, dots = items, cover = SPARSE, closed = []) {
  const [taken, marks] = [
    new Cells(width, height, items.length + closed.length),
    new Cells(width, height, dots.length),
  ];
  for (const { x, y, radius, weight } of dots) marks.add(x - radius, y - radius, 2 * radius, 2 * radius, weight);
  for (const box of closed) taken.add(box.left, box.top, box.width, box.height);
  /** @type {number[]} */
  const around = new Array(16).fill(0);
  /** @type {Placed[]} of labels that stand on their points, or are led to from there */
  const groups = [];
  /** @type {[number, number, number, number][]} */
  const leaders = [];
  /** @param {Label} item @param {boolean} stays  whether only the place counts that it has */
  const placed = (item, stays) => {
    const { width: wide, height: tall, must, centered, near, last = -1, room = 0 } = item;
    const limit = cover * wide * tall;
    const count = Math.min(placesAround(item, around), near ? ON : Number.POSITIVE_INFINITY);
    /** @type {Placed|null} */
    let best = null;
    let least = must ? Number.POSITIVE_INFINITY : limit;
    for (let tried = last >= 0 && last < count ? -1 : 0; tried < (stays ? 0 : count); tried++) {
      const place = tried < 0 ? last : tried;
      let [left, top] = [around[2 * place], around[2 * place + 1]];
      const outside = left < 1 || top < 1 || left + wide > width - 1 || top + tall > height - 1;
      if (outside && !must) continue;
      if (must) {
        left = Math.max(1, Math.min(left, width - 1 - wide));
        top = Math.max(1, Math.min(top, height - 1 - tall));
      }
      const gap = GAP + room;
      const free = taken.covered(left - gap, top - room, wide + 2 * gap, tall + 2 * room, 0) === 0;
      if (!free && !must) continue;
      if (centered) {
        const box = { left, top, width: wide, height: tall };
        const led = leader(item.x, item.y, box);
        if ((led && groups.some((one) => crosses(led, one))) || leaders.some((line) => crosses(line, box))) continue;
      }
      const on = free ? 0 : taken.covered(left, top, wide, tall);
      const most = tried < 0 ? STAYS * limit : least;
      const cost = marks.covered(left, top, wide, tall, most) + STEP * place + 100 * on + (outside ? 60 : 0);
      if (tried < 0 && cost < STAYS * limit) {
        best = { left, top, width: wide, height: tall, place };
        break;
      }
      if (cost < least) [best, least] = [{ left, top, width: wide, height: tall, place }, cost];
    }
    if (best) taken.add(best.left, best.top, wide, tall);
    if (best && centered) {
      groups.push(best);
      const led = leader(item.x, item.y, best);
      if (led) leaders.push(led);
    }
    return best;
  };
  // Those that must give way look for another place when all that stay have theirs: they push nobody out.
  const staying = items.map((item) => (item.first || item.last !== undefined ? placed(item, !item.first) : null));
  return items.map((item, k) => staying[k] ?? (item.first ? null : placed(item, false)));
}
