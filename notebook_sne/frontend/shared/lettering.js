// How a name is lettered: with a rim of ground around it, so that it can be read over any marks. On the screen each is
// drawn once, as a stamp, and then pressed wherever it goes: letters are slow to draw.

import { penOf } from "./elements.js";
import { PICTURE_FONT } from "./svg_pen.js";

/** @import { Box, Pen } from "./types.d.ts" */
/** @import { Stage } from "../player/stage.js" */

/** Height of a line by the size of its letters. */
export const LINE = 1.25;
const RIM = 0.3; // width of the ground around letters by their size
const MOST_STAMPS = 1500; // names kept ready to draw
const MOST_WIDTHS = 20000;

/**
 * @typedef {object} Name  a name on the map
 * @property {number} key  the object, or -1 - k for class k
 * @property {string} text
 * @property {Box} box
 * @property {number} place  which of the places around its point
 * @property {number} size  of its letters in pixels
 * @property {boolean} bold
 * @property {boolean} soft  whether it steps back
 */

/** @param {number} size @param {boolean} bold */
const font = (size, bold) => `${bold ? 700 : 500} ${size}px ${PICTURE_FONT}`;

export class Lettering {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Map<string, number>} of each text in each font */
    this.widths = new Map();
    /** @type {Map<string, HTMLCanvasElement>} */
    this.stamps = new Map();
    this.signature = "";
    /** @type {CanvasRenderingContext2D|undefined} */
    this.ruler = undefined;
  }

  /** Width of a text in pixels. @param {string} text @param {number} size @param {boolean} bold */
  width(text, size, bold) {
    const key = `${size} ${bold} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    if (typeof document === "undefined") return 0.6 * size * [...text].length + 2; // outside a browser a guess must do
    this.ruler ??= penOf(document.createElement("canvas"));
    this.ruler.font = font(size, bold);
    const width = this.ruler.measureText(text).width + 2;
    if (this.widths.size > MOST_WIDTHS) this.widths.clear();
    this.widths.set(key, width);
    return width;
  }

  /** Draw names from stamps, on whole device pixels. @param {Pen} pen @param {Name[]} names */
  stampAll(pen, names) {
    const { ratio, theme, ground } = this.stage;
    const signature = [ratio, theme.text, theme.soft, ground].join();
    if (signature !== this.signature || this.stamps.size > MOST_STAMPS) this.stamps.clear();
    this.signature = signature;
    for (const name of names) {
      const { size, bold, soft, text, box } = name;
      const key = `${size} ${bold} ${soft} ${text}`;
      const stamp = this.stamps.get(key) ?? this.cut(name);
      this.stamps.set(key, stamp);
      const left = Math.round((box.left - RIM * size) * ratio) / ratio;
      const top = Math.round((box.top - RIM * size) * ratio) / ratio;
      pen.drawImage(stamp, left, top, stamp.width / ratio, stamp.height / ratio);
    }
  }

  /** A name as a picture. @param {Name} name */
  cut(name) {
    const { ratio } = this.stage;
    const rim = RIM * name.size;
    const stamp = document.createElement("canvas");
    stamp.width = Math.ceil((name.box.width + 2 * rim) * ratio);
    stamp.height = Math.ceil((name.box.height + 2 * rim) * ratio);
    const pen = penOf(stamp);
    pen.scale(ratio, ratio);
    this.write(pen, { ...name, box: { ...name.box, left: rim, top: rim } });
    return stamp;
  }

  /** Write a name as text. @param {Pen} pen @param {Name} name */
  write(pen, { text, size, bold, soft, box }) {
    const { theme, ground } = this.stage;
    pen.font = font(size, bold);
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    const [x, y] = [box.left + 1, box.top + box.height / 2 + 0.35 * size];
    pen.lineWidth = RIM * size;
    pen.lineJoin = "round";
    pen.strokeStyle = ground;
    pen.strokeText(text, x, y);
    pen.fillStyle = soft ? theme.soft : theme.text;
    pen.fillText(text, x, y);
  }
}
