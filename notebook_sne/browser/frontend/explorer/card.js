// A card: one sense of the word looked at, or one map that holds it. How much of the word it has, the word among its
// neighbors there, and who they are.

import { make, wordButton, write } from "../shared/elements.js";
import { coordinate, nearPlace, neighbors, proportion, wordsOf } from "./mixture.js";
import { Picture, RANKS, shownIn } from "./picture.js";
import { fitting, toPixel } from "../shared/window.js";
import { WordRows, percent } from "./rows.js";
import { isOnce, listOf, placeIn, seenIn } from "./senses.js";
import { titleOf } from "./sentence.js";

/** @import { Neighbor } from "./mixture.js" */
/** @import { Place } from "./senses.js" */

/**
 * @typedef {object} Shown  a map, or a sense with its place in a map
 * @property {string} key
 * @property {number} m  -1 where the fit shown does not have the sense
 * @property {Sense|undefined} sense
 * @property {Place|undefined} place
 */

export const NAMED = 5; // own associates that a card names and draws before anybody asks for details
const DRAWN = 3; // of them that a picture has at least, where it can have so many
const AROUND = 12; // neighbors that a picture must hold that has no words of a sense
const HELD = 0.02; // proportion from which on a map holds a word: its circle could not be seen below
const WEAK = 0.03; // a neighbor weaker than this part of the strongest one does not widen the picture
const CLOSEST = 0.3; // map units around the place that are always seen: closer, all strengths are nearly the same
const [ASIDE, ABOVE] = [72, 16]; // pixels around the outermost words, for their names
const READ = 1.25; // letters of a picture in which a few words are named, beside those of one full of them
const MOST_DRAWN = 220;
const MOST_LABELS = 40;
/** @type {Kind[]} */
const KINDS = ["associate", "company", "neighbor", "stranger"];

/**
 * The window that holds a place and some words, with room for their names: no other word, however near, widens it.
 * @param {Mixture} x @param {number} m @param {Pair} center @param {number[]} words @param {Pair} size
 */
export function frameOf(x, m, [cx, cy], words, [width, height]) {
  const corners = [cx - CLOSEST, cy - CLOSEST, cx + CLOSEST, cy + CLOSEST];
  const points = words.flatMap((j) => [coordinate(x, m, j, 0), coordinate(x, m, j, 1)]);
  const [across, up] = [Math.max(width - 2 * ASIDE, width / 2), Math.max(height - 2 * ABOVE, height / 2)];
  const inner = fitting(Float32Array.from([...corners, ...points]), across, up);
  return { ...inner, width: (inner.width * width) / across };
}

/** @param {Place} place */
function placeInWords({ map, proportion: part, seen }) {
  const figure = part.toFixed(2);
  return seen
    ? `map ${map}, proportion ${figure}`
    : `map ${map}, proportion ${figure}: its company is there, the word is not`;
}

export class SenseCard {
  /** @param {ExplorerStage} stage @param {ExplorerActs} acts @param {(i: number) => void} select  what a chosen word does */
  constructor(stage, acts, select) {
    this.m = -1;
    this.part = 0; // of the word: the share of its ties, or its proportion in the map
    this.stage = stage;
    this.acts = acts;
    /** @type {Sense|undefined} */
    this.sense = undefined;
    /** @type {Listed[]} */
    this.words = [];
    this.picture = new Picture(stage);
    const light = (/** @type {number} */ word) => acts.light(word);
    this.picture.listen(select, light);
    this.name = make("h4", { class: "nsne-e-map-name" });
    this.figure = make("span", { class: "nsne-e-figure", "data-part": "proportion" });
    this.bar = make("span", { class: "nsne-e-part" });
    this.seen = make("p", { class: "nsne-e-seen", "data-part": "seen", hidden: "" });
    this.open = wordButton("open-map", "whole map", { class: "nsne-e-quiet" });
    this.open.addEventListener("click", () => acts.openMap(this.m, this.open));
    this.named = make("p", { class: "nsne-e-named", "data-part": "named" });
    this.absent = make("p", { class: "nsne-e-soft", "data-part": "absent" }, "not in the maps of this fit");
    this.lists = KINDS.map((kind) => new WordRows(kind, stage, select, light));
    this.element = make(
      "article",
      { class: "nsne-e-sense" },
      make("header", {}, this.name, this.figure, this.open),
      make("div", { class: "nsne-e-bar", "aria-hidden": "true" }, this.bar),
      this.named,
      this.seen,
      this.absent,
      this.picture.element,
      ...this.lists.map(({ element }) => element),
    );
  }

