// The window: which part of the map a view shows. Both axes have one scale; y points up.
//
// The axis rule: a window follows the map's extent until it is held, by choice or because somebody zooms or pans.

const MARGIN = 1.12; // room around the outermost points
const SETTLE = 0.22; // seconds in which most of a change of extent is followed

/** @type {Borders} */
export const NOT_COVERED = { top: 0, right: 0, bottom: 0 };

/** @returns {MapWindow} */
export function newWindow() {
  return { x: 0, y: 0, width: 0, held: false, aspect: 1 };
}

/**
 * How far points reach: to the left, right, bottom and top.
 * @param {Float32Array} points @returns {[number, number, number, number]}
 */
export function extent(points) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i], points[i + 1]];
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < low) low = y;
    if (y > high) high = y;
  }
  return [left, right, low, high];
}

/**
 * The window that just holds every point, for a view of the given size in pixels.
 * @param {Float32Array} points @param {number} width @param {number} height
 * @param {[number, number, number, number]} reach  of the points, if it is known
 * @param {Borders} covered  pixels at the borders that the points keep clear of
 */
export function fitting(points, width, height, reach = extent(points), covered = NOT_COVERED) {
  const [left, right, low, high] = reach;
  if (!(right >= left)) return { x: 0, y: 0, width: 1, held: false, aspect: 1 };
  const [across, down] = [Math.max(width - covered.right, 1), Math.max(height - covered.top - covered.bottom, 1)];
  const scale = ((Math.max(right - left, ((high - low) * across) / down) || 1e-6) * MARGIN) / across; // for a pixel
  const x = (left + right + covered.right * scale) / 2;
  const y = (low + high + (covered.top - covered.bottom) * scale) / 2;
  return { x, y, width: width * scale, held: false, aspect: width / Math.max(height, 1) };
}

/**
 * Move a window toward the one that fits. Returns true while it still has some way to go.
 * @param {MapWindow} now changed in place
 * @param {MapWindow} goal
 * @param {number} seconds since the last call
 * @param {boolean} still  for readers who want little motion: jump, and only when the points need it
 * @param {number} settle  seconds in which most of the way is gone
 */
export function follow(now, goal, seconds, still, settle = SETTLE) {
  if (now.held) return false;
  if (!(now.width > 0)) {
    Object.assign(now, goal);
    return false;
  }
  if (still) {
    const inside = goal.width <= now.width && goal.width > 0.5 * now.width;
    const near = Math.hypot(goal.x - now.x, goal.y - now.y) < 0.1 * now.width;
    if (!(inside && near)) Object.assign(now, goal, { width: goal.width * 1.2 });
    return false;
  }
  const share = 1 - Math.exp(-seconds / settle);
  // Widths by their ratio, so that growing from 0.001 to 10 looks as even as from 10 to 20.
  now.width *= (goal.width / now.width) ** share;
  now.x += (goal.x - now.x) * share;
  now.y += (goal.y - now.y) * share;
  // However fast the map grows, no point is left outside.
  const aside = 2 * Math.max(Math.abs(goal.x - now.x), Math.abs(goal.y - now.y) * (goal.aspect ?? 1));
  now.width = Math.max(now.width, (1.05 * goal.width) / MARGIN + aside);
  const far =
    Math.abs(Math.log(goal.width / now.width)) > 2e-3 || Math.hypot(goal.x - now.x, goal.y - now.y) > 2e-3 * now.width;
  if (!far) Object.assign(now, goal);
  return far;
}

/**
 * A window part of the way from one to another; `share` is from 0 to 1.
 * @param {Place} from @param {Place} goal @param {number} share
 */
export function between(from, goal, share) {
  return {
    x: from.x + (goal.x - from.x) * share,
    y: from.y + (goal.y - from.y) * share,
    width: from.width * (goal.width / from.width) ** share,
  };
}

/**
 * How wide a window must be that shows the same part of the map in a view of another aspect.
 * @param {MapWindow} now @param {number} before @param {number} after
 */
export function refit(now, before, after) {
  const box = now.box ?? { width: now.width, height: now.width / before };
  now.box = box; // kept until the next change by hand, so that going to full screen and back changes nothing
  now.width = Math.max(box.width, box.height * after);
}

/**
 * Zoom by a factor (2 shows half as much) about a pixel, which stays where it is.
 * @param {MapWindow} now @param {number} factor @param {number} px @param {number} py @param {number} width
 * @param {number} height
 */
export function zoom(now, factor, px, py, width, height) {
  const [mx, my] = toMap(now, px, py, width, height);
  now.width = now.width / factor;
  now.x = mx + (now.x - mx) / factor;
  now.y = my + (now.y - my) / factor;
  now.held = true;
  now.box = undefined;
}

/** Move the picture by pixels. @param {MapWindow} now @param {number} dx @param {number} dy @param {number} width */
export function pan(now, dx, dy, width) {
  const scale = now.width / width;
  now.x -= dx * scale;
  now.y += dy * scale;
  now.held = true;
}

/**
 * Map coordinates of a pixel.
 * @param {Place} now @param {number} px @param {number} py @param {number} width @param {number} height
 * @returns {Pair}
 */
export function toMap(now, px, py, width, height) {
  const scale = now.width / width;
  return [now.x + (px - width / 2) * scale, now.y - (py - height / 2) * scale];
}

/**
 * Pixel of a map point.
 * @param {Place} now @param {number} x @param {number} y @param {number} width @param {number} height
 * @returns {Pair}
 */
export function toPixel(now, x, y, width, height) {
  const scale = width / now.width;
  return [(x - now.x) * scale + width / 2, height / 2 - (y - now.y) * scale];
}

/**
 * Index of the point nearest to a pixel within `reach` pixels, or -1.
 * @param {Place} now @param {Float32Array} points @param {number} px @param {number} py @param {number} width
 * @param {number} height @param {number} reach
 */
export function nearest(now, points, px, py, width, height, reach) {
  const [mx, my] = toMap(now, px, py, width, height);
  let [best, least] = [-1, ((reach * now.width) / width) ** 2];
  for (let i = 0; i < points.length; i += 2) {
    const distance = (points[i] - mx) ** 2 + (points[i + 1] - my) ** 2;
    if (distance < least) [best, least] = [i / 2, distance];
  }
  return best;
}

/** Four significant digits without a needless exponent. @param {number} value */
export function digits(value, n = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(n - 1);
  return String(size >= 10 ** (n - 1) ? Math.round(value) : value.toPrecision(n));
}
