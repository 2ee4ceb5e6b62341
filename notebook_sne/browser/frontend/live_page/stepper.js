// The making of moments: does the tasks of a run with an engine, in slices. fitting/problem.py and runs/stepper.py say the
// same of a run in Python.

import { whyUseless } from "./diagnostics.js";
import { isRound, jumps, otherObjective, phaseOf, settingsAt } from "./schedules.js";

/** @import { WasmEngine } from "./engine.js" */
/** @import { Task } from "./control.js" */

/** @typedef {Omit<Moment, "knobs"|"phase"|"cost"|"objective"|"memory">} Standing  where a run stands, but for what is found there */

const SAME = 1e-6; // share by which an objective may differ that Python has found at the same place

/** What cannot go on, in words for the reader. */
export class Trouble extends Error {}

export class Maker {
  /**
   * @param {WasmEngine} engine
   * @param {Float64Array[]} starts  positions that recipes begin at
   * @param {{held: Settings, turnedAt: (iteration: number) => Settings}} hands  knobs that are held now, and were
   */
  constructor(engine, starts, hands) {
    this.engine = engine;
    this.starts = starts;
    this.hands = hands;
    this.negentropy = NaN; // of the P that was used last
    /** @type {Moment|null} the moment that the engine stands at */
    this.at = null;
  }

  /**
   * Do a task; yields between slices.
   * @param {Task} task @returns {Generator<number, Moment>}
   */
  *do({ command, recipe, moment }) {
    if (command.kind === "begin") return yield* this.begin(recipe, moment);
    if (!moment) throw new Trouble("there is no map yet; play or step first");
    if (command.kind === "seek") return yield* this.seek(moment, command.iteration);
    if (command.kind === "move") return yield* this.moved(moment, command.places);
    if (command.kind === "pin") return yield* this.pinned(moment, command.objects, command.freed);
    return yield* this.next(moment, this.hands.held);
  }

  /** Begin with a model: at its start, or where another one stands. @param {Recipe} recipe @param {Moment|null} from @returns {Generator<number, Moment>} */
  *begin(recipe, from) {
    const settings = settingsAt(recipe, 0, {});
    if (from?.recipe.id === recipe.id) {
      for (const name of Object.keys(settings)) settings[name] = from.knobs[name] ?? settings[name];
      return yield* this.stand({ ...from, recipe }, settings, this.memoryOf(from), from.objective);
    }
    const { iteration, pins } = from ?? { iteration: 0, pins: [] };
    const at = { iteration, recipe, origin: iteration, rate: null, steps: 0, pins };
    return yield* this.stand(at, settings, fresh(from ? this.memoryOf(from).Y : this.starts[recipe.start]), null);
  }

  /**
   * Stand at a place and look at it; what the memory says of another objective is forgotten.
   * @param {Standing} at @param {Settings} settings @param {Memory} memory
   * @param {number|null} objective  there, if it is known
   * @returns {Generator<number, Moment>}
   */
  *stand(at, settings, memory, objective) {
    const { recipe, pins } = at;
    const target = yield* this.engine.target(recipe, settings);
    this.negentropy = target.negentropy;
    this.at = null;
    this.engine.put(memory);
    if (!this.engine.evaluate(recipe, target, settings, this.mask(pins)))
      throw new Trouble(`the objective at the start is ${this.engine.objective}; start from other positions`);
    const same = objective !== null && Math.abs(objective - this.engine.objective) <= SAME * Math.abs(objective);
    if (!same) this.engine.forget();
    return this.moment(at, settings);
  }

  /** One update with the knobs that are turned. @param {Moment} now @param {Settings} turned @returns {Generator<number, Moment>} */
  *next(now, turned) {
    const { engine } = this;
    const { recipe, iteration, origin, pins } = now;
    const settings = settingsAt(recipe, iteration - origin, turned);
    const target = yield* engine.target(recipe, settings);
    this.negentropy = target.negentropy;
    const other = otherObjective(settings, now.knobs);
    if (this.at !== now && other) engine.put(this.memoryOf(now));
    else if (this.at !== now) yield* this.back(now);
    const held = this.mask(pins);
    const rate = turned.learning_rate ?? null;
    if (other) {
      engine.forget();
      if (!engine.evaluate(recipe, target, settings, held)) throw new Trouble("the cost is no longer finite");
    } else if (rate !== now.rate) engine.setScale(1); // a rate turned by hand holds as it is
    const round = isRound(iteration - origin, recipe.rounds);
    const moved = round && (yield* engine.moveCopies(recipe, target, settings, held));
    const steps = jumps(settings, now.knobs) ? 0 : now.steps;
    const momentum = recipe.rises ? Math.min(settings.momentum, steps / (steps + 3)) : settings.momentum;
    if (!moved && !engine.update(recipe, target, { ...settings, momentum }, iteration, held))
      throw new Trouble(diverged(iteration, settings));
    const next = { ...now, iteration: iteration + 1, rate, steps: engine.wentBack ? 0 : steps + 1 };
    return this.moment(next, settings);
  }

