// The cost curve: cost in nats against iteration, with the numbers that its axes need and no more.

import { rangeIn } from "./buffers.js";
import { strokeLine } from "./elements.js";

const WIDEST = 0.25; // share of the width that the numbers of the axis may take

/**
 * Round numbers that divide a range into about `count` parts.
 * @param {number} low @param {number} high @param {number} count
 */
export function ticks(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const marks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) marks.push(k * step + 0); // + 0 turns -0 into 0
  return marks;
}

/** A number on an axis, with as many digits as tell it from its neighbors, `step` away. @param {number} value */
export function label(value, step = 0) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  const digits = step > 0 ? Math.ceil(Math.log10(size / step) + 1e-9) + 1 : 3;
  /** @param {number} number */
  const short = (number) => String(Number(number.toPrecision(Math.min(Math.max(digits, 3), 15))));
  return size >= 1e4 ? `${short(value / 1000)}k` : short(value);
}

/**
 * What stands beside an axis: its numbers, or where these are too wide, one of them and by how much the others are above it.
 * @param {number[]} steps @param {(text: string) => number} measure  the width of a text in pixels @param {number} most  pixels
 * @returns {{texts: string[], base: string, width: number}}
 */
export function axisTexts(steps, measure, most) {
  const step = steps[1] - steps[0];
  /** @param {string[]} texts */
  const widest = (texts) => texts.reduce((width, text) => Math.max(width, measure(text)), 0);
  const plain = steps.map((one) => label(one, step));
  if (!(step > 0) || widest(plain) <= most) return { texts: plain, base: "", width: widest(plain) };
  const texts = steps.map((_, k) => `+${label(k * step, step)}`);
  return { texts, base: plain[0], width: widest(texts) };
}

/**
 * @typedef {object} CurveLook
 * @property {number} width  in CSS pixels
 * @property {number} height
 * @property {number} ratio  device pixels for one of them
 * @property {Pick<Theme, "text"|"soft"|"faint"|"accent">} theme
 * @property {{iteration: number}[]} [marks]
 * @property {number|null} [at]  the moment of the film that is shown
 */

/**
 * Paint the curve, with a line at every mark and one at the moment of the film that is shown.
 * @param {CanvasRenderingContext2D} context @param {{iterations: number[], costs: number[]}} trace @param {CurveLook} look
 */
export function paintCurve(context, trace, { width, height, ratio, theme, marks = [], at = null }) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const { iterations, costs } = trace;
  if (!costs.length) return;
  const first = iterations[0];
  const last = Math.max(iterations[iterations.length - 1], first + 10);
  let [low, high] = rangeIn(costs);
  context.font = "11.5px system-ui, sans-serif";
  const room = (high - low) * 0.06 || Math.abs(high) * 0.05 || 1;
  [low, high] = [low - room, high + room];
  const steps = ticks(low, high, 4);
  const said = axisTexts(steps, (text) => context.measureText(text).width, WIDEST * width);
  const [left, right, bottom] = [Math.max(42, Math.ceil(said.width) + 7), width - 8, height - 18];
  const top = said.base ? 22 : 8;
  /** @param {number} i */
  const px = (i) => left + ((i - first) / (last - first)) * (right - left);
  /** @param {number} c */
  const py = (c) => bottom - ((c - low) / (high - low)) * (bottom - top);
  context.fillStyle = theme.soft;
  context.strokeStyle = theme.faint;
  context.lineWidth = 1;
  context.textBaseline = "middle";
  context.textAlign = "right";
  if (said.base) {
    context.textAlign = "left";
    context.fillText(said.base, 0, 8);
    context.textAlign = "right";
  }
  steps.forEach((cost, k) => {
    const y = Math.round(py(cost)) + 0.5;
    strokeLine(context, left, y, right, y);
    context.fillText(said.texts[k], left - 5, y);
  });
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  for (const iteration of ticks(first, last, 3)) {
    const x = px(iteration);
    context.textAlign = x > right - 12 ? "right" : x < left + 8 ? "left" : "center";
    context.fillText(label(iteration), x, height - 4);
  }
  /** @param {number} iteration @param {string} color @param {number[]} dash */
  const upright = (iteration, color, dash) => {
    if (!(iteration >= first && iteration <= last)) return;
    const x = Math.round(px(iteration)) + 0.5;
    context.setLineDash(dash);
    context.strokeStyle = color;
    strokeLine(context, x, top, x, bottom);
    context.setLineDash([]);
  };
  for (const { iteration } of marks) upright(iteration, theme.faint, [2, 2]);
  if (at !== null) upright(at, theme.text, []);
  context.beginPath();
  // One vertex per pixel is all that shows, and the last one always.
  const stride = Math.max(1, Math.floor(costs.length / (right - left)));
  for (let i = 0; i < costs.length; i += stride) context.lineTo(px(iterations[i]), py(costs[i]));
  context.lineTo(px(iterations[costs.length - 1]), py(costs[costs.length - 1]));
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.75;
  context.lineJoin = "round";
  context.stroke();
  context.beginPath();
  context.arc(px(iterations[costs.length - 1]), py(costs[costs.length - 1]), 3, 0, 2 * Math.PI);
  context.fillStyle = theme.accent;
  context.fill();
}
