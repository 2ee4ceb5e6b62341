// A run in a page: what commands do to it, and the work that follows, a little at a time. No word of what shows it.

import { Control } from "./control.js";
import { Maker } from "./stepper.js";
import { middleOf } from "./maps.js";
import { Recording } from "./recording.js";
import { goingOn } from "./schedules.js";

/** @import { Task } from "./control.js" */
/** @import { WasmEngine } from "./engine.js" */

const FARTHEST = 1e15; // in a map: squares are still finite in single precision

export class Run {
  /**
   * @param {{engine: WasmEngine, plan: Plan, starts: Float64Array[], nameOf: (i: number) => string}} own
   *   what computes, what the page was given, the positions that recipes begin at, and the name of an object
   */
  constructor({ engine, plan, starts, nameOf }) {
    this.engine = engine;
    this.plan = plan;
    /** @type {Settings} the knobs that are turned by hand */
    this.turned = { ...plan.turned };
    /** @type {Settings} those that were turned when the task under way was taken: it goes by them */
    this.held = this.turned;
    /** @type {WeakSet<Recipe>} whose knobs are known: another one lets go of what it lacks when it begins */
    this.begun = new WeakSet();
    const keep = (/** @type {Moment} */ moment) => this.maker.keep(moment);
    this.recording = new Recording({ keep, nameOf, turned: () => this.held });
    this.maker = new Maker(engine, starts, this);
    this.control = new Control(plan.origin, this.recording);
    /** @type {Task|null} under way, and what does it */
    this.task = null;
    /** @type {Generator<number, Moment>|null} */
    this.working = null;
  }

  /** Stand where the run stood when the page was written. @param {Memory} memory @param {string} phase @param {{film: DataView, marks: Mark[], trace: DataView}} seen */
  standWhere(memory, phase, seen) {
    const { at, present, limit, done } = this.plan;
    const moment = { ...at, objective: at.objective ?? NaN, recipe: present, phase, memory };
    this.recording.goOn(moment, this.plan, seen);
    this.control.stand(moment, { limit, done });
    for (const [, recipe] of this.recording.chapters) if (typeof recipe !== "string") this.begun.add(recipe);
    this.begun.add(present);
  }

  /** The knobs that were turned when the moment of an iteration was made. @param {number} iteration */
  turnedAt(iteration) {
    return this.recording.turnedAt(iteration);
  }

  // ---- commands ----

  /** Do what a command says, or raise an error that says why not. @param {CommandMessage} order @param {ArrayBuffer[]} buffers */
  obey(order, buffers) {
    const { control, plan } = this;
    if (order.name === "play") control.play();
    else if (order.name === "pause") control.pause();
    else if (order.name === "step") control.step();
    else if (order.name === "restart") control.restart();
    else if (order.name === "seek") this.seek(order.iteration);
    else if (order.name === "switch")
      control.switch(goingOn(known(plan.successors, order.model), control.recipe, plan));
    else if (order.name === "preset") control.restart({ ...known(plan.presets, order.model) });
    else if (order.name === "set") this.turn(order.knobs);
    else if (order.name === "release") this.release(order.knobs);
    else if (!("objects" in order)) throw new Error(`there is no command ${order.name}`);
    else if (order.name === "move") control.move(this.places(order.objects, new Float32Array(buffers[0])));
    else if (order.name === "pin") control.pin(this.there(order.objects), []);
    else control.pin([], this.there(order.objects));
  }

  /** Refuse objects that are not there, once there is a map. @param {number[]} objects */
  there(objects) {
    const { n } = this.engine;
    if (this.control.moment && !objects.every((i) => Number.isInteger(i) && i >= 0 && i < n))
      throw new Error(`objects must be from 0 to ${n - 1}, got ${objects.join(", ")}`);
    return objects;
  }

  /** @param {number} iteration */
  seek(iteration) {
    const at = this.control.seek(iteration);
    this.turned = { ...this.recording.turnedAt(at) };
  }

  /** @param {Settings} knobs */
  turn(knobs) {
    const { recipe } = this.control;
    for (const [name, value] of Object.entries(knobs)) this.check(name, value);
    for (const name of Object.keys(knobs)) {
      if (this.begun.has(recipe) && !(name in recipe.schedules))
        throw new Error(`${recipe.label} has no knob ${name} here`);
      if (this.plan.fixed[name]) throw new Error(this.plan.fixed[name]);
    }
    Object.assign(this.turned, knobs);
  }

