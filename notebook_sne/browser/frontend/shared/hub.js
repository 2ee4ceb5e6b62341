// The hub: everything that the views of one widget share. It receives what the kernel says (messages.d.ts), knows the run's
// facts and its present picture, and tells the views. It touches no page element, so Node can test it. What a player has
// besides, such as the film, is in player/hub.js. Longer than 300 lines because messages, traits and commands change the
// same few facts, and are told from one another here alone.

import { doubles, PresentPoints, places, views } from "./buffers.js";
import { Commands, isBusy } from "./commands.js";
import { Link } from "./link.js";
import { Painter } from "./painting.js";
import { Trace } from "./trace.js";
import { TurnedKnobs } from "./turned_knobs.js";
import { keep } from "./widget.js";

/** @type {(keyof RunFacts)[]} of the moment shown; they stand still with the picture */
const OF_MOMENT = ["iteration", "cost", "phase", "present", "recorded_to"];
/** @type {(keyof RunFacts)[]} */
const FACTS = ["moment", "status", "message", "compiles", "model_name", "turned", "marks", "pins", ...OF_MOMENT];
/** How a run stands, in words. @type {Record<string, string>} */
const STATUS = {
  idle: "idle",
  compiling: "preparing…",
  running: "running",
  paused: "paused",
  finished: "finished",
  error: "error",
  closed: "closed: run the cell again",
  recorded: "recorded",
  fitted: "fitted",
};
/** Traits that change what is shown of the same picture. */
const SWITCHES = "hide_labels pace selection spring_of color axes compact controls height knobs models".split(" ");
const HEAVY = 1e6; // bytes of a frame above which the kernel should hear of it soon: it waits, where few travel at a time
SWITCHES.push("show_images", "show_table", "show_names", "name_size", "read_only");

export class Hub {
  /** @param {Model} model @param {Clock} clock  stands in for the browser's timers in tests */
  constructor(model, clock = globalThis) {
    this.model = model;
    this.clock = clock;
    this.id = Math.random().toString(36).slice(2);
    /** @type {Set<HubView>} */
    this.views = new Set();
    /** @type {RunFacts} */
    this.facts = {};
    this.present = new PresentPoints();
    /** @type {number|null} iteration of these points; the facts may be newer */
    this.at = null;
    this.trace = new Trace();
    /** @type {{message: FrameMessage, buffer: DataView}|null} the last frame, while the picture stands still */
    this.waiting = null;
    /** @type {[DataView?, (number|null)?]} the snapshot that was last read, and its step */
    this.snapshot = [];
    /** @type {DataView|undefined} the trace that was last read */
    this.packed = undefined;
    /** @type {number|undefined} */
    this.timer = undefined;
    /** @type {number|null} when preparation began */
    this.busySince = null;
    this.live = true; // or there is nobody to send to
    this.commands = new Commands(this.id, clock, (content, buffers) =>
      this.send(/** @type {ToKernel} */ (/** @type {unknown} */ (content)), buffers),
    );
    this.painter = new Painter(
      clock,
      this.views,
      () => isBusy(this.facts.status) && this.scrub === null,
      (message) => this.send(message),
      () => this.reuse(),
    );
    this.knobs = new TurnedKnobs(this);
    this.link = new Link(
      model,
      clock,
      () => this.lost(),
      (down) => (down ? this.updateViews(false) : this.greet()),
    );
    /** @param {FromKernel} content @param {Array<ArrayBuffer|ArrayBufferView>} [buffers] */
    this.onMessage = (content, buffers) => this.receive(content, views(buffers));
    // Some hosts, such as marimo, set the traits of one update one by one, each followed by its event: what comes later
    // is old until all are set.
    this.onChange = () => queueMicrotask(() => this.readTraits());
    this.onSwitch = () => this.updateViews(true);
  }

  /** Begin with what the traits say; a hub's own parts are made by then. */
  begin() {
    this.readTraits();
    this.model.on("msg:custom", this.onMessage);
    this.model.on("change:moment", this.onChange);
    for (const name of SWITCHES) this.model.on(`change:${name}`, this.onSwitch);
    this.timer = this.clock.setInterval(() => this.watch(), 500);
  }

  stop() {
    this.model.off("msg:custom", this.onMessage);
    this.model.off("change:moment", this.onChange);
    for (const name of SWITCHES) this.model.off(`change:${name}`, this.onSwitch);
    this.link.stop();
    this.clock.clearInterval(this.timer);
    this.painter.stop();
    this.knobs.stop();
    this.views.clear();
  }

