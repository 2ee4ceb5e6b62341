// The buttons, menus and fields around the map: what each does, and how each shows what is in force.

import { attribute, make } from "../shared/elements.js";
import { Legend } from "./legend.js";
import { pngCanvas, saveBlob, shotOf, svgText } from "./pictures.js";

const SHARP = 2; // device pixels of a saved picture for one of the screen: it will be shown large

export class Switches {
  /** @param {any} view */
  constructor(view) {
    this.view = view;
    const { parts: p, model, undo } = view;
    const on = (target, name, f) => target.addEventListener(name, f, { signal: undo.signal });
    for (const name of ["play", "pause", "step", "restart"]) on(p[name], "click", () => this.command(name));
    on(p.pace, "change", () => view.keep("pace", p.pace.value === "" ? null : Number(p.pace.value)));
    on(p.in, "click", () => view.axes.zoomBy(1.4));
    on(p.out, "click", () => view.axes.zoomBy(1 / 1.4));
    on(p.fit, "click", () => view.axes.choose("follow"));
    on(p.axes, "change", () => view.axes.choose(p.axes.value));
    on(p.color, "change", () => view.keep("color", p.color.value));
    on(p.hide, "click", () => this.hideLabels(!model.get("hide_labels")));
    on(p.letters, "click", () => this.showLetters(!view.letters));
    on(p.images, "click", () => this.showImages(!model.get("show_images")));
    on(p.lassoTool, "click", () => view.pointer.setTool(view.pointer.tool === "lasso" ? "pan" : "lasso"));
    on(p.tools, "click", () => (this.toolsOpen ? this.closeTools() : this.openTools()));
    on(p.compact, "click", () => this.setCompact(!model.get("compact")));
    on(p.fullscreen, "click", () => this.toggleFullScreen());
    on(p.help, "click", () => view.keys.help());
    on(p.menu, "click", () => (p.menuList.hidden ? this.openMenu() : this.closeMenu()));
    on(
      p.menuList,
      "focusout",
      (event) =>
        event.relatedTarget &&
        !p.menuList.contains(event.relatedTarget) &&
        event.relatedTarget !== p.menu &&
        this.closeMenu(false),
    );
    on(
      p.root,
      "pointerdown",
      (event) => !p.menuList.hidden && !p.menuList.parentNode.contains(event.target) && this.closeMenu(false),
    );
    on(p.png, "click", () => this.save("png"));
    on(p.svg, "click", () => this.save("svg"));
    on(document, "fullscreenchange", () => this.update());
  }

  // ---- the run ----

  command(name) {
    const { hub } = this.view;
    if (!hub.live) this.view.say("This is a film: there is no run to command");
    else hub.command(name);
  }

  /** Show one of two buttons in the place of the other, and keep the focus that was on it. */
  swap(shown, hidden) {
    if (hidden.hidden && !shown.hidden) return;
    const focused = document.activeElement === hidden;
    shown.hidden = false;
    if (focused) shown.focus({ preventScroll: true });
    hidden.hidden = true;
  }

  disable(control, off) {
    if (control.disabled === off) return;
    if (off && document.activeElement === control) this.view.root.focus({ preventScroll: true });
    control.disabled = off;
  }

  /** Show the pace; one that was set by program, and is none of ours, gets an entry of its own. */
  showPace() {
    const { model, parts } = this.view;
    const pace = model.get("pace");
    const value = pace === null || pace === undefined ? "" : String(pace);
    if (parts.pace.value === value) return;
    if (![...parts.pace.options].some((option) => option.value === value)) {
      parts.pace.prepend(make("option", { value }, `${Number(pace.toPrecision(3))} per second`));
    }
    parts.pace.value = value;
  }

  // ---- what is shown of the objects ----

  hideLabels(hidden) {
    if (this.view.labeled) this.view.keep("hide_labels", hidden);
  }

  showLetters(letters) {
    const { view } = this;
    if (!view.parts.letters.isConnected || view.model.get("hide_labels")) return;
    view.letters = letters;
    this.update();
    view.repaint();
  }

  showImages(shown) {
    if (this.view.parts.images.isConnected) this.view.keep("show_images", shown);
  }

  nextColor() {
    const { view } = this;
    const channels = view.coloring.channels(view.hub.live);
    const next = channels[(channels.indexOf(view.model.get("color")) + 1) % channels.length];
    view.keep("color", next);
    view.say(`Colored by ${view.parts.color.selectedOptions[0]?.textContent ?? next}`);
  }

