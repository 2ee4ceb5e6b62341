// The layout of the player: which page elements there are, where they stand and what they are called.
//
// At first a reader sees few of them, those of a lecture fewer still; one button opens a menu, whose last row opens them all:
//
//   title, model, status               search, picture, slide size, full screen, keys, all controls
//   color, axes, switches
//   map with lasso and zoom                 | facts, cost curve, legend, method, knobs, springs
//   play, step, restart, pace, timeline, step and cost, main knobs
//   filters | table of the objects, or regions: once it is asked for
//
// For a slide only the map, its legend in one line, and slim bars remain.

import { button, draw, folding, iconButton, make } from "../shared/elements.js";
import { SCORED } from "./map/scores.js";
import { runBar } from "./panels/run_controls.js";
import { saveParts } from "../shared/save_menu.js";

export const [LEAST_HEIGHT, MOST_HEIGHT] = [160, 2000]; // pixels of the map, as in widgets/map_view.py
/** @type {Record<string, string>} */
const COLORS = { label: "labels", value: "values", none: "nothing" };
for (const [channel, { menu }] of Object.entries(SCORED)) COLORS[channel] = menu;
/** @type {Record<Written, string>} */
const WRITTEN = { names: "names", classes: "classes", none: "nothing" };
const OFF = { "aria-pressed": "false" };
const AXES = { follow: "follow the map", fit: "fit once, hold", fixed: "hold as it is" };

/** @typedef {ReturnType<typeof buildLayout>} Parts */

/**
 * A field to choose one of several.
 * @param {string} control @param {string} words @param {string} help
 * @param {Record<string, string>} names  of the choices, by their values @param {string[]} values  those that there are
 */
function choice(control, words, help, names, values) {
  const options = values.map((value) => make("option", { value }, names[value]));
  const select = make("select", { "data-control": control, title: help, "aria-label": help }, ...options);
  return { select, label: make("label", { class: "nsne-choice" }, make("span", {}, words), select) };
}

/** @param {HTMLElement} table  the button that opens it */
function windowBar(table) {
  const p = {
    saves: saveParts("Save a picture", {
      png: ["Picture (PNG)", "Save the view as a PNG picture, for slides"],
      svg: ["Drawing (SVG)", "Save the view as an SVG drawing, to be edited or printed"],
      video: ["Film (video)", "Play the film once and save it as a video, for slides"],
    }),
    compact: iconButton("compact", "", "Compact, for a slide (m)", "compact", OFF),
    help: iconButton("help", "", "Keys (?)", "help"),
    more: iconButton("more", "", "Menu", "more", { "aria-expanded": "false" }),
    fullscreen: iconButton("fullscreen", "", "Full screen (f)", "fullscreen", OFF),
  };
  const inside = [p.saves.box, table, p.compact, p.help, p.more, p.fullscreen];
  return { ...p, bar: make("span", { class: "nsne-group nsne-bar-right" }, ...inside) };
}

/** @param {Shows} shows */
function toolRow({ labeled, lettered, images: imaged, channels, writes }) {
  /** @type {Record<string, string>} */
  const said = { ...COLORS };
  for (const channel of channels) if (channel.startsWith("column:")) said[channel] = channel.slice(7);
  const { select: color, label: colorLabel } = choice("color", "Color", "What colors the points (c)", said, channels);
  const windowHelp = "What the view does when the map grows";
  const { select: axes, label: axesLabel } = choice("axes", "Axes", windowHelp, AXES, Object.keys(AXES));
  const namesHelp = "What is written on the map (w)";
  const { select: names, label: namesLabel } = choice("names", "Names", namesHelp, WRITTEN, writes);
  const p = {
    ...{ color, colorLabel, axes, names, namesLabel },
    smaller: button("names-smaller", "", "Smaller names", "A\u2212"),
    larger: button("names-larger", "", "Larger names", "A+"),
    letters: iconButton("letters", "Letters", "Draw each object as its label (l)", "letters", OFF),
    hide: iconButton("hide-labels", "", "Hide the labels, to let others guess first (h)", "hidden"),
    hideWord: make("span", { class: "nsne-word" }),
    images: iconButton("images", "Images", "Draw images at map points, as many as fit (i)", "images", OFF),
    switches: make("span", { class: "nsne-group nsne-switches" }),
  };
  const namesBox = make("span", { class: "nsne-group nsne-names" }, namesLabel, p.smaller, p.larger);
  p.hide.append(p.hideWord);
  if (labeled) p.switches.append(p.hide);
  if (lettered) p.switches.append(p.letters);
  if (imaged) p.switches.append(p.images);
  const inside = [colorLabel, ...(writes.length > 1 ? [namesBox] : []), axesLabel, p.switches];
  return { ...p, row: make("div", { class: "nsne-tools", role: "group", "aria-label": "Tools" }, ...inside) };
}

