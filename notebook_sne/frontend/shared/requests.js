// Requests: images and neighbors that are asked for in few messages, and knobs that are turned faster than is worth
// telling. Each answer may come late or never: what is shown waits for none.

const GATHER = 60; // ms in which what is wanted is gathered into one message
const BATCH = 256; // images in a message
const UNDER_WAY = 512; // images that may be asked for and not here
const FORGET = 10000; // ms after which an unanswered question may be asked again
const IMAGE_BYTES = 32e6;
const TURN_EVERY = 100; // ms between messages of a knob that is being turned
const SETTLED = 1000; // ms after which what the kernel says of a turned knob holds, though it differs

export class Asks {
  constructor(hub) {
    this.hub = hub;
    /** @type {Map<number, {width: number, height: number, pixels: Uint8Array}>} */
    this.images = new Map();
    this.urgent = new Set();
    this.wanted = [];
    this.underWay = new Map();
    this.bytes = 0;
    this.timer = null;
    this.near = new Map();
    this.asked = new Map();
  }

  stop() {
    this.hub.clock.clearTimeout(this.timer);
  }

  /** The image of an object if it is here: with a page it always is. */
  image(index) {
    const { model } = this.hub;
    const [width, height, channels = 1] = model.get("image_size") || [];
    const all = model.get("images");
    const size = width * height * channels;
    if (!this.images.has(index) && size && all?.byteLength >= (index + 1) * size) {
      this.images.set(index, {
        width,
        height,
        pixels: new Uint8Array(all.buffer ?? all, (all.byteOffset ?? 0) + index * size, size),
      });
    }
    return this.images.get(index);
  }

  /** Ask for images: for one object now, or, in place of whatever was wanted before, for several. */
  want(indices, urgent = false) {
    if (!this.hub.live || !this.hub.model.get("has_images")) return;
    const missing = indices.filter((i) => !this.image(i) && !this.underWay.has(i));
    if (urgent) missing.forEach((i) => this.urgent.add(i));
    else this.wanted = missing;
    if (missing.length) this.later(GATHER);
  }

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
    if (indices.length) this.hub.send({ kind: "ask", what: "images", indices });
    for (const i of indices) this.underWay.set(i, now);
    if (this.wanted.length) this.later(indices.length ? GATHER : FORGET / 20);
  }

  /** Take images that came; returns their objects. */
  take({ indices, width, height, channels = 1 }, pixels) {
    const size = width * height * channels;
    indices.forEach((index, k) => {
      this.underWay.delete(index);
      if (this.images.has(index) || (k + 1) * size > pixels.length) return;
      this.images.set(index, { width, height, pixels: pixels.slice(k * size, (k + 1) * size) });
      this.bytes += size;
    });
    for (const [index, image] of this.images) {
      // the oldest go first
      if (this.bytes <= IMAGE_BYTES) break;
      this.images.delete(index);
      this.bytes -= image.pixels.length;
    }
    return indices;
  }

  /** Nearest objects in the data, nearest first, or null while they are not known. */
  neighbors(index) {
    const { model, live, clock } = this.hub;
    const table = model.get("neighbors");
    const count = model.get("n_objects");
    if (table?.byteLength && count) {
      const k = table.byteLength / 4 / count;
      const row = new DataView(table.buffer ?? table, (table.byteOffset ?? 0) + 4 * k * index, 4 * k);
      // An object with fewer neighbors has its last one repeated; one with none, itself.
      const near = new Set(Array.from({ length: k }, (_, j) => row.getUint32(4 * j, true)));
      near.delete(index);
      return [...near];
    }
    const now = clock.performance.now();
    if (live && !this.near.has(index) && !(now - this.asked.get(index) < FORGET)) {
      this.asked.set(index, now);
      this.hub.send({ kind: "ask", what: "neighbors", index });
    }
    return this.near.get(index) ?? null;
  }
}

/** Knobs as hands left them, until the kernel says the same. */
export class Turns {
  constructor(hub) {
    this.hub = hub;
    /** @type {Map<string, {value: number|null, token: any, heardAt: number|null}>} value null: released */
    this.hands = new Map();
    this.sentAt = -TURN_EVERY;
    this.timer = null;
  }

  stop() {
    this.hub.clock.clearTimeout(this.timer);
  }

  /** Turn a knob: shown at once, sent ten times a second at most, the last value always. */
  turn(name, value) {
    this.hands.set(name, { value, token: null, heardAt: null });
    const wait = this.sentAt + TURN_EVERY - this.hub.clock.performance.now();
    if (wait <= 0) this.flush();
    else this.timer ??= this.hub.clock.setTimeout(() => this.flush(), wait);
  }

  flush() {
    this.hub.clock.clearTimeout(this.timer);
    this.timer = null;
    const unsent = [...this.hands].filter(([, hand]) => hand.token === null && hand.value !== null);
    if (!unsent.length) return;
    this.sentAt = this.hub.clock.performance.now();
    const token = this.hub.order("set", {
      knobs: Object.fromEntries(unsent.map(([name, { value }]) => [name, value])),
    });
    for (const [, hand] of unsent) hand.token = token;
  }

  /** Let knobs follow their schedules again. @param {string[]} names */
  release(names) {
    this.flush();
    const token = this.hub.order("release", { knobs: names });
    for (const name of names) this.hands.set(name, { value: null, token, heardAt: null });
  }

  /** How a knob stands: as the hand left it, else as the kernel says. @returns {{value: number|undefined, turned: boolean}} */
  shown(name) {
    const { present, turned } = this.hub.facts;
    const hand = this.hands.get(name);
    if (hand && hand.value !== null) return { value: hand.value, turned: true };
    return { value: present?.[name], turned: !hand && Boolean(turned?.includes(name)) };
  }

  /** The kernel has spoken: what it has heard of, and shows, need not be remembered here. */
  settle() {
    const { hub } = this;
    const now = hub.clock.performance.now();
    for (const [name, hand] of this.hands) {
      if (!hand.token || !hub.hears(hand.token)) continue;
      hand.heardAt ??= now;
      const { present, turned } = hub.facts;
      const held = Boolean(turned?.includes(name));
      const same =
        hand.value === null ? !held : held && Math.abs(present?.[name] - hand.value) <= 1e-6 * Math.abs(hand.value);
      if (same || now - hand.heardAt > SETTLED) this.hands.delete(name);
    }
  }
}
