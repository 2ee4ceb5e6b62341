// A map has no up: how far one is to be turned, so that it fills its frame.

import { fitting } from "../../shared/window.js";

const WAYS = 36; // directions in half a turn: 5 degrees apart
const BETTER = 1.05; // by how much larger a map must become to be worth a turn
const NONE = new Float32Array(0);

/**
 * The angle by which points are turned to be drawn as large as can be, from -90 to 90 degrees, in radians.
 * @param {Float32Array} points @param {Pair} size  of the frame @param {Borders} covered  its borders that are not free
 * @param {number} [now]  the angle that there is, which stays unless another one is better
 */
export function filling(points, [width, height], covered, now = 0) {
  // How far the points reach along each direction: seen from one of them, the one at a right angle is up.
  const reach = Array.from({ length: WAYS }, (_, k) => {
    const [cos, sin] = [Math.cos((k * Math.PI) / WAYS), Math.sin((k * Math.PI) / WAYS)];
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < points.length; i += 2) {
      const along = cos * points[i] + sin * points[i + 1];
      if (along < low) low = along;
      if (along > high) high = along;
    }
    return high - low;
  });
  const present = ((Math.round((-now * WAYS) / Math.PI) % WAYS) + WAYS) % WAYS;
  /** @param {number} k */
  const shown = (k) => fitting(NONE, width, height, [0, reach[k], 0, reach[(k + WAYS / 2) % WAYS]], covered).width;
  let [best, least] = [present, shown(present) / BETTER];
  for (let k = 0; k < WAYS; k++) if (shown(k) < least) [best, least] = [k, shown(k)];
  return best === present ? now : ((best > WAYS / 2 ? WAYS - best : -best) * Math.PI) / WAYS;
}
