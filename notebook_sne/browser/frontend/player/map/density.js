// Density: where there are too many objects for marks, a pixel shows how many lie there, and of which colors. Counts and
// colors are sums, so that the order of the objects does not matter; a tone for each count makes one object visible beside
// thousands.

import { OPACITY, PLAIN, SELECTED } from "./colors.js";
import { spread } from "./focus.js";
import { channels, rgb } from "../../shared/marks.js";

const KINDS = 65536; // keys of marks
const WHOLE = 16; // what one object counts; one that steps back counts less
const FAINTEST = 0.3; // how much of its color a pixel keeps that holds one object
const HIGH = 0.995; // share of the pixels that are below the full tone
const TONES = 4096; // counts that are told apart
const FARTHEST = 3; // steps out of focus: beyond, one object among thousands would be lost
const STEADY = 0.25; // how far the full tone follows its count at each painting: it is not to flicker

/** A pixel as a little-endian canvas stores it: 0xAABBGGRR. @param {number} r @param {number} g @param {number} b */
export const pixel = (r, g, b) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

export class Density {
  constructor() {
    /** Red, green and blue times the count, and the count, of each pixel. */
    this.sums = new Float32Array(0);
    this.colors = new Float32Array(0); // three numbers for each key
    this.signature = "";
    this.full = 0; // the count that has the full tone
    this.tones = new Float32Array(TONES);
  }

  /** The colors of all keys. @param {Look} look */
  prepare(look) {
    const { coloring, dark } = look;
    const signature = [coloring.channel, coloring.version, dark].join();
    if (signature === this.signature) return;
    this.signature = signature;
    this.colors = new Float32Array(3 * KINDS);
    const seen = new Uint8Array(KINDS);
    const { keys } = coloring;
    for (let i = 0; i < (keys ? keys.length : 1); i++) {
      const key = keys ? keys[i] : 0;
      if (seen[key]) continue;
      seen[key] = 1;
      this.colors.set(rgb(coloring.color(key, dark)), 3 * key);
    }
  }

  /**
   * Add up the objects in view, every `stride`-th of them; returns how many there are, about.
   * @param {Float32Array} points @param {Place} window @param {Look} look @param {number} scale  pixels for a unit of
   * the map @param {number} right  width of the picture @param {number} low  its height @param {number} pad  of its border
   * @param {number} side  pixels of an object @param {number} stride
   */
  add(points, window, look, scale, right, low, pad, side, stride) {
    this.prepare(look);
    if (this.sums.length !== 4 * right * low) this.sums = new Float32Array(4 * right * low);
    else this.sums.fill(0);
    const { sums, colors } = this;
    const { keys } = look.coloring;
    const levels = look.ranks?.levels;
    const count = points.length / 2;
    const [ox, oy] = [right / 2 - window.x * scale - (side - 1) / 2, low / 2 + window.y * scale - (side - 1) / 2];
    const reach = pad / 2;
    const [last, lowest] = [right - reach - 1, low - reach - 1];
    const { blur } = look;
    const spots = blur ? Array.from({ length: FARTHEST }, (_, k) => spread(k + 1, side, right)) : [];
    let visible = 0;
    for (let i = 0; i < count; i += stride) {
      const [across, below] = [ox + points[2 * i] * scale, oy - points[2 * i + 1] * scale];
      if (!(across > reach && across < last && below > reach && below < lowest)) continue;
      const [x, y] = [(across + 0.5) | 0, (below + 0.5) | 0]; // rounded, as both are positive
      visible += 1;
      const level = levels ? levels[i] : PLAIN;
      const weight = level >= PLAIN ? WHOLE * stride : WHOLE * stride * OPACITY[level] ** 2;
      const key = 3 * (keys ? keys[i] : 0);
      const [r, g, b] = [colors[key] * weight, colors[key + 1] * weight, colors[key + 2] * weight];
      if (blur?.[i] && level >= PLAIN) {
        const { offsets, shares } = spots[Math.min(blur[i], FARTHEST) - 1];
        for (let j = 0; j < offsets.length; j++) {
          const at = 4 * (y * right + x + offsets[j]);
          sums[at] += r * shares[j];
          sums[at + 1] += g * shares[j];
          sums[at + 2] += b * shares[j];
          sums[at + 3] += weight * shares[j];
        }
        continue;
      }
      for (let down = 0; down < side; down++) {
        let at = 4 * ((y + down) * right + x);
        for (let across = 0; across < side; across++, at += 4) {
          sums[at] += r;
          sums[at + 1] += g;
          sums[at + 2] += b;
          sums[at + 3] += weight;
        }
      }
    }
    return visible * stride;
  }

