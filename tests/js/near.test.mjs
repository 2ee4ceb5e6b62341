// Which object is under the pointer, where there are very many.
import assert from "node:assert/strict";
import test from "node:test";

import { load, numbers } from "./mocks.mjs";

const { Near } = await load("player/map/near.js");
const { fitting, nearest } = await load("shared/window.js");

const N = 40000;
const SIZE = [600, 400];
const next = numbers(7);
const clouds = {
  "an even cloud": () => [10 * next(), 4 * next()],
  "ten clusters": (i) => [(i % 10) + 0.1 * next() * next(), Math.sin(i % 10) + 0.1 * next()],
  "one object far away": (i) => (i ? [next(), next()] : [900, -900]),
  "many in the same places": () => [Math.round(20 * next()), Math.round(10 * next())],
  "a line": () => [next(), 0],
  "all in one place": () => [3, 3],
  "some without a place": (i) => (i % 7 ? [next(), next()] : [Number.NaN, i % 2 ? 1 : Number.NaN]),
  "none with a place": () => [Number.NaN, Number.NaN],
  "one at infinity": (i) => (i === 5 ? [Infinity, 0] : [next(), next()]),
};

const clock = { now: 0, performance: { now: () => clock.now } };

for (const [name, place] of Object.entries(clouds)) {
  test(`a grid finds what a look at each object finds: ${name}`, () => {
    const points = new Float32Array(Array.from({ length: N }, (_, i) => place(i)).flat());
    const near = new Near(clock);
    near.take(points);
    clock.now += 1000;
    const whole = fitting(points.filter(Number.isFinite), ...SIZE);
    const windows = [whole, { ...whole, width: whole.width / 30 }, { ...whole, x: whole.x + whole.width }];
    // A window around an object, much enlarged.
    windows.push({ x: points[2 * 77], y: points[2 * 77 + 1], width: whole.width / 3000 });
    let found = 0;
    for (const window of windows) {
      for (let k = 0; k < 100; k++) {
        const at = [700 * next() - 50, 500 * next() - 50];
        const reach = k % 2 ? 10 : 60;
        const answer = near.find(window, points, ...at, SIZE, reach);
        assert.equal(answer, nearest(window, points, ...at, ...SIZE, reach));
        found += answer >= 0;
      }
    }
    assert.equal(found > 0, name !== "none with a place");
    assert.equal(Boolean(near.grid), !name.startsWith("none") && !name.includes("infinity"));
  });
}

test("a grid is made when somebody asks while the map rests, and dropped when it moves", () => {
  const cloud = () => Float32Array.from({ length: 2 * N }, next);
  const near = new Near(clock);
  let points = cloud();
  const window = fitting(points, ...SIZE);
  const ask = () => near.find(window, points, 300, 200, SIZE, 10);
  near.take(points);
  assert.equal(near.grid, undefined);
  ask();
  assert.equal(near.grid, undefined, "it has just moved");
  clock.now += 1000;
  assert.equal(near.grid, undefined, "nobody asks");
  ask();
  const { grid } = near;
  assert.ok(grid);
  ask();
  near.take(points); // painted again
  assert.equal(near.grid, grid);
  points = cloud();
  near.take(points);
  assert.equal(near.grid, undefined);
  // Of few objects there is none.
  const few = points.slice(0, 20000);
  near.take(few);
  clock.now += 1000;
  assert.equal(near.find(window, few, 300, 200, SIZE, 10), nearest(window, few, 300, 200, ...SIZE, 10));
  assert.equal(near.grid, undefined);
});
