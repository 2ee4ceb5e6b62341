// The player: the page elements of one view of a run, and how hands and keys reach them.
// Names, labels and titles come from anybody's data: they are only ever set as text.

import { Card } from "./card.js";
import { paintCurve } from "./curve.js";
import { button, icon, make, write } from "./elements.js";
import { BUSY, Hub, bytes, floats } from "./hub.js";
import { Legend } from "./legend.js";
import { Scatter, channels } from "./scatter.js";
import { digits, fitting, follow, nearest, newWindow, pan, zoom } from "./window.js";

const REACH = 12; // pixels around the pointer in which a point is found
const CURVE_EVERY = 200; // ms between paintings of the cost curve of a run that goes on
const SPEAK_EVERY = 5000; // ms between spoken reports of a run that goes on
const PACES = [3, 10, 30, 100]; // iterations a second that can be chosen, beside full speed

class View {
  constructor(hub, el) {
    this.hub = hub;
    this.model = hub.model;
    this.window = newWindow();
    this.scatter = new Scatter();
    this.letters = false;
    this.pointer = null; // where the pointer hovers over the map
    this.painted = 0;
    this.curveAt = -CURVE_EVERY;
    this.spoken = { text: "", status: "", at: 0 };
    this.undo = new AbortController();
    this.readObjects();
    this.build(el);
    this.listen();
    hub.add(this);
    this.update();
    this.resize();
  }

  /** What never changes: the class or value, and the name, of each object. */
  readObjects() {
    const get = (name) => this.model.get(name);
    const classes = get("classes");
    const values = floats(get("values"));
    const [low, high] = get("value_range") || [];
    this.objects = {
      names: get("names") || [],
      classes: classes?.byteLength ? new Uint16Array(bytes(classes)) : null,
      classNames: get("class_names") || [],
      values: values.length ? values : null,
      range: [low, high],
    };
    this.shares = values.length ? values.map((v) => (high > low ? (v - low) / (high - low) : 0.5)) : null;
    this.labelled = Boolean(this.objects.classes || this.objects.values);
  }

  build(el) {
    const title = this.model.get("title");
    const b = (this.buttons = {
      play: button("play", "Play", "Play (space)", icon("play")),
      pause: button("pause", "Pause", "Pause (space)", icon("pause")),
      step: button("step", "Step", "One iteration (s)", icon("step")),
      restart: button("restart", "Restart", "Begin again at the start (r)", icon("restart")),
      in: button("zoom-in", "", "Zoom in (+)", "+"),
      out: button("zoom-out", "", "Zoom out (−)", "−"),
      reset: button("reset-view", "", "Show the whole map and follow it (0)", "Fit"),
    });
    this.hide = make("input", { type: "checkbox", "data-control": "hide-labels" });
    this.letter = make("input", { type: "checkbox", "data-control": "letters" });
    const { classes, classNames } = this.objects;
    const canLetter = classes && classNames.every((name) => [...name].length <= 2);
    this.pace = make("select", { "data-control": "pace", "aria-label": "Most iterations a second", title: "How fast the run goes" },
      ...PACES.map((pace) => make("option", { value: pace }, `${pace} per second`)), make("option", { value: "" }, "full speed"));
    this.status = make("span", { class: "nsne-status", "data-part": "status" });
    this.canvas = make("canvas", { role: "img", "aria-label": "Map of the objects" });
    this.overlay = make("div", { class: "nsne-overlay", hidden: "" });
    this.note = make("div", { class: "nsne-note", "data-part": "scale" });
    this.card = new Card(this.hub, this.objects);
    this.stage = make("div", { class: "nsne-stage" }, this.canvas, this.note, this.overlay, this.card.element);
    this.curve = make("canvas", { class: "nsne-curve", role: "img", "aria-label": "Cost in nats at each iteration" });
    this.iteration = make("dd", { "data-part": "iteration" });
    this.cost = make("dd", { "data-part": "cost" });
    this.phase = make("dd", { "data-part": "phase" });
    const fact = (name, value) => make("div", {}, make("dt", {}, name), value);
    this.legend = new Legend(this.objects, () => this.hub.paintSoon(), this.undo.signal);
    this.method = make("span", { class: "nsne-model", "data-part": "model" });
    this.message = make("div", { class: "nsne-message", "data-part": "message", role: "alert", hidden: "" });
    this.speech = make("div", { class: "nsne-speech", "aria-live": "polite", "data-part": "speech" });
    const switches = make("span", { class: "nsne-switches" });
    if (canLetter) switches.append(make("label", { title: "Draw each object as its label (l)" }, this.letter, "Letters"));
    if (this.labelled) switches.append(make("label", { title: "Hide the labels, to let others guess first (h)" }, this.hide, "Hide labels"));
    this.root = make("div", { class: "nsne-player", tabindex: "0", role: "group",
      "aria-label": `Live map${title ? `: ${title}` : ""}. Space plays and pauses, s steps, r restarts, plus, minus and arrows move the view, 0 fits it, Escape leaves.` },
      make("header", {}, make("span", { class: "nsne-title", "data-part": "title" }, title || ""), this.method, this.status),
      make("div", { class: "nsne-body" }, this.stage,
        make("aside", {}, make("dl", {}, fact("iteration", this.iteration), fact("cost", this.cost), fact("phase", this.phase)),
          make("div", { class: "nsne-costs" }, make("span", { class: "nsne-axis" }, "cost in nats"), this.curve), this.legend.element)),
      this.message,
      make("footer", {}, make("span", { class: "nsne-group" }, b.play, b.pause, b.step, b.restart, this.pace), switches,
        make("span", { class: "nsne-group nsne-view" }, b.out, b.in, b.reset)),
      this.speech);
    this.pen = this.canvas.getContext("2d", { willReadFrequently: true }); // it is painted in memory
    this.stage.style.minHeight = `${this.model.get("height")}px`;
    el.append(this.root);
  }

