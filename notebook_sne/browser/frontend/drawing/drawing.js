// A drawing among the objects of a map: where it lands, and which objects it is most like. It's placed
// here, without a kernel; on the phones of a class, the page around may send its image.

import { imageCanvas } from "../player/map/thumbnails.js";
import { attribute, button, clearPen, listener, make, strokeLine, write, writeData } from "../shared/elements.js";
import { hearKeys } from "../shared/keys.js";
import { classColor, classShape, ringSprite, sprite } from "../shared/marks.js";
import { watchSizes } from "../shared/sizes.js";
import { themeOf, watchTheme, wearTheme } from "../shared/theme.js";
import { hear, keep, widgetOf } from "../shared/widget.js";
import { Field } from "./field.js";
import { fault, imageOf } from "./ink.js";
import { bytesOf, placer, pointsOf } from "./place.js";

/** @import { Placed } from "./place.js" */

const NEAREST = 10;
const [LEAST, MOST, PART] = [2, 5, 0.2]; // pixels: the radius of a mark, as a part of the room that each object has
const [PAD, TILE, SMALL] = [16, 26, 16]; // pixels: around the points; of the drawing on the map, of others
const HOW =
  "Compared is the small picture: your drawing, cut to its box, scaled, centered by its center of mass, and drawn anew " +
  "with the pen and the gray values of the data.";
const CANNOT = "This browser can't run what places a drawing (WebAssembly SIMD).";

