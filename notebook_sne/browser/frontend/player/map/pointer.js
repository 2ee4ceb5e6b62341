// Hands on the map of a player (shared/hand.js): a click selects. A drag moves the object under it, and all that are selected
// with it; it moves the view where it begins on empty ground or with the middle button; with the lasso at hand it draws a
// line around objects.

import { Hand } from "../../shared/hand.js";
import { toMap } from "../../shared/window.js";
import { movedBy, movedWords, whyNoMove } from "./moving.js";
import { enclosed, manner } from "./selection.js";

/** @import { Axes } from "./axes.js" */

/**
 * @typedef {"pan"|"lasso"} Tool
 *
 * @typedef {object} Own
 * @property {Axes} axes
 * @property {{canvas: HTMLCanvasElement, stage: HTMLElement, lasso: SVGPathElement, root: HTMLElement}} parts
 * @property {(i: number) => void} lookAt  show what is known of the object under the pointer; -1 for none
 * @property {(at: Pair|null, kind: string) => void} hovered  over this place of the view, whatever is there
 * @property {(at: Pair, kind: string) => boolean} pressed  at this place; true if something but an object is told there
 * @property {(i: number) => void} clicked  a finger or the mouse pressed this object, or at empty ground: -1
 * @property {(i: number) => void} showSprings
 * @property {() => void} dropped  objects were moved
 * @property {(tool: Tool) => void} toolChanged
 */

/** @type {Record<string, number>} */
const REACH = { mouse: 10, pen: 12, touch: 18 }; // pixels around the pointer in which an object is found
const CORNER = 3; // pixels between the corners of a lasso

export class Pointer extends Hand {
  /** @param {Known & Own} own */
  constructor(own) {
    super(own);
    this.own = own;
    /** @type {Tool} */
    this.tool = "pan";
    /** @type {Pair[]} of a lasso */
    this.line = [];
    /** @type {number[]} that are moved */
    this.objects = [];
    this.places = new Float32Array(0); // of these, when it began
    /** @type {Pair} where on the map it took hold of them */
    this.grabbed = [0, 0];
  }

  /** @param {Pair} at */
  pick(at, kind = "mouse") {
    return this.own.stage.pick(at, REACH[kind] ?? REACH.mouse);
  }

  /** @param {Pair|null} at */
  hover(at, kind = "mouse") {
    super.hover(at, kind);
    this.own.hovered(at, kind);
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
    this.own.toolChanged(tool);
  }

  /** @param {number} dx @param {number} dy */
  panBy(dx, dy) {
    this.own.axes.byHand("The view was moved");
    super.panBy(dx, dy);
    this.own.hub.paintSoon();
  }

  /** @param {number} factor @param {number} x @param {number} y */
  zoomBy(factor, x, y) {
    this.own.axes.zoomBy(factor, x, y);
  }

  /** @param {Act} act @returns {Act["kind"]} */
  kindOf(act) {
    const { hub, stage, selection } = this.own;
    this.line = [act.from];
    if (this.tool === "lasso" && !act.middle) return "lasso";
    if (act.index < 0 || act.middle) return "pan";
    const reason = whyNoMove(hub);
    if (reason) {
      this.own.axes.byHand("The view was moved");
      this.say(reason);
      return "pan";
    }
    this.objects = selection.has(act.index) ? selection.byHand : [act.index];
    this.places = stage.placesOf(this.objects);
    this.grabbed = toMap(stage.window, ...act.from, ...stage.size);
    return "move";
  }

  /** @param {Act} act */
  drag({ kind, at }) {
    if (kind === "lasso") return this.draw(at);
    const { hub, stage } = this.own;
    const [x, y] = toMap(stage.window, ...at, ...stage.size);
    hub.hold(this.objects, movedBy(this.places, x - this.grabbed[0], y - this.grabbed[1]));
    hub.paintSoon();
  }

  /** @param {Pair} at */
  draw(at) {
    const { line } = this;
    const last = line[line.length - 1];
    if (Math.hypot(at[0] - last[0], at[1] - last[1]) >= CORNER) line.push(at);
    this.own.parts.lasso.setAttribute("d", `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`);
  }

  /** Whether objects are under the hand: the window stands still meanwhile, or they would slip away from it. */
  get carries() {
    return this.act?.kind === "move";
  }

  /** @param {Act} act @param {PointerEvent} event */
  drop({ kind }, event) {
    const { hub, stage, selection, objects, dropped } = this.own;
    if (kind === "lasso") {
      const line = this.line.map(([x, y]) => toMap(stage.window, x, y, ...stage.size));
      selection.change(manner(event), enclosed(stage.points, line));
    } else if (kind === "move") {
      hub.letGo();
      this.say(movedWords(this.objects, (i) => objects.name(i)));
      dropped();
    }
  }

  /** @param {Act} act @param {PointerEvent} event */
  click({ index, at }, event) {
    const { selection, pressed } = this.own;
    if (index >= 0) selection.change(manner(event), [index]);
    if (!pressed(at, event.pointerType) && index < 0 && manner(event) === "set") selection.clear();
  }

  /** @param {number} index */
  clicked(index) {
    this.own.clicked(index);
  }

  /** @param {MouseEvent} event */
  twice(event) {
    const index = this.pick(this.placeOf(event));
    if (index >= 0) this.own.showSprings(index);
    else this.own.axes.choose("follow");
  }

  stop() {
    const { act } = this;
    const { hub, parts } = this.own;
    if (act?.kind === "move") hub.abandon();
    parts.lasso.removeAttribute("d");
    if (act) hub.paintSoon();
    return super.stop();
  }
}
