// A part of a map as a picture: a circle for each word, its area proportional to the word's mixing proportion, and as
// many names as find room. Words come from anybody's data: they are only ever set as text.

import { draw, make, penOf, write } from "../shared/elements.js";
import { circleRadius, placeLabels, shorten } from "../shared/labels.js";
import { PICTURE_FONT } from "../shared/svg_pen.js";

/** @import { Box, Pen, Theme } from "../shared/types.d.ts" */

export const FULL = 12; // pixels: the radius of a circle whose proportion is 1
const [LEAST, LEAST_OWN] = [1, 3]; // pixels: a smaller circle could not be seen, nor a smaller one of the word looked at
/** How a word is drawn, by what it is to the word looked at. */
export const RANKS = { word: 0, associate: 1, neighbor: 1, other: 2, company: 3, stranger: 4 };
/** @type {[weight: string, size: number][]} by rank */
const FONTS = [
  ["700", 14],
  ["500", 12.5],
  ["400", 11],
  ["400", 12],
  ["400", 12],
];
const OPACITIES = [0.85, 0.42, 0.26, 0.26, 0]; // of circles, by rank, as in the style sheet
const CROSSED = "◇ "; // before the name of a stranger

/**
 * @typedef {object} Shown  a word in a picture
 * @property {number} word
 * @property {string} name
 * @property {number} x  in pixels
 * @property {number} y
 * @property {number} proportion
 * @property {number} rank  one of RANKS
 *
 * @typedef {Shown & {text: string, radius: number}} Item
 */

export class Picture {
  /** @param {{select: (i: number) => void, light: (i: number) => void}} acts  what a click and a pointer do */
  constructor(acts) {
    this.ring = draw("circle", { class: "nsne-e-ring" });
    this.dots = draw("g");
    this.labels = draw("g", { class: "nsne-e-labels" });
    this.hint = draw("text", { class: "nsne-e-hint" });
    this.svg = draw("svg", { role: "img" });
    this.svg.append(this.ring, this.dots, this.labels, this.hint);
    this.element = make("div", { class: "nsne-e-picture" }, this.svg);
    /** @type {Map<number, {dot: SVGCircleElement, title: SVGTitleElement, label: SVGTextElement|null, item: Item}>} by word */
    this.shown = new Map();
    this.size = [0, 0];
    /** @type {CanvasRenderingContext2D|undefined} measures texts */
    this.pen = undefined;
    /** @type {string|undefined} */
    this.family = undefined;
    this.lit = -1;
    /** @type {Item[]} what is drawn, the most important first */
    this.items = [];
    /** @type {Map<Item, Box|null>} where the names are */
    this.places = new Map();
    /** @type {{x: number, y: number, r: number}|null} */
    this.drawnRing = null;
    /** @param {Event} event */
    const wordAt = ({ target }) =>
      Number(/** @type {Element} */ (target).closest?.("[data-i]")?.getAttribute("data-i") ?? -1);
    this.svg.addEventListener("click", (event) => wordAt(event) >= 0 && acts.select(wordAt(event)));
    this.svg.addEventListener("pointerover", (event) => acts.light(wordAt(event)));
    this.svg.addEventListener("pointerleave", () => acts.light(-1));
  }

  /** Width of a text in pixels. @param {string} text @param {[weight: string, size: number]} font */
  measure(text, [weight, size]) {
    this.pen ??= penOf(document.createElement("canvas"));
    this.family ??= getComputedStyle(this.element).fontFamily || "sans-serif";
    this.pen.font = `${weight} ${size}px ${this.family}`;
    return this.pen.measureText(text).width;
  }

  /**
   * Draw words, the most important first.
   * @param {Shown[]} words @param {number} width @param {number} height @param {number} labels  how many at most @param {{x: number, y: number, r: number}|null} ring
   */
  draw(words, width, height, labels, ring = null) {
    this.size = [width, height];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.ring.style.display = ring ? "" : "none";
    if (ring) circle(this.ring, ring.x, ring.y, ring.r);
    const items = words.map((word) => {
      const text = (word.rank === RANKS.stranger ? CROSSED : "") + shorten(word.name);
      return {
        ...word,
        text,
        radius: Math.max(circleRadius(word.proportion, FULL), word.rank === RANKS.word ? LEAST_OWN : LEAST),
        weight: word.rank === RANKS.other ? 0.25 : 1,
        must: word.rank === RANKS.word,
      };
    });
    const named = items
      .filter((item) => item.x > 0 && item.y > 0 && item.x < width && item.y < height)
      .slice(0, labels)
      .map((item) => {
        const font = FONTS[item.rank];
        return Object.assign(item, { width: this.measure(item.text, font) + 2, height: font[1] * 1.2 });
      });
    // The labels' own circles are no obstacle to them.
    const places = placeLabels(named, width, height, items.slice(0, 300));
    this.items = items;
    this.places = new Map(named.map((item, k) => [item, places[k]]));
    this.drawnRing = ring;
    const labelOf = new Map(named.map((item, k) => [item.word, places[k]]));
    const gone = new Set(this.shown.keys());
    // Important ones lie above.
    for (const item of [...items].reverse()) {
      gone.delete(item.word);
      this.place(item, labelOf.get(item.word));
    }
    for (const word of gone) this.drop(word);
    this.light(this.lit);
  }

