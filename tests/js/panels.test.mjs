// The panels in a very small page: what hands do with them, what they show, and what they send.
import assert from "node:assert/strict";
import test from "node:test";

import { FakeElement, fakeDocument, install, pen } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { MockClock, buffer, frameOf, load, packFilm, playerModel, scattered } from "./mocks.mjs";

install();
const { PlayerHub: Hub } = await load("player/hub.js");
const { Film } = await load("player/recording/film.js");
const { groupMarks } = await load("player/recording/signs.js");
const { Timeline } = await load("player/recording/timeline.js");
const { curveOf } = await load("player/recording/film_curve.js");
const { RunControls } = await load("player/panels/run_controls.js");
const { KnobPanel } = await load("shared/knobs.js");
const { knobDigits, knobPlace, knobStep, knobStops, readKnob } = await load("shared/knob_numbers.js");
const { MethodMenu } = await load("player/panels/method.js");
const { SpringPanel } = await load("player/panels/springs.js");
const { readable } = await load("player/recording/units.js");
const { netForce, springLines } = await load("player/panels/spring_lines.js");
const { Thumbnails, chooseThumbnails, drawThumbnails, imageCanvas, randomOrder } =
  await load("player/map/thumbnails.js");
const { Card, nearestInMap } = await load("player/panels/card.js");
const { toPixel } = await load("shared/window.js");
const { Coloring } = await load("player/map/colors.js");
const { KnownObjects } = await load("player/objects.js");
const { Stage } = await load("player/stage.js");

const knob = (name, low, high, more) => ({ name, label: name, unit: "", what: "", low, high, log: true, ...more });
const RATE = knob("learning_rate", 1, 1000, { closed: false });
const JITTER = knob("jitter", 0, 1, { unit: "map units", log: false, closed: true });
const SLOW = knob("perplexity", 2, 200, { unit: "objects", closed: false });

/** A view as panels know it, with a hub of its own. */
function stage(traits = {}, { reduced = false } = {}) {
  const model = playerModel({
    names: ["ann", "bob", "cid", "<b>dan</b>"],
    color: "label",
    knobs: [RATE, JITTER, SLOW],
    ...traits,
  });
  const clock = new MockClock();
  const hub = new Hub(model, clock);
  const undo = new AbortController();
  const there = new Stage();
  Object.assign(there, { size: [400, 300], calm: { matches: reduced } });
  Object.assign(there.window, { width: 4 });
  Object.defineProperty(there, "points", { get: () => hub.shownPoints() });
  const objects = new KnownObjects(model, 4);
  const said = [];
  const say = (words) => said.push(words);
  const own = { hub, say, signal: undo.signal, stage: there, calm: there.calm, objects };
  own.coloring = new Coloring(objects);
  const selected = [];
  const select = (i) => {
    selected.push(i);
    hub.keep("selection", [i]);
  };
  const add = (Panel) => {
    const panel = new Panel(own, select);
    fakeDocument.body.append(panel.element ?? new FakeElement("div"));
    hub.add({ paint: () => false, update: () => panel.update?.(), image: (i) => panel.image?.(i) });
    panel.update?.();
    return panel;
  };
  let seq = 0;
  const frame = (iteration, more = {}, points = [0, 0, 1, 0, 0, 1, iteration / 100, 1]) => {
    seq += 1;
    const present = { learning_rate: 200, jitter: 0, perplexity: 30 };
    const facts = { seq, moment: 10 + seq, cost: 2, model_name: "TSNE", present };
    hub.receive(frameOf(iteration, { ...facts, ...more }), [buffer(...points)]);
  };
  return { model, clock, hub, undo, there, selected, said, add, frame };
}

function type(field, text) {
  field.focus();
  field.value = text;
  field.fire("input");
}

// ---- the timeline ----

test("a cost that is no divergence is told without nats", () => {
  const { hub } = stage();
  hub.model.set("without_unit", ["Sammon"]);
  assert.deepEqual([hub.unitOf("SNE"), hub.unitOf("Sammon"), hub.unitOf(undefined)], [" nats", "", " nats"]);
});

test("the slider follows the run at its right end, winds back, and says where it is", () => {
  const { hub, add, frame } = stage();
  const timeline = add(Timeline);
  const slider = timeline.element.control("film");
  assert.ok(slider.disabled, "no film yet");
  for (let i = 0; i <= 100; i += 10) frame(i);
  assert.deepEqual([slider.max, slider.value], ["10", "10"]);
  assert.equal(timeline.element.getAttribute("data-state"), "now");
  slider.value = "3";
  slider.fire("input");
  assert.equal(hub.scrub, 30);
  assert.equal(slider.getAttribute("aria-valuetext"), "step 30 of 100, cost 2.000 nats, gradient descent");
  assert.match(timeline.element.textContent, /film: step 30 of 100/);
  frame(110);
  assert.deepEqual([slider.max, slider.value], ["11", "3"], "the run goes on behind the film");
  slider.value = "11";
  slider.fire("input");
  assert.equal(hub.scrub, null, "its right end is the present");
});

