// The control of a run: what each command does, as a state machine. runs/control.py has the same one, with the table of
// how the status can change; here the run takes what it does in slices, so that a task may be under way as well.

/** @typedef {{kind: "begin", recipe: Recipe}} Begin */
/** @typedef {{kind: "seek", iteration: number}} Seek */
/** @typedef {{kind: "move", places: Map<number, [number, number]>}} Move */
/** @typedef {{kind: "pin", objects: number[], freed: number[]}} Pin */
/** @typedef {Begin|Seek|Move|Pin} Waiting */
/** An update, or one more look at the present moment, so that questions about it can be answered. */
/** @typedef {{command: Waiting|{kind: "update"|"look"}, recipe: Recipe, moment: Moment|null}} Task */
/** @typedef {"idle"|"compiling"|"running"|"paused"|"finished"|"error"} Status */

/**
 * @typedef {object} Past  what the control asks of a recording
 * @property {(moment: Moment, how: {moved?: number, begins?: boolean}) => void} add
 * @property {(moment: Moment) => void} cut
 * @property {(iteration: number) => number} nearest  that can be made again
 * @property {() => void} clear
 * @property {(iteration: number) => Moment|null} startFor
 * @property {(iteration: number) => [begun: number, recipe: Recipe]} chapterAt
 * @property {() => [first: number, last: number]|null} reach
 */

export class Control {
  /** @param {Recipe} recipe  the model to begin with @param {Past} past */
  constructor(recipe, past) {
    this.past = past;
    this.origin = recipe;
    this.recipe = recipe;
    this.limit = recipe.max_iter; // `play` ends after so many updates of the model
    /** @type {Waiting[]} */
    this.queue = [];
    /** @type {Task|null} under way */
    this.current = null;
    this.ahead = 0; // updates to do once the queue is empty
    this.done = 0; // updates since the model began
    /** @type {"idle"|"paused"|"finished"} the status once nothing is left to do */
    this.atEnd = "idle";
    this.updated = false; // whether there was an update since the model began
    /** @type {Moment|null} */
    this.moment = null;
    this.error = "";
    this.remark = ""; // on the map of a run that has finished
    this.version = 0; // rises with every change
  }

  /** Stand where a run stood. @param {Moment} moment @param {{limit: number, done: number}} how */
  stand(moment, { limit, done }) {
    Object.assign(this, { moment, recipe: moment.recipe, limit, done, updated: done > 0 });
    this.atEnd = done >= limit ? "finished" : "paused";
    this.version += 1;
  }

  // ---- commands ----

  play() {
    if (this.done >= this.limit) this.limit = this.done + this.recipe.max_iter;
    this.go(this.limit - this.done, "finished");
  }

  /** @param {number} n */
  step(n = 1) {
    const stepping = this.busy && this.atEnd === "paused";
    this.go((stepping ? this.ahead : 0) + n, "paused");
  }

  pause() {
    if (this.atEnd !== "idle") [this.ahead, this.atEnd] = [0, "paused"];
    this.version += 1;
  }

  /** Begin again, from now on with another model if one is given. @param {Recipe} [recipe] */
  restart(recipe = this.origin) {
    this.drop();
    this.origin = recipe;
    this.past.clear();
    this.moment = null;
    this.begin(recipe);
  }

  /** Go on from the present positions under another model. @param {Recipe} recipe */
  switch(recipe) {
    this.queue = this.queue.filter(({ kind }) => kind !== "begin");
    // It begins where a seek or a move leads to; an update or another beginning is of no use any more.
    if (this.has("begin") || this.has("update")) this.current = null;
    this.begin(recipe);
  }

  /** Go to a recorded iteration, with the model of that time, and rest there. @param {number} iteration @returns {number} where to */
  seek(iteration) {
    const [first, last] = this.reach();
    if (!(first <= iteration && iteration <= last))
      throw new Error(`iteration must be from ${first} to ${last}, got ${iteration}; play on to go further`);
    const at = this.past.nearest(iteration);
    const [begun, recipe] = this.past.chapterAt(at);
    this.drop();
    this.queue.push({ kind: "seek", iteration: at });
    Object.assign(this, { recipe, done: at - begun, updated: true, error: "", atEnd: "paused" });
    this.limit = Math.max(recipe.max_iter, this.done);
    this.version += 1;
    return at;
  }