/** What the nearest objects are, in a sentence. @param {string[]} names  the classes of the nearest, the nearest first */
export function sentence(names) {
  if (!names.length) return "Its nearest objects are below.";
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} × ${name}`);
  return `The nearest is of class ${names[0]}. Of the ${names.length} nearest: ${parts.join(", ")}.`;
}

class DrawingView {
  /** @param {Model} model @param {ReturnType<typeof placer>} ready @param {HTMLElement} el */
  constructor(model, ready, el) {
    this.model = model;
    this.points = pointsOf(model);
    const classes = model.get("classes");
    this.classes = classes.byteLength ? new Uint16Array(bytesOf(classes).slice().buffer) : null;
    /** @type {((image: Uint8Array) => Placed)|null} */
    this.place = null;
    /** @type {Placed|null} */
    this.placed = null;
    this.image = this.images = new Uint8Array();
    /** @type {(Placed & {key: string, image: Uint8Array})[]} what a class has drawn */
    this.others = [];
    this.undo = new AbortController();
    const { signal } = this.undo;
    const on = listener(signal);
    this.field = new Field(on, (strokes) => {
      keep(model, "strokes", strokes);
      this.update();
    });
    const clear = button("clear", "Clear", "Clear the field", "");
    on(clear, "click", () => {
      keep(model, "strokes", []);
      this.update();
    });
    this.seen = make("canvas", { class: "nsne-d-seen", role: "img", "aria-label": "The drawing as it is compared" });
    this.map = make("canvas", { role: "img", "data-part": "map" });
    this.said = make("p", { role: "status", "data-part": "said" });
    this.near = make("ol", { "aria-label": "The nearest, the first first", "data-part": "near" });
    const title = make("span", { class: "nsne-title" }, model.get("title"));
    const how = make("p", { class: "nsne-d-soft" }, HOW);
    const hand = make("div", {}, this.field.element, make("div", { class: "nsne-d-row" }, clear, this.seen));
    const found = make("div", {}, this.said, this.near, make("div", { class: "nsne-d-map" }, this.map));
    this.root = make(
      "div",
      { class: "nsne-view nsne-drawing", lang: "en", role: "group", "aria-label": model.get("title") || "A drawing" },
      title,
      make("div", { class: "nsne-d-parts" }, hand, found),
      how,
    );
    attribute(this.root, "data-key", model.get("key")); // its still picture is hidden where this is on the page
    hearKeys(this.root, signal);
    hear(model, ["change:strokes", "change:drawings"], () => this.update(), signal);
    wearTheme(el, this.root, signal);
    watchTheme(() => this.paint(), signal);
    watchSizes([this.map], () => this.paint(), signal);
    ready.then(
      ({ place, images }) => {
        [this.place, this.images] = [place, images];
        this.update();
      },
      (error) => write(this.said, error instanceof WebAssembly.CompileError ? CANNOT : String(error)),
    );
    this.paint();
  }

  remove() {
    this.undo.abort();
    this.root.remove();
  }

  /** @param {number} j */
  classOf(j) {
    return this.classes ? (this.model.get("class_names")[this.classes[j]] ?? "none") : "";
  }

  update() {
    const strokes = this.model.get("strokes");
    this.field.show(strokes);
    if (!this.place) return;
    this.placeOthers(this.place);
    const why = fault(strokes);
    this.image = why ? new Uint8Array() : imageOf(strokes, this.model.get("look"));
    this.placed = why ? null : this.place(this.image);
    const nearest = this.placed?.order.slice(0, NEAREST) ?? [];
    const names = this.classes ? nearest.map((j) => this.classOf(j)) : [];
    const far = this.placed && this.placed.distances[nearest[0]] > this.model.get("far");
    const warning = far ? " It's farther from it than any of them is from its own nearest: don't trust its place." : "";
    const theirs = this.others.length ? ` On the map: ${this.others.length} by the class.` : "";
    write(this.said, (why || sentence(names) + warning) + theirs);
    attribute(this.map, "aria-label", why ? "The map" : `The map, and the drawing on it. ${this.said.textContent}`);
    const pixels = this.images.length / (this.points.length / 2);
    this.near.replaceChildren(
      ...nearest.map((j) => {
        const tile = this.tile(this.images.subarray(j * pixels, (j + 1) * pixels));
        return make("li", {}, tile, this.classOf(j));
      }),
    );
    this.seen.hidden = Boolean(why);
    if (!why) this.tile(this.image, this.seen);
    writeData(this.root, { found: names.join(" "), x: this.placed?.x ?? "", y: this.placed?.y ?? "" });
    if (this.model.get("sends")) parent.postMessage({ image: [...this.image] }, location.origin);
    this.paint();
  }

  /** Place what a class has drawn, where it's not placed yet. @param {(image: Uint8Array) => Placed} place */
  placeOthers(place) {
    const all = bytesOf(this.model.get("drawings"));
    const { width, height } = this.model.get("look");
    const before = new Map(this.others.map((one) => [one.key, one]));
    this.others = Array.from({ length: all.length / (width * height) }, (_, k) => {
      const image = all.slice(k * width * height, (k + 1) * width * height);
      const key = image.join();
      return before.get(key) ?? { key, image, ...place(image) };
    });
  }

  /** An image as a small canvas. @param {Uint8Array} image @param {HTMLCanvasElement} [canvas] */
  tile(image, canvas) {
    const { width, height, white } = this.model.get("look");
    return imageCanvas({ width, height, pixels: image.map((gray) => (255 * gray) / white) }, canvas);
  }

  paint() {
    const { points, placed, map } = this;
    const [side, ratio, theme] = [map.clientWidth || 300, globalThis.devicePixelRatio || 1, themeOf(this.root)];
    const pen = clearPen(map, side, side, ratio);
    const ends = [0, 1].map((a) => {
      const all = points.filter((_, k) => k % 2 === a);
      const own = [...this.others, ...(placed ? [placed] : [])].map((one) => [one.x, one.y][a]);
      return [...all, ...own].reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
    });
    const scale = (side - 2 * PAD) / Math.max(...ends.map(([low, high]) => high - low), 1e-9);
    const [left, top] = ends.map(([low, high]) => (low + high) / 2);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => [
      side / 2 + (x - left) * scale,
      side / 2 - (y - top) * scale,
    ];
    const radius = Math.min(Math.max((PART * side) / Math.sqrt(points.length / 2), LEAST), MOST);
    const edge = `rgb(${theme.ground.join(" ")})`;
    const short = this.model.get("class_names").every((name) => name.length === 1);
    /** @type {Map<number, HTMLCanvasElement>} */
    const marks = new Map();
    const stamp = (/** @type {HTMLCanvasElement} */ mark, /** @type {number[]} */ [x, y]) =>
      pen.drawImage(
        mark,
        x - mark.width / ratio / 2,
        y - mark.height / ratio / 2,
        mark.width / ratio,
        mark.height / ratio,
      );
    for (let j = 0; j < points.length / 2; j++) {
      const k = this.classes?.[j] ?? 0;
      const letter = short ? this.classOf(j) : undefined;
      const look = { shape: classShape(k), color: classColor(k, theme.dark), edge, radius, ratio, letter };
      if (!marks.has(k)) marks.set(k, sprite(look));
      stamp(/** @type {HTMLCanvasElement} */ (marks.get(k)), at(points[2 * j], points[2 * j + 1]));
    }
    pen.imageSmoothingEnabled = false;
    /** @param {Uint8Array} image @param {number[]} place @param {number} size */
    const stick = (image, [x, y], size) => {
      pen.fillStyle = theme.accent;
      pen.fillRect(x - size / 2 - 2, y - size / 2 - 2, size + 4, size + 4);
      pen.drawImage(this.tile(image), x - size / 2, y - size / 2, size, size);
    };
    for (const one of this.others) stick(one.image, at(one.x, one.y), SMALL);
    if (!placed) return;
    const [x, y] = at(placed.x, placed.y);
    const ring = ringSprite({ ink: theme.text, edge, radius, ratio });
    pen.strokeStyle = theme.text;
    for (const j of placed.order.slice(0, NEAREST)) {
      const there = at(points[2 * j], points[2 * j + 1]);
      stamp(ring, there);
      strokeLine(pen, x, y, there[0], there[1]);
    }
    stick(this.image, [x, y], TILE);
  }
}

export default widgetOf(
  (model) => ({ model, ready: placer(model), stop() {} }),
  ({ model, ready }, el) => new DrawingView(model, ready, el),
);
