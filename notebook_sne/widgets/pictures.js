// Pictures of the present view: a PNG for slides and an SVG to be edited or printed, with title, legend, iteration
// and cost. Both are made here and saved through a link to a blob: nothing leaves the browser.
// Names, labels and titles come from anybody's data: in the SVG every text is escaped.

import { SELECTED, OPACITY, PLAIN } from "./colours.js";
import { make } from "./elements.js";
import { SHAPES, shapePath, traceShape, valueColour } from "./marks.js";
import { RINGED, Scatter } from "./scatter.js";
import { digits, toPixel } from "./window.js";

const PICTURE_FONT = "system-ui, sans-serif";
const AROUND = 14; // pixels around title and legend
const MOST_NAMED = 40; // selected objects that are named at most

/** A text as the content or an attribute of XML; letters that XML cannot hold give way to a sign for them. */
export function xmlText(text) {
  const allowed = String(text).toWellFormed?.() ?? String(text).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  return allowed.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}

/** One element of XML; the children are XML already. @param {Record<string, any>} attributes */
function xml(tag, attributes, ...children) {
  const said = Object.entries(attributes).filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${xmlText(value)}"`).join("");
  return children.length ? `<${tag}${said}>${children.join("")}</${tag}>` : `<${tag}${said}/>`;
}

const cents = (number) => String(Number(number.toFixed(2)));

/** A name for the file: the model and the iteration, in letters that every system takes. */
export function fileName({ model_name, iteration }, ending) {
  const parts = [model_name || "map", iteration === null || iteration === undefined ? "" : `iteration ${Math.round(iteration)}`];
  return `${parts.join(" ").normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 80) || "map"}.${ending}`;
}

/**
 * Stands in for a canvas's context and writes down what is drawn as SVG: the part of it that panels use.
 * Whatever else they ask for has no effect.
 */
