// The hub: everything that the views of one widget share. It receives frames, acknowledges what was painted, keeps the
// film and sends commands. It touches no page element, so Node can test it.

import { Link } from "./link.js";
import { Asks, Turns } from "./requests.js";
import { Shown } from "./shown.js";
import { Trace } from "./trace.js";

const HIDDEN_PAINT = 250; // ms: a hidden tab has no animation frames
const ACKNOWLEDGE = 500; // ms between acknowledgements: the host redraws its own signs at every message it sends
const MOVE = 60; // ms between paintings of a window that settles while the run goes on
const LATE = 3000; // ms after which an unanswered command is explained
const ELSEWHERE = 2000; // ms after which a command counts as heard if the kernel has meanwhile heard another page
const ARRIVE = 1000; // ms that the frames of a kernel that does not tell of winding may take to show a seek that it heard

export const BUSY = ["compiling", "running"];
const MOMENT = ["iteration", "cost", "phase", "present", "recorded_to"];
const FACTS = ["moment", "status", "message", "compiles", "model_name", "turned", "marks", ...MOMENT];
const SWITCHES = [
  "hide_labels",
  "pace",
  "selection",
  "spring_of",
  "color",
  "axes",
  "compact",
  "show_images",
  "knobs",
  "models",
];
const DOING = {
  pause: "pausing",
  play: "starting",
  step: "stepping",
  restart: "restarting",
  seek: "winding back",
  switch: "switching",
  preset: "beginning anew",
  move: "moving",
};

/** A Float32Array of a buffer that may be unaligned. @param {DataView|undefined} view */
export function floats(view) {
  if (!view || !view.byteLength) return new Float32Array(0);
  return new Float32Array(bytes(view));
}

export class Hub {
  /** @param {any} model  anywidget's model  @param {any} clock  stands in for the browser's timers in tests */
  constructor(model, clock = globalThis) {
    this.model = model;
    this.clock = clock;
    this.id = Math.random().toString(36).slice(2);
    /** @type {Set<{paint: () => boolean, update: () => void, image: (i: number) => void}>} */
    this.views = new Set();
    this.facts = {};
    this.points = new Float32Array(0);
    this.at = null; // iteration of these points; the facts may be newer
    this.winding = undefined; // whether the run is on its way to an earlier moment; undefined if the kernel never tells
    this.trace = new Trace();
    this.frames = 0;
    this.pending = null; // the command that the kernel has not confirmed yet
    this.commands = 0;
    this.heard = ""; // the last command that the kernel heard, from here or from another page
    this.heardNumber = 0; // the last one from here
    this.newestFrame = this.paintedFrame = 0;
    this.acknowledgedAt = -ACKNOWLEDGE;
    this.acknowledgement = this.moving = null;
    this.busySince = null;
    this.scheduled = null;
    this.springs = this.costs = null;
    // A widget without this trait, the explorer, has neither film nor knobs.
    const recorded = model.get("film") !== undefined;
    this.live = !recorded || Boolean(model.get("live")); // a film alone has nobody to send to
    this.shown = recorded ? new Shown(this) : null;
    this.asks = recorded ? new Asks(this) : null;
    this.turns = recorded ? new Turns(this) : null;
    this.shown?.takeFilm(model.get("film"));
    this.readTraits();
    this.link = new Link(model, clock, () => this.lost());
    this.onMessage = (content, buffers) => this.receive(content, buffers || []);
    // Some hosts, such as marimo, set the traits of one update one by one, each followed by its event: what comes later
    // is old until all are set.
    this.onChange = () => queueMicrotask(() => this.readTraits());
    this.onSwitch = () => this.updateViews(true);
    model.on("msg:custom", this.onMessage);
    model.on("change:moment", this.onChange);
    for (const name of SWITCHES) model.on(`change:${name}`, this.onSwitch);
    this.timer = clock.setInterval(() => this.watch(), 1000);
  }

  stop() {
    this.model.off("msg:custom", this.onMessage);
    this.model.off("change:moment", this.onChange);
    for (const name of SWITCHES) this.model.off(`change:${name}`, this.onSwitch);
    this.link.stop();
    this.clock.clearInterval(this.timer);
    this.clock.clearTimeout(this.acknowledgement);
    this.clock.clearTimeout(this.moving);
    this.asks?.stop();
    this.turns?.stop();
    this.cancel();
    this.views.clear();
  }

