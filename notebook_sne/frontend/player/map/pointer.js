// Hands on the map: what a press, a drag, a lasso, a pinch and a wheel do.
//
// A press that stays within a few pixels is a click: it selects. A press that moves drags the object under it, and all
// that are selected with it; it moves the view where it begins on empty ground or with the middle button; with the
// lasso at hand it draws a line around objects. A finger does the same once the map has been tapped (shared/touch.js).
// Longer than 300 lines because all that a pointer does shares what it is doing.

import { phrase } from "../../languages/phrase.js";
import { attribute, listener } from "../../shared/elements.js";
import { slack, TouchRule, touches } from "../../shared/touch.js";
import { wheelHint, wheelZoom } from "../../shared/wheel.js";
import { pan, toMap } from "../../shared/window.js";
import { movedBy, movedWords, whyNoMove } from "./moving.js";
import { enclosed, manner } from "./selection.js";

/** @import { Pair } from "../../shared/types.d.ts" */
/** @import { Axes } from "./axes.js" */
/** @import { PlayerHub } from "../hub.js" */
/** @import { KnownObjects } from "../objects.js" */
/** @import { Selection } from "./selection.js" */
/** @import { Stage } from "../stage.js" */

/**
 * @typedef {object} Act  what the pressed pointer does
 * @property {"press"|"pan"|"move"|"lasso"} kind
 * @property {Pair} from  where it was pressed
 * @property {Pair} at
 * @property {number} index  of the object under it, or -1
 * @property {boolean} middle  whether by the middle button
 * @property {Pair[]} line  of a lasso
 * @property {number[]} objects  that it moves
 * @property {Float32Array} places  of these, when it began
 * @property {Pair} grabbed  where on the map it took hold of them
 */

/** @typedef {"pan"|"lasso"} Tool */

/** @type {Record<string, number>} */
const REACH = { mouse: 10, pen: 12, touch: 18 }; // pixels around the pointer in which an object is found
const CORNER = 3; // pixels between the corners of a lasso

export class Pointer {
  /**
   * @param {object} own
   * @param {PlayerHub} own.hub
   * @param {Stage} own.stage
   * @param {KnownObjects} own.objects
   * @param {Axes} own.axes
   * @param {Selection} own.selection
   * @param {{canvas: HTMLCanvasElement, stage: HTMLElement, lasso: SVGPathElement, root: HTMLElement}} own.parts
   * @param {AbortSignal} own.signal
   * @param {(words: string) => void} own.say
   * @param {(i: number) => void} own.lookAt  show what is known of the object under the pointer; -1 for none
   * @param {(i: number) => void} own.tapped  a finger pointed at this object, or at empty ground: -1
   * @param {(i: number) => void} own.showSprings
   * @param {() => void} own.dropped  objects were moved
   * @param {(tool: Tool) => void} own.toolChanged
   */
  constructor({
    hub,
    stage,
    objects,
    axes,
    selection,
    parts,
    signal,
    say,
    lookAt,
    tapped,
    showSprings,
    dropped,
    toolChanged,
  }) {
    this.hub = hub;
    this.stage = stage;
    this.objects = objects;
    this.axes = axes;
    this.selection = selection;
    this.parts = parts;
    this.say = say;
    this.lookAt = lookAt;
    this.tapped = tapped;
    this.touch = new TouchRule({ stage: parts.stage, say });
    this.touch.watch(parts.root, signal);
    this.showSprings = showSprings;
    this.dropped = dropped;
    this.toolChanged = toolChanged;
    /** @type {Tool} */
    this.tool = "pan";
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

  /** Where in the view it happens. @param {MouseEvent} event @returns {Pair} */
  placeOf({ offsetX, offsetY, clientX, clientY }) {
    if (this.stage.zoom === 1) return [offsetX, offsetY];
    const box = this.parts.canvas.getBoundingClientRect(); // browsers differ in what is enlarged with a view
    const scale = this.stage.size[0] / box.width;
    return [(clientX - box.left) * scale, (clientY - box.top) * scale];
  }

  /** The object at a place of the view, or -1. @param {Pair} at */
  pick(at, kind = "mouse") {
    return this.stage.pick(at, REACH[kind] ?? REACH.mouse);
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

  /** Put the lasso away; true if it was at hand. */
  putAway() {
    const had = this.tool === "lasso";
    if (had) this.setTool("pan");
    return had;
  }

  toggleLasso() {
    this.setTool(this.tool === "lasso" ? "pan" : "lasso");
  }

  /** @param {Tool} tool */
  setTool(tool) {
    this.tool = tool;
    this.stop();
    this.toolChanged(tool);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button > 1) return;
    /** @type {Pair} */
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
    const begun = { middle: event.button === 1, line: [at], objects: [], places: new Float32Array(0), grabbed: at };
    this.act = { kind: "press", from: at, at, index, ...begun };
  }

  /** @param {PointerEvent} event */
  move(event) {
    /** @type {Pair} */
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
      this.begin(act);
    }
    if (act.kind === "pan") {
      this.axes.byHand(phrase`The view was moved`);
      pan(this.stage.window, at[0] - before[0], at[1] - before[1], this.stage.size[0]);
      this.hub.paintSoon();
    } else if (act.kind === "lasso") this.draw(act, at);
    else if (act.kind === "move") this.carry(act);
  }

