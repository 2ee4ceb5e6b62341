// Painting: one for however many frames came meanwhile, and what the kernel is told of it.

const HIDDEN_PAINT = 250; // ms: a hidden tab has no animation frames
const MOVE = 60; // ms between paintings of a window that settles while the run goes on, at least
const SHARE = 5; // and so many times what the last painting took: frames come first
const ACKNOWLEDGE = 500; // ms between acknowledgements: the host redraws its own signs at every message it sends
const AWAY = 2000; // the same while nobody sees a view, or frames are few: a kernel answers each with two messages
const FEW = 6; // frames: the kernel sends a few more before it waits for an answer
const HEAVY = 250; // the same of large frames, of which few may be under way

export class Painter {
  /**
   * @param {Clock} clock @param {Set<HubView>} views
   * @param {() => boolean} brings  whether the run brings frames of its own
   * @param {(message: AckMessage) => void} send
   * @param {() => void} done  all views have painted
   */
  constructor(clock, views, brings, send, done) {
    this.clock = clock;
    this.views = views;
    this.brings = brings;
    this.send = send;
    this.done = done;
    this.frames = 0; // painted so far
    this.newest = this.painted = this.reported = 0; // numbers of frames
    this.heavy = false; // whether the newest is large
    this.took = 0; // ms of the last painting
    this.reportedAt = -AWAY;
    /** @type {number|null} a timer */
    this.reporting = null;
    /** @type {number|null} a timer */
    this.moving = null;
    /** @type {{frame: number|undefined, timer: number}|null} */
    this.scheduled = null;
    /** @type {WeakSet<HubView>} views that are scrolled out of sight */
    this.away = new WeakSet();
  }

  /** Whether nobody sees a view: the tab is hidden, or another part of the page is on the screen. */
  get hidden() {
    const inSight = [...this.views].some((view) => !this.away.has(view));
    return Boolean(this.clock.document?.hidden) || (this.views.size > 0 && !inSight);
  }

  /** A view comes into sight, or goes, which the next frame's answer tells at once. @param {HubView} view @param {boolean} there */
  sees(view, there) {
    if (there) this.away.delete(view);
    else this.away.add(view);
    this.clock.clearTimeout(this.reporting);
    this.reporting = null;
    this.reportedAt = -AWAY;
  }

  stop() {
    this.clock.clearTimeout(this.reporting);
    this.clock.clearTimeout(this.moving);
    this.cancel();
  }

  /** One painting for however many frames came meanwhile: the newest is what is painted. */
  soon() {
    if (!this.views.size) this.acknowledge();
    if (this.scheduled || !this.views.size) return;
    const paint = () => this.paint();
    this.scheduled = {
      frame: this.clock.requestAnimationFrame?.(paint),
      timer: this.clock.setTimeout(paint, HIDDEN_PAINT),
    };
  }

  paint() {
    this.cancel();
    this.clock.clearTimeout(this.moving);
    this.moving = null;
    let moving = false;
    const began = this.clock.performance.now();
    for (const view of this.views) moving = view.paint() || moving;
    this.done();
    this.took = this.clock.performance.now() - began;
    this.acknowledge();
    // A run that goes on brings its own frames: between them the window need not move at the screen's full rate.
    if (moving && this.brings())
      this.moving ??= this.clock.setTimeout(() => this.soon(), Math.max(MOVE, SHARE * this.took));
    else if (moving) this.soon();
  }

  cancel() {
    if (!this.scheduled) return;
    this.clock.cancelAnimationFrame?.(this.scheduled.frame);
    this.clock.clearTimeout(this.scheduled.timer);
    this.scheduled = null;
  }

  /** Tell the kernel which frame was painted last; the first at once, then seldom enough. */
  acknowledge() {
    if (this.newest === this.painted) return;
    this.painted = this.newest;
    this.frames += 1;
    this.clock.clearTimeout(this.reporting);
    const report = () => this.report(this.painted);
    const few = this.painted - this.reported < FEW;
    const every = this.hidden ? AWAY : this.heavy ? HEAVY : few ? AWAY : ACKNOWLEDGE;
    const wait = this.reportedAt + every - this.clock.performance.now();
    if (wait <= 0) report();
    else this.reporting = this.clock.setTimeout(report, wait);
  }

  /** @param {number} seq  number of a frame */
  report(seq) {
    this.clock.clearTimeout(this.reporting);
    this.reporting = null;
    this.reportedAt = this.clock.performance.now();
    this.reported = seq;
    this.send({ kind: "ack", seq, hidden: this.hidden });
  }
}
