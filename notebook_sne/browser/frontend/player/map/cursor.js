// The keyboard's place on the map: it goes from object to object in reading order, and moves those that are selected.

import { movedBy, movedWords, whyNoMove } from "./moving.js";
import { manner } from "./selection.js";
import { Part } from "../part.js";

const ROW = 24; // pixels: objects on one line for a reader who goes from object to object
const STEP = 0.02; // share of the view's width by which a key moves objects
const SETTLED = 450; // ms after the last such key until the kernel is told

/**
 * The next object in reading order, from top to bottom and from left to right, among those in the view; after the last
 * comes the first. -1 if there is none.
 * @param {Float32Array} points @param {Pick<MapWindow, "x"|"y"|"width">} window @param {Pair} size
 * @param {number} from  present object, or -1 @param {number} step  1 or -1
 */
export function nextInReading(points, window, [width, height], from, step) {
  const scale = width / window.width;
  /** @param {number} i @returns {number[]|null} */
  const place = (i) => {
    const x = (points[2 * i] - window.x) * scale + width / 2;
    const y = height / 2 - (points[2 * i + 1] - window.y) * scale;
    return x >= 0 && x <= width && y >= 0 && y <= height ? [step * Math.floor(y / ROW), step * x, step * i] : null;
  };
  /** @param {number[]} a @param {number[]} b */
  const earlier = (a, b) => a[0] < b[0] || (a[0] === b[0] && (a[1] < b[1] || (a[1] === b[1] && a[2] < b[2])));
  const here = from >= 0 ? place(from) : null;
  /** @type {number[]|null} */
  let next = null;
  /** @type {number[]|null} */
  let first = null;
  for (let i = 0; i < points.length / 2; i++) {
    const at = place(i);
    if (!at) continue;
    if (!first || earlier(at, first)) first = at;
    if (here && earlier(here, at) && (!next || earlier(at, next))) next = at;
  }
  const found = next ?? first;
  return found ? Math.abs(found[2]) : -1;
}

export class Cursor extends Part {
  /** @param {Known} known @param {() => void} moved  the keyboard is at another object */
  constructor(known, moved) {
    super(known);
    this.moved = moved;
    this.at = -1; // the object that the keyboard is at
    /** @type {ReturnType<typeof setTimeout>|undefined} until what keys have moved is told */
    this.pushing = undefined;
  }

  /** Go to the next object, or back. @param {number} step  1 or -1 */
  walk(step) {
    const { stage } = this;
    if (!stage.ready) return;
    const found = nextInReading(stage.points, stage.window, stage.size, this.at, step);
    if (found < 0) return;
    this.at = found;
    this.moved();
    this.say(this.inWords(found), false);
  }

  /** Go to an object that was clicked; -1 for none. @param {number} i */
  goTo(i) {
    if (i < 0) return this.leave();
    this.at = i;
    this.moved();
    this.say(this.inWords(i), false);
  }

  /** An object as it is spoken of. @param {number} i */
  inWords(i) {
    const { objects } = this;
    const label = objects.label(i);
    const said = [
      objects.name(i),
      label === undefined ? "" : `label ${label}`,
      objects.value(i) ?? "",
      this.selection.has(i) ? "selected" : "",
    ];
    return said.filter(Boolean).join(", ");
  }

  /** Select the object. @param {KeyboardEvent} event */
  take(event) {
    this.selection.change(manner(event), [this.at]);
  }

  leave() {
    if (this.at < 0) return;
    this.at = -1;
    this.moved();
  }

  /** Move the selected objects by a small step. @param {number} x @param {number} y */
  push(x, y) {
    const { hub, stage } = this;
    const objects = this.selection.byHand;
    const reason = objects.length ? whyNoMove(hub) : "Select objects first, then Shift+arrows move them";
    if (reason) return this.say(reason);
    const step = STEP * stage.window.width;
    hub.hold(objects, movedBy(stage.placesOf(objects), x * step, y * step));
    hub.paintSoon();
    stage.points = hub.shownPoints(); // the next key goes on from here, painted or not
    clearTimeout(this.pushing);
    this.pushing = setTimeout(() => {
      this.stop();
      this.say(movedWords(objects, (i) => this.objects.name(i)));
    }, SETTLED);
  }

  /** Tell the kernel at once what keys have moved. */
  stop() {
    if (this.pushing) this.hub.letGo();
    clearTimeout(this.pushing);
    this.pushing = undefined;
  }
}
