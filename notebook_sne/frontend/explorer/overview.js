// All maps, small: each titled by its strongest words, with the word looked at lit where it belongs. Titles cost sums
// over pairs, so they are made in idle slices, one map after the other.

import { make, write } from "../shared/elements.js";
import { coordinate, proportion, wordsOf } from "./mixture.js";
import { circleRadius } from "../shared/labels.js";
import { fitting, toPixel } from "../shared/window.js";

const SLICE = 10; // ms of work before the page gets its turn
const SMALL = 3.6; // pixels: the radius of a circle whose proportion is 1

const later = globalThis.requestIdleCallback
  ? (f) => {
      const id = requestIdleCallback(f, { timeout: 300 });
      return () => cancelIdleCallback(id);
    }
  : (f) => {
      const id = setTimeout(f, 16);
      return () => clearTimeout(id);
    };

export class Overview {
  constructor(view) {
    this.view = view;
    this.tiles = [];
    this.stale = new Set();
    this.next = 0;
    this.element = make("div", { class: "nsne-e-tiles", "data-part": "maps", role: "list" });
  }

  stop() {
    this.cancel?.();
    this.cancel = null;
  }

  /** Make all thumbnails anew, soon. */
  refresh() {
    const { M } = this.view.mixture;
    while (this.tiles.length < M) this.addTile(this.tiles.length);
    while (this.tiles.length > M) this.tiles.pop().item.remove();
    for (let m = 0; m < M; m++) this.stale.add(m);
    this.work();
  }

  work() {
    if (this.cancel || !this.stale.size) return;
    this.cancel = later(() => {
      this.cancel = null;
      if (!this.view.mixture || !this.element.clientWidth) return; // scrolled away by the host, or closed
      const end = performance.now() + SLICE;
      const { M } = this.view.mixture;
      // On from where the last slice ended, so that no map starves while a running fit sends new ones.
      for (let tried = 0; tried < M && performance.now() < end; tried++) {
        const m = this.next++ % M;
        if (this.stale.delete(m)) this.draw(m);
      }
      if (!this.stale.size) this.view.tell({ ready: "true" });
      this.work();
    });
  }

  addTile(m) {
    const tile = {
      canvas: make("canvas", { "aria-hidden": "true" }),
      name: make("span", { class: "nsne-e-tile-name" }),
      number: make("span", { class: "nsne-e-number" }, String(m)),
      share: make("span", { class: "nsne-e-tile-share" }),
    };
    tile.button = make(
      "button",
      { type: "button", class: "nsne-e-tile", "data-control": "map", "data-map": m },
      tile.number,
      tile.share,
      tile.canvas,
      tile.name,
    );
    tile.item = make("div", { role: "listitem" }, tile.button);
    tile.button.addEventListener("click", () => this.view.openMap(m, tile.button));
    this.tiles.push(tile);
    this.element.append(tile.item);
  }

  draw(m) {
    const { mixture: x, names } = this.view;
    const tile = this.tiles[m];
    const strong = this.view.strongOf(m);
    write(
      tile.name,
      strong
        .slice(0, 3)
        .map((i) => names[i])
        .join(", "),
    );
    tile.words = wordsOf(x, m);
    this.paint(m);
  }

  /** Paint a thumbnail: its circles, and the word looked at and the one under the pointer as rings. */
  paint(m) {
    const { mixture: x, word, threshold, theme, names } = this.view;
    const tile = this.tiles[m];
    if (!tile?.words) return;
    const own = word >= 0 ? proportion(x, m, word) : 0;
    const held = own > threshold;
    tile.button.classList.toggle("nsne-e-held", held);
    tile.button.setAttribute("data-held", held);
    write(tile.share, held ? own.toFixed(2) : "");
    tile.button.setAttribute(
      "aria-label",
      `Map ${m}: ${tile.name.textContent}${held ? `. ${names[word]} ${own.toFixed(2)}` : ""}`,
    );
    tile.button.title = `Map ${m}: ${tile.name.textContent}`;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [tile.canvas.clientWidth, tile.canvas.clientHeight];
    if (!width || !height || !theme) return;
    Object.assign(tile.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const pen = tile.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const points = new Float32Array(2 * tile.words.length);
    tile.words.forEach((i, k) => points.set([coordinate(x, m, i, 0), coordinate(x, m, i, 1)], 2 * k));
    const window = fitting(points, width, height);
    const dot = (i, radius) => {
      const [px, py] = toPixel(window, coordinate(x, m, i, 0), coordinate(x, m, i, 1), width, height);
      pen.moveTo(px + radius, py);
      pen.arc(px, py, radius, 0, 2 * Math.PI);
    };
    pen.globalAlpha = held ? 0.5 : 0.38;
    pen.fillStyle = theme.soft;
    pen.beginPath();
    for (const i of tile.words) dot(i, Math.max(circleRadius(proportion(x, m, i), SMALL), 0.5));
    pen.fill();
    pen.globalAlpha = 1;
    const lit = this.view.lit;
    for (const [i, shown] of [
      [lit, lit >= 0 && lit !== word && proportion(x, m, lit) > threshold],
      [word, held],
    ]) {
      if (!shown) continue;
      pen.beginPath();
      dot(i, circleRadius(proportion(x, m, i), SMALL) + 1);
      pen.fillStyle = i === word ? theme.accent : theme.ink;
      pen.fill();
      pen.beginPath();
      dot(i, circleRadius(proportion(x, m, i), SMALL) + 3.5);
      pen.strokeStyle = pen.fillStyle;
      pen.lineWidth = 1.2;
      pen.stroke();
    }
  }

  /** The same places with another word lit: nothing is summed anew. */
  relight(maps = this.tiles.keys()) {
    for (const m of maps) this.paint(m);
  }
}
