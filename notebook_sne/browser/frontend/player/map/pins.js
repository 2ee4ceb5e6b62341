// Pins: objects that are held where they are while all others move. The kernel says which; here they are marked, and held
// or let go by hand.

import { attribute, strokeLine } from "../../shared/elements.js";
import { whyNoMove } from "./moving.js";
import { Part } from "../part.js";

const TALL = 11; // pixels from the point to the middle of a pin's head
const HEAD = 3.5;

/**
 * What to do with objects: let them go if all of them are held, or else hold them.
 * @param {number[]} chosen @param {ArrayLike<number>&Iterable<number>} held
 */
export function pinOrder(chosen, held) {
  const known = new Set(held);
  const name = chosen.length > 0 && chosen.every((i) => known.has(i)) ? "unpin" : "pin";
  return /** @type {const} */ ({ name, objects: chosen });
}

export class Pins extends Part {
  /** The objects that are held at the moment shown. */
  get held() {
    return this.hub.shownFacts().pins ?? [];
  }

  /** Hold the selected objects, or else one, or let them go. @param {number} at  the keyboard's object, or -1 */
  toggle(at) {
    const { hub, selection } = this;
    const chosen = selection.chosen ? selection.byHand : at >= 0 ? [at] : [];
    const reason =
      whyNoMove(hub) || (chosen.length ? "" : "Select the objects to hold first: click one, or use the lasso");
    if (reason) return this.say(reason);
    const { name, objects } = pinOrder(chosen, this.held);
    hub.command(name, { objects });
    const what = objects.length > 1 ? `${objects.length} objects` : this.objects.name(objects[0]);
    this.say(name === "pin" ? `${what} held in place` : `${what} let go`);
  }

  /** Show on the button what it would do. @param {HTMLButtonElement} control */
  show(control) {
    control.hidden = !this.hub.live;
    const held = this.held.length;
    attribute(control, "aria-pressed", held > 0 && pinOrder(this.selection.byHand, this.held).name === "unpin");
  }

  /** @param {Pen} pen */
  paint(pen) {
    const { stage } = this;
    const { text: ink, ground } = stage.theme;
    const paper = `rgb(${ground.join(",")})`;
    for (const i of this.held) {
      if (i >= stage.count) continue;
      const [x, y] = stage.place(i);
      for (const [color, around] of /** @type {[string, number][]} */ ([
        [paper, 3],
        [ink, 0],
      ])) {
        pen.strokeStyle = pen.fillStyle = color;
        pen.lineWidth = 1.75 + around;
        strokeLine(pen, x, y, x, y - TALL);
        pen.beginPath();
        pen.arc(x, y - TALL, HEAD + around / 2, 0, 2 * Math.PI);
        pen.fill();
      }
    }
  }
}
