// A card: one sense of the word looked at, or one map that holds it. How much of the word it has, the word among its
// neighbors there, and who they are.

import { make, write } from "../shared/elements.js";
import { coordinate, neighbors, proportion, squaredDistance, wordsOf } from "./mixture.js";
import { Picture, RANKS } from "./picture.js";
import { WordRows } from "./rows.js";
import { listOf, placeIn, seenIn } from "./senses.js";

/** @import { ExplorerActs } from "./explorer.js" */
/** @import { Mixture, Neighbor } from "./mixture.js" */
/** @import { Kind, Listed, Sense } from "./senses.js" */
/** @import { ExplorerStage } from "./stage.js" */

/** @typedef {{key: string, m: number, sense: Sense|undefined}} Shown  a map, a sense, or a sense in a map; no map is -1 */

const AROUND = 12; // neighbors that the picture must hold
const WEAK = 0.03; // a neighbor weaker than this part of the strongest one does not widen the picture
const CLOSEST = 0.3; // half the least width of a picture, in map units: closer, all strengths are nearly the same
const [ASIDE, ABOVE] = [52, 24]; // pixels around the outermost neighbors, for their names
const MOST_DRAWN = 220;
const MOST_LABELS = 40;
/** @type {Kind[]} */
const KINDS = ["associate", "company", "neighbor", "stranger"];

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
  /** @param {ExplorerStage} stage @param {ExplorerActs} acts @param {(i: number) => void} select  what a chosen word does */
  constructor(stage, acts, select) {
    this.m = -1;
    this.stage = stage;
    this.acts = acts;
    /** @type {Sense|undefined} */
    this.sense = undefined;
    /** @type {Listed[]} */
    this.words = [];
    this.picture = new Picture({ select, light: (i) => acts.light(i) });
    this.name = make("h4", { class: "nsne-e-map-name" });
    this.figure = make("span", { class: "nsne-e-figure", "data-part": "proportion" });
    this.bar = make("span", { class: "nsne-e-part" });
    this.seen = make("p", { class: "nsne-e-seen", "data-part": "seen", hidden: "" });
    this.open = make("button", { type: "button", class: "nsne-e-quiet", "data-control": "open-map" }, "whole map");
    this.open.addEventListener("click", () => acts.openMap(this.m, this.open));
    this.lists = KINDS.map((kind) => new WordRows(kind, stage, select, acts.light));
    this.element = make(
      "article",
      { class: "nsne-e-sense" },
      make("header", {}, this.name, this.open, this.figure),
      make("div", { class: "nsne-e-bar", "aria-hidden": "true" }, this.bar),
      this.seen,
      this.picture.element,
      ...this.lists.map(({ element }) => element),
    );
  }

  /** Show word i; `total` is the log of its z. @param {Shown} shown @param {number} i @param {number} total */
  draw({ m, sense }, i, total) {
    const { mixture: x, names, counts, agreed } = this.stage;
    if (!x) return;
    Object.assign(this, { m, sense });
    this.words = listOf({ mixture: x, counts, sense, m, i, total });
    const heading = agreed && sense ? `Sense ${sense.number}` : `Map ${m}`;
    const part = agreed && sense ? sense.share : proportion(x, m, i);
    const what = agreed ? `of the associations of ${names[i]} are of this sense` : `of ${names[i]} is in map ${m}`;
    write(this.name, heading);
    write(this.figure, part.toFixed(2));
    this.figure.title = `${part.toFixed(2)} ${what}`;
    this.bar.style.width = `${(100 * part).toFixed(1)}%`;
    this.element.dataset.map = String(m);
    this.element.dataset.sense = String(sense?.number ?? "");
    this.element.setAttribute("aria-label", `${heading}, ${agreed ? "share" : "proportion"} ${part.toFixed(2)}`);
    this.open.hidden = m < 0;
    this.open.setAttribute("aria-label", `Open map ${m} as a whole`);
    this.picture.element.hidden = m < 0;
    if (agreed && sense) this.drawFits(sense);
    this.picture.svg.setAttribute(
      "aria-label",
      `${names[i]} in map ${m}, near ${this.strongest.join(", ")}; the list below says the same`,
    );
    if (m >= 0) this.drawPicture(x, i, neighbors(x, m, i, AROUND, total));
    for (const list of this.lists) list.draw(i, this.words);
  }

  /** Names of the first words listed. */
  get strongest() {
    return this.words.slice(0, 3).map(({ word }) => this.stage.names[word]);
  }

  /** What the card says of itself, for ears. */
  get inWords() {
    return `${this.name.textContent}, ${this.figure.textContent}${this.seenText}: ${this.strongest.join(", ")}.`;
  }

  get seenText() {
    const n = this.stage.fits.length;
    return this.stage.agreed && this.sense ? `, seen in ${seenIn(this.sense, n)} of ${n} fits` : "";
  }

  /** In which fits a sense is seen: a button for each, which shows its maps. @param {Sense} sense */
  drawFits(sense) {
    const { fits, fit: shown } = this.stage;
    const marks = fits.map((_, fit) => {
      const place = placeIn(sense, fit);
      const said = place ? `map ${place.map}, proportion ${place.proportion.toFixed(2)}` : "not seen";
      const help = `Fit ${fit}: ${said}. Show its maps`;
      const is = {
        type: "button",
        class: place ? "nsne-e-fit nsne-e-found" : "nsne-e-fit",
        "data-control": "show-fit",
      };
      const mark = make("button", { ...is, title: help, "aria-label": help, "aria-pressed": String(fit === shown) });
      mark.addEventListener("click", () => this.acts.showFit(fit));
      return mark;
    });
    const here = placeIn(sense, shown);
    const focused = [...this.seen.querySelectorAll("button")].indexOf(
      /** @type {HTMLButtonElement} */ (document.activeElement),
    );
    this.seen.replaceChildren(
      make("span", {}, this.seenText.slice(2)),
      make("span", { class: "nsne-e-fits", role: "group", "aria-label": "Fits" }, ...marks),
      make(
        "span",
        {},
        here ? `Map ${here.map}, proportion ${here.proportion.toFixed(2)}` : `not in fit ${shown}: choose a filled one`,
      ),
    );
    this.seen.hidden = false;
    if (focused >= 0) marks[focused]?.focus({ preventScroll: true });
  }

  /** @param {Mixture} x @param {number} i @param {Neighbor[]} near */
  drawPicture(x, i, near) {
    const { names } = this.stage;
    const { m } = this;
    const [width, height] = [this.picture.element.clientWidth, this.picture.element.clientHeight];
    if (!width || !height) return;
    const scale = scaleAround(x, m, i, near, width, height);
    const rank = new Map([[i, RANKS.word]]);
    for (const { word, kind } of this.words) if (proportion(x, m, word) > 0) rank.set(word, RANKS[kind]);
    if (!this.sense) for (const { word } of near) rank.set(word, RANKS.neighbor);
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
      const own = { proportion: proportion(x, m, j), rank: rank.get(j) ?? RANKS.other };
      words.push({ word: j, name: names[j], x: px, y: py, ...own });
      if (words.length >= MOST_DRAWN) break;
    }
    this.picture.draw(words, width, height, MOST_LABELS, x.d === 2 ? { x: width / 2, y: height / 2, r: scale } : null);
  }

  /** @param {number} word */
  light(word) {
    this.picture.light(word);
    for (const list of this.lists) list.light(word);
  }
}
