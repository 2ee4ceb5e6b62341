// What colors the points: their labels, values, scores or nothing; and which of them stand out.

import { membersOf } from "../objects.js";
import { SCORED, isScored } from "./scores.js";
import { digits } from "../../shared/window.js";
import { LOOKS, TOLD, UNLABELED, alike, classColor, classShape, hues, valueColor } from "../../shared/marks.js";

/** @import { ColorSource } from "../columns.js" */

const STEPS = 48; // colors of a continuous scale
const MOST_PLACED = 2048; // classes that have a mark each
/** Ranks, the one that lies lowest first. */
export const FAINT = 0;
export const PLAIN = 1;
export const SELECTED = 2;

/** How much of its color a mark keeps at each rank: only what the reader has put away steps back. */
export const OPACITY = [0.12, 1, 1];

/**
 * Numbers as shares of a range, in whole steps.
 * @param {ArrayLike<number>} values @param {number} low @param {number} high
 */
function stepped(values, low, high) {
  const scale = high > low ? (STEPS - 1) / (high - low) : 0;
  const keys = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) {
      keys[i] = UNLABELED;
      continue;
    }
    const step = scale ? Math.round((values[i] - low) * scale) : (STEPS - 1) >> 1;
    keys[i] = Math.min(Math.max(step, 0), STEPS - 1);
  }
  return keys;
}

export class Coloring {
  /** @param {Pick<KnownObjects, "classes"|"classNames"|"values"|"range"|"count"> & Partial<Pick<KnownObjects, "columns"|"classColors">>} objects */
  constructor(objects) {
    this.objects = objects;
    /** @type {Channel} what was asked for */
    this.wanted = "none";
    /** @type {Channel} what can be shown of it */
    this.channel = "none";
    /** @type {Uint16Array|null} the mark of each object: its class or the step of its value; null for one mark for all */
    this.keys = null;
    /** @type {[low: number, high: number]|null} of a continuous scale */
    this.range = null;
    /** @type {Scores|null} */
    this.scores = null;
    this.end = ""; // of the run for which these were found, and of which classes
    /** @type {ColorSource|null} whose colors follow places */
    this.placed = null;
    this.version = 0;
    /** @type {Map<string, number>} how many classes look like another, by what was asked */
    this.counted = new Map();
    const { classes, classNames, classColors: colors, values, range } = objects;
    /** @type {ColorSource} */
    this.own = { title: "", classes, classNames, colors, values, range, say: (value) => digits(value, 3) };
    this.source = this.own; // what a label or a value is, at present: that of the objects, or of a column
  }

  /** What the colors of a channel mean, where that is known of the objects. @param {Channel} channel */
  sourceOf(channel) {
    return channel.startsWith("column:") ? this.objects.columns?.source(channel.slice(7)) : this.own;
  }

  /** Which of the channels there are, by what is known of the objects; scores are there if a run is. @param {boolean} live @returns {Channel[]} */
  channels(live) {
    const { classes, values } = this.objects;
    /** @type {Channel[]} */
    const there = classes ? ["label"] : [];
    if (values) there.push("value");
    if (live) there.push(.../** @type {Channel[]} */ (Object.keys(SCORED)));
    for (const name of this.objects.columns?.colorable ?? []) there.push(`column:${name}`);
    return [...there, "none"];
  }

  /** What a number of the scale is called, at present. @returns {(value: number) => string} */
  get say() {
    return isScored(this.channel) ? SCORED[this.channel].say : this.source.say;
  }

  /**
   * Choose what colors the points; true if that is news.
   * @param {Channel} wanted @param {{hidden: boolean, live: boolean, scores: Scores|null}} now
   */
  choose(wanted, { hidden, live, scores }) {
    const there = this.channels(live);
    this.wanted = there.includes(wanted) ? wanted : there[0];
    const source = this.sourceOf(this.wanted) ?? this.own;
    /** @type {Channel} */
    let channel = this.wanted.startsWith("column:") ? (source.classes ? "label" : "value") : this.wanted;
    const scored = isScored(channel);
    if (hidden && !scored) channel = "none"; // scores tell no label
    if (scored && !(scores?.values.length === this.objects.count)) channel = "none"; // still on their way
    const same = channel === this.channel && source === this.source;
    if (same && (!isScored(channel) || scores === this.scores)) return false;
    this.channel = channel;
    this.source = source;
    this.scores = scores;
    if (channel === "label") [this.keys, this.range] = [source.classes, null];
    else if (channel === "value") {
      const [low, high] = source.range;
      [this.keys, this.range] = [source.values && stepped(source.values, low, high), [low, high]];
    } else if (isScored(channel) && scores)
      [this.keys, this.range] = [stepped(scores.values, scores.low, scores.high), [scores.low, scores.high]];
    else [this.keys, this.range] = [null, null];
    this.version += 1;
    return true;
  }

