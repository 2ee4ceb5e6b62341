// The canvases of a view: the map, what panels draw over it, and the cost curve.

import { isBusy } from "../../shared/commands.js";
import { clearPen, penOf } from "../../shared/elements.js";
import { paintCurve } from "../../shared/curve.js";
import { Part } from "../part.js";
import { Scatter } from "./scatter.js";

const WHOLE_AFTER = 180; // ms after the last painting of a part of the objects, at least
const REST = 3; // and so many times what a painting of all takes: the next frame comes first
const [NARROW, BESIDE] = [480, 10]; // pixels: a map's width below which it keeps clear of its buttons, and their distance
const CURVE_EVERY = 200; // ms between paintings of the cost curve of a run that goes on

/** All that a look says but for the ranks. @param {Look} look */
const signatureOf = ({ coloring, chosen, letters, dark, ground, ink }) =>
  [coloring.channel, coloring.version, chosen, letters, dark, ground, ink].join();

export class Canvases extends Part {
  /**
   * @param {Known} known  the size and the ratio of its stage are measured here
   * @param {{parts: Parts, paintPanels: (pen: Pen) => void, pairs: RegionPairs, card: {lines: number[]}, names: Names,
   *   said: () => string[]}} own  what panels draw, and tell of objects that they leave out
   */
  constructor(known, { parts, paintPanels, pairs, card, names, said }) {
    super(known);
    this.parts = parts;
    this.paintPanels = paintPanels;
    this.pairs = pairs;
    this.card = card;
    this.names = names;
    this.said = said;
    this.scatter = new Scatter();
    this.pen = penOf(parts.canvas, { willReadFrequently: true }); // it is painted in memory
    /** @type {Float32Array|undefined} what was painted last */
    this.points = undefined;
    this.place = "";
    this.looked = "";
    /** @type {Look["ranks"]|undefined} */
    this.ranks = undefined;
    this.movedAt = -Infinity;
    /** @type {number|undefined} a timer */
    this.whole = undefined;
    /** @type {Pair} */
    this.curveSize = [0, 0];
    this.curveAt = -CURVE_EVERY;
    this.drawnCurve = "";
  }

  /** What lies over the map: its buttons and note on a narrow screen, where that is much of it; on the wall head, foot and note. */
  covered() {
    const { head, foot, hand, note, stage } = this.parts;
    /** @param {HTMLElement} bar */
    const over = (bar) => (getComputedStyle(bar).position === "absolute" ? bar.offsetHeight : 0);
    const narrow = this.stage.size[0] < NARROW;
    const row = hand.offsetWidth > hand.offsetHeight; // of buttons, or a column
    const right = narrow && !row ? hand.offsetWidth + BESIDE : 0;
    const top = narrow && row ? hand.offsetHeight + BESIDE : 0;
    const low = over(foot);
    stage.style.setProperty("--nsne-foot", `${low}px`); // the note stands above it
    return { top: over(head) + top, right, bottom: low || narrow ? low + 6 + note.offsetHeight : 0 };
  }

  /** Make the canvases as large as their places. */
  measure() {
    const { canvas, above, stage: box, curve } = this.parts;
    const ratio = this.stage.sharp;
    /** @param {HTMLCanvasElement} target @param {HTMLElement} place @returns {Pair} */
    const fill = (target, place) => {
      const [width, height] = [place.clientWidth, place.clientHeight];
      const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (target.width !== across || target.height !== down) Object.assign(target, { width: across, height: down });
      return [width, height];
    };
    this.stage.ratio = ratio;
    this.stage.size = fill(canvas, box);
    box.style.setProperty("--nsne-shape", this.stage.size.join(" / ")); // which paper keeps
    this.stage.covered = this.covered();
    fill(above, box);
    this.curveSize = fill(curve, curve);
    this.drawnCurve = "";
  }

  /** True while more names may find room. @param {Look} look @param {number} now */
  paint(look, now) {
    const { points, window, size, ratio } = this.stage;
    const place = [window.x, window.y, window.width, ...size, ratio, look.blur?.byteOffset].join();
    const moves = points !== this.points || place !== this.place;
    [this.points, this.place] = [points, place];
    const looked = signatureOf(look);
    const alike = looked === this.looked && look.ranks === this.ranks;
    [this.looked, this.ranks] = [looked, look.ranks];
    if (moves) this.movedAt = now;
    const { scatter } = this;
    // Once it rests, all of the objects are painted.
    const wait = this.movedAt + Math.max(WHOLE_AFTER, REST * scatter.cost) - now;
    const waits = scatter.dense && scatter.stride > 1 && wait > 0;
    const stays = !moves && scatter.dense && (waits || scatter.stride === 1) && alike;
    if (!stays) scatter.paint(this.pen, points, window, look, size, ratio, moves || waits);
    this.hub.clock.clearTimeout(this.whole);
    this.whole =
      scatter.stride > 1 ? this.hub.clock.setTimeout(() => this.hub.paintSoon(), Math.max(wait, 1)) : undefined;
    this.stage.flat = scatter.flat;
    const more = this.names.arrange(now, look.ranks, this.scatter.radius);
    this.paintAbove();
    this.stage.painted = [scatter.words, look.coloring.said(scatter.flat), ...this.said()].filter(Boolean).join(" · ");
    this.paintCost(now);
    return more;
  }

  /**
   * Paint for paper, all on one canvas: a browser that prints takes what is cleared on the one above as white.
   * @param {boolean} begins  whether it prints from now on, or has printed @param {() => void} paint
   */
  print(begins, paint) {
    this.looked = ""; // all is painted anew
    paint();
    const { canvas, above } = this.parts;
    const { width, height } = canvas;
    if (!begins || !width || !height) return;
    const pixels = this.pen.getImageData(0, 0, width, height);
    const both = Object.assign(document.createElement("canvas"), { width, height });
    penOf(both).putImageData(pixels, 0, 0);
    if (!above.hidden) penOf(both).drawImage(above, 0, 0);
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    this.pen.drawImage(both, 0, 0);
  }

  paintAbove() {
    const { above } = this.parts;
    const { ratio, size, ready } = this.stage;
    const { model } = this.hub;
    const pinned = Boolean(this.hub.shownFacts().pins?.length);
    const panels = pinned || Boolean(model.get("show_images")) || (model.get("spring_of") ?? null) !== null;
    const needed = panels || this.pairs.shown || this.card.lines.length > 0 || this.names.written.length > 0;
    if (above.hidden === needed) above.hidden = !needed;
    if (!needed) return;
    const pen = clearPen(above, ...size, ratio);
    if (!ready) return;
    this.paintPanels(pen);
    this.names.paint(pen);
  }

  /** The cost curve, when it has changed and not too often. @param {number} now */
  paintCost(now) {
    const { hub } = this;
    const { trace } = hub;
    const { theme, ratio } = this.stage;
    const [width, height] = this.curveSize;
    const often = now - this.curveAt < CURVE_EVERY && isBusy(hub.facts.status) && hub.scrub === null;
    if (!width || often) return;
    const last = trace.iterations[trace.iterations.length - 1];
    const drawn = [trace.costs.length, last, hub.scrub, hub.marks.length, JSON.stringify(theme), width, height].join();
    if (drawn === this.drawnCurve) return;
    this.drawnCurve = drawn;
    this.curveAt = now;
    const look = { width, height, ratio, at: hub.scrub, marks: hub.marks, theme };
    paintCurve(penOf(this.parts.curve), trace, look);
  }
}
