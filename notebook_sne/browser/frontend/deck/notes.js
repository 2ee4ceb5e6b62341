// The lecturer's window: notes, what comes next, and a clock. It is the same file, opened with ?notes by the window that
// shows the slides; each tells the other on which slide it is. Nothing else is sent, and nothing leaves the browser.

import { make, write } from "../shared/elements.js";

const SEARCH = "?notes";

/** Whether this window is the lecturer's. */
export const isNotes = () => location.search === SEARCH;

/** What the window that shows the slides has of the lecturer's. */
export class NotesLink {
  /** @param {(step: number) => void} move  called when the lecturer turns to another slide @param {() => number} now */
  constructor(move, now) {
    this.now = now;
    /** @type {Window|null} */
    this.other = null;
    addEventListener("message", ({ source, data }) => {
      if (!this.other || source !== this.other) return;
      if (data?.move === 1 || data?.move === -1) move(data.move);
      this.tell();
    });
  }

  open() {
    const address = new URL(location.href);
    address.search = SEARCH;
    address.hash = "";
    this.other = open(address, "nsne-notes", "width=1000,height=760");
    this.other?.focus();
  }

  /** The present slide. */
  tell() {
    this.other?.postMessage({ slide: this.now() }, "*"); // a file has no origin that could be named
  }
}

/** @param {number} seconds */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Show the notes in this window. */
export function openNotes() {
  const sections = [...document.querySelectorAll(".slides > section")];
  document.documentElement.dataset.window = "notes";
  const titles = sections.map((one) => one.querySelector("h1, h2")?.textContent ?? "");
  const notes = sections.map((one) => one.querySelector("aside.notes"));
  const [now, next, time, place] = [
    make("h1"),
    make("p"),
    make("p", { class: "time" }),
    make("div", { class: "text" }),
  ];
  const again = make("button", { type: "button" }, "Start the clock again");
  const [back, on] = [make("button", { type: "button" }, "←"), make("button", { type: "button" }, "→")];
  const about = make("details", {}, make("summary", {}, "About the lecture"));
  if (notes[0]) about.append(notes[0].cloneNode(true));
  document.body.append(
    make("main", { class: "lecturer" }, make("header", {}, time, again, back, on), now, next, place, about),
  );
  document.querySelector(".deck")?.remove(); // its players would wait here for nobody
  let start = Date.now();
  /** @param {unknown} slide */
  const show = (slide) => {
    const k = Number.isInteger(slide) ? Math.min(Math.max(Number(slide), 0), sections.length - 1) : 0;
    write(now, `${k + 1} / ${sections.length}: ${titles[k]}`);
    write(next, titles[k + 1] ? `Next: ${titles[k + 1]}` : "");
    place.replaceChildren(...(notes[k] ? [...notes[k].cloneNode(true).childNodes] : []));
    about.hidden = k === 0;
  };
  const tick = () => write(time, clock((Date.now() - start) / 1000));
  /** @param {number} step */
  const move = (step) => window.opener?.postMessage({ move: step }, "*");
  again.addEventListener("click", () => {
    start = Date.now();
    tick();
  });
  back.addEventListener("click", () => move(-1));
  on.addEventListener("click", () => move(1));
  addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(step);
  });
  addEventListener("message", ({ source, data }) => {
    if (source === window.opener) show(data?.slide);
  });
  setInterval(tick, 1000);
  tick();
  show(0);
  window.opener?.postMessage({ move: 0 }, "*"); // which asks where the slides are
}
