// A prediction: what hands say becomes the trait, and what was found is marked.
import assert from "node:assert/strict";
import test from "node:test";

import { FakeElement, fakeDocument, install } from "./dom.mjs";
import { MockModel } from "./mocks.mjs";

install();
class Watcher {
  observe() {}
  disconnect() {}
}
Object.assign(globalThis, {
  MutationObserver: Watcher,
  getComputedStyle: () => ({
    color: "rgb(0, 0, 0)",
    backgroundColor: "rgb(255, 255, 255)",
    getPropertyValue: () => "",
  }),
});
fakeDocument.documentElement = new FakeElement("html");
const { PredictionView } = await import(new URL("../../notebook_sne/frontend/lesson/question.js", import.meta.url));

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
  assert.deepEqual(
    [grow, shrink].map((one) => [one.checked, one.parentNode.hasAttribute("data-truth")]),
    [
      [true, false],
      [false, true],
    ],
  );
  assert.match(root.find('[data-part="said"]').textContent, /marked beside it/);
  view.remove();
  assert.equal(model.listeners.size, 0);
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
  for (const [typed, kept] of [
    ["17.5", 17.5],
    ["80", 50],
    ["", 50],
    ["much", 50],
  ]) {
    field.value = typed;
    field.fire("change");
    assert.equal(model.get("value"), kept);
  }
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
  model.set("truth", [0.5, 0.5, 0.5]);
  const found = root.find(".nsne-found");
  assert.equal(found.getAttribute("points").split(" ").length, 3);
  assert.deepEqual(model.get("value"), [0, 0.02, 1], "what was found changes nothing that was said");
});
