// What a word is, in a sentence: how many senses, what each is about, and how much of the word it has.

import { percent } from "./rows.js";

/** @import { Sense } from "./senses.js" */
/** @import { ExplorerStage } from "./stage.js" */

const UNSURE = 0.5; // certainty below which a second sense is told with care

/**
 * What a sense is about: the word that people gave most often, or else its strongest one.
 * @param {Pick<ExplorerStage, "called">} stage @param {Pick<Sense, "associates">} sense
 */
export function titleOf(stage, { associates }) {
  const most = Math.max(...associates.map(({ given }) => given || 0));
  const first = associates.find(({ given }) => most > 0 && given === most) ?? associates[0];
  return first ? stage.called(first.word) : "";
}

/**
 * The senses of a word in a sentence.
 * @param {Pick<ExplorerStage, "called"|"names">} stage @param {number} i @param {Sense[]} senses  those that are shown
 */
export function sentence(stage, i, senses) {
  const word = stage.names[i];
  if (!senses.length) return `Nothing is associated with “${word}” here.`;
  if (senses.length < 2) return `“${word}” has one sense here.`;
  const [first, ...others] = senses.map((sense) => [titleOf(stage, sense), percent(sense.share)]);
  const list = [`${first[0]} (${first[1]} of its ties)`, ...others.map(([title, part]) => `${title} (${part})`)];
  const number = ["two", "three", "four", "five"][senses.length - 2] ?? senses.length;
  return senses[1].certainty < UNSURE
    ? `“${word}” may have ${number} senses here: ${list.join(", ")}.`
    : `“${word}” has ${number} senses here: ${list.join(", ")}.`;
}
