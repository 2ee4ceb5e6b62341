// What a class has said: bars of a choice, a histogram of numbers, a bundle of curves. A first vote is a line on each bar.

import { withUnit } from "../lesson/words.js";
import { rangeIn } from "../shared/buffers.js";
import { draw, make } from "../shared/elements.js";

const BINS = 20;
const [WIDE, HIGH, LEFT, BELOW, ABOVE] = [600, 300, 44, 44, 12]; // units of a drawing
const CHECK = "M2.5 8.5l3.5 3.5 7.5-8";

/** How often an answer was given. @param {Counts} counts @param {unknown} answer */
export const countOf = (counts, answer) => counts.find(([one]) => one === answer)?.[1] ?? 0;

/** How many numbers lie in each of some equal parts of a range. @param {Counts} counts @param {number[]} bounds */
export function binned(counts, [low, high]) {
  const bins = new Array(BINS).fill(0);
  for (const [value, n] of counts) {
    const share = (Number(value) - low) / (high - low);
    bins[Math.min(Math.max(Math.floor(share * BINS), 0), BINS - 1)] += n;
  }
  return bins;
}

/** The middle of what was drawn at each place. @param {Counts} counts @param {number} places */
export function medianCurve(counts, places) {
  const curves = counts.flatMap(([curve, n]) => new Array(n).fill(curve));
  if (!curves.length) return [];
  return Array.from({ length: places }, (_, k) => {
    const sorted = curves.map((curve) => curve[k]).sort((a, b) => a - b);
    const half = sorted.length >> 1;
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  });
}

/** @param {string} words @param {Record<string, unknown>} at */
const text = (words, at) => draw("text", at, words);

/** @param {PollFacts} poll */
function choices({ question, counts, first, truth, stage }) {
  const shown = stage !== "open";
  // A track is all who answered in the vote, so that a full bar is everybody.
  const [all, allBefore] = [counts, first].map((one) => one.reduce((sum, [, n]) => sum + n, 0) || 1);
  const rows = question.options.map((option, k) => {
    const [n, before] = [countOf(counts, option), countOf(first, option)];
    const right = truth === option;
    const row = make("li", { "data-option": option, "data-truth": right ? "" : undefined });
    const letter = make("span", { class: "nsne-letter" }, String.fromCharCode(65 + k));
    const name = make("span", { class: "nsne-option" }, option);
    if (!shown) {
      row.append(letter, name);
      return row;
    }
    if (right) {
      const check = draw("svg", { viewBox: "0 0 16 16", role: "img", class: "nsne-check" }, draw("path", { d: CHECK }));
      check.setAttribute("aria-label", "this happened");
      name.append(" ", check);
    }
    const track = make("span", { class: "nsne-track" });
    const bar = make("span", { class: "nsne-bar" });
    bar.style.width = `${(100 * n) / all}%`;
    track.append(bar);
    if (first.length) {
      const mark = make("span", { class: "nsne-before", title: `first vote: ${before}` });
      mark.style.left = `${(100 * before) / allBefore}%`;
      track.append(mark);
    }
    row.append(name, make("span", { class: "nsne-count" }, String(n)), track);
    return row;
  });
  return make("ol", { class: "nsne-choices", "data-shown": String(shown) }, ...rows);
}

/** @param {PollFacts} poll @param {(value: number) => number} x @param {string} low @param {string} high */
function frame({ question }, x, low, high) {
  const bottom = HIGH - BELOW;
  return [
    draw("path", { class: "nsne-axis", d: `M${LEFT} ${bottom}H${WIDE - 8}` }),
    text(low, { x: x(0), y: bottom + 18, "text-anchor": "start" }),
    text(withUnit(high, question.unit), { x: x(1), y: bottom + 18, "text-anchor": "end" }),
  ];
}

/** @param {PollFacts} poll */
function numbers(poll) {
  const { question, counts, first, truth, found } = poll;
  const [low, high] = question.bounds;
  const bottom = HIGH - BELOW;
  const [now, before] = [binned(counts, question.bounds), binned(first, question.bounds)];
  const most = Math.max(1, ...now, ...before);
  const x = (/** @type {number} */ share) => LEFT + share * (WIDE - LEFT - 8);
  const y = (/** @type {number} */ n) => bottom - (n / most) * (bottom - ABOVE - 24);
  const step = (x(1) - x(0)) / BINS;
  const bars = now.map((n, k) =>
    draw("rect", { class: "nsne-bar", x: x(k / BINS) + 1, y: y(n), width: step - 2, height: bottom - y(n) }),
  );
  const lines = first.length ? before.map((n, k) => `M${x(k / BINS)} ${y(n)}h${step}`).join("") : "";
  const parts = [...frame(poll, x, String(low), String(high)), ...bars];
  parts.push(text(String(most), { x: LEFT - 6, y: y(most) + 4, "text-anchor": "end" }));
  if (lines) parts.push(draw("path", { class: "nsne-before", d: lines }));
  if (truth !== null) {
    const at = x(Math.min(Math.max((Number(truth) - low) / (high - low), 0), 1));
    parts.push(draw("path", { class: "nsne-truth", d: `M${at} ${ABOVE}V${bottom}` }));
    const end = at > WIDE / 2;
    parts.push(
      text(found, { class: "nsne-found", x: at + (end ? -8 : 8), y: ABOVE + 12, "text-anchor": end ? "end" : "start" }),
    );
  }
  return parts;
}

