// The link to the kernel: whether it answers, and whether it has ended. A busy kernel is heard all the same: a thread of
// its own says a word every 1.5 s. One that was restarted or shut down is as silent as one that is cut off, but the host
// knows of it at once: `comm_live_update` is what ipywidgets says of widgets that lost their kernel, and Jupyter's hosts
// hand out the kernel itself. A restart that another window asked for is not always passed on, and a kernel's last words
// may be lost; so after a silence the host asks its kernel, and one that answers it and not its widget is another one.

const WAITING = 2500; // ms without a word after which the reader is told that a word is waited for
const SILENCE = 7000; // ms without a word from the kernel after which it counts as out of reach
const GREETING = 3000; // ms in which a kernel at rest has answered its first greeting, if it knows the widget
const LAST_WORDS = 10000; // ms in which a kernel that ends may still be heard: its runs are closed, which takes a moment
/** What is said of a kernel that ends, and by the one in its place: a widget that is here already is older. */
const ENDING = ["restarting", "autorestarting", "starting", "terminating", "dead"];

export class Link {
  /**
   * @param {Model} model @param {Clock} clock @param {() => void} ended  called once the kernel is known to have ended
   * @param {(down: boolean) => void} line  called when the host's line to the kernel is cut, and when it is there again
   */
  constructor(model, clock, ended, line) {
    this.model = model;
    this.clock = clock;
    this.ended = false;
    this.silent = false; // or nobody can be sent to
    this.begunAt = this.heardAt = clock.performance.now();
    this.endedAt = -Infinity;
    this.answered = false;
    this.kernel = model.widget_manager?.kernel; // null where a host has none now, undefined where hosts do not tell
    this.end = () => {
      if (this.ended) return;
      this.ended = true;
      this.endedAt = clock.performance.now();
      ended();
    };
    /** @param {unknown} _ @param {string} status */
    this.onStatus = (_, status) => ENDING.includes(status) && this.end();
    this.kernel?.statusChanged?.connect?.(this.onStatus);
    this.kernel?.disposed?.connect?.(this.end);
    /** @param {unknown} _ @param {string} status */
    this.onLine = (_, status) => {
      this.down = status !== "connected";
      line(this.down);
    };
    // Whether the host knows that its line to the kernel is cut.
    this.down = false;
    this.kernel?.connectionStatusChanged?.connect?.(this.onLine);
    model.on("comm_live_update", this.end);
  }

  stop() {
    this.kernel?.statusChanged?.disconnect?.(this.onStatus);
    this.kernel?.disposed?.disconnect?.(this.end);
    this.kernel?.connectionStatusChanged?.disconnect?.(this.onLine);
    this.model.off("comm_live_update", this.end);
  }

  get connected() {
    return !this.ended && !this.silent;
  }

  /** Whether a word should have come by now. */
  get waiting() {
    return this.connected && this.answered && (this.down || this.clock.performance.now() - this.heardAt >= WAITING);
  }

  /** A word from the kernel: it is there, whatever was said of it, unless these are its last ones. */
  hear() {
    this.heardAt = this.clock.performance.now();
    this.answered = true;
    this.silent = this.down = false;
    if (this.ended && this.heardAt - this.endedAt >= LAST_WORDS) this.ended = false;
  }

  /** Look at the time; called every second. */
  watch() {
    const now = this.clock.performance.now();
    if (now - this.heardAt >= SILENCE && !this.silent) this.ask();
    // A notebook that was saved with its widgets, opened again: the kernel is another one, or there is none.
    const stranger = this.kernel === null || this.kernel?.status === "idle";
    if (!this.answered && stranger && now - this.begunAt >= GREETING) this.end();
  }

  /** Count the kernel as out of reach, and as ended if it answers its host and the widget has no word even then. */
  async ask() {
    const { heardAt, kernel, clock } = this;
    this.silent = true;
    if (await kernel?.requestKernelInfo?.().catch(() => undefined))
      clock.setTimeout(() => heardAt === this.heardAt && this.end(), GREETING);
  }
}
