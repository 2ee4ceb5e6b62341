// The timeline: a slider over the film, with signs above it where something was done to the run. The slider's steps are
// the frames of the film, so that an arrow key always shows another picture.

import { isBusy } from "../../shared/commands.js";
import { attribute, button, icon, iconButton, listener, make, slider, write } from "../../shared/elements.js";
import { digits } from "../../shared/window.js";
import { FilmCurve } from "./film_curve.js";
import { phaseWords } from "../../shared/words.js";
import { Signs } from "./signs.js";

const SPOKEN_EVERY = 1000; // ms between new words of the slider while a run goes on
const LENGTH = 10; // seconds that a film takes, within these frames a second
const RATES = [5, 40];
const CALM_EVERY = 500; // ms between pictures for readers who want little motion

export class Timeline {
  /**
   * @param {{hub: PlayerHub, signal: AbortSignal, calm: {matches: boolean}, say: (words: string) => void, hubs?: PlayerHub[]}}
   *   own  calm: for readers who want little motion; hubs: whose costs are drawn
   */
  constructor({ hub, signal, calm, say, hubs = [hub] }) {
    this.hub = hub;
    this.say = say;
    this.signal = signal;
    this.calm = calm;
    this.playing = this.played = false; // now, and ever before
    this.drawn = ""; // what the button says
    this.at = 0; // iteration of the film that plays
    this.tickedAt = this.shownAt = 0;
    /** @type {number|undefined} an animation frame */
    this.ticking = undefined;
    this.spokenAt = -SPOKEN_EVERY;
    // Beside a run there is one Play, that of the run, which plays the film as well: run_controls.js.
    const primary = { class: "nsne-primary" };
    this.player = hub.live ? null : iconButton("film-play", "Play", "Play the film (space)", "play", primary);
    this.slider = slider("film", "Film of the run", 0, { class: "nsne-film", value: 0 });
    this.curve = new FilmCurve({ hub, hubs, slider: this.slider, hides: Boolean(hub.model.get("from_start")) });
    this.signs = new Signs({ hub, signal, jump: (iteration) => this.jump(iteration) });
    this.where = make("span", { class: "nsne-where", "data-part": "film-where" });
    this.onward = button(
      "go-on",
      "Go on from here",
      "Let the run go on from the moment shown; what came after it is given up (g)",
      "",
    );
    this.now = button("back-to-now", "Back to now", "Show the present moment again (End)", "");
    this.acts = make("span", { class: "nsne-film-acts" }, this.onward, this.now);
    this.back = iconButton("chapter-back", "", "The mark before (Page up)", "before");
    this.on = iconButton("chapter-on", "", "The next mark (Page down)", "after");
    this.turns = make("span", { class: "nsne-chapters" }, this.back, this.on);
    this.element = make(
      "div",
      {
        class: "nsne-timeline",
        "data-part": "timeline",
        "data-live": this.hub.live,
        role: "group",
        "aria-label": "Film",
      },
      ...(this.player ? [this.player] : []),
      make("div", { class: "nsne-track" }, this.signs.element, this.curve.canvas, this.slider),
      make("div", { class: "nsne-film-row" }, this.where, this.acts, this.turns),
    );
    this.listen();
  }

  listen() {
    const on = listener(this.signal);
    on(this.slider, "input", () => {
      this.stop();
      this.show(Number(this.slider.value));
    });
    if (this.player) on(this.player, "click", () => this.toggle());
    on(this.back, "click", () => this.chapter(-1));
    on(this.on, "click", () => this.chapter(1));
    on(this.onward, "click", () => this.goOn());
    on(this.now, "click", () => this.backToNow());
  }

  // ---- what hands do ----

  /** Show frame k; the last one of a live run is the present. @param {number} k */
  show(k) {
    const { hub } = this;
    const { film } = hub;
    if (!film.length) return;
    const last = film.length - 1;
    const at = Math.min(Math.max(k, 0), last);
    hub.scrubTo(hub.live && at === last ? null : film.at(at).iteration);
  }

  /** Number of the frame that is shown. */
  shown() {
    const { film, scrub, live, facts } = this.hub;
    if (scrub !== null) return film.nearest(scrub);
    return live ? film.length - 1 : film.nearest(facts.iteration ?? film.last ?? 0);
  }

  /** @param {number} by */
  step(by) {
    this.stop();
    if (this.hub.film.length) this.show(this.shown() + by);
  }

  first() {
    this.stop();
    this.show(0);
  }

  last() {
    this.stop();
    this.show(Infinity);
  }

  /** @param {number} iteration */
  jump(iteration) {
    this.stop();
    const { film } = this.hub;
    if (film.length) this.show(film.from(iteration));
  }

  /** Frames at which something was done to the run, with the first and the last: the film's chapters. */
  chapters() {
    const { film, marks } = this.hub;
    const frames = marks.map(({ iteration }) => film.from(iteration));
    return [...new Set([0, ...frames, film.length - 1])].filter((k) => k >= 0).sort((a, b) => a - b);
  }

