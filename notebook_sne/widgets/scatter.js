// The scatter: paints map points into pixels. Each class has a stamp, cut once from its mark, and every point presses
// its stamp: without a GPU this is ten times as fast as asking the canvas for thousands of small pictures.

import { SHAPES, classColour, sprite, valueColour } from "./marks.js";

const PAD = 32; // pixels around the view, so that a stamp at its border needs no clipping
const VALUE_STEPS = 32;
const FAINT = 0.12; // opacity of what steps back

/**
 * @typedef {object} Look
 * @property {Uint16Array|null} classes  class of each object
 * @property {string[]} classNames
 * @property {Float32Array|null} values  a value from 0 to 1 of each object, instead of a class
 * @property {boolean} hidden  every object in one neutral colour
 * @property {Set<number>} dimmed  classes that step back
 * @property {boolean} letters  draw the class's own letter instead of a shape
 * @property {boolean} dark
 * @property {number[]} ground  red, green and blue
 */

/** A picture as a list of the pixels that it colours. Pixels are 0xBBGGRR, as a little-endian canvas stores them. */
export function stampOf(image, stride, opacity) {
  const { width, height, data } = image;
  const [offsets, alphas, redBlue, green] = [[], [], [], []];
  for (let i = 0; i < width * height; i++) {
    const alpha = Math.round((data[4 * i + 3] / 255) * opacity * 256);
    if (!alpha) continue;
    const [x, y] = [(i % width) - (width >> 1), Math.floor(i / width) - (height >> 1)];
    offsets.push(y * stride + x);
    alphas.push(256 - alpha);
    redBlue.push(((data[4 * i + 2] << 16) | data[4 * i]) * alpha);
    green.push((data[4 * i + 1] << 8) * alpha);
  }
  return { offsets: Int32Array.from(offsets), keep: Uint16Array.from(alphas), redBlue: Float64Array.from(redBlue), green: Float64Array.from(green) };
}

/** Press a stamp on the pixels around `at`. */
export function press(pixels, at, { offsets, keep, redBlue, green }) {
  for (let j = 0; j < offsets.length; j++) {
    const o = at + offsets[j];
    const under = pixels[o];
    const rb = ((under & 0xff00ff) * keep[j] + redBlue[j]) / 256;
    const g = ((under & 0x00ff00) * keep[j] + green[j]) / 256;
    pixels[o] = (0xff000000 | (rb & 0xff00ff) | (g & 0x00ff00)) >>> 0;
  }
}

export class Scatter {
  constructor() {
    this.stamps = new Map();
    this.signature = "";
    this.image = null;
  }

  /** Radius of a mark in CSS pixels, for so many points on so much room. */
  static radius(count, width, height) {
    return Math.min(5.2, Math.max(1.2, 0.19 * Math.sqrt((width * height) / Math.max(count, 1))));
  }

  /** Key of the mark that object i wears: its class, the step of its value, or one for all. */
  key(look, i) {
    if (look.hidden) return 0;
    if (look.values) return Math.round(look.values[i] * (VALUE_STEPS - 1));
    return look.classes ? look.classes[i] : 0;
  }

  colour(look, key) {
    if (look.hidden || !(look.classes || look.values)) return look.dark ? "#a9b4c0" : "#5d6b7a";
    return look.values ? valueColour(key / (VALUE_STEPS - 1)) : classColour(key, look.dark);
  }

  stamp(look, key, faint, radius, ratio) {
    const name = faint ? -1 - key : key;
    if (!this.stamps.has(name)) {
      const plain = look.hidden || !look.classes;
      const shape = plain ? "circle" : SHAPES[key % SHAPES.length];
      const letter = look.letters && !plain ? look.classNames[key] : undefined;
      const edge = `rgb(${look.ground.join(",")})`;
      const canvas = sprite({ shape, colour: this.colour(look, key), edge, radius, ratio, letter });
      const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      this.stamps.set(name, stampOf(image, this.image.width, faint ? FAINT : 1));
    }
    return this.stamps.get(name);
  }

  /** Paint the points; `width` and `height` are in CSS pixels, `ratio` is device pixels for one of them. */
  paint(context, points, window, look, width, height, ratio) {
    const [right, low] = [context.canvas.width + 2 * PAD, context.canvas.height + 2 * PAD];
    const count = points.length / 2;
    const radius = Scatter.radius(count, width, height) * (look.letters ? 1.25 : 1);
    const signature = [right, low, radius, ratio, look.hidden, look.letters, look.dark, look.ground].join();
    if (signature !== this.signature) {
      this.stamps.clear();
      this.signature = signature;
      this.image = context.createImageData(right, low);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const [r, g, b] = look.ground;
    this.pixels.fill(((255 << 24) | (b << 16) | (g << 8) | r) >>> 0);
    if (count && window.width > 0) this.pressAll(points, window, look, { right, low, radius, ratio, width });
    context.putImageData(this.image, -PAD, -PAD);
  }

  pressAll(points, window, look, { right, low, radius, ratio, width }) {
    const scale = (width * ratio) / window.width;
    const [ox, oy] = [right / 2 - window.x * scale, low / 2 + window.y * scale];
    const reach = PAD / 2;
    const faint = !look.hidden && look.classes && look.dimmed.size > 0;
    for (let pass = faint ? 0 : 1; pass < 2; pass++) { // what steps back lies beneath
      for (let i = 0; i < points.length / 2; i++) {
        if (faint && look.dimmed.has(look.classes[i]) !== !pass) continue;
        const [x, y] = [Math.round(ox + points[2 * i] * scale), Math.round(oy - points[2 * i + 1] * scale)];
        if (!(x > reach && x < right - reach && y > reach && y < low - reach)) continue;
        press(this.pixels, y * right + x, this.stamp(look, this.key(look, i), !pass, radius, ratio));
      }
    }
  }
}

/** Red, green and blue of a computed colour such as "rgb(17, 17, 17)". */
export function channels(colour) {
  return (colour.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).map(Number);
}
