// Lines between regions over the map: how often two of them are joined over several fits. The kinds of lines and their ends
// follow objects/region_pairs.py and views/region_pairs.py, where it is said why; here they move with the points.
// Names of regions come from anybody's data: they are only ever drawn and set as text.

import { strokeLine } from "../../shared/elements.js";
import { shortened } from "../../shared/shorten.js";
import { Part } from "../part.js";
import { meet } from "./closed.js";
import looks from "../../shared/looks.json" with { type: "json" };

/** @typedef {"solid"|"dashed"|"dotted"} LineKind */

/**
 * @typedef {object} RegionPair
 * @property {number} a  the class
 * @property {number} b
 * @property {number} joined  in how many fits
 * @property {number} neighbors
 * @property {number} apart
 * @property {number} fits  that hold both
 * @property {LineKind|null} kind  of its line
 *
 * @typedef {{pair: RegionPair, from: Pair, to: Pair}} PairLine  in pixels
 */

const LEAST = 24; // pixels: a shorter line says nothing
const LOOK_EVERY = 150; // ms between looks for clumps while the map moves
const LETTERS = 12; // pixels of a number
/** @type {Record<LineKind, {width: number, dash: number[], says: string}>} */
export const LOOKS = looks.LINES;
/** @type {Record<string, number>} */
const REACH = { mouse: 6, pen: 8, touch: 16 }; // pixels around the pointer in which a line is found

/** How the line between two regions is drawn. @param {number} joined @param {number} neighbors @param {number} apart @returns {LineKind|null} */
export function lineOf(joined, neighbors, apart) {
  const fits = joined + neighbors + apart;
  if (10 * joined > fits) return 10 * joined >= 9 * fits ? "solid" : "dashed";
  return 2 * (joined + neighbors) > fits ? "dotted" : null;
}

/**
 * The width of a line in pixels: where fits disagree, its ink is their share.
 * @param {LineKind} kind @param {number} joined @param {number} fits
 */
export function widthOf(kind, joined, fits) {
  return kind === "dashed" ? Math.max((LOOKS.solid.width * joined) / fits, 1) : LOOKS[kind].width;
}

/**
 * The pairs of regions that a fit holds, the least sure first.
 * @param {Uint32Array} counts  of each pair of classes, first those of class 0 @param {number} classes  how many
 */
export function readPairs(counts, classes) {
  /** @type {RegionPair[]} */
  const pairs = [];
  let at = 0;
  for (let a = 0; a < classes && at < counts.length; a++)
    for (let b = a + 1; b < classes; b++, at += 3) {
      const [joined, neighbors, apart] = counts.subarray(at, at + 3);
      const fits = joined + neighbors + apart;
      if (fits) pairs.push({ a, b, joined, neighbors, apart, fits, kind: lineOf(joined, neighbors, apart) });
    }
  /** @param {RegionPair} pair */
  const surest = ({ joined, neighbors, apart, fits }) => Math.max(joined, neighbors, apart) / fits;
  return pairs.sort((one, other) => surest(one) - surest(other));
}

