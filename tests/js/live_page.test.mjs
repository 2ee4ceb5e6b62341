// The run of a page that computes, behind the player's own hub.

import assert from "node:assert/strict";
import test from "node:test";

import { whyUseless } from "../../notebook_sne/browser/frontend/live_page/diagnostics.js";
import { settingsAt } from "../../notebook_sne/browser/frontend/live_page/schedules.js";
import { Kept } from "../../notebook_sne/browser/frontend/live_page/series.js";
import { groups, livePage, recipes, standing } from "./live.mjs";
import { packFilm } from "./mocks.mjs";

const positions = ({ engine }) => [...engine.positions()];
const status = ({ hub }) => hub.facts.status;

test("a page stands where the run stood, and plays to the end of the model's updates", () => {
  const page = livePage();
  assert.deepEqual([status(page), page.hub.facts.iteration, page.hub.live], ["paused", 0, true]);
  page.order(60, "play");
  assert.equal(status(page), "running");
  page.run(3000);
  assert.deepEqual([status(page), page.hub.facts.iteration], ["finished", 40]);
  assert.ok(page.hub.facts.cost < 20 && page.hub.film.length > 5 && page.hub.pending === null);
  assert.equal(page.hub.points.length, 36);
  page.order(3000, "play");
  assert.deepEqual([status(page), page.hub.facts.iteration], ["finished", 80]);
});

test("it works in slices, no more often than frames are painted, and rests when nothing is to be done", () => {
  const page = livePage();
  page.command("play");
  const before = page.told.length;
  page.run(160);
  const frames = page.told.slice(before).filter(({ kind }) => kind === "frame").length;
  assert.ok(frames <= 11, `${frames}`);
  assert.ok(page.hub.facts.iteration >= 12 && page.hub.facts.iteration < 40);
  page.run(3000);
  const rest = page.told.length;
  page.run(4100);
  assert.deepEqual(new Set(page.told.slice(rest).map(({ kind }) => kind)), new Set(["heartbeat"]));
  assert.equal(page.told.length - rest, 2);
  assert.equal(page.hub.connected, true);
});

test("while P is made the page answers; a run that is paused meanwhile rests then", () => {
  const page = livePage();
  page.engine.slices = 4000;
  page.hub.turn("perplexity", 7); // another P than the one that stands ready
  page.run(100);
  page.order(200, "play");
  assert.deepEqual([status(page), page.hub.facts.iteration], ["compiling", 0]);
  page.order(50, "pause");
  assert.deepEqual([status(page), page.hub.words()], ["compiling", "pausing…"]);
  page.run(9000);
  assert.deepEqual([status(page), page.hub.facts.iteration], ["paused", 1]);
});

test("a hidden page does nothing, also while P is made, and goes on when it is seen again", () => {
  const page = livePage();
  const { clock, engine } = page;
  engine.slices = 400;
  page.hub.turn("perplexity", 7);
  page.run(100);
  page.order(40, "play");
  assert.equal(status(page), "compiling");
  clock.document.hidden = true; // a browser paints nothing then, and calls nobody who waits for that
  const waiting = [];
  const { requestAnimationFrame } = clock;
  clock.requestAnimationFrame = (f) => waiting.push(f);
  page.run(60); // what was under way
  let slices = 0;
  engine.spend = () => ((slices += 1), (clock.time += 1));
  page.run(5000);
  assert.deepEqual([slices, waiting.length, page.hub.facts.iteration], [0, 1, 0]);
  Object.assign(clock, { requestAnimationFrame });
  clock.document.hidden = false;
  waiting[0]();
  page.run(3000);
  assert.ok(slices > 100 && page.hub.facts.iteration > 0);
});

test("a seek makes an earlier moment again, to the last bit, with the knobs of that time", () => {
  const page = livePage();
  for (let k = 0; k < 13; k++) page.order(40, "step");
  page.hub.turn("learning_rate", 0.02);
  page.run(200);
  for (let k = 0; k < 4; k++) page.order(40, "step");
  const there = [page.hub.facts.iteration, ...positions(page)];
  for (let k = 0; k < 9; k++) page.order(40, "step");
  page.hub.release(["learning_rate"]);
  page.order(40, "step");
  page.order(300, "seek", { iteration: 17 });
  assert.deepEqual([page.hub.facts.iteration, ...positions(page)], there);
  assert.deepEqual([page.hub.facts.turned, page.hub.facts.recorded_to], [["learning_rate"], 27]);
  page.order(60, "step");
  assert.equal(page.hub.facts.recorded_to, 18);
  page.order(300, "seek", { iteration: 3 });
  assert.deepEqual(page.hub.facts.turned, []);
  page.order(100, "seek", { iteration: 99 });
  assert.match(page.hub.facts.message, /iteration must be from 0 to 18, got 99/);
});

