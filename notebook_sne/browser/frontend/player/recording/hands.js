// What hands drag over the map.

const FOLLOW = 500; // ms that a frame may take to show a move, once it is heard

/**
 * @typedef {object} Hand
 * @property {number[]} objects
 * @property {Float32Array} places  where the hand has them, (K, 2)
 * @property {Float32Array} before  where they were when it let go
 * @property {Token|null} token  of the command, once it has let go
 * @property {number|null} heardAt
 */

/** Objects that a hand drags: shown where the hand has them, and after letting go until a frame has followed. */
export class Hands {
  /** @param {Pick<PlayerHub, "clock"|"commands"|"points">} hub */
  constructor(hub) {
    this.hub = hub;
    /** @type {Hand[]} */
    this.list = [];
    this.version = 0;
  }

  /** @param {number[]} objects @param {Float32Array} places  (K, 2), in map coordinates */
  hold(objects, places) {
    const last = this.list[this.list.length - 1];
    if (last && !last.token) this.list.pop();
    const before = new Float32Array(0);
    this.list.push({ objects: [...objects], places: Float32Array.from(places), before, token: null, heardAt: null });
    this.version += 1;
  }

  /** Let go: returns the command's token, or null if nothing was held. */
  letGo() {
    const hand = this.list[this.list.length - 1];
    if (!hand || hand.token) return null;
    const { points } = this.hub;
    hand.before = Float32Array.from(hand.objects.flatMap((i) => [points[2 * i], points[2 * i + 1]]));
    hand.token = this.hub.commands.order("move", { objects: hand.objects }, [hand.places.slice().buffer]);
    return hand.token;
  }

  /** Put back what is held, unsent. */
  drop() {
    this.list = this.list.filter((hand) => hand.token);
    this.version += 1;
  }

  /**
   * The kernel has spoken: what its points show moved need not be held any longer; with `over` nothing is.
   * @param {Float32Array} points
   */
  settle(points, over = false) {
    if (!this.list.length) return false;
    const now = this.hub.clock.performance.now();
    /** @param {Hand} hand @param {Float32Array} places */
    const away = (hand, places) =>
      hand.objects.reduce(
        (sum, i, k) => sum + Math.hypot(points[2 * i] - places[2 * k], points[2 * i + 1] - places[2 * k + 1]),
        0,
      );
    const count = this.list.length;
    this.list = this.list.filter((hand) => {
      if (over) return false;
      if (!hand.token || !this.hub.commands.hears(hand.token)) return true;
      hand.heardAt ??= now;
      return away(hand, hand.places) > away(hand, hand.before) && now - hand.heardAt < FOLLOW;
    });
    if (this.list.length !== count) this.version += 1;
    return this.list.length !== count;
  }

  /** The points with what is held where the hand has it. @param {Float32Array} points */
  lift(points) {
    const moved = points.slice();
    for (const { objects, places } of this.list) {
      objects.forEach((i, k) => {
        moved.set([places[2 * k], places[2 * k + 1]], 2 * i);
      });
    }
    return moved;
  }
}
