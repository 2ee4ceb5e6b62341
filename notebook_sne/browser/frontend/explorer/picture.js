// A part of a map as a picture: a circle for each word, its area proportional to the word's mixing proportion, and as
// many names as find room. The same rule paints it on the screen and in a file.
// Words come from anybody's data: they are only ever drawn as text.

import { attribute, clearPen, make, strokeLine } from "../shared/elements.js";
import { circleRadius, placeLabels } from "../shared/labels.js";
import { shorten } from "../shared/shorten.js";
import { LINE } from "../shared/text_halo.js";
import { touches } from "../shared/touch.js";
import { toPixel } from "../shared/window.js";
import { coordinate, proportion } from "./mixture.js";

const FULL = 12; // pixels: the radius of a circle whose proportion is 1
const [LEAST, LEAST_OWN] = [1, 3]; // pixels: a smaller circle could not be seen, nor a smaller one of the word looked at
/** How a word is drawn, by what it is to the word looked at. */
export const RANKS = { word: 0, associate: 1, neighbor: 1, strong: 1, other: 2, company: 3, stranger: 4 };
const SIZES = [14, 12.5, 11, 12, 12]; // of letters in pixels, by rank
const LIT = 12.5; // of the name that a word without one has while it is lit
const OPACITIES = [0.85, 0.42, 0.26, 0.26, 0]; // of circles, by rank
const CROSSED = "◇ "; // before the name of a stranger
const [BESIDE, UNDER] = [2, 8]; // pixels around a circle at which a pointer, or a finger, still finds it

/**
 * @typedef {object} Shown  a word in a picture
 * @property {number} word
 * @property {string} name
 * @property {number} x  in pixels
 * @property {number} y
 * @property {number} proportion
 * @property {number} rank  one of RANKS
 *
 * @typedef {Pick<Shown, "x"|"y"|"rank"> & {radius: number}} Circle
 *
 * @typedef {Shown & Circle & {text: string, size: number, bold: boolean, soft: boolean, box: Box|null}} Item
 */

/**
 * Words of map m where a window shows them, in the order given.
 * @param {Mixture} x @param {string[]} names @param {number} m @param {Iterable<number>} order
 * @param {(word: number) => number} rankOf @param {Place} window @param {Pair} size @param {number} [most]
 */
export function shownIn(x, names, m, order, rankOf, window, [width, height], most = Infinity) {
  /** @type {Shown[]} */
  const shown = [];
  for (const word of order) {
    const [px, py] = toPixel(window, coordinate(x, m, word, 0), coordinate(x, m, word, 1), width, height);
    if (px < -FULL || py < -FULL || px > width + FULL || py > height + FULL) continue;
    shown.push({ word, name: names[word], x: px, y: py, proportion: proportion(x, m, word), rank: rankOf(word) });
    if (shown.length >= most) break;
  }
  return shown;
}

export class Picture {
  /** @param {Pick<ExplorerStage, "ground"|"letters"|"ratio"|"theme">} stage @param {number} full */
  constructor(stage, full = FULL) {
    this.stage = stage;
    this.full = full;
    this.canvas = make("canvas", { class: "nsne-map", role: "img" });
    this.element = make("div", { class: "nsne-e-picture" }, this.canvas);
    /** @type {[width: number, height: number]} */
    this.size = [0, 0];
    this.lit = -1;
    /** @type {Item[]} what is drawn, the most important first */
    this.items = [];
    /** @type {{x: number, y: number, r: number}|null} */
    this.ring = null;
    this.named = true; // whether any word has its name
    this.linked = false; // whether lines lead from the word looked at to its own associates
  }

  /** Pixels that there are. @returns {Pair} */
  get room() {
    return [this.element.clientWidth, this.element.clientHeight];
  }

  /** Let clicks and pointers act. @param {(i: number) => void} select @param {(i: number) => void} light */
  listen(select, light) {
    const { canvas } = this;
    /** @param {MouseEvent} event */
    const at = ({ offsetX, offsetY }) => this.wordAt([offsetX, offsetY]);
    canvas.addEventListener("click", (event) => at(event) >= 0 && select(at(event)));
    canvas.addEventListener("pointermove", (event) => light(this.point(at(event))));
    canvas.addEventListener("pointerleave", () => light(-1));
  }

