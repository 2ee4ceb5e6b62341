// What stands in for the notebook's model object, for what its kernel sends, and for the browser's clock.

/** A module of the front end; loaded when it is asked for, as many look for a page at once. @param {string} name */
export const load = (name) => import(new URL(`../../notebook_sne/browser/frontend/${name}`, import.meta.url));

export const empty = () => new DataView(new ArrayBuffer(0));

export class MockModel {
  constructor(traits = {}) {
    this.traits = {
      moment: 1,
      status: "idle",
      iteration: null,
      cost: null,
      phase: "",
      message: "",
      model_name: "SNE",
      hide_labels: false,
      ...traits,
    };
    this.sent = [];
    this.buffers = [];
    this.listeners = new Map();
  }
  get(name) {
    return this.traits[name];
  }
  set(name, value) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    this.tell(`change:${name}`);
  }
  save_changes() {}
  send(content, callbacks, buffers) {
    this.sent.push(content);
    this.buffers.push(buffers);
  }
  on(name, f) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), f]);
  }
  off(name, f) {
    const left = (this.listeners.get(name) ?? []).filter((one) => one !== f);
    if (left.length) this.listeners.set(name, left);
    else this.listeners.delete(name);
  }
  tell(name, ...news) {
    for (const f of this.listeners.get(name) ?? []) f(...news);
  }
  /** Set the traits of one update, each with its event; what listens has read them when the promise is kept. With
   * `oneByOne` each event comes before the traits after it are set, as in some hosts. */
  async update(traits, { oneByOne = false } = {}) {
    if (!oneByOne) Object.assign(this.traits, traits);
    for (const [name, value] of Object.entries(traits)) {
      this.traits[name] = value;
      this.tell(`change:${name}`, value);
    }
  }
  kinds() {
    return this.sent.map((m) => m.kind);
  }
  commands() {
    return this.sent.filter((m) => m.kind === "command");
  }
  requests(what) {
    return this.sent.filter((m) => m.kind === "request" && m.what === what);
  }
}

/** The model object of a player of four objects that nobody has named. */
export function playerModel(traits = {}) {
  const none = { names: [], class_names: [], value_range: [], selection: [], models: [], marks: [] };
  const bytes = ["classes", "values", "images", "neighbors", "snapshot", "trace", "film"].map((name) => [
    name,
    empty(),
  ]);
  const chosen = { color: "none", axes: "follow", show_images: false, compact: false, pace: null, spring_of: null };
  const run = { live: true, status: "paused", knobs: [], present: {}, turned: [], axes_note: "" };
  const own = { n_objects: 4, has_images: false, title: "" };
  return new MockModel({ ...none, ...Object.fromEntries(bytes), ...chosen, ...run, ...own, ...traits });
}

/** What the kernel says of a frame. */
export const frameOf = (iteration, more = {}) => ({
  ...{ kind: "frame", seq: iteration, moment: 10 + iteration, iteration, recorded_to: iteration },
  ...{ status: "running", phase: "descent", cost: 5, message: "", model_name: "SNE", heard: "" },
  ...{ present: {}, turned: [], ...more },
});

/** Reproducible numbers from 0 to 1. @param {number} seed */
export function numbers(seed) {
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

/** Reproducible numbers from -1 to 1. @param {number} count */
export function scattered(count) {
  const next = numbers(7);
  return Float32Array.from({ length: count }, () => 2 * next() - 1);
}

/** A clock that moves only when told; frames and timers run in order of their time. */
export class MockClock {
  constructor({ hidden = false } = {}) {
    this.time = 1000;
    this.jobs = new Map();
    this.next = 1;
    this.document = { hidden };
    this.performance = { now: () => this.time };
  }
  plan(f, delay, every) {
    this.jobs.set(this.next, { f, at: this.time + delay, every });
    return this.next++;
  }
  setTimeout = (f, delay) => this.plan(f, delay);
  setInterval = (f, delay) => this.plan(f, delay, delay);
  requestAnimationFrame = (f) => (this.document.hidden ? -1 : this.plan(f, 16));
  clearTimeout = (id) => this.jobs.delete(id);
  clearInterval = this.clearTimeout;
  cancelAnimationFrame = this.clearTimeout;
  run(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.jobs].filter(([, job]) => job.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      const [id, job] = due;
      this.time = job.at;
      if (job.every) job.at += job.every;
      else this.jobs.delete(id);
      job.f(this.time);
    }
    this.time = end;
  }
}

/** A view that a hub paints and tells of news: how often, and of which objects an image came. */
export class MockView {
  painted = 0;
  updated = 0;
  images = [];
  paint() {
    this.painted += 1;
    return false;
  }
  update() {
    this.updated += 1;
  }
  image(index) {
    this.images.push(index);
  }
}

/** A hub of a model, with a view and the clock of both. */
export function inView(Hub, model, options) {
  const [clock, view] = [new MockClock(options), new MockView()];
  const hub = new Hub(model, clock);
  hub.add(view);
  return { model, clock, view, hub };
}

/** A canvas's context of so many pixels that keeps the picture. */
export const paper = (width, height) => ({
  canvas: { width, height },
  createImageData: (w, h) => new ImageData(w, h),
  putImageData(image) {
    this.image = image;
  },
});

/** A buffer of single-precision numbers, as messages bring it. */
export const buffer = (...numbers) => new DataView(new Float32Array(numbers).buffer);

/** Pack a film as the kernel does. @param {{iteration: number, points: number[], knobs?: any}[]} frames */
export function packFilm(frames, marks = []) {
  const n_objects = frames[0].points.length / 2;
  const facts = frames.map(({ points, ...rest }) => ({
    cost: 100 - rest.iteration / 10,
    phase: "descent",
    model: "TSNE",
    knobs: {},
    ...rest,
    half: Math.max(...points.map(Math.abs)),
  }));
  const header = new TextEncoder().encode(JSON.stringify({ version: 1, n_objects, marks, frames: facts }));
  const begin = 4 * Math.ceil((4 + header.length) / 4);
  const all = new Uint8Array(begin + frames.length * 4 * n_objects);
  new DataView(all.buffer).setUint32(0, header.length, true);
  all.set(header, 4);
  frames.forEach(({ points }, k) => {
    const half = facts[k].half;
    new Int16Array(all.buffer, begin + k * 4 * n_objects, 2 * n_objects).set(
      points.map((x) => Math.round((x / half) * 32767)),
    );
  });
  return new DataView(all.buffer);
}
