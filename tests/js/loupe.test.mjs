// The loupe over the springs: when it is worth its room, how large it shows things, and where it lies.
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./mocks.mjs";

const { bordering, enlargement, leastCovering, loupeSide, quantile } = await load("player/panels/loupe.js");
const { uncovered } = await load("player/map/closed.js");
const { atRest, springLines } = await load("player/panels/spring_lines.js");

/** 24 pulls and 24 pushes of object 0, the strongest first, to objects at a distance around it. */
function springs(far) {
  const points = new Float32Array(2 * 49);
  for (let j = 1; j < 49; j++) points.set([far * Math.cos(j), far * Math.sin(j)], 2 * j);
  const some = (first) => Array.from({ length: 24 }, (_, k) => [first + k, 1 / (k + 1), 0.1, 0.1]);
  return { news: { of: 0, pull: some(1), push: some(25) }, points };
}
const WINDOW = { x: 0, y: 0, width: 10 };
const SIZE = [800, 600];

test("at rest few springs are drawn, far out all that are known, and in between no jump", () => {
  const shown = (far) => {
    const { news, points } = springs(far);
    return atRest(news, points, WINDOW, SIZE);
  };
  const [rest, out] = [shown(0.3), shown(4)]; // 24 and 320 pixels
  assert.deepEqual([rest.pull.length, rest.push.length, rest.apart], [12, 6, 0]);
  assert.deepEqual([out.pull.length, out.push.length, out.apart, out.widest], [24, 24, 1, 7]);
  assert.ok(rest.widest < out.widest);
  assert.deepEqual(
    rest.pull.map(([j]) => j),
    Array.from({ length: 12 }, (_, k) => k + 1),
    "the strongest",
  );
  const counts = [0.8, 0.95, 1.1, 1.3, 1.5, 1.7, 2].map((far) => shown(far).pull.length);
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => a - b),
  );
  assert.ok(counts.some((n) => n > 12 && n < 24));
  const { news, points } = springs(4);
  const before = springLines(news, points, WINDOW, SIZE);
  assert.deepEqual(springLines(out, points, WINDOW, SIZE, out.widest), before, "far out all is drawn as ever");
});

test("a loupe enlarges until the springs fill it, and is left out where the map shows as much", () => {
  assert.equal(enlargement([10, 10, 10, 10], 200), 10);
  assert.equal(enlargement([80, 80, 80], 200), 1);
  assert.equal(enlargement([], 200), 1);
  assert.ok(Number.isFinite(enlargement([0, 0], 200)), "objects that coincide");
  assert.equal(quantile([3, 1, 2], 0.5), 2);
  assert.deepEqual([loupeSide([390, 460]), loupeSide([3000, 2000])], [150, 300]);
});

test("a loupe lies where it covers least, inside the map, and stays while another place is little better", () => {
  const boxes = bordering([180, 180], SIZE);
  for (const { left, top, width, height } of boxes) {
    assert.ok(left >= 0 && top >= 0 && left + width <= 800 && top + height <= 600);
  }
  for (const { left, top } of bordering([180, 180], SIZE, { top: 50, right: 60, bottom: 90 })) {
    assert.ok(left + 180 <= 740 && top >= 50 && top + 180 <= 510, "clear of what lies over the map");
  }
  const spread = (i) => [(i * 37) % 800, (i * 91) % 300]; // all in the upper half
  const low = leastCovering(boxes, [], 500, spread);
  assert.ok(boxes[low].top > 300);
  const shut = [{ left: 0, top: 300, width: 420, height: 300 }];
  const right = leastCovering(boxes, shut, 500, spread);
  assert.ok(boxes[right].left > 400 && boxes[right].top > 300, "what is closed is not covered");
  const near = leastCovering(boxes, [], 500, spread, -1, [790, 500]);
  assert.ok(boxes[near].left > 400, "of two free places the nearer");
  const even = (i) => [(i * 37) % 800, (i * 91) % 600];
  assert.equal(leastCovering(boxes, [], 500, even, 5), 5);
  assert.notEqual(leastCovering(boxes, [boxes[5]], 500, even, 5), 5, "it gives way");
  assert.ok(leastCovering(boxes, [], 1e6, even) >= 0);
});

test("no other name is written where the loupe or the name of a spring is", () => {
  const box = (left, top) => ({ box: { left, top, width: 20, height: 10 } });
  const names = [box(0, 0), box(15, 5), box(40, 0)];
  assert.deepEqual(uncovered(names, [{ left: 30, top: 5, width: 20, height: 20 }]), [names[0]]);
  assert.equal(uncovered(names, []), names);
});
