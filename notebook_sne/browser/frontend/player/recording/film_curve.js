// The cost along the film, under its slider: the curve is the slider. Only what was seen is drawn, as a curve that is there
// before its film was played would answer what a lecture asks.

import { rangeIn } from "../../shared/buffers.js";
import { clearPen, strokeLine } from "../../shared/elements.js";

const [ABOVE, BELOW] = [3, 5]; // pixels that stay free
const DASH = [3, 3];
/** Dashes of the curves of several films. */
export const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];
const TOLD = new Set(["phase", "knob", "model"]); // marks at which the cost may jump

/**
 * The curve as points in pixels: frame k stands where the thumb of the slider stands at it.
 * @param {(number|null|undefined)[]} costs  of the frames; those that are no number are left out
 * @param {{width: number, height: number, thumb: number, until: number}} room  until: the last frame that is drawn
 * @param {number[]} [places]  of the frames along the slider, where it is that of another film
 * @param {number} [last]  place of the end of the slider
 */
export function curveOf(costs, { width, height, thumb, until }, places = [...costs.keys()], last = costs.length - 1) {
  /** @param {number} k */
  const x = (k) => thumb / 2 + (k / Math.max(last, 1)) * (width - thumb);
  const [low, high] = rangeIn(/** @type {number[]} */ (costs.filter(Number.isFinite)));
  const span = high - low || 1;
  /** @type {[number, number][]} */
  const points = [];
  costs.forEach((cost, k) => {
    if (places[k] > until || typeof cost !== "number" || !Number.isFinite(cost)) return;
    points.push([x(places[k]), ABOVE + ((high - cost) / span) * (height - ABOVE - BELOW)]);
  });
  return { points, x };
}

export class FilmCurve {
  /** @param {{hub: PlayerHub, hubs: PlayerHub[], slider: HTMLElement, hides: boolean}} own  hides: what was not seen yet */
  constructor({ hub, hubs, slider, hides }) {
    this.hub = hub; // whose film the slider is of
    this.hubs = hubs;
    this.slider = slider;
    this.seen = hides ? 0 : Infinity; // iteration up to which it is drawn
    this.canvas = document.createElement("canvas");
    this.canvas.className = "nsne-film-curve";
    this.canvas.setAttribute("aria-hidden", "true");
    this.key = "";
  }

  /** @param {Theme} theme @param {number} ratio  device pixels for one of CSS */
  paint(theme, ratio) {
    const { hub, canvas } = this;
    const { film } = hub;
    this.seen = Math.max(this.seen, hub.scrub ?? Infinity);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const marks = hub.marks.filter(({ kind }) => TOLD.has(kind));
    const films = this.hubs.map((one) => one.film);
    const versions = films.flatMap(({ version, length }) => [version, length]);
    const key = [width, height, ratio, ...versions, this.seen, marks.length, theme.accent].join();
    if (key === this.key || !width) return;
    this.key = key;
    const thumb = Number.parseFloat(getComputedStyle(this.slider).getPropertyValue("--nsne-thumb")) || 16;
    const until = film.length ? film.before(Math.min(this.seen, film.last ?? 0)) : 0;
    const room = { width, height, thumb, until };
    // Each from its own lowest cost to its highest: costs of several models are not of one scale.
    const curves = films.map((own) => {
      const frames = Array.from({ length: own.length }, (_, k) => own.at(k));
      const places = frames.map(({ iteration }) => film.place(iteration));
      const costs = frames.map(({ cost }) => cost);
      return curveOf(costs, room, places, film.length - 1);
    });
    const pen = clearPen(canvas, width, height, ratio);
    curves.forEach(({ points, x }, n) => {
      if (points.length < 2) return;
      const [first, last] = [points[0], points[points.length - 1]];
      const trace = () => {
        pen.beginPath();
        for (const point of points) pen.lineTo(...point);
      };
      if (curves.length === 1) {
        trace();
        pen.lineTo(last[0], height);
        pen.lineTo(first[0], height);
        pen.fillStyle = theme.accent;
        pen.globalAlpha = 0.1;
        pen.fill();
        pen.globalAlpha = 1;
      }
      pen.lineWidth = 1;
      pen.strokeStyle = theme.soft;
      pen.setLineDash(DASH);
      for (const { iteration } of n ? [] : marks) {
        const at = Math.round(x(film.place(iteration))) + 0.5;
        if (at > last[0]) continue;
        strokeLine(pen, at, 0, at, height);
      }
      pen.setLineDash(DASHES[n % DASHES.length]);
      trace();
      pen.strokeStyle = theme.accent;
      pen.lineWidth = 2;
      pen.lineJoin = "round";
      pen.stroke();
      pen.setLineDash([]);
    });
  }
}
