// All that a widget carries itself: where its front end is. That is one model for all widgets of a kind, as a notebook
// that is saved with its widgets would otherwise hold the same text once for each of them.

// A model of a front end: the promise of its module. One for the page, as this text is read anew for each widget.
const loads = (globalThis[Symbol.for("notebook_sne front ends")] ??= new WeakMap());

/** @returns {Promise<any>} what the front end exports */
async function load(model) {
  const front = await model.widget_manager.get_model(model.get("_front").replace("IPY_MODEL_", ""));
  if (!loads.has(front)) loads.set(front, open(front));
  return loads.get(front);
}

async function open(front) {
  let style = document.getElementById(front.get("name"));
  if (!style) {
    style = document.createElement("style");
    style.id = front.get("name");
    document.head.append(style);
  }
  style.textContent = front.get("style"); // a newer version takes the place of an older one
  const address = URL.createObjectURL(new Blob([front.get("code")], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export default {
  async initialize(context) {
    return (await load(context.model)).initialize?.(context);
  },
  async render(context) {
    return (await load(context.model)).render(context);
  },
};
