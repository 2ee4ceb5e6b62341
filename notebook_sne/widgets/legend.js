// The legend: the mark and the name of every class, or the scale of the values.

import { make } from "./elements.js";
import { SHAPES, classColour, traceShape, valueColour } from "./marks.js";
import { digits } from "./window.js";

const HELP = "Show these clearly and let the others step back; again to show all";

export class Legend {
  /** @param {any} objects  classes, class names, values and their range  @param {() => void} changed */
  constructor({ classes, classNames, values, range }, changed, signal) {
    this.element = make("div", { class: "nsne-legend", "data-part": "legend", role: "group", "aria-label": "Labels" });
    /** @type {Set<number>} classes that step back */
    this.dimmed = new Set();
    this.count = classNames.length;
    this.changed = changed;
    this.marks = [];
    if (values) {
      const bar = make("span", { class: "nsne-bar" });
      bar.style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(valueColour).join(", ")})`;
      this.element.append(make("span", { class: "nsne-values" }, digits(range[0]), bar, digits(range[1])));
    }
    if (!classes) return;
    const longest = Math.max(...classNames.map((name) => name.length));
    if (longest <= 10) this.element.style.setProperty("--nsne-entry", longest <= 3 ? "60px" : "100px");
    classNames.forEach((name, k) => {
      const mark = make("canvas", { "aria-hidden": "true" });
      this.marks.push(mark);
      const entry = make("button", { type: "button", "data-control": "legend", "data-class": k, "aria-pressed": "false", title: HELP }, mark, make("span", {}, name));
      entry.addEventListener("click", () => this.single(k), { signal });
      this.element.append(entry);
    });
  }

  /** Let all classes but k step back; none, if that is so already. */
  single(k) {
    const alone = this.dimmed.size === this.count - 1 && !this.dimmed.has(k) && this.count > 1;
    this.dimmed = new Set();
    for (let i = 0; i < this.count && !alone; i++) if (i !== k) this.dimmed.add(i);
    for (const entry of this.element.children) {
      const back = this.dimmed.has(Number(entry.dataset.class));
      entry.setAttribute("aria-pressed", String(this.dimmed.size > 0 && !back));
      entry.classList.toggle("nsne-dimmed", back);
    }
    this.changed();
  }

  paint(dark, ratio) {
    this.marks.forEach((mark, k) => {
      mark.width = mark.height = Math.round(14 * ratio);
      const context = mark.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 7 * ratio, 7 * ratio);
      traceShape(context, SHAPES[k % SHAPES.length], 4.4);
      context.fillStyle = classColour(k, dark);
      context.fill();
    });
  }
}