/** How far a place lies from a line. @param {Pair} at @param {Pair} from @param {Pair} to */
export function distanceTo([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const share = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.min(Math.max(share, 0), 1);
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}

export class RegionPairs extends Part {
  /** @param {Known} known @param {Names} names @param {(words: string) => void} tell  to the eye alone */
  constructor(known, names, tell) {
    super(known);
    this.names = names;
    this.tell = tell;
    const { objects } = known;
    this.all = readPairs(objects.pairCounts, objects.classNames.length);
    this.lined = this.all.filter(({ kind }) => kind);
    /** @type {PairLine[]} as they were drawn last */
    this.drawn = [];
    this.regions = shortened(objects.classNames, 40);
    /** @type {RegionPair|null} that is pointed at */
    this.looked = null;
    /** @type {Float32Array|undefined} where the clumps were found */
    this.points = undefined;
    this.lookedAt = -LOOK_EVERY;
  }

  /** Whether there are pairs that may be told. */
  get there() {
    return this.all.length > 0 && !this.objects.hidden;
  }

  get shown() {
    return this.there && this.hub.model.get("show_pairs") !== false;
  }

  /** The lines that a reader sees. */
  get seen() {
    return this.shown ? this.drawn : [];
  }

  /** How many fits there are. */
  get fits() {
    return this.all.reduce((most, { fits }) => Math.max(most, fits), 0);
  }

  /** What each kind of line means, of those that there are. @returns {{kind: LineKind, words: string}[]} */
  get key() {
    return /** @type {LineKind[]} */ (["solid", "dashed", "dotted"])
      .filter((kind) => this.lined.some((pair) => pair.kind === kind))
      .map((kind) => ({ kind, words: LOOKS[kind].says.replace("{}", String(this.fits)) }));
  }

  /** What a picture says of its lines. */
  get said() {
    if (!this.shown) return "";
    return this.key.map(({ kind, words }) => `${kind} line: ${words}`).join(" · ");
  }

  /** @param {RegionPair} pair */
  called({ a, b }) {
    return `${this.regions[a]} and ${this.regions[b]}`;
  }

  /** What the fits say of two regions. @param {RegionPair} pair */
  sentence(pair) {
    const { joined, fits, neighbors, apart } = pair;
    return `${this.called(pair)} are joined in ${joined} of ${fits} fits, neighbors in ${neighbors}, apart in ${apart}`;
  }

  // ---- lines ----

  /** Find the clumps of the classes, as far as that is due; names of classes find them themselves. */
  find() {
    const { hub, stage, names } = this;
    const { points } = stage;
    if (names.mode === "classes" || points === this.points) return;
    const now = hub.clock.performance.now();
    const look = now - this.lookedAt >= LOOK_EVERY;
    names.groups.find(points, look);
    this.points = look ? points : undefined;
    if (look) this.lookedAt = now;
    else this.paintAgain(LOOK_EVERY);
  }

  /** The lines now, the least sure first: between the nearest clumps of both regions. @returns {PairLine[]} */
  lines() {
    const { stage, names } = this;
    if (!this.shown || !stage.ready || stage.count <= names.groups.reach) return [];
    this.find();
    const places = names.groups.places(stage.points);
    return this.lined.flatMap((pair) => {
      let [from, to, least] = /** @type {[Pair, Pair, number]} */ ([[0, 0], [0, 0], Number.POSITIVE_INFINITY]);
      for (const one of places.get(pair.a) ?? [])
        for (const other of places.get(pair.b) ?? []) {
          const far = Math.hypot(one[0] - other[0], one[1] - other[1]);
          if (far < least) [from, to, least] = [one, other, far];
        }
      if (least === Number.POSITIVE_INFINITY) return [];
      const line = { pair, from: stage.placeOf(...from), to: stage.placeOf(...to) };
      return Math.hypot(line.from[0] - line.to[0], line.from[1] - line.to[1]) < LEAST ? [] : [line];
    });
  }

  /** Draw the lines, and numbers where fits disagree. @param {Pen} pen */
  paint(pen) {
    this.drawn = this.lines();
    const { stage, drawn } = this;
    if (!drawn.length) return;
    pen.save();
    pen.lineCap = "round";
    for (const { pair, from, to } of drawn) {
      const kind = /** @type {LineKind} */ (pair.kind);
      const { dash } = LOOKS[kind];
      const wide = widthOf(kind, pair.joined, pair.fits) + (pair === this.looked ? 2 : 0);
      const ink = 2 * pair.joined < pair.fits ? stage.theme.soft : stage.theme.text; // most fits don't join them
      for (const [color, extra, dashes, opacity] of /** @type {const} */ ([
        [stage.ground, 3, [], 0.75],
        [ink, 0, dash, 1],
      ])) {
        pen.globalAlpha = opacity;
        pen.strokeStyle = color;
        pen.lineWidth = wide + extra;
        pen.setLineDash([...dashes]);
        strokeLine(pen, ...from, ...to);
      }
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    this.paintNumbers(pen, stage.theme.text);
    pen.restore();
  }

  /** Where fits disagree most comes first; no number lies on another, or beneath a name. @param {Pen} pen @param {string} ink */
  paintNumbers(pen, ink) {
    const { stage, names, drawn } = this;
    const taken = names.written.map(({ box }) => box);
    pen.font = `600 ${LETTERS}px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    pen.lineJoin = "round";
    for (const { pair, from, to } of drawn) {
      if (pair.kind !== "dashed") continue;
      const text = `${pair.joined}/${pair.fits}`;
      const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      const width = pen.measureText(text).width;
      const box = { left: x - width / 2 - 2, top: y - LETTERS / 2 - 2, width: width + 4, height: LETTERS + 4 };
      if (taken.some((other) => meet(box, other))) continue;
      taken.push(box);
      pen.lineWidth = 4;
      pen.strokeStyle = stage.ground;
      pen.strokeText(text, x - width / 2, y);
      pen.fillStyle = ink;
      pen.fillText(text, x - width / 2, y);
    }
  }

  // ---- what is pointed at ----

  /** The pair whose line lies at a place, or null. @param {Pair} at @param {string} kind  of the pointer */
  pick(at, kind) {
    let [found, least] = /** @type {[RegionPair|null, number]} */ ([null, REACH[kind] ?? REACH.mouse]);
    for (const { pair, from, to } of this.seen) {
      const far = distanceTo(at, from, to);
      if (far <= least) [found, least] = [pair, far];
    }
    return found;
  }

  /** A pointer hovers at a place, or nowhere. @param {Pair|null} at @param {string} kind */
  look(at, kind) {
    const pair = at ? this.pick(at, kind) : null;
    if (pair === this.looked) return;
    this.looked = pair;
    if (pair) this.tell(this.sentence(pair));
    this.hub.paintSoon();
  }
}