  /** @param {Item} item @param {Box|null} [label] */
  place(item, label) {
    let entry = this.shown.get(item.word);
    if (!entry) {
      const title = draw("title");
      entry = { dot: draw("circle", { "data-i": item.word }, title), title, label: null, item };
      this.shown.set(item.word, entry);
    }
    entry.item = item;
    const { dot } = entry;
    dot.setAttribute("class", `nsne-e-dot nsne-e-rank${item.rank}`);
    circle(dot, item.x, item.y, item.radius);
    write(entry.title, `${item.name}, ${item.proportion.toFixed(2)}`);
    this.dots.append(dot);
    if (!label) {
      entry.label?.remove();
      entry.label = null;
      return;
    }
    entry.label ??= draw("text", { "data-i": item.word });
    entry.label.setAttribute("class", `nsne-e-name nsne-e-rank${item.rank}`);
    entry.label.setAttribute("x", (label.left + 1).toFixed(1));
    entry.label.setAttribute("y", (label.top + 0.8 * label.height).toFixed(1));
    write(entry.label, item.text);
    this.labels.append(entry.label);
  }

  /** @param {number} word */
  drop(word) {
    const entry = this.shown.get(word);
    entry?.dot.remove();
    entry?.label?.remove();
    this.shown.delete(word);
  }

  /** Light a word; one without a label gets it while it is lit. @param {number} word */
  light(word) {
    for (const i of [this.lit, word]) {
      const entry = this.shown.get(i);
      entry?.dot.classList.toggle("nsne-e-lit", i === word);
      entry?.label?.classList.toggle("nsne-e-lit", i === word);
    }
    this.lit = word;
    const entry = this.shown.get(word);
    write(this.hint, entry && !entry.label ? entry.item.text : "");
    if (!entry || !this.hint.textContent) return;
    const half = this.measure(entry.item.text, FONTS[1]) / 2 + 2;
    const above = entry.item.y - entry.item.radius - 6;
    this.hint.setAttribute("x", String(Math.max(half, Math.min(entry.item.x, this.size[0] - half))));
    this.hint.setAttribute("y", String(above > 12 ? above : entry.item.y + entry.item.radius + 14));
  }
}

/**
 * Draw the same with a pen, for a file. Circles and names beyond the border are left out.
 * @param {Pen} pen @param {Pick<Picture, "items"|"places"|"drawnRing"|"size">} picture @param {number} left @param {number} top
 * @param {Theme} theme
 */
export function paintPicture(pen, { items, places, drawnRing, size: [width, height] }, left, top, theme) {
  const ground = `rgb(${theme.ground.join(", ")})`;
  /** @param {{x: number, y: number}} at @param {number} r */
  const trace = ({ x, y }, r) => {
    pen.beginPath();
    pen.moveTo(left + x + r, top + y);
    pen.arc(left + x, top + y, r, 0, 2 * Math.PI);
  };
  if (drawnRing && drawnRing.r < Math.min(width, height) / 2) {
    pen.strokeStyle = theme.faint;
    pen.lineWidth = 1;
    pen.setLineDash([2, 4]);
    trace(drawnRing, drawnRing.r);
    pen.stroke();
    pen.setLineDash([]);
  }
  for (const item of [...items].reverse()) {
    const { x, y, radius: r, rank } = item;
    if (x < 0 || y < 0 || x > width || y > height) continue;
    trace(item, r);
    pen.fillStyle = rank === RANKS.word ? theme.accent : rank === RANKS.associate ? theme.text : theme.soft;
    pen.globalAlpha = OPACITIES[rank];
    if (rank !== RANKS.stranger) pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = theme.soft;
    pen.lineWidth = 1.3;
    if (rank > RANKS.other) pen.stroke();
  }
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  for (const [{ text, rank }, box] of places) {
    if (!box) continue;
    const at = [left + box.left + 1, top + box.top + 0.8 * box.height];
    pen.font = `${FONTS[rank][0]} ${FONTS[rank][1]}px ${PICTURE_FONT}`;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeStyle = ground;
    pen.strokeText(text, at[0], at[1]);
    pen.fillStyle = rank < RANKS.other ? theme.text : theme.soft;
    pen.fillText(text, at[0], at[1]);
  }
}

/** @param {SVGCircleElement} element @param {number} x @param {number} y @param {number} r */
function circle(element, x, y, r) {
  element.setAttribute("cx", x.toFixed(1));
  element.setAttribute("cy", y.toFixed(1));
  element.setAttribute("r", r.toFixed(1));
}
