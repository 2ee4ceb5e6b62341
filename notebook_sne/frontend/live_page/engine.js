// The engine of a page: kernels that were compiled to WebAssembly, and their memory. What they compute, and how they are
// called, is written in portable/exports.py; here numbers are carried in and out.

/** @import { Pairs, Sparse } from "./pairs.js" */
/** @import { Forces, Memory, Recipe, Settings, Target } from "./types.d.ts" */

import { joint, pairsOf } from "./pairs.js";

/** @typedef {Target & {P: Sparse, pairs: Pairs}} Made */

const MODELS = { sne: 0, uniform: 1, student: 2, elastic: 3 };
/** What stands where among the settings. */
const SETTINGS = ["learning_rate", "momentum", "jitter", "slack", "adaptive", "increment", "factor", "least_gain"];
SETTINGS.push("greatest_gain", "exaggeration", "background", "repulsion", "degrees_of_freedom", "penalty");
const [STATE, NUMBERS] = [5, 4]; // layers of the state, and the numbers beside it
const KEPT = 3; // P that are remembered

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(bytes: number) => number} allocate
 * @property {(pointer: number) => void} release
 * @property {(...numbers: number[]) => void} evaluate
 * @property {(...numbers: number[]) => number} step
 */

/**
 * @typedef {object} Source  where P comes from
 * @property {Sparse} [joint]  the only one there is
 * @property {Sparse} [conditional]  the only one there is
 * @property {(settings: Settings) => Generator<number, Sparse>} [search]  a conditional one, at any perplexity
 */

export class WasmEngine {
  /** @param {Exports} kernels @param {number} n @param {Source} source */
  constructor(kernels, n, source) {
    this.kernels = kernels;
    this.n = n;
    this.source = source;
    /** @type {Made[]} those that were asked for last, the newest first */
    this.made = [];
    /** @type {{key: string, P: Sparse}[]} */
    this.conditional = [];
    const { allocate } = kernels;
    this.at = {
      state: allocate(8 * STATE * 2 * n),
      numbers: allocate(8 * NUMBERS),
      settings: allocate(8 * SETTINGS.length),
      held: allocate(n),
    };
    /** @type {{target: Made, pointers: number, columns: number, values: number}|null} the pairs that lie in memory */
    this.loaded = null;
  }

  // ---- memory ----

  /** A view of doubles, good until something is allocated. @param {number} pointer @param {number} length */
  doubles(pointer, length) {
    return new Float64Array(this.kernels.memory.buffer, pointer, length);
  }

  /** One layer of the state: positions, velocity, gains, best place, gradient. @param {number} k */
  layer(k) {
    return this.doubles(this.at.state + 16 * k * this.n, 2 * this.n);
  }

  get numbers() {
    return this.doubles(this.at.numbers, NUMBERS);
  }

  get objective() {
    return this.numbers[0];
  }

  get cost() {
    return this.numbers[1];
  }

  positions() {
    return this.layer(0);
  }

  /** @param {Memory} memory */
  put({ Y, velocity, gains, best, bestObjective, scale }) {
    for (const [k, values] of [Y, velocity, gains, best ?? Y].entries()) this.layer(k).set(values);
    this.numbers.set([NaN, NaN, scale, best ? bestObjective : Infinity]);
  }

  /** @returns {Memory} */
  take() {
    const [, , scale, bestObjective] = this.numbers;
    const [Y, velocity, gains] = [0, 1, 2].map((k) => this.layer(k).slice());
    return { Y, velocity, gains, best: bestObjective < Infinity ? this.layer(3).slice() : null, bestObjective, scale };
  }

  forget() {
    this.numbers.set([1, Infinity], 2);
  }

  /** @param {number} scale */
  setScale(scale) {
    this.numbers[2] = scale;
  }

  // ---- P ----

  /** @param {Recipe} recipe @param {Settings} settings @returns {Generator<number, Made>} */
  *target({ kind, convention }, settings) {
    const key = `${kind} ${settings.perplexity} ${settings.least_p}`;
    let made = this.made.find((one) => one.key === key);
    if (!made) {
      const P = this.source.joint ?? (yield* this.conditionalAt(settings));
      yield 1;
      const own = convention === "joint" && !this.source.joint ? joint(P) : P;
      yield 1;
      made = { key, P: own, pairs: pairsOf(own, kind, Math.log) };
    }
    this.made = [made, ...this.made.filter((one) => one !== made)].slice(0, KEPT);
    return made;
  }