test("go on from here winds the run back and plays; back to now only looks", () => {
  const { model, hub, add, frame } = stage();
  const timeline = add(Timeline);
  for (let i = 0; i <= 100; i += 10) frame(i);
  timeline.step(-4);
  assert.equal(hub.scrub, 60);
  timeline.element.control("back-to-now").click();
  assert.equal(hub.scrub, null);
  assert.deepEqual(model.commands(), []);
  timeline.first();
  timeline.step(1);
  timeline.element.control("go-on").click();
  eachIs(model.commands(), ({ name, iteration }) => [name, iteration], [
    ["seek", 10],
    ["play", undefined],
  ]);
  timeline.goOn(); // nothing goes back any more
  assert.equal(model.commands().length, 2);
});

test("a presenter's keys lead from mark to mark of the film, and say which", () => {
  const said = [];
  const { hub, add, frame } = stage();
  const timeline = add(Timeline);
  timeline.say = (words) => said.push(words);
  const marks = [
    { iteration: 30, kind: "phase", text: "exaggeration → descent" },
    { iteration: 60, kind: "knob", text: "perplexity 5" },
    { iteration: 61, kind: "knob", text: "jitter 0" },
  ];
  for (let i = 0; i <= 100; i += 10) frame(i, { marks });
  timeline.chapter(1);
  assert.deepEqual([hub.scrub, said.pop()], [null, "This is the last moment"]);
  const shown = [-1, -1, -1, -1, -1, 1, 1].map((by) => {
    timeline.chapter(by);
    return hub.scrub;
  });
  assert.deepEqual(shown, [70, 60, 30, 0, 0, 30, 60]);
  assert.equal(said.pop(), "3 of 5: perplexity 5");
  timeline.chapter(1);
  timeline.chapter(1);
  assert.deepEqual([hub.scrub, said.pop()], [null, "5 of 5: now"]);
  timeline.first();
  timeline.toggle();
  timeline.chapter(1);
  assert.deepEqual([timeline.playing, hub.scrub], [true, 30], "it plays on from there");
});

test("a film alone has no button to go on with", () => {
  const { hub, add } = stage({
    live: false,
    film: packFilm([0, 10, 20].map((iteration) => ({ iteration, points: [0, 0, iteration, 1] }))),
  });
  const timeline = add(Timeline);
  assert.equal(timeline.element.find(".nsne-film-acts").hidden, true);
  timeline.first();
  assert.equal(hub.scrub, 0);
  timeline.last();
  assert.equal(hub.shownFacts().iteration, 20);
});

test("the film plays smoothly to its end, and by pictures for readers who want little motion", () => {
  for (const reduced of [false, true]) {
    const { clock, hub, add, frame } = stage({}, { reduced });
    const timeline = add(Timeline);
    for (let i = 0; i <= 1000; i += 10) frame(i, { status: "paused", recorded_to: 1000 });
    timeline.toggle();
    assert.ok(timeline.playing);
    const seen = new Set();
    for (let k = 0; k < 100; k++) {
      clock.run(16);
      if (hub.scrub !== null) seen.add(hub.scrub);
    }
    const between = [...seen].filter((one) => one % 10 !== 0);
    if (reduced) assert.ok(!between.length && seen.size <= 5, `${seen.size} pictures in 1.6 s`);
    else assert.ok(between.length > 60, "pictures between the frames");
    clock.run(20000);
    assert.equal(timeline.playing, false);
    assert.equal(hub.scrub, null, "the end of a live film is the present");
  }
});

/** The controls of a run, on buttons alone. */
function runControls({ hub, add, undo, said }) {
  const timeline = add(Timeline);
  const parts = Object.fromEntries(
    ["play", "playWord", "pause", "step", "restart", "pace", "run", "root"].map((name) => [
      name,
      new FakeElement(name),
    ]),
  );
  parts.pace.options = [];
  const say = (words) => said.push(words);
  const run = new RunControls({ hub, parts, timeline, signal: undo.signal, say });
  return { timeline, run, parts };
}

