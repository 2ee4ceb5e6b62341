// Several maps in a page that computes: what is packed for views, and how a run of them is told.

import assert from "node:assert/strict";
import test from "node:test";

import { ExplorerHub } from "../../notebook_sne/browser/frontend/explorer/hub.js";
import { readMixture } from "../../notebook_sne/browser/frontend/explorer/mixture.js";
import {
  isMixture,
  middleOf,
  packMap,
  packMixture,
  proportionsOf,
  sizesOf,
} from "../../notebook_sne/browser/frontend/live_page/maps.js";
import { eachIs } from "./each.mjs";
import { livePage, recipes } from "./live.mjs";
import { MockClock } from "./mocks.mjs";

const [M, N] = [3, 5];
const recipe = { ...recipes(N).SNE, id: "AspectMaps", label: "aspect maps", kind: "aspects", n_maps: M };
const theta = Float64Array.from({ length: 3 * M * N + 1 }, (_, k) => 3 * Math.sin(7 * k + 1));

test("points and weights stand in pairs, those of one map without weights", () => {
  assert.deepEqual(sizesOf(recipe, N), { points: 15, pairs: 23 });
  assert.deepEqual(sizesOf({ kind: "student", n_maps: 1 }, N), { points: 5, pairs: 5 });
  eachIs(["sne", "joint aspects", "multiple"], (kind) => isMixture({ kind }), [false, true, true]);
});

test("proportions are the softmax of the weights, however large these are", () => {
  const shares = proportionsOf(theta, M, N);
  for (let i = 0; i < N; i++) {
    const powers = [0, 1, 2].map((m) => Math.exp(theta[2 * M * N + m * N + i]));
    const sum = powers.reduce((a, b) => a + b);
    powers.forEach((power, m) => assert.ok(Math.abs(shares[m * N + i] - power / sum) < 1e-15));
  }
  const far = theta.map((w) => 1e4 * w);
  assert.ok(proportionsOf(far, M, N).every((share) => share >= 0 && share <= 1));
});

test("an explorer is told all maps around their middles, a player the first", () => {
  const x = readMixture(new Float32Array(packMixture(recipe, theta, N).buffer), "gaussian");
  assert.deepEqual([x.M, x.N, x.d], [M, N, 2]);
  for (let m = 0; m < M; m++) {
    const middle = middleOf(theta, m, N);
    for (let k = 0; k < 2 * N; k++)
      assert.equal(x.maps[2 * m * N + k], Math.fround(theta[2 * m * N + k] - middle[k % 2]));
  }
  assert.deepEqual([...x.mixing], [...Float32Array.from(proportionsOf(theta, M, N))]);
  const first = new Float32Array(packMap(theta, N, middleOf(theta, 0, N)).buffer);
  assert.deepEqual([...first], [...x.maps.subarray(0, 2 * N)]);
  const one = readMixture(
    new Float32Array(packMixture(recipes(N).SNE, theta.subarray(0, 2 * N), N).buffer),
    "gaussian",
  );
  assert.deepEqual([one.M, ...one.mixing], [1, 1, 1, 1, 1, 1]);
  assert.deepEqual([...one.maps], [...first]);
});

/** An explorer's page of one map of n objects: its hub, and what it was told. */
function explorerPage() {
  const page = livePage({ plan: { shows: "maps" }, traits: { knobs: [], threshold: 0.1 } });
  const told = [];
  page.model.on("msg:custom", (message) => told.push(message));
  const hub = new ExplorerHub(page.model, page.clock);
  hub.add({ update() {}, paint: () => false });
  page.run(50);
  return { ...page, hub, told };
}

test("an explorer gets new maps a few times a second, and the last one at once", () => {
  const page = explorerPage();
  page.model.run.control.recipe.max_iter = 400;
  page.model.run.control.limit = 400;
  const before = page.told.length;
  page.order(1000, "play");
  const frames = page.told.slice(before).filter(({ kind }) => kind === "frame").length;
  assert.ok(frames >= 3 && frames <= 6, `${frames}`);
  const { iteration } = page.model.run.control.moment;
  assert.ok(iteration > 50);
  page.order(40, "pause");
  assert.deepEqual(
    [page.hub.facts.status, page.hub.facts.iteration],
    ["paused", page.model.run.control.moment.iteration],
  );
  assert.equal(page.hub.points.length, 3 + 3 * 18);
  assert.equal(page.hub.at, page.hub.facts.iteration);
  assert.ok(page.hub.trace.costs.length >= 3);
});

test("an explorer steps, begins anew and turns knobs", () => {
  const page = explorerPage();
  const { hub } = page;
  assert.equal(hub.steers, true);
  for (let k = 0; k < 3; k++) page.order(60, "step");
  assert.equal(hub.facts.iteration, 3);
  hub.turn("momentum", 0.3);
  assert.deepEqual(hub.knob("momentum"), { value: 0.3, turned: true });
  page.run(50);
  page.order(60, "step");
  assert.deepEqual([hub.facts.present.momentum, hub.facts.turned], [0.3, ["momentum"]]);
  hub.release(["momentum"]);
  page.run(50);
  page.order(60, "step");
  assert.deepEqual([hub.facts.present.momentum, hub.knob("momentum")], [0.5, { value: 0.5, turned: false }]);
  page.order(100, "restart");
  assert.deepEqual([hub.facts.status, hub.facts.iteration, hub.trace.iterations], ["paused", 0, [0]]);
});

test("an explorer of a fit that a notebook follows is not steered", () => {
  const traits = { live: true, key: "k", moment: 0, status: "running" };
  const model = { get: (name) => traits[name], set() {}, save_changes() {}, send() {}, on() {}, off() {} };
  const hub = new ExplorerHub(model, new MockClock());
  assert.equal(hub.steers, false);
  hub.stop();
});
