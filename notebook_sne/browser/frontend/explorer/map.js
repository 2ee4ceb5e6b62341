// One map as a whole: every word that counts in it, to zoom and to move, and its strongest words as a list.

import { button, make, write } from "../shared/elements.js";
import { placesOf, proportion, wordsOf } from "./mixture.js";
import { Picture, RANKS, shownIn } from "./picture.js";
import { WordRows } from "./rows.js";
import { Hand } from "../shared/hand.js";
import { Toast } from "../shared/toast.js";
import { digits, fitting, newWindow, pan, zoom } from "../shared/window.js";

const LISTED_STRONG = 20;
const MOST_IN_MAP = 1500; // circles of one map: the words with the largest proportions
const ROOM = 80; // pixels beside the outermost words
const MOST_NAMED = 140;

export class WholeMap {
  /** @param {ExplorerStage} stage @param {ExplorerActs} acts @param {AbortSignal} signal */
  constructor(stage, acts, signal) {
    this.shown = stage;
    this.acts = acts;
    this.m = -1;
    this.window = newWindow();
    this.zoom = 1; // of the view: it is never enlarged
    this.picture = new Picture(stage);
    this.name = make("h4", { tabindex: "-1", class: "nsne-e-map-name" });
    this.note = make("div", { class: "nsne-note", "data-part": "map-note" });
    this.toast = new Toast(make("div", { class: "nsne-toast", "data-part": "toast" }));
    const select = (/** @type {number} */ i) => acts.select(i, { stay: true });
    this.list = new WordRows("strong", stage, select, (i) => acts.light(i));
    const b = {
      out: button("zoom-out", "", "Zoom out (−, or Ctrl and the wheel)", "−"),
      in: button("zoom-in", "", "Zoom in (+, or Ctrl and the wheel)", "+"),
      fit: button("fit", "", "Show the whole map (0)", "Fit"),
      close: button("close-map", "", "Close this map (Escape)", "Close"),
    };
    b.out.addEventListener("click", () => this.zoomBy(1 / 1.4));
    b.in.addEventListener("click", () => this.zoomBy(1.4));
    b.fit.addEventListener("click", () => this.fit());
    b.close.addEventListener("click", () => acts.closeMap());
    this.stage = make(
      "div",
      {
        class: "nsne-e-stage",
        tabindex: "0",
        "data-hand": "",
        role: "group",
        "data-part": "map",
        "aria-label": "Map: plus and minus zoom, arrows move, 0 shows the whole",
      },
      this.picture.element,
      this.note,
      this.toast.element,
    );
    this.element = make(
      "section",
      { class: "nsne-e-whole", "data-part": "whole-map", hidden: "" },
      make("header", {}, this.name, make("span", { class: "nsne-group" }, b.out, b.in, b.fit, b.close)),
      make("div", { class: "nsne-e-whole-body" }, this.stage, this.list.element),
    );
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.hand = new MapHand(this, signal);
  }

  /** @returns {Pair} */
  get size() {
    return this.picture.room;
  }

  /** @param {number} m */
  open(m) {
    this.m = m;
    this.element.hidden = false;
    this.fit();
    this.name.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest", behavior: this.shown.calm.matches ? "auto" : "smooth" });
  }

  close() {
    this.m = -1;
    this.element.hidden = true;
  }

  fit() {
    Object.assign(this.window, newWindow());
    this.draw();
  }

  draw() {
    const { mixture: x, names, word, beside } = this.shown;
    const [width, height] = this.size;
    if (this.m < 0 || !x || this.m >= x.M || !width) return;
    const { m } = this;
    const all = wordsOf(x, m);
    const counted = all.slice(0, MOST_IN_MAP);
    const held = [word, beside].filter((i) => this.shown.holds(m, i));
    for (const i of held) if (!counted.includes(i)) counted.push(i);
    if (!this.window.held) this.follow(placesOf(x, m, counted), width, height);
    const strong = this.shown.strongOf(m);
    const rank = new Map(strong.map((i) => [i, RANKS.strong]));
    for (const i of held) rank.set(i, RANKS.word);
    const order = new Set([...held, ...strong, ...counted]);
    const rankOf = (/** @type {number} */ i) => rank.get(i) ?? RANKS.other;
    this.picture.draw(shownIn(x, names, m, order, rankOf, this.window, this.size), width, height, MOST_NAMED);
    const title = `Map ${m}: ${this.shown.titleOf(m)}`;
    write(this.name, title);
    this.element.setAttribute("aria-label", title);
    this.picture.canvas.setAttribute("aria-label", `${title}; its strongest words are in the list`);
    const rule = this.window.held ? " · held, Fit follows again" : "";
    const left = all.length - counted.length;
    const n = counted.length;
    const words_ = left ? `first ${n} of ${all.length} words` : `${n} words`;
    write(this.note, `${words_} · view ${digits(this.window.width, 3)} wide${rule}`);
    const listed = strong.slice(0, LISTED_STRONG);
    this.list.draw(
      word,
      listed.map((i) => ({ word: i, kind: "strong", value: proportion(x, m, i) })),
    );
  }

  /**
   * The whole map in the window, with room for names at its borders.
   * @param {Float32Array} points @param {number} width @param {number} height
   */
  follow(points, width, height) {
    const whole = fitting(points, width - ROOM, height - ROOM / 2);
    Object.assign(this.window, whole, { width: (whole.width * width) / (width - ROOM) });
  }

  /** @param {number} word */
  light(word) {
    this.picture.light(word);
    this.list.light(word);
  }

  // ---- hands and keys ----

  /** @param {number} factor */
  zoomBy(factor, px = this.size[0] / 2, py = this.size[1] / 2) {
    zoom(this.window, factor, px, py, ...this.size);
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [width, height] = this.size;
    /** @param {number} dx @param {number} dy */
    const shift = (dx, dy) => {
      pan(this.window, dx * width * 0.1, dy * height * 0.1, width);
      this.draw();
    };
    /** @type {Record<string, () => void>} */
    const acts = {
      "+": () => this.zoomBy(1.25),
      "=": () => this.zoomBy(1.25),
      "-": () => this.zoomBy(0.8),
      0: () => this.fit(),
      ArrowLeft: () => shift(1, 0),
      ArrowRight: () => shift(-1, 0),
      ArrowUp: () => shift(0, 1),
      ArrowDown: () => shift(0, -1),
    };
    if (!acts[event.key]) return;
    acts[event.key]();
    event.preventDefault();
  }
}

class MapHand extends Hand {
  /** @param {WholeMap} map @param {AbortSignal} signal */
  constructor(map, signal) {
    const { picture, stage, element: root, toast, acts } = map;
    const parts = { canvas: picture.canvas, stage, root };
    const lookAt = (/** @type {number} */ i) => acts.light(picture.point(i));
    super({ stage: map, parts, signal, say: (words) => toast.show(words), lookAt });
    this.map = map;
  }

  /** @param {Pair} at @param {string} [kind] */
  pick(at, kind) {
    return this.map.picture.wordAt(at, kind);
  }

  /** @param {Act} act */
  click({ index }) {
    if (index >= 0) this.map.acts.select(index, { stay: true });
  }

  twice() {
    this.map.fit();
  }

  /** @param {number} dx @param {number} dy */
  panBy(dx, dy) {
    super.panBy(dx, dy);
    this.map.draw();
  }

  /** @param {number} factor @param {number} x @param {number} y */
  zoomBy(factor, x, y) {
    this.map.zoomBy(factor, x, y);
  }
}
