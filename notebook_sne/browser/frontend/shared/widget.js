// What a notebook or a page asks of a widget's module: to begin, and to show a view. Views of one widget share a hub.

const HUBS = Symbol.for("notebook_sne hubs"); // of the page: each kind of widget has modules of its own

/** The hubs of all widgets on this page, by their keys. @returns {Map<string, any>} */
export function hubsOnPage() {
  const page = /** @type {typeof globalThis & {[HUBS]?: Map<string, any>}} */ (globalThis);
  page[HUBS] ??= new Map();
  return page[HUBS];
}

/**
 * Set a trait that the reader may change, here and in the kernel.
 * @template {keyof Traits} K
 * @param {Pick<Model, "set"|"save_changes">} model @param {K} name @param {Traits[K]} value
 */
export function keep(model, name, value) {
  model.set(name, value);
  try {
    model.save_changes();
  } catch {
    // A saved notebook has no kernel to keep it; the view goes on with it.
  }
}

/**
 * Listen to a model until a view ends.
 * @param {Pick<Model, "on"|"off">} model @param {string[]} names  of events @param {(...news: any[]) => void} act @param {AbortSignal} signal
 */
export function hear(model, names, act, signal) {
  for (const name of names) {
    model.on(name, act);
    signal.addEventListener("abort", () => model.off(name, act));
  }
}

/**
 * A widget as anywidget loads it.
 * @template {{stop: () => void}} H
 * @param {(model: Model) => H} connect  makes a hub
 * @param {(hub: H, el: HTMLElement) => {remove: () => void}} show  makes a view in an element
 */
export function widgetOf(connect, show) {
  /** One hub for each widget, whichever of the host's model objects asks for it. @type {Map<string, H>} */
  const hubs = new Map();
  /** @param {Model} model */
  const hubOf = (model) => {
    const key = model.get("key");
    const hub = hubs.get(key) ?? connect(model);
    hubs.set(key, hub);
    hubsOnPage().set(key, hub);
    return hub;
  };
  return {
    /** @param {{model: Model}} context @returns {() => void} */
    initialize({ model }) {
      const hub = hubOf(model);
      return () => {
        hub.stop();
        hubs.delete(model.get("key"));
        hubsOnPage().delete(model.get("key"));
      };
    },
    /** @param {{model: Model, el: HTMLElement}} context @returns {() => void} */
    render({ model, el }) {
      const view = show(hubOf(model), el);
      return () => view.remove();
    },
  };
}
