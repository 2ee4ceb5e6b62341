// The reader's note on a word. It is a text and stays one; the widget keeps it, and a page that is saved.

import { make, write } from "../shared/elements.js";
import { keep } from "../shared/widget.js";

const PAUSE = 400; // ms without a key after which a note is kept
const LONGEST = 5000; // letters

/** The note on a word, or nothing; a word may have any name. @param {Record<string, string>|undefined} notes @param {string} word */
export function noteOn(notes, word) {
  return notes && Object.hasOwn(notes, word) ? notes[word] : "";
}

export class Note {
  /** @param {Pick<Model, "get"|"set"|"save_changes">} model @param {string} part  names it for whoever reads the page by program */
  constructor(model, part) {
    this.model = model;
    this.word = "";
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.waiting = undefined;
    this.text = make("textarea", {
      rows: "2",
      maxlength: LONGEST,
      "data-control": "note",
      placeholder: "Your note",
    });
    this.text.addEventListener("input", () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.keep(), PAUSE);
    });
    this.text.addEventListener("blur", () => this.keep());
    this.shown = make("p", { class: "nsne-e-noted" }); // above the senses; the field is below, so that Tab leads to them
    this.heading = make("summary", {}, "Note");
    this.element = make("details", { class: "nsne-e-note-of", "data-part": part }, this.heading, this.text);
  }

  /** Show the note on a word. @param {string} word */
  show(word) {
    if (word !== this.word) this.keep();
    const said = noteOn(this.model.get("notes"), word);
    const typing = document.activeElement === this.text && word === this.word;
    if (!typing && this.text.value !== said) this.text.value = said;
    if (word !== this.word) this.element.open = said !== "";
    this.word = word;
    write(this.shown, said);
    this.shown.hidden = !said;
    write(this.heading, said ? "Your note" : "Add a note");
    this.text.setAttribute("aria-label", `Note on ${word}`);
  }

  /** Keep what was typed. */
  keep() {
    clearTimeout(this.waiting);
    const { model, word } = this;
    const said = this.text.value.trim() ? this.text.value : "";
    const notes = model.get("notes") ?? {};
    if (!word || said === noteOn(notes, word)) return;
    const { [word]: _, ...others } = notes;
    keep(model, "notes", said ? { ...others, [word]: said } : others);
  }
}