test("one Play plays the run, its film again at the end, or the film from the moment shown", () => {
  const here = stage({ status: "idle" });
  const { hub, model, frame } = here;
  const { timeline, run, parts } = runControls(here);
  const looks = () => {
    run.update();
    return [parts.playWord.textContent, parts.play.hidden ?? false];
  };
  assert.deepEqual(looks(), ["Play", false]);
  parts.play.click();
  assert.equal(model.commands().at(-1).name, "play");
  for (let i = 0; i <= 100; i += 10) frame(i, { heard: model.commands().at(-1).id, recorded_to: 100 });
  assert.deepEqual(looks()[1], true, "Pause stands in its place");
  frame(110, { status: "finished", recorded_to: 110 });
  assert.deepEqual(looks(), ["Replay", false]);
  const sent = model.commands().length;
  run.toggle();
  assert.ok(timeline.playing && hub.scrub === 0, "the film, from its beginning");
  assert.equal(hub.words(), "ready", "nothing has finished before it has begun");
  assert.equal(looks()[1], true);
  run.toggle();
  assert.ok(!timeline.playing);
  timeline.show(4);
  assert.deepEqual([...looks(), hub.words()], ["Play from here", false, "film"]);
  timeline.first();
  assert.deepEqual(looks(), ["Play", false]);
  run.toggle();
  assert.ok(timeline.playing && model.commands().length === sent, "the run itself is not touched");
});

test("a knob that is turned goes on from the moment shown, and at the end of a run; a pause holds", () => {
  const { hub, model, frame, clock } = stage();
  const names = () => model.commands().map(({ name }) => name);
  for (let i = 0; i <= 100; i += 10) frame(i, { recorded_to: 100 });
  frame(100, { status: "paused", recorded_to: 100 });
  hub.turn("jitter", 0.5);
  clock.run(200);
  assert.deepEqual(names(), ["set"]);
  frame(100, { status: "finished", recorded_to: 100 });
  hub.turn("jitter", 0.6);
  clock.run(200);
  assert.deepEqual(names(), ["set", "set", "play"]);
  hub.turn("jitter", 0.7);
  clock.run(200);
  assert.deepEqual(names().slice(3), ["set"], "it is asked for once");
  hub.scrubTo(40);
  hub.turn("jitter", 0.2);
  clock.run(200);
  assert.deepEqual(names().slice(4), ["seek", "play", "set"]);
  assert.equal(model.commands().find(({ name }) => name === "seek").iteration, 40);
});

test("a page begins with the first moment of its film, whose curve is drawn as far as it was seen", () => {
  const film = packFilm([0, 10, 20].map((iteration) => ({ iteration, points: [0, 0, 1, iteration] })));
  const { hub } = stage({ live: false, film, from_start: true });
  assert.equal(hub.scrub, 0);
  assert.equal(stage({ live: false, film }).hub.scrub, null);
  const room = { width: 120, height: 48, thumb: 20, until: 2 };
  const { points, x } = curveOf([4, 4, null, 2, 1], room);
  assert.deepEqual(points, [[10, 3], [35, 3]], "the thumb's middle; what is not known is left out"); // biome-ignore format: pairs
  assert.equal(curveOf([4, 4, null, 2, 1], { ...room, until: 4 }).points.at(-1)[1], 43);
  assert.equal(x(4), 110);
  // The curve of a shorter film, with a frame at every second step of the slider's: from its own highest cost to its lowest.
  const other = curveOf([9, 5, 7], { ...room, until: 3 }, [0, 2, 4], 4);
  assert.deepEqual(other.points, [[10, 3], [60, 43]], "as far as it was seen"); // biome-ignore format: pairs
});

test("main knobs are those that are asked for, and their numbers are only told", () => {
  const { hub, undo } = stage();
  const panel = new KnobPanel({ hub, signal: undo.signal, only: ["perplexity", "background"] });
  panel.update();
  assert.deepEqual(panel.rows.map(({ facts }) => facts.name), ["perplexity"]); // biome-ignore format: one line
  assert.ok(panel.list.control("main-perplexity") && !panel.list.control("knob-perplexity"));
});

test("a hand on the slider stops the film", () => {
  const { clock, add, frame, hub } = stage();
  const timeline = add(Timeline);
  for (let i = 0; i <= 100; i += 10) frame(i, { status: "paused" });
  timeline.toggle();
  clock.run(500);
  timeline.element.control("film").fire("input");
  assert.equal(timeline.playing, false);
  timeline.toggle();
  clock.run(100);
  hub.command("play");
  assert.equal(timeline.playing, false);
});

