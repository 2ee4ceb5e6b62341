// A field to draw in, on a phone: a page in a frame, whose picture is sent when the student says so.

import { make } from "../shared/elements.js";

/** @import { Line } from "./websocket.js" */

/**
 * @param {HTMLElement} body @param {Pick<Line, "ask">} line @param {number} number  of the field
 * @param {HTMLButtonElement} send @returns {() => void} what ends it
 */
export function drawn(body, line, number, send) {
  const frame = make("iframe", { src: `draw/${number}`, title: "A field to draw in", "data-part": "field" });
  const note = make("p", { class: "class-note", role: "status" }, "No name is asked. All drawings are shown.");
  /** @type {number[]} */
  let image = [];
  const ready = () => (send.disabled = !image.length);
  /** @param {MessageEvent} event */
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || !Array.isArray(data?.image)) return;
    image = data.image;
    ready();
  };
  addEventListener("message", hear);
  send.addEventListener("click", async () => {
    send.disabled = true;
    const { done, refused } = await line.ask({ kind: "drawing", image });
    note.textContent = done
      ? "It's on the map. Another one takes its place."
      : refused === ""
        ? "It was not sent: no connection. Try again."
        : "It was not taken: the class draws no longer.";
    if (!done) ready();
  });
  body.append(frame, make("footer", {}, note, send));
  ready();
  return () => removeEventListener("message", hear);
}
