// A square to draw in, with a pen, a finger, a mouse or the arrow keys.

import { attribute, draw } from "../shared/elements.js";
import { isChord } from "../shared/keys.js";
import { FIELD, PEN } from "./ink.js";

/** @import { listener } from "../shared/elements.js" */
/** @import { Strokes } from "./ink.js" */

const MOST = 2000; // numbers of a drawing: a hand that goes on draws no more
const APART = 8; // parts of the field between two points, at least
const STEP = 50; // of an arrow key
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

export class Field {
  /** @param {ReturnType<typeof listener>} on @param {(strokes: Strokes) => void} say  called after each line */
  constructor(on, say) {
    this.say = say;
    /** @type {Strokes} */
    this.strokes = [];
    this.held = false; // by a pointer
    this.begins = true; // whether the arrow keys begin a line
    this.at = [FIELD / 2, FIELD / 4]; // where their pen is
    this.ink = draw("path", { "stroke-width": PEN });
    this.pen = draw("circle", { r: PEN / 2 });
    const label =
      "Field to draw in, by pen, finger or mouse, or by the arrow keys, which draw nothing while Shift is held";
    const is = { viewBox: `0 0 ${FIELD} ${FIELD}`, role: "application", tabindex: 0, "aria-label": label };
    this.element = draw("svg", { ...is, "data-control": "field" }, this.ink, this.pen);
    on(this.element, "pointerdown", (event) => {
      if (event.button || !event.isPrimary) return;
      this.held = this.begins = true;
      this.element.setPointerCapture?.(event.pointerId);
      this.strokes = [...this.strokes, []];
      this.follow(event);
    });
    on(this.element, "pointermove", (event) => this.held && event.isPrimary && this.follow(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      on(this.element, name, () => {
        if (this.held) say(this.strokes);
        this.held = false;
      });
    on(this.element, "keydown", (event) => this.key(event));
    this.show([]);
  }

  /** @param {PointerEvent} event */
  follow(event) {
    const { left, top, width } = this.element.getBoundingClientRect();
    const all = event.getCoalescedEvents?.() ?? [];
    for (const { clientX, clientY } of all.length ? all : [event])
      this.add([((clientX - left) / width) * FIELD, ((clientY - top) / width) * FIELD]);
  }

  /** Draw on to a point. @param {number[]} point */
  add(point) {
    this.at = point.map((x) => Math.round(Math.min(Math.max(x, 0), FIELD)));
    const line = this.strokes[this.strokes.length - 1];
    const [x, y] = line.slice(-2);
    if (line.length && Math.hypot(this.at[0] - x, this.at[1] - y) < APART) return;
    if (this.strokes.reduce((sum, one) => sum + one.length, 0) < MOST) line.push(...this.at);
    this.show(this.strokes);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const way = WAYS[event.key];
    if (!way || isChord(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.at.map((x, k) => Math.min(Math.max(x + way[k], 0), FIELD));
    if (event.shiftKey) {
      [this.at, this.begins] = [next, true];
      return this.show(this.strokes);
    }
    const last = this.strokes[this.strokes.length - 1] ?? [];
    this.strokes = this.begins ? [...this.strokes, [...this.at]] : [...this.strokes.slice(0, -1), [...last]];
    this.begins = false;
    this.add(next);
    this.say(this.strokes);
  }

  /** @param {Strokes} strokes */
  show(strokes) {
    this.strokes = strokes;
    const line = (/** @type {number[]} */ [x, y, ...more]) =>
      `M${x} ${y}L${more.length ? more.join(" ") : `${x} ${y}`}`;
    attribute(
      this.ink,
      "d",
      strokes
        .filter((points) => points.length)
        .map(line)
        .join(""),
    );
    attribute(this.pen, "cx", this.at[0]);
    attribute(this.pen, "cy", this.at[1]);
  }
}
