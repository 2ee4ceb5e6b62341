// The word looked at: its heading, and a card for each of its maps.

import { focusWithin, make, write } from "../shared/elements.js";
import { SenseCard } from "./card.js";
import { logTotal, mapsAbove, proportion, sharedWords } from "./mixture.js";

/** @import { ExplorerActs } from "./explorer.js" */
/** @import { ExplorerStage } from "./stage.js" */

const MOST_CARDS = 12; // maps of one word side by side
const OFFERED_WORDS = 12; // words to begin with

export class WordSenses {
  /** @param {ExplorerStage} stage @param {ExplorerActs} acts @param {HTMLElement} waiting  what stands where maps will be */
  constructor(stage, acts, waiting) {
    this.stage = stage;
    this.acts = acts;
    /** @type {Map<number, SenseCard>} by its map */
    this.cards = new Map();
    this.heading = make("h3", { tabindex: "-1", "data-part": "word" });
    this.summary = make("p", { class: "nsne-e-soft", "data-part": "summary" });
    this.begin = make("div", { class: "nsne-e-begin", "data-part": "begin" });
    this.senses = make("div", { class: "nsne-e-senses", "data-part": "senses" });
    const headline = make("div", { class: "nsne-e-headline" }, this.heading, this.summary);
    this.element = make("section", { class: "nsne-e-result" }, headline, this.begin, waiting, this.senses);
  }

  /** Light a word wherever it is drawn; -1 for none. @param {number} word */
  light(word) {
    for (const card of this.cards.values()) card.light(word);
  }

  /** How many maps hold a word. @param {number} i */
  mapsInWords(i) {
    const { mixture, threshold } = this.stage;
    if (!mixture) return "";
    const above = mapsAbove(mixture, i, threshold).length;
    return above ? `${above} map${above > 1 ? "s" : ""}` : "no map above the threshold";
  }

  /** The word and its maps in a sentence each, for ears. */
  inWords() {
    const { mixture, names, word } = this.stage;
    if (!mixture) return names[word];
    const above = [...this.cards.values()].map(
      ({ m, strongest }) => `Map ${m}, ${proportion(mixture, m, word).toFixed(2)}: ${strongest.join(", ")}.`,
    );
    return `${names[word]}: ${this.mapsInWords(word)}. ${above.join(" ")}`;
  }

  /** Draw the word and its maps; returns all maps that hold it, and how many are shown. */
  draw() {
    const { mixture: x, names, word, threshold } = this.stage;
    const known = word >= 0;
    const maps = x && known ? mapsAbove(x, word, threshold) : [];
    write(this.heading, known ? names[word] : "");
    write(this.summary, known && x ? this.summaryOf(maps) : "");
    this.element.classList.toggle("nsne-e-empty", !known);
    this.drawBeginning();
    const shown = maps.slice(0, MOST_CARDS);
    this.placeCards(shown);
    if (x && shown.length) {
      const total = logTotal(x, word);
      for (const card of this.cards.values()) card.draw(word, total);
    }
    return { maps, shown: shown.length };
  }

  /** Cards for these maps; in their order, unless somebody reads in one of them. @param {number[]} shown */
  placeCards(shown) {
    for (const [m, card] of this.cards) {
      if (shown.includes(m)) continue;
      card.element.remove();
      this.cards.delete(m);
    }
    const old = [...this.cards.keys()];
    const same = old.length === shown.length && shown.every((m) => this.cards.has(m));
    if ((same && focusWithin(this.senses)) || shown.join() === old.join()) return;
    this.cards = new Map(shown.map((m) => [m, this.cards.get(m) ?? new SenseCard(m, this.stage, this.acts)]));
    this.senses.replaceChildren(...[...this.cards.values()].map((card) => card.element));
  }

  /** @param {number[]} maps  that hold the word */
  summaryOf(maps) {
    const { mixture: x, word, threshold } = this.stage;
    if (!x) return "";
    const below = x.M - maps.length;
    if (!maps.length) {
      const largest = mapsAbove(x, word, -1)[0];
      const part = proportion(x, largest, word).toFixed(2);
      const none = `no map holds more than ${threshold.toFixed(2)} of it`;
      return `${none}; the largest part, ${part}, is in map ${largest}: lower the threshold to see it`;
    }
    const held = maps.reduce((sum, m) => sum + proportion(x, m, word), 0);
    const more = maps.length > MOST_CARDS ? `, the first ${MOST_CARDS} shown` : "";
    const left = Math.max(0, 1 - held).toFixed(2);
    const rest = below ? ` · ${below} more below ${threshold.toFixed(2)}, ${left} together` : "";
    return `in ${maps.length} map${maps.length > 1 ? "s" : ""}${more}${rest}`;
  }

  /** Before the first word: words that several maps share, to begin with. */
  drawBeginning() {
    const { mixture: x, names, word, threshold } = this.stage;
    this.begin.hidden = word >= 0 || !x;
    if (word >= 0 || !x) return;
    const words = sharedWords(x, threshold, OFFERED_WORDS);
    const before = words.length
      ? "Search a word, or begin with one that several maps share:"
      : "Search a word, or open a map below.";
    const chips = words.map((i) => {
      const chip = make("button", { type: "button", class: "nsne-e-chip", "data-control": "begin" }, names[i]);
      chip.addEventListener("click", () => this.acts.select(i));
      return chip;
    });
    this.begin.replaceChildren(make("p", {}, before), ...chips);
  }
}