  add(view) {
    this.views.add(view);
    this.send({ kind: "hello" });
    if (this.shown && !this.greeted) this.send({ kind: "ask", what: "film" });
    this.greeted = true;
  }

  remove(view) {
    this.views.delete(view);
    if (!this.views.size) this.send({ kind: "bye" });
  }

  send(content, buffers) {
    if (!this.live) return;
    const message = { ...content, hub: this.id };
    try {
      if (buffers) this.model.send(message, undefined, buffers);
      else this.model.send(message);
    } catch (error) {
      this.link.silent = true; // a saved notebook without a kernel has nobody to send to
    }
  }

  // ---- what the kernel says ----

  /** What lasts: a new view, a reloaded page and a saved notebook begin with it. */
  readTraits() {
    const moment = this.model.get("moment") || 0;
    if (this.facts.moment !== undefined && moment < this.facts.moment) return; // a frame has told later news
    this.learn(Object.fromEntries(FACTS.map((name) => [name, this.model.get(name)])));
    // Most updates hold neither picture nor curve: those of an earlier one are older than the frames since.
    const [snapshot, packed] = [this.model.get("snapshot"), this.model.get("trace")];
    const points = floats(snapshot);
    const fresh = points.length > 0 && snapshot !== this.snapshot;
    this.snapshot = snapshot;
    if (fresh && !this.frozen())
      [this.points, this.at, this.waiting] = [points, this.model.get("iteration") ?? null, null];
    else if (!this.points.length) [this.points, this.at] = this.shown?.lastMoment() ?? [points, null];
    if (packed !== this.packed) this.trace.take(floats(packed));
    this.packed = packed;
    this.updateViews(true);
  }

  /** @param {any} content @param {DataView[]} buffers */
  receive(content, buffers) {
    this.link.hear();
    if (content.kind !== "frame" && content.kind !== "beat") return this.answer(content, buffers);
    if (content.asks && this.views.size) this.report(content.seq); // unanswered, the kernel takes the page for closed
    const old = this.facts.moment !== undefined && content.moment < this.facts.moment;
    if (content.heard) {
      this.heard = content.heard;
      const [page, number] = content.heard.split(":");
      if (page === this.id) this.heardNumber = Math.max(this.heardNumber, Number(number));
    }
    if (!old && this.winding && !content.winding) this.waiting = null; // it shows the moment that was left
    if (!old && (content.winding ?? this.winding) !== undefined) this.winding = Boolean(content.winding);
    if (!old) this.learn(content);
    if (content.kind === "frame") {
      this.newestFrame = content.seq;
      if (!old) this.waiting = [content, floats(buffers[0])];
    }
    const news = this.waiting && !this.frozen(); // also the last frame that came while the picture stood still
    if (news) this.adopt(...this.waiting);
    if (news) this.waiting = null;
    const freed = this.shown?.hands.settle(this.points, this.facts.status === "closed");
    this.updateViews(content.kind === "frame" || news || freed);
  }

  /** What is neither frame nor beat: the answer to a question, or what a trait asks for. */
  answer(content, buffers) {
    const { kind } = content;
    if (kind === "image" || kind === "images") {
      const taken = this.asks?.take({ indices: [content.index], ...content }, new Uint8Array(bytes(buffers[0])));
      for (const index of taken ?? []) for (const view of this.views) view.image(index);
    } else if (kind === "film") this.shown?.takeFilm(buffers[0]);
    else if (kind === "neighbors") this.asks?.near.set(content.index, content.indices);
    else if (kind === "springs") this.springs = content;
    else if (kind === "costs") this.costs = { ...content, values: floats(buffers[0]) };
    else return;
    this.updateViews(true);
  }

  /** Show a frame. */
  adopt({ iteration, cost, phase }, points) {
    this.points = points;
    this.at = iteration ?? null;
    this.snapshot = this.model.get("snapshot"); // older than this frame
    if (this.shown) this.shown.keep({ iteration, cost, phase }, points);
    else this.trace.record(iteration, cost);
  }

