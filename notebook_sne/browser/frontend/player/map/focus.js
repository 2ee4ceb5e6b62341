// Depth of field: an object that several fits put in different regions is out of focus. Its ink is that of a sharp mark,
// spread wider in discs of `looks.json`, as views/static.py draws it; so no key is needed, and no color is taken.

import { rgb } from "../../shared/marks.js";
import looks from "../../shared/looks.json" with { type: "json" };

/** @type {[radius: number, alpha: number][][]} */
export const BLURS = /** @type {any} */ (looks.BLURS);

/**
 * How much of each pixel an object out of focus covers, in a square about it.
 * @param {number} step  from 1 @param {number} radius  of a sharp mark, in pixels
 */
export function blurred(step, radius) {
  const discs = BLURS[step - 1];
  const reach = Math.ceil(discs[0][0] * radius);
  const side = 2 * reach + 1;
  const cover = Float32Array.from({ length: side * side }, (_, i) => {
    const far = Math.hypot((i % side) - reach, Math.floor(i / side) - reach);
    const inside = discs.map(([r, alpha]) => 1 - alpha * Math.min(Math.max(r * radius - far + 0.5, 0), 1));
    return 1 - inside.reduce((product, one) => product * one, 1);
  });
  return { side, reach, cover };
}

/** The same as a picture. @param {number} step @param {number} radius @param {string} color */
export function blurredImage(step, radius, color) {
  const { side, cover } = blurred(step, radius);
  const data = new Uint8ClampedArray(4 * side * side);
  for (const [i, share] of cover.entries()) data.set([...rgb(color), 255 * share], 4 * i);
  return { width: side, height: side, data };
}

/**
 * The same where an object is a square of `side` pixels of a picture so wide: what it adds to each, as one counts 1.
 * @param {number} step @param {number} side @param {number} wide
 */
export function spread(step, side, wide) {
  const { side: across, reach, cover } = blurred(step, side / Math.sqrt(Math.PI));
  const whole = cover.reduce((sum, share) => sum + share, 0) / side ** 2;
  const [from, inside] = [(side >> 1) - reach, [...cover.keys()].filter((i) => cover[i] > 0)];
  return {
    offsets: Int32Array.from(inside, (i) => (Math.floor(i / across) + from) * wide + (i % across) + from),
    shares: Float32Array.from(inside, (i) => cover[i] / whole),
  };
}
