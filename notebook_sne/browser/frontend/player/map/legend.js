// The legend: the mark and the name of every class, or the scale of the values or costs.

import { attribute, make, penOf, wordButton, write } from "../../shared/elements.js";
import { rove, stopAt } from "../../shared/keys.js";
import { TOLD, UNLABELED, classColor, classShape, traceShape, valueColor } from "../../shared/marks.js";
import { SCORED, isScored, scaleUnit } from "./scores.js";
import { entriesOf } from "../objects.js";

const HELP =
  "Click: show these clearly and let the others step back; again: show all. Shift+click adds these to the selection, Alt+click removes them";
const STOPS = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1];
/** @type {Partial<Record<Channel, string>>} */
const NAMES = { label: "Labels", value: "Value" };

export class Legend {
  /**
   * @param {Pick<Objects, "classes"|"classNames"|"values">} objects
   * @param {{changed: () => void, pick: (k: number, event: MouseEvent) => void}} acts  after a change here; a class is chosen
   * @param {AbortSignal} signal
   */
  constructor({ classes, classNames, values }, acts, signal) {
    this.element = make("div", {
      class: "nsne-legend",
      "data-part": "legend",
      role: "group",
      "aria-label": "Labels",
    });
    /** @type {Set<number>} classes that step back */
    this.dimmed = new Set();
    this.version = 0;
    this.flat = false; // whether its marks have no shapes either
    this.acts = acts;
    this.signal = signal;
    /** @type {number[]} of all classes */
    this.keys = [];
    /** @type {number[]} of those that it names */
    this.told = [];
    /** @type {HTMLCanvasElement[]} */
    this.marks = [];
    /** @type {HTMLButtonElement[]} */
    this.entries = [];
    this.low = make("span");
    this.high = make("span");
    this.bar = make("span", { class: "nsne-bar", role: "img", "aria-label": "from dark, low, to light, high" });
    this.unit = make("span", { class: "nsne-axis" });
    this.scale = make("div", { class: "nsne-values", hidden: "" }, this.low, this.bar, this.high, this.unit);
    this.blank = make("canvas", { "aria-hidden": "true" });
    this.none = make("div", { class: "nsne-values", hidden: "" });
    this.list = make("div", { class: "nsne-classes", role: "toolbar", "aria-label": "Labels" });
    this.hint = make("div", { class: "nsne-quiet", "data-part": "score", hidden: "" });
    this.element.append(this.list, this.scale, this.none, this.hint);
    this.list.addEventListener("focusin", ({ target }) => stopAt(target, this.entries), { signal });
    this.list.addEventListener("keydown", (event) => rove(event, this.entries), { signal });
    /** @type {object|null} what it tells of */
    this.source = null;
    /** @type {object|null} and the scores */
    this.scores = null;
    this.heading = "";
    this.fill({ classes, classNames, values });
  }

  /** Tell of other classes or values. @param {Pick<Objects, "classes"|"classNames"> & {values: ArrayLike<number>|null, title?: string}} source */
  fill({ classes, classNames, values, title }) {
    const { acts, signal } = this;
    this.tellBlank(values, title ? "missing" : "no value");
    const entries = entriesOf({ classes, classNames }, title ? "missing" : undefined);
    this.told = entries.map(({ key }) => key);
    this.keys = [...classNames.keys(), ...this.told.filter((key) => key === UNLABELED)];
    this.dimmed = new Set();
    this.version += 1;
    [this.marks, this.entries] = [[], []];
    this.stale = true; // its marks are to be painted
    this.list.replaceChildren();
    this.element.style.setProperty("--nsne-entry", "");
    if (!classes) return;
    const longest = classNames.reduce((most, name) => Math.max(most, name.length), 0);
    if (longest <= 10) this.element.style.setProperty("--nsne-entry", longest <= 3 ? "56px" : "100px");
    if (classNames.length > TOLD) {
      const words = `${classNames.length.toLocaleString("en")} classes: their names are on the map`;
      this.list.append(make("span", { class: "nsne-quiet", "data-part": "more" }, words));
    }
    entries.forEach(({ key: k, name }, at) => {
      const mark = make("canvas", { "aria-hidden": "true" });
      this.marks.push(mark);
      const is = { "data-class": k, "aria-pressed": "false", title: HELP, tabindex: at ? "-1" : "0" };
      const entry = wordButton("legend", "", is);
      entry.append(mark, make("span", {}, name));
      entry.addEventListener(
        "click",
        (event) => (event.shiftKey || event.altKey ? acts.pick(k, event) : this.single(k)),
        { signal },
      );
      if (k === UNLABELED) entry.style.setProperty("grid-column", "1 / -1"); // its words are longer than short names
      this.entries.push(entry);
      this.list.append(entry);
    });
  }