test("the run goes on from what a seek has led to as it did before", () => {
  const page = livePage({ first: "TSNE" });
  for (let k = 0; k < 30; k++) page.order(40, "step");
  const end = positions(page);
  page.order(300, "seek", { iteration: 14 });
  for (let k = 0; k < 16; k++) page.order(40, "step");
  assert.deepEqual(positions(page), end);
});

test("where there was no room for what hands did, a seek stops before it, until the run has gone another way", () => {
  const page = livePage();
  for (let k = 0; k < 200; k++) {
    page.hub.hold([3], new Float32Array([k % 7, 1]));
    page.hub.letGo();
    page.order(60, "step");
  }
  const seek = (iteration) => {
    page.order(600, "seek", { iteration });
    return page.hub.facts.iteration;
  };
  assert.ok(seek(30) < 30);
  assert.ok(seek(5) <= 5);
  for (let k = 0; k < 40; k++) page.order(60, "step");
  assert.deepEqual([seek(27), seek(13)], [27, 13]);
});

test("a seek that is given up leaves the run where it was", () => {
  const page = livePage();
  for (let k = 0; k < 29; k++) page.order(40, "step");
  const { update } = page.engine;
  page.engine.update = (...how) => ((page.clock.time += 20), update(...how));
  page.order(18, "seek", { iteration: 29 }); // on its way
  assert.equal(page.model.run.control.status, "running");
  page.model.run.control.restart();
  page.model.wake();
  page.run(200);
  assert.equal(page.hub.facts.iteration, 0);
});

test("knobs are turned and let go, and a new perplexity makes a new P once", () => {
  const page = livePage();
  page.order(60, "step");
  assert.equal(page.engine.found.length, 1);
  page.hub.turn("perplexity", 8);
  page.run(200);
  page.order(60, "step");
  assert.deepEqual(
    [page.engine.found.length, page.hub.facts.present.perplexity, page.hub.facts.turned],
    [2, 8, ["perplexity"]],
  );
  page.hub.release(["perplexity"]);
  page.run(50);
  page.order(60, "step");
  assert.deepEqual([page.engine.found.length, page.hub.facts.present.perplexity, page.hub.facts.turned], [2, 5, []]);
  const texts = page.hub.marks.filter(({ kind }) => kind === "knob").map(({ text }) => text);
  assert.deepEqual(texts, ["perplexity released"]); // the two turns, so near, are one
});

test("a knob that the model or the page does not have is refused in words", () => {
  const page = livePage({ plan: { fixed: { perplexity: "the page holds P alone" } } });
  page.hub.commands.order("set", { knobs: { background: 0.1 } });
  page.run(30);
  assert.match(page.hub.facts.message, /SNE has no knob background here/);
  page.hub.commands.order("set", { knobs: { perplexity: 9 } });
  page.run(30);
  assert.equal(page.hub.facts.message, "the page holds P alone");
  page.order(60, "step");
  assert.deepEqual([page.hub.facts.message, page.hub.facts.turned], ["", []]);
  assert.equal(page.model.get("knobs").find(({ name }) => name === "perplexity").fixed, "the page holds P alone");
});

test("another method goes on from the same positions, its schedules from their beginning", () => {
  const page = livePage();
  for (let k = 0; k < 5; k++) page.order(40, "step");
  const there = positions(page);
  page.hub.turn("momentum", 0.3);
  page.run(150);
  page.order(100, "switch", { model: "UNISNE" });
  assert.deepEqual([status(page), page.hub.facts.iteration, page.hub.facts.model_name], ["paused", 5, "UNISNE"]);
  assert.deepEqual(positions(page), there);
  assert.equal(page.hub.facts.phase, "symmetric");
  assert.ok(page.model.get("knobs").some(({ name }) => name === "background"));
  page.hub.turn("background", 0.4);
  page.run(150);
  page.order(3000, "play");
  assert.deepEqual([page.hub.facts.iteration, page.hub.facts.phase], [45, "background"]);
  page.order(100, "switch", { model: "SNE" });
  assert.deepEqual(page.hub.facts.turned, ["momentum"]);
  page.order(30, "preset", { model: "TSNE" });
  page.order(100, "pause");
  assert.deepEqual([page.hub.facts.model_name, page.hub.facts.recorded_to < 40], ["TSNE", true]);
  assert.deepEqual(page.hub.marks[0].text, "start with t-SNE");
});

test("seeking over a change of methods takes the method of that time", () => {
  const page = livePage();
  for (let k = 0; k < 12; k++) page.order(40, "step");
  const there = positions(page);
  page.command("switch", { model: "TSNE" });
  for (let k = 0; k < 12; k++) page.order(40, "step");
  const later = positions(page);
  page.order(300, "seek", { iteration: 11 });
  assert.equal(page.hub.facts.model_name, "SNE");
  page.order(300, "seek", { iteration: 24 });
  assert.deepEqual([page.hub.facts.model_name, positions(page)], ["TSNE", later]);
  assert.notDeepEqual(there, later);
});