  /** The unit of a model's cost, after a blank: nats of a divergence, nothing of others. @param {string|undefined} model */
  unitOf(model) {
    return this.model.get("without_unit")?.includes(model ?? "") ? "" : " nats";
  }

  /** @param {HubView} view */
  add(view) {
    this.views.add(view);
    this.greet();
  }

  /** Ask for the present picture, and for traits later than these: what is sent while there is no line is lost. */
  greet() {
    if (this.views.size) this.send({ kind: "hello", moment: this.model.get("moment") });
  }

  /** @param {HubView} view */
  remove(view) {
    this.views.delete(view);
    if (!this.views.size) this.send({ kind: "bye" });
  }

  /** @param {ToKernel} content @param {ArrayBuffer[]} [buffers] */
  send(content, buffers) {
    if (this.live) this.post(content, buffers);
  }

  /** Send also where no run is live. @param {ToKernel} content @param {ArrayBuffer[]} [buffers] */
  post(content, buffers) {
    const message = { ...content, page: this.id };
    try {
      this.model.send(message, undefined, buffers);
    } catch {
      this.link.silent = true; // a saved notebook without a kernel has nobody to send to
    }
  }

  /** Set a trait that the reader may change, here and in the kernel. @type {Model["set"]} */
  keep(name, value) {
    keep(this.model, name, value);
    this.updateViews(true);
  }

  /** The present points, (N, 2). */
  get points() {
    return this.present.points;
  }

  set points(points) {
    this.present.points = points;
  }

  /** All views have painted. */
  reuse() {
    this.present.reuse();
  }

  // ---- what the kernel says ----

  /** What lasts: a new view, a reloaded page and a saved notebook begin with it. */
  readTraits() {
    const moment = this.model.get("moment") || 0;
    if (this.facts.moment !== undefined && moment < this.facts.moment) return; // a frame has told later news
    this.learn(Object.fromEntries(FACTS.map((name) => [name, this.model.get(name)])));
    // Most updates hold neither picture nor curve: those of an earlier one are older than the frames since.
    const [snapshot, step] = [this.model.get("snapshot"), this.model.get("snapshot_step")];
    const packed = this.model.get("trace");
    const fresh = Boolean(snapshot?.byteLength) && (snapshot !== this.snapshot[0] || step !== this.snapshot[1]);
    this.snapshot = [snapshot, step];
    if (fresh && !this.frozen()) {
      [this.points, this.at, this.waiting] = [places(snapshot, step), this.model.get("iteration") ?? null, null];
    } else if (!this.present.any) [this.points, this.at] = this.lastMoment() ?? [places(snapshot, step), null];
    if (packed !== this.packed) this.trace.take(doubles(packed));
    this.packed = packed;
    this.updateViews(true);
  }

  /** @param {FromKernel} content @param {DataView[]} buffers */
  receive(content, buffers) {
    if (this.unheard) this.greet();
    this.link.hear();
    if (content.kind === "ended") this.link.end();
    else if (content.kind === "frame" || content.kind === "heartbeat") this.follow(content, buffers);
    else this.answer(content, buffers);
  }

  /** The run has news, and maybe a picture. @param {FrameMessage|HeartbeatMessage} content @param {DataView[]} buffers */
  follow(content, buffers) {
    const { commands } = this;
    // Unanswered, the kernel takes the page for closed.
    if (content.kind === "heartbeat" && content.wants_ack && this.views.size) this.painter.report(content.seq);
    const old = this.facts.moment !== undefined && content.moment < this.facts.moment;
    if (content.heard) commands.hear(content.heard);
    if (!old && commands.seeking && !content.seeking) this.waiting = null; // it shows the moment that was left
    if (!old && (content.seeking ?? commands.seeking) !== undefined) commands.seeking = Boolean(content.seeking);
    if (!old) this.learn(content);
    if (content.kind === "frame") {
      this.painter.newest = content.seq;
      this.painter.heavy = buffers[0].byteLength >= HEAVY;
      if (!old) this.waiting = { message: content, buffer: buffers[0] };
    }
    // Also the last frame that came while the picture stood still.
    const news = this.frozen() ? null : this.waiting;
    if (news) [this.waiting] = [null, this.adopt(news.message, news.buffer)];
    if (content.heard !== undefined) commands.remind();
    const freed = this.settle(this.facts.status === "closed");
    this.updateViews(content.kind === "frame" || Boolean(news) || freed);
  }

  // ---- what a hub of its kind does besides ----