  showTool() {
    const { pointer, parts } = this.view;
    const lasso = pointer.tool === "lasso";
    attribute(parts.lassoTool, "aria-pressed", lasso);
    attribute(parts.stage, "data-tool", pointer.tool);
    this.view.say(
      lasso ? "Lasso: draw a line around objects; Shift adds, Alt removes" : "The lasso is put away",
      lasso,
    );
  }

  // ---- tools, menus, sizes ----

  get toolsOpen() {
    return this.view.root.dataset.tools === "open";
  }

  openTools() {
    this.view.root.dataset.tools = "open";
    attribute(this.view.parts.tools, "aria-expanded", "true");
  }

  closeTools() {
    const { root, parts } = this.view;
    if (!this.toolsOpen) return false;
    const focused = parts.row.contains(document.activeElement);
    delete root.dataset.tools;
    attribute(parts.tools, "aria-expanded", "false");
    if (focused && this.view.model.get("compact")) parts.tools.focus({ preventScroll: true });
    return true;
  }

  openSearch() {
    if (this.view.model.get("compact")) this.openTools();
    this.view.search.input.focus({ preventScroll: true });
  }

  openMenu() {
    const { menu, menuList, png } = this.view.parts;
    menuList.hidden = false;
    attribute(menu, "aria-expanded", "true");
    png.focus({ preventScroll: true });
  }

  closeMenu(refocus = true) {
    const { menu, menuList } = this.view.parts;
    if (menuList.hidden) return false;
    menuList.hidden = true;
    attribute(menu, "aria-expanded", "false");
    if (refocus) menu.focus({ preventScroll: true });
    return true;
  }

  /** Save the present view under a name that tells model and iteration. */
  save(ending) {
    const { view } = this;
    this.closeMenu();
    const name = shotOf(view).file(ending);
    const give = (blob) => (saveBlob(blob, name), view.say(`Saved as ${name}`));
    try {
      if (ending === "svg") give(new Blob([svgText(view)], { type: "image/svg+xml" }));
      else
        pngCanvas(view, SHARP * view.ratio).toBlob(
          (blob) => (blob ? give(blob) : view.say("The browser has no room for the picture")),
          "image/png",
        );
    } catch (error) {
      view.say(`The picture could not be made: ${error.message}`);
    }
  }

  setCompact(compact) {
    const { view } = this;
    this.closeTools();
    view.keep("compact", compact);
    const focused = document.activeElement;
    if (focused && view.root.contains(focused) && !focused.getClientRects().length)
      view.root.focus({ preventScroll: true });
  }

  toggleFullScreen() {
    const { root } = this.view;
    if (document.fullscreenElement === root) return document.exitFullscreen();
    const refused = () => this.view.say("The browser does not allow full screen here");
    if (!root.requestFullscreen) return refused();
    return root.requestFullscreen().catch(refused);
  }

  toggleKnobs() {
    const { view } = this;
    const { element } = view.panels.knobs;
    if (view.model.get("compact")) this.setCompact(false);
    element.open = !element.open;
    if (element.open) element.scrollIntoView({ block: "nearest" });
    view.say(element.open ? "Knobs are shown" : "Knobs are folded away", false);
  }

  /** Show what is in force. */
  update() {
    const { view } = this;
    const { hub, model, parts: p, legend } = view;
    const off = !hub.connected || hub.facts.status === "closed";
    p.run.hidden = !hub.live;
    const playing = view.playing();
    this.swap(playing ? p.pause : p.play, playing ? p.play : p.pause);
    for (const name of ["play", "pause", "step", "restart", "pace"]) this.disable(p[name], off);
    this.showPace();
    const hidden = Boolean(model.get("hide_labels"));
    attribute(p.hide, "aria-pressed", hidden);
    attribute(p.letters, "aria-pressed", view.letters);
    this.disable(p.letters, hidden);
    attribute(p.images, "aria-pressed", Boolean(model.get("show_images")));
    const color = view.coloring.wanted;
    if (p.color.value !== color) p.color.value = color;
    if (p.axes.value !== view.axes.rule) p.axes.value = view.axes.rule;
    const compact = Boolean(model.get("compact"));
    attribute(p.compact, "aria-pressed", compact);
    attribute(p.fullscreen, "aria-pressed", document.fullscreenElement === view.root);
    const home = compact ? p.strip : p.legendFold;
    if (legend.element.parentNode !== home) home.append(legend.element);
    p.legendFold.hidden = legend.element.hidden;
    p.strip.hidden = !compact || legend.element.hidden;
    const title = Legend.title(legend.hint.hidden ? view.coloring.channel : "cost");
    if (p.legendTitle.textContent !== title) p.legendTitle.textContent = title;
  }
}
