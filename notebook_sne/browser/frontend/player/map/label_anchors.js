// Where some objects lie densely on a map: counts on a coarse grid, smoothed, are a landscape; a hill with a valley around
// it is a clump, and its top is where a name belongs. views/label_anchors.py follows the same rule.

const SIDE = 48; // cells
const FINE = 5; // cells for the median distance of all objects from their middle
const SMOOTH = 2; // times that counts of 300 objects are smoothed; fewer are smoothed more
const MOST_SMOOTH = 8;
const VALLEY = 0.5; // of the lower of two tops: a saddle above it does not part them
const [COMES, STAYS] = [0.15, 0.12]; // share of the objects from which on a hill is a clump
const KEEPS = 0.8; // of the height of the top, at which a name stays where it is

/**
 * @typedef {object} Clump
 * @property {number} x  where it is densest
 * @property {number} y
 * @property {number[]} members  the objects on it
 * @property {number} was  the number of the spot that it had before, or -1
 *
 * @typedef {{x: number, y: number, whole: number}} Frame  the middle of all objects, and their median distance from it
 */

/** @param {Float64Array} heights */
function smooth(heights) {
  const line = new Float64Array(SIDE);
  for (const [step, next] of [
    [1, SIDE],
    [SIDE, 1],
  ]) {
    for (let begin = 0; begin < SIDE; begin++) {
      for (let k = 0; k < SIDE; k++) line[k] = heights[begin * next + k * step];
      for (let k = 0; k < SIDE; k++)
        heights[begin * next + k * step] = (line[k - 1] ?? 0) + 2 * line[k] + (line[k + 1] ?? 0);
    }
  }
}

/**
 * The clumps of some objects, the largest first.
 * @param {Float32Array} points @param {ArrayLike<number>} objects @param {Frame} frame
 * @param {{x: number, y: number}[]} spots  where these objects are named by now
 * @returns {Clump[]}
 */
export function clumps(points, objects, { x: middleX, y: middleY, whole }, spots = []) {
  const n = objects.length;
  if (!n || !(whole > 0)) return [];
  /** @param {number} place @param {number} middle */
  const along = (place, middle) =>
    Math.min(Math.max(Math.floor(((place - middle) * FINE) / whole) + SIDE / 2, 0), SIDE - 1);
  /** @param {number} x @param {number} y */
  const cellOf = (x, y) => along(y, middleY) * SIDE + along(x, middleX);
  const cells = Int32Array.from({ length: n }, (_, j) => cellOf(points[2 * objects[j]], points[2 * objects[j] + 1]));
  const heights = new Float64Array(SIDE * SIDE);
  for (const cell of cells) heights[cell] += 1;
  const times = Math.min(Math.round(SMOOTH * Math.cbrt(300 / n)), MOST_SMOOTH);
  for (let k = 0; k < times; k++) smooth(heights);

  const before = spots.map(({ x, y }) => cellOf(x, y));
  const hills = new Int32Array(SIDE * SIDE).fill(-1); // the top of each cell's hill
  /** @param {number} cell */
  const topOf = (cell) => {
    let top = hills[cell];
    while (top >= 0 && hills[top] !== top) top = hills[top];
    return top;
  };
  /** @type {Set<number>} tops of hills that have a name */
  const named = new Set();
  const order = Array.from(heights.keys()).filter((cell) => heights[cell] > 0);
  order.sort((a, b) => heights[b] - heights[a] || a - b);
  for (const cell of order) {
    const [row, column] = [Math.floor(cell / SIDE), cell % SIDE];
    /** @type {number[]} */
    const tops = [];
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, SIDE - 1); r++)
      for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, SIDE - 1); c++) {
        const top = topOf(r * SIDE + c);
        if (top >= 0 && !tops.includes(top)) tops.push(top);
      }
    tops.sort((a, b) => heights[b] - heights[a] || a - b);
    const highest = tops[0] ?? cell;
    hills[cell] = highest;
    if (before.includes(cell)) named.add(highest);
    for (const top of tops.slice(1)) {
      // Two hills that have a name each are not one at the first rise of the valley.
      const valley = named.has(top) && named.has(highest) ? (1 + VALLEY) / 2 : VALLEY;
      if (heights[cell] > valley * heights[top]) {
        hills[top] = highest;
        if (named.has(top)) named.add(highest);
      }
    }
  }

  /** @type {Map<number, number[]>} */
  const found = new Map();
  cells.forEach((cell, j) => {
    const top = topOf(cell);
    found.set(top, found.get(top) ?? []);
    found.get(top)?.push(j);
  });
  const all = [...found].sort(
    ([a, some], [b, others]) => others.length - some.length || heights[b] - heights[a] || a - b,
  );
  return all.flatMap(([top, on]) => {
    const was = before.findIndex((cell) => topOf(cell) === top);
    if (on.length < (was >= 0 ? STAYS : COMES) * n) return [];
    const at = was >= 0 && heights[before[was]] >= KEEPS * heights[top] ? before[was] : top;
    /** @param {number} j */
    const away = (j) =>
      Math.max(
        Math.abs(Math.floor(cells[j] / SIDE) - Math.floor(at / SIDE)),
        Math.abs((cells[j] % SIDE) - (at % SIDE)),
      );
    const reach = Math.max(
      1,
      on.reduce((least, j) => Math.min(least, away(j)), SIDE),
    );
    const near = on.filter((j) => away(j) <= reach);
    let [x, y] = [0, 0];
    for (const j of near) [x, y] = [x + points[2 * objects[j]], y + points[2 * objects[j] + 1]];
    return [{ x: x / near.length, y: y / near.length, members: on.map((j) => objects[j]), was }];
  });
}
