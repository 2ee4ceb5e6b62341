// The questions of a deck, and what was found: a slide asks, and shows what was found when the lecturer wants it, by a key
// or a button; where a later slide tells it, both do. Nothing is kept: the next class is asked anew.

import { inWords } from "../lesson/words.js";
import { closed } from "../lesson/outcome.js";
import { PageModel, readPage } from "../page/page.js";
import { make, write } from "../shared/elements.js";

/** @import { Found } from "../lesson/outcome.js" */

export class Answers {
  /** @param {Record<string, Found>} found  by the keys of the questions */
  constructor(found) {
    this.found = found;
    /** @type {Map<string, PageModel>} */
    this.models = new Map();
  }

  /** Take the questions of the deck. @param {Iterable<HTMLElement>} places @param {(place: HTMLElement) => string} textIn */
  async read(places, textIn) {
    for (const place of places) {
      const model = new PageModel({ ...(await readPage(textIn(place))), seen: false, page: true });
      const key = String(model.get("key"));
      this.models.set(key, model);
      place.dataset.question = key;
      const told = this.found[key];
      if (told) place.closest(".body")?.append(this.words(told, model, false));
    }
  }

  /** Put what was found in the place of what the page has without a script. @param {HTMLElement} place @param {Found[]} all */
  place(place, all) {
    place.replaceChildren(...all.map((found) => this.words(found, this.models.get(found.key), true)));
  }

  /**
   * What was found, in words, which wait until it is told.
   * @param {Found} found @param {PageModel|undefined} model @param {boolean} asks  whether the question stands with it
   */
  words(found, model, asks) {
    const said = make("p", { class: "said" });
    const box = make(
      "div",
      { class: "found", role: "status", "data-key": found.key },
      ...(asks ? [make("p", { class: "asked" }, found.question), said] : []),
      make("p", { class: "words" }, `Found: ${closed(found.found)}`),
    );
    const update = () => {
      const value = /** @type {Answer|null} */ (model?.get("value") ?? null);
      write(said, value === null || !model ? "" : `You said: ${closed(inWords(model, value))}`);
      box.dataset.told = String(asks || Boolean(model?.get("seen")));
    };
    for (const name of ["change:value", "change:seen"]) model?.on(name, update);
    update();
    return box;
  }

  /** Whether there is something to tell. @param {string|undefined} key */
  has(key) {
    return Boolean(key && this.found[key] && this.models.get(key));
  }

  /** @param {string|undefined} key */
  isTold(key) {
    return Boolean(key && this.models.get(key)?.get("seen"));
  }

  /** Show what was found, or hide it again. @param {string|undefined} key @param {boolean} shown */
  tell(key, shown) {
    const model = key ? this.models.get(key) : undefined;
    if (!key || !model || !this.found[key]) return;
    model.set("truth", shown ? this.found[key].truth : null);
    model.set("seen", shown);
  }
}
