// A remark that is shown for a moment.

import { write } from "./elements.js";

const SHOWN = 3500; // ms

export class Toast {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    element.hidden = true;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** @param {string} words */
  show(words) {
    write(this.element, words);
    this.element.hidden = false;
    this.stop();
    this.timer = setTimeout(() => {
      this.element.hidden = true;
    }, SHOWN);
  }
}
