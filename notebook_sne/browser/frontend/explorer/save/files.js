// What the menu of the explorer saves, each under a name that tells the words.

import { safeName } from "../../shared/save_menu.js";
import { csvOfSenses, csvOfTable, csvOfWords } from "./csv.js";
import { sheetCanvas, sheetSvg } from "./sheet.js";

const SHARP = 2; // device pixels of a saved picture for one of the screen: it will be shown large

/**
 * The files, and what is done before the menu opens: what there is nothing of cannot be chosen.
 * @param {Pick<Model, "get">} model @param {ExplorerStage} stage @param {ExplorerParts} parts
 */
export function filesOf(model, stage, { fit, word, beside, whole, table, saves }) {
  const shown = () => [word, beside].filter(({ i }) => i >= 0);
  const sheet = () => ({
    stage,
    title: model.get("title"),
    facts: fit.facts.textContent ?? "",
    words: shown(),
    whole,
  });
  /** @param {string} ending */
  const name = (ending) => {
    const words = shown().map(({ i }) => stage.names[i]);
    return safeName(words.length ? words : [`map ${whole.m}`], ending);
  };
  const text = (/** @type {string} */ words, /** @type {string} */ type) => new Blob([words], { type });
  /** @type {Record<string, () => Saved>} */
  const files = {
    png: () => ({
      name: name("png"),
      content: sheetCanvas(sheet(), SHARP * (globalThis.devicePixelRatio || 1)),
      text: stage.source,
    }),
    svg: () => ({ name: name("svg"), content: text(sheetSvg(sheet()), "image/svg+xml") }),
    csv: () => ({ name: name("csv"), content: text(csvOfWords(stage, shown()), "text/csv") }),
    "senses-csv": () => ({ name: safeName(["senses"], "csv"), content: text(csvOfSenses(stage), "text/csv") }),
    "table-csv": () => ({
      name: safeName(["words"], "csv"),
      content: text(csvOfTable(table, stage.source), "text/csv"),
    }),
  };
  const opening = () => {
    const able = { drawn: shown().length > 0 || whole.m >= 0, words: shown().length > 0, table: !table.element.hidden };
    /** @type {Record<string, boolean>} */
    const of = { png: able.drawn, svg: able.drawn, csv: able.words, "table-csv": able.table };
    of["senses-csv"] = stage.senses !== null;
    for (const [kind, item] of saves.items) item.disabled = !of[kind];
  };
  return { files, opening };
}
