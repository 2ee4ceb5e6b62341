// The transport of a comparison: one Play, one slider of time and one switch for all of its views. It works on the views'
// own hubs, which it finds on the page, so that it acts at once, whatever the kernel does.

import { attribute, icon, iconButton, listener, make, write } from "../shared/elements.js";
import { isChord } from "../shared/keys.js";
import { themeOf, watchTheme } from "../shared/theme.js";
import { hubsOnPage } from "../shared/widget.js";
import { facing } from "./facing.js";

/** @import { Clock, HubView, Model } from "../shared/types.d.ts" */
/** @import { PlayerHub } from "../player/hub.js" */

const LOOK_EVERY = 300; // ms between looks for views that are not there yet, or are there anew
const LENGTH = 10; // seconds that the film of all takes

/** @implements {HubView} */
export class TransportView {
  /** @param {Model} model @param {HTMLElement} el @param {Clock} clock */
  constructor(model, el, clock = globalThis) {
    this.model = model;
    this.clock = clock;
    this.undo = new AbortController();
    /** @type {PlayerHub[]} of the views, the first is what the others are turned to */
    this.hubs = [];
    /** @type {{at: number, since: number}|null} the film of all that plays */
    this.film = null;
    const p = {
      play: iconButton("play-all", "Play all", "Play all (space)", "play", { class: "nsne-primary" }),
      step: iconButton("step-all", "Step", "One step of each", "step"),
      restart: iconButton("restart-all", "Restart", "Begin all again at their starts", "restart"),
      film: iconButton("film-all", "Film", "Play the films of all views in step", "film", {
        "aria-pressed": "false",
      }),
      align: iconButton("align", "Align", "Turn and mirror the maps to lie like the first one", "align"),
    };
    this.slider = make("input", { type: "range", class: "nsne-film", min: "0", max: "0", step: "1", value: "0" });
    attribute(this.slider, "data-control", "time-all");
    attribute(this.slider, "aria-label", "Moment of all runs");
    this.where = make("span", { class: "nsne-where", "data-part": "where" });
    this.parts = p;
    this.root = make(
      "div",
      {
        class: "nsne-view nsne-transport",
        lang: "en",
        role: "group",
        "aria-label": "All views",
        tabindex: "0",
      },
      make("span", { class: "nsne-group" }, p.play, p.step, p.restart, p.film),
      this.slider,
      this.where,
      p.align,
    );
    const on = listener(this.undo.signal);
    on(p.play, "click", () => this.toggle());
    on(p.step, "click", () => this.command("step"));
    on(p.restart, "click", () => this.command("restart"));
    on(p.film, "click", () => (this.film ? this.stop() : this.playFilm()));
    on(p.align, "click", () => this.align(!this.model.get("align")));
    on(this.slider, "input", () => {
      this.stop();
      this.show(Number(this.slider.value));
    });
    on(this.root, "keydown", (event) => {
      if (event.key !== " " || event.target !== this.root || isChord(event)) return;
      event.preventDefault();
      event.stopPropagation();
      this.toggle();
    });
    el.append(this.root);
    watchTheme(() => this.dress(), this.undo.signal);
    this.onAlign = () => this.update();
    model.on("change:align", this.onAlign);
    this.timer = clock.setInterval(() => this.look(), LOOK_EVERY);
    this.dress();
    this.look();
  }

  remove() {
    this.clock.clearInterval(this.timer);
    this.model.off("change:align", this.onAlign);
    this.stop();
    this.undo.abort();
    for (const hub of this.hubs) {
      hub.views.delete(this);
      hub.face(null);
      hub.mark(-1);
    }
    this.root.remove();
  }

  dress() {
    attribute(this.root, "data-theme", themeOf(this.root).dark ? "dark" : "light");
  }

  /** Find the hubs of the views. */
  look() {
    const there = hubsOnPage();
    const found = /** @type {string[]} */ (this.model.get("views")).map((key) => there.get(key));
    const hubs = /** @type {PlayerHub[]} */ (found.filter((hub) => hub !== undefined));
    if (hubs.length === this.hubs.length && hubs.every((hub, k) => hub === this.hubs[k] && hub.views.has(this))) return;
    this.hubs = hubs;
    for (const hub of hubs) hub.views.add(this); // it hears of news; the players greet the kernel
    this.update();
  }

