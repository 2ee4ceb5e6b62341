// The whole view in a very small page: hands, keys, long names, many classes, and numbers that keep up with the picture.
import assert from "node:assert/strict";
import test from "node:test";

import { FakeElement, Watcher, fakeDocument, install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { MockClock, buffer, frameOf, load, playerModel } from "./mocks.mjs";

install();
/** What a browser has beside a page, as far as the view asks. */
Object.assign(globalThis, { addEventListener() {}, ResizeObserver: Watcher });
fakeDocument.addEventListener = () => {};
Object.assign(FakeElement.prototype, {
  setPointerCapture() {},
  getBoundingClientRect: () => ({ top: 0, left: 0, width: 400, height: 400 }),
  prepend() {},
  getClientRects() {
    return this.hidden ? [] : [1];
  },
  replaceWith(other) {
    this.parentNode.put(other);
    this.remove();
  },
  querySelector() {
    return null;
  },
  querySelectorAll() {
    return [];
  },
});
/** What an element has besides, by name. @type {Record<string, (element: FakeElement) => unknown>} */
const has = {
  classList: () => ({ toggle() {}, add() {}, remove() {} }),
  firstChild: (element) => element.children[0] ?? null,
  options: () => [],
  selectedOptions: () => [],
};
const sizes = { "nsne-hand offsetWidth": 44, "nsne-note offsetHeight": 18 };
for (const name of ["clientWidth", "clientHeight", "offsetWidth", "offsetHeight"])
  has[name] = (element) => sizes[`${element.getAttribute("class")} ${name}`] ?? 400;
for (const [name, get] of Object.entries(has))
  Object.defineProperty(FakeElement.prototype, name, {
    get() {
      return get(this);
    },
  });

const { default: widget } = await load("player/player.js");
const { PlayerHub: Hub } = await load("player/hub.js");
const { Axes } = await load("player/map/axes.js");
const { Stage } = await load("player/stage.js");
const { Scatter } = await load("player/map/scatter.js");
const { xml } = await load("shared/svg_pen.js");
const { fitting } = await load("shared/window.js");
Scatter.prototype.paint = () => {}; // its pixels are looked at elsewhere

let key = 0;
const SQUARE = [1, 0, -1, 0, 0, 1, 0, -1];

/** A player in the page, and the kernel's end of it. */
function open(traits = {}) {
  key += 1;
  const model = playerModel({ key: `k${key}`, ...traits });
  let hub;
  const { add } = Hub.prototype;
  let view;
  Hub.prototype.add = function (one) {
    [hub, view] = [this, one];
    return add.call(this, one);
  };
  const stop = widget.initialize({ model });
  const close = widget.render({ model, el: fakeDocument.body });
  Hub.prototype.add = add;
  let seq = 0;
  const tell = (kind, news, points = []) => {
    seq += 1;
    model.tell(
      "msg:custom",
      { ...frameOf(undefined, { kind, seq, moment: 10 + seq }), ...news },
      points.map((one) => buffer(...one)),
    );
  };
  const frame = (iteration, more = {}, points = SQUARE) =>
    tell("frame", { iteration, recorded_to: iteration, ...more }, [points]);
  opened.push(() => (close(), stop()));
  return { model, hub, view, root: view.root, frame, beat: (news) => tell("heartbeat", news) };
}
const opened = [];
test.afterEach(() => opened.splice(0).forEach((end) => end()));
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

test("numbers keep up with the picture though no frame follows, and a message is written at once", async () => {
  const { view, root, frame, beat } = open();
  frame(1);
  await wait(300);
  for (let i = 100; i < 104; i++) frame(i); // the last ones, while nothing can be painted
  await wait(230);
  assert.equal(root.dataset.iteration, "103");
  assert.equal(view.parts.iteration.textContent, "103");
  frame(104);
  beat({ iteration: 104, message: "no such knob" });
  assert.equal(view.parts.message.textContent, "no such knob");
  frame(105, { message: "no such knob" });
  frame(106, { message: "no such knob" });
  assert.ok(view.writing);
  const { writeAll } = view;
  view.writeAll = () => assert.fail("the timer outlives the view");
  opened.splice(0).forEach((end) => end());
  await wait(250);
  view.writeAll = writeAll;
});

test("the iteration that is told is that of the picture", async () => {
  const { view, root, frame, beat, hub } = open();
  for (let i = 5; i <= 9; i++) frame(i, { status: "paused" });
  beat({ iteration: 70 });
  view.paint();
  assert.equal(root.dataset.shown, "9");
  hub.scrubTo(6);
  view.paint();
  assert.equal(root.dataset.shown, "6");
});

test("costs of now color no other moment, and the legend says so", () => {
  const { model, view, frame, hub } = open({ color: "cost" });
  for (let i = 1; i <= 5; i++) frame(i, { status: "paused" });
  model.tell("msg:custom", { kind: "scores", of: "cost", iteration: 5, low: 0, high: 1 }, [buffer(0, 1, 0.5, 0.2)]);
  const { coloring } = view;
  const { legend, card } = view.panels;
  view.paint();
  view.lookAt(1);
  assert.deepEqual([coloring.channel, legend.hint.hidden, card.score.textContent], ["cost", true, "cost 1.000 nats"]);
  hub.scrubTo(2);
  assert.deepEqual(
    [coloring.channel, legend.hint.hidden, legend.element.hidden, card.score.textContent],
    ["none", false, false, ""],
  );
  assert.match(legend.hint.textContent, /back to now/);
  hub.scrubTo(null);
  assert.deepEqual([coloring.channel, legend.hint.hidden], ["cost", true]);
});

test("distances are measured from the object that is looked at, one question at a time", () => {
  const { model, view, frame, hub } = open({ color: "distance", names: ["cat", "dog", "cow", "owl"] });
  frame(5, { status: "paused" });
  const { coloring } = view;
  const { legend, card } = view.panels;
  assert.deepEqual([coloring.channel, legend.hint.hidden], ["none", false]);
  assert.match(legend.hint.textContent, /Point at an object/);
  view.paint();
  const asked = () => model.requests("distances").map(({ index }) => index);
  assert.deepEqual(asked(), []);
  view.lookAt(1);
  view.lookAt(2);
  view.lookAt(3);
  assert.deepEqual(asked(), [1], "the first answer is under way");
  const answer = (index, ...values) =>
    model.tell("msg:custom", { kind: "scores", of: "distance", iteration: null, low: 0, high: 9, index }, [
      buffer(...values),
    ]);
  answer(1, 3, 0, 9, 5);
  assert.deepEqual(asked(), [1, 3], "and then it is about the object that is looked at now");
  assert.deepEqual([coloring.channel, coloring.range], ["distance", [0, 9]]);
  answer(3, 4, 2, 1, 0);
  assert.deepEqual([legend.hint.textContent, legend.unit.textContent], ["from owl", "in the data's unit"]);
  view.lookAt(0);
  answer(0, 0, 3, 4.5, 6);
  view.lookAt(2);
  answer(2, 4.5, 1, 0, 2);
  assert.equal(card.score.textContent, "distances are from here");
  view.lookAt(-1);
  hub.scrubTo(2);
  assert.equal(coloring.channel, "distance", "distances in the data are those of every moment");
  assert.deepEqual(asked(), [1, 3, 0, 2]);
});

test("of a single selected object distances are measured before any is looked at", () => {
  const { model, frame } = open({ color: "distance", selection: [2] });
  frame(5, { status: "paused" });
  eachIs(model.requests("distances"), "index", [2]);
});

test("scores that are old or not all there say so", () => {
  const { model, view, frame } = open({ color: "perturbation" });
  const { legend } = view.panels;
  const { coloring } = view;
  frame(5, { status: "running" });
  view.writeAll();
  assert.match(legend.hint.textContent, /Pause the run/);
  frame(6, { status: "paused" });
  assert.match(legend.hint.textContent, /Being found/);
  const scores = { kind: "scores", of: "perturbation", iteration: 6, low: 0, high: 4, done: 3 };
  model.tell("msg:custom", scores, [buffer(1, 4, Number.NaN, 2)]);
  assert.deepEqual([coloring.channel, legend.hint.textContent], ["perturbation", "3 of 4 found"]);
  assert.equal(legend.none.textContent, "not yet found (1)");
  assert.equal(legend.none.hidden, false);
  frame(7, { status: "running" });
  view.writeAll();
  assert.equal(legend.hint.textContent, "of step 6, 3 of 4 found, pause the run for new ones");
  model.tell("msg:custom", { ...scores, iteration: null }, [buffer()]);
  assert.equal(coloring.channel, "none", "a run that began anew has no scores");
});

// ---- hands ----

/** What fires events of a pointer at the map of a view, by default of a finger. */
function touching({ parts }) {
  const finger = { pointerType: "touch", button: 0, buttons: 1 };
  return (name, pointerId, x, y, more = {}) =>
    parts.canvas.fire(name, { pointerId, offsetX: x, offsetY: y, ...finger, ...more });
}

test("one finger is the page's until the map is tapped, and again after a press elsewhere", () => {
  const { view, frame } = open();
  frame(1, { status: "paused" });
  view.paint();
  const { stage } = view.parts;
  const fire = touching(view);
  const { x } = view.stage.window;
  const swipe = (pointerType) => {
    fire("pointerdown", 3, 60, 60, { isPrimary: true, pointerType });
    fire("pointermove", 3, 66, 60, { pointerType });
    fire("pointermove", 3, 110, 60, { pointerType });
    fire("pointerup", 3, 110, 60, { pointerType });
    return view.stage.window.x !== x;
  };
  assert.deepEqual([swipe("touch"), swipe("pen")], [false, false]);
  assert.equal(view.stage.window.held, false);
  assert.match(view.parts.toast.textContent, /^Tap the map first/);
  view.parts.toast.textContent = "";
  assert.deepEqual([swipe("touch"), view.parts.toast.textContent], [false, ""], "said once");
  assert.equal(view.selection.size, 0, "a swipe is no tap");
  const [left, top] = view.stage.place(1);
  fire("pointerdown", 4, left + 3, top, { isPrimary: true });
  fire("pointerup", 4, left + 3, top);
  fire("pointerleave", 4, left + 3, top);
  assert.deepEqual([stage.getAttribute("data-finger"), view.selection.list], ["map", [1]]);
  assert.deepEqual([view.panels.card.element.hidden, view.panels.card.index], [false, 1], "the card stays");
  assert.match(view.panels.card.element.dataset.sheet, /^line/, "on a map of 400 pixels it is a line");
  view.panels.card.opener.fire("click", {});
  assert.equal(view.panels.card.element.dataset.sheet, "below", "which opens to a sheet");
  view.panels.card.opener.fire("click", {});
  assert.match(view.panels.card.element.dataset.sheet, /^line/);
  assert.equal(swipe("touch"), true);
  view.panels.card.closer.fire("click", {});
  assert.equal(view.panels.card.element.hidden, true);
  view.controls.pointer.touch.leave();
  const at = view.stage.window.x;
  fire("pointerdown", 5, 60, 60, { isPrimary: true });
  fire("pointermove", 5, 110, 60);
  assert.equal(view.stage.window.x, at);
});

test("a finger or a mouse whose end was lost neither pans nor makes a pinch of the next touch", () => {
  const { view, frame } = open();
  frame(1, { status: "paused" });
  view.paint();
  view.controls.pointer.touch.take();
  const fire = touching(view);
  const { x, width } = view.stage.window;
  fire("pointerdown", 5, 50, 50);
  fire("lostpointercapture", 5, 50, 50);
  assert.equal(view.controls.pointer.fingers.size, 0);
  fire("pointermove", 5, 90, 50, { pointerType: "mouse", buttons: 1 });
  assert.deepEqual([view.stage.window.x, view.stage.window.held], [x, false]);
  fire("pointerdown", 6, 60, 60, { isPrimary: true }); // its end is not told at all
  fire("pointerdown", 7, 100, 100, { isPrimary: true });
  assert.equal(view.controls.pointer.fingers.size, 1);
  fire("pointermove", 7, 140, 100);
  assert.equal(view.stage.window.width, width, "one finger does not zoom");
  assert.notEqual(view.stage.window.x, x, "it pans");
  fire("pointerup", 7, 140, 100);
  fire("lostpointercapture", 7, 140, 100); // as after every end
  for (const pointerType of ["mouse", "pen"]) {
    const at = view.stage.window.x;
    fire("pointerdown", 1, 50, 50, { pointerType, isPrimary: true });
    fire("pointermove", 1, 90, 50, { pointerType, buttons: 0 });
    fire("pointermove", 1, 150, 50, { pointerType, buttons: 0 });
    assert.deepEqual([view.stage.window.x, view.controls.pointer.act], [at, null], pointerType);
  }
});

test("two fingers still pinch", () => {
  const { view, frame } = open();
  frame(1, { status: "paused" });
  view.paint();
  const { width } = view.stage.window;
  const fire = touching(view);
  fire("pointerdown", 1, 50, 100, { isPrimary: true });
  fire("pointerdown", 2, 100, 100);
  fire("pointermove", 2, 150, 100);
  assert.ok(Math.abs(view.stage.window.width - width / 2) < 1e-9);
});

// ---- keys ----

test("keys that lead to another cell do not leave the view", () => {
  const { root, view, frame } = open();
  for (let i = 1; i <= 5; i++) frame(i, { status: "paused" });
  const targets = [root, root.control("film"), root.control("step"), view.panels.search.input];
  for (const target of targets) {
    for (const name of ["Home", "End", "PageUp", "PageDown"]) {
      for (const shiftKey of [false, true])
        assert.ok(target.fire("keydown", { key: name, shiftKey }).stopped, `${name} on ${target.tagName}`);
    }
  }
  assert.ok(!root.fire("keydown", { key: "PageDown", ctrlKey: true }).stopped);
  assert.ok(!root.fire("keydown", { key: "F5" }).stopped);
});

test("the menu has ten rows over a map that stays, whose last one shows all controls; its fields go home", () => {
  const { view, root, model } = open({
    ...{ n_objects: 3, live: true, controls: "few", names: ["a", "b", "c"] },
    ...{ classes: new DataView(Uint16Array.of(0, 1, 1).buffer), class_names: ["x", "y"] },
  });
  for (const name of ["color", "names", "pace"])
    Object.defineProperty(view.parts[name], "options", { value: [{ value: "none" }, { value: "label" }] });
  for (const name of ["colorLabel", "namesLabel", "pace", "row"]) view.parts[name].getClientRects = () => []; // no room
  const [menu] = root.all('[data-part="menu"]');
  const [more] = root.all('[data-control="more"]');
  const color = view.parts.colorLabel;
  const home = color.parentNode;
  assert.deepEqual([menu.hidden, model.get("controls")], [true, "few"]);
  more.fire("click");
  assert.deepEqual([menu.hidden, more.getAttribute("aria-expanded")], [false, "true"]);
  const rows = [...menu.all("select"), ...menu.all("button")].map((one) => one.getAttribute("data-control"));
  assert.deepEqual(rows.slice(0, 3), ["color", "names", "pace"]);
  assert.deepEqual(
    rows.slice(3).map((name) => name.slice(5)),
    ["springs", "step", "restart", "png", "svg", "keys", "all"],
  );
  root.fire("keydown", { key: "Escape" });
  assert.deepEqual([menu.hidden, color.parentNode === home, menu.all("select").length], [true, true, 0]);
  more.fire("click");
  menu.all('[data-control="menu-all"]')[0].fire("click");
  assert.deepEqual([menu.hidden, model.get("controls"), color.parentNode === home], [true, "all", true]);
  more.fire("click");
  assert.ok(menu.textContent.includes("Fewer controls") && menu.all('[data-control="axes"]').length);
  menu.all('[data-control="menu-all"]')[0].fire("click");
  assert.deepEqual([menu.hidden, model.get("controls"), color.parentNode === home], [true, "few", true]);
});

test("of 24 classes one has the Tab stop, and arrows lead on", () => {
  const names = Array.from({ length: 24 }, (_, k) => `class ${k}`);
  const { view, root } = open({
    n_objects: 24,
    classes: new DataView(Uint16Array.from(names, (_, k) => k).buffer),
    class_names: names,
    color: "label",
  });
  const entries = root.all('[data-control="legend"]');
  assert.equal(entries.length, 24);
  const stops = () =>
    entries
      .map((entry, k) => [Number(entry.tabIndex ?? entry.getAttribute("tabindex")), k])
      .filter(([index]) => index === 0)
      .map(([, k]) => k);
  assert.deepEqual(stops(), [0]);
  for (const entry of entries) entry.tabIndex = Number(entry.getAttribute("tabindex")); // as a browser has it
  const press = (name) => fakeDocument.activeElement.fire("keydown", { key: name });
  entries[0].focus();
  assert.ok(press("ArrowRight").stopped);
  press("ArrowDown");
  assert.deepEqual([stops(), fakeDocument.activeElement], [[2], entries[2]]);
  press("ArrowLeft");
  assert.deepEqual(stops(), [1]);
  press("End");
  press("ArrowRight"); // there is none
  assert.deepEqual([stops(), fakeDocument.activeElement], [[23], entries[23]]);
  press("Home");
  assert.deepEqual(stops(), [0]);
  view.panels.legend.list.fire("focusin", { target: entries[9] }); // by a click
  assert.deepEqual(stops(), [9]);
});

test("unlabeled objects have an entry of their own, in the legend and in the card", () => {
  const classes = new DataView(Uint16Array.of(0, 65535, 1, 65535).buffer);
  const { view, root, frame } = open({
    classes,
    class_names: ["a", "b"],
    color: "label",
    names: ["ann", "", "", "dan"],
  });
  frame(1, { status: "paused" });
  view.paint();
  const entries = root.all('[data-control="legend"]');
  eachIs(entries, "textContent", ["a", "b", "unlabeled (2)"]);
  entries[2].click();
  assert.deepEqual([...view.panels.legend.dimmed], [0, 1]);
  eachIs(entries, (entry) => entry.getAttribute("aria-pressed"), ["false", "false", "true"]);
  entries[2].click();
  assert.equal(view.panels.legend.dimmed.size, 0, "the same again shows all");
  entries[2].fire("click", { shiftKey: true });
  assert.deepEqual(view.selection.list, [1, 3]);
  view.lookAt(1);
  assert.deepEqual(
    [view.panels.card.label.textContent, view.panels.card.name.hidden, view.panels.card.number.textContent],
    ["unlabeled", true, "object 1"],
  );
  assert.equal(view.controls.cursor.inWords(1), "object 1, label unlabeled, selected");
  assert.deepEqual(
    [view.panels.card.entry(1, new Set()).textContent, view.panels.card.entry(2, new Set()).textContent],
    ["unlabeled #1", "b #2"],
  );
});

test("an object without a value is told so", () => {
  const values = new DataView(Float32Array.of(1, NaN, 3, NaN).buffer);
  const { view, root, frame } = open({ values, value_range: [1, 3], color: "value" });
  frame(1, { status: "paused" });
  view.paint();
  view.lookAt(1);
  assert.equal(view.panels.card.value.textContent, "no value");
  assert.ok(!view.panels.legend.none.hidden && view.panels.legend.none.textContent === "no value (2)");
  view.hub.keep("color", "none");
  assert.ok(view.panels.legend.none.hidden || view.panels.legend.element.hidden);
  assert.ok(root);
});

// ---- long names, many points ----

test("names and labels of any length are short in the card and beside springs", () => {
  const long = "W".repeat(5000);
  const classes = new DataView(Uint16Array.of(0, 0, 0, 0).buffer);
  const { view, frame } = open({ classes, class_names: [long], color: "label", names: [long] });
  frame(1, { status: "paused" });
  view.paint();
  view.lookAt(0);
  assert.ok(view.panels.card.name.textContent.length <= 80 && view.panels.card.label.textContent.length <= 80);
  assert.ok(view.panels.card.entry(1, new Set()).textContent.length <= 16, "by its label");
  assert.ok(view.panels.card.entry(0, new Set()).textContent.length <= 18, "by its name");
  const { springs } = view.panels;
  assert.ok(view.objects.short(1, 16).length <= 16 && view.objects.short(0, 16).length <= 16);
  assert.ok(springs.inWords(0).length <= 130);
});

test("a drawing of more points than a call takes arguments is written", () => {
  const many = Array.from({ length: 300000 }, () => "<b/>");
  assert.equal(xml("g", {}, "<a/>", many).length, "<g><a/></g>".length + 4 * many.length);
  assert.equal(xml("g", {}), "<g/>");
});

test("the window is at another moment of the film within a quarter of a second, also while the run goes on", () => {
  const hub = { scrub: null };
  const timeline = { playing: false };
  const traits = { axes: "follow" };
  Object.assign(hub, { model: { get: (name) => traits[name] }, paintSoon() {} });
  const stage = Object.assign(new Stage(), { size: [600, 400], calm: { matches: false } });
  const axes = new Axes({ hub, stage, say() {} }, () => timeline.playing);
  axes.obey("follow");
  const [small, large] = [Float32Array.of(-0.1, -0.1, 0.1, 0.1), Float32Array.of(-10, -10, 10, 10)];
  const reach = (points) => axes.window.width / fitting(points, 600, 400).width;
  axes.move(0, large);
  hub.scrub = 7;
  axes.move(16, small);
  for (let t = 32; t <= 266; t += 16) axes.move(t, small);
  assert.ok(reach(small) < 1.03, `${reach(small)}`);
  axes.move(1000, large);
  hub.scrub = null; // back to now
  axes.move(1016, small);
  for (let t = 1032; t <= 1266; t += 16) axes.move(t, small);
  assert.ok(reach(small) < 1.03);
  // A film that plays is followed smoothly.
  axes.move(2000, large);
  timeline.playing = true;
  hub.scrub = 9;
  for (let t = 2016; t <= 2266; t += 16) axes.move(t, small);
  assert.ok(reach(small) > 2);
});

test("a window that moves to a moment of the film is painted at the screen's rate, also while the run goes on", () => {
  const model = playerModel({ status: "running" });
  const clock = new MockClock();
  const hub = new Hub(model, clock);
  let count = 0;
  hub.add({ paint: () => (count += 1) < 1e6, update() {}, image() {} });
  for (let i = 1; i <= 3; i++) hub.receive(frameOf(i), [buffer(...SQUARE)]);
  const during = (ms) => {
    const before = count;
    clock.run(ms);
    return count - before;
  };
  during(200);
  assert.ok(during(480) <= 10);
  hub.scrubTo(1);
  assert.ok(during(480) >= 25);
});
