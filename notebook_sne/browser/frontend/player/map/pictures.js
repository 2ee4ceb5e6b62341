// Pictures of the present view: a PNG for slides and an SVG to be edited or printed, with title, legend, iteration
// and cost. Both are made here and saved through a link to a blob: nothing leaves the browser.

import { FAINT, OPACITY, SELECTED, PLAIN } from "./colors.js";
import { BLURS } from "./focus.js";
import { make, penOf } from "../../shared/elements.js";
import { SHAPES, UNLABELED, classShape, traceShape, valueColor } from "../../shared/marks.js";
import { RINGED, Scatter } from "./scatter.js";
import { isScored, scaleUnit } from "./scores.js";
import { PICTURE_FONT, SvgPen, canvasFile, cents, clipped, svgFile, xml, xmlText } from "../../shared/svg_pen.js";
import { safeName } from "../../shared/save_menu.js";
import { entriesOf } from "../objects.js";
import { digits } from "../../shared/window.js";
import { methodWords, stepWords } from "../../shared/words.js";

/**
 * What a picture is made of: how the points look, the radius of a mark, and what panels draw over the map.
 * @typedef {Known & {look: Look, radius: number, paintPanels: (pen: Pen) => void, names: Names, pairs: RegionPairs}} Pictured
 *
 * @typedef {ReturnType<typeof shotOf>} Shot
 *
 * @typedef {(shape: string, color: string, x: number, y: number) => void} StampMark  draws the mark of a class
 */

const SHARP = 2; // device pixels of a saved picture for one of the screen: it will be shown large
const AROUND = 14; // pixels around title and legend

/**
 * A name for the file: the model and the iteration, in letters that every system takes.
 * @param {Pick<RunFacts, "model_name"|"iteration">} facts @param {string} ending
 */
export function fileName({ model_name, iteration }, ending) {
  return safeName([model_name || "map", stepWords(iteration)], ending);
}

/**
 * Draw title, facts and legend around the map, in CSS pixels; returns where the map lies and how high the whole is.
 * @param {Pen} pen @param {Shot} shot @param {StampMark} stamp
 */
function surround(pen, shot, stamp) {
  const { title, facts, said, lines, theme, entries, scale } = shot;
  const [width, height] = shot.size;
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  let top = AROUND;
  /** @param {string} text @param {string} font @param {number} size @param {string} color */
  const line = (text, font, size, color) => {
    if (!text) return;
    pen.font = `${font} ${size}px ${PICTURE_FONT}`;
    pen.fillStyle = color;
    pen.fillText(clipped(pen, text, width - 2 * AROUND), AROUND, top + 0.85 * size);
    top += 1.35 * size;
  };
  line(title, "600", 17, theme.text);
  line(facts, "400", 13, theme.text);
  line(said, "400", 13, theme.soft);
  line(lines, "400", 13, theme.text);
  const map = top + 6;
  let [x, y] = [AROUND, map + height + AROUND];
  pen.font = `400 13px ${PICTURE_FONT}`;
  for (const { name, shape, color } of entries) {
    const text = clipped(pen, name, Math.min(220, width - 3 * AROUND));
    const wide = 18 + pen.measureText(text).width + 16;
    if (x + wide > width - AROUND && x > AROUND) [x, y] = [AROUND, y + 20];
    if (shape) stamp(shape, color, x + 7, y + 6);
    pen.fillStyle = theme.text;
    pen.fillText(text, x + 18, y + 10.5);
    x += wide;
  }
  if (scale) {
    pen.fillStyle = theme.text;
    pen.fillText(scale.low, x, y + 10.5);
    x += pen.measureText(scale.low).width + 8;
    for (let k = 0; k < 60; k++) {
      pen.fillStyle = valueColor(k / 59, theme.dark);
      pen.fillRect(x + 3 * k, y, k < 59 ? 4 : 3, 12);
    }
    pen.fillStyle = theme.text;
    pen.fillText(scale.high, x + 190, y + 10.5);
  }
  return { map, whole: entries.length || scale ? y + 20 + AROUND / 2 : map + height };
}

/** All that a picture says, apart from the map. @param {Pictured} pictured */
export function shotOf({ hub, stage, look, names, pairs }) {
  const { model } = hub;
  const { coloring } = look;
  const { theme } = stage;
  const facts = hub.shownFacts();
  const { iteration, cost, model_name } = facts;
  const said = [
    methodWords(model_name),
    stepWords(iteration),
    cost === null || cost === undefined ? "" : `cost ${digits(cost)}${hub.unitOf(model_name)}`,
    model.get("axes_note"),
  ];
  const labels = coloring.channel === "label";
  const { say, channel } = coloring;
  const unit = isScored(channel) ? ` ${scaleUnit(channel, coloring.scores, hub.unitOf(model_name))}`.trimEnd() : "";
  return {
    title: model.get("title") || "",
    facts: said.filter(Boolean).join(" · "),
    said: [coloring.said(stage.flat), names.said].filter(Boolean).join(" · "),
    lines: pairs.said,
    size: stage.size,
    theme,
    entries: labels
      ? entriesOf(look.coloring.source, look.coloring.source.title ? "missing" : undefined).map(({ key, name }) => ({
          name,
          shape: stage.flat ? "circle" : coloring.shape(key),
          color: coloring.color(key, theme.dark),
        }))
      : [],
    scale: coloring.range ? { low: say(coloring.range[0]), high: `${say(coloring.range[1])}${unit}` } : null,
  };
}

/**
 * The present view as a canvas.
 * @param {Pictured} pictured @param {number} ratio  device pixels for one CSS pixel
 */
