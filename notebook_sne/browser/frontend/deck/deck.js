// Slides of a lecture. reveal.js moves them, and a window of any size is one slide: nothing is scaled, so that maps are
// sharp and the pointer is where it seems to be; sizes follow the window by the styles.

import { Kernels, show, textIn } from "../course/course.js";
import { make, wordButton, write } from "../shared/elements.js";
import { Answers } from "./answers.js";
import { drawFigure } from "./figures.js";
import { isNotes, NotesLink, openNotes } from "./notes.js";
import { fitWords } from "./words.js";

/** @import { PageModel } from "../page/page.js" */
/** @import { Widget } from "../course/course.js" */

const KEYS = { R: 82, S: 83 };
const SETTINGS = {
  disableLayout: true,
  center: false,
  controls: false,
  progress: true,
  hash: true,
  overview: false,
  touch: false, // fingers drag maps
  transition: "none",
  backgroundTransition: "none",
  viewDistance: 1000, // what is not displayed has no size, and a figure is drawn in the size of its place
  mobileViewDistance: 1000,
  postMessage: false,
  postMessageEvents: false,
};
const LETTERS = 24 / 1080; // of the window's height: no letter is smaller
const ANSWER = '.nsne-prediction :is(label, [type="range"])';
const VIEW = ".nsne-view, .bk-Figure";

/** @param {EventTarget|null} target @param {string} what */
const inside = (target, what) => target instanceof Element && target.closest(what) !== null;

/** @param {ParentNode} root @param {string} name @returns {HTMLElement[]} */
const those = (root, name) => [...root.querySelectorAll(/** @type {"div"} */ (`[${name}]`))];

class Deck {
  /** @param {Record<string, Widget>} widgets */
  constructor(widgets) {
    this.widgets = widgets;
    this.root = /** @type {HTMLElement} */ (document.querySelector(".deck"));
    this.kernels = new Kernels();
    this.answers = new Answers(JSON.parse(document.getElementById("nsne-found")?.textContent ?? "{}"));
    /** @type {Map<HTMLElement, PageModel|undefined>} the views that were begun */
    this.begun = new Map();
    const { Reveal } = /** @type {any} */ (globalThis);
    this.reveal = new Reveal(this.root, {
      ...SETTINGS,
      keyboardCondition: (/** @type {KeyboardEvent} */ event) => this.isOurs(event),
    });
    this.notes = new NotesLink(
      (step) => (step > 0 ? this.reveal.next() : this.reveal.prev()),
      () => this.reveal.getSlidePastCount(),
    );
    this.next = wordButton("next", "Next", { class: "primary" });
    this.tell = wordButton("tell");
    this.number = make("span", { class: "number" });
    this.root.append(
      make("footer", { class: "foot" }, make("span", {}, document.title), this.number, this.tell, this.next),
    );
  }

  async open() {
    const { reveal, answers } = this;
    const asked = those(this.root, 'data-view="prediction"');
    await answers.read(asked, textIn);
    for (const place of asked) await this.begin(place);
    for (const place of those(this.root, "data-outcomes")) answers.place(place, JSON.parse(textIn(place)));
    this.next.addEventListener("click", () => this.pressed(() => reveal.next()));
    this.tell.addEventListener("click", () => this.pressed(() => this.turn()));
    reveal.addKeyBinding({ keyCode: KEYS.R, key: "R", description: "Show what was found" }, () => this.turn());
    reveal.addKeyBinding({ keyCode: KEYS.S, key: "S", description: "The lecturer's window" }, () => this.notes.open());
    reveal.on("slidechanged", () => this.came());
    reveal.on("fragmentshown", (/** @type {{fragment: HTMLElement}} */ { fragment }) => this.showIn(fragment));
    addEventListener("keydown", (event) => this.turnPage(event), true);
    addEventListener("keydown", (event) => this.leaveView(event));
    // A hand that has answered is done: the next key is for the slides.
    this.root.addEventListener("click", ({ target }) => {
      if (inside(target, ANSWER)) this.release();
    });
    document.documentElement.classList.add("print-pdf"); // reveal.js has styles for paper; ours print a slide as it is
    await reveal.initialize();
    this.fit();
    addEventListener("resize", () => this.fit());
    this.root.dataset.ready = "true";
    this.came();
    const letters = LETTERS * innerHeight;
    for (const place of those(this.root, "data-figure")) await drawFigure(place, textIn(place), letters);
    this.root.dataset.drawn = "true";
  }

  fit() {
    for (const slide of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(".slide"))) fitWords(slide);
  }

  get slide() {
    return /** @type {HTMLElement} */ (this.reveal.getCurrentSlide());
  }

  /** Whether a key moves slides: in a view it is the view's, and a button takes what presses it. @param {KeyboardEvent} event */
  isOurs({ target, key }) {
    if (inside(target, VIEW)) return false;
    return !(inside(target, "button, summary") && (key === " " || key === "Enter"));
  }

  /** A presenter's keys move slides wherever the focus is, but for a view that fills the screen. @param {KeyboardEvent} event */
  turnPage(event) {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    if (!step || !inside(event.target, VIEW) || document.fullscreenElement?.matches(VIEW)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (step > 0) this.reveal.next();
    else this.reveal.prev();
  }

  /** Escape gives the keys back to the slides. @param {KeyboardEvent} event */
  leaveView(event) {
    if (event.key === "Escape" && inside(event.target, VIEW)) this.release();
  }

  release() {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }

  /** @param {() => void} act */
  pressed(act) {
    this.release(); // the next key is for the slides
    act();
  }

  /** Show what was found, or hide it again, where a slide asks. */
  turn() {
    const key = this.slide.dataset.asks;
    this.answers.tell(key, !this.answers.isTold(key));
    this.update();
  }

  /** What was found and is in sight is told, wherever it is asked. @param {HTMLElement} part */
  showIn(part) {
    if (part.matches(".fragment") ? !part.classList.contains("visible") : false) return;
    for (const box of those(part, "data-key"))
      if (!box.closest("section[data-asks]") && !box.closest(".fragment:not(.visible)"))
        this.answers.tell(box.dataset.key, true);
    this.update();
  }

  /** A slide came: its views begin, and those of the others rest. */
  came() {
    this.release();
    for (const [place, model] of this.begun)
      if (!this.slide.contains(place) && model?.get("status") === "running")
        model.send({ kind: "command", id: "deck:0", name: "pause" });
    for (const place of those(this.slide, "data-view")) this.begin(place).catch(console.error); // said in its place
    this.showIn(this.slide);
    this.notes.tell();
  }

  /** @param {HTMLElement} place */
  async begin(place) {
    if (this.begun.has(place)) return;
    this.begun.set(place, undefined);
    this.begun.set(place, await show(place, this.widgets, this.kernels, this.answers));
    dispatchEvent(new Event("resize")); // by which a view learns how far it is read from
  }

  update() {
    const key = this.slide.dataset.asks;
    this.tell.hidden = !this.answers.has(key);
    write(this.tell, this.answers.isTold(key) ? "Hide what was found" : "Show what was found");
    this.next.hidden = this.reveal.isLastSlide();
    write(this.number, `${this.reveal.getSlidePastCount() + 1} / ${this.reveal.getTotalSlides()}`);
  }
}

/** Open the slides of this page, or the lecturer's window. @param {Record<string, Widget>} widgets  by the kinds of views */
export async function openDeck(widgets) {
  if (isNotes()) openNotes();
  else await new Deck(widgets).open();
}
