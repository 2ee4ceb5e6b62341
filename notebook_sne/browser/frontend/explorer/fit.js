// What is known of the fit behind the maps, and the buttons that a running one obeys.

import { isBusy } from "../shared/commands.js";
import { button, icon, iconButton, make, write } from "../shared/elements.js";
import { Toast } from "../shared/toast.js";
import { digits } from "../shared/window.js";
import { methodWords, stepWords } from "../shared/words.js";

export class FitBar {
  /** @param {ExplorerHub} hub */
  constructor(hub) {
    this.hub = hub;
    this.live = hub.model.get("live");
    this.play = button("play", "Play", "Let the fit go on", icon("play"));
    this.pause = button("pause", "Pause", "Pause the fit", icon("pause"));
    this.play.addEventListener("click", () => this.command("play"));
    this.pause.addEventListener("click", () => this.command("pause"));
    this.step = iconButton("step", "", "One update", "step");
    this.restart = iconButton("restart", "", "Start over", "restart");
    this.step.addEventListener("click", () => this.hub.command("step"));
    this.restart.addEventListener("click", () => this.hub.command("restart"));
    this.step.hidden = this.restart.hidden = !hub.steers;
    this.status = make("span", { class: "nsne-status", "data-part": "status" });
    this.facts = make("span", { class: "nsne-e-soft", "data-part": "facts" });
    this.message = make("div", { class: "nsne-message", "data-part": "message", role: "alert", hidden: "" });
    this.run = make("span", { class: "nsne-group" }, this.restart, this.play, this.pause, this.step, this.status);
    this.run.hidden = !this.live;
    const remark = make("span", { class: "nsne-e-soft", "aria-hidden": "true", "data-part": "remark" });
    this.remark = new Toast(remark);
    this.element = make("span", { class: "nsne-group" }, remark, this.run);
    // Where the maps will be, until there are some.
    this.waits = make("p", { "data-part": "waits" });
    this.start = button("start", "Play", "Let the fit begin", icon("play"));
    this.start.addEventListener("click", () => this.command("play"));
    this.waiting = make("div", { class: "nsne-e-waiting", "data-part": "waiting", hidden: "" }, this.waits, this.start);
  }

  /** @param {"play"|"pause"} name */
  command(name) {
    const hadFocus = this.run.contains(document.activeElement) || this.start === document.activeElement;
    this.hub.command(name);
    const other = name === "play" ? this.pause : this.play;
    if (hadFocus && !other.hidden) other.focus({ preventScroll: true });
  }

  /**
   * Show the present facts of the fit of mixture x, which is null before its start; returns them for programs.
   * @param {Mixture|null} x @param {Pick<ExplorerStage, "fits"|"fit">} stage
   */
  update(x, { fits, fit }) {
    const { hub, live } = this;
    const { status, iteration, message, model_name } = hub.facts;
    const cost = fits.length > 1 ? fits[fit].cost : hub.facts.cost;
    const connected = hub.connected || !live;
    const parts = [
      fits.length > 1 ? `${fits.length} fits` : "",
      methodWords(model_name),
      !x ? "no maps yet" : x.M > 1 ? `${x.M} maps of ${x.N} words` : `1 map of ${x.N} words`,
    ];
    if (iteration !== null && iteration !== undefined) parts.push(stepWords(iteration));
    if (cost !== null && cost !== undefined) parts.push(`cost ${digits(cost)} nats`);
    write(this.facts, parts.filter(Boolean).join(" · "));
    // A fit that was over before anybody pressed Play has its step and its cost, which say enough.
    const said = hub.words();
    write(this.status, said === "finished" && !this.status.textContent ? "" : said);
    write(this.message, message || "");
    this.message.hidden = !message;
    const playing = hub.pending ? hub.pending.name === "play" : isBusy(status);
    const able = connected && status !== "closed";
    this.waiting.hidden = Boolean(x);
    write(
      this.waits,
      able && !playing ? "No maps yet: press Play" : able ? `No maps yet: ${hub.words()}` : `No maps: ${hub.words()}`,
    );
    this.start.hidden = playing || !able;
    this.play.hidden = playing;
    this.pause.hidden = !playing;
    for (const act of [this.play, this.pause, this.step, this.restart]) act.disabled = !able;
    return { status, iteration: iteration ?? "", connected, waiting: hub.unheard, pending: hub.pending?.name ?? "" };
  }
}
