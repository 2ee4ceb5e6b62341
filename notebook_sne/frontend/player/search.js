// The search field: finds objects by name, labels, or the number of an object; what it finds is selected.
// A combobox with a list under it. [WAI-ARIA Authoring Practices, combobox with list autocomplete]

import { attribute, icon, make } from "../shared/elements.js";
import { labelOf } from "../shared/colors.js";
import { manner } from "./pointer.js";

const MOST = 12; // entries of the list

/** Letters without case and accents: what a reader types on any keyboard. */
export function plainLetters(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * Indices of the texts that hold a piece of text: first those that are that text, as it is written before other case and
 * accents; then those that begin with it; shorter ones first among these.
 * @param {string[]} texts @param {string[]} folded  the same in plain letters @param {string} text
 */
export function holding(texts, folded, text) {
  const wanted = plainLetters(text).trim();
  if (!wanted) return [];
  const rank = (i, at) => (at > 0 ? 3 : folded[i] !== wanted ? 2 : texts[i] !== text.trim() ? 1 : 0);
  const found = [];
  for (let i = 0; i < folded.length; i++) {
    const at = folded[i].indexOf(wanted);
    if (at >= 0) found.push([rank(i, at), folded[i].length, i]);
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return found.map(([, , i]) => i);
}

/** The objects of each class. */
export function membersOf(classes, k) {
  const members = [];
  for (let i = 0; i < classes.length; i++) if (classes[i] === k) members.push(i);
  return members;
}

let boxes = 0; // makes the ids of the lists differ

export class SearchBox {
  /** @param {any} view */
  constructor(view) {
    this.view = view;
    this.id = `nsne-found-${(boxes += 1)}-${view.hub.id}`;
    this.entries = [];
    this.active = -1;
    const { names, classes } = view.objects;
    const what = names.length ? "Find a name" : classes ? "Find a label" : "Find an object by number";
    this.input = make("input", {
      type: "text",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.id,
      "aria-label": what,
      placeholder: what,
      title: `${what} (/). Enter selects, with Shift adds, with Alt removes`,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: "200",
      "data-control": "search",
    });
    this.list = make("ul", {
      role: "listbox",
      id: this.id,
      "aria-label": "Found",
      hidden: "",
      "data-part": "search-results",
    });
    this.element = make("div", { class: "nsne-search" }, icon("search"), this.input, this.list);
    const on = (target, name, f) => target.addEventListener(name, f, { signal: view.undo.signal });
    on(this.input, "input", () => this.find());
    on(this.input, "keydown", (event) => this.key(event));
    on(this.input, "focus", () => this.input.select());
    on(this.input, "blur", () => this.show([]));
    on(this.list, "pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    on(this.list, "click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.take(this.entries[[...this.list.children].indexOf(option)], event);
    });
  }

  /**
   * What the text stands for: [{words, remark, objects, all, exact}]. First comes what is called exactly what was typed,
   * then names, all that were found at once before each alone; where there are none, labels, then the number of an object.
   */
  matches(text) {
    const { names, classes, classNames, count } = this.view.objects;
    const wanted = plainLetters(text).trim();
    const entries = [];
    this.foldedNames ??= names.map(plainLetters);
    const named = holding(names, this.foldedNames, text);
    if (named.length > 1) entries.push({ words: `all ${named.length} matches`, remark: "", objects: named, all: true });
    for (const i of named.slice(0, MOST - 1))
      entries.push({ words: names[i], remark: this.remark(i), objects: [i], exact: this.foldedNames[i] === wanted });
    if (classes && !this.view.model.get("hide_labels")) {
      this.foldedLabels ??= classNames.map(plainLetters);
      for (const k of holding(classNames, this.foldedLabels, text).slice(0, MOST - 1)) {
        const exact = this.foldedLabels[k] === wanted;
        if (named.length && !exact) continue;
        const members = membersOf(classes, k);
        entries.push({ words: classNames[k], remark: `label of ${members.length}`, objects: members, exact });
      }
    }
    const number = /^\s*\d+\s*$/.test(text) ? Number(text) : -1;
    if (!named.length && number >= 0 && number < count)
      entries.push({ words: `object ${number}`, remark: this.remark(number), objects: [number] });
    return entries.sort((a, b) => Number(Boolean(b.exact)) - Number(Boolean(a.exact)));
  }

  remark(i) {
    return this.view.model.get("hide_labels") ? "" : labelOf(this.view.objects, i);
  }

  find() {
    const text = this.input.value;
    const entries = this.matches(text);
    this.show(entries);
    const best = entries[0]?.all ? 1 : 0; // that all are meant is for the reader to say
    if (text.trim())
      this.view.say(
        entries.length ? entries[best].words + (entries.length > 1 ? " and more" : "") : "nothing found",
        false,
      );
    attribute(this.element, "data-found", text.trim() && !entries.length ? "nothing" : "");
    if (entries.length) this.point(best);
  }

  show(entries) {
    this.entries = entries;
    this.list.replaceChildren(
      ...entries.map(({ words, remark }, k) =>
        make(
          "li",
          { role: "option", id: `${this.id}-${k}`, "aria-selected": "false" },
          make("span", {}, words),
          make("small", {}, remark),
        ),
      ),
    );
    this.list.hidden = !entries.length;
    attribute(this.input, "aria-expanded", entries.length > 0);
    this.point(-1);
  }

  /** Move the mark to an entry; -1 for none. */
  point(k) {
    this.active = k;
    [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === k)));
    if (k < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", `${this.id}-${k}`);
    this.list.children[k].scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.isComposing) return;
    const { length } = this.entries;
    const acts = {
      ArrowDown: () => (length ? this.point((this.active + 1) % length) : this.find()),
      ArrowUp: () => length && this.point((this.active + length - 1) % length),
      Enter: () => length && this.take(this.entries[Math.max(this.active, 0)], event),
      Escape: () => (length ? this.show([]) : this.leave()),
    };
    event.stopPropagation(); // whatever is typed here is for no one else
    if (event.ctrlKey || event.metaKey || !acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  take({ words, objects }, event) {
    this.show([]);
    this.input.value = words;
    this.input.select();
    this.view.choose(objects, manner(event));
  }

  leave() {
    this.input.value = "";
    attribute(this.element, "data-found", "");
    this.view.switches.closeTools();
    this.view.root.focus({ preventScroll: true });
  }
}