  /** @param {Settings} settings @returns {Generator<number, Sparse>} */
  *conditionalAt(settings) {
    const key = `${settings.perplexity} ${settings.least_p}`;
    const { conditional, search } = this.source;
    if (conditional || !search) return /** @type {Sparse} */ (conditional);
    let known = this.conditional.find((one) => one.key === key);
    known ??= { key, P: yield* search(settings) };
    this.conditional = [known, ...this.conditional.filter((one) => one !== known)].slice(0, KEPT);
    return known.P;
  }

  /** Let the pairs of a target lie in memory, behind all that stays. @param {Made} target */
  load(target) {
    if (this.loaded?.target === target) return this.loaded;
    const { kernels, n } = this;
    if (this.loaded)
      for (const name of /** @type {const} */ (["values", "columns", "pointers"])) kernels.release(this.loaded[name]);
    const { begins, columns, values } = target.pairs;
    const room = Math.max(columns.length, 8); // a kernel reads eight pairs at a time, counted or not
    const [pointers, places, strengths] = [8 * (n + 1), 4 * room, 8 * room].map((bytes) => kernels.allocate(bytes));
    const { buffer } = kernels.memory;
    const whole = new Uint32Array(buffer, pointers, 2 * (n + 1)).fill(0); // 64 bits each, the lower half first
    begins.forEach((begin, i) => {
      whole[2 * i] = begin;
    });
    new Int32Array(buffer, places, room).fill(0).set(columns);
    new Float64Array(buffer, strengths, room).fill(0).set(values);
    this.loaded = { target, pointers, columns: places, values: strengths };
    return this.loaded;
  }

  // ---- work ----

  /** Carry in what an update asks for; returns how the call begins. @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {Uint8Array|null} held */
  ready(recipe, target, settings, held) {
    const { n, at, kernels } = this;
    const { pointers, columns, values } = this.load(/** @type {Made} */ (target));
    const gains = recipe.gains ?? [0, 0, 0, 0];
    /** @type {Settings} */
    const all = {
      exaggeration: 1,
      degrees_of_freedom: 1,
      ...settings,
      slack: recipe.slack,
      adaptive: Number(recipe.adaptive),
    };
    [all.increment, all.factor, all.least_gain, all.greatest_gain] = gains;
    all.repulsion = (settings.repulsion ?? 0) / (n * (n - 1));
    this.doubles(at.settings, SETTINGS.length).set(SETTINGS.map((name) => all[name] ?? 0));
    const mask = new Uint8Array(kernels.memory.buffer, at.held, n).fill(0);
    if (held) for (let i = 0; i < n; i++) mask[i] = held[2 * i];
    const { negentropy } = /** @type {Made} */ (target).pairs;
    return [MODELS[recipe.kind], n, pointers, columns, values, negentropy];
  }

  /** @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {Uint8Array|null} held */
  evaluate(recipe, target, settings, held) {
    const call = this.ready(recipe, target, settings, held);
    const { state, numbers } = this.at;
    const gradient = state + 16 * 4 * this.n;
    this.kernels.evaluate(...call, state, this.at.settings, gradient, numbers);
    const found = this.layer(4);
    held?.forEach((is, k) => {
      if (is) found[k] = 0;
    });
    return Number.isFinite(this.objective);
  }

  /** @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {number} iteration @param {Uint8Array|null} held */
  update(recipe, target, settings, iteration, held) {
    const call = this.ready(recipe, target, settings, held);
    const { settings: given, held: mask, state, numbers } = this.at;
    return this.kernels.step(...call, given, mask, recipe.seed, iteration, state, numbers) !== 2;
  }

  /** @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {number} i @returns {Forces} */
  forces(recipe, target, settings, i) {
    throw new Error(`no forces yet ${recipe.id} ${target.key} ${settings} ${i}`);
  }

  /** @param {Recipe} recipe @param {Target} target @param {Settings} settings @returns {Float64Array} */
  costs(recipe, target, settings) {
    throw new Error(`no costs yet ${recipe.id} ${target.key} ${settings}`);
  }
}
