// Knobs as hands left them, until the kernel says the same. They are turned faster than is worth telling.

/** @import { Hub } from "./hub.js" */

const TURN_EVERY = 100; // ms between messages of a knob that is being turned
const SETTLED = 1000; // ms after which what the kernel says of a turned knob holds, though it differs

export class TurnedKnobs {
  /** @param {Pick<Hub, "clock"|"commands"|"facts">} hub */
  constructor(hub) {
    this.hub = hub;
    /** @type {Map<string, {value: number|null, token: Token|null, heardAt: number|null}>} value null: released */
    this.hands = new Map();
    this.sentAt = -TURN_EVERY;
    /** @type {number|null} */
    this.timer = null;
  }

  stop() {
    this.hub.clock.clearTimeout(this.timer);
  }

  /**
   * Turn a knob: shown at once, sent ten times a second at most, the last value always.
   * @param {string} name @param {number} value
   */
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
    const token = this.hub.commands.order("set", {
      knobs: Object.fromEntries(unsent.map(([name, { value }]) => [name, value])),
    });
    for (const [, hand] of unsent) hand.token = token;
  }

  /** Let knobs follow their schedules again. @param {string[]} names */
  release(names) {
    this.flush();
    const token = this.hub.commands.order("release", { knobs: names });
    for (const name of names) this.hands.set(name, { value: null, token, heardAt: null });
  }

  /**
   * How a knob stands: as the hand left it, else as the kernel says.
   * @param {string} name @returns {{value: number|undefined, turned: boolean}}
   */
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
      if (!hand.token || !hub.commands.hears(hand.token)) continue;
      hand.heardAt ??= now;
      const { present, turned } = hub.facts;
      const held = Boolean(turned?.includes(name));
      const off = Math.abs((present?.[name] ?? NaN) - (hand.value ?? NaN));
      const same = hand.value === null ? !held : held && off <= 1e-6 * Math.abs(hand.value);
      if (same || now - hand.heardAt > SETTLED) this.hands.delete(name);
    }
  }
}
