// Words in two norms: search a word, see its senses in both, and find those in a table whose senses differ.
// Words and names come from anybody's data: they are only ever set as text.

import { hearExplorer } from "../explorer/keys.js";
import { Search } from "../explorer/search.js";
import { sourceLine, sourcePart } from "../explorer/source.js";
import { csvOfTable } from "../explorer/save/csv.js";
import { numbers, wordsOf } from "../explorer/table/columns.js";
import { WordTable } from "../explorer/table/table.js";
import { floats } from "../shared/buffers.js";
import { attribute, button, draw, listener, make, penOf, write, writeData } from "../shared/elements.js";
import { safeName, SaveMenu, saveParts } from "../shared/save_menu.js";
import { watchSizes } from "../shared/sizes.js";
import { spellings } from "../shared/spelling.js";
import { PICTURE_FONT } from "../shared/svg_pen.js";
import { FIRST_THEME, themeOf, watchPrint, watchTheme } from "../shared/theme.js";
import { Toast } from "../shared/toast.js";
import { hear, keep, widgetOf } from "../shared/widget.js";
import { csvOfPairs, pairsOf, sentence } from "./facts.js";
import { flow } from "./flow.js";

/** @import { Pair } from "./facts.js" */

/** @typedef {Pick<ExplorerStage, "names"|"index"|"word"|"beside">} Stage */

const [WIDE, WIDEST, SHARP] = [860, 1000, 2]; // pixels: of a saved picture, at most; device pixels of it for one

/** @type {Record<string, [words: string, help: string]>} */
const SAVES = {
  png: ["Picture (PNG)", "Save the word shown as a PNG picture"],
  svg: ["Drawing (SVG)", "Save the word shown as an SVG drawing"],
  csv: ["All senses (CSV)", "Save the senses of all words in both norms, as a table"],
  "table-csv": ["Table (CSV)", "Save the table of all words as it is sorted and filtered"],
};

/**
 * The parts of the view: title and what can be saved; search; the table, if it is asked for; the word.
 * @param {Model} model @param {Stage} stage @param {Pick<ExplorerActs, "select"|"say">} acts
 * @param {Pair[][]} pairs @param {() => GridColumn[]} columns
 */
function layoutOf(model, stage, acts, pairs, columns) {
  const search = new Search(
    stage.index,
    acts,
    (i) => acts.select(i),
    (i) => `${pairs[i].length} senses`,
  );
  const words = button("words", "All words", "Show all words as a table", "");
  const table = new WordTable(stage, acts, columns, "Click or Enter opens a word");
  const heading = make("h3", { tabindex: "-1", "data-part": "word", translate: "no" });
  const said = make("p", { "data-part": "sentence" });
  const picture = make("div", { class: "nsne-n-picture", role: "img", "data-part": "picture" });
  const noise = "Differences in gray are no larger than those of two halves of the same people.";
  const about = `Bars are as high as the share of the word's ties. Words in bold are in both. ${noise}`;
  const caption = make("p", { class: "nsne-e-soft" }, about);
  const speech = make("div", { class: "nsne-speech", "aria-live": "polite", "data-part": "speech" });
  const toast = new Toast(make("div", { class: "nsne-toast", "data-part": "toast" }));
  const saves = saveParts("Save what is shown", SAVES);
  const title = model.get("title") || model.get("norms").join(" · ");
  const head = make(
    "header",
    { class: "nsne-e-head" },
    make("span", { class: "nsne-title", "data-part": "title" }, title),
    make("span", { class: "nsne-e-soft" }, `${stage.names.length} words in both`),
    make("span", { class: "nsne-group" }, saves.box),
  );
  const headline = make("div", { class: "nsne-e-headline" }, heading, said);
  const is = { class: "nsne-view nsne-explorer nsne-two-norms", lang: "en", role: "group" };
  const root = make(
    "div",
    { ...is, "aria-label": `Word senses: ${title}`, "data-key": model.get("key") },
    head,
    make("div", { class: "nsne-e-tools" }, search.element, words),
    table.element,
    make("div", { class: "nsne-e-result" }, headline, picture, caption),
    make("div", { class: "nsne-e-more" }, sourcePart(model)),
    toast.element,
    speech,
  );
  return { root, search, words, table, heading, said, picture, caption, speech, toast, saves };
}

