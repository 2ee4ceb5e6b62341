// Commands: what hands tell the run. The browser acts at once; the kernel, which may be busy, confirms later. Which command
// it heard last it says in every frame and heartbeat.

const LATE = 3000; // ms after which an unanswered command is explained
const AGAIN = 5000; // ms after which it is sent again to a kernel that speaks, then twice as many, and so on
const ELSEWHERE = 2000; // ms after which a command counts as heard if the kernel has meanwhile heard another page
const ARRIVE = 1000; // ms that the frames of a kernel that does not tell of seeking may take to show it

export const BUSY = ["compiling", "running"];

/** @type {Record<OrderName, string>} */
const DOING = {
  pause: "pausing",
  play: "starting",
  step: "stepping",
  restart: "restarting",
  seek: "going back",
  switch: "switching",
  preset: "starting over",
  set: "turning",
  release: "letting go",
  move: "moving",
  pin: "pinning",
  unpin: "letting go",
};

/** Whether a run of this status goes on. @param {string|undefined} status */
export const isBusy = (status) => BUSY.includes(status ?? "");

/**
 * @typedef {object} Pending  the command that the kernel has not confirmed yet
 * @property {OrderName} name
 * @property {Token} token
 * @property {number|undefined} target  the iteration that is sought
 * @property {number|null|undefined} iteration  at which it was sent
 * @property {number|null} heardAt
 * @property {number} againAt  when it is sent again
 * @property {boolean} [plays]  whether the run goes on after it
 */

export class Commands {
  /**
   * @param {string} page  id of this page's hub
   * @param {Clock} clock
   * @param {(content: {kind: "command", name: OrderName, id: string}, buffers?: ArrayBuffer[]) => void} send
   */
  constructor(page, clock, send) {
    this.page = page;
    this.clock = clock;
    this.send = send;
    /** @type {Pending|null} */
    this.pending = null;
    this.count = 0;
    this.heard = ""; // the last command that the kernel heard, from here or from another page
    this.heardNumber = 0; // the last one from here
    /** @type {boolean|undefined} whether the run is on its way to an earlier moment; undefined if the kernel never tells */
    this.seeking = undefined;
  }

  /**
   * Send a command that nobody waits for; the token tells later whether it was heard.
   * @param {OrderName} name @param {object} more  what goes with it @param {ArrayBuffer[]} [buffers] @returns {Token}
   */
  order(name, more = {}, buffers = undefined) {
    const number = ++this.count;
    const again = () => this.send({ kind: "command", name, id: `${this.page}:${number}`, ...more }, buffers);
    again();
    return { number, before: this.heard, at: this.clock.performance.now(), again };
  }

  /** Wait for a command. @param {OrderName} name @param {Token} token @param {RunFacts} facts @param {number} [target] */
  expect(name, token, facts, target) {
    this.pending = { name, token, target, iteration: facts.iteration, heardAt: null, againAt: token.at + AGAIN };
  }

  /**
   * The kernel speaks. What it has not heard for some time is sent once more: a connection that was lost and made anew
   * loses what was on its way. A busy kernel will hear it twice, and does it once.
   */
  remind() {
    const p = this.pending;
    const now = this.clock.performance.now();
    if (!p || p.heardAt !== null || now < p.againAt) return;
    p.againAt = now + 2 * (now - p.token.at);
    p.token.again();
  }

  /** The kernel names the last command that it heard. @param {string} id */
  hear(id) {
    this.heard = id;
    const [page, number] = id.split(":");
    if (page === this.page) this.heardNumber = Math.max(this.heardNumber, Number(number));
  }

  /** Whether the kernel has heard a command, as far as it says: it names only the last one, maybe another page's. @param {Token} token */
  hears({ number, before, at }) {
    if (this.heardNumber >= number) return true;
    const elsewhere = this.heard !== before && !this.heard.startsWith(`${this.page}:`);
    return elsewhere && this.clock.performance.now() - at >= ELSEWHERE;
  }

  /**
   * Take the pending command as done, if the news shows it. True if a frame that waits shows a moment that was left.
   * @param {string|undefined} status @param {number|null|undefined} iteration
   */
  confirm(status, iteration) {
    const p = this.pending;
    if (!p) return false;
    const heard = this.hears(p.token);
    if (heard) p.heardAt ??= this.clock.performance.now();
    const done = this.isDone(p, heard, status, iteration);
    if (done || status === "closed" || status === "error") this.pending = null;
    return done && p.name === "seek" && this.seeking === false;
  }

  /** @param {Pending} p @param {boolean} heard @param {string|undefined} status @param {number|null|undefined} iteration */
  isDone(p, heard, status, iteration) {
    const rests = !isBusy(status);
    if (p.name === "pause") return rests;
    if (p.name === "play") return heard || !rests;
    if (p.name === "step") return heard || iteration !== p.iteration;
    if (p.name !== "seek" || !heard) return heard;
    // However long the seeking takes, the old moment is not shown in between. Of a kernel that does not tell of it, a
    // frame that was on its way when it heard still shows that moment.
    if (this.seeking !== undefined) return !this.seeking;
    const here = iteration ?? 0;
    const waited = this.clock.performance.now() - (p.heardAt ?? 0);
    return here < (p.iteration ?? 0) || (p.iteration ?? 0) <= (p.target ?? -1) || waited >= ARRIVE;
  }

  /**
   * After "pause" the picture stands still at once, and the kernel's last frame replaces it when it has confirmed; so it
   * does while the run seeks an earlier moment.
   * @param {string|undefined} status
   */
  freezes(status) {
    const { pending, seeking } = this;
    if (pending?.name === "seek" || (pending?.name === "pause" && isBusy(status))) return true;
    return Boolean(seeking) && status !== "closed";
  }

  /** Whether the run goes on, or will as soon as the kernel hears. @param {string|undefined} status */
  playing(status) {
    const p = this.pending;
    if (p?.name === "play" || p?.plays) return true;
    return p?.name !== "pause" && isBusy(status);
  }

  /** What is under way, in words; empty if nothing is. */
  words() {
    if (!this.pending) return "";
    const { name, token } = this.pending;
    const late = this.clock.performance.now() - token.at > LATE;
    return late ? `${DOING[name]} – the kernel is busy` : `${DOING[name]}…`;
  }
}
