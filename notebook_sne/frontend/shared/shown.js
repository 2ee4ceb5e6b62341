// What is shown: the present, with what hands hold in their place, or a moment of the film.

import { Film, unpackFilm } from "./film.js";

const FOLLOW = 500; // ms that a frame may take to show a move, once it is heard

/** Objects that a hand drags: shown where the hand has them, and after letting go until a frame has followed. */
export class Hands {
  constructor(hub) {
    this.hub = hub;
    /** @type {{objects: number[], places: Float32Array, before: Float32Array|null, token: any, heardAt: number|null}[]} */
    this.list = [];
    this.version = 0;
  }

  /** @param {number[]} objects @param {Float32Array} places  (K, 2), in map coordinates */
  hold(objects, places) {
    const last = this.list[this.list.length - 1];
    if (last && !last.token) this.list.pop();
    this.list.push({
      objects: [...objects],
      places: Float32Array.from(places),
      before: null,
      token: null,
      heardAt: null,
    });
    this.version += 1;
  }

  /** Let go: returns the command's token, or null if nothing was held. */
  letGo() {
    const hand = this.list[this.list.length - 1];
    if (!hand || hand.token) return null;
    const { points } = this.hub;
    hand.before = Float32Array.from(hand.objects.flatMap((i) => [points[2 * i], points[2 * i + 1]]));
    hand.token = this.hub.order("move", { objects: hand.objects }, [hand.places.slice().buffer]);
    return hand.token;
  }

  /** Put back what is held, unsent. */
  drop() {
    this.list = this.list.filter((hand) => hand.token);
    this.version += 1;
  }

  /** The kernel has spoken: what its points show moved need not be held any longer; with `over` nothing is. */
  settle(points, over = false) {
    if (!this.list.length) return false;
    const now = this.hub.clock.performance.now();
    const away = (hand, places) =>
      hand.objects.reduce(
        (sum, i, k) => sum + Math.hypot(points[2 * i] - places[2 * k], points[2 * i + 1] - places[2 * k + 1]),
        0,
      );
    const count = this.list.length;
    this.list = this.list.filter((hand) => {
      if (over) return false;
      if (!hand.token || !this.hub.hears(hand.token)) return true;
      hand.heardAt ??= now;
      return away(hand, hand.places) > away(hand, hand.before) && now - hand.heardAt < FOLLOW;
    });
    if (this.list.length !== count) this.version += 1;
    return this.list.length !== count;
  }

  /** The points with what is held where the hand has it. */
  lift(points) {
    const moved = points.slice();
    for (const { objects, places } of this.list)
      objects.forEach((i, k) => moved.set([places[2 * k], places[2 * k + 1]], 2 * i));
    return moved;
  }
}

export class Shown {
  /** @param {any} hub */
  constructor(hub) {
    this.hub = hub;
    this.film = new Film();
    this.hands = new Hands(hub);
    this.scrub = null; // the iteration of the film that is shown instead of the present
    this.stood = this.turn = null; // iteration of the last frame; a command of ours that led another way
    this.trouble = ""; // why a film cannot be read
    this.key = "";
  }

  takeFilm(view) {
    if (!view?.byteLength) return;
    try {
      this.film.merge(unpackFilm(view));
    } catch (error) {
      this.trouble = error.message;
    }
  }

  /** Points and iteration of the film's end. */
  lastMoment() {
    return this.film.length ? [this.film.between(this.film.last).slice(), this.film.last] : null;
  }

  /** What lies after `from` is given up as soon as a command is heard. */
  turnOff(from, token) {
    this.turn = { from, token };
  }

  /** Keep a frame that is shown. */
  keep(facts, points) {
    const { film, hub } = this;
    const { iteration, cost } = facts;
    if (iteration === null || iteration === undefined) return;
    // When the recording reaches less far than what is kept here, the run has gone another way from where it stood.
    const turn = this.turn && hub.hears(this.turn.token) ? this.turn : null;
    const reach = turn ? turn.from : Math.max(hub.facts.recorded_to ?? iteration, iteration);
    // Back without a command of ours, and on before we saw from where: the kernel's film tells.
    const lost = !turn && film.last > reach && iteration < this.stood;
    const from = turn ? turn.from : lost ? -1 : Math.min(iteration, this.stood ?? iteration);
    this.stood = iteration;
    if (turn) this.turn = null;
    hub.trace.record(iteration, cost, reach, from);
    if (film.last > reach) film.cut(from);
    if (this.scrub > film.last) this.scrub = null;
    if (lost) hub.send({ kind: "ask", what: "film" });
    film.marks = hub.marks;
    film.add({ ...facts, model: hub.facts.model_name, knobs: hub.facts.present ?? {} }, points);
  }

  /** Show the film at an iteration, which may lie between two frames; null for the present. */
  scrubTo(iteration) {
    const { film } = this;
    const next = iteration === null || !film.length ? null : Math.min(Math.max(iteration, film.first), film.last);
    if (next === this.scrub) return;
    this.scrub = next;
    this.hub.updateViews(true);
  }

  /** Go on from an earlier moment: the picture stands there at once. */
  goOn(iteration) {
    const { film, hub } = this;
    const frame = film.at(film.nearest(iteration));
    if (!frame || !hub.able()) return;
    const { cost, phase, knobs } = frame;
    [hub.points, hub.at] = [film.between(frame.iteration).slice(), frame.iteration];
    hub.command("seek", { iteration: frame.iteration });
    hub.pending.token = hub.order("play");
    this.turnOff(frame.iteration, hub.pending.token);
    hub.pending.plays = true;
    Object.assign(hub.facts, { iteration: frame.iteration, cost, phase, present: knobs });
    hub.updateViews(true);
  }

  /** Show objects at the places of a hand, (K, 2) in map coordinates, whatever frames come. */
  hold(objects, places) {
    if (!this.hub.able() || this.scrub !== null) return;
    this.hands.hold(objects, places);
    this.hub.updateViews(true);
  }

  /** Let go: the run goes on with the objects where they are. */
  letGo() {
    const token = this.hands.letGo();
    if (token && !this.hub.pending) this.hub.await("move", token);
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

  /** The facts of what is shown. */
  facts() {
    const { film, hub } = this;
    if (hub.live && this.scrub === null) return hub.facts;
    const frame = film.at(film.nearest(this.scrub ?? hub.facts.iteration ?? film.last));
    if (!frame) return hub.facts;
    const { iteration, cost, phase, model, knobs } = frame;
    return { ...hub.facts, iteration, cost, phase, model_name: model, present: knobs, turned: [] };
  }
}
