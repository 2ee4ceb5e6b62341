// What a reader is told, in the language of the page. The modules say it in English; the table of another language has
// each of their phrases on the left, with {0}, {1}, … where something is put in, and its own words on the right.

import { LANGUAGE as OWN, WORDS } from "./words.js";

/** The language of the page, as `lang` in HTML. */
export const LANGUAGE = OWN;

/**
 * A phrase in the language of the page: phrase`${n} words`. What is put in stays as it is.
 * @param {TemplateStringsArray} parts @param {unknown[]} values
 */
export function phrase(parts, ...values) {
  const english = parts.reduce((text, part, k) => `${text}{${k - 1}}${part}`);
  return (WORDS[english] ?? english).replace(/\{(\d+)\}/g, (_, k) => String(values[k]));
}

/** Phrases of the table that hold something, as patterns. @type {[RegExp, string][]|undefined} */
let patterns;

/**
 * The same for a text that is ready, as Python makes some: one that the table has, or that one of its phrases makes by
 * putting something in. Any other text stays as it is: a name, or an error.
 * @param {string} text
 */
export function rephrase(text) {
  if (Object.hasOwn(WORDS, text)) return WORDS[text];
  patterns ??= Object.entries(WORDS)
    .filter(([english]) => /[a-z]{4}/i.test(english.replace(/\{\d+\}/g, "")) && english.includes("{0}"))
    .map(([english, own]) => [
      new RegExp(`^${english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\d+\}/g, "(.+)")}$`, "u"),
      own,
    ]);
  for (const [pattern, own] of patterns) {
    const found = pattern.exec(text);
    if (found) return own.replace(/\{(\d+)\}/g, (_, k) => found[Number(k) + 1]);
  }
  return text;
}