  /** Let all classes but k step back; none, if that is so already. @param {number} k */
  single(k) {
    const alone = this.dimmed.size === this.keys.length - 1 && !this.dimmed.has(k) && this.keys.length > 1;
    this.dimmed = new Set(alone ? [] : this.keys.filter((key) => key !== k));
    for (const entry of this.entries) {
      const back = this.dimmed.has(Number(entry.dataset.class));
      entry.setAttribute("aria-pressed", String(this.dimmed.size > 0 && !back));
      entry.classList.toggle("nsne-dimmed", back);
    }
    this.version += 1;
    this.acts.changed();
  }

  /** Tell how many have no value. @param {ArrayLike<number>|null} values @param {string} words */
  tellBlank(values, words) {
    const blank = values ? Array.from(values).reduce((sum, value) => sum + Number(Number.isNaN(value)), 0) : 0;
    this.none.replaceChildren(...(blank ? [this.blank, make("span", {}, `${words} (${blank})`)] : []));
  }

  /** Show what the colors mean now. @param {Coloring} coloring @param {string} remark  beneath a scale of scores @param {string} unit  of costs */
  update(coloring, remark = "", unit = " nats") {
    const { channel, range, source, own, scores } = coloring;
    if (source !== (this.source ?? own)) this.fill(source);
    this.source = source;
    const scored = isScored(channel);
    if (scored && scores !== this.scores) this.tellBlank(scores?.values ?? null, SCORED[channel].blank);
    else if (!scored && this.scores) this.tellBlank(source.values, source.title ? "missing" : "no value");
    this.scores = scored ? scores : null;
    write(this.hint, remark);
    this.hint.hidden = !remark;
    this.element.hidden = channel === "none" && !remark;
    this.heading = Legend.title(coloring);
    this.colors = source.colors;
    attribute(this.element, "aria-label", this.heading);
    this.list.hidden = channel !== "label";
    this.scale.hidden = !range;
    this.none.hidden = !(scored || channel === "value") || !this.none.textContent;
    if (!range) return;
    write(this.low, coloring.say(range[0]));
    write(this.high, coloring.say(range[1]));
    write(this.unit, scored ? scaleUnit(channel, scores, unit) : source.title); // a scale needs a name where no heading is
  }

  /** The heading for what the colors mean, or are to mean. @param {Pick<Coloring, "channel"|"wanted"|"source">} coloring */
  static title({ channel, wanted, source }) {
    return isScored(wanted) ? SCORED[wanted].title : source.title || (NAMES[channel] ?? "");
  }

  /** @param {boolean} dark @param {number} ratio @param {boolean} flat  whether the map shows no shapes */
  paint(dark, ratio, flat) {
    this.stale = false;
    this.flat = flat;
    this.bar.style.background = `linear-gradient(to right, ${STOPS.map((t) => valueColor(t, dark)).join(", ")})`;
    this.marks.forEach((mark, at) => {
      this.sign(mark, this.told[at], dark, ratio);
    });
    this.sign(this.blank, UNLABELED, dark, ratio);
  }

  /** Draw the mark of a class. @param {HTMLCanvasElement} mark @param {number} key @param {boolean} dark @param {number} ratio */
  sign(mark, key, dark, ratio) {
    mark.width = mark.height = Math.round(14 * ratio);
    const context = penOf(mark);
    context.setTransform(ratio, 0, 0, ratio, 7 * ratio, 7 * ratio);
    traceShape(context, this.flat ? "circle" : classShape(key), 4.4);
    context.fillStyle = classColor(key, dark, this.colors);
    context.fill();
  }
}
