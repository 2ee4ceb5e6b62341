// A pen that writes what is drawn as SVG, and the XML that it writes. Every text is escaped: names, labels and titles
// come from anybody's data.

export const PICTURE_FONT = "system-ui, sans-serif";

/** A text as the content or an attribute of XML; letters that XML cannot hold give way to a sign for them. */
export function xmlText(text) {
  return String(text)
    .replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (letter) => (letter.length === 2 ? letter : "\ufffd")) // halves of a letter
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}

/** One element of XML; the children, or lists of them however long, are XML already. @param {Record<string, any>} attributes */
export function xml(tag, attributes, ...children) {
  const said = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${xmlText(value)}"`)
    .join("");
  return children.length ? `<${tag}${said}>${children.flat().join("")}</${tag}>` : `<${tag}${said}/>`;
}

/** A number with two decimals at most. */
export const cents = (number) => String(Number(number.toFixed(2)));

const PEN = {
  fillStyle: "#000",
  strokeStyle: "#000",
  lineWidth: 1,
  globalAlpha: 1,
  lineCap: "butt",
  lineJoin: "miter",
  font: `12px ${PICTURE_FONT}`,
  textAlign: "start",
  textBaseline: "alphabetic",
  dash: [],
};

/**
 * Stands in for a canvas's context and writes down what is drawn as SVG: the part of it that panels use.
 * Whatever else they ask for has no effect.
 */
export class SvgPen {
  constructor() {
    this.parts = [];
    this.stack = [];
    this.steps = [];
    Object.assign(this, PEN);
  }

  /** A pen on which unknown methods do nothing. @returns {any} */
  static make() {
    const pen = new SvgPen();
    return new Proxy(pen, { get: (target, name) => (name in target ? target[name] : () => {}) });
  }

  save() {
    this.stack.push(Object.fromEntries(Object.keys(PEN).map((name) => [name, this[name]])));
  }
  restore() {
    Object.assign(this, this.stack.pop());
  }
  beginPath() {
    this.steps = [];
  }
  moveTo(x, y) {
    this.steps.push(`M${cents(x)} ${cents(y)}`);
  }
  lineTo(x, y) {
    this.steps.push(`${this.steps.length ? "L" : "M"}${cents(x)} ${cents(y)}`);
  }
  quadraticCurveTo(a, b, x, y) {
    this.steps.push(`Q${cents(a)} ${cents(b)} ${cents(x)} ${cents(y)}`);
  }
  bezierCurveTo(a, b, c, d, x, y) {
    this.steps.push(`C${[a, b, c, d, x, y].map(cents).join(" ")}`);
  }
  closePath() {
    this.steps.push("Z");
  }
  rect(x, y, w, h) {
    this.steps.push(`M${cents(x)} ${cents(y)}h${cents(w)}v${cents(h)}h${cents(-w)}Z`);
  }

  /** Whole circles only. */
  arc(x, y, r) {
    const half = (across) => `a${cents(r)} ${cents(r)} 0 1 1 ${cents(across)} 0`;
    this.steps.push(`M${cents(x - r)} ${cents(y)}${half(2 * r)}${half(-2 * r)}`);
  }

  setLineDash(dash) {
    this.dash = [...dash];
  }
  getLineDash() {
    return this.dash;
  }

  measureText(text) {
    // Outside a browser a guess must do.
    if (typeof document === "undefined")
      return { width: 0.6 * Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 12) * [...String(text)].length };
    SvgPen.ruler ??= document.createElement("canvas").getContext("2d");
    SvgPen.ruler.font = this.font;
    return SvgPen.ruler.measureText(text);
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

  fillRect(...box) {
    this.box(...box, { fill: this.fillStyle });
  }
  strokeRect(...box) {
    this.box(...box, this.outline);
  }

  letters(text, x, y, paint) {
    const [, weight, size, family] = /^(?:(bold|\d{3})\s+)?([\d.]+)px\s+(.*)$/.exec(this.font) ?? [
      null,
      undefined,
      "12",
      PICTURE_FONT,
    ];
    const shift = { middle: 0.35, top: 0.8, hanging: 0.8, bottom: -0.2 }[this.textBaseline] ?? 0;
    this.parts.push(
      xml(
        "text",
        {
          x: cents(x),
          y: cents(y + shift * size),
          "font-size": size,
          "font-weight": weight,
          "font-family": family,
          "text-anchor": { center: "middle", right: "end", end: "end" }[this.textAlign],
          ...paint,
          ...this.shared,
        },
        xmlText(text),
      ),
    );
  }

  fillText(text, x, y) {
    this.letters(text, x, y, { fill: this.fillStyle });
  }
  strokeText(text, x, y) {
    this.letters(text, x, y, this.outline);
  }

  drawImage(image, ...box) {
    const [x, y, width, height] = box.length > 4 ? box.slice(4) : box;
    const href = image.toDataURL?.();
    const size = { width: cents(width ?? image.width), height: cents(height ?? image.height) };
    if (href) this.parts.push(xml("image", { x: cents(x), y: cents(y), ...size, href, ...this.shared }));
  }
}
