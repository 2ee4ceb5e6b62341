// The hub of a player: beside the present moment of a run it has the film, and what is asked for by message:
// images, neighbors, forces and scores.

import { turned, turnedBack } from "../compare/facing.js";
import { bytes, floats } from "../shared/buffers.js";
import { Hub } from "../shared/hub.js";
import { asPacked } from "./recording/film.js";
import { Requests } from "./recording/requests.js";
import { Shown } from "./recording/shown.js";

export class PlayerHub extends Hub {
  /** @param {Model} model @param {Clock} [clock] */
  constructor(model, clock) {
    super(model, clock);
    this.live = Boolean(model.get("live")); // a film alone has nobody to send to
    /** @type {SpringsMessage|null} */
    this.springs = null;
    /** @type {Map<string, Scores>} of all objects, by what they are */
    this.scores = new Map();
    this.shown = new Shown(this);
    this.requests = new Requests(this);
    this.kept = /** @type {DataView|undefined} */ (undefined); // the film of the traits
    this.hasAskedForFilm = 0; // 1: for a short one, 2: for the whole
    /** @type {Facing|null} how its map is turned: toward another one that it is compared with, or to fill its frame */
    this.facing = null;
    /** @type {{from?: Float32Array, by?: Facing, points: Float32Array}} the points that were turned last */
    this.turned = { points: new Float32Array(0) };
    this.looked = -1; // the object that a reader looks at here
    this.marked = -1; // and in another map of the same objects
    this.begin();
    if (model.get("from_start")) this.shown.scrubTo(this.film.first); // a page whose reader has seen nothing yet
  }

  stop() {
    super.stop();
    this.requests.stop();
  }

  /** @param {HubView} view */
  add(view) {
    super.add(view);
    this.askForFilm(true);
  }

  /** Ask for the film, once: a short one first, and the whole, of megabytes, when it is played. @param {boolean} short */
  askForFilm(short) {
    if (this.hasAskedForFilm < (short ? 1 : 2)) this.send({ kind: "request", what: "film", short });
    this.hasAskedForFilm = Math.max(this.hasAskedForFilm, short ? 1 : 2);
  }

  // ---- what the kernel says ----

  readTraits() {
    const film = this.model.get("film"); // of a run that rests
    if (film !== this.kept) this.shown.takeFilm(film);
    this.kept = film;
    super.readTraits();
  }

  /** @param {AnswerMessage} content @param {DataView[]} buffers */
  answer(content, buffers) {
    if (content.kind === "images") {
      const taken = this.requests.take(content, new Uint8Array(bytes(buffers[0])));
      for (const index of taken) for (const view of this.views) view.image?.(index);
    } else if (content.kind === "film") this.shown.takeFilm(buffers[0]);
    else if (content.kind === "found") {
      if (content.page !== this.id) return;
      this.requests.found(content.query, new Uint32Array(bytes(buffers[0])), content.error ?? "");
    } else if (content.kind === "neighbors") this.requests.near.set(content.index, content.indices);
    else if (content.kind === "springs") this.springs = content;
    else if (content.kind === "scores") {
      const values = floats(buffers[0]);
      if (values.length) this.scores.set(content.of, { ...content, values });
      else this.scores.delete(content.of);
      if (content.of === "distance") this.requests.measured(content.index);
    } else return;
    this.updateViews(true);
  }

  /** @param {FrameMessage} facts @param {DataView} buffer */
  adopt(facts, buffer) {
    super.adopt(facts, buffer);
    const packed = asPacked(buffer, facts.step, this.film.free());
    this.shown.keep(facts, packed ? this.present.known : this.points, packed);
  }

  reuse() {
    if (!this.shown.hands.list.length) super.reuse();
    else this.present.room = {}; // a hand may refer to what was painted
  }

  lastMoment() {
    return this.shown.lastMoment();
  }

  /** @param {boolean} over */
  settle(over) {
    return this.shown.hands.list.length > 0 && this.shown.hands.settle(this.points, over);
  }

  /** What happened in the run, and when. @returns {Mark[]} */
  get marks() {
    return this.facts.marks?.length ? this.facts.marks : this.film.marks;
  }

  // ---- commands ----

  /** @param {OrderName} name @param {{iteration?: number, model?: string, objects?: number[]}} more */
  command(name, more = {}) {
    if (this.able() && name !== "pause") this.scrubTo(null);
    super.command(name, more);
    if (this.pending && (name === "restart" || name === "preset")) this.shown.turnOff(-1, this.pending.token);
  }

  /**
   * Turn a knob. A run that is wound back goes on from there, and one that has finished goes on: a knob that does nothing
   * seems broken. A run that was paused waits for Play.
   * @param {string} name @param {number} value
   */
  turn(name, value) {
    const { scrub } = this;
    const goesOn = scrub === null && this.facts.status === "finished" && !this.playing();
    if (this.able() && scrub !== null) this.goOn(scrub);
    super.turn(name, value);
    if (goesOn) this.command("play");
  }

  // ---- what is shown ----

  /** The status in words; of a run that is done, but whose film is not, those of the film. */
  words() {
    const said = super.words();
    if (said !== "finished" || this.scrub === null) return said;
    return this.scrub === this.film.first ? "ready" : "film";
  }

  /** A reader looks at this object, or at none: -1. @param {number} i */
  look(i) {
    if (i === this.looked) return;
    this.looked = i;
    for (const view of this.views) view.looked?.(i, this);
  }

  /** The object that a reader looks at in another map. @param {number} i */
  mark(i) {
    if (i === this.marked) return;
    this.marked = i;
    this.paintSoon();
  }

  get film() {
    return this.shown.film;
  }

  /** Why the film cannot be read; empty if it can. */
  get trouble() {
    return this.shown.trouble;
  }

  get scrub() {
    return this.shown.scrub;
  }

  /** @param {number|null} iteration */
  scrubTo(iteration) {
    this.shown.scrubTo(iteration);
  }

  /** @param {number} iteration */
  goOn(iteration) {
    this.shown.goOn(iteration);
  }

  /** @param {number[]} objects @param {Float32Array} places */
  hold(objects, places) {
    this.shown.hold(objects, this.facing ? turnedBack(places, this.facing) : places);
  }

  /** What was moved is let go; a run that has finished goes on with it. */
  letGo() {
    const goesOn = this.shown.hands.list.length > 0 && this.facts.status === "finished" && !this.playing();
    this.shown.letGo();
    if (goesOn) this.command("play");
  }

  abandon() {
    this.shown.abandon();
  }

  /** Turn the map as it is shown; the run's own stays. @param {Facing|null} facing */
  face(facing) {
    this.facing = facing;
  }

  /** Places or a direction on the run's map, as they are shown. @template {ArrayLike<number>} T @param {T} places */
  faced(places) {
    return this.facing ? turned(places, this.facing) : places;
  }

  /** @returns {Float32Array} */
  shownPoints() {
    const from = this.shown.points();
    const by = this.facing;
    if (!by) return from;
    if (from !== this.turned.from || by !== this.turned.by) this.turned = { from, by, points: turned(from, by) };
    return this.turned.points;
  }

  shownFacts() {
    return this.shown.facts();
  }

  /** Scores of all objects: those of a map are known of the present only. @param {string} of */
  shownScores(of) {
    return this.scrub === null || of === "distance" ? (this.scores.get(of) ?? null) : null;
  }
}