export class SvgPen {
  constructor() {
    this.parts = [];
    this.stack = [];
    this.steps = [];
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, lineCap: "butt", lineJoin: "miter", font: `12px ${PICTURE_FONT}`, textAlign: "start", textBaseline: "alphabetic", dash: [] });
  }

  /** A pen on which unknown methods do nothing. @returns {any} */
  static make() {
    const pen = new SvgPen();
    return new Proxy(pen, { get: (target, name) => (name in target ? target[name] : () => {}) });
  }

  save() { const { fillStyle, strokeStyle, lineWidth, globalAlpha, lineCap, lineJoin, font, textAlign, textBaseline, dash } = this; this.stack.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, lineCap, lineJoin, font, textAlign, textBaseline, dash }); }
  restore() { Object.assign(this, this.stack.pop()); }
  beginPath() { this.steps = []; }
  moveTo(x, y) { this.steps.push(`M${cents(x)} ${cents(y)}`); }
  lineTo(x, y) { this.steps.push(`${this.steps.length ? "L" : "M"}${cents(x)} ${cents(y)}`); }
  quadraticCurveTo(a, b, x, y) { this.steps.push(`Q${cents(a)} ${cents(b)} ${cents(x)} ${cents(y)}`); }
  bezierCurveTo(a, b, c, d, x, y) { this.steps.push(`C${[a, b, c, d, x, y].map(cents).join(" ")}`); }
  closePath() { this.steps.push("Z"); }
  rect(x, y, w, h) { this.steps.push(`M${cents(x)} ${cents(y)}h${cents(w)}v${cents(h)}h${cents(-w)}Z`); }
  arc(x, y, r) { this.steps.push(`M${cents(x - r)} ${cents(y)}a${cents(r)} ${cents(r)} 0 1 1 ${cents(2 * r)} 0a${cents(r)} ${cents(r)} 0 1 1 ${cents(-2 * r)} 0`); } // whole circles only
  setLineDash(dash) { this.dash = [...dash]; }
  getLineDash() { return this.dash; }
  measureText(text) { return { width: 0.55 * (parseFloat(/([\d.]+)px/.exec(this.font)?.[1]) || 12) * [...String(text)].length }; }

  get shared() {
    return { opacity: this.globalAlpha < 1 ? cents(this.globalAlpha) : undefined };
  }

  stroke() {
    this.parts.push(xml("path", { d: this.steps.join(""), fill: "none", stroke: this.strokeStyle, "stroke-width": cents(this.lineWidth), "stroke-linecap": this.lineCap,
      "stroke-linejoin": this.lineJoin, "stroke-dasharray": this.dash.length ? this.dash.join(" ") : undefined, ...this.shared }));
  }

  fill() { this.parts.push(xml("path", { d: this.steps.join(""), fill: this.fillStyle, ...this.shared })); }
  fillRect(x, y, width, height) { this.parts.push(xml("rect", { x: cents(x), y: cents(y), width: cents(width), height: cents(height), fill: this.fillStyle, ...this.shared })); }

  strokeRect(x, y, width, height) {
    this.parts.push(xml("rect", { x: cents(x), y: cents(y), width: cents(width), height: cents(height), fill: "none", stroke: this.strokeStyle, "stroke-width": cents(this.lineWidth), ...this.shared }));
  }

  letters(text, x, y, paint) {
    const [, weight, size, family] = /^(?:(bold|\d{3})\s+)?([\d.]+)px\s+(.*)$/.exec(this.font) ?? [null, undefined, "12", PICTURE_FONT];
    const shift = { middle: 0.35, top: 0.8, hanging: 0.8, bottom: -0.2 }[this.textBaseline] ?? 0;
    this.parts.push(xml("text", { x: cents(x), y: cents(y + shift * size), "font-size": size, "font-weight": weight, "font-family": family,
      "text-anchor": { center: "middle", right: "end", end: "end" }[this.textAlign], ...paint, ...this.shared }, xmlText(text)));
  }

  fillText(text, x, y) { this.letters(text, x, y, { fill: this.fillStyle }); }
  strokeText(text, x, y) { this.letters(text, x, y, { fill: "none", stroke: this.strokeStyle, "stroke-width": cents(this.lineWidth), "stroke-linejoin": this.lineJoin }); }

  drawImage(image, ...box) {
    const [x, y, width, height] = box.length > 4 ? box.slice(4) : box;
    const href = image.toDataURL?.();
    if (href) this.parts.push(xml("image", { x: cents(x), y: cents(y), width: cents(width ?? image.width), height: cents(height ?? image.height), href, ...this.shared }));
  }
}

/** Where legend, title and facts lie around the map, in CSS pixels; drawn by whichever pen. */
function surround(pen, shot, textWidth) {
  const { title, facts, size: [width, height], theme, entries, scale } = shot;
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  let top = AROUND;
  const line = (text, font, size, colour) => {
    if (!text) return;
    pen.font = `${font} ${size}px ${PICTURE_FONT}`;
    pen.fillStyle = colour;
    pen.fillText(clipped(text, width - 2 * AROUND, textWidth(pen)), AROUND, top + 0.85 * size);
    top += 1.35 * size;
  };
  line(title, "600", 17, theme.text);
  line(facts, "400", 13, theme.text);
  const map = top + 6;
  let [x, y] = [AROUND, map + height + AROUND];
  pen.font = `400 13px ${PICTURE_FONT}`;
  for (const { name, shape, colour } of entries) {
    const text = clipped(name, Math.min(220, width - 3 * AROUND), textWidth(pen));
    const wide = 18 + textWidth(pen)(text) + 16;
    if (x + wide > width - AROUND && x > AROUND) [x, y] = [AROUND, y + 20];
    pen.save();
    pen.fillStyle = colour;
    shot.stamp(pen, shape, x + 7, y + 6);
    pen.restore();
    pen.fillStyle = theme.text;
    pen.fillText(text, x + 18, y + 10.5);
    x += wide;
  }
  if (scale) {
    pen.fillStyle = theme.text;
    pen.fillText(scale.low, x, y + 10.5);
    x += textWidth(pen)(scale.low) + 8;
    for (let k = 0; k < 60; k++) {
      pen.fillStyle = valueColour(k / 59, theme.dark);
      pen.fillRect(x + 3 * k, y, 3.2, 12);
    }
    pen.fillStyle = theme.text;
    pen.fillText(scale.high, x + 190, y + 10.5);
  }
  return { map, whole: entries.length || scale ? y + 20 + AROUND / 2 : map + height };
}

