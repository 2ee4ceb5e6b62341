// The loupe: where springs are too short to be told apart, their surroundings are enlarged in the freest corner.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
const load = (name) => import(new URL(`../../notebook_sne/frontend/player/${name}`, import.meta.url));
const { cutOff, fewOf, isFarOut, loupeFor, marksIn, reachOf } = await load("panels/loupe.js");
const { Stage } = await load("stage.js");

/** A stage of 600 x 400 pixels, 6 map units wide. @param {number[]} points */
function stageOf(points) {
  const stage = new Stage();
  Object.assign(stage, { size: [600, 400], points: Float32Array.from(points) });
  Object.assign(stage.window, { x: 0, y: 0, width: 6 });
  return stage;
}
const springs = (...strengths) => strengths.map((strength, k) => [k + 1, strength]);
const news = { of: 0, pull: springs(4, 3, 2, 1), push: springs(1, 1) };

test("few springs are those that make up most of the force", () => {
  const { pull, push } = fewOf({ of: 0, pull: springs(10, 5, 1, 1, 1), push: springs(...Array(20).fill(1)) });
  assert.deepEqual(
    pull.map(([, strength]) => strength),
    [10, 5],
    "10 + 5 are more than four fifths of 18",
  );
  assert.equal(push.length, 4, "never more than can be told apart");
});

test("short springs are enlarged so that they fill the loupe, long ones are not", () => {
  const near = stageOf([0, 0, 0.1, 0, 0, 0.1, -0.1, 0, 0, -0.1]); // 10 pixels away
  const loupe = loupeFor(news, near, -1);
  assert.ok(loupe.power > 5 && loupe.power <= 14);
  assert.ok(loupe.reach >= 10 && loupe.reach < 20, "all that they reach is in it");
  assert.ok(Math.abs(loupe.side / (2 * loupe.reach) - loupe.power) < 1e-9);
  assert.ok(!isFarOut(reachOf(news, near), near));
  const far = stageOf([0, 0, 1.8, 0, 0, 1.8, -1.8, 0, 0, -1.8]);
  assert.equal(loupeFor(news, far, -1), null);
  assert.ok(isFarOut(reachOf(news, far), far));
});

test("it lies in a free corner within the stage, away from the springs, and stays there", () => {
  const cluster = Array.from({ length: 200 }, (_, k) => [-2.2 + 0.01 * (k % 20), 1.2 + 0.01 * (k % 17)]).flat();
  const stage = stageOf([1.5, 1, 1.6, 1, 1.5, 1.1, 1.4, 1, 1.5, 0.9, ...cluster]); // to the upper right
  const loupe = loupeFor(news, stage, -1);
  assert.equal(loupe.corner, 3, "the upper left is full, the upper right holds the object");
  assert.ok(loupe.left >= 0 && loupe.left + loupe.side <= 600 && loupe.top >= 0 && loupe.top + loupe.side <= 400);
  assert.equal(loupeFor(news, stage, 2).corner, 2, "a corner as free as another is kept");
});

test("an object out of view has no loupe, nor has a map too small for one", () => {
  const points = [9, 9, 9.1, 9, 9, 9.1];
  assert.equal(loupeFor(news, stageOf(points), -1), null);
  const tiny = stageOf([0, 0, 0.1, 0, 0, 0.1]);
  tiny.size = [160, 150];
  assert.equal(loupeFor(news, tiny, -1), null);
});

test("its marks are those near the object, which comes last", () => {
  const stage = stageOf([0, 0, 0.1, 0, 0, 0.1, 2, 2]);
  const loupe = loupeFor(news, stage, -1);
  const marks = marksIn(loupe, stage, 0);
  assert.deepEqual(
    marks.map(({ i }) => i),
    [1, 2, 0],
  );
  const { x, y } = marks[2];
  assert.ok(Math.abs(x - loupe.left - loupe.side / 2) < 1e-3 && Math.abs(y - loupe.top - loupe.side / 2) < 1e-3);
});

test("a line that leaves it ends at its border, in its own direction", () => {
  const loupe = { left: 100, top: 50, side: 100 };
  assert.deepEqual(cutOff(loupe, [150, 100], [160, 110]), [160, 110]);
  const [x, y] = cutOff(loupe, [150, 100], [350, 150]);
  assert.ok(Math.abs(x - 198) < 1e-9 && Math.abs((y - 100) / (x - 150) - 0.25) < 1e-9);
  assert.deepEqual(cutOff(loupe, [150, 100], [150, -100]), [150, 52]);
});
