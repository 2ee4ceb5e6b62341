// Where controls and remarks lie over the map: names would not be seen there.

/** @import { Box } from "../../shared/types.d.ts" */

const EVERY = 500; // ms between looks: each makes the browser lay out the page

/**
 * Those names over which nothing else is drawn.
 * @template {{box: Box}} N @param {N[]} names @param {Box[]} over @returns {N[]}
 */
export function uncovered(names, over) {
  /** @param {Box} a @param {Box} b */
  const meet = (a, b) =>
    a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
  return over.length ? names.filter(({ box }) => !over.some((one) => meet(one, box))) : names;
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
