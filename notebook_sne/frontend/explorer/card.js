// A card: one map of the word looked at. Its proportion, the word among its neighbors, and the neighbors as a list.

import { make, write } from "../shared/elements.js";
import { coordinate, countOf, neighbors, proportion, squaredDistance, wordsOf } from "./mixture.js";
import { Picture } from "./picture.js";

/** @import { ExplorerActs } from "./explorer.js" */
/** @import { Mixture, Neighbor } from "./mixture.js" */
/** @import { ExplorerStage } from "./stage.js" */

const LISTED = 8; // neighbors in the list
const AROUND = 12; // neighbors that the picture must hold
const WEAK = 0.03; // a neighbor weaker than this part of the strongest one does not widen the picture
const NOTHING = 0.005; // and weaker than this it is none
const CLOSEST = 0.3; // half the least width of a picture, in map units: closer, all strengths are nearly the same
const [ASIDE, ABOVE] = [52, 24]; // pixels around the outermost neighbors, for their names
const MOST_DRAWN = 220;
const MOST_LABELS = 40;

/**
 * What fits around word i: pixels for one map unit, for a picture of the given size that is centered on the word.
 * @param {Mixture} x @param {number} m @param {number} i @param {Neighbor[]} near @param {number} width
 * @param {number} height
 */
export function scaleAround(x, m, i, near, width, height) {
  const strong = near.filter(({ strength }, k) => k === 0 || strength >= WEAK * near[0].strength);
  let [across, up] = [CLOSEST, CLOSEST];
  for (const { word } of strong) {
    across = Math.max(across, Math.abs(coordinate(x, m, word, 0) - coordinate(x, m, i, 0)));
    up = Math.max(up, Math.abs(coordinate(x, m, word, 1) - coordinate(x, m, i, 1)));
  }
  return Math.min((width / 2 - ASIDE) / across, (height / 2 - ABOVE) / up);
}

export class SenseCard {
  /** @param {number} m  the map @param {ExplorerStage} stage @param {ExplorerActs} acts */
  constructor(m, stage, acts) {
    this.m = m;
    this.stage = stage;
    this.acts = acts;
    /** @type {string[]} names of the strongest neighbors */
    this.strongest = [];
    this.picture = new Picture({ select: (i) => acts.select(i), light: (i) => acts.light(i) });
    this.name = make("h4", { class: "nsne-e-map-name" });
    this.figure = make("span", { class: "nsne-e-figure", "data-part": "proportion" });
    this.bar = make("span", { class: "nsne-e-part" });
    this.list = make("ol", { class: "nsne-e-neighbors", "data-part": "neighbors" });
    this.open = make("button", { type: "button", class: "nsne-e-quiet", "data-control": "open-map" }, "whole map");
    this.open.addEventListener("click", () => acts.openMap(m, this.open));
    /** @type {ReturnType<SenseCard["addRow"]>[]} */
    this.rows = [];
    this.element = make(
      "article",
      { class: "nsne-e-sense", "data-map": m },
      make("header", {}, this.name, this.open, this.figure),
      make("div", { class: "nsne-e-bar", "aria-hidden": "true" }, this.bar),
      this.picture.element,
      this.list,
    );
  }

  /** Show word i; `total` is the log of its z. @param {number} i @param {number} total */
  draw(i, total) {
    const { mixture: x, names } = this.stage;
    const { m } = this;
    if (!x) return;
    const own = proportion(x, m, i);
    const near = neighbors(x, m, i, AROUND, total).filter(
      ({ share }, k, all) => k < 3 || share >= NOTHING * all[0].share,
    );
    this.strongest = near.slice(0, 3).map(({ word }) => names[word]);
    write(this.name, `Map ${m}`);
    write(this.figure, own.toFixed(2));
    this.figure.title = `Mixing proportion of ${names[i]} in map ${m}`;
    this.bar.style.width = `${(100 * own).toFixed(1)}%`;
    this.open.setAttribute("aria-label", `Open map ${m} as a whole`);
    this.element.setAttribute("aria-label", `Map ${m}, proportion ${own.toFixed(2)}`);
    this.picture.svg.setAttribute(
      "aria-label",
      `${names[i]} in map ${m}, near ${this.strongest.join(", ")}; the list below says the same`,
    );
    this.drawPicture(x, i, near);
    this.drawList(i, near.slice(0, LISTED));
  }

