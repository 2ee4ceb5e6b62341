// All words as a table: sorted by a column, filtered by typing, opened by a click or by keys.

import { make, write } from "../../shared/elements.js";
import { RowGrid } from "../../shared/grid.js";
import { rowsOf } from "./columns.js";

/** @import { Column } from "./columns.js" */
/** @import { ExplorerActs } from "../explorer.js" */
/** @import { ExplorerStage } from "../stage.js" */

const FIRST = ["apart", "certainty", "second"]; // what the table is sorted by at first, where there is such a column

/** @type {Record<string, number>} how wide columns of texts are, in pixels */
const TEXTS = { word: 150, associates: 320, note: 220 };

export class WordTable extends RowGrid {
  /**
   * @param {Pick<ExplorerStage, "names"|"index"|"word"|"beside">} stage @param {Pick<ExplorerActs, "select">} acts
   * @param {() => Column[]} columnsOf  the present columns, none while there is nothing to tell
   * @param {string} keys  what opens a word
   */
  constructor(stage, acts, columnsOf, keys) {
    super({
      label: "All words",
      part: "table",
      open: (i, { shiftKey }) => acts.select(i, { stay: true, beside: shiftKey && stage.word >= 0 }),
      marked: (i) => i === stage.word || i === stage.beside,
    });
    this.stage = stage;
    this.columnsOf = columnsOf;
    /** @type {Column[]} */
    this.told = [];
    this.falling = true;
    this.sorted = (/** @type {boolean} */ anew) => this.sort(anew);
    this.filter = make("input", {
      type: "search",
      "data-control": "filter",
      "aria-label": "Show words that hold these letters",
      placeholder: "Filter",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.counted = make("span", { class: "nsne-e-soft", role: "status", "data-part": "count" });
    this.element = make(
      "section",
      { class: "nsne-e-table", "data-part": "words", hidden: "" },
      make("div", { class: "nsne-group" }, this.filter, this.counted, make("span", { class: "nsne-e-soft" }, keys)),
      this.grid,
    );
    this.filter.addEventListener("input", () => this.sort(true));
    this.filter.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      this.grid.focus();
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
    this.told = this.columnsOf();
    if (!this.told.length) return;
    if (!this.told.some(({ name }) => name === this.by)) {
      this.by = FIRST.find((one) => this.told.some(({ name }) => name === one)) ?? "word";
      this.falling = this.by !== "word";
    }
    this.setColumns(
      this.told.map(({ name, text, values, say }) => ({
        name,
        title: name,
        help: text,
        numeric: values !== null,
        width: values ? Math.max(80, 9 * name.length + 24) : TEXTS[name],
        falls: values !== null,
        say,
      })),
    );
    this.sort();
  }

  /** Put the rows in order. @param {boolean} [anew]  whether the reader asked for another order, and begins at its top */
  sort(anew = false) {
    const column = this.told.find(({ name }) => name === this.by);
    if (!column) return;
    const rows = rowsOf(this.stage.index.folded, column, this.falling, this.filter.value);
    const all = this.stage.names.length;
    write(this.counted, rows.length < all ? `${rows.length} of ${all} words` : `${all} words`);
    this.fill(rows, anew);
  }

  paint() {
    if (!this.element.hidden) super.paint();
  }
}