test("objects are dragged, and held while others move", () => {
  const page = livePage();
  page.order(60, "step");
  page.hub.hold([3, 5], new Float32Array([2, 1, -2, 1]));
  page.hub.letGo();
  page.run(100);
  const there = positions(page);
  const shown = page.hub.shownPoints();
  assert.ok(Math.abs(shown[6] - shown[10] - 4) < 1e-5);
  assert.deepEqual(page.hub.marks.at(-1).text, "moved 2 objects");
  page.order(60, "pin", { objects: [5, 3] });
  assert.deepEqual(page.hub.facts.pins, [3, 5]);
  assert.equal(page.hub.marks.at(-1).text, "held: object 3, object 5");
  for (let k = 0; k < 5; k++) page.order(40, "step");
  const after = positions(page);
  assert.deepEqual(after.slice(6, 8), there.slice(6, 8));
  assert.notDeepEqual(after.slice(0, 2), there.slice(0, 2));
  page.order(200, "seek", { iteration: 4 });
  assert.deepEqual(page.hub.facts.pins, [3, 5]);
  page.order(60, "unpin", { objects: [3] });
  assert.deepEqual(page.hub.facts.pins, [5]);
});

test("forces and costs are told while they are asked for, and add up", () => {
  const page = livePage({ first: "TSNE" });
  page.model.set("spring_of", 4);
  page.model.set("color", "cost");
  page.run(1000);
  const { springs } = page.hub;
  const costs = page.hub.scores.get("cost");
  assert.deepEqual([springs.of, springs.iteration, springs.convention, costs.iteration], [4, 0, "joint", 0]);
  assert.ok(Math.abs(costs.values.reduce((a, b) => a + b) - page.engine.cost) < 1e-5);
  const gradient = page.engine.layer(4);
  const [x, y] = gradient.slice(8, 10); // by sums over all pairs in single precision
  assert.ok(Math.hypot(springs.net[0] + x, springs.net[1] + y) < 1e-6 * Math.hypot(x, y));
  page.order(1000, "step");
  assert.deepEqual([page.hub.springs.iteration, page.hub.scores.get("cost").iteration], [1, 1]);
  const before = page.told.length;
  page.run(1000);
  assert.ok(page.told.slice(before).every(({ kind }) => kind === "heartbeat"));
});

test("neighbors kept and distances in the data are found in the page", () => {
  const page = livePage({ n: 24 });
  for (let k = 0; k < 6; k++) page.order(40, "step");
  page.model.set("color", "recall");
  page.run(1000);
  const near = (row, i) =>
    [...row.keys()]
      .filter((j) => j !== i)
      .sort((a, b) => row[a] - row[b] || a - b)
      .slice(0, 10);
  const apart = (X) => X.map((x) => X.map((y) => x.reduce((sum, v, k) => sum + (v - y[k]) ** 2, 0)));
  const Y = positions(page);
  const [inData, inMap] = [groups(24), groups(24).map((_, i) => Y.slice(2 * i, 2 * i + 2))].map(apart);
  const wanted = inData.map((row, i) => near(row, i).filter((j) => near(inMap[i], i).includes(j)).length / 10);
  const { values, iteration, low, high, k } = page.hub.scores.get("recall");
  assert.deepEqual([iteration, low, high, k], [6, 0, 1, 10]);
  assert.ok(new Set(wanted).size > 2 && wanted.every((share, i) => Math.abs(share - values[i]) < 1e-6));
  const before = page.told.length;
  page.run(1000);
  assert.ok(page.told.slice(before).every(({ kind }) => kind === "heartbeat")); // nothing is found twice
  page.order(1000, "step");
  assert.equal(page.hub.scores.get("recall").iteration, 7);
  page.model.set("color", "distance");
  page.hub.requests.distances(3);
  page.run(200);
  const far = page.hub.scores.get("distance");
  assert.deepEqual([far.index, far.iteration, far.values[3]], [3, null, 0]);
  assert.ok(inData[3].every((d, j) => Math.abs(Math.sqrt(d) - far.values[j]) < 1e-5));
  assert.ok(Math.abs(far.low - Math.sqrt(Math.min(...inData[3].filter((_, j) => j !== 3)))) < 1e-6);
});

test("the pace is kept", () => {
  const page = livePage({ traits: { pace: 10 } });
  page.order(1500, "play");
  const { iteration } = page.hub.facts;
  assert.ok(iteration >= 13 && iteration <= 17, `${iteration}`);
});

