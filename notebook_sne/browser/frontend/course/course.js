// A lecture as a page: its views are begun when the reader comes near them, and a run that is out of sight rests. All of
// them share one front end and one copy of the kernels, which lie in the page.

import { makeModel } from "../live_page/open.js";
import { PageModel, readPage } from "../page/page.js";
import { make } from "../shared/elements.js";
import { watchSight } from "../shared/sizes.js";
import { fitted } from "./fitting.js";
import { Questions } from "./questions.js";

/** @typedef {{initialize: Function, render: Function}} Widget */

const AHEAD = "600px"; // how near is near

/** The text that lies inside an element. @param {Element|null} element */
export const textIn = (element) => element?.querySelector('script[type="application/json"]')?.textContent ?? "";

/** The compiled kernels of the page, unpacked once. */
export class Kernels {
  /** @type {Promise<DataView>|undefined} */
  found = undefined;

  get() {
    const text = document.getElementById("nsne-kernels")?.textContent ?? "";
    this.found ??= readPage(text).then(({ kernels }) => kernels);
    return this.found;
  }
}

/**
 * What stands in for the notebook's model object of a view.
 * @param {string} kind @param {string} text @param {Kernels} kernels
 */
export async function modelOf(kind, text, kernels) {
  const traits = await readPage(text);
  return kind.startsWith("live") ? makeModel({ ...traits, kernels: await kernels.get() }) : new PageModel(traits);
}

/**
 * Draw one view in its place.
 * @param {HTMLElement} place @param {Record<string, Widget>} widgets @param {Kernels} kernels
 * @param {Pick<Questions, "models">} questions
 */
export async function show(place, widgets, kernels, questions) {
  const kind = place.dataset.view ?? "";
  const mount = /** @type {HTMLElement} */ (place.querySelector(".mount"));
  try {
    const model = questions.models.get(place.dataset.question ?? "") ?? (await modelOf(kind, textIn(place), kernels));
    const widget = widgets[kind];
    await widget.initialize({ model });
    await widget.render({ model, el: mount });
    return model;
  } catch (error) {
    mount.replaceChildren(unshown("view", error));
    throw error;
  }
}

/** @param {string} what @param {unknown} error */
const unshown = (what, error) =>
  make("p", {}, `This ${what} cannot be shown here: ${error instanceof Error ? error.message : error}`);

/** Draw one figure by the library that lies in the page. @param {HTMLElement} place */
async function draw(place) {
  const { Bokeh } = /** @type {{Bokeh?: {embed: {embed_item: Function}}}} */ (/** @type {unknown} */ (globalThis));
  try {
    await Bokeh?.embed.embed_item(fitted(JSON.parse(textIn(place)), place.clientWidth), place);
    place.dataset.drawn = "true";
  } catch (error) {
    place.append(unshown("figure", error));
    console.error(error); // the figures after it are drawn all the same
  }
}

/** Every element of a page that has an attribute. @param {string} name @returns {NodeListOf<HTMLElement>} */
const those = (name) => document.querySelectorAll(`[${name}]`);

/** Begin what a page holds as the reader comes near. @param {Record<string, Widget>} widgets  by the kinds of views */
export async function openCourse(widgets) {
  const kernels = new Kernels();
  const questions = new Questions(document.title);
  const begun = new WeakSet();
  /** A view or a figure, once. An error stands in its place and in the console. @param {HTMLElement} place */
  const begin = async (place) => {
    if (begun.has(place)) return;
    begun.add(place);
    if ("figure" in place.dataset) return draw(place);
    const model = await show(place, widgets, kernels, questions).catch(console.error);
    if (!model) return;
    watchSight(place, (there) => {
      const playing = model.get("status") === "running";
      if (playing && !there) model.send({ kind: "command", id: "course:0", name: "pause" }); // what nobody sees rests
    });
  };
  await questions.read(those('data-view="prediction"'), textIn);
  for (const place of those('data-view="prediction"')) await begin(place); // they are few and small: paper has them, too
  for (const place of those("data-outcomes")) questions.show(place, JSON.parse(textIn(place)));
  /** @type {Promise<void>[]} */
  const shown = [];
  /** @param {IntersectionObserverEntry[]} entries */
  const come = (entries) =>
    entries.filter((one) => one.isIntersecting).map((one) => /** @type {HTMLElement} */ (one.target));
  const near = new IntersectionObserver((all) => shown.push(...come(all).map(begin)), { rootMargin: AHEAD });
  for (const place of [...those("data-view"), ...those("data-figure")]) near.observe(place);
  // Paper holds all figures, also those that nobody has come near: they are drawn, one by one, while nothing else is to do.
  const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, 50));
  for (const place of those("data-figure")) {
    await new Promise((go) => idle(() => go(undefined)));
    await Promise.all(shown); // a map that the reader waits for comes first
    await begin(place);
  }
}
