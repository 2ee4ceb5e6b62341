// The player: one view of a run, or of a film of one. It holds what is shown, and what the panels, the pointer and the
// keyboard have in common; the page elements are laid out in layout.js.
// Names, labels and titles come from anybody's data: they are only ever set as text.

import { Axes } from "./axes.js";
import { Card } from "./card.js";
import { Coloring, labelOf, ranks, valueOf } from "../shared/colors.js";
import { paintCurve } from "./curve.js";
import { attribute } from "../shared/elements.js";
import { Facts } from "./facts.js";
import { BUSY, Hub, bytes, floats } from "../shared/hub.js";
import { Keys } from "./keys.js";
import { KnobPanel } from "./knobs.js";
import { buildLayout } from "./layout.js";
import { Legend } from "./legend.js";
import { MethodMenu } from "./method.js";
import { Pointer, manner, placesOf } from "./pointer.js";
import { Scatter } from "./scatter.js";
import { SearchBox, membersOf } from "./search.js";
import { Selection } from "./selection.js";
import { SpringPanel } from "./springs.js";
import { Switches } from "./switches.js";
import { FIRST_THEME, themeOf } from "../shared/theme.js";
import { Thumbnails } from "./thumbnails.js";
import { Timeline } from "./timeline.js";
import { toPixel } from "../shared/window.js";

const CURVE_EVERY = 200; // ms between paintings of the cost curve of a run that goes on
const THEME_EVERY = 1000; // ms after which a change of theme that nobody told is noticed
const WRITE_EVERY = 120; // ms between new numbers of a run that goes on: nobody reads faster
const WRITE_LAST = 180; // ms after which the last numbers are written though no picture follows

class View {
  constructor(hub, el) {
    this.hub = hub;
    this.model = hub.model;
    this.undo = new AbortController();
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.axes = new Axes(this);
    this.window = this.axes.window;
    this.size = this.curveSize = [0, 0];
    this.ratio = globalThis.devicePixelRatio || 1;
    this.points = hub.shownPoints();
    this.scatter = new Scatter();
    this.letters = false;
    this.themeAt = -THEME_EVERY;
    this.writtenAt = -WRITE_EVERY;
    this.unwritten = false;
    this.writing = null; // the timer that writes if no picture comes
    this.curveAt = -CURVE_EVERY;
    this.theme = FIRST_THEME;
    this.readObjects();
    this.selection = new Selection(this.objects.count, (list) => this.keep("selection", list));
    this.coloring = new Coloring(this.objects);
    this.labeled = Boolean(this.objects.classes || this.objects.values);
    this.panels = {
      timeline: new Timeline(this),
      knobs: new KnobPanel(this),
      method: new MethodMenu(this),
      springs: new SpringPanel(this),
      thumbnails: new Thumbnails(this),
    };
    this.card = new Card(this);
    this.search = new SearchBox(this);
    this.legend = new Legend(
      this.objects,
      { changed: () => this.repaint(), pick: (k, event) => this.pickClass(k, event) },
      this.undo.signal,
    );
    this.build();
    el.append(this.root);
    this.listen();
    hub.add(this);
    this.update();
    this.resize();
  }

  /** Build the page elements, and what hands and keys do with them. */
  build() {
    const help = document.createElement("div");
    this.parts = buildLayout(this, { card: this.card, legend: this.legend, search: this.search, help });
    this.root = this.parts.root;
    this.root.dataset.key = this.model.get("key");
    this.pointer = new Pointer(this);
    this.keys = new Keys(this);
    help.replaceWith(this.keys.element);
    this.switches = new Switches(this);
    this.facts = new Facts(this);
    this.keys.learn();
    this.pen = this.parts.canvas.getContext("2d", { willReadFrequently: true }); // it is painted in memory
  }

