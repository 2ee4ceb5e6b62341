// What keys do in an explorer, and which of them a notebook must not hear.

import { focusWithin, leaveTo } from "../shared/elements.js";
import { isChord, keepOwn } from "../shared/keys.js";

/** @import { SaveMenu } from "../shared/save_menu.js" */
/** @import { buildLayout } from "./layout.js" */

/** @typedef {{root: HTMLElement, menu?: SaveMenu, parts: ReturnType<typeof buildLayout>, closeMap: () => void}} View */

/** @param {View} view @param {KeyboardEvent} event */
export function pressed(view, event) {
  const { root, menu, parts } = view;
  if (isChord(event)) return;
  if (event.key === "Escape") {
    if (menu?.close()) return event.stopPropagation();
    if (!focusWithin(parts.whole.element)) return leaveTo(root);
    event.stopPropagation();
    return view.closeMap();
  }
  const { input } = parts.tools.search;
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  keepOwn(event);
  if (event.key === "/" && !typing) {
    event.preventDefault();
    input.focus();
  }
}
