// A figure of Bokeh's library, as the JSON that it draws, made to fit a narrow window: plots shrink, and what stands side by
// side stands one below the other.

const BESIDE = 90; // pixels beside the frame of a plot: its axis, and the numbers there
const LEAST = 180; // pixels of a frame

/** @typedef {{name?: string, attributes?: Record<string, any>}} Part */

/** All parts of a figure. @param {any} part @returns {Part[]} */
function partsOf(part) {
  if (!part || typeof part !== "object") return [];
  const inside = Object.values(part).flatMap(partsOf);
  return !Array.isArray(part) && part.attributes ? [part, ...inside] : inside;
}

/** @param {Part} plot */
const frameOf = ({ attributes }) => attributes?.frame_width ?? attributes?.width;

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
    const across = inside.reduce((sum, plot) => sum + frameOf(plot) + BESIDE, 0) / rows;
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
  }
  return figure;
}
