// The menu that saves the present view as a picture.

import { attribute, listener } from "../../shared/elements.js";
import { fileName, pngCanvas, saveBlob, svgText } from "./pictures.js";

/** @import { Parts } from "../layout.js" */
/** @import { Pictured } from "./pictures.js" */

const SHARP = 2; // device pixels of a saved picture for one of the screen: it will be shown large

export class SaveMenu {
  /** @param {{parts: Parts, signal: AbortSignal, say: (words: string) => void, pictured: () => Pictured}} own */
  constructor({ parts, signal, say, pictured }) {
    this.parts = parts;
    this.say = say;
    this.pictured = pictured;
    const { menu, menuBox, menuList } = parts;
    const on = listener(signal);
    on(menu, "click", () => (menuList.hidden ? this.open() : this.close()));
    on(menuList, "focusout", ({ relatedTarget: next }) => {
      if (next instanceof Node && !menuList.contains(next) && next !== menu) this.close(false);
    });
    on(parts.root, "pointerdown", ({ target }) => {
      if (!menuList.hidden && !menuBox.contains(/** @type {Node} */ (target))) this.close(false);
    });
    on(parts.png, "click", () => this.save("png"));
    on(parts.svg, "click", () => this.save("svg"));
  }

  open() {
    const { menu, menuList, png } = this.parts;
    menuList.hidden = false;
    attribute(menu, "aria-expanded", "true");
    png.focus({ preventScroll: true });
  }

  /** True if it was open. */
  close(refocus = true) {
    const { menu, menuList } = this.parts;
    if (menuList.hidden) return false;
    menuList.hidden = true;
    attribute(menu, "aria-expanded", "false");
    if (refocus) menu.focus({ preventScroll: true });
    return true;
  }

  /** Save the present view under a name that tells model and iteration. @param {"png"|"svg"} ending */
  save(ending) {
    this.close();
    const pictured = this.pictured();
    const name = fileName(pictured.hub.shownFacts(), ending);
    /** @param {Blob|null} blob */
    const give = (blob) => {
      if (blob) saveBlob(blob, name);
      this.say(blob ? `Saved as ${name}` : "The browser has no room for the picture");
    };
    try {
      if (ending === "svg") give(new Blob([svgText(pictured)], { type: "image/svg+xml" }));
      else pngCanvas(pictured, SHARP * pictured.stage.ratio).toBlob(give, "image/png");
    } catch (error) {
      this.say(`The picture could not be made: ${error instanceof Error ? error.message : error}`);
    }
  }
}
