// One map as a whole: every word that counts in it, to zoom and to move, and its strongest words as a list.

import { button, make, write } from "../shared/elements.js";
import { coordinate, proportion, wordsOf } from "./mixture.js";
import { Picture } from "./picture.js";
import { wheelHint, wheelZoom } from "../shared/wheel.js";
import { digits, fitting, newWindow, pan, toPixel, zoom } from "../shared/window.js";

const LISTED_STRONG = 20;
const MOST_IN_MAP = 1500; // circles of one map: the words with the largest proportions
const ROOM = 80; // pixels beside the outermost words
const MOST_NAMED = 140;
const DRAG = 4; // pixels after which a press is no click
const TOAST = 3500; // ms that a remark is shown

export class WholeMap {
  constructor(view) {
    this.view = view;
    this.m = -1;
    this.window = newWindow();
    this.pointers = new Map();
    this.picture = new Picture({
      select: (i) => this.dragged || view.select(i, { stay: true }),
      light: (i) => view.light(i),
    });
    this.name = make("h4", { tabindex: "-1", class: "nsne-e-map-name" });
    this.note = make("div", { class: "nsne-e-note", "data-part": "map-note" });
    this.toast = make("div", { class: "nsne-e-toast", "data-part": "toast", hidden: "" });
    this.list = make("ol", { class: "nsne-e-strong", "aria-label": "Strongest words of this map" });
    const b = {
      out: button("zoom-out", "", "Zoom out (−, or Ctrl and the wheel)", "−"),
      in: button("zoom-in", "", "Zoom in (+, or Ctrl and the wheel)", "+"),
      fit: button("fit", "", "Show the whole map (0)", "Fit"),
      close: button("close-map", "", "Close this map (Escape)", "Close"),
    };
    b.out.addEventListener("click", () => this.zoomBy(1 / 1.4));
    b.in.addEventListener("click", () => this.zoomBy(1.4));
    b.fit.addEventListener("click", () => this.fit());
    b.close.addEventListener("click", () => view.closeMap());
    this.stage = make(
      "div",
      {
        class: "nsne-e-stage",
        tabindex: "0",
        role: "group",
        "data-part": "map",
        "aria-label": "Map: plus and minus zoom, arrows move, 0 shows the whole",
      },
      this.picture.element,
      this.note,
      this.toast,
    );
    this.element = make(
      "section",
      { class: "nsne-e-whole", "data-part": "whole-map", hidden: "" },
      make("header", {}, this.name, make("span", { class: "nsne-e-group" }, b.out, b.in, b.fit, b.close)),
      make("div", { class: "nsne-e-whole-body" }, this.stage, this.list),
    );
    this.stage.addEventListener("keydown", (event) => this.key(event));
    const { svg } = this.picture;
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.grab(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"])
      svg.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    svg.addEventListener("dblclick", () => this.fit());
  }

  get size() {
    return [this.picture.element.clientWidth, this.picture.element.clientHeight];
  }

  open(m) {
    this.m = m;
    this.element.hidden = false;
    this.fit();
    this.name.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest", behavior: this.view.calm.matches ? "auto" : "smooth" });
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
    const { mixture: x, names, word } = this.view;
    const [width, height] = this.size;
    if (this.m < 0 || !x || this.m >= x.M || !width) return;
    const { m } = this;
    const all = wordsOf(x, m);
    const counted = all.slice(0, MOST_IN_MAP);
    const held = word >= 0 && proportion(x, m, word) > this.view.threshold;
    if (held && !counted.includes(word)) counted.push(word);
    const points = new Float32Array(2 * counted.length);
    counted.forEach((i, k) => points.set([coordinate(x, m, i, 0), coordinate(x, m, i, 1)], 2 * k));
    if (!this.window.held) this.follow(points, width, height);
    const strong = this.view.strongOf(m);
    const rank = new Map(strong.map((i) => [i, 1]));
    if (held) rank.set(word, 0);
    const order = [...new Set([...(held ? [word] : []), ...strong, ...counted])];
    const words = [];
    for (const i of order) {
      const [px, py] = toPixel(this.window, coordinate(x, m, i, 0), coordinate(x, m, i, 1), width, height);
      if (px < -12 || py < -12 || px > width + 12 || py > height + 12) continue;
      words.push({ word: i, name: names[i], x: px, y: py, proportion: proportion(x, m, i), rank: rank.get(i) ?? 2 });
    }
    this.picture.draw(words, width, height, MOST_NAMED);
    const title = `Map ${m}: ${strong
      .slice(0, 3)
      .map((i) => names[i])
      .join(", ")}`;
    write(this.name, title);
    this.element.setAttribute("aria-label", title);
    this.picture.svg.setAttribute("aria-label", `${title}; its strongest words are in the list`);
    const rule = this.window.held ? " · held, Fit follows again" : "";
    const left = all.length - counted.length;
    write(
      this.note,
      `${left ? `first ${counted.length} of ${all.length}` : counted.length} words · view ${digits(this.window.width, 3)} wide${rule}`,
    );
    this.fillList(strong.slice(0, LISTED_STRONG));
  }

  /** The whole map in the window, with room for names at its borders. */
  follow(points, width, height) {
    const whole = fitting(points, width - ROOM, height - ROOM / 2);
    Object.assign(this.window, whole, { width: (whole.width * width) / (width - ROOM) });
  }

  fillList(strong) {
    const { names, mixture: x } = this.view;
    const rows = [...this.list.children];
    strong.forEach((i, k) => {
      const row = rows[k] ?? this.addRow();
      const [name, figure] = row.firstChild.children;
      row.firstChild.setAttribute("data-i", i);
      row.firstChild.classList.toggle("nsne-e-chosen", i === this.view.word);
      write(name, names[i]);
      write(figure, proportion(x, this.m, i).toFixed(2));
    });
    rows.slice(strong.length).forEach((row) => row.remove());
  }

  addRow() {
    const word = () => Number(act.getAttribute("data-i"));
    const act = make(
      "button",
      { type: "button", "data-control": "word" },
      make("span", { class: "nsne-e-word" }),
      make("span", { class: "nsne-e-share" }),
    );
    act.addEventListener("click", () => this.view.select(word(), { stay: true }));
    for (const name of ["pointerenter", "focus"]) act.addEventListener(name, () => this.view.light(word()));
    for (const name of ["pointerleave", "blur"]) act.addEventListener(name, () => this.view.light(-1));
    const row = make("li", {}, act);
    this.list.append(row);
    return row;
  }

  light(word) {
    this.picture.light(word);
    for (const row of this.list.children)
      row.firstChild.classList.toggle("nsne-e-lit", Number(row.firstChild.getAttribute("data-i")) === word);
  }

  // ---- hands and keys ----

  zoomBy(factor, px = this.size[0] / 2, py = this.size[1] / 2) {
    zoom(this.window, factor, px, py, ...this.size);
    this.draw();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [width, height] = this.size;
    const shift = (dx, dy) => (pan(this.window, dx * width * 0.1, dy * height * 0.1, width), this.draw());
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

  place(event) {
    const box = this.picture.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  wheel(event) {
    const factor = wheelZoom(event, this.stage.matches(":focus-within")); // a click on the map gives it the keyboard
    if (factor !== null) {
      event.preventDefault();
      return this.zoomBy(factor, ...this.place(event));
    }
    const hint = wheelHint(this.stage);
    if (hint) this.say(hint);
  }

  /** A remark that is shown for a moment. */
  say(text) {
    write(this.toast, text);
    this.toast.hidden = false;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => (this.toast.hidden = true), TOAST);
  }

  grab(event) {
    if (!this.pointers.size) this.dragged = false;
    this.pointers.set(event.pointerId, { at: this.place(event), from: this.place(event) });
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer || !event.buttons) return;
    const [before, at] = [pointer.at, this.place(event)];
    if (!this.dragged && Math.hypot(at[0] - pointer.from[0], at[1] - pointer.from[1]) < DRAG) return;
    if (!this.dragged) this.picture.svg.setPointerCapture(event.pointerId);
    this.dragged = true;
    pointer.at = at;
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1].at;
      const reach = (p) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
      this.zoomBy(reach(at) / reach(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
    } else {
      pan(this.window, at[0] - before[0], at[1] - before[1], this.size[0]);
      this.draw();
    }
  }
}
