// What a run in a page has done: kept moments to go back to, costs, marks, and the knobs that were held. The pictures
// are kept by the view's own film. What was recorded before the page was written can be gone back to as well, from the
// positions of its film.

import { unpackFilm } from "../player/recording/film.js";
import { fresh } from "./stepper.js";
import { general } from "./diagnostics.js";
import { settingsAt } from "./schedules.js";
import { Costs, Kept, Marks } from "./series.js";

/** @import { Frame } from "../player/recording/film.js" */

const TOLD = 4; // names in a mark

export class Recording {
  /**
   * @param {{keep: (moment: Moment) => void, nameOf: (i: number) => string, turned: () => Settings}} own
   *   what keeps a moment's memory; the name of an object; the knobs that the newest moment was made with
   */
  constructor(own) {
    this.own = own;
    this.kept = new Kept();
    this.costs = new Costs();
    this.marks = new Marks();
    /** @type {Frame[]} of the film that came with the page */
    this.frames = [];
    /** @type {[iteration: number, recipe: Recipe|string][]} the first iteration of each model */
    this.chapters = [];
    /** @type {[iteration: number, held: Settings][]} from an iteration on, these knobs were held */
    this.turns = [];
    /** @type {Moment|null} */
    this.newest = null;
    this.marksVersion = 0; // rises with every change of the marks
  }

  /** Begin anew. */
  clear() {
    Object.assign(this, { kept: new Kept(), costs: new Costs(), marks: new Marks() });
    Object.assign(this, { frames: [], chapters: [], turns: [], newest: null });
    this.marksVersion += 1;
  }

  /** Begin where the recording that came with the page ends. @param {Moment} moment @param {Plan} plan @param {{film: DataView, marks: Mark[], trace: DataView}} seen */
  goOn(moment, plan, { film, marks, trace }) {
    if (film.byteLength) this.frames = unpackFilm(film).frames.filter((frame) => frame.iteration < moment.iteration);
    this.marks = new Marks(marks);
    for (let at = 0; at + 16 <= trace.byteLength; at += 16)
      this.costs.add(trace.getFloat64(at, true), trace.getFloat64(at + 8, true));
    this.chapters = [...plan.chapters];
    if (!this.chapters.length) this.chapters.push([moment.iteration, moment.recipe]);
    this.turns = [[moment.iteration, { ...plan.turned }]];
    this.kept.keep(moment, true);
    this.newest = moment;
  }

  /** Add the next moment. @param {Moment} moment @param {{moved?: number, begins?: boolean}} how */
  add(moment, { moved, begins }) {
    const { iteration, phase, recipe, pins } = moment;
    const before = this.newest;
    let broken = Boolean(begins) || moved !== undefined;
    if (begins) {
      if (this.chapters[this.chapters.length - 1]?.[0] === iteration) this.chapters.pop();
      this.chapters.push([iteration, recipe]);
      if (!before) this.mark(iteration, "start", `start with ${recipe.label}`);
      else this.mark(iteration, "model", recipe.label);
    } else if (before && phase !== before.phase) this.mark(iteration, "phase", `${before.phase} → ${phase}`);
    if (moved !== undefined) this.mark(iteration, "moved", `moved ${moved} object${moved === 1 ? "" : "s"}`);
    if (before && String(pins) !== String(before.pins)) {
      this.mark(iteration, "pinned", this.pinsText(pins));
      broken = true;
    }
    if (before && iteration !== before.iteration) this.noteTurns(moment); // what no update made was held as before
    this.costs.add(iteration, moment.cost);
    this.newest = moment;
    if (!broken && !this.kept.due(iteration)) return;
    this.own.keep(moment);
    this.kept.keep(moment, broken);
  }