  /** Take what a request or a trait asked for. @param {AnswerMessage} _content @param {DataView[]} _buffers */
  answer(_content, _buffers) {}

  /** Show a frame. @param {FrameMessage} facts @param {DataView} buffer */
  adopt({ iteration = null, step }, buffer) {
    this.present.take(buffer, step);
    this.at = iteration;
    this.snapshot = [this.model.get("snapshot"), this.model.get("snapshot_step")]; // older than this frame
  }

  /** What to show before the first frame: points and their iteration. @returns {[Float32Array, number|null]|null} */
  lastMoment() {
    return null;
  }

  /** Give up what is held in the hand and has come to pass, or, with `over`, never will; true if there was any. @param {boolean} _over */
  settle(_over) {
    return false;
  }

  /** The iteration of the film that is shown instead of the present, or null. @returns {number|null} */
  get scrub() {
    return null;
  }

  // ---- the run ----

  /** @param {RunFacts} news */
  learn(news) {
    const { facts } = this;
    if (this.commands.confirm(news.status ?? facts.status, news.iteration ?? facts.iteration)) this.waiting = null;
    const still = this.frozen();
    for (const name of FACTS) {
      if (news[name] !== undefined && !(still && OF_MOMENT.includes(name)))
        Object.assign(facts, { [name]: news[name] });
    }
    if (facts.status !== "compiling") this.busySince = null;
    else this.busySince ??= this.clock.performance.now();
    this.knobs.settle();
  }

  /** The facts of the moment that is shown. @returns {RunFacts} */
  shownFacts() {
    return this.facts;
  }

  frozen() {
    return this.commands.freezes(this.facts.status);
  }

  // ---- commands ----

  get pending() {
    return this.commands.pending;
  }

  /** Whether the kernel answers; a film alone needs none. */
  get connected() {
    return !this.live || this.link.connected;
  }

  /** Whether a run goes on of which nothing is heard. */
  get unheard() {
    return this.live && this.link.waiting && isBusy(this.facts.status);
  }

  able() {
    return this.live && !this.model.get("read_only") && this.connected && this.facts.status !== "closed";
  }

  /** Act at once in the browser. @param {OrderName} name @param {{iteration?: number, model?: string, objects?: number[]}} more */
  command(name, more = {}) {
    if (!this.able()) return;
    this.commands.expect(name, this.commands.order(name, more), this.facts, more.iteration);
    this.updateViews(true);
  }

  /** Turn a knob: shown at once. @param {string} name @param {number} value */
  turn(name, value) {
    if (this.able()) this.knobs.turn(name, value);
    this.updateViews(false);
  }

  /** Let knobs follow their schedules again. @param {string[]} names */
  release(names) {
    if (this.able()) this.knobs.release(names);
    this.updateViews(false);
  }

  /** Where a knob stands. @param {string} name */
  knob(name) {
    return this.knobs.shown(name);
  }

  /** Whether the run goes on, or will as soon as the kernel hears. */
  playing() {
    return this.commands.playing(this.facts.status);
  }

  /** The status in words, with what is under way. @returns {string} */
  words() {
    const { facts } = this;
    if (!this.live) return "film";
    if (this.link.ended) return "kernel ended: run the cell again";
    if (facts.status === "closed") return STATUS.closed;
    if (!this.connected) return "no answer from the kernel";
    if (this.pending) return this.commands.words();
    if (this.unheard) return "waiting for the server";
    if (facts.compiles) return "compiling, once…";
    return STATUS[facts.status ?? ""] ?? facts.status ?? "";
  }

  /** Whole seconds since preparation began, or null. */
  preparing() {
    if (this.busySince === null || !this.connected || !this.live) return null;
    return Math.floor((this.clock.performance.now() - this.busySince) / 1000);
  }

  /** Look at the time; called twice a second. */
  watch() {
    if (!this.live) return;
    this.link.watch();
    this.updateViews(!this.connected && this.settle(true));
  }

  /** The kernel has ended: nothing that was sent, and nothing in the hand, will ever be heard of. */
  lost() {
    if (!this.live) return;
    this.commands.pending = null;
    this.settle(true);
    this.updateViews(true);
  }

  // ---- painting ----

  /** How many frames were painted. */
  get frames() {
    return this.painter.frames;
  }

  /** @param {boolean} repaint */
  updateViews(repaint) {
    for (const view of this.views) view.update();
    if (repaint) this.paintSoon();
  }

  paintSoon() {
    this.painter.soon();
  }
}
