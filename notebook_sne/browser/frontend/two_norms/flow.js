// The picture of a word in two norms: a bar for each sense on both sides, and a band between those of one sense. The rules
// for places are those of `notebook_sne.views.two_norms`, which draws the same for a file.

import { draw } from "../shared/elements.js";
import { percent } from "../explorer/rows.js";
import { classColor } from "../shared/marks.js";
import { shorten } from "../shared/shorten.js";
import { shared, titleOf, within } from "./facts.js";

/** @import { Pair } from "./facts.js" */

const [TOP, HIGH, ROOM, BAR, GAP, LEAST] = [74, 330, 46, 6, 7, 34]; // pixels, as in Python
const NARROW = 620; // pixels: below this, words are written within the bands
const NAMED = 4;
const [LIGHT, DARK] = ["#5d6b7a", "#9aa7b4"]; // what may be noise, and senses of one norm alone

/** What is known of a place on a side. @typedef {{top: number, high: number, at: number}} Place */

/**
 * Where bars of these heights stand, one below the other, those of no height included.
 * @param {number[]} heights @returns {Place[]}
 */
export function stacked(heights) {
  let [top, free] = [TOP, TOP];
  return heights.map((high) => {
    const at = high ? Math.max(top + high / 2 - 10, free + 4) : top;
    const place = { top, high, at };
    if (high) [top, free] = [top + high + GAP, at + LEAST];
    return place;
  });
}

/** The places of all senses on both sides. @param {Pair[]} pairs */
export const placesOf = (pairs) => [0, 1].map((side) => stacked(pairs.map(({ shares }) => HIGH * shares[side])));

/** How high the picture is. @param {Place[][]} places */
export function highOf(places) {
  const ends = places.flat().flatMap(({ top, high, at }) => (high ? [top + high, at + LEAST] : []));
  return Math.round(Math.max(TOP + HIGH, ...ends) + ROOM);
}

/**
 * Draw a word in two norms.
 * @param {object} what
 * @param {string} what.word  above the picture; empty where the page has it
 * @param {string[]} what.norms @param {Pair[]} what.pairs @param {number} what.width
 * @param {Pick<Theme, "dark"|"text"|"soft">} what.theme @param {string} what.font
 * @returns {SVGSVGElement}
 */
export function flow({ word, norms, pairs, width, theme, font }) {
  const narrow = width < NARROW;
  const places = placesOf(pairs);
  const high = highOf(places);
  const [left, right] = narrow ? [BAR + 2, width - BAR - 2] : [width / 2 - 140, width / 2 + 140];
  const up = word ? 0 : TOP - 34; // without a title the picture begins with the names of the norms
  const is = { width, height: high - up, viewBox: `0 ${up} ${width} ${high - up}`, fill: theme.text };
  const root = draw("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": font, "font-size": 13, ...is });
  /** @param {string} words @param {Record<string, unknown>} where */
  const text = (words, where) => draw("text", where, words);
  const bold = { "font-size": 15, "font-weight": 700 };
  if (word)
    root.append(text(word, { x: width / 2, y: 32, "text-anchor": "middle", "font-size": 26, "font-weight": 700 }));
  const sides = narrow
    ? [
        { x: left - BAR, bar: left - BAR, words: left + 8, anchor: "start", head: "start" },
        { x: right + BAR, bar: right, words: right - 8, anchor: "end", head: "end" },
      ]
    : [
        { x: left, bar: left - BAR, words: left - BAR - 10, anchor: "end", head: "end" },
        { x: right, bar: right, words: right + BAR + 10, anchor: "start", head: "start" },
      ];
  for (const [side, { x, head }] of sides.entries())
    root.append(text(shorten(norms[side], 24), { x, y: TOP - 14, "text-anchor": head, ...bold }));
  /** @type {SVGElement[]} */
  const bands = [];
  /** @type {SVGElement[]} */
  const written = [];
  for (const [k, pair] of pairs.entries()) {
    const gray = theme.dark ? DARK : LIGHT;
    const ink = within(pair) ? gray : theme.text;
    const color = shared(pair) ? classColor(k, theme.dark) : pair.noise === null ? gray : ink;
    const [a, b] = places.map((side) => side[k]);
    if (shared(pair)) {
      const middle = (left + right) / 2;
      const d =
        `M${left} ${a.top}C${middle} ${a.top} ${middle} ${b.top} ${right} ${b.top}V${b.top + b.high}` +
        `C${middle} ${b.top + b.high} ${middle} ${a.top + a.high} ${left} ${a.top + a.high}Z`;
      bands.push(draw("path", { d, fill: color, "fill-opacity": theme.dark ? 0.28 : 0.18 }));
    }
    for (const [side, { bar, words, anchor }] of sides.entries()) {
      if (!pair.numbers[side]) continue;
      const { top, high: tall, at } = places[side][k];
      bands.push(draw("rect", { x: bar, y: top, width: BAR, height: tall, fill: color }));
      const where = { x: words, "text-anchor": anchor };
      const head = `${shorten(titleOf(pair, side), 24)} ${percent(pair.shares[side])}`;
      written.push(text(head, { ...where, y: at + 10, ...bold, fill: ink }));
      if (!narrow) written.push(listed(pair, side, { ...where, y: at + 27, fill: theme.soft }, theme.text));
    }
  }
  root.append(...bands, ...written);
  return root;
}

/** The first associates of a side: in bold those that both norms have. @param {Pair} pair @param {number} side @param {Record<string, unknown>} where @param {string} ink */
function listed({ associates, both }, side, where, ink) {
  const common = new Set(both.map((name) => name.toLowerCase()));
  const line = draw("text", where);
  for (const [k, name] of associates[side].slice(0, NAMED).entries()) {
    if (k) line.append(", ");
    const known = common.has(name.toLowerCase());
    line.append(draw("tspan", known ? { "font-weight": 700, fill: ink } : {}, shorten(name, 24)));
  }
  return line;
}
