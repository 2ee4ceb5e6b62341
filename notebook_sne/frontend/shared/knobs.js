// The knobs of the model at work: each a number and a slider. A knob that is not turned shows what its schedule gives
// at this moment; a turned one says so and can be let go.

import { phrase, rephrase } from "../languages/phrase.js";
import { attribute, button, folding, listener, make, sign, write } from "./elements.js";

/** @import { KnobFacts } from "./types.d.ts" */
/** @import { Hub } from "./hub.js" */

const ROUND = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.3, 3.6, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9]; // stops of a decade
const DECADES = 4; // that a slider of ratios spans when its range begins at 0
const BACK = "M6.5 2 2 6l4.5 4V7.3h3a2.4 2.4 0 0 1 0 4.8H6V14h3.5a4.3 4.3 0 0 0 0-8.6h-3z"; // an arrow, in a box of 16 x 16
const SLOW = new Set(["perplexity", "least_p"]); // turned on letting go: each new value makes the affinities anew

/** A number as it is written in a field: up to four digits that matter. @param {number|null|undefined} value */
export function knobDigits(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return String(Number(value.toPrecision(4))).replace("e+", "e");
  return String(Number(size >= 1000 ? value.toFixed(0) : value.toPrecision(4)));
}

/** The values that a slider and the arrow keys lead through: round ones, evenly spaced by ratio or by difference. @param {KnobFacts} knob */
export function knobStops({ low, high, log, closed }) {
  /** @type {number[]} */
  const stops = [];
  if (log) {
    const bottom = low > 0 ? low : high / 10 ** DECADES;
    if (closed && low <= 0) stops.push(0);
    for (let e = Math.floor(Math.log10(bottom)); e <= Math.log10(high); e++) {
      for (const digit of ROUND) {
        const value = Number(`${digit}e${e}`);
        if (value >= bottom && value <= high) stops.push(value);
      }
    }
  } else {
    const step = 10 ** Math.floor(Math.log10((high - low) / 50));
    const count = Math.floor((high - low) / step + 1e-6);
    for (let k = closed || low > 0 ? 0 : 1; k <= count; k++) stops.push(Number((low + k * step).toPrecision(12)));
  }
  return stops;
}

/** The stop nearest to a value. @param {number[]} stops @param {number} value */
export function knobPlace(stops, value) {
  let best = 0;
  // Between two stops both scales are even enough for the nearer one to be the right one.
  for (let k = 1; k < stops.length; k++) if (Math.abs(stops[k] - value) < Math.abs(stops[best] - value)) best = k;
  return best;
}

/** The value `by` stops further up, or down. @param {number[]} stops @param {number} value @param {number} by */
export function knobStep(stops, value, by) {
  const above = stops.findIndex((stop) => stop > value * (1 + 1e-9));
  const up = above < 0 ? stops.length : above;
  const here = up > 0 && stops[up - 1] >= value * (1 - 1e-9) ? up - 1 : null; // null: between two stops
  const k = here === null ? (by > 0 ? up + by - 1 : up + by) : here + by;
  return stops[Math.min(Math.max(k, 0), stops.length - 1)];
}

/**
 * Read a typed number. The knob's own bounds are `least`, which is allowed if it is closed, and `most`, which never is
 * (null: there is none); where they are not told, those of its slider stand for them.
 * @param {KnobFacts} knob @param {string} text @returns {{value: number}|{trouble: string}}
 */
export function readKnob({ low, high, closed, least, most }, text) {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  const value = plain === "" ? NaN : Number(plain);
  const from = least ?? low;
  const above = !closed && (least !== undefined || low <= 0);
  /** @type {[holds: boolean, words: string][]} */
  const tests = [];
  if (above) tests.push([value > from, phrase`above ${knobDigits(from)}`]);
  else tests.push([value >= from, phrase`at least ${knobDigits(from)}`]);
  if (most === undefined) tests.push([value <= high, phrase`at most ${knobDigits(high)}`]);
  else if (most !== null) tests.push([value < most, phrase`below ${knobDigits(most)}`]);
  const rule = phrase`write a number ${tests.map(([, words]) => words).join(phrase` and `)}`;
  if (!Number.isFinite(value))
    return { trouble: phrase`“${[...text].slice(0, 20).join("")}” is not a number: ${rule}` };
  return tests.every(([holds]) => holds)
    ? { value }
    : { trouble: phrase`${knobDigits(value)} is out of range: ${rule}` };
}

