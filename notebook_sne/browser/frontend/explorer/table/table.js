// All words as a table: sorted by a column, filtered by typing, opened by a click or by keys.

import { make, write } from "../../shared/elements.js";
import { RowGrid } from "../../shared/grid.js";
import { plainLetters } from "../../shared/spelling.js";

const FIRST = ["apart", "certainty", "second"]; // what the table is sorted by at first, where there is such a column

export class WordTable extends RowGrid {
  /**
   * @param {Pick<ExplorerStage, "names"|"index"|"word"|"beside">} stage @param {Pick<ExplorerActs, "select">} acts
   * @param {() => GridColumn[]} columnsOf  the present columns, none while there is nothing to tell
   * @param {string} keys  what opens a word
   */
  constructor(stage, acts, columnsOf, keys) {
    super({
      label: "All words",
      part: "table",
      open: (i, { shiftKey }) => acts.select(i, { stay: true, beside: shiftKey && stage.word >= 0 }),
      marked: (i) => i === stage.word || i === stage.beside,
      left: () => this.wanted,
    });
    this.stage = stage;
    this.columnsOf = columnsOf;
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
    this.filter.addEventListener("input", () => this.update(true));
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

  /** What holds the letters that were typed; nothing where none were. */
  get wanted() {
    const wanted = plainLetters(this.filter.value).trim();
    return wanted ? (/** @type {number} */ i) => this.stage.index.folded[i].includes(wanted) : null;
  }

  /** New columns, or other values. */
  draw() {
    if (this.element.hidden) return;
    const columns = this.columnsOf();
    if (!columns.length) return;
    const by = FIRST.find((one) => columns.some(({ name }) => name === one)) ?? "word";
    this.tell(columns, this.stage.names.length, { by, falling: by !== "word" });
    this.update();
  }

  update(anew = false) {
    super.update(anew);
    const [left, all] = [this.rows.length, this.order.length];
    write(this.counted, left < all ? `${left} of ${all} words` : `${all} words`);
  }

  paint() {
    if (!this.element.hidden) super.paint();
  }
}
