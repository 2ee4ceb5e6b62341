// What an explorer shows at this moment: the maps, and which word is looked at. Its parts read it; the view alone changes it.

import { bytes, floats } from "../shared/buffers.js";
import { FIRST_THEME } from "../shared/theme.js";
import { proportion, readCounts, readMixture, strongestWords } from "./mixture.js";
import { spellings } from "./spelling.js";

/** @import { Kernel, Model } from "../shared/types.d.ts" */
/** @import { Mixture } from "./mixture.js" */

const STRONG = 24; // words that title and label a whole map

export class ExplorerStage {
  /** @param {Pick<Model, "get">} model */
  constructor(model) {
    /** @param {DataView|undefined} view */
    const ints = (view) => (view?.byteLength ? new Int32Array(bytes(view)) : new Int32Array(0));
    this.names = model.get("names") || [];
    this.counts = readCounts(
      ints(model.get("count_pointers")),
      ints(model.get("count_columns")),
      floats(model.get("count_values")),
    );
    this.index = spellings(this.names);
    /** @type {Mixture|null} */
    this.mixture = null;
    this.word = -1; // the word looked at
    this.lit = -1; // and the one under the pointer
    this.threshold = 0; // of proportions: maps above it are shown
    this.theme = FIRST_THEME;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    /** @type {Float32Array|null} what the maps were read from */
    this.data = null;
    /** @type {Map<number, number[]>} the strongest words of each map */
    this.strong = new Map();
  }

  /** Take over new maps; false if they are the same. @param {Float32Array} data @param {Kernel} kernel */
  adopt(data, kernel) {
    if (data === this.data) return false;
    this.data = data;
    this.mixture = readMixture(data, kernel);
    this.strong.clear();
    return true;
  }

  /** The words of map m with the largest total strength, summed once for the present maps. @param {number} m */
  strongOf(m) {
    const strong = this.strong.get(m) ?? (this.mixture ? strongestWords(this.mixture, m, STRONG) : []);
    this.strong.set(m, strong);
    return strong;
  }

  /** The first of them, as a title. @param {number} m */
  titleOf(m) {
    return this.strongOf(m)
      .slice(0, 3)
      .map((i) => this.names[i])
      .join(", ");
  }

  /** Whether map m holds enough of word i. @param {number} m @param {number} i */
  holds(m, i) {
    return this.mixture !== null && i >= 0 && proportion(this.mixture, m, i) > this.threshold;
  }

  /** How to read the drawing, in words. */
  howToRead() {
    const x = this.mixture;
    if (!x) return "";
    const said = this.counts ? "In figures: the counts of the table, from one word to the other. " : "";
    if (x.d > 2) return `${said}The first 2 of ${x.d} coordinates are drawn; strengths use all.`;
    if (x.d === 1) return `${said}These maps have one coordinate: their words lie on a line.`;
    const fallen = x.kernel === "student" ? 50 : 37;
    return `${said}The dotted ring is at distance 1, where strength has fallen to ${fallen}\u00a0%.`;
  }
}
