// The layout of the player: which page elements there are, where they stand and what they are called.
//
//   title, model, status                      tools, picture, slide size, full screen, keys
//   search, color, axes, switches
//   map with lasso and zoom                 | facts, cost curve, legend, method, knobs, springs
//   play, step, restart, pace, timeline
//
// For a slide only the map, its legend in one line, and slim bars remain.

import { button, draw, folding, icon, iconButton, make } from "../shared/elements.js";

const PACES = [3, 10, 30, 100]; // iterations a second that can be chosen, beside full speed
const COLORS = { label: "labels", value: "values", cost: "cost", none: "nothing" };
const AXES = { follow: "follow the map", fit: "fit once, hold", fixed: "hold as it is" };

function options(names, values) {
  return values.map((value) => make("option", { value }, names[value]));
}

function chosen(control, words, help, choices) {
  const select = make("select", { "data-control": control, title: help, "aria-label": help }, ...choices);
  return [select, make("label", { class: "nsne-choice" }, make("span", {}, words), select)];
}

function runBar(p) {
  p.play = iconButton("play", "Play", "Play (space)", "play");
  p.pause = iconButton("pause", "Pause", "Pause (space)", "pause");
  p.step = iconButton("step", "Step", "One iteration (s)", "step");
  p.restart = iconButton("restart", "Restart", "Begin again at the start (r)", "restart");
  p.pace = make(
    "select",
    { "data-control": "pace", "aria-label": "Most iterations a second", title: "How fast the run goes" },
    ...PACES.map((pace) => make("option", { value: pace }, `${pace} per second`)),
    make("option", { value: "" }, "full speed"),
  );
  p.run = make("span", { class: "nsne-group nsne-run" }, p.play, p.pause, p.step, p.restart, p.pace);
}

function windowBar(p) {
  p.tools = iconButton("tools", "", "Search, colors and switches", "tools", { "aria-expanded": "false" });
  p.menu = iconButton("export-menu", "", "Save a picture", "download", { "aria-expanded": "false" });
  p.compact = iconButton("compact", "", "Compact, for a slide (m)", "compact", { "aria-pressed": "false" });
  p.fullscreen = iconButton("fullscreen", "", "Full screen (f)", "fullscreen", { "aria-pressed": "false" });
  p.help = iconButton("help", "", "Keys (?)", "help");
  p.png = button("png", "Picture (PNG)", "Save the view as a PNG picture, for slides", "");
  p.svg = button("svg", "Drawing (SVG)", "Save the view as an SVG drawing, to be edited or printed", "");
  p.menuList = make(
    "div",
    { class: "nsne-menu", role: "group", "aria-label": "Save a picture", hidden: "" },
    p.png,
    p.svg,
  );
  p.bar = make(
    "span",
    { class: "nsne-group nsne-bar-right" },
    p.tools,
    make("span", { class: "nsne-menu-of" }, p.menu, p.menuList),
    p.compact,
    p.fullscreen,
    p.help,
  );
}

function toolRow(p, view, search) {
  const { classNames } = view.objects;
  let label;
  [p.color, label] = chosen(
    "color",
    "Color",
    "What colors the points (c)",
    options(COLORS, view.coloring.channels(view.hub.live)),
  );
  const switches = make("span", { class: "nsne-group nsne-switches" });
  p.letters = iconButton("letters", "Letters", "Draw each object as its label (l)", "letters", {
    "aria-pressed": "false",
  });
  p.hide = iconButton("hide-labels", "Hide labels", "Hide the labels, to let others guess first (h)", "hidden", {
    "aria-pressed": "false",
  });
  p.images = iconButton("images", "Images", "Draw images at map points, as many as find room (i)", "images", {
    "aria-pressed": "false",
  });
  if (view.labeled) switches.append(p.hide);
  if (classNames.length && classNames.every((name) => [...name].length <= 2)) switches.append(p.letters);
  if (view.model.get("has_images")) switches.append(p.images);
  const [axes, axesLabel] = chosen(
    "axes",
    "Axes",
    "What the view does when the map grows",
    options(AXES, Object.keys(AXES)),
  );
  p.axes = axes;
  p.row = make(
    "div",
    { class: "nsne-tools", role: "group", "aria-label": "Tools" },
    search.element,
    label,
    axesLabel,
    switches,
  );
}

