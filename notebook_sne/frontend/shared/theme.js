// The colors of the page around, as far as pictures need them.

import { channels } from "./marks.js";

/**
 * @typedef {object} Theme
 * @property {boolean} dark
 * @property {number[]} ground  red, green and blue
 * @property {string} text  what is written; ink, what is written beside; faint, rules; line, what stands out
 */

/** Until the page is laid out. @type {any} */
export const FIRST_THEME = {
  dark: false,
  ground: [255, 255, 255],
  text: "#1f2328",
  ink: "#59636e",
  faint: "#d8dee4",
  line: "#0b62b8",
};

/** A computed color as it looks on the ground: some hosts write in black that is not quite opaque. */
function opaque(color, ground) {
  const alpha = Number(/^rgba\(.*[,/]\s*([\d.]+)\)$/.exec(color)?.[1] ?? 1);
  return `rgb(${channels(color)
    .map((c, j) => Math.round(c * alpha + ground[j] * (1 - alpha)))
    .join(", ")})`;
}

/** @param {HTMLElement} root */
export function themeOf(root) {
  const style = getComputedStyle(root);
  const read = (name) => style.getPropertyValue(name).trim();
  const ground = channels(style.backgroundColor);
  const dark = 0.3 * ground[0] + 0.59 * ground[1] + 0.11 * ground[2] < 128;
  return {
    dark,
    ground,
    text: opaque(style.color, ground),
    ink: read("--nsne-soft"),
    faint: read("--nsne-rule"),
    line: read("--nsne-accent"),
  };
}