  /** Show word i; `total` is the log of its z. @param {Shown} shown @param {number} i @param {number} total */
  draw({ m, sense, place }, i, total) {
    const { mixture: x, names, ties, detailed } = this.stage;
    if (!x) return;
    Object.assign(this, { m, sense });
    this.words = listOf({ mixture: x, ties, sense, place, m, i, total });
    const heading = !sense ? `Map ${m}` : isOnce(sense) ? `Fit ${sense.places[0].fit}` : titleOf(this.stage, sense);
    this.part = sense ? sense.share : proportion(x, m, i);
    const figure = sense ? percent(this.part) : this.part.toFixed(2);
    write(this.name, heading);
    write(this.figure, figure);
    this.figure.title = sense
      ? `${figure} of the ties of ${names[i]} are of this sense`
      : `${figure} of ${names[i]} is in map ${m}`;
    this.bar.style.width = `${(100 * this.part).toFixed(1)}%`;
    this.element.dataset.map = String(m);
    this.element.dataset.sense = String(sense?.number ?? "");
    this.element.setAttribute("aria-label", sense ? `${heading}, share ${figure}` : `${heading}, proportion ${figure}`);
    this.open.hidden = m < 0 || !detailed;
    this.open.setAttribute("aria-label", `Open map ${m} as a whole`);
    this.picture.element.hidden = m < 0;
    this.absent.hidden = m >= 0 || detailed;
    this.named.replaceChildren(...this.first.flatMap((word, k) => [...(k ? [", "] : []), this.inHead(word)]));
    this.named.hidden = !sense || detailed;
    if (sense && detailed) this.drawFits(sense);
    else this.seen.hidden = true;
    this.picture.canvas.setAttribute(
      "aria-label",
      `${names[i]} in map ${m}, near ${this.strongest.join(", ")}; the list below says the same`,
    );
    if (m >= 0) {
      const near = place ? nearPlace(x, m, place.at, i, AROUND) : neighbors(x, m, i, AROUND, total);
      this.drawPicture(x, i, near, place);
    }
    for (const list of this.lists) list.draw(i, detailed ? this.words : []);
  }

  /** The first own associates of the sense; of a sense whose first are hardly mapped, some more that are. */
  get first() {
    const words = (this.sense?.associates ?? []).map(({ word }) => word);
    const first = words.slice(0, NAMED);
    const more = words.slice(NAMED).filter((word) => this.holds(word));
    return [...first, ...more.slice(0, Math.max(DRAWN - first.filter((word) => this.holds(word)).length, 0))];
  }

  /** Whether the map shown holds enough of a word to draw it. @param {number} word */
  holds(word) {
    const { mixture: x } = this.stage;
    return x !== null && this.m >= 0 && word < x.N && proportion(x, this.m, word) >= HELD;
  }

  /** A word above the picture: gray where the picture cannot have it. @param {number} word */
  inHead(word) {
    const name = this.stage.called(word);
    if (this.m < 0 || this.holds(word)) return make("span", {}, name);
    return make("span", { class: "nsne-e-soft", title: `not in map ${this.m}` }, name);
  }

  /** Names of the first words listed. */
  get strongest() {
    return this.words.slice(0, 3).map(({ word }) => this.stage.called(word));
  }

  /** What the card says of itself, for ears. */
  get inWords() {
    return `${this.name.textContent}, ${this.figure.textContent}${this.seenText}: ${this.strongest.join(", ")}.`;
  }

  get seenText() {
    const { sense } = this;
    const n = this.stage.fits.length;
    if (!sense) return "";
    const sure =
      sense.number > 1 && sense.certainty >= 0 && !isOnce(sense) ? `, certainty ${sense.certainty.toFixed(2)}` : "";
    return n > 1 ? `, seen in ${seenIn(sense, n)} of ${n} fits${sure}` : sure;
  }