function mapStage(p, card, count) {
  p.canvas = make("canvas", { role: "img", "aria-label": `Map of ${count} objects` });
  p.above = make("canvas", { "aria-hidden": "true", hidden: "" });
  p.lasso = draw("path");
  const lines = draw("svg", { class: "nsne-lasso", "aria-hidden": "true" }, p.lasso);
  p.ring = make("div", { class: "nsne-ring", hidden: "" });
  p.note = make("div", { class: "nsne-note", "data-part": "scale" });
  p.toast = make("div", { class: "nsne-toast", "data-part": "toast", "aria-hidden": "true", hidden: "" }); // what is spoken, for the eye
  p.overlay = make("div", { class: "nsne-overlay", hidden: "" });
  p.lassoTool = iconButton("lasso", "", "Lasso: draw a line around objects (x)", "lasso", { "aria-pressed": "false" });
  p.in = button("zoom-in", "", "Zoom in (+, or Ctrl and the wheel)", "+");
  p.out = button("zoom-out", "", "Zoom out (−, or Ctrl and the wheel)", "−");
  p.fit = button("reset-view", "", "Show the whole map and follow it (0)", "Fit");
  p.hand = make("div", { class: "nsne-hand", role: "group", "aria-label": "Map" }, p.in, p.out, p.fit, p.lassoTool);
  p.brief = make("div", { class: "nsne-brief", "aria-hidden": "true" }); // iteration and cost, where there is no side panel
  p.stage = make(
    "div",
    { class: "nsne-stage", "data-hand": "", "data-tool": "pan" },
    p.canvas,
    make("div", { class: "nsne-above" }, p.above),
    lines,
    p.ring,
    p.note,
    p.brief,
    p.overlay,
    card.element,
    p.toast,
    p.hand,
  );
}

function sidePanel(p, legend, panels) {
  const fact = (name, part) => {
    p[part] = make("dd", { "data-part": part });
    return make("div", {}, make("dt", {}, name), p[part]);
  };
  p.curve = make("canvas", { class: "nsne-curve", role: "img", "aria-label": "Cost in nats at each iteration" });
  const facts = make("dl", {}, fact("iteration", "iteration"), fact("cost", "cost"), fact("phase", "phase"));
  const curve = make("div", { class: "nsne-costs" }, make("span", { class: "nsne-axis" }, "cost in nats"), p.curve);
  p.legendTitle = make("span", {});
  p.legendFold = folding("legend", "", true, legend.element);
  p.legendFold.firstChild.append(p.legendTitle);
  p.side = make(
    "aside",
    { "aria-label": "Facts, labels and knobs" },
    facts,
    curve,
    p.legendFold,
    panels.method.element,
    panels.knobs.element,
    panels.springs.element,
  );
}

/**
 * Build the page elements of a view and put them into one root.
 * @param {any} view @param {{card: any, legend: any, search: any, keys: HTMLElement}} own
 */
export function buildLayout(view, { card, legend, search, help }) {
  const { panels, model } = view;
  const title = model.get("title") || "";
  const p = {};
  runBar(p);
  windowBar(p);
  toolRow(p, view, search);
  mapStage(p, card, view.objects.count);
  sidePanel(p, legend, panels);
  p.status = make("span", { class: "nsne-status", "data-part": "status" });
  p.method = make("span", { class: "nsne-model", "data-part": "model" });
  p.message = make("div", { class: "nsne-message", "data-part": "message", role: "alert", hidden: "" });
  p.speech = make("div", { class: "nsne-speech", "aria-live": "polite", "data-part": "speech" });
  p.strip = make("div", { class: "nsne-strip" });
  p.root = make(
    "div",
    {
      class: "nsne-player",
      tabindex: "0",
      role: "group",
      "aria-label": `${view.hub.live ? "Live map" : "Film of a map"}${title ? `: ${title}` : ""}. Space plays and pauses, question mark lists all keys, Escape leaves.`,
    },
    make(
      "header",
      { class: "nsne-head", role: "presentation" },
      make("span", { class: "nsne-title", "data-part": "title" }, title),
      p.method,
      p.status,
      p.bar,
    ),
    p.row,
    make("div", { class: "nsne-body" }, p.stage, p.side),
    p.strip,
    p.message,
    make("footer", { class: "nsne-foot", role: "group", "aria-label": "Run and film" }, p.run, panels.timeline.element),
    help,
    p.speech,
  );
  p.root.style.setProperty("--nsne-height", `${model.get("height")}px`);
  return p;
}
