// Hands on the map: what a press, a drag, a lasso, a pinch and a wheel do.
//
// A press that stays within a few pixels is a click: it selects. A press that moves drags the object under it, and all
// that are selected with it; it moves the view where it begins on empty ground or with the middle button; with the
// lasso at hand it draws a line around objects.

import { attribute } from "../shared/elements.js";
import { enclosed } from "./selection.js";
import { wheelHint, wheelZoom } from "../shared/wheel.js";
import { nearest, pan, toMap } from "../shared/window.js";

const REACH = { mouse: 10, pen: 12, touch: 18 }; // pixels around the pointer in which an object is found
const CLICK = 4; // pixels that a click may move
const CORNER = 3; // pixels between the corners of a lasso

/** How a click, a lasso or a found name changes the selection, by the keys held down. */
export function manner(event) {
  return event.altKey ? "remove" : event.shiftKey ? "add" : "set";
}

export class Pointer {
  /** @param {any} view  its canvas, its lasso line and its window are used */
  constructor(view) {
    this.view = view;
    this.tool = "pan";
    /** @type {Map<number, number[]>} where each finger is */
    this.fingers = new Map();
    this.act = null; // what the pressed pointer does: press, pan, move or lasso
    this.over = null; // where a pointer hovers
    this.overKind = "mouse";
    const { canvas } = view.parts;
    const on = (name, f) => canvas.addEventListener(name, f, { signal: view.undo.signal, passive: false });
    on("wheel", (event) => this.wheel(event));
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.cancel(event));
    on("lostpointercapture", (event) => this.fingers.has(event.pointerId) && this.cancel(event)); // and no end was told
    on("pointerleave", () => this.hover(null));
    on("dblclick", (event) => this.twice(event));
  }

  /** The object at a place of the view, or -1. */
  pick([x, y], kind = "mouse") {
    const { view } = this;
    return view.window.width > 0
      ? nearest(view.window, view.points, x, y, ...view.size, REACH[kind] ?? REACH.mouse)
      : -1;
  }

  hover(at, kind = "mouse") {
    this.over = at;
    this.overKind = kind;
    this.view.lookAt(at ? this.pick(at, kind) : -1);
  }

  /** The map moved beneath a pointer that rests. */
  again() {
    if (this.over) this.hover(this.over, this.overKind);
  }

  setTool(tool) {
    this.tool = tool;
    this.stop();
    this.view.switches.showTool();
  }

  down(event) {
    if (event.button > 1) return;
    const at = [event.offsetX, event.offsetY];
    // The first finger on the glass, or the mouse: any other that is still known of was lifted unseen.
    if (event.isPrimary && this.fingers.size) {
      this.fingers.clear();
      this.stop();
    }
    this.view.parts.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, at);
    if (event.button === 1) event.preventDefault(); // no scrolling by the middle button
    if (this.fingers.size > 1) return this.stop();
    this.act = { kind: "press", from: at, at, index: this.pick(at, event.pointerType), middle: event.button === 1 };
  }

  move(event) {
    const at = [event.offsetX, event.offsetY];
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
    if (act.kind === "press" && Math.hypot(at[0] - act.from[0], at[1] - act.from[1]) > CLICK) this.begin(act);
    if (act.kind === "pan") {
      this.view.axes.byHand("The view was moved");
      pan(this.view.window, at[0] - before[0], at[1] - before[1], this.view.size[0]);
      this.view.repaint();
    } else if (act.kind === "lasso") this.draw(act, at);
    else if (act.kind === "move") this.carry(act);
  }

  /** The press became a drag. */
  begin(act) {
    const { view } = this;
    this.hover(null);
    act.kind = "pan";
    if (this.tool === "lasso" && !act.middle) {
      act.kind = "lasso";
      act.line = [act.from];
    } else if (act.index >= 0 && !act.middle) {
      const reason = view.whyNoMove();
      if (reason) {
        view.axes.byHand("The view was moved");
        view.say(reason);
      } else {
        act.kind = "move";
        act.objects = view.selection.has(act.index) ? view.selection.list : [act.index];
        act.places = placesOf(view.points, act.objects);
        act.grabbed = toMap(view.window, ...act.from, ...view.size);
      }
    }
    attribute(view.parts.stage, "data-hand", act.kind);
  }

  draw(act, at) {
    const last = act.line[act.line.length - 1];
    if (Math.hypot(at[0] - last[0], at[1] - last[1]) >= CORNER) act.line.push(at);
    this.view.parts.lasso.setAttribute(
      "d",
      `M${act.line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`,
    );
  }

  carry(act) {
    const { view } = this;
    const [x, y] = toMap(view.window, ...act.at, ...view.size);
    const places = act.places.slice();
    for (let i = 0; i < places.length; i += 2) {
      places[i] += x - act.grabbed[0];
      places[i + 1] += y - act.grabbed[1];
    }
    view.hub.hold(act.objects, places);
    view.repaint();
  }

  /** Whether objects are under the hand: the window stands still meanwhile, or they would slip away from it. */
  get carries() {
    return this.act?.kind === "move";
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    const { act, view } = this;
    if (!act) return;
    this.act = null;
    this.stop();
    if (act.kind === "press" && !act.middle) this.click(act, event);
    else if (act.kind === "lasso") this.close(act, event);
    else if (act.kind === "move") {
      view.hub.letGo();
      view.say(act.objects.length > 1 ? `${act.objects.length} objects moved` : `${view.nameOf(act.objects[0])} moved`);
    }
  }

  click({ index }, event) {
    const { selection } = this.view;
    if (index >= 0) selection.change(manner(event), [index]);
    else if (manner(event) === "set") selection.clear();
  }

  close(act, event) {
    const { view } = this;
    const line = act.line.map(([x, y]) => toMap(view.window, x, y, ...view.size));
    view.selection.change(manner(event), enclosed(view.points, line));
  }

  twice(event) {
    const index = this.pick([event.offsetX, event.offsetY]);
    if (index >= 0) this.view.showSprings(index);
    else this.view.axes.choose("follow");
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.stop();
  }

  /** End what the hand does, without an effect. True if there was something to end. */
  stop() {
    const { act, view } = this;
    this.act = null;
    if (act?.kind === "move") view.hub.abandon();
    view.parts.lasso.removeAttribute("d");
    attribute(view.parts.stage, "data-hand", "");
    if (act) view.repaint();
    return Boolean(act) && act.kind !== "press";
  }

  pinch(id, before, at) {
    const other = [...this.fingers].find(([finger]) => finger !== id)[1];
    const reach = (p) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
    const middle = [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2];
    pan(this.view.window, (at[0] - before[0]) / 2, (at[1] - before[1]) / 2, this.view.size[0]);
    this.view.axes.zoomBy(reach(at) / reach(before), ...middle);
  }

  /** Whether the map has the keyboard, by a click on it or by Tab, or fills the screen: then the wheel is its own too. */
  get inHand() {
    const { root, stage } = this.view.parts;
    return root.matches(":focus, :fullscreen") || stage.matches(":focus-within");
  }

  wheel(event) {
    const factor = wheelZoom(event, this.inHand);
    if (factor !== null) {
      event.preventDefault();
      return this.view.axes.zoomBy(factor, event.offsetX, event.offsetY);
    }
    const hint = wheelHint(this.view.parts.stage);
    if (hint) this.view.say(hint);
  }
}

/** Places of some objects, one after the other. */
export function placesOf(points, objects) {
  const places = new Float32Array(2 * objects.length);
  objects.forEach((i, k) => {
    places[2 * k] = points[2 * i];
    places[2 * k + 1] = points[2 * i + 1];
  });
  return places;
}
