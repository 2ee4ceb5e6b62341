// How a page that computes begins: with its kernels, its data and the run as it stood. In a browser that cannot run the
// kernels it shows what was recorded, and says so.

import { PageModel, showPage } from "../page/page.js";
import { bytes as copied } from "../shared/buffers.js";
import { Arena } from "./wasm_heap.js";
import { WasmEngine } from "./engine.js";
import { isMixture } from "./maps.js";
import { LiveModel } from "./model.js";
import { fromObjects, givenP } from "./sources.js";

/** @import { Exports } from "./wasm_heap.js" */

const ALONE = {
  map: "This browser cannot run what the page computes with (WebAssembly SIMD), so it shows the film alone.",
  maps: "This browser cannot run what the page computes with (WebAssembly SIMD), so it shows the maps as they were.",
};
const OF_PLAN = "plan_"; // how the names of arrays begin that belong to the plan

/** The kernels, ready to be called. @param {DataView} bytes @returns {Promise<Exports>} */
export async function startKernels(bytes) {
  const { instance } = await WebAssembly.instantiate(copied(bytes), {});
  return /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
}

/**
 * What stands in for the notebook's model object: with a run where the browser can, and else with the film alone.
 * @param {Record<string, any>} traits @param {object} [more]  for tests: a clock
 */
export async function makeModel(traits, more = {}) {
  const { plan, kernels, ...own } = traits;
  /** @type {Record<string, DataView>} */
  const arrays = {};
  for (const name of Object.keys(own).filter((one) => one.startsWith(OF_PLAN))) {
    arrays[name.slice(OF_PLAN.length)] = own[name];
    delete own[name];
  }
  let started;
  try {
    started = await startKernels(kernels);
  } catch (error) {
    if (!globalThis.WebAssembly || error instanceof WebAssembly.CompileError)
      return new PageModel({
        ...own,
        live: false,
        status: "recorded",
        models: [],
        message: ALONE[/** @type {Plan} */ (plan).shows],
      });
    throw error;
  }
  // A film has the first map alone, from which no run of several goes on: theirs begins anew where the run stood.
  if (isMixture(plan.present)) own.film = new DataView(new ArrayBuffer(0));
  return new LiveModel(own, { ...standing(plan, arrays), engine: engineOf(plan, arrays, started), ...more });
}

/** @param {Plan} plan @param {Record<string, DataView>} arrays @param {Exports} kernels */
function engineOf(plan, arrays, kernels) {
  const arena = new Arena(kernels);
  const source = plan.data === "X" ? fromObjects(plan, arrays, arena) : givenP(plan.objects, arrays);
  const engine = new WasmEngine(arena, plan.objects.shape[0], source, plan.present);
  const { conditional, joint } = plan.made ? givenP(plan.made, arrays) : {};
  const known = conditional ?? joint;
  if (plan.made && known) engine.know(plan.present, plan.made, known);
  return engine;
}

/** Positions and memory as they were written. @param {Plan} plan @param {Record<string, DataView>} arrays */
function standing(plan, arrays) {
  const Y = new Float64Array(copied(arrays.Y));
  const packed = new Float64Array(copied(arrays.starts));
  const starts = [];
  for (let at = 0; at < packed.length; at += Y.length) starts.push(packed.slice(at, at + Y.length));
  /** @param {string} name @param {number} otherwise */
  const remembered = (name, otherwise) =>
    arrays[name].byteLength ? new Float64Array(copied(arrays[name])) : Y.map(() => otherwise);
  const best = plan.at.bestObjective === null || !arrays.best.byteLength ? null : remembered("best", 0);
  const { bestObjective, scale } = plan.at;
  const memory = { Y, velocity: remembered("velocity", 0), gains: remembered("gains", 1), best, scale };
  return { plan, starts, memory: { ...memory, bestObjective: best ? (bestObjective ?? Infinity) : Infinity } };
}

/** Show a widget in this page, with a run of its own. @param {{initialize: Function, render: Function}} widget */
export const openLivePage = (widget) => showPage(widget, (traits) => makeModel(traits));
