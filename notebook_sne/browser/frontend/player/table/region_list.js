// The regions of the map as a table: how many objects each has, and what tells of it. A region that is pressed is selected.

import { make, tableOf, wordButton } from "../../shared/elements.js";
import { shorten } from "../../shared/shorten.js";
import { dateWords, numberWords } from "../columns.js";
import { divided } from "../map/areas.js";
import { counted } from "./filter_list.js";
import { featuresOf, tellingOf } from "./enrichment.js";

/** @import { Features, Told } from "./enrichment.js" */

const [OBJECTS, FEWEST, MOST] = [10, 2, 16]; // the usual number of regions is the root of N / OBJECTS, as in objects/regions.py
const TOLD = 3; // things that are told of a region
const LETTERS = 32; // of a word or a kind

/** How many regions a map of so many objects has. @param {number} count */
export const usualCount = (count) =>
  Math.min(Math.max(Math.floor(Math.sqrt(count / OBJECTS) + 0.5), FEWEST), MOST, count);

/** A share in words. @param {number} share */
const percent = (share) => (share >= 0.01 || share === 0 ? `${Math.round(100 * share)}%` : "below 1%");

/**
 * @typedef {object} Region
 * @property {string} name
 * @property {number[]} objects
 * @property {Told[]} told
 */

export class RegionList {
  /**
   * @param {KnownObjects} objects
   * @param {(objects: number[], event: MouseEvent) => void} pick  a region was pressed
   */
  constructor(objects, pick) {
    this.objects = objects;
    this.pick = pick;
    /** @type {Features[]|null} */
    this.features = null;
    /** @type {Region[]} */
    this.regions = [];
    /** @type {Set<string>} columns of dates */
    this.dates = new Set(objects.columns.list.filter(({ kind }) => kind === "date").map(({ name }) => name));
    this.body = make("tbody");
    const titles = ["region", "objects", "more frequent here than elsewhere"];
    this.note = make("p", { class: "nsne-quiet" }, "Regions divide the map into areas; they are no clusters.");
    const table = tableOf({ "aria-label": "Regions" }, titles, this.body);
    this.element = make(
      "div",
      { class: "nsne-regions", "data-part": "regions", tabindex: "0", hidden: "" },
      table,
      this.note,
    );
  }

  /** Labels are hidden or shown. */
  forget() {
    this.features = null;
  }

  /** Find the regions of a map. @param {Float32Array} points (N, 2) */
  find(points) {
    const { objects } = this;
    if (points.length !== 2 * objects.count) return;
    this.features ??= featuresOf(objects);
    const parts = divided(points, usualCount(objects.count));
    const of = new Int32Array(objects.count).fill(-1);
    parts.forEach((own, p) => {
      for (const i of own) of[i] = p;
    });
    const told = tellingOf(this.features, of, parts.length, TOLD);
    this.regions = parts.map((own, p) => ({ name: this.nameOf(told[p], own, p), objects: own, told: told[p] }));
    this.body.replaceChildren(...this.regions.map((region) => this.row(region)));
  }

  /** What tells most surely of a region names it; otherwise two names from its middle. @param {Told[]} told @param {number[]} own  nearest to the center first @param {number} p */
  nameOf(told, own, p) {
    const { names } = this.objects;
    const words = told.slice(0, 2).map((one) => this.short(one));
    const middle = words.length ? [] : own.filter((i) => names[i]).map((i) => shorten(names[i], LETTERS));
    return [...new Set([...words, ...middle])].slice(0, 2).join(" · ") || `region ${p}`;
  }

  /** @param {Told} one */
  short({ source, kind, what }) {
    if (typeof what === "number") {
      const value = this.dates.has(source) ? dateWords(what) : numberWords(what);
      return `${shorten(source, LETTERS)} ${kind === "low" ? "≤" : "≥"} ${value}`;
    }
    return what === "yes" || what === "no" ? `${shorten(source, LETTERS)}: ${what}` : shorten(what, LETTERS);
  }

  /** @param {Region} region */
  row({ name, objects, told }) {
    const open = wordButton("region", name, { class: "nsne-link" });
    open.addEventListener("click", (event) => this.pick(objects, event));
    const says = told.map((one) => {
      const { share, elsewhere } = one;
      const shares = make("small", {}, `${percent(share)}, elsewhere ${percent(elsewhere)}`);
      return make("span", { class: "nsne-told-of" }, `${this.short(one)} `, shares);
    });
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, open),
      make("td", { class: "nsne-figures" }, counted(objects.length)),
      make("td", {}, ...says),
    );
  }
}
