// The search field: a combobox with a list of completions under it, and an offer of other spellings for a word that is
// not there. [WAI-ARIA Authoring Practices, combobox with list autocomplete]

import { make, write } from "../shared/elements.js";
import { completions, findWord, suggestions } from "./spelling.js";

const OFFERED = 8;

export class Search {
  /**
   * @param {any} index  spellings of the names
   * @param {(i: number) => void} choose
   * @param {(i: number) => string} remark  a few words beside a completion
   */
  constructor(index, choose, remark) {
    Object.assign(this, { index, choose, remark, options: [], active: -1 });
    const id = `nsne-${Math.random().toString(36).slice(2)}`;
    this.id = id;
    this.input = make("input", {
      type: "text",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": `${id}-list`,
      "aria-label": "Search a word",
      placeholder: "Search a word",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: "200",
      "data-control": "search",
    });
    this.list = make("ul", {
      role: "listbox",
      id: `${id}-list`,
      "aria-label": "Words",
      hidden: "",
      "data-part": "completions",
    });
    this.offer = make("div", { class: "nsne-e-offer", role: "status", "data-part": "suggestions" });
    this.element = make("div", { class: "nsne-e-search" }, this.input, this.list);
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.take(this.options[[...this.list.children].indexOf(option)]);
    });
  }

  /** Show a word that was chosen elsewhere. */
  set(name) {
    if (document.activeElement !== this.input || this.list.hidden) this.input.value = name;
    this.offer.replaceChildren();
  }

  typed() {
    this.offer.replaceChildren();
    this.open(completions(this.index, this.input.value, OFFERED));
  }

  open(options) {
    this.options = options;
    this.list.replaceChildren(
      ...options.map((i, k) =>
        make(
          "li",
          { role: "option", id: `${this.id}-${k}`, "aria-selected": "false" },
          make("span", { class: "nsne-e-word" }, this.index.names[i]),
          make("small", {}, this.remark(i)),
        ),
      ),
    );
    this.list.hidden = !options.length;
    this.input.setAttribute("aria-expanded", String(Boolean(options.length)));
    this.point(-1);
  }

  close() {
    this.open([]);
  }

  /** Move the mark to an option, or with -1 back to the field. */
  point(k) {
    this.active = k;
    [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === k)));
    if (k < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", `${this.id}-${k}`);
    this.list.children[k].scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const { length } = this.options;
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!length) return this.typed();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.point(((this.active + 1 + step + length + 1) % (length + 1)) - 1);
    } else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey) {
      event.preventDefault();
      if (this.active >= 0) this.take(this.options[this.active]);
      else this.submit();
    } else if (event.key === "Escape" && length) {
      event.stopPropagation();
      this.close();
    }
  }

  take(i) {
    this.close();
    this.input.value = this.index.names[i];
    this.offer.replaceChildren();
    this.choose(i);
  }

  submit() {
    const text = this.input.value;
    if (!text.trim()) return;
    const found = findWord(this.index, text);
    if (found >= 0) return this.take(found);
    this.close();
    const close = suggestions(this.index, text, 6);
    const words = close.map((i) => {
      const act = make(
        "button",
        { type: "button", class: "nsne-e-chip", "data-control": "suggestion" },
        this.index.names[i],
      );
      act.addEventListener("click", () => this.take(i));
      return act;
    });
    const said = make("span", {});
    write(said, `There is no word “${text.trim()}”.${words.length ? " Did you mean" : " No word is spelt nearly so."}`);
    this.offer.replaceChildren(said, ...words);
  }
}
