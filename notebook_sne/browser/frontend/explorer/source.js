// What the senses were made of: norms, fits and program. So that a page, a picture or a table can be cited and made again.

import { make } from "../shared/elements.js";

/** @typedef {Record<string, string|number|null>} Facts */

/** A few facts as a text. @param {Facts} facts */
const inWords = (facts) =>
  Object.entries(facts)
    .map(([name, value]) => (name === "title" || name === "model" ? String(value) : `${name}: ${value}`))
    .join(", ");

/** A row for each part, [what, in words]. @param {Pick<Model, "get">} model @returns {[string, string][]} */
export function sourceRows(model) {
  const { norms, fits = [], package: program } = model.get("made") ?? {};
  if (!program) return [];
  /** @type {[string, string][]} */
  const rows = [norms ?? []].flat().map((facts) => ["Norms", inWords(facts)]); // of one set, or of two
  for (const [fit, facts] of fits.entries()) rows.push([`Fit ${fit}`, inWords(facts)]);
  return [...rows, ["Program", program]];
}

/** All of it in one line, for a file. @param {Pick<Model, "get">} model */
export const sourceLine = (model) =>
  sourceRows(model)
    .map(([what, said]) => `${what}: ${said}`)
    .join("; ");

/** A part of the page that opens. @param {Pick<Model, "get">} model */
export function sourcePart(model) {
  const rows = sourceRows(model);
  const list = make(
    "dl",
    {},
    ...rows.flatMap(([what, said]) => [make("dt", {}, what), make("dd", { translate: "no" }, said)]),
  );
  const summary = make("summary", {}, "How was this made?");
  const part = make("details", { class: "nsne-e-source", "data-part": "source" }, summary, list);
  part.hidden = !rows.length;
  return part;
}
