// The word looked at: its heading, and a card for each of its senses or maps.

import { phrase } from "../languages/phrase.js";
import { button, focusWithin, make, write } from "../shared/elements.js";
import { MISSED, SenseCard } from "./card.js";
import { warning } from "./legend.js";
import { logTotal, mapsAbove, proportion, sharedWords } from "./mixture.js";
import { Note } from "./notes.js";
import { isOnce, placeIn } from "./senses.js";

/** @import { Model } from "../shared/types.d.ts" */
/** @import { Shown } from "./card.js" */
/** @import { ExplorerActs } from "./explorer.js" */
/** @import { ExplorerStage } from "./stage.js" */

const MOST_CARDS = 12; // maps of one word side by side
const OFFERED_WORDS = 12; // words to begin with

export class WordSenses {
  /**
   * @param {"word"|"beside"} which  the word looked at, or the one beside it
   * @param {ExplorerStage} stage @param {ExplorerActs} acts @param {Model} model @param {HTMLElement[]} waiting  what stands where maps will be
   */
  constructor(which, stage, acts, model, ...waiting) {
    this.which = which;
    this.stage = stage;
    this.acts = acts;
    /** @type {Map<string, SenseCard>} */
    this.cards = new Map();
    const part = (/** @type {string} */ name) => (which === "word" ? name : `${name}-beside`);
    this.note = new Note(model, part("note"));
    this.heading = make("h3", { tabindex: "-1", "data-part": which });
    this.summary = make("p", { class: "nsne-e-soft", "data-part": part("summary") });
    this.warning = make("p", { class: "nsne-e-warning", "data-part": part("warning"), role: "note" });
    this.begin = make("div", { class: "nsne-e-begin", "data-part": part("begin") });
    this.senses = make("div", { class: "nsne-e-senses", "data-part": part("senses") });
    this.once = make("div", { class: "nsne-e-senses", "data-part": part("once") });
    this.onceTitle = make("h4", { class: "nsne-e-once" }, phrase`Seen in one fit only`);
    this.close = button("close-beside", "", phrase`Take this word away`, "×");
    this.close.addEventListener("click", () => acts.select(-1, { beside: true }));
    this.close.hidden = which === "word";
    const headline = make("div", { class: "nsne-e-headline" }, this.heading, this.close, this.summary);
    this.element = make(
      "section",
      { class: "nsne-e-result" },
      headline,
      this.warning,
      this.note.shown,
      this.begin,
      ...waiting,
      this.senses,
      this.onceTitle,
      this.once,
      this.note.element,
    );
  }

  get i() {
    return this.stage[this.which];
  }

  /** Light a word wherever it is drawn; -1 for none. @param {number} word */
  light(word) {
    for (const card of this.cards.values()) card.light(word);
  }

  /** How many senses a word has, or how many maps hold it. @param {number} i */
  countInWords(i) {
    const { mixture, threshold, agreed, senses } = this.stage;
    if (!mixture) return "";
    const n =
      agreed && senses ? senses(i).filter((sense) => !isOnce(sense)).length : mapsAbove(mixture, i, threshold).length;
    if (agreed) return n === 1 ? phrase`1 sense` : phrase`${n} senses`;
    if (!n) return phrase`no map above the threshold`;
    return n > 1 ? phrase`${n} maps` : phrase`1 map`;
  }

  /** The word and its cards in a sentence each, for ears. */
  inWords() {
    const { mixture, names } = this.stage;
    if (!mixture) return names[this.i];
    return `${names[this.i]}: ${this.countInWords(this.i)}. ${[...this.cards.values()].map((card) => card.inWords).join(" ")}`;
  }

  /**
   * What is shown of the word: its senses over all fits; or of one fit the maps that hold it, and those that hold the
   * company of a sense, where the fit has missed the word.
   * @param {number[]} maps @returns {Shown[]}
   */
  shownOf(maps) {
    const { agreed, senses, fit, mixture: x } = this.stage;
    const known = (senses?.(this.i) ?? []).map((sense) => ({ sense, place: placeIn(sense, fit) }));
    if (agreed) {
      return known.map(({ sense, place }) => ({ key: `sense ${sense.number}`, sense, place, m: place?.map ?? -1 }));
    }
    const missed = known.flatMap(({ place }) =>
      x && place && proportion(x, place.map, this.i) < MISSED ? [place.map] : [],
    );
    const own = maps.slice(0, MOST_CARDS);
    return [...own, ...missed.filter((m) => !own.includes(m))].map((m) => {
      const at = known.find(({ place }) => place?.map === m);
      return { key: `map ${m}`, m, sense: at?.sense, place: at?.place };
    });
  }

