// Signs above the film's slider, where something was done to the run.

import { rove } from "../../shared/keys.js";
import { isBusy } from "../../shared/commands.js";
import { focusWithin, listener, make, sign } from "../../shared/elements.js";
import { watchSizes } from "../../shared/sizes.js";

/** @import { Film } from "./film.js" */

const SIGN_ROOM = 18; // pixels that a sign takes; those that would overlap become one
const SIGNS_EVERY = 400; // ms between new places of the signs while a run goes on

/** Paths in a box of 16 x 16: a sign for each kind of mark. @type {Record<string, string>} */
const MARK_SIGNS = {
  start: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 2.4a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2z",
  phase: "M4 1.5h1.8V3H13l-2 2.8 2 2.8H5.8v6H4z",
  knob: "M8 1l6.5 7L8 15 1.5 8z",
  model: "M2.5 2.5h11v11h-11z",
  copies: "M2 2h8v3h4v9H6v-3H2zM3.5 3.5v6H6V5h2.5V3.5zM7.5 6.5v6h5v-6z",
  pinned: "M5 1.5h6v1.8L9.8 4.5v3l2.2 2v1.3H8.8V14L8 15l-.8-1v-3.2H4V9.5l2.2-2v-3L5 3.3z",
  moved: "M8 1l3.2 3.6H9.2v2.2h2.2V4.8L15 8l-3.6 3.2V9.2H9.2v2.2h2L8 15l-3.2-3.6h2V9.2H4.6v2L1 8l3.6-3.2v2h2.2V4.6h-2z",
};
/**
 * @typedef {object} SignGroup  marks whose signs would overlap
 * @property {number} iteration  of the first
 * @property {number} share  where it stands, from 0 to 1
 * @property {string} kind
 * @property {string[]} texts
 */

/**
 * Marks as signs: those that would lie on one another become one with all their texts.
 * @param {Pick<Film, "length"|"place">} film @param {Mark[]} marks @param {number} width  of the track in pixels
 */
export function groupMarks(film, marks, width) {
  /** @type {SignGroup[]} */
  const groups = [];
  if (film.length < 2) return groups;
  for (const { iteration, kind, text } of [...marks].sort((a, b) => a.iteration - b.iteration)) {
    const share = film.place(iteration) / (film.length - 1);
    const last = groups[groups.length - 1];
    const line = `${iteration}: ${text}`;
    if (last && (share - last.share) * width < SIGN_ROOM) {
      last.texts.push(line);
      if (last.kind !== kind) last.kind = "several";
    } else groups.push({ iteration, share, kind, texts: [line] });
  }
  return groups;
}

export class Signs {
  /** @param {{hub: PlayerHub, signal: AbortSignal, jump: (iteration: number) => void}} own  jump: show this moment */
  constructor({ hub, signal, jump }) {
    this.hub = hub;
    this.width = 0;
    this.signature = "";
    this.placedAt = -SIGNS_EVERY;
    /** @type {Mark[]|undefined} whose signs stand there */
    this.marks = undefined;
    this.version = -1; // of the film, when they were placed
    this.element = make("div", { class: "nsne-signs", role: "toolbar", "aria-label": "Marks of the film" });
    const on = listener(signal);
    on(this.element, "click", (event) => {
      const chosen = /** @type {Element} */ (event.target).closest("button");
      if (chosen) jump(Number(chosen.dataset.iteration));
    });
    on(this.element, "keydown", (event) => rove(event, /** @type {HTMLElement[]} */ ([...this.element.children])));
    const resized = () => {
      this.width = this.element.clientWidth;
      this.placedAt = -SIGNS_EVERY;
      this.update();
    };
    watchSizes([this.element], resized, signal);
  }

  update() {
    const { hub, element: signs } = this;
    const now = hub.clock.performance.now();
    const marks = hub.marks;
    if (marks === this.marks && hub.film.version === this.version && this.placedAt > 0) return;
    if (marks === this.marks && isBusy(hub.facts.status) && now - this.placedAt < SIGNS_EVERY) return;
    Object.assign(this, { marks, version: hub.film.version, placedAt: now });
    const groups = groupMarks(hub.film, marks, this.width || 400);
    const signature = JSON.stringify(groups.map(({ kind, texts }) => [kind, texts]));
    if (signature !== this.signature) {
      this.signature = signature;
      const focused = focusWithin(signs)?.dataset.iteration;
      const all = groups.map((group, k) => this.sign(group, k));
      signs.replaceChildren(...all);
      if (focused) all.find((one) => one.dataset.iteration === focused)?.focus({ preventScroll: true });
    }
    groups.forEach(({ share }, k) => {
      const one = /** @type {HTMLElement} */ (signs.children[k]);
      one.style.setProperty("--nsne-share", share.toFixed(4));
    });
  }

  /** @param {SignGroup} group @param {number} k */
  sign({ iteration, kind, texts }, k) {
    const text = texts.join("\n");
    const inside = MARK_SIGNS[kind] ? sign(MARK_SIGNS[kind]) : String(texts.length);
    return make(
      "button",
      {
        type: "button",
        class: "nsne-sign",
        "data-kind": kind,
        "data-iteration": iteration,
        title: text,
        "aria-label": `Step ${texts.join("; ")}`,
        tabindex: k ? "-1" : "0",
      },
      inside,
    );
  }
}
