// The switches and fields around the map, and the sizes of the view: what each does, and how each shows what is in force.

import { attribute, write } from "../../shared/elements.js";
import { SCORED, isScored, whyNotColored } from "../map/scores.js";
import { SIZES } from "../map/names.js";
import { Part } from "../part.js";
import { disable } from "./run_controls.js";

/** @import { Menu } from "./menu.js" */
/** @import { Pointer, Tool } from "../map/pointer.js" */

export class Switches extends Part {
  /** @param {Known} known @param {Panels} panels @param {Pointer} pointer @param {Menu} menu @param {() => void} help  show the list of keys */
  constructor(known, { parts, axes, legend, knobs }, pointer, menu, help) {
    super(known);
    this.parts = parts;
    this.axes = axes;
    this.legend = legend;
    this.menu = menu;
    this.knobs = knobs.element; // the panel
    this.guesses = Boolean(known.hub.model.get("hide_labels"));
    this.letters = false; // whether each object is drawn as its label
    const { hub, on } = this;
    const first = hub.model.get("controls");
    /** @type {"few"|"bare"} */
    this.few = first === "bare" ? "bare" : "few"; // what there is besides all
    const p = parts;
    on(p.zoomIn, "click", () => axes.zoomBy(1.4));
    on(p.zoomOut, "click", () => axes.zoomBy(1 / 1.4));
    on(p.fit, "click", () => axes.choose("follow"));
    on(p.axes, "change", () => axes.choose(/** @type {AxisRule} */ (p.axes.value)));
    on(p.color, "change", () => hub.keep("color", /** @type {Channel} */ (p.color.value)));
    on(p.hide, "click", () => this.toggleLabels());
    on(p.letters, "click", () => this.toggleLetters());
    on(p.images, "click", () => this.toggleImages());
    on(p.names, "change", () => hub.keep("show_names", /** @type {Written} */ (p.names.value)));
    on(p.smaller, "click", () => this.resizeNames(-1));
    on(p.larger, "click", () => this.resizeNames(1));
    on(p.lassoTool, "click", () => pointer.toggleLasso());
    on(p.more, "click", () => menu.toggle());
    on(p.compact, "click", () => this.toggleCompact());
    on(p.fullscreen, "click", () => this.toggleFullScreen());
    on(p.help, "click", help);
    on(document, "fullscreenchange", () => this.update());
  }

  // ---- what is shown of the objects ----

  toggleLabels() {
    if (this.objects.labeled) this.hub.keep("hide_labels", !this.hub.model.get("hide_labels"));
  }

  toggleLetters() {
    if (!this.parts.letters.isConnected || this.hub.model.get("hide_labels")) return;
    this.letters = !this.letters;
    this.update();
    this.hub.paintSoon();
  }

  toggleImages() {
    if (this.parts.images.isConnected) this.hub.keep("show_images", !this.hub.model.get("show_images"));
  }

  nextNames() {
    const { hub, parts } = this;
    const choices = [...parts.names.options].map((option) => /** @type {Written} */ (option.value));
    const next = choices[(choices.indexOf(hub.model.get("show_names")) + 1) % choices.length];
    if (choices.length < 2) return;
    hub.keep("show_names", next);
    this.say(`Written on the map: ${parts.names.selectedOptions[0]?.textContent ?? next}`);
  }

  /** @param {number} by  steps of size */
  resizeNames(by) {
    const { hub } = this;
    const now = hub.model.get("name_size") || 12;
    const next = by > 0 ? SIZES.find((size) => size > now) : SIZES.findLast((size) => size < now);
    if (next !== undefined) hub.keep("name_size", next);
  }

  nextColor() {
    const { hub } = this;
    const channels = this.coloring.channels(hub.live).filter((one) => !whyNotColored(one, hub.model));
    const next = channels[(channels.indexOf(hub.model.get("color")) + 1) % channels.length];
    hub.keep("color", next);
    this.say(`Colored by ${this.parts.color.selectedOptions[0]?.textContent ?? next}`);
  }