  /** Put objects elsewhere. @param {Map<number, [number, number]>} places */
  move(places) {
    this.needMap("move objects in");
    const newest = this.queue[this.queue.length - 1];
    if (newest?.kind === "move") for (const [i, place] of places) newest.places.set(i, place);
    else if (places.size) this.queue.push({ kind: "move", places });
    this.version += 1;
  }

  /** Hold objects where they are, and let others go. @param {number[]} objects @param {number[]} freed */
  pin(objects, freed) {
    this.needMap("hold objects in");
    if (objects.length || freed.length) this.queue.push({ kind: "pin", objects, freed });
    this.version += 1;
  }

  /** @param {string} what */
  needMap(what) {
    if (!this.moment) throw new Error(`there is no map yet to ${what}; play or step first`);
  }

  /** Do n updates and then rest. @param {number} n @param {"paused"|"finished"} atEnd */
  go(n, atEnd) {
    Object.assign(this, { ahead: n, atEnd, error: "" });
    if (!this.moment && !this.has("begin")) this.queue.push({ kind: "begin", recipe: this.recipe });
    this.version += 1;
  }

  /** Begin with a model after what waits: a run that plays goes on playing. @param {Recipe} recipe */
  begin(recipe) {
    this.queue.push({ kind: "begin", recipe });
    Object.assign(this, { recipe, done: 0, limit: recipe.max_iter, updated: false, error: "" });
    if (this.atEnd === "idle") this.atEnd = "paused";
    this.ahead = this.atEnd === "finished" ? this.limit : 0;
    this.version += 1;
  }

  drop() {
    [this.queue, this.current, this.ahead] = [[], null, 0];
  }

  /** Whether a command of a kind waits at the head, or is under way. @param {Task["command"]["kind"]} kind */
  has(kind) {
    return this.current?.command.kind === kind || this.queue.some((waiting) => waiting.kind === kind);
  }

  // ---- what is taken and brought back ----

  get hasTask() {
    return this.queue.length > 0 || this.ahead > 0;
  }

  /** The next task, which is then under way; there must be one. @returns {Task} */
  take() {
    const command = this.queue.shift() ?? { kind: /** @type {const} */ ("update") };
    let { moment, recipe } = this;
    if (command.kind === "begin") recipe = command.recipe;
    else if (command.kind === "seek") moment = this.past.startFor(command.iteration);
    // What waits before another model begins is done by the one that made the present map.
    if (command.kind !== "begin" && command.kind !== "update" && moment) recipe = moment.recipe;
    this.current = { command, recipe, moment };
    return this.current;
  }

  /**
   * Take the moment that a task led to; drop it if the task is of no use any more.
   * @param {Task} task @param {Moment} moment @param {(moment: Moment) => string} [remark]  what is wrong with a last one
   */
  publish(task, moment, remark = () => "") {
    if (task !== this.current) return;
    const { command } = task;
    if (command.kind === "look") {
      this.current = null; // nothing has changed but what stands ready
      return;
    }
    if (command.kind !== "seek") {
      if (command.kind === "update" && this.ahead > 0) this.ahead -= 1;
      if (this.moment) this.past.cut(this.moment);
      const moved = command.kind === "move" ? command.places.size : undefined;
      this.past.add(moment, { moved, begins: command.kind === "begin" });
      if (command.kind === "update") [this.done, this.updated] = [this.done + 1, true];
      if (!this.ahead && !this.queue.length && this.atEnd === "finished") this.remark = remark(moment);
      this.error = "";
    }
    [this.moment, this.current] = [moment, null];
    this.version += 1;
  }

  /** What waits is forgotten; play goes on from the last good moment. @param {Task} task @param {string} why */
  fail(task, why) {
    if (task !== this.current) return;
    this.drop();
    if (this.moment) {
      const [begun, recipe] = this.past.chapterAt(this.moment.iteration);
      Object.assign(this, { recipe, done: this.moment.iteration - begun });
      this.limit = Math.max(recipe.max_iter, this.done);
    }
    [this.error, this.atEnd] = [why || "it failed", "paused"];
    this.version += 1;
  }

  // ---- what there is to see ----

  /** @returns {Status} */
  get status() {
    if (this.has("seek")) return "running";
    if (this.ahead || this.has("update") || this.has("begin")) return this.updated ? "running" : "compiling";
    return this.error ? "error" : this.atEnd;
  }

  get busy() {
    return this.status === "running" || this.status === "compiling";
  }

  /** The first and the last recorded iteration. */
  reach() {
    const reach = this.past.reach();
    if (!reach) throw new Error("iteration must be a recorded one, but nothing is recorded yet; play or step first");
    return reach;
  }
}
