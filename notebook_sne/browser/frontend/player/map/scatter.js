// The scatter: paints map points into pixels. Each kind of mark has a stamp, cut once, and every point presses its
// stamp: without a GPU this is ten times as fast as asking the canvas for thousands of small pictures. Marks too small
// to tell their shapes apart are dots of a few pixels, written straight into the picture. Longer than 300 lines because
// marks, dots and counts share the picture that they are written into.

import { Density, pixel } from "./density.js";
import { FAINT, OPACITY, PLAIN, SELECTED } from "./colors.js";
import { blurredImage } from "./focus.js";
import { penOf } from "../../shared/elements.js";
import { FINE, UNLABELED, channels, rgb, ringSprite, sprite } from "../../shared/marks.js";

// CSS pixels around the view, so that a stamp at its border needs no clipping; and those of one out of focus.
const [PAD, WIDE] = [32, 48];
const DOTS = 1.2; // radius in CSS pixels below which a mark is a dot
const LEAST = 0.55;
const BESIDE = 2.6; // largest radius of a mark with its name beside it
const STEADY = 0.15; // share by which the best radius may differ from the present one before it changes
// Objects in view above which counts are shown. Marks are quicker, but hide each other: of ten clusters 32 objects in 100
// at 10,000, where a mark of three pixels still tells its shape; 35 at 30,000, of two; 56 at 100,000, of one.
const DENSE = 30000;
const SPARSE = 24000; // and below which marks are shown again
const SPECKS = 250000; // objects in view below which each is two pixels wide
const PAUSE = 24; // ms that a painting may take while the map moves; beyond, it is of a part of the objects
const KINDS = 65536; // keys of marks at one rank
export const RINGED = 40; // selected objects that wear a ring; more would cover the map, and wear an edge of ink

/**
 * @typedef {object} Look
 * @property {Coloring} coloring
 * @property {Ranks|null} ranks
 * @property {number} chosen  how many objects are selected
 * @property {boolean} letters  draw the class's own letter instead of a shape
 * @property {boolean} dark
 * @property {number[]} ground  red, green and blue
 * @property {string} ink
 * @property {boolean} [small]  whether marks are small, as words stand beside them
 * @property {Uint8Array|null} [blur]  how far each object is out of focus; null if all are sharp
 */

/** The first key of the look of object i. @param {Uint16Array|null} keys @param {number} i @param {number} looks */
const lookOf = (keys, i, looks) => (!keys ? 0 : keys[i] === UNLABELED ? UNLABELED : keys[i] % looks);

/** Call with each object in the order of painting and its rank: what is out of focus lies below. @param {number} count @param {Look} look @param {(i: number, level: number, step: number) => void} paint */
function inOrder(count, { ranks, blur }, paint) {
  const { order, levels } = ranks || {};
  for (const sharp of blur ? [false, true] : [true])
    for (let k = 0; k < count; k++) {
      const i = order ? order[k] : k;
      const level = levels ? levels[i] : PLAIN;
      const step = blur && level !== FAINT ? blur[i] : 0;
      if ((step === 0) === sharp) paint(i, level, step);
    }
}

/** @param {number[]} color  red, green and blue */
const pixelOf = ([r, g, b]) => pixel(r, g, b);

/**
 * @typedef {object} Stamp
 * @property {Int32Array} solid  pixels that it covers fully, as offsets from its middle
 * @property {Uint32Array} paints  and their colors
 * @property {Int32Array} offsets  pixels that it covers with a share of it
 * @property {Int32Array} keep  how much these keep of what lies beneath
 * @property {Int32Array} redBlue  and what it adds
 * @property {Int32Array} green
 */

/**
 * A picture as a list of the pixels that it colors: those that it covers fully, and those with a share of it, where
 * red and blue are reckoned together as they lie a byte apart.
 * @param {Pick<ImageData, "width"|"height"|"data">} image @param {number} stride @param {number} opacity @returns {Stamp}
 */
