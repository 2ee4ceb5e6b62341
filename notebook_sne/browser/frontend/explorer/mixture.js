// A mixture of maps, read in the browser. Word i has a point y_i^m in every map m and a mixing proportion pi_i^m; the
// strength of i and j in map m is pi_i^m pi_j^m K(d_ij^m), K(d) = exp(-d) or 1/(1 + d) of the squared distance d.
// [Cook2007, Eq. 7]; the second kernel is that of multiple-maps t-SNE. Nothing here touches a page.

const NEGLIGIBLE = 0.01; // proportions below it are neither drawn nor summed in a map's total strengths
const PAIRS = 16e6; // pairs that are summed for all maps together: each map's words with the largest proportions
const FAR = 30; // exp(-FAR) adds nothing to a sum of strengths

/**
 * @typedef {object} Mixture
 * @property {number} M  maps
 * @property {number} N  words
 * @property {number} d  coordinates
 * @property {Kernel} kernel
 * @property {Float32Array} maps  (M, N, d)
 * @property {Float32Array} mixing  (M, N)
 *
 * @typedef {{word: number, strength: number, share: number}} Neighbor
 *
 * @typedef {{pointers: Int32Array, columns: Int32Array, values: Float32Array}} Counts  of pairs, a row for each cue
 */

/**
 * Read what the kernel sends: M, N, d, then the maps, then the proportions; of very many points those that count, as
 * -M, N, d, their number and what `unpacked` reads.
 * @param {Float32Array} data @param {Kernel} kernel @returns {Mixture|null}
 */
export function readMixture(data, kernel) {
  if (data.length < 3) return null;
  if (data[0] < 0) {
    const [M, N, d, n] = [-data[0], ...data.subarray(1, 4)];
    if (data.length !== 4 + n * (3 + d))
      throw new RangeError(`${n} points in ${d} coordinates do not fill ${data.length} numbers`);
    return readMixture(unpacked(data, 4, n, M, N, d), kernel);
  }
  const [M, N, d] = data;
  const end = 3 + M * N * d;
  if (data.length !== end + M * N)
    throw new RangeError(`${M} maps of ${N} words in ${d} coordinates do not fill ${data.length} numbers`);
  return { M, N, d, kernel, maps: data.subarray(3, end), mixing: data.subarray(end) };
}

/**
 * The maps of another fit, as a snapshot has them (mixture.js): M, N, d, then all points and proportions. What was left
 * out has a proportion of 0.
 * @param {Float32Array} packed  of all other fits @param {number} wanted @param {number} N  words
 */
export function mapsOfFit(packed, wanted, N) {
  for (let at = 0; at < packed.length; ) {
    const [fit, M, d, n] = packed.subarray(at, at + 4);
    const begin = at + 4;
    at = begin + n * (3 + d);
    if (fit !== wanted) continue;
    return unpacked(packed, begin, n, M, N, d);
  }
  return new Float32Array(0);
}

/**
 * All points and proportions, as a snapshot has them, from those that count: n maps, n words, n proportions, n points.
 * @param {Float32Array} packed @param {number} begin @param {number} n
 * @param {number} M @param {number} N @param {number} d
 */
function unpacked(packed, begin, n, M, N, d) {
  const data = new Float32Array(3 + M * N * (d + 1));
  data.set([M, N, d]);
  for (let k = 0; k < n; k++) {
    const place = packed[begin + k] * N + packed[begin + n + k];
    data[3 + M * N * d + place] = packed[begin + 2 * n + k];
    const from = begin + 3 * n + k * d;
    data.set(packed.subarray(from, from + d), 3 + place * d);
  }
  return data;
}

/** @param {Mixture} x @param {number} m @param {number} i */
export function proportion(x, m, i) {
  return x.mixing[m * x.N + i];
}

/**
 * Coordinate c of a word in a map; a map with one coordinate lies on a line.
 * @param {Mixture} x @param {number} m @param {number} i @param {number} c
 */
export function coordinate(x, m, i, c) {
  return c < x.d ? x.maps[(m * x.N + i) * x.d + c] : 0;
}

