// What keys do in an explorer, and which of them a notebook must not hear.

import { leaveTo } from "../shared/elements.js";
import { isChord, keepOwn } from "../shared/keys.js";

/**
 * @param {KeyboardEvent} event @param {HTMLElement} root  of the view @param {HTMLInputElement} search
 * @param {() => boolean|undefined} close  what is open; true if something was
 */
export function pressed(event, root, search, close) {
  if (isChord(event)) return;
  if (event.key === "Escape") {
    if (close()) event.stopPropagation();
    else leaveTo(root);
    return;
  }
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  keepOwn(event);
  if (event.key === "/" && !typing) {
    event.preventDefault();
    search.focus();
  }
}
