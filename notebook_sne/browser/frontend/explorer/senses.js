// The senses of words, as Python found them. Nothing here touches a page.

import { countOf, neighbors, nearPlace } from "./mixture.js";

/** @import { Counts } from "./mixture.js" */

const LISTED = 8; // own associates in a list, and as many others
const ASSOCIATE = /** @type {Kind} */ ("associate");
/** Kinds of groups: a sense; one too small for it, but far from all; what one fit alone shows. */
export const [SENSE, SMALL, ONCE] = [0, 1, 2];
const NOTHING = 0.005; // of the strongest neighbor's share: whoever has less is none

/**
 * @typedef {object} Sense
 * @property {number} number  from 1
 * @property {number} kind  SENSE, SMALL or ONCE
 * @property {number} share  of the word's associations
 * @property {number} seen  share of the fits in which it is seen
 * @property {number} certainty  that it is apart from stronger ones; NaN for the first, and for what is no sense
 * @property {number} given  how many answers to the word are of it; NaN where that is not known
 * @property {Associate[]} associates  its words, the strongest first
 * @property {Place[]} places  where it is, in each fit that shows it
 *
 * @typedef {object} Associate
 * @property {number} word  its number; from the number of names on, it is another word of the norms, and not mapped
 * @property {number} belongs  how far it belongs to the sense, by its company
 * @property {number} explained  the part of it that the place explains, over the fits; NaN where no fit shows it
 * @property {number} given  how often it was given for the word; NaN where that is not known
 * @property {number} giving  how often the word was given for it
 *
 * @typedef {object} Place
 * @property {number} fit
 * @property {number} map
 * @property {number} proportion  of the word in the map
 * @property {number} share  of the word's ties that the place explains
 * @property {boolean} seen  whether the word is there, and not its company alone
 * @property {Float32Array} at
 *
 * @typedef {"associate"|"company"|"stranger"|"neighbor"|"strong"} Kind  how a word of a list belongs to the sense, or to a map
 *
 * @typedef {{word: number, kind: Kind, value: number, explained?: number, given?: number, giving?: number}} Listed
 *   how far it belongs, or its part of what is near
 */

/**
 * Read what the kernel sends (widgets/explorer_senses.py): the senses of a word, by its number.
 * @param {Float32Array} data @returns {((i: number) => Sense[])|null}
 */
export function readSenses(data) {
  if (data.length < 5) return null;
  const [N, S, A, P, d] = data;
  let at = 5;
  /** @param {number} n */
  const next = (n) => {
    at += n;
    return data.subarray(at - n, at);
  };
  const first = next(N + 1);
  const [kind, share, seen, certainty, answers] = [next(S), next(S), next(S), next(S), next(S)];
  const [associatesOf, placesOf] = [next(S + 1), next(S + 1)];
  const [word, belongs, explained, given, giving] = [next(A), next(A), next(A), next(A), next(A)];
  const [fit, map, proportion, part, there] = [next(P), next(P), next(P), next(P), next(P)];
  const coordinates = next(P * d);
  if (at !== data.length) throw new RangeError(`${S} senses of ${N} words do not fill ${data.length} numbers`);
  /** @template T @param {Float32Array} begins @param {number} s @param {(k: number) => T} make */
  const range = (begins, s, make) => Array.from({ length: begins[s + 1] - begins[s] }, (_, k) => make(begins[s] + k));
  return (i) =>
    range(first, i, (s) => ({
      number: s - first[i] + 1,
      kind: kind[s],
      share: share[s],
      seen: seen[s],
      certainty: certainty[s],
      given: answers[s],
      associates: range(associatesOf, s, (k) => ({
        word: word[k],
        belongs: belongs[k],
        explained: explained[k],
        given: given[k],
        giving: giving[k],
      })),
      places: range(placesOf, s, (k) => ({
        fit: fit[k],
        map: map[k],
        proportion: proportion[k],
        share: part[k],
        seen: there[k] > 0,
        at: coordinates.subarray(k * d, (k + 1) * d),
      })),
    }));
}

/** In how many of n fits a sense is seen. @param {Sense} sense @param {number} n */
export const seenIn = ({ seen }, n) => Math.round(seen * n);

/** Whether one fit alone shows it, and no sense has it. @param {Pick<Sense, "kind">} sense */
export const isOnce = ({ kind }) => kind === ONCE;

/** Whether people gave a single answer that ties the two words. @param {Pick<Listed, "given"|"giving">} associate */
export const isSingle = ({ given = Number.NaN, giving = Number.NaN }) => given + giving === 1;

/** Where a sense is in a fit: its largest place. @param {Sense} sense @param {number} fit */
export function placeIn({ places }, fit) {
  return places.filter((place) => place.fit === fit).sort((a, b) => b.share - a.share)[0];
}

/**
 * Who belongs to word i in map m: the associates that the sense explains, then who is near its place. A near word that is
 * tied, by the counts or P, to none of these associates is a stranger. Without a sense all are neighbors of the word's own point.
 * @param {object} of
 * @param {Mixture} of.mixture @param {Counts|null} of.ties @param {Sense|undefined} of.sense
 * @param {Place|undefined} of.place  of the sense; none where the fit shown does not have it
 * @param {number} of.m  -1 for no map
 * @param {number} of.i @param {number} [of.total]  log z of the word @returns {Listed[]}
 */
export function listOf({ mixture, ties, sense, place, m, i, total }) {
  const own = sense ? sense.associates.slice(0, LISTED) : [];
  const all = new Set(sense?.associates.map(({ word }) => word));
  const most = LISTED + all.size;
  const near = m < 0 ? [] : place ? nearPlace(mixture, m, place.at, i, most) : neighbors(mixture, m, i, most, total);
  /** @param {number} word @returns {Kind} */
  const kindOf = (word) => {
    if (!sense) return "neighbor";
    const tied = !ties || [...all].some((own) => countOf(ties, word, own) > 0 || countOf(ties, own, word) > 0);
    return tied ? "company" : "stranger";
  };
  const others = near
    .filter(({ word, share }, k) => !all.has(word) && (k < 3 || share >= NOTHING * near[0].share))
    .slice(0, LISTED)
    .map(({ word, share }) => ({ word, kind: kindOf(word), value: share }));
  return [
    ...own.map(({ belongs, ...one }) => ({ ...one, kind: ASSOCIATE, value: belongs })),
    ...others.filter(({ kind }) => kind !== "stranger"),
    ...others.filter(({ kind }) => kind === "stranger"),
  ];
}
