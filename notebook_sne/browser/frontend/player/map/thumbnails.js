// Thumbnails: images of objects at their map points. The rule is that of the papers' figures: the objects in a random
// order, each image drawn only where it covers none drawn before. The order is fixed, so that an image that is there
// stays as long as there is room; nearer to the map, more find room. What is written on the map lies over none.

import { isBusy } from "../../shared/commands.js";
import { penOf } from "../../shared/elements.js";
import { meet } from "./closed.js";
import { Part } from "../part.js";

const TILE = 30; // CSS pixels of the longer side of an image
const RIM = 2; // CSS pixels of the class's color around it
const MOST_TILES = 900; // images in a view
const CHOOSE_EVERY = 150; // ms between choices while the points move
const MOST_STAMPS = 2500; // images kept ready to draw

/** Objects in a random order that is the same for each count. @param {number} count */
export function randomOrder(count) {
  const order = new Uint32Array(count);
  let state = count;
  for (let i = 0; i < count; i++) {
    // The generator mulberry32, and a shuffle that fills the order from its beginning.
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    const j = ((t ^ (t >>> 14)) >>> 0) % (i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  return order;
}

/**
 * The display rule: which objects show their images, in the order given, none over another.
 * @param {Float32Array} points @param {Place} window
 * @param {Pair} size  of the view in pixels @param {ArrayLike<number>} order  objects, the first come first
 * @param {number[]} tile  width and height of an image in pixels, with its rim and the gap to the next
 * @returns {number[]} objects whose images lie in the view
 */
export function chooseThumbnails(points, window, [width, height], order, [across, down], most = MOST_TILES) {
  if (!(window.width > 0) || !(width > 0)) return [];
  const scale = width / window.width;
  const [ox, oy] = [width / 2 - window.x * scale, height / 2 + window.y * scale];
  // One image at most has its middle in a cell of its own size: only the cells around can hold one that it covers.
  const columns = Math.ceil(width / across) + 2;
  const rows = Math.ceil(height / down) + 2;
  const cells = new Int32Array(columns * rows).fill(-1);
  /** @type {number[]} */
  const chosen = [];
  for (let k = 0; k < order.length && chosen.length < most; k++) {
    const i = order[k];
    const [x, y] = [ox + points[2 * i] * scale, oy - points[2 * i + 1] * scale];
    if (!(x >= 0 && x < width && y >= 0 && y < height)) continue;
    const [column, row] = [Math.floor(x / across) + 1, Math.floor(y / down) + 1];
    let free = true;
    for (let r = row - 1; r <= row + 1 && free; r++) {
      for (let c = column - 1; c <= column + 1 && free; c++) {
        const j = cells[r * columns + c];
        if (j < 0) continue;
        free =
          Math.abs(ox + points[2 * j] * scale - x) >= across || Math.abs(oy - points[2 * j + 1] * scale - y) >= down;
      }
    }
    if (!free) continue;
    cells[row * columns + column] = i;
    chosen.push(i);
  }
  return chosen;
}

/**
 * Draw images at the points of chosen objects, the first in the order last.
 * @param {Pen} context @param {number[]} chosen @param {Float32Array} points @param {Place} window @param {Pair} size
 * @param {(i: number) => HTMLCanvasElement|undefined} stampOf @param {number} ratio
 */
export function drawThumbnails(context, chosen, points, window, [width, height], stampOf, ratio) {
  const scale = width / window.width;
  for (let k = chosen.length - 1; k >= 0; k--) {
    const i = chosen[k];
    const stamp = stampOf(i);
    if (!stamp) continue;
    const [w, h] = [stamp.width / ratio, stamp.height / ratio];
    // On whole device pixels: an image between them would be blurred.
    const left = Math.round(((points[2 * i] - window.x) * scale + width / 2 - w / 2) * ratio) / ratio;
    const top = Math.round((height / 2 - (points[2 * i + 1] - window.y) * scale - h / 2) * ratio) / ratio;
    context.drawImage(stamp, left, top, w, h);
  }
}

export class Thumbnails extends Part {
  /** @param {Known} known */
  constructor(known) {
    super(known);
    /** @type {number[]} */
    this.chosen = [];
    /** @type {number[]} those of them over which nothing is written */
    this.shown = [];
    /** What is written on the map. @type {() => Box[]} */
    this.names = () => [];
    /** @type {Pair|undefined} width and height of an image in its own pixels, once one is here */
    this.size = undefined;
    this.place = ""; // of window and size, when images were chosen last
    /** @type {Float32Array|undefined} the points then */
    this.points = undefined;
    this.chosenAt = -CHOOSE_EVERY;
    this.order = new Uint32Array(0);
    /** @type {Map<number, HTMLCanvasElement>} */
    this.stamps = new Map();
    this.signature = "";
  }

  /** Width and height of an image in the map, without its rim. */
  tile() {
    const [w, h] = this.size ?? [1, 1];
    const side = TILE / Math.max(w, h);
    return [Math.max(w * side, 4), Math.max(h * side, 4)];
  }

  /** Whether the points or the window have moved since the last choice. */
  moved() {
    const { stage } = this;
    const { x, y, width } = stage.window;
    const place = [x, y, width, ...stage.size, this.hub.scrub].join();
    const moved = place !== this.place || stage.points !== this.points;
    return moved ? place : "";
  }

  choose() {
    const { stage, hub } = this;
    const { count } = stage;
    if (this.order.length !== count) this.order = randomOrder(count);
    const place = this.moved();
    if (!place) return;
    const now = hub.clock.performance.now();
    const wait = this.chosenAt + CHOOSE_EVERY - now;
    const moving = isBusy(hub.facts.status) || hub.scrub !== null || place !== this.place;
    if (wait > 0 && moving) return this.paintAgain(wait);
    [this.place, this.points, this.chosenAt] = [place, stage.points, now];
    const room = this.tile().map((side) => side + 2 * RIM + 1);
    this.chosen = chooseThumbnails(stage.points, stage.window, stage.size, this.order, room);
    hub.requests.want(this.chosen);
  }

  /** Whether images are shown. */
  get there() {
    const { model } = this.hub;
    return Boolean(model.get("show_images") && model.get("has_images")) && this.stage.points.length > 0;
  }

  /** What a reader is told where not all images have found room. */
  get said() {
    const [shown, count] = [this.shown.length, this.stage.count];
    return this.there && shown < count ? `images of ${shown} of ${count} objects` : "";
  }

  /** Draw the images that are here; the others follow as they come. @param {Pen} context */
  paint(context) {
    const { stage, coloring, hub } = this;
    if (!this.there) return;
    this.choose();
    const { theme, ratio } = stage;
    const signature = [coloring.version, coloring.channel, theme.dark, ratio].join();
    if (signature !== this.signature) this.stamps.clear();
    this.signature = signature;
    context.imageSmoothingEnabled = false;
    const [names, [width, height]] = [this.names(), this.tile().map((side) => side + 2 * RIM)];
    this.shown = this.chosen.filter((i) => {
      const [x, y] = stage.place(i);
      return !names.some((box) => meet(box, { left: x - width / 2, top: y - height / 2, width, height }));
    });
    drawThumbnails(
      context,
      this.shown,
      stage.points,
      stage.window,
      stage.size,
      (i) => this.stamp(i, hub.requests.image(i)),
      ratio,
    );
    context.imageSmoothingEnabled = true;
  }

  /** The image of an object as it is drawn, with its rim. @param {number} i @param {ObjectImage|undefined} image */
  stamp(i, image) {
    const ready = this.stamps.get(i);
    if (ready || !image) return ready;
    if (!this.size) {
      this.size = [image.width, image.height]; // all are alike; the next choice knows their shape
      this.place = "";
    }
    const { coloring } = this;
    const { ratio, theme } = this.stage;
    const rim = Math.round(RIM * ratio);
    const [w, h] = this.tile().map((side) => Math.round(side * ratio));
    const stamp = document.createElement("canvas");
    stamp.width = w + 2 * rim;
    stamp.height = h + 2 * rim;
    const pen = penOf(stamp);
    pen.fillStyle = coloring.color(coloring.keys ? coloring.keys[i] : 0, theme.dark);
    pen.fillRect(0, 0, stamp.width, stamp.height);
    pen.imageSmoothingEnabled = image.width > w; // large images are averaged, small ones keep their pixels
    pen.drawImage(imageCanvas(image), rim, rim, w, h);
    if (this.stamps.size >= MOST_STAMPS) this.stamps.clear();
    this.stamps.set(i, stamp);
    return stamp;
  }
}

/** A canvas with an image in its own pixels: gray, or of three colors one after the other. @param {ObjectImage} image */
export function imageCanvas({ width, height, pixels }, canvas = document.createElement("canvas")) {
  Object.assign(canvas, { width, height });
  const data = new ImageData(width, height);
  const colors = new Uint32Array(data.data.buffer);
  const [step, green, blue] = pixels.length === 3 * colors.length ? [3, 1, 2] : [1, 0, 0];
  for (let i = 0, at = 0; i < colors.length; i++, at += step)
    colors[i] = 0xff000000 | (pixels[at + blue] << 16) | (pixels[at + green] << 8) | pixels[at];
  penOf(canvas).putImageData(data, 0, 0);
  return canvas;
}
