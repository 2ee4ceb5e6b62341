// Words as labels of map points: where they go, so that none lies on another. The same input gives the same places.

/** @import { Box } from "./types.d.ts" */

/**
 * @typedef {object} Dot  a circle, to be left uncovered where possible
 * @property {number} x
 * @property {number} y
 * @property {number} radius
 * @property {number} [weight]  how much it matters; 1 if it is left out
 */

/** @typedef {Dot & {width: number, height: number, must?: boolean}} Label  a text beside a circle */

const GAP = 3; // pixels between a circle and its label
const CROWDED = 14; // how much covering of other circles a label that may be left out is worth

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

/** Places for a label around its circle, the preferred first: [left, top]. @param {Label} label @returns {[number, number][]} */
function placesAround({ x, y, radius, width, height }) {
  const [far, near] = [radius + GAP, 0.7 * radius + GAP - 1];
  const [middle, half] = [y - height / 2, x - width / 2];
  return [
    [x + far, middle],
    [x - far - width, middle],
    [half, y - far - height + 2],
    [half, y + far - 2],
    [x + near, y - near - height + 3],
    [x + near, y + near - 3],
    [x - near - width, y - near - height + 3],
    [x - near - width, y + near - 3],
  ];
}

/** @param {number} left @param {number} top @param {number} width @param {number} height @param {Box} box */
function overlap(left, top, width, height, box) {
  const across = Math.min(left + width, box.left + box.width) - Math.max(left, box.left);
  const down = Math.min(top + height, box.top + box.height) - Math.max(top, box.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * How much of the circles a box covers, the words that matter counting fully.
 * @param {number} left @param {number} top @param {Label} item @param {Dot[]} dots
 */
function covered(left, top, item, dots) {
  let sum = 0;
  for (const dot of dots) {
    if (dot === item) continue;
    const box = { left: dot.x - dot.radius, top: dot.y - dot.radius, width: 2 * dot.radius, height: 2 * dot.radius };
    sum += overlap(left, top, item.width, item.height, box) * (dot.weight ?? 1);
  }
  return sum;
}

/**
 * Place labels one after the other, the most important first. A label that finds no free place is left out (null),
 * unless it must be shown: then it lies where it covers least.
 * @param {Label[]} items @param {number} width  of the picture @param {number} height
 * @param {Dot[]} dots  circles to leave uncovered where possible
 * @returns {(Box|null)[]}
 */
export function placeLabels(items, width, height, dots = items) {
  /** @type {Box[]} */
  const taken = [];
  return items.map((item) => {
    /** @type {Box|null} */
    let best = null;
    let least = Infinity;
    for (const [preference, [x, y]] of placesAround(item).entries()) {
      let [left, top] = [x, y];
      const outside = left < 1 || top < 1 || left + item.width > width - 1 || top + item.height > height - 1;
      if (outside && !item.must) continue;
      left = Math.max(1, Math.min(left, width - 1 - item.width));
      top = Math.max(1, Math.min(top, height - 1 - item.height));
      let on = 0;
      for (const box of taken) on += overlap(left, top, item.width, item.height, box);
      if (on && !item.must) continue;
      const cost = 100 * on + covered(left, top, item, dots) + preference * 1.5 + (outside ? 60 : 0);
      if (cost < least) [best, least] = [{ left, top, width: item.width, height: item.height }, cost];
    }
    if (!best || (least > CROWDED + 12 && !item.must)) return null;
    taken.push(best);
    return best;
  });
}
