// The explorer: one view of a mixture of maps, and how a word leads to the next.
// Words, labels and titles come from anybody's data: they are only ever set as text.

import { isBusy } from "../shared/commands.js";
import { attribute, focusWithin, listener, write, writeData } from "../shared/elements.js";
import { SaveMenu } from "../shared/save_menu.js";
import { watchSight, watchSizes } from "../shared/sizes.js";
import { themeOf, watchPrint, watchTheme } from "../shared/theme.js";
import { hear, widgetOf } from "../shared/widget.js";
import { ExplorerHub } from "./hub.js";
import { hearExplorer } from "./keys.js";
import { buildLayout } from "./layout.js";
import { legend, limits } from "./legend.js";
import { filesOf } from "./save/files.js";
import { ExplorerStage } from "./stage.js";

const FOLLOWED = "change:word change:beside change:fit change:notes";

/** @implements {ExplorerActs} */
class ExplorerView {
  /** @param {ExplorerHub} hub @param {HTMLElement} el */
  constructor(hub, el) {
    this.hub = hub;
    this.model = hub.model;
    this.stage = new ExplorerStage(hub.model);
    /** @type {number[]} words that were looked at before */
    this.trail = [];
    this.returning = false;
    /** @type {HTMLElement|undefined} the button that opened the whole map */
    this.opener = undefined;
    this.undo = new AbortController();
    const ready = () => writeData(this.root, { ready: "true" });
    this.parts = buildLayout(hub, this.stage, this, ready, this.undo.signal);
    this.root = this.parts.root;
    el.append(this.root);
    this.listen();
    writeData(this.root, { details: this.stage.detailed });
    this.adjust();
    this.follow();
    hub.add(this);
    this.update();
  }

  listen() {
    const { signal } = this.undo;
    const on = listener(signal);
    on(this.parts.tools.returner, "click", () => this.back());
    on(this.parts.savePage, "click", () => this.savePage());
    on(this.parts.details, "click", () => this.showDetails(!this.stage.detailed));
    hearExplorer(this.root, signal, this.parts.tools.search.input, () => this.close());
    hear(this.model, [FOLLOWED], () => this.follow(), signal);
    hear(this.model, ["change:threshold"], () => this.adjust(), signal);
    this.menu = new SaveMenu({
      parts: this.parts.saves,
      root: this.root,
      signal,
      say: (words) => this.say(words),
      ...filesOf(this.model, this.stage, this.parts),
    });
    watchSizes([this.root], () => this.resize(), signal);
    watchSight(this.root, (there) => this.hub.painter.sees(this, there), signal);
    watchTheme(() => this.resize(), signal);
    watchPrint(this.root, (theme) => this.redraw(theme), signal);
  }

  remove() {
    this.hub.remove(this);
    this.undo.abort();
    this.parts.word.note.keep();
    this.parts.beside.note.keep();
    this.parts.overview.stop();
    this.root.remove();
  }

  // ---- from word to word ----

  /**
   * Look at word i, or at -1 for none. With `stay` the reader stays where they are on the page.
   * @param {number} i @param {{stay?: boolean, beside?: boolean}} how
   */
  select(i, { stay = false, beside = false } = {}) {
    const focused = focusWithin(document.body);
    this.hub.keep(beside ? "beside" : "word", this.stage.names[i] ?? null);
    this.follow();
    const { element, heading } = beside && i >= 0 ? this.parts.beside : this.parts.word;
    const fields = [this.parts.tools.search.input, this.parts.tools.beside.input];
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
    this.parts.tools.follow();
    if (this.stage.adopt(this.hub.points, this.model.get("kernel"))) this.parts.overview.follow(false);
    this.draw();
    this.parts.overview.relight();
    this.parts.table.draw();
    const { word, beside, speech } = this.parts;
    const said = [word, beside].flatMap((one) => (one.i >= 0 ? [one.inWords()] : []));
    if (i >= 0) write(speech, said.join(" "));
  }

  /** @param {number} fit */
  showFit(fit) {
    this.hub.keep("fit", fit);
    this.follow();
    this.update();
  }

  /** @param {boolean} shown */
  showWords(shown) {
    this.parts.tools.tellWords(shown);
    this.parts.table.show(shown);
    writeData(this.root, { table: shown });
  }

