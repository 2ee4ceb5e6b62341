// The questions of a lecture: each has one model, wherever it is asked and answered, and keeps its answer in the browser.

import { OutcomeTable, OutcomeView } from "../lesson/outcome.js";
import { PageModel, readPage } from "../page/page.js";
import { keep, kept } from "./memory.js";

/** @import { Found } from "../lesson/outcome.js" */

const KEPT = ["value", "seen"];

/** Whether something that was kept answers a question as it is asked now. @param {PageModel} model @param {unknown} value */
export function answers(model, value) {
  const options = /** @type {string[]} */ (model.get("options") ?? []);
  const places = /** @type {string[]} */ (model.get("places") ?? []);
  if (options.length) return options.includes(/** @type {string} */ (value));
  if (places.length)
    return Array.isArray(value) && value.length === places.length && value.every((one) => Number.isFinite(one));
  return Number.isFinite(value);
}

export class Questions {
  /** @param {string} lecture  its title */
  constructor(lecture) {
    this.lecture = `answers.${lecture}`;
    /** @type {Map<string, PageModel>} by their keys */
    this.models = new Map();
  }

  /** Take the questions of the page. @param {Iterable<HTMLElement>} places @param {(place: HTMLElement) => string} textIn */
  async read(places, textIn) {
    const before = kept(this.lecture);
    for (const place of places) {
      const model = new PageModel({ ...(await readPage(textIn(place))), seen: false, page: true });
      const there = before[String(model.get("question"))] ?? {};
      if (answers(model, there.value)) model.set("value", there.value);
      if (there.seen) model.set("seen", true);
      for (const name of KEPT) model.on(`change:${name}`, () => this.keep());
      this.models.set(String(model.get("key")), model);
      place.dataset.question = String(model.get("key"));
    }
  }

  keep() {
    const models = [...this.models.values()];
    keep(
      this.lecture,
      Object.fromEntries(
        models.map((model) => [
          String(model.get("question")),
          Object.fromEntries(KEPT.map((name) => [name, model.get(name)])),
        ]),
      ),
    );
  }

  /** Ask all of them anew. */
  forget() {
    for (const model of this.models.values()) {
      model.set("truth", null);
      model.set("seen", false);
      model.set("value", null);
    }
  }

  /** Show what was found, in one place. @param {HTMLElement} place @param {Found[]} found */
  show(place, found) {
    if (place.dataset.outcomes === "table")
      return new OutcomeTable(
        found,
        (key) => this.models.get(key),
        place,
        () => this.forget(),
      );
    const [one] = found;
    return new OutcomeView(one, this.models.get(one.key), place, (key) => this.goTo(key));
  }

  /** @param {string} key */
  goTo(key) {
    const place = document.querySelector(`[data-question="${CSS.escape(key)}"]`);
    place?.scrollIntoView({ block: "center" });
    /** @type {HTMLElement|null|undefined} */ (place?.querySelector("input, [tabindex]"))?.focus({
      preventScroll: true,
    });
  }
}