  /** The word whose name or circle is at a place, or -1. @param {Pair} at @param {string} kind  of the pointer */
  wordAt([x, y], kind = "mouse") {
    const named = this.items.find(
      ({ box }) => box && x >= box.left && y >= box.top && x <= box.left + box.width && y <= box.top + box.height,
    );
    if (named) return named.word;
    const reach = touches(kind) ? UNDER : BESIDE;
    let [best, least] = [-1, Infinity];
    for (const item of this.items) {
      const away = Math.hypot(item.x - x, item.y - y);
      if (away <= item.radius + reach && away < least) [best, least] = [item.word, away];
    }
    return best;
  }

  /** A pointer is over this word, or over none: -1. @param {number} word */
  point(word) {
    const item = this.items.find((one) => one.word === word);
    this.canvas.title = item ? `${item.name}, ${item.proportion.toFixed(2)}` : "";
    attribute(this.element, "data-over", item ? "object" : "");
    return word;
  }

  /**
   * Draw words, the most important first.
   * @param {Shown[]} words @param {number} width @param {number} height @param {number} labels  how many at most
   * @param {{ring?: {x: number, y: number, r: number}|null, linked?: boolean, letters?: number}} more  `letters` are so
   *   many times as large as in a picture full of words, all named
   */
  draw(words, width, height, labels, { ring = null, linked = false, letters = 1 } = {}) {
    this.size = [width, height];
    Object.assign(this, { ring, linked, named: labels > 0 });
    const items = words.map((word) => {
      const own = word.rank === RANKS.word;
      return {
        ...word,
        text: (word.rank === RANKS.stranger ? CROSSED : "") + shorten(word.name),
        size: letters * SIZES[word.rank],
        bold: own,
        soft: word.rank >= RANKS.other,
        radius: Math.max(circleRadius(word.proportion, this.full), own ? LEAST_OWN : LEAST),
        weight: word.rank === RANKS.other ? 0.25 : 1,
        must: own || (letters > 1 && word.rank === RANKS.associate),
        box: /** @type {Box|null} */ (null),
      };
    });
    const named = items
      .filter(({ x, y }) => x > 0 && y > 0 && x < width && y < height)
      .slice(0, labels)
      .map((item) =>
        Object.assign(item, {
          width: this.stage.letters.width(item.text, item.size, item.bold),
          height: LINE * item.size,
        }),
      );
    // The labels' own circles are no obstacle to them.
    for (const [k, box] of placeLabels(named, width, height, items.slice(0, 300)).entries()) named[k].box = box;
    this.items = items;
    this.paint();
  }

  paint() {
    const { canvas, size, ring, linked, lit, stage } = this;
    const pen = clearPen(canvas, ...size, stage.ratio);
    const items = this.items.filter(({ word }) => word !== lit);
    paintCircles(pen, { items, ring, linked, size }, 0, 0, stage.theme);
    stage.letters.stampAll(pen, namesOf(items));
    const item = this.items.find(({ word }) => word === lit);
    if (!item) return;
    trace(pen, item, item.radius);
    paintDisc(pen, stage.theme.accent, 0.7);
    pen.strokeStyle = stage.theme.text;
    pen.lineWidth = 1.5;
    pen.stroke();
    if (this.named) stage.letters.write(pen, { ...item, box: item.box ?? this.above(item), lit: true });
  }

  /** Where a word without a name gets one while it is lit. @param {Item} item @returns {Box} */
  above(item) {
    const [width, height] = [this.stage.letters.width(item.text, LIT, false), LINE * LIT];
    const left = Math.max(2, Math.min(item.x - width / 2, this.size[0] - width - 2));
    const top = item.y - item.radius - 6 - height;
    return { left, top: top > 0 ? top : item.y + item.radius + 2, width, height };
  }

  /** Light a word. @param {number} word */
  light(word) {
    const before = this.lit;
    this.lit = word;
    if (before !== word && this.items.some((item) => item.word === before || item.word === word)) this.paint();
  }
}

