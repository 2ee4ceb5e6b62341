// How large a figure is on a slide.

import assert from "node:assert/strict";
import { test } from "node:test";

import { enlarged, sizeOf } from "../../notebook_sne/browser/frontend/deck/figures.js";

const plot = (width, height, more = {}) => ({
  name: "Figure",
  attributes: { frame_width: width, frame_height: height, ...more },
});

test("the size of a figure is that of its plots, side by side and one below the other", () => {
  const [across, high] = sizeOf(plot(300, 200));
  assert.ok(across > 300 && high > 200, "axes and a title have room");
  const row = { name: "Row", attributes: { children: [plot(300, 200), plot(300, 250)] } };
  assert.deepEqual(sizeOf(row), [2 * across, high + 50]);
  const column = { name: "Column", attributes: { children: [row, plot(300, 200)] } };
  assert.deepEqual(sizeOf(column), [2 * across, 2 * high + 50]);
  const grid = {
    name: "GridPlot",
    attributes: {
      children: [
        [plot(300, 200), 0, 0],
        [plot(300, 200), 1, 0],
      ],
    },
  };
  assert.deepEqual(sizeOf(grid), [across, 2 * high]);
  assert.ok(sizeOf(plot(300, 200, { right: [{ name: "Legend", attributes: {} }] }))[0] > across);
});

test("a figure grows with its letters, lines and marks, and keeps what is no length", () => {
  const axis = { name: "LinearAxis", attributes: { major_label_text_font_size: "10pt" } };
  const glyph = {
    name: "Scatter",
    attributes: { size: { type: "value", value: 4 }, line_width: { type: "field", field: "w" }, x: { field: "x" } },
  };
  const figure = {
    doc: { roots: [plot(300, 200, { left: [axis], renderers: [glyph], title: { name: "Title", attributes: {} } })] },
  };
  const { attributes } = enlarged(figure, [2, 3], 2.5).doc.roots[0];
  assert.deepEqual([attributes.frame_width, attributes.frame_height], [600, 600]);
  assert.equal(attributes.title.attributes.text_font_size, "32.5px");
  assert.equal(axis.attributes.major_label_text_font_size, "25.0pt");
  assert.equal(axis.attributes.axis_label_text_font_size, "32.5px");
  assert.deepEqual(glyph.attributes.size, { type: "value", value: 8 });
  assert.deepEqual(glyph.attributes.line_width, { type: "field", field: "w" });
});