  /** Show the next chapter, or the one before; a film that plays plays on from there. @param {1|-1} by */
  chapter(by) {
    const { film, marks } = this.hub;
    if (!film.length) return;
    const [all, here, plays] = [this.chapters(), this.shown(), this.playing];
    const next = by > 0 ? all.find((k) => k > here) : all.findLast((k) => k < here);
    if (next === undefined) return this.say(by > 0 ? "This is the last moment" : "This is the beginning");
    this.stop();
    this.show(next);
    const texts = marks.filter(({ iteration }) => film.from(iteration) === next).map(({ text }) => text);
    const last = next === film.length - 1 && this.hub.live ? "now" : "";
    const words = texts.join("; ") || last;
    this.say(`${all.indexOf(next) + 1} of ${all.length}${words ? `: ${words}` : ""}`);
    if (plays && next < film.length - 1) this.toggle();
  }

  goOn() {
    const { hub } = this;
    if (hub.scrub === null) return hub.facts.status === "finished" ? hub.command("play") : undefined;
    this.stop();
    const hadFocus = this.element.contains(document.activeElement);
    hub.goOn(hub.scrub);
    if (hadFocus) this.slider.focus({ preventScroll: true }); // the button goes away
  }

  backToNow() {
    const hadFocus = this.acts.contains(document.activeElement);
    this.stop();
    this.hub.scrubTo(null);
    if (hadFocus) this.slider.focus({ preventScroll: true });
  }

  // ---- playing the film ----

  toggle() {
    const { hub } = this;
    if (this.playing) return this.stop();
    const { film } = hub;
    if (!(film.length > 1)) return;
    this.at = this.shown() >= film.length - 1 ? (film.first ?? 0) : (hub.scrub ?? film.at(this.shown()).iteration);
    this.playing = this.played = true;
    this.tickedAt = this.shownAt = hub.clock.performance.now();
    hub.scrubTo(this.at);
    this.next();
    this.update();
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.hub.clock.cancelAnimationFrame?.(this.ticking);
    this.update();
  }

  next() {
    this.ticking = this.hub.clock.requestAnimationFrame?.(() => this.tick());
  }

  tick() {
    const { hub } = this;
    const { film } = hub;
    if (!this.playing || this.signal.aborted || hub.scrub === null || film.last === null) return this.stop();
    const now = hub.clock.performance.now();
    const rate = Math.min(Math.max(film.length / LENGTH, RATES[0]), RATES[1]);
    // From iterations and back: a film that is still recorded moves its frames along the slider.
    const place = film.place(this.at) + (Math.min(now - this.tickedAt, 250) / 1000) * rate;
    this.at = film.iterationAt(place) ?? film.last;
    this.tickedAt = now;
    if (this.at >= film.last) {
      this.stop();
      return this.show(Infinity);
    }
    if (!this.calm.matches) hub.scrubTo(this.at);
    else if (now - this.shownAt >= CALM_EVERY) {
      this.shownAt = now;
      hub.scrubTo(film.at(film.before(this.at)).iteration);
    }
    this.next();
  }

  // ---- what is shown ----

  update() {
    const { hub, slider } = this;
    const { film } = hub;
    const scrubbed = hub.scrub !== null;
    if (this.playing && !scrubbed) this.stop();
    const short = film.length < 2;
    slider.disabled = short;
    if (this.player) this.player.disabled = short;
    const [most, value] = [String(Math.max(film.length - 1, 0)), String(Math.max(this.shown(), 0))];
    if (slider.max !== most) slider.max = most;
    if (slider.value !== value) slider.value = value;
    slider.style.setProperty("--nsne-done", short ? "1" : String(Number(value) / Number(most)));
    const { iteration, cost, phase, model_name } = hub.shownFacts();
    const last = hub.live ? (hub.facts.iteration ?? film.last) : film.last;
    const here = `step ${iteration ?? "–"} of ${last ?? "–"}`;
    const words = hub.trouble
      ? `no film: ${hub.trouble}`
      : short && !scrubbed
        ? hub.live
          ? hub.able()
            ? "the film begins when it plays"
            : "no film was kept"
          : "a single moment"
        : scrubbed && hub.live
          ? `film: ${here}`
          : hub.live
            ? "now"
            : here;
    write(this.where, words);
    this.speak(
      [
        here,
        cost === null || cost === undefined ? "" : `cost ${digits(cost)}${hub.unitOf(model_name)}`,
        phaseWords(phase),
      ]
        .filter(Boolean)
        .join(", "),
    );
    const state = scrubbed && hub.live ? "film" : "now";
    attribute(this.element, "data-state", state);
    this.acts.hidden = !hub.live;
    this.onward.disabled = !hub.able();
    if (this.player) this.draw(this.player);
    this.signs.update();
  }

  /** Whether all of the film is shown or was played. */
  get atEnd() {
    return this.shown() >= this.hub.film.length - 1;
  }

  /** @param {HTMLButtonElement} player */
  draw(player) {
    const word = this.playing ? "Pause" : this.played && this.atEnd ? "Replay" : "Play";
    if (word === this.drawn) return;
    this.drawn = word;
    player.replaceChildren(icon(this.playing ? "pause" : "play"), make("span", { class: "nsne-word" }, word));
    player.setAttribute("aria-label", this.playing ? "Pause the film" : "Play the film");
    player.setAttribute("aria-pressed", String(this.playing));
  }

  /**
   * The slider in words; while the run goes on not at every frame, which a reader of screens would read out.
   * @param {string} text
   */
  speak(text) {
    const now = this.hub.clock.performance.now();
    if (this.hub.scrub === null && isBusy(this.hub.facts.status) && now - this.spokenAt < SPOKEN_EVERY) return;
    this.spokenAt = now;
    attribute(this.slider, "aria-valuetext", text);
  }
}