export function stampOf(image, stride, opacity) {
  const { width, height, data } = image;
  /** @type {number[][]} */
  const [solid, paints, offsets, keep, redBlue, green] = [[], [], [], [], [], []];
  for (let i = 0; i < width * height; i++) {
    const alpha = Math.round((data[4 * i + 3] / 255) * opacity * 256);
    if (!alpha) continue;
    const [r, g, b] = [data[4 * i], data[4 * i + 1], data[4 * i + 2]];
    const offset = (Math.floor(i / width) - (height >> 1)) * stride + (i % width) - (width >> 1);
    if (alpha === 256) {
      solid.push(offset);
      paints.push(pixel(r, g, b));
      continue;
    }
    offsets.push(offset);
    keep.push(256 - alpha);
    redBlue.push(Math.imul((b << 16) | r, alpha));
    green.push((g << 8) * alpha);
  }
  return {
    solid: Int32Array.from(solid),
    paints: Uint32Array.from(paints),
    offsets: Int32Array.from(offsets),
    keep: Int32Array.from(keep),
    redBlue: Int32Array.from(redBlue),
    green: Int32Array.from(green),
  };
}

/** Press a stamp on the pixels around `at`. @param {Uint32Array} pixels @param {number} at @param {Stamp} stamp */
export function press(pixels, at, { solid, paints, offsets, keep, redBlue, green }) {
  for (let j = 0; j < solid.length; j++) pixels[at + solid[j]] = paints[j];
  for (let j = 0; j < offsets.length; j++) {
    const o = at + offsets[j];
    const under = pixels[o];
    // Two products of a byte and at most 256 fit side by side into 32 bits.
    const rb = ((Math.imul(under & 0xff00ff, keep[j]) + redBlue[j]) >>> 8) & 0xff00ff;
    const g = ((Math.imul(under & 0x00ff00, keep[j]) + green[j]) >>> 8) & 0x00ff00;
    pixels[o] = (0xff000000 | rb | g) >>> 0;
  }
}

export class Scatter {
  constructor() {
    /** @type {Map<number, Stamp>} of each kind of mark at each rank */
    this.stamps = new Map();
    /** @type {Map<number, number>} the same of dots */
    this.paints = new Map();
    this.signature = "";
    /** @type {ImageData|null} */
    this.image = null;
    this.pixels = new Uint32Array(0); // of the image
    this.at = new Int32Array(0); // where each point lies in the picture, or -1
    this.radius = 0;
    this.density = new Density();
    this.dense = false; // whether counts are shown
    this.fine = false; // whether marks are round and have no rim
    this.visible = DENSE; // objects in view, about
    this.stride = 1; // of the objects that were painted, one of so many
    this.cost = 0; // ms that a painting of all takes, about
  }

  /**
   * Best radius of a mark in CSS pixels, for so many points on so much room.
   * @param {number} count @param {number} width @param {number} height
   */
  static radius(count, width, height) {
    return Math.min(5.2, Math.max(LEAST, 0.19 * Math.sqrt((width * height) / Math.max(count, 1))));
  }

