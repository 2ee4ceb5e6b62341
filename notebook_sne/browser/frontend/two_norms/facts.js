// What two norms say of a word: its senses in both, as a sentence and as rows of a table. Nothing here touches a page.

import { apart, percent } from "../explorer/rows.js";
import { csv } from "../explorer/save/csv.js";

/**
 * @typedef {object} Pair  a sense in two norms, or in one of them alone
 * @property {[number, number]} numbers  in each norm, from 1; 0 where it is not found
 * @property {[number, number]} shares  of the word's ties
 * @property {[string[], string[]]} associates  the first ones in each
 * @property {string[]} both  the first associates that both have
 * @property {number} common  how many both have
 * @property {number|null} noise  by how much a share differs between two halves of the same people; null if not known
 */

/** The senses of every word, as they were sent. @param {DataView} bytes @returns {Pair[][]} */
export function pairsOf(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes)).map((/** @type {any[][]} */ rows) =>
    rows.map(([numbers, shares, left, right, both, common, noise]) => ({
      numbers,
      shares,
      associates: [left, right],
      both,
      common,
      noise,
    })),
  );
}

/** Whether both norms have it. @param {Pair} pair */
export const shared = ({ numbers }) => !numbers.includes(0);

/** Whether two halves of the same people differ in it as much as the norms. @param {Pair} pair */
export const within = ({ shares, noise }) => noise !== null && Math.abs(shares[0] - shares[1]) <= noise;

/** What a sense is about: the strongest associate that both have, or else its own. @param {Pair} pair @param {number} side */
export const titleOf = ({ both, associates }, side) => both[0] ?? associates[side][0] ?? "";

/** The senses of a word in a sentence or two. @param {string} word @param {string[]} norms @param {Pair[]} pairs */
export function sentence(word, norms, pairs) {
  if (!pairs.length) return `Nothing is associated with “${apart(word)}” here.`;
  const common = pairs.filter(shared).map((pair, k) => {
    const [one, other] = pair.shares.map(percent);
    return k
      ? `${apart(titleOf(pair, 0))} (${one}, ${other})`
      : `${apart(titleOf(pair, 0))} (${one} of its ties in ${norms[0]}, ${other} in ${norms[1]})`;
  });
  const said = common.length
    ? [`Of “${apart(word)}” both have ${common.join(", ")}.`]
    : [`They have no sense of “${apart(word)}” in common.`];
  for (const side of [0, 1]) {
    const own = pairs.filter((pair) => !shared(pair) && pair.numbers[side]);
    const list = own.map((pair) => `${apart(titleOf(pair, side))} (${percent(pair.shares[side])})`);
    if (list.length) said.push(`${norms[side]} alone has ${list.join(", ")}.`);
  }
  return [...said, ...ofNoise(pairs)].join(" ");
}

/** Which differences two halves of the same people show, too. @param {Pair[]} pairs @returns {string[]} */
function ofNoise(pairs) {
  const differ = pairs.filter(({ shares }) => shares[0] !== shares[1]);
  if (!differ.length || differ[0].noise === null) return [];
  const few = differ.filter(within);
  const by = `two halves of the same people can differ by ${percent(differ[0].noise)}`;
  if (!few.length) return [`That is more than noise: ${by}.`];
  if (few.length === differ.length) return [`This may be noise: ${by}.`];
  const named = few.map((pair) => titleOf(pair, pair.numbers[0] ? 0 : 1)).join(", ");
  return [`What differs in ${named} may be noise: ${by}.`];
}

/** The senses of some words as a file: a row for each. @param {string[]} norms @param {[word: string, pairs: Pair[]][]} words @param {string} source */
export function csvOfPairs(norms, words, source) {
  const [one, other] = norms;
  const head = ["word", `sense, ${one}`, `share, ${one}`, `sense, ${other}`, `share, ${other}`];
  const more = ["noise", "n_common", "common"];
  const rows = words.flatMap(([word, pairs]) =>
    pairs.map(({ numbers, shares, associates, both, common, noise }) => {
      const [left, right] = associates.map((own) => own.join(", "));
      return [
        word,
        numbers[0],
        shares[0],
        numbers[1],
        shares[1],
        noise ?? "",
        common,
        both.join(", "),
        left,
        right,
        source,
      ];
    }),
  );
  return csv([[...head, ...more, one, other, "source"], ...rows]);
}