  /** What never changes: the class, the value and the name of each object. */
  readObjects() {
    const get = (name) => this.model.get(name);
    const classes = get("classes");
    const values = floats(get("values"));
    const names = get("names") || [];
    const each = {
      names,
      classes: classes?.byteLength ? new Uint16Array(bytes(classes)) : null,
      values: values.length ? values : null,
    };
    const count = get("n_objects") || names.length || each.classes?.length || values.length || this.points.length / 2;
    this.objects = { ...each, count, classNames: get("class_names") || [], range: get("value_range") || [] };
  }

  listen() {
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.parts.stage);
    this.sizes.observe(this.parts.curve);
    // A change of theme: the host's, or the system's.
    const stale = () => {
      this.themeAt = -THEME_EVERY;
      this.repaint();
    };
    this.themes = new MutationObserver(stale);
    this.themes.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["class", "style", "data-theme"],
    });
    this.themes.observe(document.body, {
      attributes: true,
      attributeFilter: ["class", "data-jp-theme-name", "data-jp-theme-light", "data-theme"],
    });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", stale, { signal: this.undo.signal });
  }

  remove() {
    clearTimeout(this.writing);
    for (const part of [...Object.values(this.panels), this.card, this.facts, this.keys, this.pointer]) part.stop?.();
    this.hub.remove(this);
    this.undo.abort();
    this.sizes.disconnect();
    this.themes.disconnect();
    this.root.remove();
  }

  repaint() {
    this.hub.paintSoon();
  }

  /** Set a trait that the reader may change, here and in the kernel. */
  keep(name, value) {
    this.model.set(name, value);
    try {
      this.model.save_changes();
    } catch (error) {
      // A saved notebook has no kernel to keep it; the view goes on with it.
    }
    this.hub.updateViews(true);
  }

  // ---- objects ----

  nameOf(i) {
    return this.objects.names[i] || `object ${i}`;
  }

  /** An object as it is spoken of. */
  inWords(i) {
    const hidden = this.model.get("hide_labels");
    const label = hidden ? "" : labelOf(this.objects, i);
    const said = [
      this.nameOf(i),
      label && `label ${label}`,
      hidden ? "" : valueOf(this.objects, i),
      this.selection.has(i) ? "selected" : "",
    ];
    return said.filter(Boolean).join(", ");
  }

  /** Make one object the selection. */
  select(i) {
    this.choose([i], "set");
  }

  /** Change the selection, and bring what it is about into view. */
  choose(objects, how) {
    this.selection.change(how, objects);
    this.axes.show(placesOf(this.points, objects));
  }

  pickClass(k, event) {
    this.selection.change(manner(event), membersOf(this.objects.classes, k));
  }

  /** Show the card and the ring of the object under the pointer, or at which the keyboard is; -1 takes them away. */
  lookAt(index) {
    const i = index < 0 ? this.keys.cursor : index;
    this.card.show(i);
    const { ring, stage } = this.parts;
    attribute(stage, "data-over", index >= 0 ? "object" : "");
    ring.hidden = i < 0 || 2 * i >= this.points.length;
    if (ring.hidden) return;
    const [x, y] = toPixel(this.window, this.points[2 * i], this.points[2 * i + 1], ...this.size);
    const radius = Math.max(this.scatter.radius, 2) + 4;
    ring.style.width = ring.style.height = `${2 * radius}px`;
    ring.style.transform = `translate(${(x - radius).toFixed(1)}px, ${(y - radius).toFixed(1)}px)`;
    attribute(ring, "data-by", i === this.keys.cursor ? "keys" : "pointer");
  }

  showSprings(i) {
    if (!this.hub.live) return this.say("Springs are drawn in a live run only");
    this.keep("spring_of", this.model.get("spring_of") === i ? null : i);
  }

  /** Why objects cannot be moved now; empty if they can. */
  whyNoMove() {
    const { hub } = this;
    if (!hub.live) return "This is a film: objects can be moved in a live run";
    if (hub.scrub !== null) return "The film is wound back: go on from here, or back to now, to move objects";
    if (!hub.connected) return `Objects cannot be moved: ${hub.words()}`;
    const ended = {
      closed: "The run is closed: objects cannot be moved",
      error: "The run has failed: objects cannot be moved",
    };
    return ended[hub.facts.status] ?? "";
  }

  // ---- what is shown ----

  image(index) {
    this.card.image(index);
    if (this.model.get("show_images")) this.repaint();
  }

  /** Everything but the pictures; of the frames of a run that goes on, only as often as numbers can be read. */
  update() {
    const { hub } = this;
    const { moment, status, message } = hub.facts;
    const goesOn =
      moment !== this.moment && status === "running" && hub.words() === this.facts.status && message === this.message;
    this.moment = moment;
    if (!goesOn) return this.writeAll();
    this.unwritten = true; // written with a picture: one layout for both
    this.writing ??= setTimeout(() => this.writeAll(), Math.max(this.writtenAt + WRITE_LAST - performance.now(), 0));
  }

  writeAll() {
    const { hub, model } = this;
    clearTimeout(this.writing);
    this.writing = null;
    this.unwritten = false;
    this.writtenAt = performance.now();
    this.message = hub.facts.message;
    const focused =
      this.root !== document.activeElement && this.root.contains(document.activeElement)
        ? document.activeElement
        : null;
    const selected = model.get("selection");
    if (selected !== this.selected && this.selection.read(selected))
      this.say(this.selection.size ? `${this.selection.size} selected` : "nothing selected", false);
    this.selected = selected; // a long list is compared only when it is another one
    this.axes.obey(model.get("axes") || "follow");
    this.coloring.choose(model.get("color") || "label", {
      hidden: model.get("hide_labels"),
      live: hub.live,
      costs: hub.shownCosts(),
    });
    this.tell({
      status: hub.facts.status,
      iteration: hub.facts.iteration ?? "",
      connected: hub.connected,
      pending: hub.pending?.name ?? "",
      live: hub.live,
      film: hub.film?.length ?? 0,
      scrub: hub.scrub === null ? "" : Math.round(hub.scrub),
      axes: this.axes.rule,
      selected: this.selection.size,
      color: this.coloring.wanted,
      compact: Boolean(model.get("compact")),
    });
    this.facts.update();
    this.legend.update(this.coloring, hub.scrub !== null);
    this.switches.update();
    for (const panel of Object.values(this.panels)) panel.update?.();
    this.card.update?.();
    // A control that goes away leaves the keyboard to the view, not to nobody.
    if (focused && (focused.disabled || document.activeElement !== focused || !focused.getClientRects().length)) {
      if (!this.root.contains(document.activeElement) || document.activeElement === focused)
        this.root.focus({ preventScroll: true });
    }
  }

  /** Facts for whoever reads the page by program, as data attributes of the root. */
  tell(facts) {
    for (const [name, value] of Object.entries(facts)) {
      if (this.root.dataset[name] !== String(value)) this.root.dataset[name] = String(value);
    }
  }

  playing() {
    return this.hub.playing();
  }

  /** A remark, spoken and for a moment shown. */
  say(text, shown = true) {
    this.facts.say(text, shown);
  }

  // ---- painting ----

  resize() {
    const ratio = globalThis.devicePixelRatio || 1;
    const { canvas, above, stage, curve } = this.parts;
    const before = this.size;
    const fill = (target, box) => {
      const [width, height] = [box.clientWidth, box.clientHeight];
      const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (target.width !== across || target.height !== down) Object.assign(target, { width: across, height: down });
      return [width, height];
    };
    this.ratio = ratio;
    this.size = fill(canvas, stage);
    fill(above, stage);
    this.curveSize = fill(curve, curve);
    this.drawnCurve = "";
    this.axes.resize(before, this.size);
    this.themeAt = -THEME_EVERY;
    this.paint(); // at once: a canvas of a new size is blank
    this.repaint();
  }

  /** Read the colors of the page around, but seldom: it makes the browser work out all styles. True if they are new. */
  readTheme(now) {
    if (now - this.themeAt < THEME_EVERY) return false;
    this.themeAt = now;
    const theme = themeOf(this.root);
    const said = JSON.stringify(theme);
    if (said === this.themeSaid) return false;
    this.themeSaid = said;
    this.theme = theme;
    this.tell({ theme: theme.dark ? "dark" : "light" });
    return true;
  }

  /** How the points look now. @returns {import("./scatter.js").Look} */
  look() {
    const { coloring, selection, legend, theme } = this;
    const labels = coloring.channel === "label";
    const signature = `${selection.version} ${legend.version} ${coloring.version}`;
    if (signature !== this.ranked)
      this.ranks = ranks(this.objects.count, labels ? this.objects.classes : null, legend.dimmed, selection);
    this.ranked = signature;
    const fits = this.ranks && this.ranks.levels.length * 2 === this.points.length;
    return {
      coloring,
      ranks: fits ? this.ranks : null,
      chosen: selection.size,
      letters: this.letters,
      dark: theme.dark,
      ground: theme.ground,
      ink: theme.text,
    };
  }

  /** Paint the pictures; true while the window still moves. */
  paint() {
    const now = performance.now();
    const [width, height] = this.size;
    if (!width || !height) return false; // not laid out, or scrolled away by the host
    if (this.ratio !== (globalThis.devicePixelRatio || 1)) this.resize();
    if (this.readTheme(now) || this.legendRatio !== this.ratio) {
      this.legend.paint(this.theme.dark, this.ratio);
      this.legendRatio = this.ratio;
    }
    if (this.unwritten && now - this.writtenAt >= WRITE_EVERY) this.writeAll();
    this.points = this.hub.shownPoints();
    // Under a hand that carries objects the window stands still, or they would slip away from it.
    const moving = !this.pointer.carries && this.axes.move(now, this.points);
    this.scatter.paint(this.pen, this.points, this.window, this.look(), this.size, this.ratio);
    this.paintAbove();
    this.paintCost(now);
    if (this.pointer.over) this.pointer.again();
    else if (this.keys.cursor >= 0) this.lookAt(-1);
    const { hub } = this;
    const shown = hub.live && hub.scrub === null ? hub.at : hub.shownFacts().iteration;
    this.tell({ held: this.window.held, frames: hub.frames, shown: shown ?? "" });
    this.facts.note(now);
    return moving;
  }

  /** What panels draw over the map. */
  paintPanels(pen) {
    this.panels.thumbnails.paint(pen);
    this.panels.springs.paint(pen);
  }

  paintAbove() {
    const { above } = this.parts;
    const spring = this.model.get("spring_of");
    const needed = Boolean(this.model.get("show_images")) || (spring !== null && spring !== undefined);
    if (above.hidden === needed) above.hidden = !needed;
    if (!needed) return;
    const pen = above.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, ...this.size);
    if (this.window.width > 0) this.paintPanels(pen);
  }

  /** The cost curve, when it has changed and not too often. */
  paintCost(now) {
    const { hub } = this;
    const { trace } = hub;
    const [width, height] = this.curveSize;
    if (!width || (now - this.curveAt < CURVE_EVERY && BUSY.includes(hub.facts.status) && hub.scrub === null)) return;
    const drawn = [
      trace.costs.length,
      trace.iterations[trace.iterations.length - 1],
      hub.scrub,
      hub.marks.length,
      this.themeSaid,
      width,
      height,
    ].join();
    if (drawn === this.drawnCurve) return;
    this.drawnCurve = drawn;
    this.curveAt = now;
    paintCurve(this.parts.curve.getContext("2d"), trace, {
      width,
      height,
      ratio: this.ratio,
      at: hub.scrub,
      marks: hub.marks,
      ...this.theme,
    });
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
