// A text field with a list of what it finds under it. [WAI-ARIA Authoring Practices, combobox with list autocomplete]

import { make } from "./elements.js";

let boxes = 0; // makes the ids of the lists differ

/** @typedef {{words: string, remark: string}} Entry  what the list shows of something found, and beside it */

/** @template {Entry} E */
export class Combobox {
  /**
   * @param {object} own
   * @param {string} own.what  what the field is for
   * @param {string} [own.help]  the same with its keys
   * @param {string} own.found  what the list is called
   * @param {string} own.part  names the list for whoever reads the page by program
   * @param {() => void} own.typed  the text is another one; shows what it finds
   * @param {(entry: E, event: MouseEvent|KeyboardEvent) => void} own.take  an entry is chosen
   * @param {boolean} [own.ways]  also by Enter with Shift or Alt, which take it another way
   * @param {() => void} [own.close]  Escape where something is typed and nothing listed
   */
  constructor({ what, help, found, part, typed, take, close, ways }) {
    boxes += 1;
    this.id = `nsne-found-${boxes}-${Math.random().toString(36).slice(2)}`;
    this.acts = { typed, take, close, ways };
    /** @type {E[]} */
    this.entries = [];
    this.active = -1; // the entry that is marked
    this.input = make("input", {
      type: "text",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.id,
      "aria-label": what,
      placeholder: what,
      title: help,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: "200",
      "data-control": "search",
    });
    this.list = make("ul", { role: "listbox", id: this.id, "aria-label": found, hidden: "", "data-part": part });
    this.input.addEventListener("input", typed);
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("blur", () => this.show([]));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const option = /** @type {Element} */ (event.target).closest("[role=option]");
      if (option) take(this.entries[[...this.list.children].indexOf(option)], event);
    });
  }

  /** Show what was found; nothing hides the list. @param {E[]} entries */
  show(entries) {
    this.entries = entries;
    const options = entries.map(({ words, remark }, k) =>
      make(
        "li",
        { role: "option", id: `${this.id}-${k}`, "aria-selected": "false" },
        make("span", {}, words),
        make("small", {}, remark),
      ),
    );
    this.list.replaceChildren(...options);
    this.list.hidden = !entries.length;
    this.input.setAttribute("aria-expanded", String(entries.length > 0));
    this.point(-1);
  }

  /** Move the mark to an entry; -1 for none. @param {number} k */
  point(k) {
    this.active = k;
    [...this.list.children].forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === k));
    });
    if (k < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", `${this.id}-${k}`);
    this.list.children[k].scrollIntoView({ block: "nearest" });
  }

  /** Move the mark up or down, from the last entry to the first. @param {number} by  1 or -1 */
  step(by) {
    const { length } = this.entries;
    this.point(by > 0 ? (this.active + 1) % length : (Math.max(this.active, 0) + length - 1) % length);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { entries, active } = this;
    const { typed, take, close, ways } = this.acts;
    const { key } = event;
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const arrow = key === "ArrowDown" || key === "ArrowUp";
    const enters = key === "Enter" && entries.length && (ways || !(event.shiftKey || event.altKey));
    if (arrow && entries.length) this.step(key === "ArrowDown" ? 1 : -1);
    else if (arrow) typed();
    else if (enters) take(entries[Math.max(active, 0)], event);
    else if (key === "Escape" && entries.length) {
      event.stopPropagation();
      this.show([]);
    } else if (key === "Escape" && close && this.input.value) close();
    else return;
    event.preventDefault();
  }
}
