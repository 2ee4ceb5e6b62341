// The picture and its moment belong together, whatever comes late, out of turn, or not at all.
import assert from "node:assert/strict";
import test from "node:test";

import { buffer, frameOf, inView, load, playerModel } from "./mocks.mjs";

const { PlayerHub: Hub } = await load("player/hub.js");

let [seq, moment] = [0, 10];
const line = (i) => [i, 0, -i, 0];

function stage(traits = {}) {
  const { model, clock, view, hub } = inView(Hub, playerModel({ n_objects: 2, ...traits }));
  const frame = (iteration, points = line(iteration), more = {}) => {
    moment += 1;
    seq += 1;
    hub.receive(frameOf(iteration, { seq, moment, ...more }), [buffer(...points)]);
  };
  const beat = (more = {}) => {
    moment += 1;
    hub.receive({ kind: "heartbeat", moment, status: "running", message: "", ...more }, []);
  };
  const last = () => model.commands().at(-1).id;
  return { model, clock, view, hub, frame, beat, last };
}
const iterations = (hub) => hub.film.frames.map((one) => one.iteration);

test("traits without a new picture do not put back an older one, nor an older curve", async () => {
  const { model, hub, frame } = stage();
  await model.update({
    moment: ++moment,
    status: "running",
    iteration: 10,
    cost: 5,
    snapshot: buffer(...line(10)),
    trace: new DataView(Float64Array.of(0, 9, 10, 5).buffer),
  });
  assert.deepEqual([hub.points[0], hub.at], [10, 10]);
  for (let i = 11; i <= 40; i++) frame(i);
  await model.update({ moment: ++moment, iteration: 40, cost: 4 });
  assert.deepEqual([hub.points[0], hub.at, hub.trace.iterations.at(-1)], [40, 40, 40]);
  await model.update({
    moment: ++moment,
    iteration: 50,
    cost: 3,
    snapshot: new DataView(Int16Array.from(line(50)).buffer),
    snapshot_step: 1,
    trace: new DataView(Float64Array.of(0, 9, 50, 3).buffer),
  });
  assert.deepEqual([hub.points[0], hub.at, hub.trace.iterations.length], [50, 50, 2], "a new one is shown");
  await model.update({ moment: ++moment, iteration: 60, snapshot_step: 2 });
  assert.deepEqual([hub.points[0], hub.at], [100, 60], "a map that only grows has the same bytes, and another step");
});

test("an update whose traits are set one by one is read whole", async () => {
  const { model, hub, view, frame } = stage({ status: "running", iteration: 297, cost: 3 });
  frame(300);
  await model.update(
    {
      moment: ++moment,
      status: "finished",
      iteration: 300,
      cost: 2,
      snapshot: buffer(...line(300)),
      trace: new DataView(Float64Array.of(0, 9, 300, 2).buffer),
    },
    { oneByOne: true },
  );
  assert.deepEqual(
    [hub.facts.status, hub.facts.iteration, hub.facts.cost, hub.points[0], hub.trace.costs.at(-1)],
    ["finished", 300, 2, 300, 2],
  );
  const { updated } = view;
  await model.update(
    { cost: 1, status: "idle", snapshot: buffer(...line(301)), iteration: 301, moment: ++moment },
    { oneByOne: true },
  );
  assert.deepEqual(
    [hub.facts.status, hub.facts.iteration, hub.facts.cost, hub.points[0]],
    ["idle", 301, 1, 301],
    "in any order",
  );
  assert.equal(view.updated, updated + 1, "and once");
});

for (const name of ["restart", "preset"]) {
  test(`with ${name} the frames of the other run are given up as soon as it is heard`, () => {
    const { hub, frame, last } = stage();
    for (let i = 0; i <= 100; i += 10) frame(i);
    hub.command(name, name === "preset" ? { model: "TSNE" } : {});
    frame(110);
    assert.equal(hub.film.last, 110, "it was on its way");
    frame(37, line(-37), { heard: last() });
    assert.deepEqual(iterations(hub), [37]);
    assert.deepEqual(hub.trace.iterations, [37]);
  });
}

test("going on gives up what came after, even when the new way is first seen beyond its end", () => {
  const { clock, hub, frame, last } = stage();
  for (let i = 0; i <= 700; i += 50) frame(i);
  hub.scrubTo(600);
  hub.goOn(600);
  frame(730, line(-730), { heard: last() });
  clock.run(1200);
  frame(760, line(-760), { heard: last() });
  const others = iterations(hub).filter((i) => i > 600);
  assert.deepEqual(others, [760]);
  assert.equal(hub.trace.iterations.at(-2), 600);
});

test("the last frame that came while the picture stood still is shown when it no longer must", () => {
  const { clock, hub, frame, beat, last } = stage();
  for (let i = 0; i <= 1100; i += 50) frame(i);
  hub.scrubTo(1000);
  hub.goOn(1000);
  frame(1100, line(-1100), { heard: last(), status: "finished" }); // of a kernel that does not tell of seeking
  assert.equal(Math.round(hub.points[0]), 1000);
  clock.run(1500);
  beat({ status: "finished", iteration: 1100, heard: last() });
  assert.deepEqual([hub.points[0], hub.at, hub.shownFacts().iteration], [-1100, 1100, 1100]);
});

