// The buttons that command the run, and its pace.

import { phrase } from "../../languages/phrase.js";
import { listener, make } from "../../shared/elements.js";

/** @import { PlayerHub } from "../hub.js" */
/** @import { Parts } from "../layout.js" */

/** Disable a control; the keyboard that it had goes to the view. @param {HTMLButtonElement|HTMLSelectElement} control @param {boolean} off @param {HTMLElement} root */
export function disable(control, off, root) {
  if (control.disabled === off) return;
  if (off && document.activeElement === control) root.focus({ preventScroll: true });
  control.disabled = off;
}

/** Show one of two buttons in the place of the other, and keep the focus that was on it. @param {HTMLElement} shown @param {HTMLElement} hidden */
function swap(shown, hidden) {
  if (hidden.hidden && !shown.hidden) return;
  const focused = document.activeElement === hidden;
  shown.hidden = false;
  if (focused) shown.focus({ preventScroll: true });
  hidden.hidden = true;
}

export class RunControls {
  /** @param {{hub: PlayerHub, parts: Parts, signal: AbortSignal, say: (words: string) => void}} own */
  constructor({ hub, parts, signal, say }) {
    this.hub = hub;
    this.parts = parts;
    this.say = say;
    const on = listener(signal);
    for (const name of /** @type {const} */ (["play", "pause", "step", "restart"])) {
      on(parts[name], "click", () => this.command(name));
    }
    on(parts.pace, "change", () => hub.keep("pace", parts.pace.value === "" ? null : Number(parts.pace.value)));
  }

  /** @param {"play"|"pause"|"step"|"restart"} name */
  command(name) {
    if (!this.hub.live) this.say(phrase`This is a film: there is no run to command`);
    else this.hub.command(name);
  }

  toggle() {
    this.command(this.hub.playing() ? "pause" : "play");
  }

  /** Show the pace; one that was set by program, and is none of ours, gets an entry of its own. */
  showPace() {
    const field = this.parts.pace;
    const pace = this.hub.model.get("pace") ?? null;
    const value = pace === null ? "" : String(pace);
    if (field.value === value) return;
    if (pace !== null && ![...field.options].some((option) => option.value === value)) {
      field.prepend(make("option", { value }, phrase`${Number(pace.toPrecision(3))} per second`));
    }
    field.value = value;
  }

  update() {
    const { hub, parts } = this;
    const { play, pause, step, restart, pace } = parts;
    parts.run.hidden = !hub.live;
    if (hub.playing()) swap(pause, play);
    else swap(play, pause);
    const off = !hub.connected || hub.facts.status === "closed";
    for (const control of [play, pause, step, restart, pace]) disable(control, off, parts.root);
    this.showPace();
  }
}
