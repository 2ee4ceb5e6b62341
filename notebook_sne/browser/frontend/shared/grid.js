// A table of many rows: sorted by a column, opened by a click or by keys. Only the rows in sight are made: there may be many
// thousands. [WAI-ARIA Authoring Practices, grid]

import { attribute, make, write } from "./elements.js";

const [ROW, TOUCHED] = [30, 44]; // pixels: how high a row is, and one for fingers
const AROUND = 6; // rows that are made above and below those in sight
const MOST = 350_000; // rows that are laid out: no browser has an element higher than some 17 million pixels

/**
 * @typedef {object} GridColumn
 * @property {string} name  which differs from all others
 * @property {string} title  as it is shown
 * @property {string} help  what it means
 * @property {number} width  in pixels; the last column takes what is left
 * @property {boolean} falls  whether it is first sorted from high to low
 * @property {(i: number) => string} say
 * @property {ArrayLike<number>|null} values  numbers, set to the right and sorted by; null for texts
 * @property {string[]} [kinds]  of texts that are classes, these in their order
 */

let grids = 0; // makes the ids of rows differ

/**
 * What the rows are of in the order of a column; what is missing comes last, equals in their own order.
 * @param {Pick<GridColumn, "values"|"kinds"|"say">} column @param {number} count @param {boolean} falling
 */
export function orderOf({ values, kinds, say }, count, falling) {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const sign = falling ? -1 : 1;
  if (values) {
    const missing = (/** @type {number} */ i) => Number(Number.isNaN(values[i]));
    return order.sort((a, b) => missing(a) - missing(b) || sign * (values[a] - values[b]) || a - b);
  }
  const texts = Array.from(order, say);
  const { compare } = new Intl.Collator("en", { numeric: true });
  // Equal texts are compared once: a column may have a few kinds of many thousands of objects.
  const rank = new Map((kinds ?? [...new Set(texts)].sort(compare)).map((text, k) => [text, k]));
  const ranks = texts.map((text) => rank.get(text) ?? 0);
  return order.sort((a, b) => Number(!texts[a]) - Number(!texts[b]) || sign * (ranks[a] - ranks[b]) || a - b);
}