  /** In which fits a sense is seen: a button for each, which shows its maps. @param {Sense} sense */
  drawFits(sense) {
    const { fits, fit: shown } = this.stage;
    const marks = fits.map((_, fit) => {
      const place = placeIn(sense, fit);
      const said = place ? placeInWords(place) : "not seen";
      const help = `Fit ${fit}: ${said}. Show its maps`;
      const look = place?.seen ? " nsne-e-found" : place ? " nsne-e-half" : "";
      const is = { type: "button", class: `nsne-e-fit${look}`, "data-control": "show-fit" };
      const mark = make("button", { ...is, title: help, "aria-label": help, "aria-pressed": String(fit === shown) });
      mark.addEventListener("click", () => this.acts.showFit(fit));
      return mark;
    });
    const here = placeIn(sense, shown);
    const missing = sense.places.length ? `not in fit ${shown}: choose a filled one` : "no fit shows it";
    const focused = [...this.seen.querySelectorAll("button")].indexOf(
      /** @type {HTMLButtonElement} */ (document.activeElement),
    );
    this.seen.replaceChildren(
      make("span", {}, this.seenText.slice(2)),
      make("span", { class: "nsne-e-fits", role: "group", "aria-label": "Fits" }, ...(fits.length > 1 ? marks : [])),
      make("span", {}, here ? placeInWords(here) : missing),
    );
    this.seen.hidden = false;
    if (focused >= 0) marks[focused]?.focus({ preventScroll: true });
  }

  /** @param {Mixture} x @param {number} i @param {Neighbor[]} near @param {Place|undefined} place */
  drawPicture(x, i, near, place) {
    const { names, detailed } = this.stage;
    const { m } = this;
    const [width, height] = this.picture.room;
    if (!width || !height) return;
    /** @param {number} j @returns {Pair} */
    const pointOf = (j) => [coordinate(x, m, j, 0), coordinate(x, m, j, 1)];
    /** @type {Pair} where the sense is, which a fit may have missed; or else the word */
    const center = place ? [place.at[0], x.d > 1 ? place.at[1] : 0] : pointOf(i);
    const first = this.first.filter((word) => this.holds(word));
    /** @type {Map<number, number>} */
    const rank = new Map(first.map((word) => [word, RANKS.associate]));
    if (detailed) for (const { word, kind } of this.words) if (this.holds(word)) rank.set(word, RANKS[kind]);
    if (!this.sense) for (const { word } of near) rank.set(word, RANKS.neighbor);
    const strong = near.filter(({ strength }, k) => k === 0 || strength >= WEAK * near[0].strength);
    // Before anybody asks for details the picture is about the words above it; in detail, about what is near.
    const framed = !detailed && first.length ? first : strong.map(({ word }) => word);
    const window = frameOf(x, m, center, framed, [width, height]);
    const away = (/** @type {Pair} */ [px, py]) => Math.hypot(px - center[0], py - center[1]);
    const others = wordsOf(x, m)
      .filter((j) => j !== i && !rank.has(j))
      .map((j) => ({ j, weight: proportion(x, m, j) * Math.exp(-0.3 * away(pointOf(j))) }))
      .sort((a, b) => b.weight - a.weight || a.j - b.j)
      .map(({ j }) => j);
    const rankOf = (/** @type {number} */ j) => rank.get(j) ?? RANKS.other;
    const [left, top] = toPixel(window, ...center, width, height);
    const middle = { x: left, y: top }; // where the sense is
    const words = [
      { word: i, name: names[i], ...middle, proportion: proportion(x, m, i), rank: RANKS.word },
      ...shownIn(x, names, m, [...rank.keys(), ...others], rankOf, window, [width, height], MOST_DRAWN),
    ];
    const ring = x.d === 2 && detailed ? { ...middle, r: width / window.width } : null;
    const labels = detailed ? MOST_LABELS : words.filter(({ rank }) => rank < RANKS.other).length;
    const letters = detailed ? 1 : READ;
    this.picture.draw(words, width, height, labels, { ring, linked: Boolean(this.sense), letters });
  }

  /** @param {number} word */
  light(word) {
    this.picture.light(word);
    for (const list of this.lists) list.light(word);
  }
}