const textWidth = (pen) => (text) => pen.measureText(text).width;

/** A text with as many letters as find room. */
function clipped(text, room, width) {
  const letters = [...String(text).slice(0, 400)];
  if (width(letters.join("")) <= room) return letters.join("");
  while (letters.length > 1 && width(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("")}…`;
}

/** All that a picture shows, apart from the view that it is of. */
export function shotOf(view) {
  const { hub, model, colouring, theme, objects } = view;
  const facts = hub.shownFacts();
  const { iteration, cost, model_name } = facts;
  const said = [model_name, iteration === null || iteration === undefined ? "" : `iteration ${Math.round(iteration)}`,
    cost === null || cost === undefined ? "" : `cost ${digits(cost)} nats`, model.get("axes_note")];
  const labels = colouring.channel === "label";
  const unit = colouring.channel === "cost" ? " nats" : "";
  return {
    title: model.get("title") || "", facts: said.filter(Boolean).join(" · "), size: view.size, theme,
    entries: labels ? objects.classNames.map((name, k) => ({ name, shape: colouring.shape(k), colour: colouring.colour(k, theme.dark) })) : [],
    scale: colouring.range ? { low: digits(colouring.range[0], 3), high: `${digits(colouring.range[1], 3)}${unit}` } : null,
    names: view.selection.size <= MOST_NAMED ? view.selection.list.map((i) => [i, view.nameOf(i)]) : [],
    file: (ending) => fileName(facts, ending),
  };
}

/** Names beside the selected points. */
function writeNames(pen, view, names) {
  pen.font = `600 12px ${PICTURE_FONT}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const [i, name] of names) {
    const [x, y] = toPixel(view.window, view.points[2 * i], view.points[2 * i + 1], ...view.size);
    if (!(x > 0 && y > 0 && x < view.size[0] && y < view.size[1])) continue;
    const text = clipped(name, 200, textWidth(pen));
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeStyle = `rgb(${view.theme.ground.join(",")})`;
    pen.strokeText(text, x + view.scatter.radius + 6, y);
    pen.fillStyle = view.theme.text;
    pen.fillText(text, x + view.scatter.radius + 6, y);
  }
}

