// Requests: images, neighbors, distances, and the objects that meet a condition, asked for in few messages. Each answer may
// come late or never: what is shown waits for none.

const GATHER = 60; // ms in which what is wanted is gathered into one message
const BATCH = 256; // images in a message
const UNDER_WAY = 512; // images that may be asked for and not here
const FORGET = 10000; // ms after which an unanswered request may be sent again
const IMAGE_BYTES = 32e6;
const LATE = 4000; // ms after which the reader is told that nobody has answered yet

/** @typedef {(found: number[]|null, why: string) => void} Told  which objects were found; null, and why there is no answer */

export class Requests {
  /** @param {Pick<PlayerHub, "model"|"clock"|"live"|"send"|"post"|"connected"|"facts">} hub */
  constructor(hub) {
    this.hub = hub;
    /** @type {Map<number, ObjectImage>} */
    this.images = new Map();
    /** @type {Set<number>} for what the reader looks at now */
    this.urgent = new Set();
    /** @type {number[]} */
    this.wanted = [];
    /** @type {Map<number, number>} when each was asked for */
    this.underWay = new Map();
    this.bytes = 0;
    /** @type {number|null} */
    this.timer = null;
    /** @type {Map<number, number[]>} neighbors that came */
    this.near = new Map();
    /** @type {Map<number, number>} when the neighbors of each object were asked for */
    this.nearAsked = new Map();
    /** @type {number|null} the object from which distances are wanted */
    this.from = null;
    /** @type {number|null} when they were asked for, while there is no answer */
    this.fromAsked = null;
    /** @type {{query: string, then: Told}|null} a condition that waits for its answer */
    this.asked = null;
    /** @type {number|null} */
    this.late = null;
  }

  stop() {
    this.hub.clock.clearTimeout(this.timer);
    this.forget();
  }

  /** The image of an object if it is here: with a page it always is. @param {number} index */
  image(index) {
    const { model } = this.hub;
    const [width, height, channels = 1] = model.get("image_size") || [];
    const all = model.get("images");
    const size = width * height * channels;
    if (!this.images.has(index) && size && all?.byteLength && all.byteLength >= (index + 1) * size) {
      this.images.set(index, {
        width,
        height,
        pixels: new Uint8Array(all.buffer, all.byteOffset + index * size, size),
      });
    }
    return this.images.get(index);
  }

  /**
   * Ask for images: for one object now, or, in place of whatever was wanted before, for several.
   * @param {number[]} indices
   */
  want(indices, urgent = false) {
    if (!this.hub.live || !this.hub.model.get("has_images")) return;
    const missing = indices.filter((i) => !this.image(i) && !this.underWay.has(i));
    if (urgent) for (const i of missing) this.urgent.add(i);
    else this.wanted = missing;
    if (missing.length) this.later(GATHER);
  }

  /** @param {number} wait */
  later(wait) {
    this.timer ??= this.hub.clock.setTimeout(() => {
      this.timer = null;
      this.flush();
    }, wait);
  }

  flush() {
    const now = this.hub.clock.performance.now();
    for (const [i, at] of this.underWay) if (now - at > FORGET) this.underWay.delete(i);
    const all = [...new Set([...this.urgent, ...this.wanted])].filter(
      (i) => !this.images.has(i) && !this.underWay.has(i),
    );
    const room = this.underWay.size < UNDER_WAY ? BATCH : this.urgent.size;
    const indices = all.slice(0, room);
    this.urgent.clear();
    this.wanted = all.slice(room);
    if (indices.length) this.hub.send({ kind: "request", what: "images", indices });
    for (const i of indices) this.underWay.set(i, now);
    if (this.wanted.length) this.later(indices.length ? GATHER : FORGET / 20);
  }

  /** Take images that came; returns their objects. @param {Omit<ImagesMessage, "kind">} message @param {Uint8Array} pixels */
  take({ indices, width, height, channels = 1 }, pixels) {
    const size = width * height * channels;
    indices.forEach((index, k) => {
      this.underWay.delete(index);
      if (this.images.has(index) || (k + 1) * size > pixels.length) return;
      this.images.set(index, { width, height, pixels: pixels.slice(k * size, (k + 1) * size) });
      this.bytes += size;
    });
    // The oldest go first.
    for (const [index, image] of this.images) {
      if (this.bytes <= IMAGE_BYTES) break;
      this.images.delete(index);
      this.bytes -= image.pixels.length;
    }
    return indices;
  }

  /** Distances in the data from an object: one question at a time, and the next one is about the object of then. @param {number} index */
  distances(index) {
    const now = this.hub.clock.performance.now();
    const waits = this.fromAsked !== null && now - this.fromAsked < FORGET;
    const known = this.from === index && (waits || this.fromAsked === null);
    this.from = index;
    if (!this.hub.live || known || waits) return;
    this.fromAsked = now;
    this.hub.send({ kind: "request", what: "distances", index });
  }

  /** Distances came. @param {number} [index]  from which object */
  measured(index) {
    const next = this.from;
    this.fromAsked = null;
    this.from = index ?? null;
    if (next !== null && next !== index) this.distances(next);
  }

  /**
   * Ask which objects meet a condition; `then` may be called twice, first when the answer is late. The question is then
   * put once more: a connection that was lost and made anew loses what was on its way.
   * @param {string} query @param {Told} then
   */
  meeting(query, then) {
    const { hub } = this;
    if (!hub.model.get("reads_queries") || !hub.connected || hub.facts.status === "closed") return false;
    this.forget();
    this.asked = { query, then };
    const ask = () => hub.post({ kind: "request", what: "objects", query });
    ask();
    this.late = hub.clock.setTimeout(() => {
      then(null, "no answer yet: the kernel is busy, or has ended");
      ask();
    }, LATE);
    return true;
  }

  /** Objects that meet a condition came. @param {string} query @param {Uint32Array} objects @param {string} error */
  found(query, objects, error) {
    if (this.asked?.query !== query) return; // another one was asked since
    const { then } = this.asked;
    this.forget();
    then(error ? null : [...objects], error);
  }

  forget() {
    this.hub.clock.clearTimeout(this.late);
    this.asked = null;
  }

  /** Nearest objects in the data, nearest first, or null while they are not known. @param {number} index */
  neighbors(index) {
    const { model, live, clock } = this.hub;
    const table = model.get("neighbors");
    const count = model.get("n_objects");
    if (table?.byteLength && count) {
      const k = table.byteLength / 4 / count;
      const row = new DataView(table.buffer, table.byteOffset + 4 * k * index, 4 * k);
      // An object with fewer neighbors has its last one repeated; one with none, itself.
      const near = new Set(Array.from({ length: k }, (_, j) => row.getUint32(4 * j, true)));
      near.delete(index);
      return [...near];
    }
    const now = clock.performance.now();
    if (live && !this.near.has(index) && !(now - (this.nearAsked.get(index) ?? -Infinity) < FORGET)) {
      this.nearAsked.set(index, now);
      this.hub.send({ kind: "request", what: "neighbors", index });
    }
    return this.near.get(index) ?? null;
  }
}