class Knob {
  /** @param {Hub} hub @param {KnobFacts} facts @param {AbortSignal} signal */
  constructor(hub, facts, signal) {
    this.hub = hub;
    this.facts = facts;
    this.edited = this.sliding = false;
    const { name, label, unit, fixed } = facts;
    const what = rephrase(facts.what);
    const id = `nsne-${Math.random().toString(36).slice(2)}`;
    const title = rephrase(label || name.replaceAll("_", " "));
    this.field = make("input", {
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
    });
    this.stops = knobStops(facts);
    this.slider = make("input", {
      type: "range",
      min: "0",
      max: this.stops.length - 1,
      step: "1",
      class: "nsne-slider",
      "data-control": `knob-${name}-slider`,
      "aria-label": title,
      title: what,
    });
    this.state = make("span", { class: "nsne-knob-state" });
    const freed = phrase`Set by hand: let the model set ${title} again`;
    this.free = button(`knob-${name}-release`, phrase`by hand`, freed, sign(BACK));
    const kind = fixed ? { class: "nsne-quiet", role: "note" } : { class: "nsne-why", role: "alert" };
    this.why = make("div", { ...kind, id: `${id}-why` }, rephrase(fixed ?? ""));
    this.why.hidden = !fixed;
    const title_ = make("label", { for: id, title: what }, title);
    const unit_ = unit ? make("small", {}, rephrase(unit)) : "";
    this.element = make("div", { class: "nsne-knob", "data-knob": name });
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
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
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
    if (from === undefined || this.field.readOnly) return;
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
    this.field.readOnly = off;
    if (!this.sliding) this.show(value, turned);
    const then = hub.live && hub.scrub !== null && filmed !== undefined && knobDigits(filmed) !== knobDigits(value);
    const state = !hub.live ? "film" : turned ? "held" : "schedule";
    attribute(this.element, "data-state", state);
    write(
      this.state,
      then ? phrase`then ${knobDigits(filmed)}` : state === "schedule" && value !== undefined ? phrase`automatic` : "",
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
      const words = `${text}${this.facts.unit ? ` ${rephrase(this.facts.unit)}` : ""}${turned ? "" : phrase`, automatic`}`;
      attribute(this.slider, "aria-valuetext", words);
      attribute(this.field, "aria-valuenow", text);
    }
    if (!this.edited && this.field.value !== text) this.field.value = text;
  }
}

export class KnobPanel {
  /** @param {{hub: Hub, signal: AbortSignal, open?: boolean}} own  whether it begins open */
  constructor({ hub, signal, open = true }) {
    this.hub = hub;
    this.signal = signal;
    this.key = "";
    /** @type {Knob[]} */
    this.rows = [];
    this.list = make("div", { class: "nsne-knob-list" });
    const said = this.hub.live ? this.hub.model.get("page_note") : phrase`As they stood in the run that was recorded.`;
    this.note = make("div", { class: "nsne-quiet" }, rephrase(said ?? ""));
    this.note.hidden = !said;
    const inside = make("div", { "data-part": "knobs" }, this.list, this.note);
    this.element = folding("knobs", phrase`Knobs`, open, inside).element;
  }

  /** What knobs there are: the model's; of a film, those that its frames tell of. @returns {KnobFacts[]} */
  knobs() {
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
      this.rows = knobs.map((facts) => new Knob(this.hub, facts, this.signal));
      this.list.replaceChildren(...this.rows.map((row) => row.element));
    }
    this.element.hidden = !knobs.length;
    for (const row of this.rows) row.update();
  }
}
