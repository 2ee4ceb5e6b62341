// Which lectures were read to their end: kept in the reader's browser, and marked in the list of all lectures.

import { watchSight } from "../shared/sizes.js";
import { keep, kept } from "./memory.js";

const NAME = "read";

/** The file of an address. @param {string} address */
const fileOf = (address) => new URL(address, location.href).pathname.split("/").pop() ?? "";

/** Note that this lecture was read as soon as its end is in sight, and mark those that were. */
export function markRead() {
  const end = document.querySelector("[data-end]");
  if (end) watchSight(end, (there) => there && keep(NAME, { ...kept(NAME), [fileOf(location.href)]: true }));
  const read = kept(NAME);
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".lectures a"))) {
    if (!read[fileOf(link.href)]) continue;
    const mark = document.createElement("span");
    mark.className = "read";
    mark.textContent = "✓ read";
    link.after(mark);
  }
}
