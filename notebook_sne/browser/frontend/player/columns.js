// Columns: what else is known of each object. It comes from anybody's data: texts stay texts, and links are not opened.

import { bytes, rangeIn } from "../shared/buffers.js";
import { UNLABELED } from "../shared/marks.js";
import { digits } from "../shared/window.js";

/**
 * @typedef {object} ColorSource  what colors can mean: classes or values of the objects
 * @property {string} title
 * @property {Uint16Array|null} classes
 * @property {string[]} classNames
 * @property {string[]} [colors]  of the classes, where they have some of their own; "" where one has none
 * @property {Float32Array|Float64Array|null} values
 * @property {number[]} range
 * @property {(value: number) => string} say
 */

/**
 * A day, with the time where there is one, as finely as it is known.
 * @param {number} moment  ms since 1970 @param {number} nanoseconds  beyond
 */
export function dateWords(moment, nanoseconds = 0) {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return String(moment);
  const [day, time] = date.toISOString().split("T");
  const within = `${time.slice(9, 12)}${String(nanoseconds).padStart(6, "0")}`.replace(/(000)+$/, "");
  if (time.startsWith("00:00:00") && !within) return day;
  return `${day} ${time.slice(0, 8)}${within && `.${within}`}`;
}

/** A number as a reader wrote it: years, counts and identifiers whole. @param {number} value */
export const numberWords = (value) => (Number.isSafeInteger(value) ? String(value) : digits(value));

export class Columns {
  /** @param {Pick<Model, "get">} model @param {number} count */
  constructor(model, count) {
    this.list = model.get("object_columns") || [];
    const packed = model.get("object_numbers");
    const all = packed?.byteLength ? new Float64Array(bytes(packed)) : new Float64Array(0);
    /** @type {Map<string, Float64Array>} */
    this.numbers = new Map();
    /** @type {Map<string, Float64Array>} */
    this.rests = new Map(); // what doubles lack of whole numbers above 2**53, and nanoseconds of dates
    for (const { name, at, rest } of this.list) {
      if (at !== undefined) this.numbers.set(name, all.subarray(at * count, (at + 1) * count));
      if (rest !== undefined) this.rests.set(name, all.subarray(rest * count, (rest + 1) * count));
    }
    /** @type {Map<string, ColorSource>} */
    this.sources = new Map();
  }

  /** Those that colors can mean. */
  get colorable() {
    return this.list.filter(({ colors }) => colors).map(({ name }) => name);
  }

  /** What each column says of an object, in words; missing ones say so. @param {number} i @returns {[string, string][]} */
  of(i) {
    return this.list.map((column) => [column.name, this.words(column, i) ?? "missing"]);
  }

  /** @param {ColumnFacts} column @param {number} i @returns {string|undefined} */
  words({ name, kind, texts }, i) {
    if (texts) return texts[i] ?? undefined;
    const value = this.numbers.get(name)?.[i] ?? Number.NaN;
    if (Number.isNaN(value)) return undefined;
    const rest = this.rests.get(name)?.[i];
    if (kind === "date") return dateWords(value, rest);
    return rest === undefined ? numberWords(value) : String(BigInt(value) + BigInt(rest));
  }

  /** What colors mean by a column. @param {string} name @returns {ColorSource|undefined} */
  source(name) {
    const column = this.list.find((one) => one.name === name);
    if (!column || this.sources.has(name)) return this.sources.get(name);
    const { kind, texts = [], classes } = column;
    /** @type {ColorSource} */
    const made = { title: name, classes: null, classNames: [], values: null, range: [], say: numberWords };
    if (classes) {
      const keys = new Map(classes.map((text, k) => [text, k]));
      made.classes = Uint16Array.from(texts, (text) => (text === null ? UNLABELED : (keys.get(text) ?? UNLABELED)));
      made.classNames = classes;
    } else {
      const values = this.numbers.get(name) ?? new Float64Array(0);
      const [low, high] = rangeIn(values);
      made.values = values;
      made.range = low <= high ? [low, high] : [0, 0];
      if (kind === "date") made.say = dateWords;
    }
    this.sources.set(name, made);
    return made;
  }
}
