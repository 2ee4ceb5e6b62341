// Which keys a view keeps from the page around it: those that it uses. In a notebook bare letters, arrows and Enter are
// commands, and two letters delete a cell. With a modifier a key runs cells, saves, or is the browser's, and Escape gives
// the keyboard back: these go on their way.

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

/** Stop a key that the view has used, or may use where the focus is. @param {KeyboardEvent} event */
export function keepOwn(event) {
  const { key, target } = event;
  // In a text of several lines Shift+Enter begins a new one.
  const line = /** @type {HTMLElement} */ (target).tagName === "TEXTAREA";
  const used = key.length === 1 || leads(key) || (key === "Enter" && (!event.shiftKey || line));
  if (event.defaultPrevented || (used && !isChord(event))) event.stopPropagation();
}