  /** Let the engine stand at a moment again. @param {Moment} moment @returns {Generator<number, Moment>} */
  *back(moment) {
    yield* this.stand(moment, moment.knobs, this.memoryOf(moment), moment.objective);
    this.at = moment;
    return moment;
  }

  /** Go from a kept moment to a later one as the run did then. @param {Moment} from @param {number} iteration @returns {Generator<number, Moment>} */
  *seek(from, iteration) {
    this.keep(this.at); // if the seek is given up, the run goes on from there
    let moment = yield* this.back(from);
    while (moment.iteration < iteration) {
      moment = yield* this.next(moment, this.hands.turnedAt(moment.iteration + 1));
      yield 0;
    }
    this.keep(moment);
    return moment;
  }

  /** Put objects elsewhere. @param {Moment} from @param {Map<number, [number, number]>} places @returns {Generator<number, Moment>} */
  *moved(from, places) {
    const memory = this.memoryOf(from);
    const Y = memory.Y.slice();
    for (const [i, [x, y]] of places) Y.set([x, y], 2 * i);
    return yield* this.stand(from, from.knobs, { ...memory, Y }, null);
  }

  /** Hold objects where they are, and let others go. @param {Moment} from @param {number[]} objects @param {number[]} freed @returns {Generator<number, Moment>} */
  *pinned(from, objects, freed) {
    const memory = this.memoryOf(from);
    const [velocity, gains] = [memory.velocity.slice(), memory.gains.slice()];
    const before = new Set(from.pins);
    const touched = [...objects, ...freed.filter((i) => before.has(i))];
    for (const i of touched) {
      velocity.fill(0, 2 * i, 2 * i + 2);
      gains.fill(1, 2 * i, 2 * i + 2);
    }
    const left = new Set(freed);
    const pins = [...new Set([...before, ...objects])].filter((i) => !left.has(i)).sort((a, b) => a - b);
    return yield* this.stand({ ...from, pins }, from.knobs, { ...memory, velocity, gains }, null);
  }

  /** Why the map that the engine stands at is of no use, or an empty text. @param {Moment} moment */
  remark(moment) {
    const { engine } = this;
    return moment === this.at ? whyUseless(moment, engine.positions(), engine.n, this.negentropy) : "";
  }

  // ---- moments and their memory ----

  /** @param {Standing} at @param {Settings} knobs @returns {Moment} */
  moment(at, knobs) {
    const { cost, objective, n } = this.engine;
    const told = withoutRounding(cost, n);
    this.at = { ...at, knobs, phase: phaseOf(at.recipe, knobs), cost: told, objective, memory: null };
    return this.at;
  }

  /** Keep a moment's memory, if it is the one that the engine stands at. @param {Moment|null} moment */
  keep(moment) {
    if (moment && moment === this.at) moment.memory ??= this.engine.take();
  }

  /** @param {Moment} moment @returns {Memory} */
  memoryOf(moment) {
    this.keep(moment);
    if (!moment.memory) throw new Trouble("this moment was not kept");
    return moment.memory;
  }

  /** Which coordinates are held, or null for none. @param {readonly number[]} pins */
  mask(pins) {
    if (!pins.length) return null;
    const held = new Uint8Array(2 * this.engine.points);
    for (const i of pins) held.fill(1, 2 * i, 2 * i + 2);
    return held;
  }
}

/** A cost, or 0 where it is below 0 by no more than rounding, as mathematics/evaluation.py has it. @param {number} cost @param {number} n */
export const withoutRounding = (cost, n) => (cost <= 0 && cost >= -1e-6 - 1e-7 * n ? 0 : cost);

/** The memory of an optimizer at rest. @param {Float64Array} Y @returns {Memory} */
export function fresh(Y) {
  const [velocity, gains] = [new Float64Array(Y.length), new Float64Array(Y.length).fill(1)];
  return { Y, velocity, gains, best: null, bestObjective: Infinity, scale: 1 };
}

/** @param {number} iteration @param {Settings} settings */
function diverged(iteration, { learning_rate, jitter }) {
  const noise = jitter > 0;
  const causes = `learning rate ${+learning_rate.toPrecision(3)}${noise ? ` and jitter ${+jitter.toPrecision(3)}` : ""}`;
  return (
    `the run diverged at iteration ${iteration + 1} with ${causes}: positions or cost are no longer finite; ` +
    `lower the learning rate${noise ? " or the jitter" : ""}`
  );
}