  /**
   * Paint the points; `width` and `height` are in CSS pixels, `ratio` is device pixels for one of them.
   * @param {CanvasRenderingContext2D} context @param {Float32Array} points @param {Place} window @param {Look} look
   * @param {Pair} size @param {number} ratio @param {boolean} [moves]  whether more paintings follow at once
   */
  paint(context, points, window, look, [width, height], ratio, moves = false) {
    const pad = Math.round((look.blur ? WIDE : PAD) * ratio);
    const [right, low] = [context.canvas.width + 2 * pad, context.canvas.height + 2 * pad];
    if (!this.image || this.image.width !== right || this.image.height !== low) {
      this.image = context.createImageData(right, low);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(pixelOf(look.ground));
    const scale = window.width > 0 ? (width * ratio) / window.width : 0;
    this.stride = 1;
    if (this.dense && scale) this.dense = this.counts(points, window, look, scale, right, low, pad, ratio, moves);
    const visible = scale && !this.dense ? this.project(points, window, scale, right, low, pad) : 0;
    if (visible > DENSE) {
      this.visible = visible;
      this.dense = this.counts(points, window, look, scale, right, low, pad, ratio, moves);
    } else if (visible) {
      this.fine = visible > (this.fine ? FINE * (1 - STEADY) : FINE);
      const fitting = Scatter.radius(visible, width, height);
      const best = look.small ? Math.min(fitting, BESIDE) : fitting;
      if (Math.abs(Math.log(best / this.radius)) > STEADY) this.radius = best;
      if (this.radius < DOTS) this.dots(look, ratio, points.length / 2, right);
      else this.marks(look, ratio, points.length / 2, right);
    }
    context.putImageData(this.image, -pad, -pad);
  }

  /** Whether no shapes are seen: counts are shown, or dots of a few pixels. */
  get flat() {
    return this.dense || this.fine || (this.radius > 0 && this.radius < DOTS);
  }

  /** What a reader is told of what is painted, where that is not a mark for each object. */
  get words() {
    const part = this.stride > 1 ? `; while it moves, of one object in ${this.stride}` : "";
    return this.dense ? `shades show the number of objects${part}` : "";
  }

  /**
   * Paint counts; false if there are so few objects in view that marks are better.
   * @param {Float32Array} points @param {Place} window @param {Look} look @param {number} scale @param {number} right
   * @param {number} low @param {number} pad @param {number} ratio @param {boolean} moves
   */
  counts(points, window, look, scale, right, low, pad, ratio, moves) {
    const began = performance.now();
    const { density } = this;
    this.stride = moves ? Math.max(1, Math.ceil(this.cost / PAUSE)) : 1;
    const [width, height] = [(right - 2 * pad) / ratio, (low - 2 * pad) / ratio];
    this.radius = Scatter.radius(this.visible, width, height);
    const side = Math.max(1, Math.round(ratio * (this.visible < SPECKS ? 2 : 1)));
    const visible = density.add(points, window, look, scale, right, low, pad, side, this.stride);
    // With hysteresis, lest the size of all specks change back and forth.
    if (Math.abs(Math.log(visible / this.visible)) > STEADY) this.visible = visible;
    if (visible < SPARSE) return false;
    const added = performance.now();
    density.write(this.pixels, look.ground);
    if (look.chosen) {
      this.project(points, window, scale, right, low, pad);
      density.mark(this.pixels, this.at, look, right, Math.max(side, Math.round(ratio)));
    }
    this.cost = this.stride * (added - began); // what grows with the objects
    return true;
  }

  /**
   * Where each point lies in the picture; returns how many lie in it.
   * @param {Float32Array} points @param {Place} window @param {number} scale @param {number} right @param {number} low
   * @param {number} pad
   */
  project(points, window, scale, right, low, pad) {
    const count = points.length / 2;
    if (this.at.length !== count) this.at = new Int32Array(count);
    const [ox, oy] = [right / 2 - window.x * scale, low / 2 + window.y * scale];
    const reach = pad / 2;
    let visible = 0;
    for (let i = 0; i < count; i++) {
      const [x, y] = [Math.round(ox + points[2 * i] * scale), Math.round(oy - points[2 * i + 1] * scale)];
      const inside = x > reach && x < right - reach && y > reach && y < low - reach;
      this.at[i] = inside ? y * right + x : -1;
      if (inside) visible += 1;
    }
    return visible;
  }

  /**
   * Forget the stamps if they were cut for another look.
   * @param {Look} look @param {string} kind @param {number} right
   */
  prepare(look, kind, right) {
    const { coloring, letters, dark, ground, ink } = look;
    const signature = [kind, right, coloring.channel, coloring.source.colors, letters, dark, ground, ink].join();
    if (signature === this.signature) return;
    this.signature = signature;
    this.stamps.clear();
    this.paints.clear();
  }

  /** @param {Look} look @param {number} ratio @param {number} count @param {number} right */
  marks(look, ratio, count, right) {
    const radius = this.radius * (look.letters ? 1.25 : 1);
    const ringed = look.chosen <= RINGED;
    this.prepare(look, `marks ${radius} ${ratio} ${ringed} ${this.fine}`, right);
    const { stamps, pixels, at } = this;
    const { keys } = look.coloring;
    const looks = look.letters ? UNLABELED : look.coloring.looks;
    const edge = `rgb(${look.ground.join(",")})`;
    /** @param {HTMLCanvasElement} canvas @param {number} opacity */
    const cut = (canvas, opacity) =>
      stampOf(penOf(canvas).getImageData(0, 0, canvas.width, canvas.height), right, opacity);
    /** @type {Stamp|null} */
    let ring = null;
    inOrder(count, look, (i, level, step) => {
      if (at[i] < 0) return;
      const key = lookOf(keys, i, looks);
      let stamp = step
        ? this.blurred(look, key, level, step, this.radius * ratio, right)
        : stamps.get(level * KINDS + key);
      if (!stamp) {
        const { coloring, letters, dark } = look;
        const letter = letters ? coloring.letter(key) : undefined;
        const inked =
          level === SELECTED && !ringed && !letter
            ? { edge: look.ink, width: 0.8, radius: radius + 0.3 }
            : { edge, radius, width: this.fine ? 0 : 0.7 };
        const shape = this.fine ? "circle" : coloring.shape(key);
        stamp = cut(sprite({ shape, color: coloring.color(key, dark), ratio, letter, ...inked }), OPACITY[level]);
        stamps.set(level * KINDS + key, stamp);
      }
      if (level === SELECTED && ringed) {
        ring ??= stamps.get(-1) ?? cut(ringSprite({ ink: look.ink, edge, radius, ratio }), 1);
        stamps.set(-1, ring);
        press(pixels, at[i], ring);
      }
      press(pixels, at[i], stamp);
    });
  }

  /**
   * The stamp of an object out of focus.
   * @param {Look} look @param {number} key @param {number} level @param {number} step @param {number} radius  of a sharp
   * one, in pixels of the picture @param {number} right
   */
  blurred({ coloring, dark }, key, level, step, radius, right) {
    const name = (step * OPACITY.length + level) * KINDS + key;
    const image = () => blurredImage(step, radius, coloring.color(key, dark));
    const stamp = this.stamps.get(name) ?? stampOf(image(), right, OPACITY[level]);
    this.stamps.set(name, stamp);
    return stamp;
  }

  /** @param {Look} look @param {number} ratio @param {number} count @param {number} right */
  dots(look, ratio, count, right) {
    const side = Math.max(1, Math.round(1.77 * this.radius * ratio)); // as much ink as a disc
    this.prepare(look, `dots ${side}`, right);
    const { paints, pixels, at } = this;
    const { keys, looks } = look.coloring;
    const [before, ring] = [side >> 1, Math.max(1, Math.round(ratio))];
    const ink = pixelOf(channels(look.ink));
    /** @param {number} from @param {number} size @param {number} paint */
    const square = (from, size, paint) => {
      for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) pixels[from + y * right + x] = paint;
    };
    inOrder(count, look, (i, level, step) => {
      if (at[i] < 0) return;
      const key = lookOf(keys, i, looks);
      if (step) return void press(pixels, at[i], this.blurred(look, key, level, step, side / 1.77, right));
      let paint = paints.get(level * KINDS + key);
      if (paint === undefined) {
        const color = rgb(look.coloring.color(key, look.dark));
        const opacity = OPACITY[level];
        paint = pixelOf(color.map((c, j) => Math.round(c * opacity + look.ground[j] * (1 - opacity))));
        paints.set(level * KINDS + key, paint);
      }
      const from = at[i] - before * (right + 1);
      if (level === SELECTED) square(from - (ring + 1) * (right + 1), side + 2 * ring + 2, ink);
      if (side === 1 && level !== SELECTED) pixels[from] = paint;
      else if (level === SELECTED) square(from - right - 1, side + 2, paint);
      else square(from, side, paint);
    });
  }
}
