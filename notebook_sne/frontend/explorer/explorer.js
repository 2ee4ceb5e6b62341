// The explorer: the page elements of one view of a mixture of maps, and how a word leads to the next.
// Words, labels and titles come from anybody's data: they are only ever set as text.

import { isBusy } from "../shared/commands.js";
import { button, focusWithin, listener, make, write, writeData } from "../shared/elements.js";
import { SaveMenu, saveParts } from "../shared/save_menu.js";
import { watchSizes } from "../shared/sizes.js";
import { themeOf, watchTheme } from "../shared/theme.js";
import { widgetOf } from "../shared/widget.js";
import { FitBar } from "./fit.js";
import { ExplorerHub } from "./hub.js";
import { legend, limits } from "./legend.js";
import { WholeMap } from "./map.js";
import { Overview } from "./overview.js";
import { filesOf } from "./save/files.js";
import { ExplorerStage } from "./stage.js";
import { WordTable } from "./table/table.js";
import { Toolbar } from "./toolbar.js";
import { WordSenses } from "./word.js";

const FOLLOWED = "change:word change:beside change:fit change:notes";
const OVERVIEW_EVERY = 1000; // ms between thumbnails of a fit that goes on
/** @type {Record<string, [words: string, help: string]>} */
const SAVES = {
  png: ["Picture (PNG)", "Save the words shown, or the open map, as a PNG picture"],
  svg: ["Drawing (SVG)", "Save the words shown, or the open map, as an SVG drawing"],
  csv: ["Words shown (CSV)", "Save the words shown, with who is near them, as a table"],
  "table-csv": ["Table (CSV)", "Save the table of all words as it is sorted and filtered"],
};

