// Marks: the color and the shape of every class. Color is never the only sign of a class.

import { penOf } from "./elements.js";
import looks from "./looks.json" with { type: "json" };

// Okabe-Ito in an order that keeps neighbors apart, its black first on the theme's side (see `classColor`), then more that
// stay distinct from these; and Viridis at evenly spaced places, from dark, low, to light, high. views/palette.py reads the same.
const { COLORS, HUES, VIRIDIS, BLANK, CORNERS } = looks;
/** FINE is the number of objects in view above which all marks are round and have no rim: shapes and rims of so many are
 * confetti, and hide how dense the map is. TOLD is the number of classes that a legend names. */
export const { SHAPES, FINE, TOLD } = looks;

/** Classes k and k + 24 share a color; 24 colors x 7 shapes make 168 classes distinct, and class 168 looks like class 0. */
export const LOOKS = COLORS.length * SHAPES.length;

/** The key of an object without a class or value, where others have one: gray, and of a shape that no class has. */
export const UNLABELED = 0xffff;
const BLANK_SHAPE = "cross";

/** @param {string} hex @returns {number[]} */
export function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** Red, green and blue of a computed color such as "rgb(17, 17, 17)" or "#111111". @param {string} color */
export function channels(color) {
  if (/^#[0-9a-f]{6}$/i.test(color)) return rgb(color);
  if (/^#[0-9a-f]{3}$/i.test(color)) return rgb(`#${color[1]}${color[1]}${color[2]}${color[2]}${color[3]}${color[3]}`);
  return (color.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).map(Number);
}

/** The color at this share of the way to another one. @param {string} from @param {string} to @param {number} share */
function mixed(from, to, share) {
  const parts = rgb(from).map((c, j) => Math.round(c + (rgb(to)[j] - c) * share));
  return `#${parts.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {number} k class @param {boolean} dark theme @param {string[]} [given]  colors of classes, "" for those without one */
export function classColor(k, dark, given = []) {
  if (k === UNLABELED) return BLANK;
  const color = given[k] || COLORS[k % COLORS.length];
  if (!dark) return color;
  if (color === "#444444") return "#d9d9d9";
  return mixed(color, "#ffffff", 0.3); // lifted, so that blue and wine stay visible on black
}

/** @param {number} k class @returns {string} */
export function classShape(k) {
  return k === UNLABELED ? BLANK_SHAPE : SHAPES[k % SHAPES.length];
}

/**
 * A color for each group by its direction from the middle of all: groups that are near look alike.
 * @param {[x: number, y: number][]} middles  NaN of one without objects
 */
export function hues(middles) {
  const there = middles.filter(([x]) => !Number.isNaN(x));
  const [cx, cy] = [0, 1].map((c) => there.reduce((sum, place) => sum + place[c], 0) / there.length);
  return middles.map(([x, y]) => {
    const turn = (Math.atan2(y - cy, x - cx) / (2 * Math.PI) || 0) + 1;
    return HUES[Math.floor((turn % 1) * HUES.length) % HUES.length];
  });
}

/**
 * How many of these classes look like another of them: by color and shape, or by color alone.
 * @param {Iterable<number>} classes  without repeats @param {boolean} shapes @param {string[]} [given]  colors of classes
 */
export function alike(classes, shapes, given = []) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const k of classes) {
    const look = classColor(k, false, given) + (shapes ? classShape(k) : "");
    counts.set(look, (counts.get(look) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0);
}

/** How much of the scale is used: its darkest end is lost on a dark ground, its lightest on white. */
const READABLE = { dark: [0.14, 1], light: [0, 0.93] };

/** Color of a value. @param {number} t from 0 to 1 @param {boolean} dark theme @returns {string} */
export function valueColor(t, dark = false) {
  const [first, last] = dark ? READABLE.dark : READABLE.light;
  const at = (first + Math.min(Math.max(t, 0), 1) * (last - first)) * (VIRIDIS.length - 1);
  const i = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return mixed(VIRIDIS[i], VIRIDIS[i + 1], at - i);
}

/**
 * Trace a shape around a place; all look equally large.
 * @param {Tracer} pen @param {string} shape @param {number} r @param {number} [left] @param {number} [top]
 */
export function traceShape(pen, shape, r, left = 0, top = 0) {
  pen.beginPath();
  const corners = /** @type {Record<string, number[][]>} */ (CORNERS)[shape];
  if (!corners) return void pen.arc(left, top, r, 0, 2 * Math.PI);
  for (const [x, y] of corners) pen.lineTo(left + x * r, top + y * r);
  pen.closePath();
}

/**
 * A small canvas with the ring around a selected mark: ink on a rim of the ground's color.
 * @param {{ink: string, edge: string, radius: number, ratio: number}} look
 */
export function ringSprite({ ink, edge, radius, ratio }) {
  const canvas = document.createElement("canvas");
  const size = Math.ceil(2 * (radius + 5) * ratio) + 2;
  canvas.width = canvas.height = size;
  const context = penOf(canvas);
  context.translate(size / 2, size / 2);
  context.scale(ratio, ratio);
  for (const { color, width } of [
    { color: edge, width: 3.6 },
    { color: ink, width: 1.7 },
  ]) {
    context.beginPath();
    context.arc(0, 0, radius + 2.2, 0, 2 * Math.PI);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }
  return canvas;
}

/**
 * A small canvas with one mark in its middle: drawing an image per point is much faster than tracing it.
 * @param {{shape: string, color: string, edge: string, radius: number, ratio: number, letter?: string, width?: number}} mark  width is the edge's
 */
export function sprite({ shape, color, edge, radius, ratio, letter, width = 0.7 }) {
  const canvas = document.createElement("canvas");
  const size = Math.ceil((letter ? 4.4 : 3.4) * radius * ratio) + 2;
  canvas.width = canvas.height = size;
  const context = penOf(canvas);
  context.translate(size / 2, size / 2);
  context.scale(ratio, ratio);
  context.fillStyle = color;
  context.strokeStyle = edge;
  if (letter) {
    context.font = `600 ${3.4 * radius}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.strokeText(letter, 0, 0);
    context.fillText(letter, 0, 0);
  } else {
    traceShape(context, shape, radius);
    context.fill();
    if (width && (radius > 2 || width > 1)) {
      // a rim of the ground's color parts marks that overlap; on smaller ones it would be all
      context.lineWidth = width;
      context.stroke();
    }
  }
  return canvas;
}
