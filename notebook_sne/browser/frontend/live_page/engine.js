// The engine of a page: kernels that were compiled to WebAssembly. What they compute, and how they are called, is written
// in portable/exports.py; here numbers are carried in and out. It computes one place at a time, in memory of its own. A
// generator yields whenever it has worked for a few milliseconds, so that the page can answer. Longer than 300 lines because all calls of kernels share one arena and one order.

import { general } from "./diagnostics.js";
import { sizesOf } from "./maps.js";
import { scalesAt } from "./schedules.js";

/** @import { Arena, Sparse } from "./wasm_heap.js" */
/** @import { Source } from "./sources.js" */

/**
 * @typedef {object} Target
 * @property {string} key
 * @property {Sparse} P
 * @property {Sparse} pairs  the stored pairs, which attract
 * @property {number} negentropy  the sum of p log p, 0 of a model whose cost has none
 */

const MODELS = { sne: 0, uniform: 1, student: 2, elastic: 3, umap: 4, aspects: 5, "joint aspects": 6, multiple: 7 };
/** What stands where among the settings. */
const SETTINGS = ["learning_rate", "momentum", "jitter", "slack", "adaptive", "increment", "factor", "least_gain"];
SETTINGS.push("greatest_gain", "exaggeration", "background", "repulsion", "degrees_of_freedom", "penalty", "n_maps");
SETTINGS.push("a", "b", "negative_sample_rate");
const [STATE, NUMBERS] = [5, 4]; // layers of the state, and the numbers beside it
const [BEST, GRADIENT] = [3, 4]; // of the layers
const [BACK, DIVERGED] = [1, 2]; // what an update says
const REMEMBERED = 3; // P
const SLICE = 4; // ms of work between two looks at the page
const DOUBLED = ["elastic", "joint aspects", "multiple"]; // what attracts are P + P.T of a joint P
const NO_DIVERGENCE = ["elastic", "umap"];

export class WasmEngine {
  /** @param {Arena} arena @param {number} n @param {Source} source @param {Pick<Recipe, "kind"|"n_maps">} recipe */
  constructor(arena, n, source, recipe) {
    this.arena = arena;
    this.n = n;
    const { points, pairs } = sizesOf(recipe, n);
    this.points = points; // in all maps
    this.pairs = pairs;
    this.source = source;
    /** @type {Target[]} those that were asked for last, the newest first */
    this.made = [];
    /** @type {{key: string, P: Sparse}[]} */
    this.found = [];
    /** @type {Settings} UMAP's kernel, and the knobs that it was fitted to */
    this.kernel = {};
    this.at = {
      state: arena.take(8 * STATE * 2 * pairs),
      numbers: arena.take(8 * NUMBERS),
      settings: arena.take(8 * SETTINGS.length),
      held: arena.take(points),
    };
    this.base = arena.mark; // behind what stays
    this.wentBack = false; // with the last update, to the best place
    /** @type {{target: Target, parts: number[]}|null} the pairs that lie in memory */
    this.loaded = null;
  }

  // ---- where it stands ----

  /** One layer of the state: positions and weights, velocity, gains, best place, gradient. @param {number} k */
  layer(k) {
    return this.arena.view(Float64Array, this.at.state + 16 * k * this.pairs, 2 * this.pairs);
  }

  get numbers() {
    return this.arena.view(Float64Array, this.at.numbers, NUMBERS);
  }

  get objective() {
    return this.numbers[0];
  }

  get cost() {
    return this.numbers[1];
  }

  /** Positions, and weights, where it stands: a view, to be read at once. */
  positions() {
    return this.layer(0);
  }

  /** Stand at a place. @param {Memory} memory */
  put({ Y, velocity, gains, best, bestObjective, scale }) {
    for (const [k, values] of [Y, velocity, gains, best ?? Y].entries()) this.layer(k).set(values);
    this.numbers.set([NaN, NaN, scale, best ? bestObjective : Infinity]);
  }