  /** Draw the word and its cards; returns all maps that hold it, and how many cards there are. */
  draw() {
    const { mixture: x, names, threshold } = this.stage;
    const { i } = this;
    const known = i >= 0;
    const maps = x && known ? mapsAbove(x, i, threshold) : [];
    const shown = x && known ? this.shownOf(maps) : [];
    write(this.heading, known ? names[i] : "");
    write(this.summary, known && x ? this.summaryOf(maps) : "");
    write(this.warning, this.which === "word" ? warning(this.stage) : "");
    this.warning.hidden = !known || !x || !this.warning.textContent;
    this.note.element.hidden = !known;
    if (known) this.note.show(names[i]);
    this.element.classList.toggle("nsne-e-empty", !known);
    this.element.hidden = !known && this.which === "beside";
    this.drawBeginning();
    const once = shown.filter(({ sense }) => this.stage.agreed && sense && isOnce(sense));
    this.onceTitle.hidden = this.once.hidden = !once.length;
    this.placeCards(shown, new Set(once));
    if (x && shown.length) {
      const total = logTotal(x, i);
      for (const one of shown) this.cards.get(one.key)?.draw(one, i, total);
    }
    return { maps, shown: shown.length };
  }

  /** Cards for what is shown; in its order, unless somebody reads in one of them. @param {Shown[]} shown @param {Set<Shown>} once */
  placeCards(shown, once) {
    const keys = shown.map(({ key }) => key);
    const old = [...this.cards.keys()];
    const same = old.length === keys.length && keys.every((key) => this.cards.has(key));
    if (same && focusWithin(this.senses) && !once.size) return;
    if (keys.join() !== old.join()) {
      for (const [key, card] of this.cards) if (!keys.includes(key)) card.element.remove();
      /** @param {string} key */
      const cardOf = (key) => this.cards.get(key) ?? new SenseCard(this.stage, this.acts, (i) => this.select(i));
      this.cards = new Map(keys.map((key) => [key, cardOf(key)]));
    }
    /** @param {HTMLElement} box @param {Shown[]} own */
    const fill = (box, own) => {
      const elements = own.flatMap(({ key }) => this.cards.get(key)?.element ?? []);
      if (elements.some((element, k) => box.children[k] !== element) || box.children.length !== elements.length)
        box.replaceChildren(...elements);
    };
    fill(
      this.senses,
      shown.filter((one) => !once.has(one)),
    );
    fill(this.once, [...once]);
  }

  /** @param {number} i */
  select(i) {
    this.acts.select(i, { beside: this.which === "beside" });
  }

  /** @param {number[]} maps  that hold the word */
  summaryOf(maps) {
    const { mixture: x, threshold, agreed, fits, senses } = this.stage;
    if (!x) return "";
    if (agreed && senses) {
      const sure = this.stage.valueOf("certainty", this.i);
      const said = Number.isNaN(sure) ? "" : ` · ${phrase`certainty that there is a second one ${sure.toFixed(2)}`}`;
      return phrase`${this.countInWords(this.i)} over ${fits.length} fits` + said;
    }
    const below = x.M - maps.length;
    if (!maps.length) {
      const largest = mapsAbove(x, this.i, -1)[0];
      const part = proportion(x, largest, this.i).toFixed(2);
      const least = threshold.toFixed(2);
      return phrase`no map holds more than ${least} of it; the largest part, ${part}, is in map ${largest}: lower the threshold to see it`;
    }
    const held = maps.reduce((sum, m) => sum + proportion(x, m, this.i), 0);
    const more = maps.length > MOST_CARDS ? phrase`, the first ${MOST_CARDS} shown` : "";
    const left = Math.max(0, 1 - held).toFixed(2);
    const rest = below ? ` · ${phrase`${below} more below ${threshold.toFixed(2)}, ${left} together`}` : "";
    return (maps.length > 1 ? phrase`in ${maps.length} maps` : phrase`in 1 map`) + more + rest;
  }

  /** Before the first word: words that several maps share, to begin with. */
  drawBeginning() {
    const { mixture: x, names, word, threshold } = this.stage;
    this.begin.hidden = this.which === "beside" || word >= 0 || !x;
    if (this.begin.hidden || !x) return;
    const words = sharedWords(x, threshold, OFFERED_WORDS);
    const before = words.length
      ? phrase`Search a word, or begin with one that several maps share:`
      : phrase`Search a word, or open a map below.`;
    const chips = words.map((i) => {
      const chip = make("button", { type: "button", class: "nsne-e-chip", "data-control": "begin" }, names[i]);
      chip.addEventListener("click", () => this.acts.select(i));
      return chip;
    });
    this.begin.replaceChildren(make("p", {}, before), ...chips);
  }
}