test("signs stand where the marks are; those that would overlap are one, with all texts", () => {
  const film = new Film();
  for (let i = 0; i <= 100; i++) film.add({ iteration: i }, Float32Array.of(i, 0));
  const marks = [
    [50, "knob", "jitter 0.1"],
    [0, "start", "start"],
    [51, "phase", "descent"],
    [75, "copies", "a copy of BANK moved to map 7"],
    [90, "moved", "3 objects"],
  ].map(([iteration, kind, text]) => ({ iteration, kind, text }));
  const groups = groupMarks(film, marks, 400);
  eachIs(groups, "kind", ["start", "several", "copies", "moved"]);
  assert.deepEqual(groups[1].texts, ["50: jitter 0.1", "51: descent"]);
  eachIs(groups, "share", [0, 0.5, 0.75, 0.9]);
  assert.equal(groupMarks(film, marks, 4000).length, 5);
  const { hub, add, frame } = stage();
  const timeline = add(Timeline);
  for (let i = 0; i <= 100; i += 10) frame(i, { marks: i ? undefined : marks, status: "paused" });
  const signs = timeline.element.find(".nsne-signs").children;
  assert.equal(signs[1].title, "50: jitter 0.1\n51: descent");
  signs[3].fire("click");
  assert.equal(hub.scrub, 90);
  eachIs(signs, (sign) => sign.getAttribute("tabindex"), ["0", "-1", "-1", "-1"]);
  signs[0].fire("keydown", { key: "ArrowRight" });
  assert.equal(fakeDocument.activeElement, timeline.element.find(".nsne-signs").children[1]);
});

// ---- knobs ----

test("the stops of a slider are round numbers from end to end", () => {
  assert.deepEqual(
    [knobStops(RATE)[0], knobStops(RATE).at(-1), knobStops(JITTER)[0], knobStops(JITTER).at(-1)],
    [1, 1000, 0, 1],
  );
  for (const value of [30, 2.5, 200]) assert.ok(knobStops(RATE).includes(value), `${value}`);
  assert.deepEqual(knobStops({ low: 0, high: 1, log: true, closed: true }).slice(0, 2), [0, 0.0001]);
  assert.equal(knobStops({ low: 0, high: 1, log: false, closed: false })[0], 0.01);
  assert.equal(knobStops(RATE)[knobPlace(knobStops(RATE), 149.75)], 140 + 10);
  const stops = [1, 2, 4, 8];
  eachIs([2, 3, 8], (value) => knobStep(stops, value, 1), [4, 4, 8]);
  eachIs([2, 3, 0.5, 100], (value) => knobStep(stops, value, -1), [1, 2, 1, 8]);
  assert.equal(knobStep(stops, 3, 2), 8);
  const digits = ["0", "0.3", "149.8", "14975", "0.000001", "", ""];
  eachIs([0, 0.3, 149.75, 14975.4, 1e-6, undefined, NaN], knobDigits, digits);
});

test("what is typed is read, or what is wrong with it is told", () => {
  assert.deepEqual(readKnob(JITTER, " 0,5 "), { value: 0.5 });
  assert.deepEqual(readKnob(JITTER, "0"), { value: 0 });
  assert.match(readKnob(JITTER, "").trouble, /not a number/);
  assert.match(readKnob(JITTER, "1e999").trouble, /not a number/);
  assert.match(readKnob(JITTER, "-1").trouble, /out of range: write a number at least 0 and at most 1$/);
  assert.match(readKnob({ ...JITTER, closed: false }, "0").trouble, /above 0/);
  assert.deepEqual(readKnob(SLOW, "2"), { value: 2 });
  // Where the knob's own bounds are told, they and not the slider's count.
  assert.deepEqual(readKnob({ ...SLOW, least: 1, most: null }, "500"), { value: 500 });
  assert.match(readKnob({ ...SLOW, least: 1, most: null }, "1").trouble, /above 1$/);
  assert.match(readKnob({ ...JITTER, least: 0, most: 1 }, "1").trouble, /below 1$/);
});

test("a knob follows its schedule until it is turned, and again when it is released", () => {
  const { model, clock, add, frame } = stage();
  const panel = add(KnobPanel);
  frame(1, { present: { learning_rate: 150, jitter: 0.1, perplexity: 30 } });
  const [rate, jitter] = panel.element.all(".nsne-knob");
  const field = panel.element.control("knob-learning_rate");
  assert.equal(field.value, "150");
  assert.match(rate.textContent, /automatic/);
  assert.equal(rate.getAttribute("data-state"), "schedule");
  frame(2, { present: { learning_rate: 120, jitter: 0.1, perplexity: 30 } });
  assert.equal(field.value, "120");
  type(field, "80");
  frame(3);
  assert.equal(field.value, "80", "what is being typed is not overwritten");
  assert.deepEqual(model.commands(), []);
  field.fire("keydown", { key: "Enter" });
  assert.deepEqual(model.commands().at(-1).knobs, { learning_rate: 80 });
  assert.equal(rate.getAttribute("data-state"), "held");
  assert.equal(jitter.getAttribute("data-state"), "schedule");
  const release = panel.element.control("knob-learning_rate-release");
  assert.equal(release.hidden, false);
  release.click();
  assert.deepEqual([model.commands().at(-1).name, model.commands().at(-1).knobs], ["release", ["learning_rate"]]);
  assert.equal(rate.getAttribute("data-state"), "schedule");
  clock.run(2000);
});

