// A prediction: what hands say becomes the trait, and what was found is marked.
import assert from "node:assert/strict";
import test from "node:test";

import { FakeElement, fakeDocument, install } from "./dom.mjs";
import { eachIs } from "./each.mjs";
import { MockModel, load } from "./mocks.mjs";

install();
const seen = [];
globalThis.IntersectionObserver = class {
  constructor(tell) {
    this.tell = tell;
    seen.push(this);
  }
  observe() {}
};
const { OutcomeTable, OutcomeView } = await load("lesson/outcome.js");
const { Questions, answers } = await load("course/questions.js");
const { PageModel } = await load("page/page.js");
const { PredictionView } = await load("lesson/question.js");

function ask(traits) {
  const model = new MockModel({ key: "k", question: "Which?", options: [], places: [], unit: "", ...traits });
  const view = new PredictionView(model, fakeDocument.body);
  return { model, view, root: view.root };
}

test("a choice is kept, and the option that came true is marked", () => {
  const { model, view, root } = ask({ options: ["grow", "shrink"] });
  const [grow, shrink] = root.all('[data-control="option"]');
  assert.equal(root.dataset.said, "false");
  grow.checked = true;
  grow.fire("change");
  assert.deepEqual([model.get("value"), root.dataset.said, root.dataset.revealed], ["grow", "true", "false"]);
  model.set("truth", "shrink");
  eachIs([grow, shrink], (one) => [one.checked, one.parentNode.hasAttribute("data-truth")], [
    [true, false],
    [false, true],
  ]);
  assert.match(root.find('[data-part="said"]').textContent, /marked beside it/);
  view.remove();
  assert.equal(model.listeners.size, 0);
});

test("answers are forgotten and taken back by a button that says so, and who does not answer is named", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, view, root } = ask({ options: ["grow", "shrink"], outlasts: true });
  const [button, said] = [root.control("forget"), root.find('[data-part="said"]')];
  assert.ok(button.hidden);
  model.set("value", "grow");
  assert.deepEqual(
    [button.hidden, button.textContent, said.textContent],
    [false, "Forget my answers", "Kept for this notebook."],
  );
  button.fire("click");
  assert.deepEqual(model.sent.at(-1), { kind: "forget" });
  model.set("value", null);
  model.set("forgotten", true);
  assert.deepEqual([button.hidden, button.textContent], [false, "Undo"]);
  assert.match(said.textContent, /are forgotten/);
  button.fire("click");
  assert.deepEqual(model.sent.at(-1), { kind: "recall" });
  t.mock.timers.tick(5000);
  assert.match(said.textContent, /does not answer yet/);
  model.set("outlasts", false);
  model.set("forgotten", false);
  model.set("value", "grow");
  assert.equal(said.textContent, "Kept until the kernel ends.");
  view.remove();
  const page = ask({ options: ["grow", "shrink"], value: "grow", page: true });
  assert.ok(page.root.control("forget").hidden, "a page has its own, below all that was found");
});

test("a number is said by the slider or the field, within its bounds", () => {
  const { model, root } = ask({ bounds: [0, 50], unit: "%" });
  const [range, field] = [root.control("number"), root.control("field")];
  assert.ok(range.hasAttribute("data-unsaid"), "the middle is no answer");
  range.value = "12";
  range.fire("input");
  assert.deepEqual([field.value, model.get("value")], ["12", undefined], "while it moves nothing is said");
  range.fire("change");
  assert.equal(model.get("value"), 12);
  for (const [typed, kept] of Object.entries({ 80: 50, 17.5: 17.5, "": 17.5, much: 17.5 })) {
    field.value = typed;
    field.fire("change");
    assert.deepEqual([model.get("value"), field.value], [kept, String(kept)], "what is no number goes");
  }
  field.value = "3";
  field.fire("input");
  model.set("poll", { n: 2 });
  assert.equal(field.value, "3", "what is being typed stays while a class votes");
  const mark = root.find('[data-part="truth"]');
  assert.ok(mark.hidden);
  model.set("truth", 25);
  assert.ok(!mark.hidden && root.dataset.revealed === "true");
});

