// What a run in a page has come to: a remark where its map is of no use. fitting/diagnostics.py says the same, and why.

import { lastChange } from "./schedules.js";

const WIDEST = 1e6; // map units from the middle
const SAME = 0.99; // of the cost of a uniform Q
const LEAST = 0.01; // nats an object
const PATIENCE = 50; // updates after the last change of a schedule

/**
 * Why a map is of no use and what to do, or an empty text.
 * @param {Moment} moment @param {ArrayLike<number>} Y  its positions @param {number} n  objects @param {number} negentropy  of P
 */
export function whyUseless({ recipe, iteration, cost, knobs }, Y, n, negentropy) {
  if (Y.length !== 2 * n) return ""; // of several maps Python alone says it
  const rate = `learning_rate, ${general(knobs.learning_rate, 6)} at the end,`;
  const width = widthOf(Y);
  if (width > WIDEST)
    return (
      `the map of this ${recipe.id} reaches ${general(width, 2)} map units from its middle, where nothing ` +
      `attracts any more, so it shows no neighborhoods; lower the ${rate} or start nearer, as with init='random'`
    );
  const conditional = recipe.convention === "conditional";
  const nats = conditional ? n * Math.log(n - 1) : Math.log(n * (n - 1));
  const uniform = evenCost(recipe.kind, knobs) ?? negentropy + nats;
  const steady = Math.max(0, ...Object.values(recipe.schedules).map(lastChange));
  if (iteration <= steady + PATIENCE || !(cost > SAME * uniform) || !(uniform > LEAST * (conditional ? n : 1)))
    return "";
  return (
    `after ${iteration} updates the map of this ${recipe.id} tells no more of P than equal distances would: its cost ` +
    `is ${general(cost, 4)} nats, that of a uniform Q ${general(uniform, 4)}; raise the ${rate} or max_iter, ` +
    "or lower the perplexity"
  );
}

/** The cost of a map that tells nothing, of a model whose cost is no divergence. @param {string} kind @param {Settings} knobs */
function evenCost(kind, knobs) {
  if (kind === "elastic") return knobs.repulsion;
  if (kind !== "umap") return null;
  const half = knobs.negative_sample_rate / 2;
  return Math.log1p(half) - half * Math.log(half / (1 + half)); // all pairs at the distance that costs least
}

/** A number as Python's format writes it. @param {number} x @param {number} digits */
export function general(x, digits) {
  const exponent = Math.floor(Math.log10(Math.abs(x) || 1));
  const plain = exponent >= -4 && exponent < digits;
  if (plain) return String(+x.toPrecision(digits));
  const [share, power] = x.toExponential(digits - 1).split("e");
  return `${+share}e${power.replace(/^([+-])(\d)$/, "$10$2")}`;
}

/** The largest coordinate, measured from the mean. @param {ArrayLike<number>} Y */
function widthOf(Y) {
  let [x, y, far] = [0, 0, 0];
  for (let i = 0; i < Y.length; i += 2) [x, y] = [x + Y[i], y + Y[i + 1]];
  [x, y] = [(2 * x) / Y.length, (2 * y) / Y.length];
  for (let i = 0; i < Y.length; i += 2) far = Math.max(far, Math.abs(Y[i] - x), Math.abs(Y[i + 1] - y));
  return far;
}
