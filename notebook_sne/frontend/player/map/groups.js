// Where the classes are: at the medians of their objects, for those that are groups on the map. A class that lies all over
// the map, as at the start of a run, has no place to be named at.

import { shorten } from "../../shared/labels.js";

/** @import { Objects } from "../../shared/types.d.ts" */

const SAMPLE = 300; // objects of a class that are looked at
const [COMES, STAYS] = [0.7, 0.8]; // spread of a class by that of all, below which it is a group

/** The middle one of numbers, which are put into order. @param {Float32Array} numbers */
function median(numbers) {
  numbers.sort();
  return numbers.length ? numbers[numbers.length >> 1] : Number.NaN;
}

/** The median place of some objects, and the median distance from it. @param {Float32Array} points @param {ArrayLike<number>} objects */
export function spread(points, objects) {
  const n = objects.length;
  const [xs, ys] = [new Float32Array(n), new Float32Array(n)];
  for (let j = 0; j < n; j++) [xs[j], ys[j]] = [points[2 * objects[j]], points[2 * objects[j] + 1]];
  const away = new Float32Array(n);
  const [x, y] = [median(xs.slice()), median(ys.slice())];
  for (let j = 0; j < n; j++) away[j] = Math.hypot(xs[j] - x, ys[j] - y);
  return { x, y, away: median(away) };
}

/**
 * Every so many-th of some objects, at most a sample of them.
 * @param {number[]} objects
 */
function thinned(objects) {
  const step = Math.max(1, objects.length / SAMPLE);
  return Uint32Array.from({ length: Math.min(objects.length, SAMPLE) }, (_, j) => objects[Math.floor(j * step)]);
}

export class Groups {
  /** @param {Pick<Objects, "classes"|"classNames">} objects */
  constructor({ classes, classNames }) {
    /** @type {number[][]} */
    const members = classNames.map(() => []);
    classes?.forEach((k, i) => {
      members[k]?.push(i);
    });
    this.classes = classNames
      .map((name, k) => ({ k, text: shorten(name), size: members[k].length, members: thinned(members[k]) }))
      .filter(({ size }) => size > 0)
      .sort((a, b) => b.size - a.size || a.k - b.k);
    this.all = Uint32Array.from(this.classes.flatMap(({ members }) => [...members]));
  }

  /**
   * The classes that are groups, the largest first.
   * @param {Float32Array} points @param {Set<number>} there  those that are named by now
   */
  find(points, there) {
    if (points.length / 2 <= this.all.reduce((most, i) => Math.max(most, i), -1)) return [];
    const whole = spread(points, this.all).away;
    return this.classes.flatMap(({ k, text, members }) => {
      const { x, y, away } = spread(points, members);
      return away < (there.has(k) ? STAYS : COMES) * whole ? [{ k, text, x, y }] : [];
    });
  }
}
