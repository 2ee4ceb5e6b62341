// The objects as a table: a row for each that the filters leave, or that is selected, with all that is known of it. A row that
// is pressed is looked at on the map.

import { RowGrid } from "../../shared/grid.js";
import { digits } from "../../shared/window.js";

/** @import { GridColumn } from "../../shared/grid.js" */
/** @import { KnownObjects } from "../objects.js" */
/** @import { Selection } from "../map/selection.js" */

const [NARROW, WIDE, LETTER, LOOKED] = [90, 300, 7.2, 60]; // pixels: of columns of texts; of a letter; texts that are looked at

/** How wide a column of texts is. @param {string} title @param {(i: number) => string} say @param {number} count */
function widthOf(title, say, count) {
  let most = title.length + 3;
  const step = Math.max(1, Math.floor(count / LOOKED));
  for (let i = 0; i < count; i += step) most = Math.max(most, say(i).length);
  return Math.round(Math.min(Math.max(LETTER * most + 20, NARROW), WIDE));
}

/**
 * @typedef {GridColumn & {values: ArrayLike<number>|null, kinds?: string[]}} ObjectColumn  numbers to sort by, null for
 * texts; and of texts that are classes, these in their order
 */

/** What the table tells of each object. @param {KnownObjects} objects @returns {ObjectColumn[]} */
export function objectColumns(objects) {
  const { count, names, classes, values, hidden, columns } = objects;
  /** @type {ObjectColumn[]} */
  const found = [];
  /**
   * @param {string} name @param {string} title @param {(i: number) => string} say @param {ArrayLike<number>|null} numbers
   * @param {{width?: number, kinds?: string[]}} more
   */
  const add = (name, title, say, numbers, { width = widthOf(title, say, count), kinds } = {}) =>
    found.push({ name, title, help: "", numeric: numbers !== null, width, falls: false, say, values: numbers, kinds });
  if (names.length) add("name", "name", (i) => names[i] ?? "", null);
  add(
    "object",
    "object",
    String,
    Uint32Array.from({ length: count }, (_, i) => i),
    { width: 84 },
  );
  if (classes && !hidden)
    add("label", "label", (i) => objects.classNames[classes[i]] ?? "", null, { kinds: objects.classNames });
  if (values && !hidden) add("value", "value", (i) => (Number.isNaN(values[i]) ? "" : digits(values[i])), values);
  for (const column of columns.list) {
    const numbers = columns.numbers.get(column.name) ?? null;
    const kinds = column.classes;
    add(`column:${column.name}`, column.name, (i) => columns.words(column, i) ?? "", numbers, { kinds });
  }
  return found;
}

/**
 * The objects in the order of a column; what is missing comes last, equals in their own order.
 * @param {ObjectColumn} column @param {number} count @param {boolean} falling
 */
export function orderOf({ name, values, kinds, say }, count, falling) {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  if (name === "object") return falling ? order.reverse() : order;
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

export class ObjectTable extends RowGrid {
  /**
   * @param {KnownObjects} objects @param {Selection} selection
   * @param {(i: number, event: MouseEvent|KeyboardEvent) => void} open
   */
  constructor(objects, selection, open) {
    super({ label: "Objects", part: "objects", open, marked: (i) => selection.has(i) });
    this.objects = objects;
    this.selection = selection;
    this.only = false; // whether it has the selected objects alone
    /** @type {ObjectColumn[]} */
    this.told = [];
    /** @type {Uint32Array} */
    this.order = new Uint32Array(0);
    this.sorted = (/** @type {boolean} */ anew) => {
      this.arrange();
      this.update(anew);
    };
  }

  /** Make its columns; labels may have been hidden since. */
  draw() {
    this.told = objectColumns(this.objects);
    if (!this.told.some(({ name }) => name === this.by)) [this.by, this.falling] = ["object", false];
    this.setColumns(this.told);
    this.arrange();
  }

  arrange() {
    const column = this.told.find(({ name }) => name === this.by);
    if (column) this.order = orderOf(column, this.objects.count, this.falling);
  }

  /** Show the rows that there are now. @param {boolean} [anew]  whether the reader begins at their top */
  update(anew = false) {
    const { left } = this.selection;
    if (this.only)
      this.fill(
        this.order.filter((i) => this.selection.has(i)),
        anew,
      );
    else this.fill(left ? this.order.filter((i) => left[i]) : this.order, anew);
  }
}
