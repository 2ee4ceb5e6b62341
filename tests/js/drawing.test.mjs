// A drawing: what is done with it before it is compared, what is said of bad ones, and the field's hands and keys.
import assert from "node:assert/strict";
import test from "node:test";

import { install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { load } from "./mocks.mjs";

install();
const { fault, imageOf } = await load("drawing/ink.js");
const { Field } = await load("drawing/field.js");
const { listener } = await load("shared/elements.js");
const { sentence } = await load("drawing/drawing.js");

const LOOK = { width: 8, height: 8, fill: 8, pen: 1.5, center: [4, 4], white: 16 };
const SEVEN = [[300, 200, 700, 200, 450, 850]];
const moved = (strokes, scale, ...by) => strokes.map((points) => points.map((x, k) => x * scale + by[k % 2]));
const sum = (values) => values.reduce((total, x) => total + x, 0);

test("place and size of a drawing do not count", () => {
  const image = imageOf(SEVEN, LOOK);
  assert.equal(image.length, 64);
  assert.equal(Math.max(...image), 16);
  for (const other of [moved(SEVEN, 1, 200, 100), moved(SEVEN, 0.3, 10, 600), moved(SEVEN, 1.2, -200, -90)]) {
    const apart = sum(imageOf(other, LOOK).map((gray, k) => Math.abs(gray - image[k])));
    assert.ok(apart < 0.02 * sum(image), `${apart}`);
  }
});

test("a drawing fills its box, around its center of mass, in the grays of the data", () => {
  const wide = { ...LOOK, width: 28, height: 28, fill: 20, pen: 2.2, center: [14.5, 14.5], white: 255 };
  const image = imageOf(SEVEN, wide);
  const rows = Array.from({ length: 28 }, (_, row) => sum(image.slice(28 * row, 28 * row + 28)));
  const high = rows.findLastIndex(Boolean) - rows.findIndex(Boolean) + 1;
  assert.ok(high === 20 || high === 21, `${high}`); // one more where it begins within a row
  const mass = sum(image);
  assert.ok(Math.abs(sum(rows.map((gray, row) => gray * (row + 0.5))) / mass - 14.5) < 0.5);
  assert.ok(Math.abs(sum([...image].map((gray, k) => (gray * ((k % 28) + 0.5)) / mass)) - 14.5) < 1);
  const level = imageOf([[100, 500, 900, 500]], LOOK); // a line has no height
  assert.deepEqual(
    [...level].filter((gray, k) => gray && ![3, 4].includes(Math.floor(k / 8))),
    [],
  );
});

test("bad drawings get their sentence", () => {
  const full = [Array.from({ length: 80 }, (_, k) => [k % 2 ? 1000 : 0, 25 * Math.floor(k / 2)]).flat()];
  eachIs([[], [[]], [[500, 500]], [[500, 500, 540, 500]], full, SEVEN], fault, [
    "Draw in the square.",
    "Draw in the square.",
    "This is a dot. Draw a line that is longer.",
    "This is a dot. Draw a line that is longer.",
    "The square is full of ink, so no shape is left. Clear it, and draw single lines.",
    "",
  ]);
});

test("a pointer draws lines, other buttons and other fingers none, and a hand that goes on comes to an end", () => {
  const said = [];
  const field = new Field(listener(new AbortController().signal), (strokes) => said.push(strokes));
  field.element.getBoundingClientRect = () => ({ left: 10, top: 20, width: 200, height: 200 });
  const at = (clientX, clientY, more = {}) => ({ button: 0, isPrimary: true, pointerId: 1, clientX, clientY, ...more });
  field.element.fire("pointermove", at(60, 60));
  field.element.fire("pointerdown", at(60, 60, { button: 2 }));
  field.element.fire("pointerdown", at(60, 60, { isPrimary: false }));
  field.element.fire("pointerup", at(60, 60));
  assert.deepEqual(said, []);
  field.element.fire("pointerdown", at(60, 70));
  field.element.fire("pointermove", at(60.5, 70)); // nearly where it was
  field.element.fire("pointermove", at(110, 400)); // beyond the field
  field.element.fire("pointerup", at(110, 400));
  assert.deepEqual(said, [[[250, 250, 500, 1000]]]);
  field.element.fire("pointerdown", at(60, 70));
  for (let k = 0; k < 1100; k++) field.element.fire("pointermove", at(10 + (k % 2) * 100, 70));
  field.element.fire("pointerup", at(60, 70));
  assert.equal(said[1].flat().length, 2000);
});

test("arrow keys draw, and with Shift they go to where another line begins", () => {
  const said = [];
  const field = new Field(listener(new AbortController().signal), (strokes) => said.push(strokes));
  const press = (key, more = {}) => field.element.fire("keydown", { key, ...more });
  press("ArrowRight");
  press("ArrowDown");
  press("ArrowLeft", { shiftKey: true });
  press("ArrowUp", { ctrlKey: true });
  press("x");
  press("ArrowDown");
  assert.deepEqual(said[2], [
    [500, 250, 550, 250, 550, 300],
    [500, 300, 500, 350],
  ]);
});

test("the nearest are counted by class", () => {
  assert.equal(sentence(["3", "8", "3"]), "The nearest is of class 3. Of the 3 nearest: 2 × 3, 1 × 8.");
  assert.equal(sentence([]), "Its nearest objects are below.");
});
