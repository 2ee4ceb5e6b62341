// The knobs of the model at work: each a number and a slider. A knob that is not turned shows what its schedule gives
// at this moment; a turned one says so and can be let go.

import { attribute, button, folding, listener, make, sign, slider, write } from "./elements.js";
import { isChord } from "./keys.js";
import { knobDigits, knobPlace, knobStep, knobStops, readKnob } from "./knob_numbers.js";

/** @import { Hub } from "./hub.js" */

const BACK = "M6.5 2 2 6l4.5 4V7.3h3a2.4 2.4 0 0 1 0 4.8H6V14h3.5a4.3 4.3 0 0 0 0-8.6h-3z"; // an arrow, in a box of 16 x 16
const SLOW = new Set(["perplexity", "least_p"]); // turned on letting go: each new value makes the affinities anew

class Knob {
  /** @param {Hub} hub @param {KnobFacts} facts @param {AbortSignal} signal @param {boolean} typed  whether its number can be typed */
  constructor(hub, facts, signal, typed) {
    this.hub = hub;
    this.facts = facts;
    this.edited = this.sliding = false;
    this.typed = typed;
    const { name, label, unit, fixed, what } = facts;
    const id = `nsne-${Math.random().toString(36).slice(2)}`;
    const title = label || name.replaceAll("_", " ");
    /** @type {HTMLInputElement|HTMLOutputElement} */
    this.field = typed
      ? make("input", {
          type: "text",
          inputmode: "decimal",
          class: "nsne-number",
          id,
          "data-control": `knob-${name}`,
          title: what,
          role: "spinbutton",
          autocomplete: "off",
          spellcheck: "false",
          "aria-describedby": `${id}-why`,
        })
      : make("output", { class: "nsne-number", id, "aria-hidden": "true" }); // as the slider says it, too
    this.stops = knobStops(facts);
    const control = typed ? `knob-${name}-slider` : `main-${name}`;
    this.slider = slider(control, title, this.stops.length - 1, { class: "nsne-slider", title: what });
    this.state = make("span", { class: "nsne-knob-state" });
    const freed = `Set by hand: let the model set ${title} again`;
    this.free = button(`knob-${name}-release`, "by hand", freed, sign(BACK));
    const kind = fixed ? { class: "nsne-quiet", role: "note" } : { class: "nsne-why", role: "alert" };
    this.why = make("div", { ...kind, id: `${id}-why` }, fixed ?? "");
    this.why.hidden = !fixed;
    const title_ = make("label", { for: id, title: what }, title);
    const unit_ = unit ? make("small", {}, unit) : "";
    this.element = make("div", { class: "nsne-knob", [typed ? "data-knob" : "data-main-knob"]: name });
    this.element.append(
      make("div", { class: "nsne-knob-head" }, title_, unit_, this.state, this.free),
      this.slider,
      this.field,
      this.why,
    );
    this.listen(listener(signal));
  }

  /** @param {ReturnType<typeof listener>} on */
  listen(on) {
    on(this.field, "input", () => {
      this.edited = true;
      this.explain("");
    });
    on(this.field, "change", () => this.enter());
    on(this.field, "blur", () => this.enter());
    on(this.field, "keydown", (event) => this.key(event));
    on(this.slider, "input", () => this.slide(false));
    on(this.slider, "change", () => this.slide(true));
    on(this.slider, "blur", () => {
      this.sliding = false;
    });
    on(this.free, "click", () => {
      this.hub.release([this.facts.name]);
      this.slider.focus({ preventScroll: true }); // the button goes away
    });
  }

  // ---- what hands do ----

  /** @param {number} value */
  turn(value) {
    this.explain("");
    this.hub.turn(this.facts.name, value);
  }

  /** Take what was typed, if it is a number that the knob can take. */
  enter() {
    if (!this.edited) return;
    const read = readKnob(this.facts, this.field.value);
    if ("trouble" in read) return this.explain(read.trouble);
    this.edited = false;
    this.turn(read.value);
    this.update();
  }

  /** @param {string} trouble */
  explain(trouble) {
    write(this.why, trouble);
    this.why.hidden = !trouble;
    if (trouble) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = isChord(event) ? 0 : event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (event.key === "Enter") this.enter();
    else if (event.key === "Escape" && this.edited) {
      this.edited = false;
      this.explain("");
      this.update();
      event.stopPropagation();
      event.preventDefault();
    } else if (by) this.nudge(event.shiftKey ? 5 * by : by);
    if (by) event.preventDefault();
  }

