// What an engine moves, as views show it. The points of one map stand after those of another, two numbers each; behind
// them, where there are several maps, the weights, of which the mixing proportions are the softmax. widgets/explorer_maps.py
// packs a mixture in the same way, mathematics/mixing.py has the softmax.

const MIXTURES = ["aspects", "joint aspects", "multiple"];

/** Whether the objects of a model have weights, besides their points. @param {Pick<Recipe, "kind">} recipe */
export const isMixture = ({ kind }) => MIXTURES.includes(kind);

/** How many points a model has, and how many pairs of numbers hold them and their weights. @param {Pick<Recipe, "kind"|"n_maps">} recipe @param {number} n */
export function sizesOf(recipe, n) {
  if (!isMixture(recipe)) return { points: n, pairs: n };
  const points = n * recipe.n_maps;
  return { points, pairs: points + Math.ceil(points / 2) };
}

/** The mixing proportions of n objects in M maps, map after map. @param {Float64Array} theta @param {number} M @param {number} n */
export function proportionsOf(theta, M, n) {
  const weights = theta.subarray(2 * M * n, 3 * M * n);
  const shares = new Float64Array(M * n);
  for (let i = 0; i < n; i++) {
    let [top, total] = [-Infinity, 0];
    for (let k = i; k < M * n; k += n) top = Math.max(top, weights[k]);
    for (let k = i; k < M * n; k += n) total += shares[k] = Math.exp(weights[k] - top);
    for (let k = i; k < M * n; k += n) shares[k] /= total;
  }
  return shares;
}

/** The middle of one map. @param {Float64Array} theta @param {number} m @param {number} n @returns {[x: number, y: number]} */
export function middleOf(theta, m, n) {
  let [x, y] = [0, 0];
  for (let k = 2 * m * n; k < 2 * (m + 1) * n; k += 2) [x, y] = [x + theta[k], y + theta[k + 1]];
  return [x / n, y / n];
}

/** The first map around a middle, float32 (n, 2): what a player shows. @param {Float64Array} theta @param {number} n @param {number[]} middle */
export function packMap(theta, n, middle) {
  return new DataView(Float32Array.from(theta.subarray(0, 2 * n), (y, k) => y - middle[k % 2]).buffer);
}

/** All maps around their middles, and the proportions: what an explorer shows. @param {Recipe} recipe @param {Float64Array} theta @param {number} n */
export function packMixture(recipe, theta, n) {
  const M = isMixture(recipe) ? recipe.n_maps : 1;
  const packed = new Float32Array(3 + 3 * M * n);
  packed.set([M, n, 2]);
  for (let m = 0; m < M; m++) {
    const middle = middleOf(theta, m, n);
    for (let k = 2 * m * n; k < 2 * (m + 1) * n; k++) packed[3 + k] = theta[k] - middle[k % 2];
  }
  if (isMixture(recipe)) packed.set(proportionsOf(theta, M, n), 3 + 2 * M * n);
  else packed.fill(1, 3 + 2 * n);
  return new DataView(packed.buffer);
}