test("objects that a hand lets go of are painted where they are", () => {
  const { clock, view, hub, frame, beat, last } = stage();
  frame(1, line(1), { status: "paused" });
  hub.hold([0], [5, 5]);
  hub.letGo();
  beat({ status: "paused", heard: last() });
  clock.run(600);
  const { painted } = view;
  beat({ status: "paused", heard: last() }); // it was refused: no frame follows
  clock.run(100);
  assert.equal(hub.shownPoints()[0], 1);
  assert.ok(view.painted > painted);
});

test("objects in the hand go back when the kernel falls silent, and are painted there", () => {
  const { clock, view, hub, frame } = stage();
  frame(1, line(1), { status: "paused" });
  hub.hold([0], [5, 5]);
  hub.letGo();
  clock.run(6500);
  const { painted } = view;
  clock.run(2000);
  assert.equal(hub.connected, false);
  assert.equal(hub.shownPoints()[0], 1);
  assert.ok(view.painted > painted);
});

test("the iteration of the picture is told, not that of newer facts", async () => {
  const { model, hub, frame, beat } = stage({ iteration: 3, snapshot: buffer(...line(3)) });
  assert.equal(hub.at, 3);
  frame(5);
  beat({ iteration: 90 });
  await model.update({ moment: ++moment, iteration: 95 });
  assert.deepEqual([hub.at, hub.points[0]], [5, 5]);
  hub.command("pause");
  frame(96);
  assert.deepEqual([hub.at, hub.points[0]], [5, 5], "it stands still");
  hub.scrubTo(5);
  hub.goOn(5);
  assert.equal(hub.at, 5);
});

// ---- going back ----

test("however long the run goes back, the moment that was left is never shown", async () => {
  const { model, clock, hub, frame, beat, last } = stage();
  for (let i = 0; i <= 700; i += 50) frame(i, line(i), { seeking: false });
  hub.scrubTo(200);
  hub.goOn(200);
  const stands = () =>
    assert.deepEqual(
      [Math.round(hub.shownPoints()[0]), hub.at, hub.shownFacts().iteration, hub.words().slice(0, 10)],
      [200, 200, 200, "going back"],
    );
  frame(710, line(710), { seeking: false });
  stands();
  frame(710, line(710), { heard: last(), seeking: true });
  stands();
  for (let k = 0; k < 8; k++) {
    clock.run(1000);
    beat({ iteration: 710, heard: last(), seeking: true });
    await model.update({ moment: ++moment, iteration: 710, status: "running", snapshot: buffer(...line(710)) });
    stands();
  }
  beat({ iteration: 200, heard: last() }); // without the fact: not any more
  assert.equal(hub.words(), "running");
  await model.update({ moment: ++moment, iteration: 201, status: "running" });
  assert.deepEqual([Math.round(hub.points[0]), hub.at], [200, 200]);
  frame(203, line(-203), { heard: last(), seeking: false });
  assert.deepEqual([hub.points[0], hub.at, hub.film.last], [-203, 203, 203]);
});

test("a run that goes back at once, and further than it was, is believed", () => {
  const { hub, frame, last } = stage();
  for (let i = 0; i <= 700; i += 50) frame(i, line(i), { seeking: false });
  hub.scrubTo(650);
  hub.goOn(650);
  frame(720, line(-720), { heard: last(), seeking: false });
  assert.deepEqual([hub.points[0], hub.pending, hub.film.last], [-720, null, 720]);
});

test("a pause while the run goes back leaves the picture where it stands", () => {
  const { hub, frame, beat, last } = stage();
  for (let i = 0; i <= 700; i += 50) frame(i, line(i), { seeking: false });
  hub.scrubTo(200);
  hub.goOn(200);
  frame(700, line(700), { heard: last(), seeking: true });
  hub.command("pause");
  beat({ iteration: 700, heard: last(), seeking: true });
  beat({ iteration: 700, heard: last(), status: "paused", seeking: true });
  assert.deepEqual([Math.round(hub.points[0]), hub.at, hub.facts.iteration], [200, 200, 200]);
  frame(200, line(-200), { status: "paused", heard: last(), seeking: false });
  assert.deepEqual([hub.points[0], hub.words()], [-200, "paused"]);
});

test("costs are those of the present: none while the film goes back", () => {
  const { hub, frame } = stage();
  for (let i = 0; i <= 3; i++) frame(i);
  hub.receive({ kind: "scores", of: "cost", iteration: 3, low: 0, high: 1 }, [buffer(0, 1)]);
  assert.equal(hub.shownScores("cost").high, 1);
  hub.scrubTo(1);
  assert.equal(hub.shownScores("cost"), null);
  hub.scrubTo(null);
  assert.equal(hub.shownScores("cost").high, 1);
});