  /** Refuse what is no knob of any model, or no value of it. @param {string} name @param {number} [value] */
  check(name, value) {
    const { least, most, closed } = known(this.plan.knobs, name, `there is no knob ${name}`);
    if (value === undefined || ((closed ? value >= least : value > least) && value < (most ?? Infinity))) return;
    const end = most === null ? "" : ` < ${most}`;
    throw new Error(`${name} must satisfy ${least} ${closed ? "<=" : "<"} ${name}${end}, got ${value}`);
  }

  /** Let knobs follow their schedules again; all of them, if none is named. @param {string[]} names */
  release(names) {
    for (const name of names) this.check(name);
    for (const name of names.length ? names : Object.keys(this.turned)) delete this.turned[name];
  }

  /** Places as the view shows them, on the run's map. @param {number[]} objects @param {Float32Array} shown */
  places(objects, shown) {
    const [x, y] = this.middle();
    /** @type {Map<number, [number, number]>} */
    const places = new Map();
    for (const [k, i] of this.there(objects).entries()) places.set(i, [shown[2 * k] + x, shown[2 * k + 1] + y]);
    if (this.control.moment && ![...places.values()].flat().every((place) => Math.abs(place) < FARTHEST))
      throw new Error(`places must be finite and within ${FARTHEST} of the origin; move the objects less far`);
    return places;
  }

  // ---- the work ----

  /** Do a little of what there is to do; false if there is nothing, or not yet. @param {() => boolean} early  whether the next update has to wait */
  advance(early) {
    const { control } = this;
    if (this.task && this.task !== control.current) this.drop(); // of no use any more
    if (!this.task) {
      if (!control.hasTask || (!control.queue.length && early())) return false;
      this.task = control.take();
      this.held = { ...this.turned };
      this.working = this.maker.do(this.task);
    }
    const { task, working } = this;
    try {
      const { done, value } = /** @type {Generator<number, Moment>} */ (working).next();
      if (!done) return true;
      this.task = this.working = null;
      if (task.command.kind === "begin" || task.command.kind === "seek") this.letGo(value.recipe);
      control.publish(task, value, (moment) => this.maker.remark(moment));
    } catch (error) {
      this.task = this.working = null;
      control.fail(task, error instanceof Error ? error.message : String(error));
    }
    return true;
  }

  drop() {
    this.working?.return(/** @type {any} */ (undefined)); // it gives back the memory that it has taken
    this.task = this.working = null;
  }

  /** Let go of knobs that a model which has just begun does not have. @param {Recipe} recipe */
  letGo(recipe) {
    this.begun.add(recipe);
    for (const name of Object.keys(this.turned)) if (!(name in recipe.schedules)) delete this.turned[name];
  }

  /** Whether there is anything to do. */
  get busy() {
    return this.task !== null || this.control.hasTask;
  }

  /** Let the engine stand at a moment that is shown, with its P. @param {Moment} moment */
  stand(moment) {
    const task = { command: /** @type {const} */ ({ kind: "look" }), recipe: moment.recipe, moment };
    this.control.current = this.task = task;
    this.working = this.maker.back(moment);
  }

  // ---- positions ----

  /** The middle of the first map, from which it is shown; with pins there its origin. */
  middle() {
    const { moment } = this.control;
    if (!moment || this.pinsIn(moment).length) return [0, 0];
    return middleOf(this.positionsOf(moment), 0, this.engine.n);
  }

  /** The objects that are held in the first map, which is the one that is drawn. @param {Moment} moment */
  pinsIn({ pins }) {
    return pins.filter((i) => i < this.engine.n);
  }

  /** @param {Moment} moment */
  positionsOf(moment) {
    return moment === this.maker.at || !moment.memory ? this.engine.positions() : moment.memory.Y;
  }
}

/** @template T @param {Record<string, T>} offered @param {string} name @param {string} [otherwise] @returns {T} */
function known(offered, name, otherwise = `this page cannot go on with ${name}`) {
  if (!Object.hasOwn(offered, name)) throw new Error(otherwise);
  return offered[name];
}