/** Where words are in map m, (K, 2). @param {Mixture} x @param {number} m @param {number[]} words */
export const placesOf = (x, m, words) =>
  Float32Array.from(words.flatMap((i) => [coordinate(x, m, i, 0), coordinate(x, m, i, 1)]));

/** @param {Mixture} x @param {number} m @param {number} i @param {number} j */
export function squaredDistance(x, m, i, j) {
  const [a, b] = [(m * x.N + i) * x.d, (m * x.N + j) * x.d];
  let sum = 0;
  for (let c = 0; c < x.d; c++) sum += (x.maps[a + c] - x.maps[b + c]) ** 2;
  return sum;
}

/** log K: distances whose exponential would be 0 still have an order. @param {Kernel} kernel @param {number} squared */
export function logKernel(kernel, squared) {
  return kernel === "student" ? -Math.log1p(squared) : -squared;
}

/** @param {Mixture} x @param {number} m @param {number} i @param {number} j */
function logStrength(x, m, i, j) {
  const both = proportion(x, m, i) * proportion(x, m, j);
  return both > 0 ? Math.log(both) + logKernel(x.kernel, squaredDistance(x, m, i, j)) : -Infinity;
}

/**
 * log z_i: the log of the sum of a word's strengths over all other words and all maps.
 * @param {Mixture} x @param {number} i
 */
export function logTotal(x, i) {
  let [most, sum] = [-Infinity, 0];
  for (let m = 0; m < x.M; m++) {
    if (!(proportion(x, m, i) > 0)) continue;
    for (let j = 0; j < x.N; j++) {
      if (j === i) continue;
      const strength = logStrength(x, m, i, j);
      if (strength <= most) sum += strength > most - 40 ? Math.exp(strength - most) : 0;
      else {
        sum = sum * Math.exp(most - strength) + 1;
        most = strength;
      }
    }
  }
  return most + Math.log(sum);
}

/**
 * The first words by some log strength, the strongest first; words of equal strength in their own order.
 * @param {number} N @param {number} i  a word that is left out @param {number} count
 * @param {(j: number) => number} logOf
 */
function firstOf(N, i, count, logOf) {
  /** @type {{word: number, log: number}[]} */
  const best = []; // kept sorted: a full sort of thousands of words would cost more than the distances
  for (let j = 0; j < N; j++) {
    if (j === i) continue;
    const log = logOf(j);
    if (log === -Infinity || (best.length === count && log <= best[count - 1].log)) continue;
    let at = best.length;
    while (at > 0 && best[at - 1].log < log) at--;
    best.splice(at, 0, { word: j, log });
    if (best.length > count) best.pop();
  }
  return best;
}

/**
 * The strongest neighbors of word i in map m, the strongest first.
 * `share` is the part of the word's whole neighborhood, over all maps, that the neighbor has through this map.
 * @returns {Neighbor[]}
 * @param {Mixture} x @param {number} m @param {number} i @param {number} count
 */
export function neighbors(x, m, i, count, total = logTotal(x, i)) {
  const best = firstOf(x.N, i, count, (j) => logStrength(x, m, i, j));
  return best.map(({ word, log }) => ({ word, strength: Math.exp(log), share: Math.exp(log - total) }));
}

/**
 * The words that are nearest to a place of map m for a copy of word i there: by f_m(j), pi_j^m K over its sum.
 * @returns {Neighbor[]}
 * @param {Mixture} x @param {number} m @param {Float32Array} place @param {number} i @param {number} count
 */
export function nearPlace(x, m, place, i, count) {
  let sum = 0;
  const best = firstOf(x.N, i, count, (j) => {
    let squared = 0;
    for (let c = 0; c < x.d; c++) squared += (place[c] - coordinate(x, m, j, c)) ** 2;
    const log = Math.log(proportion(x, m, j)) + logKernel(x.kernel, squared);
    sum += Math.exp(log);
    return log;
  });
  return best.map(({ word, log }) => ({ word, strength: Math.exp(log), share: Math.exp(log) / sum }));
}

