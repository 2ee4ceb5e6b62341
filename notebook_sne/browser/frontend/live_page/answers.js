// What a view asks of a run beside frames: the forces on an object, and the cost of each. widgets/answers.py sends the same.

import { rangeIn } from "../shared/buffers.js";

const STRONGEST = 24;
const LIKELIEST = 12;

/**
 * What a view shows of the forces on object i.
 * @param {Forces} forces @param {Float64Array} Y @param {number} i @param {Moment} moment @returns {SpringsMessage}
 */
export function springFacts({ pull, push, p, q }, Y, i, { iteration, recipe }) {
  const net = [0, 0];
  const far = Float64Array.from(p, (_, j) => {
    const [dx, dy] = [Y[2 * j] - Y[2 * i], Y[2 * j + 1] - Y[2 * i + 1]];
    net[0] += (pull[j] - push[j]) * dx;
    net[1] += (pull[j] - push[j]) * dy;
    return Math.hypot(dx, dy);
  });
  const [pulls, pushes] = [pull.map((force, j) => force * far[j]), push.map((force, j) => force * far[j])];
  /** @param {Float64Array} strengths @returns {Spring[]} */
  const strongest = (strengths) => largest(strengths, STRONGEST).map((j) => [j, strengths[j], p[j], q[j]]);
  return {
    kind: "springs",
    of: i,
    iteration,
    pull: strongest(pulls),
    push: strongest(pushes),
    pulls: count(pulls),
    pushes: count(pushes),
    pull_total: sum(pulls),
    push_total: sum(pushes),
    net,
    others: largest(p, LIKELIEST).map((j) => [j, p[j], q[j]]),
    convention: recipe.convention,
  };
}

/** How many values are above 0. @param {Float64Array} values */
function count(values) {
  return values.reduce((found, value) => found + Number(value > 0), 0);
}

/** The places of the largest values above 0, largest first. @param {Float64Array} values @param {number} count */
function largest(values, count) {
  const order = [...values.keys()].filter((j) => values[j] > 0);
  return order.sort((a, b) => values[b] - values[a] || a - b).slice(0, count);
}

/** @param {Float64Array} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** The cost of each object as a message and its buffer. @param {Float64Array} costs @param {number} iteration @returns {[ScoresMessage, DataView]} */
export function costFacts(costs, iteration) {
  const [low, high] = rangeIn(costs);
  return [{ kind: "scores", of: "cost", iteration, low, high }, new DataView(Float32Array.from(costs).buffer)];
}

/**
 * A control for each knob that a moment has, in the order of the table.
 * @param {Settings} knobs @param {KnobTable} table @param {Record<string, string>} fixed  why one cannot be turned
 * @returns {KnobFacts[]}
 */
export function knobControls(knobs, table, fixed) {
  return Object.entries(table)
    .filter(([name]) => name in knobs)
    .map(([name, { reach, ...facts }]) => {
      const value = knobs[name] || 1e-2;
      const [low, high] = reach ?? [value / 100, value * 100];
      const label = name.replaceAll("_", " ");
      return { name, label, ...facts, low, high, ...(fixed[name] ? { fixed: fixed[name] } : {}) };
    });
}
