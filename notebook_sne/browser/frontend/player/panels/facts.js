// What is written and spoken of the state: status, numbers, remarks, and the note in the corner of the map.

import { isBusy } from "../../shared/commands.js";
import { attribute, write } from "../../shared/elements.js";
import { Toast } from "../../shared/toast.js";
import { digits } from "../../shared/window.js";
import { methodWords, phaseWords, stepName, stepWords } from "../../shared/words.js";
import { Part } from "../part.js";

/** @import { Axes } from "../map/axes.js" */

const SPEAK_EVERY = 5000; // ms between spoken reports of a run that goes on
const HEARD = 1500; // ms that a remark takes to be heard
const NOTE_EVERY = 250; // ms between new notes while the view moves

export class Facts extends Part {
  /** @param {Known} known @param {Parts} parts @param {Axes} axes */
  constructor(known, parts, axes) {
    super(known);
    this.parts = parts;
    this.axes = axes;
    this.toast = new Toast(parts.toast);
    this.status = ""; // in words, as last written
    this.spokenAt = this.saidAt = this.notedAt = -SPEAK_EVERY;
    this.noted = this.spoken = "";
  }

  stop() {
    this.toast.stop();
  }

  update() {
    const { hub, parts } = this;
    const shown = hub.shownFacts();
    const { iteration, cost, phase, model_name } = shown;
    const nats = cost === null || cost === undefined ? "–" : `${digits(cost)}${hub.unitOf(model_name)}`;
    const whole = iteration === null || iteration === undefined ? "–" : String(Math.round(iteration));
    const words = hub.words();
    write(parts.status, words);
    write(parts.method, methodWords(model_name));
    write(parts.iteration, whole);
    write(parts.cost, nats);
    const axis = hub.unitOf(model_name) ? "cost in nats" : "cost";
    write(parts.costAxis, hub.trace.rests ? `${axis} · at rest` : axis);
    const done = hub.facts.status === "finished" && hub.scrub === null; // it does nothing now
    write(parts.phase, done ? "–" : phaseWords(phase) || "–");
    const name = hub.live ? "" : stepName(shown);
    attribute(parts.brief, "data-named", Boolean(name));
    write(
      parts.brief,
      name || whole === "–"
        ? name
        : `${hub.live && hub.scrub !== null ? `film: ${stepWords(iteration)}` : stepWords(iteration)} · ${nats}`,
    );
    write(
      parts.told,
      whole === "–"
        ? ""
        : `${hub.scrub === null ? stepWords(iteration) : `step ${whole} of ${hub.film.last}`}\ncost ${digits(cost ?? NaN)}`,
    );
    write(parts.message, hub.trouble || hub.facts.message || "");
    parts.message.hidden = !parts.message.textContent;
    const seconds = hub.preparing();
    const waiting = seconds !== null && (seconds >= 1 || !hub.present.any);
    parts.overlay.hidden = !waiting && hub.present.any;
    write(
      parts.overlay,
      waiting
        ? `${hub.facts.compiles ? "getting ready, the first time only" : "getting ready"}… ${seconds} s`
        : hub.present.any
          ? ""
          : hub.live
            ? "No map yet: press Play"
            : "Nothing is recorded yet",
    );
    this.speak(words, `${words}, step ${whole}, cost ${nats}`);
    this.status = words;
  }

  /**
   * A spoken report soon when the status changes, otherwise seldom, and never over a remark.
   * @param {string} status @param {string} report
   */
  speak(status, report) {
    const now = performance.now();
    const [since, sinceRemark] = [now - this.spokenAt, now - this.saidAt];
    const due = status === "running" && since >= SPEAK_EVERY && sinceRemark >= SPEAK_EVERY;
    if (sinceRemark < HEARD || (status === this.spoken && !due)) return;
    [this.spoken, this.spokenAt] = [status, now];
    write(this.parts.speech, report);
  }

  /** A remark, spoken and for a moment shown. @param {string} text @param {boolean} shown */
  tell(text, shown) {
    write(this.parts.speech, text);
    this.saidAt = performance.now();
    if (shown) this.toast.show(text);
  }

  /** The corner note: how much the view shows and by which rule. @param {number} now */
  note(now) {
    const { axes, selection, hub } = this;
    const limits = hub.model.get("axes_note") ?? "";
    const turned = hub.facing ? `turned to ${hub.facing.to ? `match ${hub.facing.to}` : "fill the frame"}` : "";
    const ruled = [axes.rule, selection.version, limits, turned, this.stage.painted].join();
    if (ruled === this.noted && now - this.notedAt < NOTE_EVERY && isBusy(hub.facts.status)) return;
    [this.noted, this.notedAt] = [ruled, now];
    const count = (/** @type {number} */ n) => n.toLocaleString("en");
    const said = [
      `${digits(axes.window.width, 3)} units wide`,
      axes.words,
      limits,
      turned,
      this.stage.painted,
      selection.left ? `${count(selection.whole)} of ${count(selection.flags.length)} objects left` : "",
      selection.chosen ? `${selection.chosen} selected` : "",
    ];
    write(this.parts.note, this.stage.points.length ? said.filter(Boolean).join(" · ") : "");
  }
}
