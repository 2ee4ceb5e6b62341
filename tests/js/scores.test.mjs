// Scores of all objects: what they are called, in what they count, and what is said where they are not there.
import assert from "node:assert/strict";
import test from "node:test";

import { install } from "./dom.mjs";
import { Coloring } from "../../notebook_sne/browser/frontend/player/map/colors.js";
import {
  SCORED,
  isScored,
  scaleUnit,
  scoreOf,
  scoreRemark,
  whyNotColored,
} from "../../notebook_sne/browser/frontend/player/map/scores.js";
import { UNLABELED } from "../../notebook_sne/browser/frontend/shared/marks.js";
import { MockModel } from "./mocks.mjs";

install();
const { Legend } = await import("../../notebook_sne/browser/frontend/player/map/legend.js");

const objects = { count: 4, classes: Uint16Array.of(0, 1, 0, 1), classNames: ["a", "b"], values: null, range: [] };
const now = { filmed: false, iteration: 7, goesOn: false, name: (i) => `object ${i}` };
const scoresOf = (of, values, more = {}) => ({
  of,
  iteration: 7,
  low: 0,
  high: 1,
  values: Float32Array.from(values),
  ...more,
});

test("a color that cannot be found has a reason, in a film as in a run of something else", () => {
  const film = new MockModel({ live: false });
  const run = new MockModel({ live: true, uncolored: { distance: "no distances given", recall: "" } });
  for (const channel of Object.keys(SCORED)) assert.equal(whyNotColored(channel, film), "in a live run");
  for (const channel of ["label", "column:year", "none"]) assert.equal(whyNotColored(channel, film), "");
  assert.equal(whyNotColored("distance", run), "no distances given");
  assert.equal(whyNotColored("recall", run), "");
  assert.equal(whyNotColored("perturbation", new MockModel({ live: true })), "");
  assert.ok(isScored("recall") && !isScored("toString") && !isScored("column:recall"));
});

test("the score of an object is told in words, and a missing one, too", () => {
  const costs = scoresOf("cost", [0.25, Number.NaN]);
  assert.equal(scoreOf("cost", costs, 0, " nats"), "cost 0.2500 nats");
  assert.equal(scoreOf("cost", costs, 1, " nats"), "no cost");
  assert.equal(scoreOf("cost", null, 1, " nats"), undefined);
  assert.equal(scoreOf("recall", scoresOf("recall", [0.7]), 0, ""), "70% of its neighbors kept");
  assert.equal(scoreOf("distance", scoresOf("distance", [3, 0], { index: 1 }), 0, ""), "3.000 away in the data");
  assert.equal(scoreOf("perturbation", scoresOf("perturbation", [Number.NaN]), 0, ""), "not yet found");
});

test("old scores, and those of another moment of the film, say so", () => {
  const kept = scoresOf("recall", [1, 0, 1, 0.5], { iteration: 3 });
  assert.equal(scoreRemark("recall", kept, now), "of step 3");
  assert.match(scoreRemark("recall", kept, { ...now, iteration: 3 }), /nearest in the data/);
  assert.equal(scoreRemark("cost", scoresOf("cost", [1]), now), "");
  assert.equal(scoreRemark("recall", null, now), "Being found…");
  assert.match(scoreRemark("recall", kept, { ...now, filmed: true }), /^These are .* go back to now/);
  assert.match(scoreRemark("cost", null, { ...now, filmed: true }), /^Costs are /);
  assert.equal(
    scoreRemark("distance", scoresOf("distance", [0], { index: 2 }), { ...now, filmed: true }),
    "from object 2",
  );
});

test("the legend has the scale, its unit, and how many objects have no score", () => {
  const legend = new Legend(objects, { changed() {}, pick() {} }, new AbortController().signal);
  const coloring = new Coloring(objects);
  const show = (channel, scores, remark = "") => {
    coloring.choose(channel, { hidden: false, live: true, scores });
    legend.update(coloring, remark, " nats");
    return [legend.low.textContent, legend.high.textContent, legend.unit.textContent, legend.none.textContent];
  };
  const kept = scoresOf("recall", [1, 0.1, Number.NaN, 0.4], { k: 5 });
  assert.deepEqual(show("recall", kept), ["0%", "100%", "of 5 nearest", "no neighbors (1)"]);
  assert.equal(coloring.keys[2], UNLABELED);
  assert.deepEqual(
    [legend.heading, legend.list.hidden, legend.scale.hidden, legend.none.hidden],
    ["Neighbors kept", true, false, false],
  );
  assert.deepEqual(show("cost", scoresOf("cost", [0, 1, 0, 0.5])), ["0.00", "1.00", "nats", ""]);
  assert.equal(legend.none.hidden, true);
  show("label", null);
  assert.deepEqual([legend.list.hidden, legend.scale.hidden, legend.heading], [false, true, "Labels"]);
  show("distance", null, "Point at an object");
  assert.deepEqual([legend.element.hidden, legend.scale.hidden, legend.hint.hidden], [false, true, false]);
  assert.equal(legend.heading, "Distance in the data");
  assert.equal(scaleUnit("perturbation", null, ""), "map units");
});
