// An answer in words, as `Prediction._words` in Python says it.

/**
 * @typedef {object} Asked  the model object of a question in a page
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(events: string, listener: Function) => void} on
 */

/** A number in two digits, or in as many as a whole number has. @param {number} value */
export const digits = (value) => (Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(value.toPrecision(2))));

/** A number and its unit, after a blank unless it is %. @param {string|number} number @param {string} unit */
export const withUnit = (number, unit) => `${number}${unit && unit !== "%" ? " " : ""}${unit}`;

/** @param {Pick<Asked, "get">} asked  the question @param {Answer} value */
export function inWords(asked, value) {
  if (Array.isArray(value)) {
    const told = value.map((one, k) => `${asked.get("places")[k]}: ${digits(one)}`).join(", ");
    return `${asked.get("axis_names")?.[0] ?? ""} ${told}`.trim();
  }
  if (asked.get("options")?.length) return String(value);
  return withUnit(digits(Number(value)), asked.get("unit") ?? "");
}