  /** @param {Moment} moment */
  noteTurns({ iteration, recipe: { schedules } }) {
    const held = this.own.turned();
    const before = this.turnedAt(Infinity);
    const names = [...new Set([...Object.keys(before), ...Object.keys(held)])].filter(
      (one) => held[one] !== before[one],
    );
    if (!names.length) return;
    this.turns.push([iteration, held]);
    // Of a knob that the model lacks there is nothing to say: it went with the model before.
    const [turned, released] = [true, false].map((is) => names.filter((one) => one in schedules && one in held === is));
    const parts = [];
    if (turned.length)
      parts.push(`${turned.map((name) => `${words(name)} ${general(held[name], 6)}`).join(", ")} (turned)`);
    if (released.length) parts.push(`${released.map(words).join(", ")} released`);
    if (parts.length) this.mark(iteration, "knob", parts.join("; "), [...turned, ...released]);
  }

  /** @param {number} iteration @param {string} kind @param {string} text @param {string[]} [names] */
  mark(iteration, kind, text, names) {
    this.marks.add(iteration, kind, text, names);
    this.marksVersion += 1;
  }

  /** @param {readonly number[]} pins */
  pinsText(pins) {
    if (!pins.length) return "all objects let go";
    const first = pins.slice(0, TOLD).map((i) => this.own.nameOf(i) || `object ${i}`);
    return `held: ${first.join(", ")}${pins.length > TOLD ? ", ..." : ""}`;
  }

  /** Forget what lies after a moment: the run goes on from there in another way. @param {Moment} moment */
  cut(moment) {
    const { iteration } = moment;
    if (!this.newest || this.newest.iteration <= iteration) return;
    this.kept.cut(iteration);
    this.costs.cut(iteration);
    this.marks.cut(iteration);
    this.marksVersion += 1;
    this.turns = this.turns.filter(([at]) => at <= iteration);
    this.chapters = this.chapters.filter(([at]) => at <= iteration);
    this.frames = this.frames.filter((frame) => frame.iteration <= iteration);
    this.newest = moment;
  }

  /** The knobs that were held when the moment of an iteration was made. @param {number} iteration @returns {Settings} */
  turnedAt(iteration) {
    return this.turns.findLast(([at]) => at <= iteration)?.[1] ?? {};
  }

  /** The model at an iteration, and where it began. @param {number} iteration @returns {[begun: number, recipe: Recipe]} */
  chapterAt(iteration) {
    const [begun, recipe] = this.chapters.findLast(([at]) => at <= iteration) ?? this.chapters[0];
    if (typeof recipe === "string") throw new Error(recipe);
    return [begun, recipe];
  }

  /** The first and the last iteration that can be gone back to. @returns {[number, number]|null} */
  reach() {
    if (!this.newest) return null;
    const first = this.frames[0] ?? this.kept.moments[0];
    return [first.iteration, this.newest.iteration];
  }

  /** The last iteration, not after the one asked for, that a kept moment leads to by updates alone. @param {number} iteration */
  nearest(iteration) {
    const from = this.startFor(iteration)?.iteration ?? iteration;
    return this.kept.lost.some((at) => from < at && at <= iteration) ? from : iteration;
  }

  /** A moment from which that of an iteration is made again: a kept one, or what a frame of the film shows. @param {number} iteration @returns {Moment|null} */
  startFor(iteration) {
    return this.kept.before(iteration) ?? this.momentOf(this.frames.findLast((frame) => frame.iteration <= iteration));
  }

  /** What a frame of the film shows, its optimizer at rest. @param {Frame|undefined} frame @returns {Moment|null} */
  momentOf(frame) {
    if (!frame) return null;
    const { iteration, phase, packed, half, pins = [] } = frame;
    const [origin, recipe] = this.chapterAt(iteration);
    const Y = Float64Array.from(packed, (q) => (q * half) / 32767);
    const knobs = { ...settingsAt(recipe, Math.max(iteration - origin - 1, 0), {}), ...frame.knobs };
    return {
      iteration,
      recipe,
      phase,
      cost: frame.cost ?? NaN,
      objective: NaN,
      knobs,
      origin,
      rate: null,
      steps: 0,
      pins,
      memory: fresh(Y),
    };
  }
}

/** @param {string} name */
const words = (name) => name.replaceAll("_", " ");
