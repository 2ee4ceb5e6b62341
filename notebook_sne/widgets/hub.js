// The hub: everything that the views of one widget share. It receives frames, acknowledges what was painted, sends
// commands and notices when the kernel no longer answers. It touches no page element, so Node can test it.

const SILENCE = 7000; // ms without a word from the kernel (it says one every 2 s) after which it counts as gone
const HIDDEN_PAINT = 250; // ms: a hidden tab has no animation frames
const ACKNOWLEDGE = 250; // ms between acknowledgements: the host redraws its own signs at every message it sends
const MOVE = 60; // ms between paintings of a window that settles while the run goes on
const LATE = 3000; // ms after which an unanswered command is explained
const TRACE_LENGTH = 4000;

export const BUSY = ["compiling", "running"];
const FACTS = ["moment", "status", "iteration", "cost", "phase", "message", "model_name"];

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
    this.trace = { iterations: [], costs: [] };
    this.images = new Map();
    this.frames = 0;
    this.pending = null; // the command that the kernel has not confirmed yet
    this.commands = 0;
    this.newestFrame = this.paintedFrame = 0;
    this.acknowledgedAt = -ACKNOWLEDGE;
    this.acknowledgement = this.moving = null;
    this.connected = true;
    this.heardAt = clock.performance.now();
    this.busySince = null;
    this.scheduled = null;
    this.readTraits();
    this.onMessage = (content, buffers) => this.receive(content, buffers || []);
    this.onChange = () => this.readTraits();
    model.on("msg:custom", this.onMessage);
    model.on("change:moment", this.onChange);
    model.on("change:hide_labels change:pace", (this.onSwitch = () => this.updateViews(true)));
    this.timer = clock.setInterval(() => this.watch(), 1000);
  }

  stop() {
    this.model.off("msg:custom", this.onMessage);
    this.model.off("change:moment", this.onChange);
    this.model.off("change:hide_labels change:pace", this.onSwitch);
    this.clock.clearInterval(this.timer);
    this.clock.clearTimeout(this.acknowledgement);
    this.clock.clearTimeout(this.moving);
    this.cancel();
    this.views.clear();
  }

  add(view) {
    this.views.add(view);
    this.send({ kind: "hello" });
  }

  remove(view) {
    this.views.delete(view);
    if (!this.views.size) this.send({ kind: "bye" });
  }

  send(content) {
    try {
      this.model.send({ ...content, hub: this.id });
    } catch (error) {
      this.connected = false; // a saved notebook without a kernel has nobody to send to
    }
  }

  /** What lasts: a new view, a reloaded page and a saved notebook begin with it. */
  readTraits() {
    const moment = this.model.get("moment") || 0;
    if (this.facts.moment !== undefined && moment < this.facts.moment) return; // a frame has told later news
    this.learn(Object.fromEntries(FACTS.map((name) => [name, this.model.get(name)])));
    const points = floats(this.model.get("snapshot"));
    if (points.length && !this.frozen()) this.points = points;
    const trace = floats(this.model.get("trace"));
    this.trace = { iterations: [], costs: [] };
    for (let i = 0; i < trace.length; i += 2) {
      this.trace.iterations.push(trace[i]);
      this.trace.costs.push(trace[i + 1]);
    }
    this.updateViews(true);
  }

  /** @param {any} content @param {DataView[]} buffers */
  receive(content, buffers) {
    this.heardAt = this.clock.performance.now();
    if (!this.connected) this.connected = true;
    if (content.kind === "image") {
      this.images.set(content.index, { ...content, pixels: new Uint8Array(bytes(buffers[0])) });
      for (const view of this.views) view.image(content.index);
      return;
    }
    if (content.kind !== "frame" && content.kind !== "beat") return;
    const old = this.facts.moment !== undefined && content.moment < this.facts.moment;
    if (this.pending && content.heard === this.pending.id) this.pending.heard = true;
    if (!old) this.learn(content);
    if (content.kind === "frame") {
      this.newestFrame = content.seq;
      if (!old && !this.frozen()) {
        this.points = floats(buffers[0]);
        this.record(content.iteration, content.cost);
      }
    }
    this.updateViews(content.kind === "frame");
  }

  /** After "pause" the picture stands still at once; the kernel's last frame replaces it when it has confirmed. */
  frozen() {
    return this.pending?.name === "pause" && BUSY.includes(this.facts.status);
  }

  learn(facts) {
    for (const name of FACTS) if (facts[name] !== undefined) this.facts[name] = facts[name];
    const { status, iteration } = this.facts;
    const compiling = status === "compiling";
    if (!compiling) this.busySince = null;
    else if (this.busySince === null) this.busySince = this.clock.performance.now();
    const p = this.pending;
    if (!p) return;
    const rests = !BUSY.includes(status);
    const done = { pause: rests, play: p.heard || !rests, step: p.heard || iteration !== p.iteration, restart: p.heard }[p.name];
    if (done || status === "closed" || status === "error") this.pending = null;
  }

  record(iteration, cost) {
    const { iterations, costs } = this.trace;
    const last = iterations.length ? iterations[iterations.length - 1] : -1;
    if (iteration < last) iterations.length = costs.length = 0; // restarted
    if (iteration === last || cost === null) return;
    iterations.push(iteration);
    costs.push(cost);
    if (iterations.length > TRACE_LENGTH) {
      this.trace = { iterations: iterations.filter((_, i) => i % 2 === 0), costs: costs.filter((_, i) => i % 2 === 0) };
    }
  }

  /** Act at once in the browser; the kernel confirms when it can. */
  command(name, more = {}) {
    if (!this.connected || this.facts.status === "closed") return;
    const id = `${this.id}:${++this.commands}`;
    this.pending = { name, id, iteration: this.facts.iteration, at: this.clock.performance.now(), heard: false };
    this.send({ kind: "command", name, id, ...more });
    this.updateViews(false);
  }

  ask(index) {
    if (!this.images.has(index)) this.send({ kind: "image", index });
  }

  /** The status in words, with what is under way. */
  words() {
    if (!this.connected) return "no answer from the kernel";
    const p = this.pending;
    if (p) {
      const late = this.clock.performance.now() - p.at > LATE;
      const doing = { pause: "pausing", play: "starting", step: "stepping", restart: "restarting" }[p.name];
      return late ? `${doing} – the kernel is busy` : `${doing}…`;
    }
    if (this.facts.status === "compiling") return "preparing…";
    return this.facts.status;
  }

  /** Whole seconds since preparation began, or null. */
  preparing() {
    if (this.busySince === null || !this.connected) return null;
    return Math.floor((this.clock.performance.now() - this.busySince) / 1000);
  }

  watch() {
    const connected = this.clock.performance.now() - this.heardAt < SILENCE;
    if (connected !== this.connected && !connected) this.connected = false;
    this.updateViews(false);
  }

  updateViews(repaint) {
    for (const view of this.views) view.update();
    if (repaint) this.paintSoon();
  }

  /** One painting for however many frames came meanwhile: the newest is what is painted. */
  paintSoon() {
    if (this.scheduled || !this.views.size) {
      if (!this.views.size) this.acknowledge();
      return;
    }
    const paint = () => {
      this.cancel();
      this.clock.clearTimeout(this.moving);
      this.moving = null;
      let moving = false;
      for (const view of this.views) moving = view.paint() || moving;
      this.acknowledge();
      // A run that goes on brings its own frames: between them the window need not move at the screen's full rate.
      if (moving && BUSY.includes(this.facts.status)) this.moving ??= this.clock.setTimeout(() => this.paintSoon(), MOVE);
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
    const report = () => {
      this.acknowledgement = null;
      this.acknowledgedAt = this.clock.performance.now();
      this.send({ kind: "ack", seq: this.paintedFrame, hidden: Boolean(this.clock.document?.hidden) });
    };
    const wait = this.acknowledgedAt + ACKNOWLEDGE - this.clock.performance.now();
    if (wait <= 0) report();
    else this.acknowledgement = this.clock.setTimeout(report, wait);
  }
}

/** A copy of what a view of a buffer shows. @param {DataView} view */
export function bytes(view) {
  return view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
}
