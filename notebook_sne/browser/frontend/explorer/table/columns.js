// What the table of all words shows of each, and in which order. Nothing here touches a page.

import { plainLetters } from "../../shared/spelling.js";
import { proportion } from "../mixture.js";
import { noteOn } from "../notes.js";

/** @import { ExplorerStage } from "../stage.js" */

/** The columns that tell of senses; others are the reader's own. */
export const AGREED = new Set(["senses", "certainty", "second", "seen"]);
const NAMED = 4; // associates of each sense in the table

/**
 * @typedef {object} Column  numbers, or texts; what is missing is NaN, or an empty text
 * @property {string} name
 * @property {string} text  what it means
 * @property {Float32Array|null} values  null for texts
 * @property {(i: number) => string} say
 */

/**
 * The columns for the present maps: what Python said of each word, or else how many maps hold it and how much of it the
 * second one has.
 * @param {ExplorerStage} stage @returns {Column[]}
 */
export function columnsOf(stage) {
  const { names, columns, columnValues, senses, notes, mixture: x, threshold } = stage;
  const N = names.length;
  const own = columns.map(({ name, text }, k) => numbers(name, text, columnValues.subarray(k * N, (k + 1) * N)));
  if (!senses && x) {
    const [count, second] = [new Float32Array(N), new Float32Array(N)];
    for (let i = 0; i < N; i++) {
      let first = 0;
      for (let m = 0; m < x.M; m++) {
        const p = proportion(x, m, i);
        if (p > threshold) count[i]++;
        if (p > first) [first, second[i]] = [p, first];
        else if (p > second[i]) second[i] = p;
      }
    }
    own.unshift(
      numbers("maps", "maps in which the proportion exceeds the threshold", count),
      numbers("second", "the second largest proportion", second),
    );
  }
  if (senses) {
    const said = (/** @type {number} */ i) =>
      stage.sensesOf(i).shown.map(({ associates }) =>
        associates
          .slice(0, NAMED)
          .map(({ word }) => stage.called(word))
          .join(", "),
      );
    const text = "first own associates of each sense";
    own.push({ name: "associates", text, values: null, say: (i) => said(i).filter(Boolean).join(" / ") });
  }
  const noted = (/** @type {number} */ i) => noteOn(notes, names[i]);
  if (Object.keys(notes).length) own.push({ name: "note", text: "your note on the word", values: null, say: noted });
  return [wordsOf(names), ...own];
}

/** A column of numbers. @param {string} name @param {string} text @param {Float32Array} values @returns {Column} */
export const numbers = (name, text, values) => ({ name, text, values, say: figures(values) });

/** A column of the words. @param {string[]} names @returns {Column} */
export const wordsOf = (names) => ({ name: "word", text: "the words", values: null, say: (i) => names[i] });

/** How numbers of a column are written: all alike. @param {Float32Array} values @returns {(i: number) => string} */
function figures(values) {
  const whole = values.every((value) => Number.isNaN(value) || Number.isInteger(value));
  return (i) => {
    const value = values[i];
    if (Number.isNaN(value)) return "";
    if (whole) return String(value);
    return value !== 0 && Math.abs(value) < 0.0005 ? value.toExponential(0) : value.toFixed(3);
  };
}

/**
 * The words that hold what was typed, in the order of a column; what is missing comes last, equals in their own order.
 * @param {string[]} folded  words in plain letters @param {Column} column @param {boolean} falling @param {string} typed
 */
export function rowsOf(folded, { values, say }, falling, typed) {
  const wanted = plainLetters(typed).trim();
  const rows = folded.flatMap((word, i) => (word.includes(wanted) ? [i] : []));
  const sign = falling ? -1 : 1;
  if (values) {
    const missing = (/** @type {number} */ i) => Number(Number.isNaN(values[i]));
    return rows.sort((a, b) => missing(a) - missing(b) || sign * (values[a] - values[b]) || a - b);
  }
  const texts = new Map(rows.map((i) => [i, say(i)]));
  const { compare } = new Intl.Collator();
  return rows.sort((a, b) => {
    const [one, other] = [texts.get(a) ?? "", texts.get(b) ?? ""];
    return Number(!one) - Number(!other) || sign * compare(one, other) || a - b;
  });
}
