// The colors of the page around, as far as pictures need them, and how a view learns that they have changed.

import { attribute } from "./elements.js";
import { channels } from "./marks.js";

/** Until the page is laid out. @type {Theme} */
export const FIRST_THEME = {
  dark: false,
  ground: [255, 255, 255],
  text: "#1f2328",
  soft: "#59636e",
  faint: "#d8dee4",
  accent: "#0b62b8",
};

let prints = false; // whether the page is being printed

const WATCHED = ["class", "style", "data-theme", "data-jp-theme-name", "data-jp-theme-light"];

/**
 * A computed color as it looks on the ground: some hosts write in black that is not quite opaque.
 * @param {string} color @param {number[]} ground
 */
function opaque(color, ground) {
  const alpha = Number(/^rgba\(.*[,/]\s*([\d.]+)\)$/.exec(color)?.[1] ?? 1);
  return `rgb(${channels(color)
    .map((c, j) => Math.round(c * alpha + ground[j] * (1 - alpha)))
    .join(", ")})`;
}

/** The colors of a view, by its style. @param {HTMLElement} root @returns {Theme} */
export function themeOf(root) {
  if (prints) return FIRST_THEME;
  const style = getComputedStyle(root);
  /** @param {string} name */
  const read = (name) => style.getPropertyValue(name).trim();
  const ground = channels(style.backgroundColor);
  const dark = 0.3 * ground[0] + 0.59 * ground[1] + 0.11 * ground[2] < 128;
  return {
    dark,
    ground,
    text: opaque(style.color, ground),
    soft: read("--nsne-soft"),
    faint: read("--nsne-rule"),
    accent: read("--nsne-accent"),
  };
}

/** Act when the colors may be others: the host's theme has changed, or the system's. @param {() => void} act @param {AbortSignal} signal */
export function watchTheme(act, signal) {
  const host = new MutationObserver(act);
  for (const element of [document.documentElement, document.body]) {
    host.observe(element, { attributes: true, attributeFilter: WATCHED });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act, { signal });
  signal.addEventListener("abort", () => host.disconnect());
}

/** Put a view into its place, and say on it whether it is dark. @param {HTMLElement} el @param {HTMLElement} root @param {AbortSignal} signal */
export function wearTheme(el, root, signal) {
  el.append(root);
  const dress = () => attribute(root, "data-theme", themeOf(root).dark ? "dark" : "light");
  watchTheme(dress, signal);
  dress();
}

/**
 * Draw in the colors of paper while a page is printed: its styles have them by themselves.
 * @param {HTMLElement} root @param {(theme: Theme, begins: boolean) => void} act @param {AbortSignal} signal
 */
export function watchPrint(root, act, signal) {
  /** @param {boolean} begins */
  const turn = (begins) => () => {
    prints = begins;
    act(themeOf(root), begins);
  };
  globalThis.addEventListener?.("beforeprint", turn(true), { signal });
  globalThis.addEventListener?.("afterprint", turn(false), { signal });
}