/** The names that have found room. @template {Item} I @param {I[]} items */
const namesOf = (items) => items.flatMap(({ box, ...item }) => (box ? [{ ...item, box }] : []));

/** @param {Pen} pen @param {{x: number, y: number}} at @param {number} r */
function trace(pen, { x, y }, r) {
  pen.beginPath();
  pen.moveTo(x + r, y);
  pen.arc(x, y, r, 0, 2 * Math.PI);
}

/** Fill the present path. @param {Pen} pen @param {string} color @param {number} opacity */
function paintDisc(pen, color, opacity) {
  pen.fillStyle = color;
  pen.globalAlpha = opacity;
  pen.fill();
  pen.globalAlpha = 1;
}

/** The circle of a word as its rank has it. @param {Pen} pen @param {Circle} circle @param {Theme} theme */
export function paintCircle(pen, circle, theme) {
  const { rank, radius } = circle;
  trace(pen, circle, radius);
  const own = rank === RANKS.word;
  if (rank !== RANKS.stranger)
    paintDisc(pen, own ? theme.accent : rank === RANKS.associate ? theme.text : theme.soft, OPACITIES[rank]);
  if (!own && rank <= RANKS.other) return;
  pen.strokeStyle = own ? theme.accent : theme.soft;
  pen.lineWidth = own ? 5 : 1.3;
  pen.globalAlpha = own ? 0.22 : 1;
  if (rank === RANKS.stranger) pen.setLineDash([3, 2]);
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** The circle of a word in the size in which it is drawn. @param {number} proportion @param {number} rank */
export function circleOf(proportion, rank) {
  const radius = circleRadius(proportion, FULL);
  return { x: radius + 2, y: radius + 2, radius, rank };
}

/**
 * The circles of a picture, the important ones above, at a place of whatever the pen draws on.
 * @param {Pen} pen @param {Pick<Picture, "items"|"linked"|"ring"|"size">} picture @param {number} left
 * @param {number} top @param {Theme} theme
 */
function paintCircles(pen, { items, linked, ring, size: [width, height] }, left, top, theme) {
  if (ring && ring.r < Math.max(width, height)) {
    pen.strokeStyle = theme.faint;
    pen.lineWidth = 1;
    pen.setLineDash([2, 4]);
    trace(pen, { x: left + ring.x, y: top + ring.y }, ring.r);
    pen.stroke();
    pen.setLineDash([]);
  }
  const own = linked && items.find(({ rank }) => rank === RANKS.word);
  if (own) {
    pen.strokeStyle = theme.accent;
    pen.lineWidth = 1.2;
    pen.globalAlpha = 0.5;
    for (const item of items.filter(({ rank }) => rank === RANKS.associate)) {
      const [x, y] = [item.x - own.x, item.y - own.y];
      const away = Math.hypot(x, y);
      const [from, to] = [own.radius / away, 1 - item.radius / away]; // from edge to edge
      if (!(from < to)) continue;
      const [x0, y0] = [left + own.x, top + own.y];
      strokeLine(pen, x0 + from * x, y0 + from * y, x0 + to * x, y0 + to * y);
    }
    pen.globalAlpha = 1;
  }
  for (const item of [...items].reverse()) paintCircle(pen, { ...item, x: left + item.x, y: top + item.y }, theme);
}

/**
 * Draw the same with a pen, for a file. Circles and names beyond the border are left out.
 * @param {Pen} pen @param {Pick<Picture, "items"|"linked"|"ring"|"size">} picture @param {number} left
 * @param {number} top @param {Pick<ExplorerStage, "letters"|"theme">} stage
 */
export function paintPicture(pen, { items, linked, ring, size }, left, top, { letters, theme }) {
  const [width, height] = size;
  const inside = items.filter(({ x, y }) => x >= 0 && y >= 0 && x <= width && y <= height);
  const whole = ring && ring.r < Math.min(width, height) / 2;
  paintCircles(pen, { items: inside, linked, ring: whole ? ring : null, size }, left, top, theme);
  for (const { box, ...name } of namesOf(items))
    letters.write(pen, { ...name, box: { ...box, left: left + box.left, top: top + box.top } });
}