test("a wrong number is explained beside its field and not sent; Escape takes it back", () => {
  const { model, add, frame } = stage();
  const panel = add(KnobPanel);
  frame(1);
  const field = panel.element.control("knob-jitter");
  type(field, "much");
  field.fire("change");
  const why = panel.element.all(".nsne-why")[1];
  assert.match(why.textContent, /“much” is not a number/);
  assert.equal(why.hidden, false);
  assert.equal(field.getAttribute("aria-invalid"), "true");
  assert.equal(field.getAttribute("aria-describedby"), why.getAttribute("id"));
  frame(2);
  assert.equal(field.value, "much");
  const event = field.fire("keydown", { key: "Escape" });
  assert.ok(event.stopped, "it leaves the field's text, not the player");
  assert.equal(field.value, "0");
  assert.equal(why.hidden, true);
  assert.deepEqual(model.commands(), []);
});

test("arrow keys in a field lead to the next round value", () => {
  const { model, clock, add, frame } = stage();
  const panel = add(KnobPanel);
  frame(1, { present: { learning_rate: 200, jitter: 0, perplexity: 30 } });
  const field = panel.element.control("knob-learning_rate");
  assert.ok(field.fire("keydown", { key: "ArrowUp" }).prevented);
  assert.equal(field.value, "220");
  field.fire("keydown", { key: "ArrowDown" });
  field.fire("keydown", { key: "ArrowDown" });
  clock.run(200);
  assert.deepEqual(model.commands().at(-1).knobs, { learning_rate: 180 });
});

test("a slider turns while it slides; perplexity only when it is let go", () => {
  const { model, clock, add, frame } = stage();
  const panel = add(KnobPanel);
  frame(1);
  const jitter = panel.element.control("knob-jitter-slider");
  for (let k = 1; k <= 50; k++) {
    jitter.value = String(k);
    jitter.fire("input");
    clock.run(10);
    frame(k + 1); // frames of the old value come meanwhile
    assert.equal(jitter.value, String(k));
  }
  jitter.fire("change");
  clock.run(200);
  assert.ok(model.commands().length <= 8);
  assert.deepEqual(model.commands().at(-1).knobs, { jitter: 0.5 });
  const count = model.commands().length;
  const slow = panel.element.control("knob-perplexity-slider");
  slow.value = "4";
  slow.fire("input");
  clock.run(300);
  assert.equal(model.commands().length, count);
  assert.equal(panel.element.control("knob-perplexity").value, "3", "but the number shows");
  slow.fire("change");
  assert.deepEqual(model.commands().at(-1).knobs, { perplexity: 3 });
});

test("the knobs of a film are those of the frame shown, and cannot be turned", () => {
  const film = packFilm(
    [0, 10].map((iteration) => ({ iteration, points: [0, 0, 1, 1], knobs: { exaggeration: iteration ? 1 : 12 } })),
  );
  const { hub, add } = stage({ live: false, film, knobs: [] });
  const panel = add(KnobPanel);
  const field = panel.element.control("knob-exaggeration");
  assert.equal(field.value, "1");
  hub.scrubTo(0);
  assert.equal(field.value, "12");
  assert.equal(field.readOnly, true);
});

// ---- the method ----

test("one click goes on under another model, or begins a paper's recipe", () => {
  const models = [
    ["SNE", "go on"],
    ["TSNE", "go on"],
    ["TSNE", "paper"],
  ].map(([id, group]) => ({ id, label: `${id}!`, group, what: "so" }));
  const { model, add, frame } = stage({ models });
  const menu = add(MethodMenu);
  frame(1);
  assert.match(menu.element.control("method").textContent, /TSNE!/);
  assert.equal(menu.element.control("method-TSNE").getAttribute("aria-current"), "true");
  menu.element.control("method-SNE").click();
  menu.element.control("method-paper-TSNE").click();
  eachIs(model.commands(), ({ name, model: id }) => [name, id], [
    ["switch", "SNE"],
    ["preset", "TSNE"],
  ]);
  const { element } = stage({ live: false, film: packFilm([{ iteration: 0, points: [0, 0] }]) }).add(MethodMenu);
  assert.equal(element.hidden, true);
});

// ---- springs ----

const news = {
  ...{ of: 0, iteration: 5, convention: "joint", pulls: 90, pushes: 3, pull_total: 0.5, push_total: 0.15 },
  pull: [[1, 0.4, 0.3, 0.1], [2, 0.1, 0.1, 0.05]], // biome-ignore format: pairs
  push: [[1, 0.1, 0.3, 0.1], [3, 0.05, 0.01, 0.2]], // biome-ignore format: pairs
  others: [[1, 0.3, 0.1], [2, 0.1, 0.05]], // biome-ignore format: pairs
};

