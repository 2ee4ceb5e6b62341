// The transport of a comparison: the run bar and the timeline of a player, for all of its views. It works on the views'
// own hubs, which it finds on the page, so that it acts at once, whatever the kernel does.

import { RunControls, runBar } from "../player/panels/run_controls.js";
import { DASHES } from "../player/recording/film_curve.js";
import { Timeline } from "../player/recording/timeline.js";
import { attribute, draw, iconButton, listener, make, write } from "../shared/elements.js";
import { hearKeys, isChord } from "../shared/keys.js";
import { FIRST_THEME, themeOf, wearTheme } from "../shared/theme.js";
import { hear, hubsOnPage, keep } from "../shared/widget.js";
import { facing } from "./facing.js";

const THEME_EVERY = 1000; // ms after which a change of theme is noticed
const LOOK_EVERY = 300; // ms between looks for views that are not there yet, or are there anew

/**
 * Hubs as one: what the one with the longest film says, and what is done to it is done to all.
 * @param {PlayerHub[]} hubs @returns {PlayerHub}
 */
export function together(hubs) {
  /** @param {PlayerHub} hub */
  const end = (hub) => hub.film.last ?? 0;
  /** @type {Partial<PlayerHub>} */
  const all = {
    able: () => hubs.some((hub) => hub.able()),
    playing: () => hubs.some((hub) => hub.playing()),
    command: (name) => {
      for (const hub of hubs) if (name !== "pause" || hub.playing()) hub.command(name);
    },
    // A view whose run has not come so far shows its present, and goes on from there.
    scrubTo: (iteration) => {
      for (const hub of hubs) hub.scrubTo(iteration !== null && iteration < end(hub) ? iteration : null);
    },
    goOn: (iteration) => {
      for (const hub of hubs) hub.scrub === null ? hub.command("play") : hub.goOn(iteration);
    },
  };
  return new Proxy(hubs[0], {
    /** @param {PlayerHub} _ @param {keyof PlayerHub} name */
    get(_, name) {
      const lead = hubs.reduce((one, other) => (end(other) > end(one) ? other : one));
      const value = all[name] ?? lead[name];
      return typeof value === "function" ? value.bind(lead) : value;
    },
  });
}

/** @implements {HubView} */
export class TransportView {
  /** @param {Model} model @param {HTMLElement} el @param {Clock} clock */
  constructor(model, el, clock = globalThis) {
    this.model = model;
    this.clock = clock;
    this.undo = new AbortController();
    /** @type {PlayerHub[]} of the views, the first is what the others are turned to */
    this.hubs = [];
    /** @type {ReturnType<TransportView["build"]>|null} what plays them, once they are there */
    this.bar = null;
    this.turner = iconButton("align", "Align", "Turn and mirror the maps to lie like the first one", "align");
    this.theme = FIRST_THEME;
    this.themeAt = -THEME_EVERY;
    this.foot = make("footer", { class: "nsne-foot" }, this.turner);
    this.speech = make("div", { class: "nsne-speech", "aria-live": "polite", "data-part": "speech" });
    const is = { class: "nsne-view nsne-player nsne-transport", lang: "en", role: "group", tabindex: "0" };
    this.root = make("div", { ...is, "aria-label": "All views" }, this.foot, this.speech);
    const on = listener(this.undo.signal);
    on(this.turner, "click", () => this.align(!this.model.get("align")));
    hearKeys(this.root, this.undo.signal, (event) => {
      if (event.key !== " " || event.target !== this.root || isChord(event)) return;
      event.preventDefault();
      event.stopPropagation();
      this.bar?.controls.toggle();
    });
    wearTheme(el, this.root, this.undo.signal);
    hear(model, ["change:align"], () => this.update(), this.undo.signal);
    this.timer = clock.setInterval(() => this.look(), LOOK_EVERY);
    this.look();
  }

  remove() {
    this.clock.clearInterval(this.timer);
    this.bar?.undo.abort();
    this.undo.abort();
    for (const hub of this.hubs) {
      hub.views.delete(this);
      hub.face(null);
      hub.mark(-1);
    }
    this.root.remove();
  }

  /** Find the hubs of the views. */
  look() {
    const there = hubsOnPage();
    const found = /** @type {string[]} */ (this.model.get("views")).map((key) => there.get(key));
    const hubs = /** @type {PlayerHub[]} */ (found.filter((hub) => hub !== undefined));
    if (hubs.length === this.hubs.length && hubs.every((hub, k) => hub === this.hubs[k] && hub.views.has(this))) return;
    this.hubs = hubs;
    for (const hub of hubs) hub.views.add(this); // it hears of news; the players greet the kernel
    this.bar?.undo.abort();
    this.bar = hubs.length ? this.build(hubs) : null;
    this.update();
  }

  /** @param {PlayerHub[]} hubs */
  build(hubs) {
    const undo = new AbortController();
    const say = (/** @type {string} */ words) => write(this.speech, words);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const own = { hub: together(hubs), hubs, signal: undo.signal, say };
    const timeline = new Timeline({ ...own, calm });
    const parts = { ...runBar(), root: this.root };
    const key = hubs.map((hub, n) => {
      const line = draw("path", { d: "M0 4H26", "stroke-dasharray": DASHES[n % DASHES.length].join(" ") });
      return make("span", {}, draw("svg", { width: 26, height: 8 }, line), String(hub.model.get("title") || n + 1));
    });
    this.foot.replaceChildren(
      parts.run,
      timeline.element,
      make("div", { class: "nsne-costs-key" }, ...key),
      this.turner,
    );
    return { undo, timeline, controls: new RunControls({ ...own, parts, timeline }) };
  }

  /** @param {boolean} wanted */
  align(wanted) {
    keep(this.model, "align", wanted);
    this.update();
  }

  /** The object that is looked at in one map is ringed in the others. @param {number} i @param {object} there */
  looked(i, there) {
    for (const hub of this.hubs) if (hub !== there) hub.mark(i);
  }

  /** The maps change with every painting: the others turn with them. */
  paint() {
    const now = this.clock.performance.now();
    if (now - this.themeAt >= THEME_EVERY) [this.theme, this.themeAt] = [themeOf(this.root), now];
    this.bar?.timeline.curve.paint(this.theme, globalThis.devicePixelRatio || 1);
    const [first, ...others] = this.hubs;
    /** @param {PlayerHub} hub  what a hand holds turns no map */
    const points = (hub) => (hub.scrub === null ? hub.points : hub.shown.points());
    const goal = first && this.model.get("align") ? first.faced(points(first)) : null;
    if (first?.facing?.to) first.face(null);
    for (const hub of others) {
      if (!goal && !hub.facing?.to) continue;
      const turn = goal ? facing(points(hub), goal, hub.facing?.flip) : null;
      hub.face(turn && { ...turn, to: first.model.get("title") || "the first map" });
    }
    return false;
  }

  update() {
    this.bar?.controls.update();
    this.bar?.timeline.update();
    attribute(this.turner, "aria-pressed", Boolean(this.model.get("align")));
    this.paint();
    for (const hub of this.hubs.slice(1)) hub.paintSoon();
  }
}
