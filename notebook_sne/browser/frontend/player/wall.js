// Sizes of a view: how high its map is, by a handle that is dragged and remembered; and the wall: in full screen all of it
// grows with the screen, so that a whole room reads it, and what can be pressed fades while the map moves.

import { attribute } from "../shared/elements.js";
import { isChord } from "../shared/keys.js";
import { LEAST_HEIGHT, MOST_HEIGHT } from "./layout.js";
import { Part } from "./part.js";

// The smallest type of a view is 11.5 pixels: on a screen of this height it is 2 % of it.
const SCREEN = [960, 566];
const HOST = "[data-enlarge]"; // what is read from as far away, such as a slide
const REST = 2500; // ms after which hands that do nothing are taken to be away
const USUAL = 460; // pixels: a height that nobody has chosen, which leaves room for a cell above and for Play below
const FITTING = `min(${USUAL}px, max(300px, 100vh - 390px))`;
const STEP = 20; // pixels by which a key changes the height

export class Wall extends Part {
  /** @param {Known} known @param {{parts: Parts, timeline: Timeline, resized: () => void}} own */
  constructor(known, { parts, timeline, resized }) {
    super(known);
    this.parts = parts;
    this.timeline = timeline;
    this.resized = resized;
    /** @type {{from: number, height: number}|null} where the handle was taken */
    this.drag = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.resting = undefined;
    const { root, handle } = parts;
    const { on } = this;
    for (const name of /** @type {const} */ (["pointermove", "pointerdown", "keydown", "focusin"]))
      on(root, name, () => this.wake(), { capture: true, passive: true });
    on(document, "fullscreenchange", () => this.fill());
    on(globalThis, "resize", () => this.fill());
    on(handle, "pointerdown", (event) => this.take(event));
    on(handle, "pointermove", (event) => this.drag && this.show(this.drag.height + event.clientY - this.drag.from));
    on(handle, "pointerup", () => this.letGo());
    on(handle, "lostpointercapture", () => this.letGo());
    on(handle, "keydown", (event) => this.key(event));
  }

  stop() {
    clearTimeout(this.resting);
  }

  // ---- the height ----

  /** @param {number} height  of the map in pixels */
  show(height) {
    this.height = Math.round(Math.min(Math.max(height, LEAST_HEIGHT), MOST_HEIGHT));
    const usual = this.height === USUAL && !this.drag;
    this.parts.root.style.setProperty("--nsne-height", usual ? FITTING : `${this.height}px`);
    attribute(this.parts.handle, "aria-valuenow", this.height);
  }

  /** @param {PointerEvent} event */
  take(event) {
    if (event.button > 0) return;
    this.parts.handle.setPointerCapture(event.pointerId);
    this.drag = { from: event.clientY, height: this.stage.size[1] };
  }

  letGo() {
    if (!this.drag) return;
    this.drag = null;
    this.keep();
  }

  keep() {
    if (this.height !== this.hub.model.get("height")) this.hub.keep("height", this.height ?? LEAST_HEIGHT);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
    if (!by || isChord(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.show(this.stage.size[1] + by);
    this.keep();
  }

  // ---- the screen ----

  get full() {
    return document.fullscreenElement === this.parts.root;
  }

  /** The screen is filled, or no longer, or is another one. */
  fill() {
    const [wide, high] = SCREEN;
    const { innerWidth = wide, innerHeight = high } = globalThis;
    const { root } = this.parts;
    const far = this.full || root.closest(HOST) !== null;
    const zoom = far ? Math.max(1, Math.min(innerWidth / wide, innerHeight / high)) : 1;
    attribute(root, "data-wall", this.full);
    root.style.setProperty("--nsne-zoom", String(zoom));
    if (zoom === this.stage.zoom) return;
    this.stage.zoom = zoom;
    this.resized();
    this.wake();
  }

  /** Hands are there: what they can press is shown, until they rest while the map moves. */
  wake() {
    if (!this.full && this.resting === undefined) return;
    clearTimeout(this.resting);
    this.resting = undefined;
    attribute(this.parts.root, "data-quiet", "false");
    if (this.full) this.resting = setTimeout(() => this.rest(), REST);
  }

  rest() {
    this.resting = undefined;
    const moves = this.hub.playing() || this.timeline.playing;
    if (this.full && moves) attribute(this.parts.root, "data-quiet", "true");
    else if (this.full) this.wake(); // until it does
  }

  update() {
    const height = this.hub.model.get("height");
    if (!this.drag && height !== this.height) this.show(height);
    if (this.parts.root.dataset.quiet === "true" && !this.hub.playing() && !this.timeline.playing) this.wake();
  }
}
