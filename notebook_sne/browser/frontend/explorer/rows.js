// Lists of words beside a picture: who belongs to a sense, who is only near. Each row has a figure, and the counts.

import { make, write } from "../shared/elements.js";
import { countOf } from "./mixture.js";
import { isSingle } from "./senses.js";

/** What the lists are called, and what they mean. @type {Record<Kind, [title: string, what: string]>} */
export const LISTS = {
  associate: [
    "Own associates",
    "Given for the word, or it for them, and of this sense. The figure: how far they belong to it, from 0 to 1",
  ],
  company: [
    "Company",
    "Near its place in the map, and tied to its associates. The figure: part of what is near the place",
  ],
  stranger: ["◇ Strangers", "Near its place in the map, but not tied to its associates: ignore them"],
  neighbor: ["", "Near in the map"],
  strong: ["Strongest words", "With the largest sums of strengths in the map. The figure: their mixing proportions"],
};

export class WordRows {
  /** @param {Kind} kind @param {ExplorerStage} stage @param {(i: number) => void} select @param {ExplorerActs["light"]} light */
  constructor(kind, stage, select, light) {
    const [title, what] = LISTS[kind];
    this.kind = kind;
    this.stage = stage;
    this.select = select;
    this.lightWord = light;
    /** @type {ReturnType<WordRows["addRow"]>[]} */
    this.rows = [];
    this.list = make("ol", {
      class: "nsne-e-neighbors",
      "data-part": "neighbors",
      "aria-label": title || "Neighbors",
    });
    this.element = make("div", { "data-kind": kind, hidden: "" });
    if (title) this.element.append(make("h5", { title: what }, title));
    this.element.append(this.list);
  }

  /** Show those of the words that are of this kind, as seen from word i. @param {number} i @param {Listed[]} words */
  draw(i, words) {
    const own = words.filter(({ kind }) => kind === this.kind);
    this.element.hidden = !own.length;
    while (this.rows.length < own.length) this.addRow();
    while (this.rows.length > own.length) this.rows.pop()?.item.remove();
    const whole = this.kind === "associate" || this.kind === "strong"; // of 1
    const widest = whole ? 1 : Math.max(...own.map(({ value }) => value)) || 1;
    const { names, counts, senses } = this.stage;
    own.forEach((one, k) => {
      const { word, value, explained = Number.NaN } = one;
      const row = this.rows[k];
      const mapped = word < names.length;
      row.word = word;
      write(row.name, this.stage.called(word));
      row.button.disabled = !mapped;
      row.button.title = mapped ? "" : "A word of the norms that is not mapped";
      row.button.classList.toggle("nsne-e-single", isSingle(one));
      row.button.setAttribute("data-i", String(word));
      row.button.setAttribute("aria-current", String(word === this.stage.word));
      row.button.classList.toggle("nsne-e-lit", word === this.stage.lit);
      row.bar.style.width = `${Math.max((100 * value) / widest, 1).toFixed(1)}%`;
      const figure = whole ? value.toFixed(2) : percent(value);
      write(row.share, figure);
      const [given, giving] = counts ? answersOf(this.stage, i, one) : [0, 0];
      const counted = isSingle(one) ? "1 answer" : countsInWords(names[i], given, giving);
      const maps = senses && !Number.isNaN(explained) && explained !== value ? `${explained.toFixed(2)} by maps` : "";
      const said = [counted, maps].filter(Boolean).join(" · ");
      write(row.counts, said);
      row.counts.hidden = !said;
      row.button.setAttribute("aria-label", [row.name.textContent, figure, said].filter(Boolean).join(", "));
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
    button.addEventListener("click", () => this.select(row.word));
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => this.lightWord(row.word));
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => this.lightWord(-1));
    this.rows.push(row);
    this.list.append(row.item);
    return row;
  }

  /** @param {number} word */
  light(word) {
    for (const row of this.rows) row.button.classList.toggle("nsne-e-lit", row.word === word);
  }
}

/**
 * How often a listed word was given for word i, and that for it: as the norms say, or the counts of what is mapped.
 * @param {Pick<ExplorerStage, "counts">} stage @param {number} i @param {Listed} listed
 * @returns {[given: number, giving: number]}
 */
export function answersOf({ counts }, i, { word, given = Number.NaN, giving = Number.NaN }) {
  if (!Number.isNaN(given)) return [given, giving];
  return counts ? [countOf(counts, i, word), countOf(counts, word, i)] : [0, 0];
}

const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** A word within a sentence: one that is written from right to left turns none of the figures beside it. @param {string} word */
export const apart = (word) => (FROM_RIGHT.test(word) ? `\u2068${word}\u2069` : word);

/** A share in percent, with as many figures as tell something. @param {number} share */
export function percent(share) {
  const value = 100 * share;
  return value >= 0.1 ? `${value.toFixed(value >= 9.95 ? 0 : 1)}%` : "<\u00a00.1%";
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
