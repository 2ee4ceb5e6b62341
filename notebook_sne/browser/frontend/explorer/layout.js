// The layout of the explorer: which parts there are, and where they stand.
//
//   title, fit                                    save page, saves
//   search, a second search, back, all words      fit or threshold
//   knobs and cost of a fit that can be steered
//   the table of all words, if it is asked for
//   the word with its senses                    | a word beside it
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

/** @import { ExplorerActs } from "./explorer.js" */
/** @import { ExplorerHub } from "./hub.js" */
/** @import { ExplorerStage } from "./stage.js" */

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
  const steering = new Steering(hub, signal);
  const word = new WordSenses("word", stage, acts, model, fit.waiting);
  const beside = new WordSenses("beside", stage, acts, model);
  const tools = new Toolbar(stage, acts, (i) => word.countInWords(i));
  const keys = "Click or Enter opens a word; with Shift, beside the one shown";
  const table = new WordTable(stage, acts, () => (stage.mixture ? columnsOf(stage) : []), keys);
  const whole = new WholeMap(stage, acts, signal);
  const details = button("details", "Details", "Show numbers, lists of words and the meaning of the signs", "");
  details.hidden = stage.detailed; // where there is nothing else
  attribute(details, "aria-pressed", "false");
  const saves = saveParts("Save what is shown", SAVES);
  const savePage = button("save-page", "Save page", "Save this page with your notes, as a new file", "");
  savePage.hidden = !model.savePage; // in a notebook there is none to save
  const signs = make("div", { "data-part": "legend" });
  const limits = make("p", { "data-part": "axes" });
  const all = make("summary", { class: "nsne-e-map-name", "data-control": "all-maps" });
  const maps = make("details", { class: "nsne-e-all" }, all);
  maps.open = stage.detailed;
  const overview = new Overview(stage, acts, ready, maps);
  maps.append(overview.element);
  const speech = make("div", { class: "nsne-speech", "aria-live": "polite", "data-part": "speech" });
  const title = model.get("title");
  const heading = make("span", { class: "nsne-title", "data-part": "title" }, title || "");
  fit.element.append(savePage, saves.box);
  const root = make(
    "div",
    {
      class: "nsne-view nsne-explorer",
      lang: "en",
      role: "group",
      "aria-label": title ? `Word senses: ${title}` : "Word senses",
    },
    make("header", { class: "nsne-e-head", role: "presentation" }, heading, fit.facts, fit.element),
    tools.element,
    fit.message,
    steering.element,
    table.element,
    make("div", { class: "nsne-e-words" }, word.element, beside.element),
    make("div", { class: "nsne-e-more" }, details, sourcePart(model)),
    make("footer", { class: "nsne-e-caption nsne-e-detail", role: "presentation" }, signs, limits),
    whole.element,
    maps,
    speech,
  );
  root.dataset.key = model.get("key");
  root.style.setProperty("--nsne-e-height", `${model.get("height")}px`);
  return {
    fit,
    steering,
    word,
    beside,
    tools,
    table,
    whole,
    overview,
    saves,
    savePage,
    signs,
    limits,
    all,
    details,
    maps,
    speech,
    root,
  };
}