  /** The press became a drag. @param {Act} act */
  begin(act) {
    const { hub, stage, selection } = this;
    this.hover(null);
    act.kind = "pan";
    if (this.tool === "lasso" && !act.middle) {
      act.kind = "lasso";
    } else if (act.index >= 0 && !act.middle) {
      const reason = whyNoMove(hub);
      if (reason) {
        this.axes.byHand(phrase`The view was moved`);
        this.say(reason);
      } else {
        act.kind = "move";
        act.objects = selection.has(act.index) ? selection.list : [act.index];
        act.places = stage.placesOf(act.objects);
        act.grabbed = toMap(stage.window, ...act.from, ...stage.size);
      }
    }
    attribute(this.parts.stage, "data-hand", act.kind);
  }

  /** @param {Act} act @param {Pair} at */
  draw(act, at) {
    const last = act.line[act.line.length - 1];
    if (Math.hypot(at[0] - last[0], at[1] - last[1]) >= CORNER) act.line.push(at);
    this.parts.lasso.setAttribute("d", `M${act.line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`);
  }

  /** @param {Act} act */
  carry(act) {
    const { stage } = this;
    const [x, y] = toMap(stage.window, ...act.at, ...stage.size);
    this.hub.hold(act.objects, movedBy(act.places, x - act.grabbed[0], y - act.grabbed[1]));
    this.hub.paintSoon();
  }

  /** Whether objects are under the hand: the window stands still meanwhile, or they would slip away from it. */
  get carries() {
    return this.act?.kind === "move";
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.fingers.delete(event.pointerId);
    const { act } = this;
    if (!act) return;
    this.act = null;
    this.stop();
    if (act.kind === "press" && !act.middle) this.click(act, event);
    else if (act.kind === "lasso") this.close(act, event);
    else if (act.kind === "move") {
      this.hub.letGo();
      this.say(movedWords(act.objects, (i) => this.objects.name(i)));
      this.dropped();
    }
  }

  /** @param {Act} act @param {PointerEvent} event */
  click({ index }, event) {
    const { selection } = this;
    if (index >= 0) selection.change(manner(event), [index]);
    else if (manner(event) === "set") selection.clear();
    if (!touches(event.pointerType)) return;
    this.touch.take();
    this.tapped(index);
  }

  /** @param {Act} act @param {PointerEvent} event */
  close(act, event) {
    const { points, window, size } = this.stage;
    const line = act.line.map(([x, y]) => toMap(window, x, y, ...size));
    this.selection.change(manner(event), enclosed(points, line));
  }

  /** @param {MouseEvent} event */
  twice(event) {
    const index = this.pick(this.placeOf(event));
    if (index >= 0) this.showSprings(index);
    else this.axes.choose("follow");
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.stop();
  }

  /** End what the hand does, without an effect. True if there was something to end. */
  stop() {
    const { act, hub } = this;
    this.act = null;
    if (act?.kind === "move") hub.abandon();
    this.parts.lasso.removeAttribute("d");
    attribute(this.parts.stage, "data-hand", "");
    if (act) hub.paintSoon();
    return act !== null && act.kind !== "press";
  }

  /** @param {number} id @param {Pair} before @param {Pair} at */
  pinch(id, before, at) {
    const [other] = [...this.fingers].filter(([finger]) => finger !== id).map(([, place]) => place);
    /** @param {Pair} p */
    const reach = (p) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
    /** @type {Pair} */
    const middle = [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2];
    pan(this.stage.window, (at[0] - before[0]) / 2, (at[1] - before[1]) / 2, this.stage.size[0]);
    this.axes.zoomBy(reach(at) / reach(before), ...middle);
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
      return this.axes.zoomBy(factor, ...this.placeOf(event));
    }
    const hint = wheelHint(this.parts.stage);
    if (hint) this.say(hint);
  }
}