  // ---- what hands do ----

  get playing() {
    return this.hubs.some((hub) => hub.playing());
  }

  toggle() {
    this.stop();
    const name = this.playing ? "pause" : "play";
    for (const hub of this.hubs) if (name === "play" || hub.playing()) hub.command(name);
    this.update();
  }

  /** @param {"step"|"restart"} name */
  command(name) {
    this.stop();
    for (const hub of this.hubs) hub.command(name);
  }

  /** Show all at an iteration; a view whose run has not come so far shows its present. @param {number} iteration */
  show(iteration) {
    for (const hub of this.hubs) hub.scrubTo(iteration >= (hub.film.last ?? 0) ? null : iteration);
  }

  playFilm() {
    const [first, last] = this.span;
    if (!(last > first)) return;
    const now = this.at >= last ? first : this.at;
    this.film = { at: now, since: this.clock.performance.now() };
    this.tick();
    this.update();
  }

  tick() {
    const { film, clock } = this;
    if (!film) return;
    const [first, last] = this.span;
    const now = clock.performance.now();
    film.at += ((last - first) * Math.min(now - film.since, 250)) / 1000 / LENGTH;
    film.since = now;
    if (film.at >= last) this.stop();
    this.show(film.at);
    if (this.film) clock.requestAnimationFrame?.(() => this.tick());
  }

  stop() {
    if (!this.film) return;
    this.film = null;
    this.update();
  }

  /** @param {boolean} wanted */
  align(wanted) {
    this.model.set("align", wanted);
    this.model.save_changes();
    this.update();
  }

  // ---- what is shown ----

  /** First and last iteration of any film. */
  get span() {
    const firsts = this.hubs.map((hub) => hub.film.first ?? 0);
    const lasts = this.hubs.map((hub) => hub.film.last ?? 0);
    return [Math.min(...firsts, Infinity), Math.max(...lasts, 0)];
  }

  /** The iteration that is shown: of a film, else the furthest of the runs. */
  get at() {
    const scrubs = this.hubs.filter((hub) => hub.scrub !== null).map((hub) => hub.scrub ?? 0);
    return scrubs.length ? Math.max(...scrubs) : this.span[1];
  }

  /** The object that is looked at in one map is ringed in the others. @param {number} i @param {object} there */
  looked(i, there) {
    for (const hub of this.hubs) if (hub !== there) hub.mark(i);
  }

  /** The maps change with every painting: the others turn with them. */
  paint() {
    const [first, ...others] = this.hubs;
    /** @param {PlayerHub} hub  what a hand holds turns no map */
    const points = (hub) => (hub.scrub === null ? hub.points : hub.shown.points());
    const goal = first && this.model.get("align") ? points(first) : null;
    first?.face(null);
    for (const hub of others) {
      const turn = goal ? facing(points(hub), goal, hub.facing?.flip) : null;
      hub.face(turn && { ...turn, to: first.model.get("title") || "the first map" });
    }
    return false;
  }

  update() {
    const { parts: p, slider, playing } = this;
    const [first, last] = this.span;
    const [short, off] = [!(last > first), !this.hubs.some((hub) => hub.able())];
    for (const control of [p.play, p.step, p.restart]) control.disabled = off;
    slider.disabled = p.film.disabled = short;
    if (!short) Object.assign(slider, { min: String(first), max: String(last), value: String(Math.round(this.at)) });
    slider.style.setProperty("--nsne-done", short ? "1" : String((this.at - first) / (last - first)));
    const back = this.hubs.some((hub) => hub.scrub !== null);
    const at = Math.round(this.at);
    write(this.where, short ? "" : back ? `film: step ${at} of ${last}` : `step ${at} of ${last}`);
    attribute(p.align, "aria-pressed", Boolean(this.model.get("align")));
    attribute(p.film, "aria-pressed", this.film !== null);
    if (attribute(this.root, "data-playing", playing)) {
      const words = playing ? "Pause all" : "Play all";
      p.play.replaceChildren(icon(playing ? "pause" : "play"), make("span", { class: "nsne-word" }, words));
      for (const name of ["aria-label", "title"])
        attribute(p.play, name, playing ? "Pause all (space)" : "Play all (space)");
    }
    this.paint();
    for (const hub of this.hubs.slice(1)) hub.paintSoon();
  }
}
