// The objects as a table: a row for each that the filters leave, or that is selected, with all that is known of it. A row that
// is pressed is looked at on the map.

import { RowGrid } from "../../shared/grid.js";
import { digits } from "../../shared/window.js";

/** @import { Selection } from "../map/selection.js" */

const [NARROW, WIDE, LETTER, LOOKED] = [90, 300, 7.2, 60]; // pixels: of columns of texts; of a letter; texts that are looked at

/** How wide a column of texts is. @param {string} title @param {(i: number) => string} say @param {number} count */
function widthOf(title, say, count) {
  let most = title.length + 3;
  const step = Math.max(1, Math.floor(count / LOOKED));
  for (let i = 0; i < count; i += step) most = Math.max(most, say(i).length);
  return Math.round(Math.min(Math.max(LETTER * most + 20, NARROW), WIDE));
}

/** What the table tells of each object. @param {KnownObjects} objects @returns {GridColumn[]} */
export function objectColumns(objects) {
  const { count, names, classes, values, hidden, columns } = objects;
  /** @type {GridColumn[]} */
  const found = [];
  /**
   * @param {string} name @param {string} title @param {(i: number) => string} say @param {ArrayLike<number>|null} numbers
   * @param {{width?: number, kinds?: string[]}} more
   */
  const add = (name, title, say, numbers, { width = widthOf(title, say, count), kinds } = {}) =>
    found.push({ name, title, help: "", width, falls: false, say, values: numbers, kinds });
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

export class ObjectTable extends RowGrid {
  /**
   * @param {KnownObjects} objects @param {Selection} selection
   * @param {(i: number, event: MouseEvent|KeyboardEvent) => void} open
   */
  constructor(objects, selection, open) {
    const has = (/** @type {number} */ i) => selection.has(i);
    const left = () => (this.only ? has : selection.left && ((/** @type {number} */ i) => selection.left?.[i]));
    super({ label: "Objects", part: "objects", open, marked: has, left, ways: true });
    this.objects = objects;
    this.only = false; // whether it has the selected objects alone
  }

  /** Make its columns; labels may have been hidden since. */
  draw() {
    this.tell(objectColumns(this.objects), this.objects.count, { by: "object", falling: false });
  }
}
