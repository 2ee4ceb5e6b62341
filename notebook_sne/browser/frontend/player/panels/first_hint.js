// What hands can do, said beside the first map that a reader sees and never again: it goes once it is done, or read. That is
// remembered in the page's own storage, by this browser: nothing leaves it.

import { button, listener, make } from "../../shared/elements.js";

const WHAT = "notebook_sne first hint"; // the one thing that is remembered
const LOOKED = 1500; // ms at one object after which a reader has found out what pointing does
const SHOWN = Symbol.for("notebook_sne first hint"); // on the page: one of its views says it

/** A page without storage, such as a locked frame, remembers nothing. */
function remembers() {
  try {
    return globalThis.localStorage.getItem(WHAT) !== null;
  } catch {
    return false;
  }
}

function remember() {
  try {
    globalThis.localStorage.setItem(WHAT, "read");
  } catch {
    // It is said again the next time.
  }
}

export class FirstHint {
  /** @param {{live: boolean, plays: boolean, compact: boolean, signal: AbortSignal}} own  `plays`: whether there is a film */
  constructor({ live, plays, compact, signal }) {
    const page = /** @type {typeof globalThis & {[SHOWN]?: boolean}} */ (globalThis);
    const finger = Boolean(globalThis.matchMedia?.("(pointer: coarse)").matches);
    const one = finger ? "Tap a point to see what it is" : "Point at a dot to see what it is";
    const two = live ? "; drag it while the map is moving" : plays ? "; press Play to see the map form" : "";
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.looking = undefined;
    this.at = -1; // the object that is looked at
    signal.addEventListener("abort", () => clearTimeout(this.looking));
    this.closer = button("hint-close", "Got it", "Got it: do not show this again", "");
    this.element = make(
      "div",
      { class: "nsne-first", "data-part": "first-hint", hidden: compact || page[SHOWN] || remembers() ? "" : null },
      make("span", {}, `${one}${two}.${finger ? "" : ` Press ? for all keys.`}`),
      this.closer,
    );
    if (!this.element.hidden) page[SHOWN] = true;
    listener(signal)(this.closer, "click", () => this.done());
  }

  /** A reader points at this object, or at none: -1. @param {number} i */
  looked(i) {
    if (i === this.at || this.element.hidden) return;
    this.at = i;
    clearTimeout(this.looking);
    if (i >= 0) this.looking = setTimeout(() => this.done(), LOOKED);
  }

  /** It is read, or was found out without it. */
  done() {
    if (this.element.hidden) return;
    this.element.hidden = true;
    remember();
  }
}
