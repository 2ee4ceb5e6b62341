// Words for a reader who knows neither the code nor the field: how a moment, a phase and a method are called in views.

/** What a run does at a moment, by the phase that its model names. @type {Record<string, string>} */
const PHASES = {
  exaggeration: "attraction exaggerated",
  jitter: "gradient descent, with noise",
  descent: "gradient descent",
  flattening: "flattening to two dimensions",
};

/** @param {string|undefined} phase */
export const phaseWords = (phase) => PHASES[phase ?? ""] ?? phase ?? "";

/**
 * The name of a step of aligned maps, by the facts of a frame; "" of a run, whose frames have knobs or one of the phases
 * above.
 * @param {RunFacts} facts
 */
export const stepName = ({ phase = "", present }) =>
  phase in PHASES || Object.keys(present ?? {}).length ? "" : phase;

/** A moment of a run. @param {number|null|undefined} iteration */
export function stepWords(iteration) {
  return iteration === null || iteration === undefined ? "" : `step ${Math.round(iteration)}`;
}

/** A class of models as its papers write it: "TSNE" is t-SNE, "SymmetricSNE" symmetric SNE. @param {string|undefined} name */
export function methodWords(name) {
  return (name ?? "")
    .replace(/TSNE$/, " t-SNE")
    .replace(/^UNISNE$/, "UNI-SNE")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/\b[A-Z](?=[a-z])/g, (letter, at) => (at ? letter.toLowerCase() : letter))
    .trim();
}
