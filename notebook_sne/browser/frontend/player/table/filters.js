// Filters: which objects each leaves, and which all of them do. Each facet has at most one; an object is left if it passes
// all. Nothing here touches a page.

import { plainLetters } from "../../shared/spelling.js";
import { UNLABELED } from "../../shared/marks.js";

/** @import { Facet } from "./facets.js" */

/** @typedef {{low: number, high: number}|Set<number>} Kept  steps, both ends included, or kinds */

export class Filters {
  /** @param {KnownObjects} objects @param {Facet[]} facets */
  constructor(objects, facets) {
    this.objects = objects;
    this.facets = facets;
    /** @type {Map<string, Kept>} what each filter keeps, by the name of its facet */
    this.kept = new Map();
    /** @type {Map<string, Uint8Array>} 1 for each object that a filter does not leave, by its facet or "text" */
    this.out = new Map();
    this.text = "";
    this.fails = new Uint8Array(objects.count); // how many filters do not leave an object
    this.count = objects.count; // of objects that are left
    /** @type {string[]|undefined} */
    this.folded = undefined;
  }

  /** Whether any filter is in force. */
  get any() {
    return this.out.size > 0;
  }

  /** 1 for each object that is left; null without filters. @returns {Uint8Array|null} */
  get left() {
    return this.any ? Uint8Array.from(this.fails, (fails) => Number(fails === 0)) : null;
  }

  /** Keep some steps or kinds of a facet alone; null for all. @param {Facet} facet @param {Kept|null} kept */
  set(facet, kept) {
    const whole = kept instanceof Set ? !kept.size : kept && kept.low <= 0 && kept.high >= facet.count - 1;
    if (!kept || whole) {
      this.kept.delete(facet.name);
      return this.drop(facet.name);
    }
    this.kept.set(facet.name, kept);
    const passes = new Uint8Array(UNLABELED + 1);
    if (kept instanceof Set) for (const k of kept) passes[k] = 1;
    else passes.fill(1, kept.low, kept.high + 1);
    this.put(
      facet.name,
      Uint8Array.from(facet.keys, (k) => 1 - passes[k]),
    );
  }

  /** Keep the objects that hold a piece of text in their name, label or a column. @param {string} text */
  search(text) {
    this.text = text;
    const wanted = plainLetters(text).trim();
    if (!wanted) return this.drop("text");
    this.folded ??= this.texts();
    this.put(
      "text",
      Uint8Array.from(this.folded, (one) => Number(!one.includes(wanted))),
    );
  }

  /** All texts of each object, in plain letters, on a line each. */
  texts() {
    const { objects } = this;
    const texts = objects.columns.list.flatMap(({ texts }) => (texts ? [texts] : []));
    return Array.from({ length: objects.count }, (_, i) =>
      plainLetters(
        [objects.names[i] ?? "", objects.label(i) ?? "", ...texts.map((column) => column[i] ?? "")].join("\n"),
      ),
    );
  }

  /** No filter at all. */
  clear() {
    this.kept.clear();
    this.out.clear();
    this.text = "";
    this.fails.fill(0);
    this.count = this.objects.count;
  }

  /** Labels are hidden or shown: what tells of them filters no more. */
  forgetLabels() {
    this.folded = undefined;
    for (const facet of this.facets) if (facet.hideable) this.set(facet, null);
    this.search(this.text);
  }

  /** @param {string} name @param {Uint8Array} out */
  put(name, out) {
    this.take(name);
    this.out.set(name, out);
    for (let i = 0; i < out.length; i++) this.fails[i] += out[i];
    this.tally();
  }

  /** @param {string} name */
  drop(name) {
    this.take(name);
    this.tally();
  }

  /** @param {string} name */
  take(name) {
    const before = this.out.get(name);
    for (let i = 0; before && i < before.length; i++) this.fails[i] -= before[i];
    this.out.delete(name);
  }

  tally() {
    let count = 0;
    for (const fails of this.fails) if (!fails) count += 1;
    this.count = count;
  }

  /**
   * How many objects of each step or kind pass all other filters, and at the end how many of the missing.
   * @param {Facet} facet
   */
  counts({ name, keys, count }) {
    const own = this.out.get(name);
    const { fails } = this;
    const counts = new Uint32Array(count + 1);
    for (let i = 0; i < keys.length; i++)
      if (fails[i] === (own ? own[i] : 0)) counts[keys[i] === UNLABELED ? count : keys[i]] += 1;
    return counts;
  }
}
