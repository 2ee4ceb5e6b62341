// A part of a map as a picture: a circle for each word, its area proportional to the word's mixing proportion, and as
// many names as find room. Words come from anybody's data: they are only ever set as text.

import { make, write } from "../shared/elements.js";
import { circleRadius, placeLabels, shorten } from "../shared/labels.js";

export const FULL = 12; // pixels: the radius of a circle whose proportion is 1
const LEAST = 1; // pixels: a smaller circle could not be seen
const FONTS = [
  ["700", 14],
  ["500", 12.5],
  ["400", 11],
]; // of the word itself, of its neighbors, of others

/** @param {string} tag @param {Record<string, any>} attributes */
export function drawn(tag, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export class Picture {
  /** @param {{select: (i: number) => void, light: (i: number) => void}} acts  what a click and a pointer do */
  constructor(acts) {
    this.ring = drawn("circle", { class: "nsne-e-ring" });
    this.dots = drawn("g");
    this.labels = drawn("g", { class: "nsne-e-labels" });
    this.hint = drawn("text", { class: "nsne-e-hint" });
    this.svg = drawn("svg", { role: "img" });
    this.svg.append(this.ring, this.dots, this.labels, this.hint);
    this.element = make("div", { class: "nsne-e-picture" }, this.svg);
    this.shown = new Map(); // word: its circle, label and place
    this.lit = -1;
    const wordAt = (event) => Number(event.target.closest?.("[data-i]")?.getAttribute("data-i") ?? -1);
    this.svg.addEventListener("click", (event) => wordAt(event) >= 0 && acts.select(wordAt(event)));
    this.svg.addEventListener("pointerover", (event) => acts.light(wordAt(event)));
    this.svg.addEventListener("pointerleave", () => acts.light(-1));
  }

  /** Width of a text in pixels. */
  measure(text, [weight, size]) {
    Picture.pen ??= document.createElement("canvas").getContext("2d");
    this.family ??= getComputedStyle(this.element).fontFamily || "sans-serif";
    Picture.pen.font = `${weight} ${size}px ${this.family}`;
    return Picture.pen.measureText(text).width;
  }

  /**
   * Draw words, the most important first.
   * @param {{word: number, name: string, x: number, y: number, proportion: number, rank: number}[]} words  rank 0 is the
   * word looked at, 1 a neighbor, 2 any other
   * @param {number} width @param {number} height @param {number} labels  how many at most @param {{x: number, y: number, r: number}|null} ring
   */
  draw(words, width, height, labels, ring = null) {
    this.size = [width, height];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.ring.style.display = ring ? "" : "none";
    if (ring)
      for (const [name, value] of [
        ["cx", ring.x],
        ["cy", ring.y],
        ["r", ring.r],
      ])
        this.ring.setAttribute(name, value.toFixed(1));
    const items = words.map((word) => {
      const text = shorten(word.name);
      return {
        ...word,
        text,
        radius: Math.max(circleRadius(word.proportion, FULL), LEAST),
        weight: word.rank < 2 ? 1 : 0.25,
        must: word.rank === 0,
      };
    });
    const named = items
      .filter((item) => item.x > 0 && item.y > 0 && item.x < width && item.y < height)
      .slice(0, labels);
    for (const item of named) {
      item.width = this.measure(item.text, FONTS[item.rank]) + 2;
      item.height = FONTS[item.rank][1] * 1.2;
    }
    const places = placeLabels(named, width, height, items.slice(0, 300));
    const labelOf = new Map(named.map((item, k) => [item.word, places[k]]));
    const gone = new Set(this.shown.keys());
    for (const item of [...items].reverse()) {
      // important ones lie above
      gone.delete(item.word);
      this.place(item, labelOf.get(item.word));
    }
    for (const word of gone) this.drop(word);
    this.light(this.lit);
  }

  place(item, label) {
    let entry = this.shown.get(item.word);
    if (!entry) {
      entry = { dot: drawn("circle", { "data-i": item.word }), label: null };
      entry.dot.append(drawn("title"));
      this.shown.set(item.word, entry);
    }
    entry.item = item;
    const { dot } = entry;
    dot.setAttribute("class", `nsne-e-dot nsne-e-rank${item.rank}`);
    for (const [name, value] of [
      ["cx", item.x],
      ["cy", item.y],
      ["r", item.radius],
    ])
      dot.setAttribute(name, value.toFixed(1));
    write(dot.firstChild, `${item.name}, ${item.proportion.toFixed(2)}`);
    this.dots.append(dot);
    if (!label) {
      entry.label?.remove();
      entry.label = null;
      return;
    }
    entry.label ??= drawn("text", { "data-i": item.word });
    entry.label.setAttribute("class", `nsne-e-name nsne-e-rank${item.rank}`);
    entry.label.setAttribute("x", (label.left + 1).toFixed(1));
    entry.label.setAttribute("y", (label.top + 0.8 * label.height).toFixed(1));
    write(entry.label, item.text);
    this.labels.append(entry.label);
  }

  drop(word) {
    const { dot, label } = this.shown.get(word);
    dot.remove();
    label?.remove();
    this.shown.delete(word);
  }

  /** Light a word; one without a label gets it while it is lit. */
  light(word) {
    for (const i of [this.lit, word]) {
      const entry = this.shown.get(i);
      entry?.dot.classList.toggle("nsne-e-lit", i === word);
      entry?.label?.classList.toggle("nsne-e-lit", i === word);
    }
    this.lit = word;
    const entry = this.shown.get(word);
    write(this.hint, entry && !entry.label ? entry.item.text : "");
    if (!this.hint.textContent) return;
    const half = this.measure(entry.item.text, FONTS[1]) / 2 + 2;
    const above = entry.item.y - entry.item.radius - 6;
    this.hint.setAttribute("x", Math.max(half, Math.min(entry.item.x, this.size[0] - half)));
    this.hint.setAttribute("y", above > 12 ? above : entry.item.y + entry.item.radius + 14);
  }
}

/** A legend: circles of three proportions in the size in which they are drawn. */
export function sizeLegend() {
  const legend = make("div", { class: "nsne-e-sizes", "data-part": "sizes" }, make("span", {}, "proportion"));
  for (const share of [0.1, 0.5, 1]) {
    const r = circleRadius(share, FULL);
    const svg = drawn("svg", { width: 2 * r + 2, height: 2 * r + 2, "aria-hidden": "true" });
    svg.append(drawn("circle", { cx: r + 1, cy: r + 1, r }));
    legend.append(make("span", {}, svg, String(share)));
  }
  return legend;
}
