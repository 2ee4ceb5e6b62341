// What is written and spoken of the state: status, numbers, remarks, and the note in the corner of the map.

import { write } from "../shared/elements.js";
import { BUSY } from "../shared/hub.js";
import { digits } from "../shared/window.js";

const SPEAK_EVERY = 5000; // ms between spoken reports of a run that goes on
const HEARD = 1500; // ms that a remark takes to be heard
const NOTE_EVERY = 250; // ms between new notes while the view moves
const TOAST = 3500; // ms that a remark is shown

export class Facts {
  /** @param {any} view */
  constructor(view) {
    this.view = view;
    this.status = ""; // in words, as last written
    this.spokenAt = this.saidAt = this.notedAt = -SPEAK_EVERY;
    this.noted = this.spoken = "";
  }

  stop() {
    clearTimeout(this.toasting);
  }

  update() {
    const { hub, parts } = this.view;
    const { iteration, cost, phase, model_name } = hub.shownFacts();
    const nats = cost === null || cost === undefined ? "–" : `${digits(cost)} nats`;
    const whole = iteration === null || iteration === undefined ? "–" : String(Math.round(iteration));
    const words = hub.words();
    write(parts.status, words);
    write(parts.method, model_name || "");
    write(parts.iteration, whole);
    write(parts.cost, nats);
    write(parts.phase, phase || "–");
    write(
      parts.brief,
      whole === "–" ? "" : `${hub.live && hub.scrub !== null ? "film: " : ""}iteration ${whole} · ${nats}`,
    );
    write(parts.message, hub.trouble || hub.facts.message || "");
    parts.message.hidden = !parts.message.textContent;
    const seconds = hub.preparing();
    const waiting = seconds !== null && (seconds >= 1 || !hub.points.length);
    parts.overlay.hidden = !waiting && hub.points.length > 0;
    write(
      parts.overlay,
      waiting
        ? `${hub.facts.compiles ? "compiling, once" : "preparing"}… ${seconds} s`
        : hub.points.length
          ? ""
          : "no map yet",
    );
    this.speak(words, `${words}, iteration ${whole}, cost ${nats}`);
    this.status = words;
  }

  /** A spoken report soon when the status changes, otherwise seldom, and never over a remark. */
  speak(status, report) {
    const now = performance.now();
    const [since, sinceRemark] = [now - this.spokenAt, now - this.saidAt];
    const due = status === "running" && since >= SPEAK_EVERY && sinceRemark >= SPEAK_EVERY;
    if (sinceRemark < HEARD || (status === this.spoken && !due)) return;
    [this.spoken, this.spokenAt] = [status, now];
    write(this.view.parts.speech, report);
  }

  /** A remark, spoken and for a moment shown. */
  say(text, shown) {
    const { speech, toast } = this.view.parts;
    write(speech, text);
    this.saidAt = performance.now();
    if (!shown) return;
    write(toast, text);
    toast.hidden = false;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => (toast.hidden = true), TOAST);
  }

  /** The corner note: how much the view shows and by which rule. */
  note(now) {
    const { view } = this;
    const { axes, selection, hub } = view;
    const ruled = [axes.rule, selection.size, view.model.get("axes_note")].join();
    if (ruled === this.noted && now - this.notedAt < NOTE_EVERY && BUSY.includes(hub.facts.status)) return;
    [this.noted, this.notedAt] = [ruled, now];
    const said = [
      `view ${digits(axes.window.width, 3)} wide`,
      axes.words,
      view.model.get("axes_note"),
      selection.size ? `${selection.size} selected` : "",
    ];
    write(view.parts.note, view.points.length ? said.filter(Boolean).join(" · ") : "");
  }
}