  /** @param {Mixture} x @param {number} i @param {Neighbor[]} near */
  drawPicture(x, i, near) {
    const { names } = this.stage;
    const { m } = this;
    const [width, height] = [this.picture.element.clientWidth, this.picture.element.clientHeight];
    if (!width || !height) return;
    const scale = scaleAround(x, m, i, near, width, height);
    const rank = new Map([i, ...near.map(({ word }) => word)].map((j, k) => [j, k ? 1 : 0]));
    const others = wordsOf(x, m)
      .filter((j) => !rank.has(j))
      .map((j) => ({ j, weight: proportion(x, m, j) * Math.exp(-0.3 * squaredDistance(x, m, i, j) ** 0.5) }))
      .sort((a, b) => b.weight - a.weight || a.j - b.j)
      .map(({ j }) => j);
    const [cx, cy] = [coordinate(x, m, i, 0), coordinate(x, m, i, 1)];
    const words = [];
    for (const j of [...rank.keys(), ...others]) {
      const px = width / 2 + (coordinate(x, m, j, 0) - cx) * scale;
      const py = height / 2 - (coordinate(x, m, j, 1) - cy) * scale;
      if (px < -9 || py < -9 || px > width + 9 || py > height + 9) continue;
      words.push({ word: j, name: names[j], x: px, y: py, proportion: proportion(x, m, j), rank: rank.get(j) ?? 2 });
      if (words.length >= MOST_DRAWN) break;
    }
    this.picture.draw(words, width, height, MOST_LABELS, x.d === 2 ? { x: width / 2, y: height / 2, r: scale } : null);
  }

  /** @param {number} i @param {Neighbor[]} near */
  drawList(i, near) {
    while (this.rows.length < near.length) this.addRow();
    while (this.rows.length > near.length) this.rows.pop()?.item.remove();
    const widest = near[0]?.share || 1;
    near.forEach(({ word, share }, k) => {
      const row = this.rows[k];
      const { names, counts } = this.stage;
      row.word = word;
      write(row.name, names[word]);
      row.button.setAttribute("data-i", String(word));
      row.button.classList.toggle("nsne-e-lit", word === this.picture.lit);
      row.bar.style.width = `${Math.max((100 * share) / widest, 1).toFixed(1)}%`;
      write(row.share, percent(share));
      const said = counts ? countsInWords(names[i], countOf(counts, i, word), countOf(counts, word, i)) : "";
      write(row.counts, said);
      row.counts.hidden = !said;
      row.button.setAttribute("aria-label", `${names[word]}, ${percent(share)}${said ? `, ${said}` : ""}`);
    });
  }

  addRow() {
    const name = make("span", { class: "nsne-e-word" });
    const bar = make("span", { class: "nsne-e-part" });
    const share = make("span", { class: "nsne-e-share" });
    const counts = make("small", { "data-part": "counts" });
    const said = [name, make("span", { class: "nsne-e-bar" }, bar), share, counts];
    const button = make("button", { type: "button", "data-control": "word" }, ...said);
    const row = { word: -1, name, bar, share, counts, button, item: make("li", {}, button) };
    button.addEventListener("click", () => this.acts.select(row.word));
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => this.acts.light(row.word));
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => this.acts.light(-1));
    this.rows.push(row);
    this.list.append(row.item);
    return row;
  }

  /** @param {number} word */
  light(word) {
    this.picture.light(word);
    for (const row of this.rows) row.button.classList.toggle("nsne-e-lit", row.word === word);
  }
}

/** A share in percent, with as many figures as tell something. @param {number} share */
export function percent(share) {
  const value = 100 * share;
  return value >= 9.95
    ? `${value.toFixed(0)}\u00a0%`
    : value >= 0.1
      ? `${value.toFixed(1)}\u00a0%`
      : "<\u00a00.1\u00a0%";
}

/**
 * The counts of the table in both directions; nothing where there are none.
 * @param {string} word @param {number} given @param {number} back
 */
export function countsInWords(word, given, back) {
  /** @param {number} count */
  const figure = (count) => (Number.isInteger(count) ? String(count) : count.toPrecision(3));
  const parts = [];
  if (given) parts.push(`${figure(given)} from ${word}`);
  if (back) parts.push(`${figure(back)} to ${word}`);
  return parts.join(" · ");
}
