// A QR code, as the server has made it.

import { draw } from "../shared/elements.js";

/** @param {string} picture  its side, and the path of its squares @param {string} label */
export function drawCode(picture, label) {
  const [side, ...path] = picture.split(" ");
  const wide = Number(side) + 4; // with the margin that cameras need
  return draw(
    "svg",
    { viewBox: `-2 -2 ${wide} ${wide}`, role: "img", class: "nsne-qr", "aria-label": label },
    draw("rect", { x: -2, y: -2, width: wide, height: wide, fill: "#fff" }),
    draw("path", { d: path.join(" "), fill: "#111" }),
  );
}
