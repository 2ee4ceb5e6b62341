// The explorer: the page elements of one view of a mixture of maps, and how a word leads to the next.
// Words, labels and titles come from anybody's data: they are only ever set as text.

import { button, make, write } from "../shared/elements.js";
import { BUSY, Hub, bytes, floats } from "../shared/hub.js";
import { SenseCard } from "./card.js";
import { FitBar } from "./fit.js";
import { WholeMap } from "./map.js";
import { logTotal, mapsAbove, proportion, readCounts, readMixture, sharedWords, strongestWords } from "./mixture.js";
import { Overview } from "./overview.js";
import { sizeLegend } from "./picture.js";
import { Search } from "./search.js";
import { spellings } from "./spelling.js";

const MOST_CARDS = 12; // maps of one word side by side
const STRONG = 24; // words that title and label a whole map
const OVERVIEW_EVERY = 1000; // ms between thumbnails of a fit that goes on
const OFFERED_WORDS = 12; // words to begin with

class ExplorerView {
  constructor(hub, el) {
    this.hub = hub;
    this.model = hub.model;
    this.names = this.model.get("names") || [];
    const ints = (name) => new Int32Array(this.model.get(name)?.byteLength ? bytes(this.model.get(name)) : 0);
    this.counts = readCounts(ints("count_pointers"), ints("count_columns"), floats(this.model.get("count_values")));
    this.index = spellings(this.names);
    this.mixture = null;
    this.word = this.lit = -1;
    this.trail = [];
    this.cards = new Map();
    this.strong = new Map();
    this.refreshedAt = -OVERVIEW_EVERY;
    this.undo = new AbortController();
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.build(el);
    this.listen();
    this.adjust();
    this.follow();
    hub.add(this);
    this.update();
  }

  build(el) {
    const title = this.model.get("title");
    this.fit = new FitBar(this.hub);
    this.returner = button("back", "Back", "Back to the word before", "");
    this.search = new Search(
      this.index,
      (i) => this.select(i),
      (i) => this.mapsInWords(i),
    );
    this.slider = make("input", {
      type: "range",
      min: "0",
      max: "0.99",
      step: "0.01",
      "data-control": "threshold",
      "aria-label": "Show maps whose proportion is above",
    });
    this.slid = make("output", { class: "nsne-e-figure" });
    this.heading = make("h3", { tabindex: "-1", "data-part": "word" });
    this.summary = make("p", { class: "nsne-e-soft", "data-part": "summary" });
    this.begin = make("div", { class: "nsne-e-begin", "data-part": "begin" });
    this.senses = make("div", { class: "nsne-e-senses", "data-part": "senses" });
    this.whole = new WholeMap(this);
    this.overview = new Overview(this);
    this.all = make("h4", { class: "nsne-e-map-name" });
    this.note = make("span", { class: "nsne-e-soft", "data-part": "axes" });
    this.speech = make("div", { class: "nsne-e-speech", "aria-live": "polite", "data-part": "speech" });
    this.root = make(
      "div",
      { class: "nsne-explorer", role: "group", "aria-label": `Word senses${title ? `: ${title}` : ""}` },
      make(
        "header",
        { class: "nsne-e-head" },
        make("span", { class: "nsne-e-title", "data-part": "title" }, title || ""),
        this.fit.facts,
        this.fit.element,
      ),
      make(
        "div",
        { class: "nsne-e-tools" },
        this.search.element,
        this.returner,
        make("label", { class: "nsne-e-threshold" }, "maps above", this.slider, this.slid),
      ),
      this.search.offer,
      this.fit.message,
      make(
        "section",
        { class: "nsne-e-result" },
        make("div", { class: "nsne-e-headline" }, this.heading, this.summary),
        this.begin,
        this.fit.waiting,
        this.senses,
      ),
      make(
        "footer",
        { class: "nsne-e-caption" },
        sizeLegend(),
        make(
          "p",
          {},
          "Contexts, not dictionary senses: a map shows which words go together. A bar is the part of the word’s neighborhood, over all maps, that it shares with a neighbor there. ",
          this.note,
        ),
      ),
      this.whole.element,
      make("section", { class: "nsne-e-all" }, this.all, this.overview.element),
      this.speech,
    );
    this.root.dataset.key = this.model.get("key");
    this.root.style.setProperty("--nsne-e-height", `${this.model.get("height")}px`);
    el.append(this.root);
  }

