// Pictures of the present view: a PNG for slides and an SVG to be edited or printed, with title, legend, iteration
// and cost. Both are made here and saved through a link to a blob: nothing leaves the browser.

import { SELECTED, OPACITY, PLAIN, entriesOf } from "../shared/colors.js";
import { make } from "../shared/elements.js";
import { SHAPES, UNLABELED, classShape, shapePath, traceShape, valueColor } from "../shared/marks.js";
import { RINGED, Scatter } from "./scatter.js";
import { PICTURE_FONT, SvgPen, cents, xml, xmlText } from "../shared/svg_pen.js";
import { digits, toPixel } from "../shared/window.js";

const AROUND = 14; // pixels around title and legend
const MOST_NAMED = 40; // selected objects that are named at most

/** A name for the file: the model and the iteration, in letters that every system takes. */
export function fileName({ model_name, iteration }, ending) {
  const parts = [
    model_name || "map",
    iteration === null || iteration === undefined ? "" : `iteration ${Math.round(iteration)}`,
  ];
  return `${
    parts
      .join(" ")
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 80) || "map"
  }.${ending}`;
}

/** Where legend, title and facts lie around the map, in CSS pixels; drawn by whichever pen. */
function surround(pen, shot) {
  const {
    title,
    facts,
    size: [width, height],
    theme,
    entries,
    scale,
  } = shot;
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  let top = AROUND;
  const line = (text, font, size, color) => {
    if (!text) return;
    pen.font = `${font} ${size}px ${PICTURE_FONT}`;
    pen.fillStyle = color;
    pen.fillText(clipped(pen, text, width - 2 * AROUND), AROUND, top + 0.85 * size);
    top += 1.35 * size;
  };
  line(title, "600", 17, theme.text);
  line(facts, "400", 13, theme.text);
  const map = top + 6;
  let [x, y] = [AROUND, map + height + AROUND];
  pen.font = `400 13px ${PICTURE_FONT}`;
  for (const { name, shape, color } of entries) {
    const text = clipped(pen, name, Math.min(220, width - 3 * AROUND));
    const wide = 18 + pen.measureText(text).width + 16;
    if (x + wide > width - AROUND && x > AROUND) [x, y] = [AROUND, y + 20];
    pen.save();
    pen.fillStyle = color;
    shot.stamp(pen, shape, x + 7, y + 6);
    pen.restore();
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

/** A text with as many letters as find room. */
function clipped(pen, text, room) {
  const letters = [...String(text).slice(0, 400)];
  if (pen.measureText(letters.join("")).width <= room) return letters.join("");
  while (letters.length > 1 && pen.measureText(`${letters.join("")}…`).width > room) letters.pop();
  return `${letters.join("")}…`;
}

/** All that a picture shows, apart from the view that it is of. */
export function shotOf(view) {
  const { hub, model, coloring, theme, objects } = view;
  const facts = hub.shownFacts();
  const { iteration, cost, model_name } = facts;
  const said = [
    model_name,
    iteration === null || iteration === undefined ? "" : `iteration ${Math.round(iteration)}`,
    cost === null || cost === undefined ? "" : `cost ${digits(cost)} nats`,
    model.get("axes_note"),
  ];
  const labels = coloring.channel === "label";
  const unit = coloring.channel === "cost" ? " nats" : "";
  return {
    title: model.get("title") || "",
    facts: said.filter(Boolean).join(" · "),
    size: view.size,
    theme,
    entries: labels
      ? entriesOf(objects).map(({ key, name }) => ({
          name,
          shape: coloring.shape(key),
          color: coloring.color(key, theme.dark),
        }))
      : [],
    scale: coloring.range
      ? { low: digits(coloring.range[0], 3), high: `${digits(coloring.range[1], 3)}${unit}` }
      : null,
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
    const text = clipped(pen, name, 200);
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
  const shot = {
    ...shotOf(view),
    stamp: (pen, shape, x, y) => {
      pen.translate(x, y);
      traceShape(pen, shape, 4.6);
      pen.fill();
    },
  };
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
  const { whole: tall } = surround(around, shot); // once to measure, once to paint: resizing clears a canvas
  whole.width = Math.round(width * ratio);
  whole.height = Math.round(tall * ratio);
  around.scale(ratio, ratio);
  around.fillStyle = `rgb(${view.theme.ground.join(",")})`;
  around.fillRect(0, 0, width, tall);
  const { map: top } = surround(around, shot);
  around.drawImage(map, 0, top, width, height);
  return whole;
}

/** The points in the window, in groups that look alike, those that stand out last. */
function svgPoints(view) {
  const { coloring, ranks, chosen } = view.look();
  const {
    theme,
    letters,
    scatter: { radius },
  } = view;
  const ground = `rgb(${theme.ground.join(",")})`;
  const groups = new Map();
  const count = view.points.length / 2;
  for (let k = 0; k < count; k++) {
    const i = ranks ? ranks.order[k] : k;
    const [x, y] = toPixel(view.window, view.points[2 * i], view.points[2 * i + 1], ...view.size);
    if (!(x > -9 && y > -9 && x < view.size[0] + 9 && y < view.size[1] + 9)) continue;
    const [level, key] = [ranks ? ranks.levels[i] : PLAIN, coloring.keys ? coloring.keys[i] : 0];
    const name = `${level} ${key}`;
    if (!groups.has(name)) groups.set(name, { level, key, places: [] });
    groups.get(name).places.push([cents(x), cents(y)]);
  }
  return [...groups.values()]
    .sort((a, b) => a.level - b.level)
    .map(({ level, key, places }) => {
      const letter = letters ? coloring.letter(key) : undefined;
      const look = { fill: coloring.color(key, theme.dark), opacity: OPACITY[level] < 1 ? OPACITY[level] : undefined };
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
        : radius > 2
          ? { stroke: ground, "stroke-width": 0.7 }
          : {};
      return xml(
        "g",
        { ...look, ...edge },
        rings,
        places.map(([x, y]) => xml("use", { href: `#nsne-${coloring.shape(key)}`, x, y })),
      );
    });
}

/** The present view as the text of an SVG drawing. */
export function svgText(view) {
  const [width, height] = view.size;
  const shot = {
    ...shotOf(view),
    stamp: (pen, shape, x, y) =>
      pen.parts.push(xml("use", { href: `#nsne-legend-${shape}`, x, y, fill: pen.fillStyle })),
  };
  const around = SvgPen.make();
  const { map, whole } = surround(around, shot);
  const above = SvgPen.make();
  view.paintPanels(above);
  writeNames(above, view, shot.names);
  const defs = [...SHAPES, classShape(UNLABELED)].flatMap((shape) => [
    xml("path", { id: `nsne-${shape}`, d: shapePath(shape, Math.max(view.scatter.radius, 0.55)) }),
    xml("path", { id: `nsne-legend-${shape}`, d: shapePath(shape, 4.6) }),
  ]);
  const size = { width: cents(width), height: cents(whole), viewBox: `0 0 ${cents(width)} ${cents(whole)}` };
  return `${xml(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, "font-family": PICTURE_FONT },
    xml("title", {}, xmlText([shot.title, shot.facts].filter(Boolean).join(": "))),
    xml("defs", {}, ...defs),
    xml("rect", { width: "100%", height: "100%", fill: `rgb(${view.theme.ground.join(",")})` }),
    around.parts,
    xml(
      "svg",
      { y: cents(map), width: cents(width), height: cents(height), overflow: "hidden" },
      svgPoints(view),
      above.parts,
    ),
  )}\n`;
}

/** Let the reader save a blob under a name. */
export function saveBlob(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link); // some browsers only follow links of the page
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
