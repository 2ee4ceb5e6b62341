// The buttons that command the run, and its pace.

import { attribute, iconButton, listener, make, write } from "../../shared/elements.js";

const PACES = [3, 10, 30, 100]; // iterations a second that can be chosen, beside full speed

/** What Play does next, on the button and at length. @type {Record<string, [word: string, help: string]>} */
const PLAYS = {
  run: ["Play", "Play (space)"],
  film: ["Play", "Play the film (space)"],
  again: ["Replay", "Play the film again (space)"],
  "from here": ["Play from here", "Play the film from here (space)"],
};

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

export function runBar() {
  const play = iconButton("play", "", "", "play");
  const playWord = make("span", { class: "nsne-word" });
  play.append(playWord);
  const pause = iconButton("pause", "Pause", "Pause (space)", "pause");
  const step = iconButton("step", "Step", "One step (s)", "step");
  const restart = iconButton("restart", "Restart", "Begin again at the start (r)", "restart");
  const pace = make(
    "select",
    { "data-control": "pace", "aria-label": "Most steps a second", title: "How fast the run goes" },
    ...PACES.map((one) => make("option", { value: one }, `${one} per second`)),
    make("option", { value: "" }, "full speed"),
  );
  const run = make("span", { class: "nsne-group nsne-run" }, play, pause, step, restart, pace);
  return { play, playWord, pause, step, restart, pace, run };
}

export class RunControls {
  /** @param {{hub: PlayerHub, parts: ReturnType<typeof runBar> & Pick<Parts, "root">, timeline: Timeline, signal: AbortSignal, say: (words: string) => void}} own */
  constructor({ hub, parts, timeline, signal, say }) {
    this.hub = hub;
    this.parts = parts;
    this.timeline = timeline;
    this.say = say;
    const on = listener(signal);
    for (const name of /** @type {const} */ (["step", "restart"])) on(parts[name], "click", () => this.command(name));
    for (const name of /** @type {const} */ (["play", "pause"])) on(parts[name], "click", () => this.toggle());
    on(parts.pace, "change", () => hub.keep("pace", parts.pace.value === "" ? null : Number(parts.pace.value)));
  }

  /** @param {"play"|"pause"|"step"|"restart"} name */
  command(name) {
    if (!this.hub.live) this.say("This is a film: there is no run to command");
    else this.hub.command(name);
  }

  /** What is played next: the film from its beginning, or from the moment shown, or the run. */
  get next() {
    const { hub } = this;
    if (!hub.able() && hub.film.length > 1 && hub.scrub === null) return "again"; // nobody computes: its film is left
    if (hub.scrub !== null && hub.film.length > 1) return this.timeline.shown() > 0 ? "from here" : "film";
    return hub.facts.status === "finished" && hub.film.length > 1 ? "again" : "run";
  }

  toggle() {
    const { hub, timeline } = this;
    if (!hub.able() || timeline.playing) timeline.toggle();
    else if (hub.playing()) this.command("pause");
    else if (this.next === "run") this.command("play");
    else timeline.toggle();
  }

  /** Show the pace; one that was set by program, and is none of ours, gets an entry of its own. */
  showPace() {
    const field = this.parts.pace;
    const pace = this.hub.model.get("pace") ?? null;
    const value = pace === null ? "" : String(pace);
    if (field.value === value) return;
    if (pace !== null && ![...field.options].some((option) => option.value === value)) {
      field.prepend(make("option", { value }, `${Number(pace.toPrecision(3))} per second`));
    }
    field.value = value;
  }

  update() {
    const { hub, parts } = this;
    const { play, pause, step, restart, pace } = parts;
    parts.run.hidden = !hub.live;
    if ((hub.able() && hub.playing()) || this.timeline.playing) swap(pause, play);
    else swap(play, pause);
    const [word, help] = PLAYS[this.next];
    write(parts.playWord, word);
    if (attribute(play, "aria-label", help)) play.title = help;
    const off = !hub.connected || hub.facts.status === "closed";
    disable(play, off && hub.film.length < 2, parts.root);
    disable(pause, off && !this.timeline.playing, parts.root);
    for (const control of [step, restart, pace]) control.hidden = off; // what does nothing is not shown
    this.showPace();
  }
}
