// The search field for a word: a list of those that hold what is typed, or else of those that are spelled alike.

import { Combobox } from "../shared/combobox.js";
import { attribute, icon, make } from "../shared/elements.js";
import { holding, suggestions } from "../shared/spelling.js";

/** @import { Spellings } from "../shared/spelling.js" */

const OFFERED = 8; // words in the list

export class Search {
  /**
   * @param {Spellings} index  spellings of the names @param {Pick<ExplorerActs, "say">} acts
   * @param {(i: number) => void} choose @param {(i: number) => string} remark  a few words beside a name
   * @param {string} [what]  the field is for @param {string} [control]
   */
  constructor(index, acts, choose, remark, what = "Search a word", control = "search") {
    this.index = index;
    this.acts = acts;
    this.remark = remark;
    /** @type {Combobox<Entry & {i: number}>} */
    this.box = new Combobox({
      what,
      found: "Words",
      part: control === "search" ? "completions" : `completions-${control}`,
      typed: () => this.find(),
      take: ({ i, words }) => {
        this.box.show([]);
        this.input.value = words;
        choose(i);
      },
    });
    this.input = this.box.input;
    this.input.setAttribute("data-control", control);
    this.element = make("div", { class: "nsne-search nsne-e-search" }, icon("search"), this.input, this.box.list);
  }

  /** Show a word that was chosen elsewhere. @param {string} name */
  set(name) {
    if (document.activeElement !== this.input || this.box.list.hidden) this.input.value = name;
    attribute(this.element, "data-found", "");
  }

  find() {
    const { names, folded } = this.index;
    const text = this.input.value;
    const found = holding(names, folded, text).slice(0, OFFERED);
    const alike = found.length ? [] : suggestions(this.index, text, OFFERED);
    const remark = (/** @type {number} */ i) => (found.length ? this.remark(i) : "did you mean this?");
    const entries = [...found, ...alike].map((i) => ({ i, words: names[i], remark: remark(i) }));
    this.box.show(entries);
    if (entries.length) this.box.point(0);
    const nothing = text.trim() && !entries.length;
    attribute(this.element, "data-found", nothing ? "nothing" : "");
    if (nothing) this.acts.say(`No word is spelled like “${text.trim()}”`);
  }
}
