// Words in two norms: what is said of a word, and what a page does with hands and keys.
import assert from "node:assert/strict";
import test from "node:test";

import { fakeDocument, install } from "./dom.mjs";
import { MockModel, load } from "./mocks.mjs";

install();
globalThis.HTMLInputElement = class {};
const { csvOfPairs, pairsOf, sentence } = await load("two_norms/facts.js");
const { flow } = await load("two_norms/flow.js");
const { TwoNormsView } = await load("two_norms/two_norms.js");

const HOSTILE = "<b>new</b>";
const BANK = [
  [[1, 1], [0.8, 0.5], ["money", "teller"], ["MONEY", "credit"], ["money", "loan"], 3, 0.2],
  [[0, 2], [0, 0.3], [], ["saving"], [], 0, 0.2],
  [[2, 0], [0.1, 0], ["river"], [], [], 0, 0.2],
];
const bytes = (value) => new DataView(new TextEncoder().encode(JSON.stringify(value)).buffer);
const PAIRS = pairsOf(bytes([BANK, []]));
const NORMS = ["old", HOSTILE];
const theme = { dark: false, text: "#000000", soft: "#555555" };

test("what both have is said first, then what one alone has", () => {
  const said = sentence("bank", NORMS, PAIRS[0]);
  assert.match(said, /^Of “bank” both have money \(80% of its ties in old, 50% in <b>new<\/b>\)\./);
  assert.match(said, /old alone has river \(10%\)\. <b>new<\/b> alone has saving \(30%\)\. What differs in river may/);
  assert.match(said, /may be noise: two halves of the same people can differ by 20%\.$/);
  const [money, saving, river] = PAIRS[0];
  assert.match(sentence("bank", NORMS, [money, saving]), /That is more than noise: two halves/);
  assert.match(sentence("bank", NORMS, [river]), /This may be noise: two halves/);
  const unknown = [{ ...river, noise: null }];
  assert.ok(
    sentence("bank", NORMS, unknown).startsWith("They have no sense") &&
      !/noise/.test(sentence("bank", NORMS, unknown)),
  );
  assert.equal(sentence("none", NORMS, []), "Nothing is associated with “none” here.");
  assert.match(sentence("bank", NORMS, PAIRS[0].slice(1)), /^They have no sense of “bank” in common\./);
});

test("a band joins the bars of one sense, and a sense of one norm has none", () => {
  for (const width of [900, 380]) {
    const root = flow({ word: "", norms: NORMS, pairs: PAIRS[0], width, theme, font: "serif" });
    assert.equal(root.all("path").length, 1);
    assert.equal(root.all("rect").length, 4);
    const inks = ["river 10", "saving 30"].map((head) =>
      root.all("text").find((one) => one.textContent.startsWith(head)),
    );
    assert.deepEqual(
      inks.map((one) => one.getAttribute("fill")),
      ["#5d6b7a", theme.text],
    );
    const texts = root.all("text").map((one) => one.textContent);
    assert.ok(texts.includes(HOSTILE) && texts.some((text) => text.startsWith("saving 30")));
    assert.equal(texts.includes("money, teller"), width > 620); // where there is no room, in the sentence only
  }
});

test("a file has a row for each sense of each word", () => {
  const rows = csvOfPairs(NORMS, [["bank", PAIRS[0]]], "made").split("\r\n");
  assert.equal(rows.length, 5);
  assert.equal(rows[1], 'bank,1,0.8,1,0.5,0.2,3,"money, loan","money, teller","MONEY, credit",made');
});

function opened(word = "bank") {
  const traits = { key: "k", title: "", names: ["bank", "none"], norms: NORMS, pairs: bytes([BANK, []]), word };
  const values = new DataView(Float32Array.from([0.4, 0.1]).buffer);
  const columns = [{ name: "apart", text: "how far" }];
  const model = new MockModel({ ...traits, columns, column_values: values, made: {} });
  return { model, view: new TwoNormsView(model, fakeDocument.body) };
}

test("a word that is chosen is the trait's, and one that is set is shown", () => {
  const { model, view } = opened();
  const { heading, said, table } = view.parts;
  assert.equal(view.root.dataset.word, "bank");
  view.showWords(true);
  assert.deepEqual([table.columns.map(({ name }) => name), table.by], [["word", "apart"], "apart"]);
  table.open(1, false);
  assert.deepEqual([model.get("word"), heading.textContent], ["none", "none"]);
  assert.equal(said.textContent, "Nothing is associated with “none” here.");
  model.set("word", null);
  assert.ok(heading.hidden && said.textContent.startsWith("Search a word"));
  view.remove();
});
