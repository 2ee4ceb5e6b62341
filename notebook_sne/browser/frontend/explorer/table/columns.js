// What the table of all words shows of each, and in which order. Nothing here touches a page.

import { mapsAbove, secondProportions } from "../mixture.js";
import { noteOn } from "../notes.js";

/** The columns that tell of senses; others are the reader's own. */
export const AGREED = new Set(["senses", "certainty", "second", "seen", "answers"]);
const NAMED = 4; // associates of each sense in the table

/**
 * The columns for the present maps: what Python said of each word, or else how many maps hold it and how much of it the
 * second one has.
 * @param {ExplorerStage} stage @returns {GridColumn[]}
 */
export function columnsOf(stage) {
  const { names, columns, columnValues, senses, notes, mixture: x, threshold } = stage;
  const N = names.length;
  const own = columns.map(({ name, text }, k) => numbers(name, text, columnValues.subarray(k * N, (k + 1) * N)));
  if (!senses && x) {
    const count = Float32Array.from(names, (_, i) => mapsAbove(x, i, threshold).length);
    own.unshift(
      numbers("maps", "maps in which the proportion exceeds the threshold", count),
      numbers("second", "the second largest proportion", secondProportions(x)),
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
    const help = "first own associates of each sense";
    own.push(texts("associates", help, 320, (i) => said(i).filter(Boolean).join(" / ")));
  }
  if (Object.keys(notes).length) own.push(texts("note", "your note on the word", 220, (i) => noteOn(notes, names[i])));
  return [wordsOf(names), ...own];
}

/** A column of numbers. @param {string} name @param {string} help @param {Float32Array} values @returns {GridColumn} */
export function numbers(name, help, values) {
  const width = Math.max(80, 9 * name.length + 24);
  return { name, title: name, help, values, width, falls: true, say: figures(values) };
}

/** A column of texts. @param {string} name @param {string} help @param {number} width @param {(i: number) => string} say @returns {GridColumn} */
const texts = (name, help, width, say) => ({ name, title: name, help, values: null, width, falls: false, say });

/** A column of the words. @param {string[]} names */
export const wordsOf = (names) => texts("word", "the words", 150, (i) => names[i]);

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
