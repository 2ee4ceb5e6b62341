// What each part of a view knows: the run, what is shown of it, and its objects.

import { listener } from "../shared/elements.js";

export class Part {
  /** @param {Known} known */
  constructor({ hub, stage, objects, selection, coloring, signal, say }) {
    this.hub = hub;
    this.stage = stage;
    this.objects = objects;
    this.selection = selection;
    this.coloring = coloring;
    this.signal = signal;
    this.say = say;
    this.on = listener(signal);
    /** @type {number|undefined} a timer */
    this.again = undefined;
  }

  stop() {
    this.hub.clock.clearTimeout(this.again);
  }

  /** Paint once more in so many ms: the last movement is followed by a look, too. @param {number} wait */
  paintAgain(wait) {
    this.again ??= this.hub.clock.setTimeout(() => {
      this.again = undefined;
      this.hub.paintSoon();
    }, wait);
  }
}
