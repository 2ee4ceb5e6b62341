// The word looked at: its heading, and a card for each of its senses or maps.

import { button, focusWithin, make, wordButton, write } from "../shared/elements.js";
import { SenseCard } from "./card.js";
import { warning } from "./legend.js";
import { logTotal, mapsAbove, proportion, sharedWords } from "./mixture.js";
import { Note } from "./notes.js";
import { percent } from "./rows.js";
import { isOnce, placeIn } from "./senses.js";
import { sentence } from "./sentence.js";
import { AGREED } from "./table/columns.js";

/** @import { Shown } from "./card.js" */

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
    this.values = make("p", { class: "nsne-e-soft", "data-part": part("values") });
    this.weaker = make("details", { class: "nsne-e-weaker", "data-part": part("weaker") });
    this.weakerTitle = make("summary");
    this.weakerCards = make("div", { class: "nsne-e-senses" });
    this.weaker.append(this.weakerTitle, this.weakerCards);
    this.small = make("p", { class: "nsne-e-small", "data-part": part("small") });
    this.begin = make("div", { class: "nsne-e-begin", "data-part": part("begin") });
    this.senses = make("div", { class: "nsne-e-senses", "data-part": part("senses") });
    this.once = make("div", { class: "nsne-e-senses", "data-part": part("once") });
    this.onceTitle = make("h4", { class: "nsne-e-once" }, "Seen in one fit only");
    this.close = button("close-beside", "", "Take this word away", "×");
    this.close.addEventListener("click", () => acts.select(-1, { beside: true }));
    this.close.hidden = which === "word";
    const headline = make("div", { class: "nsne-e-headline" }, this.heading, this.close, this.summary);
    this.element = make(
      "section",
      { class: "nsne-e-result" },
      headline,
      this.values,
      this.note.shown,
      this.begin,
      ...waiting,
      this.senses,
      this.weaker,
      this.small,
      this.warning,
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
    const { mixture, threshold, senses } = this.stage;
    if (!mixture) return "";
    if (senses) {
      const { length } = this.stage.sensesOf(i).shown;
      return length === 1 ? "1 sense" : `${length} senses`;
    }
    const { length } = mapsAbove(mixture, i, threshold);
    if (!length) return "no map above the threshold";
    return length > 1 ? `${length} maps` : "1 map";
  }

  /** The word and its cards in a sentence each, for ears. */
  inWords() {
    const { mixture, names } = this.stage;
    if (!mixture) return names[this.i];
    return `${names[this.i]}: ${this.countInWords(this.i)}. ${[...this.cards.values()].map((card) => card.inWords).join(" ")}`;
  }

  /**
   * What is shown of the word: its senses; or the maps that hold it, where no senses are known.
   * @param {number[]} maps @returns {Shown[]}
   */
  shownOf(maps) {
    const { senses, fit, detailed } = this.stage;
    if (!senses)
      return maps.slice(0, MOST_CARDS).map((m) => ({ key: `map ${m}`, m, sense: undefined, place: undefined }));
    const { shown, weaker, once } = this.stage.sensesOf(this.i);
    return [...shown, ...weaker, ...(detailed ? once : [])].map((sense) => {
      const place = placeIn(sense, fit);
      return { key: `sense ${sense.number}`, sense, place, m: place?.map ?? -1 };
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
    this.drawBesides(known && Boolean(x));
    this.note.element.hidden = !known;
    if (known) this.note.show(names[i]);
    this.element.classList.toggle("nsne-e-empty", !known);
    this.element.hidden = !known && this.which === "beside";
    this.drawBeginning();
    const once = shown.filter(({ sense }) => sense && isOnce(sense));
    const weaker = this.stage.sensesOf(this.i).weaker.map(({ number }) => number);
    const aside = shown.filter(({ sense }) => sense && weaker.includes(sense.number));
    this.onceTitle.hidden = this.once.hidden = !once.length;
    this.weaker.hidden = !aside.length;
    write(this.weakerTitle, aside.length === 1 ? "One weaker sense" : `${aside.length} weaker senses`);
    /** @type {Map<Shown, HTMLElement>} */
    const elsewhere = new Map();
    for (const one of once) elsewhere.set(one, this.once);
    for (const one of aside) elsewhere.set(one, this.weakerCards);
    this.placeCards(shown, elsewhere);
    if (x && shown.length) {
      const total = logTotal(x, i);
      for (const one of shown) this.cards.get(one.key)?.draw(one, i, total);
    }
    return { maps, shown: shown.length };
  }

  /**
   * Cards for what is shown; in its order, unless somebody reads in one of them.
   * @param {Shown[]} shown @param {Map<Shown, HTMLElement>} elsewhere  where a card stands that is not among the senses
   */
  placeCards(shown, elsewhere) {
    const keys = shown.map(({ key }) => key);
    const old = [...this.cards.keys()];
    const same = old.length === keys.length && keys.every((key) => this.cards.has(key));
    if (same && focusWithin(this.senses) && !elsewhere.size) return;
    if (keys.join() !== old.join()) {
      for (const [key, card] of this.cards) if (!keys.includes(key)) card.element.remove();
      /** @param {string} key */
      const cardOf = (key) => this.cards.get(key) ?? new SenseCard(this.stage, this.acts, (i) => this.select(i));
      this.cards = new Map(keys.map((key) => [key, cardOf(key)]));
    }
    for (const box of [this.senses, this.weakerCards, this.once]) {
      const own = shown.filter((one) => (elsewhere.get(one) ?? this.senses) === box);
      const elements = own.flatMap(({ key }) => this.cards.get(key)?.element ?? []);
      if (elements.some((element, k) => box.children[k] !== element) || box.children.length !== elements.length)
        box.replaceChildren(...elements);
    }
  }

  /** What is known of the word besides its senses. @param {boolean} known */
  drawBesides(known) {
    const { stage, i } = this;
    const values = !known || !stage.detailed ? [] : stage.columns.filter(({ name }) => !AGREED.has(name));
    const said = values
      .map(({ name }) => /** @type {[string, number]} */ ([name, stage.valueOf(name, i)]))
      .filter(([, value]) => !Number.isNaN(value))
      .map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
    write(this.values, said.join(" · "));
    this.values.hidden = !said.length;
    const groups = known ? stage.sensesOf(i).small : [];
    const lists = groups.map(({ associates, share }) => {
      const words = associates.map(({ word }) => stage.called(word));
      return `${words.join(", ")} with ${percent(share)} of its ties`;
    });
    write(this.small, lists.length ? `Small, but apart: ${lists.join("; ")}` : "");
    this.small.hidden = !lists.length;
  }

  /** @param {number} i */
  select(i) {
    this.acts.select(i, { beside: this.which === "beside" });
  }

  /** @param {number[]} maps  that hold the word */
  summaryOf(maps) {
    const { mixture: x, threshold, senses, detailed } = this.stage;
    if (!x) return "";
    if (senses) {
      const sure = this.stage.valueOf("certainty", this.i);
      const said = sentence(this.stage, this.i, this.stage.sensesOf(this.i).shown);
      const figure = detailed && !Number.isNaN(sure) ? `Certainty that there is a second one: ${sure.toFixed(2)}.` : "";
      return [said, figure].filter(Boolean).join(" ");
    }
    const below = x.M - maps.length;
    if (!maps.length) {
      const largest = mapsAbove(x, this.i, -1)[0];
      const part = proportion(x, largest, this.i).toFixed(2);
      const least = threshold.toFixed(2);
      return `no map holds more than ${least} of it; the largest part, ${part}, is in map ${largest}: lower the threshold to see it`;
    }
    const held = maps.reduce((sum, m) => sum + proportion(x, m, this.i), 0);
    const more = maps.length > MOST_CARDS ? `, the first ${MOST_CARDS} shown` : "";
    const left = Math.max(0, 1 - held).toFixed(2);
    const rest = below ? ` · ${below} more below ${threshold.toFixed(2)}, ${left} together` : "";
    return (maps.length > 1 ? `in ${maps.length} maps` : "in 1 map") + more + rest;
  }

  /** Before the first word: those that are surest to have two senses, or that several maps share, to begin with. */
  drawBeginning() {
    const { mixture: x, names, word, threshold, senses } = this.stage;
    this.begin.hidden = this.which === "beside" || word >= 0 || !x;
    if (this.begin.hidden || !x) return;
    const words = senses ? this.stage.surest(OFFERED_WORDS) : sharedWords(x, threshold, OFFERED_WORDS);
    const some = senses
      ? "Search a word, or begin with one of several senses:"
      : "Search a word, or begin with one that several maps share:";
    const before = words.length ? some : "Search a word, or open a map below.";
    const chips = words.map((i) => {
      const chip = wordButton("begin", names[i], { class: "nsne-e-chip" });
      chip.addEventListener("click", () => this.acts.select(i));
      return chip;
    });
    this.begin.replaceChildren(make("p", {}, before), ...chips);
  }
}