test("a curve is drawn by a pointer, and its points move by keys", () => {
  const { model, root } = ask({ bounds: [0, 1], places: ["5", "30", "100"], axis_names: ["perplexity", "error"] });
  const svg = root.find("svg");
  svg.getBoundingClientRect = () => ({ left: 0, top: 0, width: 420, height: 190 });
  svg.fire("pointermove", { clientX: 46, clientY: 12 });
  assert.equal(model.get("value"), undefined, "a pointer that is not down draws nothing");
  svg.fire("pointerdown", { clientX: 46, clientY: 156, pointerId: 1 });
  svg.fire("pointermove", { clientX: 406, clientY: 12 });
  assert.equal(model.get("value"), undefined, "it is said when the hand lets go");
  svg.fire("pointerup", {});
  assert.deepEqual(model.get("value"), [0, 0, 1]);
  const event = root.control("place-1").fire("keydown", { key: "ArrowUp" });
  assert.ok(event.prevented && event.stopped);
  assert.deepEqual(model.get("value"), [0, 0.02, 1]);
  root.control("place-0").fire("keydown", { key: "ArrowDown" });
  root.control("place-2").fire("keydown", { key: "ArrowUp" });
  assert.deepEqual(model.get("value"), [0, 0.02, 1], "no further than the bounds");
  model.set("truth", [0.5, 0.5, 0.5]);
  const found = root.find(".nsne-found");
  assert.equal(found.getAttribute("points").split(" ").length, 3);
  assert.deepEqual(model.get("value"), [0, 0.02, 1], "what was found changes nothing that was said");
});

const found = { key: "k", question: "Which?", truth: "shrink", found: "shrink" };
const asked = (traits = {}) =>
  new PageModel({ key: "k", question: "Which?", options: ["grow", "shrink"], value: null, truth: null, ...traits });

test("what was found waits for a prediction, and marks the question once both were seen", () => {
  const model = asked();
  const place = new FakeElement("div");
  const view = new OutcomeView(found, model, place, () => {});
  const said = () => [view.root.dataset.shown, view.said.textContent, view.words.textContent];
  assert.deepEqual(said(), ["false", "You have not answered yet.", ""]);
  seen[seen.length - 1].tell([{ isIntersecting: true }]);
  assert.equal(model.get("truth"), null);
  model.set("value", "grow");
  assert.deepEqual(said(), ["true", "You said: grow.", "Found: shrink."]);
  assert.equal(model.get("truth"), "shrink");
});

test("a lecture's table tells what was said and found, and only that; answers are forgotten together", () => {
  const questions = new Questions("a lecture");
  const models = [asked(), asked({ key: "n", question: "How many?", options: [], unit: "%" })];
  for (const model of models) questions.models.set(model.get("key"), model);
  const place = new FakeElement("div");
  place.dataset.outcomes = "table";
  const all = [found, { key: "n", question: "How many?", truth: 6.4, found: "6.4%" }];
  const table = questions.show(place, all);
  assert.ok(table instanceof OutcomeTable);
  const rows = () => table.rows.map(({ said, words }) => [said.textContent, words.textContent]);
  models[1].set("value", 20);
  assert.deepEqual(rows(), [["no prediction", "Show what was found"], ["20%", "6.4%"]]); // biome-ignore format: rows
  place.control("forget").click();
  assert.deepEqual(models.map((model) => model.get("value")), [null, null]); // biome-ignore format: one line
  assert.equal(rows()[1][0], "no prediction");
});

test("only what still answers the question is taken from the browser's memory", () => {
  const number = asked({ options: [] });
  const curve = asked({ options: [], places: ["1", "2"] });
  assert.deepEqual([answers(asked(), "grow"), answers(asked(), "other")], [true, false]);
  assert.deepEqual([answers(number, 3), answers(number, "3"), answers(number, undefined)], [true, false, false]);
  assert.deepEqual([answers(curve, [1, 2]), answers(curve, [1]), answers(curve, [1, "2"])], [true, false, false]);
});
