// What is asserted of every entry of a list, in one line.

import assert from "node:assert/strict";

/**
 * Assert what the entries of a list are: by the name of a property, or by a function of an entry.
 * @param {Iterable<any>} list @param {string|((entry: any) => any)} what @param {any[]} wanted @param {string} [words]
 */
export function eachIs(list, what, wanted, words) {
  const found = Array.from(list, typeof what === "string" ? (one) => one[what] : (one) => what(one));
  assert.deepEqual(found, wanted, words);
}