/** @param {PollFacts} poll */
function curves(poll) {
  const { question, counts, truth } = poll;
  const [low, high] = question.bounds;
  const bottom = HIGH - BELOW;
  const last = question.places.length - 1;
  const x = (/** @type {number} */ share) => LEFT + 8 + share * (WIDE - LEFT - 30);
  const y = (/** @type {number} */ value) => bottom - ((value - low) / (high - low)) * (bottom - ABOVE);
  /** @param {number[]} curve @param {string} kind @param {number} [n] */
  const line = (curve, kind, n = 1) =>
    draw("polyline", {
      class: kind,
      "stroke-width": Math.min(1 + n, 8),
      points: curve.map((one, k) => `${x(k / last)},${y(Math.min(Math.max(one, low), high))}`).join(" "),
    });
  const said = counts.map(([curve, n]) => line(/** @type {number[]} */ (curve), "nsne-one", n));
  const middle = medianCurve(counts, question.places.length);
  return [
    draw("path", { class: "nsne-axis", d: `M${LEFT} ${ABOVE}V${bottom}H${WIDE - 8}` }),
    ...question.places.map((place, k) => text(place, { x: x(k / last), y: bottom + 18, "text-anchor": "middle" })),
    text(String(high), { x: LEFT - 6, y: ABOVE + 10, "text-anchor": "end" }),
    text(String(low), { x: LEFT - 6, y: bottom, "text-anchor": "end" }),
    text(question.axis_names[0] ?? "", { x: x(0.5), y: HIGH - 6, "text-anchor": "middle" }),
    text(question.axis_names[1] ?? "", { x: LEFT + 4, y: ABOVE + 10, class: "nsne-up" }),
    ...said,
    ...(middle.length ? [line(middle, "nsne-middle", 2)] : []),
    ...(Array.isArray(truth) ? [line(truth, "nsne-truth", 3)] : []),
  ];
}

/** The cost of the run that the class has followed. @param {PollFacts} poll */
export function drawCurve({ curve: [iterations, costs] }) {
  const [low, high] = rangeIn(costs);
  const end = iterations.length - 1;
  const x = (/** @type {number} */ k) => 10 + ((iterations[k] - iterations[0]) / (iterations[end] || 1)) * (WIDE - 20);
  const y = (/** @type {number} */ cost) => HIGH - BELOW - 8 - ((cost - low) / (high - low || 1)) * (HIGH - BELOW - 24);
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": "Cost of the map at each step" },
    draw("path", { class: "nsne-axis", d: `M10 ${HIGH - BELOW}H${WIDE - 10}` }),
    draw("polyline", { class: "nsne-truth", points: costs.map((cost, k) => `${x(k)},${y(cost)}`).join(" ") }),
    text("start", { x: 10, y: HIGH - BELOW + 26 }),
    text(`step ${iterations[end]}`, { x: WIDE - 10, y: HIGH - BELOW + 26, "text-anchor": "end" }),
    text("cost", { x: WIDE - 10, y: 26, "text-anchor": "end" }),
  );
}

/** What is under the drawing, so that its lines are understood. @param {PollFacts} poll */
function key({ question, first, truth }) {
  if (question.places.length) {
    const own = "Thin: each of you. Dark: the middle of all.";
    return truth === null ? own : `${own} Blue: what happened.`;
  }
  return first.length ? "Bars: after you talked. Lines: your first vote." : "";
}

/** The votes, as a picture with a sentence for those who do not see it. @param {PollFacts} poll */
export function drawVotes(poll) {
  const { question, stage } = poll;
  const box = make("div", { class: "nsne-votes" });
  if (question.options.length) box.append(choices(poll));
  else if (stage === "open" && !question.places.length) {
    const [low, high] = question.bounds;
    box.append(make("p", { class: "nsne-range" }, `A number from ${low} to ${withUnit(high, question.unit)}`));
  } else {
    const parts = question.places.length ? curves(poll) : numbers(poll);
    const label = `${poll.counts.length ? poll.answered : 0} answers to: ${question.question}`;
    box.append(draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label }, ...parts));
  }
  const words = stage === "open" ? "" : key(poll);
  if (words) box.append(make("p", { class: "nsne-key" }, words));
  return box;
}