test("springs are as wide as the root of their strength and point the way they push", () => {
  const points = Float32Array.of(0, 0, 1, 0, 0, 1, -1, 0);
  const window = { x: 0, y: 0, width: 4 };
  const lines = springLines(news, points, window, [400, 400]);
  eachIs(lines, "strength", [0.05, 0.1, 0.1, 0.4], "the strongest lies on top");
  const [strongest, weaker] = [lines.at(-1), lines.find(({ kind, j }) => kind === "pull" && j === 2)];
  assert.ok(Math.abs(strongest.width / weaker.width - 2) < 1e-9);
  const both = lines.filter(({ j }) => j === 1);
  assert.ok(Math.abs(both[0].from[1] - both[1].from[1]) > 1, "two springs of one pair lie side by side");
  const net = netForce(springLines({ ...news, push: [[3, 0.05]] }, points, window, [400, 400]));
  assert.ok(Math.abs(net[0] - (0.4 + 0.05)) < 0.01 && Math.abs(net[1] - 0.1) < 0.01, `${net}`); // pushed from the left: to the right
  eachIs([6.5e-5, 0.3], readable, [[10 ** -5, "10⁻⁵"], [1, ""]]); // biome-ignore format: pairs
});

test("the springs of the selected object are shown, told and drawn", () => {
  const { model, hub, add, frame } = stage();
  const panel = add(SpringPanel);
  frame(5, {}, [0, 0, 1, 0, 0, 1, -1, 0]);
  const toggle = panel.element.control("springs");
  assert.ok(toggle.disabled);
  hub.keep("selection", [0]);
  toggle.click();
  assert.equal(model.get("spring_of"), 0);
  const context = pen();
  panel.paint(context);
  assert.equal(context.calls.length, 0, "nothing is known yet");
  hub.receive({ kind: "springs", ...news }, []);
  panel.paint(context);
  const strokes = context.calls.filter(([name]) => name === "stroke").map((call) => call.at(-1).stroke);
  assert.ok(strokes.includes("#0062a3") && strokes.includes("#b84a00"));
  const dashes = context.calls.filter(([name]) => name === "setLineDash").map(([, dash]) => dash.length);
  assert.ok(dashes.includes(2), "a push is dashed");
  const texts = context.calls.filter(([name]) => name === "fillText").map(([, text]) => text);
  assert.ok(texts.includes("bob"));
  assert.match(panel.element.textContent, /pull 0.5.*push 0.15.*among all pairs.*bob0.30.*cid0.10/s);
  assert.match(panel.element.textContent, /Drawn: 2 strongest of 90 pulls, 2 of 3 pushes/);
  hub.receive({ kind: "springs", ...news, of: 3 }, []);
  const later = pen();
  panel.paint(later);
  assert.equal(later.calls.length, 0, "those of another object are not drawn");
  hub.keep("selection", [2]);
  assert.equal(model.get("spring_of"), 2, "springs go with the selection");
  toggle.click();
  assert.equal(model.get("spring_of"), null);
});

test("what shows springs on the map says why it cannot, and takes the keyboard's object where none is selected", () => {
  const { model, hub, add, frame, said } = stage();
  const panel = add(SpringPanel);
  frame(5);
  const control = new FakeElement("button");
  panel.show(control);
  assert.equal(control.getAttribute("aria-pressed"), "false");
  panel.toggle();
  assert.match(said.at(-1), /Select one object first/);
  panel.toggle(2);
  assert.equal(model.get("spring_of"), 2);
  panel.show(control);
  assert.equal(control.getAttribute("aria-pressed"), "true");
  panel.toggle();
  assert.equal(model.get("spring_of"), null);
  hub.live = false;
  panel.show(control);
  assert.ok(control.hidden);
});

test("springs are not drawn over the film, and names are text", () => {
  const { hub, selected, add, frame } = stage({ spring_of: 0, selection: [0] });
  const panel = add(SpringPanel);
  for (const i of [1, 5]) frame(i);
  hub.receive({ kind: "springs", ...news, others: [[3, 0.1, 0.2]] }, []);
  assert.match(panel.element.textContent, /<b>dan<\/b>/);
  const context = pen();
  hub.scrubTo(1);
  assert.match(panel.element.textContent, /go back to now/);
  panel.paint(context);
  assert.equal(context.calls.length, 0);
  hub.scrubTo(null);
  panel.paint(context);
  assert.ok(context.calls.length > 0);
  panel.element.find(".nsne-link").click();
  assert.deepEqual(selected, [3]);
});

// ---- thumbnails ----

