// Springs as lines over the map: which of them are drawn, how wide, and from where to where.

import { quantile } from "./loupe.js";
import { strokeLine } from "../../shared/elements.js";
import { toPixel } from "../../shared/window.js";

const WIDEST = 7; // pixels of the strongest spring
const [REST_PULLS, REST_PUSHES, REST_WIDEST] = [12, 6, 4]; // how many are drawn where they lie close, and how wide
const [CLOSE, APART] = [70, 150]; // pixels: typical length of a pull at rest, and of one that stands apart
/** @type {Record<SpringKind, string[]>} */
export const SPRING_COLORS = { pull: ["#0062a3", "#63b8ff"], push: ["#b84a00", "#ff9d57"] }; // on light, on dark

/** @typedef {"pull"|"push"} SpringKind */

/**
 * @typedef {object} SpringLine
 * @property {SpringKind} kind
 * @property {number} j  the neighbor
 * @property {number} strength
 * @property {number} width  in pixels
 * @property {Pair} from  the object, in pixels
 * @property {Pair} to  the neighbor
 */

/**
 * The springs that are drawn: the fewer, the closer their ends lie; and how wide the strongest is.
 * @param {Pick<SpringsMessage, "of"|"pull"|"push">} news @param {Float32Array} points @param {Place} window
 * @param {Pair} size
 */
export function atRest(news, points, window, [width]) {
  const { of, pull, push } = news;
  const scale = width / window.width;
  /** @param {number} j */
  const far = (j) => scale * Math.hypot(points[2 * j] - points[2 * of], points[2 * j + 1] - points[2 * of + 1]);
  const there = (pull.length ? pull : push).filter(([j]) => 2 * j < points.length);
  const typical = quantile(
    there.slice(0, REST_PULLS).map(([j]) => far(j)),
    0.5,
  );
  const apart = Math.min(Math.max((typical - CLOSE) / (APART - CLOSE), 0), 1);
  /** @param {SpringsMessage["pull"]} all @param {number} few */
  const some = (all, few) => all.slice(0, Math.round(few + apart * Math.max(all.length - few, 0)));
  const widest = REST_WIDEST + apart * (WIDEST - REST_WIDEST);
  return { of, apart, widest, pull: some(pull, REST_PULLS), push: some(push, REST_PUSHES) };
}

/** The strongest lines of a kind, the strongest first. @template {SpringLine} L @param {L[]} lines  the weakest first @param {SpringKind} kind @param {number} n */
export function strongest(lines, kind, n) {
  return lines
    .filter((line) => line.kind === kind)
    .slice(-n)
    .reverse();
}

/**
 * The springs as lines in pixels, the weakest first; widths are as the roots of the strengths. Where a neighbor both
 * pulls and pushes, its two lines run side by side.
 * @param {Pick<SpringsMessage, "of"|"pull"|"push">} news @param {Float32Array} points @param {Place} window
 * @param {Pair} size @param {number} [widest]  pixels of the strongest @returns {SpringLine[]}
 */
export function springLines({ of, pull, push }, points, window, [width, height], widest = WIDEST) {
  /** @param {number} i */
  const at = (i) => toPixel(window, points[2 * i], points[2 * i + 1], width, height);
  const most = Math.max(pull[0]?.[1] ?? 0, push[0]?.[1] ?? 0);
  /** @param {number} strength */
  const wide = (strength) => Math.max(widest * Math.sqrt(strength / most), 0.7);
  const pulls = new Set(pull.map(([j]) => j));
  const pushes = new Set(push.map(([j]) => j));
  /** @type {SpringLine[]} */
  const lines = [];
  for (const kind of /** @type {SpringKind[]} */ (["pull", "push"])) {
    const [springs, other] = kind === "pull" ? [pull, pushes] : [push, pulls];
    for (const [j, strength] of springs) {
      if (!(2 * j < points.length && strength > 0)) continue;
      const [from, to] = [at(of), at(j)];
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const aside = other.has(j)
        ? ((kind === "pull" ? 1 : -1) * (wide(strength) / 2 + 0.7)) / (Math.hypot(dx, dy) || 1)
        : 0;
      /** @param {Pair} place @returns {Pair} */
      const beside = ([x, y]) => [x - dy * aside, y + dx * aside];
      lines.push({ kind, j, strength, width: wide(strength), from: beside(from), to: beside(to) });
    }
  }
  return lines.sort((a, b) => a.strength - b.strength);
}

/** Sum of the forces of these lines as [x, y] in nats per map unit, y up. @param {SpringLine[]} lines */
export function netForce(lines) {
  const net = [0, 0];
  for (const { kind, strength, from, to } of lines) {
    const [dx, dy] = [to[0] - from[0], from[1] - to[1]];
    const share = ((kind === "pull" ? 1 : -1) * strength) / (Math.hypot(dx, dy) || 1);
    net[0] += dx * share;
    net[1] += dy * share;
  }
  return net;
}

/**
 * A line from a to b with an arrow's head at `head` of its way.
 * @param {Pen} context @param {Pair} a @param {Pair} b @param {number} width @param {string} color
 * @param {number[]} dash @param {number} opacity
 */
export function drawArrow(context, a, b, width, color, dash, opacity, head = 0.6) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  if (length < 2) return;
  context.globalAlpha = opacity;
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  strokeLine(context, ...a, ...b);
  context.setLineDash([]);
  const size = Math.min(4 + 1.6 * width, length / 2);
  const [ux, uy] = [dx / length, dy / length];
  const [x, y] = [a[0] + dx * head + (ux * size) / 2, a[1] + dy * head + (uy * size) / 2];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - ux * size - uy * size * 0.6, y - uy * size + ux * size * 0.6);
  context.lineTo(x - ux * size + uy * size * 0.6, y - uy * size - ux * size * 0.6);
  context.closePath();
  context.fill();
  context.globalAlpha = 1;
}
