// What is shown as a table of comma-separated values [RFC 4180], for a spreadsheet or a program.

import { countOf } from "../mixture.js";
import { noteOn } from "../notes.js";

/** @import { WordSenses } from "../word.js" */
/** @import { WordTable } from "../table/table.js" */
/** @import { ExplorerStage } from "../stage.js" */

const DIGITS = 7; // of numbers: what travels in single precision has no more

/** Rows as the text of a file; the first sign tells a spreadsheet that it is UTF-8. @param {unknown[][]} rows */
export function csv(rows) {
  const cell = (/** @type {unknown} */ value) => {
    const none = value === undefined || value === null || Number.isNaN(value);
    const text = none ? "" : String(typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value);
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** The words shown: a row for each word of each list. @param {ExplorerStage} stage @param {WordSenses[]} shown */
export function csvOfWords(stage, shown) {
  const { names, counts, agreed, fit, notes } = stage;
  const head = [
    "word",
    "sense",
    "share",
    "seen",
    "certainty",
    "fit",
    "map",
    "kind",
    "other",
    "value",
    "explained",
    "given",
    "giving",
    "note",
  ];
  const rows = shown.flatMap(({ i, cards }) =>
    [...cards.values()].flatMap(({ m, sense, words }) =>
      words.map(({ word, kind, value, explained }) => [
        names[i],
        sense?.number,
        sense?.share,
        agreed ? sense?.seen : undefined,
        sense?.certainty,
        fit,
        m < 0 ? undefined : m,
        kind,
        names[word],
        value,
        explained,
        counts ? countOf(counts, i, word) : undefined,
        counts ? countOf(counts, word, i) : undefined,
        noteOn(notes, names[i]),
      ]),
    ),
  );
  return csv([head, ...rows]);
}

/** The table as it is sorted and filtered. @param {Pick<WordTable, "columns"|"rows">} table */
export function csvOfTable({ columns, rows }) {
  const values = rows.map((i) => columns.map(({ values: own, say }) => (own ? own[i] : say(i))));
  return csv([columns.map(({ name }) => name), ...values]);
}
