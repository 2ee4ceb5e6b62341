// What keys do in an explorer, and which of them a notebook must not hear.

import { focusWithin, leaveTo } from "../shared/elements.js";

/** @import { SaveMenu } from "../shared/save_menu.js" */
/** @import { buildLayout } from "./layout.js" */

/** @typedef {{root: HTMLElement, menu?: SaveMenu, parts: ReturnType<typeof buildLayout>, closeMap: () => void}} View */

/** @param {View} view @param {KeyboardEvent} event */
export function pressed(view, event) {
  const { root, menu, parts } = view;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape") {
    if (menu?.close()) return event.stopPropagation();
    if (!focusWithin(parts.whole.element)) return leaveTo(root);
    event.stopPropagation();
    return view.closeMap();
  }
  // A bare letter must not reach the notebook, where two of them delete a cell, nor Enter, which edits one.
  const { input } = parts.tools.search;
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  const enter = event.key === "Enter" && (!event.shiftKey || event.target instanceof HTMLTextAreaElement);
  if (event.key.length === 1 || event.key.startsWith("Arrow") || enter) event.stopPropagation();
  if (event.key === "/" && !typing) {
    event.preventDefault();
    input.focus();
  }
}
