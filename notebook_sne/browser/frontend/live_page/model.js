// A page that computes: what stands in for the notebook's model object, and for the kernel behind it. It takes the
// messages that a view sends (shared/messages.d.ts), and answers them from a run of its own: so the player's front end is
// the same as in a notebook. It works in slices, one an animation frame, and rests while the page is hidden.

import { PageModel } from "../page/page.js";
import { costFacts, knobControls, springFacts } from "./answers.js";
import { isMixture, packMap, packMixture } from "./maps.js";
import { Run } from "./run.js";
import { FoundScores } from "./scores.js";

/** @import { WasmEngine } from "./engine.js" */

const SLICE = 10; // ms of work in an animation frame: the rest is for painting
const PREPARING = 40; // the same while P is made and there is nothing new to paint
const HEARTBEAT = 2000; // ms between messages at rest: without one for long, a view takes its kernel for dead
const KEEP = 2000; // ms between snapshots while the run goes on
const SPRINGS = 250; // least ms between the forces on an object
const COSTS = 500; // and between the costs of all
// Of all maps a view gets new ones as seldom as in a notebook (widgets/explorer_feed.py): words are read, not watched.
const [MAPS, HEAVY_MAPS] = [300, 1000]; // ms between them, and between those of more bytes than
const HEAVY = 1e6;

export class LiveModel extends PageModel {
  /**
   * @param {Record<string, unknown>} traits
   * @param {{engine: WasmEngine, plan: Plan, starts: Float64Array[], memory: Memory, clock?: Clock}} own
   */
  constructor(traits, { engine, plan, starts, memory, clock = globalThis }) {
    super(traits);
    this.clock = clock;
    const names = /** @type {string[]} */ (traits.names ?? []);
    this.run = new Run({ engine, plan, starts, nameOf: (i) => names[i % engine.n] || `object ${i % engine.n}` });
    this.message = "";
    this.heard = "";
    this.seq = 0;
    this.marksSent = NaN;
    this.controls = "";
    this.version = -1; // of the control, as it was last told
    /** @type {Moment|null} that was sent last */
    this.shown = null;
    this.due = 0; // when the pace allows the next update
    this.framesAfter = 0; // when the next frame may follow, while the run goes on
    this.keptAt = this.springsAt = this.costsAt = -Infinity;
    this.springsOf = this.costsOf = "";
    this.found = new FoundScores(engine, clock);
    this.ticking = false;
    const { film, marks, trace } = /** @type {{film: DataView, marks: Mark[], trace: DataView}} */ (traits);
    this.run.standWhere(memory, String(traits.phase), { film, marks, trace });
    for (const name of ["spring_of", "color", "pace"]) this.on(`change:${name}`, () => this.wake());
    clock.setInterval(() => this.say(false), HEARTBEAT);
    if (plan.plays) this.run.control.play();
    else this.run.stand(/** @type {Moment} */ (this.run.control.moment)); // P is ready before anybody asks
    this.setTraits(true);
    this.wake();
  }

  // ---- what the view says ----

  /** @param {ToKernel} message @param {undefined} [_callbacks] @param {ArrayBuffer[]} [buffers] */
  send(message, _callbacks, buffers) {
    if (message.kind === "hello") this.clock.setTimeout(() => this.say(true), 0);
    if (message.kind === "request" && message.what === "distances") {
      this.found.from = message.index;
      this.wake();
    }
    if (message.kind !== "command") return;
    this.message = "";
    try {
      this.run.obey(message, buffers ?? []);
    } catch (error) {
      this.message = error instanceof Error ? error.message : String(error);
    }
    this.heard = message.id;
    // As a kernel would, a moment later: whoever sends is not told in the middle of it.
    this.clock.setTimeout(() => this.say(true), 0);
    this.wake();
  }

  // ---- the work ----

  wake() {
    if (this.ticking) return;
    this.ticking = true;
    const { clock, run } = this;
    // While P is made there is nothing to paint: the next slice comes as soon as hands have been heard.
    if (run.task && !clock.document?.hidden) clock.setTimeout(() => this.tick(), 0);
    else if (clock.requestAnimationFrame) clock.requestAnimationFrame(() => this.tick());
    else clock.setTimeout(() => this.tick(), 16);
  }

  /** One slice of work, and then what there is to tell. */
  tick() {
    this.ticking = false;
    const { clock, run } = this;
    const began = clock.performance.now();
    const early = () => this.early();
    while (run.advance(early) && clock.performance.now() - began < (run.task ? PREPARING : SLICE));
    this.say(false, true);
    this.answer();
    if (run.busy || this.answersWait()) this.wake();
  }

  /** Whether the pace wants the next update later; otherwise it is counted. */
  early() {
    const pace = /** @type {number|null} */ (this.get("pace"));
    if (!pace) return false;
    const [now, interval] = [this.clock.performance.now(), 1000 / pace];
    this.due = Math.min(this.due, now + interval); // a pace that was raised meanwhile has effect at once
    if (now < this.due) return true;
    this.due = (now - this.due < interval ? this.due : now) + interval;
    return false;
  }

  // ---- what the view is told ----

  /** What is shown: all maps with their proportions, or the first map. @param {Moment} moment */
  points(moment) {
    const { run } = this;
    const [theta, { n }] = [run.positionsOf(moment), run.engine];
    return run.plan.shows === "maps" ? packMixture(moment.recipe, theta, n) : packMap(theta, n, run.middle());
  }

