// A handout: its figures are drawn in the places that its sheets have for them.

import { textIn } from "../course/course.js";
import { drawFigure } from "./figures.js";

/** Draw all figures of this page. */
export async function drawFigures() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-figure]")))
    await drawFigure(place, textIn(place));
}