  /** A copy of where it stands. @returns {Memory} */
  take() {
    const [, , scale, bestObjective] = this.numbers;
    const [Y, velocity, gains] = [0, 1, 2].map((k) => this.layer(k).slice());
    return {
      Y,
      velocity,
      gains,
      best: bestObjective < Infinity ? this.layer(BEST).slice() : null,
      bestObjective,
      scale,
    };
  }

  /** Forget the best place and the halvings, which belong to one objective. */
  forget() {
    this.numbers.set([1, Infinity], 2);
  }

  /** @param {number} scale */
  setScale(scale) {
    this.numbers[2] = scale;
  }

  // ---- P ----

  /** @param {Recipe} recipe @param {Settings} settings @returns {Generator<number, Target>} */
  *target(recipe, settings) {
    const key = `${recipe.kind} ${keyOf(recipe, settings)}`;
    let made = this.made.find((one) => one.key === key);
    if (!made) {
      const { joint } = this.source;
      const P = joint ?? (yield* this.probabilities(recipe, settings));
      yield 1;
      made = { key, ...(joint || recipe.n_neighbors ? this.ofJoint(P, recipe) : this.ofConditional(P, recipe)) };
      yield 1;
    }
    this.made = [made, ...this.made.filter((one) => one !== made)].slice(0, REMEMBERED);
    return made;
  }

  /** Take a P as that of some settings. @param {Recipe} recipe @param {{perplexity: number|null, least_p?: number|null}} settings @param {Sparse} P */
  know(recipe, { perplexity, least_p }, P) {
    this.found.push({ key: keyOf(recipe, { perplexity: Number(perplexity), least_p: least_p ?? undefined }), P });
  }

  /** The conditional P of the objects, or the joint one of UMAP's graph. @param {Recipe} recipe @param {Settings} settings @returns {Generator<number, Sparse>} */
  *probabilities(recipe, settings) {
    const { conditional, search, graph } = this.source;
    if (conditional || !search || !graph) return /** @type {Sparse} */ (conditional);
    const key = keyOf(recipe, settings);
    let known = this.found.find((one) => one.key === key);
    const { n_neighbors } = recipe;
    known ??= {
      key,
      P: yield* n_neighbors ? graph(n_neighbors, settings) : search(settings, scalesAt(recipe, settings.perplexity)),
    };
    this.found = [known, ...this.found.filter((one) => one !== known)].slice(0, REMEMBERED);
    return known.P;
  }

  /** P and the stored pairs of a model, from the conditional P. @param {Sparse} P @param {Recipe} recipe @returns {Omit<Target, "key">} */
  ofConditional(P, { kind }) {
    const { n } = this;
    if (kind === "sne" || kind === "aspects") return { P, pairs: this.symmetric(P, 1), negentropy: this.negentropy(P) };
    const joint = this.symmetric(P, 1 / (2 * n));
    const pairs = DOUBLED.includes(kind) ? this.symmetric(P, 1 / n) : joint;
    return { P: joint, pairs, negentropy: NO_DIVERGENCE.includes(kind) ? 0 : this.negentropy(joint) };
  }

  /** The same from a joint P. @param {Sparse} P @param {Recipe} recipe @returns {Omit<Target, "key">} */
  ofJoint(P, { kind }) {
    const pairs = DOUBLED.includes(kind) ? { ...P, values: P.values.map((p) => 2 * p) } : P;
    return { P, pairs, negentropy: NO_DIVERGENCE.includes(kind) ? 0 : this.negentropy(P) };
  }

  /** scale (P + P.T) @param {Sparse} P @param {number} scale @returns {Sparse} */
  symmetric(P, scale) {
    return this.briefly(() => {
      const { n, arena } = this;
      const parts = arena.put(P);
      const most = 2 * P.values.length;
      const into = [arena.take(8 * (n + 1)), arena.take(4 * most), arena.take(8 * most)];
      arena.kernels.symmetrize(n, ...parts, scale, ...into);
      return arena.get(n, into);
    });
  }

