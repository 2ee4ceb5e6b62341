// A figure of Bokeh's library, as the JSON that it draws, made to fit a narrow window: plots shrink, titles break into lines,
// and what stands side by side, also a legend beside its plot, stands one below the other.

const BESIDE = 90; // pixels beside the frame of a plot: its axis, and the numbers there
const NAMED = 60; // pixels more, where a scale of colors has a name
const LEAST = 180; // pixels of a frame
const LETTER = 10; // pixels of a letter of a title, which is large and bold

/** @typedef {{name?: string, attributes?: Record<string, any>}} Part */

/** All parts of a figure. @param {any} part @returns {Part[]} */
export function partsOf(part) {
  if (!part || typeof part !== "object") return [];
  const inside = Object.values(part).flatMap(partsOf);
  return !Array.isArray(part) && part.attributes ? [part, ...inside] : inside;
}

/** @param {Part} plot */
const frameOf = ({ attributes }) => attributes?.frame_width ?? attributes?.width;

/** Pixels beside a plot. @param {Part} plot */
const besideOf = ({ attributes }) =>
  BESIDE +
  (attributes?.right?.some((/** @type {Part} */ part) => part.name === "ColorBar" && part.attributes?.title)
    ? NAMED
    : 0);

/** A text in lines of at most so many letters, broken between words. @param {string} text @param {number} most */
function inLines(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const given of text.split("\n")) {
    const before = lines.length; // a line of its own stays one
    for (const word of given.split(" ")) {
      const longer = lines.length > before ? `${lines[lines.length - 1]} ${word}` : word;
      if (lines.length > before && longer.length <= most) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
  }
  return lines.join("\n");
}

/** @param {any} figure  changed @param {number} width  pixels that there are @returns {any} the same */
export function fitted(figure, width) {
  const parts = partsOf(figure.doc?.roots);
  const plots = parts.filter((part) => part.name === "Figure" && frameOf(part));
  for (const part of parts) {
    const { attributes = {} } = part;
    if (part.name !== "Row" && part.name !== "GridPlot") continue;
    const inside = plots.filter((plot) => partsOf(attributes.children).includes(plot));
    const rows =
      part.name === "Row" ? 1 : 1 + Math.max(...attributes.children.map((/** @type {any} */ [, row]) => row));
    const across = inside.reduce((sum, plot) => sum + frameOf(plot) + besideOf(plot), 0) / rows;
    if (across <= width) continue;
    if (part.name === "Row") part.name = "Column";
    else
      attributes.children = attributes.children.map((/** @type {any} */ [plot], /** @type {number} */ k) => [
        plot,
        k,
        0,
      ]);
  }
  for (const { attributes = {} } of plots) {
    for (const [across, high] of [
      ["frame_width", "frame_height"],
      ["width", "height"],
    ]) {
      // biome-ignore format: pairs
      const [now, most] = [attributes[across], Math.max(width - (across === "width" ? 0 : BESIDE), LEAST)];
      if (!now || now <= most) continue;
      // A map keeps its shape; of a curve the height stays.
      if (attributes[high] >= 0.8 * now) attributes[high] = Math.round((attributes[high] * most) / now);
      attributes[across] = most;
    }
    const isLegend = (/** @type {Part} */ part) => part.name === "Legend";
    const beside = (attributes.right ?? []).filter(isLegend);
    if (beside.length && frameOf({ attributes }) + 2 * BESIDE > width) {
      attributes.right = attributes.right.filter((/** @type {Part} */ part) => !isLegend(part));
      attributes.below = [...(attributes.below ?? []), ...beside];
    }
    // The text of a title or of a note above or below, or what holds it, which Bokeh writes as a part of its own.
    const across = Math.min(frameOf({ attributes }), width) + BESIDE / 2;
    for (const part of [attributes.title, ...(attributes.above ?? []), ...(attributes.below ?? [])]) {
      const held = part?.name === "Title" ? partsOf(part).map((inner) => inner.attributes) : [];
      const told = held.find((inner) => typeof inner?.text === "string");
      const letter =
        LETTER * (part === attributes.title ? 1 : Number.parseFloat(part?.attributes?.text_font_size) / 16);
      if (told) told.text = inLines(told.text, Math.floor(across / (letter || LETTER)));
    }
  }
  return figure;
}
