// What is shown: the present, with what hands hold in their place, or a moment of the film.

import { Film, unpackFilm } from "./film.js";
import { Hands } from "./hands.js";

/** @import { Packed } from "./film.js" */

export class Shown {
  /** @param {PlayerHub} hub */
  constructor(hub) {
    this.hub = hub;
    this.film = new Film();
    this.hands = new Hands(hub);
    /** @type {number|null} the iteration of the film that is shown instead of the present */
    this.scrub = null;
    /** @type {number|null} iteration of the last frame */
    this.stood = null;
    /** @type {{from: number, token: Token}|null} a command of ours that led another way */
    this.turn = null;
    this.trouble = ""; // why a film cannot be read
    this.key = "";
    /** @type {Float32Array} points of the film, last made for `key` */
    this.filmed = new Float32Array(0);
    /** @type {Float32Array} points with what is held */
    this.lifted = this.filmed;
    /** @type {Float32Array} and without */
    this.under = this.filmed;
    this.version = 0;
  }

  /** @param {DataView|undefined} view */
  takeFilm(view) {
    if (!view?.byteLength) return;
    try {
      this.film.merge(unpackFilm(view));
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /** Points and iteration of the film's end. @returns {[Float32Array, number]|null} */
  lastMoment() {
    const { last } = this.film;
    return last === null ? null : [this.film.between(last).slice(), last];
  }

  /** What lies after `from` is given up as soon as a command is heard. @param {number} from @param {Token} token */
  turnOff(from, token) {
    this.turn = { from, token };
  }

  /** Keep a frame that is shown. @param {RunFacts} facts @param {Float32Array} points @param {Packed} [packed]  if they came so */
  keep({ iteration, cost = null, phase = "" }, points, packed) {
    const { film, hub } = this;
    if (iteration === null || iteration === undefined) return;
    const last = film.last ?? -Infinity;
    const stood = this.stood ?? Infinity;
    // When the recording reaches less far than what is kept here, the run has gone another way from where it stood.
    const turn = this.turn && hub.commands.hears(this.turn.token) ? this.turn : null;
    const reach = turn ? turn.from : Math.max(hub.facts.recorded_to ?? iteration, iteration);
    // Back without a command of ours, and on before we saw from where: the kernel's film tells.
    const lost = !turn && last > reach && this.stood !== null && iteration < stood;
    const from = turn ? turn.from : lost ? -1 : Math.min(iteration, stood);
    this.stood = iteration;
    if (turn) this.turn = null;
    hub.trace.record(iteration, cost, reach, from);
    if (last > reach) film.cut(from);
    if (this.scrub !== null && this.scrub > (film.last ?? 0)) this.scrub = null;
    if (lost) hub.send({ kind: "request", what: "film" });
    film.marks = hub.marks;
    film.add(
      {
        iteration,
        cost,
        phase,
        model: hub.facts.model_name ?? "",
        knobs: hub.facts.present ?? {},
        pins: hub.facts.pins,
      },
      points,
      packed,
    );
  }

  /** Show the film at an iteration, which may lie between two frames; null for the present. @param {number|null} iteration */
  scrubTo(iteration) {
    const { first, last } = this.film;
    const none = iteration === null || first === null || last === null;
    const next = none ? null : Math.min(Math.max(iteration, first), last);
    if (next === this.scrub) return;
    if (next !== null) this.hub.askForFilm(false);
    this.scrub = next;
    this.hub.updateViews(true);
  }

  /** Go on from an earlier moment: the picture stands there at once. @param {number} iteration */
  goOn(iteration) {
    const { film, hub } = this;
    const frame = film.at(film.nearest(iteration));
    if (!frame || !hub.able()) return;
    const { cost, phase, knobs, pins = [] } = frame;
    [hub.points, hub.at] = [film.between(frame.iteration).slice(), frame.iteration];
    hub.command("seek", { iteration: frame.iteration });
    const token = hub.commands.order("play");
    this.turnOff(frame.iteration, token);
    if (hub.pending) Object.assign(hub.pending, { token, plays: true });
    Object.assign(hub.facts, { iteration: frame.iteration, cost, phase, present: knobs, pins });
    hub.updateViews(true);
  }

  /**
   * Show objects at the places of a hand, (K, 2) in map coordinates, whatever frames come.
   * @param {number[]} objects @param {Float32Array} places
   */
  hold(objects, places) {
    if (!this.hub.able() || this.scrub !== null) return;
    this.hands.hold(objects, places);
    this.hub.updateViews(true);
  }

  /** Let go: the run goes on with the objects where they are. */
  letGo() {
    const token = this.hands.letGo();
    if (token && !this.hub.pending) this.hub.commands.expect("move", token, this.hub.facts);
    this.hub.updateViews(true);
  }

  /** Put objects back that are held, unsent. */
  abandon() {
    this.hands.drop();
    this.hub.updateViews(true);
  }

  /** The points to show. */
  points() {
    const { film, hands, hub } = this;
    if (this.scrub !== null && film.length) {
      const key = `${this.scrub}/${film.version}`;
      if (key !== this.key) this.filmed = film.between(this.scrub);
      this.key = key;
      return this.filmed;
    }
    this.key = "";
    if (!hands.list.length) return hub.points;
    if (this.under !== hub.points || this.version !== hands.version) this.lifted = hands.lift(hub.points);
    this.under = hub.points;
    this.version = hands.version;
    return this.lifted;
  }

  /** The facts of what is shown. @returns {RunFacts} */
  facts() {
    const { film, hub } = this;
    if (hub.live && this.scrub === null) return hub.facts;
    const frame = film.at(film.nearest(this.scrub ?? hub.facts.iteration ?? film.last ?? 0));
    if (!frame) return hub.facts;
    const { iteration, cost, phase, model, knobs, pins = [] } = frame;
    return { ...hub.facts, iteration, cost, phase, model_name: model, present: knobs, turned: [], pins };
  }
}
