// What becomes of a drawing before it is compared: cut to its box, scaled to the size that the data's images have, put
// with its center of mass where theirs lies, and drawn anew with their pen in their gray values.

/**
 * @typedef {object} Look  how the images of the data look, in their cells
 * @property {number} width @property {number} height
 * @property {number} fill  the longer side of what is drawn on them
 * @property {number} pen  how wide their lines are
 * @property {[across: number, down: number]} center  of mass
 * @property {number} white  the gray value of a cell that is covered
 */
/** @typedef {number[][]} Strokes  each x, y, x, y, ... in parts of the field, of which a side has `FIELD` */

export const FIELD = 1000;
export const PEN = 60; // as wide is a line in the field
const FINE = 4; // places in a cell, along each side: a cell's gray value says how many are covered
const [SHORTEST, FULL, GRID] = [0.12, 0.7, 20]; // of a field: a line, and ink; the squares that tell how much there is

/** Act for each straight piece of the strokes. @param {Strokes} strokes @param {(x: number, y: number, toX: number, toY: number) => void} act */
function pieces(strokes, act) {
  for (const points of strokes)
    for (let k = 0; k < points.length; k += 2) {
      const next = Math.min(k + 2, points.length - 2); // the last point is a piece without length: a dot has ink, too
      act(points[k], points[k + 1], points[next], points[next + 1]);
    }
}

/**
 * Which places of a grid the strokes cover, 1 or 0 row by row; place (k, l) is at (k + 1/2, l + 1/2).
 * @param {Strokes} strokes  in the unit of the grid @param {number} pen @param {number} width @param {number} height
 */
function covered(strokes, pen, width, height) {
  const found = new Uint8Array(width * height);
  const reach = pen / 2;
  pieces(strokes, (x, y, toX, toY) => {
    const [dx, dy] = [toX - x, toY - y];
    const long = dx * dx + dy * dy;
    const from = (/** @type {number} */ a, /** @type {number} */ b) => Math.max(0, Math.floor(Math.min(a, b) - reach));
    const to = (/** @type {number} */ a, /** @type {number} */ b) => Math.ceil(Math.max(a, b) + reach);
    for (let l = from(y, toY); l < Math.min(height, to(y, toY)); l++)
      for (let k = from(x, toX); k < Math.min(width, to(x, toX)); k++) {
        const [px, py] = [k + 0.5 - x, l + 0.5 - y];
        const t = long ? Math.min(Math.max((px * dx + py * dy) / long, 0), 1) : 0;
        if ((px - t * dx) ** 2 + (py - t * dy) ** 2 <= reach * reach) found[l * width + k] = 1;
      }
  });
  return found;
}

/** Why a drawing can't be compared, in a sentence; "" if it can. @param {Strokes} strokes */
export function fault(strokes) {
  let long = 0;
  pieces(strokes, (x, y, toX, toY) => (long += Math.hypot(toX - x, toY - y)));
  if (!strokes.some((points) => points.length)) return "Draw in the square.";
  if (long < SHORTEST * FIELD) return "This is a dot. Draw a line that is longer.";
  const small = strokes.map((points) => points.map((x) => (x * GRID) / FIELD));
  const ink = covered(small, (PEN * GRID) / FIELD, GRID, GRID).reduce((sum, one) => sum + one, 0);
  return ink < FULL * GRID * GRID
    ? ""
    : "The square is full of ink, so no shape is left. Clear it, and draw single lines.";
}

/** A drawing as an image of the data: gray values, row by row. @param {Strokes} strokes @param {Look} look */
export function imageOf(strokes, { width, height, fill, pen, center, white }) {
  const all = strokes.flat();
  const ends = [0, 1].map((a) => {
    const own = all.filter((_, k) => k % 2 === a);
    return [Math.min(...own), Math.max(...own)];
  });
  const scale = (FINE * (fill - pen)) / Math.max(...ends.map(([low, high]) => high - low), 1);
  let mass = 0;
  const moment = [0, 0];
  pieces(strokes, (x, y, toX, toY) => {
    const long = Math.hypot(toX - x, toY - y);
    mass += long;
    moment[0] += (long * (x + toX)) / 2;
    moment[1] += (long * (y + toY)) / 2;
  });
  const shift = [width, height].map((cells, a) => {
    const wanted = FINE * center[a] - (scale * moment[a]) / mass;
    const [low, high] = ends[a].map((x) => scale * x);
    // Where it fills the image, its box says where it lies: no end of a line is cut off.
    return Math.max(Math.min(wanted, FINE * (cells - pen / 2) - high), (FINE * pen) / 2 - low);
  });
  const drawn = strokes.map((points) => points.map((one, k) => one * scale + shift[k % 2]));
  const found = covered(drawn, FINE * pen, FINE * width, FINE * height);
  return Uint8Array.from({ length: width * height }, (_, cell) => {
    const [top, left] = [FINE * Math.floor(cell / width), FINE * (cell % width)];
    let sum = 0;
    for (let l = top; l < top + FINE; l++) for (let k = left; k < left + FINE; k++) sum += found[l * FINE * width + k];
    return Math.round((white * sum) / FINE ** 2);
  });
}
