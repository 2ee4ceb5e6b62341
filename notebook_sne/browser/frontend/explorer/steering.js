// What steers a fit that goes on beside the explorer, where it can be steered: its knobs, and the curve of its cost. Both
// begin folded, so that the words come first.

import { paintCurve } from "../shared/curve.js";
import { KnobPanel } from "../shared/knobs.js";
import { clearPen, folding, make, write } from "../shared/elements.js";
import { themeOf } from "../shared/theme.js";

const [WIDTH, HEIGHT] = [340, 130]; // of the curve, in CSS pixels; where there is less room it is narrower

export class Steering {
  /** @param {ExplorerHub} hub @param {AbortSignal} signal */
  constructor(hub, signal) {
    this.hub = hub;
    this.knobs = new KnobPanel({ hub, signal, open: false });
    this.canvas = make("canvas", {
      "data-part": "curve",
      role: "img",
      "aria-label": "Cost in nats over the updates",
    });
    this.rest = make("div", { class: "nsne-quiet", "data-part": "rest" });
    this.curve = folding("curve", "Cost", false, this.rest, this.canvas).element;
    this.curve.addEventListener("toggle", () => this.paint(), { signal });
    this.element = make("div", { class: "nsne-e-steering" }, this.knobs.element, this.curve);
    this.element.hidden = !hub.steers;
  }

  /** Write everything but the curve. */
  update() {
    if (this.element.hidden) return;
    this.knobs.update();
    write(this.rest, this.hub.trace.rests ? "at rest" : "");
  }

  paint() {
    if (this.element.hidden || !this.curve.open) return;
    const width = Math.min(WIDTH, this.curve.clientWidth);
    const ratio = devicePixelRatio || 1;
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
    const pen = clearPen(this.canvas, width, HEIGHT, ratio);
    paintCurve(pen, this.hub.trace, { width, height: HEIGHT, ratio, theme: themeOf(this.element) });
  }
}