  listen() {
    const on = (target, name, f) => target.addEventListener(name, f, { signal: this.undo.signal });
    on(this.returner, "click", () => this.back());
    on(this.slider, "input", () => this.setThreshold(Number(this.slider.value)));
    on(this.root, "keydown", (event) => this.key(event));
    this.onWord = () => this.follow();
    this.onThreshold = () => this.adjust();
    this.model.on("change:word", this.onWord);
    this.model.on("change:threshold", this.onThreshold);
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.root);
    // A change of theme: the host's, or the system's.
    this.themes = new MutationObserver(() => this.resize());
    this.themes.observe(document.body, {
      attributes: true,
      attributeFilter: ["class", "data-jp-theme-name", "data-jp-theme-light"],
    });
    on(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.resize());
  }

  remove() {
    this.hub.remove(this);
    this.undo.abort();
    this.model.off("change:word", this.onWord);
    this.model.off("change:threshold", this.onThreshold);
    clearTimeout(this.refreshing);
    this.overview.stop();
    this.sizes.disconnect();
    this.themes.disconnect();
    this.root.remove();
  }

  // ---- from word to word ----

  /** Look at word i. With `stay` the reader stays where they are on the page. */
  select(i, { stay = false } = {}) {
    const focused = document.activeElement;
    this.model.set("word", this.names[i]);
    this.model.save_changes();
    this.follow();
    if (
      stay ||
      focused === this.search.input ||
      (focused?.isConnected && !this.result().contains(focused) && focused !== document.body)
    )
      return;
    this.heading.focus({ preventScroll: true });
    this.heading.scrollIntoView({ block: "nearest", behavior: this.calm.matches ? "auto" : "smooth" });
  }

  result() {
    return this.heading.closest("section");
  }

  /** Show the word of the trait, whoever set it. */
  follow() {
    const i = this.index.exact.get(this.model.get("word")) ?? -1;
    if (i !== this.word && this.word >= 0 && !this.returning) this.trail.push(this.word);
    this.word = i;
    this.light(-1);
    this.search.set(i >= 0 ? this.names[i] : "");
    this.adopt();
    this.draw();
    this.overview.relight();
    if (i >= 0) write(this.speech, this.inWords());
  }

  back() {
    if (!this.trail.length) return;
    this.returning = true;
    this.model.set("word", this.names[this.trail.pop()]);
    this.model.save_changes();
    this.follow();
    this.returning = false;
    if (!this.trail.length) this.heading.focus({ preventScroll: true });
  }

  setThreshold(value) {
    this.model.set("threshold", value);
    this.model.save_changes();
    this.adjust();
  }

  adjust() {
    const threshold = this.model.get("threshold");
    this.threshold = Math.fround(threshold); // as precise as the proportions
    if (Number(this.slider.value) !== threshold) this.slider.value = String(threshold);
    write(this.slid, threshold.toFixed(2));
    this.draw();
    if (this.mixture) this.overview.relight();
  }

  /** Light a word wherever it is drawn; -1 for none. */
  light(word) {
    if (word === this.lit) return;
    const before = this.lit;
    this.lit = word;
    for (const card of this.cards.values()) card.light(word);
    this.whole.light(word);
    const x = this.mixture;
    const holds = (m, i) => i >= 0 && proportion(x, m, i) > this.threshold;
    if (x) this.overview.relight([...this.overview.tiles.keys()].filter((m) => holds(m, before) || holds(m, word)));
  }

  openMap(m, opener) {
    this.opener = opener;
    this.whole.open(m);
    this.tell({ map: m });
  }

  closeMap() {
    this.whole.close();
    this.tell({ map: "" });
    (this.opener?.isConnected ? this.opener : this.search.input).focus();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      if (this.whole.element.contains(document.activeElement)) {
        event.stopPropagation();
        return this.closeMap();
      }
      return this.leave();
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
    document.activeElement?.blur();
    this.root.closest(".jp-Cell")?.focus({ preventScroll: true });
  }

  // ---- what is shown ----

  mapsInWords(i) {
    if (!this.mixture) return "";
    const above = mapsAbove(this.mixture, i, this.threshold).length;
    return above ? `${above} map${above > 1 ? "s" : ""}` : "no map above the threshold";
  }

  /** The word and its maps in a sentence each, for ears. */
  inWords() {
    const above = [...this.cards.values()].map(
      (card) =>
        `Map ${card.m}, ${proportion(this.mixture, card.m, this.word).toFixed(2)}: ${card.strongest.join(", ")}.`,
    );
    return this.mixture
      ? `${this.names[this.word]}: ${this.mapsInWords(this.word)}. ${above.join(" ")}`
      : this.names[this.word];
  }

  /** The words of map m with the largest total strength, summed once for the present maps. */
  strongOf(m) {
    if (!this.strong.has(m)) this.strong.set(m, strongestWords(this.mixture, m, STRONG));
    return this.strong.get(m);
  }

  /** Take over new maps, if there are any. */
  adopt() {
    if (this.hub.points === this.data) return false;
    this.data = this.hub.points;
    this.mixture = readMixture(this.data, this.model.get("kernel"));
    this.strong.clear();
    return true;
  }

  /** The word and its maps. */
  draw() {
    const x = this.mixture;
    const known = this.word >= 0;
    const maps = x && known ? mapsAbove(x, this.word, this.threshold) : [];
    write(this.heading, known ? this.names[this.word] : "");
    write(this.summary, known && x ? this.summaryOf(maps) : "");
    this.result().classList.toggle("nsne-e-empty", !known);
    this.drawBeginning();
    this.returner.disabled = !this.trail.length;
    const before = this.trail[this.trail.length - 1];
    write(this.returner, before === undefined ? "← Back" : `← ${this.names[before]}`);
    this.returner.setAttribute("aria-label", before === undefined ? "Back" : `Back to ${this.names[before]}`);
    const shown = maps.slice(0, MOST_CARDS);
    for (const [m, card] of this.cards) {
      if (shown.includes(m)) continue;
      card.element.remove();
      this.cards.delete(m);
    }
    const old = [...this.cards.keys()];
    const reading =
      this.senses.contains(document.activeElement) &&
      old.length === shown.length &&
      shown.every((m) => this.cards.has(m));
    if (!reading && shown.join() !== old.join()) {
      this.cards = new Map(shown.map((m) => [m, this.cards.get(m) ?? new SenseCard(this, m)]));
      this.senses.replaceChildren(...[...this.cards.values()].map((card) => card.element));
    }
    if (shown.length) {
      const total = logTotal(x, this.word);
      for (const card of this.cards.values()) card.draw(this.word, total);
    }
    this.tell({ word: known ? this.names[this.word] : "", maps: maps.join(), shown: shown.length });
    this.whole.draw();
  }

  summaryOf(maps) {
    const x = this.mixture;
    const below = x.M - maps.length;
    if (!maps.length) {
      const largest = mapsAbove(x, this.word, -1)[0];
      return `no map holds more than ${this.threshold.toFixed(2)} of it; the largest part, ${proportion(x, largest, this.word).toFixed(2)}, is in map ${largest}: lower the threshold to see it`;
    }
    const held = maps.reduce((sum, m) => sum + proportion(x, m, this.word), 0);
    const more = maps.length > MOST_CARDS ? `, the first ${MOST_CARDS} shown` : "";
    const rest = below
      ? ` · ${below} more below ${this.threshold.toFixed(2)}, ${Math.max(0, 1 - held).toFixed(2)} together`
      : "";
    return `in ${maps.length} map${maps.length > 1 ? "s" : ""}${more}${rest}`;
  }

  /** Before the first word: words that several maps share, to begin with. */
  drawBeginning() {
    this.begin.hidden = this.word >= 0 || !this.mixture;
    if (this.begin.hidden) return;
    const words = sharedWords(this.mixture, this.threshold, OFFERED_WORDS);
    const [before, after] = words.length
      ? ["Search a word, or begin with one that several maps share:", words]
      : ["Search a word, or open a map below.", []];
    const chips = after.map((i) => {
      const chip = make("button", { type: "button", class: "nsne-e-chip", "data-control": "begin" }, this.names[i]);
      chip.addEventListener("click", () => this.select(i));
      return chip;
    });
    this.begin.replaceChildren(make("p", {}, before), ...chips);
  }

  /** Facts for whoever reads the page by program, as data attributes of the root. */
  tell(facts) {
    for (const [name, value] of Object.entries(facts)) {
      if (this.root.dataset[name] !== String(value)) this.root.dataset[name] = String(value);
    }
  }

  /** The hub calls it at every message and once a second. */
  update() {
    const x = this.mixture;
    this.tell(this.fit.update(x));
    write(this.all, x ? (x.M > 1 ? `All ${x.M} maps` : "The map") : "");
    write(this.note, x ? this.drawingNote(x) : "");
  }

  /** How to read the drawing, in words. */
  drawingNote(x) {
    const said = this.counts ? "In figures: the counts of the table, from one word to the other. " : "";
    if (x.d > 2) return `${said}The first 2 of ${x.d} coordinates are drawn; strengths use all.`;
    if (x.d === 1) return `${said}These maps have one coordinate: their words lie on a line.`;
    return `${said}The dotted ring is at distance 1, where strength has fallen to ${x.kernel === "student" ? 50 : 37}\u00a0%.`;
  }

  /** New maps: the word's cards at once, the thumbnails when there is time. */
  paint() {
    if (!this.root.clientWidth) return false; // not laid out, or scrolled away by the host
    this.readTheme();
    const news = this.adopt();
    if (news) {
      this.draw();
      this.update();
    }
    if (this.mixture && this.thumbnailed !== this.data) this.refreshSoon();
    this.tell({ frames: this.hub.frames });
    return false;
  }

  refreshSoon() {
    const wait = BUSY.includes(this.hub.facts.status) ? this.refreshedAt + OVERVIEW_EVERY - performance.now() : 0;
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(
      () => {
        this.refreshedAt = performance.now();
        this.thumbnailed = this.data;
        this.overview.refresh();
      },
      Math.max(wait, 0),
    );
  }

  readTheme() {
    const style = getComputedStyle(this.root);
    const read = (name) => style.getPropertyValue(name).trim();
    this.theme = { ink: read("--nsne-ink"), soft: read("--nsne-soft"), accent: read("--nsne-accent") };
  }

  resize() {
    this.paint();
    if (!this.root.clientWidth) return;
    this.draw();
    if (this.mixture) this.overview.relight();
  }

  image() {} // the hub tells views of images that came: there are none here
}

/** One hub for each widget, whichever of the host's model objects asks for it. @type {Map<string, Hub>} */
const hubs = new Map();

function hubOf(model) {
  const key = model.get("key");
  if (!hubs.has(key)) hubs.set(key, new Hub(model));
  return hubs.get(key);
}

export default {
  initialize({ model }) {
    const hub = hubOf(model);
    return () => {
      hub.stop();
      hubs.delete(model.get("key"));
    };
  },
  render({ model, el }) {
    const view = new ExplorerView(hubOf(model), el);
    return () => view.remove();
  },
};
