// A menu of what can be saved of the present view. Files are made here and saved through a link to a blob: nothing
// leaves the browser.

import { attribute, button, iconButton, listener, make } from "./elements.js";
import { pngOf } from "./png.js";

/**
 * What is to be saved: its name, and its content. A canvas becomes a PNG, in which a text may say where it comes from.
 * @typedef {{name: string, content: Blob|HTMLCanvasElement, text?: string}} Saved
 *
 * @typedef {ReturnType<typeof saveParts>} SaveParts
 */

/**
 * A name for a file, in letters that every system takes.
 * @param {string[]} parts @param {string} ending
 */
export function safeName(parts, ending) {
  const name = parts
    .join(" ")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-");
  return `${name.replace(/^-+|-+$/g, "").slice(0, 80) || "map"}.${ending}`;
}

/** Let the reader save a blob under a name. @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link); // some browsers only follow links of the page
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/**
 * The button of a menu, and its list.
 * @param {string} help  what is saved @param {Record<string, [words: string, help: string]>} kinds  by their controls
 */
export function saveParts(help, kinds) {
  const menu = iconButton("export-menu", "", help, "download", { "aria-expanded": "false" });
  const items = new Map(Object.entries(kinds).map(([kind, [words, what]]) => [kind, button(kind, words, what, "")]));
  const list = make("div", { class: "nsne-menu", role: "group", "aria-label": help, hidden: "" }, ...items.values());
  return { menu, items, list, box: make("span", { class: "nsne-menu-of" }, menu, list) };
}

export class SaveMenu {
  /**
   * @param {object} own
   * @param {SaveParts} own.parts
   * @param {HTMLElement} own.root  of the view: a press elsewhere in it closes the menu
   * @param {AbortSignal} own.signal
   * @param {(words: string) => void} own.say
   * @param {Record<string, () => Saved|Promise<Saved>>} own.files  makes what each kind saves
   * @param {() => void} [own.opening]
   */
  constructor({ parts, root, signal, say, files, opening }) {
    this.parts = parts;
    this.say = say;
    this.files = files;
    this.opening = opening;
    const { menu, list, box, items } = parts;
    const on = listener(signal);
    on(menu, "click", () => (list.hidden ? this.open() : this.close()));
    on(list, "focusout", ({ relatedTarget: next }) => {
      if (next instanceof Node && !list.contains(next) && next !== menu) this.close(false);
    });
    on(root, "pointerdown", ({ target }) => {
      if (!list.hidden && !box.contains(/** @type {Node} */ (target))) this.close(false);
    });
    for (const [kind, item] of items) on(item, "click", () => this.save(kind));
  }

  open() {
    const { menu, list, items } = this.parts;
    this.opening?.();
    list.hidden = false;
    attribute(menu, "aria-expanded", "true");
    [...items.values()].find((item) => !item.disabled)?.focus({ preventScroll: true });
  }

  /** True if it was open. */
  close(refocus = true) {
    const { menu, list } = this.parts;
    if (list.hidden) return false;
    list.hidden = true;
    attribute(menu, "aria-expanded", "false");
    if (refocus) menu.focus({ preventScroll: true });
    return true;
  }

  /** @param {string} kind */
  async save(kind) {
    this.close();
    try {
      const { name, content, text } = await this.files[kind]();
      const blob = content instanceof Blob ? content : await pngOf(content, text);
      if (blob) saveBlob(blob, name);
      this.say(blob ? `Saved as ${name}` : "The browser has no room for the picture");
    } catch (error) {
      this.say(`It could not be saved: ${error instanceof Error ? error.message : error}`);
    }
  }
}
