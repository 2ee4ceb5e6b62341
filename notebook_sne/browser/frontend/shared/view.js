// All that a widget carries itself: where its front end is. That is one model for all widgets of a kind, as a notebook
// that is saved with its widgets would otherwise hold the same text once for each of them.

import { unpacked } from "./packed.js";

/**
 * @typedef {{model: Model, el: HTMLElement}} Context
 * @typedef {{initialize?: (context: Context) => unknown, render: (context: Context) => unknown}} Widget
 */

// A model of a front end: the promise of its module. One for the page, as this text is read anew for each widget.
const LOADS = Symbol.for("notebook_sne front ends");
const page = /** @type {typeof globalThis & {[LOADS]?: WeakMap<Model, Promise<Widget>>}} */ (globalThis);
page[LOADS] ??= new WeakMap();
const loads = page[LOADS];

/** What the front end of a model exports. @param {Model} model @returns {Promise<Widget>} */
async function load(model) {
  if (!model.widget_manager) throw new Error("this host does not say where a widget's front end is");
  const front = await model.widget_manager.get_model(model.get("_front").replace("IPY_MODEL_", ""));
  const loading = loads.get(front) ?? open(front);
  loads.set(front, loading);
  return loading;
}

/** @param {Model} front @returns {Promise<Widget>} */
async function open(front) {
  let style = document.getElementById(front.get("name"));
  if (!style) {
    style = document.createElement("style");
    style.id = front.get("name");
    document.head.append(style);
  }
  // A newer version takes the place of an older one.
  style.textContent = await unpacked(front.get("style")).text();
  const code = await unpacked(front.get("code")).text();
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export default {
  /** @param {Context} context */
  async initialize(context) {
    return (await load(context.model)).initialize?.(context);
  },
  /** @param {Context} context */
  async render(context) {
    return (await load(context.model)).render(context);
  },
};
