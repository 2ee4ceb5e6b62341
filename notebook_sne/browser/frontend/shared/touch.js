// Whose a finger is. One finger on a map scrolls the page, as everywhere on it, until the map has been tapped: then it is
// the map's, until somebody presses elsewhere. Two fingers are always the map's. A pen is as a finger.

import { attribute, listener } from "./elements.js";

const SWIPED = "Tap the map first: then one finger moves it. Two fingers zoom at once";
const TAPPED = "One finger now moves the map; tap beside it to scroll the page again";
const CONTROLS = "button, input, select, summary, label";
const SAID = Symbol.for("notebook_sne touch said"); // of the whole page: each widget has modules of its own

/** @type {Record<string, number>} */
const CLICK = { mouse: 4, pen: 6, touch: 10 }; // pixels that a press may move and still be one

/** How far a press of this kind may move. @param {string} kind  as of a PointerEvent */
export const slack = (kind) => CLICK[kind] ?? CLICK.mouse;

/** Whether a pointer is a finger or a pen, which scroll pages. @param {string} kind */
export const touches = (kind) => kind === "touch" || kind === "pen";

/** Something that is said once on a page; empty the next time. @param {string} words */
function once(words) {
  const page = /** @type {typeof globalThis & {[SAID]?: Set<string>}} */ (globalThis);
  page[SAID] ??= new Set();
  if (page[SAID].has(words)) return "";
  page[SAID].add(words);
  return words;
}

export class TouchRule {
  /**
   * @param {object} own
   * @param {HTMLElement} own.stage  around the map; its `data-finger` tells the style sheet what a browser may do
   * @param {(words: string) => void} own.say
   */
  constructor({ stage, say }) {
    this.stage = stage;
    this.say = say;
    this.tapped = false;
  }

  /** Presses beside the map give the finger back to the page, but for the view's own controls. @param {HTMLElement} view @param {AbortSignal} signal */
  watch(view, signal) {
    /** @param {Event} event */
    const elsewhere = (event) => {
      const target = /** @type {Element} */ (event.target);
      const ours = this.stage.contains(target) || (view.contains(target) && target.closest(CONTROLS));
      if (this.tapped && !ours) this.leave();
    };
    listener(signal)(document, "pointerdown", elsewhere, { capture: true });
  }

  /** Whether one finger is the map's. */
  get mine() {
    return (
      this.tapped || Boolean(document.fullscreenElement?.contains(this.stage)) || this.stage.dataset.tool === "lasso"
    );
  }

  /** The map was tapped. */
  take() {
    if (this.tapped) return;
    this.tapped = true;
    attribute(this.stage, "data-finger", "map");
    this.tell(TAPPED);
  }

  leave() {
    this.tapped = false;
    attribute(this.stage, "data-finger", "page");
  }

  /** One finger moved over a map that is not in hand. */
  swiped() {
    this.tell(SWIPED);
  }

  /** @param {string} words */
  tell(words) {
    const said = once(words);
    if (said) this.say(said);
  }
}
