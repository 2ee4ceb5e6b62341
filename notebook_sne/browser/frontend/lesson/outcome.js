// What was found, in a page: hidden until the reader has said something, or asks for it. The question itself is marked as
// soon as its answer is seen.

import { attribute, listener, make, tableOf, wordButton, write } from "../shared/elements.js";
import { watchSight } from "../shared/sizes.js";
import { inWords } from "./words.js";

/** @import { Asked } from "./words.js" */

/** @typedef {{key: string, question: string, truth: Answer, found: string}} Found  what Python has told the page */

const NEWS = ["change:value", "change:seen"];

/** A sentence, with a point at its end. @param {string} text */
export const closed = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Whether a reader may see what was found. @param {Asked|undefined} model  of the question, if the page has it */
const told = (model) => !model || (model.get("value") ?? null) !== null || Boolean(model.get("seen"));

/** A button that shows what was found without a prediction. @param {Asked} model @param {ReturnType<typeof listener>} on */
function showButton(model, on) {
  const button = wordButton("show", "Show what was found");
  on(button, "click", () => model.set("seen", true));
  return button;
}

export class OutcomeView {
  /**
   * @param {Found} found @param {Asked|undefined} model @param {HTMLElement} el
   * @param {(key: string) => void} goTo  brings the question into view
   */
  constructor(found, model, el, goTo) {
    this.found = found;
    this.model = model;
    this.undo = new AbortController();
    const on = listener(this.undo.signal);
    this.said = make("p", { "data-part": "said" });
    this.words = make("p", { class: "nsne-words", "data-part": "found" });
    this.waits = make("p", { class: "nsne-acts" });
    if (model) {
      const back = wordButton("question", "To the question");
      on(back, "click", () => goTo(found.key));
      this.waits.append(back, showButton(model, on));
    }
    this.root = make(
      "div",
      { class: "nsne-outcome", role: "group", "aria-label": found.question },
      make("p", { class: "nsne-question" }, found.question),
      ...[this.said, this.words, this.waits],
    );
    this.update = () => this.show();
    for (const name of NEWS) model?.on(name, this.update);
    // Only what is in sight marks the question: a reader may change their mind until then.
    this.inSight = false;
    const see = (/** @type {boolean} */ there) => {
      this.inSight = there;
      this.mark();
    };
    watchSight(this.root, see, this.undo.signal);
    el.replaceChildren(this.root);
    this.show();
  }

  mark() {
    if (this.inSight && told(this.model)) this.model?.set("truth", this.found.truth);
  }

  show() {
    const shown = told(this.model);
    const value = this.model?.get("value") ?? null;
    attribute(this.root, "data-shown", shown);
    write(
      this.said,
      !shown
        ? "You have not answered yet."
        : value === null || !this.model
          ? "No prediction."
          : `You said: ${closed(inWords(this.model, value))}`,
    );
    write(this.words, shown ? `Found: ${closed(this.found.found)}` : "");
    this.waits.hidden = shown;
    this.mark();
  }
}

export class OutcomeTable {
  /**
   * All questions of a lecture, what was said, and what was found.
   * @param {Found[]} all @param {(key: string) => Asked|undefined} modelOf @param {HTMLElement} el @param {() => void} forget
   */
  constructor(all, modelOf, el, forget) {
    this.undo = new AbortController();
    const on = listener(this.undo.signal);
    this.rows = all.map((found) => {
      const model = modelOf(found.key);
      const [said, words] = [make("td"), make("td")];
      const button = model ? showButton(model, on) : undefined;
      const row = make("tr", {}, make("th", { scope: "row" }, found.question), said, words);
      for (const name of NEWS) model?.on(name, () => this.show());
      return { found, model, said, words, button, row };
    });
    const again = wordButton("forget", "Forget my answers");
    on(again, "click", forget);
    el.replaceChildren(
      make(
        "div",
        { class: "nsne-outcomes" },
        tableOf({}, ["Question", "You said", "Found"], make("tbody", {}, ...this.rows.map(({ row }) => row))),
        make("p", { class: "nsne-acts" }, again),
      ),
    );
    this.show();
  }

  show() {
    for (const { found, model, said, words, button } of this.rows) {
      const value = model?.get("value") ?? null;
      write(said, value === null || !model ? "no prediction" : inWords(model, value));
      if (told(model)) write(words, found.found);
      else if (button && button.parentNode !== words) words.replaceChildren(button);
    }
  }
}
