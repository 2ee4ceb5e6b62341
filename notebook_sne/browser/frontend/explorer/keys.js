// What keys do in an explorer, and which of them a notebook must not hear.

import { leaveTo } from "../shared/elements.js";
import { hearKeys, isChord, keepOwn } from "../shared/keys.js";

/**
 * @param {HTMLElement} root  of the view @param {AbortSignal} signal @param {HTMLInputElement} search
 * @param {() => boolean|undefined} close  what is open; true if something was
 */
export function hearExplorer(root, signal, search, close) {
  hearKeys(root, signal, (event) => {
    if (isChord(event)) return;
    if (event.key === "Escape") return close() ? event.stopPropagation() : leaveTo(root);
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    keepOwn(event);
    if (event.key === "/" && !typing) {
      event.preventDefault();
      search.focus();
    }
  });
}