  /** Give each count its tone: by its logarithm, one object clearly above the ground, the fullest pixels full. */
  tone() {
    const { sums, tones } = this;
    const counts = new Uint32Array(TONES);
    let filled = 0;
    // A prime step looks at every row and column; it is a sample of the pixels.
    for (let at = 3; at < sums.length; at += 4 * 7) {
      if (!sums[at]) continue;
      counts[Math.min(Math.ceil(sums[at] / WHOLE), TONES - 1)] += 1;
      filled += 1;
    }
    let [below, high] = [0, 1];
    for (; high < TONES - 1 && below + counts[high] < HIGH * filled; high++) below += counts[high];
    high = Math.max(high, 4);
    this.full = this.full && Math.abs(Math.log(high / this.full)) < 1 ? this.full * (high / this.full) ** STEADY : high;
    const whole = Math.log1p(this.full);
    for (let c = 0; c < TONES; c++) {
      const share = Math.min(Math.log1p(c) / whole, 1);
      tones[c] = c ? FAINTEST + (1 - FAINTEST) * share : 0;
    }
  }

  /**
   * Write the sums as colors into a picture that holds the ground.
   * @param {Uint32Array} pixels @param {number[]} ground
   */
  write(pixels, [red, green, blue]) {
    this.tone();
    const { sums, tones } = this;
    for (let i = 0, at = 0; i < pixels.length; i++, at += 4) {
      const weight = sums[at + 3];
      if (!weight) continue;
      const count = weight / WHOLE;
      // What steps back counts less than one object, and is as much fainter.
      const tone = count < 1 ? count * tones[1] : tones[Math.min(count | 0, TONES - 1)];
      const [share, rest] = [tone / weight, 1 - tone];
      pixels[i] = pixel(
        (sums[at] * share + red * rest + 0.5) | 0,
        (sums[at + 1] * share + green * rest + 0.5) | 0,
        (sums[at + 2] * share + blue * rest + 0.5) | 0,
      );
    }
  }

  /**
   * Draw the selected objects on top, each with an edge of ink.
   * @param {Uint32Array} pixels @param {Int32Array} at  where each object lies, or -1 @param {Look} look @param {number} right
   * @param {number} side
   */
  mark(pixels, at, look, right, side) {
    const { order, levels } = look.ranks ?? {};
    if (!order || !levels) return;
    const ink = channels(look.ink);
    const edge = pixel(ink[0], ink[1], ink[2]);
    const { keys } = look.coloring;
    /** @param {number} from @param {number} wide @param {number} paint */
    const square = (from, wide, paint) => {
      for (let y = 0; y < wide; y++) pixels.fill(paint, from + y * right, from + y * right + wide);
    };
    for (let k = order.length - 1; k >= 0 && levels[order[k]] === SELECTED; k--) {
      const i = order[k];
      if (at[i] < 0) continue;
      const key = 3 * (keys ? keys[i] : 0);
      const from = at[i] - (side + 1) * (right + 1);
      square(from, 2 * side + 3, edge);
      square(from + right + 1, 2 * side + 1, pixel(this.colors[key], this.colors[key + 1], this.colors[key + 2]));
    }
  }
}
