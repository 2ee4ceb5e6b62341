// What tells of a part of the objects: the words of their texts, their kinds and the ends of their numbers that are more
// frequent there than elsewhere, by the likelihood ratio of a table of two by two (Dunning 1993). `objects/enrichment.py` follows
// the same rule. Nothing here touches a page.

import { UNLABELED } from "../../shared/marks.js";

const KINDS = 256; // most different texts that are told whole, where these are at most a quarter of the objects
const LEAST = 10.83; // of the ratio: chance exceeds it once in 1,000 [chi squared, one degree of freedom]
const WORD = /[\p{L}\p{N}]+/gu;
const LETTERS = 2; // that a word has at least

/**
 * @typedef {object} Features  what can be told of the objects by one source
 * @property {string} source  label, name, value, or the name of a column
 * @property {"kind"|"word"|"low"|"high"} kind
 * @property {(string|number)[]} what  each feature: a kind, a word or a number
 * @property {Uint32Array} starts  where those of each object begin in `of`, and where the last end
 * @property {Uint32Array} of  the features of one object after those of another
 *
 * @typedef {{source: string, kind: Features["kind"], what: string|number, share: number, elsewhere: number, ratio: number}} Told
 */

/** @param {string} source @param {Features["kind"]} kind @param {(string|number)[]} what @param {number[][]} own @returns {Features} */
function packed(source, kind, what, own) {
  const starts = new Uint32Array(own.length + 1);
  own.forEach((some, i) => {
    starts[i + 1] = starts[i] + some.length;
  });
  return { source, kind, what, starts, of: Uint32Array.from(own.flat()) };
}

/** Features of texts, each told whole where they are few, and else by its words. @param {string} source @param {(string|null)[]} texts */
export function textFeatures(source, texts) {
  const present = texts.reduce((sum, text) => sum + Number(Boolean(text)), 0);
  const different = new Set(texts.filter(Boolean)).size;
  const whole = different <= Math.min(KINDS, present / 4);
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @param {string} one */
  const number = (one) => {
    const there = known.get(one);
    if (there !== undefined) return there;
    known.set(one, known.size);
    return known.size - 1;
  };
  const own = texts.map((text) => {
    if (!text) return [];
    if (whole) return [number(text)];
    const words = text.normalize("NFC").toLowerCase().match(WORD) ?? [];
    return [...new Set(words.filter((word) => [...word].length >= LETTERS))].map(number);
  });
  return packed(source, whole ? "kind" : "word", [...known.keys()], own);
}

/** The lowest and the highest quarter of numbers. @param {string} source @param {ArrayLike<number>} values @returns {Features[]} */
export function numberFeatures(source, values) {
  const order = Float64Array.from(Array.from(values).filter((value) => !Number.isNaN(value))).sort();
  if (!order.length) return [];
  const [low, high] = [order[Math.floor((order.length - 1) / 4)], order[Math.ceil((3 * (order.length - 1)) / 4)]];
  if (!(low < high)) return [];
  const numbers = Array.from(values);
  return [
    packed(
      source,
      "low",
      [low],
      numbers.map((value) => (value <= low ? [0] : [])),
    ),
    packed(
      source,
      "high",
      [high],
      numbers.map((value) => (value >= high ? [0] : [])),
    ),
  ];
}

/** All that can be told of the objects. @param {KnownObjects} objects @returns {Features[]} */
export function featuresOf({ count, names, classes, classNames, values, hidden, columns }) {
  /** @type {Features[]} */
  const found = [];
  if (classes && !hidden) {
    const own = Array.from(classes, (k) => (k === UNLABELED ? [] : [k]));
    found.push(packed("label", "kind", classNames, own));
  }
  if (names.length) found.push(textFeatures("name", names));
  if (values && !hidden) found.push(...numberFeatures("value", values));
  for (const { name, texts } of columns.list)
    if (texts) found.push(textFeatures(name, texts));
    else found.push(...numberFeatures(name, columns.numbers.get(name) ?? new Float64Array(count).fill(Number.NaN)));
  return found;
}

/** x ln(x / y), 0 where x is. @param {number} x @param {number} y */
const part = (x, y) => (x > 0 ? x * Math.log(x / y) : 0);

/**
 * How surely a feature is more frequent in a part than elsewhere: twice the log likelihood ratio.
 * @param {number} a  objects of the part with it @param {number} b  all with it @param {number} n  objects of the part @param {number} N
 */
export function likelihoodRatio(a, b, n, N) {
  const table = [
    [a, (n * b) / N],
    [b - a, ((N - n) * b) / N],
    [n - a, (n * (N - b)) / N],
    [N - n - b + a, ((N - n) * (N - b)) / N],
  ];
  return 2 * table.reduce((sum, [seen, expected]) => sum + part(seen, expected), 0);
}

/**
 * What tells of each part, most surely first.
 * @param {Features[]} features @param {Int32Array} parts  the part of each object, -1 for none @param {number} count  of parts
 * @param {number} most  that is told of each @returns {Told[][]}
 */
export function tellingOf(features, parts, count, most) {
  const sizes = new Uint32Array(count);
  let N = 0;
  for (const p of parts) if (p >= 0) [sizes[p], N] = [sizes[p] + 1, N + 1];
  /** @type {Told[][]} */
  const told = Array.from({ length: count }, () => []);
  for (const { source, kind, what, starts, of } of features) {
    const seen = new Uint32Array(count * what.length);
    const all = new Uint32Array(what.length);
    for (let i = 0; i < parts.length; i++)
      if (parts[i] >= 0)
        for (let at = starts[i]; at < starts[i + 1]; at++) {
          seen[parts[i] * what.length + of[at]] += 1;
          all[of[at]] += 1;
        }
    for (let p = 0; p < count; p++) {
      const n = sizes[p];
      for (let f = 0; f < what.length; f++) {
        const [a, b] = [seen[p * what.length + f], all[f]];
        if (a < 2 || a * N <= b * n) continue;
        const ratio = likelihoodRatio(a, b, n, N);
        if (ratio >= LEAST)
          told[p].push({ source, kind, what: what[f], share: a / n, elsewhere: (b - a) / (N - n), ratio });
      }
    }
  }
  return told.map((own) => eachOnce(own.sort((one, other) => other.ratio - one.ratio)).slice(0, most));
}

/** Leave out words and kinds that tell of a part by another source already. @param {Told[]} told */
function eachOnce(told) {
  const seen = new Set();
  return told.filter(({ source, kind, what }) => {
    const key = kind === "low" || kind === "high" ? JSON.stringify([source, kind]) : what;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
