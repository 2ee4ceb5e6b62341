// A hand on a map: what a press, a drag, a pinch and a wheel do to its window.
//
// A press that stays within a few pixels is a click. A press that moves, moves the view. A finger does the same once the
// map has been tapped (touch.js). What else a hand may do, a kind of its own says.

import { attribute, listener } from "./elements.js";
import { slack, TouchRule, touches } from "./touch.js";
import { wheelHint, wheelZoom } from "./wheel.js";
import { pan } from "./window.js";

/**
 * @typedef {object} Act  what the pressed pointer does
 * @property {"press"|"pan"|"move"|"lasso"} kind
 * @property {Pair} from  where it was pressed
 * @property {Pair} at
 * @property {number} index  of the object under it, or -1
 * @property {boolean} middle  whether by the middle button
 */

export class Hand {
  /**
   * @param {object} own
   * @param {{window: MapWindow, size: Pair, zoom: number}} own.stage  what is shown of the map, and by how much it is enlarged
   * @param {{canvas: HTMLCanvasElement, stage: HTMLElement, root: HTMLElement}} own.parts  the map, what is around it, the view
   * @param {AbortSignal} own.signal
   * @param {(words: string) => void} own.say
   * @param {(i: number) => void} own.lookAt  show what is known of the object under the pointer; -1 for none
   */
  constructor({ stage, parts, signal, say, lookAt }) {
    this.stage = stage;
    this.parts = parts;
    this.say = say;
    this.lookAt = lookAt;
    this.touch = new TouchRule({ stage: parts.stage, say });
    this.touch.watch(parts.root, signal);
    /** @type {Map<number, Pair>} where each finger is */
    this.fingers = new Map();
    /** @type {Act|null} */
    this.act = null;
    /** @type {Pair|null} where a pointer hovers */
    this.over = null;
    /** @type {Pair|undefined} where it was seen last */
    this.rested = undefined;
    this.overKind = "mouse";
    /** @type {(name: keyof HTMLElementEventMap, act: (event: PointerEvent) => unknown) => void} */
    const on = (name, act) => listen(parts.canvas, name, (event) => act(/** @type {PointerEvent} */ (event)));
    const listen = listener(signal);
    listen(parts.canvas, "wheel", (event) => this.wheel(event), { passive: false });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.cancel(event));
    on("lostpointercapture", (event) => this.fingers.has(event.pointerId) && this.cancel(event)); // and no end was told
    on("pointerleave", () => this.hover(null));
    listen(parts.canvas, "dblclick", (event) => this.twice(event));
  }

  // ---- what a kind of its own does ----

  /** The object at a place of the view, or -1. @param {Pair} _at @param {string} [_kind]  of the pointer */
  pick(_at, _kind) {
    return -1;
  }

  /** What a press becomes that moves. @param {Act} _act @returns {Act["kind"]} */
  kindOf(_act) {
    return "pan";
  }

  /** A drag goes on that does not move the view. @param {Act} _act */
  drag(_act) {}

  /** A drag ends that did not move the view. @param {Act} _act @param {PointerEvent} _event */
  drop(_act, _event) {}

  /** @param {Act} _act @param {PointerEvent} _event */
  click(_act, _event) {}

  /** A finger pointed at this object, or at empty ground: -1. @param {number} _index */
  clicked(_index) {}

  /** @param {MouseEvent} _event */
  twice(_event) {}

  /** @param {number} dx @param {number} dy */
  panBy(dx, dy) {
    pan(this.stage.window, dx, dy, this.stage.size[0]);
  }

  /** @param {number} _factor @param {number} _x @param {number} _y */
  zoomBy(_factor, _x, _y) {}

  // ---- pointers ----

  /** Where in the view it happens. @param {MouseEvent} event @returns {Pair} */
  placeOf({ offsetX, offsetY, clientX, clientY }) {
    if (this.stage.zoom === 1) return [offsetX, offsetY];
    const box = this.parts.canvas.getBoundingClientRect(); // browsers differ in what is enlarged with a view
    const scale = this.stage.size[0] / box.width;
    return [(clientX - box.left) * scale, (clientY - box.top) * scale];
  }

  /** @param {Pair|null} at */
  hover(at, kind = "mouse") {
    this.over = at;
    this.overKind = kind;
    this.lookAt(at ? this.pick(at, kind) : -1);
  }

  /** The map moved beneath a pointer that rests. */
  again() {
    if (this.over) this.hover(this.over, this.overKind);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button > 1) return;
    const at = this.placeOf(event);
    // The first finger on the glass, or the mouse: any other that is still known of was lifted unseen.
    if (event.isPrimary && this.fingers.size) {
      this.fingers.clear();
      this.stop();
    }
    this.parts.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, at);
    if (event.button === 1) event.preventDefault(); // no scrolling by the middle button
    if (this.fingers.size > 1) return this.stop();
    const index = this.pick(at, event.pointerType);
    this.act = { kind: "press", from: at, at, index, middle: event.button === 1 };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.placeOf(event);
    const before = this.fingers.get(event.pointerId);
    // A pointer that rests moves too, for the browser, when the page changes beneath it: the keyboard's object stays.
    const rests = this.rested && this.rested[0] === at[0] && this.rested[1] === at[1];
    this.rested = at;
    if (before && event.pointerType !== "touch" && event.buttons === 0) return this.cancel(event); // its end was lost
    if (!before) return rests || this.hover(at, event.pointerType);
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size === 2) return this.pinch(event.pointerId, before, at);
    const { act } = this;
    if (!act || (at[0] === before[0] && at[1] === before[1])) return;
    act.at = at;
    if (act.kind === "press" && Math.hypot(at[0] - act.from[0], at[1] - act.from[1]) > slack(event.pointerType)) {
      if (touches(event.pointerType) && !this.touch.mine) {
        this.act = null; // the finger is the page's
        return this.touch.swiped();
      }
      this.hover(null);
      act.kind = this.kindOf(act);
      attribute(this.parts.stage, "data-hand", act.kind);
    }
    if (act.kind === "pan") this.panBy(at[0] - before[0], at[1] - before[1]);
    else if (act.kind !== "press") this.drag(act);
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.fingers.delete(event.pointerId);
    const { act } = this;
    if (!act) return;
    this.act = null;
    this.stop();
    if (act.kind !== "press") return this.drop(act, event);
    if (act.middle) return;
    this.click(act, event);
    if (touches(event.pointerType)) this.touch.take();
    this.clicked(act.index);
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.stop();
  }

  /** End what the hand does, without an effect. True if there was something to end. */
  stop() {
    const { act } = this;
    this.act = null;
    attribute(this.parts.stage, "data-hand", "");
    return act !== null && act.kind !== "press";
  }

  /** @param {number} id @param {Pair} before @param {Pair} at */
  pinch(id, before, at) {
    const [other] = [...this.fingers].filter(([finger]) => finger !== id).map(([, place]) => place);
    /** @param {Pair} p */
    const reach = (p) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
    pan(this.stage.window, (at[0] - before[0]) / 2, (at[1] - before[1]) / 2, this.stage.size[0]);
    this.zoomBy(reach(at) / reach(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
  }

  /** Whether the map has the keyboard, by a click on it or by Tab, or fills the screen: then the wheel is its own too. */
  get inHand() {
    const { root, stage } = this.parts;
    return root.matches(":focus, :fullscreen") || stage.matches(":focus-within");
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const factor = wheelZoom(event, this.inHand);
    if (factor !== null) {
      event.preventDefault();
      return this.zoomBy(factor, ...this.placeOf(event));
    }
    const hint = wheelHint(this.parts.stage);
    if (hint) this.say(hint);
  }
}
