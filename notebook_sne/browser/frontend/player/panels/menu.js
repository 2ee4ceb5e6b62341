// The menu: what is asked for most beside what is in sight, in ten rows over a map that stays, with its keys; its last row
// shows all controls, or few again. Fields in it are those of the tool row and the run bar, which stand here while it is
// open; where all controls have no room for that row, as on a slide or a phone, it stands here whole.

import { attribute, button, focusWithin, make } from "../../shared/elements.js";
import { Part } from "../part.js";

/** @typedef {(name: "springs"|"step"|"restart"|"png"|"svg"|"keys"|"all") => void} Pressed */

export class Menu extends Part {
  /** @param {Known} known @param {Parts} parts @param {Pressed} pressed */
  constructor(known, parts, pressed) {
    super(known);
    this.parts = parts;
    const speed = make("label", { class: "nsne-choice" }, make("span", {}, "Speed"));
    /** Each field with what stands in the menu, what is moved for that, and what keeps its place meanwhile. */
    this.fields = [
      { field: parts.color, row: parts.colorLabel, moved: parts.colorLabel },
      { field: parts.names, row: parts.namesLabel, moved: parts.namesLabel },
      { field: parts.color, row: parts.row, moved: parts.row },
      { field: parts.pace, row: speed, moved: parts.pace },
    ].map((one) => ({ ...one, place: make("div"), mark: make("span", { hidden: "" }) }));
    const [color, names, tools, pace] = this.fields.map(({ place }) => place);
    /** @param {Parameters<Pressed>[0]} name @param {string} words @param {string} key */
    const row = (name, words, key) => {
      const made = button(`menu-${name}`, words, words, "");
      made.append(make("kbd", { "aria-hidden": "true" }, key));
      this.on(made, "click", () => {
        this.close();
        pressed(name);
      });
      return made;
    };
    const run = [pace, row("step", "One step", "S"), row("restart", "Start over", "R")];
    this.all = row("all", "All controls", "A");
    const keep = [row("png", "Save picture", "PNG"), row("svg", "Save drawing", "SVG"), row("keys", "All keys", "?")];
    const title = (/** @type {string} */ words) => make("div", { class: "nsne-menu-title" }, words);
    this.element = make(
      "div",
      { class: "nsne-menu nsne-more-menu", role: "group", "aria-label": "Menu", "data-part": "menu", hidden: "" },
      ...[title("Show"), color, names, tools, row("springs", "Springs of the selected point", "E")],
      ...(known.hub.live ? [title("Run"), ...run] : []),
      ...[title("Keep"), ...keep, this.all],
    );
    parts.stage.append(this.element);
    this.on(parts.root, "pointerdown", ({ target }) => {
      const inside = [this.element, parts.more].some((one) => one.contains(/** @type {Node} */ (target)));
      if (!inside) this.close(false);
    });
  }

  /** The button was pressed. */
  toggle() {
    if (!this.close()) this.open();
  }

  open() {
    const { model } = this.hub;
    const [all, slide] = [model.get("controls") === "all", Boolean(model.get("compact"))];
    const whole = (all || slide) && !this.parts.row.getClientRects().length;
    const words = all && !slide ? "Fewer controls" : "All controls";
    this.all.replaceChildren(words, /** @type {Element} */ (this.all.lastElementChild));
    for (const name of ["aria-label", "title"]) attribute(this.all, name, words);
    const [color, names, tools, pace] = this.fields;
    for (const { field, row, moved, place, mark } of whole ? [tools, pace] : [color, names, pace]) {
      if (!field.isConnected || field.options.length < 2) continue; // there is nothing to choose
      if (moved.getClientRects().length) continue; // it is in sight
      moved.replaceWith(mark);
      if (moved === field) row.append(field);
      place.append(row);
    }
    this.element.hidden = false;
    attribute(this.parts.more, "aria-expanded", "true");
    /** @type {HTMLElement|null} */ (this.element.querySelector("select, button"))?.focus({ preventScroll: true });
  }

  /** True if it was open. */
  close(refocus = true) {
    if (this.element.hidden) return false;
    const focused = focusWithin(this.element);
    this.element.hidden = true;
    for (const { mark, moved, row } of this.fields) {
      if (!mark.isConnected) continue;
      row.remove();
      mark.replaceWith(moved);
    }
    attribute(this.parts.more, "aria-expanded", "false");
    if (focused && refocus) this.parts.more.focus({ preventScroll: true });
    return true;
  }
}
