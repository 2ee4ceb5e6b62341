// What an explorer shows at this moment: the maps, and which word is looked at. Its parts read it; the view alone changes it.

import { bytes, floats } from "../shared/buffers.js";
import { Lettering } from "../shared/text_halo.js";
import { spellings } from "../shared/spelling.js";
import { FIRST_THEME } from "../shared/theme.js";
import { mapsOfFit, proportion, readCounts, readMixture, strongestWords } from "./mixture.js";
import { SENSE, SMALL, isOnce, readSenses } from "./senses.js";
import { sourceLine } from "./source.js";

const STRONG = 24; // words that title and label a whole map

export class ExplorerStage {
  /** @param {Pick<Model, "get">} model */
  constructor(model) {
    /** @param {DataView|undefined} view */
    const ints = (view) => (view?.byteLength ? new Int32Array(bytes(view)) : new Int32Array(0));
    this.names = model.get("names") || [];
    this.ties = readCounts(
      ints(model.get("count_pointers")),
      ints(model.get("count_columns")),
      floats(model.get("count_values")),
    );
    this.counts = model.get("counted") === false ? null : this.ties; // else they only tell who is tied to whom
    /** @type {string[]} words of the norms that are not mapped: their numbers come after those of the names */
    this.unmapped = model.get("others") ?? [];
    this.index = spellings(this.names);
    this.fits = model.get("fits") ?? [];
    this.best = model.get("best") ?? 0;
    this.fit = this.best; // whose maps are drawn
    this.others = floats(model.get("other_maps"));
    this.senses = readSenses(floats(model.get("senses")));
    this.columns = model.get("columns") ?? [];
    this.columnValues = floats(model.get("column_values"));
    /** @type {Record<string, string>} the reader's notes, by word */
    this.notes = {};
    /** @type {Mixture|null} */
    this.mixture = null;
    this.word = -1; // the word looked at
    this.beside = -1; // one that is shown beside it
    this.lit = -1; // and the one under the pointer
    this.threshold = 0; // of proportions: maps above it are shown
    this.least = { certainty: 0, share: 0 }; // senses that are less certain, or have less of the word, are put aside
    this.detailed = !this.senses; // whether numbers, lists and signs are shown
    this.source = sourceLine(model); // what the senses were made of
    this.alike = model.get("alike") ?? false; // whether the fits began with groups of the norms
    this.theme = FIRST_THEME;
    this.letters = new Lettering(this);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    /** @type {Float32Array|null} what the maps were read from */
    this.data = null;
    /** @type {{fit: number, data: Float32Array}|null} maps of a fit that is not the best one */
    this.unpacked = null;
    /** @type {Map<number, number[]>} the strongest words of each map */
    this.strong = new Map();
  }

  /** Device pixels for a CSS pixel. */
  get ratio() {
    return globalThis.devicePixelRatio || 1;
  }

  /** The color of the ground, as styles write it. */
  get ground() {
    return `rgb(${this.theme.ground.join(",")})`;
  }

  /** What a word is called, mapped or not. @param {number} word */
  called(word) {
    return this.names[word] ?? this.unmapped[word - this.names.length] ?? "";
  }

  /**
   * The senses of a word in four kinds: those that are shown, the weaker ones, groups that are small but apart, and
   * what only one fit shows.
   * @param {number} i
   */
  sensesOf(i) {
    const all = this.senses?.(i) ?? [];
    const { certainty, share } = this.least;
    const own = all.filter(({ kind }) => kind === SENSE);
    const strong = own.filter((one, k) => k === 0 || (!(one.certainty < certainty) && one.share >= share));
    return {
      shown: strong,
      weaker: own.filter((one) => !strong.includes(one)),
      small: all.filter(({ kind }) => kind === SMALL),
      once: all.filter(isOnce),
    };
  }

  /** The value of a column for word i; NaN where there is none. @param {string} name @param {number} i */
  valueOf(name, i) {
    const k = this.columns.findIndex((column) => column.name === name);
    return k < 0 ? Number.NaN : this.columnValues[k * this.names.length + i];
  }

  /** The words that are surest to have two senses. @param {number} count */
  surest(count) {
    const sure = this.names.map((_, i) => i).filter((i) => this.sensesOf(i).shown.length > 1);
    /** @param {number} i */
    const value = (i) => this.valueOf("certainty", i);
    return sure.sort((a, b) => value(b) - value(a) || a - b).slice(0, count);
  }

  /** Take over new maps; false if they are the same. @param {Float32Array} points @param {Kernel} kernel */
  adopt(points, kernel) {
    const data = this.fit === this.best ? points : this.mapsOf(this.fit);
    if (data === this.data) return false;
    this.data = data;
    this.mixture = readMixture(data, this.fits[this.fit]?.kernel ?? kernel);
    this.strong.clear();
    return true;
  }

  /** @param {number} fit */
  mapsOf(fit) {
    if (this.unpacked?.fit !== fit) this.unpacked = { fit, data: mapsOfFit(this.others, fit, this.names.length) };
    return this.unpacked.data;
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
}
