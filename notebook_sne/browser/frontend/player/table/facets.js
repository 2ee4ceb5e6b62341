// What the objects can be filtered by: each label, value and column as a few steps, the bars of a histogram, or as kinds.
// Nothing here touches a page.

import { UNLABELED } from "../../shared/marks.js";
import { digits } from "../../shared/window.js";
import { dateWords, numberWords } from "../columns.js";

const STEPS = 24; // bars of a histogram, about
const DAY = 86_400_000; // ms
const NONE = UNLABELED; // the key of a missing entry

/**
 * @typedef {object} Facet
 * @property {string} name  which differs from all others
 * @property {string} title
 * @property {"range"|"kinds"} kind
 * @property {boolean} hideable  whether it is hidden with the labels
 * @property {Uint16Array} keys  the step or the kind of each object; 65535 for one without
 * @property {number} count  of steps or kinds, without the missing
 * @property {(k: number, last?: number) => string} say  a kind, or the values of steps k to last
 */

/** The least round number that is no less: 1, 2 or 5 times a power of ten. @param {number} least */
function round(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10);
}

/**
 * The steps of numbers: where they begin and how wide they are.
 * @param {number} low @param {number} high @param {boolean} whole  whether all are whole @param {boolean} dates
 */
function steps(low, high, whole, dates) {
  const least = (high - low) / STEPS;
  let width = least > 0 ? round(least) : 1;
  if (dates) width = least >= DAY ? Math.ceil(least / DAY) * DAY : Math.max(least, 1);
  else if (whole) width = Math.max(width, 1);
  const unit = dates && width >= DAY ? DAY : dates ? 1 : width;
  const start = Math.floor(low / unit) * unit;
  return { start, width, count: Math.max(Math.floor((high - start) / width + 1e-9) + 1, 1) };
}

/**
 * @param {string} name @param {string} title @param {ArrayLike<number>} values @param {boolean} dates @param {boolean} hideable
 * @returns {Facet|null}  null if all are missing
 */
export function rangeOf(name, title, values, dates, hideable = false) {
  let [low, high, whole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
    whole &&= Number.isInteger(value);
  }
  if (low > high || !Number.isFinite(high - low)) return null;
  const { start, width, count } = steps(low, high, whole, dates);
  const keys = new Uint16Array(values.length).fill(NONE);
  for (let i = 0; i < values.length; i++)
    if (!Number.isNaN(values[i]))
      keys[i] = Math.min(Math.max(Math.floor((values[i] - start) / width + 1e-9), 0), count - 1);
  const unit = dates ? (width >= DAY ? DAY : 0) : whole ? 1 : 0; // by which the end of a step is below the next one
  const words = dates ? (/** @type {number} */ value) => dateWords(Math.round(value)) : whole ? numberWords : figure;
  /** @param {number} k @param {number} last */
  const say = (k, last = k) => {
    const [from, to] = [Math.max(start + k * width, low), Math.min(start + (last + 1) * width - unit, high)];
    return words(from) === words(to) ? words(from) : `from ${words(from)} to ${words(to)}`;
  };
  return { name, title, kind: "range", hideable, keys, count, say };
}

/** A number that is an edge of a step. @param {number} value */
const figure = (value) => String(Number(digits(value)));

/**
 * @param {string} name @param {string} title @param {Uint16Array} keys @param {string[]} names @param {string} none
 * @param {boolean} hideable @returns {Facet}
 */
function kindsOf(name, title, keys, names, none, hideable = false) {
  return {
    name,
    title,
    kind: "kinds",
    hideable,
    keys,
    count: names.length,
    say: (k) => (k === NONE ? none : names[k]),
  };
}

/** What the objects can be filtered by. @param {KnownObjects} objects @returns {Facet[]} */
export function facetsOf(objects) {
  const { classes, classNames, values, columns } = objects;
  /** @type {(Facet|null)[]} */
  const found = [];
  if (classes) found.push(kindsOf("label", "label", classes, classNames, "unlabeled", true));
  if (values) found.push(rangeOf("value", "value", values, false, true));
  for (const { name, kind, classes: kinds } of columns.list) {
    const source = kind !== "text" || kinds?.length ? columns.source(name) : undefined;
    if (source?.classes) found.push(kindsOf(`column:${name}`, name, source.classes, source.classNames, "missing"));
    else if (source?.values) found.push(rangeOf(`column:${name}`, name, source.values, kind === "date"));
  }
  return found.filter((one) => one !== null);
}
