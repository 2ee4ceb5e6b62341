// What is known of a word's senses, in a sentence or two: each from its own certainty on, and what is in none.

import { apart, percent } from "./rows.js";

const UNSURE = 0.5; // certainty below which a further sense is one perhaps
const PERHAPS = 0.1; // and below which one that is not shown is not mentioned
const SOME = 0.005; // part of the ties below which the rest is none
const NUMBERS = ["no", "one", "two", "three", "four", "five"];
const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** What a sense is called: the first of its words. @param {Pick<ExplorerStage, "called">} stage @param {Pick<Sense, "associates">} sense */
export const titleOf = (stage, { associates }) => (associates.length ? stage.called(associates[0].word) : "");

/**
 * The senses of a word in a sentence.
 * @param {Pick<ExplorerStage, "called"|"names"|"valueOf">} stage @param {number} i
 * @param {Sense[]} senses  those that are shown
 */
export function sentence(stage, i, senses) {
  const word = `“${apart(stage.names[i])}”`;
  if (!senses.length) return `Nothing is associated with ${word} here.`;
  if (stage.valueOf("senses", i) === 0) return `There are not enough answers to tell senses of ${word} apart.`;
  const known = !Number.isNaN(stage.valueOf("certainty", i)); // what was counted has a certainty, and no other ties
  const number = (/** @type {number} */ n) => NUMBERS[n] ?? n;
  const unknown = "Whether groups of such ties are senses is not known.";
  if (senses.length < 2 && !known) return `The neighbors of ${word} are one group here. ${unknown}`;
  const second = stage.valueOf("certainty", i) >= PERHAPS ? ", perhaps a second" : "";
  if (senses.length < 2) return `One sense of ${word} is told apart here${second}.`;
  const answers = stage.valueOf("answers", i);
  const parts = senses.map((sense, k) => {
    const all = k ? "" : ` of ${Math.round(answers)} answers`;
    const given = Number.isNaN(answers) ? [] : [`${Math.round(sense.given)}${all}`];
    const ties = `${percent(sense.share)}${k ? "" : " of its ties"}`;
    return `${apart(titleOf(stage, sense))} (${[...given, ties].join(", ")})`;
  });
  const sure = senses.map(({ certainty }, k) => k === 0 || !known || certainty >= UNSURE);
  const told = parts.filter((_, k) => sure[k]);
  const perhaps = parts.filter((_, k) => !sure[k]);
  const head =
    told.length > 1 ? `${word} has ${number(told.length)} senses here` : `One sense of ${word} is told apart here`;
  const which = perhaps.length > 1 ? `${number(perhaps.length)} more` : `a ${ORDINALS[told.length] ?? "further one"}`;
  const more = perhaps.length ? `; perhaps ${which}: ${perhaps.join(", ")}` : "";
  const rest = 1 - senses.reduce((sum, { share }) => sum + share, 0);
  const left = rest >= SOME ? ` ${percent(rest)} of its ties are in none of them.` : "";
  if (!known)
    return `The neighbors of ${word} fall into ${number(told.length)} groups here: ${told.join(", ")}.${left} ${unknown}`;
  return `${head}: ${told.join(", ")}${more}.${left}`;
}
