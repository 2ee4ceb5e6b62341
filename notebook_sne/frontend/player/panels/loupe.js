// The loupe: the close surroundings of an object, enlarged in a corner of the map, where its springs can be told apart. It is
// there where enlarging helps; elsewhere, as of an object that was dragged far out, the springs can be read where they are.

import { toPixel } from "../../shared/window.js";

/** @import { SpringsMessage } from "../../shared/messages.d.ts" */
/** @import { Pair, Place } from "../../shared/types.d.ts" */
/** @import { Stage } from "../stage.js" */

const FAR = 0.35; // of the stage's smaller side: springs of an object that was drawn away reach that far
const REACHED = 0.8; // share of the springs that decide how far they reach; a stray one leaves the loupe
const ROOM = 1.25; // around them
const [LEAST, MOST] = [1.8, 14]; // by how much it enlarges
const SIDES = [120, 250]; // pixels
const SHARE = 0.46; // of the stage's smaller side
const MOST_MARKS = 400;
const LOOKED_AT = 20000; // objects that decide which corner is free
const STAYS = 1.5; // by how much fuller than another its corner may get before it moves
/** What lies in the corners of a stage: the tools at the upper right, notes below. */
const INSETS = { top: 8, left: 8, right: 56, bottom: 34 };
const PULLS = 8; // springs drawn in a loupe, at most
const PUSHES = 4;
const ENOUGH = 0.8; // and no more than add up to this share of those that are known

/**
 * @typedef {object} Loupe
 * @property {number} left  in pixels of the stage
 * @property {number} top
 * @property {number} side
 * @property {number} corner  0 to 3
 * @property {number} reach  radius in pixels of what it shows, where that lies on the map
 * @property {number} power  by how much it enlarges
 * @property {Place} window  the part of the map that it shows
 */

/** The strongest springs of each kind, as many as make up most of the force. @param {SpringsMessage} news @returns {SpringsMessage} */
export function fewOf(news) {
  /** @param {SpringsMessage["pull"]} springs @param {number} most */
  const few = (springs, most) => {
    const all = springs.reduce((sum, [, strength]) => sum + strength, 0);
    let sum = 0;
    return springs.slice(0, most).filter(([, strength]) => {
      const wanted = sum < ENOUGH * all;
      sum += strength;
      return wanted;
    });
  };
  return { ...news, pull: few(news.pull, PULLS), push: few(news.push, PUSHES) };
}

/** How far most of the springs of an object reach, in pixels. @param {SpringsMessage} news @param {Stage} stage */
export function reachOf(news, stage) {
  const [x, y] = stage.place(news.of);
  const lengths = [...news.pull, ...news.push]
    .filter(([j]) => j < stage.count)
    .map(([j]) => stage.place(j))
    .map(([a, b]) => Math.hypot(a - x, b - y))
    .sort((a, b) => a - b);
  return lengths[Math.floor(REACHED * (lengths.length - 1))] ?? Infinity;
}

/** Whether an object was drawn away from those that it is tied to: then all of its springs can be read. @param {number} reach @param {Stage} stage */
export const isFarOut = (reach, { size }) => reach > FAR * Math.min(...size);

/**
 * Where the surroundings of an object are enlarged; null where its springs can be read without.
 * @param {SpringsMessage} news  with the springs that are to be drawn @param {Stage} stage @param {number} last  its corner before, or -1
 * @returns {Loupe|null}
 */
export function loupeFor(news, stage, last) {
  const [width, height] = stage.size;
  const small = Math.min(width, height);
  const side = Math.min(Math.max(SHARE * small, SIDES[0]), SIDES[1]);
  const [x, y] = stage.place(news.of);
  const far = reachOf(news, stage);
  if (far > small || x < 0 || y < 0 || x > width || y > height) return null;
  const power = Math.min(side / 2 / (ROOM * Math.max(far, 1e-9)), MOST);
  if (power < LEAST || side > 0.7 * small) return null;
  const reach = side / 2 / power;
  const corner = freest(stage, [x, y], reach, side, last);
  const [left, top] = cornerAt(stage.size, side, corner);
  const { points, window } = stage;
  const span = (2 * reach * window.width) / width;
  return {
    left,
    top,
    side,
    corner,
    reach,
    power,
    window: { x: points[2 * news.of], y: points[2 * news.of + 1], width: span },
  };
}

/** @param {Pair} size @param {number} side @param {number} corner @returns {Pair} */
function cornerAt([width, height], side, corner) {
  return [
    corner % 2 ? width - INSETS.right - side : INSETS.left,
    corner < 2 ? INSETS.top : height - INSETS.bottom - side,
  ];
}

/** The corner with the fewest objects, away from the springs. @param {Stage} stage @param {Pair} at @param {number} reach @param {number} side @param {number} last */
function freest(stage, [x, y], reach, side, last) {
  const boxes = [0, 1, 2, 3].map((corner) => cornerAt(stage.size, side, corner));
  const covered = [0, 0, 0, 0];
  const stride = Math.max(1, Math.floor(stage.count / LOOKED_AT));
  for (let i = 0; i < stage.count; i += stride) {
    const [a, b] = stage.place(i);
    for (let k = 0; k < 4; k++) {
      const [left, top] = boxes[k];
      if (a > left && a < left + side && b > top && b < top + side) covered[k] += stride;
    }
  }
  const costs = boxes.map(([left, top], k) => {
    const apart = Math.max(left - x, x - left - side, top - y, y - top - side); // below 0: inside
    const way = Math.hypot(left + side / 2 - x, top + side / 2 - y) / side; // of two as free, the nearer one
    return (covered[k] + 1 + 0.2 * way) * (k === last ? 1 / STAYS : 1) + (apart < reach + 6 ? 1e9 : 0);
  });
  return costs.indexOf(Math.min(...costs));
}

/**
 * The objects that a loupe shows, and where in pixels of the stage; the one it is about comes last.
 * @param {Loupe} loupe @param {Stage} stage @param {number} of @returns {{i: number, x: number, y: number}[]}
 */
export function marksIn(loupe, stage, of) {
  const { points } = stage;
  const half = loupe.window.width / 2;
  const found = [];
  for (let i = 0; i < stage.count && found.length < MOST_MARKS; i++) {
    const near = Math.abs(points[2 * i] - loupe.window.x) < half && Math.abs(points[2 * i + 1] - loupe.window.y) < half;
    if (near && i !== of) found.push(i);
  }
  return [...found, of].map((i) => {
    const [x, y] = toPixel(loupe.window, points[2 * i], points[2 * i + 1], loupe.side, loupe.side);
    return { i, x: loupe.left + x, y: loupe.top + y };
  });
}

/** The end of a line from inside the loupe, drawn back to its border if it lies outside. @param {Loupe} loupe @param {Pair} from @param {Pair} to @returns {Pair} */
export function cutOff({ left, top, side }, [x, y], [a, b]) {
  let share = 1;
  for (const [start, end, low] of [
    [x, a, left],
    [y, b, top],
  ]) {
    if (end < low + 2) share = Math.min(share, (start - low - 2) / (start - end));
    if (end > low + side - 2) share = Math.min(share, (low + side - 2 - start) / (end - start));
  }
  return [x + (a - x) * share, y + (b - y) * share];
}
