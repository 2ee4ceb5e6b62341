// The explorer: the page elements of one view of a mixture of maps, and how a word leads to the next.
// Words, labels and titles come from anybody's data: they are only ever set as text.

import { isBusy } from "../shared/commands.js";
import { button, focusWithin, listener, make, write, writeData } from "../shared/elements.js";
import { watchSizes } from "../shared/sizes.js";
import { themeOf, watchTheme } from "../shared/theme.js";
import { widgetOf } from "../shared/widget.js";
import { FitBar } from "./fit.js";
import { ExplorerHub } from "./hub.js";
import { WholeMap } from "./map.js";
import { Overview } from "./overview.js";
import { sizeLegend } from "./picture.js";
import { Search } from "./search.js";
import { ExplorerStage } from "./stage.js";
import { WordSenses } from "./word.js";

const OVERVIEW_EVERY = 1000; // ms between thumbnails of a fit that goes on
const CAPTION =
  "Contexts, not dictionary senses: a map shows which words go together. A bar is the part of the word’s " +
  "neighborhood, over all maps, that it shares with a neighbor there. ";

/**
 * @typedef {object} ExplorerActs  what a hand may do in any part
 * @property {(i: number, how?: {stay?: boolean}) => void} select  look at a word; with `stay` the reader stays in place
 * @property {(i: number) => void} light  light a word wherever it is drawn; -1 for none
 * @property {(m: number, opener: HTMLElement) => void} openMap
 * @property {() => void} closeMap
 */

class ExplorerView {
  /** @param {ExplorerHub} hub @param {HTMLElement} el */
  constructor(hub, el) {
    this.hub = hub;
    this.model = hub.model;
    this.stage = new ExplorerStage(hub.model);
    /** @type {number[]} words that were looked at before */
    this.trail = [];
    this.returning = false;
    this.refreshedAt = -OVERVIEW_EVERY;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.refreshing = undefined;
    /** @type {Float32Array|null} what the thumbnails were made of */
    this.thumbnailed = null;
    /** @type {HTMLElement|undefined} the button that opened the whole map */
    this.opener = undefined;
    this.undo = new AbortController();
    /** @type {ExplorerActs} */
    const acts = {
      select: (i, how) => this.select(i, how),
      light: (i) => this.light(i),
      openMap: (m, opener) => this.openMap(m, opener),
      closeMap: () => this.closeMap(),
    };
    this.fit = new FitBar(hub);
    this.word = new WordSenses(this.stage, acts, this.fit.waiting);
    this.search = new Search(
      this.stage.index,
      (i) => this.select(i),
      (i) => this.word.mapsInWords(i),
    );
    this.whole = new WholeMap(this.stage, acts);
    this.overview = new Overview(this.stage, acts, () => writeData(this.root, { ready: "true" }));
    this.returner = button("back", "Back", "Back to the word before", "");
    this.slider = make("input", {
      type: "range",
      min: "0",
      max: "0.99",
      step: "0.01",
      "data-control": "threshold",
      "aria-label": "Show maps whose proportion is above",
    });
    this.slid = make("output", { class: "nsne-e-figure" });
    this.all = make("h4", { class: "nsne-e-map-name" });
    this.note = make("span", { class: "nsne-e-soft", "data-part": "axes" });
    this.speech = make("div", { class: "nsne-e-speech", "aria-live": "polite", "data-part": "speech" });
    this.root = this.build();
    el.append(this.root);
    this.onWord = () => this.follow();
    this.onThreshold = () => this.adjust();
    this.listen();
    this.adjust();
    this.follow();
    hub.add(this);
    this.update();
  }

  build() {
    const { fit, search } = this;
    const title = this.model.get("title");
    const heading = make("span", { class: "nsne-e-title", "data-part": "title" }, title || "");
    const threshold = make("label", { class: "nsne-e-threshold" }, "maps above", this.slider, this.slid);
    const root = make(
      "div",
      { class: "nsne-explorer", role: "group", "aria-label": `Word senses${title ? `: ${title}` : ""}` },
      make("header", { class: "nsne-e-head" }, heading, fit.facts, fit.element),
      make("div", { class: "nsne-e-tools" }, search.element, this.returner, threshold),
      search.offer,
      fit.message,
      this.word.element,
      make("footer", { class: "nsne-e-caption" }, sizeLegend(), make("p", {}, CAPTION, this.note)),
      this.whole.element,
      make("section", { class: "nsne-e-all" }, this.all, this.overview.element),
      this.speech,
    );
    root.dataset.key = this.model.get("key");
    root.style.setProperty("--nsne-e-height", `${this.model.get("height")}px`);
    return root;
  }

  listen() {
    const { signal } = this.undo;
    const on = listener(signal);
    on(this.returner, "click", () => this.back());
    on(this.slider, "input", () => this.setThreshold(Number(this.slider.value)));
    on(this.root, "keydown", (event) => this.key(event));
    this.model.on("change:word", this.onWord);
    this.model.on("change:threshold", this.onThreshold);
    watchSizes([this.root], () => this.resize(), signal);
    watchTheme(() => this.resize(), signal);
  }

  remove() {
    this.hub.remove(this);
    this.undo.abort();
    this.model.off("change:word", this.onWord);
    this.model.off("change:threshold", this.onThreshold);
    clearTimeout(this.refreshing);
    this.overview.stop();
    this.root.remove();
  }

  // ---- from word to word ----

