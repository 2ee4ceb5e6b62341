// The keyboard: what every key does, and the list of keys that a reader can call up.

import { button, icon, make } from "../shared/elements.js";
import { manner, placesOf } from "./pointer.js";
import { pan } from "../shared/window.js";

const ROW = 24; // pixels: objects on one line for a reader who goes from object to object
const STEP = 0.02; // share of the view's width by which a key moves objects
const SETTLED = 450; // ms after the last such key until the kernel is told

/**
 * The next object in reading order, from top to bottom and from left to right, among those in the view; after the last
 * comes the first. -1 if there is none.
 * @param {Float32Array} points @param {any} window @param {number[]} size
 * @param {number} from  present object, or -1 @param {number} step  1 or -1
 */
export function nextInReading(points, window, [width, height], from, step) {
  const scale = width / window.width;
  const place = (i) => {
    const [x, y] = [
      (points[2 * i] - window.x) * scale + width / 2,
      height / 2 - (points[2 * i + 1] - window.y) * scale,
    ];
    return x >= 0 && x <= width && y >= 0 && y <= height ? [step * Math.floor(y / ROW), step * x, step * i] : null;
  };
  const earlier = (a, b) => a[0] < b[0] || (a[0] === b[0] && (a[1] < b[1] || (a[1] === b[1] && a[2] < b[2])));
  const here = from >= 0 ? place(from) : null;
  let [next, first] = [null, null];
  for (let i = 0; i < points.length / 2; i++) {
    const at = place(i);
    if (!at) continue;
    if (!first || earlier(at, first)) first = at;
    if (here && earlier(here, at) && (!next || earlier(at, next))) next = at;
  }
  const found = next ?? first;
  return found ? Math.abs(found[2]) : -1;
}

const leads = (key) => key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(key);

/** Whether a key belongs to the control that has the focus. */
export function ownsKey(target, key) {
  const tag = target.tagName;
  const type = tag === "INPUT" ? target.type : "";
  if (tag === "TEXTAREA" || (tag === "INPUT" && !["range", "checkbox", "radio", "button"].includes(type)))
    return key !== "Escape";
  if (type === "range" || type === "radio") return leads(key);
  if (tag === "SELECT") return leads(key) || key === " " || key === "Enter";
  return ["BUTTON", "SUMMARY", "INPUT"].includes(tag) && (key === " " || key === "Enter");
}

/** Every key: how it is written, what it does in words, its values of `event.key`, and what it does. */
function keyTable(view) {
  const { panels, pointer, hub } = view;
  const shift = (dx, dy) => {
    view.axes.byHand("The view was moved");
    pan(view.window, dx * view.size[0] * 0.1, dy * view.size[1] * 0.1, view.size[0]);
    view.repaint();
  };
  const arrow = (x, y) => (event) => (event.shiftKey ? view.keys.push(x, y) : shift(-x, y));
  const film = panels.timeline;
  return [
    [
      "Run",
      [
        [
          "Space",
          "play or pause",
          [" "],
          () => (hub.live ? view.switches.command(view.playing() ? "pause" : "play") : film.toggle()),
        ],
        ["s", "one iteration", ["s", "."], () => view.switches.command("step")],
        ["r", "begin again at the start", ["r"], () => view.switches.command("restart")],
        ["[  ]", "film: back, on", ["[", "PageUp"], () => film.step(-1)],
        [null, "", ["]", "PageDown"], () => film.step(1)],
        ["Home  End", "film: first, last", ["Home"], () => film.first()],
        [null, "", ["End"], () => film.last()],
        ["g", "go on from the frame shown", ["g"], () => film.goOn()],
      ],
    ],
    [
      "Map",
      [
        ["+  −", "zoom", ["+", "="], () => view.axes.zoomBy(1.25)],
        [null, "", ["-"], () => view.axes.zoomBy(0.8)],
        ["Ctrl+wheel", "zoom; after a click on the map, or Tab to it, the wheel alone does", [], null],
        ["arrows", "move the view", ["ArrowLeft"], arrow(-1, 0)],
        [null, "", ["ArrowRight"], arrow(1, 0)],
        [null, "", ["ArrowUp"], arrow(0, 1)],
        [null, "", ["ArrowDown"], arrow(0, -1)],
        ["0", "whole map, and follow it", ["0"], () => view.axes.choose("follow")],
        ["c", "next coloring", ["c"], () => view.switches.nextColor()],
        ["h", "hide labels", ["h"], () => view.switches.hideLabels(!view.model.get("hide_labels"))],
        ["l", "letters", ["l"], () => view.switches.showLetters(!view.letters)],
        ["i", "images", ["i"], () => view.switches.showImages(!view.model.get("show_images"))],
      ],
    ],
    [
      "Objects",
      [
        ["/", "search", ["/"], () => view.switches.openSearch()],
        ["x", "lasso", ["x"], () => pointer.setTool(pointer.tool === "lasso" ? "pan" : "lasso")],
        ["n  p", "next, previous object", ["n"], () => view.keys.walk(1)],
        [null, "", ["p"], () => view.keys.walk(-1)],
        ["Enter", "select it", ["Enter"], (event) => view.keys.take(event)],
        ["Shift, Alt", "with Enter, a click or the lasso: add, remove", [], null],
        ["Shift+arrows", "move the selected objects", [], null],
        ["double click", "springs of an object; on empty ground: whole map", [], null],
      ],
    ],
    [
      "View",
      [
        ["k", "knobs", ["k", "a"], () => view.switches.toggleKnobs()],
        ["m", "compact, for a slide", ["m"], () => view.switches.setCompact(!view.model.get("compact"))],
        ["f", "full screen", ["f"], () => view.switches.toggleFullScreen()],
        ["?", "these keys", ["?"], () => view.keys.help()],
        ["Esc", "put the tool away, clear the selection, leave", [], null],
      ],
    ],
  ];
}

