// The legend: the mark and the name of every class, or the scale of the values or costs.

import { attribute, make, write } from "../shared/elements.js";
import { entriesOf } from "../shared/colors.js";
import { UNLABELED, classColor, classShape, traceShape, valueColor } from "../shared/marks.js";
import { digits } from "../shared/window.js";

const HELP =
  "Click: show these clearly and let the others step back; again: show all. Shift+click adds these to the selection, Alt+click removes them";
const STOPS = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1];
const WOUND = "Costs are those of the present moment: go back to now to see them";
const NAMES = { label: "Labels", value: "Value", cost: "Cost of each object" };

export class Legend {
  /**
   * @param {any} objects  classes, class names, values and their range
   * @param {{changed: () => void, pick: (k: number, event: Event) => void}} acts  after a change here; a class is chosen
   */
  constructor({ classes, classNames, values }, acts, signal) {
    this.element = make("div", { class: "nsne-legend", "data-part": "legend", role: "group", "aria-label": "Labels" });
    /** @type {Set<number>} classes that step back */
    this.dimmed = new Set();
    this.version = 0;
    const entries = entriesOf({ classes, classNames });
    this.keys = entries.map(({ key }) => key);
    this.acts = acts;
    this.marks = [];
    this.low = make("span");
    this.high = make("span");
    this.bar = make("span", { class: "nsne-bar", role: "img", "aria-label": "from dark, low, to light, high" });
    this.unit = make("span", { class: "nsne-axis" });
    this.scale = make("div", { class: "nsne-values", hidden: "" }, this.low, this.bar, this.high, this.unit);
    const blank = values ? values.reduce((sum, value) => sum + Number(Number.isNaN(value)), 0) : 0;
    this.blank = make("canvas", { "aria-hidden": "true" });
    this.none = make(
      "div",
      { class: "nsne-values", hidden: "" },
      blank ? this.blank : "",
      blank ? make("span", {}, `no value (${blank})`) : "",
    );
    this.list = make("div", { class: "nsne-classes", role: "toolbar", "aria-label": "Labels" });
    this.hint = make("div", { class: "nsne-quiet", hidden: "" }, WOUND);
    this.element.append(this.list, this.scale, this.none, this.hint);
    if (!classes) return;
    const longest = classNames.reduce((most, name) => Math.max(most, name.length), 0);
    if (longest <= 10) this.element.style.setProperty("--nsne-entry", longest <= 3 ? "56px" : "100px");
    entries.forEach(({ key: k, name }, at) => {
      const mark = make("canvas", { "aria-hidden": "true" });
      this.marks.push(mark);
      const entry = make(
        "button",
        {
          type: "button",
          "data-control": "legend",
          "data-class": k,
          "aria-pressed": "false",
          title: HELP,
          tabindex: at ? "-1" : "0",
        },
        mark,
        make("span", {}, name),
      );
      entry.addEventListener(
        "click",
        (event) => (event.shiftKey || event.altKey ? acts.pick(k, event) : this.single(k)),
        { signal },
      );
      if (k === UNLABELED) entry.style.setProperty("grid-column", "1 / -1"); // its words are longer than short names
      this.list.append(entry);
    });
    this.list.addEventListener("focusin", ({ target }) => this.stopAt(target), { signal });
    this.list.addEventListener("keydown", (event) => this.rove(event), { signal });
  }

  /** One entry has the Tab stop, of however many; arrows lead from one to the next. */
  rove(event) {
    const all = [...this.list.children];
    const at = all.indexOf(event.target);
    const to = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!all[to]) return;
    this.stopAt(all[to]);
    all[to].focus();
  }

  /** Tab comes to this entry from now on. */
  stopAt(entry) {
    for (const one of this.list.children) if (one.tabIndex === 0 && one !== entry) one.tabIndex = -1;
    entry.tabIndex = 0;
  }

  /** Let all classes but k step back; none, if that is so already. */
  single(k) {
    const alone = this.dimmed.size === this.keys.length - 1 && !this.dimmed.has(k) && this.keys.length > 1;
    this.dimmed = new Set(alone ? [] : this.keys.filter((key) => key !== k));
    for (const entry of this.list.children) {
      const back = this.dimmed.has(Number(entry.dataset.class));
      entry.setAttribute("aria-pressed", String(this.dimmed.size > 0 && !back));
      entry.classList.toggle("nsne-dimmed", back);
    }
    this.version += 1;
    this.acts.changed();
  }

  /** Show what the colors mean now. @param {import("./colors.js").Coloring} coloring @param {boolean} wound  the film is shown */
  update({ channel, range, wanted }, wound = false) {
    this.hint.hidden = !(wound && wanted === "cost" && channel === "none");
    this.element.hidden = channel === "none" && this.hint.hidden;
    attribute(this.element, "aria-label", NAMES[channel] ?? "");
    this.list.hidden = channel !== "label";
    this.scale.hidden = !range;
    this.none.hidden = channel !== "value" || !this.none.textContent;
    if (!range) return;
    write(this.low, digits(range[0], 3));
    write(this.high, digits(range[1], 3));
    write(this.unit, channel === "cost" ? "nats" : "");
  }

  /** The heading for what the colors mean now. */
  static title(channel) {
    return NAMES[channel] ?? "";
  }

  paint(dark, ratio) {
    this.bar.style.background = `linear-gradient(to right, ${STOPS.map((t) => valueColor(t, dark)).join(", ")})`;
    this.marks.forEach((mark, at) => this.sign(mark, this.keys[at], dark, ratio));
    this.sign(this.blank, UNLABELED, dark, ratio);
  }

  sign(mark, key, dark, ratio) {
    mark.width = mark.height = Math.round(14 * ratio);
    const context = mark.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 7 * ratio, 7 * ratio);
    traceShape(context, classShape(key), 4.4);
    context.fillStyle = classColor(key, dark);
    context.fill();
  }
}
