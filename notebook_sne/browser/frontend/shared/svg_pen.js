// A pen that writes what is drawn as SVG, and the XML that it writes. Every text is escaped: names, labels and titles
// come from anybody's data.

import { clearPen, penOf } from "./elements.js";

export const PICTURE_FONT = "system-ui, sans-serif";

/** Letters in two halves, and halves alone. */
const HALVES = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * A text as the content or an attribute of XML; letters that XML cannot hold give way to a sign for them.
 * @param {unknown} text
 */
export function xmlText(text) {
  return String(text)
    .replace(HALVES, (letter) => (letter.length === 2 ? letter : "\ufffd"))
    .replace(UNFIT, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}

/**
 * One element of XML; the children, or lists of them however long, are XML already.
 * @param {string} tag @param {Record<string, unknown>} attributes @param {(string|string[])[]} children
 */
export function xml(tag, attributes, ...children) {
  const said = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${xmlText(value)}"`)
    .join("");
  return children.length ? `<${tag}${said}>${children.flat().join("")}</${tag}>` : `<${tag}${said}/>`;
}

/** A number with two decimals at most. @param {number} number */
export const cents = (number) => String(Number(number.toFixed(2)));

/** A text with as many letters as find room. @param {Pen} pen @param {string} text @param {number} room */
export function clipped(pen, text, room) {
  const letters = [...String(text).slice(0, 400)];
  if (pen.measureText(letters.join("")).width <= room) return letters.join("");
  while (letters.length > 1 && pen.measureText(`${letters.join("")}…`).width > room) letters.pop();
  return `${letters.join("")}…`;
}

/** By how much of a letter's size a text lies lower. @type {Record<string, number>} */
const SHIFTS = { middle: 0.35, top: 0.8, hanging: 0.8, bottom: -0.2 };
/** @type {Record<string, string>} */
const ANCHORS = { center: "middle", right: "end", end: "end" };

/** @type {CanvasRenderingContext2D|undefined} measures texts */
let ruler;

/** Width of a text in pixels. @param {string} text @param {string} font */
export function textWidth(text, font) {
  // Outside a browser a guess must do.
  if (typeof document === "undefined") return 0.6 * Number(/([\d.]+)px/.exec(font)?.[1] ?? 12) * [...text].length;
  ruler ??= penOf(document.createElement("canvas"));
  ruler.font = font;
  return ruler.measureText(text).width;
}

/**
 * Stands in for a canvas's context and writes down what is drawn as SVG: the part of it that panels use.
 * @implements {Pen}
 */
export class SvgPen {
  constructor() {
    /** @type {string[]} what was drawn, as XML */
    this.parts = [];
    /** @type {object[]} styles that were saved */
    this.stack = [];
    /** @type {string[]} of the present path */
    this.steps = [];
    /** @type {Pen["fillStyle"]} */
    this.fillStyle = "#000";
    /** @type {Pen["strokeStyle"]} */
    this.strokeStyle = "#000";
    this.lineWidth = 1;
    this.globalAlpha = 1;
    /** @type {CanvasLineCap} */
    this.lineCap = "butt";
    /** @type {CanvasLineJoin} */
    this.lineJoin = "miter";
    this.font = `12px ${PICTURE_FONT}`;
    /** @type {CanvasTextAlign} */
    this.textAlign = "start";
    /** @type {CanvasTextBaseline} */
    this.textBaseline = "alphabetic";
    this.imageSmoothingEnabled = true; // whoever shows the drawing decides
    /** @type {number[]} */
    this.dash = [];
  }

  save() {
    const { parts, stack, steps, ...styles } = this;
    stack.push(styles);
  }
  restore() {
    Object.assign(this, this.stack.pop());
  }
  beginPath() {
    this.steps = [];
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.steps.push(`M${cents(x)} ${cents(y)}`);
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.steps.push(`${this.steps.length ? "L" : "M"}${cents(x)} ${cents(y)}`);
  }
  closePath() {
    this.steps.push("Z");
  }
  /** Whole circles only. @param {number} x @param {number} y @param {number} r */
  arc(x, y, r) {
    /** @param {number} across */
    const half = (across) => `a${cents(r)} ${cents(r)} 0 1 1 ${cents(across)} 0`;
    this.steps.push(`M${cents(x - r)} ${cents(y)}${half(2 * r)}${half(-2 * r)}`);
  }

  /** @param {Iterable<number>} dash */
  setLineDash(dash) {
    this.dash = [...dash];
  }

  /** @param {string} text */
  measureText(text) {
    return { width: textWidth(String(text), this.font) };
  }

  get shared() {
    return { opacity: this.globalAlpha < 1 ? cents(this.globalAlpha) : undefined };
  }

  stroke() {
    const dash = this.dash.length ? this.dash.join(" ") : undefined;
    this.parts.push(
      xml("path", {
        d: this.steps.join(""),
        ...this.outline,
        "stroke-linecap": this.lineCap,
        "stroke-dasharray": dash,
        ...this.shared,
      }),
    );
  }

  fill() {
    this.parts.push(xml("path", { d: this.steps.join(""), fill: this.fillStyle, ...this.shared }));
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {Record<string, unknown>} paint */
  box(x, y, width, height, paint) {
    this.parts.push(
      xml("rect", { x: cents(x), y: cents(y), width: cents(width), height: cents(height), ...paint, ...this.shared }),
    );
  }

  get outline() {
    return {
      fill: "none",
      stroke: this.strokeStyle,
      "stroke-width": cents(this.lineWidth),
      "stroke-linejoin": this.lineJoin,
    };
  }

  /** @param {[x: number, y: number, width: number, height: number]} box */
  fillRect(...box) {
    this.box(...box, { fill: this.fillStyle });
  }
  /** @param {[x: number, y: number, width: number, height: number]} box */
  strokeRect(...box) {
    this.box(...box, this.outline);
  }

  /** @param {string} text @param {number} x @param {number} y @param {Record<string, unknown>} paint */
  letters(text, x, y, paint) {
    const font = /^(?:(bold|\d{3})\s+)?([\d.]+)px\s+(.*)$/.exec(this.font) ?? [];
    const [, weight, size = "12", family = PICTURE_FONT] = font;
    const shift = SHIFTS[this.textBaseline] ?? 0;
    this.parts.push(
      xml(
        "text",
        {
          x: cents(x),
          y: cents(y + shift * Number(size)),
          "font-size": size,
          "font-weight": weight,
          "font-family": family,
          "text-anchor": ANCHORS[this.textAlign],
          ...paint,
          ...this.shared,
        },
        xmlText(text),
      ),
    );
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.letters(text, x, y, { fill: this.fillStyle });
  }
  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.letters(text, x, y, this.outline);
  }

  /** @param {HTMLCanvasElement} image @param {number[]} box */
  drawImage(image, ...box) {
    const [x, y, width, height] = box.length > 4 ? box.slice(4) : box;
    const href = image.toDataURL?.();
    const size = { width: cents(width ?? image.width), height: cents(height ?? image.height) };
    if (href) this.parts.push(xml("image", { x: cents(x), y: cents(y), ...size, href, ...this.shared }));
  }
}

/**
 * A whole drawing as the text of a file.
 * @param {number[]} size  width and height @param {string} title @param {string} ground  its color
 * @param {(string|string[])[]} parts  XML
 */
export function svgFile(size, title, ground, ...parts) {
  const [width, height] = size.map(cents);
  const is = { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` };
  const paper = xml("rect", { width: "100%", height: "100%", fill: ground });
  return `${xml("svg", { ...is, "font-family": PICTURE_FONT }, xml("title", {}, xmlText(title)), paper, ...parts)}\n`;
}

/**
 * A whole drawing as a canvas. It is drawn twice: once to measure, as resizing clears a canvas.
 * @param {(pen: CanvasRenderingContext2D) => number[]} paint  returns width and height
 * @param {string} ground  its color @param {number} ratio  device pixels for one CSS pixel
 */
export function canvasFile(paint, ground, ratio) {
  const canvas = document.createElement("canvas");
  const [width, height] = paint(penOf(canvas));
  const pen = clearPen(canvas, width, height, ratio);
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  paint(pen);
  return canvas;
}