export function pngCanvas(pictured, ratio) {
  const { stage, look, radius } = pictured;
  const shot = shotOf(pictured);
  const [width, height] = stage.size;
  const map = make("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const pen = penOf(map);
  const scatter = new Scatter();
  scatter.radius = radius;
  scatter.paint(pen, stage.points, stage.window, look, stage.size, ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pictured.paintPanels(pen);
  pictured.names.picture(pen);
  /** @param {CanvasRenderingContext2D} around */
  const paint = (around) => {
    const { map: top, whole } = surround(around, shot, (shape, color, x, y) => {
      around.save();
      around.fillStyle = color;
      around.translate(x, y);
      traceShape(around, shape, 4.6);
      around.fill();
      around.restore();
    });
    around.drawImage(map, 0, top, width, height);
    return [width, whole];
  };
  return canvasFile(paint, stage.ground, ratio);
}

/** The points in the window, in groups that look alike, those that stand out last. @param {Pictured} pictured */
function svgPoints({ stage, look: { coloring, ranks, chosen, letters, blur }, radius }) {
  const { theme, ground, count, flat } = stage;
  /** @type {Map<string, {level: number, key: number, step: number, places: [x: string, y: string][]}>} */
  const groups = new Map();
  for (let k = 0; k < count; k++) {
    const i = ranks ? ranks.order[k] : k;
    const [x, y] = stage.place(i);
    if (!(x > -9 && y > -9 && x < stage.size[0] + 9 && y < stage.size[1] + 9)) continue;
    const [level, key] = [ranks ? ranks.levels[i] : PLAIN, coloring.keys ? coloring.keys[i] : 0];
    const step = blur && level !== FAINT ? blur[i] : 0;
    const name = `${level} ${key} ${step}`;
    const group = groups.get(name) ?? { level, key, step, places: [] };
    group.places.push([cents(x), cents(y)]);
    groups.set(name, group);
  }
  return [...groups.values()]
    .sort((a, b) => Number(b.step > 0) - Number(a.step > 0) || a.level - b.level)
    .map(({ level, key, step, places }) => {
      const letter = letters && !step ? coloring.letter(key) : undefined;
      const opacity = OPACITY[level];
      const look = { fill: coloring.color(key, theme.dark), opacity: opacity < 1 ? opacity : undefined };
      const ring = { r: cents(radius + 2.2), fill: "none", stroke: theme.text, "stroke-width": 1.6 };
      const rings =
        level === SELECTED && chosen <= RINGED ? places.map(([cx, cy]) => xml("circle", { cx, cy, ...ring })) : [];
      if (letter) {
        const size = cents(3.4 * 1.25 * radius);
        return xml(
          "g",
          { ...look, "font-size": size, "font-weight": 600, "text-anchor": "middle" },
          rings,
          places.map(([x, y]) => xml("text", { x, y, dy: "0.35em" }, xmlText(letter))),
        );
      }
      const inked = level === SELECTED && chosen > RINGED;
      const edge = inked
        ? { stroke: theme.text, "stroke-width": 0.8 }
        : radius > 2 && !step && !flat
          ? { stroke: ground, "stroke-width": 0.7 }
          : {};
      return xml(
        "g",
        { ...look, ...edge },
        rings,
        places.map(([x, y]) =>
          xml("use", { href: `#nsne-${step ? `blur-${step}` : flat ? "circle" : coloring.shape(key)}`, x, y }),
        ),
      );
    });
}

/** A shape as the data of an SVG path. @param {string} shape @param {number} r */
function shapePath(shape, r) {
  const pen = new SvgPen();
  traceShape(pen, shape, r);
  return pen.steps.join("");
}

/** The present view as the text of an SVG drawing. @param {Pictured} pictured */
export function svgText(pictured) {
  const { stage, radius } = pictured;
  const [width, height] = stage.size;
  const shot = shotOf(pictured);
  const around = new SvgPen();
  const { map, whole } = surround(around, shot, (shape, fill, x, y) => {
    around.parts.push(xml("use", { href: `#nsne-legend-${shape}`, x, y, fill }));
  });
  const above = new SvgPen();
  pictured.paintPanels(above);
  pictured.names.picture(above);
  const defs = [...SHAPES, classShape(UNLABELED)].flatMap((shape) => [
    xml("path", { id: `nsne-${shape}`, d: shapePath(shape, Math.max(radius, 0.55)) }),
    xml("path", { id: `nsne-legend-${shape}`, d: shapePath(shape, 4.6) }),
  ]);
  const circle = (/** @type {[number, number]} */ [r, alpha]) =>
    xml("circle", { r: cents(r * radius), "fill-opacity": alpha });
  const blurs = pictured.look.blur
    ? BLURS.map((discs, k) => xml("g", { id: `nsne-blur-${k + 1}`, stroke: "none" }, discs.map(circle)))
    : [];
  const inner = { y: cents(map), width: cents(width), height: cents(height), overflow: "hidden" };
  return svgFile(
    [width, whole],
    [shot.title, shot.facts].filter(Boolean).join(": "),
    stage.ground,
    xml("defs", {}, ...defs, ...blurs),
    around.parts,
    xml("svg", inner, svgPoints(pictured), above.parts),
  );
}

/**
 * What the menu of a player saves, under a name that tells model and iteration.
 * @param {() => Pictured} pictured @returns {Record<string, () => Saved>}
 */
export function picturesOf(pictured) {
  /** @param {string} ending */
  const name = (ending) => fileName(pictured().hub.shownFacts(), ending);
  return {
    png: () => ({ name: name("png"), content: pngCanvas(pictured(), SHARP * pictured().stage.ratio) }),
    svg: () => ({ name: name("svg"), content: new Blob([svgText(pictured())], { type: "image/svg+xml" }) }),
  };
}