/**
 * The maps in which a word's proportion exceeds the threshold, the largest first.
 * @param {Mixture} x @param {number} i @param {number} threshold
 */
export function mapsAbove(x, i, threshold) {
  /** @type {number[]} */
  const above = [];
  const least = Math.fround(threshold); // so that a proportion of 0.1 in single precision does not exceed 0.1
  for (let m = 0; m < x.M; m++) if (proportion(x, m, i) > least) above.push(m);
  return above.sort((a, b) => proportion(x, b, i) - proportion(x, a, i) || a - b);
}

/** The words that count in a map, those with the largest proportions first. @param {Mixture} x @param {number} m */
export function wordsOf(x, m, most = Infinity) {
  const least = Math.min(NEGLIGIBLE, 0.5 / x.M);
  /** @type {number[]} */
  const words = [];
  for (let i = 0; i < x.N; i++) if (proportion(x, m, i) >= least) words.push(i);
  words.sort((a, b) => proportion(x, m, b) - proportion(x, m, a) || a - b);
  return words.length > most ? words.slice(0, most) : words;
}

/**
 * The words of map m with the largest total strength, sum over j of pi_i pi_j K(d_ij).
 * @param {Mixture} x @param {number} m @param {number} count @returns {number[]}
 */
export function strongestWords(x, m, count) {
  const words = wordsOf(x, m, Math.ceil(Math.sqrt((2 * PAIRS) / x.M)));
  const share = Float64Array.from(words, (i) => proportion(x, m, i));
  const places = new Float64Array(words.length * x.d);
  words.forEach((i, a) => {
    for (let c = 0; c < x.d; c++) places[a * x.d + c] = coordinate(x, m, i, c);
  });
  const total = totals(places, share, x.d, x.kernel === "student");
  const order = words
    .map((_, a) => a)
    .sort((a, b) => total[b] - total[a] || share[b] - share[a] || words[a] - words[b]);
  return order.slice(0, count).map((a) => words[a]);
}

/** @param {Float64Array} places @param {Float64Array} share @param {number} d @param {boolean} student */
function totals(places, share, d, student) {
  const total = new Float64Array(share.length);
  for (let a = 1; a < share.length; a++) {
    let own = 0;
    for (let b = 0; b < a; b++) {
      let squared = 0;
      for (let c = 0; c < d; c++) {
        const step = places[a * d + c] - places[b * d + c];
        squared += step * step;
      }
      if (!student && squared > FAR) continue;
      const kernel = student ? 1 / (1 + squared) : Math.exp(-squared);
      own += share[b] * kernel;
      total[b] += share[a] * share[b] * kernel;
    }
    total[a] += share[a] * own;
  }
  return total;
}

/** The second largest proportion of each word. @param {Mixture} x */
export function secondProportions(x) {
  const second = new Float32Array(x.N);
  for (let i = 0; i < x.N; i++) {
    let first = 0;
    for (let m = 0; m < x.M; m++) {
      const p = proportion(x, m, i);
      if (p > first) [first, second[i]] = [p, first];
      else if (p > second[i]) second[i] = p;
    }
  }
  return second;
}

/**
 * Words that several maps share, those with the largest second proportion first.
 * @param {Mixture} x @param {number} threshold @param {number} count
 */
export function sharedWords(x, threshold, count) {
  const second = secondProportions(x);
  const shared = Array.from(second.keys()).filter((i) => second[i] > threshold);
  return shared.sort((a, b) => second[b] - second[a] || a - b).slice(0, count);
}

/**
 * Counts of pairs, a row for each cue, with sorted columns; null without counts.
 * @param {Int32Array} pointers @param {Int32Array} columns @param {Float32Array} values
 */
export function readCounts(pointers, columns, values) {
  return pointers.length > 1 ? { pointers, columns, values } : null;
}

/** How often j was given for i. @param {Counts} counts @param {number} i @param {number} j */
export function countOf({ pointers, columns, values }, i, j) {
  let [low, high] = [pointers[i], pointers[i + 1]];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low < pointers[i + 1] && columns[low] === j ? values[low] : 0;
}