  /** @param {Sparse} P */
  negentropy({ values }) {
    return this.briefly(() => {
      const at = this.arena.take(values.byteLength);
      this.arena.view(Float64Array, at, values.length).set(values);
      return this.arena.kernels.negentropy(values.length, at);
    });
  }

  /** Give back all memory that is taken meanwhile. @template T @param {() => T} work @returns {T} */
  briefly(work) {
    const mark = this.arena.mark;
    try {
      return work();
    } finally {
      this.arena.release(mark);
    }
  }

  // ---- work ----

  /** Carry in what an update asks for; returns how the call begins. @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {Uint8Array|null} held */
  ready(recipe, target, settings, held) {
    const { n, at, arena, points } = this;
    if (this.loaded?.target !== target) {
      arena.release(this.base);
      this.loaded = { target, parts: arena.put(target.pairs) };
    }
    this.set(recipe, settings);
    const mask = arena.view(Uint8Array, at.held, points).fill(0);
    if (held) for (let i = 0; i < points; i++) mask[i] = held[2 * i];
    return [MODELS[recipe.kind], n, ...this.loaded.parts, target.negentropy];
  }

  /** @param {Recipe} recipe @param {Settings} settings */
  set({ kind, gains, slack, adaptive, n_maps }, settings) {
    const { n } = this;
    const [increment, factor, least_gain, greatest_gain] = gains ?? [0, 0, 0, 0];
    const own = { n_maps, slack, adaptive: Number(adaptive), increment, factor, least_gain, greatest_gain };
    const repulsion = (settings.repulsion ?? 0) / (n * (n - 1)); // of a pair
    /** @type {Settings} */
    const all = { exaggeration: 1, degrees_of_freedom: 1, ...settings, ...own, repulsion };
    if (kind === "umap") Object.assign(all, this.kernelAt(settings));
    this.arena.view(Float64Array, this.at.settings, SETTINGS.length).set(SETTINGS.map((name) => all[name] ?? 0));
  }

  /** UMAP's kernel, w = 1 / (1 + a d^b). @param {Settings} settings @returns {Settings} */
  kernelAt({ min_dist, spread }) {
    if (!(min_dist <= spread))
      throw new Error(
        `min_dist must be at most spread, got min_dist=${general(min_dist, 6)} and spread=${general(spread, 6)}; ` +
          "lower min_dist, or raise spread",
      );
    if (this.kernel.min_dist !== min_dist || this.kernel.spread !== spread)
      this.briefly(() => {
        const at = this.arena.take(16);
        this.arena.kernels.fitted_kernel(min_dist, spread, at);
        const [a, b] = this.arena.view(Float64Array, at, 2);
        this.kernel = { min_dist, spread, a, b };
      });
    return this.kernel;
  }

  /** Find cost, objective and gradient where it stands; false where they are not finite. @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {Uint8Array|null} held */
  evaluate(recipe, target, settings, held) {
    const call = this.ready(recipe, target, settings, held);
    const { state, numbers } = this.at;
    this.arena.kernels.evaluate(...call, state, this.at.settings, state + 16 * GRADIENT * this.pairs, numbers);
    const gradient = this.layer(GRADIENT);
    held?.forEach((is, k) => {
      if (is) gradient[k] = 0;
    });
    return Number.isFinite(this.objective);
  }

  /** One update; false, and nothing changed, where positions or cost would no longer be finite. @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {number} iteration @param {Uint8Array|null} held */
  update(recipe, target, settings, iteration, held) {
    const call = this.ready(recipe, target, settings, held);
    const { settings: given, held: mask, state, numbers } = this.at;
    const did = this.arena.kernels.step(...call, given, mask, recipe.seed, iteration, state, numbers);
    this.wentBack = did === BACK;
    return did !== DIVERGED;
  }