  /** @returns {RunFacts & {seeking: boolean, heard: string}} */
  facts() {
    const { control, recording } = this.run;
    const { moment, status, recipe } = control;
    const own = status === "error" ? control.error : status === "finished" ? control.remark : "";
    const message = own || this.message;
    const common = { status, message, seeking: control.has("seek"), heard: this.heard, model_name: recipe.id };
    const recorded = { recorded_to: recording.newest?.iteration ?? null, turned: Object.keys(this.run.turned).sort() };
    if (!moment) return { ...common, ...recorded, iteration: null, cost: null, phase: "", pins: [], present: {} };
    const { iteration, cost, phase, knobs } = moment;
    return { ...common, ...recorded, iteration, cost, phase, pins: this.run.pinsIn(moment), present: knobs };
  }

  /** Tell the view what is new; `always` also what it knows, `pictures` only what there is to see. @param {boolean} always @param {boolean} [pictures] */
  say(always, pictures = false) {
    const { control, recording } = this.run;
    const { moment } = control;
    const news = control.version !== this.version;
    const early = control.busy && this.clock.performance.now() < this.framesAfter;
    if (pictures && (!news || early)) return;
    const version = recording.marksVersion;
    const marks = version === this.marksSent ? {} : { marks: recording.marks.all };
    this.marksSent = version;
    const content = { ...this.facts(), ...marks, moment: this.nextMoment() };
    const fresh = moment !== null && moment !== this.shown && !control.has("seek");
    if (fresh || (always && moment)) {
      this.shown = moment;
      this.seq += 1;
      const picture = this.points(/** @type {Moment} */ (moment));
      const wait = picture.byteLength > HEAVY ? HEAVY_MAPS : MAPS;
      this.framesAfter = this.run.plan.shows === "maps" ? this.clock.performance.now() + wait : 0;
      this.post({ kind: "frame", seq: this.seq, ...content }, [picture]);
    } else this.post({ kind: "heartbeat", seq: this.seq, ...content });
    const rests = !control.busy;
    const now = this.clock.performance.now();
    if (news && (rests || now - this.keptAt >= KEEP)) this.setTraits(true);
    else if (news && this.controlsOf() !== this.controls) this.setTraits(false);
    this.version = control.version;
  }

  nextMoment() {
    const moment = Number(this.get("moment")) + 1;
    this.traits.set("moment", moment);
    return moment;
  }

  /** @param {FromKernel} message @param {DataView[]} [buffers] */
  post(message, buffers = []) {
    for (const listener of [...(this.listeners.get("msg:custom") ?? [])]) listener(message, buffers);
  }

  /** What the knobs' panel is made of, told apart. */
  controlsOf() {
    const { moment, recipe } = this.run.control;
    return moment ? `${recipe.id} ${Object.keys(moment.knobs)}` : "";
  }

  /** Write what lasts. @param {boolean} keep  also the picture and the curve */
  setTraits(keep) {
    const { control, recording, plan } = this.run;
    const { moment } = control;
    const { seeking, heard, ...facts } = this.facts();
    /** @type {Record<string, unknown>} */
    const traits = { ...facts, marks: recording.marks.all };
    if (keep && moment) {
      traits.snapshot = this.points(moment);
      traits.trace = recording.costs.upTo(moment);
      this.keptAt = this.clock.performance.now();
    }
    if (moment && this.controlsOf() !== this.controls) {
      this.controls = this.controlsOf();
      traits.knobs = knobControls(moment.knobs, plan.knobs, plan.fixed);
    }
    for (const [name, value] of Object.entries(traits)) this.traits.set(name, value);
    this.nextMoment();
    for (const name of [...Object.keys(traits), "moment"]) this.tell(`change:${name}`, this.get(name));
  }

  // ---- forces and costs ----

  /** Whether something is shown that an answer has not told yet. */
  answersWait() {
    const { status, moment } = this.run.control;
    if (status === "error") return false;
    const asked = this.asked().some(([wanted, sent]) => wanted !== "" && wanted !== sent);
    return asked || this.found.wait(this.get("color"), moment);
  }

  /** What the traits ask for, and what was told: of springs and of costs. @returns {[wanted: string, sent: string][]} */
  asked() {
    const { moment, version } = this.run.control;
    const at = moment && !isMixture(moment.recipe) ? `${version} ${moment.iteration}` : "";
    const of = this.get("spring_of");
    const springs = at && of !== null && of !== undefined ? `${at} ${of}` : "";
    return [
      [springs, this.springsOf],
      [this.get("color") === "cost" ? at : "", this.costsOf],
    ];
  }

  /** Send what the traits ask for, if it is time. */
  answer() {
    const { run } = this;
    const { control, engine, maker } = run;
    const { moment } = control;
    if (!moment || run.task || control.queue.length) return;
    const found = this.found.goOn(this.get("color"), moment, run.positionsOf(moment), !control.busy);
    if (found) this.post(found[0], [found[1]]);
    const [[springs, springsSent], [costs, costsSent]] = this.asked();
    const now = this.clock.performance.now();
    const wantsSprings = springs !== "" && springs !== springsSent && now >= this.springsAt;
    const wantsCosts = costs !== "" && costs !== costsSent && now >= this.costsAt;
    if (!wantsSprings && !wantsCosts) return;
    if (maker.at !== moment) return run.stand(moment);
    const { recipe, knobs } = moment;
    const { value: target, done } = engine.target(recipe, knobs).next();
    if (!done) return run.stand(moment);
    if (wantsSprings) {
      const i = Number(this.get("spring_of"));
      this.post(springFacts(engine.forces(recipe, target, knobs, i), engine.positions(), i, moment));
      this.springsOf = springs;
      this.springsAt = now + Math.max(SPRINGS, 20 * (this.clock.performance.now() - now));
    }
    if (wantsCosts) {
      const [message, buffer] = costFacts(engine.costs(recipe, target, knobs), moment.iteration);
      this.post(message, [buffer]);
      this.costsOf = costs;
      this.costsAt = now + Math.max(COSTS, 20 * (this.clock.performance.now() - now));
    }
  }
}
