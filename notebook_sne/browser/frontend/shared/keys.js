// Which keys a view keeps from the page around it: those that it uses. In a notebook bare letters, arrows and Enter are
// commands, and two letters delete a cell. With a modifier a key runs cells, saves, or is the browser's, and Escape gives
// the keyboard back: these go on their way.

import { leaveTo, listener } from "./elements.js";

/** Whether a key leads from one thing to the next. @param {string} key */
export const leads = (key) => key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(key);

/** Whether Ctrl, Meta or Alt is held, but for AltGraph, by which some keyboards write signs. @param {KeyboardEvent} event */
export const isChord = (event) =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState?.("AltGraph");

/**
 * Of some elements in a row one has the Tab stop, and arrows lead from one to the next.
 * @param {KeyboardEvent} event @param {HTMLElement[]} all
 */
export function rove(event, all) {
  const at = all.indexOf(/** @type {HTMLElement} */ (event.target));
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const to = by ? at + by : { Home: 0, End: all.length - 1 }[event.key];
  if (at < 0 || to === undefined || isChord(event)) return;
  event.preventDefault();
  event.stopPropagation();
  if (!all[to]) return;
  stopAt(all[to], all);
  all[to].focus();
}

/** Tab comes to this one from now on. @param {EventTarget|null} one @param {HTMLElement[]} all */
export function stopAt(one, all) {
  for (const other of all) other.tabIndex = other === one ? 0 : -1;
}

/** Whether a view may use a key where the focus is. @param {KeyboardEvent} event */
const isOwn = (event) =>
  (event.key.length === 1 || leads(event.key) || (event.key === "Enter" && !event.shiftKey)) && !isChord(event);

/** Stop a key that the view has used, or may use where the focus is. @param {KeyboardEvent} event */
export function keepOwn(event) {
  if (event.defaultPrevented || isOwn(event)) event.stopPropagation();
}

/**
 * Hear the keys of a view. A control that goes away, or can be used no longer, leaves the keyboard to its view or to the
 * cell around it, and not to nobody: a notebook hears keys only while the focus is inside it.
 * @param {HTMLElement} root  of the view @param {AbortSignal} signal @param {(event: KeyboardEvent) => unknown} act
 */
export function hearKeys(root, signal, act = keepOwn) {
  const on = listener(signal);
  on(root, "keydown", act);
  // Notebook 7 takes its shortcuts before a view hears a key, but for those from an element with this attribute.
  const tell = (/** @type {KeyboardEvent} */ event) => {
    const at = /** @type {Element} */ (event.target);
    if (root.contains(at)) at.toggleAttribute("data-lm-suppress-shortcuts", isOwn(event));
  };
  globalThis.addEventListener?.("keydown", tell, { capture: true, signal });
  on(root, "focusout", async ({ target }) => {
    await null; // what is being removed is still there, and who removes it may say where the keyboard goes
    const lost = /** @type {HTMLButtonElement} */ (target);
    const there = lost.isConnected && lost.getClientRects().length && !lost.disabled && !lost.closest("[inert]");
    if (there || document.activeElement !== document.body || !root.getClientRects().length) return;
    if (root.tabIndex < 0) leaveTo(root);
    else root.focus({ preventScroll: true });
  });
}