  listen() {
    const on = (target, name, f, more = {}) => target.addEventListener(name, f, { signal: this.undo.signal, ...more });
    for (const name of ["play", "pause", "step", "restart"]) on(this.buttons[name], "click", () => this.command(name));
    on(this.buttons.in, "click", () => this.zoomBy(1.4));
    on(this.buttons.out, "click", () => this.zoomBy(1 / 1.4));
    on(this.buttons.reset, "click", () => this.resetView());
    on(this.pace, "change", () => this.setPace(this.pace.value));
    on(this.hide, "change", () => this.hideLabels(this.hide.checked));
    on(this.letter, "change", () => this.showLetters(this.letter.checked));
    on(this.root, "keydown", (event) => this.key(event));
    on(this.canvas, "dblclick", () => this.resetView());
    on(this.canvas, "wheel", (event) => this.wheel(event), { passive: false });
    on(this.canvas, "pointerdown", (event) => this.grab(event));
    on(this.canvas, "pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) on(this.canvas, name, (event) => this.release(event));
    on(this.canvas, "pointerleave", () => this.hover(null));
    this.pointers = new Map();
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.stage);
    this.sizes.observe(this.curve);
    // A change of theme: the host's, or the system's.
    this.themes = new MutationObserver(() => this.hub.paintSoon());
    this.themes.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-name", "data-jp-theme-light"] });
    on(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.hub.paintSoon());
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  remove() {
    this.hub.remove(this);
    this.undo.abort();
    this.sizes.disconnect();
    this.themes.disconnect();
    this.root.remove();
  }

  // ---- commands ----

  command(name) {
    const hadFocus = this.root.contains(document.activeElement);
    this.hub.command(name);
    const focused = document.activeElement;
    if (hadFocus && (!focused || focused === document.body || focused.hidden)) this.root.focus({ preventScroll: true });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") return this.leave();
    // A bare letter must not reach the notebook, where two of them delete a cell; with Ctrl it goes on its way.
    if (event.key.length === 1 || event.key.startsWith("Arrow")) event.stopPropagation();
    if ((event.key === " " || event.key === "Enter") && event.target.closest("button, input, select")) return;
    const [width, height] = this.size;
    const shift = (dx, dy) => (pan(this.window, dx * width * 0.1, dy * height * 0.1, width), this.hub.paintSoon());
    const acts = {
      " ": () => this.command(this.playing() ? "pause" : "play"),
      s: () => this.command("step"), ".": () => this.command("step"), r: () => this.command("restart"),
      h: () => this.hideLabels(!this.model.get("hide_labels")), l: () => this.showLetters(!this.letters),
      "+": () => this.zoomBy(1.25), "=": () => this.zoomBy(1.25), "-": () => this.zoomBy(0.8), "0": () => this.resetView(),
      ArrowLeft: () => shift(1, 0), ArrowRight: () => shift(-1, 0), ArrowUp: () => shift(0, 1), ArrowDown: () => shift(0, -1),
    };
    if (!acts[event.key]) return;
    acts[event.key]();
    event.preventDefault();
  }

  /** Give the keyboard back to the notebook, whose shortcuts rest while the player has it. */
  leave() {
    document.activeElement?.blur();
    this.root.closest(".jp-Cell")?.focus({ preventScroll: true });
  }

  playing() {
    const pending = this.hub.pending?.name;
    return pending === "play" || (pending !== "pause" && BUSY.includes(this.hub.facts.status));
  }

  setPace(value) {
    this.model.set("pace", value === "" ? null : Number(value));
    this.model.save_changes();
    this.hub.updateViews(false);
  }

  /** Show the pace; one that was set by program, and is none of ours, gets an entry of its own. */
  showPace() {
    const pace = this.model.get("pace");
    const value = pace === null || pace === undefined ? "" : String(pace);
    if (this.pace.value === value) return;
    if (![...this.pace.options].some((option) => option.value === value)) {
      this.pace.prepend(make("option", { value }, `${Number(pace.toPrecision(3))} per second`));
    }
    this.pace.value = value;
  }

  hideLabels(hidden) {
    if (!this.labelled) return;
    this.model.set("hide_labels", hidden);
    this.model.save_changes();
    this.hub.updateViews(true);
  }

  showLetters(letters) {
    if (!this.letter.isConnected) return;
    this.letters = this.letter.checked = letters;
    this.hub.paintSoon();
  }

  // ---- the window ----

  zoomBy(factor, x = this.size[0] / 2, y = this.size[1] / 2) {
    if (!(this.window.width > 0)) return;
    zoom(this.window, factor, x, y, ...this.size);
    this.hub.paintSoon();
  }

  resetView() {
    this.window.held = false;
    this.jump = true;
    this.hub.paintSoon();
  }

  wheel(event) {
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
  }

  grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  }

