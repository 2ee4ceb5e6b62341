// Marks: the color and the shape of every class. Color is never the only sign of a class.

import { penOf } from "./elements.js";

/** @import { Tracer } from "./types.d.ts" */

/**
 * Okabe-Ito in an order that keeps neighbors apart, its black first on the theme's side (see `classColor`), then
 * four more that stay distinct from these under the common color blindnesses when their shapes differ too, and twelve for
 * maps of many classes. All are those of views/palette.py.
 */
export const PALETTE = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#d55e00",
  "#cc79a7",
  "#56b4e9",
  "#b8a800",
  "#444444",
  "#882255",
  "#8c6d31",
  "#6a51a3",
  "#1b9e9e",
  "#62eb62",
  "#ffb19d",
  "#9d1400",
  "#ff3b4e",
  "#277600",
  "#d8c4ff",
  "#9dd8c4",
  "#896262",
  "#3b624e",
  "#c427b1",
  "#899d62",
  "#c476ff",
];

/** Classes k and k + 24 share a color; 24 colors x 7 shapes make 168 classes distinct, and class 168 looks like class 0. */
export const SHAPES = ["circle", "square", "triangle", "diamond", "wedge", "plus", "star"];
export const LOOKS = PALETTE.length * SHAPES.length;

/** The key of an object without a class or value, where others have one: gray, and of a shape that no class has. */
export const UNLABELED = 0xffff;
const BLANK = "#858f99";
const BLANK_SHAPE = "cross";

/** Viridis at nine evenly spaced places: dark is low, light is high. */
const VIRIDIS = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];

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

/** @param {number} k class @param {boolean} dark theme @param {string[]} [given]  colors of classes, "" for those without one */
export function classColor(k, dark, given = []) {
  if (k === UNLABELED) return BLANK;
  const color = given[k] || PALETTE[k % PALETTE.length];
  if (!dark) return color;
  if (color === "#444444") return "#d9d9d9";
  // Lifted a third of the way to white, so that blue and wine stay visible on black.
  return (
    "#" +
    rgb(color)
      .map((c) =>
        Math.round(c + (255 - c) * 0.3)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")
  );
}

/** @param {number} k class @returns {string} */
export function classShape(k) {
  return k === UNLABELED ? BLANK_SHAPE : SHAPES[k % SHAPES.length];
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
  const [a, b] = [rgb(VIRIDIS[i]), rgb(VIRIDIS[i + 1])];
  return (
    "#" +
    a
      .map((c, j) =>
        Math.round(c + (b[j] - c) * (at - i))
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")
  );
}

/**
 * Trace a shape of about the same area for every kind around (0, 0), with the corners that views/static.py gives it.
 * @param {Tracer} context @param {string} shape @param {number} r
 */
export function traceShape(context, shape, r) {
  context.beginPath();
  /** @param {number} corners @param {number} turn @param {number} radius @param {number} [inner] */
  const polygon = (corners, turn, radius, inner) => {
    for (let i = 0; i < corners; i++) {
      const q = turn + (i * 2 * Math.PI) / corners;
      const size = inner && i % 2 ? inner : radius;
      context.lineTo(size * Math.cos(q), size * Math.sin(q));
    }
    context.closePath();
  };
  const up = -Math.PI / 2;
  if (shape === "square") context.rect(-0.88 * r, -0.88 * r, 1.76 * r, 1.76 * r);
  else if (shape === "triangle") polygon(3, up, 1.3 * r);
  else if (shape === "wedge") polygon(3, -up, 1.3 * r);
  else if (shape === "diamond") polygon(4, up, 1.25 * r);
  else if (shape === "star") polygon(10, up, 1.42 * r, 0.62 * r);
  else if (shape === "plus" || shape === "cross") {
    const [a, b] = [1.15 * r, 0.42 * r];
    const turned = shape === "cross" ? Math.SQRT1_2 : 0; // by half a right angle
    for (const [x, y] of [
      [b, a],
      [-b, a],
      [-b, b],
      [-a, b],
      [-a, -b],
      [-b, -b],
      [-b, -a],
      [b, -a],
      [b, -b],
      [a, -b],
      [a, b],
      [b, b],
    ]) {
      if (turned) context.lineTo(turned * (x - y), turned * (x + y));
      else context.lineTo(x, y);
    }
    context.closePath();
  } else context.arc(0, 0, r, 0, 2 * Math.PI);
}

/**
 * A shape as the data of an SVG path, for pictures that are drawn later by somebody else.
 * @param {string} shape @param {number} r
 */
export function shapePath(shape, r) {
  /** @type {string[]} */
  const steps = [];
  /** @param {number} x @param {number} y */
  const place = (x, y) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  traceShape(
    {
      beginPath() {},
      closePath: () => steps.push("Z"),
      lineTo: (x, y) => steps.push(`${steps.length ? "L" : "M"}${place(x, y)}`),
      rect: (x, y, w, h) => steps.push(`M${place(x, y)}h${w.toFixed(2)}v${h.toFixed(2)}h${(-w).toFixed(2)}Z`),
      arc: (x, y, radius) =>
        steps.push(
          `M${place(x - radius, y)}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0Z`,
        ),
    },
    shape,
    r,
  );
  return steps.join("");
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
    if (radius > 2 || width > 1) {
      // a rim of the ground's color parts marks that overlap; on smaller ones it would be all
      context.lineWidth = width;
      context.stroke();
    }
  }
  return canvas;
}
