// The keyboard: which key does what, and the list of keys that a reader can call up.

import { button, focusWithin, icon, leaveTo, listener, make } from "../../shared/elements.js";
import { hearKeys, keepOwn, leads } from "../../shared/keys.js";

/** @import { KeyGroup } from "./key_table.js" */

/** Whether a key belongs to the control that has the focus. @param {{tagName: string, type?: string, dataset?: DOMStringMap}} target @param {string} key */
export function ownsKey(target, key) {
  const tag = target.tagName;
  const type = tag === "INPUT" ? (target.type ?? "") : "";
  const typed = tag === "INPUT" && !["range", "checkbox", "radio", "button"].includes(type);
  if (tag === "TEXTAREA" || typed) return key !== "Escape";
  if (type === "range" && target.dataset?.control === "film" && key.startsWith("Page")) return false; // the film's marks
  if (type === "range" || type === "radio") return leads(key);
  if (tag === "SELECT") return leads(key) || key === " " || key === "Enter";
  return ["BUTTON", "SUMMARY", "INPUT"].includes(tag) && (key === " " || key === "Enter");
}

export class Keys {
  /**
   * @param {object} own
   * @param {HTMLElement} own.root  of the view
   * @param {HTMLElement} own.speech  what is spoken goes on while the list is open
   * @param {KeyGroup[]} own.table
   * @param {() => boolean} own.atObject  whether the keyboard is at an object
   * @param {(done: boolean) => boolean} own.putAway  put away what Escape ends, unless it is done; false if there was nothing
   * @param {AbortSignal} own.signal
   */
  constructor({ root, speech, table, atObject, putAway, signal }) {
    this.root = root;
    this.speech = speech;
    this.atObject = atObject;
    this.putAway = putAway;
    /** @type {HTMLElement|null} what had the keyboard before the list was opened */
    this.before = null;
    this.acts = new Map(table.flatMap(({ rows }) => rows.flatMap(({ keys, act }) => keys.map((key) => [key, act]))));
    this.closer = button("help-close", "", "Close (Esc)", icon("close"));
    this.element = make("div", {
      class: "nsne-help",
      role: "dialog",
      "aria-label": "Keys",
      "data-part": "keys",
      hidden: "",
    });
    this.element.append(
      make("div", { class: "nsne-help-head" }, make("strong", {}, "Keys"), this.closer),
      make("div", { class: "nsne-help-body", tabindex: "0" }, ...table.map(columnOf)),
    );
    hearKeys(root, signal, (event) => this.key(event));
    listener(signal)(this.closer, "click", () => this.help(false));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key } = event;
    // By AltGraph some keyboards write brackets.
    const graph = event.getModifierState?.("AltGraph");
    if (event.ctrlKey && !graph) return;
    if (event.metaKey) return;
    if (key === "Escape") return this.escape(event);
    if (event.altKey && !graph && key !== "Enter") return;
    keepOwn(event);
    const owned = ownsKey(/** @type {HTMLInputElement} */ (event.target), key);
    if (owned || (key === "Enter" && !this.atObject()) || (this.shown && key !== "?")) return;
    const act = this.acts.get(key.length === 1 ? key.toLowerCase() : key);
    if (!act) return;
    event.stopPropagation();
    event.preventDefault();
    act(event);
  }

  /** @param {KeyboardEvent} event */
  escape(event) {
    const open = this.shown;
    if (open) this.help(false);
    if (this.putAway(open)) {
      event.stopPropagation();
      event.preventDefault();
      return;
    }
    leaveTo(this.root);
  }

  get shown() {
    return !this.element.hidden;
  }

  /** Show the list of keys, or hide it. */
  help(open = !this.shown) {
    if (open === this.shown) return;
    if (open) this.before = focusWithin(this.root);
    this.element.hidden = !open;
    for (const part of this.root.children) {
      if (part !== this.element && part !== this.speech && part instanceof HTMLElement) part.inert = open;
    }
    if (open) this.closer.focus({ preventScroll: true });
    else if (this.before?.isConnected) this.before.focus({ preventScroll: true });
    else this.root.focus({ preventScroll: true });
  }
}

/** One group of the list. @param {KeyGroup} group */
function columnOf({ title, rows }) {
  const list = make("dl");
  for (const { written, words } of rows) {
    if (!written) continue;
    const signs = written.split("  ").map((key) => make("kbd", {}, key));
    list.append(make("div", {}, make("dt", {}, ...signs), make("dd", {}, words)));
  }
  return make("div", { class: "nsne-help-part" }, make("div", { class: "nsne-help-title" }, title), list);
}
