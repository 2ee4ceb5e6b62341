// What is known of the objects, and how each is spoken of. Names, labels and values never change; whether labels are hidden
// does.

import { bytes, floats } from "../shared/buffers.js";
import { Columns } from "./columns.js";
import { shorten, shortened } from "../shared/shorten.js";
import { TOLD, UNLABELED } from "../shared/marks.js";
import { digits } from "../shared/window.js";

/** @implements {Objects} */
export class KnownObjects {
  /** @param {Pick<Model, "get">} model @param {number} shown  how many points there are, where nothing else says it */
  constructor(model, shown) {
    this.model = model;
    const classes = model.get("classes");
    const values = floats(model.get("values"));
    this.names = model.get("names") || [];
    /** @type {Uint16Array|null} */
    this.classes = classes?.byteLength ? new Uint16Array(bytes(classes)) : null;
    this.classNames = model.get("class_names") || [];
    /** @type {string[]} of the classes, "" for one without; empty if none has any */
    this.classColors = model.get("class_colors") || [];
    this.values = values.length ? values : null;
    this.range = model.get("value_range") || [];
    this.count = model.get("n_objects") || this.names.length || this.classes?.length || values.length || shown;
    const order = model.get("importance");
    /** @type {Uint32Array|null} the objects in the order in which their names are written; null for their own */
    this.order = order?.byteLength ? new Uint32Array(bytes(order)) : null;
    /** @type {Uint32Array|null} the place of each object in that order */
    this.rank = this.order && new Uint32Array(this.order.length);
    this.order?.forEach((i, at) => {
      if (this.rank) this.rank[i] = at;
    });
    /** In how many fits each pair of classes is joined, neighbors, apart; empty without a certainty. */
    this.pairCounts = new Uint32Array(bytes(model.get("region_pairs")));
    /** How far each object is out of focus by the first fit, the first two and so on; empty without a certainty. */
    this.blurs = new Uint8Array(bytes(model.get("blurs")));
    this.fits = this.blurs.length / Math.max(this.count, 1);
    this.columns = new Columns(model, this.count);
    /** @type {Map<number, string[]>} names in so many letters */
    this.cut = new Map();
  }

  /** Whether labels and values are kept from the reader. */
  get hidden() {
    return Boolean(this.model.get("hide_labels"));
  }

  /** Whether there is anything to hide. */
  get labeled() {
    return Boolean(this.classes || this.values);
  }

  /** How far each object is out of focus now; null if all are sharp. */
  get blur() {
    const fits = this.model.get("focus");
    const shown = !this.hidden && fits > 1 && fits <= this.fits;
    return shown ? this.blurs.subarray((fits - 1) * this.count, fits * this.count) : null;
  }

  /** @param {number} i */
  name(i) {
    return this.names[i] || `object ${i}`;
  }

  /** The label of an object, in words where it has none, unless labels are hidden or none are given. @param {number} i */
  label(i) {
    return this.classes && !this.hidden ? (this.classNames[this.classes[i]] ?? "unlabeled") : undefined;
  }

  /** The value of an object in words, unless values are hidden or none are given. @param {number} i */
  value(i) {
    if (!this.values || this.hidden) return undefined;
    return Number.isNaN(this.values[i]) ? "no value" : `value ${digits(this.values[i])}`;
  }

  /** All names in so many letters. @param {number} most */
  shortNames(most) {
    const known = this.cut.get(most) ?? shortened(this.names, most);
    this.cut.set(most, known);
    return known;
  }

  /** An object in so many letters: by its name, or its label and number. @param {number} i @param {number} most */
  short(i, most) {
    if (this.names[i]) return this.shortNames(most)[i];
    const label = this.label(i);
    return label === undefined ? `#${i}` : `${shorten(label, 12)} #${i}`;
  }

  /** The objects of class k. @param {number} k */
  membersOf(k) {
    return membersOf(this.classes, k);
  }
}

/** The objects of class k. @param {Uint16Array|null} classes @param {number} k */
export const membersOf = (classes, k) => [...(classes ?? []).keys()].filter((i) => classes?.[i] === k);

/**
 * What a legend says of the classes, of more than 24 nothing; and of the objects without one if there are any.
 * @param {Pick<Objects, "classes"|"classNames">} objects @param {string} [none]  what those are called @returns {{key: number, name: string}[]}
 */
export function entriesOf({ classes, classNames }, none = "unlabeled") {
  const told = classNames.length > TOLD ? [] : classNames;
  const entries = shortened(told).map((name, key) => ({ key, name }));
  const rest = classes ? classes.reduce((sum, key) => sum + Number(key === UNLABELED), 0) : 0;
  return rest ? [...entries, { key: UNLABELED, name: `${none} (${rest})` }] : entries;
}