  /**
   * Color classes that are more than a legend names by where they lie on a finished map, and leave others as they are.
   * @param {Float32Array} points
   */
  byPlace(points) {
    const { classes, classNames, colors } = this.source;
    if (!classes || classNames.length <= TOLD || classNames.length > MOST_PLACED) return;
    if (colors?.length && this.source !== this.placed) return; // they are given
    const sums = new Float64Array(3 * classNames.length);
    classes.forEach((k, i) => {
      if (k === UNLABELED) return;
      for (const [c, part] of [points[2 * i], points[2 * i + 1], 1].entries()) sums[3 * k + c] += part;
    });
    this.source.colors = hues(
      classNames.map((_, k) => [sums[3 * k] / sums[3 * k + 2], sums[3 * k + 1] / sums[3 * k + 2]]),
    );
    this.placed = this.source;
    this.version += 1;
  }

  /** The objects of class k, of what colors mean now. @param {number} k */
  membersOf(k) {
    return membersOf(this.source.classes, k);
  }

  /** @param {number} key @param {boolean} dark */
  color(key, dark) {
    if (this.channel === "label" || key === UNLABELED) return classColor(key, dark, this.source.colors);
    if (this.channel === "none") return dark ? "#a9b4c0" : "#5d6b7a";
    return valueColor(key / (STEPS - 1), dark);
  }

  /** @param {number} key */
  shape(key) {
    const many = this.source.classNames.length > TOLD; // no legend tells what a shape means
    return (this.channel === "label" && !many) || key === UNLABELED ? classShape(key) : "circle";
  }

  /** What a reader is told where classes look alike. @param {boolean} flat  whether colors alone tell them apart */
  said(flat) {
    if (this.channel !== "label" || this.source.classNames.length > TOLD) return "";
    const asked = `${this.source.title} ${flat}`;
    const same = this.counted.get(asked) ?? alike(this.source.classNames.keys(), !flat, this.source.colors);
    this.counted.set(asked, same);
    return same ? `${same} classes share a color with another; click one in the legend to single it out` : "";
  }

  /** How many keys look different: those beyond look like the earlier ones, in turn. */
  get looks() {
    return this.channel === "label" && !this.source.colors?.length ? LOOKS : UNLABELED;
  }

  /** @param {number} key */
  letter(key) {
    return this.channel === "label" ? this.source.classNames[key] : undefined;
  }
}

/**
 * @typedef {object} Ranks
 * @property {Uint32Array} order  in which to paint the objects
 * @property {Uint8Array} levels  the rank of each
 */

/**
 * The rank of every object, and the order in which to paint them: what stands out lies above. Null if all are alike.
 * @param {number} count @param {Uint16Array|null} classes @param {Set<number>} dimmed  classes that step back
 * @param {import("./selection.js").Selection} selection
 * @returns {Ranks|null}
 */
export function ranks(count, classes, dimmed, selection) {
  const { left, flags, filtered, chosen } = selection;
  if (!left && !chosen && !(classes && (dimmed.size || classes.includes(UNLABELED)))) return null;
  const levels = new Uint8Array(count);
  const starts = [0, 0, 0, 0, 0, 0, 0];
  // At each rank, objects without a class lie below the others.
  /** @param {number} i */
  const place = (i) => 2 * levels[i] + Number(classes?.[i] !== UNLABELED);
  for (let i = 0; i < count; i++) {
    const faint = (left && !left[i]) || (classes && dimmed.has(classes[i]));
    const level = flags[i] && !filtered ? SELECTED : faint ? FAINT : PLAIN;
    levels[i] = level;
    starts[place(i) + 1] += 1;
  }
  for (let k = 1; k < 7; k++) starts[k] += starts[k - 1];
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[starts[place(i)]++] = i;
  return { order, levels };
}
