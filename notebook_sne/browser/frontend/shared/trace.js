// The trace: the costs of a run by their iterations, as the curve shows them.

import { rangeIn } from "./buffers.js";

const LENGTH = 4000;
const AT_REST = 1e-4; // share of a cost within which all that are shown lie when nothing happens any more
const BEGUN = 20; // updates before which that may only be a start

export class Trace {
  constructor() {
    /** @type {number[]} */
    this.iterations = [];
    /** @type {number[]} in nats */
    this.costs = [];
  }

  /** Take over a whole trace. @param {Float64Array} pairs  (K, 2) */
  take(pairs) {
    this.iterations = Array.from({ length: pairs.length / 2 }, (_, k) => pairs[2 * k]);
    this.costs = Array.from({ length: pairs.length / 2 }, (_, k) => pairs[2 * k + 1]);
  }

  /** Whether the cost hardly moves in all that is shown, which the scale of the curve does not tell. */
  get rests() {
    const { iterations, costs } = this;
    const last = costs.length - 1;
    if (last < 1 || iterations[last] - iterations[0] < BEGUN) return false;
    const [low, high] = rangeIn(costs);
    return high - low <= AT_REST * Math.max(Math.abs(low), Math.abs(high));
  }

  /**
   * Take in a cost; of a run that has gone another way, what came after `from` is forgotten.
   * @param {number} iteration @param {number|null} cost
   */
  record(iteration, cost, reach = iteration, from = iteration) {
    const { iterations, costs } = this;
    if (iterations[iterations.length - 1] > reach) {
      const keep = iterations.findIndex((one) => one > from || one === iteration);
      if (keep >= 0) iterations.length = costs.length = keep;
    }
    if (iteration <= iterations[iterations.length - 1] || cost === null) return;
    iterations.push(iteration);
    costs.push(cost);
    if (iterations.length <= LENGTH) return;
    this.iterations = iterations.filter((_, i) => i % 2 === 0);
    this.costs = costs.filter((_, i) => i % 2 === 0);
  }
}
