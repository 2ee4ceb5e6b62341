// Bokeh's figures in a notebook, and what changes in them. BokehJS itself comes from the kernel, as it is installed there,
// so that nothing is fetched: one model holds it for all figures, packed.

import { bytes, views } from "../shared/buffers.js";
import { unpacked } from "../shared/packed.js";

/**
 * @typedef {{get: (name: string) => any, on: (event: string, call: any) => void, off: (event: string, call: any) => void,
 *            widget_manager: {get_model: (id: string) => Promise<Model>}}} Model
 * @typedef {{get_model_by_id: (id: string) => any, clear: () => void}} Document
 * @typedef {{require: (name: string) => any}} Bokeh
 * @typedef {{kind: "update", columns: [id: string, column: string, type: "f4" | "f8"][],
 *            values: Record<string, Record<string, unknown>>}} Update
 */

const LOADS = Symbol.for("notebook_sne BokehJS");
const page = /** @type {typeof globalThis & {[LOADS]?: Map<string, Promise<Bokeh>>, Bokeh?: Record<string, Bokeh>}} */ (
  globalThis
);
page[LOADS] ??= new Map();
const loads = page[LOADS];

/** BokehJS of a version, once for the page. @param {Model} model @returns {Promise<Bokeh>} */
async function load(model) {
  const library = await model.widget_manager.get_model(model.get("_library").replace("IPY_MODEL_", ""));
  const version = library.get("version");
  const loading = loads.get(version) ?? open(version, library.get("packed"));
  loads.set(version, loading);
  return loading;
}

/** @param {string} version @param {string} packed @returns {Promise<Bokeh>} */
async function open(version, packed) {
  if (!page.Bokeh?.[version]) {
    const text = await unpacked(packed).text();
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const script = document.createElement("script");
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(new Error("this page does not let BokehJS run"));
      script.src = address;
      document.head.append(script);
    }).finally(() => URL.revokeObjectURL(address));
  }
  const found = page.Bokeh?.[version];
  if (!found) throw new Error(`BokehJS ${version} is not there`);
  return found;
}

/** What an update says, done to a document. @param {Document} there @param {Update} update @param {DataView[]} buffers */
export function apply(there, update, buffers) {
  /** @type {Map<string, Record<string, unknown>>} */
  const columns = new Map();
  update.columns.forEach(([id, column, type], k) => {
    const own = bytes(buffers[k]); // at a place of its own
    const numbers = type === "f4" ? new Float32Array(own) : new Float64Array(own);
    columns.set(id, { ...columns.get(id), [column]: numbers });
  });
  // Ranges first: points that have moved out of the frame are then drawn once, where they are.
  for (const [id, values] of Object.entries(update.values)) there.get_model_by_id(id)?.setv(values);
  for (const [id, changed] of columns) {
    const source = there.get_model_by_id(id);
    if (source) source.data = { ...source.data, ...changed }; // the others stay, as long as those that change
  }
}

export default {
  /** @param {{model: Model, el: HTMLElement}} context */
  render({ model, el }) {
    const note = document.createElement("div");
    const figures = document.createElement("div");
    el.classList.add("nsne-live");
    el.append(figures, note);
    /** @type {Document | undefined} */
    let there;
    /** @type {(() => void) | undefined} */
    let late; // the last update that came while BokehJS was being loaded: each holds all that changes
    let [gone, drawing] = [false, false];
    el.dataset.updates = "0";
    const say = () => {
      note.textContent = model.get("note");
    };
    const draw = async () => {
      if (drawing || gone || !model.get("document")) return;
      drawing = true; // from now on it changes by updates
      try {
        const Bokeh = await load(model);
        const shown = Bokeh.require("document").Document.from_json(JSON.parse(model.get("document")));
        if (gone) return;
        await Bokeh.require("embed/standalone").add_document_standalone(shown, figures);
        there = shown;
        late?.();
        el.dataset.drawn = "true";
      } catch (error) {
        note.textContent = `The figures cannot be shown: ${error instanceof Error ? error.message : error}`;
      }
    };
    /** @param {Update} message @param {Array<ArrayBuffer|ArrayBufferView>} buffers */
    const take = (message, buffers) => {
      if (message.kind !== "update") return;
      if (!there) {
        late = () => take(message, buffers);
        return;
      }
      apply(there, message, views(buffers));
      el.dataset.updates = String(Number(el.dataset.updates) + 1);
    };
    model.on("change:document", draw);
    model.on("change:note", say);
    model.on("msg:custom", take);
    say();
    draw();
    return () => {
      gone = true;
      model.off("change:document", draw);
      model.off("change:note", say);
      model.off("msg:custom", take);
      there?.clear();
      figures.remove();
      note.remove();
    };
  },
};
