// How a name is lettered: with a rim of ground around it, so that it can be read over any marks. On the screen each is
// drawn once, as a stamp, and then pressed wherever it goes: letters are slow to draw.

import { penOf, strokeLine } from "./elements.js";
import { leader } from "./labels.js";
import { PICTURE_FONT, textWidth } from "./svg_pen.js";

/** Height of a line by the size of its letters. */
export const LINE = 1.25;
const RIM = 0.3; // width of the ground around letters by their size
const MOST_STAMPS = 1500; // names kept ready to draw
const MOST_WIDTHS = 20000;

/**
 * @typedef {object} Lettered  a name on a map
 * @property {number[]} [spot]  where the class that it names lies, in pixels
 * @property {string} text
 * @property {Box} box
 * @property {number} size  of its letters in pixels
 * @property {boolean} bold
 * @property {boolean} soft  whether it steps back
 * @property {boolean} [lit]  whether it is pointed at
 */

/** @param {number} size @param {boolean} bold */
const font = (size, bold) => `${bold ? 700 : 500} ${size}px ${PICTURE_FONT}`;

export class Lettering {
  /** @param {{ratio: number, theme: Theme, ground: string}} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Map<string, number>} of each text in each font */
    this.widths = new Map();
    /** @type {Map<string, HTMLCanvasElement>} */
    this.stamps = new Map();
    this.signature = "";
  }

  /** Width of a text in pixels. @param {string} text @param {number} size @param {boolean} bold */
  width(text, size, bold) {
    const key = `${size} ${bold} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    const width = textWidth(text, font(size, bold)) + 2;
    if (this.widths.size > MOST_WIDTHS) this.widths.clear();
    this.widths.set(key, width);
    return width;
  }

  /** Draw names from stamps, on whole device pixels. @param {Pen} pen @param {Lettered[]} names */
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

  /** Draw lines to names that had to leave their spots. @param {Pen} pen @param {Lettered[]} names */
  lead(pen, names) {
    const { theme, ground } = this.stage;
    for (const { spot, box } of names) {
      const line = spot && leader(spot[0], spot[1], box);
      if (!line) continue;
      for (const [color, width] of /** @type {[string, number][]} */ ([
        [ground, 3.5],
        [theme.text, 1.2],
      ])) {
        pen.strokeStyle = color;
        pen.lineWidth = width;
        strokeLine(pen, line[0], line[1], line[2], line[3]);
      }
    }
  }

  /** A name as a picture. @param {Lettered} name */
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

  /** Write a name as text. @param {Pen} pen @param {Lettered} name */
  write(pen, { text, size, bold, soft, box, lit = false }) {
    const { theme, ground } = this.stage;
    pen.font = font(size, bold);
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    const [x, y] = [box.left + 1, box.top + box.height / 2 + 0.35 * size];
    pen.lineWidth = RIM * size;
    pen.lineJoin = "round";
    pen.strokeStyle = ground;
    pen.strokeText(text, x, y);
    pen.fillStyle = lit ? theme.accent : soft ? theme.soft : theme.text;
    pen.fillText(text, x, y);
    if (lit) pen.fillRect(x, y + 1.5, box.width - 2, 1);
  }
}