test("no image covers another, whatever the order, and none that would fit is left out", () => {
  const count = 2000;
  const points = scattered(2 * count).map((x) => 2 * x);
  const window = { x: 0, y: 0, width: 4 };
  const size = [400, 300];
  const tile = [30, 24];
  const chosen = chooseThumbnails(points, window, size, randomOrder(count), tile);
  const place = (i) => toPixel(window, points[2 * i], points[2 * i + 1], ...size);
  const apart = (i, j) => {
    const [a, b] = [place(i), place(j)];
    return Math.abs(a[0] - b[0]) >= tile[0] || Math.abs(a[1] - b[1]) >= tile[1];
  };
  assert.ok(chosen.length > 30);
  chosen.forEach((i, k) => chosen.slice(k + 1).forEach((j) => assert.ok(apart(i, j), `${i} covers ${j}`)));
  for (let i = 0; i < count; i++) {
    const [x, y] = place(i);
    if (chosen.includes(i) || !(x >= 0 && x < 400 && y >= 0 && y < 300)) continue;
    assert.ok(
      chosen.some((j) => !apart(i, j)),
      `${i} had room`,
    );
  }
  assert.deepEqual(chooseThumbnails(points, window, size, randomOrder(count), tile), chosen, "the same again");
  assert.equal(chooseThumbnails(points, window, size, randomOrder(count), tile, 5).length, 5);
  const near = chooseThumbnails(points, { x: 0, y: 0, width: 1 }, size, randomOrder(count), tile);
  const share = (list) =>
    list.length /
    points.filter((_, i) => i % 2 === 0).filter((x, i) => place(i).every((p, axis) => p >= 0 && p < size[axis])).length;
  assert.ok(near.length / 4 > share(chosen), "nearer, more find room");
  assert.deepEqual(
    [...randomOrder(50)].sort((a, b) => a - b),
    [...Array(50).keys()],
  );
  assert.notDeepEqual([...randomOrder(50)].slice(0, 5), [0, 1, 2, 3, 4]);
});

test("an image is gray, or of three colors", () => {
  let drawn;
  const canvas = { getContext: () => ({ putImageData: ({ data }) => (drawn = [...data]) }) };
  imageCanvas({ width: 2, height: 1, pixels: Uint8Array.of(7, 200) }, canvas);
  assert.deepEqual([drawn, canvas.width], [[7, 7, 7, 255, 200, 200, 200, 255], 2]);
  imageCanvas({ width: 2, height: 1, pixels: Uint8Array.of(1, 2, 3, 253, 254, 255) }, canvas);
  assert.deepEqual(drawn, [1, 2, 3, 255, 253, 254, 255, 255]);
});

test("images are drawn at the present points, asked for when missing and chosen anew seldom", () => {
  const { model, clock, hub, add, frame } = stage({ has_images: true, show_images: true });
  const thumbnails = add(Thumbnails);
  frame(100);
  const context = pen();
  thumbnails.paint(context);
  clock.run(100);
  const [ask] = model.requests("images");
  assert.deepEqual([...ask.indices].sort(), [0, 1, 2, 3]);
  const drawn = () => context.calls.filter(([name]) => name === "drawImage");
  assert.equal(drawn().length, 0);
  hub.receive({ kind: "images", indices: ask.indices, width: 2, height: 2 }, [new DataView(new ArrayBuffer(16))]);
  thumbnails.paint(context);
  assert.equal(drawn().length, 4);
  const chosen = thumbnails.chosen;
  context.calls.length = 0;
  frame(101, {}, [0.5, 0, 1, 0, 0, 1, 1, 1]);
  clock.run(20);
  thumbnails.paint(context);
  assert.equal(thumbnails.chosen, chosen, "not at every frame");
  const first = drawn()[drawn().length - 1 - chosen.indexOf(0)];
  assert.equal(first[2] + first[1].width / 2, 250, "but at the new place");
  clock.run(400);
  thumbnails.paint(context);
  assert.notEqual(thumbnails.chosen, chosen);
  hub.keep("show_images", false);
  context.calls.length = 0;
  thumbnails.paint(context);
  assert.equal(drawn().length, 0);
  drawThumbnails(context, [0], Float32Array.of(0, 0), { x: 0, y: 0, width: 4 }, [400, 300], () => null, 1);
  assert.equal(drawn().length, 0);
});

// ---- the card ----

test("the nearest in the map are found in their order", () => {
  const points = Float32Array.of(0, 0, 3, 0, 1, 0, -2, 0, 9, 9);
  assert.deepEqual(nearestInMap(points, 0, 3), [2, 3, 1]);
  assert.deepEqual(nearestInMap(points, 0, 1), [2]); // what was nearest before makes room
  assert.deepEqual(nearestInMap(points, 0, 2), [2, 3]);
  assert.deepEqual(nearestInMap(points, 0, 9), [2, 3, 1, 4]);
});

