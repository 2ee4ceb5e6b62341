// The loupe: a square over the map that shows the close surroundings of one object enlarged, so that springs which lie on
// one another at rest can be told apart. It lies where it covers least, and is left out where nothing needs it.

import { NOT_COVERED } from "../../shared/window.js";

const SHARE = 0.34; // of the shorter side of the map
const [LEAST, MOST] = [150, 300]; // pixels of its side
const EDGE = 10; // pixels between it and the border of the map
const FILLED = 1; // share of half its side at which the ends of the typical springs lie
const QUANTILE = 0.5; // of the springs
const WORTH = 1.8; // enlargement below which the map itself shows nearly as much
const MOST_TIMES = 40;
const BETTER = 0.6; // by how much less another place must cover for the loupe to move there
const FAR = 0.15; // what the whole way across the map costs, in shares of the objects
const SEEN = 20000; // objects counted at most, when what a place covers is reckoned

/** @typedef {{box: Box, times: number, middle: Pair}} Loupe  what it shows `times` as large, around `middle` */

/** The value below which a share of some numbers lies. @param {number[]} values @param {number} share */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? 0;
}

/**
 * How much larger a loupe shows what lies at these distances from its middle; 1 if it is not worth the room.
 * @param {number[]} lengths  of the springs, in pixels @param {number} side
 */
export function enlargement(lengths, side) {
  const reach = quantile(lengths, QUANTILE);
  const times = reach > 0 ? (FILLED * side) / 2 / reach : MOST_TIMES;
  return times < WORTH || !lengths.length ? 1 : Math.min(times, MOST_TIMES);
}

/** @param {Pair} size  of the map */
export function loupeSide([width, height]) {
  return Math.round(Math.min(Math.max(SHARE * Math.min(width, height), LEAST), MOST));
}

/** @param {Box} a @param {Box} b */
function shared(a, b) {
  const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const down = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * A box of one size at the corners and in the middles of the sides of a map.
 * @param {Pair} wanted @param {Pair} size @param {Borders} covered  pixels at the borders that it keeps clear of
 */
export function bordering([wide, tall], [width, height], covered = NOT_COVERED) {
  const [right, low] = [width - covered.right - EDGE - wide, height - covered.bottom - EDGE - tall];
  const high = covered.top + EDGE;
  /** @type {Pair[]} */
  const places = [
    [EDGE, low],
    [right, low],
    [EDGE, high],
    [right, high],
    [EDGE, (height - tall) / 2],
    [right, (height - tall) / 2],
    [(width - wide) / 2, low],
    [(width - wide) / 2, high],
  ];
  return places.map(([left, top]) => ({ left: Math.max(left, 0), top: Math.max(top, 0), width: wide, height: tall }));
}

/**
 * Which of some boxes covers least: of the objects as many as lie in it, and of what is closed as good as nothing.
 * @param {Box[]} boxes @param {Box[]} closed @param {number} count  of the objects
 * @param {(i: number) => Pair} place  of an object in pixels @param {number} last  the one taken now, or -1
 * @param {Pair} [near]  what it had better be close to
 */
export function leastCovering(boxes, closed, count, place, last = -1, near = undefined) {
  const stride = Math.max(1, Math.ceil(count / SEEN));
  const seen = Math.ceil(count / stride) || 1;
  const reach = Math.max(...boxes.map((box) => Math.hypot(box.left + box.width, box.top + box.height)));
  const costs = boxes.map((box) => {
    let area = 0;
    for (const one of closed) area += shared(box, one);
    const way = near ? Math.hypot(box.left + box.width / 2 - near[0], box.top + box.height / 2 - near[1]) : 0;
    return 10 * (area / (box.width * box.height)) + (FAR * way) / reach;
  });
  for (let i = 0; i < count; i += stride) {
    const [x, y] = place(i);
    boxes.forEach(({ left, top, width, height }, k) => {
      if (x >= left && x < left + width && y >= top && y < top + height) costs[k] += 1 / seen;
    });
  }
  const best = costs.indexOf(Math.min(...costs));
  return last >= 0 && last < boxes.length && costs[best] >= BETTER * costs[last] ? last : best;
}
