// Regions of a map of many names, as far as it is in view: a large name for each, of two words in its middle, as a map of the
// earth has countries above its towns. A region is an area and no cluster, as in views/areas.py; here it changes with what is
// in view, so that a reader who comes nearer finds smaller ones, and at last names alone.

const LEAST = 600; // named objects in view below which their own names say enough
const ROOM = 45_000; // square pixels for a region
const [FEWEST, MOST] = [3, 14];
const LOOKED = 20_000; // objects that are looked at, of which so many find the centers
const SAMPLE = 3000;
const ROUNDS = 12;
const MIDDLE = 0.25; // of the objects of a region: of those nearest to its center the most important name it
const LETTERS = 14; // of a word

/** @typedef {{c: number, words: number[], text: string}} Area  with a number that stays while the map moves */

export class Areas {
  /** @param {Pick<KnownObjects, "names" | "rank" | "short">} objects */
  constructor(objects) {
    this.objects = objects;
    /** @type {Area[]} */
    this.known = [];
    this.due = false; // whether the view has moved since the regions were found
  }

  /** Where a region is named: between its words, wherever these are now. @param {Area} area @param {Float32Array} points */
  static place({ words }, points) {
    let [x, y] = [0, 0];
    for (const i of words) [x, y] = [x + points[2 * i] / words.length, y + points[2 * i + 1] / words.length];
    return /** @type {const} */ ([x, y]);
  }

  /** Find the regions of what is in view; none where names alone say enough. @param {Stage} stage */
  look(stage) {
    this.due = false;
    const seen = this.inView(stage);
    const [width, height] = stage.size;
    const count = Math.min(Math.max(Math.round((width * height) / ROOM), FEWEST), MOST);
    if (seen.length < LEAST) {
      this.known = [];
      return;
    }
    const { points } = stage;
    const some = thinned(seen, SAMPLE);
    const before = this.known.length === count ? this.known.map((area) => Areas.place(area, points)) : [];
    const centers = settled(points, some, before.length ? before.flat() : spreadOver(points, some, count));
    const members = sorted(points, thinned(seen, LOOKED), centers);
    const known = new Map(this.known.map((area) => [area.c, area]));
    const taken = new Set();
    this.known = members.flatMap((own, c) => {
      const area = this.called(own, c, before.length ? known.get(c) : undefined);
      if (!area || taken.has(area.text)) return [];
      taken.add(area.text);
      return [area];
    });
  }

  /** The named objects in view. @param {Stage} stage */
  inView({ points, window: { x, y, width }, size }) {
    const [across, up] = [width / 2, (width * size[1]) / size[0] / 2];
    const { names } = this.objects;
    const seen = [];
    for (let i = 0; i < names.length && 2 * i < points.length; i++)
      if (Math.abs(points[2 * i] - x) < across && Math.abs(points[2 * i + 1] - y) < up && names[i]) seen.push(i);
    return seen;
  }

  /**
   * A region with these objects, nearest to its center first; it keeps its name while the words are near the middle.
   * @param {number[]} own @param {number} c @param {Area|undefined} before @returns {Area|null}
   */
  called(own, c, before) {
    if (!own.length) return null;
    const middle = own.slice(0, Math.max(2, Math.round(MIDDLE * own.length)));
    const stays = new Set(own.slice(0, 2 * middle.length));
    if (before?.words.every((i) => stays.has(i))) return before;
    const { names, rank } = this.objects;
    middle.sort((a, b) => (rank ? rank[a] - rank[b] : a - b)); // lists of words begin with the frequent ones
    const second = middle.find((i) => names[i] !== names[middle[0]]);
    const words = second === undefined ? [middle[0]] : [middle[0], second];
    return { c, words, text: words.map((i) => this.objects.short(i, LETTERS)).join(" · ") };
  }
}

/** Every so many-th, at most a sample. @param {number[]} objects @param {number} most */
function thinned(objects, most) {
  const step = objects.length / most;
  return step <= 1 ? objects : Array.from({ length: most }, (_, j) => objects[Math.floor(j * step)]);
}

/**
 * Centers that share the objects evenly: columns of as many, and as many in each place of a column.
 * @param {Float32Array} points @param {number[]} objects @param {number} count
 */
function spreadOver(points, objects, count) {
  const columns = Math.round(Math.sqrt(count));
  const across = [...objects].sort((a, b) => points[2 * a] - points[2 * b]);
  const centers = [];
  for (let c = 0; c < columns; c++) {
    const part = across.slice((c * across.length) / columns, ((c + 1) * across.length) / columns);
    part.sort((a, b) => points[2 * a + 1] - points[2 * b + 1]);
    const rows = Math.floor(((c + 1) * count) / columns) - Math.floor((c * count) / columns);
    for (let r = 0; r < rows; r++) {
      const i = part[Math.floor(((r + 0.5) * part.length) / rows)];
      centers.push(points[2 * i], points[2 * i + 1]);
    }
  }
  return centers;
}

/** The number of the nearest center. @param {number[]} centers @param {number} x @param {number} y */
function nearest(centers, x, y) {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let c = 0; 2 * c < centers.length; c++) {
    const away = (centers[2 * c] - x) ** 2 + (centers[2 * c + 1] - y) ** 2;
    if (away < least) [best, least] = [c, away];
  }
  return best;
}

/** Lloyd's k-means. @param {Float32Array} points @param {number[]} objects @param {number[]} centers */
function settled(points, objects, centers) {
  for (let round = 0; round < ROUNDS; round++) {
    const sums = new Float64Array(1.5 * centers.length);
    for (const i of objects) {
      const c = nearest(centers, points[2 * i], points[2 * i + 1]);
      sums[3 * c] += points[2 * i];
      sums[3 * c + 1] += points[2 * i + 1];
      sums[3 * c + 2] += 1;
    }
    centers = centers.map((old, k) => {
      const c = k >> 1;
      return sums[3 * c + 2] ? sums[3 * c + (k & 1)] / sums[3 * c + 2] : old;
    });
  }
  return centers;
}

/** The objects of each center, the nearest first. @param {Float32Array} points @param {number[]} objects @param {number[]} centers */
function sorted(points, objects, centers) {
  /** @type {number[][]} */
  const members = Array.from({ length: centers.length / 2 }, () => []);
  /** @param {number} i @param {number} c */
  const away = (i, c) => (points[2 * i] - centers[2 * c]) ** 2 + (points[2 * i + 1] - centers[2 * c + 1]) ** 2;
  for (const i of objects) members[nearest(centers, points[2 * i], points[2 * i + 1])].push(i);
  members.forEach((own, c) => {
    own.sort((a, b) => away(a, c) - away(b, c) || a - b);
  });
  return members;
}

/**
 * A whole map in at most so many regions, the largest first: the objects of each, the nearest to its center first. `objects/regions.py` does the same.
 * @param {Float32Array} points @param {number} count
 */
export function divided(points, count) {
  const all = Array.from({ length: points.length / 2 }, (_, i) => i);
  const some = thinned(all, SAMPLE);
  const parts = sorted(points, all, settled(points, some, spreadOver(points, some, count)));
  return parts.filter((own) => own.length).sort((one, other) => other.length - one.length);
}