export class Keys {
  constructor(view) {
    this.view = view;
    this.cursor = -1; // the object that the keyboard is at
    this.closer = button("help-close", "", "Close (Esc)", icon("close"));
    this.element = make("div", {
      class: "nsne-help",
      role: "dialog",
      "aria-label": "Keys",
      "data-part": "keys",
      hidden: "",
    });
    const on = (target, name, f) => target.addEventListener(name, f, { signal: view.undo.signal });
    on(view.root, "keydown", (event) => this.key(event));
    on(this.closer, "click", () => this.help(false));
  }

  /** Write the list, and learn what each key does. */
  learn() {
    this.acts = new Map();
    const columns = keyTable(this.view).map(([title, rows]) => {
      const list = make("dl");
      for (const [key, words, values, act] of rows) {
        for (const value of values) this.acts.set(value, act);
        if (key)
          list.append(
            make("div", {}, make("dt", {}, ...key.split("  ").map((k) => make("kbd", {}, k))), make("dd", {}, words)),
          );
      }
      return make("div", { class: "nsne-help-part" }, make("div", { class: "nsne-help-title" }, title), list);
    });
    this.element.append(
      make("div", { class: "nsne-help-head" }, make("strong", {}, "Keys"), this.closer),
      make("div", { class: "nsne-help-body", tabindex: "0" }, ...columns),
    );
  }

  key(event) {
    const { key, target } = event;
    const graph = event.getModifierState?.("AltGraph"); // how some keyboards write brackets
    if (event.ctrlKey && !graph) return;
    if (event.metaKey) return;
    if (key === "Escape") return this.escape(event);
    if (event.altKey && !graph && key !== "Enter") return;
    // A bare letter must not reach the notebook, where two of them delete a cell, nor a key that leads to another cell;
    // with Ctrl they go on their way.
    if (key.length === 1 || leads(key)) event.stopPropagation();
    if (ownsKey(target, key) || (key === "Enter" && this.cursor < 0) || (!this.element.hidden && key !== "?")) return;
    const act = this.acts.get(key.length === 1 ? key.toLowerCase() : key);
    if (!act) return;
    event.stopPropagation();
    event.preventDefault();
    act(event);
  }

  escape(event) {
    const { view } = this;
    const done = !this.element.hidden
      ? (this.help(false), true)
      : view.switches.closeMenu() ||
        view.pointer.stop() ||
        (view.pointer.tool === "lasso" && (view.pointer.setTool("pan"), true)) ||
        view.switches.closeTools() ||
        (view.selection.size > 0 && (view.selection.clear(), true));
    this.leaveObject();
    if (done) {
      event.stopPropagation();
      event.preventDefault();
      return;
    }
    document.activeElement?.blur(); // the keyboard goes back to the notebook, whose shortcuts rest while we have it
    view.root.closest(".jp-Cell")?.focus({ preventScroll: true });
  }

  // ---- from object to object ----

  walk(step) {
    const { view } = this;
    if (!(view.window.width > 0)) return;
    const found = nextInReading(view.points, view.window, view.size, this.cursor, step);
    if (found < 0) return;
    this.cursor = found;
    view.pointer.over = null; // the pointer's object gives way
    view.lookAt(found);
    view.say(view.inWords(found), false);
  }

  take(event) {
    this.view.selection.change(manner(event), [this.cursor]);
  }

  leaveObject() {
    if (this.cursor < 0) return;
    this.cursor = -1;
    this.view.lookAt(-1);
  }

  /** Move the selected objects by a small step. */
  push(x, y) {
    const { view } = this;
    const objects = view.selection.list;
    const reason = objects.length ? view.whyNoMove() : "Select objects first, then Shift+arrows move them";
    if (reason) return view.say(reason);
    const step = STEP * view.window.width;
    const places = placesOf(view.points, objects);
    for (let i = 0; i < places.length; i += 2)
      [places[i], places[i + 1]] = [places[i] + x * step, places[i + 1] + y * step];
    view.hub.hold(objects, places);
    view.repaint();
    view.points = view.hub.shownPoints(); // the next key goes on from here, painted or not
    clearTimeout(this.pushing);
    this.pushing = setTimeout(() => {
      this.stop();
      view.say(objects.length > 1 ? `${objects.length} objects moved` : `${view.nameOf(objects[0])} moved`);
    }, SETTLED);
  }

  /** Tell the kernel at once what keys have moved. */
  stop() {
    if (this.pushing) this.view.hub.letGo();
    clearTimeout(this.pushing);
    this.pushing = null;
  }

  // ---- the list of keys ----

  help(open = this.element.hidden) {
    if (open === !this.element.hidden) return;
    if (open) this.before = document.activeElement;
    this.element.hidden = !open;
    for (const part of this.view.root.children)
      if (part !== this.element && part !== this.view.parts.speech) part.inert = open;
    if (open) this.closer.focus({ preventScroll: true });
    else {
      const back = this.before?.isConnected && this.view.root.contains(this.before) ? this.before : this.view.root;
      back.focus({ preventScroll: true });
    }
  }
}