  /** @param {Tool} tool */
  showTool(tool) {
    const lasso = tool === "lasso";
    attribute(this.parts.lassoTool, "aria-pressed", lasso);
    attribute(this.parts.stage, "data-tool", tool);
    const words = lasso ? "Lasso: draw a line around objects; Shift adds, Alt removes" : "The lasso is off";
    this.say(words, lasso);
  }

  // ---- sizes ----

  get compact() {
    return Boolean(this.hub.model.get("compact"));
  }

  /** All controls, or few again; the map keeps its place on the page. */
  toggleMore() {
    const all = this.hub.model.get("controls") === "all" && !this.compact;
    this.menu.close(false);
    if (this.compact) this.toggleCompact();
    this.hub.keep("controls", all ? this.few : "all");
    this.parts.more.focus({ preventScroll: true });
  }

  toggleCompact() {
    this.hub.keep("compact", !this.compact);
  }

  toggleFullScreen() {
    const { root } = this.parts;
    if (document.fullscreenElement === root) return document.exitFullscreen();
    const refused = () => this.say("The browser does not allow full screen here");
    if (!root.requestFullscreen) return refused();
    // A presenter's keys are the view's, and not those of the button that was pressed.
    return root.requestFullscreen().then(() => root.focus({ preventScroll: true }), refused);
  }

  toggleKnobs() {
    const { knobs } = this;
    if (this.compact || this.hub.model.get("controls") !== "all") {
      this.toggleMore();
      knobs.open = false;
    }
    knobs.open = !knobs.open;
    if (knobs.open) knobs.scrollIntoView({ block: "nearest" });
    this.say(knobs.open ? "Knobs are shown" : "Knobs are hidden", false);
  }

  /** Show what is in force. */
  update() {
    const { hub, parts: p, legend, coloring, compact } = this;
    const hidden = Boolean(hub.model.get("hide_labels"));
    write(p.hideWord, hidden ? "Show labels" : "Hide labels");
    attribute(p.letters, "aria-pressed", this.letters);
    disable(p.letters, hidden, p.root);
    attribute(p.images, "aria-pressed", Boolean(hub.model.get("show_images")));
    const written = hub.model.get("show_names") ?? "none";
    if (p.names.value !== written) p.names.value = written;
    const size = hub.model.get("name_size") || 12;
    disable(p.smaller, written === "none" || size <= SIZES[0], p.root);
    disable(p.larger, written === "none" || size >= SIZES[SIZES.length - 1], p.root);
    for (const option of p.color.options) {
      const why = whyNotColored(option.value, hub.model);
      if (isScored(option.value)) write(option, `${SCORED[option.value].menu}${why ? `: ${why}` : ""}`);
      option.disabled = Boolean(why);
    }
    if (p.color.value !== coloring.wanted) p.color.value = coloring.wanted;
    const rule = this.axes.rule ?? "follow";
    if (p.axes.value !== rule) p.axes.value = rule;
    attribute(p.compact, "aria-pressed", compact);
    attribute(p.fullscreen, "aria-pressed", document.fullscreenElement === p.root);
    const controls = hub.model.get("controls") || "few";
    const all = controls === "all" && !compact;
    const moreAt = controls === "bare" && !compact ? p.hand : p.bar;
    if (p.more.parentNode !== moreAt) moreAt.append(p.more);
    // Labels that are hidden at first are there to be shown.
    const shownFirst = this.guesses && controls !== "all" && !compact;
    const hideAt = !shownFirst ? p.switches : controls === "bare" ? p.hand : p.bar;
    if (this.objects.labeled && p.hide.parentNode !== hideAt) hideAt.prepend(p.hide);
    const home = all ? p.legendFold : p.strip;
    if (legend.element.parentNode !== home) home.append(legend.element);
    p.legendFold.hidden = legend.element.hidden;
    // Where classes are named on the map, the legend says nothing more.
    const named = !compact && coloring.channel === "label" && written === "classes" && !hidden;
    p.strip.hidden = all || named || legend.element.hidden;
    write(p.legendTitle, legend.heading);
  }
}
