// The layout of the explorer: which parts there are, and where they stand.
//
//   title, fit                                    save page, saves
//   search, a second search, back, all words      fit or threshold
//   the table of all words, if it is asked for
//   the word with its senses                    | a word beside it
//   knobs and cost of a fit that can be steered: opened, they move no map
//   details; how it was made
//   legend, in detail
//   the whole map, if one is open; all maps, small

import { attribute, button, make } from "../shared/elements.js";
import { saveParts } from "../shared/save_menu.js";
import { FitBar } from "./fit.js";
import { WholeMap } from "./map.js";
import { Overview } from "./overview.js";
import { sourcePart } from "./source.js";
import { Steering } from "./steering.js";
import { columnsOf } from "./table/columns.js";
import { WordTable } from "./table/table.js";
import { Toolbar } from "./toolbar.js";
import { WordSenses } from "./word.js";

/** @typedef {ReturnType<typeof buildLayout>} ExplorerParts */

/** @type {Record<string, [words: string, help: string]>} */
const SAVES = {
  png: ["Picture (PNG)", "Save the words shown, or the open map, as a PNG picture"],
  svg: ["Drawing (SVG)", "Save the words shown, or the open map, as an SVG drawing"],
  csv: ["Words shown (CSV)", "Save the words shown, with their neighbors, as a table"],
  "senses-csv": ["All senses (CSV)", "Save the senses of all words, with their associates, as a table"],
  "table-csv": ["Table (CSV)", "Save the table of all words as it is sorted and filtered"],
};

/**
 * @param {ExplorerHub} hub @param {ExplorerStage} stage @param {ExplorerActs} acts
 * @param {() => void} ready  called when all thumbnails are made
 * @param {AbortSignal} signal  when the view goes
 */
export function buildLayout(hub, stage, acts, ready, signal) {
  const { model } = hub;
  const fit = new FitBar(hub);
  const word = new WordSenses("word", stage, acts, model, fit.waiting);
  const keys = "Click or Enter opens a word; with Shift, beside the one shown";
  const all = make("summary", { class: "nsne-e-map-name", "data-control": "all-maps" });
  const maps = make("details", { class: "nsne-e-all" }, all);
  const p = {
    ...{ fit, word, all, maps },
    beside: new WordSenses("beside", stage, acts, model),
    steering: new Steering(hub, signal),
    tools: new Toolbar(stage, acts, (i) => word.countInWords(i)),
    table: new WordTable(stage, acts, () => (stage.mixture ? columnsOf(stage) : []), keys),
    whole: new WholeMap(stage, acts, signal),
    overview: new Overview(stage, acts, ready, maps),
    details: button("details", "Details", "Show numbers, lists of words and the meaning of the signs", ""),
    saves: saveParts("Save what is shown", SAVES),
    savePage: button("save-page", "Save page", "Save this page with your notes, as a new file", ""),
    signs: make("div", { "data-part": "legend" }),
    limits: make("p", { "data-part": "axes" }),
    speech: make("div", { class: "nsne-speech", "aria-live": "polite", "data-part": "speech" }),
  };
  p.details.hidden = stage.detailed; // where there is nothing else
  attribute(p.details, "aria-pressed", "false");
  p.savePage.hidden = !model.savePage; // in a notebook there is none to save
  maps.open = stage.detailed;
  maps.append(p.overview.element);
  const title = model.get("title");
  const heading = make("span", { class: "nsne-title", "data-part": "title" }, title || "");
  fit.element.append(p.savePage, p.saves.box);
  const called = title ? `Word senses: ${title}` : "Word senses";
  const root = make(
    "div",
    { class: "nsne-view nsne-explorer", lang: "en", role: "group", "aria-label": called, "data-key": model.get("key") },
    make("header", { class: "nsne-e-head", role: "presentation" }, heading, fit.facts, fit.element),
    p.tools.element,
    fit.message,
    p.table.element,
    make("div", { class: "nsne-e-words" }, word.element, p.beside.element),
    p.steering.element,
    make("div", { class: "nsne-e-more" }, p.details, sourcePart(model)),
    make("footer", { class: "nsne-e-caption nsne-e-detail", role: "presentation" }, p.signs, p.limits),
    p.whole.element,
    maps,
    p.speech,
  );
  root.style.setProperty("--nsne-e-height", `${model.get("height")}px`);
  return { ...p, root };
}
