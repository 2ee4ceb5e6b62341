// The senses of words, as Python found them: over several fits, or in a single one. Nothing here touches a page.

import { countOf, neighbors } from "./mixture.js";

/** @import { Counts, Mixture } from "./mixture.js" */

const LISTED = 8; // own associates in a list, and as many others
const NOTHING = 0.005; // of the strongest neighbor's share: whoever has less is none

/**
 * @typedef {object} Sense
 * @property {number} number  from 1
 * @property {number} share  of the word's associations
 * @property {number} seen  share of the fits in which it is seen
 * @property {number} certainty
 * @property {{word: number, belongs: number}[]} associates  words that it explains, with their certainty
 * @property {{fit: number, map: number, proportion: number, share: number}[]} places  where it is
 *
 * @typedef {"associate"|"company"|"stranger"|"neighbor"} Kind  how a word of a list belongs to the sense
 *
 * @typedef {{word: number, kind: Kind, value: number}} Listed  its certainty, or its share of the neighborhood
 */

/**
 * Read what the kernel sends (widgets/explorer_senses.py): the senses of a word, by its number.
 * @param {Float32Array} data @returns {((i: number) => Sense[])|null}
 */
export function readSenses(data) {
  if (data.length < 4) return null;
  const [N, S, A, P] = data;
  let at = 4;
  /** @param {number} n */
  const next = (n) => {
    at += n;
    return data.subarray(at - n, at);
  };
  const first = next(N + 1);
  const [share, seen, certainty] = [next(S), next(S), next(S)];
  const [associatesOf, placesOf] = [next(S + 1), next(S + 1)];
  const [word, belongs] = [next(A), next(A)];
  const [fit, map, proportion, part] = [next(P), next(P), next(P), next(P)];
  if (at !== data.length) throw new RangeError(`${S} senses of ${N} words do not fill ${data.length} numbers`);
  /** @template T @param {Float32Array} begins @param {number} s @param {(k: number) => T} make */
  const range = (begins, s, make) => Array.from({ length: begins[s + 1] - begins[s] }, (_, k) => make(begins[s] + k));
  return (i) =>
    range(first, i, (s) => ({
      number: s - first[i] + 1,
      share: share[s],
      seen: seen[s],
      certainty: certainty[s],
      associates: range(associatesOf, s, (k) => ({ word: word[k], belongs: belongs[k] })),
      places: range(placesOf, s, (k) => ({ fit: fit[k], map: map[k], proportion: proportion[k], share: part[k] })),
    }));
}

/** In how many of n fits a sense is seen. @param {Sense} sense @param {number} n */
export const seenIn = ({ seen }, n) => Math.round(seen * n);

/** Where a sense is in a fit: its largest place. @param {Sense} sense @param {number} fit */
export function placeIn({ places }, fit) {
  return places.filter((place) => place.fit === fit).sort((a, b) => b.share - a.share)[0];
}

/**
 * Who belongs to word i in map m: the associates that the sense explains, then who is near. A near word that is tied, by
 * counts, to none of these associates, nor to the word itself, is a stranger. Without a sense all are neighbors.
 * @param {object} of
 * @param {Mixture} of.mixture @param {Counts|null} of.counts @param {Sense|undefined} of.sense
 * @param {number} of.m  -1 where the sense is in no map of the fit shown
 * @param {number} of.i @param {number} [of.total]  log z of the word @returns {Listed[]}
 */
export function listOf({ mixture, counts, sense, m, i, total }) {
  const own = sense ? sense.associates.slice(0, LISTED) : [];
  const all = new Set(sense?.associates.map(({ word }) => word));
  const near = m < 0 ? [] : neighbors(mixture, m, i, LISTED + all.size, total);
  /** @param {number} a @param {number} b */
  const tied = (a, b) => counts !== null && (countOf(counts, a, b) > 0 || countOf(counts, b, a) > 0);
  /** @param {number} word @returns {Kind} */
  const kindOf = (word) =>
    !sense ? "neighbor" : !counts || tied(word, i) || [...all].some((a) => tied(word, a)) ? "company" : "stranger";
  const others = near
    .filter(({ word, share }, k) => !all.has(word) && (k < 3 || share >= NOTHING * near[0].share))
    .slice(0, LISTED)
    .map(({ word, share }) => ({ word, kind: kindOf(word), value: share }));
  return [
    ...own.map(({ word, belongs }) => ({ word, kind: /** @type {Kind} */ ("associate"), value: belongs })),
    ...others.filter(({ kind }) => kind !== "stranger"),
    ...others.filter(({ kind }) => kind === "stranger"),
  ];
}