  /** Show the maps above a proportion. @param {number} value */
  setThreshold(value) {
    this.hub.keep("threshold", value);
    this.adjust();
  }

  /** Show numbers, lists and signs, or leave them out. @param {boolean} shown */
  showDetails(shown) {
    this.stage.detailed = shown;
    attribute(this.parts.details, "aria-pressed", String(shown));
    writeData(this.root, { details: shown });
    this.draw();
  }

  /** @param {"certainty"|"share"} what @param {number} least */
  atLeast(what, least) {
    this.stage.least[what] = least;
    this.draw();
    this.parts.table.draw();
  }

  savePage() {
    this.parts.word.note.keep();
    this.parts.beside.note.keep();
    this.say(`Saved as ${this.model.savePage?.()}`);
  }

  /** Tell something, to ears and for a moment to eyes. @param {string} words */
  say(words) {
    write(this.parts.speech, words);
    this.parts.fit.remark.show(words);
  }

  back() {
    const before = this.trail.pop();
    if (before === undefined) return;
    this.returning = true;
    this.hub.keep("word", this.stage.names[before]);
    this.follow();
    this.returning = false;
    if (!this.trail.length) this.parts.word.heading.focus({ preventScroll: true });
  }

  adjust() {
    const threshold = this.model.get("threshold");
    this.stage.threshold = Math.fround(threshold); // as precise as the proportions
    this.parts.tools.threshold.show(threshold);
    this.draw();
    this.parts.table.draw();
    if (this.stage.mixture) this.parts.overview.relight();
  }

  /** Light a word wherever it is drawn; -1 for none. @param {number} word */
  light(word) {
    if (word === this.stage.lit) return;
    this.stage.lit = word;
    for (const part of [this.parts.word, this.parts.beside, this.parts.whole, this.parts.overview]) part.light(word);
  }

  /** @param {number} m @param {HTMLElement} opener */
  openMap(m, opener) {
    this.opener = opener;
    this.parts.whole.open(m);
    writeData(this.root, { map: m });
  }

  /** Close what is open and has the keyboard; true if there was something. */
  close() {
    if (this.menu?.close()) return true;
    const within = focusWithin(this.parts.whole.element) !== null;
    if (within) this.closeMap();
    return within;
  }

  closeMap() {
    this.parts.whole.close();
    writeData(this.root, { map: "" });
    (this.opener?.isConnected ? this.opener : this.parts.tools.search.input).focus();
  }

  // ---- what is shown ----

  /** The legend, in the colors of the page, the word and its maps. */
  draw() {
    this.parts.signs.replaceChildren(legend(this.stage));
    const { names, word, beside, fit } = this.stage;
    const { maps, shown } = this.parts.word.draw();
    this.parts.beside.draw();
    const before = this.trail[this.trail.length - 1];
    this.parts.tools.draw(names[before]);
    writeData(this.root, { word: names[word] ?? "", beside: names[beside] ?? "", maps: maps.join(), shown, fit });
    this.parts.whole.draw();
  }

  /** The hub calls it at every message and once a second. */
  update() {
    const x = this.stage.mixture;
    writeData(this.root, this.parts.fit.update(x, this.stage));
    write(this.parts.all, x ? (x.M > 1 ? `All ${x.M} maps` : "The map") : "");
    write(this.parts.limits, limits(this.stage));
    this.parts.steering.update();
  }

  /** New maps: the word's cards at once, the thumbnails when there is time. */
  paint() {
    if (!this.root.clientWidth) return false; // not laid out, or scrolled away by the host
    this.stage.theme = themeOf(this.root);
    if (this.stage.adopt(this.hub.points, this.model.get("kernel"))) {
      this.draw();
      this.update();
      this.parts.table.draw();
    }
    this.parts.overview.follow(isBusy(this.hub.facts.status));
    this.parts.steering.paint();
    writeData(this.root, { frames: this.hub.frames });
    return false;
  }

  resize() {
    this.paint();
    if (!this.root.clientWidth) return;
    this.redraw(this.stage.theme);
    this.parts.table.paint();
  }

  /** All pictures, in other colors or sizes. @param {Theme} theme */
  redraw(theme) {
    this.stage.theme = theme;
    this.draw();
    if (this.stage.mixture) this.parts.overview.relight();
  }
}

export default widgetOf(
  (model) => new ExplorerHub(model),
  (hub, el) => new ExplorerView(hub, el),
);