test("a run that diverges says why, and goes on from the last good moment", () => {
  const page = livePage();
  page.hub.turn("jitter", 1e300);
  page.run(150);
  page.order(300, "play");
  assert.equal(status(page), "error");
  assert.match(page.hub.facts.message, /diverged at iteration 1 with .*lower the learning rate or the jitter/);
  page.hub.release(["jitter"]);
  page.run(100);
  page.order(3000, "play");
  assert.deepEqual([status(page), page.hub.facts.message], ["finished", ""]);
});

test("a run that ends with a map of no use says why, as Python does", () => {
  const page = livePage({ traits: {}, plan: {} });
  page.hub.turn("learning_rate", 1e-9);
  page.run(200);
  page.order(3000, "play");
  assert.deepEqual([status(page), page.hub.facts.message], ["finished", ""]); // its schedules have just ended
  for (let k = 0; k < 2; k++) page.order(3000, "play");
  assert.match(page.hub.facts.message, /^after 120 updates .* tells no more of P than equal distances would: its cost/);
  assert.match(
    page.hub.facts.message,
    /raise the learning_rate, 1e-09 at the end, or max_iter, or lower the perplexity$/,
  );
  page.order(60, "step");
  assert.equal(page.hub.facts.message, "");
  page.hub.release(["learning_rate"]);
  page.run(100);
  page.order(3000, "play");
  assert.deepEqual([status(page), page.hub.facts.message], ["finished", ""]);
  const { moment } = page.model.run.control;
  const wide = Float64Array.from({ length: 36 }, (_, k) => (k === 6 ? 3e6 : 0));
  assert.match(whyUseless(moment, wide, 18, 0), /reaches 2\.8e\+06 map units from its middle, where nothing attracts/);
});

test("the cost of an even map of UMAP is that of Python", () => {
  const recipe = { id: "UMAP", kind: "umap", convention: "joint", schedules: {} };
  const knobs = { learning_rate: 1, negative_sample_rate: 5 };
  const even = 1.252762968495368 + 0.8411805915530323; // -log w - m / 2 log(1 - w) where w = 1 / (1 + m / 2)
  const said = (cost) => whyUseless({ recipe, iteration: 60, knobs, cost }, new Float64Array(36), 18, 0);
  assert.match(said(0.995 * even), /its cost is 2\.083 nats, that of a uniform Q 2\.094;/);
  assert.equal(said(0.985 * even), "");
});

test("the film that came with the page can be gone back to", () => {
  const n = 18;
  const points = Array.from({ length: 2 * n }, (_, k) => Math.sin(3 * k));
  const film = packFilm([
    { iteration: 0, points, model: "SNE" },
    { iteration: 20, points: points.map((x) => 2 * x), model: "SNE", phase: "descent", knobs: { jitter: 0 } },
    { iteration: 40, points: points.map((x) => 3 * x), model: "SNE" },
  ]);
  const at = { ...standing, iteration: 40, knobs: settingsAt(recipes(n).SNE, 40, {}) };
  const page = livePage({ n, plan: { at, limit: 40, done: 40 }, traits: { film, phase: "descent" } });
  assert.deepEqual([status(page), page.hub.film.length], ["finished", 3]);
  page.order(200, "seek", { iteration: 20 });
  assert.deepEqual([status(page), page.hub.facts.iteration], ["paused", 20]);
  assert.ok(Math.abs(positions(page)[3] - 2 * points[3]) < 1e-4);
  assert.equal(page.hub.knob("momentum").value, 0.5); // that of the update which led there, and not yet that of the next
  page.order(100, "step");
  assert.deepEqual([page.hub.facts.iteration, page.hub.facts.recorded_to], [21, 21]);
});

test("a page whose run played when it was written plays", () => {
  const page = livePage({ plan: { plays: true } });
  page.run(3000);
  assert.equal(status(page), "finished");
});

// ---- its parts ----

test("what is kept stays within its bounds, the first and the newest and what hands did longest", () => {
  const kept = new Kept({ moments: 16, stride: 1 });
  const Y = new Float64Array(4);
  for (let iteration = 0; iteration < 500; iteration++)
    kept.keep({ iteration, memory: { Y } }, iteration === 0 || iteration === 77);
  const iterations = kept.moments.map((moment) => moment.iteration);
  assert.ok(iterations.length <= 16 && iterations.length >= 7, `${iterations}`);
  assert.deepEqual([iterations[0], iterations.includes(77), iterations.at(-1)], [0, true, 499]);
  assert.equal(kept.before(78).iteration, 77);
  kept.cut(90);
  assert.ok(kept.moments.at(-1).iteration <= 90);
  const many = new Kept({ moments: 8 });
  for (let iteration = 0; iteration < 40; iteration++) many.keep({ iteration, memory: { Y } }, true);
  assert.ok(many.moments.length <= 8 && many.lost.length > 20);
});
