// What names leave free: marks, and the places where controls, remarks and springs lie over the map.

import { RINGED } from "./scatter.js";

/** @import { Selection } from "./selection.js" */

const MOST_DOTS = 6000; // marks in view above which there is no ground without them
const EVERY = 500; // ms between looks: each makes the browser lay out the page

/** @param {Box} a @param {Box} b */
export function meet(a, b) {
  const across = a.left < b.left + b.width && b.left < a.left + a.width;
  return across && a.top < b.top + b.height && b.top < a.top + a.height;
}

/**
 * Those names over which nothing else is drawn.
 * @template {{box: Box}} N @param {N[]} names @param {Box[]} over @returns {N[]}
 */
export function uncovered(names, over) {
  return over.length ? names.filter(({ box }) => !over.some((one) => meet(one, box))) : names;
}

/**
 * Marks that names leave uncovered: those of selected objects always, the others where they can.
 * @param {Stage} stage @param {Selection} selection @param {number} radius  of the marks
 * @param {boolean} all  whether others than the selected count @param {boolean} [thinned]  some of very many, not none
 */
export function marksToSpare(stage, selection, radius, all, thinned = false) {
  const [width, height] = stage.size;
  /** @type {Dot[]} */
  const dots = [];
  const few = selection.chosen <= RINGED;
  /** @param {number} i @param {number|undefined} weight @param {number} around */
  const add = (i, weight, around) => {
    const [x, y] = stage.place(i);
    if (x > 0 && y > 0 && x < width && y < height) dots.push({ x, y, radius: around, weight });
  };
  if (few) for (const i of selection.byHand) add(i, Number.POSITIVE_INFINITY, radius + 2);
  if (!all) return dots;
  const step = thinned ? Math.max(1, Math.ceil(stage.count / MOST_DOTS)) : 1;
  for (let i = 0; i < stage.count && dots.length <= MOST_DOTS; i += step) {
    if (!(few && selection.has(i))) add(i, 1, radius);
  }
  return dots.length > MOST_DOTS ? dots.filter(({ weight }) => weight === Number.POSITIVE_INFINITY) : dots;
}

export class Closed {
  constructor() {
    /** @type {HTMLElement[]} */
    this.elements = [];
    /** @type {Box[]} */
    this.known = [];
    this.at = -EVERY;
  }

  /** @param {number} now */
  boxes(now) {
    if (now - this.at < EVERY) return this.known;
    this.at = now;
    this.known = this.elements
      .filter((element) => element.offsetWidth > 0 && element.textContent)
      .map((element) => ({
        left: element.offsetLeft,
        top: element.offsetTop,
        width: element.offsetWidth,
        height: element.offsetHeight,
      }));
    return this.known;
  }
}