/** The present view as a canvas, `ratio` device pixels for one CSS pixel. */
export function pngCanvas(view, ratio) {
  const shot = { ...shotOf(view), stamp: (pen, shape, x, y) => { pen.translate(x, y); traceShape(pen, shape, 4.6); pen.fill(); } };
  const [width, height] = view.size;
  const map = make("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const pen = map.getContext("2d");
  const scatter = new Scatter();
  scatter.radius = view.scatter.radius;
  scatter.paint(pen, view.points, view.window, view.look(), view.size, ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  view.paintPanels(pen);
  writeNames(pen, view, shot.names);
  const whole = make("canvas", {});
  const around = whole.getContext("2d");
  const { whole: tall } = surround(around, shot, textWidth); // once to textWidth, once to paint: resizing clears a canvas
  whole.width = Math.round(width * ratio);
  whole.height = Math.round(tall * ratio);
  around.scale(ratio, ratio);
  around.fillStyle = `rgb(${view.theme.ground.join(",")})`;
  around.fillRect(0, 0, width, tall);
  const { map: top } = surround(around, shot, textWidth);
  around.drawImage(map, 0, top, width, height);
  return whole;
}

/** The points in the window, in groups that look alike, those that stand out last. */
function svgPoints(view) {
  const { colouring, ranks, chosen } = view.look();
  const { theme, letters, scatter: { radius } } = view;
  const ground = `rgb(${theme.ground.join(",")})`;
  const groups = new Map();
  const count = view.points.length / 2;
  for (let k = 0; k < count; k++) {
    const i = ranks ? ranks.order[k] : k;
    const [x, y] = toPixel(view.window, view.points[2 * i], view.points[2 * i + 1], ...view.size);
    if (!(x > -9 && y > -9 && x < view.size[0] + 9 && y < view.size[1] + 9)) continue;
    const [level, key] = [ranks ? ranks.levels[i] : PLAIN, colouring.keys ? colouring.keys[i] : 0];
    const name = `${level} ${key}`;
    if (!groups.has(name)) groups.set(name, { level, key, places: [] });
    groups.get(name).places.push([cents(x), cents(y)]);
  }
  return [...groups.values()].sort((a, b) => a.level - b.level).map(({ level, key, places }) => {
    const letter = letters ? colouring.letter(key) : undefined;
    const look = { fill: colouring.colour(key, theme.dark), opacity: OPACITY[level] < 1 ? OPACITY[level] : undefined };
    const rings = level === SELECTED && chosen <= RINGED ? places.map(([cx, cy]) => xml("circle", { cx, cy, r: cents(radius + 2.2), fill: "none", stroke: theme.text, "stroke-width": 1.6 })) : [];
    if (letter) {
      const size = cents(3.4 * 1.25 * radius);
      return xml("g", { ...look, "font-size": size, "font-weight": 600, "text-anchor": "middle" },
        ...rings, ...places.map(([x, y]) => xml("text", { x, y, dy: "0.35em" }, xmlText(letter))));
    }
    const inked = level === SELECTED && chosen > RINGED;
    const edge = inked ? { stroke: theme.text, "stroke-width": 0.8 } : radius > 2 ? { stroke: ground, "stroke-width": 0.7 } : {};
    return xml("g", { ...look, ...edge }, ...rings, ...places.map(([x, y]) => xml("use", { href: `#nsne-${colouring.shape(key)}`, x, y })));
  });
}

/** The present view as the text of an SVG drawing. */
export function svgText(view) {
  const [width, height] = view.size;
  const shot = { ...shotOf(view), stamp: (pen, shape, x, y) => pen.parts.push(xml("use", { href: `#nsne-legend-${shape}`, x, y, fill: pen.fillStyle })) };
  const around = SvgPen.make();
  const { map, whole } = surround(around, shot, textWidth);
  const above = SvgPen.make();
  view.paintPanels(above);
  writeNames(above, view, shot.names);
  const defs = SHAPES.flatMap((shape) => [xml("path", { id: `nsne-${shape}`, d: shapePath(shape, Math.max(view.scatter.radius, 0.55)) }),
    xml("path", { id: `nsne-legend-${shape}`, d: shapePath(shape, 4.6) })]);
  return `${xml("svg", { xmlns: "http://www.w3.org/2000/svg", width: cents(width), height: cents(whole), viewBox: `0 0 ${cents(width)} ${cents(whole)}`, "font-family": PICTURE_FONT },
    xml("title", {}, xmlText([shot.title, shot.facts].filter(Boolean).join(": "))),
    xml("defs", {}, ...defs),
    xml("rect", { width: "100%", height: "100%", fill: `rgb(${view.theme.ground.join(",")})` }),
    ...around.parts,
    xml("svg", { y: cents(map), width: cents(width), height: cents(height), overflow: "hidden" }, ...svgPoints(view), ...above.parts))}\n`;
}

/** Let the reader save a blob under a name. */
export function saveBlob(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link); // some browsers only follow links of the page
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
