// A figure of Bokeh's library on a slide: as large as its place, with letters and lines that grow with it, so that the last
// row reads them. An enlarged picture would be blurred, and would take the pointer to be elsewhere.

import { partsOf } from "../course/fitting.js";

/** @import { Part } from "../course/fitting.js" */

const BESIDE = [110, 90]; // pixels of a plot beside its frame and over and under it, before it grows
const LEGEND = 150; // pixels of a legend that stands beside its plot
const TRIES = 4;
const NEARLY = 0.93; // of its place is as much as a figure needs
const NAMES = { across: ["frame_width", "width"], high: ["frame_height", "height"] };

const INSIDE = /^(Text|Label|LabelSet)$/;
// The usual letters of Bokeh's parts, in pixels; what a figure sets itself grows from that.
/** @type {[RegExp, string, number][]} */
const LETTERS = [
  [/^Title$/, "text_font_size", 13],
  [/Axis$/, "axis_label_text_font_size", 13],
  [/Axis$/, "major_label_text_font_size", 11],
  [/^Legend$/, "label_text_font_size", 13],
  [/^Legend$/, "title_text_font_size", 13],
  [/^ColorBar$/, "title_text_font_size", 13],
  [/^ColorBar$/, "major_label_text_font_size", 11],
  [INSIDE, "text_font_size", 16],
];
const SIGN = 20; // pixels of a mark in a legend
const SMALLEST = 11;
const LENGTHS = ["line_width", "size"];
const CURVE = 0.8; // of its width is the height of a plot that is no map
const STRETCH = 1.6; // by what a curve becomes higher than wider

/** @param {any} length  a number of pixels, also as a text or as the value of all points @param {number} by @returns {any} */
function longer(length, by) {
  if (typeof length === "number") return length * by;
  const [, number, unit] = /^([\d.]+)(px|pt)$/.exec(String(length)) ?? [];
  if (number) return `${(Number(number) * by).toFixed(1)}${unit}`;
  return length && typeof length === "object" && "value" in length
    ? { ...length, value: longer(length.value, by) }
    : length;
}

/** @param {any} attributes @param {string[]} names */
const firstOf = (attributes, names) => names.map((name) => attributes?.[name]).find((one) => one > 0) ?? 0;

/** Width and height of what stands side by side and one below the other, in pixels. @param {any} part @returns {[number, number]} */
export function sizeOf(part) {
  const { name, attributes = {} } = part ?? {};
  if (name === "Figure") {
    const beside = (attributes.right ?? []).some((/** @type {Part} */ one) => one.name === "Legend") ? LEGEND : 0;
    return [firstOf(attributes, NAMES.across) + BESIDE[0] + beside, firstOf(attributes, NAMES.high) + BESIDE[1]];
  }
  if (name === "GridPlot") {
    /** @type {Map<number, [number, number]>} */
    const rows = new Map();
    for (const [plot, row] of attributes.children) {
      const [width, height] = sizeOf(plot);
      const [across, high] = rows.get(row) ?? [0, 0];
      rows.set(row, [across + width, Math.max(high, height)]);
    }
    return stacked([...rows.values()]);
  }
  const inside = (attributes.children ?? []).map(sizeOf);
  if (name !== "Row") return stacked(inside);
  const [high, across] = stacked(inside.map((/** @type {[number, number]} */ [x, y]) => [y, x]));
  return [across, high];
}

/** @param {[number, number][]} sizes @returns {[number, number]} */
const stacked = (sizes) => [Math.max(0, ...sizes.map(([x]) => x)), sizes.reduce((sum, [, y]) => sum + y, 0)];

/**
 * @param {any} figure  changed @param {[number, number]} by  across and up
 * @param {number} [letters]  by what letters beside a frame grow at least: those in it may have no room for more
 * @returns {any} the same
 */
export function enlarged(figure, [across, high], letters = 0) {
  const by = Math.min(across, high);
  for (const { name = "", attributes } of partsOf(figure.doc?.roots)) {
    if (!attributes) continue;
    for (const [kind, letter, usual] of LETTERS)
      if (kind.test(name))
        attributes[letter] = longer(attributes[letter] ?? `${usual}px`, INSIDE.test(name) ? by : Math.max(by, letters));
    if (name === "Legend")
      for (const sign of ["glyph_width", "glyph_height"]) attributes[sign] = longer(attributes[sign] ?? SIGN, by);
    for (const length of LENGTHS) if (attributes[length]) attributes[length] = longer(attributes[length], by);
    for (const [names, grow] of /** @type {[string[], number][]} */ ([
      [NAMES.across, across],
      [NAMES.high, high],
    ]))
      for (const length of names)
        if (typeof attributes[length] === "number") attributes[length] = Math.round(attributes[length] * grow);
  }
  return figure;
}

/** Whether all plots are curves, which may be higher than they were; a map keeps its shape. @param {any} figure */
const bends = (figure) =>
  partsOf(figure.doc.roots)
    .filter(({ name }) => name === "Figure")
    .every(({ attributes }) => firstOf(attributes, NAMES.high) < CURVE * firstOf(attributes, NAMES.across));

/**
 * Draw a figure in its place, and once more if it is larger than that, or much smaller.
 * @param {HTMLElement} place @param {string} text  what the library draws
 * @param {number} [least]  pixels of the smallest letters
 */
export async function drawFigure(place, text, least = 0) {
  const { Bokeh } = /** @type {{Bokeh?: {embed: {embed_item: Function}}}} */ (/** @type {unknown} */ (globalThis));
  const [width, height] = [place.clientWidth, place.clientHeight];
  const figure = JSON.parse(text);
  const [across, high] = stacked(figure.doc.roots.map(sizeOf));
  const free = bends(figure);
  // In a grid large letters would leave no room for the plots.
  const letters = partsOf(figure.doc.roots).filter(({ name }) => name === "Figure").length > 2 ? 0 : least / SMALLEST;
  /** @param {number} x @param {number} y @returns {[number, number]} */
  const shaped = (x, y) => (free ? [x, Math.min(y, STRETCH * x)] : [Math.min(x, y), Math.min(x, y)]);
  let by = shaped(width / (across || width), height / (high || height));
  for (let k = 0; k < TRIES; k++) {
    place.replaceChildren();
    await Bokeh?.embed.embed_item(enlarged(JSON.parse(text), by, letters), place);
    await new Promise((go) => setTimeout(go, 50)); // until it is laid out
    const drawn = /** @type {HTMLElement|null} */ (place.firstElementChild);
    const over = [(drawn?.offsetWidth ?? 0) / width, (drawn?.offsetHeight ?? 0) / height];
    const most = Math.max(...over);
    if (most <= 1 && most > NEARLY) break;
    by = free
      ? shaped((by[0] * 0.98) / over[0], (by[1] * 0.98) / over[1])
      : shaped((by[0] * 0.98) / most, by[1] / most);
  }
  place.dataset.drawn = "true";
}
