// Where the classes are: where their objects lie most densely, for those that are groups on the map, and at each clump of a
// class that lies in several. A class that lies all over the map, as at the start of a run, has no place to be named at.

import { shortened } from "../../shared/shorten.js";
import { clumps } from "./label_anchors.js";

const SPOTS = 16; // more than a class has: each is an eighth of it at least
const MOST = 256; // classes that are looked for, the largest ones
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

/**
 * @typedef {object} Spot  where a class is named
 * @property {number} k  the class
 * @property {number} c  which of its spots this is: it stays the same while the map moves
 * @property {string} text
 * @property {number} x
 * @property {number} y
 * @property {number} rank  of the class, by how many objects it has
 *
 * @typedef {Spot & {members: number[], dx: number, dy: number}} Known  and how far it is from the mean of its objects
 */

/** The mean place of some objects. @param {Float32Array} points @param {Iterable<number> & {length: number}} objects @returns {[number, number]} */
function mean(points, objects) {
  let [x, y] = [0, 0];
  for (const i of objects) [x, y] = [x + points[2 * i], y + points[2 * i + 1]];
  return [x / objects.length, y / objects.length];
}

/** The key of the name of class k at its spot c, below those of objects. @param {number} k @param {number} c */
export const keyOf = (k, c) => -1 - SPOTS * k - c;
/** @param {number} key */
const classOf = (key) => Math.floor((-1 - key) / SPOTS);

export class Groups {
  /** @param {Pick<Objects, "classes"|"classNames">} objects */
  constructor({ classes, classNames }) {
    /** @type {number[][]} */
    const members = classNames.map(() => []);
    classes?.forEach((k, i) => {
      members[k]?.push(i);
    });
    const short = shortened(classNames);
    const all = members
      .map((objects, k) => ({ k, size: objects.length }))
      .filter(({ size }) => size > 0)
      .sort((a, b) => b.size - a.size || a.k - b.k);
    this.classes = all.slice(0, MOST).map(({ k }, rank) => ({ k, rank, text: short[k], members: thinned(members[k]) }));
    this.others = all.length - this.classes.length; // which are never named
    this.all = Uint32Array.from(this.classes.flatMap(({ members }) => [...members]));
    this.reach = this.all.reduce((most, i) => Math.max(most, i), -1);
    /** @type {Known[]} */
    this.known = [];
  }

  /**
   * Where the classes that are groups are named: the first spots of all, the largest class first, then the second ones.
   * @param {Float32Array} points @param {boolean} look  whether to look for them; otherwise those known move with their objects
   * @returns {Spot[]}
   */
  find(points, look = true) {
    if (points.length / 2 <= this.reach) this.known = [];
    else if (look) this.known = this.look(points);
    else
      for (const spot of this.known) {
        const [x, y] = mean(points, spot.members);
        [spot.x, spot.y] = [x + spot.dx, y + spot.dy];
      }
    return this.known;
  }

  /** @param {Float32Array} points */
  look(points) {
    const { x, y, away: whole } = spread(points, this.all);
    /** @type {(Known & {at: number})[]} */
    const found = this.classes.flatMap(({ k, rank, text, members }) => {
      const there = this.known.filter((spot) => spot.k === k);
      const taken = new Set(there.map(({ c }) => c));
      const named = clumps(points, members, { x, y, whole }, there).filter((clump) => {
        // A random part of a class that is spread evenly over the map would be narrower by this factor.
        const limit = (clump.was >= 0 ? STAYS : COMES) * whole * Math.sqrt(clump.members.length / members.length);
        return spread(points, clump.members).away < limit;
      });
      return named.map((clump, at) => {
        let c = clump.was >= 0 ? there[clump.was].c : 0;
        if (clump.was < 0) while (taken.has(c)) c += 1;
        taken.add(c);
        const [mx, my] = mean(points, clump.members);
        return {
          k,
          c,
          text,
          x: clump.x,
          y: clump.y,
          members: clump.members,
          dx: clump.x - mx,
          dy: clump.y - my,
          rank,
          at,
        };
      });
    });
    return found.sort((a, b) => a.at - b.at); // which leaves the order of the classes as it is
  }

  /** Where each class is: its spots, or the mean place of one that has none. @param {Float32Array} points */
  places(points) {
    /** @type {Map<number, [number, number][]>} */
    const found = new Map();
    for (const { k, x, y } of this.known) found.set(k, [...(found.get(k) ?? []), [x, y]]);
    for (const { k, members } of this.classes) if (!found.has(k)) found.set(k, [mean(points, members)]);
    return found;
  }

  /**
   * How many classes are named, and how many could be: those that lie out of view could not.
   * @param {{key: number}[]} written @param {Stage} stage @returns {[number, number]}
   */
  count(written, stage) {
    const named = new Set(written.filter(({ key }) => key < 0).map(({ key }) => classOf(key)));
    const [width, height] = stage.size;
    /** @param {Spot} spot */
    const inView = ({ x, y }) => {
      const [left, top] = stage.placeOf(x, y);
      return left >= 0 && top >= 0 && left <= width && top <= height;
    };
    const lost = this.classes.filter(({ k }) => {
      const spots = this.known.filter((spot) => spot.k === k);
      return !named.has(k) && (!spots.length || spots.some(inView));
    });
    return [named.size, named.size + lost.length + this.others];
  }
}