  move(event) {
    const at = [event.offsetX, event.offsetY];
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.hover(at);
    this.hover(null);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const reach = (p) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
      this.zoomBy(reach(at) / reach(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
    } else if (at[0] !== before[0] || at[1] !== before[1]) {
      pan(this.window, at[0] - before[0], at[1] - before[1], this.size[0]);
    }
    this.hub.paintSoon();
  }

  release(event) {
    this.pointers.delete(event.pointerId);
  }

  /** Show the card of the object under the pointer; also called when the map moves beneath it. */
  hover(at) {
    this.pointer = at;
    const index = at && this.window.width > 0 ? nearest(this.window, this.hub.points, ...at, ...this.size, REACH) : -1;
    this.card.show(index, this.window, this.size);
  }

  // ---- what is shown ----

  image(index) {
    this.card.image(index);
  }

  /** Everything but the two pictures. */
  update() {
    const { hub } = this;
    const { status, iteration, cost, phase, message, model_name } = hub.facts;
    this.tell({ status, iteration: iteration ?? "", connected: hub.connected, pending: hub.pending?.name ?? "" });
    write(this.status, hub.words());
    write(this.method, model_name || "");
    write(this.iteration, String(iteration ?? "–"));
    write(this.cost, cost === null || cost === undefined ? "–" : `${digits(cost)} nats`);
    write(this.phase, phase || "–");
    write(this.message, message || "");
    this.message.hidden = !message;
    const seconds = hub.preparing();
    const waiting = seconds !== null && (seconds >= 1 || !hub.points.length);
    this.overlay.hidden = !waiting && hub.points.length > 0;
    write(this.overlay, waiting ? `preparing… ${seconds} s` : hub.points.length ? "" : "no map yet");
    const off = !hub.connected || status === "closed";
    const playing = this.playing();
    this.buttons.play.hidden = playing;
    this.buttons.pause.hidden = !playing;
    for (const name of ["play", "pause", "step", "restart"]) this.buttons[name].disabled = off;
    this.pace.disabled = off;
    this.showPace();
    const hidden = this.model.get("hide_labels");
    this.hide.checked = hidden;
    this.legend.element.hidden = hidden || !this.labelled;
    this.letter.disabled = hidden;
    this.speak(hub.words(), iteration, cost);
  }

  /** Facts for whoever reads the page by program, as data attributes of the root. */
  tell(facts) {
    for (const [name, value] of Object.entries(facts)) {
      if (this.root.dataset[name] !== String(value)) this.root.dataset[name] = String(value);
    }
  }

  /** A spoken report at once when the status changes, otherwise seldom. */
  speak(status, iteration, cost) {
    const now = performance.now();
    if (status === this.spoken.status && (status !== "running" || now - this.spoken.at < SPEAK_EVERY)) return;
    this.spoken = { status, at: now };
    write(this.speech, `${status}, iteration ${iteration ?? 0}${cost === null || cost === undefined ? "" : `, cost ${digits(cost)} nats`}`);
  }

  resize() {
    const ratio = globalThis.devicePixelRatio || 1;
    const fill = (canvas, box) => {
      const [width, height] = [box.clientWidth, box.clientHeight];
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      return [width, height];
    };
    this.ratio = ratio;
    this.size = fill(this.canvas, this.stage);
    this.curveSize = fill(this.curve, this.curve);
    this.curveAt = -CURVE_EVERY;
    this.paint();
    this.hub.paintSoon();
  }

  readTheme() {
    const style = getComputedStyle(this.root);
    const read = (name) => style.getPropertyValue(name).trim();
    const ground = channels(style.backgroundColor);
    const dark = 0.3 * ground[0] + 0.59 * ground[1] + 0.11 * ground[2] < 128;
    const theme = { dark, ground, ink: read("--nsne-soft"), faint: read("--nsne-rule"), line: read("--nsne-accent") };
    const changed = JSON.stringify(theme) !== JSON.stringify(this.theme);
    this.theme = theme;
    return changed;
  }

  /** Paint both pictures; true while the window still moves. */
  paint() {
    const now = performance.now();
    const [width, height] = this.size || [0, 0];
    if (!width || !height) return false; // not laid out, or scrolled away by the host
    if (this.ratio !== (globalThis.devicePixelRatio || 1)) this.resize();
    if (this.readTheme() || !this.painted) this.legend.paint(this.theme.dark, this.ratio);
    const { points } = this.hub;
    let moving = false;
    if (points.length) {
      if (this.jump) this.window.width = 0;
      this.jump = false;
      const seconds = Math.min((now - this.painted) / 1000, 0.1);
      moving = follow(this.window, fitting(points, width, height), seconds, this.calm.matches);
    }
    this.painted = now;
    const hidden = this.model.get("hide_labels");
    const { classes, classNames } = this.objects;
    const look = { classes, classNames, values: this.shares, hidden, dimmed: this.legend.dimmed, letters: this.letters,
      dark: this.theme.dark, ground: this.theme.ground };
    this.scatter.paint(this.pen, points, this.window, look, width, height, this.ratio);
    if (now - this.curveAt >= CURVE_EVERY || !BUSY.includes(this.hub.facts.status)) {
      this.curveAt = now;
      const [w, h] = this.curveSize;
      paintCurve(this.curve.getContext("2d"), this.hub.trace, { width: w, height: h, ratio: this.ratio, ...this.theme });
    }
    if (this.pointer) this.hover(this.pointer);
    const axes = this.model.get("axes_note");
    const rule = this.window.held ? "held, Fit follows again" : "follows the map";
    write(this.note, points.length ? `view ${digits(this.window.width, 3)} wide · ${rule}${axes ? ` · ${axes}` : ""}` : "");
    this.tell({ held: this.window.held, frames: this.hub.frames });
    return moving;
  }
}

/** One hub for each widget, whichever of the host's model objects asks for it. @type {Map<string, Hub>} */
const hubs = new Map();

function hubOf(model) {
  const key = model.get("key");
  if (!hubs.has(key)) hubs.set(key, new Hub(model));
  return hubs.get(key);
}

export default {
  initialize({ model }) {
    const hub = hubOf(model);
    return () => {
      hub.stop();
      hubs.delete(model.get("key"));
    };
  },
  render({ model, el }) {
    const view = new View(hubOf(model), el);
    return () => view.remove();
  },
};