  /** @param {number} by */
  nudge(by) {
    const read = readKnob(this.facts, this.field.value);
    const from = "value" in read ? read.value : this.hub.knob(this.facts.name).value;
    if (from === undefined || this.slider.disabled) return;
    this.edited = false;
    this.turn(knobStep(this.stops, from, by));
    this.update();
  }

  /** @param {boolean} done */
  slide(done) {
    const value = this.stops[Number(this.slider.value)];
    this.sliding = !done;
    if (!SLOW.has(this.facts.name) || done) this.turn(value);
    if (this.sliding) this.show(value, true);
    else this.update();
  }

  // ---- what is shown ----

  update() {
    const { hub, facts } = this;
    const filmed = hub.shownFacts().present?.[facts.name];
    const { value, turned } = hub.live ? hub.knob(facts.name) : { value: filmed, turned: false };
    const off = Boolean(facts.fixed) || !hub.able();
    this.slider.disabled = off;
    if (this.typed) /** @type {HTMLInputElement} */ (this.field).readOnly = off;
    if (!this.sliding) this.show(value, turned);
    const then = hub.live && hub.scrub !== null && filmed !== undefined && knobDigits(filmed) !== knobDigits(value);
    const state = !hub.live ? "film" : turned ? "held" : "schedule";
    attribute(this.element, "data-state", state);
    write(
      this.state,
      then ? `then ${knobDigits(filmed)}` : state === "schedule" && value !== undefined ? "automatic" : "",
    );
    this.free.hidden = state !== "held";
    this.free.disabled = off;
  }

  /** @param {number|undefined} value @param {boolean} turned */
  show(value, turned) {
    const text = knobDigits(value);
    if (value !== undefined) {
      const place = String(knobPlace(this.stops, value));
      if (!this.sliding && this.slider.value !== place) this.slider.value = place;
      this.slider.style.setProperty(
        "--nsne-done",
        String(Number(this.slider.value) / Math.max(this.stops.length - 1, 1)),
      );
      const words = `${text}${this.facts.unit ? ` ${this.facts.unit}` : ""}${turned ? "" : ", automatic"}`;
      attribute(this.slider, "aria-valuetext", words);
      if (this.typed) attribute(this.field, "aria-valuenow", text);
    }
    if (!this.edited && this.field.value !== text) this.field.value = text;
  }
}

export class KnobPanel {
  /** @param {{hub: Hub, signal: AbortSignal, open?: boolean, only?: string[]}} own  whether it begins open; which knobs it has */
  constructor({ hub, signal, open = true, only }) {
    this.hub = hub;
    this.signal = signal;
    this.only = only;
    this.key = "";
    /** @type {Knob[]} */
    this.rows = [];
    this.list = make("div", { class: "nsne-knob-list" });
    const said = this.hub.live ? this.hub.model.get("page_note") : "As they stood in the run that was recorded.";
    this.note = make("div", { class: "nsne-quiet" }, said ?? "");
    this.note.hidden = !said;
    const inside = make("div", { "data-part": "knobs" }, this.list, this.note);
    this.element = folding("knobs", "Knobs", open, inside).element;
  }

  /** What knobs there are: the model's; of a film, those that its frames tell of. @returns {KnobFacts[]} */
  knobs() {
    const [{ only }, all] = [this, this.all()];
    if (!only) return all;
    const those = all.filter(({ name }) => only.includes(name));
    return those.length ? those : all.slice(0, 1); // whatever the model has
  }

  /** @returns {KnobFacts[]} */
  all() {
    const listed = this.hub.model.get("knobs") || [];
    if (listed.length || this.hub.live) return listed;
    return Object.entries(this.hub.shownFacts().present ?? {}).map(([name, value]) => ({
      name,
      label: "",
      unit: "",
      what: "",
      low: 0,
      high: Math.max(1, value),
      log: false,
      closed: true,
    }));
  }

  update() {
    const knobs = this.knobs();
    const key = JSON.stringify(this.hub.live ? knobs : knobs.map(({ name }) => name));
    if (key !== this.key) {
      this.key = key;
      this.rows = knobs.map((facts) => new Knob(this.hub, facts, this.signal, !this.only));
      this.list.replaceChildren(...this.rows.map((row) => row.element));
    }
    this.element.hidden = !knobs.length;
    for (const row of this.rows) row.update();
  }
}