/** @param {HTMLElement[]} floats  what floats over the map: it comes and goes, and the map stays @param {number} count */
function mapStage(floats, count) {
  const p = {
    canvas: make("canvas", { class: "nsne-map", role: "img", "aria-label": `Map of ${count} objects` }),
    above: make("canvas", { "aria-hidden": "true", hidden: "" }),
    lasso: draw("path"),
    ring: make("div", { class: "nsne-ring", hidden: "" }),
    note: make("div", { class: "nsne-note", "data-part": "scale" }),
    toast: make("div", { class: "nsne-toast", "data-part": "toast", "aria-hidden": "true" }), // what is spoken, for the eye
    overlay: make("div", { class: "nsne-overlay", hidden: "" }),
    zoomIn: button("zoom-in", "", "Zoom in (+, or Ctrl and the wheel)", "+"),
    zoomOut: button("zoom-out", "", "Zoom out (−, or Ctrl and the wheel)", "−"),
    fit: button("reset-view", "", "Show the whole map and follow it (0)", "Fit"),
    lassoTool: iconButton("lasso", "", "Lasso: draw a line around objects (x)", "lasso", OFF),
    pin: iconButton("pin", "", "Hold the selected objects where they are, or let them go (t)", "pin", OFF),
    springs: iconButton("map-springs", "", "Springs (e)", "springs", OFF),
    brief: make("div", { class: "nsne-brief", "aria-hidden": "true" }), // the step's name; of a run, iteration and cost where there is no side panel
  };
  const tools = [p.zoomIn, p.zoomOut, p.fit, p.lassoTool, p.pin, p.springs];
  const hand = make("div", { class: "nsne-hand", role: "group", "aria-label": "Map" }, ...tools);
  const stage = make(
    "div",
    { class: "nsne-stage", "data-hand": "", "data-tool": "pan" },
    p.canvas,
    make("div", { class: "nsne-above" }, p.above),
    draw("svg", { class: "nsne-lasso", "aria-hidden": "true" }, p.lasso),
    ...[p.ring, p.note, p.brief, p.overlay, ...floats, p.toast, hand],
  );
  return { ...p, hand, stage };
}

/** @param {HTMLElement} legend @param {HTMLElement[]} panels @param {string} title  of the view */
function sidePanel(legend, panels, title) {
  /** @param {string} name */
  const fact = (name) => make("dd", { "data-part": name });
  const [iteration, cost, phase] = [fact("iteration"), fact("cost"), fact("phase")];
  /** @param {string} name @param {HTMLElement} value */
  const row = (name, value) => make("div", {}, make("dt", {}, name), value);
  const facts = make("dl", {}, row("step", iteration), row("cost", cost), row("now", phase));
  const curve = make("canvas", { class: "nsne-curve", role: "img", "aria-label": "Cost at each step" });
  const costAxis = make("span", { class: "nsne-axis" }, "cost in nats");
  const costs = make("div", { class: "nsne-costs" }, costAxis, curve);
  const legendTitle = make("span", {});
  const { element: legendFold, heading } = folding("legend", "", true, legend);
  heading.append(legendTitle);
  const pinned = make("div", { class: "nsne-pinned" }, facts, costs); // in full screen always in sight
  const called = `Facts, labels and knobs${title ? `: ${title}` : ""}`; // no two of a page are called alike
  const side = make("aside", { "aria-label": called }, pinned, legendFold, ...panels);
  return { iteration, cost, phase, costAxis, curve, legendTitle, legendFold, side };
}

/**
 * @typedef {object} Shows  what there is to show
 * @property {boolean} live
 * @property {string} title
 * @property {number} count  of objects
 * @property {boolean} labeled
 * @property {boolean} lettered  whether labels are short enough to be drawn
 * @property {boolean} images
 * @property {Channel[]} channels  what can color the points
 * @property {Written[]} writes  what can be written on the map
 */

/**
 * Build the page elements of a view and put them into one root.
 * @param {Shows} shows
 * @param {{over: HTMLElement[], legend: HTMLElement, pairs: HTMLElement, search: HTMLElement, drawer: HTMLElement, table: HTMLElement, timeline: HTMLElement, help: HTMLElement,
 *   panels: HTMLElement[], mainKnobs: HTMLElement}} own  the panels' own elements
 */
export function buildLayout(shows, own) {
  const { title } = shows;
  const message = make("div", { class: "nsne-message", "data-part": "message", role: "alert", hidden: "" });
  const p = {
    message,
    ...runBar(),
    ...windowBar(own.table),
    ...toolRow(shows),
    ...mapStage([...own.over, message], shows.count),
    ...sidePanel(own.legend, own.panels, title),
    status: make("span", { class: "nsne-status", "data-part": "status" }),
    method: make("span", { class: "nsne-model", "data-part": "model" }),
    speech: make("div", { class: "nsne-speech", "aria-live": "polite", "data-part": "speech" }),
    strip: make("div", { class: "nsne-strip" }),
    told: make("span", { class: "nsne-told", "data-part": "told" }), // step and cost, beside their curve
    mainKnobs: make("div", { class: "nsne-main-knobs", role: "group", "aria-label": "Knobs" }, own.mainKnobs),
    handle: make("div", {
      class: "nsne-handle",
      role: "separator",
      tabindex: "0",
      "data-control": "height",
      "aria-orientation": "horizontal",
      "aria-label": "Height of the map",
      "aria-valuemin": LEAST_HEIGHT,
      "aria-valuemax": MOST_HEIGHT,
      title: "Drag to make the map higher or lower (arrow keys too)",
    }),
  };
  const called = (shows.live ? "Live map" : "Film of a map") + (title ? `: ${title}` : "");
  const keys = "Space plays and pauses, question mark lists all keys, Escape leaves.";
  const head = make(
    "header",
    { class: "nsne-head", role: "presentation" },
    make("span", { class: "nsne-title", "data-part": "title" }, title),
    ...[p.method, p.status, own.search, p.bar],
  );
  const foot = make(
    "footer",
    { class: "nsne-foot", role: "group", "aria-label": "Run and film" },
    ...[p.run, own.timeline, p.told, p.mainKnobs],
  );
  const root = make(
    "div",
    {
      class: "nsne-view nsne-player",
      lang: "en",
      tabindex: "0",
      role: "group",
      "aria-label": `${called}. ${keys}`,
    },
    head,
    p.row,
    p.strip,
    make("div", { class: "nsne-body" }, p.stage, p.side),
    p.handle,
    own.pairs,
    foot,
    own.drawer,
    own.help,
    p.speech,
  );
  return { ...p, head, foot, root };
}
