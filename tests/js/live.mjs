// A page that computes, without a page: what stands in for the notebook's kernel, with an engine whose work takes time on
// a clock of the test's, and a hub that listens.

import { readFileSync } from "node:fs";

import { Arena } from "../../notebook_sne/browser/frontend/live_page/wasm_heap.js";
import { WasmEngine } from "../../notebook_sne/browser/frontend/live_page/engine.js";
import { LiveModel } from "../../notebook_sne/browser/frontend/live_page/model.js";
import { PlayerHub } from "../../notebook_sne/browser/frontend/player/hub.js";
import { settingsAt } from "../../notebook_sne/browser/frontend/live_page/schedules.js";
import { fromObjects } from "../../notebook_sne/browser/frontend/live_page/sources.js";
import { MockClock } from "./mocks.mjs";

const kernels = new WebAssembly.Module(
  readFileSync(new URL("../../notebook_sne/engine/portable/kernels.wasm", import.meta.url)),
);

/** The kernels of a page, new ones each time. */
export const startedKernels = () => new WebAssembly.Instance(kernels).exports;

/** Where a page has P from that holds these objects, in an arena; of more than `searched` it looks for the nearest. */
export function sourceOf(X, arena, searched = 1000) {
  const view = (array) => new DataView(array.buffer);
  const [n, width] = [X.length, X[0].length];
  const objects = { shape: [n, width], type: "float64", first: 1, last: 1, equal: 1e-13 };
  const arrays = { X: view(Float64Array.from(X.flat())), X_table: view(new Float64Array()) };
  return fromObjects({ objects, searched }, { ...arrays, X_middle: view(new Float64Array(width)) }, arena);
}

/** The engine of a page that holds these objects; a P is made in slices, and each of them spends time. */
export class SlowEngine extends WasmEngine {
  constructor(X) {
    const arena = new Arena(startedKernels());
    super(arena, X.length, sourceOf(X, arena), { kind: "sne", n_maps: 1 });
    this.slices = 2;
    this.spend = () => {};
  }

  *probabilities(recipe, settings) {
    for (let k = 0; k < this.slices; k++) {
      this.spend();
      yield k / this.slices;
    }
    return yield* super.probabilities(recipe, settings);
  }
}

export const KNOBS = {
  perplexity: knob(1, null, false, [2, 200], true),
  exaggeration: knob(0, null, false, [0.25, 32], true),
  background: knob(0, 1, true, [0, 0.9], false),
  learning_rate: knob(0, null, false, null, true),
  momentum: knob(0, 1, true, [0, 0.99], false),
  jitter: knob(0, null, true, [0, 1], false),
};

function knob(least, most, closed, reach, log) {
  return { least, most, closed, reach, log, unit: "", what: "" };
}

const steps = (before, last, ends) => ({ kind: "steps", ends, last, values: [[0, before]] });

const common = { n_maps: 1, rounds: 0, adaptive: false, max_iter: 40, seed: 7, start: 0, gains: null, rest: "descent" };

/** Recipes of three models for n objects. */
export function recipes(n) {
  const noisy = ["jitter", "above", 0, "jitter"];
  const exaggerated = ["exaggeration", "not", 1, "exaggeration"];
  const schedules = { perplexity: 5, learning_rate: 0.05, momentum: steps(0.5, 0.9, 20), jitter: 0 };
  const joint = { convention: "joint", slack: 1e-3 };
  return {
    SNE: {
      ...common,
      ...{ id: "SNE", label: "SNE", kind: "sne", convention: "conditional", slack: 1e-3 * n },
      ...{ schedules, phases: [exaggerated, noisy] },
    },
    UNISNE: {
      ...common,
      ...{ id: "UNISNE", label: "UNI-SNE", kind: "uniform", ...joint },
      schedules: { ...schedules, learning_rate: n / 10, background: steps(0, 0.2, 12) },
      phases: [exaggerated, ["background", "above", 0, "background"]],
      rest: "symmetric",
    },
    TSNE: {
      ...common,
      ...{ id: "TSNE", label: "t-SNE", kind: "student", ...joint, gains: [0.2, 0.8, 0.01, 20] },
      schedules: { ...schedules, learning_rate: n / 12, exaggeration: steps(12, 1, 10) },
      phases: [exaggerated],
    },
  };
}

/** Three groups of objects on a line each. */
export function groups(n) {
  return Array.from({ length: n }, (_, i) => [4 * (i % 3) + Math.sin(i), i / n, Math.cos(3 * i)]);
}

/** Where a run stands before its first update. */
export const standing = {
  ...{ iteration: 0, cost: 1, objective: 1, knobs: {}, origin: 0, rate: null, pins: [], bestObjective: null, scale: 1 },
};

/** A page of n objects that stands at its start: {model, hub, clock, engine, plan, run, told}. */
export function livePage({ n = 18, first = "SNE", plan: changed = {}, traits = {} } = {}) {
  const clock = new MockClock();
  const engine = new SlowEngine(groups(n));
  engine.spend = () => (clock.time += 1);
  const update = engine.update.bind(engine);
  engine.update = (...how) => {
    clock.time += 3; // ms that an update takes
    return update(...how);
  };
  const all = recipes(n);
  const Y = Float64Array.from({ length: 2 * n }, (_, k) => 0.01 * Math.sin(5 * k + 1));
  const zeros = new Float64Array(2 * n);
  const plan = {
    ...{ origin: all[first], present: all[first], successors: all, presets: all, keeps: { UNISNE: "background" } },
    ...{ knobs: KNOBS, fixed: {}, turned: {}, chapters: [[0, all[first]]], plays: false, limit: 40, done: 0 },
    at: { ...standing, knobs: settingsAt(all[first], 0, {}) },
    ...changed,
  };
  const model = new LiveModel(
    {
      ...{ key: "page", live: true, n_objects: n, names: [], moment: 1, status: "paused", phase: "descent" },
      ...{ film: new DataView(new ArrayBuffer(0)), trace: new DataView(new ArrayBuffer(0)), marks: [] },
      ...{ spring_of: null, color: "none", pace: null, selection: [], ...traits },
    },
    {
      ...{ engine, plan, starts: [Y], clock },
      memory: {
        Y: Y.slice(),
        velocity: zeros.slice(),
        gains: zeros.map(() => 1),
        best: null,
        bestObjective: Infinity,
        scale: 1,
      },
    },
  );
  const told = [];
  model.on("msg:custom", (message, buffers) => told.push({ ...message, buffers }));
  const hub = new PlayerHub(model, clock);
  const view = { update() {}, paint: () => false };
  hub.add(view);
  /** Let so many milliseconds pass. */
  const run = (ms) => clock.run(ms);
  const command = (name, more) => hub.command(name, more);
  /** Give a command, and let so many milliseconds pass. */
  const order = (ms, ...what) => (command(...what), run(ms));
  run(50);
  return { model, hub, clock, engine, plan, run, told, command, order, recipes: all };
}