  learn(news) {
    this.confirm(news.status ?? this.facts.status, news.iteration ?? this.facts.iteration);
    const still = this.frozen(); // the numbers stand with the picture
    for (const name of FACTS) {
      if (news[name] !== undefined && !(still && MOMENT.includes(name))) this.facts[name] = news[name];
    }
    const compiling = this.facts.status === "compiling";
    if (!compiling) this.busySince = null;
    else if (this.busySince === null) this.busySince = this.clock.performance.now();
    this.turns?.settle();
  }

  /** Take a pending command as done, if the news shows it. */
  confirm(status, iteration) {
    const p = this.pending;
    if (!p) return;
    const now = this.clock.performance.now();
    const heard = this.hears(p.token);
    if (heard) p.heardAt ??= now;
    const rests = !BUSY.includes(status);
    // However long a winding takes, the old moment is not shown in between. Of a kernel that does not tell of it, a
    // frame that was on its way when it heard still shows that moment.
    const arrived = iteration < p.iteration || p.iteration <= p.target || now - p.heardAt >= ARRIVE;
    const wound = heard && (this.winding === undefined ? arrived : !this.winding);
    const done =
      { pause: rests, play: heard || !rests, step: heard || iteration !== p.iteration, seek: wound }[p.name] ?? heard;
    if (done && p.name === "seek" && this.winding === false) this.waiting = null; // the moment that was left
    if (done || status === "closed" || status === "error") this.pending = null;
  }

  /**
   * After "pause" the picture stands still at once, and the kernel's last frame replaces it when it has confirmed; so it
   * does while the run is wound back.
   */
  frozen() {
    const {
      pending,
      winding,
      facts: { status },
    } = this;
    return (
      pending?.name === "seek" ||
      (pending?.name === "pause" && BUSY.includes(status)) ||
      (Boolean(winding) && status !== "closed")
    );
  }

  get marks() {
    return this.facts.marks?.length ? this.facts.marks : (this.film?.marks ?? []);
  }

  // ---- commands ----

  /** Send a command that nobody waits for; the token tells later whether it was heard. */
  order(name, more = {}, buffers = undefined) {
    const number = ++this.commands;
    this.send({ kind: "command", name, id: `${this.id}:${number}`, ...more }, buffers);
    return { number, before: this.heard, at: this.clock.performance.now() };
  }

  /** Whether the kernel has heard a command, as far as it says: it names only the last one, maybe another page's. */
  hears({ number, before, at }) {
    if (this.heardNumber >= number) return true;
    const elsewhere = this.heard !== before && !this.heard.startsWith(`${this.id}:`);
    return elsewhere && this.clock.performance.now() - at >= ELSEWHERE;
  }

  /** Whether the kernel answers; a film alone needs none. */
  get connected() {
    return !this.live || this.link.connected;
  }

  able() {
    return this.live && this.connected && this.facts.status !== "closed";
  }

  /** Act at once in the browser; the kernel confirms when it can. */
  command(name, more = {}) {
    if (!this.able()) return;
    if (name !== "pause") this.scrubTo(null);
    this.await(name, this.order(name, more), more.iteration);
    if (name === "restart" || name === "preset") this.shown?.turnOff(-1, this.pending.token);
    this.updateViews(true);
  }

  await(name, token, target) {
    this.pending = { name, token, target, iteration: this.facts.iteration, at: token.at, heardAt: null };
  }

  /** Whether the run goes on, or will as soon as the kernel hears. */
  playing() {
    const p = this.pending;
    if (p?.name === "play" || p?.plays) return true;
    return p?.name !== "pause" && BUSY.includes(this.facts.status);
  }

  /** Turn a knob: shown at once. */
  turn(name, value) {
    if (this.able()) this.turns.turn(name, value);
    this.updateViews(false);
  }

  /** Let knobs follow their schedules again. @param {string[]} names */
  release(names) {
    if (this.able()) this.turns.release(names);
    this.updateViews(false);
  }

  /** Where a knob stands. @returns {{value: number|undefined, turned: boolean}} */
  knob(name) {
    return this.turns.shown(name);
  }

  imageOf(index) {
    return this.asks?.image(index);
  }
  ask(index) {
    this.asks?.want([index], true);
  }
  askImages(indices) {
    this.asks?.want(indices);
  }
  neighborsOf(index) {
    return this.asks?.neighbors(index) ?? null;
  }

  // ---- what is shown; see shown.js ----