/**
 * @typedef {object} ExplorerActs  what a hand may do in any part
 * @property {(i: number, how?: {stay?: boolean, beside?: boolean}) => void} select  look at a word, or beside it at a
 *   second one; with `stay` the reader stays in place
 * @property {(i: number) => void} light  light a word wherever it is drawn; -1 for none
 * @property {(m: number, opener: HTMLElement) => void} openMap
 * @property {() => void} closeMap
 * @property {(fit: number) => void} showFit  draw the maps of a fit
 * @property {(shown: boolean) => void} showWords  show the table of all words, or hide it
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
      showFit: (fit) => this.showFit(fit),
      showWords: (shown) => this.showWords(shown),
    };
    this.fit = new FitBar(hub);
    this.word = new WordSenses("word", this.stage, acts, this.model, this.fit.waiting);
    this.beside = new WordSenses("beside", this.stage, acts, this.model);
    this.tools = new Toolbar(this.stage, acts, (i) => this.word.countInWords(i));
    this.table = new WordTable(this.stage, acts);
    this.whole = new WholeMap(this.stage, acts);
    this.overview = new Overview(this.stage, acts, () => writeData(this.root, { ready: "true" }));
    this.saves = saveParts("Save what is shown", SAVES);
    this.legend = make("div", { "data-part": "legend" });
    this.all = make("h4", { class: "nsne-e-map-name" });
    this.note = make("p", { "data-part": "axes" });
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
    const { fit, tools, saves } = this;
    const title = this.model.get("title");
    const heading = make("span", { class: "nsne-e-title", "data-part": "title" }, title || "");
    fit.element.append(saves.box);
    const save = this.model.savePage;
    if (save) {
      const help = "Save this page with your notes and what is shown now, as a new file";
      const keep = button("save-page", "Save page", help, "");
      keep.addEventListener("click", () => this.savePage());
      fit.element.prepend(keep);
    }
    const root = make(
      "div",
      { class: "nsne-explorer", role: "group", "aria-label": `Word senses${title ? `: ${title}` : ""}` },
      make("header", { class: "nsne-e-head" }, heading, fit.facts, fit.element),
      tools.element,
      tools.search.offer,
      fit.message,
      this.table.element,
      make("div", { class: "nsne-e-words" }, this.word.element, this.beside.element),
      make("footer", { class: "nsne-e-caption" }, this.legend, this.note),
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
    const { returner, slider } = this.tools;
    on(returner, "click", () => this.back());
    on(slider, "input", () => this.setThreshold(Number(slider.value)));
    on(this.root, "keydown", (event) => this.key(event));
    this.model.on(FOLLOWED, this.onWord);
    this.model.on("change:threshold", this.onThreshold);
    new SaveMenu({ parts: this.saves, root: this.root, signal, say: (words) => this.say(words), ...filesOf(this) });
    watchSizes([this.root], () => this.resize(), signal);
    watchTheme(() => this.resize(), signal);
  }

  remove() {
    this.hub.remove(this);
    this.undo.abort();
    this.model.off(FOLLOWED, this.onWord);
    this.word.note.keep();
    this.beside.note.keep();
    this.model.off("change:threshold", this.onThreshold);
    clearTimeout(this.refreshing);
    this.overview.stop();
    this.root.remove();
  }

  // ---- from word to word ----

  /**
   * Look at word i, or at -1 for none. With `stay` the reader stays where they are on the page.
   * @param {number} i @param {{stay?: boolean, beside?: boolean}} how
   */
  select(i, { stay = false, beside = false } = {}) {
    const focused = focusWithin(document.body);
    this.model.set(beside ? "beside" : "word", this.stage.names[i] ?? null);
    this.model.save_changes();
    this.follow();
    const { element, heading } = beside && i >= 0 ? this.beside : this.word;
    const fields = [this.tools.search.input, this.tools.beside.input];
    const gone = focused !== null && !focused.isConnected;
    const elsewhere = focused !== null && !gone && focused !== document.body && !element.contains(focused);
    if (stay || elsewhere || fields.some((field) => field === focused)) return;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "nearest", behavior: this.stage.calm.matches ? "auto" : "smooth" });
  }

  /** Show the words, the fit and the notes of the traits, whoever set them. */
  follow() {
    const { stage, model } = this;
    const indexOf = (/** @type {string|null} */ word) => stage.index.exact.get(word ?? "") ?? -1;
    const i = indexOf(model.get("word"));
    if (i !== stage.word && stage.word >= 0 && !this.returning) this.trail.push(stage.word);
    stage.word = i;
    stage.beside = i >= 0 ? indexOf(model.get("beside")) : -1;
    stage.notes = model.get("notes") ?? {};
    stage.fit = model.get("fit") ?? 0;
    this.light(-1);
    this.tools.follow();
    if (this.adopt()) this.refreshSoon();
    this.draw();
    this.overview.relight();
    this.table.draw();
    if (i >= 0)
      write(
        this.speech,
        [this.word, ...(stage.beside >= 0 ? [this.beside] : [])].map((one) => one.inWords()).join(" "),
      );
  }

  /** @param {number} fit */
  showFit(fit) {
    this.model.set("fit", fit);
    this.model.save_changes();
    this.follow();
    this.update();
  }

  /** @param {boolean} shown */
  showWords(shown) {
    this.tools.tellWords(shown);
    this.table.show(shown);
    writeData(this.root, { table: shown });
  }

  savePage() {
    this.word.note.keep();
    this.beside.note.keep();
    this.say(`Saved as ${this.model.savePage?.()}`);
  }

  /** Tell something, to ears and for a moment to eyes. @param {string} words */
  say(words) {
    write(this.speech, words);
    this.fit.tell(words);
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
    this.tools.slide(threshold);
    this.draw();
    this.table.draw();
    if (this.stage.mixture) this.overview.relight();
  }

  /** Light a word wherever it is drawn; -1 for none. @param {number} word */
  light(word) {
    const { stage, overview } = this;
    const before = stage.lit;
    if (word === before) return;
    stage.lit = word;
    for (const part of [this.word, this.beside, this.whole]) part.light(word);
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
    (this.opener?.isConnected ? this.opener : this.tools.search.input).focus();
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
    const { input } = this.tools.search;
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    const enter = event.key === "Enter" && (!event.shiftKey || event.target instanceof HTMLTextAreaElement);
    if (event.key.length === 1 || event.key.startsWith("Arrow") || enter) event.stopPropagation();
    if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
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
    const { names, word, beside, fit } = this.stage;
    const { maps, shown } = this.word.draw();
    this.beside.draw();
    const before = this.trail[this.trail.length - 1];
    this.tools.draw(names[before]);
    writeData(this.root, { word: names[word] ?? "", beside: names[beside] ?? "", maps: maps.join(), shown, fit });
    this.whole.draw();
  }

  /** The hub calls it at every message and once a second. */
  update() {
    const x = this.stage.mixture;
    writeData(this.root, this.fit.update(x, this.stage));
    write(this.all, x ? (x.M > 1 ? `All ${x.M} maps` : "The map") : "");
    this.legend.replaceChildren(legend(this.stage));
    write(this.note, limits(this.stage));
  }

  /** New maps: the word's cards at once, the thumbnails when there is time. */
  paint() {
    if (!this.root.clientWidth) return false; // not laid out, or scrolled away by the host
    this.stage.theme = themeOf(this.root);
    if (this.adopt()) {
      this.draw();
      this.update();
      this.table.draw();
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
    this.table.paint();
    if (this.stage.mixture) this.overview.relight();
  }
}

export default widgetOf(
  (model) => new ExplorerHub(model),
  (hub, el) => new ExplorerView(hub, el),
);
