// The ring around the object that is looked at: under the pointer, at the keyboard, or under the pointer of another map
// of the same objects.

import { attribute } from "../../shared/elements.js";

const AROUND = 4; // pixels between a mark and its ring

/**
 * @param {HTMLElement} ring @param {Stage} stage @param {number} i  the object, or -1 @param {number} radius  of its mark
 * @param {"keys"|"pointer"|"other"} by
 */
export function placeRing(ring, stage, i, radius, by) {
  ring.hidden = i < 0 || i >= stage.count;
  if (ring.hidden) return;
  const [x, y] = stage.place(i);
  const reach = Math.max(radius, 2) + AROUND;
  ring.style.width = ring.style.height = `${2 * reach}px`;
  ring.style.transform = `translate(${(x - reach).toFixed(1)}px, ${(y - reach).toFixed(1)}px)`;
  attribute(ring, "data-by", by);
  attribute(ring, "data-object", String(i));
}