  get film() {
    return this.shown?.film ?? null;
  }
  get trouble() {
    return this.shown?.trouble ?? "";
  }
  get scrub() {
    return this.shown?.scrub ?? null;
  }
  scrubTo(iteration) {
    this.shown?.scrubTo(iteration);
  }
  goOn(iteration) {
    this.shown?.goOn(iteration);
  }
  hold(objects, places) {
    this.shown?.hold(objects, places);
  }
  letGo() {
    this.shown?.letGo();
  }
  abandon() {
    this.shown?.abandon();
  }
  shownPoints() {
    return this.shown?.points() ?? this.points;
  }
  shownCosts() {
    return this.scrub === null ? this.costs : null;
  } // known of the present only
  shownFacts() {
    return this.shown?.facts() ?? this.facts;
  }

  /** The status in words, with what is under way. */
  words() {
    if (!this.live) return "film";
    if (this.link.ended) return "kernel ended: run the cell again";
    // Silent from then on. An explorer follows a run that may go on without it.
    if (this.facts.status === "closed") return this.shown ? "closed: run the cell again" : "closed";
    if (!this.connected) return "no answer from the kernel";
    const p = this.pending;
    if (p) {
      const late = this.clock.performance.now() - p.at > LATE;
      return late ? `${DOING[p.name]} – the kernel is busy` : `${DOING[p.name]}…`;
    }
    if (this.facts.compiles) return "compiling, once…";
    if (this.facts.status === "compiling") return "preparing…";
    return this.facts.status;
  }

  /** Whole seconds since preparation began, or null. */
  preparing() {
    if (this.busySince === null || !this.connected || !this.live) return null;
    return Math.floor((this.clock.performance.now() - this.busySince) / 1000);
  }

  watch() {
    if (!this.live) return;
    this.link.watch();
    const freed = !this.connected && this.shown?.hands.settle(this.points, true);
    this.updateViews(Boolean(freed));
  }

  /** The kernel has ended: nothing that was sent, and nothing in the hand, will ever be heard of. */
  lost() {
    if (!this.live) return;
    this.pending = null;
    this.shown?.hands.settle(this.points, true);
    this.updateViews(true);
  }

  // ---- painting ----

  updateViews(repaint) {
    for (const view of this.views) view.update();
    if (repaint) this.paintSoon();
  }

  /** One painting for however many frames came meanwhile: the newest is what is painted. */
  paintSoon() {
    if (!this.views.size) this.acknowledge();
    if (this.scheduled || !this.views.size) return;
    const paint = () => {
      this.cancel();
      this.clock.clearTimeout(this.moving);
      this.moving = null;
      let moving = false;
      for (const view of this.views) moving = view.paint() || moving;
      this.acknowledge();
      // A run that goes on brings its own frames: between them the window need not move at the screen's full rate.
      if (moving && BUSY.includes(this.facts.status) && this.scrub === null)
        this.moving ??= this.clock.setTimeout(() => this.paintSoon(), MOVE);
      else if (moving) this.paintSoon();
    };
    this.scheduled = {
      frame: this.clock.requestAnimationFrame?.(paint),
      timer: this.clock.setTimeout(paint, HIDDEN_PAINT),
    };
  }

  cancel() {
    if (!this.scheduled) return;
    this.clock.cancelAnimationFrame?.(this.scheduled.frame);
    this.clock.clearTimeout(this.scheduled.timer);
    this.scheduled = null;
  }

  /** Tell the kernel which frame was painted last; the first at once, then seldom enough. */
  acknowledge() {
    if (this.newestFrame === this.paintedFrame) return;
    this.paintedFrame = this.newestFrame;
    this.frames += 1;
    if (this.acknowledgement !== null) return;
    const report = () => this.report(this.paintedFrame);
    const wait = this.acknowledgedAt + ACKNOWLEDGE - this.clock.performance.now();
    if (wait <= 0) report();
    else this.acknowledgement = this.clock.setTimeout(report, wait);
  }

  report(seq) {
    this.clock.clearTimeout(this.acknowledgement);
    this.acknowledgement = null;
    this.acknowledgedAt = this.clock.performance.now();
    this.send({ kind: "ack", seq, hidden: Boolean(this.clock.document?.hidden) });
  }
}

/** A copy of what a view of a buffer shows. @param {DataView} view */
export const bytes = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
