// The search field: completions of what is typed, and an offer of other spellings for a word that is not there.

import { Combobox } from "../shared/combobox.js";
import { make } from "../shared/elements.js";
import { findWord, holding, suggestions } from "../shared/spelling.js";

/** @import { Entry } from "../shared/combobox.js" */
/** @import { Spellings } from "../shared/spelling.js" */

const OFFERED = 8; // completions
const CLOSE = 6; // other spellings

export class Search {
  /**
   * @param {Spellings} index  spellings of the names
   * @param {(i: number) => void} choose
   * @param {(i: number) => string} remark  a few words beside a completion
   * @param {{what: string, control: string, offer: HTMLElement}} [second]  of a field that may be emptied: what it is for,
   *   its control, and where it offers other spellings
   */
  constructor(index, choose, remark, second) {
    this.index = index;
    this.second = second;
    this.choose = choose;
    this.remark = remark;
    /** @type {Combobox<Entry & {i: number}>} */
    this.box = new Combobox({
      what: second?.what ?? "Search a word",
      found: "Words",
      part: second ? `completions-${second.control}` : "completions",
      typed: () => this.typed(),
      take: ({ i }) => this.take(i),
      submit: () => this.submit(),
    });
    this.input = this.box.input;
    if (second) this.input.setAttribute("data-control", second.control);
    this.offer = second?.offer ?? make("div", { class: "nsne-e-offer", role: "status", "data-part": "suggestions" });
    this.element = make("div", { class: "nsne-search nsne-e-search" }, this.input, this.box.list);
  }

  /** Show a word that was chosen elsewhere. @param {string} name */
  set(name) {
    if (document.activeElement !== this.input || this.box.list.hidden) this.input.value = name;
    this.offer.replaceChildren();
  }

  typed() {
    const { names, folded } = this.index;
    this.offer.replaceChildren();
    const found = holding(names, folded, this.input.value).slice(0, OFFERED);
    this.box.show(found.map((i) => ({ i, words: names[i], remark: this.remark(i) })));
  }

  /** @param {number} i */
  take(i) {
    this.box.show([]);
    this.input.value = this.index.names[i];
    this.offer.replaceChildren();
    this.choose(i);
  }

  submit() {
    const text = this.input.value;
    if (!text.trim()) return this.second && this.choose(-1);
    const found = findWord(this.index, text);
    if (found >= 0) return this.take(found);
    this.box.show([]);
    const words = suggestions(this.index, text, CLOSE).map((i) => this.chip(i));
    const more = words.length ? "Did you mean" : "No word has a similar spelling.";
    this.offer.replaceChildren(make("span", {}, `There is no word “${text.trim()}”. ${more}`), ...words);
  }

  /** @param {number} i */
  chip(i) {
    const chip = make("button", { type: "button", class: "nsne-e-chip", "data-control": "suggestion" });
    chip.append(this.index.names[i]);
    chip.addEventListener("click", () => this.take(i));
    return chip;
  }
}
