// What is shown as a table of comma-separated values [RFC 4180], for a spreadsheet or a program.

import { noteOn } from "../notes.js";
import { answersOf } from "../rows.js";

/** @import { WordTable } from "../table/table.js" */

const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/; // what the names of others are not
const DIGITS = 7; // of numbers: what travels in single precision has no more

/** Rows as the text of a file; the first sign tells a spreadsheet that it is UTF-8. @param {unknown[][]} rows */
export function csv(rows) {
  const cell = (/** @type {unknown} */ value) => {
    const none = value === undefined || value === null || Number.isNaN(value);
    const number = typeof value === "number" || typeof value === "bigint";
    const plain = none ? "" : String(typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value);
    const text = !number && FORMULA.test(plain) ? `'${plain}` : plain;
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** The words shown: a row for each word of each list. @param {ExplorerStage} stage @param {WordSenses[]} shown */
export function csvOfWords(stage, shown) {
  const { names, fit, notes } = stage;
  const head = ["word", "sense", "share", "seen", "certainty", "fit", "map", "kind", "other", "value", "explained"];
  const rows = shown.flatMap(({ i, cards }) =>
    [...cards.values()].flatMap(({ m, sense, words }) =>
      words.map((listed) => [
        names[i],
        sense?.number,
        sense?.share,
        sense?.seen,
        sense?.certainty,
        fit,
        m < 0 ? undefined : m,
        listed.kind,
        stage.called(listed.word),
        listed.value,
        listed.explained,
        ...(stage.counts ? answersOf(stage, i, listed) : [undefined, undefined]),
        noteOn(notes, names[i]),
        stage.source,
      ]),
    ),
  );
  return csv([[...head, "given", "giving", "note", "source"], ...rows]);
}

/** The senses of all words, those that are shown: a row for each associate. @param {ExplorerStage} stage */
export function csvOfSenses(stage) {
  const { names, source } = stage;
  const head = ["word", "sense", "share", "certainty", "seen", "associate", "belongs", "explained", "given", "giving"];
  const rows = names.flatMap((name, i) =>
    stage
      .sensesOf(i)
      .shown.flatMap(({ number, share, certainty, seen, associates }) =>
        associates.map(({ word, belongs, explained, given, giving }) => [
          ...[name, number, share, certainty, seen, stage.called(word), belongs, explained, given, giving, source],
        ]),
      ),
  );
  return csv([[...head, "source"], ...rows]);
}

/** The table as it is sorted and filtered. @param {Pick<WordTable, "columns"|"rows">} table @param {string} source */
export function csvOfTable({ columns, rows }, source) {
  const values = Array.from(rows, (i) => [...columns.map(({ values: own, say }) => (own ? own[i] : say(i))), source]);
  return csv([[...columns.map(({ name }) => name), "source"], ...values]);
}