test("the card names eight neighbors in the map, however many come nearer one after the other", () => {
  const { clock, add, frame, hub } = stage({ n_objects: 20, names: [] });
  const card = add(Card);
  const points = Array.from({ length: 40 }, (_, k) => (k % 2 || k === 0 ? 0 : 40 - k)); // the last ones are the nearest
  frame(1, {}, points);
  card.show(0);
  clock.run(200);
  hub.receive({ kind: "neighbors", index: 0, indices: [3, 2] }, []);
  const told = card.element.all("ol")[1].children.map((one) => one.textContent);
  assert.deepEqual(
    told,
    [19, 18, 17, 16, 15, 14, 13, 12].map((i) => `#${i}`),
  );
});

test("the card tells neighbors after a rest, marks the common ones, and keeps a secret", () => {
  const { model, clock, hub, add, frame } = stage({
    names: [],
    classes: new DataView(Uint16Array.of(0, 1, 0, 1).buffer),
    class_names: ["cat", "dog"],
    values: buffer(1, 2, 3, 4),
  });
  const card = add(Card);
  frame(1, {}, [0, 0, 1, 0, 0, 5, 2, 0]);
  card.show(0);
  assert.equal(card.element.hidden, false);
  assert.match(card.element.textContent, /cat.*value 1.000.*object 0/);
  assert.equal(model.requests("neighbors").length, 0);
  clock.run(60);
  card.show(3); // passing by
  clock.run(60);
  card.show(0);
  clock.run(130);
  eachIs(model.requests("neighbors"), "index", [0]);
  hub.receive({ kind: "neighbors", index: 0, indices: [3, 2] }, []);
  const [data, map] = card.element.all("ol");
  eachIs(data.children, "textContent", ["dog #3", "cat #2"]);
  eachIs(map.children, "textContent", ["dog #1", "dog #3", "cat #2"]);
  eachIs(map.children, (one) => one.getAttribute("class"), [null, "nsne-common", "nsne-common"]);
  hub.keep("hide_labels", true);
  assert.doesNotMatch(card.element.textContent, /cat|dog|value/);
  hub.keep("color", "cost");
  hub.receive({ kind: "scores", of: "cost", iteration: 1, low: 0, high: 1 }, [buffer(0.5, 0.2, 0.1, 0)]);
  assert.match(card.element.textContent, /cost 0.5000 nats/);
  card.show(-1);
  assert.equal(card.element.hidden, true);
});

test("panels take their listeners and timers with them", () => {
  const { clock, hub, undo, add, frame } = stage({ has_images: true, show_images: true });
  const panels = [Timeline, KnobPanel, MethodMenu, SpringPanel, Thumbnails, Card].map(add);
  frame(1);
  panels[5].show(1);
  panels[4].paint(pen());
  frame(2);
  panels[4].paint(pen());
  undo.abort();
  for (const panel of panels) panel.stop?.();
  hub.stop();
  assert.equal(clock.jobs.size, 0);
  const live = (element) =>
    Object.values(element.listeners).flat().length + element.children.reduce((sum, child) => sum + live(child), 0);
  assert.equal(
    panels.filter(({ element }) => element).reduce((sum, { element }) => sum + live(element), 0),
    0,
  );
});

test("the reader is told of images that have found no room", () => {
  const traits = { show_images: true, has_images: true };
  const hub = { model: { get: (name) => traits[name] } };
  const thumbnails = new Thumbnails({ hub, stage: { points: new Float32Array(20), count: 10 }, coloring: {} });
  thumbnails.shown = [1, 4, 7];
  assert.equal(thumbnails.said, "images of 3 of 10 objects");
  thumbnails.shown = [...Array(10).keys()];
  assert.equal(thumbnails.said, "");
  thumbnails.shown = [1];
  traits.show_images = false;
  assert.equal(thumbnails.said, "");
});

test("no image lies under what is written on the map", () => {
  const traits = { show_images: true, has_images: true, n_objects: 3 };
  const hub = { model: { get: (name) => traits[name] }, clock: new MockClock(), facts: {}, scrub: null };
  hub.requests = { want() {}, image() {} };
  const stage = new Stage();
  Object.assign(stage, { points: Float32Array.of(-1, 0, 0, 0, 1, 0), size: [400, 300] });
  stage.window = { x: 0, y: 0, width: 4 };
  const thumbnails = new Thumbnails({ hub, stage, coloring: {} });
  const paint = () => {
    thumbnails.paint({});
    return [...thumbnails.shown].sort();
  };
  assert.deepEqual(paint(), [0, 1, 2]);
  const [x, y] = stage.place(1);
  thumbnails.names = () => [{ left: x + 16, top: y - 5, width: 40, height: 10 }];
  assert.deepEqual(paint(), [0, 2]);
  assert.equal(thumbnails.said, "images of 2 of 3 objects");
  thumbnails.names = () => [{ left: x + 18, top: y - 5, width: 40, height: 10 }];
  assert.deepEqual(paint(), [0, 1, 2], "beside it there is room");
});