  /** Look at word i. With `stay` the reader stays where they are on the page. @param {number} i @param {{stay?: boolean}} how */
  select(i, { stay = false } = {}) {
    const focused = focusWithin(document.body);
    this.model.set("word", this.stage.names[i]);
    this.model.save_changes();
    this.follow();
    const elsewhere = focused?.isConnected && focused !== document.body && !this.word.element.contains(focused);
    if (stay || focused === this.search.input || elsewhere) return;
    const { heading } = this.word;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "nearest", behavior: this.stage.calm.matches ? "auto" : "smooth" });
  }

  /** Show the word of the trait, whoever set it. */
  follow() {
    const { stage } = this;
    const i = stage.index.exact.get(this.model.get("word")) ?? -1;
    if (i !== stage.word && stage.word >= 0 && !this.returning) this.trail.push(stage.word);
    stage.word = i;
    this.light(-1);
    this.search.set(i >= 0 ? stage.names[i] : "");
    this.adopt();
    this.draw();
    this.overview.relight();
    if (i >= 0) write(this.speech, this.word.inWords());
  }

  back() {
    const before = this.trail.pop();
    if (before === undefined) return;
    this.returning = true;
    this.model.set("word", this.stage.names[before]);
    this.model.save_changes();
    this.follow();
    this.returning = false;
    if (!this.trail.length) this.word.heading.focus({ preventScroll: true });
  }

  /** @param {number} value */
  setThreshold(value) {
    this.model.set("threshold", value);
    this.model.save_changes();
    this.adjust();
  }

  adjust() {
    const threshold = this.model.get("threshold");
    this.stage.threshold = Math.fround(threshold); // as precise as the proportions
    if (Number(this.slider.value) !== threshold) this.slider.value = String(threshold);
    write(this.slid, threshold.toFixed(2));
    this.draw();
    if (this.stage.mixture) this.overview.relight();
  }

  /** Light a word wherever it is drawn; -1 for none. @param {number} word */
  light(word) {
    const { stage, overview } = this;
    const before = stage.lit;
    if (word === before) return;
    stage.lit = word;
    this.word.light(word);
    this.whole.light(word);
    overview.relight([...overview.tiles.keys()].filter((m) => stage.holds(m, before) || stage.holds(m, word)));
  }

  /** @param {number} m @param {HTMLElement} opener */
  openMap(m, opener) {
    this.opener = opener;
    this.whole.open(m);
    writeData(this.root, { map: m });
  }

  closeMap() {
    this.whole.close();
    writeData(this.root, { map: "" });
    (this.opener?.isConnected ? this.opener : this.search.input).focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      if (!focusWithin(this.whole.element)) return this.leave();
      event.stopPropagation();
      return this.closeMap();
    }
    // A bare letter must not reach the notebook, where two of them delete a cell, nor Enter, which edits one.
    const enter = event.key === "Enter" && !event.shiftKey;
    if (event.key.length === 1 || event.key.startsWith("Arrow") || enter) event.stopPropagation();
    if (event.key === "/" && event.target !== this.search.input) {
      event.preventDefault();
      this.search.input.focus();
    }
  }

  /** Give the keyboard back to the notebook. */
  leave() {
    focusWithin(document)?.blur();
    const cell = this.root.closest(".jp-Cell");
    if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
  }

  // ---- what is shown ----

  /** Take over new maps, if there are any. */
  adopt() {
    return this.stage.adopt(this.hub.points, this.model.get("kernel"));
  }

  /** The word and its maps. */
  draw() {
    const { names, word } = this.stage;
    const { maps, shown } = this.word.draw();
    const before = this.trail[this.trail.length - 1];
    this.returner.disabled = before === undefined;
    write(this.returner, before === undefined ? "← Back" : `← ${names[before]}`);
    this.returner.setAttribute("aria-label", before === undefined ? "Back" : `Back to ${names[before]}`);
    writeData(this.root, { word: word >= 0 ? names[word] : "", maps: maps.join(), shown });
    this.whole.draw();
  }

  /** The hub calls it at every message and once a second. */
  update() {
    const x = this.stage.mixture;
    writeData(this.root, this.fit.update(x));
    write(this.all, x ? (x.M > 1 ? `All ${x.M} maps` : "The map") : "");
    write(this.note, this.stage.howToRead());
  }

  /** New maps: the word's cards at once, the thumbnails when there is time. */
  paint() {
    if (!this.root.clientWidth) return false; // not laid out, or scrolled away by the host
    this.stage.theme = themeOf(this.root);
    if (this.adopt()) {
      this.draw();
      this.update();
    }
    if (this.stage.mixture && this.thumbnailed !== this.stage.data) this.refreshSoon();
    writeData(this.root, { frames: this.hub.frames });
    return false;
  }

  refreshSoon() {
    const goesOn = isBusy(this.hub.facts.status);
    const wait = goesOn ? this.refreshedAt + OVERVIEW_EVERY - performance.now() : 0;
    const refresh = () => {
      this.refreshedAt = performance.now();
      this.thumbnailed = this.stage.data;
      this.overview.refresh();
    };
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(refresh, Math.max(wait, 0));
  }

  resize() {
    this.paint();
    if (!this.root.clientWidth) return;
    this.draw();
    if (this.stage.mixture) this.overview.relight();
  }
}

export default widgetOf(
  (model) => new ExplorerHub(model),
  (hub, el) => new ExplorerView(hub, el),
);
