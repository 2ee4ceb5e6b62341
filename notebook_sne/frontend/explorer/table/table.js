// All words as a table: sorted by a column, filtered by typing, opened by a click or by keys. Only the rows in sight are
// made: there may be thousands. [WAI-ARIA Authoring Practices, grid]

import { phrase, rephrase } from "../../languages/phrase.js";
import { attribute, make, write } from "../../shared/elements.js";
import { rowsOf } from "./columns.js";

/** @import { Column } from "./columns.js" */
/** @import { ExplorerActs } from "../explorer.js" */
/** @import { ExplorerStage } from "../stage.js" */

const [ROW, TOUCHED] = [30, 42]; // pixels: how high a row is, and one for fingers
const AROUND = 6; // rows that are made above and below those in sight
const FIRST = ["apart", "certainty", "second"]; // what the table is sorted by at first, where there is such a column

/** @type {Record<string, number>} how wide columns of texts are, in pixels */
const TEXTS = { word: 150, associates: 320, note: 220 };

let tables = 0; // makes the ids of rows differ

export class WordTable {
  /**
   * @param {Pick<ExplorerStage, "names"|"index"|"word"|"beside">} stage @param {Pick<ExplorerActs, "select">} acts
   * @param {() => Column[]} columnsOf  the present columns, none while there is nothing to tell
   * @param {string} keys  what opens a word
   */
  constructor(stage, acts, columnsOf, keys) {
    tables += 1;
    this.id = `nsne-words-${tables}-${Math.random().toString(36).slice(2)}`;
    this.stage = stage;
    this.acts = acts;
    this.columnsOf = columnsOf;
    /** @type {Column[]} */
    this.columns = [];
    /** @type {ReturnType<WordTable["header"]>[]} */
    this.headers = [];
    this.by = "";
    this.falling = true;
    /** @type {number[]} words, in the order shown */
    this.rows = [];
    this.high = matchMedia("(pointer: coarse)").matches ? TOUCHED : ROW;
    this.at = 0; // the row that keys have reached
    this.filter = make("input", {
      type: "search",
      "data-control": "filter",
      "aria-label": phrase`Show words that hold these letters`,
      placeholder: phrase`Filter`,
      autocomplete: "off",
      spellcheck: "false",
    });
    this.count = make("span", { class: "nsne-e-soft", role: "status", "data-part": "count" });
    this.head = make("div", { class: "nsne-e-row nsne-e-row-head", role: "row", "aria-rowindex": 1 });
    this.body = make("div", { class: "nsne-e-rows", role: "rowgroup" });
    this.grid = make(
      "div",
      { class: "nsne-e-grid", role: "grid", tabindex: "0", "aria-label": phrase`All words`, "data-part": "table" },
      make("div", { role: "rowgroup", class: "nsne-e-rows-head" }, this.head),
      this.body,
    );
    this.element = make(
      "section",
      { class: "nsne-e-table", "data-part": "words", hidden: "" },
      make("div", { class: "nsne-group" }, this.filter, this.count, make("span", { class: "nsne-e-soft" }, keys)),
      this.grid,
    );
    this.filter.addEventListener("input", () => this.sort(true));
    this.filter.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      this.grid.focus();
    });
    this.grid.addEventListener("scroll", () => this.paint(), { passive: true });
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => {
      const row = /** @type {Element} */ (event.target).closest("[data-row]");
      if (row) this.open(Number(row.getAttribute("data-row")), event.shiftKey);
    });
  }

  /** @param {boolean} shown */
  show(shown) {
    this.element.hidden = !shown;
    if (shown) this.draw();
  }

  /** New columns, or other values. */
  draw() {
    if (this.element.hidden) return;
    this.columns = this.columnsOf();
    if (!this.columns.length) return;
    if (!this.columns.some(({ name }) => name === this.by)) {
      this.by = FIRST.find((one) => this.columns.some(({ name }) => name === one)) ?? "word";
      this.falling = this.by !== "word";
    }
    const wide = (/** @type {Column} */ { name, values }) =>
      values ? Math.max(80, 9 * rephrase(name).length + 24) : TEXTS[name];
    const last = this.columns.length - 1;
    const widths = this.columns.map(wide);
    const tracks = widths.map((width, k) => (k === last ? `minmax(${width}px, 1fr)` : `${width}px`)).join(" ");
    const styles = { columns: tracks, width: `${widths.reduce((a, b) => a + b)}px`, row: `${this.high}px` };
    for (const [name, value] of Object.entries(styles)) this.grid.style.setProperty(`--nsne-e-${name}`, value);
    this.grid.setAttribute("aria-colcount", String(this.columns.length));
    this.headers = this.columns.map((column) => this.header(column));
    this.head.replaceChildren(...this.headers.map(({ cell }) => cell));
    this.sort();
  }

  /** @param {Column} column */
  header({ name, text, values }) {
    const is = {
      type: "button",
      "data-control": "sort",
      "data-column": name,
      title: phrase`Sort by ${rephrase(name)}: ${rephrase(text)}`,
    };
    const arrow = make("span", { "aria-hidden": "true" });
    const button = make("button", is, rephrase(name), arrow);
    button.addEventListener("click", () => {
      this.falling = this.by === name ? !this.falling : values !== null;
      this.by = name;
      this.sort(true);
    });
    const look = values ? "nsne-e-number-of" : undefined;
    return { arrow, cell: make("div", { role: "columnheader", class: look }, button) };
  }

  /** Put the rows in order. @param {boolean} [anew]  whether the reader asked for another order, and begins at its top */
  sort(anew = false) {
    const column = this.columns.find(({ name }) => name === this.by);
    if (!column) return;
    this.columns.forEach(({ name }, k) => {
      const own = name === this.by;
      attribute(this.headers[k].cell, "aria-sort", own ? (this.falling ? "descending" : "ascending") : "none");
      write(this.headers[k].arrow, own ? (this.falling ? " ↓" : " ↑") : "");
    });
    this.rows = rowsOf(this.stage.index.folded, column, this.falling, this.filter.value);
    const all = this.stage.names.length;
    write(this.count, this.rows.length < all ? phrase`${this.rows.length} of ${all} words` : phrase`${all} words`);
    this.grid.setAttribute("aria-rowcount", String(this.rows.length + 1));
    this.body.style.height = `${this.high * this.rows.length}px`;
    if (anew) this.at = this.grid.scrollTop = 0;
    this.at = Math.max(Math.min(this.at, this.rows.length - 1), 0);
    this.paint();
  }

  /** Make the rows in sight. */
  paint() {
    if (this.element.hidden) return;
    const first = Math.max(Math.floor(this.grid.scrollTop / this.high) - AROUND, 0);
    const last = Math.min(first + Math.ceil(this.grid.clientHeight / this.high) + 2 * AROUND, this.rows.length);
    const rows = [];
    for (let k = first; k < last; k++) rows.push(this.row(k));
    this.body.replaceChildren(...rows);
    const here = this.at >= first && this.at < last;
    if (here) this.grid.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  /** @param {number} k */
  row(k) {
    const i = this.rows[k];
    const { word, beside } = this.stage;
    const cells = this.columns.map(({ say, values }) => {
      const said = say(i);
      return make("div", { role: "gridcell", class: values ? "nsne-e-number-of" : "nsne-e-word", title: said }, said);
    });
    const is = { class: "nsne-e-row", role: "row", id: `${this.id}-${k}`, "data-row": k, "aria-rowindex": k + 2 };
    const chosen = { "aria-selected": String(i === word || i === beside), "data-at": k === this.at ? "" : undefined };
    const row = make("div", { ...is, ...chosen }, ...cells);
    row.style.top = `${this.high * k}px`;
    return row;
  }

  /** @param {number} k @param {boolean} beside */
  open(k, beside) {
    this.at = k;
    if (k in this.rows) this.acts.select(this.rows[k], { stay: true, beside: beside && this.stage.word >= 0 });
    this.paint();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.grid || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(Math.floor(this.grid.clientHeight / this.high) - 2, 1);
    const end = this.rows.length - 1;
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -end, End: end };
    if (event.key === "Enter" || event.key === " ") this.open(this.at, event.shiftKey);
    else if (steps[event.key] !== undefined) this.go(Math.max(0, Math.min(this.at + steps[event.key], end)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move to a row, and into sight. @param {number} k */
  go(k) {
    this.at = k;
    const { grid } = this;
    const [top, room] = [this.high * k, grid.clientHeight - 2 * this.high]; // the head covers a row
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top > grid.scrollTop + room) grid.scrollTop = top - room;
    this.paint();
  }
}