export class RowGrid {
  /**
   * @param {object} own
   * @param {string} own.label
   * @param {string} own.part
   * @param {(i: number, event: MouseEvent|KeyboardEvent) => void} own.open  a row was pressed, or Enter was pressed in it
   * @param {(i: number) => boolean} own.marked  whether a row is marked as selected
   * @param {() => ((i: number) => unknown)|null} own.left  tells which rows are shown; nothing tells: all
   * @param {boolean} [own.ways]  whether Alt opens a row another way
   */
  constructor({ label, part, open, marked, left, ways }) {
    grids += 1;
    this.id = `nsne-rows-${grids}-${Math.random().toString(36).slice(2)}`;
    this.acts = { open, marked, left, ways };
    /** @type {GridColumn[]} */
    this.columns = [];
    /** @type {ReturnType<RowGrid["header"]>[]} */
    this.headers = [];
    this.by = "";
    this.falling = false;
    this.order = new Uint32Array(0); // of all rows
    this.rows = this.order; // and of those shown
    this.high = matchMedia("(pointer: coarse)").matches ? TOUCHED : ROW;
    this.at = 0; // the row that keys have reached
    this.head = make("div", { class: "nsne-row nsne-row-head", role: "row", "aria-rowindex": 1 });
    this.body = make("div", { class: "nsne-rows", role: "rowgroup" });
    this.grid = make(
      "div",
      { class: "nsne-grid", role: "grid", tabindex: "0", "aria-label": label, "data-part": part },
      make("div", { role: "rowgroup", class: "nsne-rows-head" }, this.head),
      this.body,
    );
    this.grid.addEventListener("scroll", () => this.paint(), { passive: true });
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => {
      const row = /** @type {Element} */ (event.target).closest("[data-row]");
      if (row) this.open(Number(row.getAttribute("data-row")), event);
    });
  }

  /** How many rows there are. */
  get count() {
    return Math.min(this.rows.length, MOST);
  }

  /**
   * Tell these columns, also with other values than before.
   * @param {GridColumn[]} columns @param {number} all  rows @param {{by: string, falling: boolean}} first  their order, where they have none
   */
  tell(columns, all, first) {
    this.columns = columns;
    if (!columns.some(({ name }) => name === this.by)) Object.assign(this, first);
    const last = columns.length - 1;
    const tracks = columns.map(({ width }, k) => (k === last ? `minmax(${width}px, 1fr)` : `${width}px`)).join(" ");
    const wide = columns.reduce((sum, { width }) => sum + width, 0);
    const styles = { columns: tracks, width: `${wide}px`, row: `${this.high}px` };
    for (const [name, value] of Object.entries(styles)) this.grid.style.setProperty(`--nsne-grid-${name}`, value);
    this.grid.setAttribute("aria-colcount", String(columns.length));
    this.headers = columns.map((column) => this.header(column));
    this.head.replaceChildren(...this.headers.map(({ cell }) => cell));
    this.sort(all);
  }

  /** Put so many rows in order. */
  sort(all = this.order.length) {
    const column = this.columns.find(({ name }) => name === this.by);
    if (column) this.order = orderOf(column, all, this.falling);
  }

  /** @param {GridColumn} column */
  header({ name, title, help, values, falls }) {
    const is = { type: "button", "data-control": "sort", "data-column": name };
    const arrow = make("span", { "aria-hidden": "true" });
    const said = help ? `Sort by ${title}: ${help}` : `Sort by ${title}`;
    const button = make("button", { ...is, title: said }, title, arrow);
    button.addEventListener("click", () => {
      this.falling = this.by === name ? !this.falling : falls;
      this.by = name;
      this.sort();
      this.update(true);
    });
    return { arrow, cell: make("div", { role: "columnheader", class: values ? "nsne-figures" : undefined }, button) };
  }

  /** Show the rows that are left now. @param {boolean} [anew]  whether the reader begins at their top */
  update(anew = false) {
    this.columns.forEach(({ name }, k) => {
      const own = name === this.by;
      attribute(this.headers[k].cell, "aria-sort", own ? (this.falling ? "descending" : "ascending") : "none");
      write(this.headers[k].arrow, own ? (this.falling ? " ↓" : " ↑") : "");
    });
    const left = this.acts.left();
    this.rows = left ? this.order.filter(left) : this.order;
    this.grid.setAttribute("aria-rowcount", String(this.count + 1));
    this.body.style.height = `${this.high * this.count}px`;
    if (anew) this.at = this.grid.scrollTop = 0;
    this.at = Math.max(Math.min(this.at, this.count - 1), 0);
    this.paint();
  }

  /** Make the rows in sight. */
  paint() {
    const first = Math.max(Math.floor(this.grid.scrollTop / this.high) - AROUND, 0);
    const last = Math.min(first + Math.ceil(this.grid.clientHeight / this.high) + 2 * AROUND, this.count);
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
    const cells = this.columns.map(({ say, values }) => {
      const said = say(i);
      return make("div", { role: "gridcell", class: values ? "nsne-figures" : undefined, title: said }, said);
    });
    const is = { class: "nsne-row", role: "row", id: `${this.id}-${k}`, "data-row": k, "aria-rowindex": k + 2 };
    const chosen = { "aria-selected": String(this.acts.marked(i)), "data-at": k === this.at ? "" : undefined };
    const row = make("div", { ...is, ...chosen }, ...cells);
    row.style.top = `${this.high * k}px`;
    return row;
  }

  /** @param {number} k @param {MouseEvent|KeyboardEvent} event */
  open(k, event) {
    this.at = k;
    if (k < this.count) this.acts.open(this.rows[k], event);
    this.paint();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.grid || event.ctrlKey || event.metaKey) return;
    // Shift+Enter runs the cell around; Shift+Space does here what a click with Shift does.
    const enters = event.key === " " || (event.key === "Enter" && !event.shiftKey);
    if (event.altKey && !(enters && this.acts.ways)) return;
    const page = Math.max(Math.floor(this.grid.clientHeight / this.high) - 2, 1);
    const end = this.count - 1;
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -end, End: end };
    if (enters) this.open(this.at, event);
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
