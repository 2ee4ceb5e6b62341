// A curve by hand: a number for each place, drawn with a pointer or moved by the arrow keys.

import { attribute, draw, make } from "../shared/elements.js";
import { isChord } from "../shared/keys.js";

/** @import { listener } from "../shared/elements.js" */

const [WIDE, HIGH] = [420, 190]; // units of the drawing
const ROOM = { left: 46, right: 14, top: 12, bottom: 34 };
const PARTS = 50; // steps of the arrow keys from the lowest value to the highest

export class Sketch {
  /**
   * @param {object} own
   * @param {string[]} own.places  in words @param {string[]} own.axes  what is to the right, and what is up
   * @param {number} own.low @param {number} own.high
   * @param {ReturnType<typeof listener>} own.on @param {(value: number[]) => void} own.say  called when a curve is drawn
   */
  constructor({ places, axes, low, high, on, say }) {
    this.places = places;
    this.low = low;
    this.high = high;
    this.say = say;
    /** @type {number[]|null} */
    this.value = null;
    /** @type {number[]|null} what was found */
    this.truth = null;
    this.held = false; // by a pointer
    this.mine = draw("polyline", { class: "nsne-mine" });
    this.found = draw("polyline", { class: "nsne-found" });
    this.dots = places.map((place, k) =>
      draw("circle", { r: 5, tabindex: 0, role: "slider", "data-control": `place-${k}`, "aria-label": place }),
    );
    this.svg = draw(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "group", "aria-label": axes.filter(Boolean).join(", ") || "curve" },
      ...this.frame(axes),
      this.found,
      this.mine,
      ...this.dots,
    );
    this.hint = make(
      "p",
      { class: "nsne-soft" },
      "Draw the curve with the mouse or a finger, or move its points by the arrow keys.",
    );
    this.element = make("div", { class: "nsne-sketch" }, this.svg, this.hint);
    on(this.svg, "pointerdown", (event) => {
      this.held = true;
      this.svg.setPointerCapture?.(event.pointerId);
      this.drawAt(event);
    });
    on(this.svg, "pointermove", (event) => this.held && this.drawAt(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      on(this.svg, name, () => {
        if (this.held && this.value) say(this.value);
        this.held = false;
      });
    for (const [k, dot] of this.dots.entries()) on(dot, "keydown", (event) => this.key(event, k));
  }

  /** @param {number} k */
  x(k) {
    return ROOM.left + ((WIDE - ROOM.left - ROOM.right) * k) / (this.places.length - 1);
  }

  /** @param {number} value */
  y(value) {
    const share = Math.min(Math.max((value - this.low) / (this.high - this.low), 0), 1);
    return HIGH - ROOM.bottom - share * (HIGH - ROOM.top - ROOM.bottom);
  }

  /** @param {string[]} axes */
  frame([right, up]) {
    /** @param {string} words @param {Record<string, unknown>} at */
    const text = (words, at) => draw("text", at, words);
    const bottom = HIGH - ROOM.bottom;
    const said = (/** @type {number} */ value) => String(Number(value.toPrecision(3)));
    return [
      draw("path", { class: "nsne-axes", d: `M${ROOM.left} ${ROOM.top}V${bottom}H${WIDE - ROOM.right}` }),
      ...this.places.map((place, k) => text(place, { x: this.x(k), y: bottom + 14, "text-anchor": "middle" })),
      text(said(this.high), { x: ROOM.left - 6, y: ROOM.top + 8, "text-anchor": "end" }),
      text(said(this.low), { x: ROOM.left - 6, y: bottom, "text-anchor": "end" }),
      text(right ?? "", { x: (ROOM.left + WIDE - ROOM.right) / 2, y: HIGH - 4, "text-anchor": "middle" }),
      text(up ?? "", { x: -(ROOM.top + bottom) / 2, y: 14, transform: "rotate(-90)", "text-anchor": "middle" }),
    ];
  }

  /** @param {PointerEvent} event */
  drawAt(event) {
    event.preventDefault();
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDE;
    const y = ((event.clientY - box.top) / box.height) * HIGH;
    const last = this.places.length - 1;
    const k = Math.round(((x - ROOM.left) / (WIDE - ROOM.left - ROOM.right)) * last);
    const share = (HIGH - ROOM.bottom - y) / (HIGH - ROOM.top - ROOM.bottom);
    this.put(Math.min(Math.max(k, 0), last), this.low + share * (this.high - this.low));
  }

  /** @param {number} k @param {number} value */
  put(k, value) {
    const kept = Math.min(Math.max(value, this.low), this.high);
    // The first touch draws a level line, which is then bent.
    this.value = this.value ? this.value.with(k, kept) : this.places.map(() => kept);
    this.paint();
  }

  /** @param {KeyboardEvent} event @param {number} k */
  key(event, k) {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way || isChord(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const now = this.value?.[k] ?? (this.low + this.high) / 2;
    this.put(k, now + (way * (this.high - this.low)) / PARTS);
    if (this.value) this.say(this.value);
  }

  /** @param {Answer|null} value @param {Answer|null} truth */
  show(value, truth) {
    if (!this.held) this.value = Array.isArray(value) ? value : null;
    this.truth = Array.isArray(truth) ? truth : null;
    this.paint();
  }

  paint() {
    const { value, truth } = this;
    /** @param {number[]|null} curve */
    const line = (curve) => (curve ?? []).map((one, k) => `${this.x(k)},${this.y(one)}`).join(" ");
    attribute(this.mine, "points", line(value));
    attribute(this.found, "points", line(truth));
    for (const [k, dot] of this.dots.entries()) {
      const now = value?.[k] ?? (this.low + this.high) / 2;
      attribute(dot, "cx", this.x(k));
      attribute(dot, "cy", this.y(now));
      attribute(dot, "class", value ? "nsne-dot" : "nsne-dot nsne-unsaid");
      attribute(dot, "aria-valuemin", this.low);
      attribute(dot, "aria-valuemax", this.high);
      attribute(dot, "aria-valuenow", Number(now.toPrecision(3)));
    }
  }
}
