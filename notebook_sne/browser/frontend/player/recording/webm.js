// The film as a video file, by the browser's own recorder: it plays once from its first frame to its last, as long as it
// takes, and what is seen is recorded. Nothing leaves the browser.

import { make, penOf } from "../../shared/elements.js";

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"]; // the first that there is
const RATE = 30; // pictures a second
const BITS = 8e6; // a second: sharp marks on an even ground
const LAST = 1000; // ms that the last picture stays

/**
 * Record the film while it plays; rejects with words for the reader.
 * @param {object} own
 * @param {Timeline} own.timeline
 * @param {(ratio: number) => HTMLCanvasElement} own.picture  the present view
 * @param {(ending: string) => string} own.name  of the file
 * @param {AbortSignal} own.signal
 * @returns {Promise<Saved>}
 */
export async function recordFilm({ timeline, picture, name, signal }) {
  const Recorder = globalThis.MediaRecorder;
  const kind = KINDS.find((one) => Recorder?.isTypeSupported(one));
  if (!kind) throw new Error("this browser records no films");
  timeline.first();
  timeline.toggle();
  if (!timeline.playing) throw new Error("there is no film yet");
  const first = picture(2);
  // Coders of video want even sides.
  const canvas = make("canvas", { width: first.width & ~1, height: first.height & ~1 });
  const pen = penOf(canvas);
  const recorder = new Recorder(canvas.captureStream(RATE), { mimeType: kind, videoBitsPerSecond: BITS });
  /** @type {Blob[]} */
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => {
    recorder.onstop = resolve;
  });
  recorder.start();
  const draw = () => pen.drawImage(picture(2), 0, 0);
  const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
  do {
    draw();
    await wait(1000 / RATE);
  } while (timeline.playing && !signal.aborted);
  for (let k = 0; k < 5 && !signal.aborted; k++) {
    draw(); // the recorder takes what is drawn anew
    await wait(LAST / 5);
  }
  recorder.stop();
  await ended;
  const type = kind.split(";")[0];
  return { name: name(type.split("/")[1]), content: new Blob(parts, { type }) };
}