export class TwoNormsView {
  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    const names = /** @type {string[]} */ (model.get("names"));
    this.norms = /** @type {string[]} */ (model.get("norms"));
    this.pairs = pairsOf(model.get("pairs"));
    this.stage = { names, index: spellings(names), word: -1, beside: -1 };
    this.undo = new AbortController();
    this.parts = layoutOf(model, this.stage, this, this.pairs, () => this.columns());
    this.root = this.parts.root;
    this.listen();
    el.append(this.root);
    this.follow();
  }

  listen() {
    const { signal } = this.undo;
    const { saves, table, words } = this.parts;
    const on = listener(signal);
    on(words, "click", () => this.showWords(table.element.hidden === true));
    hearExplorer(this.root, signal, this.parts.search.input, () => this.menu?.close());
    hear(this.model, ["change:word"], () => this.follow(), signal);
    this.menu = new SaveMenu({
      parts: saves,
      root: this.root,
      signal,
      say: (words) => this.say(words),
      files: this.files(),
      opening: () => {
        for (const kind of ["png", "svg"]) saves.items.get(kind)?.toggleAttribute("disabled", this.stage.word < 0);
        saves.items.get("table-csv")?.toggleAttribute("disabled", table.element.hidden === true);
      },
    });
    watchSizes([this.root], () => this.draw(), signal);
    watchTheme(() => this.draw(), signal);
    watchPrint(this.root, (theme) => this.draw(theme), signal);
  }

  remove() {
    this.parts.toast.stop();
    this.undo.abort();
    this.root.remove();
  }

  /** Look at word i, or at -1 for none. @param {number} i */
  select(i) {
    keep(this.model, "word", this.stage.names[i] ?? null);
    this.follow();
  }

  /** Show the word that the trait names, set here or elsewhere. */
  follow() {
    const { stage, norms } = this;
    const { heading, said, picture, caption, search, speech, table } = this.parts;
    stage.word = stage.index.exact.get(this.model.get("word") ?? "") ?? -1;
    const word = stage.names[stage.word] ?? "";
    const none = "Search a word, or open one of all words.";
    const words = word ? sentence(word, norms, this.pairs[stage.word]) : none;
    write(heading, word);
    write(said, words);
    attribute(picture, "aria-label", words);
    heading.hidden = caption.hidden = !word;
    search.set(word);
    if (word) write(speech, words);
    writeData(this.root, { word });
    table.draw();
    this.draw();
  }

  /** @param {Theme} [theme]  in other colors than those of the page */
  draw(theme) {
    attribute(this.root, "data-theme", themeOf(this.root).dark ? "dark" : "light");
    const width = Math.min(Math.floor(this.parts.picture.clientWidth), WIDEST);
    if (this.stage.word < 0 || width < 1) return this.parts.picture.replaceChildren();
    this.parts.picture.replaceChildren(this.drawn("", width, theme ?? themeOf(this.root)));
  }

  /** @param {string} word @param {number} width @param {Theme} theme */
  drawn(word, width, theme) {
    const { norms, pairs, stage } = this;
    return flow({ word, norms, pairs: pairs[stage.word], width, theme, font: PICTURE_FONT });
  }

  /** @returns {GridColumn[]} */
  columns() {
    const { names } = this.stage;
    const all = floats(this.model.get("column_values"));
    const own = this.model
      .get("columns")
      .map((/** @type {{name: string, text: string}} */ { name, text }, /** @type {number} */ k) =>
        numbers(name, text, all.subarray(k * names.length, (k + 1) * names.length)),
      );
    return [wordsOf(names), ...own];
  }

  /** @param {boolean} shown */
  showWords(shown) {
    attribute(this.parts.words, "aria-expanded", String(shown));
    this.parts.table.show(shown);
    writeData(this.root, { table: shown });
  }

  /** @returns {Record<string, () => Saved|Promise<Saved>>} */
  files() {
    const text = (/** @type {string} */ words, /** @type {string} */ type) => new Blob([words], { type });
    const name = (/** @type {string} */ ending) => safeName([this.stage.names[this.stage.word], ...this.norms], ending);
    const drawing = () => {
      const root = this.drawn(this.stage.names[this.stage.word], WIDE, FIRST_THEME);
      const source = draw("desc");
      source.append(this.source);
      root.prepend(source);
      return new XMLSerializer().serializeToString(root);
    };
    return {
      svg: () => ({ name: name("svg"), content: text(drawing(), "image/svg+xml") }),
      png: async () => ({ name: name("png"), content: await painted(drawing()), text: this.source }),
      csv: () => {
        /** @type {[string, Pair[]][]} */
        const words = this.stage.names.map((word, i) => [word, this.pairs[i]]);
        return {
          name: safeName(["senses", ...this.norms], "csv"),
          content: text(csvOfPairs(this.norms, words, this.source), "text/csv"),
        };
      },
      "table-csv": () => ({
        name: safeName(["words", ...this.norms], "csv"),
        content: text(csvOfTable(this.parts.table, this.source), "text/csv"),
      }),
    };
  }

  get source() {
    return sourceLine(this.model);
  }

  /** Tell something, to ears and for a moment to eyes. @param {string} words */
  say(words) {
    write(this.parts.speech, words);
    this.parts.toast.show(words);
  }
}

/** A drawing as a canvas, on white. @param {string} drawing */
async function painted(drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: SHARP * image.width,
    height: SHARP * image.height,
  });
  const pen = penOf(canvas);
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export default widgetOf(
  (model) => ({ model, stop() {} }),
  ({ model }, el) => new TwoNormsView(model, el),
);