  /** Move copies of objects in the place of an update; how many. With 0, nothing has changed. @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {Uint8Array|null} held @returns {Generator<number, number>} */
  *moveCopies(recipe, target, settings, held) {
    const { n, points, arena } = this;
    const { kernels } = arena;
    const [model, , ...pairs] = this.ready(recipe, target, settings, held).slice(0, 5);
    const { negentropy } = target;
    const { settings: given, held: mask, state, numbers } = this.at;
    const mark = arena.mark;
    try {
      const kept = [arena.take(8 * (6 * points + 3 * n)), arena.take(8 * (2 * points + recipe.n_maps + n))];
      kernels.copies_begin(model, n, given, state, ...kept);
      let [first, some] = [0, 1];
      while (first < n) {
        yield first / n;
        const [began, last] = [performance.now(), Math.min(first + some, n)];
        kernels.copies_some(model, n, ...pairs, given, first, last, ...kept);
        first = last;
        if (performance.now() - began < SLICE / 2) some *= 2;
      }
      return kernels.copies_end(model, n, ...pairs, negentropy, given, mask, ...kept, state, numbers);
    } finally {
      arena.release(mark);
    }
  }

  // ---- one object seen closely ----

  /** @param {Recipe} recipe @param {Target} target @param {Settings} settings @param {number} i @returns {Forces} */
  forces(recipe, target, settings, i) {
    return this.briefly(() => {
      const { n, arena, at } = this;
      const parts = arena.put(target.P);
      const into = [0, 1, 2, 3].map(() => arena.take(8 * n));
      this.set(recipe, settings);
      arena.kernels.springs(MODELS[recipe.kind], n, ...parts, at.state, i, at.settings, ...into);
      const [pull, push, p, q] = into.map((pointer) => arena.copy(Float64Array, pointer, n));
      return { pull, push, p, q };
    });
  }

  /**
   * The k nearest objects of those from `first` to `last`, row by row: in a map, or in the data.
   * @param {Float64Array|null} Y @param {number} k @param {number} first @param {number} last @returns {Int32Array}
   */
  nearest(Y, k, first, last) {
    return this.briefly(() => {
      const { n, arena } = this;
      const { X, width } = this.objects();
      const at = Y ? arena.take(Y.byteLength) : X;
      const [neighbors, near] = [arena.take(4 * n * k), arena.take(8 * n * k)];
      if (Y) arena.view(Float64Array, at, Y.length).set(Y);
      arena.kernels.nearest(n, Y ? 2 : width, at, k, first, last, neighbors, near);
      return arena.copy(Int32Array, neighbors + 4 * first * k, (last - first) * k);
    });
  }

  /** The distances of all objects from one, in the unit of the data. @param {number} i */
  apart(i) {
    const { X, width, unit } = this.objects();
    const all = this.arena.view(Float64Array, X, this.n * width);
    return Float64Array.from({ length: this.n }, (_, j) => {
      let d = 0;
      for (let k = 0; k < width; k++) d += (all[j * width + k] - all[i * width + k]) ** 2;
      return unit * Math.sqrt(d);
    });
  }

  objects() {
    const { objects } = this.source;
    if (!objects) throw new Error("this page holds P alone, and not the objects");
    return objects;
  }

  /** @param {Recipe} recipe @param {Target} target @param {Settings} settings @returns {Float64Array} */
  costs(recipe, target, settings) {
    return this.briefly(() => {
      const { n, arena, at } = this;
      const parts = arena.put(target.P);
      const shares = arena.take(8 * n);
      this.set(recipe, settings);
      arena.kernels.costs(MODELS[recipe.kind], n, ...parts, at.state, at.settings, shares);
      return arena.copy(Float64Array, shares, n);
    });
  }
}

/** What tells one P from another. @param {Recipe} recipe @param {Partial<Settings>} settings */
function keyOf(recipe, { perplexity = NaN, least_p }) {
  const { n_neighbors } = recipe;
  return `${n_neighbors ? `graph of ${n_neighbors}` : scalesAt(recipe, perplexity)} ${least_p}`;
}
