// Moving objects by hand: when it can be done, and what is said of it.

/** @type {Record<string, string>} */
const ENDED = {
  closed: "The run is closed: objects cannot be moved",
  error: "The run has failed: objects cannot be moved",
};

/** Why objects cannot be moved now; empty if they can. @param {Pick<PlayerHub, "live"|"scrub"|"connected"|"words"|"facts">} hub */
export function whyNoMove(hub) {
  if (!hub.live) return "This is a film: objects can be moved in a live run";
  if (hub.scrub !== null) return "The film shows an earlier moment: go on from here, or back to now, to move objects";
  if (!hub.connected) return `Objects cannot be moved: ${hub.words()}`;
  return ENDED[hub.facts.status ?? ""] ?? "";
}

/** What is said of objects that were moved. @param {number[]} objects @param {(i: number) => string} name */
export function movedWords(objects, name) {
  return objects.length > 1 ? `${objects.length} objects moved` : `${name(objects[0])} moved`;
}

/** Places moved by x and y. @param {Float32Array} places @param {number} x @param {number} y */
export function movedBy(places, x, y) {
  return places.map((place, k) => place + (k % 2 ? y : x));
}
