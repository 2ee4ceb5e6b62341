// The view of a prediction: a question, and a choice, a number or a curve by hand. What was found is marked beside what was
// said as soon as the kernel knows it.

import { hearKeys } from "../shared/keys.js";
import { writeCode } from "../teaching/codes.js";
import { PollPanel } from "../teaching/panel.js";
import { attribute, listener, make, wordButton, write } from "../shared/elements.js";
import { wearTheme } from "../shared/theme.js";
import { hear, keep } from "../shared/widget.js";
import { Sketch } from "./sketch.js";

const NEWS = ["value", "truth", "poll", "outlasts", "forgotten"].map((name) => `change:${name}`);

const PATIENCE = 2000; // ms until a reader is told that nothing answers

export class PredictionView {
  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.waiting = undefined;
    this.undo = new AbortController();
    this.on = listener(this.undo.signal);
    const title = `nsne-question-${model.get("key")}`;
    this.root = make("div", { class: "nsne-view nsne-prediction", role: "group", "aria-labelledby": title });
    attribute(this.root, "data-key", model.get("key")); // its still picture is hidden where this is on the page
    hearKeys(this.root, this.undo.signal); // arrows move sliders here, not cells

    this.said = make("span", { class: "nsne-said", lang: "en", "data-part": "said", role: "status" });
    this.part = model.get("options")?.length
      ? this.choice()
      : model.get("places")?.length
        ? this.sketch()
        : this.number();
    this.poll = new PollPanel(model);
    this.forget = wordButton("forget");
    this.on(this.forget, "click", () => {
      model.send({ kind: model.get("forgotten") ? "recall" : "forget" });
      // A kernel that is busy answers later, and a saved notebook has none: what it says next is written over this.
      this.waiting = setTimeout(() => write(this.said, "The kernel does not answer yet."), PATIENCE);
    });
    this.root.append(
      make("p", { class: "nsne-question", id: title }, model.get("question")),
      this.part.element,
      make("p", { class: "nsne-keeping" }, this.said, this.forget),
      this.poll.element,
    );
    hear(model, NEWS, () => this.show(), this.undo.signal);
    wearTheme(el, this.root, this.undo.signal);
    this.show();
  }

  remove() {
    this.undo.abort();
    clearTimeout(this.waiting);
    this.root.remove();
  }

  /** @param {Answer} value */
  say(value) {
    keep(this.model, "value", value);
    this.show();
  }

  /** What is asked, for a code. */
  asked() {
    const { model } = this;
    return { question: model.get("question"), options: model.get("options") ?? [], bounds: model.get("bounds") ?? [] };
  }

  choice() {
    /** @type {[string, HTMLInputElement][]} */
    const inputs = this.model
      .get("options")
      .map((option) => [
        option,
        make("input", { type: "radio", name: `nsne-${this.model.get("key")}`, "data-control": "option" }),
      ]);
    const labels = inputs.map(([option, input]) => make("label", {}, input, make("span", {}, option)));
    for (const [option, input] of inputs) this.on(input, "change", () => input.checked && this.say(option));
    return {
      element: make("div", { class: "nsne-options" }, ...labels),
      /** @param {Answer|null} value @param {Answer|null} truth */
      show(value, truth) {
        for (const [k, [option, input]] of inputs.entries()) {
          input.checked = option === value;
          labels[k].toggleAttribute("data-truth", option === truth);
        }
      },
    };
  }

  number() {
    const [min, max] = this.model.get("bounds");
    const step = (max - min) / 100;
    const more = { min, max, step, "data-control": "number", "aria-label": this.model.get("question") };
    const range = make("input", { type: "range", ...more });
    const field = make("input", { type: "number", ...more, step: "any", "data-control": "field" });
    const mark = make("span", { class: "nsne-truth", "data-part": "truth", hidden: "" });
    let edited = false; // what is being typed or dragged stays while the votes of a class come in
    const say = () => {
      edited = false;
      const value = Number(field.value);
      if (field.value.trim() && Number.isFinite(value)) this.say(Math.min(Math.max(value, min), max));
      else this.show();
    };
    for (const one of [range, field]) this.on(one, "input", () => (edited = true));
    this.on(range, "input", () => (field.value = range.value));
    for (const one of [range, field]) this.on(one, "change", say);
    this.on(field, "keydown", (event) => event.key === "Enter" && say());
    const line = make("span", { class: "nsne-range" }, range, mark);
    return {
      element: make("div", { class: "nsne-number" }, line, field, make("span", {}, this.model.get("unit"))),
      /** @param {Answer|null} value @param {Answer|null} truth */
      show(value, truth) {
        range.toggleAttribute("data-unsaid", value === null);
        if (!edited) range.value = String(value ?? (min + max) / 2);
        if (!edited) field.value = value === null ? "" : String(Number(Number(value).toPrecision(4)));
        mark.hidden = truth === null;
        const share = Math.min(Math.max((Number(truth ?? min) - min) / (max - min), 0), 1);
        mark.style.setProperty("left", `calc(8px + ${share} * (100% - 16px))`);
      },
    };
  }

  sketch() {
    const [low, high] = this.model.get("bounds");
    return new Sketch({
      places: this.model.get("places"),
      axes: this.model.get("axis_names"),
      low,
      high,
      on: this.on,
      say: (value) => this.say(value),
    });
  }

  show() {
    clearTimeout(this.waiting);
    const value = this.model.get("value") ?? null;
    const truth = this.model.get("truth") ?? null;
    this.part.show(value, truth);
    this.poll.update();
    const page = Boolean(this.model.get("page"));
    const forgotten = Boolean(this.model.get("forgotten"));
    const before = page
      ? "Say what you expect, before you read on."
      : forgotten
        ? "Your answers in this notebook are forgotten."
        : "Say what you expect, before you run the next cell.";
    const kept = page
      ? "Kept in this browser."
      : this.model.get("outlasts")
        ? "Kept for this notebook."
        : "Kept until the kernel ends.";
    const code = value !== null && page ? writeCode(this.asked(), value) : "";
    const said = value === null ? before : code ? `${kept} In a class, this is its code: ${code}` : kept;
    write(
      this.said,
      truth === null ? said : value === null ? "The result is marked." : "The result is marked beside it.",
    );
    write(this.forget, forgotten ? "Undo" : "Forget my answers");
    this.forget.hidden = page || (value === null && !forgotten);
    attribute(this.root, "data-said", value !== null);
    attribute(this.root, "data-revealed", truth !== null);
  }
}
