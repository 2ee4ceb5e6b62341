// The axis rule of a view, always said in its corner: its window follows the map's extent, or was fitted once and is
// held, or is held as it stands. Zooming and panning by hand hold it.

import { between, extent, fitting, follow, refit, zoom } from "../../shared/window.js";
import { Part } from "../part.js";
import { filling } from "./turn.js";

const GLIDE = 250; // ms that a change of the window takes
const SWIFT = 0.04; // seconds in which most of the way to another moment of the film is followed
const MOST = 100000; // objects above which memory for their turned places, new with each frame, is too much
const BORDER = 8; // pixels: a point nearer to the border counts as out of view
/** @type {Record<AxisRule, string>} */
const RULES = {
  follow: "the whole map",
  fit: "held as it was fitted",
  fixed: "held; Fit shows the whole map",
};

export class Axes extends Part {
  /** @param {Known} known @param {() => boolean} filmPlays */
  constructor(known, filmPlays) {
    super(known);
    this.window = known.stage.window;
    this.filmPlays = filmPlays;
    /** @type {AxisRule|undefined} the rule that is in force here */
    this.rule = undefined;
    /** @type {{from: MapWindow, goal: Place|null, since: number}|null} */
    this.glide = null;
    this.movedAt = 0;
    /** @type {number|null} */
    this.scrub = null; // the moment of the film that was shown last
    this.swiftUntil = -Infinity;
    /** @type {Float32Array|undefined} the points that were shown last */
    this.points = undefined;
    /** @type {ReturnType<typeof extent>|undefined} how far they reach, once it was asked for */
    this.reach = undefined;
    this.spin = { from: 0, to: 0, since: -Infinity }; // angles of the map
    this.filled = ""; // for which end of a run, and which frame, it was turned last
  }

  /** The window of the whole map. @param {Float32Array} points @param {number} width @param {number} height */
  whole(points, width, height) {
    this.reach ??= extent(points);
    return fitting(points, width, height, this.reach, this.stage.covered);
  }

  /** The rule in words. */
  get words() {
    return this.rule ? RULES[this.rule] : "";
  }

  /** A hand moves the window: it is held from now on. @param {string} why */
  byHand(why) {
    this.glide = null;
    this.window.held = true;
    this.window.box = undefined;
    if (this.hub.model.get("axes") === "fixed") return;
    this.rule = "fixed";
    this.hub.keep("axes", "fixed");
    this.say(`${why}: it is held as it is now; Fit follows the map again`);
  }

  /** @param {number} factor */
  zoomBy(factor, x = this.stage.size[0] / 2, y = this.stage.size[1] / 2) {
    if (!(this.window.width > 0)) return;
    this.byHand("The view was zoomed");
    zoom(this.window, factor, x, y, ...this.stage.size);
    this.hub.paintSoon();
  }

  /** Choose a rule; even the one that is in force begins anew. @param {AxisRule} rule */
  choose(rule) {
    this.rule = undefined;
    this.hub.keep("axes", rule);
  }

  /** Act on the rule of the trait, if it is new here. @param {AxisRule} rule */
  obey(rule) {
    if (rule === this.rule) return;
    this.rule = rule;
    this.glide = null;
    this.window.held = rule !== "follow";
    this.window.box = undefined;
    if (rule !== "fixed" && this.window.width > 0) this.glideTo(null);
  }

  /** Move the window to a goal in a moment; null stands for the whole map as it then is. @param {Place|null} goal */
  glideTo(goal) {
    this.glide = { from: { ...this.window }, goal, since: performance.now() };
    this.hub.paintSoon();
  }

  /**
   * Turn the map so that it fills its frame: once a run has ended, a film from its first frame on. True while it turns.
   * What was computed at once, such as PCA, keeps its axes.
   * @param {number} now
   */
  turn(now) {
    const { hub, stage, window } = this;
    const { film } = hub;
    if (hub.facing?.to || window.held || film.length < 2 || film.last === null) return false;
    const ended = !hub.live || (hub.scrub === null && hub.facts.status === "finished");
    const end = ended && [film.last, ...stage.size, ...Object.values(stage.covered)].join();
    if (end && end !== this.filled && !hub.shown.hands.list.length && stage.count <= MOST) {
      this.filled = end;
      const from = this.spin.to;
      const to = filling(hub.live ? hub.shown.points() : film.between(film.last), stage.size, stage.covered, from);
      if (to !== from) this.spin = { from, to, since: hub.live && stage.ready ? now : -Infinity };
    }
    const { from, to, since } = this.spin;
    const share = stage.calm.matches ? 1 : Math.min((now - since) / GLIDE, 1);
    const angle = from + (to - from) * share;
    const is = hub.facing ? Math.atan2(hub.facing.sin, hub.facing.cos) : 0;
    if (Math.abs(angle - is) > 1e-9) hub.face({ cos: Math.cos(angle), sin: Math.sin(angle), flip: false });
    return share < 1;
  }

  /** Bring places into a window that is held; one that follows shows them anyway. @param {Float32Array} places (K, 2) */
  show(places) {
    const { window } = this;
    const [width, height] = this.stage.size;
    if (!window.held || !places.length) return;
    const scale = width / window.width;
    const [across, down] = [width / 2 - BORDER, height / 2 - BORDER];
    let outside = false;
    for (let i = 0; i < places.length; i += 2) {
      if (Math.abs(places[i] - window.x) * scale > across || Math.abs(places[i + 1] - window.y) * scale > down)
        outside = true;
    }
    if (!outside) return;
    const goal = fitting(places, width, height, undefined, this.stage.covered);
    this.glideTo({ ...goal, width: Math.max(goal.width * 1.1, window.width) });
  }

  /** The view has another size: what was shown stays in view. @param {number[]} before @param {number[]} after */
  resize(before, after) {
    if (this.window.held && this.window.width > 0 && before[1] && after[1])
      refit(this.window, before[0] / before[1], after[0] / after[1]);
  }

  /**
   * How fast the window follows: at once to another moment of the film, smoothly while the run or the film goes on.
   * @param {number} now
   */
  pace(now) {
    const { scrub } = this.hub;
    if (scrub !== this.scrub && !this.filmPlays()) this.swiftUntil = now + GLIDE;
    this.scrub = scrub;
    return now < this.swiftUntil ? SWIFT : undefined;
  }

  /**
   * Move the window a little, by its rule. True while it still moves.
   * @param {number} now @param {Float32Array} points
   */
  move(now, points) {
    const { window, glide } = this;
    const { calm } = this.stage;
    const [width, height] = this.stage.size;
    const seconds = Math.min((now - this.movedAt) / 1000, 0.1);
    this.movedAt = now;
    if (points !== this.points) [this.points, this.reach] = [points, undefined];
    if (!points.length) return false;
    if (!(window.width > 0)) Object.assign(window, this.whole(points, width, height), { held: window.held });
    if (glide) {
      const share = calm.matches ? 1 : Math.min((now - glide.since) / GLIDE, 1);
      const goal = glide.goal ?? this.whole(points, width, height);
      Object.assign(window, between(glide.from, goal, 1 - (1 - share) ** 3), { aspect: width / height });
      if (share === 1) this.glide = null;
      return share < 1;
    }
    return !window.held && follow(window, this.whole(points, width, height), seconds, calm.matches, this.pace(now));
  }
}
